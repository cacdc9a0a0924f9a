// The host's words to the table. What changed because of one stays readable on the round's page until the next.
import { post } from "../shared/api.js";
import { at } from "../shared/dom.js";
import { list } from "../shared/outcome.js";

let busy = false;

// Says `said` ({type, ...}) and tells `place` (an outcome) what came of it; resolves the answer.
export async function order(said, place, done) {
  if (busy) return { ok: false }; // a second tap on the way: the first is enough
  busy = true;
  place.tell(null);
  const answer = await post("/api/host/order", said);
  busy = false;
  place.tell(answer, done);
  const changes = answer.ok ? (answer.changes ?? []) : [];
  if (changes.length > 0) {
    at("changes").hidden = false;
    at("changes-list").replaceChildren(...list(changes));
  }
  return answer;
}
