"""Renders drawn tables anew by a path tracer, to see how true the drawn light is.

`python -m vision.drawing.traced OUT --count N --seed S` writes two folders, OUT/drawn and OUT/traced, of the same
scenes as seen by the same cameras, with truth as python -m vision.drawing writes it, for python -m vision.report. Cards
are matt in both; there are neither hands nor hard shadows, whatever is asked for. Needs Mitsuba 3 (pip install
'racko[trace]'); a picture takes minutes.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.drawing.camera import View, unit
from vision.drawing.folder import Wanted, add, begin, situations, uncoded
from vision.drawing.light import WINDOW
from vision.drawing.options import add_wanted, count, told, wanted_of
from vision.drawing.picture import paint
from vision.drawing.scene import Camera, Lamp, Room, Scene
from vision.drawing.solids import Solid, solids_of

SAMPLES, BOUNCES = 64, 7
SKY = (32, 64)
"""Rows and columns of the picture of the light from all sides."""


def trace(scene: Scene, samples: int = SAMPLES) -> NDArray[np.float32]:
    """Render a scene's canvas: (height, width, 3) BGR, linear, in the units in which vision.drawing paints."""
    import mitsuba as mi  # noqa: PLC0415 - an extra that only this needs

    mi.set_variant("scalar_rgb")  # the others need LLVM or a graphics card
    world: dict[str, Any] = {
        "type": "scene",
        "integrator": {"type": "path", "max_depth": BOUNCES},
        "sensor": _sensor(mi, scene.camera, samples),
        "sky": _sky(mi, scene.room),
        **{f"lamp{number}": _lamp(lamp) for number, lamp in enumerate(scene.room.lamps)},
        **{f"solid{number}": _mesh(mi, solid, number) for number, solid in enumerate(solids_of(scene))},
    }
    rendered = np.array(mi.render(mi.load_dict(world)), np.float32)
    return np.ascontiguousarray(rendered[..., 2::-1])


def _sensor(mi: Any, camera: Camera, samples: int) -> dict[str, Any]:  # noqa: ANN401 - Mitsuba has no types
    view = View(camera)
    width, height = view.size
    right, down, forward = view.axes()
    at = np.array(camera.at)
    # Mitsuba's cameras have x to the left and y up
    to_world = np.eye(4)
    to_world[:3, :4] = np.column_stack([-right, -down, forward, at])
    x, y = view.middle
    return {
        "type": "perspective",
        "fov_axis": "x",
        "fov": float(np.degrees(2 * np.arctan(width / 2 / camera.focal))),
        "principal_point_offset_x": 0.5 - (x + 0.5) / width,
        "principal_point_offset_y": 0.5 - (y + 0.5) / height,
        "near_clip": 10.0,
        "far_clip": 10000.0,
        "to_world": mi.ScalarTransform4f(to_world),
        "film": {
            "type": "hdrfilm", "width": width, "height": height, "pixel_format": "rgb", "rfilter": {"type": "box"},
        },
        "sampler": {"type": "independent", "sample_count": samples},
    }  # fmt: skip


def _lamp(lamp: Lamp) -> dict[str, Any]:
    """A ball that gives the light that is asked for to what faces it at the world's origin: pi L (r / d)^2 there."""
    radius = max(lamp.radius, 1.0)
    radiance = np.array(lamp.light)[::-1] * float(np.sum(np.square(lamp.at))) / radius**2
    return {
        "type": "sphere",
        "center": list(lamp.at),
        "radius": radius,
        "emitter": {"type": "area", "radiance": {"type": "rgb", "value": radiance.tolist()}},
    }


def _sky(mi: Any, room: Room) -> dict[str, Any]:  # noqa: ANN401 - Mitsuba has no types
    """Light from all sides that falls on open surfaces as Lighting.ambient says.

    What shines by 1 + c cos to the window's side gives 1 + 2/3 c cos to a surface, so c is 1.5 times WINDOW.
    """
    rows, columns = SKY
    # Mitsuba's sky has y up and begins at its back; turned so that z is up, row 0 is the zenith
    down = (np.arange(rows) + 0.5)[:, None] / rows * np.pi
    around = (np.arange(columns) + 0.5)[None, :] / columns * 2 * np.pi
    local = [np.sin(around) * np.sin(down), np.cos(down) + 0 * around, -np.cos(around) * np.sin(down)]
    world = np.stack([local[0], -local[2], local[1]], axis=-1)
    shine = 1 + 1.5 * WINDOW * (world @ unit(room.window))
    sky = (shine[..., None] * np.array(room.ambient)[::-1]).astype(np.float32)
    turned = np.eye(4)
    turned[:3, :3] = [[1, 0, 0], [0, 0, -1], [0, 1, 0]]
    return {"type": "envmap", "bitmap": mi.Bitmap(np.maximum(sky, 0)), "to_world": mi.ScalarTransform4f(turned)}


def _mesh(mi: Any, solid: Solid, number: int) -> Any:  # noqa: ANN401 - Mitsuba has no types
    texture = {
        "type": "bitmap",
        "bitmap": mi.Bitmap(np.ascontiguousarray(solid.texture[::-1, :, ::-1])),
        "raw": True,
        "wrap_mode": "repeat" if solid.places.max() > 1 or solid.places.min() < 0 else "clamp",
    }
    matt: dict[str, Any] = {"type": "twosided", "bsdf": {"type": "diffuse", "reflectance": texture}}
    properties = mi.Properties()
    properties["surface"] = mi.load_dict(matt)
    mesh = mi.Mesh(
        f"solid{number}", len(solid.corners), len(solid.triangles), has_vertex_texcoords=True, props=properties
    )
    changed = mi.traverse(mesh)
    changed["vertex_positions"] = np.ascontiguousarray(solid.corners, np.float32).ravel()
    changed["faces"] = np.ascontiguousarray(solid.triangles, np.uint32).ravel()
    changed["vertex_texcoords"] = np.ascontiguousarray(solid.places * [1, -1] + [0, 1], np.float32).ravel()
    changed.update()
    return mesh


def write_folders(out: Path, wanted: Wanted, samples: int) -> Iterator[int]:
    """Write the same scenes drawn and traced; give each number when done. Raises OSError where it cannot write."""
    for name in ("drawn", "traced"):
        begin(out / name)
    for number, glossy in enumerate(situations(wanted)):
        matt = replace(glossy.scene.deck, gloss=0.0)
        situation = replace(glossy, scene=replace(glossy.scene, deck=matt, hands=(), shades=()))
        painted, photo = paint(situation.scene), uncoded(situation.scene).photo
        for name, light in (("drawn", painted.light), ("traced", trace(situation.scene, samples))):
            add(out / name, number, situation, replace(painted, light=light).with_truth(photo))
        yield number


def main(arguments: Sequence[str] | None = None) -> int:
    """Write both folders; give the exit code (2 where they cannot be written, or Mitsuba is missing)."""
    parser = argparse.ArgumentParser(prog="python -m vision.drawing.traced", description=__doc__)
    parser.add_argument("out", type=Path, help="folder to write to; it is made where it is missing")
    add_wanted(parser)
    parser.add_argument("--samples", type=count, default=SAMPLES, metavar="N", help="paths a pixel (%(default)s)")
    options = parser.parse_args(arguments)
    if find_spec("mitsuba") is None:
        sys.stderr.write("Mitsuba is missing; install it by: pip install 'racko[trace]'\n")
        return 2
    return told(options, write_folders(options.out, wanted_of(options), options.samples))


if __name__ == "__main__":
    sys.exit(main())
