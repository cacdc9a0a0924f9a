"""Uploaded pictures: their size and type are looked at, and nothing of them is decoded here."""

import pytest

from tests.webui.clients import JPEG, PNG, Table, error_in, hosted
from webui.desk import Answer
from webui.pictures import MAX_PICTURE_BYTES

HOST = "/api/host/pictures"


@pytest.fixture
def table() -> Table:
    return hosted()


@pytest.mark.parametrize(
    ("picture", "kind"), [(JPEG, "image/jpeg"), (PNG, "image/png"), (JPEG, "IMAGE/JPEG; charset=x")]
)
def test_a_jpeg_or_png_is_handed_to_the_desk_as_it_came(table: Table, picture: bytes, kind: str) -> None:
    table.desk.answer = Answer(done=True, words="Ada's rack is read")
    response = table.post(HOST, picture, kind=kind)
    assert response.get_json() == {"done": True, "words": "Ada's rack is read", "changes": []}
    assert table.desk.pictures == [(picture, None)]


def test_a_picture_that_the_table_cannot_use_is_refused_in_its_words(table: Table) -> None:
    table.desk.answer = Answer(done=False, words="no rack is in this picture")
    response = table.post(HOST, JPEG, kind="image/jpeg")
    assert response.status_code == 409
    assert error_in(response) == "no rack is in this picture"


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (JPEG, "image/png"), (PNG, "image/jpeg"), (b"", "image/jpeg"), (b"\xff\xd8", "image/jpeg"),
        (b"GIF89a", "image/gif"),
        (JPEG, "image/gif"), (JPEG, "application/octet-stream"), (JPEG, ""), (JPEG, "multipart/form-data; boundary=x"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "image/svg+xml"), (b"<script>", "image/jpeg"),
        (JPEG, "text/html"),
        (b" " + JPEG, "image/jpeg"), (b"RIFF....WEBP", "image/webp"), (b"BM" + b"\0" * 60, "image/bmp"),
        (JPEG, "image/jpegs"),
        (b"P6 99999 99999 255\n", "image/x-portable-pixmap"), (JPEG, "application/x-www-form-urlencoded"),
    ],
)  # fmt: skip
def test_anything_else_is_not_taken(table: Table, body: bytes, kind: str) -> None:
    response = table.post(HOST, body, kind=kind)
    assert response.status_code == 415
    assert error_in(response)
    assert table.desk.pictures == []


def test_twelve_megabytes_are_taken_and_not_a_byte_more(table: Table) -> None:
    largest = JPEG.ljust(MAX_PICTURE_BYTES, b"\0")
    assert table.post(HOST, largest, kind="image/jpeg").status_code == 200
    response = table.post(HOST, largest + b"\0", kind="image/jpeg")
    assert response.status_code == 413
    assert "12 MB" in error_in(response)
    assert len(table.desk.pictures) == 1


def test_a_picture_is_no_way_to_send_a_large_order(table: Table) -> None:
    response = table.post("/api/host/order", b" " * 20_000)
    assert response.status_code == 413
    assert "16384 bytes" in error_in(response)
