"""Whether the racks were dealt since a round was over."""

from collections.abc import Mapping

from device.observing.dealing import Dealing
from engine.cards import SLOTS, Seat
from engine.lines import EMPTY, Observation, Sighting

FULL: Sighting = {7: 0.98}
NONE: Sighting = {EMPTY: 0.99}
UNTOLD: Sighting = {}
LONG = 10.0


def look(t: float, **racks: list[Sighting]) -> Observation:
    seats: Mapping[Seat, Mapping[int, Sighting]] = {
        int(name[-1]): {slot: seen for slot, seen in zip(SLOTS, slots, strict=True) if seen}
        for name, slots in racks.items()
    }
    return Observation(t, seats, None, None)


def emptied() -> Dealing:
    dealing = Dealing()
    dealing.see(look(0.0, rack1=[FULL] * 10, rack2=[FULL] * 10))
    dealing.see(look(1.0, rack1=[NONE] * 10))
    dealing.see(look(2.0, rack2=[NONE] * 9 + [UNTOLD]))
    return dealing


def test_racks_that_stand_as_the_round_left_them_are_not_dealt() -> None:
    dealing = Dealing()
    dealing.see(look(0.0, rack1=[FULL] * 10, rack2=[FULL] * 10))
    assert not dealing.dealt((1, 2), LONG)


def test_racks_that_were_emptied_and_filled_are_dealt_once_they_stand() -> None:
    dealing = emptied()
    assert not dealing.dealt((1, 2), LONG)
    dealing.see(look(20.0, rack1=[FULL] * 10, rack2=[FULL] * 4 + [NONE] * 6))
    assert not dealing.dealt((1, 2), 30.0)
    dealing.see(look(31.0, rack2=[FULL] * 9 + [UNTOLD]))
    assert not dealing.dealt((1, 2), 32.0)
    assert dealing.dealt((1, 2), 35.0)


def test_a_rack_that_nobody_saw_emptied_is_the_host_s_to_judge() -> None:
    dealing = emptied()
    dealing.see(look(20.0, rack1=[FULL] * 10, rack2=[FULL] * 10, rack3=[FULL] * 10))
    assert dealing.dealt((1, 2), 30.0)
    assert not dealing.dealt((1, 2, 3), 30.0)


def test_a_rack_that_is_emptied_once_more_is_not_dealt() -> None:
    dealing = emptied()
    dealing.see(look(20.0, rack1=[FULL] * 10, rack2=[FULL] * 10))
    dealing.see(look(22.0, rack1=[FULL] * 3 + [NONE] * 7))
    assert not dealing.dealt((1, 2), 40.0)
    dealing.see(look(41.0, rack1=[FULL] * 10))
    assert not dealing.dealt((1, 2), 42.0)
    assert dealing.dealt((1, 2), 45.0)
