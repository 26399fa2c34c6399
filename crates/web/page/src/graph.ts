// The expectation of White over the game.

import uPlot from "uplot";
import type { Judgement } from "./score";

const color = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

export class Graph {
  onjump: (ply: number) => void = () => {};
  private plot: uPlot;
  private ply = 0;

  constructor(private root: HTMLElement) {
    const axis = { stroke: () => color("--ink"), grid: { stroke: () => color("--edge"), width: 1 }, font: "12px system-ui" };
    const values = (_: uPlot, splits: number[]) => splits.map((it) => (Number.isInteger(it) ? String(it) : ""));
    this.plot = new uPlot(
      {
        width: 300,
        height: 140,
        legend: { show: false },
        cursor: { y: false, drag: { x: false, y: false } },
        scales: { x: { time: false, range: (_, min, max) => [min, Math.max(max, min + 8)] }, y: { range: [0, 100] } },
        axes: [
          { ...axis, size: 26, values },
          { ...axis, size: 52, values: (_, splits) => splits.map((it) => `${it}%`) },
        ],
        series: [{}, { stroke: () => color("--accent"), fill: () => color("--shade"), width: 2, points: { size: 5 } }],
        hooks: { draw: [(plot) => this.mark(plot)] },
      },
      [[0], [null]],
      root,
    );
    this.plot.over.addEventListener("click", () => {
      const { idx } = this.plot.cursor;
      if (idx != null) this.onjump(idx);
    });
    new ResizeObserver(() => this.plot.setSize({ width: Math.max(200, root.clientWidth), height: 140 })).observe(root);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.plot.redraw());
  }

  show(judged: (Judgement | undefined)[], ply: number) {
    this.ply = ply;
    const percents = judged.map((it) => (it ? 100 * it.expected : null));
    const known = percents.filter((it) => it !== null).length;
    this.root.setAttribute("aria-label", `What White may expect, after each move; ${known} of ${judged.length} positions judged`);
    this.plot.setData([judged.map((_, index) => index), percents]);
  }

  /** A line at the shown position. */
  private mark(plot: uPlot) {
    const x = plot.valToPos(this.ply, "x", true);
    plot.ctx.fillStyle = color("--ink");
    plot.ctx.fillRect(x, plot.bbox.top, devicePixelRatio, plot.bbox.height);
  }
}
