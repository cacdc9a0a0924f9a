"""A recorded round in other rooms: is it followed in other light, through worse cameras, on a table that is bumped?

    python -m tests.faults.rooms [--seed 1] [SESSION ...]

The pictures of a recorded session (the project's own, if none is named) are altered as a room or a camera would, the
same way in the whole round, in each picture anew, or for spells of some seconds, each camera's at its own times. Then
the session is replayed and held against its truth. Printed is for each room what differs, and how often somebody is
accused who did nothing.
"""

import argparse
import contextlib
import io
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from device.commands.replay import Replay
from device.sessions.format import FrameTaken, Session, open_session, read_truth
from device.sessions.truth import differences
from engine.errors import BadInput
from engine.lines import Line
from tests.device.recorded import SESSION
from vision.drawing.canvas import for_each_colour
from vision.eye import Eye
from vision.frame import Frame
from vision.reading.digits import NumberReader
from vision.region import TILES

Pixels = NDArray[np.float32]
"""A BGR picture, (height, width, 3), 0 to 255; what lies beyond is cut off when it becomes one again."""

Alter = Callable[[Pixels, Generator], Pixels]
"""Gives a picture as it looks in another room; all that is drawn by chance is drawn alike for a whole spell."""

Entry = FrameTaken | tuple[float, Line]

ONCE: Final = 1e9
"""A spell that never ends: one camera sees the same change in all of its pictures."""

SECOND_LOOK: Final = 0.25
"""A recorded round has two pictures of each still scene, so many seconds apart."""


LIVE: Final = 0.2, 3.0
"""Seconds between pictures in between, and for how long there are any after a recorded one."""


@dataclass(frozen=True)
class Room:
    """How a room alters pictures, for spells of so many seconds, 0 for each anew; and which are `lost`, as a share.

    quality: of the JPEGs. once: of each still scene there is but the first picture. hands: the share of pictures with a
    hand in them that there are. beside: only what lies beside the mats is altered, and there are pictures in between as
    a live camera shows them, so something moves all the time.
    """

    alter: Alter = lambda seen, _: seen
    spell: float = ONCE
    quality: int = 90
    lost: float = 0.0
    once: bool = False
    hands: float = 1.0
    beside: bool = False


def _places(seen: Pixels) -> tuple[Pixels, Pixels]:
    """Give how far right and how far down each pixel is, from -0.5 to 0.5, (height, width)."""
    down, right = (np.linspace(-0.5, 0.5, side, dtype=np.float32) for side in seen.shape[:2])
    return np.tile(right, (len(down), 1)), np.tile(down[:, None], (1, len(right)))


def _moved(seen: Pixels, right: float, down: float, turned: float = 0.0, scale: float = 1.0) -> Pixels:
    height, width = seen.shape[:2]
    way = cv2.getRotationMatrix2D((width / 2, height / 2), turned, scale)
    way[:, 2] += np.array([right, down])
    return np.asarray(cv2.warpAffine(seen, way, (width, height), borderMode=cv2.BORDER_REFLECT), np.float32)


def _blurred(seen: Pixels, pixels: float) -> Pixels:
    return np.asarray(cv2.GaussianBlur(seen, (0, 0), pixels), np.float32)


def _lit(seen: Pixels, light: NDArray[np.floating]) -> Pixels:
    everywhere = np.broadcast_to(light, seen.shape[:2]).astype(np.float32)
    return np.asarray(cv2.multiply(seen, for_each_colour(everywhere)), np.float32)


def in_little_light(share: float, grain: float) -> Alter:
    """A room with such a share of the light, before a camera that makes so many grey levels of grain in it."""
    return lambda seen, chance: (
        seen * np.float32(share) + np.float32(grain) * chance.standard_normal(seen.shape, np.float32)
    )


def coarse(seen: Pixels, _: Generator) -> Pixels:
    """A camera of seven tenths of the pixels."""
    height, width = seen.shape[:2]
    few = cv2.resize(seen, None, fx=0.7, fy=0.7, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.resize(few, (width, height), interpolation=cv2.INTER_CUBIC), np.float32)


def as_wide(times: float) -> Alter:
    """A camera, or a relay behind it, that sends pictures so many times as wide."""
    return lambda seen, _: np.asarray(
        cv2.resize(seen, None, fx=times, fy=1.0, interpolation=cv2.INTER_AREA), np.float32
    )


def flickering(seen: Pixels, chance: Generator) -> Pixels:
    """Exposure that is never the same twice."""
    return np.asarray(255 * (seen / 255) ** chance.uniform(0.75, 1.35), np.float32)


def banded(seen: Pixels, chance: Generator) -> Pixels:
    """Lamps on alternating current, before a camera that exposes for less than they flicker."""
    down = np.linspace(0, chance.uniform(1.5, 5), len(seen)) + chance.random()
    return _lit(seen, (1 + 0.15 * np.sin(2 * np.pi * down))[:, None])


def screens(seen: Pixels, chance: Generator) -> Pixels:
    """A television that fills all there is to be seen, or people everywhere."""
    height, width = seen.shape[:2]
    shown = chance.uniform(0, 255, (9, 16, 3)).astype(np.float32)
    return np.asarray(cv2.resize(shown, (width, height), interpolation=cv2.INTER_CUBIC), np.float32)


def grey(seen: Pixels, _: Generator) -> Pixels:
    """A camera that sees no colours."""
    return np.repeat(seen.mean(axis=2, keepdims=True), 3, axis=2)


def dirty(seen: Pixels, chance: Generator) -> Pixels:
    """Fingerprints on the lens."""
    right, down = _places(seen)
    where = [np.exp(-((right - x) ** 2 + (down - y) ** 2) / 0.002) for x, y in chance.uniform(-0.5, 0.5, (6, 2))]
    share = 0.8 * np.max(where, axis=0)[..., None]
    return np.asarray(seen * (1 - share) + (_blurred(seen, 6.0) * 0.8 + 40) * share, np.float32)


def dark_corners(seen: Pixels, _: Generator) -> Pixels:
    """A cheap lens."""
    right, down = _places(seen)
    return _lit(seen, 1 - 1.6 * (right * right + down * down))


def lamp(seen: Pixels, chance: Generator) -> Pixels:
    """A warm lamp alone, or daylight with it."""
    warm = np.array([0.55, 0.75, 0.9], np.float32) * np.float32(chance.uniform(0.6, 1.0))
    return seen * warm if chance.random() < 0.5 else seen


def from_a_side(seen: Pixels, chance: Generator) -> Pixels:
    """Light from a window, or from a lamp beside the table."""
    (right, down), way = _places(seen), chance.uniform(0, 2 * np.pi)
    return _lit(
        seen, (1 + 0.9 * chance.random() * (np.cos(way) * right + np.sin(way) * down)) * chance.uniform(0.7, 1.1)
    )


def shadow(seen: Pixels, chance: Generator) -> Pixels:
    """Somebody stands between lamp and table."""
    (right, down), way = _places(seen), chance.uniform(0, np.pi)
    off = np.abs(np.cos(way) * right + np.sin(way) * down - chance.uniform(-0.6, 0.6)) - chance.uniform(0.1, 0.3)
    return _lit(seen, 1 - chance.uniform(0.2, 0.55) / (1 + np.exp(off / chance.uniform(0.01, 0.05))))


def reflection(seen: Pixels, chance: Generator) -> Pixels:
    """A bright spot that is mirrored by table and cards."""
    (right, down), (x, y) = _places(seen), chance.uniform(-0.5, 0.5, 2)
    spot = np.exp(-((right - x) ** 2 + (down - y) ** 2) / 2 / chance.uniform(0.05, 0.15) ** 2)
    return np.asarray(seen + chance.uniform(30, 120) * spot[..., None], np.float32)


ROOMS: Final[dict[str, Room]] = {
    "as recorded": Room(),
    "with grain": Room(in_little_light(0.6, 7.0), 0.0, quality=60),
    "dim": Room(in_little_light(0.3, 3.0), 0.0),
    "too bright": Room(lambda seen, _: seen * np.float32(1.5)),
    "pale": Room(lambda seen, _: 128 + (seen - 128) * np.float32(0.45)),
    "in other colours": Room(lambda seen, chance: seen * chance.uniform(0.6, 1.15, 3).astype(np.float32)),
    "without colours": Room(grey),
    "with dark corners": Room(dark_corners),
    "through a dirty lens": Room(dirty),
    "out of focus": Room(lambda seen, _: _blurred(seen, 1.3)),
    "with few pixels": Room(coarse),
    "as small JPEGs": Room(quality=25),
    "squeezed into 4:3": Room(as_wide(0.75)),
    "stretched by a third": Room(as_wide(4 / 3)),
    "upside down": Room(lambda seen, _: np.ascontiguousarray(seen[::-1, ::-1])),
    "with a tilted camera": Room(lambda seen, chance: _moved(seen, 0, 0, chance.uniform(-25, 25), 0.85)),
    "with a trembling camera": Room(lambda seen, chance: _moved(seen, *chance.normal(0, 0.3, 2)), 0.0),
    "with flickering light": Room(flickering, 0.0),
    "with bands of light": Room(banded, 0.0),
    "focus hunts": Room(lambda seen, chance: _blurred(seen, chance.uniform(0.3, 2.0)), 12.0),
    "the camera is bumped": Room(lambda seen, chance: _moved(seen, *chance.normal(0, [2.5, 2.5, 0.15])), 12.0),
    "a lamp goes on and off": Room(lamp, 12.0),
    "light from other sides": Room(from_a_side, 30.0),
    "shadows come and go": Room(shadow, 30.0),
    "a reflection wanders": Room(reflection, 20.0),
    "pictures are lost": Room(lost=0.12),
    "one picture a scene": Room(once=True),
    "hands are seldom seen": Room(hands=0.4),
    "no hand is ever seen": Room(hands=0.0),
    "something moves beside": Room(screens, 0.0, beside=True),
}


@dataclass(frozen=True)
class Elsewhere(Session):
    """A session as it would have been recorded in another room.

    with_hand: the files of the pictures with a hand in them. beside: where each camera's mats do not lie.
    """

    room: Room = ROOMS["as recorded"]
    seed: int = 1
    with_hand: frozenset[str] = frozenset()
    beside: dict[str, NDArray[np.uint8]] = field(default_factory=dict)

    def timeline(self, complain: Callable[[str], None]) -> Iterator[Entry]:
        """As recorded, without what is lost, and with what is seen in between."""
        chance, latest = np.random.default_rng(self.seed), dict[str, float]()
        for entry in self._live(super().timeline(complain)) if self.room.beside else super().timeline(complain):
            if isinstance(entry, FrameTaken):
                second = abs(entry.t - latest.get(entry.camera, -1.0) - SECOND_LOOK) < 0.02
                latest[entry.camera] = entry.t
                if (self.room.once and second) or chance.random() < self.room.lost:
                    continue
                if self.room.hands < 1 and entry.name in self.with_hand and chance.random() >= self.room.hands:
                    continue
            yield entry

    @staticmethod
    def _live(recorded: Iterable[Entry]) -> list[Entry]:
        """Each camera shows what it saw last again and again until it sees something else, for a while at most."""
        (every, longest), entries = LIVE, list(recorded)
        taken: dict[str, list[FrameTaken]] = {}
        for entry in entries:
            if isinstance(entry, FrameTaken):
                taken.setdefault(entry.camera, []).append(entry)
        for frames in taken.values():
            for one, after in zip(frames, [frame.t for frame in frames[1:]] + [np.inf], strict=True):
                times = np.arange(one.t + every, min(after, one.t + longest) - every / 4, every)
                entries += [replace(one, t=round(float(t), 3)) for t in times]
        return sorted(entries, key=lambda entry: entry.t if isinstance(entry, FrameTaken) else entry[0])

    def _without_mats(self, taken: FrameTaken, seen: Frame) -> NDArray[np.uint8]:
        """Where the mats do not lie in a camera's picture, (height, width), 1 there and else 0."""
        if taken.camera not in self.beside:
            eye = Eye(self.table, (), self.table.cameras.get(taken.camera), NumberReader())
            eye.find(seen)
            tiles = np.ones(TILES[::-1], np.uint8) if eye.matters is None else eye.matters.astype(np.uint8)
            size = seen.grey.shape[::-1]
            mats = cv2.resize(cv2.dilate(tiles, np.ones((5, 5), np.uint8)), size, interpolation=cv2.INTER_NEAREST)
            self.beside[taken.camera] = (mats == 0).astype(np.uint8)
        return self.beside[taken.camera]

    def picture(self, taken: FrameTaken) -> Frame:
        """The picture as the room alters it, coded as a camera does."""
        camera = zlib.crc32(taken.camera.encode())
        # each camera's spells begin at times of their own
        spell = int(taken.t / self.room.spell + camera % 100 / 100) if self.room.spell else round(taken.t * 1000)
        recorded = super().picture(taken)
        seen = recorded.colour.astype(np.float32)
        altered = np.clip(self.room.alter(seen, np.random.default_rng([self.seed, camera, spell])), 0, 255).astype(
            np.uint8
        )
        if self.room.beside:
            altered = np.asarray(cv2.copyTo(altered, self._without_mats(taken, recorded), recorded.colour.copy()))
        _, jpeg = cv2.imencode(".jpg", altered, [cv2.IMWRITE_JPEG_QUALITY, self.room.quality])
        return Frame(jpeg.tobytes(), taken.name)


def followed(folder: Path, room: Room, seed: int = 1) -> tuple[list[str], int]:
    """Replay a session in a room: what differs from its truth, and how many are accused falsely. Raises BadInput."""
    session = open_session(folder)
    truth = read_truth(session)
    if truth is None:
        raise BadInput(f"{folder}: has no truth.jsonl to check against")
    recorded = {known.name: getattr(session, known.name) for known in fields(session)}
    with_hand = frozenset(str(row["file"]) for row in truth if row.get("hand"))
    run = Replay(Elsewhere(**recorded, room=room, seed=seed, with_hand=with_hand), as_json=True)
    with contextlib.redirect_stdout(io.StringIO()):
        run.run()
    found = [*run.complaints, *differences(run.said, truth)]
    return found, sum("said rule" in one for one in found)


def main() -> int:
    """Play all rooms; give the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sessions", nargs="*", type=Path, default=[SESSION], metavar="SESSION")
    parser.add_argument("--seed", type=int, default=1, help="what is drawn by chance")
    options, differ = parser.parse_args(), 0
    for name, room in ROOMS.items():
        for folder in options.sessions:
            try:
                found, accused = followed(folder, room, options.seed)
            except BadInput as problem:
                sys.stderr.write(f"{parser.prog}: {problem}\n")
                return 2
            differ += bool(found)
            words = f"{len(found)} differences, {accused} falsely accused: {found[0]}" if found else "as in truth"
            print(f"{name:28}{folder.name:16}{words}", flush=True)  # noqa: T201 - this is what it is for
    played = len(ROOMS) * len(options.sessions)
    print(f"{played - differ} of {played} as in truth")  # noqa: T201 - likewise
    return 0


if __name__ == "__main__":
    sys.exit(main())
