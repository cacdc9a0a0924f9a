"""Tables by their names: `session:DIR`, a recorded one, and `simulated:SEED`, one that is drawn as it plays."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final, Literal

from device.cameras.camera import Camera
from device.cameras.naming import camera_named
from device.configuration import CAMERA_NAME, CameraWanted
from device.loop.run import Tables
from device.sessions.format import open_session
from device.sessions.source import Source
from device.simulated.camera import SimulatedTable
from device.simulated.command import Wishes
from engine.errors import BadInput

DEMONSTRATION: Final = "simulated:1"
"""What is played where nobody names a camera."""

AUTO: Final = "auto"
"""Every camera that is plugged in."""

Kind = Literal["live", "simulated", "session"]
"""The last two play by themselves, people and all."""

RECORDED: Final = Path(__file__).parent.parent / "tests" / "sessions" / "ada-and-ben"
"""The recorded round that comes with the project."""

ROUNDS: Final = 100
"""A simulated game is played to its end; no game takes so many rounds."""


def kind_of(source: str) -> Kind:
    """What kind of table a camera's name makes."""
    match source.partition(":")[0]:
        case "session":
            return "session"
        case "simulated":
            return "simulated"
    return "live"


def is_played(source: str) -> bool:
    """Whether a camera's name means a whole table that plays by itself."""
    return kind_of(source) != "live"


def tables_named(camera: str) -> Tables:
    """The table that plays by itself which a camera's name means. Raises BadInput or TableError, in one line."""
    kind, _, rest = camera.partition(":")
    if kind == "session" and rest:
        return _recorded(Path(rest))
    if kind == "simulated":
        return _simulated(camera, rest)
    raise BadInput(f"camera {camera!r}: is no whole table; session:DIR and simulated:SEED are")


def _recorded(folder: Path) -> Tables:
    session = open_session(folder)
    return lambda _: session


def _simulated(camera: str, rest: str) -> Tables:
    """An evening of two, three or four people, by its seed: game after game, at one table and with one deck."""
    if not (rest.isascii() and rest.isdigit() and len(rest) < 10):
        raise BadInput(f"camera {camera!r}: a seed is a number from 0 on, such as simulated:1")
    seed = int(rest)
    plan = Wishes(players=2 + seed % 3, seed=seed, rounds=ROUNDS).plan()

    def table(number: int) -> Source:
        return SimulatedTable(replace(plan, number=number))

    return table


def wanted_cameras(
    said: Sequence[str], session: Path | None, configured: Sequence[CameraWanted]
) -> tuple[CameraWanted, ...]:
    """The cameras of a table: those that the command line names, else those of the configuration, else a simulated one.

    A live camera is named `NAME=SOURCE`, or by its source alone. Raises BadInput for what cannot be.
    """
    if session is not None:
        return (CameraWanted("", f"session:{session}"),)
    wanted = [camera_wanted(words, number) for number, words in enumerate(said, 1)] or list(configured)
    if not wanted:
        return (CameraWanted("", DEMONSTRATION),)
    return tuple(wanted)


def camera_wanted(words: str, number: int) -> CameraWanted:
    """Read NAME=SOURCE, or a source alone: then the camera is called by its number."""
    name, equals, source = words.partition("=")
    if equals and CAMERA_NAME.fullmatch(name) and source:
        return CameraWanted(name, source)
    return CameraWanted(f"camera{number}", words)


def live_cameras(wanted: Sequence[CameraWanted], wake: Callable[[], None]) -> list[Camera]:
    """Start the cameras of a live table that are named. Raises CameraError for words that name none."""
    for camera in wanted:
        if is_played(camera.source):
            raise BadInput(f"{camera.source} is a whole table; name no other camera beside it")
    return [camera_named(camera.source, camera.name, wake) for camera in wanted if camera.source != AUTO]
