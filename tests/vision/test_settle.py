"""What counts as movement before a camera: cards and hands do, however small; a lamp that goes on and off does not."""

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.frame import Frame
from vision.settle import SPOT, STILL_AFTER, Stillness
from vision.thumbnails import differs, thumbnail

Pixels = NDArray[np.uint8]
CARD, ELSEWHERE = (700, 300), (300, 500)
CHANCE = np.random.default_rng(1)
NOISE = [np.repeat(np.rint(CHANCE.normal(0, 3, (720, 1280, 1))), 3, axis=2).astype(np.int16) for _ in range(7)]
GLOW: NDArray[np.int16] = np.zeros((720, 1280, 3), np.int16)
cv2.circle(GLOW, CARD, 40, (0, 80, 0), -1)
GLOW = np.asarray(cv2.GaussianBlur(GLOW, (0, 0), 8), np.int16)
"""A green LED, in what it adds to a picture."""


class Camera:
    """A camera that takes a picture of what stands there five times a second, with a sensor's noise."""

    def __init__(self) -> None:
        self.still = Stillness()
        self.scene: Pixels = np.full((720, 1280, 3), 100, np.uint8)
        self.scene[100:600, 200:1100] = 140
        self.lit = False
        self.read = 0
        self._taken = 0

    def take(self, count: int = 3) -> int:
        """Take pictures; how often something was held to have moved meanwhile."""
        before = self.still.scenes
        for _ in range(count):
            seen = self.scene.copy()
            if self.lit:
                cv2.add(seen, GLOW, dst=seen, dtype=cv2.CV_8U)
            self._taken += 1
            noisy = cv2.add(seen, NOISE[self._taken % len(NOISE)], dtype=cv2.CV_8U)
            self.read += len(self.still.add(0.2 * self._taken, Frame(np.asarray(noisy, np.uint8))))
        return self.still.scenes - before

    def blink(self, times: int = 1) -> int:
        """Let the lamp go on and off; how often that was held to be movement."""
        moved = 0
        for _ in range(2 * times):
            self.lit = not self.lit
            moved += self.take()
        return moved

    def put(self, number: str, at: tuple[int, int] = CARD, height: float = 1.0) -> None:
        """Put a card with another number there, as large as the lamp; the number may be less high."""
        x, y = at
        self.scene[y - 25 : y + 25, x - 45 : x + 45] = 170
        thick = round(3 * height)
        cv2.putText(self.scene, number, (x - 20, y + 11), cv2.FONT_HERSHEY_DUPLEX, height, (40, 40, 60), thick)

    def pause(self, seconds: float) -> None:
        """Take no picture for a while."""
        self._taken += round(seconds / 0.2)


@pytest.fixture
def camera() -> Camera:
    """A camera before a card that a lamp shines on; the lamp is known by now."""
    known = Camera()
    known.put("17")
    known.take()
    known.blink(2)
    return known


def test_a_lamp_that_goes_on_and_off_is_movement_the_first_times_only() -> None:
    camera = Camera()
    camera.put("17")
    assert camera.take() == 1
    assert camera.blink() == 2
    assert camera.blink(20) == 0
    assert not camera.still.moving
    assert camera.read == 6 + 2 * 40


def test_the_lamp_is_small_and_would_be_movement(camera: Camera) -> None:
    dark = thumbnail(Frame(camera.scene))
    camera.lit = True
    camera.take(1)
    latest = camera.still.latest
    assert latest is not None
    assert differs(dark, thumbnail(latest))
    assert 0 < (np.abs(dark - thumbnail(latest)) > 12).mean() < SPOT


@pytest.mark.parametrize("at", [CARD, ELSEWHERE])
@pytest.mark.parametrize("blinks", [2, 2.5])
def test_another_card_as_small_as_the_lamp_is_seen_at_its_very_place_and_elsewhere(
    camera: Camera, at: tuple[int, int], blinks: float
) -> None:
    for _ in range(round(2 * blinks)):
        camera.lit = not camera.lit
        assert camera.take() == 0
    read = camera.read
    camera.put("52", at)
    assert camera.take() == 1
    assert camera.read == read + 2


def test_a_card_that_comes_as_the_lamp_changes_is_seen(camera: Camera) -> None:
    camera.lit = True
    camera.put("52")
    assert camera.take() == 1


def test_each_of_many_cards_is_seen_under_a_lamp_that_blinks_all_the_time(camera: Camera) -> None:
    for number in ("3", "28", "41", "9", "60", "33"):
        camera.put(number)
        assert camera.take() == 1
        camera.blink(3)


@pytest.mark.parametrize(("seconds", "again"), [(1.2, 1), (0.6, 0)])
def test_what_stands_alike_after_a_time_without_pictures_is_looked_at_again(seconds: float, again: int) -> None:
    """Else a card that came meanwhile is seen only when another comes: its player is said to have done nothing."""
    camera = Camera()
    camera.put("19", height=0.4)
    camera.take()
    before, read = camera.scene.copy(), camera.read
    camera.put("15", height=0.4)
    assert not differs(thumbnail(Frame(before)), thumbnail(Frame(camera.scene)))
    camera.pause(seconds)
    assert camera.take() == again
    assert camera.read == read + 2 * again


def test_a_camera_that_is_always_slow_sees_what_it_sees() -> None:
    camera, scenes = Camera(), []
    camera.put("17")
    for _ in range(6):
        camera.take(1)
        camera.pause(2.0)
        scenes.append(camera.still.scenes)
    # by the second picture it is not known yet
    assert scenes == [1, *[2] * 5]
    assert not camera.still.moving


def test_a_card_that_is_put_back_again_and_again_is_looked_at_each_time() -> None:
    camera = Camera()
    for number in ("17", "52") * 6:
        read = camera.read
        camera.put(number)
        camera.take()
        assert camera.read == read + 2


def test_a_finger_that_comes_and_goes_once_has_moved_both_times(camera: Camera) -> None:
    before = camera.scene.copy()
    cv2.line(camera.scene, (640, 719), (660, 560), (110, 140, 190), 30)
    assert camera.take() == 1
    camera.scene = before
    assert camera.take() == 1


def test_what_passes_the_lamp_in_one_picture_has_moved_both_times(camera: Camera) -> None:
    before = camera.scene.copy()
    cv2.circle(camera.scene, CARD, 15, (110, 140, 190), -1)
    assert camera.take(1) == 1
    camera.scene = before
    assert camera.take() == 1


def test_a_hand_that_comes_and_goes_always_has_moved(camera: Camera) -> None:
    bare, hand = camera.scene.copy(), camera.scene.copy()
    cv2.line(hand, (640, 719), (700, 320), (50, 70, 100), 250)
    for _ in range(4):
        camera.scene = hand
        assert camera.take() == 1
        camera.scene = bare
        assert camera.take() == 1


def test_a_picture_without_another_one_has_stood_after_a_while() -> None:
    still = Stillness()
    assert still.add(1.0, Frame(np.full((90, 160, 3), 100, np.uint8))) == []
    assert still.unread() is not None
    assert STILL_AFTER > 0
    still.mark_read()
    assert still.unread() is None
    assert not still.moving


def grainy(scene: Pixels, look: int, grain: float = 9.0) -> Frame:
    """A picture by a camera that sees little light, as a JPEG leaves it: its grain is as coarse as the thumbnail."""
    tiles = np.random.default_rng(look).normal(0, grain, (90, 160)).astype(np.float32)
    coarse = cv2.resize(tiles, (1280, 720), interpolation=cv2.INTER_LINEAR)
    return Frame(np.asarray(np.clip(scene + coarse[..., None], 0, 255), np.uint8))


def test_grain_in_the_dark_is_no_movement_and_a_hand_in_it_is_one() -> None:
    """Else no scene would ever stand still before live cameras, and none of their pictures be read."""
    dark = np.full((720, 1280, 3), 30, np.uint8)
    dark[100:600, 200:1100] = 50
    assert differs(thumbnail(grainy(dark, 0)), thumbnail(grainy(dark, 1)))
    still = Stillness()
    for look in range(4):
        still.add(0.2 * look, grainy(dark, look))
    scenes = still.scenes
    for look in range(4, 40):
        still.add(0.2 * look, grainy(dark, look))
    assert still.scenes == scenes
    hand = dark.copy()
    hand[300:720, 500:700] = 15
    for look in range(40, 60):
        before = still.scenes
        still.add(0.2 * look, grainy(hand if look % 2 else dark, look))
        assert still.scenes == before + (look > 40)
