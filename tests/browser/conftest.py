"""A real browser before a real server: headless Chromium, driven by Selenium.

Debian: `apt install chromium chromium-driver`. Where they are missing the tests are skipped and say so; with the
environment variable CI=true they fail instead.
"""

import json
import os
import shutil
from collections.abc import Callable, Iterator
from http.client import HTTPConnection
from typing import Any, NoReturn

import pytest
from selenium import webdriver
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait

from engine.cards import Seat
from engine.snapshot import Snapshot
from tests.webui.desks import PIN, SECRETS, TOKENS, FakeDesk
from webui.app import create_app
from webui.desk import Order
from webui.serve import Server, serve

FLAGS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
)  # fmt: skip

PATIENCE = 60.0
"""Seconds after which a page that does not show what it should has failed."""

Browser = webdriver.Chrome


def no_browser(reason: str) -> NoReturn:
    """Skip loudly; fail in CI, where a browser belongs to the machine."""
    words = f"NO BROWSER, SO THE PAGE IS NOT TESTED: {reason}. Install Debian's chromium and chromium-driver."
    if os.environ.get("CI", "").lower() == "true":
        pytest.fail(words)
    pytest.skip(words)


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    chromium, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if chromium is None or driver is None:
        no_browser("chromium or chromedriver is not on this machine")
    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    for flag in FLAGS:
        options.add_argument(flag)
    options.add_argument(f"--user-data-dir={tmp_path_factory.mktemp('chromium')}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    try:
        started = webdriver.Chrome(options=options, service=Service(driver))
    except WebDriverException as error:
        no_browser(f"Chromium does not start ({(error.msg or '').splitlines()[0]})")
    yield started
    started.quit()


class Page:
    """A page in a browser, and the table behind it."""

    def __init__(self, browser: Browser) -> None:
        self.browser = browser
        self.desk = FakeDesk()
        self.server: Server | None = None
        self.port = 0

    def serve(self, first: Snapshot, *, max_streams: int = 8) -> None:
        """Start the table's server with another desk; after a first time, on the same port again."""
        self.desk = FakeDesk(first)
        app = create_app(self.desk, SECRETS, max_streams=max_streams, address="192.168.1.20")
        self.server = serve(app, host="127.0.0.1", port=self.port)
        self.port = self.server.port

    def stop(self) -> None:
        if self.server is not None:
            self.server.close()

    def open(self, first: Snapshot, *, unlocked: bool = True) -> None:
        """Serve `first` and wait until the scoreboard shows it."""
        self.serve(first)
        if unlocked:
            self.unlock()
        self.load()
        self.shows(first.version)

    def open_host(self, first: Snapshot, **more: Any) -> None:  # noqa: ANN401 - any of the view's fields
        """Serve what the host sees, unlock the browser, and wait until the host's page shows it."""
        self.serve(first)
        self.desk.tell_host(**more)
        self.unlock()
        self.load("/host")
        self.shows(first.version)

    def open_seat(self, seat: Seat, first: Snapshot, **more: Any) -> None:  # noqa: ANN401 - as above
        """Serve what the player of a seat sees, and wait until the seat's page shows it."""
        self.serve(first)
        self.desk.tell_seat(seat, **more)
        self.load(self.seat_path(seat))
        self.shows(first.version)

    def seat_path(self, seat: Seat) -> str:
        return f"/seat/{TOKENS[seat]}"

    def unlock(self) -> None:
        """Begin a session as the host in this browser, without a page."""
        connection = HTTPConnection("127.0.0.1", self.port)
        connection.request("POST", "/api/session", json.dumps({"pin": PIN}), {"Content-Type": "application/json"})
        name, value = str(connection.getresponse().getheader("Set-Cookie")).split(";")[0].split("=", 1)
        connection.close()
        self.browser.execute_cdp_cmd("Network.setCookie", {"name": name, "value": value, "url": self.address})

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def load(self, path: str = "/") -> None:
        if "#" in path:
            self.browser.get("about:blank")  # an address that differs behind the # only would not load anything
        self.browser.get(self.address + path)

    def size(self, width: int, height: int) -> None:
        self.browser.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False},
        )

    def prefer(self, **features: str) -> None:
        """Set what the person prefers, such as color_scheme="dark"."""
        wanted = [{"name": f"prefers-{name.replace('_', '-')}", "value": value} for name, value in features.items()]
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": wanted})

    def publish(self, snapshot: Snapshot) -> None:
        """Let everybody see another board, and wait until the page shows it."""
        self.desk.publish(snapshot)
        self.shows(snapshot.version)

    def shows(self, version: int) -> None:
        self.until(
            lambda: self.script("return document.body.dataset.version") == str(version),
            f"the page never showed version {version}",
        )

    def link(self, state: str) -> None:
        self.until(lambda: self.script("return document.body.dataset.link") == state, f"the link never was {state}")

    def until(self, condition: Callable[[], object], words: str) -> None:
        WebDriverWait(self.browser, PATIENCE, poll_frequency=0.02).until(lambda _: condition(), words)

    def script(self, text: str, *given: object) -> object:
        return self.browser.execute_script(text, *given)

    def find(self, selector: str) -> WebElement:
        return self.browser.find_element("css selector", selector)

    def all(self, selector: str) -> list[WebElement]:
        return self.browser.find_elements("css selector", selector)

    def press(self, selector: str, words: str) -> None:
        """Press the control among those at `selector` that says `words`, as soon as there is one."""
        found: list[object] = []

        def find() -> object:
            found[:] = [
                self.script(
                    "const [selector, words] = arguments;"
                    "return [...document.querySelectorAll(selector)].find((one) => one.innerText.includes(words));",
                    selector,
                    words,
                )
            ]
            return found[0]

        self.until(find, f"nothing at {selector} says {words!r}")
        (control,) = found
        assert isinstance(control, WebElement)
        control.click()

    def texts(self, selector: str) -> list[str]:
        """What a person reads at each of these places, "" where nothing is to be seen."""
        found = self.script(
            "return [...document.querySelectorAll(arguments[0])]"
            ".map((one) => one.checkVisibility() ? one.innerText.trim() : '')",
            selector,
        )
        assert isinstance(found, list)
        return found

    def headline(self) -> str:
        return str(self.script("return document.querySelector('main:not([hidden]) h1')?.textContent ?? ''"))

    def seen(self, selector: str) -> bool:
        return bool(
            self.script(
                "return [...document.querySelectorAll(arguments[0])].some((one) => one.checkVisibility())", selector
            )
        )

    def focused(self) -> WebElement:
        return self.browser.switch_to.active_element

    def says(self, selector: str, words: str) -> None:
        """Wait until the first element there holds these words."""
        self.until(lambda: words in self.find(selector).text, f"{selector} never said {words!r}")

    def orders(self, count: int = 1) -> list[Order]:
        """Wait until so many orders have come in, and return them."""
        self.until(lambda: len(self.desk.orders) >= count, f"{count} orders never came: {self.desk.orders}")
        return [said for said, _ in self.desk.orders]

    def complaints(self) -> list[str]:
        """What the browser has to complain about since the last time it was asked."""
        return [entry["message"] for entry in self.browser.get_log("browser")]  # type: ignore[no-untyped-call]


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    made = Page(browser)
    made.size(1280, 800)
    made.prefer(color_scheme="light")
    browser.execute_cdp_cmd("Network.clearBrowserCookies", {})
    made.complaints()
    yield made
    browser.get("about:blank")
    made.stop()
