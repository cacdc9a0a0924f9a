"""A snapshot in plain words and plain JSON: what the pages draw, and nothing that a snapshot does not say.

`as_json` gives an object with these keys, always all of them:

    version, phase, edition, variants, target, round, dealer, to_move, discard, called_by, winners
              as in `engine.snapshot.Snapshot`; target 0: nothing is scored
    lost      true while a round is on of which the referee has lost the thread
    game      the number of the game in the history, 0 before the first
    highest   the highest card of the deck
    wanted    the seats whose racks are to be shown to a camera
    paused    true while nothing is taken for play
    headline  {"kicker", "who", "what", "detail"}: "who" + "what" is one sentence; any of them may be ""
    about     one line about the round: "Round 3 · to 500 points"
    rules     one line about the game: "Hasbro 2006 · classic, bonus"
    players   [{"seat", "name", "total", "points": [...]}]
    sides     who wins together: [{"players": [as above, one or two], "total", "points": [...]}], added up
    plays     [{"number", "seat", "source", "exchanged", "discarded", "words", "more"}], by number;
              "more" tells of a used power and of the discard pile being turned over, or is ""
    notices   [{"number", "rule", "seat", "title", "text"}], by number
    racks     [{"seat", "points", "out", "why", "cards": [{"slot", "card", "state"}]}], slots 5 to 50;
              state is "scores", "broke" (the order broke here) or "rest"; [] until the round is over
    spoken    [{"number", "about", "text"}], by number: what may be said aloud now. A line that is new there is said
              once; one that is gone is not said any more, or broken off. [] but for the scoreboard
"""

from collections.abc import Sequence
from dataclasses import asdict
from functools import lru_cache

from engine.cards import HIGHEST_CARD, SLOTS, Card, Seat
from engine.errors import BadInput
from engine.snapshot import Notice, PlayerLine, PublicPlay, ShownRack, Snapshot
from engine.variants import rules_for
from webui.desk import SpokenLine

Json = dict[str, object]


def round_is_on(snapshot: Snapshot) -> bool:
    """Whether a round is on, so that racks are secret."""
    return snapshot.phase in ("playing", "checking")


def as_json(snapshot: Snapshot, game: int = 0, spoken: Sequence[SpokenLine] = ()) -> Json:
    """Return `snapshot`, of game number `game`, as an object with the keys listed at the top of this file."""
    on = round_is_on(snapshot)
    return {
        "version": snapshot.version,
        "phase": snapshot.phase,
        "edition": snapshot.edition,
        "variants": list(snapshot.variants),
        "target": snapshot.target,
        "round": snapshot.round,
        "dealer": snapshot.dealer,
        "to_move": snapshot.to_move,
        "discard": snapshot.discard,
        "called_by": snapshot.called_by,
        "winners": list(snapshot.winners),
        "lost": snapshot.lost and on,
        "game": game,
        "highest": _highest(snapshot.edition, len(snapshot.players), snapshot.variants),
        "wanted": list(snapshot.wanted),
        "paused": snapshot.paused,
        "headline": headline(snapshot),
        "about": about(snapshot),
        "rules": rules(snapshot),
        "players": [_player(line) for line in snapshot.players],
        "sides": [_side([line for line in snapshot.players if line.seat in side]) for side in snapshot.sides],
        "plays": [_play(snapshot, play) for play in sorted(snapshot.plays, key=lambda play: play.number)],
        "notices": [_notice(notice) for notice in sorted(snapshot.notices, key=lambda notice: notice.number)],
        # The engine shows no rack before its round is over; this would hide one all the same.
        "racks": [rack_json(rack) for rack in snapshot.racks] if snapshot.phase in ("round-over", "game-over") else [],
        "spoken": [asdict(line) for line in spoken],
    }


def play_words(name: str, play: PublicPlay) -> str:
    """Say one turn as everybody saw it; a card that is in a rack again is not named."""
    if play.source is None:
        return f"{name} discarded {'a card' if play.discarded is None else play.discarded}"
    if play.source == "discard":
        return f"{name} took the discard" + ("" if play.discarded is None else f" and discarded {play.discarded}")
    if not play.exchanged:
        what = "a card" if play.discarded is None else str(play.discarded)
        return f"{name} drew {what} and discarded it"
    given = "a card" if play.discarded is None else str(play.discarded)
    return f"{name} drew from the pile and discarded {given}"


def more_words(snapshot: Snapshot, play: PublicPlay) -> str:
    """Say what else everybody saw: the discard pile being turned over, and what the Prime card's power did."""
    parts = []
    if play.turned_over:
        parts.append("The discard pile was turned over.")
    if play.effect == "again":
        parts.append("Prime card: another turn.")
    elif play.effect is not None:
        (seat, _), (other, _) = play.effect.one, play.effect.other
        one, two = seat_name(snapshot, seat), seat_name(snapshot, other)
        cards = f"two cards of {one}" if seat == other else f"a card of {one} and one of {two}"
        parts.append(f"Prime card: {cards} changed places.")
    return " ".join(parts)


def about(snapshot: Snapshot) -> str:
    """Say in one line which round it is and how far the game goes."""
    parts = []
    if snapshot.round > 0:
        parts.append(f"Round {snapshot.round}")
    if snapshot.edition:
        parts.append(f"to {snapshot.target} points" if snapshot.target > 0 else "the first out wins")
    return " · ".join(parts)


def rules(snapshot: Snapshot) -> str:
    """Say in one line by which rules the game is played."""
    variants = ", ".join(variant.replace("-", " ") for variant in snapshot.variants)
    return " · ".join(filter(None, [snapshot.edition.replace("-", " ").title(), variants]))


def headline(snapshot: Snapshot) -> dict[str, str]:
    """Say in one sentence how things stand: whose turn it is, who went out, who won."""
    kicker, who, what, detail = "", "", "", ""
    match snapshot.phase:
        case "waiting":
            what, detail = "Ready for the deal", "The host starts the round when the cards are in the racks."
        case "playing" if snapshot.paused:
            what, detail = "Paused", "Nothing is taken for play until the host goes on."
        case "playing" if snapshot.lost:
            what, detail = "Play on", "The referee has lost the thread, and will pick it up again."
        case "playing":
            who = "" if snapshot.to_move is None else seat_name(snapshot, snapshot.to_move)
            what = "’s turn" if who else "The round is on"  # noqa: RUF001 - a typographic apostrophe
        case "checking":
            who = "" if snapshot.called_by is None else seat_name(snapshot, snapshot.called_by)
            what, detail = " calls RACK-O!" if who else "RACK-O! was called", _looked_at(snapshot)
        case "round-over":
            who = _join([seat_name(snapshot, rack.seat) for rack in snapshot.racks if rack.out])
            kicker, what = ("RACK-O!", " goes out") if who else ("", "The round is over")
            detail = "Deal the next round when you are ready."
        case "game-over":
            who = _join([seat_name(snapshot, seat) for seat in snapshot.winners])
            verb = " win the game" if len(snapshot.winners) > 1 else " wins the game"
            kicker, what = ("RACK-O!", verb) if who else ("", "The game is over")
            detail = f"After {snapshot.round} round{'' if snapshot.round == 1 else 's'}. Well played."
    return {"kicker": kicker, "who": who, "what": what, "detail": detail}


def _looked_at(snapshot: Snapshot) -> str:
    """Say what the verdict waits for."""
    match snapshot.wanted:
        case ():
            return "The racks are being looked at…"
        case (seat,):
            return f"Show {seat_name(snapshot, seat)}’s rack to the camera."  # noqa: RUF001 - a typographic apostrophe
    return "Show the racks to the camera, one after the other."


@lru_cache(maxsize=64)
def _highest(edition: str, players: int, variants: tuple[str, ...]) -> Card:
    try:
        return rules_for(edition, players, variants).highest_card
    except BadInput:  # no game yet
        return HIGHEST_CARD


def _player(line: PlayerLine) -> Json:
    return {"seat": line.seat, "name": line.name, "total": line.total, "points": list(line.points)}


def _side(lines: list[PlayerLine]) -> Json:
    by_round = zip(*(line.points for line in lines), strict=True)
    return {
        "players": [_player(line) for line in lines],
        "total": sum(line.total for line in lines),
        "points": [sum(points) for points in by_round],
    }


def _play(snapshot: Snapshot, play: PublicPlay) -> Json:
    return {
        "number": play.number,
        "seat": play.seat,
        "source": play.source,
        "exchanged": play.exchanged,
        "discarded": play.discarded,
        "words": play_words(seat_name(snapshot, play.seat), play),
        "more": more_words(snapshot, play),
    }


def _notice(notice: Notice) -> Json:
    title = notice.rule.replace("-", " ").capitalize()
    return {"number": notice.number, "rule": notice.rule, "seat": notice.seat, "title": title, "text": notice.text}


def rack_json(rack: ShownRack) -> Json:
    """Return a rack that was turned up, slot by slot."""
    cards = []
    for place, (slot, card) in enumerate(zip(SLOTS, rack.cards, strict=True)):
        state = "scores" if place < rack.scoring else "broke" if slot == rack.broke_at else "rest"
        cards.append({"slot": slot, "card": card, "state": state})
    return {"seat": rack.seat, "points": rack.points, "out": rack.out, "why": rack.why, "cards": cards}


def seat_name(snapshot: Snapshot, seat: Seat) -> str:
    """Return who sits there, or the seat's number where nobody is known to."""
    return next((line.name for line in snapshot.players if line.seat == seat), f"Seat {seat}")


def _join(names: list[str]) -> str:
    return " and ".join(names)
