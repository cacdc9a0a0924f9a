"""What the caller says aloud, and when: the module by itself, with states and times; and its voice on the page."""

from dataclasses import replace

import pytest

from engine.snapshot import Snapshot
from tests.browser.conftest import Page
from tests.webui import tables
from webui.view import Json, as_json

pytestmark = pytest.mark.browser

HEAR = """
const caller = m.makeCaller({ settle: 4000, turns: given[1] });
return given[0].flatMap(([time, state, linked]) => {
  if (state !== null) caller.hear(state, linked, time);
  const { hush, lines } = caller.due(time);
  return hush ? ["(hush)", ...lines] : lines;
});
"""

Moment = tuple[int, Snapshot | None] | tuple[int, Snapshot | None, bool]


def drawn(state: Snapshot) -> Json:
    """A snapshot as the page gets it; one before the first deal is of another game."""
    return as_json(state, 2 if state.phase == "waiting" else 1)


def said(page: Page, *moments: Moment, turns: bool = False) -> list[str]:
    """What the caller says who hears these snapshots at these times (ms; None: nothing new; False: link lost)."""
    if not page.port:
        page.serve(tables.waiting())
        page.load("/")
    told = [[time, None if state is None else drawn(state), not lost] for time, state, *lost in moments]
    lines = page.module("board/caller.js", HEAR, told, turns)
    assert isinstance(lines, list), lines
    return lines


def test_what_was_so_before_is_not_told(page: Page) -> None:
    assert said(page, (0, tables.round_over(2)), (9000, None)) == []
    assert said(page, (0, tables.false_call()), (9000, None)) == []


def test_a_call_is_told_at_once_and_the_scores_once_they_have_stood(page: Page) -> None:
    before = [(0, tables.playing(2)), (1000, tables.checking(2)), (2000, tables.round_over(2))]
    called = ["(hush)", "Ben calls RACK-O."]
    assert said(page, *before, (5900, None)) == called
    assert said(page, *before, (6000, None), (9000, None)) == [
        *called,
        "Ada goes out.",
        "Ada: 75 points, 215 in all.",
        "Ben: 30 points, 145 in all.",
    ]


def test_a_score_that_is_corrected_before_it_was_told_is_told_once_and_right(page: Page) -> None:
    over = tables.round_over(2)
    ben = over.players[1]
    right = replace(over, players=(over.players[0], replace(ben, total=150, points=(*ben.points[:-1], 35))))
    lines = said(page, (0, tables.playing(2)), (1000, over), (4000, right), (6000, None), (8000, None))
    assert lines == ["Ada goes out.", "Ada: 75 points, 215 in all.", "Ben: 35 points, 150 in all."]
    later = said(page, (0, tables.playing(2)), (1000, over), (5000, None), (6000, right), (10_000, None))
    assert later[3:] == ["Correction.", "Ben: 35 points, 150 in all."]


def test_a_round_that_goes_on_after_all_is_told_as_a_correction(page: Page) -> None:
    lines = said(
        page, (0, tables.playing(2)), (1, tables.round_over(2)), (5000, None), (6000, tables.playing(2)), (11_000, None)
    )
    assert lines[3:] == ["Correction. The points of round 5 do not count."]
    unsaid = said(page, (0, tables.playing(2)), (1, tables.round_over(2)), (2000, tables.playing(2)), (11_000, None))
    assert unsaid == []


def test_nothing_is_told_while_it_is_not_certain_how_things_stand(page: Page) -> None:
    start = (0, tables.playing(2))
    assert said(page, start, (1, tables.round_over(2), False), (9000, None)) == ["(hush)"]
    lost = replace(tables.lost(2), notices=(tables.WRONG_TURN,))
    assert said(page, start, (1, lost), (9000, None)) == ["(hush)"]
    paused = replace(tables.playing(2, to_move=2), paused=True)
    assert said(page, start, (1, paused), (9000, None), turns=True) == ["(hush)"]


def test_a_false_call_is_told_when_the_verdict_is_there(page: Page) -> None:
    lines = said(page, (0, tables.playing()), (1, tables.checking()), (2, tables.false_call()))
    assert lines == ["(hush)", "Ben calls RACK-O.", tables.FALSE_CALL.text]


def test_the_winner_is_named_after_the_scores(page: Page) -> None:
    lines = said(page, (0, tables.playing(2)), (1, tables.round_over(2)), (2, tables.game_over(2)), (5000, None))
    assert lines[-1] == "Ada wins the game."
    assert len([line for line in lines if "wins" in line]) == 1
    pairs = said(page, (0, tables.partners(tables.playing())), (1, tables.partners(tables.game_over())), (5000, None))
    assert pairs[-1] == f"Ada and {tables.NAMES[2]} win the game."
    assert f"Ada and {tables.NAMES[2]}: 660 together." in pairs


def test_a_quick_game_is_told_without_points(page: Page) -> None:
    lines = said(page, (0, tables.quick(tables.playing(2))), (1, tables.quick(tables.game_over(2))), (5000, None))
    assert lines == ["Ada goes out.", "Ada wins the game."]


def test_turns_are_told_only_if_that_is_wanted(page: Page) -> None:
    moments: list[Moment] = [(0, tables.playing(2, to_move=1)), (1, tables.playing(2, to_move=2)), (1300, None)]
    assert said(page, *moments) == []
    assert said(page, *moments, turns=True) == ["Ben’s turn."]  # noqa: RUF001 - as it is said


def test_a_new_game_begins_in_silence(page: Page) -> None:
    assert said(page, (0, tables.game_over(2)), (1, tables.waiting(2)), (9000, None)) == []


def test_the_page_speaks_after_one_tap_and_is_silent_after_the_next(page: Page) -> None:
    page.open(tables.playing(2))
    page.script("window.told = []; speechSynthesis.speak = (words) => told.push(words.text);")
    page.find("#speak").click()
    assert page.find("#speak").get_attribute("aria-pressed") == "true"
    assert page.seen("#speak-turns")
    page.publish(tables.checking(2))
    page.until(lambda: page.script("return told") == ["I call the scores.", "Ben calls RACK-O."], "nothing was said")
    page.find("#speak").click()
    assert not page.seen("#speak-turns")
    page.publish(replace(tables.false_call(2), version=30))
    assert page.script("return told.length") == 2
