// Cards by the host's word: a card that stands somewhere, and a play that was missed. This page shows no rack.
import { at, button, el, redraw, textOf } from "../shared/dom.js";
import { choice, numberGrid, slotChoice } from "../shared/numbers.js";
import { outcome } from "../shared/outcome.js";
import { NO_CARD, inWords, pickCard } from "../shared/doubts.js";
import { order } from "./orders.js";

const corrected = outcome();
const played = outcome();
at("correct-outcome").append(corrected.node);
at("played-outcome").append(played.node);

// What a play can have been; `slot`: it names one.
const KINDS = [
  { value: "kept", words: "Drew and kept", detail: "another card was discarded", source: "draw", slot: true },
  { value: "back", words: "Drew and discarded", detail: "the drawn card", source: "draw", slot: false },
  { value: "took", words: "Took the discard", detail: "another card was discarded", source: "discard", slot: true },
  { value: "seen", words: "Nobody saw", detail: "only what was discarded", source: null, slot: false },
];

let correct = { seat: null, slot: null };
let play = { seat: null, kind: null, slot: null, card: null };

export function cards(view) {
  const { board } = view;
  const any = board.players.length > 0 && (board.round > 0 || board.phase !== "waiting");
  at("correct").hidden = !any;
  at("played").hidden = board.phase !== "playing" && board.phase !== "checking";
  at("cards-none").hidden = any;
  const people = board.players.map(({ seat, name: words }) => ({ value: seat, words }));
  redraw(at("correct-form"), [people, board.highest], () => {
    correct = { seat: null, slot: null };
    return [
      choice("correct-seat", "Whose rack", people, (seat) => (correct.seat = seat)),
      slotChoice("correct-slot", "Slot", (slot) => (correct.slot = slot)),
      el("p", "field-label", "The card that stands there"),
      numberGrid(board.highest, "The card that stands there", (card) => say({ card }, board)),
      button("button quiet", "No card stands there", () => say(NO_CARD, board)),
    ];
  });
  redraw(at("played-form"), [people, board.highest], () => playedForm(board, people));
}

async function say(what, board) {
  const { seat, slot } = correct;
  if (seat === null || slot === null) {
    corrected.tell({ ok: false, error: seat === null ? "Choose whose rack it is first." : "Choose the slot first." });
    return;
  }
  const answer = await order({ type: "correct", seat, slot, ...what }, corrected, `${textOf(board, seat)}, slot ${slot}: ${inWords(what)}.`);
  if (!answer.ok) return;
  correct.slot = null; // a second tap does not say the same of the next card
  for (const one of at("correct-form").querySelectorAll("[name=correct-slot]")) one.checked = false;
}

function playedForm(board, people) {
  play = { seat: null, kind: null, slot: null, card: null };
  const slots = slotChoice("played-slot", "Into which slot", (slot) => (play.slot = slot));
  slots.hidden = true;
  const card = button("button quiet", "Choose the card…", async () => {
    play.card = await pickCard("Which card was discarded?", board.highest);
    card.textContent = play.card === null ? "Choose the card…" : `Discarded: ${play.card}`;
  });
  const go = button("button primary", "Name this play", () => tell(board));
  return [
    choice("played-seat", "Who played", people, (seat) => (play.seat = seat)),
    choice("played-kind", "What was played", KINDS, (kind) => {
      play.kind = KINDS.find((one) => one.value === kind);
      slots.hidden = !play.kind.slot;
    }, "choice kinds"),
    slots,
    el("div", "played-card", el("p", "field-label", "The card on the discard pile, if you know it"), card),
    go,
  ];
}

async function tell(board) {
  const { seat, kind, slot, card } = play;
  const missing = [[seat, "who played"], [kind, "what was played"], [kind?.slot ? slot : 0, "the slot"]].find(([value]) => value === null);
  if (missing) {
    played.tell({ ok: false, error: `Choose ${missing[1]} first.` });
    return;
  }
  const drawn = kind.value === "back" ? card : null; // a drawn card that was kept is nobody else's business
  const said = { type: "played", seat, source: kind.source, slot: kind.slot ? slot : null, card: drawn, discarded: card };
  const answer = await order(said, played, `The play of ${textOf(board, seat)} is taken down.`);
  if (!answer.ok) return;
  at("played-form").replaceChildren(...playedForm(board, board.players.map(({ seat: value, name: words }) => ({ value, words }))));
}
