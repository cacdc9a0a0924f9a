"""How the server takes requests in before the application sees them: bounds on bodies, and errors like all others."""

import copy
import io
import json
import logging
import re
from collections.abc import MutableMapping
from threading import Lock
from typing import Any, ClassVar, Final
from weakref import WeakSet

from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser, ParsingError
from waitress.task import ErrorTask
from waitress.utilities import Error, RequestEntityTooLarge

from webui.answers import MAX_BODY_BYTES, WORDS
from webui.guard import HEADERS
from webui.pictures import MAX_PICTURE_BYTES

UPLOADS_AT_ONCE: Final = 8
"""Pictures that are taken in at the same time: they are kept on disk meanwhile, which may be memory."""

MOST_DISCARDED: Final = 64 * 1024 * 1024
"""The longest body that is read to its end only to be refused. A browser that is cut off while it sends tells its page
of a broken connection, and not that the picture was too large."""

_UPLOAD: Final = re.compile(r"/api/(host|seats/[^/]+)/pictures")


class _Busy(Error):  # type: ignore[misc]  # waitress has no types
    code = 503
    reason = "Service Unavailable"


class _Discarded:
    """Takes in a body of known length and keeps nothing of it; has what waitress asks of a receiver."""

    error = None

    def __init__(self, length: int) -> None:
        self._left = length

    @property
    def completed(self) -> bool:
        return self._left == 0

    def received(self, data: bytes) -> int:
        taken = min(len(data), self._left)
        self._left -= taken
        return taken

    def getbuf(self) -> io.BytesIO:
        return io.BytesIO()


class Uploads:
    """The pictures that a server is taking in. One whose connection broke is forgotten with its parser."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._under_way: WeakSet[Parser] = WeakSet()

    def enter(self, upload: "Parser") -> bool:
        """Begin to take in a picture; False where there are enough."""
        with self._lock:
            if len(self._under_way) >= UPLOADS_AT_ONCE:
                return False
            self._under_way.add(upload)
            return True

    def leave(self, upload: "Parser") -> None:
        """Be done with a picture, or with any other request."""
        with self._lock:
            self._under_way.discard(upload)


class Parser(HTTPRequestParser):  # type: ignore[misc]  # likewise
    """Takes a body of some length only where pictures are uploaded, and only a few of these at once (`adj.uploads`)."""

    path = ""  # waitress asks for it where a client has left, also of a head that could not be parsed
    completed: bool
    content_length: int
    body_rcv: Any
    _refused: Error | None = None

    def parse_header(self, header_plus: bytes) -> None:
        """Parse the head of a request, and settle what becomes of its body."""
        try:
            super().parse_header(header_plus)
        except ParsingError:
            raise
        except ValueError:  # a length of thousands of digits, brackets in an address
            raise ParsingError("the head of the request cannot be understood") from None
        upload = self.command == "POST" and _UPLOAD.fullmatch(self.path) is not None
        most = MAX_PICTURE_BYTES if upload else MAX_BODY_BYTES
        self.adj: Any = copy.copy(self.adj)
        self.adj.max_request_body_size = most + 1  # waitress refuses from its bound on
        if self.content_length > most:
            self._refuse(RequestEntityTooLarge(""))
        elif upload and self.body_rcv is not None and not self.adj.uploads.enter(self):
            self._refuse(_Busy(""))

    def received(self, data: bytes) -> int:
        """Take in more of the request; returns how many bytes were."""
        taken: int = super().received(data)
        if self.completed and self._refused is not None:
            self.error = self._refused
        if self.error is not None:
            self.completed, self.expect_continue = True, False
        if self.completed:
            self.adj.uploads.leave(self)
        return taken

    def _refuse(self, error: Error) -> None:
        if self.chunked or self.expect_continue or self.content_length > MOST_DISCARDED:
            self.error = error
            return
        self._refused, self.body_rcv = error, _Discarded(self.content_length)
        self.adj.max_request_body_size = MOST_DISCARDED + 1


class JsonErrorTask(ErrorTask):  # type: ignore[misc]  # likewise
    """Says what the server itself refuses like the application does, headers and all."""

    def execute(self) -> None:
        """Write the answer and close the connection."""
        refused: Any = self.request.error
        body = json.dumps({"error": WORDS.get(refused.code, WORDS[400])}).encode() + b"\n"
        self.status = f"{refused.code} {refused.reason}"
        kept = {"Content-Type": "application/json", "Cache-Control": "no-store"}
        self.response_headers.extend([*HEADERS.items(), *kept.items()])
        if refused.code == _Busy.code:
            self.response_headers.append(("Retry-After", "5"))
        self.set_close_on_finish()
        self.content_length = len(body)
        self.write(body)


class _Discreet(logging.LoggerAdapter[logging.Logger]):
    """Waitress's log without the addresses that were asked for, for an address may hold a seat's token."""

    def process(self, msg: Any, kwargs: MutableMapping[str, Any]) -> tuple[Any, MutableMapping[str, Any]]:  # noqa: ANN401 - as logging has it
        return str(msg).partition(" while serving ")[0], kwargs


class Channel(HTTPChannel):  # type: ignore[misc]  # likewise
    """A connection whose requests, errors and log are as above."""

    logger: ClassVar = _Discreet(logging.getLogger("waitress"), {})
    parser_class = Parser
    error_task_class = JsonErrorTask
