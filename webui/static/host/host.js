// The host's page: locked until the PIN was right, then joined to the table like the scoreboard.
import { session, signOut } from "../shared/api.js";
import { at, put } from "../shared/dom.js";
import { follow, LINK_WORDS } from "../shared/link.js";
import { pinForm } from "../shared/pin.js";
import { cameras } from "./cameras.js";
import { cards } from "./cards.js";
import { codes } from "./codes.js";
import { newGame } from "./game.js";
import { round } from "./round.js";
import { mark, show, shownTab, tabs } from "./tabs.js";

let entered = false; // the PIN was right just now: the focus goes on into the page

function draw(view) {
  const { board } = view;
  document.body.dataset.phase = board.phase;
  put("strip", [board.headline.who + board.headline.what, board.about].filter(Boolean).join(" · "));
  round(view);
  cards(view);
  newGame.follow(view);
  cameras(view);
  codes.follow(view);
  // For screen readers, when it changed.
  put("said", [`${board.headline.who}${board.headline.what}.`, board.headline.detail].filter(Boolean).join(" "));
  const asks = board.phase === "checking" || view.doubts.length > 0;
  mark("round", asks ? "asks for you" : "");
  const amiss = view.remarks.length > 0 || view.cameras.some((one) => one.state !== "live" || one.words !== "");
  mark("cameras", amiss ? "something is amiss" : "");
  at("waiting").hidden = true;
  if (at("desk").hidden) {
    at("desk").hidden = false;
    opened(shownTab());
  }
  if (entered) at("tab-round").focus();
  entered = false;
  document.body.dataset.version = view.version; // last: now all of it is drawn
}

function enter() {
  at("lock").hidden = true;
  at("waiting").hidden = false;
  follow("/api/host", draw, (link) => {
    document.body.dataset.link = link;
    put("link", LINK_WORDS[link]);
    if (link === "shut") lock();
  });
}

// What was drawn goes with the session: a new page begins with nothing.
function lock() {
  if (!at("desk").hidden) location.reload();
  at("waiting").hidden = true;
  at("lock").hidden = false;
  at("lock-form").replaceChildren(pinForm("The host’s PIN", () => {
    entered = true;
    enter();
  }));
  at("lock-form").querySelector("input").focus();
}

at("sign-out").addEventListener("click", async () => {
  const answer = await signOut();
  if (answer.ok) location.reload();
  else put("sign-out-error", answer.error);
});

// What a section needs from the table is asked for when it is looked at, and not before the PIN was right.
function opened(name) {
  if (at("desk").hidden) return;
  if (name === "game") newGame.open();
  if (name === "seats") codes.open();
}

tabs(opened);
show(location.hash.slice(1));
session().then(({ host }) => (host ? enter() : lock()));
