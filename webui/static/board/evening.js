// The evening so far: every game with its chart and its rounds, in a dialog that is filled when it is opened.
import { get } from "../shared/api.js";
import { closeBeside } from "../shared/ask.js";
import { chart, scoreTable } from "../shared/chart.js";
import { at, el, name, put } from "../shared/dom.js";

const dialog = at("evening");
const list = at("evening-games");
let moment = "";

// The dialog closes, and forgets, when a round begins, ends or goes on after all: it never shows what is taken back.
function follow(state) {
  const now = `${state.game}/${state.round}/${state.phase}`;
  if (now !== moment && dialog.open) dialog.close();
  moment = now;
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
  made.append(scored ? scoreTable(drawn, caption) : unscored(game, names));
  return made;
}

const title = (edition) => edition.replaceAll("-", " ").replace(/\b[a-z]/g, (letter) => letter.toUpperCase());

// Partners sit across: every other player.
function drawable(game, names) {
  const seats = game.players.map((player) => player.seat);
  const pairs = game.variants.includes("partners");
  const sides = pairs ? [seats.filter((_, at_) => at_ % 2 === 0), seats.filter((_, at_) => at_ % 2 === 1)] : seats.map((seat) => [seat]);
  return {
    target: 0,
    sides: sides.map((side) => ({
      names: side.map((seat) => names.get(seat)),
      points: game.rounds.map((round) => side.reduce((sum, seat) => sum + round.points[seat], 0)),
      won: side.some((seat) => game.winners.includes(seat)),
    })),
  };
}

function unscored(game, names) {
  return el("ul", "evening-outs", ...game.rounds.map((round) => el("li", "", `Round ${round.number}: `, name(names.get(round.out), ""), " went out")));
}

at("show-evening").addEventListener("click", () => {
  list.replaceChildren();
  dialog.showModal();
  fill();
});
at("evening-close").addEventListener("click", () => dialog.close());
dialog.addEventListener("close", () => list.replaceChildren());
closeBeside(dialog);

export const evening = { follow };
