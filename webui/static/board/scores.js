// The scoreboard while a round is on: players, the discard pile's top, the last plays.
import { el, nameOf, unseen } from "../shared/dom.js";

const SHOWN_PLAYS = 5;
const SHOWN_ROUNDS = 6;

export function players(list, state) {
  list.dataset.count = state.sides.length;
  list.replaceChildren(...state.sides.map((side) => line(side, state)));
}

// One line for those who win together: a player alone, or a pair with its points added up.
function line(side, state) {
  const made = el("li", "player", ...side.players.map((player) => member(player, state)));
  if (side.players.length > 1) made.classList.add("pair");
  if (side.players.some((player) => isToPlay(player, state))) made.classList.add("turn");
  if (side.players.some((player) => state.winners.includes(player.seat))) made.classList.add("won");
  if (state.target > 0) {
    const total = el("div", "total", side.total);
    total.append(unseen(side.players.length > 1 ? " points together" : " points"));
    made.append(total, rounds(side), bar(side, state));
  }
  return made;
}

function member(player, state) {
  const made = el("div", "player-who", nameOf(state, player.seat));
  if (isToPlay(player, state)) {
    made.append(unseen(", to play"));
    made.setAttribute("aria-current", "true");
  }
  if (state.winners.includes(player.seat)) made.append(el("span", "tag tag-gold", "winner"));
  else if (player.seat === state.dealer) made.append(el("span", "tag", "dealer"));
  return made;
}

function isToPlay(player, state) {
  return state.phase === "playing" && player.seat === state.to_move;
}

function rounds(side) {
  const shown = side.points.slice(-SHOWN_ROUNDS);
  const made = el("div", "rounds");
  if (shown.length < side.points.length) made.append(el("span", "", "…"));
  for (const points of shown) made.append(el("span", "", `+${points}`));
  if (shown.length > 0) made.prepend(unseen("by round: "));
  return made;
}

// How far they have come to the target; the number beside it says the same in words.
function bar(side, state) {
  const made = el("div", "bar", el("div", "bar-fill"));
  made.style.setProperty("--part", Math.min(1, Math.max(0, side.total / state.target)));
  made.setAttribute("aria-hidden", "true");
  return made;
}

// The discard as the card itself: its number stands further right the higher it is.
export function pile(place, state) {
  const label = el("p", "pile-label", "Discard pile");
  if (state.discard === null) {
    place.replaceChildren(el("div", "card card-none", el("span", "", "no card seen")), label);
    return;
  }
  const upside = el("span", "card-number card-upside", state.discard);
  upside.setAttribute("aria-hidden", "true");
  const face = el("div", "card", el("span", "card-number", state.discard), upside);
  face.style.setProperty("--along", (state.discard - 1) / 59);
  place.replaceChildren(face, label);
}

export function plays(list, state) {
  const shown = state.plays.slice(-SHOWN_PLAYS).reverse();
  list.replaceChildren(...shown.map((play) => {
    const parts = [play.words, play.more].filter(Boolean);
    return el("li", "play", ...parts.map((words, at) => el("span", at > 0 ? "play-words play-more" : "play-words", words)));
  }));
}
