"""The mean of what stays before a camera: less noise, and nothing of what is no longer there."""

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.frame import Frame
from vision.steady import MOST, Steady

HEIGHT, WIDTH = 240, 320
THINGS = np.array([[[80.0, 60.0], [240.0, 60.0], [240.0, 180.0], [80.0, 180.0]]])
INSIDE = slice(60, 180), slice(80, 240)
NOISE = 12.0
NONE = np.empty((0, 4, 2))


def scene() -> NDArray[np.float64]:
    """Stripes, in grey levels."""
    return np.tile(np.where(np.arange(WIDTH) % 16 < 8, 90.0, 130.0), (HEIGHT, 1))


def taken(true: NDArray[np.float64], seed: int, colours: int) -> Frame:
    """A picture of it with its own noise, in grey or BGR."""
    shape = (*true.shape, colours) if colours > 1 else true.shape
    noise = np.random.default_rng(seed).normal(0.0, NOISE, shape)
    seen = true[..., None] + noise if colours > 1 else true + noise
    return Frame(seen.clip(0, 255).astype(np.uint8))


def watched(pictures: list[Frame]) -> Steady:
    """The mean of what stays in some pictures."""
    first, *others = pictures
    steady = Steady(first.colour, first.half, THINGS)
    for one in others:
        steady.add(one.colour, one.half, NONE)
    return steady


def off(picture: NDArray[np.uint8], true: NDArray[np.float64], part: tuple[slice, slice] = INSIDE) -> float:
    """How far, in grey levels, a part of a picture is off what is true: a standard deviation."""
    apart = picture.astype(np.float64) - (true[..., None] if picture.ndim == 3 else true)
    return float(np.sqrt((apart[part] ** 2).mean()))


@pytest.mark.parametrize("colours", [1, 3])
def test_noise_goes_down_with_the_square_root_of_the_number_of_looks(colours: int) -> None:
    pictures = [taken(scene(), seed, colours) for seed in range(MOST)]
    clear = watched(pictures).in_place(pictures[-1].colour)
    assert off(pictures[-1].colour, scene()) == pytest.approx(NOISE, rel=0.1)
    assert off(clear, scene()) == pytest.approx(NOISE / MOST**0.5, rel=0.2)
    assert (clear[:20] == pictures[-1].colour[:20]).all()


def test_where_something_else_is_seen_the_mean_begins_anew_and_only_there() -> None:
    pictures = [taken(scene(), seed, 1) for seed in range(MOST)]
    other = scene()
    other[100:120, 100:124] += 30.0
    last = taken(other, MOST, 1)
    clear = watched([*pictures, last]).in_place(last.colour)
    changed, elsewhere = (slice(100, 120), slice(100, 124)), (slice(60, 180), slice(160, 240))
    assert off(clear, other, changed) == pytest.approx(NOISE, rel=0.2)
    assert off(clear, other, elsewhere) < NOISE / 2


def test_what_is_said_to_have_changed_begins_anew_though_it_looks_the_same() -> None:
    pictures = [taken(scene(), seed, 1) for seed in range(MOST)]
    steady, last = watched(pictures), taken(scene(), MOST, 1)
    steady.add(last.colour, last.half, np.array([[[100.0, 80.0], [140.0, 80.0], [140.0, 120.0], [100.0, 120.0]]]))
    clear = steady.in_place(last.colour)
    assert off(clear, scene(), (slice(84, 116), slice(104, 136))) == pytest.approx(NOISE, rel=0.2)
    assert off(clear, scene(), (slice(60, 180), slice(160, 240))) < NOISE / 2


def test_things_that_are_partly_out_of_the_picture_are_no_trouble() -> None:
    first = taken(scene(), 0, 3)
    for shift in ((-150.0, -100.0), (150.0, 100.0)):
        quads = THINGS + np.array(shift)
        steady = Steady(first.colour, first.half, quads)
        steady.add(first.colour, first.half, quads)
        assert (steady.in_place(first.colour) == first.colour).all()
