"""Tables by their names: `session:DIR`, a recorded one, and `simulated:SEED`, one that is drawn as it plays."""

from dataclasses import replace
from pathlib import Path
from typing import Final

from device.run import Tables
from device.session import open_session
from device.simulate import Wishes
from device.simulated.camera import SimulatedTable
from device.source import Source
from engine.errors import BadInput

DEMONSTRATION: Final = "simulated:1"
"""What is played where nobody names a camera."""

RECORDED: Final = Path(__file__).parent.parent / "tests" / "sessions" / "ada-and-ben"
"""The recorded round that comes with the project."""

KNOWN: Final = "session:DIR and simulated:SEED"

ROUNDS: Final = 100
"""A simulated game is played to its end; no game takes so many rounds."""


def tables_named(camera: str, session: Path | None = None) -> Tables:
    """Find what a camera's name means; a recorded `session` comes first. Raises BadInput or TableError, in one line."""
    if session is not None:
        return _recorded(session)
    kind, _, rest = camera.partition(":")
    if kind == "session" and rest:
        return _recorded(Path(rest))
    if kind == "simulated":
        return _simulated(camera, rest)
    raise BadInput(f"camera {camera!r}: is not known here; there are {KNOWN}")


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
