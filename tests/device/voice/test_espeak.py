"""espeak-ng as a process: what it is given, how it fails, and that it takes nothing with it."""

import logging
import os
import shutil
import subprocess
import wave
from io import BytesIO
from pathlib import Path

import pytest

from device.voice import VoiceSettings, open_voice
from device.voice.espeak import PROGRAM, Espeak, Utterance, VoiceError
from device.voice.wording import marked_up
from tests.device.voice.fakes import stand_in
from tests.webui.waiting import eventually
from webui.stream import Stream

ON = VoiceSettings(on=True)
NASTY = (
    "-w/etc/x",
    "--stdout",
    "-f/etc/passwd",
    "<break time=9999>",
    "[[h@'loU]]",
    "A\x01300Sda",
    "a\x00b",
    "`id`$(id)",
)
ASKED = ["-m", "-b", "1", "--stdin", "-v", "en-gb", "-s", "160", "-a", "100"]
NAMES = ("Ada", "Ada & Ben", "Seat 3", "Зоя", "明", "أمير", "Ὀδυσσεύς", "민준", "Zoë", "😀", *NASTY)


def ended(utterance: Utterance) -> bool:
    return eventually(lambda: utterance.ended)


@pytest.mark.parametrize("name", NASTY)
def test_no_name_is_an_option_a_file_or_a_command(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = stand_in(tmp_path, "", monkeypatch)
    utterance = Espeak(ON).begin(f"{name} goes out.")
    assert ended(utterance)
    assert utterance.trouble == ""
    assert (folder / "arguments").read_text().split() == ASKED
    heard = (folder / "heard").read_text()
    assert heard.endswith(" goes out.")
    assert not set("<[\x00\x01") & set(heard)


def test_the_settings_are_what_it_is_asked_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = stand_in(tmp_path, "", monkeypatch)
    settings = VoiceSettings(on=True, voice="en-us+f3", speed=120, volume=60, device="plughw:1,0")
    assert ended(Espeak(settings).begin("one"))
    asked = "-m -b 1 --stdin -v en-us+f3 -s 120 -a 60 -d plughw:1,0"
    assert (folder / "arguments").read_text().split() == asked.split()


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("exit 3", "ended with 3"),
        ("echo 'ALSA lib pcm.c: Unknown PCM' >&2; echo 'error: No such file' >&2", "says 'error: No such file'"),
        ("kill -9 $$", "ended with -9"),
    ],
)
def test_a_line_that_is_not_heard_says_why(
    script: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in(tmp_path, script, monkeypatch)
    utterance = Espeak(ON).begin("one")
    assert ended(utterance)
    assert words in utterance.trouble
    assert "\n" not in utterance.trouble


def test_what_the_sound_system_has_to_remark_is_no_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in(tmp_path, "echo 'ALSA lib pcm.c: underrun occurred' >&2", monkeypatch)
    utterance = Espeak(ON).begin("one")
    assert ended(utterance)
    assert utterance.trouble == ""


def test_a_line_that_hangs_is_broken_off_with_all_that_it_began(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in(tmp_path, f"sleep 600 &\necho $! >'{tmp_path}/child'; wait", monkeypatch)
    utterance = Espeak(ON).begin("one")
    child = tmp_path / "child"
    assert eventually(lambda: child.exists() and child.read_text().strip() != "")
    assert not utterance.ended
    utterance.stop()
    assert ended(utterance)
    utterance.stop()
    status = Path(f"/proc/{child.read_text().strip()}/stat")
    assert eventually(lambda: not status.exists() or status.read_text().split()[2] == "Z")


def test_a_program_that_complains_without_end_or_does_not_listen_holds_nobody_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = stand_in(tmp_path, "", monkeypatch) / PROGRAM
    program.write_text("#!/bin/sh\nexec <&-\nexec yes 'error: never again' >&2\n")
    utterance = Espeak(ON).begin("one")
    assert not utterance.ended
    utterance.stop()
    assert ended(utterance)


def nowhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))


def test_where_it_is_not_installed_that_is_said_once_with_how_to_mend_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    nowhere(monkeypatch, tmp_path)
    caplog.set_level(logging.INFO)
    voice = open_voice(ON, Stream(()))
    assert len(caplog.messages) == 1
    assert "sudo apt install espeak-ng" in caplog.messages[0]
    assert "the game goes on" in caplog.messages[0]
    assert "sudo apt install espeak-ng" in voice.words
    voice.close()


def test_where_none_is_wanted_nothing_is_asked_and_nothing_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    nowhere(monkeypatch, tmp_path)
    spoken: Stream[tuple[()]] = Stream(())
    voice = open_voice(VoiceSettings(), spoken)  # type: ignore[arg-type]  # a stream of no lines
    assert (voice.words, caplog.messages, spoken.watchers) == ("", [], 0)
    voice.close()


@pytest.mark.parametrize(
    ("script", "words"),
    [("cat >/dev/null; exit 1", "has no voice 'en-gb'"), ("sleep 60", "does not answer")],
)
def test_a_voice_that_it_does_not_know_and_a_program_that_hangs_are_said_in_a_line(
    script: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = stand_in(tmp_path, "", monkeypatch) / PROGRAM
    program.write_text(f"#!/bin/sh\n{script}\n")
    monkeypatch.setattr("device.voice.espeak.PROBING", 0.5)
    with pytest.raises(VoiceError, match=words) as refused:
        Espeak(ON).probe()
    assert "\n" not in str(refused.value)


def test_a_program_that_cannot_be_run_is_said_in_a_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = stand_in(tmp_path, "", monkeypatch) / PROGRAM
    program.write_text("#!/nowhere/sh\n")
    for act in (Espeak(ON).probe, lambda: Espeak(ON).begin("one")):
        with pytest.raises(VoiceError, match="cannot be run"):
            act()


real = pytest.mark.skipif(shutil.which(PROGRAM) is None, reason="espeak-ng is not here")


@real
def test_the_real_one_knows_the_voice_of_the_settings_and_not_another() -> None:
    Espeak(ON).probe()
    with pytest.raises(VoiceError, match="has no voice 'nowhere'"):
        Espeak(VoiceSettings(on=True, voice="nowhere")).probe()


@real
@pytest.mark.parametrize("name", NAMES)
def test_the_real_one_makes_sound_of_every_name_and_no_more_of_a_nasty_one(name: str, tmp_path: Path) -> None:
    before = set(tmp_path.iterdir())
    words = marked_up(f"{name} goes out.").encode()
    done = subprocess.run(
        [PROGRAM, "-m", "-b", "1", "--stdin", "-v", "en-gb", "-s", "160", "--stdout"],
        input=words, capture_output=True, check=True, cwd=tmp_path, timeout=30,
    )  # fmt: skip
    assert set(tmp_path.iterdir()) == before
    assert not Path("/etc/x").exists()
    # --stdout does not know its length beforehand, and writes the largest that there is.
    with wave.open(BytesIO(done.stdout)) as sound:
        frames = (len(done.stdout) - 44) // sound.getsampwidth()
        assert 0.5 < frames / sound.getframerate() < 12


def test_the_process_is_in_a_group_of_its_own_so_that_a_signal_to_the_table_does_not_reach_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in(tmp_path, f"ps -o pgid= -p $$ >'{tmp_path}/group'", monkeypatch)
    assert ended(Espeak(ON).begin("one"))
    assert int((tmp_path / "group").read_text()) != os.getpgid(0)
