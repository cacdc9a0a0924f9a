"""The number reader: its contract, its refusals, and print that it never saw in training."""

from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.table import TableError
from vision.fuse import SURE
from vision.reading.digits import (
    CLASSES,
    COLUMNS,
    MODEL,
    ROWS,
    WINDOWS,
    WITNESS,
    NumberReader,
    ReaderError,
    in_windows,
    normalise,
)

Crop = NDArray[np.uint8]
FONTS = (cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_TRIPLEX, cv2.FONT_HERSHEY_COMPLEX)


def drawn(number: int, font: int = cv2.FONT_HERSHEY_DUPLEX, paper: int = 215, ink: int = 40) -> Crop:
    """A number by OpenCV's own stroke letters, which no typeface of the training resembles much."""
    text = str(number)
    large = np.full((ROWS * 4, COLUMNS * 4), paper, np.uint8)
    (width, height), _ = cv2.getTextSize(text, font, 3.2, 8)
    at = ((large.shape[1] - width) // 2, (large.shape[0] + height) // 2)
    cv2.putText(large, text, at, font, 3.2, ink, 8, cv2.LINE_AA)
    return np.asarray(cv2.resize(large, (COLUMNS, ROWS), interpolation=cv2.INTER_AREA), np.uint8)


@pytest.fixture(scope="module")
def reader() -> NumberReader:
    return NumberReader()


def test_each_row_is_a_distribution_over_no_number_and_the_sixty_cards(reader: NumberReader) -> None:
    scores = reader.read([drawn(7), drawn(42)])
    assert scores.shape == (2, CLASSES)
    assert np.allclose(scores.sum(axis=1), 1)
    assert (scores >= 0).all()


def test_no_crops_give_no_rows(reader: NumberReader) -> None:
    assert reader.read([]).shape == (0, CLASSES)


def test_a_batch_reads_as_its_crops_one_by_one(reader: NumberReader) -> None:
    crops = [drawn(number) for number in range(1, 61)] * 2
    together = reader.read(crops)
    single = np.concatenate([reader.read([crop]) for crop in crops])
    assert np.allclose(together, single, atol=1e-4)


def test_stacked_crops_read_like_a_list_of_them(reader: NumberReader) -> None:
    crops = [drawn(12), drawn(34)]
    assert np.allclose(reader.read(np.stack(crops)), reader.read(crops))


@pytest.mark.parametrize("number", [1, 6, 9, 23, 58])
def test_a_negative_reads_like_its_positive(reader: NumberReader, number: int) -> None:
    crop = drawn(number)
    assert np.allclose(reader.read([crop]), reader.read([255 - crop]), atol=1e-6)


def test_brightness_and_contrast_do_not_matter(reader: NumberReader) -> None:
    bright, faint = reader.read([drawn(26, paper=240, ink=20), drawn(26, paper=130, ink=95)])
    assert bright.argmax() == faint.argmax() == 26


@pytest.mark.parametrize("font", FONTS)
def test_all_sixty_numbers_in_stroke_letters_are_read_with_none_silently_wrong(reader: NumberReader, font: int) -> None:
    scores = reader.read([drawn(number, font) for number in range(1, 61)])
    best, sure = scores.argmax(axis=1), scores.max(axis=1)
    numbers = np.arange(1, 61)
    assert (best == numbers).sum() >= 57
    assert not ((sure > 0.9) & (best != numbers) & (best > 0)).any()


@pytest.mark.parametrize("tone", [0, 30, 128, 255])
def test_a_blank_card_is_never_a_number(reader: NumberReader, tone: int) -> None:
    blank = np.full((ROWS, COLUMNS), tone, np.uint8)
    assert reader.read([blank])[0, 1:].max() < 0.5


def test_an_edge_without_print_is_never_a_number(reader: NumberReader) -> None:
    edge = np.full((ROWS, COLUMNS), 200, np.uint8)
    edge[:9] = 60
    assert reader.read([edge])[0, 1:].max() < 0.5


def test_a_number_upside_down_is_not_said_with_confidence(reader: NumberReader) -> None:
    turned = np.ascontiguousarray(np.rot90(drawn(34), 2))
    assert reader.read([turned])[0, 1:].max() < 0.9


def test_normalised_print_is_dark_whichever_way_round_it_was() -> None:
    crop = drawn(48)
    values = normalise(np.stack([crop, 255 - crop]))
    assert values.shape == (2, 1, ROWS, COLUMNS)
    assert np.array_equal(values[0], values[1])
    assert values[0].min() < -0.5


def test_the_nets_see_each_block_with_a_margin_around_it() -> None:
    crops = np.random.default_rng(1).normal(size=(3, 1, ROWS, COLUMNS)).astype(np.float32)
    windows = in_windows(crops)
    assert windows.shape == (3, *WINDOWS)
    assert np.array_equal(windows[2, :, 4, 7].reshape(8, 8), crops[2, 0, 14:22, 26:34])
    corner = windows[1, :, 0, 0].reshape(8, 8)
    assert not corner[:2].any()
    assert not corner[:, :2].any()
    assert np.array_equal(corner[2:, 2:], crops[1, 0, :6, :6])


@pytest.mark.parametrize(
    "crop", [np.zeros((ROWS, COLUMNS + 1), np.uint8), np.zeros((ROWS, COLUMNS), np.float32), np.zeros((4,), np.uint8)]
)
def test_a_crop_against_the_contract_is_refused_in_one_line(reader: NumberReader, crop: Crop) -> None:
    with pytest.raises(ReaderError, match="crop must be uint8") as refusal:
        reader.read([crop])
    assert "\n" not in str(refusal.value)


def test_a_missing_model_is_refused_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(ReaderError, match="missing") as refusal:
        NumberReader(tmp_path / "none.onnx")
    assert "\n" not in str(refusal.value)
    assert isinstance(refusal.value, TableError)


@pytest.mark.parametrize("keep", [0, 10, 5000, 200_000])
def test_a_model_cut_short_is_refused_in_one_line(tmp_path: Path, keep: int) -> None:
    broken = tmp_path / "broken.onnx"
    broken.write_bytes(MODEL.read_bytes()[:keep])
    with pytest.raises(ReaderError, match="broken") as refusal:
        NumberReader(broken)
    assert "\n" not in str(refusal.value)


def test_a_file_that_is_no_model_is_refused_in_one_line(tmp_path: Path) -> None:
    other = tmp_path / "other.onnx"
    other.write_bytes(b"this is no model at all " * 99)
    with pytest.raises(ReaderError, match="broken"):
        NumberReader(other)


def test_a_net_that_sees_something_else_is_refused_in_one_line() -> None:
    with pytest.raises(ReaderError, match=r"broken|answers") as refusal:
        NumberReader(MODEL.parents[1] / "rack" / "slot_glance.onnx")
    assert "\n" not in str(refusal.value)


def test_both_models_together_are_small() -> None:
    assert MODEL.stat().st_size + WITNESS.stat().st_size < 2_000_000


@pytest.mark.parametrize("model", [MODEL, WITNESS])
def test_the_models_are_made_of_plain_layers(model: Path) -> None:
    onnx = pytest.importorskip("onnx", reason="onnx is missing (pip install racko[train]): the layers are NOT checked")
    loaded = onnx.load(str(model))
    assert {node.op_type for node in loaded.graph.node} <= {"Conv", "Relu", "MaxPool", "Flatten", "Gemm"}
    assert [opset.version for opset in loaded.opset_import] == [13]


@pytest.mark.parametrize("model", [MODEL, WITNESS])
def test_each_model_alone_reads_plain_numbers(model: Path) -> None:
    scores = NumberReader(model).read([drawn(number) for number in range(1, 61)])
    assert (scores.argmax(axis=1) == np.arange(1, 61)).sum() >= 55


def loose(number: int, *, tilt: float = 0.0, margin: int = 40, scale: float = 1.0, negative: bool = False) -> Crop:
    """A cut-out with margins as somebody cuts it by hand."""
    picture = cv2.copyMakeBorder(drawn(number), margin, margin // 2, margin, margin * 2, cv2.BORDER_REPLICATE)
    rows, columns = picture.shape
    turn = cv2.getRotationMatrix2D((columns / 2, rows / 2), tilt, 1.0)
    picture = cv2.warpAffine(picture, turn, (columns, rows), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    picture = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC)
    return np.asarray(255 - picture if negative else picture, np.uint8)


@pytest.mark.parametrize("number", [4, 17, 38])
@pytest.mark.parametrize(
    "how", [{}, {"tilt": 9.0}, {"margin": 2}, {"scale": 5.0}, {"scale": 0.8}, {"negative": True, "tilt": -7.0}]
)
def test_a_loose_cut_out_is_read(reader: NumberReader, number: int, how: dict[str, float]) -> None:
    scores = reader.read_cutout(loose(number, **how))  # type: ignore[arg-type]
    assert scores.shape == (CLASSES,)
    assert scores.sum() == pytest.approx(1)
    assert scores.argmax() == number


def tight(number: int) -> Crop:
    """A cut-out without margins, as a program cuts it that knows where the ink is."""
    picture = drawn(number)
    x, y, wide, high = cv2.boundingRect((picture < 128).astype(np.uint8))
    return np.ascontiguousarray(picture[y - 1 : y + high + 1, x - 1 : x + wide + 1])


@pytest.mark.parametrize("number", [2, 3, 5, 7, 8, 9, 25, 53])
def test_a_tight_cut_out_is_read_surely(reader: NumberReader, number: int) -> None:
    scores = reader.read_cutout(tight(number))
    assert scores.argmax() == number
    assert scores.max() >= SURE


@pytest.mark.parametrize("rise", [-0.35, 0.35])
@pytest.mark.parametrize("number", [4, 27, 45])
def test_a_number_whose_line_rises_is_read(reader: NumberReader, number: int, rise: float) -> None:
    picture = loose(number, margin=30)
    rows, columns = picture.shape
    way = np.array([[1.0, 0.0, 0.0], [-rise, 1.0, rise * columns / 2]])
    seen = cv2.warpAffine(picture, way, (columns, rows), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    scores = reader.read_cutout(np.asarray(seen, np.uint8))
    assert scores.argmax() == number
    assert scores.max() >= 0.9


@pytest.mark.parametrize("number", [6, 17, 53])
def test_a_number_in_a_strip_as_long_as_a_card_is_read(reader: NumberReader, number: int) -> None:
    strip = np.full((48, 320), 215, np.uint8)
    strip[8:40, 200:248] = drawn(number)
    scores = reader.read_cutout(strip)
    assert scores.argmax() == number
    assert scores.max() >= 0.9


def test_the_upper_part_of_another_number_takes_nothing_away(reader: NumberReader) -> None:
    picture = np.full((56, 110), 215, np.uint8)
    picture[4:36, 4:52] = drawn(23)
    picture[40:56, 58:106] = drawn(48)[6:22]
    scores = reader.read_cutout(picture)
    assert scores.argmax() == 23
    assert scores.max() >= 0.9


def test_two_numbers_in_a_cut_out_are_not_read_with_confidence(reader: NumberReader) -> None:
    picture = np.full((90, 70), 215, np.uint8)
    picture[8:40, 11:59] = drawn(23)
    picture[50:82, 11:59] = drawn(48)
    assert reader.read_cutout(picture)[1:].max() < 0.9


@pytest.mark.parametrize("number", [5, 25])
def test_a_five_on_its_head_is_no_nine(reader: NumberReader, number: int) -> None:
    turned = np.ascontiguousarray(tight(number)[::-1, ::-1])
    assert reader.read_cutout(turned)[1:].max() < SURE


def test_a_cut_out_in_colour_is_read(reader: NumberReader) -> None:
    grey = loose(25)
    assert reader.read_cutout(np.stack([grey, grey // 2, grey], axis=2)).argmax() == 25


def test_a_cut_out_without_a_number_says_none_with_confidence(reader: NumberReader) -> None:
    assert reader.read_cutout(np.full((60, 90), 180, np.uint8))[1:].max() < 0.5


@pytest.mark.parametrize("number", [23, 47, 54])
@pytest.mark.parametrize("quarters", [1, 2, 3])
def test_a_cut_out_that_lies_on_its_side_or_head_is_not_read_with_confidence(
    reader: NumberReader, number: int, quarters: int
) -> None:
    turned = np.ascontiguousarray(np.rot90(loose(number), quarters))
    assert reader.read_cutout(turned)[1:].max() < 0.9


def test_a_cut_out_with_a_line_along_its_border_is_read_without_it(reader: NumberReader) -> None:
    picture = loose(4, margin=12)
    picture[:, -4:] = 40
    assert reader.read_cutout(picture).argmax() == 4


@pytest.mark.parametrize("marker", [0, 5, 17, 31])
def test_a_marker_is_never_a_number(reader: NumberReader, marker: int) -> None:
    board = cv2.aruco.generateImageMarker(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50), marker, 90)
    picture = cv2.copyMakeBorder(board, 15, 15, 15, 15, cv2.BORDER_CONSTANT, value=240)
    assert reader.read_cutout(np.asarray(picture, np.uint8))[1:].max() < 0.9


@pytest.mark.parametrize("seed", range(6))
def test_noise_is_never_a_number(reader: NumberReader, seed: int) -> None:
    noise = np.random.default_rng(seed).integers(0, 256, (50, 70), dtype=np.uint8)
    assert reader.read_cutout(noise)[1:].max() < 0.9


@pytest.mark.parametrize("size", [(1, 1), (3, 200), (200, 2), (60, 9000)])
def test_an_odd_size_of_a_cut_out_does_no_harm(reader: NumberReader, size: tuple[int, int]) -> None:
    assert reader.read_cutout(np.full(size, 90, np.uint8)).sum() == pytest.approx(1)


def test_a_cut_out_of_another_kind_is_refused_in_one_line(reader: NumberReader) -> None:
    with pytest.raises(ReaderError, match="cut-out must be"):
        reader.read_cutout(np.zeros((0, 4), np.uint8))
