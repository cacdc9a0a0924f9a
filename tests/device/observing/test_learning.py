import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.deckfile import read_deck
from calibration.table import Deck, Table, TableError
from device.cli import main
from device.commands.calibrating import said_cards
from device.observing.learning import UnseenError, learn_from, learn_round, racks_in, shown_in
from tests.vision.drawing import CAMERA, Eye, Rack, draw_mat, draw_rack, empty_table
from vision.reading.digits import NumberReader

TABLE_TOML = """
[camera.tray]
size = [1280, 720]
matrix = [[1000.0, 0, 639.5], [0, 1000.0, 359.5], [0, 0, 1]]
"""
TENS = [list(range(first, first + 10)) for first in range(1, 61, 10)]


def picture_of(cards: Sequence[int], seat: int = 1) -> NDArray[np.uint8]:
    picture = empty_table()
    draw_mat(picture, seat, Eye())
    slides = {slot: 0.3 * (slot % 3) for slot in range(10)}
    draw_rack(picture, Rack(dict(enumerate(cards)), slides=slides), Table(), Eye())
    return picture


@pytest.fixture(scope="module")
def reader() -> NumberReader:
    return NumberReader()


@pytest.fixture(scope="module")
def racks(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, ...]:
    """Pictures of racks loaded 1-10, 11-20, and so on."""
    folder = tmp_path_factory.mktemp("racks")
    paths = tuple(folder / f"{number}.png" for number in range(len(TENS)))
    for path, cards in zip(paths, TENS, strict=True):
        cv2.imwrite(str(path), picture_of(cards))
    return paths


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "table.toml"
    path.write_text(TABLE_TOML)
    return path


def calibrate(images: Sequence[Path], table: Path, *more: str) -> int:
    return main(["calibrate", "--deck", *map(str, images), "--table", str(table), *more])


def test_six_pictures_teach_the_deck(racks: tuple[Path, ...], table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    # OpenCV 4 and 5 draw type differently, and a number that is found awry is rightly passed over
    assert calibrate(racks, table) in {0, 1}
    deck = read_deck(table.parent)
    assert sum(number is not None for number in deck.numbers) >= 57
    assert deck.places is not None
    assert deck.places.kind == "line"
    assert deck.places.slope == pytest.approx(67 / 59, abs=0.03)
    assert deck.contrast is not None
    assert deck.contrast < 0
    shown = capsys.readouterr().out
    assert "0.png: cards 1 to 10: learnt 10" in shown
    assert "of 60 are known" in shown
    assert "deck.png" in shown


def test_learning_again_adds_to_what_was_known(racks: tuple[Path, ...], table: Path) -> None:
    assert calibrate(racks[:3], table) == 0
    before = read_deck(table.parent)
    assert calibrate(racks[2:4], table, "--cards", "21-30,31-40") == 0
    after = read_deck(table.parent)
    assert before.numbers[34] is None
    assert after.numbers[34] is not None
    assert [number.seen for number in after.numbers[21:29] if number] == [2] * 8
    assert after.numbers[:10] == before.numbers[:10]


def test_what_was_learnt_is_read_with_the_table_and_reads_as_well(
    racks: tuple[Path, ...], table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert calibrate(racks, table) in {0, 1}
    capsys.readouterr()
    picture = table.with_name("other.png")
    cards = [4, 11, 17, 23, 29, 35, 41, 48, 52, 60]
    cv2.imwrite(str(picture), picture_of(cards, seat=3))
    assert main(["read", str(picture), "--table", str(table), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert [slot["card"] for slot in said["racks"]["3"]] == cards


def test_json_has_a_line_a_picture_and_one_for_the_deck(
    racks: tuple[Path, ...], table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert calibrate(racks[:2], table, "--json") == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line.get("image") for line in lines] == ["0.png", "1.png", None]
    assert lines[1]["cards"] == TENS[1]
    assert lines[1]["passed_over"] == []
    assert lines[2]["deck"] == str(table.with_name("deck.toml"))
    assert lines[2]["numbers"] == len(lines[0]["learnt"]) + len(lines[1]["learnt"])


def test_a_card_that_is_another_than_said_is_named_and_passed_over(
    racks: tuple[Path, ...], table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = table.with_name("wrong.png")
    cv2.imwrite(str(wrong), picture_of([11, 12, 57, 14, 15, 16, 17, 18, 19, 20]))
    assert calibrate([racks[0], wrong, *racks[2:]], table) == 1
    assert "slot 15: 13 was said, but it looks like 57; passed over" in capsys.readouterr().out
    assert read_deck(table.parent).numbers[12] is None


def test_a_picture_of_another_rack_is_passed_over(
    racks: tuple[Path, ...], table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert calibrate([racks[0], racks[4], racks[2]], table) == 1
    assert "4.png: cards 11 to 20: shows other cards" in capsys.readouterr().out
    deck = read_deck(table.parent)
    assert not any(deck.numbers[10:20])
    assert not any(deck.numbers[40:50])


def test_a_picture_without_a_rack_is_named_and_the_others_are_learnt_from(
    racks: tuple[Path, ...], table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bare = table.with_name("bare.png")
    cv2.imwrite(str(bare), empty_table())
    assert calibrate([racks[0], bare, table.with_name("nowhere.png")], table) == 2
    complaints = capsys.readouterr().err.splitlines()
    assert len(complaints) == 2
    assert "bare.png: no rack" in complaints[0]
    assert "nowhere.png" in complaints[1]
    assert read_deck(table.parent).numbers[5] is not None


def test_where_nothing_can_be_learnt_nothing_is_written(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bare = table.with_name("bare.png")
    cv2.imwrite(str(bare), empty_table())
    assert calibrate([bare], table) == 2
    assert "nothing could be learnt" in capsys.readouterr().err.splitlines()[-1]
    assert sorted(path.name for path in table.parent.iterdir()) == ["bare.png", "table.toml"]


def test_a_broken_deck_file_is_named(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table.with_name("deck.toml").write_text("[numbers]\n")
    assert calibrate([table.with_name("any.png")], table) == 2
    (complaint,) = capsys.readouterr().err.splitlines()
    assert "deck.png" in complaint


@pytest.mark.slow
def test_two_racks_in_one_picture_are_refused(
    racks: tuple[Path, ...], table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    two = table.with_name("two.png")
    left, right = picture_of(TENS[0], 1), picture_of(TENS[1], 2)
    cv2.imwrite(str(two), np.hstack([left[:, 200:], right[:, 200:]]))
    assert calibrate([two, racks[1]], table) == 2
    assert "show one at a time" in capsys.readouterr().err


def test_cards_are_the_tens_in_order_if_nothing_is_said() -> None:
    assert said_cards(None, 7) == [tuple(ten) for ten in [*TENS, TENS[0]]]
    assert said_cards("10-1, 51-54", 2) == [tuple(range(10, 0, -1)), (51, 52, 53, 54)]


@pytest.mark.parametrize("words", ["1-10", "1-10,11-21", "1-10,55-64", "1-10,7", "1-10,0-9", "1-10,", "one-ten,11-20"])
def test_cards_that_cannot_be_are_refused_in_one_line(words: str) -> None:
    with pytest.raises(TableError, match="--cards") as refused:
        said_cards(words, 2)
    assert "\n" not in str(refused.value)


def test_a_rack_whose_front_was_not_found_is_taken_by_its_order(reader: NumberReader) -> None:
    (rack,) = racks_in(picture_of(TENS[2]), Table(), CAMERA)
    # as if each card had been found one slot behind the one where it stands
    shown = shown_in(rack, [*TENS[2][1:], 31], reader, 0)
    assert [(item.said, item.looks_like) for item in shown[:3]] == [(22, 22), (23, 23), (24, 24)]


def test_a_round_that_is_over_teaches_its_final_racks(reader: NumberReader) -> None:
    cards = {1: [2, 9, 14, 22, 27, 33, 38, 44, 51, 59], 3: [5, 8, 12, 19, 25, 36, 42, 47, 53, 60]}
    found = [rack for seat, held in cards.items() for rack in racks_in(picture_of(held, seat), Table(), CAMERA)]
    known: Mapping[int, Sequence[int | None]] = {1: cards[1], 3: [*cards[3][:4], None, *cards[3][5:]]}
    lesson = learn_round(Table(), found, known, reader)
    learnt = {card for card, number in enumerate(lesson.deck.numbers, 1) if number is not None}
    assert learnt <= {*cards[1], *cards[3]} - {25}
    assert len(learnt) >= 17
    assert lesson.deck.places is not None


def test_a_round_teaches_nothing_of_a_rack_that_the_referee_does_not_know(reader: NumberReader) -> None:
    lesson = learn_round(Table(), racks_in(picture_of(TENS[0]), Table(), CAMERA), {}, reader)
    assert not lesson.deck


def test_pictures_without_a_rack_are_refused() -> None:
    with pytest.raises(UnseenError, match="show one on its mat"):
        racks_in(empty_table(), Table(), None)


def test_no_numbers_teach_nothing() -> None:
    assert learn_from(Deck(), []).deck == Deck()
