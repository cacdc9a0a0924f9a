"""Makes what is learnt from next while the last is learnt from: so training uses two cores."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

Batch = TypeVar("Batch")


def made_ahead(make: Callable[[], Batch], count: int) -> Iterator[Batch]:
    """Give so many batches in the order in which they are made: one at a time, each while the one before is in use.

    What `make` draws by chance is the same as if nothing were made ahead. What it raises is raised here.
    """
    with ThreadPoolExecutor(1) as maker:
        coming = [maker.submit(make)] if count else []
        for left in reversed(range(count)):
            made = coming.pop().result()
            if left:
                coming.append(maker.submit(make))
            yield made
