// The page: what comes from the table goes to the places where it is drawn. It decides nothing.
import { call } from "./call.js";
import { put } from "./dom.js";
import { follow } from "./link.js";
import { notice } from "./notice.js";
import { racks } from "./racks.js";
import { pile, players, plays } from "./scores.js";

const LONG_NAME = 14; // letters; longer ones are written smaller in the headline
const LINK_WORDS = { opening: "", live: "", polling: "", lost: "Reconnecting…" };

function draw(state) {
  document.body.dataset.phase = state.phase;
  document.body.dataset.version = state.version;
  document.body.dataset.scored = state.target > 0 ? "yes" : "no";
  put("about", state.about);
  put("rules", state.rules);
  put("kicker", state.headline.kicker);
  put("who-now", state.headline.who);
  document.getElementById("who-now").parentNode.classList.toggle("long", state.headline.who.length > LONG_NAME);
  put("what-now", state.headline.what);
  put("detail", state.headline.detail);
  players(document.getElementById("players"), state);
  pile(document.getElementById("pile"), state);
  plays(document.getElementById("plays"), state);
  racks(document.getElementById("racks"), state);
  notice(state);
  call.follow(state);
  say(state);
  document.getElementById("waiting").hidden = true;
  document.getElementById("board").hidden = false;
}

// For screen readers: the last play and how things stand, only when it changed. Made from the present state
// alone, so that no card is named here that the table does not name any more.
function say(state) {
  const { kicker, who, what, detail } = state.headline;
  const last = state.phase === "playing" ? state.plays.at(-1) : undefined;
  const played = last ? [last.words + ".", last.more] : [];
  put("said", [...played, kicker, who + what + ".", detail].filter(Boolean).join(" "));
}

follow(draw, (link) => {
  document.body.dataset.link = link;
  put("link", LINK_WORDS[link]);
});
