"""The mats as a printer would make them: the PDF is rendered, and the markers are found in the picture."""

import cv2
import numpy as np
import pypdfium2
import pytest
from numpy.typing import NDArray

from calibration.mats import MARKER_CENTRES, RULER_WORDS, WELL_CENTRES, marker_ids, mats_pdf
from calibration.table import MAT_SIZE, Rack, Table, TableError, Tray
from vision.mats import find_mats, marker_corners
from vision.tray.wells import WELL_CENTRES as WELLS_SOUGHT

DPI = 200
EXACT = 0.1  # mm
PAGES = range(5)
MOVED = Table(rack=Rack(at=(120.0, 40.5), width=70.0, depth=140.0), tray=Tray("right"))
MARGIN = 5.0  # mm that a printer may leave white

Grey = NDArray[np.uint8]


def _page(number: int, table: Table) -> Grey:
    """A page as a grey picture (height, width), far edge first."""
    with pypdfium2.PdfDocument(mats_pdf(table)) as document:
        return np.asarray(document[number].render(scale=DPI / 72, grayscale=True).to_numpy()).squeeze().copy()


def _text(number: int, table: Table, right: float = MAT_SIZE[0]) -> str:
    """The words of a page as far to the right as this, in mm."""
    with pypdfium2.PdfDocument(mats_pdf(table)) as document:
        return str(document[number].get_textpage().get_text_bounded(right=right * 72 / 25.4))


def _on_mat(pixels: NDArray[np.float64], page: Grey) -> NDArray[np.float64]:
    """Points of a rendered page, (..., 2) in pixels with whole numbers at pixels' middles, in mm of the mat frame."""
    height, width = page.shape
    x, y = (pixels[..., 0] + 0.5) * MAT_SIZE[0] / width, MAT_SIZE[1] - (pixels[..., 1] + 0.5) * MAT_SIZE[1] / height
    return np.stack([x, y], axis=-1)


def _inked(page: Grey, x: float | tuple[float, float], y: float | tuple[float, float]) -> NDArray[np.float64]:
    """Where ink lies along the row or the column of pixels through a place, in mm along it, least first."""
    height, width = page.shape
    row = slice(None) if isinstance(y, tuple) else round((1 - y / MAT_SIZE[1]) * height - 0.5)
    column = slice(None) if isinstance(x, tuple) else round(x / MAT_SIZE[0] * width - 0.5)
    places = np.argwhere(np.atleast_2d(page[row, column]) < 245)[:, 1]
    if isinstance(x, tuple):
        along, (least, most) = (places + 0.5) * MAT_SIZE[0] / width, x
    else:
        assert isinstance(y, tuple)
        along, (least, most) = MAT_SIZE[1] - (places[::-1] + 0.5) * MAT_SIZE[1] / height, y
    return np.asarray(along[(along >= least) & (along <= most)])


def _markers(page: Grey) -> dict[int, NDArray[np.float64]]:
    """The markers of a page by id: corners (4, 2) in mm of the mat frame, in the detector's order."""
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    corners, ids, _ = cv2.aruco.ArucoDetector(dictionary, parameters).detectMarkers(page)
    found = zip(np.asarray(ids).ravel(), corners, strict=True)
    return {int(marker): _on_mat(quad.reshape(4, 2).astype(np.float64), page) for marker, quad in found}


def test_there_is_a_page_for_the_tray_and_one_for_each_seat_and_all_are_a4_landscape() -> None:
    for seats in (1, 2, 4):
        with pypdfium2.PdfDocument(mats_pdf(Table(), seats)) as document:
            assert len(document) == seats + 1
            for page in document:
                assert np.array(page.get_size()) * 25.4 / 72 == pytest.approx(MAT_SIZE, abs=0.01)


@pytest.mark.parametrize("number", PAGES)
def test_each_marker_has_its_id_and_its_place_and_its_size_and_stands_upright(number: int) -> None:
    found = _markers(_page(number, Table()))
    assert sorted(found) == list(range(4 * number, 4 * number + 4))
    for place, marker in enumerate(marker_ids(number)):
        centre = np.array(MARKER_CENTRES[place])
        # back-left, back-right, front-right, front-left of the marker: so it stands upright
        assert found[marker] - centre == pytest.approx(
            np.array([[-15, 15], [15, 15], [15, -15], [-15, -15]]), abs=EXACT
        )


@pytest.mark.parametrize("number", PAGES)
def test_a_printed_mat_is_found_by_the_same_code_as_at_the_table(number: int) -> None:
    page = _page(number, Table())
    (mat,) = find_mats(page)
    assert mat.number == number
    assert sorted(mat.markers) == [0, 1, 2, 3]
    on_mat, pixels = mat.points()
    assert _on_mat(pixels, page) == pytest.approx(on_mat, abs=EXACT)


def test_markers_and_wells_are_printed_where_vision_seeks_them() -> None:
    for place, centre in enumerate(MARKER_CENTRES):
        assert marker_corners(place).mean(axis=0) == pytest.approx(centre)
    assert WELL_CENTRES == WELLS_SOUGHT


@pytest.mark.parametrize("table", [Table(), MOVED], ids=["usual", "moved"])
def test_the_racks_outline_is_where_the_measured_rack_stands(table: Table) -> None:
    page, rack = _page(2, table), table.rack
    across = _inked(page, (50, 250), rack.at[1] + 20)
    along = _inked(page, rack.at[0] + 20, (30, 205))
    assert (across.min(), across.max()) == pytest.approx((rack.at[0], rack.at[0] + rack.width), abs=0.25)
    assert (along.min(), along.max()) == pytest.approx((rack.at[1], rack.at[1] + rack.depth), abs=0.25)


def test_the_wells_outlines_are_where_the_wells_are() -> None:
    page = _page(0, Table())
    assert _inked(page, (40, 260), 90) == pytest.approx(np.repeat([48.5, 145.5, 151.5, 248.5], 2), abs=0.25)
    assert _inked(page, 60, (40, 180)) == pytest.approx(np.repeat([73, 137], 2), abs=0.25)


def test_the_wells_are_named_by_the_setting() -> None:
    middle = MAT_SIZE[0] / 2
    for table, left, right in ((Table(), "draw pile", "discard pile"), (MOVED, "discard pile", "draw pile")):
        assert left in _text(0, table, middle)
        assert right not in _text(0, table, middle)
        assert right in _text(0, table)


@pytest.mark.parametrize("number", PAGES)
def test_each_mat_is_labelled(number: int) -> None:
    words = _text(number, Table())
    assert ("TRAY" if number == 0 else f"SEAT {number}") in words
    assert RULER_WORDS in words


def test_the_line_that_says_so_is_100_mm_long() -> None:
    line = _inked(_page(1, Table()), 10, (45, 165))
    assert np.diff(line).max() < 1.5 * 25.4 / DPI
    assert (line.min(), line.max()) == pytest.approx((55, 155), abs=0.25)


@pytest.mark.parametrize("number", PAGES)
def test_all_but_the_markers_is_pale_and_leaves_their_white_and_the_printers_margin_free(number: int) -> None:
    page = _page(number, MOVED)
    places = _on_mat(np.argwhere(page < 250)[:, ::-1].astype(np.float64), page)
    assert (places > MARGIN).all()
    assert (places < np.array(MAT_SIZE) - MARGIN).all()
    away = np.min([np.abs(places - centre).max(axis=1) for centre in MARKER_CENTRES], axis=0)
    assert ((away < 15.2) | (away > 19.9)).all()
    rest = page[page < 250][away > 19.9]
    assert rest.min() >= 85
    label = np.abs(places[away > 19.9] - np.array([MAT_SIZE[0] / 2, 10])) < [30, 5]
    assert rest[~label.all(axis=1)].min() >= 145


def test_the_same_table_makes_the_same_bytes_without_todays_date() -> None:
    assert mats_pdf(MOVED) == mats_pdf(MOVED)
    assert mats_pdf(MOVED) != mats_pdf(Table())
    assert b"/CreationDate (D:20260101000000Z" in mats_pdf(Table())


def test_the_file_asks_viewers_to_print_at_true_size() -> None:
    assert b"/PrintScaling /None" in mats_pdf(Table())


@pytest.mark.parametrize("seats", [-1, 0, 5])
def test_a_number_of_seats_that_the_game_has_not_is_refused(seats: int) -> None:
    with pytest.raises(TableError, match="seats: there are mats for 1 to 4 seats"):
        mats_pdf(Table(), seats)


@pytest.mark.parametrize(
    ("rack", "reason"),
    [
        (Rack(at=(230.0, 33.0)), "hangs over its mat"),
        (Rack(at=(111.0, 70.0)), "hangs over its mat"),
        (Rack(at=(20.0, 33.0)), "hides the mat's front-left marker"),
        (Rack(at=(180.0, 50.0)), "hides the mat's back-right marker"),
        (Rack(at=(44.0, 44.0)), "hides the mat's front-left marker"),
    ],
)
def test_a_rack_without_room_on_its_mat_is_refused_with_the_reason(rack: Rack, reason: str) -> None:
    with pytest.raises(TableError, match=reason):
        mats_pdf(Table(rack=rack))
