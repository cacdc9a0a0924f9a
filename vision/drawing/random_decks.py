"""Decks by chance: editions, typefaces, inks, laws of places, wear."""

import random
from collections.abc import Sequence

from vision.drawing.decks import Colour, Deck
from vision.drawing.typefaces import BUILT_IN, LINES, installed, numerals_of, slanted, usual

EDITIONS = ("parker-1992", "milton-bradley-1956", "retro", "hasbro-2006")
WHITES: Sequence[Colour] = ((246, 248, 248), (225, 240, 246), (205, 230, 240), (190, 218, 232), (235, 235, 228))
"""Papers from white over cream to yellowed, and a cold white."""
BLUES: Sequence[Colour] = ((175, 95, 40), (130, 60, 25), (200, 130, 60), (110, 40, 30))
INKS: Sequence[Colour] = ((125, 55, 20), (30, 25, 25), (35, 30, 165), (60, 45, 40), (150, 80, 20))
BLUE, BLUE_2006 = 0.22, 0.5
"""How many decks are blue; the leaflet of 2006 speaks of green Prime cards among the blue ones."""
GREENS: Sequence[Colour] = ((60, 130, 40), (70, 145, 60), (50, 105, 30))
BACKS: Sequence[Colour] = (
    (135, 60, 25), (40, 35, 150), (60, 110, 35), (190, 130, 40), (35, 105, 205), (60, 60, 60), (120, 40, 110),
    (70, 130, 60), (210, 190, 160),
)  # fmt: skip
PALE: Sequence[Colour] = ((235, 238, 240), (215, 220, 225), (190, 225, 240))
LOGOS: Sequence[Colour] = ((40, 40, 200), (40, 40, 160), (140, 60, 25), (30, 30, 30), (30, 110, 200), (60, 190, 235))


def some_typeface(chance: random.Random, typefaces: Sequence[str] | None = None) -> str:
    """Choose a typeface that has numerals: of those given, else of the machine's, else one that is built in."""
    names = installed() if typefaces is None else tuple(typefaces)
    if typefaces is None and (plain := usual()) and chance.random() < 0.4:
        names = plain
    for _ in range(20):
        if not names:
            break
        name = chance.choice(names)
        if numerals_of(name) and (not slanted(name) or chance.random() < 0.25):
            return name
    return chance.choice((BUILT_IN, BUILT_IN, *LINES))


def some_deck(chance: random.Random, typefaces: Sequence[str] | None = None, edition: str | None = None) -> Deck:
    """Make up a deck, of an edition or any; `typefaces` as in vision.drawing.typefaces, None: those of the machine."""
    edition = edition or chance.choice(EDITIONS)
    face, ink = _paper_and_ink(chance, BLUE_2006 if edition == "hasbro-2006" else BLUE)
    primes: tuple[Colour, Colour] | None = None
    if edition == "hasbro-2006":
        primes = (_near(chance, chance.choice(GREENS)), _near(chance, chance.choice(PALE)))
    one_place = chance.random() < 0.08
    first = chance.uniform(4.2, 7.5)
    if one_place:
        first = chance.choice((chance.uniform(4.5, 8.0), chance.uniform(36.0, 42.0), chance.uniform(68.0, 73.0)))
    worn = chance.random() < 0.6
    height = chance.uniform(5.5, 8.0)
    typeface = some_typeface(chance, typefaces)
    return Deck(
        edition=edition,
        typeface=typeface,
        weight=chance.choice((0.0, 0.0, chance.uniform(-0.3, 0.9))),
        stretch=chance.choice((1.0, 1.0, chance.uniform(0.7, 1.35))),
        height=height,
        below=chance.uniform(2.0, 3.0),
        first=first,
        last=chance.uniform(69.5, 74.5),
        one_place=one_place,
        bottom=chance.random() < 0.85,
        face=face,
        ink=ink,
        primes=primes,
        back=_near(chance, chance.choice(BACKS)),
        back_ink=_near(chance, chance.choice(PALE)),
        back_pattern=chance.choice(("plain", "plain", "dots", "frame", "lattice")),
        logo=_near(chance, chance.choice(LOGOS)) if sum(face) > 420 else _near(chance, chance.choice(PALE)),
        logo_typeface=chance.choice((typeface, some_typeface(chance, typefaces))),
        logo_height=chance.uniform(7.5, 11.5),
        logo_at=chance.uniform(0.46, 0.54),
        facts=edition == "hasbro-2006" and chance.random() < 0.6,
        border=chance.random() < 0.08,
        rubbed=chance.uniform(0.1, 0.75) if worn and chance.random() < 0.6 else 0.0,
        stained=chance.uniform(0.1, 0.8) if worn else 0.0,
        scratched=chance.uniform(0.2, 1.0) if worn and chance.random() < 0.4 else 0.0,
        cornered=chance.uniform(0.1, 0.8) if worn and chance.random() < 0.5 else 0.0,
        core=chance.uniform(0.0, 0.8),
        gloss=chance.choice((chance.uniform(0.0, 0.2), chance.uniform(0.2, 0.6), chance.uniform(0.5, 1.0))),
        rough=chance.uniform(3.0, 13.0),
        seed=chance.getrandbits(30),
    )


def _paper_and_ink(chance: random.Random, blue: float) -> tuple[Colour, Colour]:
    """Choose paper and ink that a person can tell apart: dark ink on light paper, or, by a chance, light on blue."""
    if chance.random() < blue:
        return _near(chance, chance.choice(BLUES)), _near(chance, chance.choice(PALE))
    return _near(chance, chance.choice(WHITES)), _near(chance, chance.choice(INKS))


def _near(chance: random.Random, colour: Colour, spread: float = 10.0) -> Colour:
    """Give a colour near another."""
    b, g, r = (min(max(round(chance.gauss(value, spread)), 8), 252) for value in colour)
    return b, g, r
