"""From the cameras' pictures to observations for the referee: still pictures are read, the others passed over."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import astuple, dataclass, replace
from functools import cached_property
from typing import Final, Literal

from calibration.table import Table
from engine.cards import SLOTS, Card, Seat, Slot
from engine.lines import EMPTY, Arm, Changes, Observation, Sighting
from vision.eye import Eye
from vision.found import RackFound
from vision.frame import Frame
from vision.fuse import sure
from vision.look import PILE, Look, Reading
from vision.mats import TRAY
from vision.reading.digits import NumberReader
from vision.region import Region
from vision.settle import STILL_AFTER, Stillness

SETTLED: Final = 2
"""Looks at a still scene from which it is told again while it stays still."""

MOST_LOOKS: Final = 8
"""So often a still scene is looked at while not all in it is sure: the mean (vision.steady) is of so many pictures."""

RESTS: Final = 4.0
"""A hand rests over a mat for so many seconds at most before it moves again: what stays longer is none, but the shadow
of a rack that was filled, say. A round figure; in recorded rounds hands come and go in one or two."""

TOLD: Final = 0.5
"""A reading that is not sure is told where its cards, and an empty slot, have at least this chance together."""

FAINT: Final = 0.002
"""Chances below this are not passed on."""


class Watch:
    """Watches every camera of one table. `deck`: the cards in play."""

    def __init__(self, table: Table, deck: Sequence[Card], reader: NumberReader) -> None:
        """Watch with nothing seen yet."""
        self._table = table
        self._deck = deck
        self._reader = reader
        self._cameras: dict[str, Stillness] = {}
        self._eyes: dict[str, Eye] = {}
        self._seen: dict[str, _Seen] = {}
        self._silent: Collection[str] = ()
        self._missed: set[str] = set()

    @property
    def racks(self) -> list[RackFound]:
        """The racks as they were seen last, camera by camera."""
        return [rack for _, eye in sorted(self._eyes.items()) for rack in eye.racks]

    @property
    def table(self) -> Table:
        """The table, with what is known of its deck by now."""
        return self._table

    @property
    def eyes(self) -> Mapping[str, Eye]:
        """The eye behind each camera that has looked."""
        return self._eyes

    def looks(self) -> Mapping[str, Look]:
        """What each camera saw last."""
        return {name: seen.look for name, seen in self._seen.items()}

    def moving(self, camera: str) -> bool:
        """Whether something moves before a camera, or nothing was read of it yet."""
        return camera not in self._cameras or self._cameras[camera].moving

    def sees_tray(self, camera: str) -> bool:
        """Whether the tray is before a camera, as far as is known."""
        return camera in self._eyes and TRAY in self._eyes[camera].mats

    def latest(self, camera: str) -> Frame | None:
        """The latest picture of a camera."""
        return self._cameras[camera].latest if camera in self._cameras else None

    def has_read(self, camera: str) -> bool:
        """Whether a camera's latest picture was read."""
        return camera in self._cameras and self._cameras[camera].latest_read

    def matters(self, camera: str) -> Region | None:
        """Which part of a camera's pictures matters; None: all of it."""
        return self._eyes[camera].matters if camera in self._eyes else None

    def scenes(self) -> Mapping[str, int]:
        """How often something has moved before each camera: another number is another scene."""
        return {name: still.scenes for name, still in self._cameras.items()}

    def drop(self, camera: str) -> None:
        """Forget what a camera saw: it is gone, so nothing of it stands any more."""
        for known in (self._cameras, self._eyes, self._seen):
            known.pop(camera, None)

    def silent(self, cameras: Collection[str]) -> None:
        """Say which cameras show nothing at present: what they saw is not told again, for it may not stand any more."""
        self._silent = cameras

    def missed(self, camera: str) -> None:
        """Say that a camera's picture could not be read: what it saw before may not stand, until the next one comes."""
        self._missed.add(camera)

    def play(self, deck: Sequence[Card]) -> None:
        """See with another deck: another game begins."""
        self._deck = deck
        for eye in self._eyes.values():
            eye.deck = deck

    def use(self, table: Table) -> None:
        """See with what is known of the table's deck by now; its measures stay as they are."""
        self._table = table
        for eye in self._eyes.values():
            eye.table = table

    def frame(self, t: float, camera: str, frame: Frame) -> list[Observation]:
        """Take a camera's picture at time `t` (seconds); return what can be observed now. Raises PictureError."""
        stillness = self._cameras.setdefault(camera, Stillness())
        stood = not (stillness.moving or stillness.unwatched(t) or self._is_blind(camera))
        standing = self.standing(t) if stood else []
        ready = stillness.add(t, frame)
        self._missed.discard(camera)
        before = stillness.read_so_far - len(ready)
        # Up to now everything stood as it was seen last: what is about to change has not changed before.
        told = standing if stood and stillness.moving else []
        if stillness.restless(t):
            self._eye(camera).find(frame)
            stillness.matters(self._eye(camera).matters)
        for place, (since, still) in enumerate(ready):
            told += self._look(since, camera, still, first=before + place == 0, last=place + 1 == len(ready))
        return told

    def overlooked(self, camera: str, t: float) -> bool:
        """Whether plays may have been missed until a picture at time `t`: the tray's before it could not be read.

        Not so where that was one of many.
        """
        return camera in self._missed and self.sees_tray(camera) and self._cameras[camera].unwatched(t)

    def until(self, t: float) -> list[Observation]:
        """Read the pictures that have stood long enough by time `t`, the oldest first.

        Also where a hand seemed to be over a mat, and no picture came for longer than a hand rests: it is none.
        """
        seen = self._read_unread(t - STILL_AFTER, STILL_AFTER)
        for name, known in sorted(self._seen.items(), key=lambda item: item[1].since):
            frame = self.latest(name) if self.has_read(name) and not self._is_blind(name) else None
            if frame is not None and known.is_one_with_hands and known.since + RESTS <= t:
                seen += self._look(known.since + RESTS, name, frame, first=False)
        return seen

    def at_once(self, t: float) -> list[Observation]:
        """Read every unread picture: somebody has called RACK-O and nobody waits for stillness."""
        return self._read_unread(t, 0.0)

    def standing(self, t: float) -> list[Observation]:
        """Tell again what stands still since two looks: somebody has called RACK-O, and this is how the racks stand."""
        seen = self._standing("", t)
        return [observation_of(seen, t)] if seen else []

    def _standing(self, but: str, t: float) -> list["Sightings"]:
        """What every camera `but` that one sees at time `t`, where nothing moves and what was seen has stood.

        A camera that is blind may have missed what moved.
        """
        return [
            seen.again if t - seen.since < RESTS else seen.all_of_it
            for name, seen in self._seen.items()
            if name != but and not self._is_blind(name) and self._has_stood(name, seen, t)
        ]

    def _has_stood(self, camera: str, seen: "_Seen", t: float) -> bool:
        """Whether nothing moves at time `t` and two looks bore each other out.

        Or nothing has come for long after a picture much like the one before it: a shadow that sways makes each picture
        another one, so that there is one look at the last of them.
        """
        still = self._cameras[camera]
        return not still.moving and (seen.looks >= SETTLED or (still.sways and t - seen.since >= RESTS))

    def _is_blind(self, camera: str) -> bool:
        return camera in self._silent or camera in self._missed

    def _read_unread(self, latest: float, delay: float) -> list[Observation]:
        waiting = [(name, unread) for name, still in self._cameras.items() if (unread := still.unread()) is not None]
        seen = []
        for name, (since, frame) in sorted(waiting, key=lambda item: item[1][0]):
            if since <= latest:
                first = self._cameras[name].moving
                self._cameras[name].mark_read()
                seen += self._look(since + delay, name, frame, first=first)
        return seen

    def _eye(self, camera: str) -> Eye:
        if camera not in self._eyes:
            self._eyes[camera] = Eye(self._table, self._deck, self._table.cameras.get(camera), self._reader)
        return self._eyes[camera]

    def _look(self, t: float, camera: str, frame: Frame, *, first: bool, last: bool = True) -> list[Observation]:
        """Read a picture, the `first` of its still scene or a later one; observe the whole table.

        What another camera sees is told again while nothing moves there, so that the referee knows that nothing did;
        but only if two looks bore each other out or nothing has come for long: one wrong look must not count as often
        as it is repeated.
        A scene in which not all is sure is looked at more often; that is told only if it shows more. Where another
        picture is read at once, this being not the `last`, its doubts wait for that: most are gone then. A doubt is
        told once, of what nothing was told since it changed. Where what seemed to be a hand in the first picture was
        only another light, that picture is looked at once more.
        """
        eye = self._eye(camera)
        look = eye.look(frame, moved=first)
        self._cameras[camera].matters(eye.matters)
        known = self._seen.get(camera)
        changed = _changed(look, known.changed if known else {}, t)
        before = None if first else known
        told_before = look.repeated & known.told if known else frozenset()
        look = replace(look, repeated=told_before if last else frozenset(look.readings))
        if before is None:
            hidden = frame if first and look.hands else None
            seen = _Seen(look, changed, t, 1, look.hands, told_before, hidden)
        else:
            seen = before.followed(look, changed, told_before)
        self._seen[camera] = seen
        if seen.is_doubtful:
            self._cameras[camera].look_again()
        if before is not None and before.is_doubtful and not seen.tells_more(before):
            return []
        sightings = sightings_of(look, changed)
        self._seen[camera] = replace(seen, told=told_before | sightings.places)
        told = [observation_of([sightings, *self._standing(camera, t)], t)]
        hidden = None if before is None or look.hands else before.hidden
        if hidden is not None and hidden is not frame:
            told += self._look(t, camera, hidden, first=False)
        return told


def _changed(look: Look, before: Changes, t: float) -> Changes:
    """Give when the slots of each rack changed last, by what was known `before` a look at time `t`."""
    known = dict(before)
    for seat, places in look.altered.items():
        known[seat] = {**known.get(seat, {}), **dict.fromkeys([SLOTS[place] for place in places], t)}
    return known


def _untouched(look: Look, hands: Collection[int]) -> Look:
    """What a look shows where no hand was, by the mats that hands were over."""
    if not hands:
        return look
    racks = {seat: readings for seat, readings in look.racks.items() if seat not in hands}
    return replace(look, racks=racks, tray=None if TRAY in hands else look.tray)


@dataclass(frozen=True)
class Sightings:
    """What one camera saw, in the referee's words."""

    racks: Mapping[Seat, Mapping[Slot, Sighting]]
    discard: Sighting | None
    draw: Literal["cards", "empty"] | None
    changed: Changes
    arm: Arm | None = None

    @property
    def places(self) -> frozenset[tuple[int, int]]:
        """The places of which it says something, by (seat, slot 0..9), or PILE."""
        slots = {(seat, SLOTS.index(slot)) for seat, slots in self.racks.items() for slot in slots}
        return frozenset(slots | ({PILE} if self.discard else set()))


@dataclass(frozen=True)
class _Seen:
    """The latest look through a camera, and of its still scene how many there have been, and the hands in any of them.

    `since`: when the first was. A hand that rests is taken for part of the table in the end; but who reaches for a card
    may have it by now. `told`: the places of which something was told since they changed, in this scene or before.
    `hidden`: the scene's first picture, if a hand seemed to be in it.
    """

    look: Look
    changed: Changes
    since: float
    looks: int
    hands: frozenset[int]
    told: frozenset[tuple[int, int]]
    hidden: Frame | None = None

    def followed(self, look: Look, changed: Changes, told: frozenset[tuple[int, int]]) -> "_Seen":
        """One more look at the same scene."""
        return _Seen(look, changed, self.since, self.looks + 1, self.hands | look.hands, told)

    @cached_property
    def sure(self) -> Mapping[tuple[int, int], tuple[str, int | None] | None]:
        """What each place surely shows, by (seat, slot 0..9), or PILE; None where that is not sure."""
        return {place: sure(reading) for place, reading in self.look.readings.items()}

    @property
    def is_one_with_hands(self) -> bool:
        """Whether this is the scene's only look, and a hand seemed to be in it."""
        return self.looks == 1 and bool(self.look.hands)

    @property
    def is_doubtful(self) -> bool:
        """Whether the scene has settled and is to be looked at more often, for not all in it is sure."""
        return SETTLED <= self.looks < MOST_LOOKS and None in self.sure.values()

    def tells_more(self, before: "_Seen") -> bool:
        """Whether the look surely shows something that the one before it did not."""
        return any(said is not None and said != before.sure.get(place) for place, said in self.sure.items())

    @cached_property
    def again(self) -> Sightings:
        """What it says, told again while nothing moves."""
        return sightings_of(_untouched(self.look, self.hands), self.changed, again=True)

    @cached_property
    def all_of_it(self) -> Sightings:
        """The same, told so long after the scene began that what seemed to be a hand is none."""
        return sightings_of(self.look, self.changed, again=True)


def sightings_of(look: Look, changed: Changes, *, again: bool = False) -> Sightings:
    """What one look says, in the referee's words, and when slots `changed` last in the racks that it shows.

    `again`: it was told before, so that all of it is repeated.
    """
    racks = {
        seat: {
            slot: seen
            for place, (slot, reading) in enumerate(zip(SLOTS, readings, strict=True))
            if (seen := _sighting(reading, repeated=again or (seat, place) in look.repeated))
        }
        for seat, readings in look.racks.items()
    }
    when = {seat: changed[seat] for seat in look.altered if seat in racks}
    if look.tray is None:
        return Sightings(racks, None, None, when)
    repeated = again or PILE in look.repeated
    discard, arm = _sighting(look.tray.discard, repeated=repeated) or None, None if again else look.tray.arm
    return Sightings(racks, discard, look.tray.draw, when, None if arm is None else Arm(*astuple(arm)))


def observation_of(seen: Sequence[Sightings], t: float) -> Observation:
    """One observation of the table from what each camera sees; where two see one place, the first is believed."""
    racks: dict[Seat, Mapping[Slot, Sighting]] = {}
    for sightings in reversed(seen):
        for seat, slots in sightings.racks.items():
            racks[seat] = {**racks.get(seat, {}), **slots}
    discard = next((sightings.discard for sightings in seen if sightings.discard), None)
    draw = next((sightings.draw for sightings in seen if sightings.draw), None)
    changed = {seat: slots for sightings in reversed(seen) for seat, slots in sightings.changed.items()}
    arm = next((sightings.arm for sightings in seen if sightings.arm), None)
    return Observation(t, racks, discard, draw, changed, arm)


def _sighting(reading: Reading, *, repeated: bool) -> Sighting:
    """The referee's words for a reading; a card with its back to the camera may be any card.

    A doubt that is only `repeated` is not told again: the referee would take it for another look that doubts alike.
    Nor is one that leaves most of it open: a faint guess, made again from picture to picture, would pass for a reading.
    """
    said = sum(reading.cards.values()) + reading.empty
    if sure(reading) is None and (repeated or said < TOLD):
        return {}
    chances = {**reading.cards, EMPTY: reading.empty}
    return {card: round(chance, 4) for card, chance in chances.items() if chance >= FAINT}
