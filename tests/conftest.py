"""What holds for all tests."""

from collections.abc import Iterator

import pytest

from device.memory import keep_freed_memory
from vision.drawing import random_decks


@pytest.fixture(autouse=True, scope="session")
def no_fonts_of_the_machine() -> Iterator[None]:
    """Draw decks in the typefaces that Pillow and OpenCV bring along: a seed gives the same deck on each machine."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(random_decks, "installed", tuple)
        patch.setattr(random_decks, "usual", tuple)
        yield


@pytest.fixture(autouse=True, scope="session")
def memory_as_the_program_keeps_it() -> None:
    """Else up to a fifth of a test's time goes to the system, for the memory of pictures."""
    keep_freed_memory()
