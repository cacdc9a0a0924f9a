"""A real browser before a real server: headless Chromium, driven by Selenium.

Debian: `apt install chromium chromium-driver`. Where they are missing the tests are skipped and say so; with the
environment variable CI=true they fail instead.
"""

import os
import shutil
from collections.abc import Callable, Iterator
from typing import NoReturn

import pytest
from selenium import webdriver
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait

from engine.cards import Seat
from engine.snapshot import Snapshot
from tests.webui import tables
from webui.app import create_app
from webui.serve import Server, serve
from webui.stream import Stream

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
    """The scoreboard in a browser, and the table behind it."""

    def __init__(self, browser: Browser) -> None:
        self.browser = browser
        self.calls: list[Seat | None] = []
        self.call: Callable[[Seat | None], None] = self.calls.append
        self.stream = Stream(tables.playing())
        self.server: Server | None = None
        self.port = 0

    def serve(self, first: Snapshot, *, max_streams: int = 8) -> None:
        """Start the table's server; after a first time, on the same port again."""
        self.stream = Stream(first)
        app = create_app(self.stream, self.call, max_streams=max_streams)
        self.server = serve(app, host="127.0.0.1", port=self.port)
        self.port = self.server.port

    def stop(self) -> None:
        if self.server is not None:
            self.server.close()

    def open(self, first: Snapshot) -> None:
        """Serve `first` and wait until the page shows it."""
        self.serve(first)
        self.load()
        self.shows(first)

    def load(self) -> None:
        self.browser.get(f"http://127.0.0.1:{self.port}/")

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
        self.stream.publish(snapshot)
        self.shows(snapshot)

    def shows(self, snapshot: Snapshot) -> None:
        self.until(
            lambda: self.script("return document.body.dataset.version") == str(snapshot.version),
            f"the page never showed version {snapshot.version}",
        )

    def link(self, state: str) -> None:
        self.until(lambda: self.script("return document.body.dataset.link") == state, f"the link never was {state}")

    def until(self, condition: Callable[[], object], words: str) -> None:
        WebDriverWait(self.browser, PATIENCE, poll_frequency=0.05).until(lambda _: condition(), words)

    def script(self, text: str, *given: object) -> object:
        return self.browser.execute_script(text, *given)

    def find(self, selector: str) -> WebElement:
        return self.browser.find_element("css selector", selector)

    def texts(self, selector: str) -> list[str]:
        return [element.text for element in self.browser.find_elements("css selector", selector)]

    def headline(self) -> str:
        return str(self.script("return document.querySelector('h1').textContent"))

    def seen(self, selector: str) -> bool:
        return any(element.is_displayed() for element in self.browser.find_elements("css selector", selector))


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    made = Page(browser)
    made.size(1280, 800)
    made.prefer(color_scheme="light")
    browser.get_log("browser")  # type: ignore[no-untyped-call]
    yield made
    browser.get("about:blank")
    made.stop()
