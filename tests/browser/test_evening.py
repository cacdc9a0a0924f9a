"""The whole way, once: a recorded round goes in as pictures, and a tablet shows the turns and the right score."""

from pathlib import Path

import pytest
from selenium.webdriver.common.keys import Keys

from tests.browser.conftest import Page
from tests.device.recorded import true_events
from tests.device.running import Running


@pytest.mark.browser
@pytest.mark.slow
def test_a_tablet_shows_the_recorded_round_turn_by_turn_and_then_the_right_scores(page: Page, tmp_path: Path) -> None:
    program = Running(tmp_path, speed=25)
    page.size(1280, 800)
    page.browser.get(program.address)
    page.until(lambda: page.headline().endswith("turn"), "the page never showed whose turn it is")
    headlines = set()

    def over() -> bool:
        headlines.add(page.headline())
        return "goes out" in page.headline()

    page.until(over, "the round never ended on the page")
    assert {"Ada", "Ben"} <= {headline[:3] for headline in headlines if headline.endswith("turn")}
    (end,) = true_events("round_end")
    shown = page.browser.find_element("css selector", "body").text
    for points in end["scores"].values():
        assert f"+{points}" in shown
    racks = page.texts("#racks .panel")
    assert len(racks) == 2, shown
    assert "slot 40 breaks" in shown.replace("\n", " ")
    assert program.end() == 0


@pytest.mark.browser
@pytest.mark.slow
def test_pressing_racko_on_the_page_too_early_is_a_false_call_and_play_goes_on(page: Page, tmp_path: Path) -> None:
    program = Running(tmp_path, speed=4)
    page.size(1280, 800)
    page.browser.get(program.address)
    page.until(lambda: len(program.state()["plays"]) >= 1, "no play was ever shown")
    page.find("#call").click()
    page.find("#who-names button").click()
    page.until(lambda: page.seen("#who-locked input"), "the page did not ask for the PIN")
    page.find("#who-locked input").send_keys(program.pin, Keys.ENTER)
    page.until(lambda: page.texts("#notice h2") == ["False call"], "the false call was never shown")
    assert page.find("#notice-text").text.startswith("Ada called RACK-O, but")
    before = program.state()["plays"][-1]["number"]
    page.until(lambda: program.state()["plays"][-1]["number"] > before, "play did not go on after the false call")
    program.end()
