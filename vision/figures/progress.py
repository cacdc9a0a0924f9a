"""Tells on standard error how far long work has come."""

import sys
import time
from typing import Final

OFTEN: Final = (0.2, 30.0)
"""Told so many seconds apart: on a terminal, and where nobody watches."""


class Progress:
    """One line that is overwritten on a terminal; elsewhere a line now and then."""

    def __init__(self) -> None:
        """Look whether standard error is a terminal."""
        self._watched = sys.stderr.isatty()
        self._told = time.monotonic()
        self._length = 0

    def tell(self, words: str) -> None:
        """Say how far it is, if it is time for that."""
        now = time.monotonic()
        if now - self._told < OFTEN[0 if self._watched else 1]:
            return
        self._told = now
        sys.stderr.write(f"\r{words:{self._length}}" if self._watched else f"{words}\n")
        sys.stderr.flush()
        self._length = len(words)

    def clear(self) -> None:
        """Leave an empty line to what is printed next."""
        if self._watched and self._length:
            sys.stderr.write(f"\r{'':{self._length}}\r")
            sys.stderr.flush()
            self._length = 0
