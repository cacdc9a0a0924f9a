"""One camera's eye, from a picture to a Look: mats, pose, strips, numbers, place, and all of it together.

It remembers what it saw. A mat that has not moved is not searched again, and a card that has not changed is not read
again (but for a few looks that bear each other out); the first picture, and one in which much has changed, is looked at
whole.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.table import SLOTS, CameraModel, Table
from vision.found import Found, RackFound, TrayFound
from vision.frame import Frame
from vision.fuse import Evidence, fuse, sure
from vision.known_mat import KnownMat
from vision.lens import KnownLens
from vision.look import PILE, Arm, Look, Reading, TrayLook
from vision.lower_numbers import own_numbers
from vision.mats import TRAY, Mat, find_mats
from vision.moved import lies_elsewhere, lies_still, moved_words
from vision.picture import remarks_on
from vision.place_reader import PlaceReader
from vision.pose import Pose
from vision.rack.hindrance import hindrances, out_of_picture
from vision.rack_memory import RackMemory
from vision.rack_pose import PoseByNumbers
from vision.reach import well_reached
from vision.reading.digits import NumberReader
from vision.region import Region, region
from vision.rivals import Answers
from vision.squeeze import Pixels, squeezed_words
from vision.surroundings import Surroundings
from vision.tray_memory import TrayMemory

MIRRORED: Final = "the picture is mirrored: turn mirroring off in the camera's settings"
"""Said where the mats' markers are seen in the picture's mirror image alone."""

OTHER_CAMERA: Final = (
    "the picture does not fit what [camera] in the table's file says (another camera, zoom or picture size?):"
    " measure it again or take it out"
)


@dataclass
class Eye:
    """Looks through one camera. `deck` holds the cards in play; `camera` is None where it is not calibrated.

    `matters`: which tiles of the picture do, (90, 160); None where all do (see vision.region).
    """

    table: Table
    deck: Sequence[int]
    camera: CameraModel | None
    reader: NumberReader
    matters: Region | None = field(default=None, init=False)
    _mats: dict[int, KnownMat] = field(default_factory=dict)
    _news: tuple[str, ...] = ()
    _remarks: tuple[str, ...] = ()
    _evidence: Sequence[Evidence] = ()
    _readings: tuple[Reading, ...] = ()
    _outside: Mapping[int, Sequence[int]] = field(default_factory=dict)
    _hindrances: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    _surroundings: Surroundings = field(default_factory=Surroundings)
    _places: PlaceReader = field(init=False)
    _poses: PoseByNumbers = field(init=False)
    _pixels: Pixels = field(init=False)
    _lens: KnownLens = field(init=False)

    def __post_init__(self) -> None:
        """Remember what is read."""
        self._places = PlaceReader(self.reader)
        self._poses = PoseByNumbers(self._answers_in)
        self._pixels = Pixels(self.reader)
        self._lens = KnownLens(self.camera)

    @property
    def mats(self) -> Mapping[int, Mat]:
        """The mats in view, by number."""
        return {number: known.mat for number, known in self._mats.items()}

    @property
    def poses(self) -> Mapping[int, Pose]:
        """Where the mats in view lie, by number; one whose markers make no pose is missing."""
        return {number: known.pose for number, known in self._mats.items() if known.pose is not None}

    @property
    def evidence(self) -> Sequence[Evidence]:
        """What the latest readings are made of: the racks' slots in the order of their seats, then the discard pile."""
        return self._evidence

    @property
    def racks(self) -> list[RackFound]:
        """What was found in the racks, in the order of their seats."""
        return [rack.found for rack in self._racks.values() if rack.found is not None]

    @property
    def tray(self) -> TrayFound | None:
        """What was found in the tray."""
        return None if self._tray is None else self._tray.found

    @property
    def _cards(self) -> int:
        """How many cards of racks are known."""
        return sum(card is not None for rack in self._racks.values() for card in rack.cards)

    @property
    def _racks(self) -> dict[int, RackMemory]:
        return {seat: known.on_it for seat, known in self._mats.items() if isinstance(known.on_it, RackMemory)}

    @property
    def _tray(self) -> TrayMemory | None:
        return next((known.on_it for known in self._mats.values() if isinstance(known.on_it, TrayMemory)), None)

    def look(self, frame: Frame, *, moved: bool = False) -> Look:
        """Look at one picture; raise PictureError where it is broken.

        `moved`: something moved before the camera since the last look, so every number is read once more.
        """
        self._news = ()
        lost = not self._all_there(frame.half) or self._surroundings.may_hold_a_mat(frame.small)
        lost = lost or (moved and any(known.may_show_more(frame) for known in self._mats.values()))
        if lost or (self._pixels.untold and self._pixels.may_be_told(self._cards)):
            self._search(frame)
        tray = self._tray
        self._read(frame, tray, moved=moved)
        racks = self._racks
        if tray is not None:
            self._look_again(frame, tray)
        self._judge(frame, racks, tray)
        by_seat = self._by_seat(racks)
        seen = TrayLook(self._readings[-1], tray.draw, self._arm(frame, tray)) if tray else None
        words = [word for known in self._mats.values() for word in (*known.words, *known.hindered())]
        words += [word for seat, rack in racks.items() if not rack.hand for word in self._hindrances.get(seat, ())]
        old = {(seat, slot) for seat, rack in racks.items() for slot in range(SLOTS) if slot not in rack.news}
        repeated = frozenset(old | ({PILE} if tray is not None and not tray.fresh else set()))
        remarks = (*self._news, *self._remarks, *words, *(() if self._mats else ("no mat in view",)))
        hands = frozenset(number for number, known in self._mats.items() if known.may_be_reached())
        altered = {seat: rack.altered for seat, rack in racks.items() if not rack.hand}
        return Look(by_seat, seen, remarks, repeated, hands, altered)

    def find(self, frame: Frame) -> None:
        """Find the mats, if none is known, and tell nothing of what is on them: in this picture something may move."""
        if not self._mats:
            self._search(frame)

    def _look_again(self, frame: Frame, tray: TrayMemory) -> None:
        """Look where else the discard pile's number may be, where none was read.

        Below what seems to be a hand, farther in, on a mat of another size, or in the other well.
        """
        if (glimpse := tray.glimpse(frame)) is not None:
            (answers,) = self._answers([PILE], [glimpse.numbers])
            tray.learn_glimpse(frame, glimpse, answers)
        if (deeper := tray.deeper(frame)) is not None:
            (answers,) = self._answers([PILE], [deeper.numbers])
            tray.learn_deeper(deeper, answers)
        if (printed := tray.as_printed(frame)) is not None:
            pose, found = printed
            (answers,) = self._answers([PILE], [found.numbers])
            tray.learn_as_printed(frame, pose, answers)
        if (swapped := tray.other_way(frame)) is not None:
            tray.learn_other_way(swapped, self.reader.read([item.crop for item in swapped.numbers]))

    def _arm(self, frame: Frame, tray: TrayMemory) -> Arm | None:
        paper = self._mats[TRAY].paper
        if paper is None or not tray.hand:
            return None
        arm = paper.arm()
        if arm is None or paper.uncovered is None:
            return arm
        return replace(arm, reaches=tray.pile_in(well_reached(paper.uncovered, frame.half, tray.pose)))

    def _judge(self, frame: Frame, racks: Mapping[int, RackMemory], tray: TrayMemory | None) -> None:
        """Put all evidence together, and find words on what hinders the racks' reading, if any of it is new."""
        before = self._evidence
        evidence = [slot for rack in racks.values() for slot in rack.evidence()] + ([tray.evidence()] if tray else [])
        if len(evidence) == len(before) and all(new is old for new, old in zip(evidence, before, strict=True)):
            return
        self._outside = {
            seat: out_of_picture(rack.found.view, frame.size) for seat, rack in racks.items() if rack.found is not None
        }
        self._evidence, self._readings = evidence, self._fused(evidence, racks)
        self._look_elsewhere(frame, racks)
        by_seat = self._by_seat(racks)
        self._hindrances = {
            seat: tuple(f"seat {seat}: {word}" for word in self._hindering(rack, by_seat[seat]))
            for seat, rack in racks.items()
        }
        for seat, rack in racks.items():
            rack.doubts(frame, {slot for slot, reading in enumerate(by_seat[seat]) if sure(reading) is None})
        if tray is not None and not tray.hand:
            tray.unsure = sure(self._readings[-1]) is None

    def _hindering(self, rack: RackMemory, readings: Sequence[Reading]) -> Sequence[str]:
        if rack.found is None:
            return ()
        return hindrances(rack.found.view, readings, self._outside[rack.seat], by_one_marker=rack.by_one_marker)

    def _fused(self, evidence: Sequence[Evidence], racks: Mapping[int, RackMemory]) -> tuple[Reading, ...]:
        beyond = {SLOTS * place + slot for place, seat in enumerate(racks) for slot in self._outside.get(seat, ())}
        return fuse(evidence, self.deck, self.table.deck.places, [SLOTS] * len(racks), beyond)

    def _look_elsewhere(self, frame: Frame, racks: Mapping[int, RackMemory]) -> None:
        """Look below another edge for the number of each slot in which one was read now that is not sure.

        What is read there counts if it is sure, and more places are than without it: a logo may have been read, or the
        number of a card whose edge may be another's.
        """
        standing = [*racks.values()]
        unsure = [own for own in range(SLOTS * len(standing)) if sure(self._readings[own]) is None]
        for own in unsure:
            rack, slot = standing[own // SLOTS], own % SLOTS
            for other in rack.doubted(frame, slot):
                answers = self._answers_in(other, [slot])[slot]
                if (otherwise := rack.evidence_elsewhere(frame, slot, other, answers)) is None:
                    continue
                evidence = [*self._evidence]
                evidence[own] = otherwise
                readings = self._fused(evidence, racks)
                # that others become sure by where this one's number is tells nothing of itself
                if sure(readings[own]) and _how_many_sure(readings) > _how_many_sure(self._readings):
                    rack.takes(frame, slot, other, answers, otherwise)
                    self._evidence, self._readings = evidence, readings
                    break

    def _by_seat(self, racks: Mapping[int, RackMemory]) -> dict[int, tuple[Reading, ...]]:
        return {seat: self._readings[SLOTS * place : SLOTS * (place + 1)] for place, seat in enumerate(racks)}

    def _read(self, frame: Frame, tray: TrayMemory | None, *, moved: bool) -> None:
        """Read all that is to be read in this picture at once, and let each place learn its part."""
        racks = self._racks
        hands = {
            number: known.paper is not None and known.paper.hand(frame.half, moved=moved)
            for number, known in self._mats.items()
        }
        places = [
            (rack, slot) for seat, rack in racks.items() for slot in rack.see(frame, hand=hands[seat], moved=moved)
        ]
        pile = tray is not None and tray.see(frame, hand=hands[TRAY])
        if not places and not pile:
            return
        found = [rack.found.slots[slot] if rack.found else () for rack, slot in places]
        if pile and tray is not None and tray.found is not None:
            found.append(tray.found.numbers)
        parts = self._answers([*((rack.seat, slot) for rack, slot in places), PILE], found)
        for rack in racks.values():
            answers = {slot: part for (other, slot), part in zip(places, parts, strict=False) if other is rack}
            own = self._own(rack.found, answers)
            known, stands = self._poses.decide(frame, rack, self._mats[rack.seat], own)
            self._mats[rack.seat].on_it = known
            known.learn(frame, stands)
        if pile and tray is not None:
            tray.learn(parts[-1])
        for rack in self._racks.values():
            for slot, other in rack.elsewhere(frame):
                rack.learn_elsewhere(frame, slot, other, self._answers_in(other, [slot])[slot])

    def _answers_in(self, rack: RackFound, slots: Collection[int]) -> Answers:
        """Read what was found in some slots (0..9) of a rack: (possible numbers, 61) for each."""
        parts = self._answers([(rack.seat, slot) for slot in slots], [rack.slots[slot] for slot in slots])
        return self._own(rack, dict(zip(slots, parts, strict=True)))

    def _own(self, rack: RackFound | None, answers: Answers) -> Answers:
        """Give a rack's answers without other cards' lower numbers."""
        return answers if rack is None else own_numbers(rack, answers, self._racks[rack.seat].cards, self.reader.read)

    def _answers(
        self, places: Sequence[tuple[int, int]], found: Sequence[Sequence[Found]]
    ) -> list[NDArray[np.float64]]:
        """Read what was found at some places: (possible numbers, 61) for each that has something."""
        condensed = {seat for seat, rack in self._racks.items() if rack.found is not None and rack.found.condensed}
        return self._places.answers(places, found, self.table.deck, condensed)

    def _all_there(self, half: NDArray[np.uint8]) -> bool:
        """Whether every known mat still lies where it lay, by two of its markers or all that were seen."""
        return bool(self._mats) and all(known.seen(half) >= known.enough for known in self._mats.values())

    def _search(self, frame: Frame) -> None:
        """Search the whole picture for mats; one that has not moved keeps its pose and what is known of it."""
        mats, mirrored = _mats_in(frame)
        size = frame.size
        lens = self._lens.seen_by(mats, size, self._pixels.ratio)
        if self._pixels.ask(frame, mats, lens, self.table, self._cards):
            # where mats were held to lie by other pixels, they do not
            lens, self._mats = self._lens.seen_by(mats, size, self._pixels.ratio), {}
        before, self._mats = self._mats, {}
        moved, lie = [], []
        for mat in mats:
            known = before.pop(mat.number, None)
            if known is not None and (lies_still(known.mat, mat, lens) or known.behind_a_hand(mat, frame.half)):
                self._mats[mat.number] = known
                lie.append(mat.number)
                continue
            self._mats[mat.number] = KnownMat.of(mat, lens, frame.half, self.table, known)
            if known is not None and lies_elsewhere(known.mat, mat, lens):
                moved.append(mat.number)
        self._news = moved_words(moved, all_of_them=not lie)
        for number, known in before.items():
            # A hand may be over its markers; while one of them is seen where it was, it has not moved.
            if known.seen(frame.half):
                self._mats[number] = known
        self._mats = dict(sorted(self._mats.items()))
        self.matters = region(((number, known.pose) for number, known in self._mats.items()), self.table, size)
        unclear = (*remarks_on(frame.grey, self.matters), *([MIRRORED] if mirrored else []))
        unfit = self.camera is not None and not lens.calibrated
        self._remarks = (*unclear, *([OTHER_CAMERA] if unfit else []), *squeezed_words(lens))
        markers = [known.markers for known in self._mats.values() if known.markers is not None]
        clearly = bool(mats) and not unclear and not any(mat.by_one_marker for mat in mats)
        self._surroundings.searched(frame.small, markers, clearly=clearly)


def look_at(
    picture: NDArray[np.uint8], table: Table, deck: Sequence[int], camera: CameraModel | None, reader: NumberReader
) -> Look:
    """Look at one BGR picture, (height, width, 3), by itself; `camera` is None where it is not calibrated."""
    return Eye(table, deck, camera, reader).look(Frame(picture))


def _mats_in(frame: Frame) -> tuple[tuple[Mat, ...], bool]:
    """Find the mats in a picture, and say whether it is mirrored: then what seem to be markers are none."""
    mats = find_mats(frame.grey)
    if not all(mat.by_one_marker for mat in mats):
        return mats, False
    mirrored = find_mats(np.ascontiguousarray(frame.half[:, ::-1]))
    return ((), True) if not all(mat.by_one_marker for mat in mirrored) else (mats, False)


def _how_many_sure(readings: Sequence[Reading]) -> int:
    return sum(sure(reading) is not None for reading in readings)
