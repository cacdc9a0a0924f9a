"""Says what stands in a slot by a look at it and its neighbours: a card, its back, two cards, nothing, or a hand.

A patch is cut for it out of the plane of the rack's top edges, in which cards that stand one behind the other are a
pitch apart, and in which an empty slot leaves twice the usual strip of the card behind in view. A small net judges it.
A tiny one, the glance, tells quickly of the many slots whose number is read that nothing but one card stands there.
vision/training/states.py draws tables to train both (vision/training/README.md).
"""

import math
import threading
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import NormalDist, median

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.table import SLOTS, TableError
from vision.frame import Frame
from vision.nets import asked, load_net, shares
from vision.rack.fit import FACE, SIDES, RackView, sides_in
from vision.rack.matching import LEAN_SPREAD
from vision.rack.planes import ASIDE
from vision.rack.stand import RackFit
from vision.rectify import SCALE, flatten

MODEL = Path(__file__).with_name("slot_states.onnx")
GLANCE = Path(__file__).with_name("slot_glance.onnx")
ROWS, COLUMNS = 72, 80
"""Across, a patch shows ASIDE mm to both sides of a card."""
GLANCE_ROWS, GLANCE_COLUMNS = 72, 16
"""The glance sees the same more coarsely, and in grey levels: those of a picture are decoded anyway."""
BLOCK = 2
"""It is given so many rows and columns at a time as one pixel of more channels: so OpenCV is twice as fast."""
GLANCED = BLOCK * BLOCK, GLANCE_ROWS // BLOCK, GLANCE_COLUMNS // BLOCK
PITCH = 24
"""It has so many rows a pitch."""
OWN = slice(19, 56)
"""The rows of a patch in which the slot's own card stands, and what is seen through the slot."""
FACE_ROWS = slice(ROWS // 2 + 3, ROWS // 2 + 12), slice(ROWS // 2 + 12, ROWS // 2 + 21)
"""The rows in which its face is seen: the upper ones may lie in the shadow of one that leans, the lower ones behind."""
GREEN, GREENER = 1.25, 1.15
"""A card is green where there is so many times as much green as blue and as red, and so many times as much as on the
usual face: in greenish light, or in the shadow of a green card, white is green, too. A Prime card's face has twice."""
STATES = ("card", "empty", "back", "two", "hidden")
DARKEST = 6.0
"""Added to grey levels, so that dark pictures' noise makes no colour."""
FARTHEST = 2.0
"""Brightness and colour are held against the other cards': logarithms, cut off here."""
BEYOND = 0.02
"""Where more than this share of a slot lies beyond the picture's border, nothing is said of it."""
BLEACHED, MOSTLY = 253, 0.8
"""Nor is anything said where more than such a share of it has this grey level or more in every colour: glare, or far
too much light, takes a card's edges away, and a slot without edges looks empty."""
ALIKE = 0.15
"""A card is of the usual face's colour where no channel differs by more than this, a natural logarithm. Of 302 backs
that were surely told on drawn racks none was, and the one face that was surely told to be a back."""
HUE, SHADED = 0.04, 0.3
"""A card is of a read card's colour where they differ by no more than this in hue, and by this in brightness, likewise
logarithms. In warm light and in haze green is not as green: on 420 drawn pictures so spoiled four of 2914 cards were
surely told to be backs without this, all of them Prime cards, and none with it; of 160 backs 118 and 112 were told, and
of 229 on 400 pictures that were not spoiled 213 by both."""
FACE_SCALE = 1.0
"""Pixels a mm at which other cards' faces are looked at for their colour."""
FACE_RIM = 5.0
PEEPING = 2.0
"""A card is seen behind another where its top edge is so many mm farther away."""

CLOSE, HARDLY_SEEN = 9.5, 5.0
"""Where a card would stand less than so many mm behind a nearer one that leans back, it is hidden, or peeps out by an
edge alone, more often than the net has learnt: so many times. Of 23,700 cards on 2600 drawn pictures five were surely
taken for none without this, four of them there, and one with it; of 908 empty slots 713 are told, and 668 were while
none there was."""

FULLER = 4.0
"""A slot is full so many times as often as it is empty, a round figure: on 2400 drawn racks this spares one card that
is taken for none, and leaves 10 more of 750 empty slots not sure."""

SIDELESS = 4.0, 5.0
"""Where nothing stands behind a slot, a card's sides in it would stand out before the table as much as others' do. The
odds that it is empty are exp(first) times as high where none are seen, and exp(second) times less where they are as
strong as those. Of 6000 drawn racks 190 have no card in slot 50: 177 of these are told so, before that 139, and one
that has one, by both. Of 900 racks more, three in five with up to three empty ones there, it is 490 of 564, and 383."""

_own = threading.local()


class StatesError(TableError):
    """The net for slots cannot be used: which model file, and what to do."""


@dataclass(frozen=True)
class Chances:
    """How likely (0..1) a slot shows one card's face, nothing, a card's back, two cards, or a hand before it.

    `like_a_face`: by its colour its card may well show its face. It is like the faces of cards that were read, or green
    as a Prime card of 2006, while most of those are not.
    """

    card: float = 0.0
    empty: float = 0.0
    back: float = 0.0
    two: float = 0.0
    hidden: float = 0.0
    like_a_face: bool = False


def judge_slots(
    frame: Frame, view: RackView, slots: Sequence[int], read: Sequence[int], primes: Collection[int] = ()
) -> dict[int, Chances]:
    """Judge some slots (0..9) of a rack in which the cards of others were `read`; of these `primes` are prime numbers.

    All chances are 0 where a slot is not wholly in the picture, or is bleached, or where no card was read: what a face
    looks like is not known then. Raises StatesError where the net is missing or broken.
    """
    judged = dict.fromkeys(slots, Chances())
    patches = _whole_patches(frame, view, slots) if read else {}
    if patches:
        standing = [slot for slot in patches if slot not in read and view.strips[slot] is not None]
        colours = dict(zip([*read, *standing], face_colours(frame, view, [*read, *standing]), strict=True))
        face = np.median([colours[slot] for slot in read], axis=0)
        # Prime cards are known to be green, or not, as soon as one of them is read; a nearer card may hide its face
        among_read = [is_green(colours[slot], face) for slot in read if slot in primes]
        like_faces = _like_faces(patches, colours, face, read, green=any(among_read) or not among_read)
        for slot, chances in zip(
            patches, _ask(MODEL, prepared(np.array([*patches.values()]), face[None])), strict=True
        ):
            told = Chances(*chances.tolist())
            empty = though_hidden(told.empty, view.fit, slot)
            if not any(view.lines[slot + 1 :]):
                empty = by_sides(empty, sides_in(frame, view, slot), _usual_sides(view, read))
            judged[slot] = replace(told, empty=empty, like_a_face=slot in like_faces)
    return judged


def empty_chances(frame: Frame, view: RackView, face: NDArray[np.float64]) -> dict[int, float]:
    """Give how likely (0..1) each slot (0..9) is empty, for cards' faces of an assumed colour (3,).

    Slots that are not wholly in the picture, or bleached, are left out. Raises StatesError where the net is missing or
    broken.
    """
    patches = _whole_patches(frame, view, range(SLOTS))
    if not patches:
        return {}
    told = _ask(MODEL, prepared(np.array([*patches.values()]), face[None]))
    return dict(zip(patches, told[:, STATES.index("empty")].tolist(), strict=True))


def is_green(colour: NDArray[np.float64], face: NDArray[np.float64]) -> bool:
    """Tell whether a BGR colour (3,) is green, as Prime cards' faces are among the blue ones of 2006 (TABLE.md).

    `face` is the usual colour (3,) of faces in the same light.
    """
    return _greenness(colour) > max(GREEN, GREENER * _greenness(face))


def _greenness(colour: NDArray[np.float64]) -> float:
    blue, green, red = (colour + DARKEST).tolist()
    return float(green / max(blue, red))


def _like_faces(
    patches: Mapping[int, NDArray[np.uint8]],
    colours: Mapping[int, NDArray[np.float64]],
    face: NDArray[np.float64],
    read: Sequence[int],
    *,
    green: bool,
) -> set[int]:
    """Give the slots (0..9) whose cards are of a face's colour, or green if a face may be so.

    That is the usual one (3,), or that of another card that was `read`. `colours` (3,) are those below the edges that
    were found; green may be seen in the patches, too.
    """
    like = {
        slot
        for slot, own in colours.items()
        if np.abs(_apart(own, face)).max() < ALIKE
        or any(_is_of_colour(own, colours[other]) for other in read if other != slot)
    }
    if not green:
        return like
    seen = {slot: (*faces_in(patch), colours.get(slot, face)) for slot, patch in patches.items()}
    return like | {slot for slot, shades in seen.items() if any(is_green(own, face) for own in shades)}


def _is_of_colour(own: NDArray[np.float64], other: NDArray[np.float64]) -> bool:
    """Tell whether two colours (3,) are one in more light and in less."""
    apart = _apart(own, other)
    lighter = float(apart.mean())
    return abs(lighter) < SHADED and float(np.abs(apart - lighter).max()) < HUE


def _apart(own: NDArray[np.float64], other: NDArray[np.float64]) -> NDArray[np.float64]:
    """Give how far apart two colours are in each channel, (3,): natural logarithms."""
    return np.asarray(np.log((own + DARKEST) / (other + DARKEST)))


def faces_in(patch: NDArray[np.uint8]) -> list[NDArray[np.float64]]:
    """Give the usual colours (3,) of the card in a patch, right below its edge and farther down."""
    bands = (patch[rows, COLUMNS // 4 : -COLUMNS // 4].reshape(-1, 3) for rows in FACE_ROWS)
    return [np.asarray(np.median(band, axis=0), np.float64) for band in bands]


def though_hidden(empty: float, fit: RackFit, slot: int) -> float:
    """Give how likely (0..1) a slot (0..9) that looks `empty` so likely is so, for its own card may not be seen.

    A nearer card may hide it, or it leans back until it hides the next one, and is taken for that. By how much cards
    usually lean, and by how seldom the net tells of one that hardly peeps out.
    """
    row, lean = fit.expected_row(slot), NormalDist(0.0, LEAN_SPREAD)
    farther = max((line.at for other, line in fit.standing.items() if other > slot), default=-math.inf)
    nearer = min((line.at for other, line in fit.standing.items() if other < slot), default=math.inf)
    back, forward = (row - farther) / SCALE, (nearer - row) / SCALE
    empty /= 1 + FULLER * (lean.cdf(back) - lean.cdf(back - PEEPING))
    if forward < CLOSE:
        empty /= empty + HARDLY_SEEN * (1 - empty)
    return empty * (1 - lean.cdf(PEEPING - forward))


def by_sides(empty: float, sides: float, usual: float) -> float:
    """Give how likely (0..1) a slot is empty behind which nothing stands, and that looks `empty` so likely.

    `sides` is how strongly sides are seen where a card would have them, and `usual` how strongly those of cards are.
    """
    odds = math.exp(SIDELESS[0] - SIDELESS[1] * sides / usual)
    return empty * odds / (empty * odds + (1 - empty))


def _usual_sides(view: RackView, read: Sequence[int]) -> float:
    """Give how strongly the sides of cards that were read are seen, these slots having strips."""
    return max(median(strip.sides for slot in read if (strip := view.strips[slot]) is not None), SIDES)


def glance_at(frame: Frame, view: RackView, slots: Sequence[int]) -> dict[int, float]:
    """Tell quickly, for slots (0..9), how likely (0..1) one card's face stands there and nothing else.

    Raises StatesError where the net is missing or broken.
    """
    if not slots:
        return {}
    first, last = min(slots), max(slots)
    plane = narrow(_cut(frame.grey, view, first, last, 1))
    seen = coarse(np.array([plane[PITCH * (last - slot) :][:ROWS] for slot in slots], np.uint8))
    return dict(zip(slots, _ask(GLANCE, seen)[:, STATES.index("card")].tolist(), strict=True))


def patch_of(picture: NDArray[np.uint8], view: RackView, slot: int) -> NDArray[np.uint8]:
    """Cut the patch of a slot (0..9), (ROWS, COLUMNS) or (ROWS, COLUMNS, 3), out of a picture in grey levels or BGR.

    Its card's top edge would be in the middle.
    """
    # twice as fine first: sampled at once, thin print would come and go
    return np.asarray(cv2.resize(_cut(picture, view, slot, slot, 2), (COLUMNS, ROWS), interpolation=cv2.INTER_AREA))


def _whole_patches(frame: Frame, view: RackView, slots: Sequence[int]) -> dict[int, NDArray[np.uint8]]:
    """Cut the patches in BGR of those slots (0..9) that are wholly in the picture, and not bleached."""
    patches = {slot: patch_of(frame.colour, view, slot) for slot in slots}
    return {slot: patch for slot, patch in patches.items() if not is_cut_off(patch) and not is_bleached(patch)}


def _cut(picture: NDArray[np.uint8], view: RackView, first: int, last: int, finer: int) -> NDArray[np.uint8]:
    """Cut the patches of neighbouring slots in one, the last (farthest) on top; so many times `finer` than a patch."""
    fit = view.fit
    plane, wide = fit.plane, fit.table.card.width + 2 * ASIDE
    rows, pitch = ROWS + PITCH * (last - first), fit.table.rack.pitch
    far = plane.far - fit.expected_row(last) / SCALE + ROWS / PITCH * pitch / 2
    corner = np.array([plane.left + view.slide, far, plane.height])
    size = finer * COLUMNS, finer * rows
    along, down = np.array([wide / size[0], 0.0, 0.0]), np.array([0.0, -pitch / PITCH / finer, 0.0])
    return flatten(picture, fit.pose, corner, along, down, size, 1.0)


def is_cut_off(patch: NDArray[np.uint8]) -> bool:
    """Tell whether a part of the slot lies beyond the picture's border, where all is exactly black."""
    own = patch[OWN]
    black = (own[..., 0] | own[..., 1] | own[..., 2]) == 0
    return float(black.mean()) > BEYOND


def is_bleached(patch: NDArray[np.uint8]) -> bool:
    """Tell whether there is so much light in a slot that neither a card nor its absence is seen."""
    own = patch[OWN, COLUMNS // 10 : -COLUMNS // 10]
    return float((own.min(axis=-1) >= BLEACHED).mean()) > MOSTLY


def face_colour(frame: Frame, view: RackView, read: Sequence[int]) -> NDArray[np.float64]:
    """Give the usual colour (3,) of the faces of cards that were read; these slots have strips."""
    return np.asarray(np.median(face_colours(frame, view, read), axis=0))


def face_colours(frame: Frame, view: RackView, read: Sequence[int]) -> NDArray[np.float64]:
    """Give the colour of each face, (n, 3), of cards that were read."""
    rim = round((ASIDE + FACE_RIM) * FACE_SCALE)
    faces = view.in_colour(frame, read, FACE, FACE_SCALE)
    pixels = np.array([rows[:, rim:-rim] for rows in faces]).reshape(len(faces), -1, 3)
    return np.asarray(np.median(pixels, axis=1))


def prepared(patches: NDArray[np.uint8], faces: NDArray[np.float64]) -> NDArray[np.float32]:
    """Give a net's input (n, channels, rows, columns) of n patches and the colours (n, channels) of what is usual."""
    against = np.log(faces + DARKEST).astype(np.float32)[:, None, None, :]
    away = np.log(patches.astype(np.float32) + np.float32(DARKEST)) - against
    return np.ascontiguousarray(np.clip(away, -FARTHEST, FARTHEST).transpose(0, 3, 1, 2))


def narrow(patch: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Give a grey patch, or several in one, with as few columns as the glance sees."""
    size = GLANCE_COLUMNS, len(patch)
    return np.asarray(cv2.resize(patch, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def coarse(narrowed: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Give the glance's input (n, *GLANCED) of n grey patches that were narrowed, each against its usual level."""
    flat = narrowed.reshape(len(narrowed), -1)
    # of bytes, NumPy's stable sort is a count
    middle = np.sort(flat, axis=1, kind="stable")[:, (flat.shape[1] - 1) // 2 : flat.shape[1] // 2 + 1]
    seen = prepared(narrowed[..., None], middle.mean(axis=1, keepdims=True))
    blocks = seen.reshape(-1, GLANCED[1], BLOCK, GLANCED[2], BLOCK).transpose(0, 2, 4, 1, 3)
    return np.ascontiguousarray(blocks).reshape(-1, *GLANCED)


def _ask(model: Path, seen: NDArray[np.float32]) -> NDArray[np.float64]:
    """Give the chances (n, states) by a net, for n patches as it is to see them."""
    nets = _own.__dict__.setdefault("nets", {})  # OpenCV's nets are not to be shared between threads
    if model not in nets:
        nets[model] = load_net(model, "the net for slots", seen.shape[1:], (len(STATES),), StatesError)
    return shares(asked(nets[model], seen))
