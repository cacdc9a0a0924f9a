// Slots of which a card is not sure: its likely cards as buttons, and any other card behind one more.
import { button, el, name, unseen } from "./dom.js";
import { open } from "./ask.js";
import { numberGrid } from "./numbers.js";

// A card for one doubt. `who`: a name, or "" on the player's own page; settle(card) is what a tap does.
export function doubtCard(doubt, who, highest, settle) {
  const heading = el("h3", "doubt-title");
  if (who) heading.append(name(who, ""), ": which card stands in slot ", doubt.slot, "?");
  else heading.append("Which card stands in your slot ", doubt.slot, "?");
  const row = el("div", "doubt-row");
  for (const { card } of doubt.candidates) {
    const made = button("doubt-button", card, () => settle(card));
    made.dataset.key = `doubt-${doubt.seat ?? ""}-${doubt.slot}-${card}`;
    made.prepend(unseen(`slot ${doubt.slot}: `));
    row.append(made);
  }
  const another = doubt.candidates.length > 0 ? "Another card…" : "Choose the card…";
  const other = button("button quiet", another, async () => {
    const card = await pickCard(`Slot ${doubt.slot}: which card?`, highest);
    if (card !== null) settle(card);
  });
  other.dataset.key = `doubt-${doubt.seat ?? ""}-${doubt.slot}-other`;
  row.append(other);
  return el("section", "doubt", heading, row);
}

// The sixty numbers in a dialog; resolves the card, or null.
export function pickCard(title, highest) {
  return new Promise((resolve) => {
    let picked = null;
    const heading = el("h2", "", title);
    heading.id = "pick-title";
    const grid = numberGrid(highest, title, (card) => {
      picked = card;
      dialog.close();
    });
    const back = button("button quiet", "Go back", () => dialog.close());
    const dialog = el("dialog", "sheet pick", heading, grid, back);
    dialog.setAttribute("aria-labelledby", heading.id);
    open(dialog, () => resolve(picked));
  });
}
