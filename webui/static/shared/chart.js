// The scores by round as lines that climb, one a side, each with marks of its own shape; and the same as a table.
import { el, name, svg } from "./dom.js";

const NEAR = 0.4; // of the winning score: from here on the chart shows how far it still is
const MARKS = [
  (x, y, r) => svg("circle", { cx: x, cy: y, r }),
  (x, y, r) => svg("rect", { x: x - r * 0.9, y: y - r * 0.9, width: r * 1.8, height: r * 1.8 }),
  (x, y, r) => svg("path", { d: `M${x} ${y - r * 1.2}L${x + r * 1.15} ${y + r * 0.85}H${x - r * 1.15}Z` }),
  (x, y, r) => svg("path", { d: `M${x} ${y - r * 1.3}L${x + r * 1.3} ${y}L${x} ${y + r * 1.3}L${x - r * 1.3} ${y}Z` }),
];

// A game as it is drawn: {target, sides: [{names, points, won}]}, points by round. From the table's state:
export function gameOf(state) {
  const sides = state.sides.map((side) => ({
    names: side.players.map((player) => player.name),
    points: side.points,
    won: side.players.some((player) => state.winners.includes(player.seat)),
  }));
  return { target: state.target, sides };
}

// A chart of `game`, which draws itself anew when its room changes. `caption` names it for everybody.
export function chart(game, caption) {
  const drawing = svg("svg", { class: "chart", "aria-hidden": "true" });
  const frame = el("div", "chart-frame", drawing);
  new ResizeObserver(() => draw(drawing, game, frame.clientWidth, frame.clientHeight)).observe(frame);
  return el("figure", "chart-figure", frame, el("div", "unseen", scoreTable(game, caption)));
}

// Points and totals by round; the first column names the round, or is what `first(round)` makes of it.
export function scoreTable(game, caption, first = (round) => round) {
  const head = el("tr", "", el("th", "", "Round"), ...game.sides.map((side) => el("th", "", name(side.names.join(" & ")))));
  for (const cell of head.children) cell.scope = "col";
  const totals = game.sides.map(() => 0);
  const rows = Array.from({ length: roundsOf(game) }, (_, round) => {
    const row = el("tr", "", el("th", "", first(round + 1)));
    row.firstChild.scope = "row";
    game.sides.forEach((side, index) => {
      totals[index] += side.points[round];
      row.append(el("td", "", el("span", "points", `+${side.points[round]}`), el("span", "sum", totals[index])));
    });
    return row;
  });
  return el("table", "score-table", el("caption", "", caption), el("thead", "", head), el("tbody", "", ...rows));
}

const roundsOf = (game) => Math.max(0, ...game.sides.map((side) => side.points.length));

function draw(drawing, game, width, height) {
  if (width < 50 || height < 50) return;
  const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
  const lines = game.sides.map((side) => sums(side.points));
  const best = Math.max(1, ...lines.flat());
  const top = game.target > 0 && best >= game.target * NEAR ? Math.max(best, game.target) * 1.06 : best * 1.15;
  const rounds = Math.max(1, roundsOf(game));
  const box = { left: 3.2 * rem, right: width - Math.min(11 * rem, width * 0.3), top: 0.8 * rem, bottom: height - 2.2 * rem };
  const x = (round) => box.left + ((box.right - box.left) * round) / rounds;
  const y = (points) => box.bottom - ((box.bottom - box.top) * points) / top;
  drawing.setAttribute("viewBox", `0 0 ${width} ${height}`);
  drawing.replaceChildren(
    ...grid(top, x, y, box, rounds, rem),
    ...(game.target > 0 && game.target <= top ? goal(game.target, y, box, rem) : []),
    ...lines.map((points, index) => line(points, index, x, y, rem)),
  );
  label(drawing, game, lines, y, box, rem, width);
}

function sums(points) {
  const made = [0];
  for (const one of points) made.push(made.at(-1) + one);
  return made;
}

function grid(top, x, y, box, rounds, rem) {
  const step = [10, 20, 25, 50, 100, 200, 250, 500, 1000].find((size) => top / size <= 5) ?? 2000;
  const made = [];
  for (let points = 0; points <= top; points += step) {
    made.push(svg("line", { class: "chart-grid", x1: box.left, x2: box.right, y1: y(points), y2: y(points) }));
    made.push(text("chart-scale", box.left - 0.6 * rem, y(points) + 0.35 * rem, points, "end"));
  }
  const every = Math.ceil((rounds * 2.2 * rem) / (box.right - box.left)); // numbers of rounds never touch
  for (let round = 0; round <= rounds; round += every) {
    made.push(text("chart-scale", x(round), box.bottom + 1.5 * rem, round === 0 ? "deal" : round, "middle"));
  }
  return made;
}

function goal(target, y, box, rem) {
  return [
    svg("line", { class: "chart-goal", x1: box.left, x2: box.right, y1: y(target), y2: y(target) }),
    text("chart-scale", box.left + 0.4 * rem, y(target) - 0.4 * rem, `${target} to win`, "start"),
  ];
}

function line(points, index, x, y, rem) {
  const path = points.map((sum, round) => `${round ? "L" : "M"}${x(round)} ${y(sum)}`).join("");
  const marks = points.slice(1).map((sum, round) => MARKS[index % 4](x(round + 1), y(sum), 0.36 * rem));
  return svg("g", { class: `series series-${(index % 4) + 1}` }, svg("path", { class: "series-line", d: path }), ...marks);
}

// Names stand where their lines end, moved apart as far as they need.
function label(drawing, game, lines, y, box, rem, width) {
  const room = 1.55 * rem; // from name to name
  const order = lines.map((points, index) => ({ index, at: y(points.at(-1)) })).sort((one, other) => one.at - other.at);
  order.forEach((end, place) => {
    if (place > 0) end.at = Math.max(end.at, order[place - 1].at + room);
  });
  const over = Math.max(0, (order.at(-1)?.at ?? 0) - box.bottom);
  for (const [place, end] of [...order.entries()].reverse()) {
    const below = order[place + 1];
    end.at = Math.min(end.at, place === order.length - 1 ? end.at - over : below.at - room);
  }
  for (const { index, at } of order) {
    const side = game.sides[index];
    const end = y(lines[index].at(-1));
    let left = box.right + 0.8 * rem;
    if (Math.abs(at - end) > 0.4 * rem) {
      // Moved away from its line: the line goes on to it, and its mark stands once more.
      const way = svg("path", { class: "series-way", d: `M${box.right} ${end}L${left + 0.3 * rem} ${at}` });
      left += 0.5 * rem;
      drawing.append(svg("g", { class: `series series-${(index % 4) + 1}` }, way, MARKS[index % 4](left, at, 0.3 * rem)));
      left += 0.7 * rem;
    }
    const words = text(side.won ? "chart-name chart-won" : "chart-name", left, at + 0.38 * rem, "", "start");
    drawing.append(words);
    fit(words, side.names.join(" & "), width - left - 0.2 * rem);
  }
}

function text(className, x, y, words, anchor) {
  const made = svg("text", { class: className, x, y, "text-anchor": anchor });
  made.textContent = words;
  return made;
}

function fit(element, words, room) {
  const letters = [...words];
  element.textContent = words;
  while (letters.length > 1 && element.getComputedTextLength() > room) {
    letters.pop();
    element.textContent = `${letters.join("").trimEnd()}…`;
  }
}
