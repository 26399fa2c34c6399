"use strict";
const $ = (id) => document.getElementById(id);
const data = JSON.parse($("data").textContent);

function make(name, attributes = {}, text) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  return element;
}

// Outlines of the pieces on a square of 45 units.
const SHAPES = {
  p: "M22.5 9a5.5 5.5 0 1 1-.01 0zM16.5 21h12l-2.5 2.5c.5 5.5 2.5 8.5 6.5 11.5v4h-20v-4c4-3 6-6 6.5-11.5z",
  r: "M11.5 8h5.5v4h3v-4h5v4h3v-4h5.5v9l-4 3v11l4 4v4h-22v-4l4-4V20l-4-3z",
  b: "M22.5 5a3.2 3.2 0 0 1 2 5.7c5 4 7.5 8.3 7.5 12.3 0 3-2 5-4.5 6.5l4 5.5v4h-18v-4l4-5.5c-2.5-1.5-4.5-3.5-4.5-6.5 0-4 2.5-8.3 7.5-12.3a3.2 3.2 0 0 1 2-5.7zM22.5 16v9M18 20.5h9",
  n: "M12.5 39c0-9 8-11 9-17-3 2-6 2.5-8 5.5l-4.5-3.5c2-5 4-10 9-13l-.5-5 5.5 3.5c8 1 12.5 9.5 12.5 29.5zM18.5 16.5h1",
  q: "M7 13l7 9 2.5-13 6 12 6-12L31 22l7-9-3.5 18v8h-24v-8z",
  k: "M21 5h3v3h3v3h-3v4.5c8-2.5 14.5.5 13.5 7-.5 3.5-3 6-4.5 8.5v8H12v-8c-1.5-2.5-4-5-4.5-8.5-1-6.5 5.5-9.5 13.5-7V11h-3V8h3z",
};

function board(host) {
  const NS = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(NS, "svg");
  svg.setAttribute("viewBox", "0 0 360 360");
  svg.setAttribute("class", "board");
  svg.setAttribute("role", "img");
  host.append(svg);
  let flipped = false, last = null;
  const add = (name, attributes, text) => {
    const element = document.createElementNS(NS, name);
    for (const key in attributes) element.setAttribute(key, attributes[key]);
    if (text) element.textContent = text;
    svg.append(element);
  };
  function show(fen, squares, label) {
    last = [fen, squares, label];
    svg.replaceChildren();
    svg.setAttribute("aria-label", label || fen);
    const place = (at) => { const seen = flipped ? 63 - at : at; return [seen % 8 * 45, (seen >> 3) * 45]; };
    for (let at = 0; at < 64; at++) {
      const [x, y] = place(at), dark = (at + (at >> 3)) % 2;
      const color = (squares || []).includes(at) ? "var(--from)" : dark ? "var(--dark)" : "var(--light)";
      add("rect", { x, y, width: 45, height: 45, style: `fill:${color}` });
      const ink = { "font-size": 9, style: `fill:${dark ? "#fff" : "#4a3a26"}` };
      if (x === 0) add("text", { x: x + 2, y: y + 10, ...ink }, String(8 - (at >> 3)));
      if (y === 315) add("text", { x: x + 38, y: y + 42, ...ink }, "abcdefgh"[at % 8]);
    }
    let at = 0;
    for (const c of fen.split(" ")[0]) {
      if (c === "/") continue;
      if (c >= "1" && c <= "8") { at += +c; continue; }
      const [x, y] = place(at++), white = c < "a";
      add("path", { d: SHAPES[c.toLowerCase()], transform: `translate(${x} ${y})`, "stroke-width": 1.6,
        "stroke-linejoin": "round", style: white ? "fill:#fff;stroke:#111" : "fill:#1b1b1b;stroke:#e8e8e8" });
    }
  }
  return { show, flip() { flipped = !flipped; if (last) show(...last); } };
}
