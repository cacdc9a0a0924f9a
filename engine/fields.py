"""Plain readers for decoded JSON: each gives a value of one type, or raises BadInput saying what it is instead."""

import sys
from collections.abc import Callable, Sequence
from typing import Final, TypeVar

from engine.errors import BadInput

T = TypeVar("T")

Reader = Callable[[object], T]
"""Reads one decoded value. Raises BadInput for a value of another type."""

LONGEST_KEY: Final = 3
"""Keys that are numbers are seats and cards; no card has more digits."""


def field(said: object, key: str, read: Reader[T]) -> T:
    """Read one key of an object. Raises BadInput naming the key."""
    if not isinstance(said, dict) or key not in said:
        raise BadInput(f"{key} is missing")
    try:
        return read(said[key])
    except BadInput as problem:
        raise BadInput(f"{key}: {problem}") from None


def whole(value: object) -> int:
    """Read a whole number."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise BadInput(f"{value!r} is not a whole number")
    return value


def real(value: object) -> float:
    """Read a finite number."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= sys.float_info.max:
        raise BadInput(f"{value!r} is not a number")
    return float(value)


def text(value: object) -> str:
    """Read a text."""
    if not isinstance(value, str):
        raise BadInput(f"{value!r} is not a text")
    return value


def flag(value: object) -> bool:
    """Read true or false."""
    if not isinstance(value, bool):
        raise BadInput(f"{value!r} is neither true nor false")
    return value


def one_of(words: Sequence[T]) -> Reader[T]:
    """Read one of these words."""

    def read(value: object) -> T:
        for word in words:
            if isinstance(value, str) and value == word:
                return word
        raise BadInput(f"{value!r} is none of {', '.join(map(str, words))}")

    return read


def maybe(read: Reader[T]) -> Reader[T | None]:
    """Read null, or what `read` reads."""
    return lambda value: None if value is None else read(value)


def listed(read: Reader[T]) -> Reader[tuple[T, ...]]:
    """Read a list of what `read` reads."""

    def read_all(value: object) -> tuple[T, ...]:
        if not isinstance(value, list):
            raise BadInput(f"{value!r} is not a list")
        return tuple(read(item) for item in value)

    return read_all


def by_number(read: Reader[T]) -> Reader[dict[int, T]]:
    """Read an object whose keys are whole numbers, such as seats or cards, and whose values `read` reads."""

    def read_all(value: object) -> dict[int, T]:
        if not isinstance(value, dict):
            raise BadInput(f"{value!r} is not an object")
        return {_number(key): read(item) for key, item in value.items()}

    return read_all


def _number(key: object) -> int:
    if isinstance(key, str) and key.isascii() and key.isdigit() and len(key) <= LONGEST_KEY:
        return int(key)
    raise BadInput(f"the key {key!r} is not a whole number")
