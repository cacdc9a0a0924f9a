// Slots of which a card is not sure: its likely cards as buttons, and any other card behind one more.
// What stands in a slot is {card: 38}, or {empty: true} where no card does.
import { button, el, name, unseen } from "./dom.js";
import { open } from "./ask.js";
import { numberGrid } from "./numbers.js";

export const NO_CARD = { empty: true };

export const inWords = ({ card }) => card ?? "no card";

// A card for one doubt. `who`: a name, or "" on the player's own page; settle(what stands there) is what a tap does.
export function doubtCard(doubt, who, highest, settle) {
  const heading = el("h3", "doubt-title");
  if (who) heading.append(name(who, ""), ": which card stands in slot ", doubt.slot, "?");
  else heading.append("Which card stands in your slot ", doubt.slot, "?");
  const row = el("div", "doubt-row");
  for (const { card, empty } of doubt.candidates) {
    const what = empty ? NO_CARD : { card };
    const made = button(`doubt-button${empty ? " none" : ""}`, empty ? "No card" : card, () => settle(what));
    made.dataset.key = `doubt-${doubt.seat ?? ""}-${doubt.slot}-${card ?? "none"}`;
    made.prepend(unseen(`slot ${doubt.slot}: `));
    row.append(made);
  }
  const another = doubt.candidates.length > 0 ? "Another card…" : "Choose the card…";
  const other = button("button quiet", another, async () => {
    const what = await pickStanding(`Slot ${doubt.slot}: which card?`, highest);
    if (what !== null) settle(what);
  });
  other.dataset.key = `doubt-${doubt.seat ?? ""}-${doubt.slot}-other`;
  row.append(other);
  return el("section", "doubt", heading, row);
}

// The sixty numbers in a dialog; resolves the card, or null.
export const pickCard = async (title, highest) => (await pick(title, highest))?.card ?? null;

// The same for a slot, which may have no card; resolves what stands there, or null.
export const pickStanding = (title, highest) => pick(title, highest, { orNone: true });

function pick(title, highest, { orNone = false } = {}) {
  return new Promise((resolve) => {
    let picked = null;
    const heading = el("h2", "", title);
    heading.id = "pick-title";
    const choose = (what) => {
      picked = what;
      dialog.close();
    };
    const grid = numberGrid(highest, title, (card) => choose({ card }));
    const none = orNone ? [button("button", "No card stands there", () => choose(NO_CARD))] : [];
    const back = button("button quiet", "Go back", () => dialog.close());
    const dialog = el("dialog", "sheet pick", heading, grid, ...none, back);
    dialog.setAttribute("aria-labelledby", heading.id);
    open(dialog, () => resolve(picked));
  });
}
