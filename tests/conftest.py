"""What holds for all tests."""

from collections.abc import Iterator

import pytest

from vision.drawing import random_decks


@pytest.fixture(autouse=True, scope="session")
def no_fonts_of_the_machine() -> Iterator[None]:
    """Draw decks in the typefaces that Pillow and OpenCV bring along: a seed gives the same deck on each machine."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(random_decks, "installed", tuple)
        patch.setattr(random_decks, "usual", tuple)
        yield
