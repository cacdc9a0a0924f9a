"""The device's voice as a listener: what it says of the caller's lines, and that nothing waits for it."""

import logging
from collections.abc import Iterator

import pytest

from device.voice.speaker import SpeakingVoice
from tests.device.voice.fakes import FakeSpeaker, FakeUtterance
from tests.webui.waiting import eventually
from webui.desk import SpokenLine
from webui.stream import Stream


def line(number: int, text: str = "", about: str = "score") -> SpokenLine:
    return SpokenLine(number, about, text or f"line {number}")  # type: ignore[arg-type]  # one of the kinds


class Ear:
    """A voice with a fake mouth, and what it was told."""

    def __init__(self, *first: SpokenLine, turns: bool = False) -> None:
        self.mouth = FakeSpeaker()
        self.now = 0.0
        self.spoken: Stream[tuple[SpokenLine, ...]] = Stream(first)
        self.voice = SpeakingVoice(self.mouth, self.spoken, turns=turns, clock=lambda: self.now)

    def tell(self, *lines: SpokenLine) -> None:
        self.spoken.publish(lines)

    def begins(self, text: str) -> FakeUtterance:
        """Wait until this is being said."""
        assert eventually(lambda: bool(self.mouth.texts) and self.mouth.texts[-1] == text), self.mouth.texts
        return self.mouth.begun[-1]


@pytest.fixture
def ear() -> Iterator[Ear]:
    made = Ear()
    yield made
    made.voice.close()


def test_lines_are_said_one_after_the_other_and_each_once(ear: Ear) -> None:
    ear.tell(line(1), line(2))
    ear.begins("line 1").end()
    ear.tell(line(1), line(2), line(3))
    ear.begins("line 2").end()
    ear.begins("line 3").end()
    ear.tell(line(1), line(2), line(3))
    ear.tell(line(2), line(3), line(4))
    ear.begins("line 4").end()
    assert ear.mouth.texts == ["line 1", "line 2", "line 3", "line 4"]


def test_what_was_said_before_it_listened_is_not_said() -> None:
    ear = Ear(line(1), line(2))
    ear.tell(line(1), line(2), line(3))
    ear.begins("line 3")
    assert ear.mouth.texts == ["line 3"]
    ear.voice.close()


def test_a_line_that_is_withdrawn_is_broken_off_and_one_that_waits_is_not_begun(ear: Ear) -> None:
    ear.tell(line(1), line(2), line(3))
    first = ear.begins("line 1")
    ear.tell(line(3))
    ear.begins("line 3").end()
    assert first.stopped
    assert ear.mouth.texts == ["line 1", "line 3"]
    assert ear.voice.words == "the caller speaks on this machine"


def test_silence_is_at_once_when_all_lines_are_withdrawn(ear: Ear) -> None:
    ear.tell(line(1), line(2))
    first = ear.begins("line 1")
    ear.tell()
    assert eventually(lambda: first.stopped)
    ear.tell(line(3))
    ear.begins("line 3")
    assert ear.mouth.texts == ["line 1", "line 3"]


def test_turns_are_said_only_where_they_are_wanted(ear: Ear) -> None:
    lines = (line(1, "Ada's turn.", "turn"), line(2, "Ada goes out."))
    ear.tell(*lines)
    ear.begins("Ada goes out.")
    assert ear.mouth.texts == ["Ada goes out."]
    wanting = Ear(turns=True)
    wanting.tell(*lines)
    wanting.begins("Ada's turn.")
    wanting.voice.close()


def test_however_much_comes_while_it_speaks_only_the_newest_is_said(ear: Ear) -> None:
    ear.tell(line(1))
    first = ear.begins("line 1")
    for number in range(2, 500):
        ear.tell(line(1), line(number))
    first.end()
    ear.begins("line 499")
    assert len(ear.mouth.texts) == 2


def test_a_line_that_hangs_is_broken_off_in_time_and_the_next_is_said(
    ear: Ear, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    ear.tell(line(1), line(2))
    first = ear.begins("line 1")
    ear.now = 60.0
    second = ear.begins("line 2")
    assert first.stopped
    assert "takes too long" in ear.voice.words
    second.end()
    assert eventually(lambda: ear.voice.words == "the caller speaks on this machine")
    assert [message.partition(";")[0] for message in caplog.messages] == [
        "voice: not heard (a line takes too long)",
        "voice: heard again",
    ]


def test_a_process_that_nothing_ends_is_left_alone_and_no_other_is_begun_beside_it(ear: Ear) -> None:
    ear.mouth.stuck = True
    ear.tell(line(1), line(2))
    first = ear.begins("line 1")
    ear.now = 60.0
    assert eventually(lambda: first.stopped)
    ear.tell(line(1), line(2), line(3))
    ear.mouth.stuck = False
    assert ear.mouth.texts == ["line 1"]
    first.end("killed")
    ear.begins("line 2")


def test_a_voice_that_fails_says_so_once_and_goes_on_trying(ear: Ear, caplog: pytest.LogCaptureFixture) -> None:
    ear.mouth.silent = True
    ear.tell(line(1), line(2))
    assert eventually(lambda: "no sound card" in ear.voice.words)
    ear.tell(line(2), line(3))
    ear.mouth.silent = False
    ear.tell(line(4))
    ear.begins("line 4").end("espeak-ng ended with 1")
    ear.tell(line(4), line(5))
    ear.begins("line 5")
    assert "ended with 1" in ear.voice.words
    assert "racko doctor" in ear.voice.words
    assert len(caplog.messages) == 1


def test_closing_breaks_off_and_ends_its_thread(ear: Ear) -> None:
    ear.tell(line(1), line(2))
    first = ear.begins("line 1")
    ear.voice.close()
    assert first.stopped
    ear.tell(line(3))
    ear.voice.close()
    assert ear.spoken.watchers == 0
    assert ear.mouth.texts == ["line 1"]


def test_the_end_of_the_stream_is_its_end(ear: Ear) -> None:
    ear.tell(line(1))
    first = ear.begins("line 1")
    ear.spoken.close()
    assert eventually(lambda: first.stopped)


def test_no_line_is_logged(ear: Ear, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    ear.tell(line(1, "Ada: 75 points."))
    ear.begins("Ada: 75 points.").end("espeak-ng ended with 1")
    assert eventually(lambda: len(caplog.messages) == 1)
    assert "Ada" not in caplog.text
