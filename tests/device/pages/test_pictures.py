"""Pictures for the pages: while a round is on a camera's picture is the same whatever stands in the racks."""

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from device.pages.pictures import camera_view, plainly
from engine.variants import deck_of
from tests.device.live_table import READER, RECORDED
from tests.device.recorded import SESSION, truth
from vision.eye import Eye
from vision.frame import Frame

FRAMES = SESSION / "frames" / "rack1"
CARDS = {said["file"]: list(said["rack"].values()) for said in truth() if said["type"] == "frame" and "rack" in said}
FIRST, LAST = (f"frames/rack1/{number:06}.jpg" for number in (0, 13))


def an_eye() -> Eye:
    return Eye(RECORDED.table, deck_of("parker-1992", 2), None, READER)


@pytest.fixture(scope="module")
def eye() -> Eye:
    """An eye that knows where the rack's mat lies."""
    known = an_eye()
    known.look(Frame.load(SESSION / FIRST))
    return known


def shown(file: str, eye: Eye | None, *, secret: bool = True) -> NDArray[np.int16]:
    """The picture of a file as the host may see it."""
    frame = Frame.load(SESSION / file)
    look = None if eye is None else eye.look(frame)
    data = camera_view(frame, eye, look, {1: ("Ada", "10 of 10 read")}, secret=secret)
    picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    return picture.astype(np.int16)


@pytest.mark.parametrize("mat_is_known", [True, False])
def test_two_racks_in_one_place_look_alike_while_the_round_is_on(eye: Eye, *, mat_is_known: bool) -> None:
    assert sum(one != other for one, other in zip(CARDS[FIRST], CARDS[LAST], strict=True)) == 3
    known = eye if mat_is_known else None
    assert np.array_equal(shown(FIRST, known), shown(LAST, known))


def test_where_the_mats_lie_is_seen_while_the_round_is_on(eye: Eye) -> None:
    assert np.ptp(shown(FIRST, eye), axis=(0, 1)).min() > 50
    assert np.ptp(shown(FIRST, None), axis=(0, 1)).max() <= 1


def test_no_figure_can_be_read_while_the_round_is_on_and_all_when_it_is_over(eye: Eye) -> None:
    veiled = an_eye().look(Frame(shown(LAST, eye).astype(np.uint8)))
    assert (veiled.racks, veiled.tray) == ({}, None)
    bare = an_eye().look(Frame(shown(LAST, None, secret=False).astype(np.uint8)))
    assert len(bare.racks[1]) == 10


def test_what_is_written_on_a_mat_is_read_as_far_as_the_font_goes() -> None:
    assert plainly("Zoë") == "Zoe"
    assert plainly("Ягода") == ""


def test_other_words_on_a_mat_are_another_picture_and_stay_within_it(eye: Eye) -> None:
    frame = Frame.load(SESSION / FIRST)
    one, other = (
        camera_view(frame, eye, None, {1: words}, secret=True) for words in (("Ada",), ("Ada", "9 of 10 read"))
    )
    assert one != other
    edge = cv2.imdecode(np.frombuffer(other, np.uint8), cv2.IMREAD_GRAYSCALE)
    assert edge is not None
    assert np.ptp(edge[:, -3:].astype(int)) < 120, "no letter is cut off at the rim"
