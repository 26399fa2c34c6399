import "uplot/dist/uPlot.min.css";
import "../../../view/assets/tree.css";
import "./style.css";

import { AnalyzeView } from "./analyze";
import { App } from "./app";
import { Board } from "./board";
import { connect, isAlone } from "./connect";
import { $, complain, decoded, recall, remember } from "./dom";
import { MessageEngine } from "./engine";
import { PlayView } from "./play";
import { TablesView } from "./tables";

// A link may bring the token; it stays out of the address from here on.
const brought = location.hash.match(/[#&?]token=([^&]+)/);
if (brought) {
  remember("token", decoded(brought[1]));
  history.replaceState(null, "", location.pathname + location.search);
}
// A position before the # counts as one after it, unless there is another.
if (/[?&](start|fen|moves)=/.test(location.search)) {
  const [view, text] = location.hash.slice(1).split("?");
  history.replaceState(null, "", `${location.pathname}#${view || "play"}?${text ?? location.search.slice(1)}`);
}

const channel = connect((text) => ($("connection").textContent = text));
const engine = new MessageEngine(channel, () => recall<string>("token") ?? null);
const app = new App(engine, new Board($("board")));
for (const view of [new PlayView(app), new AnalyzeView(app)]) app.add(view);
// The tables are the server's.
if (isAlone) document.querySelector("nav a[href='#tables']")!.remove();
else app.add(new TablesView(app));

engine.onnote = complain;
engine.onstatus = (status) => {
  $("token-form").hidden = status.kind !== "token";
  if (status.kind === "ready") {
    $("connection").textContent = status.hello.name;
    void app.ready(status.hello);
  } else if (status.kind === "token") {
    $("connection").textContent = status.isWrong ? "That is not the token of this server." : "This server asks for a token.";
    $("token").focus();
  } else {
    app.hello = undefined;
    $("connection").textContent = `No engine: ${status.message}.${isAlone ? "" : " The page tries again."}`;
  }
};
$<HTMLFormElement>("token-form").onsubmit = (event) => {
  event.preventDefault();
  remember("token", $<HTMLInputElement>("token").value.trim());
  $("connection").textContent = "Connecting …";
  channel.reopen();
};
