// Requests that change something: each carries the token that only the table's own pages know. Nothing here throws:
// an answer is {ok, status, ...what the table said}, with `error` as a sentence where it is not ok.
import { sentence } from "./dom.js";

const SILENT = "The table does not answer just now. Try again.";

let csrf = null;
let asked = null;

// Whether this browser was unlocked with the host's PIN: {host: true | false}. Asked once; `again` asks anew.
export function session(again = false) {
  if (again || asked === null) {
    asked = get("/api/session").then((answer) => {
      if (answer.ok) csrf = answer.csrf;
      else asked = null;
      return { host: answer.ok && answer.host };
    });
  }
  return asked;
}

// A page that has a token of its own, as a seat has, gives it here.
export function useToken(token) {
  csrf = token;
}

export async function unlock(pin) {
  const answer = await post("/api/session", { pin });
  if (answer.ok) {
    csrf = answer.csrf;
    asked = Promise.resolve({ host: true });
  }
  return answer;
}

export async function signOut() {
  const answer = await post("/api/session/end", {});
  if (answer.ok) asked = null;
  return answer;
}

export function post(path, body) {
  return send(path, "application/json", JSON.stringify(body));
}

// A picture, as it comes from a camera or a file: a Blob of type image/jpeg or image/png.
export function postPicture(path, blob) {
  return send(path, blob.type, blob);
}

export function get(path) {
  return answerOf(() => fetch(path, { cache: "no-store" }));
}

async function send(path, type, body) {
  const used = csrf;
  const answer = await attempt(path, type, body);
  if (answer.status !== 403 || asked === null || path.startsWith("/api/session")) return answer;
  await session(true); // this browser may have been unlocked anew in another tab
  return csrf === used ? answer : attempt(path, type, body);
}

function attempt(path, type, body) {
  const headers = { "Content-Type": type };
  if (csrf) headers["X-Racko-CSRF"] = csrf;
  return answerOf(() => fetch(path, { method: "POST", headers, body }));
}

async function answerOf(request) {
  let answer;
  try {
    answer = await request();
  } catch {
    return { ok: false, status: 0, error: SILENT };
  }
  const said = await answer.json().catch(() => ({}));
  if (answer.ok && Array.isArray(said)) return { ok: true, status: answer.status, list: said };
  if (answer.ok) return { ...said, ok: true, status: answer.status };
  return { ...said, ok: false, status: answer.status, error: said.error ? sentence(said.error) : SILENT };
}
