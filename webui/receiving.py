"""How the server takes requests in before the application sees them: bounds on bodies, and errors like all others."""

import copy
import json
import re
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

_UPLOAD: Final = re.compile(r"/api/(host|seats/[^/]+)/pictures")


class _Busy(Error):  # type: ignore[misc]  # waitress has no types
    code = 503
    reason = "Service Unavailable"


class Parser(HTTPRequestParser):  # type: ignore[misc]  # likewise
    """Takes a body of some length only where pictures are uploaded, and only a few of these at once."""

    _uploads: ClassVar[WeakSet["Parser"]] = WeakSet()
    _lock: ClassVar = Lock()

    def parse_header(self, header_plus: bytes) -> None:
        """Parse the head of a request, and set the bound of its body."""
        try:
            super().parse_header(header_plus)
        except ParsingError:
            raise
        except ValueError:  # a length of thousands of digits, brackets in an address
            raise ParsingError("the head of the request cannot be understood") from None
        upload = self.command == "POST" and _UPLOAD.fullmatch(self.path) is not None
        self.adj: Any = copy.copy(self.adj)
        # The server refuses from its bound on; the application, what is beyond its own.
        self.adj.max_request_body_size = (MAX_PICTURE_BYTES if upload else MAX_BODY_BYTES) + 1
        if upload and self.body_rcv is not None:
            with self._lock:
                if len(self._uploads) >= UPLOADS_AT_ONCE:
                    self.error = _Busy("")
                else:
                    self._uploads.add(self)

    def received(self, data: bytes) -> int:
        """Take in more of the request; returns how many bytes were."""
        taken: int = super().received(data)
        if self.error is not None:
            self.completed = True
        return taken


class JsonErrorTask(ErrorTask):  # type: ignore[misc]  # likewise
    """Says what the server itself refuses like the application does, headers and all."""

    def execute(self) -> None:
        """Write the answer and close the connection."""
        refused: Any = self.request.error
        words = WORDS.get(refused.code, WORDS[400])
        if isinstance(refused, RequestEntityTooLarge):
            words = f"{words}; at most {self.request.adj.max_request_body_size - 1} bytes are taken"
        body = json.dumps({"error": words}).encode() + b"\n"
        self.status = f"{refused.code} {refused.reason}"
        self.response_headers.extend(
            [*HEADERS.items(), ("Content-Type", "application/json"), ("Cache-Control", "no-store")]
        )
        if refused.code == _Busy.code:
            self.response_headers.append(("Retry-After", "5"))
        self.set_close_on_finish()
        self.content_length = len(body)
        self.write(body)


class Channel(HTTPChannel):  # type: ignore[misc]  # likewise
    """A connection whose requests and errors are as above."""

    parser_class = Parser
    error_task_class = JsonErrorTask
