"""What one camera saw in one picture: the value that vision hands on."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal


@dataclass(frozen=True)
class Reading:
    """What stands at one place, as probabilities; what is missing to one is "cannot tell".

    `cards` maps a card number to its probability. `empty`: nothing stands there. `back`: a card turned round. `two` is
    no part of that sum: how likely a second card stands behind the one that is seen.
    """

    cards: Mapping[int, float] = field(default_factory=dict)
    empty: float = 0.0
    back: float = 0.0
    two: float = 0.0


@dataclass(frozen=True)
class Arm:
    """What reaches over the paper of the tray's mat: the middle of what it covers, in mm of the mat frame.

    `shade`: how bright it is beside the paper, 1 for as bright. `reaches`: for which pile, None where that is unclear.
    """

    x: float
    y: float
    shade: float
    reaches: Literal["draw", "discard"] | None = None


@dataclass(frozen=True)
class TrayLook:
    """The tray: its discard pile's top, whether there is a draw pile (None: cannot tell), and who reaches over it."""

    discard: Reading
    draw: Literal["cards", "empty"] | None
    arm: Arm | None = None


PILE: Final = (0, 0)
"""The discard pile's place."""


@dataclass(frozen=True)
class Look:
    """One picture. `racks`: by seat, ten readings from slot 5 to slot 50, for each rack whose mat was found.

    `tray` is None where its mat was not found. `remarks` are words for people about what hindered the look. `repeated`
    are places, (seat, slot 0..9) or PILE, where nothing has changed since looks before: what is said there is no news.
    `hands` are the mats, by number, that a hand or an arm is over, or may rest over: what stands there may be about to
    change. `altered` are the slots (0..9) that look otherwise than before, by seat; a rack with a hand over it is left
    out.
    """

    racks: Mapping[int, tuple[Reading, ...]]
    tray: TrayLook | None
    remarks: tuple[str, ...] = ()
    repeated: frozenset[tuple[int, int]] = frozenset()
    hands: frozenset[int] = frozenset()
    altered: Mapping[int, frozenset[int]] = field(default_factory=dict)

    @property
    def readings(self) -> Mapping[tuple[int, int], Reading]:
        """What stands at each place in view, by (seat, slot 0..9), or PILE."""
        readings = {(seat, slot): one for seat, rack in self.racks.items() for slot, one in enumerate(rack)}
        return readings if self.tray is None else readings | {PILE: self.tray.discard}
