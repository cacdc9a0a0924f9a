"""Waiting for what other threads do."""

import time
from collections.abc import Callable

PATIENCE = 30.0
"""Seconds after which a test that waits for an answer has failed."""


def eventually(found: Callable[[], bool]) -> bool:
    """Wait until something is so; False if it never is."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if found():
            return True
        time.sleep(0.02)
    return False
