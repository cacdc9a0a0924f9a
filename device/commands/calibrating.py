"""`racko calibrate --deck`: the owner's deck is shown to the camera, and its look kept beside the table's measures."""

import json
import re
import sys
from collections.abc import Sequence
from pathlib import Path

from calibration.deckfile import CARDS, SHEET, write_deck
from calibration.table import Deck, Places, Table, TableError, read_table
from device.commands.reading import camera_for
from device.observing.learning import Lesson, Shown, UnseenError, learn_from, racks_in, shown_in
from engine.cards import SLOTS, Card
from engine.events import Json
from vision.picture import load_picture
from vision.reading.digits import NumberReader


def calibrate_deck(images: Sequence[Path], table_file: Path, cards: str | None, *, as_json: bool) -> int:
    """Learn a deck from pictures and write deck.toml and deck.png beside the table; return the exit code.

    It is 1 where something was passed over, 2 where a picture could not be used. Raises TableError where `cards` or
    the table cannot be, or where no picture could be used.
    """
    table = read_table(table_file)
    said = said_cards(cards, len(images))
    reader = NumberReader()
    shown: list[Shown] = []
    problems: dict[int, str] = {}
    for number, (image, held) in enumerate(zip(images, said, strict=True)):
        try:
            shown += _shown_in(image, held, table, reader, number)
        except TableError as problem:
            problems[number] = " ".join(str(problem).split())
    lesson = learn_from(table.deck, shown)
    for number, (image, held) in enumerate(zip(images, said, strict=True)):
        if number in problems:
            _tell_problem(image, problems[number], as_json=as_json)
        else:
            _tell_picture(image, held, lesson, number, as_json=as_json)
    if not lesson.taken:
        raise TableError(f"nothing could be learnt from {len(images)} pictures; {table_file.parent} is as it was")
    try:
        files = write_deck(lesson.deck, table_file.parent)
    except OSError as error:
        raise TableError(f"{table_file.parent}: cannot be written ({error.strerror or error})") from None
    _tell_deck(lesson.deck, table.deck, files, as_json=as_json)
    return 2 if problems else 1 if lesson.passed_over or lesson.strange else 0


def said_cards(cards: str | None, images: int) -> list[tuple[Card, ...]]:
    """Give the cards of each of so many pictures: from words like "1-10,11-20", or a ten each from 1-10 on.

    A rack may be loaded downwards too ("10-1"), and with fewer than ten cards. Raises TableError for other words.
    """
    if cards is None:
        tens = CARDS // len(SLOTS)
        return [tuple(range(k % tens * 10 + 1, k % tens * 10 + 11)) for k in range(images)]
    parts = cards.split(",")
    if len(parts) != images:
        raise TableError(f"--cards {cards}: names {len(parts)} racks for {images} pictures; name one for each")
    return [_range(part.strip(), cards) for part in parts]


def _range(part: str, cards: str) -> tuple[Card, ...]:
    ends = re.fullmatch(r"(\d{1,3})-(\d{1,3})", part)
    first, last = (int(end) for end in ends.groups()) if ends else (0, 0)
    if not (min(first, last) >= 1 and max(first, last) <= CARDS and 2 <= abs(first - last) + 1 <= len(SLOTS)):
        raise TableError(f"--cards {cards}: {part!r} is no row of 2 to 10 cards; write it like 1-10,11-20")
    step = 1 if first < last else -1
    return tuple(range(first, last + step, step))


def _shown_in(image: Path, held: Sequence[Card], table: Table, reader: NumberReader, number: int) -> tuple[Shown, ...]:
    picture = load_picture(image)
    racks = racks_in(picture, table, camera_for(table, image, (picture.shape[1], picture.shape[0])), str(image))
    if len(racks) > 1:
        seats = " and ".join(str(rack.seat) for rack in racks)
        raise UnseenError(f"{image}: shows the racks of seats {seats}; show one at a time")
    shown = shown_in(racks[0], held, reader, number)
    if not shown:
        raise UnseenError(f"{image}: no number of the rack can be read; come nearer, or give more light")
    return shown


def _tell_problem(image: Path, problem: str, *, as_json: bool) -> None:
    if as_json:
        print(json.dumps({"image": image.name, "error": problem}), flush=True)
    else:
        print(f"racko: {problem}", file=sys.stderr)


def _tell_picture(image: Path, held: Sequence[Card], lesson: Lesson, number: int, *, as_json: bool) -> None:
    taken = sorted(item.said for item in lesson.taken if item.sample.picture == number)
    passed = [item for item in lesson.passed_over if item.sample.picture == number]
    if as_json:
        over = [{"slot": item.slot, "said": item.said, "looks_like": item.looks_like} for item in passed]
        said: Json = {"image": image.name, "cards": list(held), "learnt": taken, "passed_over": over}
        print(json.dumps(said | ({"other_cards": True} if number in lesson.strange else {})), flush=True)
        return
    named = f"{image.name}: cards {held[0]} to {held[-1]}"
    if number in lesson.strange:
        print(f"{named}: shows other cards, so it was passed over; say which with --cards", flush=True)
        return
    unseen = sorted(set(held) - set(taken) - {item.said for item in passed})
    rest = f"; not read: {', '.join(map(str, unseen))}" if unseen else ""
    print(f"{named}: learnt {len(taken)}{rest}", flush=True)
    for item in passed:
        why = f"looks like {item.looks_like}" if item.looks_like != item.said else "stands at an odd place"
        print(f"  slot {item.slot}: {item.said} was said, but it {why}; passed over", flush=True)


def _tell_deck(deck: Deck, before: Deck, files: tuple[Path, Path], *, as_json: bool) -> None:
    seen, had = (sum(number is not None for number in known.numbers) for known in (deck, before))
    missing = [card for card, number in enumerate(deck.numbers, 1) if number is None]
    if as_json:
        law = deck.places
        said: Json = {"deck": str(files[0]), "picture": str(files[1]), "numbers": seen, "before": had}
        said |= {"missing": missing, "height": _rounded(deck.height), "contrast": _rounded(deck.contrast)}
        said["places"] = None if law is None else {"kind": law.kind, "first": _rounded(_at(law, 1))}
        if law is not None:
            said["places"] |= {"last": _rounded(_at(law, CARDS)), "spread": _rounded(law.spread)}
        print(json.dumps(said), flush=True)
        return
    rows = [("numbers", f"{seen} of {CARDS} are known" + (f", {had} were before" if had else ""))]
    if missing:
        rows.append(("missing", ", ".join(map(str, missing))))
    if deck.height is not None and deck.contrast is not None:
        rows.append(("print", f"{'dark' if deck.contrast < 0 else 'light'}, digits {deck.height:.1f} mm high"))
    rows += [("places", _law_in_words(deck.places)), ("kept in", f"{files[0]} and {SHEET}: look at the picture")]
    print(*(f"  {name:9}{words}" for name, words in rows), sep="\n", flush=True)


def _law_in_words(law: Places | None) -> str:
    if law is None:
        return "too few numbers to tell"
    if law.kind == "none":
        return "numbers stand anywhere: their place tells nothing"
    if law.kind == "one place":
        return f"all numbers begin {law.middle:.1f} mm from the card's left edge: their place tells nothing"
    ends = f"from {_at(law, 1):.1f} mm (1) to {_at(law, CARDS):.1f} mm (60) from the card's left edge"
    return f"along a line {ends}, give or take {law.spread:.1f} mm"


def _at(law: Places, card: Card) -> float:
    return law.middle + law.slope * (card - (1 + CARDS) / 2)


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 2)
