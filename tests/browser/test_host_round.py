"""The host's page during an evening: the PIN, rounds, calls, verdicts, doubts, taking back."""

from dataclasses import replace

import pytest
from selenium.webdriver.common.keys import Keys

from engine.private import OwnDoubt
from tests.browser.conftest import Page
from tests.webui import tables
from tests.webui.desks import PIN
from webui.desk import Answer

pytestmark = pytest.mark.browser

DOUBTS = (OwnDoubt(2, 25, {33: 0.5, 38: 0.4}), OwnDoubt(4, 30, {}))


def test_the_page_is_locked_until_the_pin_was_right(page: Page) -> None:
    page.serve(tables.playing())
    page.load("/host")
    page.until(lambda: page.seen("#lock input"), "the PIN was never asked for")
    assert not page.seen("#desk")
    page.focused().send_keys(Keys.ENTER)
    assert page.find("#lock .refused").text.startswith("Type the host")
    page.focused().send_keys("1234", Keys.ENTER)
    page.says("#lock .refused", "That is not the table's PIN.")
    page.focused().send_keys(PIN, Keys.ENTER)
    page.shows(10)
    assert not page.seen("#lock")
    assert page.focused() == page.find("#tab-round")
    page.load("/host")
    page.shows(10)
    page.find("#tab-seats").click()
    page.find("#sign-out").click()
    page.until(lambda: page.seen("#lock input"), "the page was not locked again")


def test_a_session_that_ends_elsewhere_locks_the_page(page: Page) -> None:
    page.open_host(tables.playing())
    page.browser.execute_cdp_cmd("Network.clearBrowserCookies", {})
    page.stop()
    page.serve(tables.playing())
    page.until(lambda: page.seen("#lock input"), "the page was not locked")
    assert not page.seen("#desk")


def test_racko_is_called_for_a_player(page: Page) -> None:
    page.open_host(tables.playing())
    page.press("#play-buttons button", "RACK-O!")
    page.press("dialog button", "Ben")
    assert page.orders() == [{"type": "call", "seat": 2}]
    page.says("#play-outcome", "The call was taken.")


def test_a_call_is_accepted_or_refused_and_what_changed_is_shown(page: Page) -> None:
    page.open_host(tables.playing())
    assert not page.seen("#verdict")
    page.publish(replace(tables.checking(), version=20, wanted=(2, 3)))
    assert page.texts("#steps .step-words")[0].startswith("Show Ben")
    page.press("#verdict-buttons button", "Refuse")
    assert page.orders() == [{"type": "verdict", "accepted": False}]
    page.desk.answer = Answer(done=True, words="Ben has gone out", changes=("Ben: 75 points, not 30", "Ada: 20 points"))
    page.press("#verdict-buttons button", "Accept")
    assert page.orders(2)[1] == {"type": "verdict", "accepted": True}
    page.publish(replace(tables.round_over(), version=21))
    page.until(lambda: page.texts("#changes li") == ["Ben: 75 points, not 30", "Ada: 20 points"], "no changes shown")
    assert not page.seen("#verdict")


def test_two_quick_taps_are_one_order(page: Page) -> None:
    page.open_host(tables.playing(), undo="the correction of Ben's slot 25")
    page.script("const [undo] = document.querySelectorAll('#back-buttons button'); undo.click(); undo.click();")
    page.says("#back-outcome", "Done.")
    assert len(page.desk.orders) == 1


def test_a_section_in_the_address_is_opened_once_the_pin_was_right(page: Page) -> None:
    page.serve(tables.waiting())
    page.load("/host#game")
    page.until(lambda: page.seen("#lock input"), "the PIN was never asked for")
    assert page.complaints() == []
    page.focused().send_keys(PIN, Keys.ENTER)
    page.until(lambda: page.seen("#variants .option"), "the variants never came")


def test_a_refused_order_says_why_beside_its_button(page: Page) -> None:
    page.open_host(tables.playing(), undo="the correction of Ben's slot 25")
    page.desk.answer = Answer(done=False, words="there is nothing to undo")
    page.press("#back-buttons button", "Undo")
    page.says("#back-outcome .refused", "There is nothing to undo.")


def test_the_latest_word_is_taken_back_and_brought_again(page: Page) -> None:
    page.open_host(tables.playing(), undo="the correction of Ben's slot 25")
    undo, redo = page.all("#back-buttons button")
    assert undo.text == "Undo\nthe correction of Ben's slot 25"
    assert not redo.is_enabled()
    undo.click()
    assert page.orders() == [{"type": "undo", "call": False}]
    page.desk.tell_host(version=30, undo="", redo="the correction of Ben's slot 25")
    page.shows(30)
    undo, redo = page.all("#back-buttons button")
    assert not undo.is_enabled()
    redo.click()
    assert page.orders(2)[1] == {"type": "redo"}


def test_play_is_paused_and_followed_again(page: Page) -> None:
    page.open_host(tables.playing())
    page.press("#play-buttons button", "Pause")
    assert page.orders() == [{"type": "pause", "on": True}]
    page.publish(replace(tables.playing(), version=20, paused=True))
    assert page.headline() == "Paused"
    page.press("#play-buttons button", "Go on")
    assert page.orders(2)[1] == {"type": "pause", "on": False}


def test_a_round_is_ended_without_scores_only_after_a_second_thought(page: Page) -> None:
    page.open_host(tables.playing())
    page.press("#end-buttons button", "End the round")
    assert page.focused().text == "Play on"
    page.focused().send_keys(Keys.ENTER)
    page.until(lambda: not page.seen("dialog"), "the question stayed")
    page.press("#end-buttons button", "End the round")
    page.press("dialog button", "End the round")
    assert page.orders() == [{"type": "abandon"}]


def test_while_a_round_is_on_the_host_learns_only_that_cards_are_not_sure(page: Page) -> None:
    page.open_host(tables.playing(), open_slots={2: 3, 4: 1, 1: 0}, doubts=DOUBTS)
    words = f"Not sure: Ben 3 cards; {tables.NAMES[3]} one card. Each player is asked on the own page."
    assert page.find("#open-slots").text == words
    assert not page.seen("#doubts")
    assert "33" not in str(page.script("return document.getElementById('panel-round').textContent"))


def test_a_doubt_is_settled_by_tapping_one_of_its_cards_once_the_round_is_over(page: Page) -> None:
    page.open_host(tables.round_over(), doubts=DOUBTS)
    assert page.texts(".doubt-title")[0] == "Ben: which card stands in slot 25?"
    page.press(".doubt-button", "38")
    assert page.orders() == [{"type": "correct", "seat": 2, "slot": 25, "card": 38}]
    page.press(".doubt .button", "Another card")
    page.press("dialog .number", "41")
    assert page.orders(2)[1] == {"type": "correct", "seat": 2, "slot": 25, "card": 41}
    page.press(".doubt .button", "Choose the card")
    page.press("dialog .number", "7")
    assert page.orders(3)[2] == {"type": "correct", "seat": 4, "slot": 30, "card": 7}
    page.press(".doubt .button", "Choose the card")
    page.press("dialog button", "No card")
    assert page.orders(4)[3] == {"type": "correct", "seat": 4, "slot": 30, "empty": True}
    page.desk.tell_host(version=40, doubts=())
    page.shows(40)
    assert not page.seen("#doubts")


def test_the_next_round_begins_with_the_dealer_whose_deal_it_is_or_another(page: Page) -> None:
    page.open_host(tables.round_over(), next_dealer=2)
    assert page.script("return document.querySelector('[name=dealer]:checked').value") == "2"
    assert not page.seen("#cut")
    page.press("#start-form button", "Start round 6")
    assert page.orders() == [{"type": "round", "dealer": 2}]
    page.press("#start-form .chip", "Ada")
    page.press("#start-form button", "Start round 6")
    assert page.orders(2)[1] == {"type": "round", "dealer": 1}


def test_the_first_deal_is_cut_for_by_the_program(page: Page) -> None:
    page.open_host(tables.waiting())
    page.press("#start-form button", "Start round 1")
    page.says("#start-outcome", "Choose who deals first.")
    page.press("#cut-form button", "Draw for me")
    page.says("#cut-outcome", "deals first")
    dealer = page.script("return Number(document.querySelector('[name=dealer]:checked').value)")
    assert page.find("#cut-outcome").text.startswith(tables.NAMES[int(str(dealer)) - 1])
    page.press("#start-form button", "Start round 1")
    assert page.orders() == [{"type": "round", "dealer": dealer}]


def test_the_first_deal_is_cut_for_by_the_cards_that_were_drawn(page: Page) -> None:
    page.open_host(tables.waiting(2))
    page.find("#cut-form summary").click()
    page.press("#cut-form button", "Who deals")
    page.says("#cut-outcome", "Type the card that Ada drew, 1 to 40.")
    for field, card in zip(page.all(".cut-card"), ("12", "31"), strict=True):
        field.send_keys(card)
    page.press("#cut-form button", "Who deals")
    page.says("#cut-outcome", "Ben has the highest card, 31, and deals first")
    assert page.script("return document.querySelector('[name=dealer]:checked').value") == "2"


def test_before_the_first_game_the_way_leads_to_a_new_one(page: Page) -> None:
    page.open_host(replace(tables.waiting(), players=(), sides=(), edition=""))
    page.find("#begin-button").click()
    assert page.seen("#panel-game")
    assert page.focused() == page.find("#tab-game")


def test_the_sections_are_gone_through_by_keys(page: Page) -> None:
    page.open_host(tables.playing())
    page.find("#tab-round").click()
    page.focused().send_keys(Keys.ARROW_RIGHT)
    assert page.focused() == page.find("#tab-cards")
    assert page.seen("#panel-cards")
    assert not page.seen("#panel-round")
    page.focused().send_keys(Keys.ARROW_LEFT, Keys.ARROW_LEFT)
    assert page.focused() == page.find("#tab-seats")
    page.focused().send_keys(Keys.HOME)
    assert page.seen("#panel-round")


def test_a_tab_says_that_it_asks_for_somebody(page: Page) -> None:
    page.open_host(tables.playing(), remarks=("it is too dark",))
    assert page.find("#tab-cameras").accessible_name.split() == ["Cameras", "something", "is", "amiss"]
    assert page.find("#tab-round").accessible_name == "Round"
    page.publish(replace(tables.checking(), version=20))
    assert page.find("#tab-round").accessible_name.split() == ["Round", "asks", "for", "you"]
