import logging
from collections.abc import Mapping
from pathlib import Path

import pytest

from calibration.deckfile import read_deck
from calibration.table import Table, TableError
from device.observing.lessons import Lessons
from device.observing.watch import Watch
from engine.events import RoundEnd, RoundStarted, TurnPlayed
from engine.moves import Turn
from engine.scoring import RackScore
from tests.device.observing.test_learning import picture_of
from tests.vision.drawing import CAMERA
from vision.frame import Frame
from vision.reading.digits import NumberReader

RACK = (2, 9, 14, 22, 27, 33, 38, 44, 51, 59)
TABLE = Table(cameras={"rack1": CAMERA})


@pytest.fixture(scope="module")
def reader() -> NumberReader:
    return NumberReader()


@pytest.fixture
def watch(reader: NumberReader) -> Watch:
    seeing = Watch(TABLE, range(1, 61), reader)
    for t in (0.0, 0.5):
        seeing.frame(t, "rack1", Frame(picture_of(list(RACK), 1)))
    return seeing


def end(*, amends: bool = False) -> RoundEnd:
    scores: Mapping[int, RackScore] = {1: RackScore(75, 10, None, "went out")}
    return RoundEnd(1, scores, {1: 75}, {1: RACK}, 80.0, amends)


def learnt(lessons: Lessons) -> set[int]:
    return {card for card, number in enumerate(lessons.table.deck.numbers, 1) if number is not None}


def test_a_round_that_is_over_teaches_the_deck_and_the_eyes_use_it(watch: Watch, reader: NumberReader) -> None:
    lessons = Lessons(TABLE, reader)
    lessons.hear([end()], watch)
    assert len(learnt(lessons)) >= 8
    assert learnt(lessons) <= set(RACK)
    assert {eye.table.deck for eye in watch._eyes.values()} == {lessons.table.deck}  # noqa: SLF001 - what eyes know


def test_nothing_is_learnt_before_the_end_of_a_round(watch: Watch, reader: NumberReader, tmp_path: Path) -> None:
    lessons = Lessons(TABLE, reader, tmp_path / "deck")
    played = TurnPlayed(Turn(1, "draw", 59, 50, 60), 2, 30.0)
    lessons.hear([RoundStarted(1, 2, 1), played], watch)
    assert learnt(lessons) == set()
    assert not (tmp_path / "deck").exists()


def test_an_end_that_is_said_once_more_teaches_nothing_twice(watch: Watch, reader: NumberReader) -> None:
    lessons = Lessons(TABLE, reader)
    lessons.hear([end(amends=True)], watch)
    assert learnt(lessons) == set()


def test_what_was_learnt_is_kept_and_read_again(watch: Watch, reader: NumberReader, tmp_path: Path) -> None:
    folder = tmp_path / "state" / "deck"
    lessons = Lessons(TABLE, reader, folder)
    lessons.hear([end()], watch)
    assert read_deck(folder)
    assert learnt(Lessons(TABLE, reader, folder)) == learnt(lessons)


def test_where_nothing_can_be_kept_it_is_said_and_used_all_the_same(
    watch: Watch, reader: NumberReader, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("in the way")
    lessons = Lessons(TABLE, reader, tmp_path / "file" / "deck")
    with caplog.at_level(logging.WARNING):
        lessons.hear([end()], watch)
    assert learnt(lessons)
    assert "cannot be kept" in caplog.text


def test_a_broken_deck_is_refused(reader: NumberReader, tmp_path: Path) -> None:
    (tmp_path / "deck.toml").write_text("[numbers]\n")
    with pytest.raises(TableError, match="deck"):
        Lessons(TABLE, reader, tmp_path)
