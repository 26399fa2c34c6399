// The engine as the page sees it. Behind it stands a channel of JSON messages (docs/how-to/web.md): a WebSocket here,
// or workers that run the engine as WebAssembly (alone.ts).

import type { SearchTree } from "../../../view/assets/tree.js";

export interface GameText {
  /** `startpos`, `chess960:N`, or a FEN. */
  start: string;
  moves: string[];
}

export interface Ply {
  fen: string;
  check: boolean;
  uci?: string;
  san?: string;
}

export interface LegalMove {
  uci: string;
  san: string;
  from: string;
  to: string[];
  promotion: string | null;
}

export interface End {
  result: string;
  reason: string;
}

export interface PositionReply {
  chess960: boolean;
  plies: Ply[];
  legal: LegalMove[];
  end: End | null;
}

export interface PgnGame {
  /** From 1, in the text that it was read from. */
  number: number;
  tags: [string, string][];
  start: string;
  moves: string[];
  /** All of it: comments and variations too. */
  text: string;
}

export interface PgnReply {
  games: PgnGame[];
  /** What is wrong with the games that cannot be read. */
  errors: string[];
}

export type Score = { cp: number } | { mate: number };

export interface Info {
  depth: number;
  seldepth: number;
  multipv: number;
  /** From the view of the side to move. */
  score: Score;
  bound: "lower" | "upper" | null;
  wdl: [number, number, number];
  nodes: number;
  nps: number;
  hashfull: number;
  tbhits: number;
  time: number;
  pv: string[];
  san: string[];
  /** What White and Black have left in SX, at the root and after each move. */
  budgets?: [number, number][];
}

export interface Limits {
  depth?: number;
  nodes?: number;
  movetime?: number;
  clock?: number;
  increment?: number;
}

export interface Go {
  game: GameText;
  limits?: Limits;
  multipv?: number;
  budgets?: boolean;
  /** Tells the search as a tree at its end, instead of the budgets. */
  tree?: boolean;
  options?: Record<string, string | number | boolean>;
}

export interface Search {
  /** The best move; `null` where there is none or the search was dropped. */
  best: Promise<string | null>;
  /** Ends it; the best move still comes. */
  stop(): void;
  /** Ends it, and nobody hears of it again. */
  drop(): void;
}

export interface Hello {
  name: string;
  engines: number;
  men: number;
}

/** How the engine can be reached. */
export type Status = { kind: "ready"; hello: Hello } | { kind: "waiting"; message: string } | { kind: "token"; isWrong: boolean };

export interface Engine {
  position(game: GameText): Promise<PositionReply>;
  pgn(text: string): Promise<PgnReply>;
  search(go: Go, listener: (info: Info) => void, ontree?: (tree: SearchTree) => void): Search;
  onstatus: (status: Status) => void;
  /** Something a person should know. */
  onnote: (text: string) => void;
}

/** What carries messages to an engine and back. */
export interface Channel {
  send(text: string): void;
  onopen: () => void;
  onmessage: (text: string) => void;
  /** The connection is lost, for a reason perhaps; the channel tries again by itself. */
  onclose: (reason: string) => void;
  /** Begins anew at once. */
  reopen(): void;
}

type Message = { type: string; id?: number | null; code?: string; message?: string; best?: string | null; tree?: SearchTree };

interface Running {
  listener: (info: Info) => void;
  ontree?: (tree: SearchTree) => void;
  resolve: (best: string | null) => void;
  reject: (error: Error) => void;
}

export class MessageEngine implements Engine {
  onstatus: (status: Status) => void = () => {};
  onnote: (text: string) => void = () => {};
  private next = 1;
  private ready = false;
  private refused = "";
  private asked = new Map<number, { resolve: (reply: never) => void; reject: (error: Error) => void }>();
  private running = new Map<number, Running>();

  constructor(
    private channel: Channel,
    private token: () => string | null,
  ) {
    channel.onopen = () => this.send({ type: "hello", token: this.token() });
    channel.onmessage = (text) => this.hear(JSON.parse(text) as Message);
    channel.onclose = (reason) => this.lose(reason);
  }

  position(game: GameText): Promise<PositionReply> {
    return this.ask({ type: "position", game });
  }

  pgn(text: string): Promise<PgnReply> {
    return this.ask({ type: "pgn", text });
  }

  search(go: Go, listener: (info: Info) => void, ontree?: (tree: SearchTree) => void): Search {
    const id = this.next++;
    const best = new Promise<string | null>((resolve, reject) => this.running.set(id, { listener, ontree, resolve, reject }));
    if (this.ready) this.send({ type: "go", id, ...go });
    else this.running.get(id)!.reject(new Error("there is no connection to the engine"));
    const stop = () => this.running.has(id) && this.send({ type: "stop" });
    const drop = () => {
      const running = this.running.get(id);
      stop();
      this.running.delete(id);
      running?.resolve(null);
    };
    return { best, stop, drop };
  }

  private ask<Reply>(question: object): Promise<Reply> {
    const id = this.next++;
    return new Promise<Reply>((resolve, reject) => {
      this.asked.set(id, { resolve: resolve as never, reject });
      if (this.ready) this.send({ ...question, id });
      else this.settle(id, (asked) => asked.reject(new Error("there is no connection to the engine")));
    });
  }

  private settle(id: number, how: (asked: { resolve: (reply: never) => void; reject: (error: Error) => void }) => void) {
    const asked = this.asked.get(id);
    this.asked.delete(id);
    if (asked) how(asked);
  }

  private send(message: object) {
    this.channel.send(JSON.stringify(message));
  }

  private hear(message: Message) {
    const id = message.id ?? 0;
    const running = this.running.get(id);
    switch (message.type) {
      case "hello":
        this.ready = true;
        this.refused = "";
        this.onstatus({ kind: "ready", hello: message as never });
        break;
      case "info":
        running?.listener(message as never);
        break;
      case "tree":
        running?.ontree?.(message.tree!);
        break;
      case "bestmove":
        this.running.delete(id);
        running?.resolve(message.best ?? null);
        break;
      case "error":
        if (message.code === "token") {
          this.refused = "token";
          this.onstatus({ kind: "token", isWrong: !!this.token() });
        } else if (running) {
          this.running.delete(id);
          running.reject(new Error(message.message));
        } else if (id) {
          this.settle(id, (asked) => asked.reject(new Error(message.message)));
        } else {
          this.refused = message.message ?? "";
        }
        break;
      case "note":
        this.onnote(message.message ?? "");
        break;
      default:
        this.settle(id, (asked) => asked.resolve(message as never));
    }
  }

  private lose(reason: string) {
    this.ready = false;
    const error = new Error("the connection to the engine is lost");
    for (const id of [...this.asked.keys()]) this.settle(id, (asked) => asked.reject(error));
    const running = [...this.running.values()];
    this.running.clear();
    for (const { reject } of running) reject(error);
    if (this.refused === "token") return;
    this.onstatus({ kind: "waiting", message: this.refused || reason });
  }
}

/** A WebSocket that is opened again when it is lost. */
export class SocketChannel implements Channel {
  onopen = () => {};
  onmessage: (text: string) => void = () => {};
  onclose: (reason: string) => void = () => {};
  private socket?: WebSocket;
  private pause = 500;
  private timer = 0;

  constructor(private address: URL) {
    address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
    addEventListener("online", () => this.socket?.readyState === WebSocket.CLOSED && this.reopen());
    // Handlers are set by then.
    queueMicrotask(() => this.open());
  }

  send(text: string) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(text);
  }

  reopen() {
    clearTimeout(this.timer);
    if (this.socket) this.socket.onclose = this.socket.onmessage = null;
    this.socket?.close();
    this.open();
  }

  private open() {
    const socket = new WebSocket(this.address);
    this.socket = socket;
    socket.onopen = () => {
      this.pause = 500;
      this.onopen();
    };
    socket.onmessage = (event) => this.onmessage(String(event.data));
    socket.onclose = (event) => {
      this.onclose(event.reason || "the server is out of reach");
      // A wrong token does not get right by itself.
      if (event.code === 1008) return;
      this.timer = window.setTimeout(() => this.open(), this.pause);
      this.pause = Math.min(2 * this.pause, 8_000);
    };
  }
}
