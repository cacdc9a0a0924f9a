"""The truth of a recording: what was said last, by whom, and which cards the host named in which picture."""

from device.recorder.account import Entry, truth_of
from device.sessions.format import FrameTaken
from device.sessions.truth import differences, settled
from engine.events import Json
from engine.lines import Correction, NewRound, Undo


def turn(number: int, card: int, by: str = "referee") -> Json:
    said = {"seat": 2 - number % 2, "source": "draw", "card": card, "slot": 5 * number, "discarded": 60 - card}
    return {"type": "turn", **said, "t": 10.0 * number, "by": by}


def amended(number: int, card: int, by: str = "host") -> Json:
    return turn(number, card, by) | {"type": "amended", "number": number}


def begun(number: int = 1) -> Json:
    return {"type": "round", "number": number, "dealer": 2, "by": "referee"}


def ended(points: int, by: str = "referee", **more: object) -> Json:
    return {"type": "round_end", "out": 1, "scores": {"1": 75, "2": points}, "t": 90.0, "by": by, **more}


def told(said: list[Json]) -> list[tuple[str, int, str]]:
    return [
        (row["type"], row["card"] if "card" in row else row["scores"]["2"], row["by"]) for row in truth_of([], said)
    ]


def test_turns_are_told_as_they_were_amended_and_by_whom() -> None:
    said = [begun(), turn(1, 7), turn(2, 8), amended(2, 9), turn(3, 10), ended(5)]
    assert told(said) == [
        ("turn", 7, "referee"),
        ("turn", 9, "host"),
        ("turn", 10, "referee"),
        ("round_end", 5, "referee"),
    ]


def test_a_round_that_was_corrected_when_it_was_over_has_one_end() -> None:
    said = [begun(), turn(1, 7), ended(5), amended(1, 8), ended(10, "host", amends=True)]
    assert told(said) == [("turn", 8, "host"), ("round_end", 10, "host")]


def test_a_round_that_goes_on_after_a_correction_has_its_later_end() -> None:
    said = [begun(), turn(1, 7), ended(5), {"type": "round_reopened", "t": 91.0}, turn(2, 9), amended(1, 8), ended(10)]
    assert told(said) == [("turn", 8, "host"), ("turn", 9, "referee"), ("round_end", 10, "referee")]


def test_a_round_that_was_judged_again_is_told_once_and_each_turn_by_who_said_it_first() -> None:
    again = [begun(), turn(1, 7, "host"), turn(2, 12, "host"), ended(5, "host")]
    said = [begun(), turn(1, 7), turn(2, 8), ended(5), {"type": "rejudged", "t": 95.0, "rounds": 0}, *again]
    assert told(said) == [("turn", 7, "referee"), ("turn", 12, "host"), ("round_end", 5, "referee")]


def test_rounds_before_one_that_is_judged_again_stay_also_those_that_were_abandoned() -> None:
    said = [begun(), turn(1, 7), ended(5), begun(2), turn(1, 20), {"type": "round_abandoned", "t": 50.0}]
    said += [begun(2), turn(1, 30), {"type": "rejudged", "t": 60.0, "rounds": 1}, begun(2), turn(1, 31)]
    assert [row["card"] for row in settled(said) if row["type"] == "turn"] == [7, 20, 31]


def test_a_round_whose_next_one_was_undone_is_judged_again_and_told_once() -> None:
    said = [begun(), turn(1, 7), ended(5), begun(2), {"type": "rejudged", "t": 60.0, "rounds": 0}]
    said += [begun(), turn(1, 7), ended(5), begun(2), turn(1, 9)]
    assert [row["card"] for row in settled(said) if row["type"] == "turn"] == [7, 9]
    assert differences(said, [turn(1, 7), ended(5), turn(1, 9)]) == []


def frame(t: float, camera: str, number: int) -> FrameTaken:
    return FrameTaken(t, camera, f"frames/{camera}/{number:06}.jpg")


ENTRIES: list[Entry] = [
    (0.0, NewRound(2)),
    frame(1.0, "rack1", 0),
    frame(1.0, "rack2", 0),
    frame(20.0, "rack1", 1),
    (30.0, Correction(30.0, 1, 25, 38)),
    frame(40.0, "rack1", 2),
    (50.0, Correction(50.0, 1, 30, 39)),
    (51.0, Undo(51.0)),
    frame(95.0, "rack1", 3),
    (99.0, Correction(99.0, 1, 35, 41)),
]


def test_a_card_that_the_host_named_is_of_the_picture_that_stood_then() -> None:
    named = [row for row in truth_of(ENTRIES, [begun(), ended(5)]) if row["type"] == "card"]
    assert [(row["slot"], row["card"], row["file"], row["by"]) for row in named] == [
        (25, 38, "frames/rack1/000001.jpg", "host"),
        (35, 41, "frames/rack1/000002.jpg", "host"),
    ]


def test_which_racks_a_camera_sees_is_as_it_was_told_last() -> None:
    sees = [{"type": "sees", "t": 5.0, "camera": "rack2", "seats": [1, 2]}]
    sees += [{"type": "sees", "t": 5.0, "camera": "rack1", "seats": []}]
    named = [row for row in truth_of(ENTRIES, [*sees, begun()]) if row["type"] == "card"]
    assert [row["file"] for row in named] == ["frames/rack2/000000.jpg"] * 2
