// What a caller says aloud, and when: a pure fold over states and the clock, without a voice. The points of a round are
// said once they have stood for a while, so that no total is said and then corrected; where one is corrected all the
// same, that is said as such. While it is not certain how things stand, the caller is silent.

const SETTLE = 4_000; // ms that a score stands before it is said
const TURN = 1_200; // ms that a turn stands before it is said
const MOST = 8; // lines that wait; older ones make room

export function makeCaller({ settle = SETTLE, turns = false } = {}) {
  const caller = { turns };
  let state = null;
  let sure = false;
  let queue = [];
  let said = null; // the score as everybody heard it, or knew it when the caller began
  let score = { since: 0, key: "" };
  let turn = { since: 0, key: "", said: "" };
  let hush = false;

  // Takes in the table's newest state; `linked`: whether it is the newest indeed; `now` in ms.
  caller.hear = (next, linked, now) => {
    const before = state;
    const wasSure = sure;
    state = next;
    sure = linked && !next.lost && !next.paused && next.phase !== "checking";
    if (wasSure && !sure) {
      queue = [];
      hush = true;
    }
    if (before === null) {
      said = known(next);
      turn.said = turnKey(next);
    } else if (linked) tell(before);
    const key = JSON.stringify(known(next));
    if (key !== score.key) score = { since: now, key };
    if (turnKey(next) !== turn.key) turn = { ...turn, since: now, key: turnKey(next) };
  };

  // What is to be said by now: {hush: whether what is being said is to stop, lines}.
  caller.due = (now) => {
    if (state !== null && sure) {
      if (now - score.since >= settle) settleScore();
      if (now - turn.since >= TURN) sayTurn();
    }
    const lines = queue;
    const quiet = hush;
    queue = [];
    hush = false;
    return { hush: quiet, lines };
  };

  // What is told at once: that somebody called, and what the referee has to say to everybody.
  function tell(before) {
    const same = before.game === state.game && before.round === state.round;
    if (state.phase === "checking" && before.phase !== "checking") {
      const who = state.called_by === null ? null : nameOf(state, state.called_by);
      add(who === null ? "RACK-O was called." : `${who} calls RACK-O.`);
    }
    if (!sure) return;
    const last = same ? Math.max(0, ...before.notices.map((notice) => notice.number)) : 0;
    for (const notice of state.notices) if (notice.number > last) add(notice.text);
  }

  function settleScore() {
    const now = known(state);
    if (JSON.stringify(now) === JSON.stringify(said)) return;
    const [heard, rounds] = [said, now.points[0]?.length ?? 0];
    said = now;
    if (heard.game !== now.game) {
      if (rounds === 0) return;
      endOfRound(rounds);
      return;
    }
    const before = heard.points[0]?.length ?? 0;
    if (rounds < before) add(`Correction. The points of round ${before} do not count.`);
    else if (rounds > before) endOfRound(rounds);
    else if (JSON.stringify(heard.points) !== JSON.stringify(now.points)) correct(heard);
    else winners();
  }

  function endOfRound(rounds) {
    const out = state.racks.filter((rack) => rack.out).map((rack) => nameOf(state, rack.seat));
    if (out.length > 0) add(`${out.join(" and ")} goes out.`);
    if (state.target > 0) {
      const alone = state.sides.every((side) => side.players.length === 1);
      for (const player of state.players) add(points(player, rounds > 1 && alone));
      pairs();
    }
    winners();
  }

  function correct(heard) {
    add("Correction.");
    state.players.forEach((player, index) => {
      if (JSON.stringify(heard.points[index]) !== JSON.stringify(player.points)) add(points(player, true));
    });
    pairs();
    winners();
  }

  function pairs() {
    for (const side of state.sides.filter((one) => one.players.length > 1)) {
      add(`${side.players.map((player) => player.name).join(" and ")}: ${side.total} together.`);
    }
  }

  function winners() {
    if (state.winners.length === 0) return;
    const names = state.winners.map((seat) => nameOf(state, seat)).join(" and ");
    add(`${names} ${state.winners.length > 1 ? "win" : "wins"} the game.`);
  }

  function sayTurn() {
    if (turn.key === turn.said) return;
    turn.said = turn.key;
    if (caller.turns && turn.key !== "") add(`${nameOf(state, state.to_move)}’s turn.`);
  }

  function add(line) {
    queue = [...queue, line].slice(-MOST);
  }

  return caller;
}

// What is compared: the points of every round, and who has won.
const known = (state) => ({ game: state.game, points: state.players.map((player) => player.points), winners: state.winners });

function turnKey({ phase, round, plays, to_move: seat }) {
  return phase === "playing" && seat !== null ? `${round}/${plays.at(-1)?.number}/${seat}` : "";
}

const nameOf = (state, seat) => state.players.find((player) => player.seat === seat)?.name ?? `Seat ${seat}`;

const points = (player, total) => `${player.name}: ${player.points.at(-1)} points${total ? `, ${player.total} in all` : ""}.`;
