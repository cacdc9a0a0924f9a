"""What `racko bench` lets vision look at: a drawn table before five cameras at 1080p.

Each camera has four JPEGs of one scene: two with other cards in every slot, the second of them once more with other
noise, and once more with one card changed.
"""

import resource
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from random import Random
from statistics import median
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.table import SLOTS, Table
from engine.events import Json
from vision.baseline import bare_strips, plainly_read
from vision.drawing.decks import Deck
from vision.drawing.picture import draw
from vision.drawing.random_decks import some_deck
from vision.drawing.random_scenes import some_scene
from vision.drawing.scene import Kind, Lying, RackStand, Scene, Standing, TrayStand
from vision.eye import Eye
from vision.frame import Frame
from vision.fuse import sure
from vision.look import PILE, Look
from vision.reading.digits import NumberReader
from vision.reading.tesseract import available

SIZE: Final = (1920, 1080)
KINDS: Final[tuple[Kind, ...]] = ("rack", "rack", "rack", "rack", "tray")
QUALITY: Final = 90
DECK: Final = range(1, 61)
SEEN_OFTEN: Final = 4
"""After so many pictures of unchanged cards nothing is read again."""


Told = Mapping[tuple[int, int], int | None]
"""Cards by (seat, slot 0..9), None for one that is not sure; PILE is the discard pile."""


@dataclass(frozen=True)
class Sight:
    """One camera's pictures. `cards`: what stands in `other` and `again`: ten in a rack, or the discard pile's top."""

    table: Table
    cards: tuple[int, ...]
    first: bytes
    other: bytes
    again: bytes
    changed: bytes


@dataclass(frozen=True)
class Reading:
    """How many of a table's cards were read rightly, and how many wrongly with nothing said."""

    cards: int
    right: int
    wrong: int


@dataclass(frozen=True)
class SightCosts:
    """Seconds of processor time. For the whole table, every card having changed: `whole`, `decoding` its five JPEGs.

    Its pictures are decoded already in `whole`, in grey and in colours as eyes ask for them, and cut into strips for
    `naive`: a Tesseract call for each, children's time included (None where Tesseract is missing).
    For one camera: `frame` to decode its JPEG, `still` to look where nothing changed, `one` where one card did, both
    with the decoding.
    """

    whole: float
    decoding: float
    frame: float
    still: float
    one: float
    read: Reading
    naive: float | None
    naively: Reading | None


def sights(seed: int) -> list[Sight]:
    """Draw four racks and a tray of one deck, each before a camera of its own; takes some seconds."""
    chance = Random(seed)  # noqa: S311 - an imagined table guards nothing
    deck = some_deck(chance)
    cards = list(DECK)
    chance.shuffle(cards)
    return [_sight(kind, deck, chance, np.roll(cards, SLOTS * place).tolist()) for place, kind in enumerate(KINDS)]


def _sight(kind: Kind, deck: Deck, chance: Random, cards: Sequence[int]) -> Sight:
    situation = some_scene(chance, kind, deck=deck)
    while situation.scene.camera.size != SIZE:
        situation = some_scene(chance, kind, deck=deck)
    # not the same cards a slot farther on: so a rack looks that was pushed
    scene, others = situation.scene, tuple(cards[SLOTS : 2 * SLOTS])
    one_more = (*others[:4], cards[-1], *others[5:]) if kind == "rack" else (cards[-1],)
    photos = [replace(scene.photo, seed=scene.photo.seed + number) for number in range(4)]
    shown = (cards[:SLOTS], others, others, one_more)
    jpegs = [_jpeg(replace(_with(scene, held), photo=photo)) for held, photo in zip(shown, photos, strict=True)]
    return Sight(situation.table, others if kind == "rack" else others[:1], *jpegs)


def _with(scene: Scene, cards: Sequence[int]) -> Scene:
    """The scene with these cards: one in each slot of its rack, or the first on its discard pile."""
    (mat,) = scene.mats
    if isinstance(mat.stand, RackStand):
        lean = mat.stand.rack.lean
        held = [slot[0] if slot else Standing(0, lean) for slot in mat.stand.slots]
        slots = tuple((replace(stood, card=card),) for stood, card in zip(held, cards, strict=True))
        return replace(scene, mats=(replace(mat, stand=replace(mat.stand, slots=slots)),))
    if isinstance(mat.stand, TrayStand):
        pile = mat.stand.discard_pile or (Lying(0),)
        stand = replace(mat.stand, discard_pile=(*pile[:-1], replace(pile[-1], card=cards[0])))
        return replace(scene, mats=(replace(mat, stand=stand),))
    return scene


def _jpeg(scene: Scene) -> bytes:
    return cv2.imencode(".jpg", draw(scene), [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1].tobytes()


def eyes_for(table: Sequence[Sight]) -> list[Eye]:
    """An eye before each camera; all share one reader, as on a table."""
    reader = NumberReader()
    return [Eye(sight.table, DECK, next(iter(sight.table.cameras.values()), None), reader) for sight in table]


def costs_of(table: Sequence[Sight], laps: int) -> SightCosts:
    """Look at a table so often, and take the median of each cost."""
    eyes = eyes_for(table)
    whole, decoding, frame, still, one = [], [], [], [], []
    looks: list[Look] = []
    for _ in range(laps):
        _seen(eyes, [sight.first for sight in table])
        decoding.append(_spent(lambda: [_colours(sight.other) for sight in table]))
        frames = [_decoded(sight.other) for sight in table]
        whole.append(_spent(partial(_look_into, looks, eyes, frames)))
        for _ in range(SEEN_OFTEN):
            _seen(eyes, [sight.again for sight in table])
        for eye, sight in zip(eyes, table, strict=True):
            frame.append(_spent(partial(_colours, sight.again)))
            still.append(_spent(partial(_seen, [eye], [sight.again])))
            one.append(_spent(partial(_seen, [eye], [sight.changed])))
    read = _judged(table, [_told(look) for look in looks[: len(table)]])
    naive, naively = _naive(table, eyes) if available() is not None else (None, None)
    return SightCosts(median(whole), median(decoding), median(frame), median(still), median(one), read, naive, naively)


def _look_into(looks: list[Look], eyes: Sequence[Eye], frames: Sequence[Frame]) -> None:
    looks.extend(eye.look(frame) for eye, frame in zip(eyes, frames, strict=True))


def _seen(eyes: Sequence[Eye], jpegs: Sequence[bytes]) -> list[Look]:
    return [eye.look(Frame(jpeg)) for eye, jpeg in zip(eyes, jpegs, strict=True)]


def _colours(jpeg: bytes) -> NDArray[np.uint8]:
    return Frame(jpeg).colour


def _decoded(jpeg: bytes) -> Frame:
    frame = Frame(jpeg)
    _ = frame.grey, frame.colour  # its views are made when they are asked for, and stay
    return frame


def _told(look: Look) -> Told:
    """The cards that a look names surely."""
    named = {place: sure(reading) for place, reading in look.readings.items()}
    return {place: said[1] if said is not None else None for place, said in named.items()}


def _judged(table: Sequence[Sight], told: Sequence[Told]) -> Reading:
    """Hold what was told of each camera's picture against what stands there."""
    cards = right = wrong = 0
    for sight, named in zip(table, told, strict=True):
        places = sorted(named) or [PILE]
        for place, card in zip(range(len(sight.cards)), sight.cards, strict=True):
            said = named.get((places[0][0], place))
            cards, right, wrong = cards + 1, right + (said == card), wrong + (said is not None and said != card)
    return Reading(cards, right, wrong)


def _naive(table: Sequence[Sight], eyes: Sequence[Eye]) -> tuple[float, Reading]:
    """Call Tesseract once for each strip, cut where ours are; cutting them is not counted."""
    _seen(eyes, [sight.other for sight in table])
    strips = [bare_strips(Frame(sight.other).colour, eye) for sight, eye in zip(table, eyes, strict=True)]
    told: list[Told] = []
    return _spent(lambda: told.extend(map(plainly_read, strips))), _judged(table, told)


def _spent(do: Callable[[], object]) -> float:
    """Processor time in seconds that something takes, in this process and in those that it starts."""
    began, children = time.process_time(), resource.getrusage(resource.RUSAGE_CHILDREN)
    do()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() - began + after.ru_utime + after.ru_stime - children.ru_utime - children.ru_stime


def as_json(costs: SightCosts) -> Json:
    """The costs of a drawn table as JSON: milliseconds, and ratios within the same run."""
    return {
        "type": "table",
        "milliseconds": {
            name: round(1000 * seconds, 2)
            for name in ("whole", "decoding", "frame", "still", "one")
            for seconds in [getattr(costs, name)]
        },
        "still_by_decoding": round(costs.still / costs.frame, 2),
        "one_by_whole": round(costs.one / costs.whole, 3),
        "read": asdict(costs.read),
        "naive_by_whole": None if costs.naive is None else round(costs.naive / costs.whole, 1),
        "naively_read": None if costs.naively is None else asdict(costs.naively),
    }


def in_words(costs: SightCosts) -> Iterator[str]:
    """The costs of a drawn table for people."""
    yield ""
    yield "a drawn table at 1080p (four racks and a tray), in processor time"
    yield f"{'  all of it read, every card having changed':46}{1000 * costs.whole:8.1f} ms   {_read(costs.read)}"
    if costs.naive is not None and costs.naively is not None:
        ratio = f"{costs.naive / costs.whole:.0f} times as long"
        yield f"{'  a Tesseract call a strip':46}{1000 * costs.naive:8.1f} ms   {_read(costs.naively)}; {ratio}"
    else:
        yield "  Tesseract is not installed: nothing to compare with"
    yield f"{'  decoding its five JPEGs':46}{1000 * costs.decoding:8.1f} ms"
    yield f"{'  decoding one':46}{1000 * costs.frame:8.1f} ms"
    yield f"{'  looking where nothing changed, decoding too':46}{1000 * costs.still:8.1f} ms"
    yield f"{'  looking where one card changed, decoding too':46}{1000 * costs.one:8.1f} ms"


def _read(reading: Reading) -> str:
    return f"{reading.right} of {reading.cards} cards right, {reading.wrong} silently wrong"
