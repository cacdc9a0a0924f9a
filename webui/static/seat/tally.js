// A player's game so far, in words; what there is none of is left out.
import { el, redraw } from "../shared/dom.js";

const times = (count) => (count === 1 ? "once" : count === 2 ? "twice" : `${count} times`);
const some = (count, one) => `${count} ${one}${count === 1 ? "" : "s"}`;

export function tally(place, { tally: mine, board }) {
  redraw(place, [mine, board.target], () => lines(mine, board.target > 0).map((line) => el("li", "", line)));
}

export function lines(mine, scored) {
  const made = [];
  if (mine.turns === 0) made.push("No turn yet.");
  else made.push(`${some(mine.turns, "turn")}, ${mine.taken === 0 ? "none" : mine.taken} of them with the discard.`);
  if (mine.calls > 0) {
    const wrong = mine.false_calls > 0 ? `, ${mine.false_calls === mine.calls ? "each time" : times(mine.false_calls)} too early` : "";
    made.push(`Called RACK-O ${times(mine.calls)}${wrong}.`);
  }
  if (mine.broken > 0) made.push(`Played against the rules ${times(mine.broken)}.`);
  if (mine.rounds > 0) made.push(`Went out ${mine.out === 0 ? "in none" : `in ${mine.out}`} of ${some(mine.rounds, "round")}.`);
  if (mine.rounds > 0 && scored) made.push(`${some(mine.points, "point")}; the best round brought ${mine.best}.`);
  return made;
}
