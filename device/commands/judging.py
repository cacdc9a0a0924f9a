"""`racko score` and `racko referee`: JSON lines in, scores, the referee's events or records of games out."""

import json
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path
from typing import Any, Final, TextIO

from device.commands.records import after, begun
from device.commands.words import in_words
from engine.cards import Card, Seat
from engine.errors import BadInput, RackoError
from engine.events import Event, GameStarted, Json, spoken
from engine.game import Game
from engine.line_json import parse_line, parse_seat, parse_seat_key
from engine.record import GameRecord, games_as_text
from engine.referee import Referee
from engine.scoring import score_round
from engine.variants import parse_options, rules_for

DEEPEST: Final = 20
"""How many arrays and objects may stand in one another; the deepest line of the README (Formats) has four."""

LONGEST: Final = 300
"""The most letters of an error: a line may hold anything, and its error may quote it."""


@contextmanager
def opened(file: Path | None) -> Iterator[TextIO]:
    """Open the input: a file, or standard input for None. Raises BadInput for a file that cannot be read."""
    if file is None:
        if sys.stdin is None:
            raise BadInput("standard input is closed; name a file")
        if isinstance(sys.stdin, TextIOWrapper):
            sys.stdin.reconfigure(encoding="utf-8-sig", errors="replace")
        yield sys.stdin
        return
    try:
        stream = file.open(encoding="utf-8-sig", errors="replace")
    except OSError as problem:
        raise BadInput(f"{file}: cannot be read ({problem.strerror})") from None
    with stream:
        yield stream


def decoded(text: str) -> object:
    """What one line of JSON says. Raises BadInput for what is no JSON, names a key twice or is nested too deeply."""
    too_deep = BadInput(f"not JSON of this program: more than {DEEPEST} arrays or objects stand in one another")
    try:
        said: object = _DECODER.decode(text.rstrip())
    except json.JSONDecodeError as problem:
        raise BadInput(f"not JSON: {problem.msg} (column {problem.colno})") from None
    except ValueError:
        raise BadInput("not JSON that can be read: a number has thousands of digits") from None
    except RecursionError:
        raise too_deep from None
    if text.count("[") + text.count("{") > DEEPEST and _is_deeper(said, DEEPEST):
        raise too_deep
    return said


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    said = dict(pairs)
    if len(said) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise BadInput(f"the key {twice!r} stands twice in one object; name it once")
    return said


def _constant(word: str) -> object:
    raise BadInput(f"not JSON: {word} is no number; leave out what is not known")


_DECODER: Final = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_constant)


def _is_deeper(value: object, levels: int) -> bool:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    if levels == 0:
        return isinstance(value, dict | list)
    return any(_is_deeper(item, levels - 1) for item in inner)


def _each_line(stream: TextIO, answer: Callable[[object], None], *, as_json: bool) -> int:
    """Answer every line; one that is refused gets its error in its place.

    Return the exit code: 1 if a line was refused, 2 if the lines could not be read to their end.
    """
    code = number = 0
    while True:
        number += 1
        try:
            text = stream.readline()
        except OSError as problem:
            _refuse(f"the lines cannot be read any further ({problem.strerror or problem})", number, as_json=as_json)
            return 2
        if not text:
            return code
        if not text.strip():
            continue
        try:
            answer(decoded(text))
        except RackoError as problem:
            code = 1
            _refuse(str(problem), number, as_json=as_json)


def _refuse(problem: str, number: int, *, as_json: bool) -> None:
    words = " ".join(problem.split())
    if len(words) > LONGEST:
        words = f"{words[: LONGEST - 3]}..."
    if as_json:
        print(json.dumps({"error": words, "line": number}, ensure_ascii=False), flush=True)
    else:
        print(f"racko: line {number}: {words}", file=sys.stderr)


def score(file: Path | None, *, as_json: bool) -> int:
    """Score racks, a line each; return the exit code, 1 if a line was refused."""

    def answer(said: object) -> None:
        scored = score_line(said)
        if as_json:
            print(json.dumps(scored, ensure_ascii=False), flush=True)
        else:
            for seat, points in scored["scores"].items():
                print(f"seat {seat} scores {points:3}: {scored['why'][seat]}", flush=True)

    with opened(file) as stream:
        return _each_line(stream, answer, as_json=as_json)


def score_line(said: object) -> Json:
    """Score one line's racks. Raises BadInput for what cannot be right."""
    if not isinstance(said, dict):
        raise BadInput("a line is one JSON object with edition, racks and out")
    edition, variants, options = said.get("edition"), said.get("variants", []), said.get("options")
    if not isinstance(edition, str):
        raise BadInput(f"edition: {edition!r} is not a name")
    if not isinstance(variants, list) or not all(isinstance(variant, str) for variant in variants):
        raise BadInput(f"variants: {variants!r} is not a list of names")
    racks = _racks(said.get("racks"))
    rules = rules_for(edition, len(racks), variants, parse_options({} if options is None else options))
    scores = score_round(rules, racks, parse_seat(said.get("out"), "out"))
    return {
        "scores": {str(seat): score.points for seat, score in scores.items()},
        "why": {str(seat): score.why for seat, score in scores.items()},
    }


def _racks(said: object) -> Mapping[Seat, list[Card]]:
    if not isinstance(said, dict):
        raise BadInput('racks: an object like {"1": [3, 17, ...], "2": [...]} is missing')
    racks = {}
    for text, cards in said.items():
        seat = parse_seat_key(text, "racks")
        if not isinstance(cards, list):
            raise BadInput(f"racks: seat {seat}: {cards!r} is not a list of ten cards")
        for card in cards:
            if isinstance(card, bool) or not isinstance(card, int):
                raise BadInput(f"racks: seat {seat}: {card!r} is not a card's number")
        racks[seat] = cards
    return racks


class Chronicle:
    """Writes each game down in its notation (engine.record) when the next one begins, or no more will come."""

    def __init__(self) -> None:
        """Wait for a game."""
        self._record: GameRecord | None = None

    def hear(self, event: Event, game: Game) -> None:
        """Take what the referee says of a game."""
        if isinstance(event, GameStarted):
            self.close()
            self._record = begun(event, game.options)
        elif self._record is not None:
            self._record = after(self._record, event)

    def close(self) -> None:
        """Print the game that is on, finished or cut off."""
        if self._record is not None:
            print(games_as_text([self._record]), end="", flush=True)
        self._record = None


def _say_json(event: Event, game: Game) -> None:  # noqa: ARG001 - said as the other two ways are
    said = spoken(event)
    if said is not None:
        print(json.dumps(said, ensure_ascii=False), flush=True)


def _say_words(event: Event, game: Game) -> None:
    print(*in_words(event, game), sep="\n", flush=True)


def judge(file: Path | None, *, as_json: bool, notation: bool = False) -> int:
    """Referee a stream of observations; return the exit code, 1 if a line was refused.

    notation: print no events but each game as text, once it is over or cut off.
    """
    referee, chronicle = Referee(), Chronicle()
    say = chronicle.hear if notation else _say_json if as_json else _say_words

    def tell(events: list[Event], game: Game | None) -> None:
        for event in events:
            # What is said last of a game comes with the start of the next one, whose players are others.
            game = referee.game if isinstance(event, GameStarted) else game
            if game is not None:
                say(event, game)

    def answer(said: object) -> None:
        before = referee.game
        tell(referee.feed(parse_line(said)), before)

    with opened(file) as stream:
        code = _each_line(stream, answer, as_json=as_json)
    tell(referee.finish(), referee.game)
    chronicle.close()
    return code
