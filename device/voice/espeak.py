"""The one place where espeak-ng is called: a process a line, which may fail or hang and takes nothing else with it.

What is to be said goes to its standard input, so that it is no option, no file and no command whatever it says, and
`ps` does not show it.
"""

import contextlib
import os
import shutil
import signal
import subprocess
from typing import Final, Protocol

from device.voice.settings import VoiceSettings
from device.voice.wording import marked_up
from engine.errors import RackoError

PROGRAM: Final = "espeak-ng"
MEND: Final = f"sudo apt install {PROGRAM}"
PROBING: Final = 5.0
"""Seconds that it has to say whether it knows the voice; it takes 0.03."""

MOST_READ: Final = 1 << 16
"""Bytes of its complaints that are looked at."""


class VoiceError(RackoError):
    """The voice cannot speak: why, and what to do."""


class Utterance(Protocol):
    """A line that is being said."""

    @property
    def ended(self) -> bool:
        """Whether nothing of it runs any more."""

    @property
    def trouble(self) -> str:
        """Why it was not said, once it has ended; "" if it was."""

    def stop(self) -> None:
        """Break it off; returns at once."""


class Speaker(Protocol):
    """Something that can say a line."""

    def begin(self, text: str) -> Utterance:
        """Begin to say this; returns at once. Raises VoiceError."""


class Espeak:
    """espeak-ng as the settings have it. Raises VoiceError where it is not installed."""

    def __init__(self, settings: VoiceSettings) -> None:
        found = shutil.which(PROGRAM)
        if found is None:
            raise VoiceError(f"{PROGRAM} is not installed: {MEND}")
        self._settings = settings
        # -m: our own markup; -b 1: UTF-8.
        self._command = [found, "-m", "-b", "1", "--stdin", "-v", settings.voice]
        self._loud = ["-s", str(settings.speed), "-a", str(settings.volume)]
        if settings.device is not None:
            self._loud += ["-d", settings.device]

    def probe(self) -> None:
        """See that it runs and knows the voice, without a sound. Raises VoiceError."""
        try:
            done = subprocess.run(  # noqa: S603 - a found program with settings that were looked at
                [*self._command, "-q"], input=b"one", capture_output=True, timeout=PROBING, check=False
            )
        except (OSError, subprocess.TimeoutExpired) as problem:
            why = "does not answer" if isinstance(problem, subprocess.TimeoutExpired) else f"cannot be run ({problem})"
            raise VoiceError(f"{PROGRAM} {why}: sudo apt install --reinstall {PROGRAM}") from None
        if done.returncode != 0:
            voice = self._settings.voice
            raise VoiceError(f"{PROGRAM} has no voice {voice!r}: {PROGRAM} --voices=en lists them ([voice] voice)")

    def begin(self, text: str) -> Utterance:
        """Begin to say this; returns at once. Raises VoiceError."""
        try:
            process = subprocess.Popen(  # noqa: S603 - as above
                [*self._command, *self._loud],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        except OSError as problem:
            raise VoiceError(f"{PROGRAM} cannot be run ({problem.strerror or problem})") from None
        return _Process(process, marked_up(text).encode())


class _Process:
    """One line's process, the leader of a group of its own."""

    def __init__(self, process: "subprocess.Popen[bytes]", text: bytes) -> None:
        self._process = process
        self._trouble: str | None = None
        stdin, stderr = process.stdin, process.stderr
        if stdin is None or stderr is None:
            raise VoiceError(f"{PROGRAM} has no standard input")  # never, by how it is begun
        os.set_blocking(stderr.fileno(), False)
        self._complaints = stderr
        # A line is shorter than what a pipe holds, so that this waits for nobody.
        with contextlib.suppress(OSError):
            stdin.write(text)
        with contextlib.suppress(OSError):
            stdin.close()

    @property
    def ended(self) -> bool:
        """Whether nothing of it runs any more."""
        if self._process.poll() is None:
            return False
        if self._trouble is None:
            self._trouble = self._found()
            self._complaints.close()
        return True

    @property
    def trouble(self) -> str:
        """Why it was not said."""
        return self._trouble or ""

    def stop(self) -> None:
        """Break it off."""
        if self._process.poll() is None:
            with contextlib.suppress(OSError):
                os.killpg(self._process.pid, signal.SIGKILL)

    def _found(self) -> str:
        """Without a sound card it complains and all the same ends with 0."""
        try:
            said = (os.read(self._complaints.fileno(), MOST_READ)).decode(errors="replace")
        except OSError:
            said = ""
        errors = [row for row in said.splitlines() if row.lower().startswith("error:")]
        if errors:
            return f"{PROGRAM} says {' '.join(errors[-1].split())[:100]!r}"
        return f"{PROGRAM} ended with {self._process.returncode}" if self._process.returncode != 0 else ""
