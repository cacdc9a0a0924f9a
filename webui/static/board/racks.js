// The racks after a round: each card stands as high as its number, so a rack in order climbs like stairs and
// the place where the order broke is a step down.
import { button, clear, el, isOver, nameOf, redraw, textOf, unseen } from "../shared/dom.js";
import { forget, offer } from "./pictures.js";

const STATES = { scores: "counts", broke: "the order breaks here", rest: "does not count" };
const UNSCORED = { scores: "in order", broke: STATES.broke, rest: "behind the break" };

export function racks(place, state) {
  const shown = isOver(state) && state.racks.length > 0;
  document.body.dataset.racks = shown ? "shown" : "none";
  place.dataset.count = state.players.length;
  if (shown) {
    const { game, round, racks: turned, sides, winners, target } = state;
    redraw(place, [game, round, turned, sides, winners, target], () => panels(state));
    return;
  }
  // Nothing of an earlier round stays in the page, hidden or not.
  clear(place);
  forget();
}

// The panels of a round that is over, a side each; `state` needs no more of the table's state than is used below.
export const panels = (state) => state.sides.map((side) => together(side, state));

// A player's panel, or those of a pair under its points added up.
function together(side, state) {
  const [first, ...others] = side.players;
  if (others.length === 0) return panel(first, state, side.total);
  const names = el("span", "name", nameOf(state, first.seat, ""));
  for (const other of others) names.append(" and ", nameOf(state, other.seat, ""));
  const head = el("h2", "pair-head", names, total(side.total));
  return el("section", "pair-racks", head, ...side.players.map((player) => panel(player, state, null)));
}

function total(points) {
  const made = el("span", "panel-total", points);
  made.prepend(unseen("total "));
  return made;
}

function panel(player, state, points) {
  const scored = state.target > 0;
  const rack = state.racks.find((shown) => shown.seat === player.seat);
  const winner = state.winners.includes(player.seat);
  const head = el("h2", "panel-head", nameOf(state, player.seat));
  if (winner) head.append(el("span", "tag tag-gold", "winner"));
  else if (rack?.out) head.append(el("span", "tag tag-gold", "RACK-O!"));
  if (rack && scored) head.append(el("span", "gain", `+${rack.points}`));
  if (points !== null && scored) head.append(total(points));
  const made = el("article", "panel", head);
  if (rack?.out) made.classList.add("out");
  if (winner) made.classList.add("won");
  if (!rack) {
    made.append(el("p", "why", "This rack was not seen."));
    return made;
  }
  const foot = el("div", "panel-foot", picture(player, state));
  if (scored || rack.out) foot.prepend(el("p", "why", rack.why));
  made.append(cards(rack, scored ? STATES : UNSCORED), foot);
  return made;
}

function picture(player, state) {
  const made = button("picture-button", "Picture", () => {});
  made.append(unseen(` of ${player.name}’s rack`));
  made.hidden = true;
  made.dataset.key = `picture-${player.seat}`;
  offer(made, state, player.seat, `${textOf(state, player.seat)}’s rack, as it was read in round ${state.round}`);
  return made;
}

function cards(rack, words) {
  const list = el("ol", "rack");
  let height = 1;
  for (const { slot, card, state } of rack.cards) {
    height = card ?? height; // a card that was never read stands as high as its neighbour
    const face = el("span", "tile-card", card ?? "?");
    const made = el("li", `tile tile-${state}`, face, el("span", "tile-slot", slot), unseen(words[state]));
    face.style.setProperty("--height", height / 60);
    list.append(made);
  }
  return list;
}
