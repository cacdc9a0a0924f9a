// The player's own RACK-O button: one tap asks, one more calls.
import { post } from "../shared/api.js";
import { confirm } from "../shared/ask.js";
import { at, bdi, put } from "../shared/dom.js";

const racko = at("call");
let now = null;

export function ownCall(base, view) {
  now = { base, view };
  const { phase, paused, called_by: by } = view.board;
  const on = phase === "playing" && !paused;
  const plays = view.board.players.some((player) => player.seat === view.seat);
  at("own-call").hidden = !plays || (phase !== "playing" && phase !== "checking");
  racko.disabled = !on;
  put("call", phase === "checking" ? (by === view.seat ? "You called: checking…" : "Checking…") : paused ? "Paused" : "RACK-O!");
  if (!on) document.querySelector("dialog.ask")?.close(); // the question is over
}

racko.addEventListener("click", async () => {
  put("call-error", "");
  const yes = await confirm({
    title: ["RACK-O, ", bdi(now.view.name), "?"],
    words: ["All ten cards rise from slot 5 to slot 50."],
    yes: "RACK-O!", no: "Not yet", kind: "danger",
  });
  if (!yes) return;
  racko.disabled = true;
  const answer = await post(`${now.base}/call`, {});
  if (!answer.ok) put("call-error", answer.error);
  ownCall(now.base, now.view);
});
