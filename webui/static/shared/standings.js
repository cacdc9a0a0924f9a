// The scores in small: a line a side, with whose turn it is.
import { el, name, redraw, unseen } from "./dom.js";

// Draws the list at `place`; the names of `seat`, if it is given, stand out.
export function standings(place, board, seat = null) {
  const { sides, target, phase, to_move: mover, winners } = board;
  redraw(place, [sides, target, phase, mover, winners], () => sides.map((side) => line(side, board, seat)));
}

function line(side, { target, phase, to_move: mover, winners }, seat) {
  const names = el("span", "standing-names");
  side.players.forEach((player, index) => {
    if (index > 0) names.append(" & ");
    names.append(name(player.name, player.seat === seat ? "standing-own" : ""));
  });
  const made = el("li", "standing", names);
  if (phase === "playing" && side.players.some((player) => player.seat === mover)) {
    made.classList.add("standing-turn");
    names.append(unseen(", to play"));
  }
  if (side.players.some((player) => winners.includes(player.seat))) made.append(el("span", "tag tag-gold", "winner"));
  if (target > 0) made.append(el("span", "standing-total", side.total, unseen(" points")));
  return made;
}
