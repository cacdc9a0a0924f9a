"""Heat, clock, network and pins, on a machine of folders and fake programs."""

import http.server
import threading
from collections.abc import Iterator
from dataclasses import replace

import pytest
from gpiozero import LED
from gpiozero.exc import BadPinFactory
from gpiozero.pins.mock import MockFactory

from device.configuration import Configuration
from device.doctor import clock, heat, network, pins
from device.doctor.case import Case
from device.doctor.machine import Machine
from device.panel import PanelSettings
from tests.device.doctor.visits import PI, SATURDAY, Place, check_words, only

COOL, WARM, HOT = "48312", "74000", "83500"


@pytest.mark.parametrize(
    ("zones", "verdict", "words"),
    [((COOL,), "good", "48 degrees"), ((COOL, WARM), "look", "74"), ((HOT, COOL), "bad", "84"), ((), "skipped", "")],
)
def test_the_hottest_zone_tells_how_warm_it_is(place: Place, zones: list[str], verdict: str, words: str) -> None:
    for number, zone in enumerate(zones):
        place.write(f"sys/class/thermal/thermal_zone{number}/temp", zone + "\n")
    finding = next(heat.check(place.case()))
    assert finding.verdict == verdict
    assert words in finding.found


@pytest.mark.parametrize(
    ("bits", "verdict", "words"),
    [
        ("0x0", "good", "never throttled"),
        ("0x50005", "bad", "now too little voltage, throttled"),
        ("0x50000", "look", "since its start too little voltage, throttled"),
        ("0x80008", "look", "now its soft limit of heat"),
    ],
)
def test_a_pi_says_in_words_whether_its_power_was_good(place: Place, bits: str, verdict: str, words: str) -> None:
    place.write("proc/device-tree/model", PI)
    place.program("vcgencmd", f'[ "$*" = get_throttled ] && echo throttled={bits}')
    finding = list(heat.check(place.case()))[1]
    assert finding.verdict == verdict
    assert words in finding.found
    assert "\0" not in finding.found
    assert ("power supply" in finding.mend) == ("voltage" in words)


def test_a_pi_whose_firmware_may_not_be_asked_is_no_fault(place: Place) -> None:
    place.write("proc/device-tree/model", PI)
    place.program("vcgencmd", "echo VCHI initialization failed >&2; exit 255")
    assert list(heat.check(place.case()))[1].verdict == "skipped"


@pytest.mark.parametrize(
    ("load", "free", "verdict"),
    [("0.10", 900_000, "good"), ("99.00", 900_000, "look"), ("0.10", 200_000, "look"), ("0.10", 60_000, "bad")],
)
def test_load_and_memory_are_told_in_figures(place: Place, load: str, free: int, verdict: str) -> None:
    place.write("proc/loadavg", f"0.00 {load} 0.20 1/89 312\n")
    place.write("proc/meminfo", f"MemTotal:        1900000 kB\nMemAvailable:    {free} kB\n")
    finding = list(heat.check(place.case()))[-1]
    check_words(finding)
    assert finding.verdict == verdict
    assert f"{free / 1000:.0f} MB" in finding.found


def at(place: Place, time: float, *, jump: float = 0.0, passes: float = 0.2) -> Case:
    """A visit at a time, with clocks that go only while the doctor waits."""
    now = [time, 50.0]

    def pause(seconds: float) -> None:
        now[0] += seconds + jump
        now[1] += seconds * passes / clock.WHILE

    return place.case(wall=lambda: now[0], monotonic=lambda: now[1], pause=pause)


def test_a_clock_that_the_network_sets_is_good_and_shown_to_be_compared(place: Place) -> None:
    place.program("timedatectl", "echo yes")
    (place.root / "sys/class/rtc/rtc0").mkdir(parents=True)
    finding = only(list(clock.check(at(place, SATURDAY))))
    assert finding.verdict == "good"
    assert "November 2026" in finding.found
    assert "goes on without power" in finding.found


def test_timesyncs_own_mark_counts_too(place: Place) -> None:
    place.write("run/systemd/timesync/synchronized", "")
    assert "set by the network" in only(list(clock.check(at(place, SATURDAY)))).found


def test_a_clock_that_nobody_sets_is_worth_a_look_for_the_history_alone(place: Place) -> None:
    place.program("timedatectl", "echo no")
    finding = only(list(clock.check(at(place, SATURDAY))))
    assert finding.verdict == "look"
    assert "history" in finding.mend
    assert "stops without power" in finding.found


@pytest.mark.parametrize("answer", ["sleep 30", "exit 1", "echo System has not been booted with systemd"])
def test_where_nobody_knows_who_sets_the_clock_it_is_taken_as_it_is(
    place: Place, answer: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("device.doctor.machine.ASKING", 0.2)
    place.program("timedatectl", answer)
    assert only(list(clock.check(at(place, SATURDAY)))).verdict == "good"


@pytest.mark.parametrize(
    ("case", "verdict", "words"),
    [
        ({"time": 3600.0}, "look", "cannot be"),
        ({"time": SATURDAY, "jump": 40.0}, "look", "set by +40.0 s"),
        ({"time": SATURDAY, "passes": 0.0}, "bad", "stands still"),
    ],
)
def test_clocks_that_cannot_be_trusted_are_said(place: Place, case: dict[str, float], verdict: str, words: str) -> None:
    finding = only(list(clock.check(at(place, **case))))
    assert (finding.verdict, words in finding.found) == (verdict, True)


class Page(http.server.BaseHTTPRequestHandler):
    """A page of the table's, or another program's."""

    words = b"<title>RACK-O</title>"

    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(self.words)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the library's names
        pass


class OtherPage(Page):
    words = b"<title>A printer</title>"


@pytest.fixture
def port(request: pytest.FixtureRequest) -> Iterator[int]:
    """The port of a page that is there."""
    server = http.server.HTTPServer(("", 0), request.param)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server.server_port
    server.shutdown()
    server.server_close()


def paged(port: int, machine: Machine) -> Case:
    return Case(Configuration(port=port), machine=machine)


@pytest.mark.parametrize(("port", "running"), [(Page, True), (OtherPage, False)], indirect=["port"])
def test_a_running_table_is_known_by_its_page_and_any_other_program_has_the_port(
    place: Place, port: int, *, running: bool
) -> None:
    case = paged(port, place.machine())
    finding = next(network.check(case))
    check_words(finding)
    assert case.running == running
    assert finding.verdict == ("good" if running else "bad")
    assert ("a table is running" if running else "taken by another program") in finding.found


def test_a_page_that_only_this_machine_reaches_is_worth_a_look(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(network, "addresses", lambda port: [f"http://localhost:{port}/"])
    assert only(list(network.check(place.case()))).verdict == "look"
    monkeypatch.setattr(network, "addresses", lambda port: [f"http://localhost:{port}/", "http://10.0.0.7/"])
    place.write("run/avahi-daemon/socket", "")
    finding = only(list(network.check(place.case())))
    assert finding.verdict == "good"
    assert "http://10.0.0.7/" in finding.found
    assert ".local:" in finding.found


@pytest.mark.parametrize(
    ("state", "signal", "saving", "verdict"),
    [("up", -52, "off", "good"), ("up", -52, "on", "look"), ("up", -81, "off", "look"), ("down", -81, "on", None)],
)
def test_a_wireless_network_tells_its_signal_and_power_saving(
    place: Place, state: str, signal: int, saving: str, verdict: str | None
) -> None:
    (place.root / "sys/class/net/wlan0/wireless").mkdir(parents=True)
    (place.root / "sys/class/net/eth0").mkdir(parents=True)
    place.write("sys/class/net/wlan0/operstate", state)
    place.write("proc/net/wireless", f"Inter-| sta-|\n face | tus |\n wlan0: 0000   58.  {signal}.  -256   0 0\n")
    place.program("iw", f'[ "$*" = "dev wlan0 get power_save" ] && echo Power save: {saving}')
    _, *wireless = network.check(place.case())
    assert [finding.verdict for finding in wireless] == ([verdict] if verdict else [])
    for finding in wireless:
        check_words(finding)
        assert f"signal {signal} dBm" in finding.found


def pi(place: Place) -> None:
    place.write("proc/device-tree/model", PI)
    place.write("dev/gpiochip0", "")


def test_a_machine_that_is_no_pi_has_no_pins_and_nothing_is_wrong(place: Place) -> None:
    place.write("dev/gpiochip0", "")
    assert only(list(pins.check(place.case()))).verdict == "skipped"


def test_a_running_table_keeps_its_pins(place: Place) -> None:
    pi(place)
    finding = only(list(pins.check(place.case(running=True, pins=pytest.fail))))
    assert finding.verdict == "skipped"


def test_a_pi_without_a_chip_or_without_leave_is_told_how_to_get_at_it(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    place.write("proc/device-tree/model", PI)
    assert only(list(pins.check(place.case()))).verdict == "bad"
    place.write("dev/gpiochip0", "")
    monkeypatch.setattr("os.access", lambda *_: False)
    assert "group" not in only(list(pins.check(place.case()))).found
    assert "usermod -aG gpio" in only(list(pins.check(place.case()))).mend


def test_pins_that_gpiozero_cannot_have_are_said_in_its_words(place: Place) -> None:
    pi(place)

    def refuse() -> MockFactory:
        raise BadPinFactory("Unable to load any default pin factory!")

    finding = only(list(pins.check(place.case(pins=refuse))))
    assert finding.verdict == "bad"
    assert "Unable to load" in finding.found


def test_each_part_is_tried_by_itself_and_a_button_that_is_down_is_said(place: Place) -> None:
    pi(place)
    factory = MockFactory()
    other = LED(27, pin_factory=factory)
    case = place.case(pins=lambda: factory)
    case.settings = replace(
        case.settings, panel=PanelSettings(button_pin=17, led_pin=27, seat_button_pins={1: 5}, buzzer_pin=25)
    )
    first, *others = pins.check(case)
    assert first.verdict == "good"
    assert "button on GPIO 17, button of seat 1 on GPIO 5, buzzer on GPIO 25" in first.found
    assert [finding.verdict for finding in others] == ["bad"]
    assert "LED on GPIO 27" in others[0].found
    assert not other.closed
    for pin in (17, 5, 25):
        LED(pin, pin_factory=factory).close()


def test_a_button_that_nobody_lets_go_is_worth_a_look(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    pi(place)
    factory = MockFactory()
    monkeypatch.setattr("device.panel.parts.Button.closed", property(lambda _: True))
    _, *others = pins.check(place.case(pins=lambda: factory))
    assert [finding.verdict for finding in others] == ["look"]
    assert "is down" in others[0].found


def test_a_panel_without_parts_is_skipped(place: Place) -> None:
    pi(place)
    case = place.case(pins=MockFactory)
    case.settings = replace(case.settings, panel=PanelSettings(button_pin=None, led_pin=None))
    assert only(list(pins.check(case))).verdict == "skipped"
