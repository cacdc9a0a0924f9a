"""Whether the program itself is whole: Python, OpenCV, the packages it needs, its nets, and a number read right.

Nothing of ours and nothing that is installed is imported before it is needed: this check is for where it is missing.
"""

import platform
import re
import sys
from collections.abc import Iterator
from importlib import metadata
from typing import Final

from device.doctor.findings import Finding

CHECK: Final = "program"
PYTHON: Final = (3, 11)
AGAIN: Final = "install racko again (deploy/setup run, or pip install .)"
REQUIREMENT = re.compile(r"([A-Za-z0-9._-]+)\s*(?:>=\s*([0-9][^\s,;]*))?")
STANDS_FOR: Final = {
    "opencv-python": ("opencv-python-headless", "opencv-contrib-python", "opencv-contrib-python-headless")
}
"""Other packages that bring the same module."""

NUMBERS: Final = (38, 17, 6, 52)
"""Cards that are drawn and read; no table has shown them."""
SURELY: Final = 0.95


def check(*_: object) -> Iterator[Finding]:
    """Check versions and packages first, then what the program reads with."""
    yield packages()
    yield reading()


def packages() -> Finding:
    """Hold Python and the installed packages against what racko asks for."""
    versions = f"Python {platform.python_version()}"
    if sys.version_info[:2] < PYTHON:
        return Finding(CHECK, "bad", versions, f"racko needs Python {PYTHON[0]}.{PYTHON[1]} or newer; {AGAIN} with it")
    try:
        asked = [line for line in metadata.requires("racko") or () if "extra ==" not in line]
    except metadata.PackageNotFoundError:
        return Finding(CHECK, "look", f"{versions}; racko runs from its folder and is not installed", AGAIN)
    wrong = [words for line in asked if (words := _amiss(line))]
    shown = [f"{name} {version}" for name in ("opencv-python", "numpy", "gpiozero") if (version := _version(name))]
    found = ", ".join((versions, *shown))
    if wrong:
        return Finding(CHECK, "bad", f"{found}; {', '.join(wrong)}", AGAIN)
    return Finding(CHECK, "good", f"{found}; all {len(asked)} packages are there")


def reading() -> Finding:
    """Load the nets, and read some drawn numbers."""
    import cv2  # noqa: PLC0415 - see the module's docstring
    import numpy as np  # noqa: PLC0415 - likewise

    from calibration.table import TableError  # noqa: PLC0415 - likewise
    from vision.nets import load_net  # noqa: PLC0415 - likewise
    from vision.rack import states  # noqa: PLC0415 - likewise
    from vision.reading.digits import COLUMNS, ROWS, NumberReader  # noqa: PLC0415 - likewise

    try:
        reader = NumberReader()
        answers = (len(states.STATES),)
        for model, shape in ((states.MODEL, (3, states.ROWS, states.COLUMNS)), (states.GLANCE, states.GLANCED)):
            load_net(model, "the net for slots", shape, answers, states.StatesError)
    except TableError as problem:
        return Finding(CHECK, "bad", str(problem), AGAIN)
    crops = []
    for number in NUMBERS:
        crop = np.full((ROWS, COLUMNS), 225, np.uint8)
        (width, height), _ = cv2.getTextSize(str(number), cv2.FONT_HERSHEY_SIMPLEX, 0.82, 2)
        corner = (COLUMNS - width) // 2, (ROWS + height) // 2
        cv2.putText(crop, str(number), corner, cv2.FONT_HERSHEY_SIMPLEX, 0.82, 40, 2, cv2.LINE_AA)
        crops.append(crop)
    chances = reader.read(crops)
    right = sum(
        bool(row.argmax() == number and row.max() >= SURELY) for row, number in zip(chances, NUMBERS, strict=True)
    )
    found = f"all four nets are there; {right} of {len(NUMBERS)} drawn numbers are read right"
    if right < len(NUMBERS):
        return Finding(CHECK, "bad", f"{found}, by OpenCV {cv2.__version__}", AGAIN)
    return Finding(CHECK, "good", found)


def _amiss(line: str) -> str:
    """Say what is wrong with one package that is asked for, such as "numpy>=2.0"; "" where nothing is."""
    asked = REQUIREMENT.match(line)
    if asked is None:
        return ""
    name, least = asked[1], asked[2]
    version = _version(name)
    if version is None:
        return f"{name} is missing"
    if least is not None and _ordered(version) < _ordered(least):
        return f"{name} is {version} and must be {least} or newer"
    return ""


def _version(name: str) -> str | None:
    for known in (name, *STANDS_FOR.get(name, ())):
        try:
            return metadata.version(known)
        except metadata.PackageNotFoundError:
            continue
    return None


def _ordered(version: str) -> tuple[int, ...]:
    """Give a version's numbers, to be compared: "2.0.1.post3" is (2, 0, 1, 3)."""
    return tuple(int(part) for part in re.findall(r"\d+", version))
