import numpy as np
import pytest
from numpy.typing import NDArray

from vision.edges import top_edges
from vision.matching import OFFSETS, explain

PITCH = 11.9
SCALE = 4.0
ROWS = np.array([(20 + 9 * PITCH - slot * PITCH) * SCALE for slot in range(10)])


def plane(edges: dict[int, float], slope: float = 0.0) -> NDArray[np.uint8]:
    """Draw a plane of top edges: each card down to the next, and of another brightness than its neighbours."""
    picture = np.full((round((40 + 9 * PITCH) * SCALE), 420, 3), 60, np.uint8)
    columns = np.arange(420)
    for slot in sorted(edges, reverse=True):
        rows = ROWS[slot] - edges[slot] * SCALE + slope * (columns - 210)
        inside = (np.arange(len(picture))[:, None] >= rows[None, :]) & (columns >= 32) & (columns < 388)
        picture[inside] = (180, 200, 220)[slot % 3]
    noise = np.random.default_rng(2).normal(0, 2, picture.shape)
    return np.clip(picture + noise, 0, 255).astype(np.uint8)


def test_ten_edges_are_found_where_they_are() -> None:
    offsets = {slot: [0.0, 1.5, -2.0, 0.5, 3.0][slot % 5] for slot in range(10)}
    lines = top_edges(plane(offsets, 0.02), ROWS, (44.0, 376.0), SCALE)[0].lines
    for slot, line in enumerate(lines):
        assert line is not None
        assert line.row(210) == pytest.approx(ROWS[slot] - offsets[slot] * SCALE, abs=2.5)
        assert line.slope == pytest.approx(0.02, abs=0.01)
        assert line.belongs > 0.9


def test_a_missing_card_leaves_its_slot_without_a_line() -> None:
    lines = top_edges(plane({slot: 0.0 for slot in range(10) if slot != 4}), ROWS, (44.0, 376.0), SCALE)[0].lines
    assert [line is None for line in lines] == [slot == 4 for slot in range(10)]


def test_one_edge_is_not_given_to_two_slots() -> None:
    lines = top_edges(plane({3: 0.0}), ROWS, (44.0, 376.0), SCALE)[0].lines
    assert [slot for slot, line in enumerate(lines) if line is not None] == [3]


def test_edges_half_way_between_slots_are_not_surely_anyones() -> None:
    strength = np.zeros((10, len(OFFSETS)))
    places = np.arange(10)[:, None] * PITCH + OFFSETS[None, :]
    for edge in np.arange(2, 8) * PITCH + PITCH / 2:
        strength[np.abs(places - edge) < 0.2] = 0.9
    first, second = explain(strength, places, PITCH)
    assert first.value == pytest.approx(second.value, abs=1.5)
