"""Checked values from the owner's TOML files: every refusal names the key and the reason."""

import math
import tomllib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar, cast

Made = TypeVar("Made")


class TableError(Exception):
    """Root of what calibration and vision cannot do: one line saying what, where, and what to do."""

    exit_code = 2


class RefusedError(Exception):
    """A key and the reason why its value cannot be right."""


def read_toml(source: str | Path, name: str, make: Callable[[Mapping[str, object]], Made], what: str) -> Made:
    """Make a value from a TOML file (a Path) or its text (a str); `name` and `what` it is are for the refusals.

    Raises TableError, in one line, for what cannot be read, is no TOML, or is refused by `make` (RefusedError).
    """
    try:
        text = source.read_text(encoding="utf-8") if isinstance(source, Path) else source
        values = tomllib.loads(text)
    except OSError as error:
        raise TableError(f"{name}: cannot be read ({error.strerror or error}); check the path") from None
    except UnicodeDecodeError:
        raise TableError(f"{name}: is not text; write it as UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        raise TableError(f"{name}: is not TOML: {error}") from None
    except RecursionError:
        raise TableError(f"{name}: is nested too deeply to be {what}") from None
    try:
        return make(values)
    except RefusedError as refused:
        raise TableError(f"{name}: {' '.join(str(refused).split())}") from None


def section_of(values: Mapping[str, object], key: str, name: str | None = None) -> Mapping[str, object]:
    """Give a section, empty where it is missing; `name` is its whole name if it lies in another."""
    section = values.get(key, {})
    if not isinstance(section, dict):
        raise RefusedError(f"{name or key}: must be a section, [{name or key}]")
    return cast("Mapping[str, object]", section)


def numbers_of(name: str, section: Mapping[str, object], known: Sequence[str]) -> dict[str, float]:
    """Give a section's numbers by key; a key that is not `known` is a misspelt one."""
    for key in section:
        check(key in known, f"{name}.{key}", f"is no key of [{name}]; it has {', '.join(known)}")
    return {key: number_of(f"{name}.{key}", value) for key, value in section.items()}


def number_of(key: str, value: object) -> float:
    """Give a finite number."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise RefusedError(f"{key}: {value!r} is not a number")
    try:
        number = float(value)
    except OverflowError:
        raise RefusedError(f"{key}: the number is too large") from None
    check(math.isfinite(number), key, f"{number} is not a finite number")
    return number


def vector_of(key: str, value: object, lengths: tuple[int, ...]) -> tuple[float, ...]:
    """Give a list of so many numbers."""
    if not isinstance(value, list) or len(value) not in lengths:
        raise RefusedError(f"{key}: must be a list of {' or '.join(map(str, lengths))} numbers")
    return tuple(number_of(key, item) for item in value)


def row_of(key: str, value: object) -> tuple[float, float, float]:
    """Give a matrix's row."""
    if not isinstance(value, list) or len(value) != 3:
        raise RefusedError(f"{key}: must be 3 rows of 3 numbers")
    first, second, third = (number_of(key, item) for item in value)
    return first, second, third


def check(holds: bool, key: str, reason: str) -> None:  # noqa: FBT001 - reads as a sentence at the call
    """Refuse a key's value where something does not hold."""
    if not holds:
        raise RefusedError(f"{key}: {reason}")
