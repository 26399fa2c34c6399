// The search as a tree to walk through: what `sextant analyze --tree` writes and what the page of sextant-web shows.

const [PARENT, MOVE, SAN, WHY, LOW, HIGH, SCORE, DEPTH, WHITE, BLACK, CREDIT, FLAGS, SIZE, CHILDREN, PLY, BOUND, END,
  CATEGORY, NUMBER, PRICE, REDUCTION] = Array(21).keys();
const HEIGHT = 24;

function make(name, attributes = {}, text) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  return element;
}

// What it is made of; `data-part` names each.
const PARTS = `
  <p class="soft" data-part="kept"></p>
  <div class="tools">
    <label>Iteration <input type="range" data-part="depth" min="0" value="0"> <output data-part="which"></output></label>
    <form data-part="find"><label>Line <input data-part="line" placeholder="e4 e5 Nf3" spellcheck="false"
      autocomplete="off"></label> <button>Find</button></form>
    <button data-part="open" type="button">Unfold all below</button>
    <button data-part="fold" type="button">Fold all</button> <span data-part="said" role="status" class="soft"></span>
  </div>
  <div class="walk">
    <div class="tree" data-part="tree" role="tree" tabindex="0" aria-label="Nodes, most visited first"><div
      data-part="rows"></div></div>
    <section class="side" data-part="side" tabindex="0" aria-label="The selected node">
      <dl data-part="facts"></dl>
      <p class="soft"><kbd>&uarr;</kbd> <kbd>&darr;</kbd> walk, <kbd>&rarr;</kbd> unfolds, <kbd>&larr;</kbd> folds or
        goes to the parent. Scores are White's; <b>&ge;</b> and <b>&le;</b> are bounds. SX is the unit of the budgets:
        8 are a ply.</p>
    </section>
  </div>`;

/**
 * Builds the view in `host` and gives the function that shows a search. `onselect` hears of the position of every node
 * that is selected: its FEN, the squares of the last move (0 is a8, 63 is h1), and words for it.
 */
export function explore(host, onselect) {
  host.innerHTML = PARTS;
  const part = {};
  for (const element of host.querySelectorAll("[data-part]")) part[element.dataset.part] = element;
  let data = { iterations: [] }, rows = [], words = [];
  let starts, below, sorted;

  const text = (at, column) => words[rows[at][column]];

  function kids(at) {
    const list = below.subarray(starts[at], starts[at + 1]);
    if (!sorted[at]) { list.sort((a, b) => rows[b][SIZE] - rows[a][SIZE] || a - b); sorted[at] = 1; }
    return list;
  }

  // What is shown: nodes and how deep they lie.
  let shown = [], levels = [], selected = 0;
  let iteration = 0;
  const unfoldedNodes = new Set();

  function tops() {
    const [, start, end] = data.iterations[iteration];
    const found = [];
    for (let at = start; at < end; at++) if (rows[at][PARENT] === at) found.push(at);
    return found;
  }

  // A node and what is unfolded below it.
  function unfolded(at, level, list, depths) {
    const waiting = [[at, level]];
    while (waiting.length) {
      const [node, deep] = waiting.pop();
      list.push(node);
      depths.push(deep);
      if (unfoldedNodes.has(node)) for (const child of [...kids(node)].reverse()) waiting.push([child, deep + 1]);
    }
  }

  function rebuild() {
    shown = [];
    levels = [];
    for (const at of tops()) unfolded(at, 0, shown, levels);
    draw();
  }

  function toggle(at, opens) {
    if (opens === unfoldedNodes.has(at)) return;
    if (opens && !kids(at).length) return;
    opens ? unfoldedNodes.add(at) : unfoldedNodes.delete(at);
    rebuild();
  }

  const number = (value) => value.toLocaleString("en");
  function score(value) {
    if (value === null) return "none";
    if (typeof value === "string") return value;
    return (value > 0 ? "+" : "") + (value / 100).toFixed(2);
  }
  const bound = (at) => text(at, BOUND).replace("=", "");
  const name = (at) => text(at, SAN) || text(at, WHY);

  function draw() {
    const tree = part.tree;
    part.rows.style.height = shown.length * HEIGHT + "px";
    const from = Math.max(0, Math.floor(tree.scrollTop / HEIGHT) - 8);
    const to = Math.min(shown.length, from + Math.ceil(tree.clientHeight / HEIGHT) + 16);
    const drawn = [];
    for (let index = from; index < to; index++) {
      const at = shown[index], row = rows[at], has = kids(at).length > 0;
      const element = make("div", { class: "row", role: "treeitem", id: "n" + at, "aria-level": levels[index] + 1,
        "aria-selected": at === selected, "data-at": at,
        });
      element.style.top = `${index * HEIGHT}px`;
      element.style.paddingLeft = `${8 + levels[index] * 16}px`;
      if (has) element.setAttribute("aria-expanded", unfoldedNodes.has(at));
      const mark = has ? unfoldedNodes.has(at) ? "\u25be" : "\u25b8" : row[CHILDREN] ? "\u2026" : "\u00b7";
      const label = make("span", { class: "name" }, `${mark} ${name(at)} `);
      if (text(at, SAN) && text(at, WHY) !== "move") label.append(make("small", {}, text(at, WHY).replace("move again, ", "")));
      element.append(label, make("span", { class: "number" }, bound(at) + score(row[SCORE])),
        make("span", { class: "number soft" }, `depth ${row[DEPTH].toFixed(1)}`),
        make("span", { class: "number soft" }, number(row[SIZE])), make("span", { class: "end soft" }, text(at, END)));
      drawn.push(element);
    }
    part.rows.replaceChildren(...drawn);
    tree.setAttribute("aria-activedescendant", "n" + selected);
  }

  function path(at) {
    const line = [at];
    while (rows[line[0]][PARENT] !== line[0]) line.unshift(rows[line[0]][PARENT]);
    return line;
  }

  // The board behind the moves of a path, and the squares of the last one.
  function position(line) {
    const squares = [];
    for (const c of data.fen.split(" ")[0]) {
      if (c >= "1" && c <= "8") for (let empty = 0; empty < +c; empty++) squares.push("");
      else if (c !== "/") squares.push(c);
    }
    let last = [];
    for (const at of line) {
      const code = rows[at][MOVE];
      if (code === null) { if (text(at, WHY) === "null move") last = []; continue; }
      const from = code & 63, to = code >> 6 & 63, promotion = code >> 12, piece = squares[from];
      const isWhite = piece < "a", other = squares[to];
      squares[from] = "";
      if (piece.toLowerCase() === "k" && other && (other < "a") === isWhite) {
        const rank = from & 56, short = to > from;
        squares[to] = "";
        squares[rank + (short ? 6 : 2)] = piece;
        squares[rank + (short ? 5 : 3)] = other;
      } else {
        if (piece.toLowerCase() === "p" && (from & 7) !== (to & 7) && !other) squares[(from & 56) + (to & 7)] = "";
        const letter = "pnbrq"[promotion];
        squares[to] = promotion ? isWhite ? letter.toUpperCase() : letter : piece;
      }
      last = [from, to];
    }
    const ranks = Array.from({ length: 8 }, (_, rank) => squares.slice(rank * 8, rank * 8 + 8).map((p) => p || "1").join(""));
    return [ranks.join("/"), last];
  }

  function select(at) {
    selected = at;
    const line = path(at), row = rows[at];
    const moves = line.filter((node) => text(node, SAN)).map((node) => text(node, SAN));
    const [fen, last] = position(line);
    onselect(`${fen} ${row[FLAGS] & 4 ? "w" : "b"} - - 0 1`, last, `Position after ${moves.join(" ") || "no move"}: ${fen}`);
    const ends = [row[LOW], row[HIGH]].map((end) => end === null ? "open" : score(end));
    const facts = [
      ["line", moves.join(" ") || "the root"], ["searched as", text(at, WHY)],
      ["side to move", row[FLAGS] & 4 ? "White" : "Black"], ["window", ends.join(" \u2026 ")],
      ["score", row[SCORE] === null ? "none" : (bound(at) || "= ") + score(row[SCORE])],
      ["depth", row[DEPTH].toFixed(2) + " plies"], ["White has left", row[WHITE].toFixed(2) + " SX"],
      ["Black has left", row[BLACK].toFixed(2) + " SX"], ["credit", row[CREDIT].toFixed(2) + " SX"],
      ["node", row[FLAGS] & 1 ? "open window (PV)" : "zero window"],
      ["table (TT)", row[FLAGS] & 2 ? "knew it" : "did not know it or was not asked"],
      ["ended", text(at, END)], ["visits", number(row[SIZE])],
    ];
    if (row.length > NUMBER) facts.splice(2, 0, ["move number", row[NUMBER]],
      ["price", `${row[PRICE].toFixed(2)} SX ${text(at, CATEGORY)}`], ["reduction", row[REDUCTION].toFixed(2) + " plies"]);
    const kept = kids(at).length;
    facts.push(["below it", row[CHILDREN] ? `${row[CHILDREN]} nodes` + (kept ? "" : ", visited too little to be kept") : "nothing"]);
    part.facts.replaceChildren();
    for (const [key, value] of facts) part.facts.append(make("dt", { class: "soft" }, key), make("dd", {}, value));
    draw();
  }

  function reveal(at) {
    for (const node of path(at).slice(0, -1)) unfoldedNodes.add(node);
    rebuild();
    select(at);
    const index = shown.indexOf(at), tree = part.tree;
    if (index * HEIGHT < tree.scrollTop || (index + 1) * HEIGHT > tree.scrollTop + tree.clientHeight)
      tree.scrollTop = index * HEIGHT - tree.clientHeight / 3;
    draw();
  }

  // The visit that a line of moves leads to, as far as it goes: the one that was visited most.
  const plain = (san) => san.replace(/[+#x=!?]/g, "").replace(/0/g, "O");
  function follow(moves) {
    let best = tops().sort((a, b) => rows[b][SIZE] - rows[a][SIZE])[0], found = 0;
    for (const move of moves) {
      const same = [];
      const candidates = found ? [best] : tops();
      for (const node of candidates) for (const child of kids(node)) if (plain(text(child, SAN)) === plain(move)) same.push(child);
      if (!same.length) break;
      // A visit that shows what follows is worth more than one that does not.
      same.sort((a, b) => (kids(b).length > 0) - (kids(a).length > 0) || rows[b][SIZE] - rows[a][SIZE]);
      best = same[0];
      found++;
    }
    return [best, found];
  }
  const lineOf = (at) => path(at).map((node) => text(node, SAN)).filter(Boolean);

  function showIteration(next) {
    const moves = lineOf(selected);
    iteration = next;
    const [depth, start, end] = data.iterations[iteration];
    part.which.textContent = (depth === null ? "the unfinished one" : `depth ${depth}`) + `, ${number(end - start)} nodes kept`;
    const [at] = follow(moves);
    reveal(at);
  }

  part.find.addEventListener("submit", (event) => {
    event.preventDefault();
    const moves = part.line.value.replace(/\d+\s*\.+/g, " ").split(/\s+/).filter(Boolean);
    // Where this iteration has less of the line than another one, the latest that has most of it.
    const here = iteration;
    let [best, most] = [here, follow(moves)[1]];
    for (iteration = data.iterations.length - 1; iteration >= 0; iteration--) {
      const found = follow(moves)[1];
      if (found > most) [best, most] = [iteration, found];
    }
    iteration = best;
    part.depth.value = best;
    [selected] = follow(moves);
    showIteration(best);
    part.said.textContent = most === moves.length ? "" : most
      ? `found up to ${moves[most - 1]}; ${moves[most]} is not kept there, or was not searched`
      : `${moves[0] || "no move"} was not searched at the root`;
  });
  part.depth.oninput = () => showIteration(+part.depth.value);
  part.fold.onclick = () => { unfoldedNodes.clear(); const [top] = path(selected); rebuild(); select(top); part.tree.scrollTop = 0; };
  part.open.onclick = () => {
    const waiting = [selected];
    while (waiting.length) {
      const at = waiting.pop(), list = kids(at);
      if (list.length) unfoldedNodes.add(at);
      for (const child of list) waiting.push(child);
    }
    rebuild();
  };
  let asked = false;
  part.tree.onscroll = () => {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => { asked = false; draw(); });
  };
  part.rows.onclick = (event) => {
    const row = event.target.closest(".row");
    if (!row) return;
    const at = +row.dataset.at;
    if (at === selected || event.target.closest(".name")) toggle(at, !unfoldedNodes.has(at));
    select(at);
  };
  const step = (by) => {
    const index = Math.min(Math.max(shown.indexOf(selected) + by, 0), shown.length - 1);
    reveal(shown[index]);
  };
  const keys = {
    ArrowDown: () => step(1), ArrowUp: () => step(-1), PageDown: () => step(20), PageUp: () => step(-20),
    Home: () => step(-shown.length), End: () => step(shown.length),
    ArrowRight: () => unfoldedNodes.has(selected) ? step(1) : toggle(selected, true),
    ArrowLeft: () => unfoldedNodes.has(selected) ? toggle(selected, false) : reveal(rows[selected][PARENT]),
    Enter: () => toggle(selected, !unfoldedNodes.has(selected)),
  };
  part.tree.addEventListener("keydown", (event) => {
    if (!keys[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    keys[event.key]();
  });
  new ResizeObserver(draw).observe(part.tree);

  // The children of each node in one array, most visited first.
  function relate() {
    starts = new Int32Array(rows.length + 2);
    below = new Int32Array(rows.length);
    sorted = new Uint8Array(rows.length);
    for (let at = 0; at < rows.length; at++) if (rows[at][PARENT] !== at) starts[rows[at][PARENT] + 2]++;
    for (let at = 2; at < starts.length; at++) starts[at] += starts[at - 1];
    rows.forEach((row, at) => { if (row[PARENT] !== at) below[starts[row[PARENT] + 1]++] = at; });
  }

  return (search) => {
    data = search;
    ({ rows, words } = search);
    relate();
    unfoldedNodes.clear();
    if (!rows.length) {
      rebuild();
      part.kept.textContent = "nothing was searched: the game is over, or only one move was to choose from";
      return;
    }
    const left = data.total - rows.length;
    part.kept.textContent = `${number(rows.length)} of ${number(data.total)} visits are kept; the other ${number(left)} `
      + "are quiescence and what was visited least";
    // The last one that was finished.
    iteration = Math.max(data.iterations.findLastIndex(([depth]) => depth !== null), 0);
    part.depth.max = data.iterations.length - 1;
    part.depth.value = iteration;
    selected = tops()[0];
    unfoldedNodes.add(tops().at(-1));
    showIteration(iteration);
    select(tops().at(-1));
  };
}
