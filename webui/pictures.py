"""Uploaded pictures: their size, type and first bytes are looked at here; decoding them is the table's work."""

from typing import Final

from flask import request

from webui.answers import PageError

MAX_PICTURE_BYTES: Final = 12 * 1024 * 1024
"""The largest picture that is taken; a phone's JPEG has 2 to 8 MB."""

BEGINNINGS: Final = {"image/jpeg": b"\xff\xd8\xff", "image/png": b"\x89PNG\r\n\x1a\n"}
"""The first bytes of each type that is taken."""


def uploaded_picture() -> bytes:
    """Return the picture in the present request's body.

    Raises PageError: 415 for anything but a JPEG or PNG that says so, 413 beyond MAX_PICTURE_BYTES.
    """
    beginning = BEGINNINGS.get(request.mimetype)
    if beginning is None:
        raise PageError(415, "send the picture as image/jpeg or image/png")
    request.max_content_length = MAX_PICTURE_BYTES
    picture = request.get_data(cache=False)
    if not picture.startswith(beginning):
        raise PageError(415, "this is not a JPEG or PNG picture, or not the one it says it is")
    return picture
