"""A snapshot in plain words and plain JSON: what the pages draw, and nothing that a snapshot does not say.

`as_json` gives an object with these keys, always all of them:

    version, phase, edition, target, round, dealer, to_move, discard, winners    as in `engine.snapshot.Snapshot`
    headline  {"kicker", "who", "what", "detail"}: "who" + "what" is one sentence; any of them may be ""
    about     one line about the game: "Round 3 · to 500 points"
    players   [{"seat", "name", "total", "points": [...]}]
    plays     [{"number", "seat", "source", "exchanged", "discarded", "words"}], by number
    notices   [{"number", "rule", "seat", "title", "text"}], by number
    racks     [{"seat", "points", "out", "why", "cards": [{"slot", "card", "state"}]}], slots 5 to 50;
              state is "scores", "broke" (the order broke here) or "rest"
"""

from engine.cards import SLOTS, Seat
from engine.snapshot import Notice, PublicPlay, ShownRack, Snapshot

Json = dict[str, object]


def as_json(snapshot: Snapshot) -> Json:
    """Return `snapshot` as an object for `json.dumps`, with the keys listed at the top of this file."""
    return {
        "version": snapshot.version,
        "phase": snapshot.phase,
        "edition": snapshot.edition,
        "target": snapshot.target,
        "round": snapshot.round,
        "dealer": snapshot.dealer,
        "to_move": snapshot.to_move,
        "discard": snapshot.discard,
        "winners": list(snapshot.winners),
        "headline": headline(snapshot),
        "about": about(snapshot),
        "players": [
            {"seat": line.seat, "name": line.name, "total": line.total, "points": list(line.points)}
            for line in snapshot.players
        ],
        "plays": [_play(snapshot, play) for play in sorted(snapshot.plays, key=lambda play: play.number)],
        "notices": [_notice(notice) for notice in sorted(snapshot.notices, key=lambda notice: notice.number)],
        "racks": [_rack(rack) for rack in snapshot.racks],
    }


def play_words(name: str, play: PublicPlay) -> str:
    """Say one turn as everybody saw it; a card that is in a rack again is not named."""
    if play.source == "discard":
        return f"{name} took the discard" + ("" if play.discarded is None else f" and discarded {play.discarded}")
    if not play.exchanged:
        what = "the card" if play.discarded is None else str(play.discarded)
        return f"{name} drew {what} and discarded it"
    given = "a card" if play.discarded is None else str(play.discarded)
    return f"{name} drew from the pile and discarded {given}"


def about(snapshot: Snapshot) -> str:
    """Say in one line which round it is and how far the game goes."""
    parts = []
    if snapshot.round > 0:
        parts.append(f"Round {snapshot.round}")
    if snapshot.target > 0:
        parts.append(f"to {snapshot.target} points")
    return " · ".join(parts)


def headline(snapshot: Snapshot) -> dict[str, str]:
    """Say in one sentence how things stand: whose turn it is, who went out, who won."""
    kicker, who, what, detail = "", "", "", ""
    match snapshot.phase:
        case "waiting":
            what, detail = "Ready for the deal", "The page follows as soon as the cards are in the racks."
        case "playing":
            who = "" if snapshot.to_move is None else _name(snapshot, snapshot.to_move)
            what = "’s turn" if who else "The round is on"  # noqa: RUF001 - a typographic apostrophe
        case "checking":
            what, detail = "RACK-O! was called", "Looking at the racks…"
        case "round-over":
            who = _join([_name(snapshot, rack.seat) for rack in snapshot.racks if rack.out])
            kicker, what = ("RACK-O!", " goes out") if who else ("", "The round is over")
            detail = "Deal the next round when you are ready."
        case "game-over":
            who = _join([_name(snapshot, seat) for seat in snapshot.winners])
            verb = " win the game" if len(snapshot.winners) > 1 else " wins the game"
            kicker, what = ("RACK-O!", verb) if who else ("", "The game is over")
            detail = f"After {snapshot.round} round{'' if snapshot.round == 1 else 's'}. Well played."
    return {"kicker": kicker, "who": who, "what": what, "detail": detail}


def _play(snapshot: Snapshot, play: PublicPlay) -> Json:
    return {
        "number": play.number,
        "seat": play.seat,
        "source": play.source,
        "exchanged": play.exchanged,
        "discarded": play.discarded,
        "words": play_words(_name(snapshot, play.seat), play),
    }


def _notice(notice: Notice) -> Json:
    title = notice.rule.replace("-", " ").capitalize()
    return {"number": notice.number, "rule": notice.rule, "seat": notice.seat, "title": title, "text": notice.text}


def _rack(rack: ShownRack) -> Json:
    cards = []
    for place, (slot, card) in enumerate(zip(SLOTS, rack.cards, strict=True)):
        state = "scores" if place < rack.scoring else "broke" if slot == rack.broke_at else "rest"
        cards.append({"slot": slot, "card": card, "state": state})
    return {"seat": rack.seat, "points": rack.points, "out": rack.out, "why": rack.why, "cards": cards}


def _name(snapshot: Snapshot, seat: Seat) -> str:
    return next((line.name for line in snapshot.players if line.seat == seat), f"Seat {seat}")


def _join(names: list[str]) -> str:
    return " and ".join(names)
