// The caller's voice: the browser's own, on after a tap (a browser speaks to nobody before one), off with the next. The
// table decides what is said (`spoken` of its state): a line that is new there is said, and one that is gone is not said
// any more, or broken off.
import { at } from "../shared/dom.js";

const FIND = 3_000; // ms in which a browser finds its voices
const speak = at("speak");
const turns = at("speak-turns");
const pressed = (button) => button.getAttribute("aria-pressed") === "true";

let listed = new Set(); // the numbers of the lines in the newest state
let waiting = []; // {line, words} that the browser was given and has not said to their end

function follow(state) {
  const fresh = state.spoken.filter((line) => !listed.has(line.number));
  listed = new Set(state.spoken.map((line) => line.number));
  if (!pressed(speak)) return;
  const rest = waiting.map((one) => one.line).filter((line) => listed.has(line.number));
  if (rest.length < waiting.length) {
    hush();
    rest.forEach(say);
  }
  fresh.filter((line) => line.about !== "turn" || pressed(turns)).forEach(say);
}

// Without the table nobody knows whether what is being said still holds.
function link(now) {
  if (now !== "live" && now !== "polling") hush();
}

function say(line) {
  const words = worded(line.text);
  waiting.push({ line, words });
  const ended = () => {
    waiting = waiting.filter((one) => one.words !== words);
  };
  words.addEventListener("end", ended);
  words.addEventListener("error", ended);
  speechSynthesis.speak(words);
}

function worded(text) {
  const words = new SpeechSynthesisUtterance(text);
  words.lang = document.documentElement.lang;
  words.rate = 0.95;
  return words;
}

function hush() {
  if (waiting.length === 0) return;
  waiting = [];
  speechSynthesis.cancel();
}

function set(on) {
  speak.setAttribute("aria-pressed", String(on));
  turns.hidden = !on;
  if (on) {
    speechSynthesis.speak(worded("I call the scores."));
    setTimeout(() => {
      if (pressed(speak) && speechSynthesis.getVoices().length === 0) speak.textContent = "No voice here";
    }, FIND);
  } else {
    waiting = [];
    speechSynthesis.cancel();
  }
}

if ("speechSynthesis" in window) {
  speak.hidden = false;
  speak.addEventListener("click", () => set(!pressed(speak)));
  turns.addEventListener("click", () => turns.setAttribute("aria-pressed", String(!pressed(turns))));
}

export const voice = { follow, link };
