"""The recorded round in some of the rooms that `python -m tests.faults.rooms` plays it in."""

import pytest

from tests.device.recorded import SESSION
from tests.faults.rooms import ROOMS, followed


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        "dim",
        "upside down",
        "squeezed into 4:3",
        "stretched by a third",
        "the camera is bumped",
        "light from other sides",
        "shadows come and go",
        "no hand is ever seen",
        "something moves beside",
    ],
)
def test_a_round_is_followed_in_another_room_as_where_it_was_recorded(name: str) -> None:
    assert followed(SESSION, ROOMS[name]) == ([], 0)
