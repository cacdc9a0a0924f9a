"""Whole games by every rule text, played on a table of plain lists (tests.engine.by_hand) and written as records."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

from engine.cards import Card, Seat
from engine.game import Player
from engine.moves import Turn
from engine.powers import Effect
from engine.record import GameRecord, RoundRecord
from tests.engine.by_hand import FRONT_TO_BACK, Table, Way


def shuffled(way: Way, chance: Random) -> list[Card]:
    """A shuffled deck."""
    deck = list(range(1, way.highest_card + 1))
    chance.shuffle(deck)
    return deck


def some_effect(table: Table, chance: Random, *, not_with: Seat | None = None) -> Effect | None:
    """Use a power or do not; leave one seat's rack alone, and take no other turn, where `not_with` names it."""
    kinds = [kind for kind in table.effects().values() if kind]
    if not kinds or chance.random() < 0.4:
        return None
    effect = chance.choice(chance.choice(kinds))
    if not_with is not None and (effect == "again" or not_with in (effect.one[0], effect.other[0])):
        return None
    return effect


def careless_turns(table: Table, chance: Random, count: int) -> Iterator[Turn]:
    """Turns of players who do anything legal, and mostly draw, so that the draw pile is soon used up."""
    for _ in range(count):
        moves = table.choices()
        drawing = [move for move in moves if move[0] == "draw"]
        turn = table.turn(*chance.choice(drawing if drawing and chance.random() < 0.8 else moves))
        effect = some_effect(table, chance)
        if effect is not None:
            table.use(effect)
        yield replace(turn, effect=effect)


def long_round(way: Way, dealer: Seat, chance: Random, turns: int) -> RoundRecord:
    """Play without ever going out, unless the table ends its rounds by itself."""
    deck = shuffled(way, chance)
    table = Table(way, deck, dealer)
    played: list[Turn] = []
    for turn in careless_turns(table, chance, turns):
        played.append(turn)
        if way.options.ends_by_itself and table.somebody_out():
            break
    return RoundRecord(dealer, tuple(deck), tuple(played))


def _final_rack(way: Way, chance: Random) -> list[Card]:
    run = chance.choice((1, 1, 2, 3, 4, 5, 6, 7, 10)) if "run-of-three" not in way.variants else chance.randint(3, 10)
    lowest = chance.randint(1, way.highest_card - run + 1)
    cards = set(range(lowest, lowest + run))
    rest = [card for card in range(1, way.highest_card + 1) if card not in cards]
    return sorted([*cards, *chance.sample(rest, 10 - run)])


def finished_round(way: Way, dealer: Seat, chance: Random) -> RoundRecord:
    """Play until a player draws the one card that was missing, from a deck stacked for it, and goes out."""
    order = [way.left(dealer)]
    while len(order) < len(way.seats):
        order.append(way.left(order[-1]))
    place, wait = chance.randrange(len(order)), chance.randrange(4)
    lucky, turns = order[place], place + wait * len(order)
    final, slot = _final_rack(way, chance), chance.randrange(10)
    rest = [card for card in shuffled(way, chance) if card not in final]
    first_pile_card = 10 * len(order)
    fixed = {(9 - at) * len(order) + place: card for at, card in enumerate(final) if at != slot}
    fixed[first_pile_card + 1 + turns] = final[slot]
    deck = [fixed[at] if at in fixed else rest.pop() for at in range(way.highest_card)]

    table = Table(way, deck, dealer)
    played: list[Turn] = []
    out = table.somebody_out() if way.options.ends_by_itself else None
    while out is None:
        finishing = len(played) == turns
        busy = chance.choice((None, *FRONT_TO_BACK)) if table.to_move != lucky else None
        turn = table.turn("draw", FRONT_TO_BACK[slot] if finishing else busy)
        effect = some_effect(table, chance, not_with=lucky)
        if effect is not None:
            table.use(effect)
        played.append(replace(turn, effect=effect))
        out = lucky if finishing else table.somebody_out() if way.options.ends_by_itself else None
    points = {seat: way.points(rack, out=seat == out) for seat, rack in table.racks.items()}
    return RoundRecord(dealer, tuple(deck), tuple(played), out, points)


def could_have_been(way: Way, record: RoundRecord) -> bool:
    """Whether the turns of a round, each with its cards, can be played one after the other, and earn its points."""
    table = Table(way, record.deck, record.dealer)
    for turn in record.turns:
        if way.options.ends_by_itself and table.somebody_out():
            return False
        if turn.source == "discard" and not table.draw and table.discard[-1] != turn.card:
            table.turn_over()
        if turn.source is None or turn.seat != table.to_move or (turn.source, turn.slot) not in table.choices():
            return False
        if table.turn(turn.source, turn.slot) != replace(turn, effect=None):
            return False
        if turn.effect is not None:
            if not any(turn.effect in effects for effects in table.effects().values()):
                return False
            table.use(turn.effect)
    if record.out is None:
        return True
    points = {seat: way.points(rack, out=seat == record.out) for seat, rack in table.racks.items()}
    return way.goes_out(table.racks[record.out]) and points == record.points


@dataclass(frozen=True)
class Simulated:
    """A game with what became of it, worked out here."""

    way: Way
    record: GameRecord
    totals: Mapping[Seat, int]
    winners: tuple[Seat, ...]


def simulated_game(
    way: Way, chance: Random, *, rounds: int = 3, names: Sequence[str] = ("Ada", "Ben", "Cleo", "Dan")
) -> Simulated:
    """Some rounds of a game, or all of it; rounds that nobody ended lie between, and may stand at the end."""
    dealer = chance.choice(way.seats)
    totals = dict.fromkeys(way.seats, 0)
    winners: tuple[Seat, ...] = ()
    played: list[RoundRecord] = []
    for _ in range(rounds):
        if chance.random() < 0.2:
            played.append(long_round(way, dealer, chance, chance.choice((0, 1, 7, 8, 9, 70))))
            continue
        record = finished_round(way, dealer, chance)
        totals = {seat: totals[seat] + record.points[seat] for seat in way.seats}
        played.append(record)
        winners = way.winners(totals, record.out)
        if winners:
            break
        dealer = way.left(dealer)
    people = tuple(Player(seat, name) for seat, name in zip(way.seats, names, strict=False))
    return Simulated(way, GameRecord(way.edition, people, way.variants, way.options, tuple(played)), totals, winners)
