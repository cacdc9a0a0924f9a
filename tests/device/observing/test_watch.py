"""What a watch tells of looks; the eyes are played here, so that no picture is read."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import cast

import numpy as np
import pytest

from calibration.table import Table
from device.observing.player import lines_from
from device.observing.watch import Watch, sightings_of
from device.sessions.format import FrameTaken
from engine import lines
from engine.lines import Line, NewGame, Observation
from vision.frame import Frame
from vision.look import Arm, Look, Reading, TrayLook
from vision.mats import TRAY
from vision.reading.digits import NumberReader

SURE = Reading({7: 1.0}, 0.0, 0.0)
DOUBT = Reading({33: 0.5, 38: 0.4}, 0.0, 0.0)
FAINT = Reading({1: 0.04, 4: 0.02}, 0.0, 0.0)


def rack_of(reading: Reading) -> Look:
    return Look({1: (reading, *[SURE] * 9)}, None, (), frozenset())


def tray_of(card: int) -> Look:
    return Look({}, TrayLook(Reading({card: 1.0}, 0.0, 0.0), "cards"), (), frozenset())


@dataclass
class Played:
    """An eye that sees by the brightness of its picture what was agreed for it, and remembers what it has looked at."""

    seen: Mapping[int, Look] = field(default_factory=dict)
    looked: list[int] = field(default_factory=list)
    matters: None = None

    @property
    def mats(self) -> set[int]:
        return {TRAY} if self.looked and self.seen[self.looked[-1]].tray is not None else set()

    def look(self, frame: Frame, *, moved: bool) -> Look:  # noqa: ARG002 - as the eye does
        self.looked.append(int(frame.colour[0, 0, 0]))
        return self.seen[self.looked[-1]]


def picture(level: int, *, swayed: bool = False) -> Frame:
    """A picture of two halves, one of which tells what is seen: brightness as a whole is no movement."""
    pixels = np.full((90, 160, 3), 100, np.uint8)
    pixels[:, :80] = level
    if swayed:
        pixels[80:85, 150:155] = 160
    return Frame(pixels)


@pytest.fixture
def looked() -> list[int]:
    """What the eyes have looked at, by its brightness."""
    return []


@pytest.fixture
def watch(monkeypatch: pytest.MonkeyPatch, looked: list[int]) -> Watch:
    looks = {10: rack_of(SURE), 60: rack_of(DOUBT), 110: rack_of(FAINT), 160: tray_of(12), 210: tray_of(13)}
    looks[185] = replace(looks[160], tray=TrayLook(Reading(), None, Arm(20.0, 105.0, 0.7)))
    looks[60] = replace(looks[60], altered={1: frozenset({1})})
    looks[110] = replace(looks[110], altered={1: frozenset()})
    looks[140] = replace(looks[110], altered={})
    looks[61] = looks[10]
    looks[111] = rack_of(FAINT)
    looks[112] = replace(looks[111], repeated=frozenset((1, slot) for slot in range(10)))
    looks[62] = replace(looks[60], altered={1: frozenset()}, repeated=frozenset((1, slot) for slot in range(10)))
    looks[12] = replace(looks[140], hands=frozenset({1}))
    looks[14] = replace(looks[10], hands=frozenset({1}))
    monkeypatch.setattr("device.observing.watch.Eye", lambda *_: Played(looks, looked))
    return Watch(Table(), range(1, 61), NumberReader())


def show(watch: Watch, t: float, camera: str, level: int) -> list[Observation]:
    """Two settled pictures."""
    return watch.frame(t, camera, picture(level)) + watch.frame(t + 0.25, camera, picture(level))


def test_a_card_that_stands_is_told_with_each_look_of_another_camera(watch: Watch) -> None:
    show(watch, 0.0, "rack1", 10)
    told = show(watch, 1.0, "tray", 160)
    assert [look.racks[1][5] for look in told] == [{7: 1.0}] * 2
    assert [look.discard for look in told] == [{12: 1.0}] * 2


def test_a_doubt_is_told_once_by_its_own_scene_only(watch: Watch) -> None:
    first, second = show(watch, 0.0, "rack1", 60)
    assert 5 not in first.racks[1]
    assert second.racks[1][5] == {33: 0.5, 38: 0.4}
    for look in show(watch, 1.0, "tray", 160) + watch.standing(2.0):
        assert 5 not in look.racks[1]
        assert look.racks[1][10] == {7: 1.0}


def test_a_doubt_is_told_later_too_where_nothing_was_told_since_the_card_came(watch: Watch) -> None:
    """The first looks left it open, and one more look some scenes later tells most likely what it is."""
    before = show(watch, 0.0, "rack1", 111)
    *others, last = show(watch, 1.0, "rack1", 62)
    after = show(watch, 2.0, "tray", 160) + show(watch, 3.0, "rack1", 112) + show(watch, 4.0, "rack1", 62)
    assert last.racks[1][5] == {33: 0.5, 38: 0.4}
    assert all(5 not in look.racks[1] for look in before + others + after)


def test_what_was_told_surely_is_not_told_in_doubt_while_it_has_not_changed(watch: Watch) -> None:
    show(watch, 0.0, "rack1", 10)
    told = [look.racks[1].get(5) for look in show(watch, 1.0, "rack1", 62)]
    assert told[-1] is None
    assert {33: 0.5, 38: 0.4} not in told


def test_a_doubt_is_told_at_once_where_no_other_picture_follows(watch: Watch) -> None:
    assert watch.frame(0.0, "rack1", picture(60)) == []
    (look,) = watch.until(1.0)
    assert look.racks[1][5] == {33: 0.5, 38: 0.4}


def test_what_is_clear_in_the_second_picture_was_never_in_doubt(watch: Watch) -> None:
    watch.frame(0.0, "rack1", picture(60))
    told = watch.frame(0.25, "rack1", picture(61))
    assert [look.racks[1].get(5) for look in told] == [None, {7: 1.0}]


def test_what_was_looked_at_once_is_told_again_when_only_a_shadow_swayed_and_it_has_stood_for_long(
    watch: Watch,
) -> None:
    watch.frame(0.0, "rack1", picture(60))
    watch.frame(0.25, "rack1", picture(60, swayed=True))
    watch.until(1.0)
    assert [look.racks for look in show(watch, 2.0, "tray", 160)] == [{}] * 2
    for look in show(watch, 6.0, "tray", 210):
        assert look.racks[1][10] == {7: 1.0}
        assert 5 not in look.racks[1]


@pytest.mark.parametrize(("before", "at"), [(10, 0.75), (60, -1.5)], ids=["of something else", "of long ago"])
def test_what_was_looked_at_once_is_not_told_again_where_the_picture_before_it_was(
    watch: Watch, before: int, at: float
) -> None:
    """Pictures are lost, it seems: what came after this one may be, too."""
    watch.frame(at, "rack1", picture(before))
    watch.frame(1.0, "rack1", picture(60, swayed=True))
    watch.until(2.0)
    assert [look.racks for look in show(watch, 7.0, "tray", 160)] == [{}] * 2


def test_a_reading_that_leaves_most_of_it_open_is_not_told() -> None:
    assert 5 not in sightings_of(rack_of(FAINT), {}).racks[1]
    assert sightings_of(rack_of(DOUBT), {}).racks[1][5] == {33: 0.5, 38: 0.4}


def test_when_slots_changed_is_told_while_the_rack_stands_in_view(watch: Watch) -> None:
    told = [look.changed for look in show(watch, 0.0, "rack1", 60)]
    assert told == [{1: {10: 0.0}}, {1: {10: 0.25}}]
    assert [look.changed for look in show(watch, 1.0, "tray", 160)] == [{1: {10: 0.25}}] * 2
    assert [look.changed for look in show(watch, 2.0, "rack1", 110)][-1] == {1: {10: 0.25}}
    assert [look.changed for look in show(watch, 3.0, "rack1", 140)][-1] == {}
    assert [look.changed for look in show(watch, 4.0, "rack1", 110)][-1] == {1: {10: 0.25}}


def test_what_seemed_to_be_a_hand_at_rest_is_told_again_once_it_has_stayed_too_long(watch: Watch) -> None:
    show(watch, 0.0, "rack1", 14)
    assert [look.racks for look in show(watch, 1.0, "tray", 160)] == [{}] * 2
    assert [look.racks[1][5] for look in show(watch, 6.0, "tray", 210)] == [{7: 1.0}] * 2


def test_an_arm_over_the_tray_is_told_by_its_own_look_only(watch: Watch) -> None:
    own = show(watch, 0.0, "tray", 185)
    assert [look.arm for look in own] == [lines.Arm(20.0, 105.0, 0.7)] * 2
    assert [look.arm for look in show(watch, 1.0, "rack1", 10) + watch.standing(2.0)] == [None] * 3


def test_before_anything_moves_it_is_told_once_more_as_it_stood(watch: Watch) -> None:
    show(watch, 0.0, "tray", 160)
    told = watch.frame(1.0, "tray", picture(210))
    assert [(look.t, look.discard) for look in told] == [(1.0, {12: 1.0})]
    assert [look.discard for look in watch.frame(1.25, "tray", picture(210))] == [{13: 1.0}] * 2


def test_that_it_stood_till_then_is_not_told_where_no_pictures_came_meanwhile(watch: Watch) -> None:
    """The card on the pile may have been taken unseen, and have been in a rack for a while."""
    show(watch, 0.0, "tray", 160)
    assert watch.frame(5.0, "tray", picture(210)) == []


def test_where_light_seemed_to_be_a_hand_the_first_picture_is_looked_at_once_more(
    watch: Watch, looked: list[int]
) -> None:
    told = watch.frame(0.0, "rack1", picture(12)) + watch.frame(0.25, "rack1", picture(10))
    assert looked == [12, 10, 12]
    assert len(told) == 3


def test_where_a_hand_rests_the_first_picture_is_not_looked_at_once_more(watch: Watch, looked: list[int]) -> None:
    watch.frame(0.0, "rack1", picture(12))
    watch.frame(0.25, "rack1", picture(14))
    assert looked == [12, 14]


def test_where_no_picture_comes_for_longer_than_a_hand_rests_the_last_one_is_looked_at_once_more(
    watch: Watch, looked: list[int]
) -> None:
    watch.frame(0.0, "rack1", picture(12))
    assert len(watch.until(1.0)) == 1
    assert watch.until(4.0) == []
    assert [look.t for look in watch.until(5.0)] == [4.4]
    assert watch.until(60.0) == []
    assert looked == [12, 12]


def test_what_stays_longer_than_a_hand_rests_is_told_once_where_it_is_none(watch: Watch, looked: list[int]) -> None:
    watch.frame(0.0, "rack1", picture(14))
    watch.until(1.0)
    eye = cast("Played", watch.eyes["rack1"])
    eye.seen = {**eye.seen, 14: replace(eye.seen[14], hands=frozenset())}
    (told,) = watch.until(5.0)
    assert told.racks[1][5] == {7: 1.0}
    assert looked == [14, 14]


def test_a_picture_without_hands_is_not_looked_at_once_more(watch: Watch, looked: list[int]) -> None:
    watch.frame(0.0, "rack1", picture(10))
    watch.until(60.0)
    assert looked == [10]


def test_what_a_silent_camera_saw_under_a_hand_is_not_looked_at_once_more(watch: Watch, looked: list[int]) -> None:
    watch.frame(0.0, "rack1", picture(12))
    watch.until(1.0)
    watch.silent({"rack1"})
    assert watch.until(60.0) == []
    assert looked == [12]


def test_what_has_not_settled_is_not_told_once_more(watch: Watch) -> None:
    watch.frame(0.0, "tray", picture(160))
    assert watch.frame(0.2, "tray", picture(210)) == []


def test_a_scene_in_which_something_is_in_doubt_is_looked_at_more_often_and_told_once_it_is_clear(watch: Watch) -> None:
    assert len(show(watch, 0.0, "rack1", 60)) == 2
    assert watch.frame(0.5, "rack1", picture(60)) == []
    told = watch.frame(0.75, "rack1", picture(61))
    assert [(look.t, look.racks[1][5]) for look in told] == [(0.75, {7: 1.0})]


def test_what_stood_before_a_picture_that_could_not_be_read_is_not_told_again(watch: Watch) -> None:
    show(watch, 0.0, "rack1", 10)
    watch.missed("rack1")
    assert [look.racks for look in show(watch, 1.0, "tray", 160)] == [{}] * 2
    assert [list(look.racks) for look in watch.standing(2.0)] == [[]]
    show(watch, 3.0, "rack1", 60)
    assert [look.racks[1][10] for look in show(watch, 4.0, "tray", 210)] == [{7: 1.0}] * 2


def test_plays_may_have_been_missed_where_the_trays_picture_could_not_be_read(watch: Watch) -> None:
    show(watch, 0.0, "tray", 160)
    watch.missed("tray")
    assert watch.overlooked("tray", 5.0)
    watch.frame(5.0, "tray", picture(210))
    assert not watch.overlooked("tray", 9.0)


def test_nothing_was_missed_in_one_broken_picture_of_many_or_of_a_rack(watch: Watch) -> None:
    show(watch, 0.0, "tray", 160)
    watch.missed("tray")
    assert not watch.overlooked("tray", 0.5)
    show(watch, 1.0, "rack1", 10)
    watch.missed("rack1")
    assert not watch.overlooked("rack1", 6.0)


class OneBroken:
    """A table with pictures of the tray, of which one cannot be read."""

    game, table, name = NewGame("parker-1992", (), ()), Table(), "tray"

    def timeline(self, _: Callable[[str], None]) -> Iterator[FrameTaken | tuple[float, Line]]:
        for t, level in ((0.0, "160"), (0.25, "160"), (3.0, "none"), (6.0, "210"), (6.25, "210")):
            yield FrameTaken(t, "tray", level)

    def picture(self, taken: FrameTaken) -> Frame:
        return picture(int(taken.name)) if taken.name.isdigit() else Frame(b"none", taken.name)


def test_of_a_picture_that_cannot_be_read_the_referee_is_told_before_the_next_one(watch: Watch) -> None:
    said: list[str] = []
    told = [line for _, line in lines_from(OneBroken(), watch, said.append)]
    assert [type(line) for line in told] == [Observation] * 2 + [lines.Unsettled] + [Observation] * 2
    assert len(said) == 1


class OneRack:
    """A table whose one camera shows one picture, with a hand as it seems, and no more of it to the end."""

    game, table, name = NewGame("parker-1992", (), ()), Table(), "rack"

    def timeline(self, _: Callable[[str], None]) -> Iterator[FrameTaken | tuple[float, Line]]:
        yield FrameTaken(0.0, "rack1", "14")
        yield 1.0, lines.Call(1.0, 1)

    def picture(self, taken: FrameTaken) -> Frame:
        return picture(int(taken.name))


def test_the_last_picture_before_the_end_stands_longer_than_a_hand_rests(watch: Watch, looked: list[int]) -> None:
    told = [line for _, line in lines_from(OneRack(), watch, lambda _: None)]
    assert [type(line) for line in told] == [Observation, lines.Call, Observation]
    assert looked == [14, 14]
