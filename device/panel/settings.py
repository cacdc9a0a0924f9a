"""Where the panel's parts are wired: section `[panel]` of the configuration, and what cannot be wired."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from engine.cards import SEATS, Seat
from engine.errors import BadInput

HEADER: Final = range(28)
"""The GPIO numbers on the header of every Raspberry Pi since 2014."""

BUTTON_PIN: Final = 17
LED_PIN: Final = 27

Common = Literal["cathode", "anode"]
"""Which leg an RGB LED's three colours share: the one to ground (a high pin lights) or to 3.3 V (a low pin lights)."""

COLOURS: Final = ("red", "green", "blue")


@dataclass(frozen=True)
class PanelSettings:
    """Which part is on which GPIO number; None, or a seat left out, where there is no such part.

    button_pin, led_pin: of the whole table. seat_button_pins, seat_led_pins: by seat. rgb_pins: red, green, blue.
    quiet: the buzzer stays silent. Parts may be wired in any combination. Raises BadInput for a number that no pin
    has, one pin with two uses, and a seat that there is not.
    """

    button_pin: int | None = BUTTON_PIN
    led_pin: int | None = LED_PIN
    seat_button_pins: Mapping[Seat, int] = field(default_factory=dict)
    rgb_pins: tuple[int, int, int] | None = None
    rgb_common: Common = "cathode"
    seat_led_pins: Mapping[Seat, int] = field(default_factory=dict)
    buzzer_pin: int | None = None
    quiet: bool = False

    def __post_init__(self) -> None:
        """Refuse what cannot be wired."""
        for table in ("seat_button_pins", "seat_led_pins"):
            for seat in getattr(self, table):
                if seat not in SEATS:
                    raise BadInput(
                        f"[panel] {table}: there is no seat {seat}; write seats from {SEATS[0]} to {SEATS[-1]}"
                    )
        uses = list(self._uses())
        for key, pin in uses:
            if type(pin) is not int or pin not in HEADER:
                raise BadInput(f"[panel] {key} = {pin!r}: write a GPIO number from {HEADER[0]} to {HEADER[-1]}")
        pin, times = Counter(pin for _, pin in uses).most_common(1)[0] if uses else (0, 0)
        if times > 1:
            one, other, *_ = (key for key, used in uses if used == pin)
            raise BadInput(f"[panel] {one} and {other} are both {pin}: give each its own GPIO number")

    def _uses(self) -> Iterator[tuple[str, int]]:
        """Each pin with what it is called in the configuration."""
        for key, pin in (("button_pin", self.button_pin), ("led_pin", self.led_pin), ("buzzer_pin", self.buzzer_pin)):
            if pin is not None:
                yield key, pin
        for colour, pin in zip(COLOURS, self.rgb_pins or (), strict=False):
            yield f"rgb_pins ({colour})", pin
        for table in ("seat_button_pins", "seat_led_pins"):
            yield from ((f"{table}.{seat}", pin) for seat, pin in getattr(self, table).items())


def read_panel(said: Mapping[str, object]) -> PanelSettings:
    """Read section `[panel]`, as TOML has it.

    The table's own button is where it is by default unless seats have buttons, and its LED likewise. Raises BadInput:
    key, what is wrong, what to write.
    """
    seat_buttons, seat_leds = _by_seat(said, "seat_button_pins"), _by_seat(said, "seat_led_pins")
    rgb = _rgb(said)
    return PanelSettings(
        button_pin=_pin(said, "button_pin", None if seat_buttons else BUTTON_PIN),
        led_pin=_pin(said, "led_pin", None if seat_leds or rgb else LED_PIN),
        seat_button_pins=seat_buttons,
        rgb_pins=rgb,
        rgb_common=_common(said),
        seat_led_pins=seat_leds,
        buzzer_pin=_pin(said, "buzzer_pin", None),
        quiet=_quiet(said),
    )


def _pin(said: Mapping[str, object], key: str, without: int | None) -> int | None:
    pin = said.get(key, without)
    if pin is not None and (not isinstance(pin, int) or isinstance(pin, bool)):
        raise BadInput(f"[panel] {key} = {pin!r}: write a GPIO number from {HEADER[0]} to {HEADER[-1]}")
    return pin


def _by_seat(said: Mapping[str, object], key: str) -> dict[Seat, int]:
    """Read a table of pins; TOML has strings for keys."""
    table = said.get(key, {})
    if not isinstance(table, dict):
        raise BadInput(f"[panel] {key} = {table!r}: write a GPIO number for each seat, such as {{1 = 5, 2 = 6}}")
    pins: dict[Seat, int] = {}
    for name, pin in table.items():
        if name not in {str(seat) for seat in SEATS}:
            raise BadInput(f"[panel] {key}: there is no seat {name}; write seats from {SEATS[0]} to {SEATS[-1]}")
        if not isinstance(pin, int) or isinstance(pin, bool):
            raise BadInput(f"[panel] {key}.{name} = {pin!r}: write a GPIO number from {HEADER[0]} to {HEADER[-1]}")
        pins[int(name)] = pin
    return pins


def _rgb(said: Mapping[str, object]) -> tuple[int, int, int] | None:
    match said.get("rgb_pins"):
        case None:
            return None
        case [int(red), int(green), int(blue)] as pins if not any(isinstance(pin, bool) for pin in pins):
            return red, green, blue
        case other:
            raise BadInput(f"[panel] rgb_pins = {other!r}: write three GPIO numbers, red, green, blue: [22, 23, 24]")


def _common(said: Mapping[str, object]) -> Common:
    match said.get("rgb_common", "cathode"):
        case "cathode":
            return "cathode"
        case "anode":
            return "anode"
        case other:
            raise BadInput(
                f'[panel] rgb_common = {other!r}: write "cathode" (shared leg to ground) or "anode" (to 3.3 V)'
            )


def _quiet(said: Mapping[str, object]) -> bool:
    quiet = said.get("quiet", False)
    if not isinstance(quiet, bool):
        raise BadInput(f"[panel] quiet = {quiet!r}: write true or false")
    return quiet
