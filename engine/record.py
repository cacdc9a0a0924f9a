"""Whole games as text, one after another, to be kept, compared and read by people.

    game parker-1992 bonus
    options {"turn_over": "no-discard"}
    seat 1 "Ada"
    seat 2 "Ben"
    round 1
    deck 12 5 33 ...
    2:D17@25x44 1:T44@10x3 2:D8x8
    out 2 1:30 2:75

The first line names the edition and its variants; `options` and `deck` may be missing. `round` gives the dealer's seat,
`deck` the shuffled deck, its top card first (only a simulated game knows it), then come the turns in their own notation
(engine.moves), eight a line; `out` gives who went out, and everybody's points. Unfinished rounds have no such line.
`parse_games(games_as_text(games)) == games`, and text as written here is read and written again as it was.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from engine.cards import SEATS, Card, Seat
from engine.editions import Rules
from engine.errors import BadInput, IllegalPlay
from engine.game import Game, Player, new_game
from engine.moves import Turn, parse_turn
from engine.rack import can_go_out
from engine.round import Play, Round, deal, play, turned_over, use_power
from engine.scoring import score_round
from engine.variants import AS_PRINTED, Options, parse_options

TURNS_A_LINE: Final = 8


@dataclass(frozen=True)
class RoundRecord:
    """One round. `deck`: top card first, empty where nobody knows it. `out`: None while the round is not over."""

    dealer: Seat
    deck: tuple[Card, ...] = ()
    turns: tuple[Turn, ...] = ()
    out: Seat | None = None
    points: Mapping[Seat, int] = field(default_factory=dict)


@dataclass(frozen=True)
class GameRecord:
    """One game, round by round."""

    edition: str
    players: tuple[Player, ...]
    variants: tuple[str, ...] = ()
    options: Options = AS_PRINTED
    rounds: tuple[RoundRecord, ...] = ()


def games_as_text(games: Iterable[GameRecord]) -> str:
    """Write games one after another; each line ends with a newline."""
    return "".join(f"{line}\n" for game in games for line in _game_lines(game))


def _game_lines(game: GameRecord) -> Iterator[str]:
    yield " ".join(("game", game.edition, *game.variants))
    options = game.options.as_json()
    if options:
        yield f"options {json.dumps(options)}"
    for player in game.players:
        yield f"seat {player.seat} {json.dumps(player.name)}"
    for record in game.rounds:
        yield f"round {record.dealer}"
        if record.deck:
            yield " ".join(("deck", *map(str, record.deck)))
        for first in range(0, len(record.turns), TURNS_A_LINE):
            yield " ".join(map(str, record.turns[first : first + TURNS_A_LINE]))
        if record.out is not None:
            yield " ".join((f"out {record.out}", *(f"{seat}:{points}" for seat, points in record.points.items())))


def parse_games(text: str) -> tuple[GameRecord, ...]:
    """Read games from text. Raises BadInput: the line's number, and what is wrong with it."""
    games: list[GameRecord] = []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        word, _, rest = line.partition(" ")
        try:
            if word == "game":
                edition, *variants = rest.split(" ")
                games.append(GameRecord(edition, (), tuple(variants)))
            elif not games:
                raise BadInput(
                    f"{line[:40]!r} comes before any game; a record begins with a line like 'game parker-1992'"
                )
            else:
                games[-1] = _with_line(games[-1], word, rest, line)
        except BadInput as problem:
            raise BadInput(f"line {number}: {problem}") from None
    return tuple(games)


def _with_line(game: GameRecord, word: str, rest: str, line: str) -> GameRecord:
    in_game = _GAME_LINES.get(word)
    if in_game is not None:
        return in_game(game, rest)
    if not game.rounds:
        raise BadInput(f"{line[:40]!r} comes before any round; a round begins with a line like 'round 1'")
    *earlier, last = game.rounds
    if last.out is not None:
        raise BadInput(f"{line[:40]!r} comes after the end of its round")
    in_round = _ROUND_LINES.get(word)
    if in_round is None:
        last = replace(last, turns=(*last.turns, *map(parse_turn, line.split(" "))))
    else:
        last = in_round(last, rest)
    return replace(game, rounds=(*earlier, last))


def _number(text: str, what: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 6 and text == str(int(text))):
        raise BadInput(f"{text[:40]!r} is no {what}")
    return int(text)


def _seat(text: str) -> Seat:
    if _number(text, "seat") not in SEATS:
        raise BadInput(f"seat {text} is none of 1 to 4")
    return int(text)


def _decoded(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise BadInput(f"{text[:40]!r} is not JSON") from None


def _options_line(game: GameRecord, rest: str) -> GameRecord:
    if game.rounds or game.options != AS_PRINTED:
        raise BadInput("options are named once, before the first round")
    return replace(game, options=parse_options(_decoded(rest)))


def _seat_line(game: GameRecord, rest: str) -> GameRecord:
    if game.rounds:
        raise BadInput("the players are named before the first round")
    seat, _, text = rest.partition(" ")
    name = _decoded(text)
    if not isinstance(name, str):
        raise BadInput(f"{text[:40]!r} is no name in quotation marks")
    return replace(game, players=(*game.players, Player(_seat(seat), name)))


def _round_line(game: GameRecord, rest: str) -> GameRecord:
    return replace(game, rounds=(*game.rounds, RoundRecord(_seat(rest))))


def _deck_line(record: RoundRecord, rest: str) -> RoundRecord:
    if record.deck or record.turns:
        raise BadInput("a round has one deck, named before its turns")
    return replace(record, deck=tuple(_number(card, "card") for card in rest.split(" ")))


def _out_line(record: RoundRecord, rest: str) -> RoundRecord:
    out, *points = rest.split(" ")
    by_seat: dict[Seat, int] = {}
    for item in points:
        text, _, number = item.partition(":")
        seat = _seat(text)
        if seat in by_seat:
            raise BadInput(f"seat {seat} is given points twice")
        by_seat[seat] = _number(number, "number of points")
    return replace(record, out=_seat(out), points=by_seat)


_GAME_LINES: Final[Mapping[str, Callable[[GameRecord, str], GameRecord]]] = {
    "options": _options_line,
    "seat": _seat_line,
    "round": _round_line,
}
_ROUND_LINES: Final[Mapping[str, Callable[[RoundRecord, str], RoundRecord]]] = {"deck": _deck_line, "out": _out_line}


def replayed(record: GameRecord) -> Game:
    """Play a record by the rules of its game, as far as it goes. Raises BadInput or IllegalPlay naming round and turn.

    Rounds whose deck is not known are only scored; their turns cannot be checked.
    """
    game = new_game(record.edition, record.players, record.variants, record.options)
    for number, played in enumerate(record.rounds, 1):
        try:
            game = _after_round(game, played)
        except (BadInput, IllegalPlay) as problem:
            raise type(problem)(f"round {number}: {problem}") from None
    return game


def _after_round(game: Game, record: RoundRecord) -> Game:
    if game.winners:
        raise BadInput("the game was over before it")
    for seat in (record.dealer, record.out):
        if seat is not None and seat not in game.seats:
            raise BadInput(f"nobody plays at seat {seat}")
    position = final_position(game, record) if record.deck else None
    if record.out is None:
        return game
    if set(record.points) != set(game.seats):
        raise BadInput(f"points are given for seats {sorted(record.points)}; those who play are {sorted(game.seats)}")
    if position is not None:
        racks = {seat: position.rack(seat) for seat in game.seats}
        points = {seat: score.points for seat, score in score_round(game.rules, racks, record.out).items()}
        if points != record.points:
            raise BadInput(f"the points are {points}, not {dict(record.points)}")
    return game.after_round(record.points, record.out)


def final_position(game: Game, record: RoundRecord) -> Round:
    """The position after a round's turns. Raises BadInput or IllegalPlay naming the turn that cannot be."""
    rules = game.rules
    if sorted(record.deck) != list(rules.deck):
        raise BadInput(f"the deck is not each card of 1 to {rules.highest_card} once")
    position = deal(game.seats, record.dealer, record.deck, rules.edition.turn_over, rules.edition.powers)
    for number, turn in enumerate(record.turns, 1):
        try:
            if rules.edition.ends_by_itself and _somebody_is_out(position, rules):
                raise BadInput("the round had ended by itself before it")
            position = after_turn(position, turn)
        except (BadInput, IllegalPlay) as problem:
            raise type(problem)(f"turn {number}, {turn}: {problem}") from None
    return position


def _somebody_is_out(position: Round, rules: Rules) -> bool:
    return any(can_go_out(rack, rules.edition.run_needed) for rack in position.racks)


def after_turn(position: Round, turn: Turn) -> Round:
    """Play a turn with its effect in an exact position. Raises BadInput where its seat or its cards are others."""
    if turn.seat != position.to_move:
        raise BadInput(f"it is the turn of seat {position.to_move}")
    if turn.source == "discard" and not position.draw and position.discard[-1:] != (turn.card,):
        position = turned_over(position)  # at once, when the draw pile was used up: its new top was taken
    move = play_of(turn)
    after = play(position, move)
    true = turn_between(position, move, after)
    if (turn.card, turn.discarded) != (true.card, true.discarded):
        raise BadInput(f"the cards are those of {true}")
    return after if turn.effect is None else use_power(after, turn.effect)


def play_of(turn: Turn) -> Play:
    """What a turn does to a position. Raises BadInput where nobody saw it."""
    if turn.source is None or (turn.source == "discard" and turn.slot is None):
        raise BadInput("nobody saw where its card came from, or where it went")
    return Play(turn.source, turn.slot)


def turn_between(before: Round, move: Play, after: Round) -> Turn:
    """The turn that `move` was, with its cards, told by the positions around it."""
    discarded = after.discard[-1]
    rack: Sequence[Card] = after.rack(before.to_move)
    card = discarded if move.slot is None else rack[move.slot // 5 - 1]
    return Turn(before.to_move, move.source, card, move.slot, discarded)
