"""The real program in a process of its own, playing the recorded round in quick motion."""

import json
import re
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

from tests.device.recorded import SESSION

PATIENCE = 90.0
"""Seconds after which a program that does not do what it should has failed."""


class Running:
    """`racko serve` on a free port; its journal lies in `folder`. It plays the recorded round, or before `camera`."""

    def __init__(self, folder: Path, *arguments: str, speed: float = 50, camera: str | None = None) -> None:
        self.folder = folder
        table = ["--session", str(SESSION)] if camera is None else ["--camera", camera]
        command = [sys.executable, "-m", "device.cli", "serve", *table, "--port", "0", "--once"]
        self.log = (folder / "log.txt").open("a+")
        self._process = subprocess.Popen(
            [*command, "--speed", str(speed), *arguments],
            stdout=subprocess.PIPE,
            stderr=self.log,
            text=True,
            cwd=Path(__file__).parents[2],
            env={"XDG_STATE_HOME": str(folder), "PATH": "/usr/bin:/bin"},
        )
        output: IO[str] | None = self._process.stdout
        assert output is not None
        first, second = output.readline(), output.readline()
        found, pin = re.search(r"http://localhost:(\d+)/", first), re.search(r"PIN (\d+)", second)
        assert found, f"the program printed {first!r} and {self.logged()!r}"
        assert pin, f"the program printed {second!r} and {self.logged()!r}"
        self.address = f"http://127.0.0.1:{found[1]}"
        self.pid = self._process.pid
        self.pin = pin[1]
        self._session: dict[str, str] = {}

    def get(self, path: str) -> tuple[int, str]:
        try:
            with urllib.request.urlopen(self.address + path, timeout=PATIENCE) as answer:  # noqa: S310 - it is http
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as refused:
            return refused.code, refused.read().decode()

    def post(self, path: str, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        """Send something as the host's page does, with its session."""
        headers = {"Content-Type": "application/json", **self._session}
        asked = urllib.request.Request(self.address + path, json.dumps(body).encode(), headers)  # noqa: S310 - it is http
        try:
            with urllib.request.urlopen(asked, timeout=PATIENCE) as answer:  # noqa: S310 - it is http
                said: dict[str, Any] = json.loads(answer.read())
                cookie = answer.headers.get("Set-Cookie")
                if cookie and "csrf" in said:
                    self._session = {"Cookie": cookie.partition(";")[0], "X-Racko-CSRF": said["csrf"]}
                return answer.status, said
        except urllib.error.HTTPError as refused:
            return refused.code, json.loads(refused.read())

    def order(self, **said: Any) -> tuple[int, dict[str, Any]]:  # noqa: ANN401 - an order is JSON
        """Say something as the host."""
        if not self._session:
            assert self.post("/api/session", {"pin": self.pin})[0] == 200
        return self.post("/api/host/order", said)

    def get_as_host(self, path: str) -> tuple[int, dict[str, Any]]:
        """Ask for something that is the host's to see."""
        asked = urllib.request.Request(self.address + path, headers=self._session)  # noqa: S310 - it is http
        with urllib.request.urlopen(asked, timeout=PATIENCE) as answer:  # noqa: S310 - it is http
            return answer.status, json.loads(answer.read())

    def state(self) -> dict[str, Any]:
        state: dict[str, Any] = json.loads(self.get("/api/state")[1])
        return state

    def until(self, condition: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Ask for the state until the condition holds, and return it."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            state = self.state()
            if condition(state):
                return state
            time.sleep(0.02)
        raise AssertionError(f"it never came to that: {self.state()}")

    def kill(self) -> None:
        """Pull the plug."""
        self._process.kill()
        self._process.wait()

    def end(self) -> int:
        """Ask it to end; return its exit code."""
        self._process.terminate()
        return self._process.wait(PATIENCE)

    def logged(self) -> str:
        self.log.seek(0)
        return self.log.read()

    def printed(self) -> str:
        """What it has printed after its first two lines; it has ended by now."""
        assert self._process.stdout is not None
        return self._process.stdout.read()
