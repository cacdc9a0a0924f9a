"""Scores of a finished round (Parker Brothers leaflet, 1992, Scoring a Round; the bonus game is alike in all texts)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from engine.cards import RACK_SIZE, Card, Seat, Slot
from engine.editions import Rules
from engine.errors import BadInput
from engine.rack import broken_at, can_go_out, is_racko, longest_run, rising_length

CARD_POINTS: Final = 5
GOING_OUT_POINTS: Final = 25


@dataclass(frozen=True)
class RackScore:
    """What one rack earned: its first `scoring` cards count; `broke_at` is where the order broke."""

    points: int
    scoring: int
    broke_at: Slot | None
    why: str


def score_rack(rules: Rules, cards: Sequence[Card], *, out: bool) -> RackScore:
    """Score ten cards, from slot 5 to slot 50; 0 is a missing card. `out`: this player ended the round."""
    scoring = rising_length(cards)
    broke_at = broken_at(cards)
    if rules.edition.one_round:
        return RackScore(0, scoring, broke_at, "went out and wins" if out else "a quick game has no scoring")
    points = scoring * CARD_POINTS
    if out:
        points += GOING_OUT_POINTS
        words = "went out: ten cards at 5, and 25 for going out"
        run = longest_run(cards)
        bonus = bonus_for(rules, run)
        if bonus:
            points += bonus
            words += f", and {bonus} for a run of {run}"
        return RackScore(points, scoring, None, f"{words}, make {points}")
    if broke_at is None:
        return RackScore(
            points, scoring, None, f"all ten rise, but another player went out: ten cards at 5 make {points}"
        )
    count = "one card counts" if scoring == 1 else f"{scoring or 'no'} cards in order count"
    if not cards[scoring]:
        return RackScore(points, scoring, broke_at, f"{count}: slot {broke_at} is empty; {points} points")
    why = f"{count}: slot {broke_at} breaks the order, {cards[scoring]} after {cards[scoring - 1]}; {points} points"
    return RackScore(points, scoring, broke_at, why)


def bonus_for(rules: Rules, run: int) -> int:
    """Points that who goes out earns for a run of that length: one run only, and the table ends at "six or more"."""
    table = rules.edition.bonus
    return table.get(min(run, max(table)), 0) if table else 0


def check_racks(rules: Rules, racks: Mapping[Seat, Sequence[Card]]) -> None:
    """Raise BadInput for racks that cannot stand on one table: sizes, cards outside the deck, a card twice."""
    seen: dict[Card, Seat] = {}
    for seat, cards in sorted(racks.items()):
        if len(cards) != RACK_SIZE:
            raise BadInput(f"seat {seat} shows {len(cards)} cards; a rack holds ten")
        for card in cards:
            if card not in rules.deck:
                raise BadInput(f"seat {seat} shows card {card}; this deck is 1 to {rules.highest_card}")
            if card in seen:
                where = "twice" if seen[card] == seat else f"and so does seat {seen[card]}"
                raise BadInput(f"seat {seat} shows card {card} {where}; each card is there once")
            seen[card] = seat


def score_round(rules: Rules, racks: Mapping[Seat, Sequence[Card]], out: Seat) -> dict[Seat, RackScore]:
    """Score every rack of a round that seat `out` ended.

    Raises BadInput for racks that cannot be, or an `out` whose rack is not in order.
    """
    check_racks(rules, racks)
    if out not in racks:
        raise BadInput(f"seat {out} is said to have gone out, but shows no rack; give its ten cards")
    if not is_racko(racks[out]):
        raise BadInput(f"seat {out} cannot have gone out: its cards do not rise at slot {broken_at(racks[out])}")
    if not can_go_out(racks[out], rules.edition.run_needed):
        raise BadInput(
            f"seat {out} cannot have gone out: its longest run of consecutive numbers is {longest_run(racks[out])}, "
            f"and this game asks for {rules.edition.run_needed}"
        )
    return {seat: score_rack(rules, cards, out=seat == out) for seat, cards in sorted(racks.items())}
