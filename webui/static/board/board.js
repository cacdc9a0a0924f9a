// The scoreboard: what comes from the table goes to the places where it is drawn. It decides nothing.
import { at, isOver, put } from "../shared/dom.js";
import { follow, LINK_WORDS } from "../shared/link.js";
import { steps } from "../shared/steps.js";
import { call } from "./call.js";
import { evening } from "./evening.js";
import { notice } from "./notice.js";
import { racks } from "./racks.js";
import { pile, players, plays } from "./scores.js";
import { stage } from "./stage.js";
import { voice } from "./voice.js";

const LONG_NAME = 14; // letters; longer ones are written smaller in the headline

function draw(state) {
  document.body.dataset.phase = state.phase;
  document.body.dataset.scored = state.target > 0 ? "yes" : "no";
  document.body.dataset.paused = state.paused ? "yes" : "no";
  put("about", state.about);
  put("rules", state.rules);
  put("kicker", state.headline.kicker);
  put("who-now", state.headline.who);
  at("who-now").parentNode.classList.toggle("long", state.headline.who.length > LONG_NAME);
  put("what-now", state.headline.what);
  put("detail", state.headline.detail);
  players(at("players"), state);
  pile(at("pile"), state);
  plays(at("plays"), state);
  racks(at("racks"), state);
  stage(state);
  document.body.dataset.steps = steps(at("steps"), state) ? "shown" : "none";
  notice(state);
  call.follow(state);
  evening.follow(state);
  voice.follow(state);
  say(state);
  at("waiting").hidden = true;
  at("board").hidden = false;
  document.body.dataset.version = state.version; // last: now all of it is drawn
}

// For screen readers: the last play and how things stand, only when it changed. Made from the present state
// alone, so that no card is named here that the table does not name any more.
function say(state) {
  const { kicker, who, what, detail } = state.headline;
  const last = state.phase === "playing" ? state.plays.at(-1) : undefined;
  const played = last ? [last.words + ".", last.more] : [];
  const points = isOver(state) && state.target > 0 ? state.players.map((one) => `${one.name}: ${one.total} points.`) : [];
  put("said", [...played, kicker, who + what + ".", detail, ...points].filter(Boolean).join(" "));
}

follow("/api", draw, (link) => {
  document.body.dataset.link = link;
  put("link", LINK_WORDS[link]);
  voice.link(link);
});
