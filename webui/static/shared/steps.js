// While a verdict waits for racks that no camera sees: which rack is to be shown now, which then, and which are done.
import { el, nameOf, redraw, unseen } from "./dom.js";

let asked = { call: "", seats: [] }; // every rack that was wanted since this call

// Draws the list of steps for `state` at `place`: nothing where no rack is wanted. Tells whether there is any.
export function steps(place, state) {
  const wanted = state.phase === "checking" ? state.wanted : [];
  const call = state.phase === "checking" ? `${state.game}/${state.round}/${state.called_by}` : "";
  if (call !== asked.call) asked = { call, seats: [] };
  asked.seats.push(...wanted.filter((seat) => !asked.seats.includes(seat)));
  const rows = asked.seats.map((seat) => [seat, wanted[0] === seat ? "now" : wanted.includes(seat) ? "then" : "done"]);
  // Done ones first, in the order in which they were asked for; the others as the table asks for them.
  rows.sort((one, other) => wanted.indexOf(one[0]) - wanted.indexOf(other[0]));
  redraw(place, [rows, state.players.map((player) => player.name)], () => rows.map((row, index) => step(row, index, state)));
  return rows.length > 0;
}

function step([seat, when], index, state) {
  const mark = el("span", "step-mark", when === "done" ? "✓" : index + 1);
  mark.setAttribute("aria-hidden", "true");
  const words = el("p", "step-words");
  const whose = nameOf(state, seat);
  if (when === "now") words.append("Show ", whose, "’s rack to the camera");
  else if (when === "then") words.append("then ", whose, "’s");
  else words.append(whose, "’s rack was seen");
  const made = el("li", `step step-${when}`, mark, words);
  if (when === "now") made.setAttribute("aria-current", "step");
  if (when === "done") made.append(unseen(" done"));
  return made;
}
