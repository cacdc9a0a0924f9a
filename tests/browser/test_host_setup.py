"""The host's page beside the round: new games, cards by the host's word, cameras, players' codes, uploads."""

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from tests.browser.conftest import Page
from tests.webui import tables
from tests.webui.desks import TOKENS
from webui.desk import Answer, CameraLine

pytestmark = pytest.mark.browser

CAMERAS = (
    CameraLine("tray", "v4l2:/dev/v4l/by-id/one", "live", "", ("the tray", "rack 1"), 3),
    CameraLine("rack2", "rpicam:0", "frozen", "its picture stands still; unplug it and plug it in again", (), 1),
    CameraLine("rack3", "v4l2:/dev/v4l/by-id/two", "gone", "unplugged", (), 0),
)
PICTURE = cv2.imencode(".jpg", np.full((90, 160, 3), 120, np.uint8))[1].tobytes()


def open_tab(page: Page, name: str) -> None:
    page.find(f"#tab-{name}").click()


def names(page: Page) -> list[str]:
    return [str(field.get_attribute("value")) for field in page.all("#seats-list input")]


def open_game(page: Page, players: int = 4) -> None:
    page.open_host(tables.waiting(players))
    open_tab(page, "game")
    page.until(lambda: page.all("#variants .option"), "the variants never came")


@pytest.mark.slow
def test_a_new_game_begins_with_the_last_ones_players_and_rules(page: Page) -> None:
    page.open_host(replace(tables.playing(), variants=("bonus",)))
    open_tab(page, "game")
    page.until(lambda: page.all("#variants .option"), "the variants never came")
    assert names(page) == list(tables.NAMES)
    page.press("#game-go button", "Begin the game")
    assert page.focused().text == "Keep playing"
    page.press("dialog button", "New game")
    people = [{"seat": seat, "name": name} for seat, name in enumerate(tables.NAMES, start=1)]
    assert page.orders() == [{"type": "game", "edition": "parker-1992", "variants": ["bonus"], "players": people}]
    page.until(lambda: page.seen("#panel-round"), "the round's page never came")


def test_a_seat_without_a_name_is_nobodys_and_two_names_are_needed(page: Page) -> None:
    open_game(page, 2)
    page.find("#seat-2").clear()
    page.press("#game-go button", "Begin the game")
    page.says("#game-outcome", "Give at least two seats a name.")
    assert page.desk.orders == []
    page.find("#seat-3").send_keys("  Zoë ")
    assert page.find("#game-count").text == "2 players."
    page.press("#game-go button", "Begin the game")
    (said,) = page.orders()
    assert said["players"] == [{"seat": 1, "name": "Ada"}, {"seat": 3, "name": "Zoë"}]


def test_names_change_seats_by_keys(page: Page) -> None:
    open_game(page)
    page.all("#seats-list li")[0].find_elements("css selector", "button")[1].click()
    assert names(page)[:2] == ["Ben", "Ada"]
    page.focused().send_keys(Keys.ENTER)
    assert names(page)[:3] == ["Ben", tables.NAMES[2], "Ada"]
    assert page.script("return document.getElementById('whisper').textContent") == "Ada sits at seat 3 now."
    assert page.focused().accessible_name.endswith("Move seat 3 down")


def test_names_change_seats_by_drag(page: Page) -> None:
    open_game(page)
    handles = page.all(".seat-handle")
    ActionChains(page.browser).drag_and_drop(handles[0], handles[2]).perform()
    assert names(page) == ["Ben", tables.NAMES[2], "Ada", tables.NAMES[3]]


def test_what_does_not_go_together_cannot_be_chosen_and_says_why(page: Page) -> None:
    open_game(page)
    words = dict(
        zip(
            (text.split("\n")[0] for text in page.texts("#variants .option")),
            page.texts("#variants .option"),
            strict=True,
        )
    )
    assert words["Run of three"].endswith("Only for 2 players.")
    assert words["Bonus from four"].endswith("Only together with run of three.")
    assert words["Classic"].endswith("Only with Hasbro 2006.")
    assert "Two against two" in words["Partners"]
    page.press("#variants label", "Partners")
    page.press("#variants label", "Bonus\n")
    assert "Not together with" in next(text for text in page.texts("#variants .option") if text.startswith("Quick"))
    page.find("#seat-4").clear()
    page.find("#seat-4").send_keys(Keys.SPACE, Keys.BACKSPACE)
    page.press("#editions label", "Hasbro 2006")
    page.press("#variants label", "Classic")
    page.press("#game-go button", "Begin the game")
    (said,) = page.orders()
    assert said["edition"] == "hasbro-2006"
    assert sorted(said["variants"]) == ["bonus", "classic"]


def test_the_tables_own_rules_go_with_the_game(page: Page) -> None:
    open_game(page)
    page.find("#panel-game summary").click()
    page.press("#house-rules option", "Whoever draws the lowest card.")
    page.press("#game-go button", "Begin the game")
    (said,) = page.orders()
    assert said["options"] == {"first_dealer": "lowest"}


def test_a_card_is_corrected_in_three_taps_and_no_rack_is_shown(page: Page) -> None:
    page.open_host(tables.playing())
    open_tab(page, "cards")
    page.press("#correct-form .number", "38")
    page.says("#correct-outcome", "Choose whose rack it is first.")
    page.press("#correct-form .chip", "Ben")
    page.press("#correct-form .number", "38")
    page.says("#correct-outcome", "Choose the slot first.")
    page.press("#correct-form .slots .chip", "25")
    page.press("#correct-form .number", "38")
    assert page.orders() == [{"type": "correct", "seat": 2, "slot": 25, "card": 38}]
    page.says("#correct-outcome", "Ben, slot 25: 38.")
    page.press("#correct-form .number", "39")
    page.says("#correct-outcome", "Choose the slot first.")
    assert len(page.desk.orders) == 1
    page.press("#correct-form .slots .chip", "30")
    page.press("#correct-form button", "No card stands there")
    assert page.orders(2)[1] == {"type": "correct", "seat": 2, "slot": 30, "empty": True}
    page.says("#correct-outcome", "Ben, slot 30: no card.")


def test_a_card_is_found_by_arrows_and_by_its_figures(page: Page) -> None:
    page.open_host(tables.playing())
    open_tab(page, "cards")
    page.script("document.querySelector('#correct-form .number').focus()")
    page.focused().send_keys(Keys.ARROW_DOWN, Keys.ARROW_RIGHT)
    assert page.focused().text == "12"
    page.focused().send_keys("38")
    assert page.focused().text == "38"
    page.focused().send_keys(Keys.END)
    assert page.focused().text == "60"
    page.focused().send_keys(Keys.ARROW_DOWN)
    assert page.focused().text == "60"


def test_a_small_deck_offers_no_card_that_is_not_in_it(page: Page) -> None:
    page.open_host(tables.playing(2))
    open_tab(page, "cards")
    assert len(page.all("#correct-form .number")) == 40


def test_a_missed_play_is_named(page: Page) -> None:
    page.open_host(tables.playing())
    open_tab(page, "cards")
    page.press("#played-form button", "Name this play")
    page.says("#played-outcome", "Choose who played first.")
    page.press("#played-form .chip", "Ada")
    page.press("#played-form .chip", "Took the discard")
    page.press("#played-form button", "Name this play")
    page.says("#played-outcome", "Choose the slot first.")
    page.press("#played-form .slots .chip", "40")
    page.press("#played-form button", "Choose the card")
    page.press("dialog .number", "17")
    page.says("#played-form .played-card", "Discarded: 17")
    page.press("#played-form button", "Name this play")
    took = {"type": "played", "seat": 1, "source": "discard", "slot": 40, "card": None, "discarded": 17, "at": None}
    assert page.orders() == [took]
    page.says("#played-outcome", "The play of Ada is taken down.")
    page.press("#played-form .chip", "Ben")
    page.press("#played-form .chip", "Drew and discarded")
    assert not page.seen("#played-form .slots")
    page.press("#played-form button", "Name this play")
    drew = {"type": "played", "seat": 2, "source": "draw", "slot": None, "card": None, "discarded": None, "at": None}
    assert page.orders(2)[1] == drew


def test_each_camera_is_told_in_words_and_its_picture_is_fetched_while_somebody_looks(page: Page) -> None:
    page.open_host(tables.playing(), cameras=CAMERAS, remarks=("it is too dark at seat 3",), voice="it is heard")
    page.desk.camera_pictures = {camera.name: PICTURE for camera in CAMERAS[:2]}
    assert page.script("return document.querySelectorAll('.camera-image[src]').length") == 0
    open_tab(page, "cameras")
    page.until(lambda: len([one for one in page.all(".camera-image") if one.is_displayed()]) == 2, "no pictures")
    assert page.texts(".camera-state") == ["Live", "Frozen", "Gone"]
    assert page.texts(".camera-words")[1:] == [
        "Its picture stands still; unplug it and plug it in again.",
        "Unplugged.",
    ]
    assert page.texts(".camera-sees")[0] == "Sees the tray, rack 1"
    assert page.texts(".remark") == ["It is too dark at seat 3."]
    assert page.find("#voice-words").text == "It is heard."
    before = page.all(".camera-image")[0].get_attribute("src")
    page.desk.tell_host(version=30, cameras=(replace(CAMERAS[0], picture=4), *CAMERAS[1:]))
    page.until(lambda: page.all(".camera-image")[0].get_attribute("src") != before, "the picture never changed")
    open_tab(page, "round")
    page.desk.tell_host(version=31, cameras=(replace(CAMERAS[0], picture=5), *CAMERAS[1:]))
    page.shows(31)
    assert str(page.all(".camera-image")[0].get_attribute("src")).endswith("?4")


def test_a_photograph_of_a_rack_is_sent_and_answered(page: Page, tmp_path: Path) -> None:
    (tmp_path / "rack.jpg").write_bytes(PICTURE)
    (tmp_path / "rack.webp").write_bytes(cv2.imencode(".webp", np.full((90, 160, 3), 120, np.uint8))[1].tobytes())
    (tmp_path / "rack.txt").write_text("no picture")
    page.open_host(tables.checking(), cameras=CAMERAS)
    page.desk.answer = Answer(done=True, words="Ben's rack was read")
    page.find("#verdict input[type=file]").send_keys(str(tmp_path / "rack.jpg"))
    page.says("#verdict-outcome", "Ben's rack was read")
    assert page.desk.pictures == [(PICTURE, None)]
    open_tab(page, "cameras")
    page.desk.answer = Answer(done=False, words="no mat is in the picture")
    page.find("#upload input").send_keys(str(tmp_path / "rack.webp"))
    page.says("#upload-outcome", "No mat is in the picture.")
    assert page.desk.pictures[1][0].startswith(b"\xff\xd8\xff")
    page.find("#upload input").send_keys(str(tmp_path / "rack.txt"))
    page.says("#upload-outcome", "That file is not a picture that this browser can open.")
    assert len(page.desk.pictures) == 2


def test_a_players_code_is_shown_one_at_a_time(page: Page) -> None:
    page.open_host(tables.playing())
    open_tab(page, "seats")
    page.until(lambda: page.all("#codes-list li"), "the seats never came")
    assert TOKENS[2] not in str(page.script("return document.documentElement.textContent"))
    page.all("#codes-list button")[1].click()
    page.until(lambda: page.script("return document.querySelector('.code-image').naturalWidth") != 0, "no code")
    assert page.find("dialog a").text == f"http://192.168.1.20:{page.port}/seat/{TOKENS[2]}"
    page.focused().send_keys(Keys.ENTER)
    page.until(lambda: not page.seen("dialog"), "the code stayed")
    page.until(
        lambda: TOKENS[2] not in str(page.script("return document.documentElement.textContent")), "the link stayed"
    )
