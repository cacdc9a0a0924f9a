"""Scenes by chance, wide in every respect: measures, cards, light, cloths, cameras; and what their owner measured.

The ranges are those of TABLE.md, a little wider where recorded pictures were.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

from calibration.table import CameraModel, Card, Rack, Table, Tray
from vision.drawing.decks import Deck
from vision.drawing.fairness import readable
from vision.drawing.places import Placed
from vision.drawing.random_cameras import RACK_MIDDLE, TRAY_MIDDLE, some_camera
from vision.drawing.random_decks import some_deck
from vision.drawing.random_hands import some_goal, some_hand
from vision.drawing.random_light import some_cloth, some_lamp_in_cards, some_photo, some_room, some_shade
from vision.drawing.random_stands import ruled, some_mats
from vision.drawing.scene import Camera, Kind, MatPlace, RackStand, Room, Scene
from vision.drawing.troubles import UNTROUBLED, Troubles, of_which_nobody_measured, troubled, with_leaning

KINDS: tuple[Kind, ...] = ("rack", "tray", "wide")
USUAL: tuple[Kind, ...] = ("rack", "rack", "tray", "wide")
"""Where no kind is asked for, one of these: rack pictures are the hardest and the most."""
TRIES = 30
"""So often light and camera are chosen anew where a person could not read the cards."""


@dataclass(frozen=True)
class Situation:
    """A scene and its `table.toml`: what the owner measured of rack, cards and camera, off by a ruler's errors."""

    scene: Scene
    table: Table


def some_scene(
    chance: random.Random,
    kind: Kind | None = None,
    *,
    deck: Deck | None = None,
    typefaces: Sequence[str] | None = None,
    troubles: Troubles = UNTROUBLED,
) -> Situation:
    """Make up a scene of a kind ("rack", "tray", "wide"; None: any).

    `deck` and `typefaces` narrow what the cards look like, `troubles` what is harder than chance has it. All chance
    comes from the given Random (and, without `typefaces`, from the fonts that are installed).
    """
    chosen: Kind = chance.choice(USUAL) if kind is None else kind
    deck = deck or some_deck(chance, typefaces)
    size = some_size(chance)
    mats = some_mats(chance, chosen, troubles.doubles)
    if troubles.leaning:
        mats = tuple(with_leaning(chance, mat, troubles.leaning) for mat in mats)
    camera = some_camera(chance, chosen, mats, deck)
    for _ in range(TRIES):
        room = some_room(chance)
        if chance.random() < 0.35:
            room = glaring(chance, room, mats[0], camera)
        photo = some_photo(chance, camera.size)
        scene = Scene(deck, mats, camera, size, room, some_cloth(chance), photo=photo, kind=chosen)
        if readable(scene):
            break
    if chance.random() < troubles.hands:
        scene = replace(scene, hands=(some_hand(chance, scene),), notes=("hand",))
    if troubles.shades and chance.random() < troubles.shades:
        scene = shaded(chance, scene)
    table = measured(chance, scene)
    scene = troubled(chance, scene, troubles)
    return Situation(scene, of_which_nobody_measured(table) if troubles.unmeasured else table)


def shaded(chance: random.Random, scene: Scene) -> Scene:
    """Let something throw its shadow on a rack's cards or on a tray."""
    mat = chance.choice(scene.mats)
    shade = some_shade(chance, scene.room, Placed(mat).world(some_goal(chance, mat)))
    return replace(scene, shades=(*scene.shades, shade))


def glaring(chance: random.Random, room: Room, mat: MatPlace, camera: Camera) -> Room:
    """Put a lamp into a room that the camera sees mirrored in the cards of a mat, or nearly."""
    in_rack = isinstance(mat.stand, RackStand)
    middle = Placed(mat).world(RACK_MIDDLE if in_rack else TRAY_MIDDLE)
    lean = mat.stand.rack.lean if isinstance(mat.stand, RackStand) else 90.0
    lamp = some_lamp_in_cards(chance, middle, camera, mat.turn, lean)
    return Room((lamp, *room.lamps[:1]), room.ambient, room.window)


def some_size(chance: random.Random) -> Card:
    """Choose how large cards really are."""
    return Card(round(chance.uniform(88.6, 89.4), 2), round(chance.uniform(55.2, 56.8), 2))


def calibrated(chance: random.Random, camera: Camera) -> CameraModel:
    """Give what a calibration says of a camera: its middle some pixels off, its distortion nearly right."""
    x, y = (round(place + chance.gauss(0, 1.5), 2) for place in camera.middle)
    focal = round(camera.focal, 2)
    distortion = (*(round(k + chance.gauss(0, 0.002), 3) for k in camera.distortion), 0.0, 0.0, 0.0)
    return CameraModel(camera.size, ((focal, 0.0, x), (0.0, focal, y), (0.0, 0.0, 1.0)), distortion)


def measured(chance: random.Random, scene: Scene) -> Table:
    """Give the table as its owner measured it: some tenths of a millimetre off, the lean by a degree or two.

    The place of a rack on its mat is not measured; it stays where the mat shows it (TABLE.md, Mats).
    """
    tray = scene.tray()
    model = calibrated(chance, scene.camera)
    rack = next((stand.rack for _, stand in scene.racks()), None)
    return Table(
        Card(),
        Rack() if rack is None else ruled(chance, rack),
        Tray(tray.draw if tray else "left"),
        {"drawn": model},
        measured=rack is not None,
    )
