// Notices: the newest one large, until somebody has understood it or play has gone on; the others small.
import { el, put } from "../shared/dom.js";

const SHOWN_NOTES = 2;
const LEAST = 8_000; // ms that a notice stays at least: a play often comes with it
const section = document.getElementById("notice");
const notes = document.getElementById("notes");
let large = { key: null, play: null, since: 0, closed: true };
let present = [];

export function notice(state) {
  present = state.notices;
  const newest = present.at(-1);
  const play = `${state.round}/${state.plays.at(-1)?.number}`;
  const key = newest ? `${state.round}/${newest.number}` : null;
  if (key !== large.key) large = { key, play, since: performance.now(), closed: key === null };
  const wentOn = play !== large.play && performance.now() - large.since > LEAST;
  if (wentOn || state.phase !== "playing") large.closed = true;
  large.play = play;
  draw();
}

function draw() {
  const newest = present.at(-1);
  if (!large.closed) {
    section.dataset.rule = newest.rule;
    put("notice-title", newest.title);
    put("notice-text", newest.text);
  }
  section.hidden = large.closed;
  document.body.dataset.notice = large.closed ? "none" : "shown";
  const small = large.closed ? present : present.slice(0, -1);
  notes.replaceChildren(...small.slice(-SHOWN_NOTES).map((note) => {
    const mark = el("span", "note-mark", "!");
    mark.setAttribute("aria-hidden", "true");
    return el("li", "note", mark, el("span", "note-text", note.text));
  }));
}

document.getElementById("notice-close").addEventListener("click", () => {
  large.closed = true;
  draw();
  document.getElementById("call").focus();
});
