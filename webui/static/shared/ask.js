// One question in a dialog that the browser keeps the focus in; the answer is a promise.
import { button, el, name } from "./dom.js";

// Resolves true for yes. `words` may hold nodes; `yes` and `no` are what the buttons say.
export function confirm({ title, words = [], yes, no, kind = "primary" }) {
  return new Promise((resolve) => {
    const heading = el("h2", "", ...[title].flat());
    heading.id = "ask-title";
    const go = button(`button ${kind}`, yes, () => dialog.close("yes"));
    const back = button("button quiet", no, () => dialog.close());
    const dialog = el("dialog", "sheet ask", heading, ...words.map((line) => el("p", "", line)), el("div", "ask-row", go, back));
    dialog.setAttribute("aria-labelledby", heading.id);
    open(dialog, () => resolve(dialog.returnValue === "yes"));
    // What cannot be taken back easily is not under the finger of somebody who presses Enter twice.
    (kind === "danger" ? back : go).focus();
  });
}

// Shows a dialog that `made` is put into, and takes it out of the page when it is closed.
export function open(dialog, closed = () => {}) {
  const opener = document.activeElement;
  document.body.append(dialog);
  dialog.addEventListener("close", () => {
    dialog.remove();
    // The browser gives the focus back, but not where the control was made anew meanwhile.
    const key = opener?.dataset.key;
    if (!opener?.isConnected && key) document.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus();
    closed();
  });
  closeBeside(dialog);
  dialog.showModal();
}

// A tap beside the dialog closes it, as Escape does.
export function closeBeside(dialog) {
  dialog.addEventListener("click", (event) => {
    if (event.target !== dialog) return;
    const { left, right, top, bottom } = dialog.getBoundingClientRect();
    const { clientX: x, clientY: y } = event;
    if (x < left || x > right || y < top || y > bottom) dialog.close();
  });
}

// One of several people or things; resolves its value, or null where nothing was chosen. `items` are {value, words}.
export function choose({ title, items, no }) {
  return new Promise((resolve) => {
    let chosen = null;
    const heading = el("h2", "", title);
    heading.id = "ask-title";
    const buttons = items.map(({ value, words }) => button("name-button", name(words), () => {
      chosen = value;
      dialog.close();
    }));
    const back = button("button quiet", no, () => dialog.close());
    const dialog = el("dialog", "sheet ask", heading, el("div", "names", ...buttons), back);
    dialog.setAttribute("aria-labelledby", heading.id);
    open(dialog, () => resolve(chosen));
  });
}
