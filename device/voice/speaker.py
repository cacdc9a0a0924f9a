"""The device's voice at work: a listener to the caller's lines, on a thread of its own, which nothing waits for.

It is handed the newest lines only, however long it speaks, and says those that still hold. What it says may fail or
hang: that is said once, and the game goes on.
"""

import logging
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Final, Protocol

from device.voice.espeak import Espeak, Speaker, Utterance, VoiceError
from device.voice.settings import VoiceSettings
from webui.desk import SpokenLine
from webui.stream import Stream

log = logging.getLogger(__name__)

BEAT: Final = 0.05
"""Seconds between two looks at a line that is being said."""

LIMIT: Final = 5.0
A_LETTER: Final = 0.3
"""Seconds that a line may take, and more for each letter: twice what the slowest voice needs."""

PATIENCE: Final = 1.0
"""Seconds that closing waits for the thread."""

ASK: Final = "`racko doctor` looks for the reason"


class Voice(Protocol):
    """What the table knows of a voice."""

    @property
    def words(self) -> str:
        """How it is, for the host; "" where none is wanted."""

    def close(self) -> None:
        """Break off and be silent from now on; may be called again."""


class NoVoice:
    """The voice of a device that does not speak; the browsers' do not need it."""

    def __init__(self, words: str = "") -> None:
        self.words = words

    def close(self) -> None:
        """Close nothing."""


class SpeakingVoice:
    """Says through `speaker` what comes to `spoken`, turns only with `turns`. `clock` gives seconds."""

    def __init__(
        self,
        speaker: Speaker,
        spoken: Stream[tuple[SpokenLine, ...]],
        *,
        turns: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._speaker = speaker
        self._turns = turns
        self._clock = clock
        self._listed: frozenset[int] = frozenset(line.number for line in spoken.latest())
        self._waiting: deque[SpokenLine] = deque()
        self._saying: tuple[SpokenLine, Utterance, float] | None = None
        self._trouble = ""
        self._lines = spoken.subscribe()
        self._thread = threading.Thread(target=self._run, name="voice", daemon=True)
        self._thread.start()

    @property
    def words(self) -> str:
        """How it is, for the host."""
        if self._trouble:
            return f"the caller is not heard on this machine ({self._trouble}); {ASK}"
        return "the caller speaks on this machine"

    def close(self) -> None:
        """Break off and be silent from now on."""
        self._lines.close()
        self._thread.join(PATIENCE)

    def _run(self) -> None:
        while True:
            busy = self._saying is not None or self._waiting
            lines = self._lines.wait(BEAT if busy else None)
            if self._lines.ended:
                break
            if lines is not None:
                self._take(lines)
            self._go_on()
        if self._saying is not None:
            self._saying[1].stop()

    def _take(self, lines: tuple[SpokenLine, ...]) -> None:
        """Line up what is new and drop what is gone."""
        fresh = [line for line in lines if line.number not in self._listed]
        self._listed = frozenset(line.number for line in lines)
        self._waiting.extend(line for line in fresh if self._turns or line.about != "turn")
        self._waiting = deque(line for line in self._waiting if line.number in self._listed)

    def _go_on(self) -> None:
        """See to the line that is being said; begin the next once it is done."""
        if self._saying is not None:
            line, utterance, until = self._saying
            late = self._clock() >= until
            if not utterance.ended:
                if late or line.number not in self._listed:
                    utterance.stop()
                if late:
                    self._failed("a line takes too long")
                return
            self._saying = None
            # One that was broken off has not failed.
            if line.number in self._listed and not late:
                self._failed(utterance.trouble)
        if self._waiting:
            self._begin(self._waiting.popleft())

    def _begin(self, line: SpokenLine) -> None:
        try:
            utterance = self._speaker.begin(line.text)
        except VoiceError as problem:
            self._failed(str(problem))
        else:
            self._saying = line, utterance, self._clock() + LIMIT + A_LETTER * len(line.text)

    def _failed(self, trouble: str) -> None:
        """Say it once when the voice falls silent, and once when it is back (trouble "")."""
        if trouble and not self._trouble:
            log.warning("voice: not heard (%s); the game goes on, and %s", trouble, ASK)
        elif self._trouble and not trouble:
            log.info("voice: heard again")
        self._trouble = trouble


def open_voice(settings: VoiceSettings, spoken: Stream[tuple[SpokenLine, ...]]) -> Voice:
    """Give the voice that is wanted; one that cannot be had is a `NoVoice`, and one log line says what to do."""
    if not settings.on:
        return NoVoice()
    try:
        espeak = Espeak(settings)
        espeak.probe()
    except VoiceError as problem:
        log.warning("voice: none (%s); the game goes on, and a tablet speaks after a tap on Speak", problem)
        return NoVoice(f"the caller is silent on this machine: {problem}")
    log.info("voice: espeak-ng, %s", settings.voice)
    return SpeakingVoice(espeak, spoken, turns=settings.turns)
