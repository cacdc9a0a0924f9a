"""The caller's voice on the scoreboard: it says the table's lines, and none that is withdrawn."""

from dataclasses import replace

import pytest

from tests.browser.conftest import Page
from tests.webui import tables
from webui.desk import SpokenLine

pytestmark = pytest.mark.browser

EARS = """
window.told = []; window.words = [];
speechSynthesis.speak = (one) => { told.push(one.text); words.push(one); };
speechSynthesis.cancel = () => { told.push("(hush)"); };
"""

CALL = SpokenLine(7, "call", "Ben calls RACK-O.")
OUT, ADA, BEN = (
    SpokenLine(number, "score", text)
    for number, text in ((8, "Ada goes out."), (9, "Ada: 75 points."), (10, "Ben: 30 points."))
)
TURN = SpokenLine(11, "turn", "Ben’s turn.")  # noqa: RUF001 - as it is said
HELLO = "I call the scores."


def listening(page: Page) -> None:
    """Open the scoreboard and have it speak, into a list."""
    page.open(tables.playing(2))
    page.script(EARS)
    page.find("#speak").click()


def hears(page: Page, *lines: str) -> None:
    """Wait until all that was said is this."""
    page.until(lambda: page.script("return told") == [HELLO, *lines], f"said was {page.script('return told')}")


def ended(page: Page, count: int) -> None:
    """So many utterances, the greeting among them, have been said to their end."""
    page.script(f"words.slice(0, {count}).forEach((one) => one.dispatchEvent(new Event('end')));")


def test_the_page_speaks_after_one_tap_and_is_silent_after_the_next(page: Page) -> None:
    listening(page)
    assert page.find("#speak").get_attribute("aria-pressed") == "true"
    assert page.seen("#speak-turns")
    page.desk.speak(CALL)
    hears(page, CALL.text)
    page.find("#speak").click()
    assert not page.seen("#speak-turns")
    page.desk.speak(CALL, OUT)
    page.publish(replace(tables.playing(2), version=30))
    hears(page, CALL.text, "(hush)")


def test_each_line_is_said_once_and_what_stood_there_before_is_not(page: Page) -> None:
    page.open(tables.playing(2))
    page.desk.speak(CALL)
    page.publish(replace(tables.playing(2), version=30))
    page.script(EARS)
    page.find("#speak").click()
    page.desk.speak(CALL, OUT)
    page.desk.speak(CALL, OUT, ADA)
    page.publish(replace(tables.playing(2), version=31))
    page.publish(replace(tables.playing(2), version=32))
    hears(page, OUT.text, ADA.text)


def test_a_line_that_is_withdrawn_is_broken_off_and_those_that_hold_are_said(page: Page) -> None:
    listening(page)
    page.desk.speak(OUT, ADA, BEN)
    hears(page, OUT.text, ADA.text, BEN.text)
    ended(page, 2)
    page.desk.speak(OUT, BEN)
    hears(page, OUT.text, ADA.text, BEN.text, "(hush)", BEN.text)


def test_a_line_that_was_said_to_its_end_breaks_nothing_off_when_it_goes(page: Page) -> None:
    listening(page)
    page.desk.speak(OUT)
    hears(page, OUT.text)
    ended(page, 2)
    page.desk.speak(CALL)
    hears(page, OUT.text, CALL.text)


def test_turns_are_said_only_if_that_is_wanted(page: Page) -> None:
    listening(page)
    page.desk.speak(TURN)
    page.desk.speak(replace(TURN, number=12), OUT)
    hears(page, OUT.text)
    page.find("#speak-turns").click()
    page.desk.speak(replace(TURN, number=13), OUT)
    hears(page, OUT.text, TURN.text)


def test_without_the_table_nothing_is_said_to_its_end(page: Page) -> None:
    listening(page)
    page.desk.speak(OUT, ADA)
    hears(page, OUT.text, ADA.text)
    page.stop()
    hears(page, OUT.text, ADA.text, "(hush)")


def test_a_name_that_looks_like_markup_is_text_to_the_browser(page: Page) -> None:
    listening(page)
    page.desk.speak(replace(OUT, text="<b>Ada & Ben</b> goes out."))
    hears(page, "<b>Ada & Ben</b> goes out.")
    assert page.complaints() == []
