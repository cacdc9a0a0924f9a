"""The editions of the game, as rows of a table, and the rules of one game that follow from its row.

Sources: the Parker Brothers leaflet of 1992, the text of a Milton Bradley copy of 1956, two how-to texts of today's
classic edition ("retro") and the Hasbro leaflet of 2006. An edition differs from another only by its row, and a variant
(engine.variants) is a difference to a row.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, Literal

from engine.cards import HIGHEST_CARD, RACK_SIZE, Card, Seat
from engine.errors import BadInput
from engine.powers import NO_POWERS, PRIME_NUMBERS, PowerTable

TurnOver = Literal["new-discard", "no-discard"]
"""What becomes of the discard pile when the draw pile is used up. It is turned over, unshuffled, in either case.

"new-discard": its new top card is turned up and starts the next discard pile (Parker Brothers leaflet, 1992; one of the
retro texts). "no-discard": all of it is the new draw pile (Hasbro leaflet, 2006, which says nothing of a new discard).
The text of 1956 is silent; it is played as Parker's.
"""

FirstDealer = Literal["highest", "lowest"]
"""Who deals first: the highest card drawn (Parker Brothers 1992, Hasbro 2006) or the lowest (1956, retro)."""

NO_BONUS: Final[Mapping[int, int]] = MappingProxyType({})


@dataclass(frozen=True)
class Edition:
    """One rule text. `highest_card` and `target` are by number of players, 2 to 4.

    powers: the Prime cards. bonus: points by length of a run of consecutive numbers, for who goes out; a longer run
    than the table knows earns the most. run_needed: going out takes a run this long (1: any card is one). partners:
    seats 1 and 3 play against 2 and 4. one_round: one round, no scoring, the first out wins. ends_by_itself: the round
    ends as soon as a rack is in order, without a call; off by default, since it tells a secret.
    """

    name: str
    first_dealer: FirstDealer
    highest_card: Mapping[int, Card]
    target: Mapping[int, int]
    turn_over: TurnOver
    powers: PowerTable = field(default_factory=lambda: NO_POWERS)
    bonus: Mapping[int, int] = field(default_factory=lambda: NO_BONUS)
    run_needed: int = 1
    partners: bool = False
    one_round: bool = False
    ends_by_itself: bool = False


SMALL_DECKS: Final = MappingProxyType({2: 40, 3: 50, 4: 60})
FULL_DECK: Final = MappingProxyType(dict.fromkeys((2, 3, 4), HIGHEST_CARD))
FIVE_HUNDRED: Final = MappingProxyType(dict.fromkeys((2, 3, 4), 500))

EDITIONS: Final[Mapping[str, Edition]] = MappingProxyType(
    {
        row.name: row
        for row in (
            Edition("parker-1992", "highest", SMALL_DECKS, FIVE_HUNDRED, "new-discard"),
            Edition("milton-bradley-1956", "lowest", SMALL_DECKS, FIVE_HUNDRED, "new-discard"),
            Edition("retro", "lowest", SMALL_DECKS, FIVE_HUNDRED, "new-discard"),
            Edition(
                "hasbro-2006",
                "highest",
                FULL_DECK,
                MappingProxyType({2: 500, 3: 400, 4: 250}),
                "no-discard",
                powers=PRIME_NUMBERS,
            ),
        )
    }
)


@dataclass(frozen=True)
class Rules:
    """The rules of one game: an edition, as its variants and the table's options leave it, for a number of players."""

    edition: Edition
    players: int

    @property
    def highest_card(self) -> Card:
        """The deck is 1..highest_card."""
        return self.edition.highest_card[self.players]

    @property
    def deck(self) -> range:
        """Every card of the deck."""
        return range(1, self.highest_card + 1)

    @property
    def target(self) -> int:
        """The score that ends the game, once the round in which it was reached is over."""
        return self.edition.target[self.players]

    @property
    def pile_size(self) -> int:
        """Cards in the draw pile after the deal, the first discard already turned up."""
        return self.highest_card - RACK_SIZE * self.players - 1

    def first_dealer(self, drawn: Mapping[Seat, Card]) -> Seat:
        """Who deals the first round, by the card that each player drew. Raises BadInput for cards that cannot be."""
        if len(drawn) != self.players or len(set(drawn.values()) & set(self.deck)) != self.players:
            raise BadInput(
                f"the cards drawn for the first deal are {dict(drawn)}; each player draws one of their own, "
                f"1 to {self.highest_card}"
            )
        choose = max if self.edition.first_dealer == "highest" else min
        return choose(drawn, key=drawn.__getitem__)


def edition_named(name: str) -> Edition:
    """The edition of that name; BadInput lists the known ones."""
    edition = EDITIONS.get(name)
    if edition is None:
        raise BadInput(f"edition {name!r} is not known; choose one of {', '.join(EDITIONS)}")
    return edition
