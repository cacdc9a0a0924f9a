"""A round at a simulated table: the true position, and virtual players who are told what people there would see."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Final

from device.simulated.players import Level, View, virtual_player
from device.simulated.steps import GAP, Cheat, Step
from engine.cards import Card, Seat, Slot, slot_index
from engine.game import Game
from engine.moves import Turn
from engine.powers import Effect, Power
from engine.rack import can_go_out
from engine.record import turn_between
from engine.round import Play, Round, deal, legal_plays, play, turned_over, use_power
from engine.scoring import score_rack


class Table:
    """A round being played: the true position, and the players, who are told no more than people would see."""

    def __init__(self, game: Game, levels: Sequence[Level], powers: Mapping[Card, Power], chance: Random) -> None:
        """Seat fresh players. `powers`: what is printed on each Prime card. The position comes with `deal_out`."""
        self.rules: Final = game.rules
        self.seats: Final = game.seats
        self.chance: Final = chance
        self.players: Final = {
            seat: virtual_player(level, game.rules, seat, game.seats, chance)
            for seat, level in zip(game.seats, levels, strict=True)
        }
        self._powers: Final = powers
        self.steps: Final[list[Step]] = []
        self.position: Round
        self.expecting: Callable[[Step], Cheat | None] | None = None
        """Tells a card that does not belong here as soon as it is seen; None where all do."""

    def deal_out(self, dealer: Seat, deck: Sequence[Card]) -> None:
        """Deal; the deck's top card comes first."""
        edition = self.rules.edition
        self.position = deal(self.seats, dealer, deck, edition.turn_over, edition.powers)
        self.add(Step("dealt", self.position, self.position))

    def add(self, step: Step) -> None:
        """Let a step happen: everybody sees it, and a card that does not belong here may come to light."""
        if self.expecting is not None and step.violation is None:
            found = self.expecting(step)
            if found is not None:
                self.expecting = None
                step = replace(step, violation=found)
        self.position = step.after
        self.steps.append(step)
        turn = step.turn
        drawing = turn is not None and turn.source == "draw" and not step.before.draw
        for seat, player in self.players.items():
            if step.what == "dealt":
                player.watch_pile(step.after.discard[-1])
            elif drawing or step.what == "turned-over":
                started = (turned_over(step.before) if drawing else step.after).discard
                player.watch_pile(started[-1] if started else None)
            if turn is not None:
                player.watch(turn if seat == turn.seat else as_others_see(turn))

    def view(self, seat: Seat, position: Round) -> View:
        """What the player in `seat` sees of a position."""
        top = position.discard[-1] if position.discard else None
        return View(position.rack(seat), top)

    def decide(self, seat: Seat) -> Play:
        """Ask a player for a play: first whether to take the discard, then what to do with the card drawn."""
        position, player = self.position, self.players[seat]
        sources = {move.source for move in legal_plays(position)}
        if "discard" in sources:
            slot = player.take(self.view(seat, position))
            if slot is not None:
                return Play("discard", slot)
        if "draw" not in sources:
            return Play("discard", self.any_slot(seat))
        if not position.draw:
            position = turned_over(position)
        return Play("draw", player.place(self.view(seat, position), position.draw[-1]))

    def any_slot(self, seat: Seat) -> Slot:
        """A slot of a rack that holds a card, by chance."""
        rack = self.position.rack(seat)
        return self.chance.choice([5 * place for place, card in enumerate(rack, 1) if card != GAP])

    def turn(self) -> Step:
        """Let the player to move play a turn by the rules, with what a Prime card lets them do."""
        before, seat = self.position, self.position.to_move
        move = self.decide(seat)
        after = play(before, move)
        turn = turn_between(before, move, after)
        if after.power_of is not None and not self.may_call(after, seat):
            power = self._powers[after.discard[-1]]
            effect = self.players[seat].use(self.view(seat, after), power)
            if effect is not None and not self._has_gap(after, effect):
                return Step("turn", before, use_power(after, effect), replace(turn, effect=effect))
        return Step("turn", before, after, turn)

    def _has_gap(self, position: Round, effect: Effect) -> bool:
        """Whether a switch is of a slot that has lost its card; people see that it has."""
        if effect == "again":
            return False
        return GAP in (position.rack(seat)[slot_index(slot)] for seat, slot in (effect.one, effect.other))

    def may_call(self, position: Round, seat: Seat) -> bool:
        """Whether a rack can go out. One number twice does not rise, and a gap is no card."""
        rack = position.rack(seat)
        whole = GAP not in rack and len(set(rack)) == len(rack)
        return whole and can_go_out(rack, self.rules.edition.run_needed)

    def caller(self) -> Seat | None:
        """Who ends the round now, if anybody does.

        Who has just played may call, and after a switch or anything odd everybody may. Where rounds end by themselves,
        any rack ends them.
        """
        last = self.steps[-1].turn
        odd = last is None or last.effect is not None or self.steps[-1].violation is not None
        by_itself = self.rules.edition.ends_by_itself
        first = 0 if last is None else self.seats.index(last.seat)
        asked = (*self.seats[first:], *self.seats[:first]) if odd or by_itself else self.seats[first : first + 1]
        for seat in asked:
            if self.may_call(self.position, seat) and (
                by_itself or self.players[seat].calls(self.view(seat, self.position))
            ):
                return seat
        return None

    def points(self, out: Seat) -> dict[Seat, int]:
        """Score the racks as they stand. The rise ends before a gap; with slot 5 empty it never began."""
        racks = {seat: self.position.rack(seat) for seat in self.seats}
        return {
            seat: 0 if rack[0] == GAP else score_rack(self.rules, rack, out=seat == out).points
            for seat, rack in racks.items()
        }


def as_others_see(turn: Turn) -> Turn:
    """A turn as the other players see it: a card that went from the draw pile into a rack stays hidden."""
    return replace(turn, card=None) if turn.source == "draw" and turn.slot is not None else turn
