"""The mats to print (TABLE.md, Mats): A4 pages with markers, the places of rack and tray, and a line to measure.

Places are in mm of the mat frame: origin at the page's front-left corner, x to the right, y away from the player.
"""

from datetime import UTC, datetime
from typing import Final, Literal

import cv2
from fpdf import FPDF, ViewerPreferences
from fpdf.enums import Duplex

from calibration.table import MAT_SIZE, Rack, Table, TableError

TRAY: Final = 0
"""The number of the tray's mat; a seat's mat has the seat's number, 1..4 (TABLE.md, Mats)."""
SEATS: Final = 4
MARKER_SIDE: Final = 30.0
MARKER_CENTRES: Final = ((25.0, 25.0), (272.0, 25.0), (272.0, 185.0), (25.0, 185.0))
"""Centres of the four markers in mm, in the order of their ids (TABLE.md, Mats)."""
MARKER_CELLS: Final = 6
"""A marker of DICT_4X4_50 has four cells a side and a black border of one."""
QUIET: Final = MARKER_SIDE / MARKER_CELLS
"""A marker is found by the white about it: one cell's width, in mm, must stay free."""
WELL_SIZE: Final = (97.0, 64.0)
WELL_CENTRES: Final = {"left": (97.0, 105.0), "right": (200.0, 105.0)}
"""The tray's wells: width and depth, and their middles, in mm (TABLE.md, Mats)."""
RULER: Final = 100.0
RULER_START: Final = (10.0, 55.0)
"""The line to measure runs from here away from the player, at the left edge: no camera looks for anything there."""
RULER_WORDS: Final = "this line is 100 mm long: print at 100 %, no fit to page"
RACK_WORDS: Final = "the rack stands on the outline, its lowest slot in front"

LABEL_GREY, WORDS_GREY, LINE_GREY = 90, 150, 200
"""Brightness (0 black, 255 white) of the label, of small words and of outlines: pale beside a marker's black."""
LINE_WIDTH: Final = 0.25
LABEL_SIZE, WORDS_SIZE = 20, 9
"""Letters' sizes in points."""
PRINTED: Final = datetime(2026, 1, 1, tzinfo=UTC)
"""The date inside the file, always the same, so that the same table makes the same bytes."""


def mats_pdf(table: Table, seats: int = SEATS) -> bytes:
    """Make the PDF: the tray's mat, then the mats of seats 1 to `seats` (1..4), one A4 landscape page each.

    The same table and seats make the same bytes. Raises TableError where there is no such number of seats, or where
    the table's rack would hang over its mat or hide a marker.
    """
    if not 1 <= seats <= SEATS:
        raise TableError(f"seats: there are mats for 1 to {SEATS} seats, not for {seats}")
    _check_room(table.rack)
    width, depth = MAT_SIZE
    pdf = FPDF(orientation="landscape", unit="mm", format=(depth, width))
    pdf.set_auto_page_break(auto=False)
    pdf.set_title("Racko: mats to print")
    pdf.set_creation_date(PRINTED)
    # Viewers that heed this print at true size and on one side without being told.
    pdf.viewer_preferences = ViewerPreferences(print_scaling="None", duplex=Duplex.SIMPLEX)
    for number in range(seats + 1):
        pdf.add_page()
        if number == TRAY:
            _draw_wells(pdf, table)
        else:
            _draw_rack(pdf, table.rack)
        _write(pdf, (width / 2, 8.0), mat_name(number).upper(), size=LABEL_SIZE, grey=LABEL_GREY, style="B")
        _draw_ruler(pdf)
        for marker, centre in zip(marker_ids(number), MARKER_CENTRES, strict=True):
            _draw_marker(pdf, marker, centre)
    return bytes(pdf.output())


def mat_name(number: int) -> str:
    """Name a mat: "tray" or "seat 2"."""
    return "tray" if number == TRAY else f"seat {number}"


def marker_ids(number: int) -> tuple[int, ...]:
    """Give the ids of a mat's markers: front-left, front-right, back-right, back-left (TABLE.md, Mats)."""
    first = number * len(MARKER_CENTRES)
    return tuple(range(first, first + len(MARKER_CENTRES)))


def _check_room(rack: Rack) -> None:
    """Refuse a rack that has no room on its mat: one so placed was measured wrongly, or needs another place."""
    (left, front), right, back = rack.at, rack.at[0] + rack.width, rack.at[1] + rack.depth
    what = f"a rack of {rack.width:g} x {rack.depth:g} mm with its front-left corner at ({left:g}, {front:g})"
    if right > MAT_SIZE[0] or back > MAT_SIZE[1]:
        raise TableError(
            f"rack.at: {what} hangs over its mat of {MAT_SIZE[0]:g} x {MAT_SIZE[1]:g} mm; measure again or move it"
        )
    reach = MARKER_SIDE / 2 + QUIET
    for (x, y), place in zip(MARKER_CENTRES, ("front-left", "front-right", "back-right", "back-left"), strict=True):
        if left < x + reach and right > x - reach and front < y + reach and back > y - reach:
            raise TableError(f"rack.at: {what} hides the mat's {place} marker; measure again or move it")


def _draw_marker(pdf: FPDF, marker: int, centre: tuple[float, float]) -> None:
    """Draw a marker upright as the player sees it, as one path: cells drawn one by one leave hairlines between them."""
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    cells = cv2.aruco.generateImageMarker(dictionary, marker, MARKER_CELLS)
    left, top = centre[0] - MARKER_SIDE / 2, MAT_SIZE[1] - centre[1] - MARKER_SIDE / 2
    with pdf.new_path() as path:
        path.style.fill_color = "#000000"
        path.style.stroke_color = None
        for row, values in enumerate(cells):
            for column, value in enumerate(values):
                if value == 0:
                    path.rectangle(left + column * QUIET, top + row * QUIET, QUIET, QUIET)


def _draw_rack(pdf: FPDF, rack: Rack) -> None:
    """Outline the rack's place. Inside it stand no words: with the rack away they would be looked at as cards."""
    _outline(pdf, rack.at, (rack.width, rack.depth))
    _write(pdf, (MAT_SIZE[0] / 2, 18.0), RACK_WORDS)


def _draw_wells(pdf: FPDF, table: Table) -> None:
    """Outline the tray's wells, each with the name of its pile in front of it, where no card's edge is sought."""
    width, depth = WELL_SIZE
    for side, (x, y) in WELL_CENTRES.items():
        _outline(pdf, (x - width / 2, y - depth / 2), WELL_SIZE)
        _write(pdf, (x, y - depth / 2 - 12), "draw pile" if side == table.tray.draw else "discard pile")


def _draw_ruler(pdf: FPDF) -> None:
    """Draw the line that tells whether the page was printed at its true size, with a tick each 10 mm."""
    x, start = RULER_START
    _stroke(pdf, WORDS_GREY)
    _line(pdf, (x, start), (x, start + RULER))
    for tick in range(0, int(RULER) + 1, 10):
        reach = 4.0 if tick in {0, RULER} else 2.0
        _line(pdf, (x, start + tick), (x + reach, start + tick))
    middle = MAT_SIZE[1] - start - RULER / 2
    with pdf.rotation(90, x + 8, middle):
        _write(pdf, (x + 8, start + RULER / 2), RULER_WORDS)


def _outline(pdf: FPDF, corner: tuple[float, float], size: tuple[float, float]) -> None:
    """Draw a thin rectangle from its front-left corner."""
    _stroke(pdf, LINE_GREY)
    pdf.rect(corner[0], MAT_SIZE[1] - corner[1] - size[1], *size)


def _stroke(pdf: FPDF, grey: int) -> None:
    pdf.set_line_width(LINE_WIDTH)
    pdf.set_draw_color(grey)


def _line(pdf: FPDF, start: tuple[float, float], end: tuple[float, float]) -> None:
    pdf.line(start[0], MAT_SIZE[1] - start[1], end[0], MAT_SIZE[1] - end[1])


def _write(  # noqa: PLR0913 - a word has a place and a look
    pdf: FPDF,
    place: tuple[float, float],
    words: str,
    *,
    size: int = WORDS_SIZE,
    grey: int = WORDS_GREY,
    style: Literal["", "B"] = "",
) -> None:
    """Write words with the middle of their base line at a place."""
    pdf.set_font("helvetica", style, size)
    pdf.set_text_color(grey)
    pdf.text(place[0] - pdf.get_string_width(words) / 2, MAT_SIZE[1] - place[1], words)
