"""The scoreboard beside the play: chart, winner, pictures, racks to show, the evening, the PIN before a call."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from selenium.webdriver.common.keys import Keys

from tests.browser import evenings
from tests.browser.conftest import Page
from tests.webui import tables
from tests.webui.desks import PIN

pytestmark = pytest.mark.browser

PICTURE = cv2.imencode(".jpg", np.full((90, 160, 3), 120, np.uint8))[1].tobytes()


def test_the_scores_by_round_are_drawn_and_stand_in_a_table_too(page: Page) -> None:
    page.open(tables.round_over())
    assert not page.seen(".chart")
    page.find("#show-scores").click()
    assert page.seen(".chart")
    assert not page.seen("#racks")
    page.until(lambda: page.all(".series-line"), "no line was drawn")
    assert len(page.all(".series-line")) == 4
    rows = page.script(
        "const words = (row) => [...row.cells].map((cell) => cell.textContent);"
        "return [...document.querySelectorAll('#chart tbody tr')].map(words);"
    )
    assert isinstance(rows, list)
    assert len(rows) == 5
    assert rows[0] == ["1", "+7575", "+2525", "+55", "+4040"]
    assert rows[-1] == ["5", "+75215", "+30145", "+5145", "+20170"]
    names = page.script("return [...document.querySelectorAll('.chart-name')].map((name) => name.textContent)")
    assert isinstance(names, list)
    assert {"Ada", "Ben"} <= set(names)
    page.publish(replace(tables.playing(), version=30, round=6))
    assert page.script("return document.getElementById('chart').childNodes.length") == 0


def test_a_won_game_begins_with_the_winner_and_turns_the_racks_up_on_a_tap(page: Page) -> None:
    page.open(tables.game_over())
    assert page.seen(".stairs")
    assert page.texts(".player.won .name") == ["Ada"]
    assert not page.seen("#racks")
    page.find("#show-racks").click()
    assert page.texts("#racks .panel.won .name") == ["Ada"]
    assert page.find("#show-racks").get_attribute("aria-pressed") == "true"


def test_the_winners_stairs_stand_still_where_the_person_prefers_that(page: Page) -> None:
    page.prefer(reduced_motion="reduce")
    page.open(tables.game_over())
    assert page.seen(".stairs")
    assert page.script("return document.getAnimations().length") == 0


def test_the_picture_of_a_rack_is_offered_where_there_is_one(page: Page) -> None:
    page.open(tables.playing())
    page.desk.games = evenings.games()
    page.desk.rack_pictures = {(2, 5, 2): PICTURE}
    page.publish(replace(tables.round_over(), version=20))
    page.until(lambda: page.seen(".picture-button"), "no picture was offered")
    shown = [button for button in page.all(".picture-button") if button.is_displayed()]
    assert [button.accessible_name for button in shown] == ["Picture of Ben\N{RIGHT SINGLE QUOTATION MARK}s rack"]
    shown[0].click()
    page.until(lambda: page.script("return document.getElementById('picture-image').naturalWidth") == 160, "no picture")
    assert page.find("#picture").text.startswith("Ben\N{RIGHT SINGLE QUOTATION MARK}s rack, as it was read in round 5")
    page.focused().send_keys(Keys.ESCAPE)
    page.until(lambda: not page.seen("#picture"), "Escape did not close the picture")
    page.publish(replace(tables.playing(), version=21, round=6))
    assert page.script("return document.getElementById('picture-image').hasAttribute('src')") is False
    assert page.complaints() == []


def test_racks_that_a_verdict_waits_for_are_asked_for_one_after_the_other(page: Page) -> None:
    page.open(tables.checking(3))
    assert not page.seen("#steps")
    page.publish(replace(tables.checking(3), version=20, wanted=(1, 2, 3)))
    assert page.texts("#steps .step-words") == [
        "Show Ada’s rack to the camera",  # noqa: RUF001 - as it is written
        "then Ben’s",  # noqa: RUF001 - a typographic apostrophe
        f"then {tables.NAMES[2]}’s",  # noqa: RUF001 - a typographic apostrophe
    ]
    assert not page.seen(".scores")
    page.publish(replace(tables.checking(3), version=21, wanted=(2, 3)))
    assert page.texts("#steps .step-words")[:2] == ["Ada’s rack was seen", "Show Ben’s rack to the camera"]  # noqa: RUF001 - a typographic apostrophe
    assert page.texts("#steps [aria-current=step] .name") == ["Ben"]
    page.publish(replace(tables.round_over(3), version=22))
    assert page.script("return document.getElementById('steps').childElementCount") == 0


def test_while_the_table_pauses_the_button_rests(page: Page) -> None:
    page.open(replace(tables.playing(), paused=True))
    assert page.headline() == "Paused"
    assert page.find("#call").text == "Paused"
    assert not page.find("#call").is_enabled()


def test_a_play_of_a_rack_out_of_sight_is_told_by_its_discard(page: Page) -> None:
    play = replace(tables.PLAYS[3], number=6, source=None, exchanged=None, discarded=12)
    page.open(replace(tables.playing(), plays=(play,)))
    assert page.texts("#plays li") == ["Ada discarded 12"]


def test_the_evening_lists_every_game_with_its_rounds_and_closes_when_the_round_changes(page: Page) -> None:
    page.open(tables.playing())
    page.desk.games = evenings.games(4)
    page.find("#show-evening").click()
    page.until(lambda: page.texts(".evening-game h3") == ["Game 2", "Game 1"], "the games never came")
    assert page.texts(".evening-won") == ["Still on", "Won by Ada"]
    assert len(page.all(".evening-game:nth-of-type(2) tbody tr")) == 12
    assert page.find("#evening-csv").get_attribute("href") == f"{page.address}/api/history.csv"
    page.publish(replace(tables.checking(), version=20))
    assert not page.seen("#evening")
    assert page.script("return document.getElementById('evening-games').childNodes.length") == 0


def test_the_racks_of_an_earlier_round_are_turned_up_from_the_evening(page: Page) -> None:
    page.open(tables.playing())
    page.desk.games = evenings.games(4)
    page.desk.rack_pictures = {(2, 3, 2): PICTURE}
    page.find("#show-evening").click()
    page.until(lambda: page.seen(".round-button"), "the games never came")
    page.script("document.querySelectorAll('.round-button')[2].click()")
    assert page.find("#turned h2").text == "Game 2, round 3"
    assert page.texts("#turned .why") == [rack.why for rack in tables.RACKS]
    page.until(lambda: page.seen("#turned .picture-button"), "no picture was offered")
    page.publish(replace(tables.checking(), version=20))
    assert not page.seen("#turned")
    assert page.script("return document.querySelector('#turned .racks').childNodes.length") == 0


def test_an_evening_without_a_round_says_so(page: Page) -> None:
    page.open(tables.waiting())
    page.find("#show-evening").click()
    page.says("#evening-games", "No round has been finished yet.")
    page.find("#evening-close").click()
    assert not page.seen("#evening")


def test_a_tablet_that_is_not_unlocked_asks_for_the_pin_once(page: Page) -> None:
    page.open(tables.playing(), unlocked=False)
    page.find("#call").click()
    page.press("#who-names button", "Ben")
    page.until(lambda: page.seen("#who-locked input"), "the PIN was never asked for")
    assert page.focused() == page.find("#who-locked input")
    page.focused().send_keys("000000", Keys.ENTER)
    page.says("#who-locked .refused", "That is not the table's PIN.")
    assert page.desk.calls == []
    page.find("#who-locked input").send_keys(PIN, Keys.ENTER)
    page.until(lambda: page.desk.calls == [2], "the call never came")
    page.until(lambda: not page.seen("#who"), "the question never went away")
    page.find("#call").click()
    page.press("#who-names button", "Ada")
    page.until(lambda: page.desk.calls == [2, 1], "the second call never came")


@pytest.mark.slow
def test_after_too_many_wrong_pins_the_form_waits_as_long_as_the_table_asks(page: Page) -> None:
    page.open(tables.playing(), unlocked=False)
    page.find("#call").click()
    page.press("#who-names button", "Ben")
    page.until(lambda: page.seen("#who-locked input"), "the PIN was never asked for")
    for _ in range(6):
        page.find("#who-locked input").send_keys("1", Keys.ENTER)
        page.until(lambda: page.find("#who-locked input").get_attribute("value") == "", "the PIN was never tried")
        if not page.find("#who-locked button").is_enabled():
            break
    page.says("#who-locked button", "Wait")
    page.until(lambda: page.find("#who-locked button").text == "Unlock", "the wait never ended")
    assert page.find("#who-locked button").is_enabled()
