from pathlib import Path

import pytest

from device.configuration import read_configuration
from device.panel import PanelSettings, read_panel
from engine.errors import BadInput


def read(folder: Path, words: str) -> PanelSettings:
    path = folder / "racko.toml"
    path.write_text(words, encoding="utf-8")
    return read_configuration(path).panel


@pytest.mark.parametrize("words", ["", "[panel]\n", "[panel]\nseat_button_pins = {}\nquiet = false\n"])
def test_without_a_word_there_is_one_button_and_one_led(tmp_path: Path, words: str) -> None:
    assert read(tmp_path, words) == PanelSettings(button_pin=17, led_pin=27)


def test_all_parts_at_once_are_read(tmp_path: Path) -> None:
    words = """
        [panel]
        button_pin = 4
        led_pin = 2
        seat_button_pins = {1 = 5, 2 = 6, 3 = 13, 4 = 19}
        rgb_pins = [22, 23, 24]
        rgb_common = "anode"
        buzzer_pin = 25
        quiet = true
        [panel.seat_led_pins]
        3 = 20
        1 = 12
        """
    assert read(tmp_path, words) == PanelSettings(
        button_pin=4,
        led_pin=2,
        seat_button_pins={1: 5, 2: 6, 3: 13, 4: 19},
        rgb_pins=(22, 23, 24),
        rgb_common="anode",
        seat_led_pins={1: 12, 3: 20},
        buzzer_pin=25,
        quiet=True,
    )


def test_parts_of_seats_and_an_rgb_led_take_the_place_of_the_tables_own() -> None:
    assert read_panel({"seat_button_pins": {"1": 5}}).button_pin is None
    assert read_panel({"seat_button_pins": {"1": 5}}).led_pin == 27
    assert read_panel({"seat_led_pins": {"1": 5}}).led_pin is None
    assert read_panel({"rgb_pins": [5, 6, 7]}).led_pin is None
    assert read_panel({"rgb_pins": [5, 6, 7], "led_pin": 27}).led_pin == 27


def test_a_pin_that_a_default_would_have_is_free_once_that_part_is_elsewhere() -> None:
    assert read_panel({"seat_button_pins": {"1": 17}}).seat_button_pins == {1: 17}
    assert read_panel({"button_pin": 27, "led_pin": 17}) == PanelSettings(button_pin=27, led_pin=17)


@pytest.mark.parametrize(
    ("words", "key", "advice"),
    [
        ("button_pin = 28", "button_pin = 28", "from 0 to 27"),
        ("led_pin = -1", "led_pin = -1", "from 0 to 27"),
        ("led_pin = true", "led_pin = True", "from 0 to 27"),
        ('button_pin = "GPIO17"', "button_pin = 'GPIO17'", "from 0 to 27"),
        ("buzzer_pin = 2.5", "buzzer_pin = 2.5", "from 0 to 27"),
        ("button_pin = 27", "button_pin and led_pin are both 27", "its own"),
        ("buzzer_pin = 17", "button_pin and buzzer_pin are both 17", "its own"),
        ("seat_led_pins = {1 = 17}", "button_pin and seat_led_pins.1 are both 17", "its own"),
        ("seat_button_pins = {1 = 5, 2 = 5}", "seat_button_pins.1 and seat_button_pins.2 are both 5", "its own"),
        ("rgb_pins = [22, 23, 22]", r"rgb_pins \(red\) and rgb_pins \(blue\) are both 22", "its own"),
        ("rgb_pins = [22, 23]", r"rgb_pins = \[22, 23\]", "three GPIO numbers"),
        ("rgb_pins = [22, 23, true]", "rgb_pins", "three GPIO numbers"),
        ("rgb_pins = 22", "rgb_pins = 22", "three GPIO numbers"),
        ("rgb_pins = [22, 23, 40]", r"rgb_pins \(blue\) = 40", "from 0 to 27"),
        ('rgb_common = "plus"', "rgb_common = 'plus'", '"cathode".*"anode"'),
        ("seat_button_pins = {5 = 6}", "seat_button_pins: there is no seat 5", "from 1 to 4"),
        ("seat_led_pins = {0 = 6}", "seat_led_pins: there is no seat 0", "from 1 to 4"),
        ("seat_led_pins = {Ada = 6}", "seat_led_pins: there is no seat Ada", "from 1 to 4"),
        ("seat_button_pins = [5, 6]", r"seat_button_pins = \[5, 6\]", "for each seat"),
        ("seat_button_pins = {1 = 99}", "seat_button_pins.1 = 99", "from 0 to 27"),
        ('seat_button_pins = {1 = "5"}', "seat_button_pins.1 = '5'", "from 0 to 27"),
        ("quiet = 1", "quiet = 1", "true or false"),
    ],
)
def test_what_cannot_be_wired_is_refused_in_one_line_with_file_key_and_what_to_write(
    tmp_path: Path, words: str, key: str, advice: str
) -> None:
    with pytest.raises(BadInput, match=rf"racko\.toml: \[panel\] {key}.*{advice}") as refused:
        read(tmp_path, f"[panel]\n{words}\n")
    assert "\n" not in str(refused.value)


def test_a_key_that_is_not_known_is_refused_with_those_that_are(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"panel\.buzer_pin is not known.*buzzer_pin"):
        read(tmp_path, "[panel]\nbuzer_pin = 25\n")


@pytest.mark.parametrize(
    "settings", [{"button_pin": 28}, {"led_pin": 17}, {"seat_led_pins": {9: 5}}, {"rgb_pins": (1, 2, 99)}]
)
def test_settings_made_in_the_program_are_held_to_the_same(settings: dict[str, object]) -> None:
    with pytest.raises(BadInput, match=r"\[panel\]"):
        PanelSettings(**settings)  # type: ignore[arg-type]  # that is the test
