// The engine without a server: two workers of the same program, one that thinks and one that knows the rules meanwhile.
// A page that is built with `--mode alone` has this in the place of connect.ts.

import type { Channel } from "./engine";
import type { Order, Report } from "./worker";

/** How long a search may go on after it was told to end; then its worker is replaced. */
const PATIENCE = 2_000;

export const isAlone = true;

export function connect(onprogress: (text: string) => void): Channel {
  return new WorkerChannel(onprogress);
}

/** A search that has not ended: it goes on while its permit, the address of a blob, can be read. */
interface Thinking {
  permit: string;
  overdue?: number;
}

class WorkerChannel implements Channel {
  onopen = () => {};
  onmessage: (text: string) => void = () => {};
  onclose: (reason: string) => void = () => {};
  private workers: Worker[] = [];
  private thinking = new Map<number, Thinking>();

  constructor(private onprogress: (text: string) => void) {
    // Handlers are set by then.
    queueMicrotask(() => this.reopen());
  }

  send(text: string) {
    const { type, id } = JSON.parse(text) as { type: string; id: number };
    const [thinker, rules] = this.workers;
    if (!thinker) return;
    if (type !== "go" && type !== "stop") return this.order(rules, { text });
    for (const search of this.thinking.values()) this.withdraw(search);
    if (type === "stop") return this.order(thinker, { text });
    const permit = URL.createObjectURL(new Blob(["think"]));
    this.thinking.set(id, { permit });
    this.order(thinker, { text, permit });
  }

  reopen() {
    this.close();
    let waiting = 2;
    this.workers = [true, false].map((network) => {
      const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
      worker.onmessage = ({ data }: MessageEvent<Report>) => {
        if ("loaded" in data) this.onprogress(`Loading the engine: ${Math.round(100 * data.loaded)} %`);
        else if ("failed" in data) this.fail(data.failed);
        else if ("text" in data) this.hear(data.text);
        else if (--waiting === 0) this.onopen();
      };
      worker.onerror = (event) => this.fail(event.message || "the engine did not load");
      this.order(worker, { network });
      return worker;
    });
  }

  private order(worker: Worker, order: Order) {
    worker.postMessage(order);
  }

  private hear(text: string) {
    const ended = text.match(/^{"type":"(?:bestmove|error)","id":(\d+)/);
    if (ended) this.forget(Number(ended[1]));
    this.onmessage(text);
  }

  private withdraw(search: Thinking) {
    URL.revokeObjectURL(search.permit);
    search.overdue ??= window.setTimeout(() => {
      this.onclose("the engine did not stop");
      this.reopen();
    }, PATIENCE);
  }

  private forget(id: number) {
    const search = this.thinking.get(id);
    if (!search) return;
    URL.revokeObjectURL(search.permit);
    clearTimeout(search.overdue);
    this.thinking.delete(id);
  }

  private close() {
    for (const id of [...this.thinking.keys()]) this.forget(id);
    for (const worker of this.workers) worker.terminate();
    this.workers = [];
  }

  private fail(reason: string) {
    this.close();
    this.onclose(`${reason}; reload the page to try again`);
  }
}
