// The sixty numbers as a grid that is quick to tap. By keyboard: arrows, or the number's own figures.
import { button, el } from "./dom.js";

const PAUSE = 900; // ms within which a second figure belongs to the first

// `columns` as drawn now: the grid has fewer of them on a phone.
const columnsOf = (grid) => getComputedStyle(grid).gridTemplateColumns.split(" ").length;

export function numberGrid(highest, label, picked) {
  const grid = el("div", "numbers");
  grid.setAttribute("role", "group");
  grid.setAttribute("aria-label", label);
  const keys = Array.from({ length: highest }, (_, index) => button("number", index + 1, () => picked(index + 1)));
  keys.forEach((key, index) => {
    key.tabIndex = index === 0 ? 0 : -1; // one stop for the Tab key, arrows within
    key.dataset.key = `number-${index + 1}`;
  });
  grid.append(...keys);
  let typed = { text: "", at: 0 };
  grid.addEventListener("keydown", (event) => {
    const here = keys.indexOf(document.activeElement);
    const steps = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: columnsOf(grid), ArrowUp: -columnsOf(grid) };
    let next = null;
    if (event.key in steps) next = here + steps[event.key];
    else if (event.key === "Home") next = 0;
    else if (event.key === "End") next = keys.length - 1;
    else if (/^[0-9]$/.test(event.key)) {
      const text = event.timeStamp - typed.at < PAUSE ? typed.text + event.key : event.key;
      typed = { text: keys[Number(text) - 1] ? text : event.key, at: event.timeStamp };
      next = Number(typed.text) - 1;
    }
    if (next === null) return;
    event.preventDefault();
    if (!keys[next]) return;
    for (const key of keys) key.tabIndex = -1;
    keys[next].tabIndex = 0;
    keys[next].focus();
  });
  return grid;
}

// The ten slots of a rack, 5 at the front; one of them is chosen.
export function slotChoice(groupName, legend, chosen) {
  const SLOTS = [5, 10, 15, 20, 25, 30, 35, 40, 45, 50];
  return choice(groupName, legend, SLOTS.map((slot) => ({ value: slot, words: String(slot) })), chosen, "choice slots");
}

// One of several, as buttons side by side; `items` are {value, words, detail?, disabled?}.
export function choice(groupName, legend, items, chosen, className = "choice") {
  const set = el("fieldset", className, el("legend", "", legend));
  for (const item of items) {
    const input = el("input", "unseen");
    input.type = "radio";
    input.name = groupName;
    input.value = item.value;
    input.disabled = Boolean(item.disabled);
    input.checked = Boolean(item.checked);
    input.dataset.key = `${groupName}-${item.value}`;
    input.addEventListener("change", () => chosen(item.value));
    const words = el("span", "choice-words", item.words);
    words.dir = "auto";
    const label = el("label", "chip", input, words);
    if (item.detail) label.append(el("span", "choice-detail", item.detail));
    set.append(label);
  }
  return set;
}
