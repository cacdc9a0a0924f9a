"""Labelled patches of slots from drawn tables, for vision.training.train_states.

Slots are emptied, cards turned round or put two into a slot, and hands reach over some racks. Each rack is found as on
a table, with what a ruler measured, and a patch of each slot is cut where vision.rack.states cuts it: off by what the
fit is off. Racks that were taken for ones a slot off are left out. A slot before which a hand has come is "hidden".
Racks in which hardly a number is read are looked at as bare ones are, too (vision.rack.bare).

`python -m vision.training.states OUT.npz --pictures N --seed S` keeps them in a file.
"""

import argparse
import random
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.drawing.picture import Drawn, draw_with_truth
from vision.drawing.random_hands import some_hand
from vision.drawing.random_scenes import Situation, shaded, some_scene
from vision.drawing.random_stands import leant_forward, some_habit, stood
from vision.drawing.scene import BACK, RackStand, Standing
from vision.evidence import is_read
from vision.find import find_in_rack
from vision.found import RackFound
from vision.frame import Frame
from vision.lens import lens_of
from vision.mats import TRAY, find_mats
from vision.pose import pose_of
from vision.rack.bare import PHANTOMS, as_if_bare, paper_colour
from vision.rack.fit import RackView
from vision.rack.states import OWN, STATES, face_colour, is_cut_off, patch_of
from vision.reading.digits import NumberReader
from vision.training import typefaces

TIMES = (0, 1, 1, 2, 3)
"""The shares of empty slots and of backs are so many times the usual ones in a rack: racks have none, few or many."""
NEARLY_ALL = (1.0, 0.9, 0.8)
"""The shares of empty slots in a rack that is bare, or nearly so."""
COVERED, FREE = 0.12, 0.02
"""Where a hand changes more than the first share of a slot's own rows, the slot is hidden; of what stands in a slot
between the two nobody can tell, but for a card's face."""
CHANGED = 0.16
"""Share of the picture's brightest (BRIGHT) by which a hand changes what it covers; less is its shadow."""
BRIGHT = 95
"""Percentile of a picture's levels that counts as its brightest."""
PEEPS_OUT, HIDES = 1.8, 0.8
"""A card is seen behind a nearer one where it is higher by so many mm of its face; where it is not by the second,
nobody can tell that it is there (vision.rack.states.though_hidden reckons with it), and between the two it is left
open."""
LEAST = 2.5
"""It has to be higher by so many pixels, too."""
CARD_HEIGHT = 56.0


@dataclass(frozen=True)
class Shares:
    """The usual shares (0..1) of slots of each kind, of racks nearly bare, and of pictures with hands and of wide ones.

    `leaning` is the share of cards that lean forward, over the one before them, `shades` that of pictures with a hard
    shadow.
    """

    gaps: float
    backs: float
    doubles: float
    leaning: float
    bare: float
    hands: float
    shades: float
    wide: float


@dataclass(frozen=True)
class Patch:
    """A slot's patch (vision.rack.states), its rack's colour of faces (3,), its label, and if a number was read."""

    pixels: NDArray[np.uint8]
    face: NDArray[np.float64]
    label: int
    read: bool


def patches(seed: str, faces: Sequence[str], pictures: int, shares: Shares, reader: NumberReader) -> Iterator[Patch]:
    """Draw so many tables with typefaces (paths of font files) and give their slots' patches."""
    for number in range(pictures):
        chance = random.Random(f"{seed}/{number}")  # noqa: S311 - pictures, no secrets
        situation = some_scene(chance, "wide" if chance.random() < shares.wide else "rack", typefaces=faces)
        mats = (
            replace(mat, stand=thinned(chance, mat.stand, shares)) if isinstance(mat.stand, RackStand) else mat
            for mat in situation.scene.mats
        )
        scene = replace(situation.scene, mats=tuple(mats))
        if chance.random() < shares.shades:
            scene = shaded(chance, scene)
        free = draw_with_truth(scene)
        yield from _of_table(replace(situation, scene=scene), free, free, reader)
        if chance.random() < shares.hands:
            scene = replace(scene, hands=(some_hand(chance, scene),))
            yield from _of_table(replace(situation, scene=scene), draw_with_truth(scene), free, reader)


def thinned(chance: random.Random, stand: RackStand, shares: Shares) -> RackStand:
    """Take cards out of a full rack, turn some round, and put a second one into some slots."""
    gaps, backs = shares.gaps * chance.choice(TIMES), shares.backs * chance.choice(TIMES)
    if chance.random() < shares.bare:
        gaps = chance.choice(NEARLY_ALL)
    habit = some_habit(chance)

    def turned(card: Standing) -> Standing:
        return replace(card, card=BACK) if chance.random() < backs else card

    def slot(cards: Sequence[Standing]) -> tuple[Standing, ...]:
        if not cards or chance.random() < gaps:
            return ()
        front = leant_forward(chance, turned(cards[0]), shares.leaning)
        if chance.random() >= shares.doubles:
            return (front,)
        return (front, turned(stood(chance, chance.randint(1, 60), stand.rack, habit)))

    return replace(stand, slots=tuple(slot(cards) for cards in stand.slots))


def _of_table(situation: Situation, drawn: Drawn, free: Drawn, reader: NumberReader) -> Iterator[Patch]:
    """Look at a table and give the patches of its racks' slots; `free` is the same without a hand.

    Nothing here asks the net that is to be trained.
    """
    frame, scene = Frame(drawn.picture), situation.scene
    changed = CHANGED * float(np.percentile(free.picture, BRIGHT))
    mats, camera = find_mats(frame.grey), next(iter(situation.table.cameras.values()), None)
    lens = lens_of(mats, (frame.grey.shape[1], frame.grey.shape[0]), camera)
    stands = dict(scene.racks())
    for mat in mats:
        pose = pose_of(mat, lens)
        if mat.number != TRAY and mat.number in stands and pose is not None:
            rack, slots = find_in_rack(frame, mat.number, pose, situation.table), stands[mat.number].slots
            read = _read_in(rack, reader)
            if read and not _is_off(rack, free):
                face = face_colour(frame, rack.view, read)
                yield from _of_rack(_Seen(mat.number, rack.view, face, read, changed), slots, frame, free)
            if len(read) <= PHANTOMS:
                bare = _Seen(mat.number, as_if_bare(rack.view), paper_colour(frame, pose), read, changed)
                yield from _of_rack(bare, slots, frame, free)


def _read_in(rack: RackFound, reader: NumberReader) -> list[int]:
    """Give the slots in which a number is read."""
    return [
        slot
        for slot, found in enumerate(rack.slots)
        if rack.view.strips[slot] and is_read(reader.read([item.crop for item in found]))
    ]


@dataclass(frozen=True)
class _Seen:
    """A rack as it is looked at: its seat, its view, the colour of faces (3,), and the slots in which one was read.

    Grey levels that are `changed` by more than so many are a hand's.
    """

    seat: int
    view: RackView
    face: NDArray[np.float64]
    read: Sequence[int]
    changed: float


def _of_rack(seen: _Seen, slots: Sequence[Sequence[Standing]], frame: Frame, free: Drawn) -> Iterator[Patch]:
    for slot in range(len(slots)):
        pixels, read = patch_of(frame.colour, seen.view, slot), slot in seen.read
        if is_cut_off(pixels):
            continue
        away = np.abs(pixels[OWN].astype(np.int16) - patch_of(free.picture, seen.view, slot)[OWN]).max(axis=2)
        covered, label = float((away > seen.changed).mean()), label_of(slots, free, (seen.seat, slot))
        if covered > COVERED:
            yield Patch(pixels, seen.face, STATES.index("hidden"), read)
        elif label is not None and (covered <= FREE or label == STATES.index("card")):
            yield Patch(pixels, seen.face, label, read)


def _is_off(rack: RackFound, drawn: Drawn) -> bool:
    """Tell whether a rack was taken for one a slot off: cards were found nearer to others' places than to theirs."""
    cards = [(slot, card) for (seat, slot, which), card in drawn.cards.items() if seat == rack.seat and which == 0]
    true = {slot: _middle(card.quad) for slot, card in cards}
    found = {slot: _middle(strip.quad) for slot, strip in enumerate(rack.view.strips) if strip is not None}
    both = sorted(true.keys() & found.keys())
    if len(true) < 2 or not both:
        return True
    first, last = min(true), max(true)
    pitch = float(np.linalg.norm(true[last] - true[first])) / (last - first)
    return float(np.median([np.linalg.norm(true[slot] - found[slot]) for slot in both])) > pitch / 2


def _middle(quad: NDArray[np.float64]) -> NDArray[np.float64]:
    """Give the middle of a card's top edge in the picture."""
    return np.asarray(quad[:2].mean(axis=0))


def label_of(slots: Sequence[Sequence[Standing]], drawn: Drawn, place: tuple[int, int]) -> int | None:
    """Say what a slot, (seat, slot 0..9), shows; None where nobody can tell.

    Nobody can where a nearer card hides its own, or where two cards stand right before an empty slot: the rear one may
    as well be its own that leans forward, and on a table nearly always is.
    """
    seat, slot = place
    cards = slots[slot]
    if not cards:
        return STATES.index("empty") if not slot or len(slots[slot - 1]) < 2 else None
    nearer = [card.quad for (other, at, _), card in drawn.cards.items() if other == seat and at < slot]
    if not all(_peeps_out(drawn.cards[*place, 0].quad, quad) for quad in nearer):
        return None
    if len(cards) > 1:
        seen = _peeps_out(drawn.cards[*place, 1].quad, drawn.cards[*place, 0].quad)
        if seen:
            return STATES.index("two")
        if seen is None:
            return None
    return STATES.index("back" if cards[0].card == BACK else "card")


def _peeps_out(rear: NDArray[np.float64], front: NDArray[np.float64]) -> bool | None:
    """Tell by the corners (4, 2) of two cards whether the rear one is seen behind the other; None if hardly."""
    height = float(np.linalg.norm(front[3] - front[0] + front[2] - front[1])) / 2
    along = front[1] - front[0]
    upwards = np.array([along[1], -along[0]]) / float(np.linalg.norm(along))
    higher = float((rear[:2] - front[0]).mean(axis=0) @ upwards)
    millimetres = higher / height * CARD_HEIGHT
    if millimetres >= PEEPS_OUT and higher >= LEAST:
        return True
    return None if millimetres >= HIDES else False


def main() -> int:
    """Draw and write."""
    parser = argparse.ArgumentParser(prog="python -m vision.training.states", description=__doc__)
    parser.add_argument("out", type=Path, help="file to write (.npz)")
    parser.add_argument("--part", choices=("train", "calibrate", "test"), default="train", help="of the typefaces")
    parser.add_argument("--pictures", type=int, default=700, help="0.6 s and some 11 patches each (%(default)s)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--gaps", type=float, default=0.16, help="usual share of empty slots (%(default)s)")
    parser.add_argument("--backs", type=float, default=0.16, help="usual share of cards turned round (%(default)s)")
    parser.add_argument("--doubles", type=float, default=0.2, help="share of slots with two cards (%(default)s)")
    parser.add_argument("--leaning", type=float, default=0.06, help="share of cards that lean forward (%(default)s)")
    parser.add_argument("--bare", type=float, default=0.08, help="share of racks that are nearly bare (%(default)s)")
    parser.add_argument("--hands", type=float, default=0.2, help="share of racks with a hand over them (%(default)s)")
    parser.add_argument("--shades", type=float, default=0.25, help="share of pictures with hard shadows (%(default)s)")
    parser.add_argument("--wide", type=float, default=0.25, help="share of wide pictures (%(default)s)")
    options = parser.parse_args()
    begin = time.process_time()
    shares = Shares(**{share.name: getattr(options, share.name) for share in fields(Shares)})
    seed, faces = f"{options.part}/{options.seed}", typefaces.files(options.part)
    made = list(patches(seed, faces, options.pictures, shares, NumberReader()))
    labels = np.array([patch.label for patch in made], np.int64)
    np.savez_compressed(
        options.out,
        patches=np.array([patch.pixels for patch in made], np.uint8),
        faces=np.array([patch.face for patch in made], np.float32),
        labels=labels,
        read=np.array([patch.read for patch in made], np.bool_),
    )
    counts = ", ".join(f"{int((labels == at).sum())} {name}" for at, name in enumerate(STATES))
    print(f"{len(made)} patches ({counts}), {time.process_time() - begin:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
