"""A simulated table as its cameras see it: a game played by virtual players, in pictures that can be drawn.

Everything follows from a plan: the same plan gives the same game, table and pictures (on machines with the same fonts,
or with built-in type). Nothing is drawn before somebody asks for it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.table import Table
from device.simulated.cheats import Cheats
from device.simulated.games import PlayedGame, Setup, play_game
from device.simulated.manners import Manners
from device.simulated.nudges import Nudges
from device.simulated.script import Happened, Piles, Said, Script, Shot
from device.simulated.stage import Stage
from device.simulated.unrest import Unrest
from engine.cards import SLOTS
from engine.events import Json
from engine.lines import NewGame
from engine.variants import rules_for
from engine.violations import Rule
from vision.drawing.picture import draw
from vision.drawing.random_tables import FilmedTable, camera_name, some_table
from vision.drawing.scene import Scene
from vision.drawing.typefaces import BUILT_IN, LINES

SIZES: Final = {"720p": (1280, 720), "1080p": (1920, 1080)}
"""Pictures' width and height in pixels, by name."""

TABLE: Final = "table"
"""What the chance is for that makes the table, its light and its cameras."""

CHEATING: Final = 0.12
"""Chance of a cheat before each turn, where cheats are planted."""


@dataclass(frozen=True)
class Plan:
    """What is played and filmed. `cheats` are rules to break now and then; `size` is one of SIZES.

    hands: the share of reaching hands (0..1) of which a picture is taken. fonts: whether the machine's typefaces are
    used, or only those that are built in, which are alike everywhere. nudged: by how many mm, about, racks and piles
    are pushed with each play. manners: the share of turns (0..1) that are played in people's own ways (Manners).
    printed: how many times as large as they should be the mats came out of the printer. unrest: the share of turns
    (0..1) in which a camera is bumped, a mat shifts, or the light changes. curled: by how many mm, at most, mats curl
    up.
    number: which game of the evening it is, from 0 on; all are played at the same table with the same cards.
    """

    setup: Setup
    seed: int = 1
    cheats: tuple[Rule, ...] = ()
    size: str = "720p"
    hands: float = 1.0
    fonts: bool = True
    nudged: float = 0.0
    manners: float = 0.0
    printed: float = 1.0
    unrest: float = 0.0
    curled: float = 0.0
    number: int = 0

    def chance(self, purpose: str) -> Random:
        """Give a source of chance of its own, so that another size films the same game."""
        game = f".{self.number}" if self.number and purpose != TABLE else ""
        return Random(f"{self.seed}{game}/{purpose}")  # noqa: S311 - chance on a simulated table guards nothing


@dataclass(frozen=True)
class Picture:
    """A picture that a camera took at `t` seconds: the name of its file in a session, and what it shows.

    `rack` are the cards by slot (0: empty), None where the tray is seen.
    """

    t: float
    camera: str
    name: str
    scene: Scene
    rack: tuple[int, ...] | None
    piles: Piles | None
    hand: bool

    def draw(self) -> NDArray[np.uint8]:
        """Draw it, (height, width, 3) BGR."""
        return draw(self.scene)

    def truth(self) -> Json:
        """Say what it shows, in the words of a session's truth."""
        said: Json = {"type": "frame", "file": self.name, "t": self.t, "camera": self.camera, "hand": self.hand}
        if self.rack is not None:
            return said | {"rack": {str(slot): card for slot, card in zip(SLOTS, self.rack, strict=True)}}
        discard, drawn = (self.piles.discard, self.piles.draw) if self.piles else ((), 0)
        return said | {"discard": discard[-1] if discard else None, "draw": drawn}


class Film:
    """A planned evening. Raises BadInput for players, an edition or variants that cannot be."""

    def __init__(self, plan: Plan) -> None:
        """Plan it; the game is played when it is first asked for."""
        setup = plan.setup
        rules_for(setup.edition, len(setup.levels), setup.variants, setup.options)
        self.plan = plan
        self.game = NewGame(setup.edition, setup.variants, setup.players, setup.options)

    @cached_property
    def played(self) -> PlayedGame:
        """The game, with all its truth."""
        return play_game(self.plan.setup, self.plan.chance("game"), Cheats(self.plan.cheats, CHEATING))

    @cached_property
    def filmed(self) -> FilmedTable:
        """The table, its light and its cameras."""
        plan, seats = self.plan, [player.seat for player in self.plan.setup.players]
        typefaces = None if plan.fonts else (BUILT_IN, *LINES)
        return some_table(
            plan.chance(TABLE), seats,
            edition=plan.setup.edition, typefaces=typefaces, size=SIZES[plan.size], printed=plan.printed,
            curled=plan.curled,
        )  # fmt: skip

    @property
    def table(self) -> Table:
        """The table as its owner measured it."""
        return self.filmed.measured

    @property
    def cameras(self) -> Sequence[str]:
        """The cameras' names."""
        return tuple(camera_name(number) for number in self.filmed.stands)

    def entries(self) -> Iterator[Picture | Said | Happened]:
        """Give pictures, what is said, and what happened, in time order from the beginning, each time alike."""
        chance, hands, share = self.plan.chance("script"), self.plan.hands, self.plan.manners
        own = Manners(chance, hands, share=share, ways=self.plan.chance("manners"))
        script = own if share else Script(chance, hands)
        nudges = Nudges(self.plan.nudged, self.plan.chance("nudges"))
        stage = Stage(self.filmed, self.plan.chance("stage"), nudges)
        unrest = Unrest(self.plan.unrest, self.plan.chance("unrest"))
        taken = dict.fromkeys(self.cameras, 0)
        for entry in script.entries(self.played):
            if not isinstance(entry, Shot):
                yield entry
                continue
            camera = camera_name(entry.mat)
            name = f"frames/{camera}/{taken[camera]:06}.jpg"
            taken[camera] += 1
            rack, piles = (None, entry.shows) if isinstance(entry.shows, Piles) else (entry.shows, None)
            yield Picture(
                entry.t, camera, name, unrest.seen(stage.scene(entry)), rack, piles, hand=entry.hand is not None
            )
