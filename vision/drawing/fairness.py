"""Whether a person could read a scene's numbers: how far print stands out from paper, before noise."""

import itertools

import cv2
import numpy as np

from calibration.table import Card
from vision.drawing.camera import View
from vision.drawing.canvas import Canvas, linear
from vision.drawing.cards import ROWS, Neighbour, light_between, number_quad
from vision.drawing.decks import Deck
from vision.drawing.faces import numeral_of
from vision.drawing.light import UP, Floats, Lighting
from vision.drawing.photo import WHITE
from vision.drawing.places import MAT_MIDDLE, Placed
from vision.drawing.racks import cards_in, foreground_of
from vision.drawing.scene import BACK, Camera, MatPlace, RackStand, Scene
from vision.drawing.studio import Studio

LEAST = 17.0
"""Grey levels by which blurred strokes must stand out; the faintest of the recorded stills have about 20."""
OVER_NOISE = 2.4
"""They must stand out by so many sigmas of a pixel's noise: a stroke is many pixels long."""
NUMBER = slice(ROWS // 14, 3 * ROWS // 14)
"""The rows of the light on a card, of ROWS, in which its number stands."""
STROKE = 0.16
"""A usual stroke's width as a share of a numeral's height."""


def readable(scene: Scene, margin: float = 1.0) -> bool:
    """Say whether a scene's numbers stand out enough from their cards and from the noise, by a factor (`margin`)."""
    photo = scene.photo
    stroke = STROKE * smallest_numeral(scene)
    spread = np.hypot(photo.blur + photo.depth / 2, np.hypot(*photo.motion) / 3.5)
    contrast = contrast_of(scene) * stroke / np.hypot(stroke, 2.5 * spread)
    return bool(contrast > margin * max(LEAST, OVER_NOISE * float(np.hypot(photo.noise, photo.grain))))


def smallest_numeral(scene: Scene) -> float:
    """Give the height in pixels of the smallest number in a scene's racks, foreshortened; 20 without a rack."""
    view, heights = View(scene.camera), [20.0]
    for mat in scene.mats:
        if isinstance(mat.stand, RackStand):
            for card in cards_in(mat.stand, Placed(mat), scene.card):
                if card.card != BACK:
                    quad = view.pixels(number_quad(card.plane, scene.deck, card.card))
                    heights.append(float(np.linalg.norm(quad[3] - quad[0])))
    return min(heights)


def thinness(deck: Deck) -> float:
    """Give how many times thinner a deck's strokes are than usual ones; 1 where they are not."""
    strokes = []
    for card in (11, 27, 38):
        numeral = numeral_of(deck, card)
        padded = cv2.copyMakeBorder((numeral > 127).astype(np.uint8), 1, 1, 1, 1, cv2.BORDER_CONSTANT)
        strokes.append(2 * float(cv2.distanceTransform(padded, cv2.DIST_L2, 5).max()) / numeral.shape[0])
    return float(max(STROKE / max(min(strokes), 0.01), 1.0))


def contrast_of(scene: Scene) -> float:
    """Give the least contrast of a number to its card in grey levels, noise and blur aside (255: no cards)."""
    light = Lighting(scene.room)
    studio = Studio(Canvas.of((1, 1)), View(scene.camera), light, scene.deck, scene.card, scene.cloth.colour)
    placed = [Placed(mat) for mat in scene.mats]
    middle = np.mean([mat.world(MAT_MIDDLE) for mat in placed], axis=0)
    paper = float(light.open_light(middle[None], UP).mean())
    gains = np.array(scene.photo.balance) * scene.photo.exposure / (paper * WHITE)
    found = [255.0]
    for mat in placed:
        stand = mat.place.stand
        if isinstance(stand, RackStand):
            cards = cards_in(stand, mat, scene.card)
            for front, card in zip((None, *cards), cards, strict=False):
                if card.card != BACK:
                    back = linear(scene.deck.back)
                    ground = foreground_of(stand, card.slot, mat, scene.cloth.colour)
                    before = Neighbour(front.plane, back) if front else ground
                    shade, mirrored = (part[NUMBER] for part in light_between(studio, card.plane, before, seen=True))
                    found.append(_apart(scene.deck, card.card, shade * gains, mirrored * gains))
        elif stand is not None and stand.discard_pile:
            shade = light.open_light(mat.world(MAT_MIDDLE)[None, None], UP) * 0.85 * gains
            found.append(_apart(scene.deck, stand.discard_pile[-1].card, shade, np.zeros(3)))
    return min(found)


def covered(camera: Camera, deck: Deck, size: Card, stand: RackStand, slot: int) -> float:
    """Give how much of a number's height the next card before it hides (0..1), at its worse end.

    The worse of two: the number of a slot (0..9), and that behind it. The rack's mat lies at the world's origin.
    """
    view, cards = View(camera), cards_in(stand, Placed(MatPlace(1)), size)
    worst = 0.0
    for front, behind in itertools.pairwise(cards):
        if slot in (front.slot, behind.slot) and behind.card != BACK:
            number, top = (
                view.pixels(quad) for quad in (number_quad(behind.plane, deck, behind.card), front.plane.quad())
            )
            along = top[1] - top[0]
            across = np.array([along[1], -along[0]]) / max(float(np.linalg.norm(along)), 1e-9)
            high, low = (number[:2] - top[0]) @ across, (number[[3, 2]] - top[0]) @ across
            worst = max(worst, float(np.max(-low / np.maximum(high - low, 1e-9))))
    return min(worst, 1.0)


def _apart(deck: Deck, card: int, light: Floats, mirrored: Floats) -> float:
    """Give how far print and paper are apart in grey levels, at the middle place of those that are lit."""
    paper, ink = (np.sqrt(np.clip(linear(colour) * light + mirrored, 0, 1)) for colour in deck.colours(card))
    weights = np.array([0.114, 0.587, 0.299])
    return 255 * float(np.median(np.abs((paper - ink) @ weights)))
