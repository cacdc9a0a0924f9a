"""A draw pile in a tray of nearly its own colour, and an empty well in noise, are not taken for each other."""

import random
from dataclasses import replace

import pytest

from tests.vision.test_swapped_piles import eye_for
from vision.drawing.decks import Colour
from vision.drawing.picture import draw
from vision.drawing.random_scenes import some_scene
from vision.drawing.scene import Scene, TrayStand
from vision.frame import Frame


def with_tray(scene: Scene, stand: TrayStand) -> Scene:
    """The scene of a tray alone, with another one in its place."""
    (mat,) = scene.mats
    return replace(scene, mats=(replace(mat, stand=stand),), hands=())


def draw_pile_in(seed: int, tint: tuple[float, float, float] | None) -> str | None:
    """What is told of a draw pile in a tray of its backs' colour times a tint, or, without one, of the empty well."""
    situation = some_scene(random.Random(seed), "tray")
    stand = situation.scene.tray()
    assert stand is not None
    if tint is None:
        stand = replace(stand, draw_pile=())
    else:
        assert stand.draw_pile
        blue, green, red = (
            round(min(level * share, 250)) for level, share in zip(situation.scene.deck.back, tint, strict=True)
        )
        colour: Colour = (blue, green, red)
        stand = replace(stand, colour=colour)
    look = eye_for(situation.table).look(Frame(draw(with_tray(situation.scene, stand))))
    assert look.tray is not None
    return look.tray.draw


@pytest.mark.parametrize(
    ("seed", "tint"),
    [
        (24, (1.0, 1.06, 0.94)),
        (24, (0.94, 1.0, 1.06)),
        (24, (1.06, 0.94, 1.0)),
        (124, (1.0, 1.06, 0.94)),
        (124, (1.06, 0.94, 1.0)),
    ],
)
def test_a_pile_in_a_tray_of_about_its_colour_is_no_empty_well(seed: int, tint: tuple[float, float, float]) -> None:
    assert draw_pile_in(seed, tint) in {"cards", None}


@pytest.mark.parametrize("seed", [12, 54])
def test_an_empty_well_in_noise_is_no_pile(seed: int) -> None:
    assert draw_pile_in(seed, None) in {"empty", None}
