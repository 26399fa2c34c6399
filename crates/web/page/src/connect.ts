// How the page of sextant-web reaches its engine.

import { SocketChannel, type Channel } from "./engine";

/** Is there no server? */
export const isAlone: boolean = false;

/** `onprogress` hears of what takes long before it is open. */
export function connect(_onprogress: (text: string) => void): Channel {
  return new SocketChannel(new URL("engine", location.href.split("#")[0]));
}
