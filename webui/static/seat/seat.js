// A player's own page: whose turn it is, the own RACK-O button, and what is asked about the own rack; nobody else's.
import { post, useToken } from "../shared/api.js";
import { at, isOver, put, redraw } from "../shared/dom.js";
import { doubtCard, inWords } from "../shared/doubts.js";
import { follow, LINK_WORDS } from "../shared/link.js";
import { outcome } from "../shared/outcome.js";
import { standings } from "../shared/standings.js";
import { pictureField } from "../shared/upload.js";
import { ownCall } from "./call.js";
import { ownRack } from "./rack.js";
import { tally } from "./tally.js";

const base = `/api/seats/${location.pathname.split("/").at(-1)}`;
const said = { doubts: outcome(), photograph: outcome() };
for (const [where, place] of Object.entries(said)) at(`${where}-outcome`).append(place.node);
const read = (answer) => said.photograph.tell(answer, "The picture was read.");
at("photograph").append(pictureField(`${base}/pictures`, "Photograph my rack", read));

const LONG_NAME = 14; // letters; longer ones are written smaller

let phase = "";

function draw(view) {
  const { board } = view;
  document.body.dataset.phase = board.phase;
  useToken(view.csrf);
  if (phase !== board.phase) {
    for (const place of Object.values(said)) place.clear();
    phase = board.phase;
  }
  document.title = `${view.name} · RACK-O`;
  put("name", view.name);
  put("about", board.about);
  headline(view);
  at("wanted").hidden = !view.wanted;
  redraw(at("doubts"), [view.doubts, board.highest], () => view.doubts.map((doubt) =>
    doubtCard(doubt, "", board.highest, (what) => settle(doubt.slot, what))));
  ownCall(base, view);
  ownRack(base, view);
  standings(at("standings"), board, view.seat);
  tally(at("tally"), view);
  say(view);
  at("waiting").hidden = true;
  at("seat").hidden = false;
  document.body.dataset.version = view.version; // last: now all of it is drawn
}

// As on the scoreboard, but "Your turn" where it is so.
function headline({ board, seat }) {
  const mine = board.phase === "playing" && board.to_move === seat && !board.paused && !board.lost;
  at("mine").classList.toggle("turn", mine);
  put("now-who", mine ? "" : board.headline.who);
  put("now-what", mine ? "Your turn" : board.headline.what);
  at("now-who").parentNode.classList.toggle("long", at("now-who").textContent.length > LONG_NAME);
  const plays = board.players.some((player) => player.seat === seat);
  put("now-detail", plays || board.players.length === 0 ? board.headline.detail : "Nobody plays at this seat in this game.");
}

async function settle(slot, what) {
  said.doubts.tell(null);
  said.doubts.tell(await post(`${base}/correct`, { slot, ...what }), `Slot ${slot}: ${inWords(what)}. Thank you.`);
}

// For screen readers: only what is new for this player.
function say({ board, doubts, wanted }) {
  const questions = doubts.length > 0 ? `Questions about your rack: ${doubts.length}.` : "";
  const asks = wanted ? "Show your rack to the camera." : questions;
  const over = isOver(board) ? board.headline.kicker : "";
  put("said", [over, `${at("now-who").textContent}${at("now-what").textContent}.`, asks].filter(Boolean).join(" "));
}

follow(base, draw, (link) => {
  document.body.dataset.link = link;
  put("link", LINK_WORDS[link]);
  if (link !== "shut") return;
  at("seat").hidden = true;
  at("waiting").hidden = true;
  at("shut").hidden = false;
});
