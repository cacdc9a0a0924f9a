"""A simulated table for the tests of the engine: exact games, and the looks and lines that they give.

Cards, turns and the refill are worked out here once more, from the leaflets and not with the engine's own code, so that
the two can be held against each other.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

from engine.cards import SLOTS, Card, Seat, Slot
from engine.events import Amended, Event, TakenBack, TurnPlayed, Violation
from engine.following.history import Place
from engine.game import Player
from engine.lines import EMPTY, Call, Correction, Line, NewGame, NewRound, Observation, Sighting, Unsettled
from engine.moves import Turn
from engine.powers import Effect
from engine.record import turn_between
from engine.referee import Referee
from engine.round import Play, Round, deal, left_of, legal_plays, moved, play, put, turned_over, use_power
from engine.variants import AS_PRINTED, Options, rules_for

NAMES = ("Ada", "Ben", "Cleo", "Dan")
DECKS = {2: 40, 3: 50, 4: 60}
PILE = 20
"""Cards in the two piles together: 40 - 20, 50 - 30 and 60 - 40."""

Chooser = Callable[[Round], Play]


@dataclass(frozen=True)
class Step:
    """One turn of an exact game, with the positions around it. `turned_over`: the piles were, for this turn."""

    before: Round
    turn: Turn
    after: Round
    turned_over: bool


def dice(seed: int) -> Random:
    """A repeatable source of chance."""
    return Random(seed)


def dealt(players: int, seed: int, dealer: Seat = 1) -> Round:
    """A round dealt from a shuffled deck."""
    deck = list(range(1, DECKS[players] + 1))
    dice(seed).shuffle(deck)
    return deal(tuple(range(1, players + 1)), dealer, deck)


def step(position: Round, move: Play) -> Step:
    """Play a turn, and say independently of the engine which cards it moved."""
    turned_over = move.source == "draw" and not position.draw
    if move.source == "discard":
        card = position.discard[-1]
    else:
        card = position.discard[1] if turned_over else position.draw[-1]
    discarded = card if move.slot is None else position.rack(position.to_move)[SLOTS.index(move.slot)]
    turn = Turn(position.to_move, move.source, card, move.slot, discarded)
    return Step(position, turn, play(position, move), turned_over)


def steps(start: Round, choose: Chooser, count: int) -> Iterator[Step]:
    """Play `count` turns, or until somebody's rack rises from slot 5 to slot 50."""
    position = start
    for _ in range(count):
        played = step(position, choose(position))
        yield played
        position = played.after
        if rises(position.rack(played.turn.seat)):
            return


def left(players: int, seat: Seat) -> Seat:
    """The player to the left, where every seat is taken."""
    return seat % players + 1


def rises(cards: Sequence[Card]) -> bool:
    """Whether a rack is in order."""
    return list(cards) == sorted(cards)


def careless(seed: int) -> Chooser:
    """A player who does anything legal."""
    chance = dice(seed)
    return lambda position: chance.choice(legal_plays(position))


def thrifty(seed: int) -> Chooser:
    """A player who mostly draws, so that the draw pile is soon used up."""
    chance = dice(seed)

    def choose(position: Round) -> Play:
        source = "draw" if chance.random() < 0.9 else "discard"
        return chance.choice([move for move in legal_plays(position) if move.source == source])

    return choose


def sensible(position: Round) -> Play:
    """Choose like a player who wants to win: each card has its place, and is put there where it fits better."""
    rack, highest = position.rack(position.to_move), DECKS[len(position.seats)]
    for source, pile in (("discard", position.discard), ("draw", position.draw or position.discard[1::-1])):
        place = (pile[-1] - 1) * len(SLOTS) // highest
        if (rack[place] - 1) * len(SLOTS) // highest != place:
            return Play("discard" if source == "discard" else "draw", SLOTS[place])
    return Play("draw", None)


def nearly_done(players: int, seed: int, caller: Seat = 2) -> Round:
    """A position in which the draw pile's top card, put into slot 25, completes the rack of `caller`, who is to move.

    The other racks stand as they come, but none of them is in order.
    """
    highest = DECKS[players]
    done = tuple(range(3, highest, highest // 10))[:10]
    rest = [card for card in range(1, highest + 1) if card not in done]
    chance = dice(seed)
    seats = tuple(range(1, players + 1))
    while True:
        chance.shuffle(rest)
        others = [tuple(rest[place : place + 10]) for place in range(0, 10 * (players - 1), 10)]
        left = rest[10 * (players - 1) :]
        rack = (*done[:4], left[0], *done[5:])
        if not rises(rack) and not any(rises(cards) for cards in others):
            break
    racks = iter(others)
    return Round(
        seats=seats,
        racks=tuple(rack if seat == caller else next(racks) for seat in seats),
        draw=(*left[2:], done[4]),
        discard=(left[1],),
        to_move=caller,
    )


def look(
    position: Round,
    t: float,
    *,
    unseen: Collection[Place] = (),
    instead: Mapping[Place, Sighting] | None = None,
) -> Observation:
    """Look at a position: everything is read plainly but what is `unseen`, or seen as something else `instead`."""
    places: dict[Place, Sighting] = {
        (seat, slot): {card: 1.0}
        for seat, rack in zip(position.seats, position.racks, strict=True)
        for slot, card in zip(SLOTS, rack, strict=True)
    }
    places["discard"] = {position.discard[-1] if position.discard else EMPTY: 1.0}
    places |= instead or {}
    racks: dict[Seat, dict[Slot, Sighting]] = {seat: {} for seat in position.seats}
    for place, sighting in places.items():
        if place != "discard" and place not in unseen:
            racks[place[0]][place[1]] = sighting
    top = None if "discard" in unseen else places["discard"]
    return Observation(t, racks, top, "cards" if position.draw else "empty")


def every_place(position: Round) -> list[Place]:
    """The discard pile and every slot of every rack."""
    return ["discard", *((seat, slot) for seat in position.seats for slot in SLOTS)]


def seated(
    players: int, start: Round | None = None, *, first: Seat = 2, variants: tuple[str, ...] = ()
) -> tuple[Referee, list[Event]]:
    """A referee at the beginning of a round, and what it said.

    `start` has been seen already where it is given; else the round begins with seat `first`.
    """
    referee = Referee()
    people = tuple(Player(seat, NAMES[seat - 1]) for seat in range(1, players + 1))
    said = referee.feed(NewGame("parker-1992", variants, people))
    to_move = first if start is None else start.to_move
    said += referee.feed(NewRound(next(seat for seat in range(1, players + 1) if left(players, seat) == to_move)))
    if start is not None:
        said += referee.feed(look(start, 0.0))
    return referee, said


def turns(events: Iterable[Event]) -> list[Turn]:
    """The turns among the events."""
    return [event.turn for event in events if isinstance(event, TurnPlayed)]


def twice(referee: Referee, position: Round, t: float) -> list[Event]:
    """Show the referee a position in two clean looks, a second apart."""
    return referee.feed(look(position, t)) + referee.feed(look(position, t + 1))


Show = Callable[[Referee, Step, float], list[Event]]
"""Looks at one turn, from a time on: gives what the referee said."""


def said_by(players: int, seed: int, choose: Chooser, show: Show, turns_played: int = 32) -> None:
    """Show a game turn by turn, each from time 10 on in tens, and hold what is said against what was played."""
    start = dealt(players, seed)
    referee, _ = seated(players, start)
    said = referee.feed(look(start, 1.0))
    true = []
    for number, played in enumerate(steps(start, choose, turns_played), 1):
        true.append(played.turn)
        said += show(referee, played, 10.0 * number)
        assert turns(said) == true[: len(turns(said))]
    assert turns(said + referee.finish()) == true


def check_one_line(problem: Exception) -> None:
    """Hold an error's words to what every one of them must be: one line."""
    assert len(str(problem).splitlines()) == 1


@dataclass(frozen=True)
class Ways:
    """By which rules a round is played."""

    edition: str = "parker-1992"
    variants: tuple[str, ...] = ()
    options: Options = AS_PRINTED

    def dealt(self, players: int, seed: int, dealer: Seat = 1) -> Round:
        """A round dealt from a shuffled deck."""
        rules = rules_for(self.edition, players, self.variants, self.options)
        deck = list(rules.deck)
        dice(seed).shuffle(deck)
        return deal(tuple(range(1, players + 1)), dealer, deck, rules.edition.turn_over, rules.edition.powers)


PARKER = Ways()


class Watched:
    """A table with its true position and a referee who watches it. Whatever is done there is shown in clean looks.

    lines, said: everything fed, and every event. true: the turns that were really played. looks: how many are had of
    each new position. unread: places that nobody can ever read.
    """

    def __init__(
        self,
        start: Round,
        ways: Ways = PARKER,
        *,
        looks: int = 2,
        shown: bool = True,
        unread: Collection[Place] = (),
    ) -> None:
        self.referee = Referee()
        self.position = start
        self.looks = looks
        self.unread = unread
        self.t = 0.0
        self.true: list[Turn] = []
        self.said: list[Event] = []
        self.lines: list[Line] = []
        people = tuple(Player(seat, NAMES[seat - 1]) for seat in start.seats)
        self.line(NewGame(ways.edition, ways.variants, people, ways.options))
        dealer = next(seat for seat in start.seats if left_of(start.seats, seat) == start.to_move)
        self.line(NewRound(dealer))
        if shown:
            self.show()

    def line(self, line: Line) -> list[Event]:
        """Feed a line; return what is said of it."""
        said = self.referee.feed(line)
        self.lines.append(line)
        self.said += said
        return said

    def show(
        self,
        looks: int | None = None,
        *,
        unseen: Collection[Place] = (),
        instead: Mapping[Place, Sighting] | None = None,
    ) -> list[Event]:
        """Look at the table so often."""
        said: list[Event] = []
        for _ in range(self.looks if looks is None else looks):
            self.t += 1.0
            said += self.line(look(self.position, self.t, unseen=[*unseen, *self.unread], instead=instead))
        return said

    def becomes(self, position: Round, turn: Turn | None = None, looks: int | None = None) -> list[Event]:
        """The table is like this now, by a turn or not."""
        self.position = position
        if turn is not None:
            self.true.append(turn)
        return self.show(looks)

    def play(self, move: Play, looks: int | None = None) -> list[Event]:
        """The player to move plays, by the rules."""
        after = play(self.position, move)
        return self.becomes(after, turn_between(self.position, move, after), looks)

    def use(self, effect: Effect, looks: int | None = None) -> list[Event]:
        """Who has just discarded a Prime card uses its power."""
        self.true[-1] = replace(self.true[-1], effect=effect)
        return self.becomes(use_power(self.position, effect), looks=looks)

    def out_of_turn(self, seat: Seat, move: Play, to_move: Seat, looks: int | None = None) -> list[Event]:
        """Another player plays; then `to_move` is."""
        after = replace(moved(self.position, move, seat), to_move=to_move)
        return self.becomes(after, turn_between(replace(self.position, to_move=seat), move, after), looks)

    def go_on(self, turns: int, seed: int = 0, looks: int | None = None) -> list[Event]:
        """Play some turns by chance, whatever is legal; nobody's rack comes in order by it, or hardly ever."""
        choose, said = careless(seed), []
        for _ in range(turns):
            said += self.play(choose(self.position), looks)
        return said

    def put(self, cards: Mapping[tuple[Seat, Slot], Card], looks: int | None = None) -> list[Event]:
        """Other cards stand in these slots, wherever they come from."""
        position = self.position
        for place, card in cards.items():
            position = put(position, place, card)
        return self.becomes(position, looks=looks)

    def turn_over(self, looks: int | None = None) -> list[Event]:
        """The used-up pile is turned over before anybody draws."""
        return self.becomes(turned_over(self.position), looks=looks)

    def unsettled(self) -> list[Event]:
        """Somebody says that plays may have been missed."""
        self.t += 1.0
        return self.line(Unsettled(self.t))

    def call(self, seat: Seat | None) -> list[Event]:
        """RACK-O is called."""
        self.t += 1.0
        return self.line(Call(self.t, seat))

    def correct(self, seat: Seat, slot: Slot, card: Card) -> list[Event]:
        """The host names a card."""
        self.t += 1.0
        return self.line(Correction(self.t, seat, slot, card))

    def finish(self) -> list[Event]:
        """No more lines come."""
        said = self.referee.finish()
        self.said += said
        return said

    @property
    def turns(self) -> list[Turn]:
        """The turns that were said, as they were said last."""
        return told(self.said)

    @property
    def violations(self) -> list[tuple[str, Seat]]:
        """What was said to be broken, and by whom. No text of it tells a card."""
        found = [event for event in self.said if isinstance(event, Violation)]
        assert not any(character.isdigit() for event in found for character in event.text)
        return [(event.rule, event.seat) for event in found]


def told(events: Iterable[Event]) -> list[Turn]:
    """The turns among the events, each as it was said last, without those that were taken back."""
    found: list[Turn | None] = []
    for event in events:
        if isinstance(event, TurnPlayed):
            found.append(event.turn)
        elif isinstance(event, Amended):
            found[event.number - 1] = event.turn
        elif isinstance(event, TakenBack):
            found[event.number - 1] = None
    return [turn for turn in found if turn is not None]
