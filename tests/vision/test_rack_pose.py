"""How a rack stands by the numbers that are read, where what is known of it is wrong."""

from collections.abc import Collection
from dataclasses import replace

import pytest

from calibration.table import SLOTS, Table
from tests.vision.drawing import CAMERA, Rack
from tests.vision.test_fit import CARDS, picture_of
from vision.evidence import clear_number
from vision.found import RackFound
from vision.frame import Frame
from vision.known_mat import KnownMat
from vision.lens import lens_of
from vision.mats import find_mats
from vision.rack_memory import RackMemory
from vision.rack_pose import PoseByNumbers
from vision.reading.digits import NumberReader
from vision.rivals import Answers
from vision.sizes import SizeTold

DEALT_ANEW = dict(zip(CARDS, reversed(CARDS.values()), strict=True))


class Seen:
    """A rack on its mat before a camera."""

    def __init__(self, first: Frame) -> None:
        (mat,) = find_mats(first.grey)
        height, width = first.grey.shape
        self.mat = KnownMat.of(mat, lens_of((mat,), (width, height), CAMERA), first.half, Table(), None)
        self._reader = NumberReader()
        self._poses = PoseByNumbers(self._read)

    def _read(self, rack: RackFound, slots: Collection[int]) -> Answers:
        return {slot: self._reader.read([item.crop for item in rack.slots[slot]]) for slot in slots}

    @property
    def memory(self) -> RackMemory:
        assert isinstance(self.mat.on_it, RackMemory)
        return self.mat.on_it

    @property
    def found(self) -> RackFound:
        assert self.memory.found is not None
        return self.memory.found

    def look(self, frame: Frame) -> dict[int, int | None]:
        """Which numbers are read, slot by slot."""
        return self.decided(frame, self.memory.see(frame, hand=False, moved=True))

    def decided(self, frame: Frame, slots: Collection[int] = range(SLOTS)) -> dict[int, int | None]:
        """Which numbers are read, slot by slot, in a rack that was found by that picture."""
        self.mat.on_it, answers = self._poses.decide(frame, self.memory, self.mat, self._read(self.found, slots))
        self.memory.learn(frame, answers)
        return {slot: clear_number(rows) for slot, rows in answers.items()}


@pytest.mark.parametrize("size", [0.88, 0.92, 1.06, 1.08])
def test_a_rack_on_a_mat_that_is_held_to_be_of_another_size_is_known_anew(size: float) -> None:
    """An empty rack's comb told a mat of 106 %, which had curled up: so it was believed for a whole evening."""
    first, _ = picture_of(Rack(CARDS))
    seen = Seen(first)
    assert seen.look(first) == CARDS
    seen.memory.size = SizeTold(size, 3, combed=True)
    pose = seen.found.pose.printed_at(size, Table().rack.at)
    seen.memory.stands(first, replace(seen.found, pose=pose))
    seen.memory.learn(first, {})
    assert seen.look(picture_of(Rack(DEALT_ANEW))[0]) == DEALT_ANEW
    assert min(seen.found.view.which) > 0.99
