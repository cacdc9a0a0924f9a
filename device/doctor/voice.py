"""Whether the caller's voice, where one is wanted, can be heard: espeak-ng, its voice, something to sound through."""

import os
from collections.abc import Iterator
from typing import Final

from device.doctor.case import Case
from device.doctor.findings import Finding
from device.voice.espeak import MEND, Espeak, VoiceError

CHECK: Final = "voice"
TABLET: Final = "a tablet speaks after a tap on Speak"


def check(case: Case) -> Iterator[Finding]:
    """Let espeak-ng speak without a sound, and look for a sound card that this user may play on."""
    settings = case.settings.voice
    if not settings.on:
        yield Finding(CHECK, "skipped", f"none is wanted here ([voice] on); {TABLET}")
        return
    try:
        Espeak(settings).probe()
    except VoiceError as problem:
        found, _, mend = str(problem).partition(": ")
        yield Finding(CHECK, "bad", f"{found}; {TABLET}", mend or MEND)
        return
    spoken = f"espeak-ng speaks as {settings.voice}"
    cards = sorted(case.machine.path("dev", "snd").glob("pcm*p"))
    if not cards:
        mend = "join a loudspeaker: at USB, at HDMI or, where there is one, at the headphone jack"
        yield Finding(CHECK, "bad", f"{spoken}, but this machine has nothing to sound through", mend)
    elif not any(os.access(card, os.R_OK | os.W_OK) for card in cards):
        mend = "sudo usermod -aG audio NAME, with the name of the user that racko runs as, and log in again"
        yield Finding(CHECK, "bad", f"{spoken}, but {cards[0].name} may not be used by this user", mend)
    else:
        device = f", on {settings.device}" if settings.device is not None else ""
        yield Finding(CHECK, "good", f"{spoken}{device}; outputs for sound: {len(cards)}")
