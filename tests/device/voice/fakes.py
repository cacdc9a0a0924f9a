"""A mouth that tests open and shut, and programs that stand in for espeak-ng."""

import os
from pathlib import Path

import pytest

from device.voice.espeak import PROGRAM, VoiceError


class FakeUtterance:
    """A line that ends when a test says so, or at once when it is broken off, unless it is `stuck`."""

    def __init__(self, text: str, *, stuck: bool) -> None:
        self.text, self.stuck = text, stuck
        self.ended = self.stopped = False
        self.trouble = ""

    def end(self, trouble: str = "") -> None:
        self.trouble, self.ended = trouble, True

    def stop(self) -> None:
        self.stopped = True
        if not self.stuck:
            self.end("killed")


class FakeSpeaker:
    """Keeps what it was given to say. `silent`: it cannot begin at all; `stuck`: what it begins cannot be ended."""

    def __init__(self) -> None:
        self.begun: list[FakeUtterance] = []
        self.silent = self.stuck = False

    def begin(self, text: str) -> FakeUtterance:
        if self.silent:
            raise VoiceError("no sound card")
        self.begun.append(FakeUtterance(text, stuck=self.stuck))
        return self.begun[-1]

    @property
    def texts(self) -> list[str]:
        return [utterance.text for utterance in self.begun]


def stand_in(folder: Path, script: str, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Put a program of espeak-ng's name before all others; return the folder that it keeps what it is asked in.

    `arguments` holds its arguments, a line each, `heard` its standard input, both of its latest call that was not `-q`.
    """
    program = folder / PROGRAM
    program.write_text(
        f'#!/bin/sh\ncase "$*" in *-q*) cat >/dev/null; exit 0 ;; esac\n'
        f"cat >'{folder}/heard'\nprintf '%s\\n' \"$@\" >'{folder}/arguments'\n{script}\n"
    )
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    return folder
