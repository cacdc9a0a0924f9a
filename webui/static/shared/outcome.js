// What came of an order, said beside the control that gave it; what is otherwise now, line by line.
import { capital, el, put } from "./dom.js";

// A place for answers: {node, tell(answer, done), clear()}. `done` is said where the table has no words of its own.
export function outcome() {
  const node = el("div", "outcome");
  node.setAttribute("role", "status");
  const tell = (answer, done = "Done.") => {
    if (answer === null) node.replaceChildren(el("p", "outcome-wait", "One moment…"));
    else if (!answer.ok) node.replaceChildren(el("p", "refused", answer.error));
    else node.replaceChildren(el("p", "outcome-done", answer.words ? capital(answer.words) : done), ...list(answer.changes ?? []));
  };
  return { node, tell, clear: () => node.replaceChildren() };
}

export function list(changes) {
  return changes.length === 0 ? [] : [el("ul", "changes", ...changes.map((line) => el("li", "", capital(line))))];
}

// One line for a screen reader that no control stands beside.
export const whisper = (words) => put("whisper", words);
