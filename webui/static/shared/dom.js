// Small helpers. Everything becomes text: a name is never markup.

export const at = (id) => document.getElementById(id);

export function el(tag, className, ...children) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  made.append(...children.map((child) => (child instanceof Node ? child : String(child))));
  return made;
}

// An element of a drawing. The namespace is that of a drawing which the page has from the start.
export function svg(tag, attributes = {}, ...children) {
  const made = document.createElementNS(document.querySelector("svg").namespaceURI, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

// A button that does something; `className` may be empty.
export function button(className, words, pressed) {
  const made = el("button", className, words);
  made.type = "button";
  made.addEventListener("click", pressed);
  return made;
}

// Changes the text of the element with this id only if it differs, so that live regions speak news only.
export function put(id, text) {
  const element = at(id);
  if (element.textContent !== text) element.textContent = text;
}

const drawn = new WeakMap();

// Makes the children of `place` anew only where `data` changed, so that a control that somebody is about to press stays
// where it is. Where the focus was on a control with a `data-key`, its successor gets it.
export function redraw(place, data, make) {
  const key = JSON.stringify(data);
  if (drawn.get(place) === key) return false;
  const active = place.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
  drawn.set(place, key);
  place.replaceChildren(...make(data));
  if (active) [...place.querySelectorAll("[data-key]")].find((one) => one.dataset.key === active)?.focus();
  return true;
}

// Forgets what was drawn at `place` and empties it.
export function clear(place) {
  drawn.delete(place);
  place.replaceChildren();
}

export function name(text, className = "name") {
  const made = el("span", className, text);
  made.dir = "auto";
  return made;
}

// A player's name: shortened where there is no room, in the direction of its own script.
export function nameOf(state, seat, className = "name") {
  return name(textOf(state, seat), className);
}

export function textOf(state, seat) {
  return state.players.find((player) => player.seat === seat)?.name ?? `Seat ${seat}`;
}

// A name within a sentence: kept apart from the words around it, whichever way it is written.
export const bdi = (text) => el("bdi", "", text);

export const unseen = (text) => el("span", "unseen", text);

export const capital = (words) => words.charAt(0).toUpperCase() + words.slice(1);

// What the server says of an error, as a sentence.
export const sentence = (words) => capital(words) + (/[.!?…]$/.test(words) ? "" : ".");

export const isOver = (state) => state.phase === "round-over" || state.phase === "game-over";
