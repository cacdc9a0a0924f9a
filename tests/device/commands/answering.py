"""`racko score` and `racko referee` in this process: lines in, what was printed out."""

import io
import json
from collections.abc import Iterable
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from random import Random
from typing import Any
from unittest.mock import patch

from device.cli import main
from device.simulated.evidence import Noise, lines_of
from device.simulated.games import PlayedGame
from engine.line_json import line_as_json

TWO_LOOKS = Noise(looks=(2, 2))


@dataclass(frozen=True)
class Answer:
    """What a command said, and its exit code."""

    code: int
    out: str
    err: str

    @property
    def rows(self) -> list[dict[str, Any]]:
        """Standard output as JSON lines; anything else there is an error."""
        return [json.loads(row) for row in self.out.splitlines()]


def answered(text: str, *arguments: str) -> Answer:
    """Run a command with this text as its standard input."""
    out, err = io.StringIO(), io.StringIO()
    with patch("sys.stdin", io.StringIO(text)), redirect_stdout(out), redirect_stderr(err):
        code = main(arguments)
    return Answer(code, out.getvalue(), err.getvalue())


def as_text(lines: Iterable[object]) -> str:
    """JSON, one line each."""
    return "".join(f"{json.dumps(line)}\n" for line in lines)


def text_of(played: PlayedGame, noise: Noise = TWO_LOOKS) -> str:
    """A simulated game as the lines of `racko referee`."""
    return as_text(map(line_as_json, lines_of(played, noise, Random(5))))
