"""Pictures out of a stream of bytes: whatever stands between them, and however it is cut into pieces."""

import functools

import cv2
import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from device.cameras.jpegs import Splitter, size_of, whole
from tests.device.cameras.fakes import jpeg, pixels

INSIDE = b"\xff\xd8\xff\xe0\x00\x04ab\xff\xda\x00\x02\x12\x34\xff\xd9"
"""A small picture's worth of markers, such as a maker puts into a segment of his own."""


def with_segment(picture: bytes, data: bytes, marker: int = 0xE5) -> bytes:
    return picture[:2] + bytes([0xFF, marker]) + (len(data) + 2).to_bytes(2, "big") + data + picture[2:]


@functools.cache
def kinds() -> tuple[bytes, ...]:
    """Pictures of all kinds that a camera may send."""
    plain = pixels(3, (40, 24))
    progressive = cv2.imencode(".jpg", plain, [cv2.IMWRITE_JPEG_PROGRESSIVE, 1])[1].tobytes()
    restarts = cv2.imencode(".jpg", plain, [cv2.IMWRITE_JPEG_RST_INTERVAL, 1])[1].tobytes()
    filled = jpeg(5)[:2] + b"\xff\xff" + jpeg(5)[2:]
    commented = with_segment(jpeg(6, (16, 16)), INSIDE, 0xFE)
    return (jpeg(1), jpeg(2, (16, 16)), progressive, restarts, filled, with_segment(jpeg(4), INSIDE), commented)


def _decoded(picture: bytes) -> NDArray[np.uint8]:
    return np.asarray(cv2.imdecode(np.frombuffer(picture, np.uint8), cv2.IMREAD_COLOR), dtype=np.uint8)


def fed(stream: bytes, cuts: list[int], most: int = 1 << 20) -> list[bytes]:
    splitter, found = Splitter(most), []
    places = sorted({cut % (len(stream) + 1) for cut in cuts})
    for start, end in zip([0, *places], [*places, len(stream)], strict=True):
        found += splitter.feed(stream[start:end])
    return found


CUTS = st.lists(st.integers(0, 1 << 16), max_size=12)
AFTER_FREE = 20
"""Where the first segment of OpenCV's pictures ends, which is an application's."""
LATER = b"\r\n" * 600
"""A length that is half of another picture's marker is known to be none only after so many bytes."""
# What may stand between pictures, as in a multipart stream; a start of a picture is one, so it is not among it.
GARBAGE = st.binary(max_size=60).map(lambda data: data.replace(b"\xff\xd8", b"--"))


@given(st.lists(st.tuples(GARBAGE, st.integers(0, 6)), max_size=6), GARBAGE, CUTS)
@settings(max_examples=150, deadline=None)
def test_all_whole_pictures_come_out_as_they_went_in(
    pieces: list[tuple[bytes, int]], rest: bytes, cuts: list[int]
) -> None:
    pictures = [kinds()[kind] for _, kind in pieces]
    # A garbage byte FF right before a picture is taken for a fill byte of what was before it, and does no harm.
    stream = b"".join(garbage.rstrip(b"\xff") + kinds()[kind] for garbage, kind in pieces) + rest
    assert fed(stream, cuts) == pictures


@given(st.lists(st.integers(0, 6), min_size=1, max_size=3), st.integers(0, 1 << 16), CUTS)
@settings(max_examples=150, deadline=None)
def test_a_picture_that_is_cut_short_takes_no_other_with_it(after: list[int], cut: int, cuts: list[int]) -> None:
    first = kinds()[0]
    cut = AFTER_FREE + cut % (len(first) - AFTER_FREE)
    stream = first[:cut] + b"\r\n--frame\r\n\r\n" + b"".join(kinds()[kind] for kind in after)
    assert fed(stream, cuts)[-len(after) :] == [kinds()[kind] for kind in after]


def test_wherever_a_picture_is_cut_the_next_one_is_seen() -> None:
    first, second = jpeg(1, (16, 16)), jpeg(2, (16, 16))
    for cut in range(len(first)):
        # Cut inside of its application segment, the rest of that may be the other's first bytes, and nobody can tell.
        seen = fed(first[:cut] + second + LATER, [])[-1]
        assert np.array_equal(_decoded(seen), _decoded(second)), f"cut after {cut} bytes"
        assert seen == second or cut < AFTER_FREE, f"cut after {cut} bytes"


@given(st.binary(max_size=3000), CUTS)
@settings(max_examples=150, deadline=None)
def test_no_bytes_at_all_make_it_fail_or_keep_more_than_its_bound(data: bytes, cuts: list[int]) -> None:
    splitter = Splitter(500)
    for piece in (data[:1500], data[1500:]):
        splitter.feed(piece)
        assert len(splitter._bytes) <= 500  # noqa: SLF001 - what it keeps is what is asked
    assert all(picture.startswith(b"\xff\xd8") and picture.endswith(b"\xff\xd9") for picture in fed(data, cuts))


@given(
    st.lists(st.sampled_from([b"\xff\xd8\xff", b"\xff\xe0\x00\x04", b"\xff\xda\x00\x02", b"\xff\xd9", b"\xff", b"ab"]))
)
@settings(max_examples=150, deadline=None)
def test_markers_in_any_order_never_give_more_than_there_is(pieces: list[bytes]) -> None:
    stream = b"".join(pieces)
    assert sum(map(len, fed(stream, []))) <= len(stream)


def test_a_picture_without_end_is_thrown_away_and_the_next_ones_come() -> None:
    splitter = Splitter(10_000)
    endless = jpeg(1)[:-2] + b"\x55" * 4000
    found = [picture for _ in range(20) for picture in splitter.feed(endless)]
    assert found == []
    assert splitter.feed(jpeg(2) + jpeg(3))[-1:] == [jpeg(3)]


def test_a_start_and_an_end_with_nothing_between_are_no_picture() -> None:
    assert fed(b"\xff\xd8\xff\xd9" + jpeg(1), []) == [jpeg(1)]


def test_the_padding_behind_a_picture_is_taken_off() -> None:
    assert whole(jpeg(1) + b"\0" * 5000) == jpeg(1)
    assert whole(jpeg(1)[:-20]) is None
    assert whole(b"") is None


def test_the_size_stands_in_the_header() -> None:
    for picture in kinds():
        decoded = _decoded(picture)
        assert size_of(picture) == (decoded.shape[1], decoded.shape[0])
    assert size_of(b"") is None
    assert size_of(jpeg(1)[:30]) is None


@given(st.binary(max_size=200))
@settings(max_examples=100, deadline=None)
def test_the_size_of_any_bytes_is_a_size_or_none(data: bytes) -> None:
    for start in (b"", b"\xff\xd8", jpeg(1)[:100]):
        size = size_of(start + data)
        assert size is None or min(size) > 0
