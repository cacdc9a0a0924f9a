"""Is what vision says at 99% right 99 times in a hundred? Counts it, by how surely it was said."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

BOUNDS: Final = (0.0, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999, 1.0)
"""Between these a table of reliability has its rows."""
CERTAIN: Final = 0.95
"""How certain a bound is from so many readings as were counted."""


@dataclass
class Reliability:
    """What was said with which confidence, and whether it was right."""

    claims: list[tuple[float, bool]] = field(default_factory=list)

    def add(self, confidence: float, *, right: bool) -> None:
        """Count one place: the likeliest state's probability (0..1), sure or not."""
        self.claims.append((confidence, right))

    def lines(self) -> Iterator[str]:
        """Give a table: what was said, how often, what that promised, and what was right."""
        yield f"{'said at':>15}{'places':>8}{'promised':>10}{'right':>8}"
        for low, high in pairwise(BOUNDS):
            row = [(said, right) for said, right in self.claims if low <= said < high or said == high == 1.0]
            if row:
                promised, right = sum(said for said, _ in row) / len(row), sum(right for _, right in row) / len(row)
                yield f"{f'{low:g} .. {high:g}':>15}{len(row):8}{promised:10.4f}{right:8.4f}"

    def worst(self) -> float:
        """Give the highest confidence at which something wrong was said; 0 where nothing was."""
        return max((said for said, right in self.claims if not right), default=0.0)


def at_most(wrong: int, of: int) -> float:
    """Give the share (0..1) that is wrong at most, with 95 % certainty, where so many of so many were.

    Clopper and Pearson's bound. It takes them to be independent; several readings of one picture are not quite, so the
    truth is a little wider.
    """
    if of == 0 or wrong >= of:
        return 1.0
    low, high = 0.0, 1.0
    for _ in range(50):
        middle = (low + high) / 2
        if _no_more(wrong, of, middle) > 1 - CERTAIN:
            low = middle
        else:
            high = middle
    return high


def _no_more(wrong: int, of: int, share: float) -> float:
    """Give the chance of so many wrong or fewer where a share is wrong."""
    logs = (
        math.lgamma(of + 1)
        - math.lgamma(k + 1)
        - math.lgamma(of - k + 1)
        + k * math.log(share)
        + (of - k) * math.log1p(-share)
        for k in range(wrong + 1)
    )
    return sum(math.exp(log) for log in logs)
