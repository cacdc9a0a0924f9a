// A photograph of a rack from this phone: chosen or taken, made smaller where need be, and sent to be read.
import { postPicture } from "./api.js";
import { el } from "./dom.js";

const LARGEST = 11_000_000; // bytes; the table takes 12 MB
const TAKEN = ["image/jpeg", "image/png"];
const UNREADABLE = "That file is not a picture that this browser can open.";
const LONG_SIDE = 4000; // px, of a picture that has to be written anew

// A control "Photograph a rack" that sends to `path`; `outcome(answer)` shows what came of it, or null while it is read.
export function pictureField(path, words, outcome) {
  const input = el("input", "unseen");
  input.type = "file";
  input.accept = "image/*";
  input.setAttribute("capture", "environment");
  const label = el("label", "button quiet upload", input, el("span", "", words));
  input.addEventListener("change", async () => {
    const [file] = input.files;
    if (!file) return;
    input.disabled = true;
    outcome(null);
    const picture = await prepared(file);
    outcome(picture ? await postPicture(path, picture) : { ok: false, error: UNREADABLE });
    input.disabled = false;
    input.value = ""; // the same file may be sent once more
    input.focus({ preventScroll: true });
  });
  return label;
}

async function prepared(file) {
  if (TAKEN.includes(file.type) && file.size <= LARGEST) return file;
  try {
    const bitmap = await createImageBitmap(file);
    const scale = Math.min(1, LONG_SIDE / Math.max(bitmap.width, bitmap.height));
    const canvas = el("canvas");
    canvas.width = Math.round(bitmap.width * scale);
    canvas.height = Math.round(bitmap.height * scale);
    canvas.getContext("2d").drawImage(bitmap, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", 0.92));
  } catch {
    return null;
  }
}
