"""Asks a running program at each of its addresses, again and again, follows its streams, and keeps all that is said."""

import http.client
import json
import re
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from engine.cards import SEATS, Seat
from tests.device.running import Running
from tests.webui.schemas import DOCUMENT

PATIENCE: Final = 60.0

SENT: Final[tuple[tuple[str, object], ...]] = (
    ("/api/call", {"seat": 9}),
    ("/api/host/order", {"type": "correct", "seat": 1, "slot": 5, "card": 99}),
    ("/api/host/order", {"type": "observe", "racks": {}}),
    ("/api/host/order", {"type": "nonsense"}),
    ("/api/host/pictures", b"\xff\xd8\xff no picture"),
    ("/api/session", {"pin": ""}),
    ("/api/seats/{token}/correct", {"slot": 5}),
    ("/api/seats/{token}/correct", {"slot": 50, "card": 99}),
    ("/api/seats/{token}/pictures", b"\xff\xd8\xff no picture"),
)
"""What is sent, by whoever may and who may not: nothing that would change the game."""


@dataclass(frozen=True)
class Said:
    """What came out of a door. `seat`: whose own page it is; `asked`, `came`: seconds of the monotonic clock."""

    door: str
    seat: Seat | None
    asked: float
    came: float
    status: int
    text: str
    picture: bytes = b""


class Doors:
    """Everything that a program says to whoever asks. One thread asks, others follow its streams."""

    def __init__(self, program: Running) -> None:
        """Begin a session as the host, and follow all streams."""
        self.said: list[Said] = []
        self.versions: list[tuple[float, int]] = []
        self._program = program
        self._texts: dict[str, str] = {}
        self._pictures: dict[bytes, bytes] = {}
        self._port = int(program.address.rpartition(":")[2])
        self._connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=PATIENCE)
        secrets = json.loads((program.folder / "racko" / "secrets.json").read_text())
        self.tokens = {int(seat): str(token) for seat, token in secrets["seats"].items()}
        answer = self._ask("POST", "/api/session", {}, {"pin": program.pin})
        self._csrf = json.loads(answer[1])["csrf"]
        self._cookie = {"Cookie": answer[2].partition(";")[0]}
        streams: list[tuple[str, Seat | None]] = [("/api/events", None), ("/api/host/events", None)]
        streams += [(f"/api/seats/{token}/events", seat) for seat, token in self.tokens.items()]
        for address, seat in streams:
            threading.Thread(target=self._follow, args=(address, seat), daemon=True).start()

    def _ask(
        self, method: str, address: str, headers: Mapping[str, str], body: object = None
    ) -> tuple[int, bytes, str, str]:
        """Give the status, the body, the cookie that was set, and all other headers that differ from table to table."""
        data = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
        kind = {"Content-Type": "image/jpeg" if isinstance(body, bytes) else "application/json"} if body else {}
        try:
            self._connection.request(method, address, data, {**headers, **kind})
            answer = self._connection.getresponse()
            content = answer.read()
        except (OSError, http.client.HTTPException):
            self._connection.close()
            return 0, b"", "", ""
        plain = ("Date", "Content-Length", "Set-Cookie", "Last-Modified", "ETag")
        more = "\n".join(f"{name}: {value}" for name, value in answer.getheaders() if name not in plain)
        return answer.status, content, answer.getheader("Set-Cookie") or "", more

    def _follow(self, address: str, seat: Seat | None) -> None:
        """Keep all that a stream says; the public one tells when each version came."""
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=PATIENCE)
        door = f"the stream {self._plain(address)}"
        try:
            connection.request("GET", address, headers=self._cookie)
            for row in connection.getresponse():
                now = time.monotonic()
                if row.startswith(b"data: {"):
                    text = row[6:].decode().strip()
                    self._keep(Said(door, seat, now - 1.0, now, 200, text))
                    if address == "/api/events":
                        self.versions.append((now, json.loads(text)["version"]))
        except (OSError, http.client.HTTPException, ValueError):
            return

    def _keep(self, said: Said) -> None:
        text = self._texts.setdefault(said.text, said.text)
        self.said.append(replace(said, text=text, picture=self._pictures.setdefault(said.picture, said.picture)))

    def _plain(self, address: str) -> str:
        for seat, token in self.tokens.items():
            address = address.replace(token, f"<seat {seat}'s token>")
        return address

    def _addresses(self, state: Mapping[str, Any], cameras: list[str]) -> Iterator[tuple[str, Seat | None]]:
        """Each address that there is to ask, filled with what there is and with what is not there yet."""
        rounds = range(1, state["round"] + 2)
        for path, operations in DOCUMENT["paths"].items():
            if "get" not in operations or path.endswith("/events"):
                continue
            if "{token}" in path:
                yield from ((path.replace("{token}", token), seat) for seat, token in self.tokens.items())
            elif "{name}" in path:
                yield from ((path.replace("{name}", name), None) for name in cameras)
            else:
                made = [path]
                for key, values in {"{game}": (1, 2), "{round}": rounds, "{seat}": SEATS}.items():
                    made = [one.replace(key, str(value)) for one in made for value in (values if key in one else [0])]
                yield from ((address, None) for address in made)
        yield from ((address, None) for address in ("/api/racks", "/api/host/racks", "/seat/nobody"))

    def lap(self) -> Mapping[str, Any]:
        """Ask everywhere once, as anybody and as the host; send what may be refused. Return the public state."""
        state: dict[str, Any] = self._program.state()
        said = json.loads(self._ask("GET", "/api/host/state", self._cookie)[1] or "{}")
        cameras = [camera["name"] for camera in said.get("cameras", [])] or ["tray"]
        for address, seat in self._addresses(state, cameras):
            for who, headers in (("anybody", {}), ("the host", self._cookie)):
                self._one(("GET", address, None), seat, who, headers)
        for path, body in SENT:
            for seat in SEATS if "{token}" in path else (None,):
                address = path if seat is None else path.replace("{token}", self.tokens[seat])
                csrf = self._csrf if seat is None else self._seat_csrf(seat)
                self._one(("POST", address, body), seat, "anybody", {})
                self._one(("POST", address, body), seat, "the host", {**self._cookie, "X-Racko-CSRF": csrf})
        now, folder = time.monotonic(), self._program.folder
        names = sorted(str(path.relative_to(folder)) for path in Path(folder).rglob("*"))
        self._keep(Said("names of files", None, now - 0.5, now, 200, "\n".join(names)))
        return state

    def _seat_csrf(self, seat: Seat) -> str:
        state = json.loads(self._ask("GET", f"/api/seats/{self.tokens[seat]}/state", {})[1] or "{}")
        return str(state.get("csrf", ""))

    def _one(self, request: tuple[str, str, object], seat: Seat | None, who: str, headers: Mapping[str, str]) -> None:
        method, address, body = request
        asked = time.monotonic()
        status, content, _, more = self._ask(method, address, headers, body)
        came = time.monotonic()
        what = "" if body is None else f" {json.dumps(body) if not isinstance(body, bytes) else 'a picture'}"
        door = f"{method} {self._plain(address)}{what} by {who}"
        picture = content if content.startswith(b"\xff\xd8") else b""
        text = "" if picture else content.decode("utf-8", "replace")
        self._keep(Said(door, seat, asked, came, status, text, picture))
        self._keep(Said(f"headers of {door}", seat, asked, came, status, re.sub(r"max-age=\d+", "", more)))
