"""A whole table by chance, for pictures of one evening: one deck, one room, a rack and a camera a seat, the tray's too.

What some_scene chooses for each picture is chosen once here; from picture to picture only cards, hands and the
sensor's noise change, and the light flickers a little. Each camera's scene has its own mat alone, in the mat's frame.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from calibration.table import SLOTS, Card, Table, Tray
from vision.drawing.curls import some_curls
from vision.drawing.decks import Colour, Deck
from vision.drawing.fairness import covered, readable, thinness
from vision.drawing.light import Floats
from vision.drawing.places import MAT_MIDDLE, Placed, about_vertical
from vision.drawing.random_cameras import SIZES, some_camera
from vision.drawing.random_decks import some_deck
from vision.drawing.random_hands import Person, some_person
from vision.drawing.random_light import some_cloth, some_photo, some_plastic, some_room
from vision.drawing.random_scenes import TRIES, calibrated, glaring, some_size
from vision.drawing.random_stands import (
    Habit,
    Mess,
    laid,
    ruled,
    some_block,
    some_corner,
    some_habit,
    some_mess,
    some_rack,
    some_tray,
    stood,
)
from vision.drawing.scene import (
    Camera,
    Cloth,
    Curl,
    Hand,
    MatPlace,
    Photo,
    Point,
    RackStand,
    Room,
    Scene,
    TrayStand,
)

TRAY = 0
"""The number of the tray's mat; a seat's mat has the seat's number."""
TURNS = {TRAY: 0.0, 1: 0.0, 2: -90.0, 3: 180.0, 4: 90.0}
"""How mats are turned on the table, in degrees: clockwise around the tray, whose mat lies as seat 1 sees it."""
FLICKER = 0.006
"""How much a lamp's light differs from picture to picture, as a share (one sigma)."""
USABLE = 3.0
"""Pixels a mm that a camera over a rack has at least (TABLE.md, Rack): its owner has put it near enough."""
CARE = 1.5
"""An owner who puts up cameras for an evening takes care: numbers stand out by this factor more than they just must."""
Stand = RackStand | TrayStand


@dataclass(frozen=True)
class FilmedTable:
    """A table that is filmed, by its mats' numbers: what stands there (without cards), how it is lit and seen.

    `measured` is what its owner measured, with the cameras by name. The mats are `printed` so many times as large as
    they should be, and do not lie flat where they have `curls`.
    """

    deck: Deck
    card: Card
    paper: Colour
    stands: Mapping[int, Stand]
    rooms: Mapping[int, Room]
    cloths: Mapping[int, Cloth]
    cameras: Mapping[int, Camera]
    photos: Mapping[int, Photo]
    habits: Mapping[int, Habit]
    mess: Mess
    people: Mapping[int, Person]
    measured: Table
    printed: float = 1.0
    curls: Mapping[int, tuple[Curl, ...]] = field(default_factory=dict)

    def covered(self, number: int, stand: RackStand, slot: int) -> float:
        """Give how much the card in a slot (0..9) hides of the number behind it, or the one before it of its own."""
        return covered(self.cameras[number], self.deck, self.card, stand, slot)

    def scene(self, number: int, stand: Stand, hands: tuple[Hand, ...], chance: random.Random) -> Scene:
        """Give the scene before one camera at one moment: `stand` with its cards, hands in the frame of its mat."""
        photo = self.photos[number]
        photo = replace(photo, exposure=photo.exposure * chance.gauss(1, FLICKER), seed=chance.getrandbits(30))
        return Scene(
            self.deck,
            (MatPlace(
                number, stand=stand, paper=self.paper, printed=self.printed, curls=self.curls.get(number, ())
            ),),
            self.cameras[number], self.card,
            self.rooms[number], self.cloths[number], hands, photo, "rack" if number else "tray",
            ("hand",) if hands else (),
        )  # fmt: skip


def camera_name(number: int) -> str:
    """Name the camera over a mat, as recorded sessions do."""
    return f"rack{number}" if number else "tray"


def some_table(  # noqa: PLR0913 - what is not left to chance; all but two have defaults
    chance: random.Random,
    seats: Sequence[int],
    *,
    edition: str | None = None,
    typefaces: Sequence[str] | None = None,
    size: tuple[int, int] = SIZES[0],
    printed: float = 1.0,
    curled: float = 0.0,
) -> FilmedTable:
    """Make up a table for some seats (1..4), all of it readable for a person, with cameras of a size in pixels.

    Its mats are `printed` so many times as large as they should be, and the racks stand on their outlines. They curl up
    by `curled` mm at most.
    """
    deck, card, rack = some_deck(chance, typefaces, edition), some_size(chance), some_rack(chance)
    block, tray = some_block(chance, rack, ((),) * SLOTS), some_tray(chance, (), 0)
    stands: dict[int, Stand] = {TRAY: tray}
    for seat in seats:
        x, y, _ = MAT_MIDDLE + printed * (np.array([*some_corner(chance), 0.0]) - MAT_MIDDLE)
        own = replace(rack, at=(float(x), float(y)))
        stands[seat] = replace(block, rack=own, turn=chance.uniform(-1.5, 1.5), colour=some_plastic(chance))
    cameras = {
        number: some_camera(
            chance, "rack" if number else "tray", (MatPlace(number, stand=stand),), deck, sizes=(size,), finest=USABLE
        )
        for number, stand in stands.items()
    }
    paper = chance.randint(222, 250)
    table = FilmedTable(
        deck, card, (paper, paper, paper), stands, {}, {}, cameras, {},
        {seat: some_habit(chance) for seat in seats},
        some_mess(chance),
        {seat: some_person(chance) for seat in seats},
        Table(Card(), ruled(chance, rack), Tray(tray.draw), {
            camera_name(number): calibrated(chance, camera) for number, camera in cameras.items()
        }, measured=True),
        printed,
    )  # fmt: skip
    lit = _lit(chance, table)
    return replace(lit, curls={number: some_curls(chance, curled) for number in stands}) if curled else lit


def _lit(chance: random.Random, table: FilmedTable) -> FilmedTable:
    """Choose light, cloth and the cameras' ways with it, until a person could read all that the cameras see."""
    places = {number: _place(chance, number) for number in table.stands}
    for _ in range(TRIES):
        room, cloth = some_room(chance), some_cloth(chance)
        rooms = {number: _seen(room, place.inside) for number, place in places.items()}
        if chance.random() < 0.35:
            at = chance.choice(list(places))
            bright = glaring(chance, rooms[at], MatPlace(at, stand=table.stands[at]), table.cameras[at])
            room = _seen(bright, places[at].world)
            rooms = {number: _seen(room, place.inside) for number, place in places.items()}
        cloths = {number: replace(cloth, turn=cloth.turn - place.place.turn) for number, place in places.items()}
        lit = replace(table, rooms=rooms, cloths=cloths)
        found = {number: _clear_photo(chance, lit, number) for number in places}
        lit = replace(lit, photos={number: photo for number, (photo, _) in found.items()})
        if all(clear for _, clear in found.values()):
            break
    return lit


def _clear_photo(chance: random.Random, table: FilmedTable, number: int) -> tuple[Photo, bool]:
    """Choose how a camera takes its pictures, and say whether a person could read them."""
    stand = table.stands[number]
    cards = chance.sample(range(1, 61), SLOTS)
    if isinstance(stand, RackStand):
        habit = table.habits[number]
        stand = replace(stand, slots=tuple((stood(chance, card, stand.rack, habit),) for card in cards))
    else:
        stand = replace(stand, discard_pile=(laid(chance, cards[0], table.mess),))
    for _ in range(TRIES // 3):
        # the camera stands still, bleaches no paper, and what is recorded is a file that was coded once
        photo = some_photo(chance, table.cameras[number].size)
        photo = replace(photo, exposure=min(photo.exposure, 1.0), motion=(0.0, 0.0), quality=0)
        scene = replace(table, photos={number: photo}).scene(number, stand, (), chance)
        if readable(scene, CARE * thinness(table.deck)):
            return photo, True
    return photo, False


def _place(chance: random.Random, number: int) -> Placed:
    """Lay a mat on the table, whose frame is that of the tray's mat: a seat's farther out, its front to its player."""
    turn = TURNS[number]
    out = about_vertical(turn) @ np.array([0.0, -1.0, 0.0]) * chance.uniform(330, 420) * (number != TRAY)
    x, y, _ = MAT_MIDDLE + out - about_vertical(turn) @ MAT_MIDDLE
    return Placed(MatPlace(number, (float(x), float(y)), turn))


def _seen(room: Room, change: Callable[[Floats], Floats]) -> Room:
    """Tell of a room in another frame; `change` turns (..., 3) mm of the one into the other."""

    def point(values: Floats) -> Point:
        x, y, z = (float(value) for value in values)
        return x, y, z

    lamps = []
    for lamp in room.lamps:
        at = change(np.array(lamp.at))
        # a lamp's light is what it gives at the frame's origin, which is another place now
        share = float(np.sum(np.square(lamp.at)) / np.sum(np.square(at)))
        blue, green, red = lamp.light
        lamps.append(replace(lamp, at=point(at), light=(blue * share, green * share, red * share)))
    window = change(np.array(room.window)) - change(np.zeros(3))
    return Room(tuple(lamps), room.ambient, point(window))
