// The round's page: how things stand, the verdict on a call, what is in doubt, and the few words that a round needs.
import { at, bdi, button, el, name, put, redraw, textOf } from "../shared/dom.js";
import { choose, confirm } from "../shared/ask.js";
import { doubtCard } from "../shared/doubts.js";
import { outcome } from "../shared/outcome.js";
import { standings } from "../shared/standings.js";
import { steps } from "../shared/steps.js";
import { pictureField } from "../shared/upload.js";
import { order } from "./orders.js";
import { start } from "./start.js";

const said = { verdict: outcome(), doubts: outcome(), play: outcome(), back: outcome(), end: outcome() };
for (const [where, place] of Object.entries(said)) at(`${where}-outcome`).append(place.node);

const LONG_NAME = 14; // letters; longer ones are written smaller in the headline
const NOTES = 2; // of what the referee has said lately
const PLAYS = 4; // that are told, the latest first

let phase = "";

export function round(view) {
  const { board } = view;
  if (phase !== board.phase) {
    // What was said of a call or a doubt is not news any more.
    for (const where of ["verdict", "doubts", "play", "end"]) if (phase) said[where].clear();
    phase = board.phase;
  }
  const on = board.phase === "playing" || board.phase === "checking";
  head(view, on);
  at("verdict").hidden = board.phase !== "checking";
  at("play").hidden = !on;
  at("end").hidden = !on;
  steps(at("steps"), board);
  redraw(at("verdict-buttons"), [board.phase, board.called_by], () => verdict());
  redraw(at("play-buttons"), [board.phase, board.paused, board.players], () => play(board));
  redraw(at("back-buttons"), [view.undo, view.redo], () => [back("undo", "Undo", view.undo), back("redo", "Redo", view.redo)]);
  redraw(at("end-buttons"), [on], () => [button("button quiet", "End the round without scores…", abandon)]);
  at("scores").hidden = board.players.length === 0;
  standings(at("standings"), board);
  at("latest").hidden = !on || board.plays.length === 0;
  redraw(at("latest-list"), board.plays, (plays) => plays.slice(-PLAYS).reverse().map(line));
  at("doubts").hidden = view.doubts.length === 0;
  redraw(at("doubts-list"), [view.doubts, board.players, board.highest], () => view.doubts.map((doubt) =>
    doubtCard(doubt, textOf(board, doubt.seat), board.highest, (what) =>
      order({ type: "correct", seat: doubt.seat, slot: doubt.slot, ...what }, said.doubts))));
  start(view);
}

function head({ board, open_slots: open }, on) {
  put("now-kicker", board.headline.kicker);
  put("now-who", board.headline.who);
  put("now-what", board.headline.what);
  at("now-who").parentNode.classList.toggle("long", board.headline.who.length > LONG_NAME);
  put("now-detail", board.headline.detail);
  const counted = Object.entries(open).filter(([, count]) => count > 0).map(([seat, count]) => [Number(seat), count]);
  redraw(at("now-notes"), on ? board.notices.slice(-NOTES) : [], (notes) => notes.map((note) => el("li", "now-note", note.text)));
  at("open-slots").hidden = counted.length === 0 || !on;
  redraw(at("open-slots"), [counted, board.players], () => {
    const words = el("p", "", "Not sure: ");
    counted.forEach(([seat, count], index) => {
      words.append(index > 0 ? "; " : "", bdi(textOf(board, seat)), ` ${count === 1 ? "one card" : `${count} cards`}`);
    });
    words.append(". Each player is asked on the own page.");
    return [words];
  });
}

const line = ({ words, more }) => el("li", "", [words, more].filter(Boolean).join(". "));

function verdict() {
  const yes = button("button primary", "Accept: in order", () => order({ type: "verdict", accepted: true }, said.verdict));
  const no = button("button quiet", "Refuse: play on", () => order({ type: "verdict", accepted: false }, said.verdict));
  const read = (answer) => said.verdict.tell(answer, "The picture was read.");
  const photograph = pictureField("/api/host/pictures", "Photograph a rack", read);
  yes.dataset.key = "accept";
  no.dataset.key = "refuse";
  return [yes, no, photograph];
}

function play(board) {
  const call = button("button racko-button", "RACK-O!", () => callFor(board));
  call.disabled = board.phase !== "playing" || board.paused;
  const { paused } = board;
  const turn = () => order({ type: "pause", on: !paused }, said.play, paused ? "Play is followed again." : "Paused.");
  const pause = button(`button ${paused ? "primary" : "quiet"}`, paused ? "Go on" : "Pause", turn);
  call.dataset.key = "call";
  pause.dataset.key = "pause";
  return [call, pause];
}

async function callFor(board) {
  const items = board.players.map((player) => ({ value: player.seat, words: player.name }));
  const seat = await choose({ title: "Who says RACK-O?", items, no: "Nobody, go back" });
  if (seat !== null) order({ type: "call", seat }, said.play, "The call was taken.");
}

function back(type, words, what) {
  const made = button("button quiet back-button", el("span", "", words), () => order({ type }, said.back));
  made.append(name(what || `nothing to ${type}`, "back-words"));
  made.disabled = what === "";
  made.dataset.key = type;
  return made;
}

async function abandon() {
  const yes = await confirm({
    title: "End this round without scores?",
    words: ["Nobody gets points for it, and the same round is dealt again. You can undo this."],
    yes: "End the round", no: "Play on", kind: "danger",
  });
  if (yes) order({ type: "abandon" }, said.end);
}
