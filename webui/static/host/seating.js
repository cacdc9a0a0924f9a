// Who sits where: four seats clockwise, a name each or nobody. A name changes seats by its handle, dragged, or by keys.
import { at, button, el, unseen } from "../shared/dom.js";
import { whisper } from "../shared/outcome.js";

const SEATS = [1, 2, 3, 4];
const rows = [];
let changed = () => {};

export function seating(place, whenChanged) {
  changed = whenChanged;
  place.replaceChildren(...SEATS.map(row));
}

// [{seat, name}] of the seats with a name.
export const people = () => rows.map(({ input }, index) => ({ seat: index + 1, name: input.value.trim() })).filter((one) => one.name);

export function seat(players) {
  rows.forEach(({ input }, index) => (input.value = players.find((player) => player.seat === index + 1)?.name ?? ""));
  changed();
}

function row(number) {
  const input = el("input", "field");
  input.id = `seat-${number}`;
  input.dir = "auto";
  input.maxLength = 40;
  input.autocomplete = "off";
  input.placeholder = "nobody";
  input.addEventListener("input", () => changed());
  const label = el("label", "seat-label", el("span", "seat-word", "Seat "), number);
  label.htmlFor = input.id;
  input.setAttribute("aria-label", `Seat ${number}`);
  const handle = el("span", "seat-handle");
  handle.setAttribute("aria-hidden", "true"); // the two buttons do the same
  const up = mover("↑", `Move seat ${number} up`, number - 1, -1);
  const down = mover("↓", `Move seat ${number} down`, number - 1, 1);
  up.disabled = number === 1;
  down.disabled = number === SEATS.length;
  const made = el("li", "seat-row", handle, label, input, up, down);
  rows[number - 1] = { made, input, up, down };
  drag(handle, number - 1);
  return made;
}

function mover(arrow, words, from, step) {
  const shown = el("span", "", arrow);
  shown.setAttribute("aria-hidden", "true");
  const made = button("button quiet seat-move", shown, () => {
    move(from, from + step);
    const next = rows[from + step];
    const same = step < 0 ? next.up : next.down;
    (same.disabled ? next.input : same).focus();
  });
  made.append(unseen(words));
  return made;
}

// The names between the two places move up; the seats stay.
function move(from, to) {
  if (from === to) return;
  const names = rows.map(({ input }) => input.value);
  const [moved] = names.splice(from, 1);
  names.splice(to, 0, moved);
  rows.forEach(({ input }, index) => (input.value = names[index]));
  whisper(`${moved || "Nobody"} sits at seat ${to + 1} now.`);
  changed();
}

function drag(handle, from) {
  const mine = () => rows[from].made;
  let began = null;
  handle.addEventListener("pointerdown", (event) => {
    handle.setPointerCapture(event.pointerId);
    began = event.clientY;
    mine().classList.add("dragged");
    event.preventDefault();
  });
  handle.addEventListener("pointermove", (event) => {
    if (began === null) return;
    mine().style.setProperty("--dragged", `${event.clientY - began}px`);
    const to = rowAt(event.clientY);
    rows.forEach(({ made }, index) => made.classList.toggle("drop", index === to && index !== from));
  });
  const end = (event) => {
    if (began === null) return;
    began = null;
    mine().style.removeProperty("--dragged");
    for (const { made } of rows) made.classList.remove("dragged", "drop");
    if (event.type === "pointerup") move(from, rowAt(event.clientY));
  };
  handle.addEventListener("pointerup", end);
  handle.addEventListener("pointercancel", end);
}

// Which of the four rows, all of one height, stands at `y` of the window.
function rowAt(y) {
  const { top, height } = at("seats-list").getBoundingClientRect();
  return Math.max(0, Math.min(rows.length - 1, Math.floor(((y - top) / height) * rows.length)));
}
