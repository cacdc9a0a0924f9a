"""`racko score` and `racko referee`: JSON lines in, scores or the referee's events out."""

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path
from typing import Any, TextIO

from device.words import in_words
from engine.cards import Card, Seat
from engine.errors import BadInput, RackoError
from engine.events import Event, Json, spoken
from engine.lines import parse_line, parse_seat
from engine.referee import Referee
from engine.scoring import score_round
from engine.variants import parse_options, rules_for


@contextmanager
def opened(file: Path | None) -> Iterator[TextIO]:
    """Open the input: a file, or standard input for None. Raises BadInput for a file that cannot be read."""
    if file is None:
        if isinstance(sys.stdin, TextIOWrapper):
            sys.stdin.reconfigure(encoding="utf-8", errors="replace")
        yield sys.stdin
        return
    try:
        stream = file.open(encoding="utf-8", errors="replace")
    except OSError as problem:
        raise BadInput(f"{file}: cannot be read ({problem.strerror})") from None
    with stream:
        yield stream


def _decoded(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as problem:
        raise BadInput(f"not JSON: {problem}") from None


def _each_line(lines: Iterable[str], answer: Callable[[object], None], *, as_json: bool) -> bool:
    """Answer every line; one that is refused gets its error in its place. Return whether one was refused."""
    refused = False
    for number, text in enumerate(lines, 1):
        if not text.strip():
            continue
        try:
            answer(_decoded(text))
        except RackoError as problem:
            refused = True
            words = " ".join(str(problem).split())
            if as_json:
                print(json.dumps({"error": words, "line": number}, ensure_ascii=False), flush=True)
            else:
                print(f"racko: line {number}: {words}", file=sys.stderr)
    return refused


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
        return int(_each_line(stream, answer, as_json=as_json))


def score_line(said: object) -> Json:
    """Score one line's racks. Raises BadInput for what cannot be right."""
    if not isinstance(said, dict):
        raise BadInput("a line is one JSON object with edition, racks and out")
    edition, variants = said.get("edition"), said.get("variants", [])
    if not isinstance(edition, str):
        raise BadInput(f"edition: {edition!r} is not a name")
    if not isinstance(variants, list) or not all(isinstance(variant, str) for variant in variants):
        raise BadInput(f"variants: {variants!r} is not a list of names")
    racks = _racks(said.get("racks"))
    rules = rules_for(edition, len(racks), variants, parse_options(said.get("options") or {}))
    scores = score_round(rules, racks, parse_seat(said.get("out"), "out"))
    return {
        "scores": {str(seat): score.points for seat, score in scores.items()},
        "why": {str(seat): score.why for seat, score in scores.items()},
    }


def _racks(said: Any) -> dict[Seat, list[Card]]:  # noqa: ANN401 - decoded JSON may be anything
    if not isinstance(said, dict):
        raise BadInput('racks: an object like {"1": [3, 17, ...], "2": [...]} is missing')
    racks = {}
    for text, cards in said.items():
        seat = parse_seat(int(text) if text.isascii() and text.isdigit() and len(text) < 4 else text, "racks")
        if not isinstance(cards, list):
            raise BadInput(f"racks: seat {seat}: {cards!r} is not a list of ten cards")
        for card in cards:
            if isinstance(card, bool) or not isinstance(card, int):
                raise BadInput(f"racks: seat {seat}: {card!r} is not a card's number")
        racks[seat] = cards
    return racks


def judge(file: Path | None, *, as_json: bool) -> int:
    """Referee a stream of observations; return the exit code, 1 if a line was refused."""
    referee = Referee()

    def tell(events: Iterable[Event]) -> None:
        for event in events:
            if as_json:
                said = spoken(event)
                if said is not None:
                    print(json.dumps(said, ensure_ascii=False), flush=True)
            elif referee.game is not None:
                print(*in_words(event, referee.game), sep="\n", flush=True)

    with opened(file) as stream:
        refused = _each_line(stream, lambda said: tell(referee.feed(parse_line(said))), as_json=as_json)
    tell(referee.finish())
    return int(refused)
