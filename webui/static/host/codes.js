// The players' own pages: a code each for the camera of a phone. A code is shown one at a time, for it opens the page.
import { get } from "../shared/api.js";
import { at, button, el, name, put, redraw, unseen } from "../shared/dom.js";
import { open as openDialog } from "../shared/ask.js";
import { isShown } from "./tabs.js";

let people = "";

async function open() {
  const answer = await get("/api/host/seats");
  put("codes-error", answer.ok ? "" : answer.error);
  if (!answer.ok) return;
  redraw(at("codes-list"), answer.list, (seats) => seats.map((seat) => {
    const show = button("button quiet", "Code", () => code(seat));
    show.append(unseen(` of seat ${seat.seat}, ${seat.name}`));
    show.dataset.key = `code-${seat.seat}`;
    return el("li", "code-row", el("span", "code-seat", `Seat ${seat.seat}`), name(seat.name), show);
  }));
}

function code({ seat, name: called, url }) {
  const heading = el("h2", "", name(called, ""), "’s page");
  heading.id = "code-title";
  const image = el("img", "code-image");
  image.alt = `Code of the page of seat ${seat}`;
  image.src = `/api/host/seats/${seat}.svg`;
  const address = el("a", "code-address", url);
  address.href = url;
  const close = button("button primary", "Close", () => dialog.close());
  const words = el("p", "", "For this player’s phone only: who has this page sees what is asked about this rack.");
  const dialog = el("dialog", "sheet", heading, image, words, address, close);
  dialog.setAttribute("aria-labelledby", heading.id);
  openDialog(dialog);
  close.focus();
}

export const codes = {
  open,
  follow: ({ board }) => {
    const now = JSON.stringify(board.players.map(({ seat, name: called }) => [seat, called]));
    const changed = now !== people;
    people = now;
    if (changed && isShown("seats")) open();
  },
};
