// The cameras: how each is, what it sees, and its picture about once a second while somebody looks.
import { at, el, put, redraw, sentence } from "../shared/dom.js";
import { outcome } from "../shared/outcome.js";
import { pictureField } from "../shared/upload.js";
import { isShown } from "./tabs.js";

const EACH = 1_000; // ms between two pictures of a camera
const WORDS = { starting: "Starting", live: "Live", gone: "Gone", frozen: "Frozen", dark: "Dark", ended: "Ended" };
const TABLES = { live: "", simulated: "This table is simulated: it plays by itself.", session: "This is a recorded evening." };
const images = new Map(); // camera's name: its image
const uploaded = outcome();

let known = [];

export function cameras(view) {
  known = view.cameras;
  put("table-words", TABLES[view.table]);
  put("panel-words", view.panel ? sentence(view.panel) : "");
  put("recorder-words", view.recorder ? sentence(view.recorder) : "");
  put("voice-words", view.voice ? sentence(view.voice) : "");
  redraw(at("remarks"), view.remarks, (remarks) => remarks.map((remark) => el("li", "remark", sentence(remark))));
  const names = known.map((one) => one.name);
  redraw(at("camera-list"), names, () => {
    images.clear();
    return names.length > 0 ? names.map(frame) : [el("p", "quiet-words", "No camera was found.")];
  });
  for (const [index, camera] of known.entries()) tell(at("camera-list").children[index], camera);
}

function frame(name, index) {
  const image = el("img", "camera-image");
  image.alt = `What camera ${name} sees`;
  image.hidden = true;
  images.set(name, image);
  const heading = el("h3", "camera-name", name);
  heading.id = `camera-${index}`;
  heading.dir = "auto";
  const lines = ["camera-state", "camera-words", "camera-sees"].map((className) => el("p", className));
  const made = el("article", "camera", el("div", "camera-picture", image), heading, ...lines);
  made.setAttribute("aria-labelledby", heading.id);
  return made;
}

function tell(place, camera) {
  const set = (className, words) => {
    const element = place.querySelector(className);
    if (element.textContent !== words) element.textContent = words;
  };
  place.dataset.state = camera.state;
  set(".camera-state", WORDS[camera.state]);
  set(".camera-words", camera.words ? sentence(camera.words) : "");
  set(".camera-sees", camera.sees.length > 0 ? `Sees ${camera.sees.join(", ")}` : camera.state === "live" ? "Sees no mat" : "");
}

// One picture after the other, each asked for once the last has come: a slow link gets fewer.
const busy = new Set();
setInterval(() => {
  if (document.visibilityState !== "visible" || !isShown("cameras") || at("desk").hidden) return;
  for (const { name, picture } of known) {
    const image = images.get(name);
    const address = `/api/host/cameras/${encodeURIComponent(name)}.jpg?${picture}`;
    if (picture === 0 || busy.has(name) || image.getAttribute("src") === address) continue;
    busy.add(name);
    image.onload = image.onerror = (event) => {
      image.hidden = event.type !== "load";
      busy.delete(name);
    };
    image.src = address;
  }
}, EACH);

at("upload").append(pictureField("/api/host/pictures", "Photograph a rack", (answer) => uploaded.tell(answer, "The picture was read.")));
at("upload-outcome").append(uploaded.node);
