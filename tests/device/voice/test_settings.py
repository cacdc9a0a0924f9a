from pathlib import Path

import pytest

from device.configuration import read_configuration
from device.voice import VoiceSettings
from engine.errors import BadInput


def read(folder: Path, words: str) -> VoiceSettings:
    path = folder / "racko.toml"
    path.write_text(words)
    return read_configuration(path).voice


@pytest.mark.parametrize("words", ["", "[voice]\n"])
def test_without_a_word_of_it_the_device_is_silent(words: str, tmp_path: Path) -> None:
    assert read(tmp_path, words) == VoiceSettings(on=False)


def test_every_key_is_read(tmp_path: Path) -> None:
    words = '[voice]\non = true\nvoice = "en-us+f3"\nspeed = 120\nvolume = 60\ndevice = "plughw:1,0"\nturns = true\n'
    assert read(tmp_path, words) == VoiceSettings(
        on=True, voice="en-us+f3", speed=120, volume=60, device="plughw:1,0", turns=True
    )


@pytest.mark.parametrize(
    ("words", "key"),
    [
        ("on = 1", "on"),
        ('turns = "no"', "turns"),
        ("voice = 3", "voice"),
        ('voice = ""', "voice"),
        ('voice = "-w/etc/x"', "voice"),
        ('voice = "../../etc/passwd"', "voice"),
        ('voice = "en gb"', "voice"),
        ("speed = 79", "speed"),
        ("speed = 451", "speed"),
        ("speed = 120.5", "speed"),
        ("speed = true", "speed"),
        ("volume = -1", "volume"),
        ("volume = 201", "volume"),
        ('device = "-"', "device"),
        ('device = "a b"', "device"),
        ("device = 1", "device"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line_with_its_key(words: str, key: str, tmp_path: Path) -> None:
    with pytest.raises(BadInput) as refused:
        read(tmp_path, f"[voice]\n{words}\n")
    assert f"[voice] {key} = " in str(refused.value)
    assert ": write " in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_key_that_there_is_not_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"voice\.language is not known; known here: on, voice, speed"):
        read(tmp_path, '[voice]\nlanguage = "en"\n')
