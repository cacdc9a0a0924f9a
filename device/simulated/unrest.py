"""What happens at a table beside the play: a camera is bumped, a mat shifts, the light changes, a shadow falls."""

import math
from dataclasses import dataclass, replace
from random import Random
from typing import Final

from device.simulated.nudges import pushed_again
from vision.drawing.random_light import LOWEST
from vision.drawing.random_scenes import shaded
from vision.drawing.scene import Lamp, Point, Scene

PICTURES_A_TURN: Final = 6
"""About so many pictures are taken in a turn."""

AT, TO, ROLL = 3.0, 5.0, 0.5
"""How far a bump moves a camera and what it looks at, in mm, and turns it, in degrees: standard deviations."""

SHIFTED, TURNED = 4.0, 1.2
"""The same of a mat, in mm and degrees."""

BRIGHTER, EXPOSED, TINTED, CARRIED = 0.4, 0.2, 0.05, 300.0
"""Logarithms by which lamps get brighter, what the camera makes of it, and each colour, and mm by which lamps move."""

SWAY: Final = 2.0
"""Who throws a shadow does not keep still: from picture to picture it moves by so many mm (one sigma)."""


@dataclass(frozen=True)
class _Off:
    """How far a camera and the mat before it are off where they were."""

    at: Point = (0.0, 0.0, 0.0)
    to: Point = (0.0, 0.0, 0.0)
    roll: float = 0.0
    mat: tuple[float, float] = (0.0, 0.0)
    turn: float = 0.0


@dataclass(frozen=True)
class _Light:
    """What has become of the light: how much brighter lamps are, and pictures, each colour's part, and lamps' way."""

    lamps: float = 1.0
    exposure: float = 1.0
    balance: Point = (1.0, 1.0, 1.0)
    way: Point = (0.0, 0.0, 0.0)


class Unrest:
    """Lets something happen in a share of turns (0..1), at any time in them; what happened stays so.

    But for a shadow: it stays, with its sway, until the same happens again before the same camera.
    """

    def __init__(self, share: float, chance: Random) -> None:
        """Begin as everything was put; a `share` of 0 leaves it so."""
        self._share = share
        self._chance = chance
        self._off: dict[int, _Off] = {}
        self._light = _Light()
        self._shades: dict[int, tuple[Point, ...]] = {}

    def seen(self, scene: Scene) -> Scene:
        """Give the next scene before a camera as it is by now."""
        if not self._share:
            return scene
        (mat,) = scene.mats
        if self._chance.random() < self._share / PICTURES_A_TURN:
            self._happens(mat.number, scene)
        off, light = self._off.get(mat.number, _Off()), self._light
        camera, photo = scene.camera, scene.photo
        lamps = tuple(self._lit(lamp) for lamp in scene.room.lamps)
        blue, green, red = (one * other for one, other in zip(photo.balance, light.balance, strict=True))
        return replace(
            scene,
            mats=(replace(mat, at=(mat.at[0] + off.mat[0], mat.at[1] + off.mat[1]), turn=mat.turn + off.turn),),
            camera=replace(
                camera, at=_moved(camera.at, off.at), to=_moved(camera.to, off.to), roll=camera.roll + off.roll
            ),
            room=replace(scene.room, lamps=lamps),
            photo=replace(photo, exposure=photo.exposure * light.exposure, balance=(blue, green, red)),
            shades=self._swaying(mat.number),
        )

    def _happens(self, number: int, scene: Scene) -> None:
        off = self._off.get(number, _Off())
        what = self._chance.choice(("camera", "mat", "light", "shadow"))
        if what == "shadow":
            if self._shades.pop(number, None) is None:
                (self._shades[number],) = shaded(self._chance, scene).shades
        elif what == "light":
            self._light = _Light(
                self._times(BRIGHTER), self._times(EXPOSED),
                (self._times(TINTED), self._times(TINTED), self._times(TINTED)), self._way((0.0, 0.0, 0.0), CARRIED),
            )  # fmt: skip
        elif what == "camera":
            roll = pushed_again(off.roll, ROLL, self._chance)
            self._off[number] = replace(off, at=self._way(off.at, AT), to=self._way(off.to, TO), roll=roll)
        else:
            x, y = (pushed_again(old, SHIFTED, self._chance) for old in off.mat)
            self._off[number] = replace(off, mat=(x, y), turn=pushed_again(off.turn, TURNED, self._chance))

    def _swaying(self, number: int) -> tuple[tuple[Point, ...], ...]:
        if number not in self._shades:
            return ()
        way = self._chance.gauss(0, SWAY), self._chance.gauss(0, SWAY), 0.0
        self._shades[number] = tuple(_moved(corner, way) for corner in self._shades[number])
        return (self._shades[number],)

    def _lit(self, lamp: Lamp) -> Lamp:
        blue, green, red = (self._light.lamps * part for part in lamp.light)
        x, y, z = _moved(lamp.at, self._light.way)
        return replace(lamp, at=(x, y, max(z, LOWEST)), light=(blue, green, red))

    def _times(self, spread: float) -> float:
        return math.exp(self._chance.gauss(0, spread))

    def _way(self, off: Point, spread: float) -> Point:
        x, y, z = (pushed_again(old, spread, self._chance) for old in off)
        return x, y, z


def _moved(point: Point, way: Point) -> Point:
    return point[0] + way[0], point[1] + way[1], point[2] + way[2]
