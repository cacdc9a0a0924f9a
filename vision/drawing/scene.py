"""What stands where on an imagined table: frozen descriptions, in millimetres and degrees, of all that is drawn.

Frames. World: the table top is z = 0, z points up. Mat: TABLE.md, Mats (origin front left, x right, y away from the
player); a mat lies with its origin at `at` in the world, turned counterclockwise by `turn`. Colours are (blue, green,
red) as the camera would see them under white light, 0..255 with a gamma of 2; light is linear, 1 is one unit.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from calibration.table import SLOTS, Card, Rack, Side
from vision.drawing.decks import Colour, Deck

Point = tuple[float, float, float]
Kind = Literal["rack", "tray", "wide"]
BACK = 0
"""In the place of a card's number: its back is what the camera sees."""


@dataclass(frozen=True)
class Standing:
    """A card in a slot: its number (BACK: turned round), and how it stands.

    `lean` is back from upright; `slide` is to the right, `play` is back within the slot, `lift` up from its floor;
    `turn` is about the vertical and `tilt` in the card's own plane, both counterclockwise, about the middle of its
    lower edge.
    """

    card: int
    lean: float = 6.0
    slide: float = 0.0
    play: float = 0.0
    turn: float = 0.0
    tilt: float = 0.0
    lift: float = 0.0


@dataclass(frozen=True)
class Lying:
    """A card in a well (BACK: face down): off the well's middle by (dx, dy), turned by `turn` (180: upside down)."""

    card: int
    dx: float = 0.0
    dy: float = 0.0
    turn: float = 0.0


@dataclass(frozen=True)
class RackStand:
    """A rack with its true measures, in the frame of its mat: `turn` is about its front-left corner.

    `slots` holds for each of the ten slots its cards, the front one first; () is an empty slot. `lip` is how much
    higher the front is than the comb; `notch` is the width of the low step at its right end.
    """

    slots: tuple[tuple[Standing, ...], ...] = ((),) * SLOTS
    rack: Rack = field(default_factory=Rack)
    turn: float = 0.0
    colour: Colour = (40, 40, 200)
    lip: float = 0.0
    notch: float = 13.0


@dataclass(frozen=True)
class TrayStand:
    """A tray on its mat, off its middle by `dx`, `dy`: cards of the piles lie from the lowest to the topmost."""

    draw: Side = "left"
    draw_pile: tuple[Lying, ...] = ()
    discard_pile: tuple[Lying, ...] = ()
    colour: Colour = (90, 30, 60)
    walls: float = 9.0
    dx: float = 0.0
    dy: float = 0.0
    turn: float = 0.0


@dataclass(frozen=True)
class Curl:
    """Where a mat's paper curls up: its end that lies farthest `towards` a direction is `height` mm above the table.

    `towards` is in degrees, counterclockwise from the mat's right; the curl begins `over` mm before that end.
    """

    towards: float
    over: float
    height: float


@dataclass(frozen=True)
class MatPlace:
    """A mat (0 the tray's, 1..4 the seats') on the table, and what stands on it.

    What is printed on its paper is `printed` times as large as it should be, about the paper's middle.
    """

    number: int
    at: tuple[float, float] = (0.0, 0.0)
    turn: float = 0.0
    stand: RackStand | TrayStand | None = None
    paper: Colour = (240, 240, 240)
    printed: float = 1.0
    curls: tuple[Curl, ...] = ()


@dataclass(frozen=True)
class Hand:
    """A hand over the table: `wrist` and `elbow` in the world, fingers spread by `spread` and `reach` mm long."""

    elbow: Point
    wrist: Point
    reach: float = 85.0
    spread: float = 12.0
    grip: float = 0.4
    left: bool = False
    skin: Colour = (150, 175, 215)
    sleeve: Colour | None = (90, 60, 40)


@dataclass(frozen=True)
class Lamp:
    """A lamp at a point of the world: the light (blue, green, red) it gives to what faces it at the world's origin.

    `radius` in mm makes its shadows soft and its reflections wide.
    """

    at: Point = (-500.0, -300.0, 1500.0)
    light: tuple[float, float, float] = (0.6, 0.6, 0.6)
    radius: float = 120.0


@dataclass(frozen=True)
class Room:
    """The light: lamps, and what comes from all sides (a little more from `window`, a direction; (0, 0, 0) none)."""

    lamps: tuple[Lamp, ...] = (Lamp(),)
    ambient: tuple[float, float, float] = (0.4, 0.4, 0.4)
    window: Point = (0.0, 0.0, 0.0)


@dataclass(frozen=True)
class Cloth:
    """The table's top: a colour and a pattern of some strength (0..1), as large as `size` mm, made from `seed`."""

    pattern: Literal["plain", "weave", "wood", "checks"] = "weave"
    colour: Colour = (90, 110, 120)
    strength: float = 0.3
    size: float = 4.0
    turn: float = 0.0
    seed: int = 0


@dataclass(frozen=True)
class Camera:
    """A camera: picture size (width, height) and 3x3 matrix in pixels, OpenCV's distortion, and its place.

    It stands at `at` and looks at `to`, world frame, turned by `roll` about its own axis (counterclockwise as it sees).
    """

    size: tuple[int, int] = (1280, 720)
    focal: float = 1000.0
    middle: tuple[float, float] = (639.5, 359.5)
    distortion: tuple[float, float] = (0.0, 0.0)
    at: Point = (150.0, -190.0, 400.0)
    to: Point = (150.0, 105.0, 20.0)
    roll: float = 0.0


@dataclass(frozen=True)
class Photo:
    """How the camera turns light into a picture.

    `exposure` is the linear brightness of lit white paper at the middle of the mats (above 1 it bleaches); `balance`
    are gains (blue, green, red); `contrast` bends the curve; `blur` is a sigma in pixels, `depth` how much that grows
    from the plane of focus (pixels at the picture's border); `motion` is a path in pixels; `noise` and `grain` are
    sigmas in grey levels of fine noise and of noise in blotches of some pixels; `sharpen` is the strength of an
    unsharp mask; `quality` is JPEG's, 0 for none; `shade` darkens one side of the picture, softly.
    """

    exposure: float = 0.75
    balance: tuple[float, float, float] = (1.0, 1.0, 1.0)
    contrast: float = 0.0
    saturation: float = 1.0
    vignette: float = 0.15
    blur: float = 0.7
    depth: float = 0.0
    focus: float = 0.5
    motion: tuple[float, float] = (0.0, 0.0)
    noise: float = 2.0
    grain: float = 1.0
    grain_size: float = 2.5
    sharpen: float = 0.0
    bloom: float = 0.0
    shade: tuple[float, float] = (0.0, 0.0)
    quality: int = 90
    seed: int = 0


@dataclass(frozen=True)
class Scene:
    """All that one picture shows. `notes` are words on what makes it hard, for people.

    `shades` are convex outlines of what is not drawn and keeps lamps' light off the table: a lamp's foot, a chair.
    """

    deck: Deck
    mats: tuple[MatPlace, ...]
    camera: Camera = field(default_factory=Camera)
    card: Card = field(default_factory=Card)
    room: Room = field(default_factory=Room)
    cloth: Cloth = field(default_factory=Cloth)
    hands: tuple[Hand, ...] = ()
    photo: Photo = field(default_factory=Photo)
    kind: Kind = "rack"
    notes: tuple[str, ...] = ()
    shades: tuple[tuple[Point, ...], ...] = ()

    def racks(self) -> Iterator[tuple[int, RackStand]]:
        """Give the seats and racks that stand on a mat."""
        for mat in self.mats:
            if isinstance(mat.stand, RackStand):
                yield mat.number, mat.stand

    def tray(self) -> TrayStand | None:
        """Give the tray, or None where there is none."""
        return next((mat.stand for mat in self.mats if isinstance(mat.stand, TrayStand)), None)
