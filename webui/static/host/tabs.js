// Sections as tabs, with the arrow keys of tabs. The address remembers which one is open.
import { at, unseen } from "../shared/dom.js";

const all = [...document.querySelectorAll("[role=tab]")];
let opened = () => {};

export function tabs(whenOpened) {
  opened = whenOpened;
  for (const tab of all) {
    tab.addEventListener("click", () => show(nameOf(tab)));
    tab.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      const here = all.indexOf(tab);
      const next = step ? all.at((here + step) % all.length) : { Home: all[0], End: all.at(-1) }[event.key];
      if (!next) return;
      event.preventDefault();
      show(nameOf(next));
      next.focus();
    });
  }
}

export function show(wanted) {
  const chosen = all.find((tab) => nameOf(tab) === wanted) ?? all[0];
  for (const tab of all) {
    const is = tab === chosen;
    tab.setAttribute("aria-selected", String(is));
    tab.tabIndex = is ? 0 : -1;
    at(tab.getAttribute("aria-controls")).hidden = !is;
  }
  window.scrollTo(0, 0);
  history.replaceState(null, "", `#${nameOf(chosen)}`);
  opened(nameOf(chosen));
}

// A dot on a tab that somebody should look at, with the reason for who cannot see it.
export function mark(name, reason) {
  const dot = at(`dot-${name}`);
  if (dot.textContent === reason) return;
  dot.hidden = reason === "";
  dot.replaceChildren(unseen(reason));
}

export const shownTab = () => nameOf(all.find((tab) => tab.getAttribute("aria-selected") === "true"));

export const isShown = (name) => !at(`panel-${name}`).hidden;

const nameOf = (tab) => tab.id.slice("tab-".length);
