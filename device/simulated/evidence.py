"""What a referee gets to know of a game: looks at the table, more or less clear, and the button."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final, Literal

from device.simulated.games import PlayedGame, Setup
from device.simulated.steps import PlayedRound, Step
from engine.cards import HIGHEST_CARD, SLOTS, Card, Seat, Slot, slot_index
from engine.lines import EMPTY, Call, Hidden, Line, NewGame, NewRound, Observation, Sighting, Unsettled
from engine.record import play_of
from engine.round import Round, moved, turned_over

SURE: Final[tuple[Sighting, ...]] = tuple({card: 1.0} for card in range(HIGHEST_CARD + 1))
"""A sure sighting of each card, and of an empty place."""

LONG: Final = (3, 15)
"""For how many looks a place is covered, least and most, when something is laid or held over it."""

SEEMS_EMPTY: Final = 0.2
"""Share of the misreadings of a card that show an empty place."""

LOOKS_AT_THE_END: Final = 4
"""Looks after a call: everybody waits, and the racks stand still."""

LIKELY: Final = (1e-3, 0.1)
"""What a doubted card leaves to other cards, least and most, each order of magnitude being as likely."""

AWAY: Final = (1, 8)
"""For how many steps a camera is away, least and most."""

Where = tuple[Seat, Slot] | Literal["discard"]


@dataclass(frozen=True)
class Noise:
    """How badly the table is seen. Chances are 0..1.

    looks: settled looks after each play, least and most. hide: a place is not seen in a look. long_hide: in a look,
    some place begins to be covered for a while (LONG). misread: a look holds one place that shows another card of
    1..60, or nothing. misread_place: the same for each place. blur: a place shows two cards with their chances instead
    of one; the chances are true, so that the likelier one is wrong as often as it says. doubted: a card that is laid
    anywhere shows such chances (LIKELY) in each look for as long as it lies there. half: looks in the middle of a
    turn. missed: no look comes between a play and the next one; say_unsettled: a line says so. away: before a step, a
    camera goes away for a while (AWAY), one looking at the tray and one at each rack; lines say so, as those of a live
    table do, and a call brings all back. button: whether it tells who called.
    """

    looks: tuple[int, int] = (1, 3)
    hide: float = 0.0
    long_hide: float = 0.0
    misread: float = 0.0
    misread_place: float = 0.0
    blur: float = 0.0
    doubted: float = 0.0
    half: float = 0.0
    missed: float = 0.0
    say_unsettled: bool = True
    away: float = 0.0
    button: Literal["seat", "shared"] = "seat"


@dataclass(frozen=True, slots=True)
class Scene:
    """What there is to see at one moment. `racks`: slot 5 first; `top`: of the discard pile, EMPTY for none."""

    racks: Mapping[Seat, Sequence[Card]]
    top: Card
    draw: Literal["cards", "empty"]


def scene_of(position: Round) -> Scene:
    """All that a position shows."""
    racks = dict(zip(position.seats, position.racks, strict=True))
    return Scene(racks, _top(position.discard), _pile(position.draw))


def _top(pile: Sequence[Card]) -> Card:
    return pile[-1] if pile else EMPTY


def _pile(cards: Sequence[Card]) -> Literal["cards", "empty"]:
    return "cards" if cards else "empty"


class Camera:
    """Looks at a game step by step. Seconds run on from line to line, one a look."""

    def __init__(self, noise: Noise, chance: Random) -> None:
        """Look through this noise."""
        self._noise = noise
        self._chance = chance
        self._t = 0.0
        self._covered: dict[Where, int] = {}
        self._lying: dict[Where, tuple[Card, Sighting]] = {}
        self._away: dict[Seat | Literal["tray"], int] = {}

    @property
    def now(self) -> float:
        """The time of the last line, in seconds."""
        return self._t

    def begins(self, setup: Setup) -> NewGame:
        """The line that begins a game."""
        return NewGame(setup.edition, setup.variants, setup.players, setup.options)

    def deals(self, played: PlayedRound) -> NewRound:
        """The line that begins a round."""
        return NewRound(played.dealer)

    def sees(self, step: Step) -> Iterator[Line]:
        """Give the lines of one step, in order."""
        noise, chance = self._noise, self._chance
        if noise.away:
            yield from self._come_and_go(step)
        if step.called is not None:
            self._t += 1.0
            yield Call(self._t, step.called if noise.button == "seat" else None)
            if step.violation is None:
                for _ in range(LOOKS_AT_THE_END):
                    yield self.look(scene_of(step.after))
                return
        elif step.what != "dealt" and chance.random() < noise.missed:
            if noise.say_unsettled:
                self._t += 1.0
                yield Unsettled(self._t)
            return
        elif chance.random() < noise.half:
            moments = moments_of(step)
            wanted = min(len(moments), chance.randint(1, 2))
            for number in sorted(chance.sample(range(len(moments)), wanted)):
                yield self.look(moments[number])
        scene = scene_of(step.after)
        for _ in range(chance.randint(*noise.looks)):
            yield self.look(scene)

    def _come_and_go(self, step: Step) -> Iterator[Line]:
        """Which cameras go away, or come back, before a step, as lines."""
        cameras: list[Seat | Literal["tray"]] = ["tray", *step.before.seats]
        for camera in cameras:
            left = self._away.pop(camera, None)
            if left is not None:
                if left > 1 and step.called is None:
                    self._away[camera] = left - 1
                elif camera == "tray":
                    yield Unsettled(self._t)
            elif step.called is None and self._chance.random() < self._noise.away:
                self._away[camera] = self._chance.randint(*AWAY)
                yield Unsettled(self._t) if camera == "tray" else Hidden(self._t, (camera,))

    def look(self, scene: Scene) -> Observation:
        """Look once."""
        self._t += 1.0
        places: dict[Where, Card] = {
            (seat, slot): card for seat, rack in scene.racks.items() for slot, card in zip(SLOTS, rack, strict=True)
        }
        places["discard"] = scene.top
        noise, chance = self._noise, self._chance
        if noise.doubted:
            self._lying = {place: self._as_it_lies(place, card) for place, card in places.items()}
        wrong: list[Where] = []
        if noise.misread and chance.random() < noise.misread:
            wrong.append(chance.choice(list(places)))
        if noise.misread_place:
            wrong.extend(place for place in places if chance.random() < noise.misread_place)
        for place in wrong:
            places[place] = self._another(places[place])
        for place in self._hidden(list(places)):
            del places[place]
        racks: dict[Seat, dict[Slot, Sighting]] = {seat: {} for seat in scene.racks}
        top: Sighting | None = None
        for place, card in places.items():
            true, lying = self._lying.get(place, (card, SURE[card]))
            sighting = lying if true == card else SURE[card]
            if noise.blur and chance.random() < noise.blur:
                sighting = self._blurred(card, round(chance.uniform(0.6, 0.95), 2))
            if place == "discard":
                top = sighting
            else:
                racks[place[0]][place[1]] = sighting
        draw = None if noise.hide and chance.random() < noise.hide else scene.draw
        if self._away:
            racks = {seat: slots for seat, slots in racks.items() if seat not in self._away}
            top, draw = (None, None) if "tray" in self._away else (top, draw)
        return Observation(self._t, racks, top, draw)

    def _another(self, card: Card) -> Card:
        """What a place may show by mistake: another card, or one time in five nothing."""
        if card != EMPTY and self._chance.random() < SEEMS_EMPTY:
            return EMPTY
        return self._chance.choice([other for other in range(1, HIGHEST_CARD + 1) if other != card])

    def _hidden(self, places: Sequence[Where]) -> set[Where]:
        noise, chance = self._noise, self._chance
        if noise.long_hide and chance.random() < noise.long_hide:
            self._covered[chance.choice(places)] = chance.randint(*LONG)
        hidden = set(self._covered)
        self._covered = {place: looks - 1 for place, looks in self._covered.items() if looks > 1}
        if noise.hide:
            hidden.update(place for place in places if chance.random() < noise.hide)
        return hidden

    def _as_it_lies(self, place: Where, card: Card) -> tuple[Card, Sighting]:
        """A card where it lies, and how it looks there."""
        known = self._lying.get(place)
        if known is not None and known[0] == card:
            return known
        if card == EMPTY or self._chance.random() >= self._noise.doubted:
            return card, SURE[card]
        least, most = LIKELY
        return card, self._blurred(card, round(1 - least * (most / least) ** self._chance.random(), 4))

    def _blurred(self, card: Card, likely: float) -> Sighting:
        """Two cards with their chances; which of them it is, or neither, is as likely as they say."""
        chance = self._chance
        second = round((1 - likely) * 0.7, 4)
        one, other = chance.sample([other for other in range(1, HIGHEST_CARD + 1) if other != card], 2)
        lot = chance.random()
        if lot < likely:
            return {card: likely, one: second}
        return {one: likely, card: second} if lot < likely + second else {one: likely, other: second}


def moments_of(step: Step) -> list[Scene]:
    """What there is to see in the middle of a turn, in order: cards lifted, a slot empty, the old card in the hand."""
    turn, position = step.turn, step.before
    if step.what != "turn" or turn is None:
        return []
    if turn.source == "draw" and not position.draw:
        position = turned_over(position)
    scenes = []
    if turn.slot is not None:
        draw, pile = position.draw, position.discard
        if turn.source == "draw":
            draw = draw[:-1]
        else:
            pile = pile[:-1]
            scenes.append(Scene(scene_of(position).racks, _top(pile), _pile(draw)))
        for card in (EMPTY, turn.card or EMPTY):
            racks = _with(position, {(turn.seat, turn.slot): card})
            scenes.append(Scene(racks, _top(pile), _pile(draw)))
    if turn.effect is not None and turn.effect != "again":
        discarded = moved(position, play_of(turn), turn.seat)
        top, draw_pile = _top(discarded.discard), _pile(discarded.draw)
        scenes.append(scene_of(discarded))
        gaps = dict.fromkeys((turn.effect.one, turn.effect.other), EMPTY)
        scenes.append(Scene(_with(discarded, gaps), top, draw_pile))
    return scenes


def _with(position: Round, cards: Mapping[tuple[Seat, Slot], Card]) -> dict[Seat, list[Card]]:
    racks = {seat: list(rack) for seat, rack in zip(position.seats, position.racks, strict=True)}
    for (seat, slot), card in cards.items():
        racks[seat][slot_index(slot)] = card
    return racks


def lines_of(played: PlayedGame, noise: Noise, chance: Random) -> Iterator[Line]:
    """Give all lines of a game, in order."""
    camera = Camera(noise, chance)
    yield camera.begins(played.setup)
    for dealt in played.rounds:
        yield camera.deals(dealt)
        for step in dealt.steps:
            yield from camera.sees(step)
