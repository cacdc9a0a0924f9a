"""The style sheets and scripts as files: contrast, and nothing from anywhere else."""

import re
from pathlib import Path

import pytest

import webui

ROOM = Path(webui.__file__).parent
FILES = sorted(path for folder in ("static", "templates") for path in (ROOM / folder).rglob("*") if path.is_file())

PAIRS = [
    ("ink", "paper"), ("ink", "surface"), ("muted", "paper"), ("muted", "surface"), ("on-blue", "blue"),
    ("on-red", "red"), ("on-gold", "gold"), ("on-warn", "warn"), ("green", "surface"), ("warn-line", "paper"),
    ("card-ink", "card"), ("tile-ink", "tile"),
]  # fmt: skip


def colours(*, dark: bool) -> dict[str, str]:
    text = (ROOM / "static" / "shared" / "base.css").read_text()
    light, night = text.split("@media (prefers-color-scheme: dark)")
    found = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", light))
    if dark:
        found |= dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", night))
    return found


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize(("front", "ground"), PAIRS)
def test_text_has_enough_contrast_in_both_themes(front: str, ground: str, *, dark: bool) -> None:
    found = colours(dark=dark)
    low, high = sorted([luminance(found[front]), luminance(found[ground])])
    assert (high + 0.05) / (low + 0.05) >= 4.5


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(ROOM)))
def test_no_file_of_the_page_names_another_host(file: Path) -> None:
    text = file.read_text().replace('xmlns="http://www.w3.org/2000/svg"', "")
    assert "//" not in re.sub(r"(^|\s)//\s.*", "", text)
    assert "@import" not in text
    assert "@font-face" not in text


@pytest.mark.parametrize(
    "file", [file for file in FILES if file.suffix == ".js"], ids=lambda file: str(file.relative_to(ROOM))
)
def test_scripts_make_text_and_never_markup(file: Path) -> None:
    text = file.read_text()
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function", text)
