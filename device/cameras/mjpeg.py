"""Cameras on the network: `http://...`, a stream of JPEG pictures, or an address that answers one with each request.

A telephone's camera app, an ESP32 or a streaming program on another Pi are such cameras. An address may hold a
password (`http://NAME:PASSWORD@HOST/...`, or somewhere after a question mark): no word or log line ever shows either.
"""

import base64
import contextlib
import http.client
import socket
import ssl
import threading
import time
from collections.abc import Callable
from typing import Final
from urllib.parse import SplitResult, unquote, urlsplit

from device.cameras.camera import CameraError, Picture, Wishes
from device.cameras.jpegs import Splitter

TIMEOUT: Final = 10.0
"""Seconds in which a camera must answer, and in which the next bytes must come."""
CHUNK: Final = 1 << 16
MOST_ASKED: Final = 5
"""Pictures a second at most that are asked for one by one."""
TEXTS: Final = ("text/", "application/json", "application/xhtml")


def parts_of(url: str) -> SplitResult:
    """Take an address apart; raise CameraError, not showing it, where it is none."""
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        parts = SplitResult("", "", "", "", "")
    if parts.scheme not in {"http", "https"} or not parts.hostname or any(not 32 < ord(sign) < 127 for sign in url):
        raise CameraError("http: is followed by no address that can be; write http://HOST:PORT/PATH, without spaces")
    return parts


def shown(url: str) -> str:
    """Give an address as it may be shown: no name, no password, nothing after a question mark."""
    parts = parts_of(url)
    host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname
    port = f":{parts.port}" if parts.port else ""
    return f"{parts.scheme}://{host}{port}{parts.path}{'?...' if parts.query else ''}"


class HttpDriver:
    """One connection to a camera on the network (see `device.cameras.grabber.Driver`)."""

    remark = ""

    def __init__(
        self,
        url: str,
        wishes: Wishes,
        clock: Callable[[], float] = time.monotonic,
        wait: Callable[[float], object] | None = None,
    ) -> None:
        """Take a whole address; `clock` and `wait` stand in for time in tests."""
        self._parts, self.shown = parts_of(url), shown(url)
        self._every = 1 / min(wishes.rate, MOST_ASKED)
        self._clock = clock
        self._stopped = threading.Event()
        self._wait = wait or self._stopped.wait
        self._connection: http.client.HTTPConnection | None = None
        self._socket: socket.socket | None = None
        self._response: http.client.HTTPResponse | None = None
        self._splitter = Splitter()
        self._pictures: list[bytes] = []
        self._single = False
        self._asked = 0.0

    def open(self) -> None:
        """Ask for the address, and look at what answers."""
        self._asked = self._clock()
        self._splitter = Splitter()
        try:
            self._ask()
        except ssl.SSLCertVerificationError:
            raise CameraError(
                f"{self.shown}: its certificate is not to be trusted; try http instead of https"
            ) from None
        except (OSError, http.client.HTTPException, ValueError) as problem:
            raise self._broken(problem) from None

    def read(self) -> Picture:
        """Give the next picture, waiting for it; asks again where one answer is one picture."""
        while not self._pictures:
            if self._response is None:
                self._wait(max(0.0, self._asked + self._every - self._clock()))
                self.open()
            else:
                self._more(self._response)
        return self._pictures.pop(0)

    def interrupt(self) -> None:
        """Shut the connection: then whoever reads from it comes back."""
        self._stopped.set()
        held = self._socket
        if held is not None:
            with contextlib.suppress(OSError):
                held.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Close the connection."""
        if self._response is not None:
            self._response.close()
            self._response = None
        if self._connection is not None:
            self._connection.close()
        self._socket = None

    def _ask(self) -> None:
        parts = self._parts
        kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        connection = self._connection = kind(parts.hostname or "", parts.port, timeout=TIMEOUT)
        connection.connect()
        self._socket = connection.sock
        if self._stopped.is_set():
            raise CameraError(f"{self.shown} was closed while it was being opened")
        headers = {"Accept": "multipart/x-mixed-replace, image/jpeg", "Connection": "close"}
        if parts.username is not None:
            secret = f"{unquote(parts.username)}:{unquote(parts.password or '')}".encode()
            headers["Authorization"] = "Basic " + base64.b64encode(secret).decode()
        connection.request("GET", (parts.path or "/") + (f"?{parts.query}" if parts.query else ""), headers=headers)
        answer = self._response = connection.getresponse()
        kind_said = answer.headers.get_content_type()
        if answer.status in {401, 403}:
            raise CameraError(
                f"{self.shown} wants a name and a password, or other ones; write http://NAME:PASSWORD@HOST/... "
                "(only Basic is known here, not Digest)"
            )
        if answer.status in {301, 302, 303, 307, 308}:
            raise CameraError(f"{self.shown} sends us on to another address; write that one instead")
        if answer.status != http.client.OK:
            raise CameraError(f"{self.shown} answers {answer.status}; look up the address of its MJPEG stream")
        if kind_said.startswith(TEXTS) and "Content-Type" in answer.headers:
            raise CameraError(f"{self.shown} is a page, not pictures; look up the address of its MJPEG stream")
        self._single = kind_said.startswith("image/")

    def _more(self, answer: http.client.HTTPResponse) -> None:
        """Read some bytes; where one answer is one picture, forget the answer after it."""
        try:
            data = answer.read1(CHUNK)
        except (OSError, http.client.HTTPException, ValueError) as problem:
            raise self._broken(problem) from None
        self._pictures = self._splitter.feed(data)
        if self._single and self._pictures:
            self.close()
        elif not data:
            raise CameraError(f"{self.shown} has ended its stream; look whether the camera is still on")

    def _broken(self, problem: Exception) -> CameraError:
        """Say what went wrong, in words that hold nothing of the address but what may be shown."""
        if isinstance(problem, TimeoutError):
            why = f"nothing came for {TIMEOUT:.0f} s"
        elif isinstance(problem, socket.gaierror):
            why = "no such host is known"
        else:
            why = getattr(problem, "strerror", None) or "it does not speak HTTP as it should"
        return CameraError(f"{self.shown} does not answer ({why}); look whether the camera is on and in this network")
