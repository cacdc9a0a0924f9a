// Between rounds: who deals, and the next round. Before the first one, the cut for the deal.
import { post } from "../shared/api.js";
import { at, button, el, name, redraw, textOf } from "../shared/dom.js";
import { choice } from "../shared/numbers.js";
import { outcome } from "../shared/outcome.js";
import { newGame } from "./game.js";
import { order } from "./orders.js";
import { show } from "./tabs.js";

const started = outcome();
const drawn = outcome();
at("start-outcome").append(started.node);
at("cut-outcome").append(drawn.node);

let dealer = null; // as chosen here or by the cut
let moment = "";

export function start({ board, table, next_dealer: next }) {
  const between = (board.phase === "waiting" || board.phase === "round-over") && board.players.length > 0;
  const now = `${board.game}/${board.round}/${board.phase}`;
  if (now !== moment) {
    dealer = null;
    moment = now;
    started.clear();
    drawn.clear();
  }
  at("start").hidden = !between;
  at("start-itself").hidden = table !== "live" || board.phase !== "round-over";
  at("begin").hidden = board.players.length > 0 && board.phase !== "game-over";
  const first = between && next === null;
  at("cut").hidden = !first;
  if (!between) return;
  draw(board, next);
  if (first) redraw(at("cut-form"), [now, board.players, board.edition, board.variants], () => cutForm(board));
}

function draw(board, next) {
  redraw(at("start-form"), [moment, board.players, next, dealer], () => {
    const items = board.players.map(({ seat, name: words }) => ({ value: seat, words, checked: seat === (dealer ?? next) }));
    const who = choice("dealer", "Dealer", items, (seat) => {
      dealer = seat;
      draw(board, next);
    });
    const go = button("button primary", `Start round ${board.round + 1}`, () => {
      const seat = dealer ?? next;
      if (seat === null) started.tell({ ok: false, error: "Choose who deals first." });
      else order({ type: "round", dealer: seat }, started);
    });
    go.dataset.key = "start";
    return [who, go];
  });
}

function cutForm(board) {
  const fields = board.players.map((player) => {
    const input = el("input", "field cut-card");
    input.type = "text";
    input.inputMode = "numeric";
    input.maxLength = 2;
    input.autocomplete = "off";
    return { seat: player.seat, input, label: el("label", "cut-label", name(player.name), input) };
  });
  const draws = button("button quiet", "Draw for me", () => cut(board, {}, fields));
  const typed = button("button quiet", "Who deals by these cards?", () => {
    const cards = Object.fromEntries(fields.map(({ seat, input }) => [seat, Number(input.value)]));
    const empty = fields.find(({ input }) => !/^[1-9][0-9]?$/.test(input.value.trim()));
    if (!empty) return cut(board, cards, fields);
    drawn.tell({ ok: false, error: `Type the card that ${textOf(board, empty.seat)} drew, 1 to ${board.highest}.` });
    return empty.input.focus();
  });
  draws.dataset.key = "draw";
  const summary = el("summary", "", "Cards were drawn at the table");
  return [draws, el("details", "cut-typed", summary, ...fields.map((field) => field.label), typed)];
}

async function cut(board, cards, fields) {
  const { edition, variants, players } = board;
  const people = players.map(({ seat, name: called }) => ({ seat, name: called }));
  const asked = { edition, variants, players: people, options: newGame.options() };
  const answer = await post("/api/host/cut", Object.keys(cards).length > 0 ? { ...asked, drawn: cards } : asked);
  if (!answer.ok) {
    drawn.tell(answer);
    return;
  }
  drawn.tell({ ...answer, changes: people.map((one) => `${one.name}: ${answer.drawn[one.seat]}`) });
  for (const { seat, input } of fields) input.value = answer.drawn[seat];
  dealer = answer.dealer;
  draw(board, null);
}

at("begin-button").addEventListener("click", () => {
  show("game");
  at("tab-game").focus();
});
