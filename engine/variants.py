"""Variants and the table's own options: differences to an edition's row, and which of them go together."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, Final

from engine.cards import HIGHEST_CARD, Card
from engine.editions import (
    FIVE_HUNDRED,
    SMALL_DECKS,
    Edition,
    FirstDealer,
    Rules,
    TurnOver,
    edition_named,
)
from engine.errors import BadInput
from engine.powers import NO_POWERS, POWERS, Power, PowerTable

BONUS: Final = MappingProxyType({3: 50, 4: 100, 5: 200, 6: 400})
"""Points for a run of consecutive numbers in the rack that goes out (the bonus game; all texts)."""


@dataclass(frozen=True)
class Variant:
    """A difference to an edition's row. `players`: how many it is for. The rest says what it goes with, and why not."""

    name: str
    changes: Mapping[str, Any]
    players: tuple[int, ...] = (2, 3, 4)
    editions: tuple[str, ...] = ()
    needs: str = ""
    not_with: tuple[str, ...] = ()
    because: str = ""


def _rows(*rows: Variant) -> Mapping[str, Variant]:
    return MappingProxyType({row.name: row for row in rows})


VARIANTS: Final = _rows(
    Variant("bonus", {"bonus": BONUS}),
    # The text of 1956 gives this for the two-player rule played together with the bonus game: as a run of three is
    # required anyway, it earns nothing. Naming "bonus" as well says the same.
    Variant(
        "bonus-from-four",
        {"bonus": MappingProxyType({length: points for length, points in BONUS.items() if length >= 4})},
        needs="run-of-three",
        because="it is a house rule for games in which a run of three is required anyway",
    ),
    Variant("partners", {"partners": True}, players=(4,), because="two play against two"),
    Variant("run-of-three", {"run_needed": 3}, players=(2,), because="it is the two-player rule"),
    Variant(
        "quick",
        {"one_round": True},
        not_with=("bonus", "bonus-from-four", "partners"),
        because="a quick game has no scoring: the first out wins",
    ),
    Variant(
        "classic",
        {"highest_card": SMALL_DECKS, "target": FIVE_HUNDRED, "powers": NO_POWERS},
        editions=("hasbro-2006",),
        because="the classic rules are a way to play the edition with Prime cards",
    ),
)
"""In the order in which they are laid over an edition's row: a later one overrides."""


@dataclass(frozen=True)
class Options:
    """What a table settles for itself where the texts differ or are silent. None: as the edition says.

    powers: which numbers are Prime cards, and which power each has (engine.powers). ends_by_itself: end the round as
    soon as a rack is in order; not in a bonus game, where a player may wait for a longer run.
    """

    first_dealer: FirstDealer | None = None
    turn_over: TurnOver | None = None
    powers: PowerTable | None = None
    ends_by_itself: bool = False

    def as_json(self) -> dict[str, Any]:
        """Write the options that were chosen, so that `parse_options` reads them back."""
        said: dict[str, Any] = {}
        if self.first_dealer is not None:
            said["first_dealer"] = self.first_dealer
        if self.turn_over is not None:
            said["turn_over"] = self.turn_over
        if self.powers is not None:
            said["powers"] = {str(card): power for card, power in sorted(self.powers.items())}
        if self.ends_by_itself:
            said["ends_by_itself"] = True
        return said


AS_PRINTED: Final = Options()
"""Nothing is settled otherwise than the edition's text has it."""


def rules_for(edition: str, players: int, variants: Iterable[str] = (), options: Options = AS_PRINTED) -> Rules:
    """The rules of a game. Raises BadInput for what is unknown, or does not go together, with the reason."""
    row = edition_named(edition)
    if players not in SMALL_DECKS:
        raise BadInput(f"{players} players: RACK-O is played by 2, 3 or 4")
    chosen = set(variants)
    for name in sorted(chosen - VARIANTS.keys()):
        raise BadInput(f"variant {name!r} is not known; choose among {', '.join(VARIANTS)}")
    for variant in VARIANTS.values():
        if variant.name in chosen:
            _check(variant, chosen, edition, players)
            row = replace(row, **variant.changes)
    return Rules(_with_options(row, options), players)


def _check(variant: Variant, chosen: set[str], edition: str, players: int) -> None:
    def refuse(what: str) -> BadInput:
        return BadInput(f"variant {variant.name!r} {what}" + (f": {variant.because}" if variant.because else ""))

    if variant.editions and edition not in variant.editions:
        raise refuse(f"is played by {' or '.join(variant.editions)} only, not by {edition}")
    if players not in variant.players:
        raise refuse(f"is for {' or '.join(map(str, variant.players))} players, not for {players}")
    if variant.needs and variant.needs not in chosen:
        raise refuse(f"is played together with {variant.needs!r}")
    for other in variant.not_with:
        if other in chosen:
            raise refuse(f"is not played together with {other!r}")


def _with_options(row: Edition, options: Options) -> Edition:
    if options.ends_by_itself and row.bonus:
        raise BadInput(
            "option 'ends_by_itself' is not for a bonus game: a player may hold back there to build a longer run"
        )
    if options.powers is not None and not row.powers:
        raise BadInput(f"option 'powers' is not for {row.name} as it is played here: it has no Prime cards")
    return replace(
        row,
        first_dealer=options.first_dealer or row.first_dealer,
        turn_over=options.turn_over or row.turn_over,
        powers=row.powers if options.powers is None else options.powers,
        ends_by_itself=options.ends_by_itself,
    )


def deck_of(edition: str, players: int, variants: Iterable[str] = ()) -> range:
    """The cards of the deck that `players` use. Raises BadInput like `rules_for`."""
    return rules_for(edition, players, variants).deck


def parse_options(said: object) -> Options:
    """Read options from decoded JSON. Raises BadInput naming the key that cannot be."""
    if not isinstance(said, dict):
        raise BadInput(f"options: {said!r} is not an object of options")
    for key in said:
        if key not in _OPTIONS:
            raise BadInput(f"options: {key!r} is not known; choose among {', '.join(_OPTIONS)}")
    return Options(**{key: _OPTIONS[key](value) for key, value in said.items()})


def _one_of(key: str, *words: str) -> Callable[[object], Any]:
    def read(value: object) -> object:
        if value is not None and value not in words:
            raise BadInput(f"options: {key}: {value!r} is none of {', '.join(words)}")
        return value

    return read


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise BadInput(f"options: ends_by_itself: {value!r} is neither true nor false")
    return value


def _power_table(value: object) -> PowerTable | None:
    if value is None:
        return None
    if not isinstance(value, dict):
        raise BadInput(f'options: powers: {value!r} is not like {{"7": "another-turn", "11": null}}')
    table: dict[Card, Power | None] = {}
    for text, power in value.items():
        if not (
            isinstance(text, str) and text.isascii() and text.isdigit() and len(text) < 4 and text == str(int(text))
        ):
            raise BadInput(f"options: powers: {text!r} is no card")
        card = int(text)
        if not 1 <= card <= HIGHEST_CARD:
            raise BadInput(f"options: powers: {card} is no card; cards are 1 to {HIGHEST_CARD}")
        if power is not None and power not in POWERS:
            raise BadInput(f"options: powers: {power!r} of card {card} is none of {', '.join(POWERS)}, null")
        table[card] = power
    return MappingProxyType(dict(sorted(table.items())))


_OPTIONS: Final[Mapping[str, Callable[[object], Any]]] = {
    "first_dealer": _one_of("first_dealer", "highest", "lowest"),
    "turn_over": _one_of("turn_over", "new-discard", "no-discard"),
    "powers": _power_table,
    "ends_by_itself": _flag,
}
