// The racks after a round: each card stands as high as its number, so a rack in order climbs like stairs and
// the place where the order broke is a step down.
import { el, nameOf, unseen } from "./dom.js";

const STATES = { scores: "counts", broke: "the order breaks here", rest: "does not count" };

export function racks(place, state) {
  const over = state.phase === "round-over" || state.phase === "game-over";
  const shown = over && state.racks.length > 0;
  document.body.dataset.racks = shown ? "shown" : "none";
  place.dataset.count = state.players.length;
  // Nothing of an earlier round stays in the page, hidden or not.
  place.replaceChildren(...(shown ? state.players.map((player) => panel(player, state)) : []));
}

function panel(player, state) {
  const rack = state.racks.find((shown) => shown.seat === player.seat);
  const winner = state.winners.includes(player.seat);
  const head = el("h2", "panel-head", nameOf(state, player.seat));
  if (winner) head.append(el("span", "tag tag-gold", "winner"));
  else if (rack?.out) head.append(el("span", "tag tag-gold", "RACK-O!"));
  if (rack) head.append(el("span", "gain", `+${rack.points}`));
  const total = el("span", "panel-total", player.total);
  total.prepend(unseen("total "));
  head.append(total);
  const made = el("article", "panel", head);
  if (rack?.out) made.classList.add("out");
  if (winner) made.classList.add("won");
  if (rack) made.append(cards(rack), el("p", "why", rack.why));
  else made.append(el("p", "why", "This rack was not seen."));
  return made;
}

function cards(rack) {
  const list = el("ol", "rack");
  let height = 1;
  for (const { slot, card, state } of rack.cards) {
    height = card ?? height; // a card that was never read stands as high as its neighbour
    const face = el("span", "tile-card", card ?? "?");
    const made = el("li", `tile tile-${state}`, face, el("span", "tile-slot", slot), unseen(STATES[state]));
    face.style.setProperty("--height", height / 60);
    list.append(made);
  }
  return list;
}
