"""From shots to scenes that can be drawn: every card keeps its place and its slant until it is moved or nudged."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Final

import numpy as np

from device.simulated.nudges import Nudges
from device.simulated.script import Piles, Reach, Shot
from device.simulated.steps import GAP
from engine.cards import Card, Seat, slot_index
from vision.drawing.places import Placed
from vision.drawing.random_hands import reaching
from vision.drawing.random_stands import laid, stood
from vision.drawing.random_tables import TURNS, FilmedTable
from vision.drawing.scene import BACK, Hand, Lying, MatPlace, RackStand, Scene, Standing, TrayStand
from vision.tray.wells import WELL_CENTRES

GRASP: Final = (50.0, 92.0)
"""A hand takes a card so many mm from its left edge: at its right, where cards hang over the rack's side."""

HIDDEN: Final = 0.2
"""Players straighten a card where more than this share of its number, or of the one behind it, is hidden."""

TRIES: Final = 12


class Stage:
    """The table as it stands now. Shots must come in their order."""

    def __init__(self, table: FilmedTable, chance: Random, nudges: Nudges) -> None:
        """Set the table without cards."""
        self._table = table
        self._chance = chance
        self._nudges = nudges
        self._racks: dict[Seat, tuple[tuple[Standing, ...], ...]] = {}
        self._draw: tuple[Lying, ...] = ()
        self._discard: tuple[Lying, ...] = ()

    def scene(self, shot: Shot) -> Scene:
        """Move what has changed, and give the scene of a shot."""
        stand = self._table.stands[shot.mat]
        if isinstance(shot.shows, Piles):
            assert isinstance(stand, TrayStand)  # noqa: S101 - piles are shown on the tray's mat alone
            stand = self._tray(stand, shot.shows)
        else:
            assert isinstance(stand, RackStand)  # noqa: S101 - cards in slots are shown on a seat's mat alone
            stand = self._rack(shot.mat, stand, shot.shows)
        hands = () if shot.hand is None else (self._hand(shot.mat, stand, shot.hand),)
        return self._table.scene(shot.mat, stand, hands, self._chance)

    def _rack(self, seat: Seat, stand: RackStand, cards: Sequence[Card]) -> RackStand:
        before = self._racks.get(seat, ((),) * len(cards))
        shown = [[] if card == GAP else [card] for card in cards]
        changed = [slot for slot, new in enumerate(shown) if new != [old.card for old in before[slot]]]
        kept = tuple(() if slot in changed else old for slot, old in enumerate(before))
        stand = self._nudges.rack(seat, replace(stand, slots=kept), moved=bool(changed and any(before)))
        for slot in changed:
            if cards[slot] != GAP:
                stand = self._stood(seat, stand, slot, cards[slot])
        self._racks[seat] = stand.slots
        return stand

    def _stood(self, seat: Seat, stand: RackStand, slot: int, card: Card) -> RackStand:
        """Put a card into a slot (0..9), again and again until its number can be seen, and that behind it."""
        best, least = stand, 2.0
        for _ in range(TRIES):
            standing = stood(self._chance, card, stand.rack, self._table.habits[seat])
            tried = replace(stand, slots=(*stand.slots[:slot], (standing,), *stand.slots[slot + 1 :]))
            hidden = self._table.covered(seat, tried, slot)
            if hidden < least:
                best, least = tried, hidden
            if least <= HIDDEN:
                break
        return best

    def _tray(self, stand: TrayStand, piles: Piles) -> TrayStand:
        kept = 0
        for lying, card in zip(self._discard, piles.discard, strict=False):
            if lying.card != card:
                break
            kept += 1
        if len(piles.discard) != len(self._discard):
            self._discard = self._nudges.pile(self._discard)
        if piles.draw != len(self._draw):
            self._draw = self._nudges.pile(self._draw)
        self._discard = self._discard[:kept] + self._laid(piles.discard[kept:])
        self._draw = self._draw[: piles.draw] + self._laid((BACK,) * (piles.draw - len(self._draw)))
        return replace(stand, draw_pile=self._draw, discard_pile=self._discard)

    def _laid(self, cards: Sequence[Card]) -> tuple[Lying, ...]:
        return tuple(laid(self._chance, card, self._table.mess) for card in cards)

    def _hand(self, mat: int, stand: RackStand | TrayStand, reach: Reach) -> Hand:
        chance = self._chance
        if isinstance(stand, RackStand) and not isinstance(reach.place, str):
            rack, slot = stand.rack, slot_index(reach.place)
            x, y = rack.at[0] + rack.margin + chance.uniform(*GRASP), rack.at[1] + rack.first + slot * rack.pitch
            goal, angle = np.array([x, y, chance.uniform(60, 76)]), chance.gauss(-60, 15)
        else:
            draws = isinstance(stand, TrayStand) and (reach.place == "draw") == (stand.draw == "left")
            x, y = WELL_CENTRES["left" if draws else "right"]
            goal = np.array([x + chance.uniform(-25, 25), y + chance.uniform(-15, 15), chance.uniform(12, 30)])
            angle = TURNS[reach.seat] - 90 + chance.gauss(0, 12)
        return reaching(chance, self._table.people[reach.seat], Placed(MatPlace(mat)), goal, angle)
