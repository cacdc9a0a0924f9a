"""Racks, trays and mats by chance, and what a ruler says of a rack."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

from calibration.table import SLOTS, Rack
from vision.drawing.random_light import some_plastic
from vision.drawing.scene import BACK, Kind, Lying, MatPlace, RackStand, Standing, TrayStand

FORWARD = (2.0, 8.0)
"""So many degrees more lean cards forward that do."""


def some_mats(chance: random.Random, kind: Kind, doubles: float) -> tuple[MatPlace, ...]:
    """Lay out mats: a seat's, the tray's, or a seat's with the tray's behind it and perhaps another seat's beside."""
    cards = chance.sample(range(1, 61), 60)
    if kind != "wide" and chance.random() < 0.4:
        cards[:10] = sorted(cards[:10])
    paper = chance.randint(222, 250)
    seat = chance.randint(1, 4)
    stand = some_stand(chance, cards[:SLOTS], cards[20:30], doubles)
    rack = MatPlace(seat, (0.0, 0.0), 0.0, stand, (paper, paper, paper))
    drawn, shown = (
        chance.choice((0, chance.randint(1, 14))),
        chance.choice((0, 1, chance.randint(2, 8), chance.randint(2, 8))),
    )
    tray = MatPlace(0, (0.0, 0.0), 0.0, some_tray(chance, cards[10 : 10 + shown], drawn), (paper, paper, paper))
    if kind == "rack":
        return (rack,)
    if kind == "tray":
        return (tray,)
    far = chance.uniform(225, 330)
    behind = replace(tray, at=(chance.uniform(-90, 90), far), turn=chance.gauss(0, 5))
    if chance.random() < 0.25:
        beside = (chance.choice((-1, 1)) * chance.uniform(310, 360), chance.uniform(-30, 90))
        other = replace(
            rack,
            number=1 + seat % 4,
            at=beside,
            turn=chance.gauss(0, 8),
            stand=some_stand(chance, cards[40:50], cards[30:40], doubles, stand.rack),
        )
        return (rack, behind, other)
    return (rack, behind)


@dataclass(frozen=True)
class Habit:
    """How unlike the cards of one rack stand: spreads of lean and turn in degrees, the widest slide in mm."""

    lean: float
    turn: float
    slide: float


def some_habit(chance: random.Random) -> Habit:
    """Choose how unlike the cards of a rack stand."""
    return Habit(chance.uniform(0.8, 2.2), chance.uniform(0.4, 1.2), chance.uniform(0.5, 4.5))


def stood(chance: random.Random, card: int, rack: Rack, habit: Habit) -> Standing:
    """Put a card into a slot, as one does it by hand."""
    return Standing(
        card,
        lean=rack.lean + chance.gauss(0, habit.lean),
        slide=chance.uniform(0, habit.slide),
        play=chance.gauss(0, 0.5),
        turn=chance.gauss(0, habit.turn),
        tilt=chance.gauss(0, 0.2),
        lift=abs(chance.gauss(0, 0.3)),
    )


def leant_forward(chance: random.Random, card: Standing, share: float) -> Standing:
    """Let a share of cards lean forward, towards the one before them, by more degrees than chance has it."""
    return replace(card, lean=card.lean - chance.uniform(*FORWARD)) if chance.random() < share else card


def some_stand(
    chance: random.Random,
    cards: Sequence[int],
    spare: Sequence[int] = (),
    doubles: float = 0.0,
    mould: Rack | None = None,
) -> RackStand:
    """Make up a rack with its true measures and let ten cards stand in it, each a little differently.

    `doubles` is the share of slots in which a card of `spare` (ten cards) stands behind the first. A game's racks come
    out of one mould: `mould` is a rack of the same game, if there is another.
    """
    rack = some_rack(chance) if mould is None else replace(mould, at=some_corner(chance))
    habit = some_habit(chance)
    backs = 0.25 if chance.random() < 0.2 else 0.0
    gaps = 0.12 if chance.random() < 0.3 else 0.0

    def standing(card: int) -> Standing:
        return stood(chance, BACK if chance.random() < backs else card, rack, habit)

    def slot(card: int, other: int) -> tuple[Standing, ...]:
        if chance.random() < gaps:
            return ()
        return (standing(card), standing(other)) if chance.random() < doubles else (standing(card),)

    slots = tuple(slot(card, other) for card, other in zip(cards, spare or cards, strict=True))
    return some_block(chance, rack, slots)


def some_rack(chance: random.Random) -> Rack:
    """Choose a rack's true measures, and where it stands on its mat."""
    return Rack(
        at=some_corner(chance),
        width=chance.uniform(73.5, 76.5),
        depth=chance.uniform(142.0, 146.0),
        height=chance.uniform(21.0, 23.0),
        pitch=chance.uniform(11.2, 12.6),
        first=chance.uniform(17.5, 22.0),
        margin=chance.uniform(11.5, 15.5),
        floor=chance.uniform(3.8, 9.8),
        lean=chance.uniform(-2.0, 13.5),
    )


def some_corner(chance: random.Random) -> tuple[float, float]:
    """Choose where a rack's front-left corner stands, up to 2 mm off its place on the mat (TABLE.md, Mats)."""
    return 111.0 + chance.uniform(-2, 2), 33.0 + chance.uniform(-2, 2)


def some_block(chance: random.Random, rack: Rack, slots: tuple[tuple[Standing, ...], ...]) -> RackStand:
    """Choose what else tells one rack from another: how it is turned, its colour and its front."""
    return RackStand(
        slots, rack, turn=chance.uniform(-1.5, 1.5), colour=some_plastic(chance),
        lip=chance.choice((0.0, chance.uniform(0.0, 2.5))), notch=chance.uniform(8.0, 16.0),
    )  # fmt: skip


@dataclass(frozen=True)
class Mess:
    """How unlike the cards of a tray lie: spreads of their turns in degrees and of their places in mm."""

    askew: float
    loose: float


def some_mess(chance: random.Random) -> Mess:
    """Choose how unlike the cards of a tray lie."""
    return Mess(chance.uniform(0.5, 3.0), chance.uniform(0.3, 2.5))


def laid(chance: random.Random, card: int, mess: Mess) -> Lying:
    """Lay a card on a pile, as one does it by hand."""
    turn = chance.gauss(0, mess.askew) + (180 if chance.random() < 0.5 else 0)
    return Lying(card, _within(chance.gauss(0, mess.loose), 3.5), _within(chance.gauss(0, mess.loose), 3.3), turn)


def some_tray(chance: random.Random, discard: Sequence[int], drawn: int) -> TrayStand:
    """Make up a tray with a discard pile (the last card is its top) and so many cards in the draw pile."""
    mess = some_mess(chance)

    def lying(card: int) -> Lying:
        return laid(chance, card, mess)

    return TrayStand(
        "left" if chance.random() < 0.7 else "right",
        tuple(lying(BACK) for _ in range(drawn)),
        tuple(lying(card) for card in discard),
        some_plastic(chance),
        walls=chance.uniform(5.0, 12.0),
        dx=chance.uniform(-2, 2),
        dy=chance.uniform(-2, 2),
        turn=chance.uniform(-1.5, 1.5),
    )


def ruled(chance: random.Random, rack: Rack) -> Rack:
    """Measure a rack with a ruler: some tenths of a mm off, the lean by a degree or two (TABLE.md)."""

    def off(value: float, error: float) -> float:
        return round(value + chance.gauss(0, error), 1)

    return Rack(
        width=off(rack.width, 0.3), depth=off(rack.depth, 0.4), height=off(rack.height, 0.3),
        pitch=min(off(rack.pitch, 0.12), 12.6), first=max(off(rack.first, 0.5), 0.0), margin=off(rack.margin, 0.6),
        floor=max(off(rack.floor, 0.5), 0.0), lean=off(rack.lean, 1.4),
    )  # fmt: skip


def _within(value: float, most: float) -> float:
    return min(max(value, -most), most)
