"""Every rule text once more, in plain lists moved by hand.

Decks, winning scores, piles, powers and points are worked out here once more, from the leaflets and not with the
engine's own code: the engine lends only the words for what was played (turns and switches).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise, product

from hypothesis import strategies as st

from engine.cards import Card, Seat, Slot, Source
from engine.moves import Turn
from engine.powers import Effect, Power, Switch
from engine.variants import AS_PRINTED, Options

FRONT_TO_BACK = (5, 10, 15, 20, 25, 30, 35, 40, 45, 50)
EDITION_NAMES = ("parker-1992", "milton-bradley-1956", "retro", "hasbro-2006")
VARIANT_NAMES = ("bonus", "bonus-from-four", "partners", "run-of-three", "quick", "classic")
PRIMES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59)
KINDS: tuple[Power, ...] = ("another-turn", "switch-opponents", "switch-with-opponent", "switch-own")
OWNERS_TABLE: Mapping[Card, Power | None] = {
    4: KINDS[0],
    6: KINDS[1],
    8: KINDS[2],
    10: KINDS[3],
    12: None,
    55: KINDS[0],
}


@dataclass(frozen=True)
class Way:
    """A way to play: an edition and its variants, the table's options, and the seats that are taken."""

    edition: str
    seats: tuple[Seat, ...]
    variants: tuple[str, ...] = ()
    options: Options = AS_PRINTED

    @property
    def highest_card(self) -> Card:
        """All sixty cards by the Hasbro leaflet, 2006; everywhere else fewer for fewer players."""
        all_sixty = self.edition == "hasbro-2006" and "classic" not in self.variants
        return 60 if all_sixty else 20 + 10 * len(self.seats)

    @property
    def target(self) -> int:
        """The winning score."""
        sliding = self.edition == "hasbro-2006" and "classic" not in self.variants
        return {2: 500, 3: 400, 4: 250}[len(self.seats)] if sliding else 500

    @property
    def new_discard(self) -> bool:
        """Whether a card is turned up when the discard pile has been turned over."""
        if self.options.turn_over is not None:
            return self.options.turn_over == "new-discard"
        return self.edition != "hasbro-2006"

    @property
    def powers(self) -> Mapping[Card, Power | None]:
        """The Prime cards."""
        if self.edition != "hasbro-2006" or "classic" in self.variants:
            return {}
        return dict.fromkeys(PRIMES) if self.options.powers is None else self.options.powers

    def left(self, seat: Seat) -> Seat:
        """The next seat clockwise."""
        return min((other for other in self.seats if other > seat), default=self.seats[0])

    def goes_out(self, rack: Sequence[Card]) -> bool:
        """Whether who has this rack may end the round."""
        run = any(
            two == one + 1 and three == one + 2 for one, two, three in zip(rack, rack[1:], rack[2:], strict=False)
        )
        return list(rack) == sorted(rack) and (run or "run-of-three" not in self.variants)

    def points(self, rack: Sequence[Card], *, out: bool) -> int:
        """What a rack earns at the end of a round."""
        if "quick" in self.variants:
            return 0
        rising = max(length for length in range(1, 11) if list(rack[:length]) == sorted(rack[:length]))
        if not out:
            return 5 * rising
        text = "".join("+" if after == before + 1 else " " for before, after in pairwise(rack))
        run = 1 + max(map(len, text.split(" ")))
        earned = {1: 0, 2: 0, 3: 50, 4: 100, 5: 200}.get(run, 400)
        if "bonus-from-four" in self.variants:
            return 75 + (earned if run > 3 else 0)
        return 75 + (earned if "bonus" in self.variants else 0)

    def winners(self, totals: Mapping[Seat, int], out: Seat | None) -> tuple[Seat, ...]:
        """Who has won after a round that seat `out` ended."""
        if "quick" in self.variants:
            return () if out is None else (out,)
        sides = [(1, 3), (2, 4)] if "partners" in self.variants else [(seat,) for seat in self.seats]
        ranked = sorted((sum(totals[seat] for seat in side), side) for side in sides)
        (second, _), (best, side) = ranked[-2:]
        return side if best >= self.target and best > second else ()


def may_be_played(edition: str, players: int, variants: Sequence[str]) -> bool:
    """Whether the texts and the formats let these variants go together."""
    named = set(variants)
    refused = (
        "partners" in named and players != 4,
        "run-of-three" in named and players != 2,
        "bonus-from-four" in named and "run-of-three" not in named,
        "classic" in named and edition != "hasbro-2006",
        "quick" in named and bool(named & {"bonus", "bonus-from-four", "partners"}),
    )
    return not any(refused)


EVERY_CHOICE = tuple(
    (edition, players, variants)
    for edition, players in product(EDITION_NAMES, (2, 3, 4))
    for count in range(len(VARIANT_NAMES) + 1)
    for variants in combinations(VARIANT_NAMES, count)
)
EVERY_WAY = tuple(
    Way(edition, tuple(range(1, players + 1)), variants)
    for edition, players, variants in EVERY_CHOICE
    if may_be_played(edition, players, variants)
)


@st.composite
def ways(draw: st.DrawFn) -> Way:
    """Any way to play, with any options and any free seat between the players."""
    way = draw(st.sampled_from(EVERY_WAY))
    free = draw(st.sampled_from(list(combinations((1, 2, 3, 4), len(way.seats)))))
    tables = st.sampled_from((None, {}, OWNERS_TABLE)) if way.powers else st.none()
    bonus = {"bonus", "bonus-from-four"} & set(way.variants)
    options = Options(
        draw(st.sampled_from((None, "highest", "lowest"))),
        draw(st.sampled_from((None, "new-discard", "no-discard"))),
        draw(tables),
        False if bonus else draw(st.booleans()),
    )
    return replace(way, seats=free, options=options)


class Table:
    """Cards in lists, `draw` and `discard` with their top card last, dealt from a deck with its top card first."""

    def __init__(self, way: Way, deck: Sequence[Card], dealer: Seat) -> None:
        self.way = way
        stack = list(deck)
        self.racks: dict[Seat, list[Card]] = {seat: [] for seat in way.seats}
        for _ in FRONT_TO_BACK:
            seat = dealer
            for _ in way.seats:
                seat = way.left(seat)
                self.racks[seat].insert(0, stack.pop(0))
        self.discard = [stack.pop(0)]
        self.draw = stack[::-1]
        self.to_move = way.left(dealer)
        self.must_draw = False
        self.power_of: Seat | None = None
        self.refills = 0

    def copy(self) -> "Table":
        """The same table once more."""
        other = Table.__new__(Table)
        other.__dict__ |= self.__dict__
        other.racks = {seat: rack[:] for seat, rack in self.racks.items()}
        other.draw, other.discard = self.draw[:], self.discard[:]
        return other

    def key(self) -> tuple[object, ...]:
        """Everything that the players can tell of the table."""
        racks = tuple(tuple(rack) for rack in self.racks.values())
        return racks, tuple(self.draw), tuple(self.discard), self.to_move, self.must_draw, self.power_of

    def choices(self) -> list[tuple[Source, Slot | None]]:
        """Everything that the player to move may do."""
        found: list[tuple[Source, Slot | None]] = []
        if self.draw or len(self.discard) > (1 if self.way.new_discard else 0):
            found += [("draw", slot) for slot in (None, *FRONT_TO_BACK)]
        if self.discard and not self.must_draw and self.discard[-1] not in self.way.powers:
            found += [("discard", slot) for slot in FRONT_TO_BACK]
        return found

    def turn_over(self) -> None:
        """Turn the discard pile over to be the draw pile."""
        self.refills += 1
        self.draw = self.discard[::-1]
        self.discard = [self.draw.pop()] if self.way.new_discard else []

    def turn(self, source: Source, slot: Slot | None) -> Turn:
        """Move the cards of a turn and say which they were."""
        seat = self.to_move
        if source == "draw" and not self.draw:
            self.turn_over()
        taken = (self.draw if source == "draw" else self.discard).pop()
        given = taken
        if slot is not None:
            place = FRONT_TO_BACK.index(slot)
            given, self.racks[seat][place] = self.racks[seat][place], taken
        self.discard.append(given)
        self.power_of = seat if given in self.way.powers else None
        self.must_draw = False
        self.to_move = self.way.left(seat)
        return Turn(seat, source, taken, slot, given)

    def effects(self) -> dict[Power, list[Effect]]:
        """All that the Prime card just discarded lets its player do, by power."""
        if self.power_of is None:
            return {}
        mine = [(self.power_of, slot) for slot in FRONT_TO_BACK]
        theirs = [(seat, slot) for seat in self.way.seats if seat != self.power_of for slot in FRONT_TO_BACK]
        every: dict[Power, list[Effect]] = {
            "another-turn": ["again"],
            "switch-opponents": [Switch(*pair) for pair in combinations(theirs, 2)],
            "switch-with-opponent": [Switch(*sorted(pair)) for pair in product(mine, theirs)],
            "switch-own": [Switch(*pair) for pair in combinations(mine, 2)],
        }
        power = self.way.powers[self.discard[-1]]
        return every if power is None else {power: every[power]}

    def use(self, effect: Effect) -> None:
        """Do it."""
        assert self.power_of is not None
        if effect == "again":
            self.to_move, self.must_draw = self.power_of, True
        else:
            (seat, slot), (other_seat, other_slot) = effect.one, effect.other
            one, other = FRONT_TO_BACK.index(slot), FRONT_TO_BACK.index(other_slot)
            rack, other_rack = self.racks[seat], self.racks[other_seat]
            rack[one], other_rack[other] = other_rack[other], rack[one]
        self.power_of = None

    def somebody_out(self) -> Seat | None:
        """Whose rack could end the round."""
        return next((seat for seat, rack in self.racks.items() if self.way.goes_out(rack)), None)
