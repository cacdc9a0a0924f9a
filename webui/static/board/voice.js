// The caller's voice: the browser's own, on after a tap (a browser speaks to nobody before one), off with the next.
import { at } from "../shared/dom.js";
import { makeCaller } from "./caller.js";

const TICK = 500; // ms between two looks whether something is to be said
const FIND = 3_000; // ms in which a browser finds its voices
const speak = at("speak");
const turns = at("speak-turns");

let caller = null;
let state = null;
let linked = false;

function hear() {
  if (caller !== null && state !== null) caller.hear(state, linked, performance.now());
}

function follow(next) {
  state = next;
  linked = true; // a state has just come
  hear();
}

function link(now) {
  const is = now === "live" || now === "polling";
  if (is === linked) return;
  linked = is;
  hear();
}

function tick() {
  if (caller === null) return;
  const { hush, lines } = caller.due(performance.now());
  if (hush) speechSynthesis.cancel();
  for (const line of lines) say(line);
}

function say(line) {
  const words = new SpeechSynthesisUtterance(line);
  words.lang = document.documentElement.lang;
  words.rate = 0.95;
  speechSynthesis.speak(words);
}

function set(on) {
  caller = on ? makeCaller({ turns: turns.getAttribute("aria-pressed") === "true" }) : null;
  speak.setAttribute("aria-pressed", String(on));
  turns.hidden = !on;
  if (on) {
    say("I call the scores.");
    hear();
    setTimeout(() => {
      if (caller !== null && speechSynthesis.getVoices().length === 0) speak.textContent = "No voice here";
    }, FIND);
  } else speechSynthesis.cancel();
}

if ("speechSynthesis" in window) {
  speak.hidden = false;
  speak.addEventListener("click", () => set(caller === null));
  turns.addEventListener("click", () => {
    const on = turns.getAttribute("aria-pressed") !== "true";
    turns.setAttribute("aria-pressed", String(on));
    caller.turns = on;
  });
  setInterval(tick, TICK);
}

export const voice = { follow, link };
