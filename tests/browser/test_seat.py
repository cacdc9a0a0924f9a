"""A player's own page: turn, call, doubts, rack, tally; and nothing of anybody else's rack."""

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from selenium.webdriver.common.keys import Keys

from engine.lines import EMPTY
from engine.private import OwnDoubt, Tally
from tests.browser.conftest import Page
from tests.webui import tables
from tests.webui.desks import SECRETS, TOKENS
from webui.desk import Answer, Secrets

pytestmark = pytest.mark.browser

PICTURE = cv2.imencode(".jpg", np.full((90, 160, 3), 120, np.uint8))[1].tobytes()


def test_the_page_tells_whose_turn_it_is_and_the_scores(page: Page) -> None:
    page.open_seat(2, tables.playing(2, to_move=2))
    assert page.find("#name").text == "Ben"
    assert page.headline() == "Your turn"
    assert [words.split()[0] for words in page.texts("#standings .standing-names")] == ["Ada", "Ben"]
    assert [words.split()[0] for words in page.texts("#standings .standing-total")] == ["140", "115"]
    assert page.texts("#standings .standing-turn .standing-own") == ["Ben"]
    page.publish(replace(tables.playing(2, to_move=1), version=20))
    assert page.headline() == "Ada\N{RIGHT SINGLE QUOTATION MARK}s turn"


def test_the_own_call_asks_once_more(page: Page) -> None:
    page.open_seat(2, tables.playing())
    page.find("#call").click()
    assert page.find("dialog h2").text == "RACK-O, Ben?"
    assert page.focused().text == "Not yet"
    page.focused().send_keys(Keys.ENTER)
    page.until(lambda: not page.seen("dialog"), "the question stayed")
    assert page.desk.orders == []
    page.find("#call").click()
    page.press("dialog button", "RACK-O!")
    assert page.orders() == [{"type": "call", "seat": 2}]
    assert page.desk.orders[0][1] == 2


def test_a_seat_at_which_nobody_plays_says_so(page: Page) -> None:
    page.open_seat(4, tables.playing(2))
    assert page.find("#now-detail").text == "Nobody plays at this seat in this game."
    assert not page.seen("#call")
    assert not page.seen("#own-buttons")


def test_a_call_that_is_refused_says_why(page: Page) -> None:
    page.open_seat(2, tables.playing())
    page.desk.answer = Answer(done=False, words="the table pauses")
    page.find("#call").click()
    page.press("dialog button", "RACK-O!")
    page.says("#call-error", "The table pauses.")


def test_a_question_goes_when_somebody_else_has_called(page: Page) -> None:
    page.open_seat(1, tables.playing())
    page.find("#call").click()
    page.publish(tables.checking())
    page.until(lambda: not page.seen("dialog"), "the question stayed")
    assert page.find("#call").text == "Checking…"
    assert not page.find("#call").is_enabled()


def test_own_doubts_are_settled_by_a_tap(page: Page) -> None:
    page.open_seat(2, tables.playing(), doubts=(OwnDoubt(2, 25, {33: 0.5, 38: 0.4}), OwnDoubt(2, 30, {})))
    assert page.texts(".doubt-title") == ["Which card stands in your slot 25?", "Which card stands in your slot 30?"]
    page.press(".doubt-button", "38")
    assert page.orders() == [{"type": "correct", "seat": 2, "slot": 25, "card": 38}]
    page.says("#doubts-outcome", "Slot 25: 38. Thank you.")
    page.press(".doubt .button", "Choose the card")
    page.press("dialog .number", "41")
    assert page.orders(2)[1] == {"type": "correct", "seat": 2, "slot": 30, "card": 41}
    assert {seat for _, seat in page.desk.orders} == {2}
    page.desk.tell_seat(2, version=40, doubts=())
    page.shows(40)
    assert page.texts(".doubt") == []


def test_no_card_is_an_answer_too(page: Page) -> None:
    page.open_seat(2, tables.checking(), doubts=(OwnDoubt(2, 25, {EMPTY: 0.55, 38: 0.45}), OwnDoubt(2, 30, {})))
    none = {"type": "correct", "seat": 2, "empty": True}
    page.press(".doubt-button", "No card")
    assert page.orders() == [none | {"slot": 25}]
    page.says("#doubts-outcome", "Slot 25: no card. Thank you.")
    page.press(".doubt .button", "Choose the card")
    page.press("dialog button", "No card")
    assert page.orders(2)[1] == none | {"slot": 30}
    page.press("#own-buttons button", "Correct a card")
    page.press("dialog .chip", "40")
    page.press("dialog button", "Next")
    page.press("dialog button", "No card")
    assert page.orders(3)[2] == none | {"slot": 40}
    page.says("#own-outcome", "Slot 40: no card.")


def test_a_card_of_the_own_rack_is_corrected(page: Page) -> None:
    page.open_seat(2, tables.playing())
    page.press("#own-buttons button", "Correct a card")
    page.press("dialog .chip", "40")
    page.press("dialog button", "Next")
    page.press("dialog .number", "51")
    assert page.orders() == [{"type": "correct", "seat": 2, "slot": 40, "card": 51}]
    page.says("#own-outcome", "Slot 40: 51.")
    page.press("#own-buttons button", "Correct a card")
    page.focused().send_keys(Keys.ESCAPE)
    page.until(lambda: not page.seen("dialog"), "the question stayed")
    assert len(page.desk.orders) == 1


def test_the_own_rack_is_shown_or_photographed_when_the_verdict_waits_for_it(page: Page, tmp_path: Path) -> None:
    (tmp_path / "rack.jpg").write_bytes(PICTURE)
    page.open_seat(2, replace(tables.checking(), wanted=(1,)))
    assert not page.seen("#wanted")
    page.publish(replace(tables.checking(), version=20, wanted=(2,)))
    assert page.find("#wanted h2").text == "Show your rack to the camera"
    assert "Show your rack" in str(page.script("return document.getElementById('said').textContent"))
    page.desk.answer = Answer(done=True, words="your rack was read")
    page.find("#photograph input").send_keys(str(tmp_path / "rack.jpg"))
    page.says("#photograph-outcome", "Your rack was read")
    assert page.desk.pictures == [(PICTURE, 2)]


def test_the_own_game_is_told_in_words(page: Page) -> None:
    page.open_seat(2, tables.playing(), tally=Tally(12, 4, 2, 1, 0, 3, 1, 145, 75))
    assert page.texts("#tally li") == [
        "12 turns, 4 of them with the discard.",
        "Called RACK-O twice, once too early.",
        "Went out in 1 of 3 rounds.",
        "145 points; the best round brought 75.",
    ]
    page.desk.tell_seat(2, version=20, tally=Tally())
    page.shows(20)
    assert page.texts("#tally li") == ["No turn yet."]


def test_a_page_whose_token_does_not_count_any_more_closes(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    page.open_seat(2, tables.playing(), doubts=(OwnDoubt(2, 25, {33: 0.5}),))
    page.stop()
    page.link("lost")
    others = Secrets(SECRETS.pin, SECRETS.key, {seat: f"another-{token}" for seat, token in TOKENS.items()})
    monkeypatch.setattr("tests.browser.conftest.SECRETS", others)
    page.serve(tables.playing())
    page.until(lambda: page.headline() == "This page has closed", "the page stayed open")
    assert not page.seen("#seat")


def test_an_unknown_address_leads_back_to_the_host(page: Page) -> None:
    page.serve(tables.playing())
    page.load("/seat/nobody")
    assert page.headline() == "Nobody\N{RIGHT SINGLE QUOTATION MARK}s seat"
