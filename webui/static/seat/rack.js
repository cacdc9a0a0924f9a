// A card of the own rack by its owner's word: the slot, then the card.
import { post } from "../shared/api.js";
import { open } from "../shared/ask.js";
import { inWords, pickStanding } from "../shared/doubts.js";
import { at, button, el } from "../shared/dom.js";
import { slotChoice } from "../shared/numbers.js";
import { outcome } from "../shared/outcome.js";

const said = outcome();
at("own-outcome").append(said.node);

let now = null;
at("own-buttons").append(button("button quiet", "Correct a card…", correct));

export function ownRack(base, { board, seat }) {
  now = { base, highest: board.highest };
  at("own").hidden = !board.players.some((player) => player.seat === seat) || board.round === 0 || board.phase === "game-over";
}

async function correct() {
  const slot = await pickSlot();
  const what = slot === null ? null : await pickStanding(`My slot ${slot}: which card?`, now.highest);
  if (what === null) return;
  said.tell(null);
  said.tell(await post(`${now.base}/correct`, { slot, ...what }), `Slot ${slot}: ${inWords(what)}.`);
}

function pickSlot() {
  return new Promise((resolve) => {
    let picked = null;
    const heading = el("h2", "", "Which slot?");
    heading.id = "slot-title";
    const next = button("button primary", "Next: the card", () => dialog.close());
    next.disabled = true; // until a slot is chosen
    const slots = slotChoice("own-slot", "5 is the front", (slot) => {
      picked = slot;
      next.disabled = false;
    });
    const back = button("button quiet", "Go back", () => {
      picked = null;
      dialog.close();
    });
    const dialog = el("dialog", "sheet", heading, slots, el("div", "ask-row", next, back));
    dialog.setAttribute("aria-labelledby", heading.id);
    // Escape takes a choice back too.
    dialog.addEventListener("cancel", () => (picked = null));
    open(dialog, () => resolve(picked));
  });
}
