// The RACK-O button: one tap asks who, one more tells the table. There is one tablet for everybody; it is unlocked with
// the host's PIN once.
import { post, session } from "../shared/api.js";
import { at, button, name, put, redraw } from "../shared/dom.js";
import { closeBeside } from "../shared/ask.js";
import { pinForm } from "../shared/pin.js";

const racko = at("call");
const dialog = at("who");
const names = at("who-names");
const locked = at("who-locked");
const WORDS = { playing: "RACK-O!", checking: "Checking…" };

let waiting = null; // the seat whose call waits for the PIN

function follow(state) {
  const on = state.phase === "playing" && !state.paused && state.players.length > 0;
  racko.disabled = !on;
  put("call", state.phase === "playing" && state.paused ? "Paused" : (WORDS[state.phase] ?? "RACK-O!"));
  if (!on && dialog.open) dialog.close();
  redraw(names, state.players.map(({ seat, name: called }) => [seat, called]), (people) => people.map(([seat, called]) => {
    const made = button("name-button", name(called), () => send(seat));
    made.dataset.key = `call-${seat}`;
    return made;
  }));
}

async function send(seat) {
  busy(true);
  put("who-error", "");
  const { host } = await session();
  const answer = host ? await post("/api/call", { seat }) : { ok: false, status: 401 };
  busy(false);
  if (answer.ok) dialog.close();
  else if (answer.status === 401) ask(seat);
  else put("who-error", answer.error);
}

// The names give way to the PIN; the call goes out once it was right.
function ask(seat) {
  waiting = seat;
  names.hidden = true;
  locked.replaceChildren(pinForm("This tablet calls once it is unlocked. The host’s PIN:", () => {
    choose();
    send(waiting);
  }));
  locked.hidden = false;
  locked.querySelector("input").focus();
}

function choose() {
  names.hidden = false;
  locked.hidden = true;
  locked.replaceChildren();
}

function busy(on) {
  for (const one of names.children) one.disabled = on;
}

racko.addEventListener("click", () => {
  put("who-error", "");
  choose();
  dialog.showModal();
});
at("who-cancel").addEventListener("click", () => dialog.close());
closeBeside(dialog);
session(); // known before the first tap

export const call = { follow };
