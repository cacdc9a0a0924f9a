import io
import json
from typing import Any

import pytest

from device.cli import main
from tests.device.recorded import true_events, true_lines

ORDERED = [3, 9, 10, 19, 20, 22, 25, 28, 34, 40]
BROKEN = [2, 4, 7, 15, 16, 32, 39, 36, 17, 18]


def answers(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], command: str, lines: list[str]
) -> tuple[int, list[dict[str, Any]]]:
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(lines)))
    code = main([command, "--json"])
    return code, [json.loads(row) for row in capsys.readouterr().out.splitlines()]


def round_of(**keys: object) -> dict[str, Any]:
    return {"edition": "parker-1992", "racks": {"1": BROKEN, "2": ORDERED}, "out": 2} | keys


def test_racks_are_scored_a_line_each_with_the_reason(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    code, (said,) = answers(monkeypatch, capsys, "score", [json.dumps(round_of())])
    assert code == 0
    assert said["scores"] == {"1": 35, "2": 75}
    assert "36 after 39" in said["why"]["1"]
    assert said.keys() == {"scores", "why"}


CANNOT_BE: list[tuple[object, str]] = [
    ("rubbish", "not JSON"),
    ([1, 2], "one JSON object"),
    (round_of(edition="chess"), "edition 'chess' is not known"),
    (round_of(edition=None), "edition: None is not a name"),
    (round_of(variants=["fly"]), "variant 'fly'"),
    (round_of(racks={"1": BROKEN}), "1 players"),
    (round_of(racks={"1": BROKEN, "2": ORDERED[:9]}), "seat 2 shows 9 cards"),
    (round_of(racks={"1": BROKEN, "2": [*ORDERED[:9], 2]}), "card 2 and so does seat 1"),
    (round_of(racks={"1": BROKEN, "2": [*ORDERED[:9], 3]}), "card 3 twice"),
    (round_of(racks={"1": BROKEN, "2": [*ORDERED[:9], 41]}), "card 41; this deck is 1 to 40"),
    (round_of(racks={"1": BROKEN, "2": [*ORDERED[:9], "40"]}), "'40' is not a card"),
    (round_of(racks={"1": BROKEN, "2": [*ORDERED[:9], True]}), "True is not a card"),
    (round_of(racks={"1": BROKEN, "7": ORDERED}), "7 is none of the seats"),
    (round_of(racks=None), "racks"),
    (round_of(out=1), "seat 1 cannot have gone out: its cards do not rise at slot 40"),
    (round_of(out=3), "seat 3 is said to have gone out"),
    (round_of(out=None), "out: None is not a whole number"),
    (round_of(racks={"1": BROKEN, "02": ORDERED}), "racks: '02' is not a whole number"),
    (round_of(racks={"1": BROKEN, "2": [0, *ORDERED[1:]]}), "card 0; this deck is 1 to 40"),
    (round_of(racks={"1": BROKEN, "2": [10**4000, *ORDERED[1:]]}), "seat 2 shows card 1000000"),
    (round_of(variants="bonus"), "variants: 'bonus' is not a list of names"),
    (round_of(variants=["partners"]), "variant 'partners' is for 4 players, not for 2"),
    (round_of(variants=["run-of-three"]), "its longest run of consecutive numbers is 2, and this game asks for 3"),
    (round_of(variants=["classic"]), "variant 'classic' is played by hasbro-2006 only"),
    (round_of(variants=["quick", "bonus"]), "variant 'quick' is not played together with 'bonus'"),
    (round_of(options=[]), "options: [] is not an object of options"),
    (round_of(options={"bonus": True}), "options: 'bonus' is not known"),
    (round_of(options={"turn_over": "twice"}), "options: turn_over: 'twice' is none of new-discard, no-discard"),
    (round_of(options={"powers": {}}), "option 'powers' is not for parker-1992"),
    (round_of(variants=["bonus"], options={"ends_by_itself": True}), "option 'ends_by_itself' is not for a bonus game"),
]


def test_variants_and_options_change_the_score(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run = [3, 9, 10, 11, 20, 22, 25, 28, 34, 40]
    ways: list[dict[str, object]] = [
        {},
        {"variants": ["bonus"]},
        {"variants": ["run-of-three", "bonus-from-four"], "options": {"first_dealer": "lowest"}},
        {"variants": ["quick"]},
        {"edition": "hasbro-2006", "options": {"powers": {"7": "another-turn", "11": None}}},
    ]
    lines = [json.dumps(round_of(racks={"1": [*BROKEN[:4], 6, 5, 39, 36, 17, 18], "2": run}, **way)) for way in ways]
    code, said = answers(monkeypatch, capsys, "score", lines)
    assert code == 0
    assert [row["scores"] for row in said] == [{"1": 20, "2": points} for points in (75, 125, 75)] + [
        {"1": 0, "2": 0},
        {"1": 20, "2": 75},
    ]


@pytest.mark.parametrize(("said", "words"), CANNOT_BE, ids=[words for _, words in CANNOT_BE])
def test_a_line_that_cannot_be_right_gets_its_error_in_its_place(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], said: object, words: str
) -> None:
    line = said if isinstance(said, str) else json.dumps(said)
    good = json.dumps(round_of())
    code, rows = answers(monkeypatch, capsys, "score", [good, "", line, good])
    assert code == 1
    assert [set(row) for row in rows] == [{"scores", "why"}, {"error", "line"}, {"scores", "why"}]
    assert rows[1]["line"] == 3
    assert words in rows[1]["error"]


def test_a_stream_of_observations_is_refereed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from engine.line_json import line_as_json  # noqa: PLC0415 - only this test writes lines

    lines = [json.dumps(line_as_json(line)) for line, _ in true_lines()]
    code, said = answers(monkeypatch, capsys, "referee", [*lines[:5], '{"type": "observe", "t": "x"}', *lines[5:]])
    assert code == 1
    assert [event["line"] for event in said if "error" in event] == [6]
    turns = [event for event in said if event.get("type") == "turn"]
    assert [turn["discarded"] for turn in turns] == [turn["discarded"] for turn in true_events("turn")]
    assert set(turns[0]) == {"type", "seat", "source", "card", "slot", "discarded", "t"}
    assert said[-1]["type"] == "round_end"


def test_a_stream_that_is_cut_ends_with_what_is_known(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from engine.line_json import line_as_json  # noqa: PLC0415 - only this test writes lines

    lines = [json.dumps(line_as_json(line)) for line, _ in true_lines()]
    code, said = answers(monkeypatch, capsys, "referee", [*lines[:60], lines[60][:25]])
    assert code == 1
    assert sum(event.get("type") == "turn" for event in said) >= 6
    assert "error" in said[-1] or "error" in said[-2]


def test_for_people_the_same_is_said_in_words(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(json.dumps(round_of()) + "\nrubbish\n"))
    assert main(["score"]) == 1
    captured = capsys.readouterr()
    assert "seat 2 scores  75: went out" in captured.out
    assert captured.err.startswith("racko: line 2: not JSON")
