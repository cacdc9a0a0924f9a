import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.rack.edges import Layout, edge_near, middle_change, top_edges
from vision.rack.matching import GRID, explain

PITCH = 11.9
SCALE = 4.0
LAYOUT = Layout((44.0, 376.0), (SCALE, SCALE))
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
    lines = top_edges(plane(offsets, 0.02), ROWS, LAYOUT)[0].lines
    for slot, line in enumerate(lines):
        assert line is not None
        assert line.row(210) == pytest.approx(ROWS[slot] - offsets[slot] * SCALE, abs=2.5)
        assert line.slope == pytest.approx(0.02, abs=0.01)
        assert line.belongs > 0.9


def test_a_missing_card_leaves_its_slot_without_a_line() -> None:
    lines = top_edges(plane({slot: 0.0 for slot in range(10) if slot != 4}), ROWS, LAYOUT)[0].lines
    assert [line is None for line in lines] == [slot == 4 for slot in range(10)]


def test_one_edge_is_not_given_to_two_slots() -> None:
    lines = top_edges(plane({3: 0.0}), ROWS, LAYOUT)[0].lines
    assert [slot for slot, line in enumerate(lines) if line is not None] == [3]


def test_where_no_edge_is_seen_no_slot_has_a_line() -> None:
    places, expected = np.linspace(-150, 299 * GRID - 150, 300), np.linspace(-130, 9 * PITCH - 130, 10)
    (explained, *_) = explain(np.zeros(300), places, expected)
    assert explained.choices == (None,) * 10
    assert explained.faint == (0.0,) * 10
    assert top_edges(plane({}), ROWS, LAYOUT)[0].lines == (None,) * 10


def test_a_slot_beyond_the_planes_ends_has_no_edge() -> None:
    places, expected = np.linspace(0, 119 * GRID, 120), np.linspace(-20, 9 * PITCH - 20, 10)
    strength = np.zeros(120)
    strength[[np.abs(places - expected[slot]).argmin() for slot in (2, 3, 4, 5)]] = 0.9
    (explained, *_) = explain(strength, places, expected)
    assert [choice is not None for choice in explained.choices] == [slot in {2, 3, 4, 5} for slot in range(10)]


def test_a_printed_border_below_an_edge_is_not_the_next_card() -> None:
    picture = plane({slot: 0.0 for slot in range(10) if slot != 3})
    for slot in (2, 4):
        row = round(ROWS[slot] + 2.0 * SCALE)
        picture[row : row + 2, 44:376] = 30
    lines = top_edges(picture, ROWS, LAYOUT)[0].lines
    assert [line is None for line in lines] == [slot == 3 for slot in range(10)]


def test_the_upper_end_of_a_logo_is_no_edge() -> None:
    picture = plane({slot: 0.0 for slot in range(10) if slot != 5})
    row = round(ROWS[5])
    picture[row : row + 24, 150:270] = (20, 20, 160)
    lines = top_edges(picture, ROWS, LAYOUT)[0].lines
    assert lines[5] is None


@pytest.mark.parametrize("known", ["where it is", "not at all"])
def test_the_mats_own_edge_is_no_cards(known: str) -> None:
    picture = plane(dict.fromkeys(range(9), 0.0))
    mat = round(ROWS[9]) + 3
    before = picture[mat:]
    before[before.max(axis=2) < 100] = 220
    blurred = np.asarray(cv2.GaussianBlur(picture, (1, 9), 2.0), np.uint8)
    layout = Layout(LAYOUT.columns, LAYOUT.scale, mat if known == "where it is" else None)
    line = top_edges(blurred, ROWS, layout)[0].lines[9]
    assert (line is None) == (known == "where it is")


def test_the_edge_of_a_bent_card_is_found() -> None:
    picture = plane({slot: 0.0 for slot in range(10) if slot != 6})
    columns = np.arange(420)
    rows = ROWS[6] + 4.0 * ((columns - 210) / 166) ** 2
    inside = (np.arange(len(picture))[:, None] >= rows[None, :]) & (np.arange(len(picture))[:, None] < ROWS[5])
    picture[inside & (columns >= 32) & (columns < 388)] = 150
    line = top_edges(picture, ROWS, LAYOUT)[0].lines[6]
    assert line is not None
    assert line.row(210) == pytest.approx(ROWS[6] + 1, abs=3.0)


def test_a_single_edge_is_found_in_a_part_of_the_plane() -> None:
    part = plane({4: 1.0, 5: 0.0})[round(ROWS[4]) - 40 : round(ROWS[4]) + 20]
    line = edge_near(part, 40.0, LAYOUT, 4)
    assert line is not None
    assert line.row(210) == pytest.approx(40 - SCALE, abs=2.0)
    assert edge_near(part[20:], 20.0, LAYOUT, 18) is None


def test_the_next_best_edge_is_found_when_the_best_is_passed_over() -> None:
    part = plane({4: 1.0, 5: 0.0})[round(ROWS[4]) - 40 : round(ROWS[4]) + 20]
    part[:14] = 20  # a stronger edge, but farther from where one is expected
    best = edge_near(part, 30.0, LAYOUT, 4)
    assert best is not None
    other = edge_near(part, 30.0, LAYOUT, 4, but=best.at)
    assert other is not None
    assert abs(other.at - best.at) > 2.0 * SCALE
    assert sorted([best.at, other.at]) == pytest.approx([14.0, 40 - SCALE], abs=2.5)


def test_edges_half_way_between_slots_are_not_surely_anyones() -> None:
    places = np.arange(-20.0, 9 * PITCH + 20, GRID)
    expected = np.arange(10, dtype=np.float64) * PITCH
    strength = np.zeros(len(places))
    for edge in np.arange(2, 8) * PITCH + PITCH / 2:
        strength[np.abs(places - edge) < 0.3] = 0.9
    first, second = explain(strength, places, expected)[:2]
    assert first.value == pytest.approx(second.value, abs=1.5)


def test_the_median_of_eight_segments_is_the_middle_one_with_the_smaller_step() -> None:
    # all patterns of noughts and ones, and some numbers at random
    patterns = (np.arange(256)[:, None] >> np.arange(8)) & 1
    some = np.random.default_rng(4).normal(size=(300, 8))
    for values in (patterns.astype(np.float32), some.astype(np.float32)):
        fourth, fifth = np.sort(values, axis=1)[:, 3:5].T
        smaller = np.where(fourth * fifth <= 0, 0.0, np.where(fourth > 0, fourth, fifth))
        assert middle_change(list(values.T[..., None]))[:, 0] == pytest.approx(smaller)


def test_an_edge_leans_as_most_of_it_does_though_at_one_end_the_paper_is_behind_it() -> None:
    """There the step is the other way round, and below it a number makes one that seems to be the edge's."""
    columns, rows = np.arange(420), np.arange(80)[:, None]
    edge = 40.0 - 0.05 * (columns - 210)
    picture = np.where(rows >= edge, 180, 60)
    paper = columns >= 290
    picture[(rows < edge) & paper] = 230
    picture[(rows >= edge + 6) & (rows < edge + 10) & paper] = 90
    line = edge_near(np.repeat(picture[..., None], 3, axis=2).astype(np.uint8), 40.0, LAYOUT, 4)
    assert line is not None
    assert line.slope == pytest.approx(-0.05, abs=0.008)
    assert line.row(210) == pytest.approx(40.0, abs=1.0)
