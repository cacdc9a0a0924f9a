import pytest

from device.panel import Sign
from tests.faults.lamp import shown


@pytest.mark.slow
def test_an_led_in_view_is_not_taken_for_play_nor_does_it_hold_up_the_reading() -> None:
    dark = shown(None)
    assert (dark.wrong, dark.accused, dark.right) == (0, 0, True), str(dark)
    came = shown("mirrored", Sign.LOOKING)
    assert (came.wrong, came.accused, came.right) == (0, 0, True), str(came)
    # It is on and off a hundred times in this round, before three cameras.
    assert came.moved < dark.moved + 50, str(came)
    assert came.later(dark)[1] < 0.5, str(came)
