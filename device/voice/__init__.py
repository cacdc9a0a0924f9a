"""The caller: what is said aloud at the table (caller.py), and the device's own voice, espeak-ng, where one is wanted.

The lines are those of every browser that speaks; the device's voice is one more listener. It speaks through whatever
ALSA or PulseAudio calls the default device, or `[voice] device`: a loudspeaker at USB, HDMI or, where a Pi has one, the
headphone jack. `aplay -L` lists the names.
"""

from device.voice.caller import Caller
from device.voice.settings import VoiceSettings, read_voice
from device.voice.speaker import NoVoice, Voice, open_voice

__all__ = ["Caller", "NoVoice", "Voice", "VoiceSettings", "open_voice", "read_voice"]
