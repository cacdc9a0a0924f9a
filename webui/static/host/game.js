// A new game: who sits where, by which edition's rules, with which variants. Begins with what was played last.
import { get } from "../shared/api.js";
import { at, button, capital, el, put, redraw } from "../shared/dom.js";
import { confirm } from "../shared/ask.js";
import { outcome } from "../shared/outcome.js";
import { order } from "./orders.js";
import { hindrance, plain, stillPossible, title } from "./rules.js";
import { people, seat, seating } from "./seating.js";
import { show } from "./tabs.js";

const made = outcome();
at("game-outcome").append(made.node);

const OVER = {
  title: "Begin a new game?",
  words: ["The game that is on ends here, without a winner."],
  yes: "New game", no: "Keep playing", kind: "danger",
};

let choices = null;
let edition = null;
let chosen = new Set();
let options = {};
let board = null;
let prepared = false;

async function open() {
  if (choices === null) {
    const answer = await get("/api/host/choices");
    if (!answer.ok) {
      made.tell(answer);
      return;
    }
    choices = answer;
    made.clear();
  }
  prepare();
  draw();
}

// Players and rules of the last game, once: what somebody has typed since stays.
function prepare() {
  if (prepared || board === null) return;
  prepared = true;
  edition = choices.editions.find((one) => one.name === board.edition)?.name ?? choices.editions[0].name;
  chosen = new Set(board.variants);
  seat(board.players);
}

function draw() {
  if (choices === null || edition === null) return;
  const count = people().length;
  chosen = stillPossible(choices.variants, edition, count, chosen);
  redraw(at("editions"), edition, () => choices.editions.map((one) => option("radio", "edition", one, one.name === edition, "", () => {
    edition = one.name;
    draw();
  }, title(one.name))));
  redraw(at("variants"), [edition, count, [...chosen]], () => choices.variants.map((one) => {
    const why = hindrance(one, edition, count, chosen);
    return option("checkbox", "variant", one, chosen.has(one.name), why, (on) => {
      chosen = new Set(on ? [...chosen, one.name] : [...chosen].filter((other) => other !== one.name));
      draw();
    }, capital(plain(one.name)));
  }));
  redraw(at("house-rules"), "once", () => choices.options.map(houseRule));
  put("game-count", count < 2 ? "Two to four players: give at least two seats a name." : `${count} players.`);
}

// One line to choose, with its words; where it cannot be chosen, with the reason in their place.
function option(type, group, one, checked, why, changed, words) {
  const input = el("input", "option-input");
  input.type = type;
  input.name = group;
  input.value = one.name;
  input.checked = checked;
  input.disabled = why !== "";
  input.dataset.key = `${group}-${one.name}`;
  input.addEventListener("change", () => changed(input.checked));
  const text = el("span", "option-text", el("span", "option-name", words), el("span", "option-words", why || one.words));
  return el("label", "option", input, text);
}

function houseRule({ name, words, choices: ways }) {
  const select = el("select", "field");
  select.append(new Option("As the edition says", ""));
  ways.forEach((way, index) => select.append(new Option(way.words, index)));
  select.addEventListener("change", () => {
    const { [name]: _, ...others } = options;
    options = select.value === "" ? others : { ...others, [name]: ways[Number(select.value)].value };
  });
  return el("label", "house-rule", el("span", "", words), select);
}

async function begin() {
  const players = people();
  if (players.length < 2) {
    made.tell({ ok: false, error: "Give at least two seats a name." });
    at("seat-1").focus();
    return;
  }
  const on = board !== null && board.players.length > 0 && board.round > 0 && board.phase !== "game-over";
  if (on && !(await confirm(OVER))) return;
  const said = { type: "game", edition, variants: [...chosen], players };
  if (Object.keys(options).length > 0) said.options = options;
  const answer = await order(said, made, "The game has begun.");
  if (!answer.ok) return;
  show("round");
  at("tab-round").focus();
}

seating(at("seats-list"), draw);
at("game-go").append(button("button primary", "Begin the game", begin));

export const newGame = {
  open,
  options: () => options,
  follow: (view) => {
    const fresh = board?.game !== view.board.game;
    board = view.board;
    if (fresh) prepared = false;
    if (choices !== null && fresh) open();
  },
};
