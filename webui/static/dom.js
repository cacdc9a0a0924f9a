// Two small helpers. Everything becomes text: a name is never markup.

export function el(tag, className, ...children) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  made.append(...children.map((child) => (child instanceof Node ? child : String(child))));
  return made;
}

// Changes the text of the element with this id only if it differs, so that live regions speak news only.
export function put(id, text) {
  const element = document.getElementById(id);
  if (element.textContent !== text) element.textContent = text;
}

// A player's name: shortened where there is no room, in the direction of its own script.
export function nameOf(state, seat, className = "name") {
  const line = state.players.find((player) => player.seat === seat);
  const made = el("span", className, line ? line.name : `Seat ${seat}`);
  made.dir = "auto";
  return made;
}

export const unseen = (text) => el("span", "unseen", text);
