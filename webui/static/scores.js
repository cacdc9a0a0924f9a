// The scoreboard while a round is on: players, the discard pile's top, the last plays.
import { el, nameOf, unseen } from "./dom.js";

const SHOWN_PLAYS = 5;
const SHOWN_ROUNDS = 6;

export function players(list, state) {
  list.dataset.count = state.players.length;
  list.replaceChildren(...state.players.map((player) => line(player, state)));
}

function line(player, state) {
  const turn = state.phase === "playing" && player.seat === state.to_move;
  const winner = state.winners.includes(player.seat);
  const who = el("div", "player-who", nameOf(state, player.seat));
  if (turn) who.append(unseen(", to play"));
  if (winner) who.append(el("span", "tag tag-gold", "winner"));
  else if (player.seat === state.dealer) who.append(el("span", "tag", "dealer"));
  const total = el("div", "total", player.total);
  total.append(unseen(" points"));
  const made = el("li", "player", who, total, rounds(player), bar(player, state));
  if (turn) {
    made.classList.add("turn");
    made.setAttribute("aria-current", "true");
  }
  if (winner) made.classList.add("won");
  return made;
}

function rounds(player) {
  const shown = player.points.slice(-SHOWN_ROUNDS);
  const made = el("div", "rounds");
  if (shown.length < player.points.length) made.append(el("span", "", "…"));
  for (const points of shown) made.append(el("span", "", `+${points}`));
  if (shown.length > 0) made.prepend(unseen("by round: "));
  return made;
}

// How far the player has come to the target; the number beside it says the same in words.
function bar(player, state) {
  const made = el("div", "bar", el("div", "bar-fill"));
  const part = state.target > 0 ? Math.min(1, Math.max(0, player.total / state.target)) : 0;
  made.style.setProperty("--part", part);
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
    const made = el("li", "play", el("span", "play-words", play.words));
    made.firstChild.dir = "auto";
    return made;
  }));
}
