"""What is said to a page: errors in one line, the desk's answers, and JSON bodies read with care."""

import json
from collections.abc import Iterable
from typing import Any, Final, NoReturn

from flask import Response, jsonify, request

from engine.errors import RackoError
from webui.desk import Answer

MAX_BODY_BYTES: Final = 16_384
"""The largest JSON body that is read; a new game with long names needs some 2000 bytes."""

MAX_WORDS: Final = 300
"""The longest error in letters; engine errors quote what was sent, which may be long."""

WORDS: Final = {
    400: "this request cannot be understood",
    404: "there is nothing at this address",
    405: "this address does not take that method",
    413: f"this is too large; {MAX_BODY_BYTES} bytes are taken at most, and 12 MB of a picture",
    421: "this name is not one of the table's; open the page by the address that the table prints",
    431: "the request's headers are too large",
    500: "something went wrong inside; the table's log has the details",
    501: "requests of this kind are not taken here",
    503: "the table is busy; try again in a moment",
}
"""What is said for errors that the framework or the server finds."""


class PageError(RackoError):
    """A request that is refused: the HTTP status to answer with, the words, and what else stands beside them."""

    def __init__(self, status: int, words: str = "", **beside: object) -> None:
        super().__init__(words or WORDS[status])
        self.status = status
        self.beside = beside


def error(status: int, words: str, **beside: object) -> Response:
    """Make the answer {"error": words}: one line, never endless."""
    line = " ".join(words.split())
    if len(line) > MAX_WORDS:
        line = line[: MAX_WORDS - 1] + "…"
    response = jsonify({"error": line, **beside})
    response.status_code = status
    if status in (429, 503):
        wait = beside.get("wait")
        response.headers["Retry-After"] = str(wait) if isinstance(wait, int) else "5"
    return response


def answered(answer: Answer) -> Response:
    """Say what came of an order; PageError 409 with the desk's words if it was refused."""
    if not answer.done:
        raise PageError(409, answer.words or "that cannot be done now")
    return jsonify({"done": True, "words": answer.words, "changes": list(answer.changes)})


def json_body(keys: Iterable[str] | None = None) -> dict[str, Any]:
    """Read the present request's body, a JSON object with no other keys than these (None: with any).

    Raises PageError: 415 for another type, 413 beyond MAX_BODY_BYTES, 400 for what is no such object.
    """
    if request.mimetype != "application/json":
        raise PageError(415, "send this as application/json")
    try:
        said = json.loads(request.get_data(cache=False), parse_constant=_no_number)
    except (ValueError, RecursionError):
        raise PageError(400, "the body is not JSON") from None
    if not isinstance(said, dict):
        raise PageError(400, "the body is not a JSON object")
    if keys is not None and (strange := said.keys() - set(keys)):
        raise PageError(400, f"the body has a key too many: {min(strange)[:40]!r}")
    return said


def _no_number(word: str) -> NoReturn:
    raise ValueError(word)
