"""The drawing of crops and the judging of the reader; without torch and without installed typefaces."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

pytest.importorskip("PIL", reason="pillow is missing (pip install racko[train]): the training tools are NOT tested")

from vision.reading.digits import CLASSES, COLUMNS, ROWS, NumberReader, normalise
from vision.training import drawn, evaluate, photos, scene, spoil, stills, typefaces
from vision.training.crops import CropMaker
from vision.training.typefaces import LETTERS, Face


def glyph(character: str) -> NDArray[np.uint8]:
    mask = np.zeros((100, 62), np.uint8)
    cv2.putText(mask, character, (6, 80), cv2.FONT_HERSHEY_DUPLEX, 2.6, 255, 8, cv2.LINE_AA)
    return mask


@pytest.fixture(scope="module")
def face() -> Face:
    return Face("strokes", {character: glyph(character) for character in "0123456789" + LETTERS}, 1.0)


def test_the_same_seed_draws_the_same_crops(face: Face) -> None:
    once, again = CropMaker([face], seed=3).make(12), CropMaker([face], seed=3).make(12)
    assert np.array_equal(once[0], again[0])
    assert np.array_equal(once[1], again[1])


def test_crops_keep_the_contract_and_labels_the_deck(face: Face) -> None:
    crops, labels = CropMaker([face], seed=5).make(60)
    assert crops.shape == (60, ROWS, COLUMNS)
    assert crops.dtype == np.uint8
    assert labels.min() >= 0
    assert labels.max() < CLASSES


def test_every_kind_of_nothing_can_be_drawn_and_is_labelled_nought(face: Face) -> None:
    _, labels = CropMaker([face], seed=6).make(150, nothing=1)
    assert not labels.any()


def test_mild_crops_of_a_plain_face_are_mostly_read(face: Face) -> None:
    crops, labels = CropMaker([face], seed=7, hard=0.1).make(80, nothing=0)
    assert evaluate.outcome(NumberReader().read(crops), labels, 0.5)[0] > 0.8


def test_drawing_without_typefaces_is_refused_with_advice() -> None:
    with pytest.raises(ValueError, match="install some fonts"):
        CropMaker([], seed=1)


@pytest.mark.slow
def test_drawn_tables_give_crops_by_the_contract_and_the_same_ones_again() -> None:
    once, again = (list(drawn.crops("7", ("lines 2",), 2)) for _ in range(2))
    assert len(once) > 20
    assert all(
        crop.shape == (ROWS, COLUMNS) and crop.dtype == np.uint8 and 0 <= label < CLASSES for crop, label in once
    )
    assert all(np.array_equal(a, b) and name == also for (a, name), (b, also) in zip(once, again, strict=True))
    assert sum(label > 0 for _, label in once) > 10


@pytest.mark.slow
def test_numbers_on_drawn_tables_are_mostly_read_as_labelled() -> None:
    labelled = [item for item in drawn.crops("8", ("lines 1",), 4) if item[1] > 0]
    scores = NumberReader().read([crop for crop, _ in labelled])
    assert evaluate.outcome(scores, np.array([label for _, label in labelled]), 0.5)[0] > 0.7


def test_spoiled_crops_stay_crops(face: Face) -> None:
    rng = np.random.default_rng(2)
    for crop in CropMaker([face], seed=9).make(60)[0]:
        spoiled = spoil.spoil(rng, crop)
        assert spoiled.shape == crop.shape
        assert spoiled.dtype == np.uint8


@pytest.mark.parametrize(
    ("text", "legal"),
    [("8", True), ("6", True), ("11", True), ("16", False), ("60", False), ("34", False), ("7", False)],
)
def test_only_numbers_that_turn_into_numbers_of_the_deck_are_spared_when_turned(text: str, *, legal: bool) -> None:
    assert scene.legal_when_turned(text) is legal


def test_clones_of_one_design_stay_on_one_side_of_the_split() -> None:
    for clones in (("Lato", "Carlito"), ("URW Bookman", "TeX Gyre Bonum"), ("CMU Serif", "Latin Modern Roman")):
        assert len({typefaces.part_of(name) for name in clones}) == 1
    assert typefaces.part_of("Lato") == "test"
    assert typefaces.part_of("DejaVu Serif") == "train"


def test_a_folder_without_fonts_gives_no_typefaces(tmp_path: Path) -> None:
    (tmp_path / "broken.ttf").write_bytes(b"no font")
    assert typefaces.load("train", tmp_path) == []


def test_outcomes_are_right_not_sure_or_silently_wrong() -> None:
    scores = np.zeros((4, CLASSES))
    scores[0, 7] = scores[1, 8] = 0.95
    scores[2, 7], scores[2, 1] = 0.6, 0.4
    scores[3, 0] = 1
    labels = np.array([7, 7, 7, 7])
    assert evaluate.outcome(scores, labels, 0.9) == (0.25, 0.5, 0.25)
    assert evaluate.outcome(scores, labels, 0.5) == (0.5, 0.25, 0.25)
    assert evaluate.outcome(scores, np.zeros(4, np.int64), 0.9) == (0.5, 0.0, 0.5)


@pytest.fixture
def digits_folder(tmp_path: Path) -> Path:
    """Six photographs of different pages in the form of the photographed digits."""
    sheet = np.full((240, 360), 190, np.uint8)
    labels: list[list[object] | None] = []
    for place in range(54):
        row, column = divmod(place, 9)
        cv2.putText(sheet, str(column + 1), (column * 40 + 12, row * 40 + 30), 0, 0.9, 40, 2, cv2.LINE_AA)
        labels.append([column + 1, f"image{9000 + row}"] if place % 7 else None)
    cv2.imwrite(str(tmp_path / "sheet0.jpg"), sheet)
    index = {"cell": 40, "per_row": 9, "rows_per_sheet": 6, "labels": labels}
    (tmp_path / "labels.json").write_text(json.dumps(index), encoding="utf-8")
    return tmp_path


def test_photographed_figures_are_split_by_page_and_cut_to_their_ink(digits_folder: Path) -> None:
    pages = [page for part in ("train", "calibrate", "test") for page in photos.load(digits_folder, part)]
    assert len(pages) == 6
    masks = [mask for page in pages for figures in page.values() for mask in figures]
    assert len(masks) > 35
    assert all(50 < mask.shape[0] < 110 and mask.max() > 0.9 for mask in masks)


def test_photographed_figures_go_into_crops(digits_folder: Path, face: Face) -> None:
    pages = photos.load(digits_folder, "train") or photos.load(digits_folder, "test")
    assert len(CropMaker([face], seed=4, photos=pages).make(40)[1]) == 40


def test_a_folder_without_photographed_digits_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no folder of photographed digits"):
        photos.load(tmp_path, "train")


def test_stills_are_cut_where_their_truth_says(tmp_path: Path) -> None:
    picture = np.full((400, 600), 220, np.uint8)
    quad = [[20, 20], [554, 20], [554, 356], [20, 356]]  # 6 px a millimetre
    left, foot = round(20 + 6 * (5.7 + 36 * 67 / 59)), round(20 + 6 * 9.2)
    cv2.putText(picture, "37", (left, foot), cv2.FONT_HERSHEY_DUPLEX, 1.85, 30, 3, cv2.LINE_AA)
    cv2.imwrite(str(tmp_path / "0001.jpg"), picture)
    truth = {
        "image": "0001.jpg",
        "racks": {"1": [{"slot": 5, "card": 37}, {"slot": 10, "back": True}]},
        "strips": {"1": {"5": quad, "10": [[x, y + 20] for x, y in quad]}},
        "tray": None,
    }
    (tmp_path / "truth.jsonl").write_text(json.dumps(truth) + "\n", encoding="utf-8")
    cut, back = (cut for cut in stills.cuts(tmp_path, seed=1) if "beside" not in cut.where)
    assert (cut.card, cut.visible, back.card) == (37, 1.0, 0)
    assert back.visible == 0
    assert NumberReader().read([cut.crop])[0].argmax() == 37


@pytest.mark.parametrize("figures", [False, True])
def test_an_exported_net_answers_in_opencv_as_in_torch(tmp_path: Path, *, figures: bool) -> None:
    torch = pytest.importorskip("torch", reason="torch is missing (pip install racko[train]): the export is NOT tested")
    pytest.importorskip("onnx", reason="onnx is missing (pip install racko[train]): the export is NOT tested")
    from vision.training import network  # noqa: PLC0415 - needs torch

    torch.manual_seed(1)
    net = network.build(figures=figures).eval()
    network.export(net, 2.0, tmp_path / "net.onnx")
    crops = np.random.default_rng(1).integers(0, 256, (3, ROWS, COLUMNS), dtype=np.uint8)
    with torch.no_grad():
        scores = net(torch.from_numpy(normalise(crops))) / 2
    if figures:
        tens, ones = torch.softmax(scores[:, :8], 1).numpy(), torch.softmax(scores[:, 8:], 1).numpy()
        expected = np.column_stack([tens[:, 1 + card // 10] * ones[:, card % 10] for card in range(1, CLASSES)])
    else:
        expected = torch.softmax(scores, 1).numpy()[:, 1:]
    assert np.allclose(NumberReader(tmp_path / "net.onnx").read(crops)[:, 1:], expected, atol=1e-4)
