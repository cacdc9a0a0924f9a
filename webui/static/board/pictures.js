// The picture that a rack was read from: asked for once a rack, offered only where there is one, shown large on a tap.
import { closeBeside } from "../shared/ask.js";
import { at, put } from "../shared/dom.js";

const AGAIN = [3_000, 8_000]; // ms until it is asked for again: it may be written a moment after the round's end
const dialog = at("picture");
const image = at("picture-image");
const known = new Map(); // address: a promise of whether there is a picture

export function pictureOf(state, seat) {
  return `/api/rounds/${state.game}/${state.round}/${seat}.jpg`;
}

// Makes `control` shown once there is a picture at `address`, and shows it when pressed.
export function offer(control, address, words) {
  if (!known.has(address)) known.set(address, probe(address));
  known.get(address).then((there) => (control.hidden = !there));
  control.addEventListener("click", () => {
    put("picture-words", words);
    image.alt = words;
    image.src = address;
    dialog.showModal();
  });
}

async function probe(address) {
  for (const wait of [0, ...AGAIN]) {
    if (wait) await new Promise((resolve) => setTimeout(resolve, wait));
    if (await loads(address)) return true;
  }
  return false;
}

function loads(address) {
  return new Promise((resolve) => {
    const trial = new Image();
    trial.onload = () => resolve(true);
    trial.onerror = () => resolve(false);
    trial.src = address;
  });
}

// With the round, its pictures go.
export function forget() {
  known.clear();
  if (dialog.open) dialog.close();
}

dialog.addEventListener("close", () => image.removeAttribute("src"));
at("picture-close").addEventListener("click", () => dialog.close());
closeBeside(dialog);
