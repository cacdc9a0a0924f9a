"""Learns the owner's deck from pictures whose cards are known: shown to the camera, or left by a round that is over.

A running game must not be learnt from: deck.toml and deck.png may be seen by anybody (DESIGN: racks are secret).
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.deck import MIDDLE, OFF, Sample, learn, learn_trust
from calibration.deckfile import CARDS
from calibration.table import CameraModel, Deck, Places, Table, TableError
from engine.cards import SLOTS, Card, Seat, Slot
from vision.found import Found, RackFound
from vision.frame import Frame
from vision.lens import lens_of
from vision.mats import TRAY, find_mats
from vision.pose import pose_of
from vision.reading.deck import print_of
from vision.reading.digits import NumberReader
from vision.sizes import find_as_printed

UNREAD: Final = 0.5
"""A crop that is "no number" with more than this is not learnt from."""
CLEARLY: Final = 0.98
"""A number that is read so surely as another one contradicts what was said of it."""
ONE_OFF: Final = 4.0
"""A rack is taken for one a slot off where its cards are by so much likelier then (natural logarithm)."""
FAINTEST: Final = 0.003
MOST_WRONG: Final = 0.5
"""A picture in which more than this share of cards are others than said shows another rack."""


@dataclass(frozen=True, eq=False)
class Shown:
    """A number in a picture of known content: what was `said` to stand there, and the reader's own `answer` (61,)."""

    slot: Slot
    said: Card
    looks_like: Card
    sure: float
    answer: NDArray[np.float64]
    sample: Sample


@dataclass(frozen=True)
class Lesson:
    """What came of pictures: the deck as it is known now, what was learnt from, and what was not, being another card.

    `strange` are pictures (their numbers) that show other cards than was said and were left out altogether.
    """

    deck: Deck
    taken: tuple[Shown, ...]
    passed_over: tuple[Shown, ...]
    strange: frozenset[int]


class UnseenError(TableError):
    """A picture to learn from shows no rack that could be read: which picture, and what to do."""


def racks_in(
    picture: NDArray[np.uint8], table: Table, camera: CameraModel | None, name: str = "picture"
) -> tuple[RackFound, ...]:
    """Find the racks in a BGR picture (height, width, 3), at least one; raise UnseenError if there is none."""
    frame = Frame(picture, name)
    mats = find_mats(frame.grey)
    lens = lens_of(mats, (picture.shape[1], picture.shape[0]), camera)
    poses = [(mat.number, pose_of(mat, lens)) for mat in mats if mat.number != TRAY]
    found = tuple(find_as_printed(frame, seat, pose, table) for seat, pose in poses if pose is not None)
    if not any(any(rack.slots) for rack in found):
        raise UnseenError(f"{name}: no rack with cards is seen; show one on its mat, whole, in good light")
    return found


def shown_in(rack: RackFound, said: Sequence[Card | None], reader: NumberReader, number: int) -> tuple[Shown, ...]:
    """Give the numbers of a rack that can be learnt from; `said` are its ten cards from slot 5 on, None if not known.

    `number` tells one picture from another. A rack whose cards fit much better one slot on or back is taken so: the
    front of a rack is not always found, and the cards' order tells.
    """
    choices: list[tuple[Found, NDArray[np.float64]] | None] = []
    every = reader.read([item.crop for possible in rack.slots for item in possible])
    parts = np.split(every, np.cumsum([len(possible) for possible in rack.slots])[:-1])
    for possible, answers in zip(rack.slots, parts, strict=True):
        which = int(answers[:, 0].argmin()) if len(answers) else 0
        read = len(answers) > 0 and answers[which, 0] < UNREAD
        choices.append((possible[which], answers[which]) if read else None)
    shift = _shift([choice[1] if choice else None for choice in choices], said)
    shown = []
    for place, choice in enumerate(choices):
        card = said[place + shift] if 0 <= place + shift < len(said) else None
        if choice is None or card is None:
            continue
        found, answer = choice
        look = print_of(found.crop[None], np.array([found.ink.contrast]))[0]
        height = None if found.ink.cut else found.ink.height
        sample = Sample(card, look, found.ink.left, height, found.ink.contrast, number)
        other = int(answer[1:].argmax()) + 1
        shown.append(Shown(SLOTS[place + shift], card, other, float(answer[other]), answer, sample))
    return tuple(shown)


def learn_from(deck: Deck, shown: Sequence[Shown]) -> Lesson:
    """Learn from what pictures have shown, and pass over what is another card than was said.

    The reader alone does not decide: it may be the deck's very typeface that it misreads. A number that stands where
    its card's number should is learnt from all the same.
    """
    agreeing = [item for item in shown if item.looks_like == item.said]
    law = learn(deck, [item.sample for item in agreeing])[0].places
    passed = [item for item in shown if _is_another(item, law)]
    strange = set()
    for picture in {item.sample.picture for item in passed}:
        there = [item for item in shown if item.sample.picture == picture]
        if sum(_is_another(item, law) for item in there) > MOST_WRONG * len(there):
            strange.add(picture)
    passed = [item for item in passed if item.sample.picture not in strange]
    usable = [item for item in shown if item not in passed and item.sample.picture not in strange]
    learnt, left_out = learn(deck, [item.sample for item in usable])
    out = {id(sample) for sample in left_out}
    taken = tuple(item for item in usable if id(item.sample) not in out)
    passed += [item for item in usable if id(item.sample) in out]
    known = sum(number.seen for number in deck.numbers if number is not None)
    answers = np.array([item.answer for item in taken]).reshape(-1, CARDS + 1)
    learnt = learn_trust(learnt, known, answers, [item.said for item in taken])
    return Lesson(learnt, taken, tuple(passed), frozenset(strange))


def learn_round(
    table: Table, found: Sequence[RackFound], racks: Mapping[Seat, Sequence[Card | None]], reader: NumberReader
) -> Lesson:
    """Learn from a round that is over: `found` are the racks as the cameras saw them last.

    `racks` are the final racks as the referee knows them, ten cards from slot 5 to 50, None where it is not sure.
    To be called at the round's end only, never before.
    """
    shown: list[Shown] = []
    for number, rack in enumerate(found):
        shown += shown_in(rack, racks.get(rack.seat, ()), reader, number)
    return learn_from(table.deck, shown)


def _shift(answers: Sequence[NDArray[np.float64] | None], said: Sequence[Card | None]) -> int:
    """Say by how many slots (-1, 0, 1) a rack was found in front of or behind where its cards say it stands."""
    values = {}
    for shift in (0, -1, 1):
        pairs = [
            (answer, said[place + shift])
            for place, answer in enumerate(answers)
            if answer is not None and 0 <= place + shift < len(said)
        ]
        values[shift] = sum(math.log(float(answer[card]) + FAINTEST) for answer, card in pairs if card is not None)
        missing = sum(answer is not None for answer in answers) - len(pairs)
        values[shift] += missing * math.log(FAINTEST)
    likeliest = max(values, key=lambda shift: values[shift])
    return likeliest if values[likeliest] - values[0] >= ONE_OFF else 0


def _is_another(item: Shown, law: Places | None) -> bool:
    """Tell whether a number is clearly not that of the card that was said, by its look and by its place."""
    if item.looks_like == item.said or item.sure < CLEARLY:
        return False
    if law is None or law.kind != "line":
        return True
    off, other_off = (
        abs(item.sample.left - law.middle - law.slope * (card - MIDDLE)) for card in (item.said, item.looks_like)
    )
    return not (off <= OFF and other_off > off + OFF)
