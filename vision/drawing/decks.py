"""A deck's look: typeface, ink, card, where numbers stand, wear and backs (TABLE.md, Cards)."""

from dataclasses import dataclass
from typing import Literal

from vision.reading.numbers import PRIMES

Colour = tuple[int, int, int]
"""Blue, green, red, 0..255."""
STOCK = 0.3
"""Thickness of a card in mm."""
NO_EDGE, WHOLE_EDGE = 0.2, 0.6
"""Up to the first `core` cut edges look like the print that goes over them, from the second on all of them is seen."""
CORE: Colour = (226, 234, 236)
"""The paper inside a card."""


@dataclass(frozen=True)
class Deck:
    """How the cards of one deck look, lengths in mm.

    `typeface` and `logo_typeface` are names for vision.drawing.typefaces. `first` and `last` are the left edges of the
    numerals of cards 1 and 60, the others lie on the straight line between; `one_place` puts all at `first`. `bottom`
    says whether the number stands upside down along the lower edge too. `rubbed`, `stained`, `scratched` and
    `cornered` (0..1) are wear; `core` is how much of the paper's white core the cut edges show. `gloss` is the
    strength and `rough` the width in degrees of reflections of lamps.
    """

    edition: str = "parker-1992"
    typeface: str = ""
    weight: float = 0.0
    stretch: float = 1.0
    height: float = 6.75
    below: float = 2.5
    first: float = 5.7
    last: float = 72.7
    one_place: bool = False
    bottom: bool = True
    face: Colour = (240, 245, 246)
    ink: Colour = (130, 50, 20)
    primes: tuple[Colour, Colour] | None = None
    back: Colour = (130, 60, 25)
    back_ink: Colour = (230, 235, 240)
    back_pattern: Literal["plain", "dots", "frame", "lattice"] = "plain"
    logo: Colour = (40, 40, 190)
    logo_typeface: str = ""
    logo_height: float = 9.0
    logo_at: float = 0.5
    facts: bool = False
    border: bool = False
    rubbed: float = 0.0
    stained: float = 0.0
    scratched: float = 0.0
    cornered: float = 0.0
    core: float = 0.3
    gloss: float = 0.3
    rough: float = 8.0
    seed: int = 0

    @property
    def edge(self) -> float:
        """How much of a card's thickness is seen as a cut edge, in mm."""
        return STOCK * min(max((self.core - NO_EDGE) / (WHOLE_EDGE - NO_EDGE), 0.0), 1.0)

    @property
    def edge_colour(self) -> Colour:
        """What a cut edge looks like: between the back's print and the paper's core, by `core`."""
        b, g, r = (round(ink + (paper - ink) * self.core) for ink, paper in zip(self.back, CORE, strict=True))
        return b, g, r

    def colours(self, card: int) -> tuple[Colour, Colour]:
        """Give a card's paper and ink."""
        return self.primes if self.primes is not None and card in PRIMES else (self.face, self.ink)

    def left(self, card: int) -> float:
        """Give where a numeral's left edge stands, in mm from the card's own left edge."""
        return self.first if self.one_place else self.first + (card - 1) * (self.last - self.first) / 59
