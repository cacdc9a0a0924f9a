"""For which pile a hand over the tray reaches is told in drawn pictures of any tray, and in recorded ones."""

import json
import random
from collections import Counter
from pathlib import Path

import pytest

from device.sessions.format import FrameTaken, open_session
from tests.device.recorded import SESSION
from tests.vision.test_arm import before_an_eye, reached
from vision.drawing.random_scenes import some_scene
from vision.eye import Eye
from vision.reading.digits import NumberReader
from vision.tray.wells import SIDES


def told(seed: int, sides: tuple[float, ...]) -> Counter[bool | None]:
    """How often it is told rightly, wrongly, and not at all, for which pile of a tray hands reach from some sides."""
    situation = some_scene(random.Random(seed), "tray")
    scene, arm_in = before_an_eye(situation)
    said: Counter[bool | None] = Counter()
    for number, (well, side) in enumerate((well, side) for well in SIDES for side in sides):
        arm_in(scene, 2 * number)
        arm = arm_in(reached(scene, well, side, 100 * seed + number, 20.0), 2 * number + 1)
        pile = "draw" if situation.table.tray.draw == well else "discard"
        said[None if arm is None or arm.reaches is None else arm.reaches == pile] += 1
    return said


@pytest.mark.slow
@pytest.mark.parametrize("sides", [(-90.0, 90.0), (-60.0, 120.0), (0.0, 180.0)])
def test_for_which_pile_a_hand_reaches_is_told_of_most_and_wrongly_of_few(sides: tuple[float, ...]) -> None:
    """Also by an arm from beside the tray, which lies over the other pile."""
    said = sum((told(seed, sides) for seed in range(20, 24)), Counter[bool | None]())
    assert said[True] >= 8, said
    assert said[False] <= 1, said


def turns_and_hands(folder: Path) -> list[tuple[str, str]]:
    """The tray's first picture with a hand of each turn of a session, and the pile that the card was taken from."""
    rows = [json.loads(row) for row in (folder / "truth.jsonl").read_text().splitlines()]
    turns = [(row["t"], row["source"]) for row in rows if row["type"] == "turn"]
    hands = [
        (row["t"], row["file"]) for row in rows if row["type"] == "frame" and row["camera"] == "tray" and row["hand"]
    ]
    firsts = []
    for (t, source), before in zip(turns, [0.0, *(t for t, _ in turns)], strict=False):
        if inside := [file for at, file in hands if before < at < t]:
            firsts.append((inside[0], source))
    return firsts


def test_for_which_pile_a_hand_reaches_is_told_in_nearly_all_recorded_turns() -> None:
    session = open_session(SESSION)
    sources = dict(turns_and_hands(SESSION))
    assert len(sources) > 10
    eye = Eye(session.table, range(1, 61), session.table.cameras.get("tray"), NumberReader())
    said: Counter[bool | None] = Counter()
    for entry in session.timeline(pytest.fail):
        if isinstance(entry, FrameTaken) and entry.camera == "tray":
            tray = eye.look(session.picture(entry), moved=True).tray
            source = next((source for file, source in sources.items() if file.endswith(entry.name)), None)
            if source is not None:
                arm = None if tray is None else tray.arm
                said[None if arm is None or arm.reaches is None else arm.reaches == source] += 1
    assert said[False] == 0
    assert said[True] >= 0.9 * len(sources)
