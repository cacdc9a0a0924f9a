"""The panel on the table: RACK-O buttons, LEDs and a buzzer on a Raspberry Pi's pins, through gpiozero.

Wiring, by the numbers of the 40-pin header. Which GPIO a part is on is a setting (`[panel]`); button and LED have the
defaults that stand here, the rest is an example. Any ground does: 6, 9, 14, 20, 25, 30, 34 or 39.

    button        between 11 (GPIO 17) and 9 (ground); it is pulled up inside the Pi and needs no resistor. Longer than
                  half a metre: twist the two wires, and solder 100 nF across the button against stray pulses
    LED           its longer leg by a resistor of 330 ohms to 13 (GPIO 27), its shorter leg to 14 (ground)
    button a seat seats 1 to 4 between 29, 31, 33, 35 (GPIO 5, 6, 13, 19) and 39 (ground), as above
    LED a seat    seats 1 to 4 at 32, 36, 38, 40 (GPIO 12, 16, 20, 21), each with its own 330 ohms, and 34 (ground)
    RGB LED       red, green, blue each by 330 ohms to 15, 16, 18 (GPIO 22, 23, 24); the common leg to 20 (ground), or
                  with `rgb_common = "anode"` to 17 (3.3 V), never to 5 V
    buzzer        an active one (it sounds on plain voltage) on a board with a transistor that sounds on high: its
                  input to 22 (GPIO 25), its plus to 1 (3.3 V), its minus to 25 (ground). A bare one draws too much

Put every light where it falls on nothing that a camera watches. Whatever is shown is public and tells nothing of a
rack's cards. Feedback must not disturb observation, so while a round is played a light is steady, or changes no faster
than once a second, beside one short dark moment where a sign begins; only after a press it is quicker, when nobody
plays. Lights are plainly on or off: dimming by pulses would beat with a camera's shutter.
"""

from device.panel.gpio import GpioPanel, NullPanel, Panel, open_panel
from device.panel.patterns import PATTERNS, Pattern, Sign
from device.panel.settings import PanelSettings, read_panel
from device.panel.signs import PanelAudience, Showing, signs_for

__all__ = [
    "PATTERNS",
    "GpioPanel",
    "NullPanel",
    "Panel",
    "PanelAudience",
    "PanelSettings",
    "Pattern",
    "Showing",
    "Sign",
    "open_panel",
    "read_panel",
    "signs_for",
]
