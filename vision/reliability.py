"""Is what vision says at 99% right 99 times in a hundred? Counts it, by how surely it was said."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

BOUNDS: Final = (0.0, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999, 1.0)
"""Between these a table of reliability has its rows."""


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
