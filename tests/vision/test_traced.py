"""Scenes as solids, and drawn light beside a path tracer's; the latter needs Mitsuba."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.table import MAT_SIZE, Rack
from vision.drawing import traced
from vision.drawing.camera import View
from vision.drawing.decks import Deck
from vision.drawing.picture import paint
from vision.drawing.places import Placed
from vision.drawing.racks import cards_in
from vision.drawing.scene import (
    BACK,
    Camera,
    Cloth,
    Lamp,
    Lying,
    MatPlace,
    Photo,
    Point,
    RackStand,
    Room,
    Scene,
    Standing,
    TrayStand,
)  # fmt: skip
from vision.drawing.solids import THINNEST, Solid, solids_of

SMALL = Camera(size=(320, 180), focal=250.0, middle=(155.0, 95.5), roll=3.0)
PAPER = Cloth(pattern="plain", strength=0.0)
PLACE = MatPlace(2, at=(5.0, -8.0), turn=7.0)


def a_scene(stand: RackStand | TrayStand | None, room: Room | None = None, core: float = 0.8) -> Scene:
    mat = replace(PLACE, stand=stand)
    return Scene(Deck(core=core), (mat,), camera=SMALL, room=room or Room(), cloth=PAPER, photo=Photo(quality=0))


def a_rack(*cards: int) -> RackStand:
    slots = tuple((Standing(card),) for card in cards)
    return RackStand(slots + ((),) * (10 - len(cards)), Rack(), colour=(200, 200, 200))


def normals(solid: Solid) -> NDArray[np.float64]:
    """The way (n, 3) that each triangle looks."""
    a, b, c = (solid.corners[solid.triangles[:, at]] for at in range(3))
    way = np.cross(b - a, c - a)
    return np.asarray(way / np.linalg.norm(way, axis=1, keepdims=True))


def test_a_cards_face_looks_as_its_plane_does_and_its_back_the_other_way_as_far_as_it_is_thick() -> None:
    for core, thick in ((0.8, 0.3), (0.0, THINNEST)):
        scene = a_scene(a_rack(BACK, 17), core=core)
        *_, face, back, edge = solids_of(scene)
        plane = cards_in(a_rack(BACK, 17), Placed(PLACE), scene.card)[1].plane

        assert np.abs(normals(face) - plane.normal()).max() < 1e-6
        assert np.abs(normals(back) + plane.normal()).max() < 1e-6
        middle = plane.points(np.array([scene.card.width / 2, scene.card.height / 2]))
        assert (((edge.corners[edge.triangles].mean(axis=1) - middle) * normals(edge)).sum(axis=1) > 0).all()
        assert float((face.corners[0] - back.corners[0]) @ plane.normal()) == pytest.approx(thick)


def test_all_that_has_sides_looks_outwards() -> None:
    scene = a_scene(a_rack())
    _, _, *walls = solids_of(scene)
    boxes = [walls[at : at + 5] for at in range(0, len(walls), 5)]

    assert len(boxes) == 3
    for box in boxes:
        middle = np.concatenate([side.corners for side in box]).mean(axis=0)
        for side in box:
            assert ((side.corners.mean(axis=0) - middle) * normals(side) > -1e-9).all()


def test_each_card_of_a_pile_is_there() -> None:
    scene = a_scene(TrayStand("left", (Lying(BACK),) * 3, (Lying(7), Lying(9))))
    bare = a_scene(TrayStand("left"))

    assert len(list(solids_of(scene))) - len(list(solids_of(bare))) == 5 * 3


def mitsuba() -> None:
    pytest.importorskip("mitsuba", reason="Mitsuba is missing (pip install racko[trace]): traced light is NOT tested")


def at(scene: Scene, light: NDArray[np.floating], place: Point) -> NDArray[np.float64]:
    """The light (3,) at a place of the mat, the mean of 9 x 9 pixels."""
    x, y = np.round(View(scene.camera).canvas(Placed(scene.mats[0]).world(np.array(place)))).astype(int)
    return np.asarray(light[y - 4 : y + 5, x - 4 : x + 5].mean(axis=(0, 1)), np.float64)


def test_light_from_a_window_falls_from_where_it_is_drawn_to() -> None:
    mitsuba()
    fronts = {}
    for window in ((1.0, 0.0, 0.0), (0.0, -1.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.5, 1.0)):
        scene = a_scene(a_rack(), Room((), (0.3, 0.4, 0.5), window))
        drawn, rendered = paint(scene).light, traced.trace(scene, 64)
        for place, off in (((270.0, 105.0, 0.0), 0.05), ((171.0, 93.0, 22.0), 0.12)):
            assert np.abs(at(scene, rendered, place) / at(scene, drawn, place) - 1).max() < off, (window, place)
        fronts[window] = at(scene, rendered, (161.0, 33.0, 11.0)).mean()

    assert fronts[0.0, -1.0, 0.0] > 1.2 * fronts[1.0, 0.0, 0.0] > 1.4 * fronts[0.0, 1.0, 0.0]


def test_a_lamp_lights_the_mat_as_it_is_drawn() -> None:
    mitsuba()
    scene = a_scene(None, Room((Lamp((-300.0, -200.0, 700.0), (0.6, 0.5, 0.4), 60.0),), (0.2, 0.2, 0.2)))
    drawn, rendered = paint(scene).light, traced.trace(scene, 64)

    for place in ((60.0, 90.0, 0.0), (MAT_SIZE[0] / 2, MAT_SIZE[1] / 2, 0.0), (240.0, 110.0, 0.0)):
        assert np.abs(at(scene, rendered, place) / at(scene, drawn, place) - 1).max() < 0.05, place


def test_what_is_traced_stands_where_it_is_drawn() -> None:
    mitsuba()
    scene = a_scene(a_rack(3, 20, 31, 44))
    drawn, rendered = paint(scene).light, traced.trace(scene, 16)
    one, other = (np.sqrt(np.clip(light.mean(axis=2), 0, 1)) for light in (drawn, rendered))

    def unlike(right: int, down: int) -> float:
        return float(np.abs(one[8:-8, 8:-8] - np.roll(other, (down, right), (0, 1))[8:-8, 8:-8]).mean())

    assert min(((x, y) for x in range(-2, 3) for y in range(-2, 3)), key=lambda off: unlike(*off)) == (0, 0)


def test_both_folders_have_the_same_scenes_and_truth(tmp_path: Path) -> None:
    mitsuba()
    arguments = ["--count", "1", "--seed", "3", "--kind", "tray", "--no-fonts", "--samples", "1"]

    assert traced.main([str(tmp_path), *arguments]) == 0

    drawn, rendered = (
        {path.name: path.read_bytes() for path in (tmp_path / name).iterdir()} for name in ("drawn", "traced")
    )
    assert set(drawn) == set(rendered) == {"0000.jpg", "0000.toml", "truth.jsonl"}
    assert drawn["truth.jsonl"] == rendered["truth.jsonl"]
    assert drawn["0000.jpg"] != rendered["0000.jpg"]


def test_what_is_not_traced_is_not_drawn_either(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A hard shadow that only one of two pictures shows tells nothing of light."""
    scenes: list[Scene] = []

    def light(scene: Scene, *_: object) -> NDArray[np.float32]:
        scenes.append(scene)
        return paint(scene).light

    monkeypatch.setattr(traced, "find_spec", lambda _: True)
    monkeypatch.setattr(traced, "trace", light)
    arguments = ["--count", "2", "--seed", "3", "--kind", "rack", "--no-fonts", "--hands", "1", "--shades", "1"]

    assert traced.main([str(tmp_path), *arguments]) == 0

    assert [(scene.hands, scene.shades) for scene in scenes] == [((), ())] * 2
    for name in ("0000.jpg", "0001.jpg", "truth.jsonl"):
        assert (tmp_path / "drawn" / name).read_bytes() == (tmp_path / "traced" / name).read_bytes()


def test_without_mitsuba_it_is_said_how_to_get_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(traced, "find_spec", lambda _: None)

    assert traced.main([str(tmp_path / "out")]) == 2

    assert "racko[trace]" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
