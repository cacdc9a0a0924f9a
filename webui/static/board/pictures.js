// The picture that a rack was read from: offered where there is one, shown large on a tap.
import { get } from "../shared/api.js";
import { closeBeside } from "../shared/ask.js";
import { at, put } from "../shared/dom.js";

const AGAIN = [3_000, 8_000]; // ms until they are asked for again: they may be written a moment after the round's end
const dialog = at("picture");
const image = at("picture-image");

const rounds = new Map(); // by address: who has a picture, and the controls that wait for it

// Makes `control` shown once there is a picture of the rack in `seat`, and shows that when it is pressed.
export function offer(control, state, seat, words) {
  const address = `/api/rounds/${state.game}/${state.round}`;
  if (!rounds.has(address)) {
    rounds.set(address, { seats: [], controls: new Set() });
    if (state.game > 0) ask(address, state.racks.length);
  }
  const mine = rounds.get(address);
  control.dataset.seat = seat;
  mine.controls.add(control);
  control.hidden = !mine.seats.includes(seat);
  control.addEventListener("click", () => {
    put("picture-words", words);
    image.alt = words;
    image.src = `${address}/${seat}.jpg`;
    dialog.showModal();
  });
}

async function ask(address, racks) {
  const mine = rounds.get(address);
  for (const wait of [0, ...AGAIN]) {
    await new Promise((resolve) => setTimeout(resolve, wait));
    if (rounds.get(address) !== mine) return; // forgotten since
    const answer = await get(address);
    if (answer.ok) mine.seats = answer.pictures;
    for (const control of mine.controls) control.hidden = !mine.seats.includes(Number(control.dataset.seat));
    if (mine.seats.length >= racks) return;
  }
}

// With the round, its pictures go.
export function forget() {
  rounds.clear();
  if (dialog.open) dialog.close();
}

dialog.addEventListener("close", () => image.removeAttribute("src"));
at("picture-close").addEventListener("click", () => dialog.close());
closeBeside(dialog);
