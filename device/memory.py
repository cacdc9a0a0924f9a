"""How this process keeps its memory: what pictures took is used again, and not fetched anew for each of them."""

import ctypes
from typing import Final

MMAP_THRESHOLD: Final = -3
TRIM_THRESHOLD: Final = -1
"""What glibc's <malloc.h> calls M_MMAP_THRESHOLD and M_TRIM_THRESHOLD."""

LARGEST: Final = 32 << 20
"""Bytes: what is larger gets memory of its own, as a rule; glibc allows no more (mallopt(3)). Pictures are smaller."""

KEPT: Final = 64 << 20
"""Bytes that are free may be kept: as much as five cameras' latest pictures, decoded, and their views."""


def keep_freed_memory() -> bool:
    """Have the C library keep memory that is freed, where it is glibc; tell whether it does.

    glibc gives the memory of each decoded picture back to the system, and gets it anew, page by page, for the next one:
    the replay of a recorded round took a fifth longer so.
    """
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (OSError, AttributeError):
        return False
    return bool(mallopt(MMAP_THRESHOLD, LARGEST) and mallopt(TRIM_THRESHOLD, KEPT))
