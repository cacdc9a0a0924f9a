"""Racks are secret at simulated tables: whatever is seen of them, the board tells none of their cards too early."""

import pytest

from device.simulated.evidence import Camera, Noise
from device.simulated.games import Setup, play_game
from device.simulated.steps import PlayedRound
from device.simulated.trial import dice
from engine.board import NOTHING_YET, after
from engine.cards import Card
from engine.events import Event, RoundEnd, RoundReopened
from engine.lines import Correction, Line
from engine.referee import Referee
from engine.round import Round
from engine.snapshot import Snapshot
from tests.engine.boards import cards_of, in_racks

POWERS = Setup(("fair",) * 3, "hasbro-2006", most_rounds=2)
PARTNERS = Setup(("fair",) * 4, "hasbro-2006", ("partners", "bonus"), at_once=True, most_rounds=2)
NOISES = [
    pytest.param(Noise(hide=0.25), id="a quarter hidden"),
    pytest.param(Noise(half=0.5, blur=0.1), id="half turns, blurred"),
    pytest.param(Noise(long_hide=0.2), id="covered for long"),
    pytest.param(Noise(missed=0.125, say_unsettled=False), id="plays missed"),
]


class Watchers:
    """A referee, the board as everybody sees it, and the truth that it is held against."""

    def __init__(self, setup: Setup, noise: Noise, seed: str) -> None:
        self.referee = Referee()
        self.camera = Camera(noise, dice(seed))
        self.board: Snapshot = NOTHING_YET
        self.known: set[Card] = set()
        self.feed(self.camera.begins(setup))

    def feed(self, line: Line) -> list[type[Event]]:
        said = self.referee.feed(line)
        for event in said:
            self.board = after(self.board, event, self.board.version + 1)
        return [type(event) for event in said]

    def tells_no_rack(self, position: Round) -> None:
        """Hold the board against the truth.

        A turn that is not certain yet may have taken a card that the board still shows: everybody saw that one.
        """
        assert not cards_of(self.board) & in_racks(position) - self.known, self.board

    def watch(self, dealt: PlayedRound) -> Round | None:
        """Follow a round to the end that the referee tells; None if it tells none."""
        self.feed(self.camera.deals(dealt))
        self.known = set()
        for step in dealt.steps:
            self.known.update(step.after.discard)
            for line in self.camera.sees(step):
                if RoundEnd in self.feed(line):
                    return step.after
                self.tells_no_rack(step.after)
        return None


@pytest.mark.slow
@pytest.mark.parametrize("setup", [POWERS, PARTNERS], ids=["powers", "partners"])
@pytest.mark.parametrize("noise", NOISES)
def test_no_card_of_a_rack_is_told_before_the_round_is_over_nor_when_it_goes_on_after_all(
    setup: Setup, noise: Noise
) -> None:
    watchers, reopened = Watchers(setup, noise, "looks"), 0
    for dealt in play_game(setup, dice("secrecy")).rounds:
        position = watchers.watch(dealt)
        assert dealt.out is not None
        if position is None:
            continue
        assert {shown.seat for shown in watchers.board.racks} == set(position.seats)
        # The host says that another card stands there, which does not rise.
        rack = position.rack(dealt.out)
        low = next(card for card in range(1, rack[8]) if card not in in_racks(position))
        said = watchers.feed(Correction(watchers.camera.now, dealt.out, 50, low))
        assert RoundReopened in said
        assert watchers.board.phase == "playing"
        watchers.tells_no_rack(position)
        reopened += 1
    assert reopened
