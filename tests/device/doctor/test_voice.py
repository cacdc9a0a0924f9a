"""Whether the caller's voice can be heard, on a machine of folders and fake programs."""

from dataclasses import replace
from typing import Any

import pytest

from device.doctor import voice
from device.doctor.case import Case
from device.voice import VoiceSettings
from tests.device.doctor.visits import Place, is_root, only


def voiced(place: Place, **settings: Any) -> Case:  # noqa: ANN401 - any key of [voice]
    case = place.case()
    case.settings = replace(case.settings, voice=VoiceSettings(on=True, **settings))
    return case


def test_a_voice_that_nobody_wants_is_not_looked_for(place: Place) -> None:
    finding = only(list(voice.check(place.case())))
    assert finding.verdict == "skipped"
    assert "a tap on Speak" in finding.found


def test_a_wanted_voice_that_is_not_installed_is_bad_and_said_how_to_mend(place: Place) -> None:
    finding = only(list(voice.check(voiced(place))))
    assert (finding.verdict, finding.mend) == ("bad", "sudo apt install espeak-ng")
    assert "not installed" in finding.found


def test_a_voice_that_espeak_does_not_know_is_bad(place: Place) -> None:
    place.program("espeak-ng", "exit 1")
    finding = only(list(voice.check(voiced(place, voice="nowhere"))))
    assert finding.verdict == "bad"
    assert "'nowhere'" in finding.found
    assert "--voices=en" in finding.mend


def test_a_voice_without_anything_to_sound_through_is_bad(place: Place) -> None:
    place.program("espeak-ng", "exit 0")
    finding = only(list(voice.check(voiced(place))))
    assert finding.verdict == "bad"
    assert "loudspeaker" in finding.mend
    place.write("dev/snd/pcmC0D0c", "")
    assert only(list(voice.check(voiced(place)))).verdict == "bad"


def test_a_voice_that_can_be_heard_is_good(place: Place) -> None:
    place.program("espeak-ng", "exit 0")
    place.write("dev/snd/pcmC0D0p", "")
    place.write("dev/snd/pcmC1D0p", "")
    finding = only(list(voice.check(voiced(place, device="plughw:1,0"))))
    assert (finding.verdict, finding.found) == (
        "good",
        "espeak-ng speaks as en-gb, on plughw:1,0; outputs for sound: 2",
    )


@pytest.mark.skipif(is_root(), reason="root may use everything")
def test_a_sound_card_that_this_user_may_not_use_is_bad(place: Place) -> None:
    place.program("espeak-ng", "exit 0")
    place.write("dev/snd/pcmC0D0p", "")
    (place.root / "dev/snd/pcmC0D0p").chmod(0)
    assert "usermod -aG audio" in only(list(voice.check(voiced(place)))).mend
