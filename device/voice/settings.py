"""How the device's own voice sounds: section `[voice]` of the configuration."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from engine.errors import BadInput

SLOWEST, FASTEST = 80, 450
"""Words a minute that espeak-ng can speak."""

LOUDEST: Final = 200
"""espeak-ng's own scale; 100 is its usual loudness."""

NAMED: Final = re.compile(r"[A-Za-z][A-Za-z0-9-]{0,40}(?:\+[A-Za-z0-9]{1,20})?", re.ASCII)
"""A voice, and perhaps a variant of it: "en-gb", "en-us+f3". No path, and nothing that could be an option."""

SOUNDS_ON: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.:,=-]{0,120}", re.ASCII)
"""A sound device: "plughw:CARD=Device,DEV=0"."""


@dataclass(frozen=True)
class VoiceSettings:
    """`[voice]`. on: the device itself speaks. turns: it also says whose turn it is.

    voice: one of espeak-ng's. speed: words a minute. volume: 0 to 200. device: of ALSA or PulseAudio, None for the
    default one. Raises BadInput for what espeak-ng cannot be asked.
    """

    on: bool = False
    voice: str = "en-gb"
    speed: int = 160
    volume: int = 100
    device: str | None = None
    turns: bool = False

    def __post_init__(self) -> None:
        """Refuse what cannot be."""
        for key in ("on", "turns"):
            if not isinstance(getattr(self, key), bool):
                raise BadInput(f"[voice] {key} = {getattr(self, key)!r}: write true or false")
        if not isinstance(self.voice, str) or not NAMED.fullmatch(self.voice):
            raise BadInput(f'[voice] voice = {self.voice!r}: write a voice of espeak-ng, such as "en-gb" or "en-us+f3"')
        self._whole("speed", "words a minute", SLOWEST, FASTEST)
        self._whole("volume", "100 for the usual one", 0, LOUDEST)
        if self.device is not None and (not isinstance(self.device, str) or not SOUNDS_ON.fullmatch(self.device)):
            raise BadInput(f'[voice] device = {self.device!r}: write one that `aplay -L` lists, such as "plughw:1,0"')

    def _whole(self, key: str, what: str, least: int, most: int) -> None:
        value = getattr(self, key)
        if type(value) is not int or not least <= value <= most:
            raise BadInput(f"[voice] {key} = {value!r}: write a whole number from {least} to {most} ({what})")


def read_voice(said: Mapping[str, object]) -> VoiceSettings:
    """Read section `[voice]`, as TOML has it. Raises BadInput: key, what is wrong, what to write."""
    return VoiceSettings(**said)  # type: ignore[arg-type]  # VoiceSettings looks at every value
