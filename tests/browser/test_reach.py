"""Every page and state, at a tablet's and a phone's size, in light and dark: readable, reachable, named, quiet."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver.common.keys import Keys

from engine.private import OwnDoubt, Tally
from engine.snapshot import Snapshot
from tests.browser import evenings
from tests.browser.conftest import Page
from tests.browser.test_host_setup import CAMERAS, PICTURE
from tests.webui import tables

pytestmark = pytest.mark.browser

REACH = (Path(__file__).parent / "reach.js").read_text()
TABLET, PHONE = (1280, 800), (360, 780)

CONTROLS = {
    "button", "link", "textbox", "radio", "checkbox", "combobox", "tab", "tabpanel", "dialog", "image", "img",
    "radiogroup", "table", "heading", "tablist", "DisclosureTriangle",
}  # fmt: skip
"""Roles that mean nothing to a screen reader without a name."""

RTL = replace(
    tables.playing(),
    players=tuple(
        replace(line, name=name)
        for line, name in zip(
            tables.playing().players, ("نور الهدى", "שרה־לאה", "W" * 40, "<img src=x onerror=alert(1)>"), strict=True
        )
    ),
)
DOUBTS = (OwnDoubt(2, 25, {33: 0.5, 38: 0.4, 35: 0.05}), OwnDoubt(2, 30, {}))


@dataclass(frozen=True)
class Scene:
    """A moment of a page: what the table shows, and what is pressed. `more`: of the host's or the seat's view."""

    name: str
    board: Snapshot
    more: dict[str, Any] = field(default_factory=dict)
    press: tuple[str, ...] = ()
    shown: str = "h1"


BOARD = [
    Scene("waiting", tables.waiting()),
    Scene("playing", tables.playing()),
    Scene("any names", RTL),
    Scene("asked who", tables.playing(), press=("#call",), shown="#who"),
    Scene("racks to show", replace(tables.checking(), wanted=(1, 3)), shown=".step"),
    Scene("false call", tables.false_call(), shown="#notice"),
    Scene("paused", replace(tables.playing(), paused=True)),
    Scene("round over", tables.round_over(), shown="#racks .picture-button"),
    Scene("picture", tables.round_over(), press=(".picture-button",), shown="#picture-image"),
    Scene("scores", tables.round_over(), press=("#show-scores",), shown=".chart-name"),
    Scene("won", tables.game_over(), shown=".stairs"),
    Scene("evening", tables.playing(), press=("#show-evening",), shown=".evening-game"),
    Scene("a round again", tables.playing(), press=("#show-evening", ".round-button"), shown="#turned .tile"),
]
FULL = {
    "cameras": CAMERAS, "remarks": ("it is too dark at seat 3; switch on a lamp",), "recorder": "recording",
    "undo": "the correction of Ben's slot 25", "open_slots": {2: 3},
}  # fmt: skip
HOST = [
    Scene("playing", tables.playing(), FULL),
    Scene("any names", RTL, FULL),
    Scene("checking", replace(tables.checking(), wanted=(2, 3)), FULL, shown="#verdict button"),
    Scene("doubts", tables.round_over(), FULL | {"doubts": DOUBTS, "next_dealer": 2}, shown=".doubt"),
    Scene("first deal", tables.waiting(), FULL, press=("#cut-form summary",), shown=".cut-card"),
    Scene("who calls", tables.playing(), FULL, press=("#play-buttons button",), shown="dialog"),
    Scene("end asked", tables.playing(), FULL, press=("#end-buttons button",), shown="dialog"),
    Scene("cards", RTL, FULL, press=("#tab-cards",), shown="#played"),
    Scene("game", RTL, FULL, press=("#tab-game", "#panel-game summary"), shown="#variants .option"),
    Scene("cameras", tables.playing(), FULL, press=("#tab-cameras",), shown=".camera"),
    Scene("seats", RTL, FULL, press=("#tab-seats",), shown=".code-row"),
    Scene("code", RTL, FULL, press=("#tab-seats", ".code-row button"), shown=".code-image"),
]
SEAT = [
    Scene("own turn", tables.playing(to_move=2), {"tally": Tally(12, 4, 2, 1, 1, 3, 1, 145, 75)}),
    Scene("any names", RTL, {"doubts": DOUBTS}, shown=".doubt"),
    Scene("asked", tables.playing(), press=("#call",), shown="dialog"),
    Scene("a card", tables.playing(), {"doubts": DOUBTS}, press=(".doubt .button",), shown=".number"),
    Scene("a slot", tables.playing(), press=("#own-buttons button",), shown="dialog .chip"),
    Scene("wanted", replace(tables.checking(), wanted=(2, 3)), shown="#wanted"),
    Scene("won", tables.game_over()),
]


def check(page: Page, scene: Scene) -> None:
    """Every size and theme of what is shown now. Names are asked for once: they are the same in all."""
    for selector in scene.press:
        page.until(lambda wanted=selector: page.seen(wanted), f"{scene.name}: {selector} never came")  # type: ignore[misc]
        page.script(
            "[...document.querySelectorAll(arguments[0])].find((one) => one.checkVisibility()).click()", selector
        )
    page.until(lambda: page.seen(scene.shown), f"{scene.name}: {scene.shown} never came")
    for size in (TABLET, PHONE):
        page.size(*size)
        for scheme in ("light", "dark"):
            page.prefer(color_scheme=scheme, reduced_motion="reduce")
            assert page.script(REACH) == [], (scene.name, size, scheme)
    assert nameless(page) == [], scene.name


def nameless(page: Page) -> list[str]:
    """The controls that a screen reader would find without a name."""
    tree = page.browser.execute_cdp_cmd("Accessibility.getFullAXTree", {})
    return [
        f"{node['role']['value']} {node.get('properties')}"
        for node in tree["nodes"]
        if not node["ignored"]
        and node["role"]["value"] in CONTROLS
        and not node.get("name", {}).get("value", "").strip()
    ]


def visit(page: Page, scenes: list[Scene], load: Callable[[], None], tell: Callable[[Scene, int], None]) -> None:
    for version, scene in enumerate(scenes, start=1000):
        page.size(*TABLET)
        tell(scene, version)
        load()
        page.shows(version)
        check(page, scene)
    assert page.complaints() == []


@pytest.mark.slow
def test_the_scoreboard_is_readable_and_reachable(page: Page) -> None:
    page.open(tables.playing())
    page.desk.games = evenings.games()
    page.desk.rack_pictures = {(2, 5, seat): PICTURE for seat in (1, 2, 3, 4)}

    def tell(scene: Scene, version: int) -> None:
        page.desk.publish(replace(scene.board, version=version))

    visit(page, BOARD, page.load, tell)


@pytest.mark.slow
def test_the_hosts_page_is_readable_and_reachable(page: Page) -> None:
    page.open_host(tables.playing())
    page.desk.camera_pictures = {camera.name: PICTURE for camera in CAMERAS[:2]}

    def tell(scene: Scene, version: int) -> None:
        page.desk.publish(replace(scene.board, version=version))
        page.desk.tell_host(**{"doubts": (), "next_dealer": None} | scene.more)

    visit(page, HOST, lambda: page.load("/host"), tell)


def test_the_hosts_lock_is_readable_and_reachable(page: Page) -> None:
    page.serve(tables.playing())
    page.load("/host")
    check(page, Scene("locked", tables.playing(), shown="#lock input"))
    assert page.complaints() == []


def test_the_pin_before_a_call_is_readable_and_reachable(page: Page) -> None:
    page.open(tables.playing(), unlocked=False)
    check(page, Scene("PIN", tables.playing(), press=("#call", "#who-names button"), shown="#who-locked input"))
    assert page.complaints() == []


@pytest.mark.slow
def test_a_seats_page_is_readable_and_reachable(page: Page) -> None:
    page.open_seat(2, tables.playing())

    def tell(scene: Scene, version: int) -> None:
        page.desk.publish(replace(scene.board, version=version))
        page.desk.tell_seat(2, **{"doubts": (), "tally": Tally()} | scene.more)

    visit(page, SEAT, lambda: page.load(page.seat_path(2)), tell)


def test_the_page_of_an_unknown_seat_is_readable_and_reachable(page: Page) -> None:
    page.serve(tables.playing())
    page.load("/seat/nobody")
    check(page, Scene("unknown", tables.playing()))


@pytest.mark.parametrize("size", [TABLET, PHONE])
def test_the_tab_key_goes_through_the_hosts_page_from_top_to_bottom(page: Page, size: tuple[int, int]) -> None:
    page.size(*size)
    page.open_host(tables.playing(), **FULL)
    stops = tab_stops(page, 8)
    assert stops[:4] == ["tab-round", "RACK-O!", "Pause", "Undo the correction of Ben's slot 25"]
    assert stops[4] == "End the round without scores…"


def test_the_tab_key_stays_within_a_question_and_comes_back_to_its_button(page: Page) -> None:
    page.open_host(tables.playing())
    page.press("#play-buttons button", "RACK-O!")
    stops = tab_stops(page, 6)
    assert set(stops) <= {*tables.NAMES, "Nobody, go back", ""}
    page.focused().send_keys(Keys.ESCAPE)
    page.until(lambda: page.focused().text == "RACK-O!", "the focus never came back")


def tab_stops(page: Page, count: int) -> list[str]:
    """What has the focus after each press of the Tab key: its id if it has one, else its words."""
    stops = []
    for _ in range(count):
        page.focused().send_keys(Keys.TAB)
        focused = page.focused()
        visible = page.script(
            "return document.activeElement === document.body || document.activeElement.matches(':focus-visible')"
        )
        assert visible, "the focus is not to be seen"
        stops.append(
            focused.get_attribute("id") or " ".join(focused.text.split()) if focused.tag_name != "body" else ""
        )
    return stops
