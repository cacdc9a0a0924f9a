// The evening so far: every game with its chart and its rounds, in a dialog that is filled when it is opened.
import { get } from "../shared/api.js";
import { closeBeside } from "../shared/ask.js";
import { chart, scoreTable } from "../shared/chart.js";
import { at, button, el, name, put, unseen } from "../shared/dom.js";
import { panels } from "./racks.js";

const dialog = at("evening");
const turned = at("turned");
const list = at("evening-games");
let moment = "";

// The dialog closes, and forgets, when a round begins, ends, is corrected or goes on after all: it never shows what is taken back.
function follow(state) {
  const now = JSON.stringify([state.game, state.round, state.phase, state.players.map((player) => player.points)]);
  if (now !== moment && dialog.open) {
    empty();
    dialog.close();
  }
  moment = now;
}

function empty() {
  list.replaceChildren();
  turned.querySelector(".racks").replaceChildren();
  turned.close();
}

async function fill() {
  put("evening-error", "");
  const answer = await get("/api/history");
  if (!dialog.open) return;
  if (!answer.ok) {
    put("evening-error", answer.error);
    return;
  }
  const games = answer.games.filter((game) => game.rounds.length > 0);
  if (games.length === 0) list.replaceChildren(el("p", "evening-none", "No round has been finished yet."));
  else list.replaceChildren(...[...games].reverse().map(section));
  at("evening-csv").hidden = games.length === 0;
}

function section(game, index) {
  const names = new Map(game.players.map((player) => [player.seat, player.name]));
  const heading = el("h3", "", `Game ${game.number}`);
  const winners = el("p", "evening-won");
  if (game.winners.length > 0) {
    winners.append("Won by ");
    game.winners.forEach((seat, place) => winners.append(place ? " and " : "", name(names.get(seat), "")));
  } else winners.append(index === 0 ? "Still on" : "Not finished");
  const variants = game.variants.map((variant) => variant.replaceAll("-", " "));
  const rules = el("p", "evening-rules", [title(game.edition), ...variants, game.began].filter(Boolean).join(" · "));
  const drawn = drawable(game, names);
  const caption = `Game ${game.number}: points and totals by round`;
  const made = el("section", "evening-game", el("div", "evening-head", heading, winners), rules);
  const scored = game.rounds.some((round) => Object.values(round.points).some((points) => points > 0));
  if (scored && index === 0) made.append(chart(drawn, caption));
  const numbered = (number) => roundButton(game, game.rounds[number - 1], drawn.sides, scored);
  made.append(scored ? scoreTable(drawn, caption, numbered) : unscored(game, names, numbered));
  return made;
}

// The number of a round, which turns its racks up once more.
function roundButton(game, round, sides, scored) {
  const made = button("round-button", round.number, () => {
    put("turned-title", `Game ${game.number}, round ${round.number}`);
    turned.querySelector(".racks").dataset.count = game.players.length;
    turned.querySelector(".racks").replaceChildren(...panels({
      game: game.number,
      round: round.number,
      players: game.players,
      racks: round.racks,
      sides: sides.map(({ seats }) => side(seats, game, round)),
      winners: [],
      target: scored ? 1 : 0, // any: whether there are points to show
    }));
    turned.showModal();
  });
  made.prepend(unseen("Racks of round "));
  return made;
}

const side = (seats, game, round) => ({
  players: game.players.filter((player) => seats.includes(player.seat)),
  total: seats.reduce((sum, seat) => sum + round.totals[seat], 0),
});

const title = (edition) => edition.replaceAll("-", " ").replace(/\b[a-z]/g, (letter) => letter.toUpperCase());

// Partners sit across: every other player.
function drawable(game, names) {
  const seats = game.players.map((player) => player.seat);
  const pairs = game.variants.includes("partners");
  const sides = pairs ? [0, 1].map((half) => seats.filter((_, index) => index % 2 === half)) : seats.map((seat) => [seat]);
  return {
    target: 0,
    sides: sides.map((seated) => ({
      seats: seated,
      names: seated.map((seat) => names.get(seat)),
      points: game.rounds.map((round) => seated.reduce((sum, seat) => sum + round.points[seat], 0)),
      won: seated.some((seat) => game.winners.includes(seat)),
    })),
  };
}

function unscored(game, names, numbered) {
  const lines = game.rounds.map((round) => el("li", "", numbered(round.number), " ", name(names.get(round.out), ""), " went out"));
  return el("ul", "evening-outs", ...lines);
}

at("show-evening").addEventListener("click", () => {
  list.replaceChildren();
  dialog.showModal();
  fill();
});
at("evening-close").addEventListener("click", () => dialog.close());
dialog.addEventListener("close", empty);
at("turned-close").addEventListener("click", () => turned.close());
closeBeside(turned);
closeBeside(dialog);

export const evening = { follow };
