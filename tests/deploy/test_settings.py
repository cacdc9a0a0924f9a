"""deploy/racko.toml: what it says is read, it knows every key, and the defaults that it shows are the defaults."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from device.configuration import CameraWanted, Configuration, read_configuration
from device.panel import PanelSettings
from device.voice import VoiceSettings
from engine.errors import BadInput
from tests.deploy.machine import DEPLOY

EXAMPLE = DEPLOY / "racko.toml"
OFF = re.compile(r"^#(?=\[\[|\w+ = )", re.MULTILINE)
KEY = re.compile(r"^#?(?P<key>\w+) = (?P<value>.*?)  # (?P<words>.+)$")
SECTION = re.compile(r"^#?\[+(?P<name>\w+)\]+$")


def rows() -> list[tuple[str, str, str, str, bool]]:
    """Each key of the example: section, key, value, words, whether it is switched off."""
    found, section = [], ""
    for line in EXAMPLE.read_text().splitlines():
        if heading := SECTION.match(line):
            section = heading["name"]
        elif key := KEY.match(line):
            found.append((section, key["key"], key["value"], key["words"], line.startswith("#")))
        else:
            assert line == "" or line.startswith("# "), line
    return found


def written(folder: Path, text: str) -> Path:
    path = folder / "racko.toml"
    path.write_text(text)
    return path


def known_keys(folder: Path, section: str) -> set[str]:
    """What the program itself names, where it is given a key that there is not."""
    head = f"[[{section}]]" if section == "camera" else f"[{section}]"
    with pytest.raises(BadInput) as refused:
        read_configuration(written(folder, f"{head if section else ''}\nnonsense = 1\n"))
    return set(str(refused.value).partition("known here: ")[2].split(", "))


def test_as_it_stands_it_takes_every_camera_that_is_plugged_in_and_the_port_of_browsers() -> None:
    settings = read_configuration(EXAMPLE)
    assert settings == Configuration(port=80, cameras=(CameraWanted("camera", "auto"),))


def test_every_key_that_is_known_stands_in_it_and_no_other(tmp_path: Path) -> None:
    sections = known_keys(tmp_path, "")
    assert {row[0] for row in rows()} == sections
    for section in sections:
        assert {key for name, key, *_ in rows() if name == section} == known_keys(tmp_path, section), section


def test_with_every_key_switched_on_it_is_read(tmp_path: Path) -> None:
    # One camera of [serve] stands in place of all sections, so it is switched on by itself below.
    text = OFF.sub("", re.sub(r"^#(camera = .*)$", r"# \1", EXAMPLE.read_text(), flags=re.MULTILINE))
    settings = read_configuration(written(tmp_path, text))
    assert [camera.name for camera in settings.cameras] == ["camera", "tray"]
    assert settings.table == tmp_path / "table.toml"
    assert settings.folder == Path("/var/lib/racko")
    assert settings.pin == "275310"
    assert settings.panel.seat_button_pins == {1: 5, 2: 6, 3: 13, 4: 19}
    assert settings.record.folder == settings.folder / "recordings"
    on = tomllib.loads(text)
    for section, key, value, _, _ in rows():
        if (section, key) != ("serve", "camera") and section != "camera":
            assert on[section][key] == tomllib.loads(f"it = {value}")["it"]


def test_one_camera_in_place_of_all_sections_is_read(tmp_path: Path) -> None:
    text = re.sub(r"^\[\[camera\]\]\nname.*\nsource.*\n", "", EXAMPLE.read_text(), flags=re.MULTILINE)
    settings = read_configuration(written(tmp_path, re.sub(r"^#(?=camera = )", "", text, flags=re.MULTILINE)))
    assert settings.cameras == (CameraWanted("", "auto"),)


def defaults() -> dict[tuple[str, str], Any]:
    plain, panel, voice = Configuration(), PanelSettings(), VoiceSettings()
    return {
        ("serve", "names"): list(plain.names),
        ("panel", "button_pin"): panel.button_pin,
        ("panel", "led_pin"): panel.led_pin,
        ("panel", "rgb_common"): panel.rgb_common,
        ("panel", "quiet"): panel.quiet,
        ("voice", "on"): voice.on,
        ("voice", "voice"): voice.voice,
        ("voice", "speed"): voice.speed,
        ("voice", "volume"): voice.volume,
        ("voice", "turns"): voice.turns,
        ("record", "on"): plain.record.on,
        ("record", "budget"): plain.record.budget / 1e9,
    }


def test_what_is_switched_off_shows_its_default_or_says_that_it_is_an_example() -> None:
    service = {("journal", "folder"): "/var/lib/racko", ("record", "folder"): "/var/lib/racko/recordings"}
    shown = defaults() | service
    for section, key, value, words, off in rows():
        if (section, key) in shown:
            assert off
            assert tomllib.loads(f"it = {value}")["it"] == shown[section, key]
        elif off and section != "camera":
            assert "example" in words or "(default: " in words, key
    assert f"(default: {Configuration().port}," in EXAMPLE.read_text()


def test_no_key_has_more_than_one_line_of_words() -> None:
    assert all(len(words) > 10 or words == "as above" for *_, words, _ in rows())
    assert max(map(len, EXAMPLE.read_text().splitlines())) <= 130
