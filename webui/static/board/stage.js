// What stands in the middle once a round is over: its racks, or the scores with their chart. A won game begins with
// the scores: that is the winner's moment.
import { at, clear, isOver, redraw } from "../shared/dom.js";
import { chart, gameOf } from "../shared/chart.js";

const place = at("chart");
const tabs = { racks: at("show-racks"), scores: at("show-scores") };
let moment = "";
let chosen = "racks";

export function stage(state) {
  const over = isOver(state);
  const now = over ? `${state.game}/${state.round}/${state.phase}` : "";
  if (now !== moment) chosen = state.phase === "game-over" && state.winners.length > 0 ? "scores" : "racks";
  moment = now;
  // Without points there is nothing to draw, and without racks nothing to turn up.
  const scored = state.target > 0;
  at("stage").hidden = !over || state.racks.length === 0;
  document.body.dataset.stage = over ? (state.racks.length === 0 ? "scores" : chosen) : "none";
  if (over && scored) redraw(place, gameOf(state), (game) => [chart(game, "Points and totals by round")]);
  else clear(place);
  press();
}

function press() {
  for (const [name, tab] of Object.entries(tabs)) tab.setAttribute("aria-pressed", String(document.body.dataset.stage === name));
}

for (const [name, tab] of Object.entries(tabs)) {
  tab.addEventListener("click", () => {
    chosen = name;
    document.body.dataset.stage = name;
    press();
  });
}
