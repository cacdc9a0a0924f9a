"""The page stays joined to the table: streams, broken links, more tablets than streams."""

from dataclasses import replace
from urllib.request import urlopen

import pytest

from tests.browser.conftest import Page
from tests.webui import tables

pytestmark = pytest.mark.browser


def test_several_tablets_follow_the_same_table(page: Page) -> None:
    page.open(tables.playing())
    first = page.browser.current_window_handle
    page.browser.switch_to.new_window("tab")
    page.load()
    page.shows(10)
    page.publish(tables.round_over())
    page.browser.close()
    page.browser.switch_to.window(first)
    page.shows(13)


def test_a_lost_link_is_said_quietly_and_mends_itself_when_the_server_is_back(page: Page) -> None:
    page.open(tables.playing())
    page.link("live")
    assert page.find("#link").text == ""
    page.stop()
    page.link("lost")
    assert page.find("#link").text == "Reconnecting…"
    assert page.headline(), "what was known stays on the page"
    page.serve(tables.round_over())
    page.shows(13)
    page.link("live")
    assert page.find("#link").text == ""


def test_a_call_while_the_link_is_lost_says_so(page: Page) -> None:
    page.open(tables.playing())
    page.stop()
    page.find("#call").click()
    page.find("#who-names button").click()
    page.until(lambda: page.find("#who-error").text, "nothing was said")
    assert page.find("#who-error").text == "The table does not answer just now. Try again."


@pytest.mark.slow
def test_beyond_the_cap_the_page_asks_now_and_then_and_still_follows_and_calls(page: Page) -> None:
    page.serve(tables.playing(), max_streams=1)
    page.unlock()
    with urlopen(f"{page.address}/api/events"):  # noqa: S310 - the test's own server
        page.load()
        page.shows(10)
        page.link("polling")
        page.publish(replace(tables.playing(), version=11))
        page.find("#call").click()
        page.find("#who-names button").click()
        page.until(lambda: page.desk.calls == [1], "the call never came")
    page.link("live")
    page.publish(tables.round_over())
