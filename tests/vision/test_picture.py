from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.table import TableError
from tests.vision.drawing import Eye, draw_mat, empty_table
from vision.picture import PictureError, decode_picture, grey_of, load_picture, remarks_on


def jpeg() -> bytes:
    return bytes(cv2.imencode(".jpg", empty_table())[1])


def test_a_jpeg_is_loaded_as_it_was_saved(tmp_path: Path) -> None:
    (tmp_path / "a.jpg").write_bytes(jpeg())
    assert load_picture(tmp_path / "a.jpg").shape == (720, 1280, 3)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "empty"),
        (b"not a picture", "decoded"),
        (jpeg()[:4000], "cut short"),
        (bytes(cv2.imencode(".png", np.zeros((20, 20, 3), np.uint8))[1]), "20 x 20"),
    ],
)
def test_a_broken_picture_is_refused_in_one_line(data: bytes, words: str) -> None:
    with pytest.raises(PictureError, match=words) as caught:
        decode_picture(data, "camera tray")
    assert "\n" not in str(caught.value)
    assert str(caught.value).startswith("camera tray: ")
    assert isinstance(caught.value, TableError)
    assert caught.value.exit_code == 2


def test_a_missing_picture_is_named(tmp_path: Path) -> None:
    with pytest.raises(PictureError, match=r"nowhere\.jpg"):
        load_picture(tmp_path / "nowhere.jpg")


def test_darkness_and_blur_are_remarked_on_and_a_good_picture_is_not() -> None:
    picture = empty_table()
    draw_mat(picture, 1, Eye())
    assert remarks_on(grey_of(picture)) == ()
    assert any("dark" in remark for remark in remarks_on(grey_of((picture * 0.1).astype(np.uint8))))
    assert any("bright" in remark for remark in remarks_on(np.full((720, 1280), 250, np.uint8)))


def test_on_a_black_cloth_a_mat_in_good_light_is_not_too_dark() -> None:
    picture = np.full((720, 1280), 4, np.uint8)
    picture[200:500, 500:800] = 190
    tiles = np.zeros((90, 160), np.bool_)
    tiles[26:62, 64:99] = True
    assert remarks_on(picture, tiles) == ()
    assert any("dark" in remark for remark in remarks_on(picture))
    assert any("dark" in remark for remark in remarks_on(picture // 8, tiles))


def _swept(sides: tuple[int, int]) -> Callable[[NDArray[np.uint8]], NDArray[np.uint8]]:
    return lambda picture: np.asarray(cv2.blur(picture, sides), np.uint8)


def _out_of_focus(spread: float) -> Callable[[NDArray[np.uint8]], NDArray[np.uint8]]:
    return lambda picture: np.asarray(cv2.GaussianBlur(picture, (0, 0), spread), np.uint8)


@pytest.mark.parametrize(
    "spoiled",
    [*map(_out_of_focus, (4, 8, 16)), *map(_swept, ((15, 1), (1, 15), (61, 1), (1, 61)))],
    ids=["focus 4", "focus 8", "focus 16", "across 15", "down 15", "across 61", "down 61"],
)
def test_a_blur_of_any_kind_and_size_is_remarked_on(spoiled: Callable[[NDArray[np.uint8]], NDArray[np.uint8]]) -> None:
    picture = empty_table()
    draw_mat(picture, 1, Eye())
    assert any("blurred" in remark for remark in remarks_on(spoiled(grey_of(picture))))


@pytest.mark.parametrize("contrast", [0.0, 0.1, 0.2, 0.3, 0.5])
def test_little_contrast_is_no_blur(contrast: float) -> None:
    picture = empty_table()
    draw_mat(picture, 1, Eye())
    pale = np.asarray(130 + contrast * (grey_of(picture) - 130.0), np.uint8)
    assert remarks_on(pale) == ()


def test_a_photograph_of_many_soft_pixels_is_no_blur() -> None:
    picture = empty_table()
    draw_mat(picture, 1, Eye())
    soft = cv2.GaussianBlur(grey_of(picture), (0, 0), 1.2)
    assert remarks_on(np.asarray(cv2.resize(soft, None, fx=3, fy=3, interpolation=cv2.INTER_CUBIC), np.uint8)) == ()
