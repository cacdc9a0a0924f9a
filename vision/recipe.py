"""Names that moved: look_at to vision.eye, find_in_rack to vision.find."""

from vision.eye import look_at
from vision.find import find_in_rack

__all__ = ["find_in_rack", "look_at"]
