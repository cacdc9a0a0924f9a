"""The editions of the game, as rows of a table, and the rules that follow for one game.

Sources: the Parker Brothers leaflet of 1992, the text of a Milton Bradley copy of 1956, two how-to texts of today's
classic edition ("retro") and the Hasbro leaflet of 2006. An edition differs from another only by its row.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal

from engine.cards import HIGHEST_CARD, RACK_SIZE, Card
from engine.errors import BadInput


@dataclass(frozen=True)
class Edition:
    """One rule text. `highest_card` and `target` are by number of players, 2 to 4.

    `turn_over`: what happens when the draw pile is used up. "new-discard": the discard pile is turned over, unshuffled,
    and its new top starts the next discard pile. "no-discard": all of it becomes the draw pile.
    """

    name: str
    first_dealer: Literal["highest", "lowest"]
    highest_card: Mapping[int, Card]
    target: Mapping[int, int]
    turn_over: Literal["new-discard", "no-discard"]
    prime_powers: bool = False


_SMALL_DECKS: Final = MappingProxyType({2: 40, 3: 50, 4: 60})
_FULL_DECK: Final = MappingProxyType(dict.fromkeys((2, 3, 4), HIGHEST_CARD))
_FIVE_HUNDRED: Final = MappingProxyType(dict.fromkeys((2, 3, 4), 500))

EDITIONS: Final[Mapping[str, Edition]] = MappingProxyType(
    {
        row.name: row
        for row in (
            Edition("parker-1992", "highest", _SMALL_DECKS, _FIVE_HUNDRED, "new-discard"),
            Edition("milton-bradley-1956", "lowest", _SMALL_DECKS, _FIVE_HUNDRED, "new-discard"),
            Edition("retro", "lowest", _SMALL_DECKS, _FIVE_HUNDRED, "new-discard"),
            Edition(
                "hasbro-2006",
                "highest",
                _FULL_DECK,
                MappingProxyType({2: 500, 3: 400, 4: 250}),
                "no-discard",
                prime_powers=True,
            ),
        )
    }
)


@dataclass(frozen=True)
class Rules:
    """The rules of one game: an edition, for a number of players."""

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


def edition_named(name: str) -> Edition:
    """The edition of that name; BadInput lists the known ones."""
    edition = EDITIONS.get(name)
    if edition is None:
        raise BadInput(f"edition {name!r} is not known; choose one of {', '.join(EDITIONS)}")
    return edition


def deck_of(edition: str, players: int) -> range:
    """The cards of the deck that `players` use in the edition of that name."""
    if players not in _FULL_DECK:
        raise BadInput(f"{players} players: RACK-O is played by 2, 3 or 4")
    return range(1, edition_named(edition).highest_card[players] + 1)


def rules_for(edition: str, players: int, variants: Iterable[str] = ()) -> Rules:
    """The rules of a game. Raises BadInput for what is unknown or not played by this version."""
    deck_of(edition, players)
    chosen = edition_named(edition)
    if chosen.prime_powers:
        raise BadInput(
            f"{edition} is played with Prime cards, which this version cannot follow yet; choose another edition"
        )
    for variant in variants:
        raise BadInput(f"variant {variant!r} is not played by this version yet; leave it out")
    return Rules(chosen, players)
