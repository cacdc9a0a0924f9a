"""`racko mats`: writes the mats to print, and says how to print them."""

import json
from pathlib import Path
from typing import Final

from calibration.mats import marker_ids, mat_name, mats_pdf
from calibration.table import MAT_SIZE, Table
from engine.errors import RackoError

PDF: Final = b"%PDF-"
"""What every PDF begins with."""


def print_mats(path: Path, table: Table, seats: int, *, as_json: bool) -> int:
    """Write the mats of the tray and of seats 1 to `seats`; return the exit code.

    Raises TableError for a table or a number of seats that makes no mats, and RackoError where the file cannot be
    written or is there already and is something else than a PDF.
    """
    content = mats_pdf(table, seats)
    _write(path, content)
    name = str(path).encode(errors="replace").decode()  # a path may hold bytes that are no text
    if as_json:
        mats = [{"mat": mat_name(number), "markers": list(marker_ids(number))} for number in range(seats + 1)]
        print(json.dumps({"file": name, "bytes": len(content), "page": list(MAT_SIZE), "mats": mats}), flush=True)
    else:
        print(*_in_words(name, seats), sep="\n", flush=True)
    return 0


def _write(path: Path, content: bytes) -> None:
    try:
        if path.exists():
            _check_is_ours(path)
        path.write_bytes(content)
    except FileNotFoundError:
        raise RackoError(f"{path}: there is no folder {path.parent}; make it, or give another path") from None
    except OSError as problem:
        raise RackoError(f"{path}: cannot be written ({problem.strerror}); give another path") from None


def _check_is_ours(path: Path) -> None:
    """Refuse to take the place of what is no PDF: a mistyped path must not cost a family its table or its photos."""
    if path.is_dir():
        raise RackoError(f"{path}: is a folder; give the path of a file")
    if not path.is_file():
        raise RackoError(f"{path}: is no ordinary file; give another path")
    with path.open("rb") as stream:
        if stream.read(len(PDF)) != PDF:
            raise RackoError(f"{path}: is there already and is not a PDF; move it away, or give another path")


def _in_words(name: str, seats: int) -> list[str]:
    whose = "seat 1" if seats == 1 else f"seats 1 to {seats}"
    return [
        f"{name}: {seats + 1} pages, the mats of the tray and of {whose}",
        '  Print at 100 % ("actual size", no "fit to page"), A4, landscape, on one side of the paper.',
        "  Take stiff, matt paper: gloss blinds the camera, and a mat must lie flat.",
        "  Then measure the line at the left edge: 100 mm. If it is not, the printer has scaled the page: print again.",
        "  On Letter paper (North America) fit the page to it, all mats alike: the line is then 88 to 94 mm long,",
        "  which the cameras notice and reckon with.",
        "  Lay each mat with its label towards its player, and stand the rack or the tray on the outline.",
    ]
