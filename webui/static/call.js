// The RACK-O button: one tap asks who, one more tells the table. There is one tablet for everybody.
import { el, put } from "./dom.js";

const button = document.getElementById("call");
const dialog = document.getElementById("who");
const names = document.getElementById("who-names");
const WORDS = { playing: "RACK-O!", checking: "Checking…" };

let drawnFor = "";

function follow(state) {
  const on = state.phase === "playing" && state.players.length > 0;
  button.disabled = !on;
  put("call", WORDS[state.phase] ?? "RACK-O!");
  if (!on && dialog.open) dialog.close();
  const people = JSON.stringify(state.players.map(({ seat, name }) => [seat, name]));
  if (people === drawnFor) return; // a button that somebody is about to press stays where it is
  drawnFor = people;
  names.replaceChildren(...state.players.map((player) => {
    const made = el("button", "name-button", el("span", "name", player.name));
    made.type = "button";
    made.firstChild.dir = "auto";
    made.addEventListener("click", () => send(player.seat));
    return made;
  }));
}

async function send(seat) {
  busy(true);
  try {
    const answer = await fetch("/api/call", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ seat }),
    });
    if (answer.ok) dialog.close();
    else put("who-error", sentence((await answer.json()).error));
  } catch {
    put("who-error", "The table does not answer just now. Try again.");
  } finally {
    busy(false);
  }
}

function busy(on) {
  for (const one of names.children) one.disabled = on;
}

function sentence(words) {
  return words.charAt(0).toUpperCase() + words.slice(1) + ".";
}

button.addEventListener("click", () => {
  put("who-error", "");
  dialog.showModal();
});
document.getElementById("who-cancel").addEventListener("click", () => dialog.close());

export const call = { follow };
