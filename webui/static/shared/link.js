// Keeps a page joined to the table: a stream of states; where there is no place for one, asking now and then.

const SILENCE = 25_000; // ms without a state or a beat (the table sends one each 10 s): the stream is dead
const POLL = 2_000; // ms between two questions while there is no stream
const TRY_STREAM = 4_000; // ms, up to twice as long, until a refused stream is tried again
const SHUT = [401, 403, 404]; // answers after which asking again is of no use

// `base` is the address under which `events` and `state` stand. onState(state) for each state; onLink("live" |
// "polling" | "lost" | "shut") whenever that changes; "shut" is the end: this page may not see it (any more).
export function follow(base, onState, onLink) {
  let source = null;
  let heard = 0;
  let polling = null;
  let later = null;
  let ended = false;

  function open() {
    clearTimeout(later);
    later = null;
    if (source) source.close();
    heard = performance.now();
    const mine = new EventSource(`${base}/events`);
    source = mine;
    mine.onmessage = (event) => {
      alive();
      onState(JSON.parse(event.data));
    };
    mine.addEventListener("beat", alive);
    mine.onerror = () => {
      if (source !== mine || ended) return;
      if (mine.readyState !== EventSource.CLOSED) {
        onLink("lost"); // the browser tries again by itself
        return;
      }
      // Refused, 503 for one: the browser has given up.
      startPolling();
      if (later === null) later = setTimeout(open, TRY_STREAM * (1 + Math.random()));
    };
  }

  function alive() {
    heard = performance.now();
    stopPolling();
    onLink("live");
  }

  function startPolling() {
    if (polling !== null) return;
    polling = setInterval(poll, POLL);
    poll();
  }

  function stopPolling() {
    clearInterval(polling);
    polling = null;
  }

  async function poll() {
    try {
      const answer = await fetch(`${base}/state`, { cache: "no-store", signal: timeout(5_000) });
      if (SHUT.includes(answer.status)) {
        end();
        onLink("shut");
        return;
      }
      if (!answer.ok) throw new Error(String(answer.status));
      const state = await answer.json();
      if (polling === null) return; // the stream was quicker
      onState(state);
      onLink("polling");
    } catch {
      if (polling !== null) onLink("lost");
    }
  }

  function wake() {
    if (document.visibilityState === "visible" && source.readyState !== EventSource.OPEN) open();
  }

  function end() {
    ended = true;
    stopPolling();
    clearTimeout(later);
    clearInterval(watch);
    source.close();
    document.removeEventListener("visibilitychange", wake);
    window.removeEventListener("online", wake);
  }

  open();
  const watch = setInterval(() => {
    if (polling === null && performance.now() - heard > SILENCE) {
      onLink("lost");
      open();
    }
  }, 5_000);
  document.addEventListener("visibilitychange", wake);
  window.addEventListener("online", wake);
  return end;
}

function timeout(milliseconds) {
  const control = new AbortController();
  setTimeout(() => control.abort(), milliseconds);
  return control.signal;
}

// How the link stands, in the words that every page's header uses.
export const LINK_WORDS = { opening: "", live: "", polling: "", lost: "Reconnecting…", shut: "" };
