"""Bands of light that wander through a camera's pictures are no movement, and what is read comes without them."""

import math

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.drawing import Eye, draw_mat, empty_table
from vision.frame import Frame
from vision.settle import Stillness
from vision.thumbnails import Bands, differs, thumbnail

Picture = NDArray[np.uint8]


def scene() -> Picture:
    picture = empty_table()
    draw_mat(picture, 1, Eye())
    return picture


def lit(picture: Picture, strength: float, number: float, phase: float) -> Picture:
    """A picture with so many bands, which make it brighter and darker by that share."""
    down = number * np.linspace(0, 1, len(picture)) + phase
    light = 1 + strength * np.sin(2 * math.pi * down)
    return np.asarray((0.7 * picture * light[:, None, None]).clip(0, 255), np.uint8)


@pytest.mark.slow
@pytest.mark.parametrize("number", [0.7, 2.0, 3.3, 4.0])
@pytest.mark.parametrize("strength", [0.05, 0.1])
def test_a_still_scene_in_bands_of_light_stands_and_is_seen_without_them(strength: float, number: float) -> None:
    stillness, read = Stillness(), []
    for place in range(6):
        picture = lit(scene(), strength, number, 0.37 * place)
        read += stillness.add(0.3 * place, Frame(picture))
    assert stillness.scenes == 1
    assert len(read) == 2
    for views in ([frame.grey for _, frame in read], [frame.colour for _, frame in read]):
        one, other = (cv2.blur(view, (9, 9)) / np.median(view) for view in views)
        assert np.abs(one - other).max() < 0.08 * one.max()


@pytest.mark.parametrize("strength", [0.0, 0.1, 0.15])
def test_what_moves_in_bands_of_light_moves(strength: float) -> None:
    stillness = Stillness()
    for place in range(4):
        stillness.add(0.3 * place, Frame(lit(scene(), strength, 3.0, 0.37 * place)))
    changed = scene()
    changed[300:340, 500:580] = 60
    stillness.add(1.2, Frame(lit(changed, strength, 3.0, 0.2)))
    assert stillness.scenes == 2


@pytest.mark.slow
def test_bands_are_known_again_where_the_camera_looks_at_something_else() -> None:
    stillness = Stillness()
    for place in range(30):
        seen = scene() if place < 4 else np.asarray(scene()[::-1])
        stillness.add(0.3 * place, Frame(lit(seen, 0.1, 2.0, 0.37 * place)))
    scenes = stillness.scenes
    for place in range(30, 36):
        stillness.add(0.3 * place, Frame(lit(np.asarray(scene()[::-1]), 0.1, 2.0, 0.37 * place)))
    assert stillness.scenes == scenes


@pytest.mark.parametrize("columns", [(300, 1100), (0, 500), (200, 1280)])
def test_an_arm_over_most_of_the_rows_is_no_band_and_leaves_none_behind(columns: tuple[int, int]) -> None:
    bands, plain = Bands(), thumbnail(Frame(scene()))
    bands.evened(plain)
    covered = scene()
    rough = np.random.default_rng(3).integers(40, 140, (30, 10, 3))
    covered[120:, slice(*columns)] = cv2.resize(rough.astype(np.uint8), (columns[1] - columns[0], 600))
    bands.evened(thumbnail(Frame(covered)))
    again, _ = bands.evened(plain)
    assert not differs(plain, again, 3.0)


def test_even_light_leaves_a_picture_as_it_is() -> None:
    stillness = Stillness()
    frames = [Frame(scene()) for _ in range(2)]
    read = [frame for place, frame in enumerate(frames) for _, frame in stillness.add(0.3 * place, frame)]
    assert read == frames


def test_a_frame_without_its_bands_is_still_the_same_jpeg() -> None:
    data = cv2.imencode(".jpg", scene())[1].tobytes()
    frame = Frame(data).lit_evenly(np.array([1.0, 1.25, 1.0], np.float32))
    assert frame.jpeg() == data
    plain = Frame(data).grey.astype(float)
    ratio = plain.mean(axis=1) / frame.bare().grey.mean(axis=1)
    assert ratio[0] == pytest.approx(1.0, abs=0.02)
    assert ratio[len(ratio) // 2] == pytest.approx(1.25, abs=0.02)


def test_bands_are_told_in_a_scene_that_changes_bit_by_bit_until_nothing_is_as_at_first() -> None:
    bands, picture = Bands(), scene()
    noise = np.random.default_rng(2)
    for place in range(48):
        if place % 3 == 0:
            left, top = 160 * (place // 3 % 8), 360 * (place // 24)
            patch = noise.integers(30, 220, (45, 20, 3)).astype(np.uint8)
            picture[top : top + 360, left : left + 160] = cv2.resize(patch, (160, 360))
        evened, _ = bands.evened(thumbnail(Frame(lit(picture, 0.1, 2.0, 0.37 * place))))
    unlit = thumbnail(Frame(lit(picture, 0.1, 2.0, 0.0)))
    ratio = evened / unlit
    assert ratio.max() / ratio.min() < 1.1


@pytest.mark.parametrize("number", [0.7, 2.0, 3.3])
def test_bands_are_told_where_most_of_the_picture_is_bleached(number: float) -> None:
    picture = np.minimum(scene(), 120)
    picture[:, 480:] = 235
    stillness = Stillness()
    for place in range(6):
        light = np.sin(2 * math.pi * (number * np.linspace(0, 1, len(picture)) + 0.37 * place))
        seen = np.clip(1.4 * picture * (1 + 0.15 * light[:, None, None]), 0, 255).astype(np.uint8)
        stillness.add(0.3 * place, Frame(seen))
    assert stillness.scenes == 1
