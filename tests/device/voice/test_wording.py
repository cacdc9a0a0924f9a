"""What espeak-ng is given to read: names of every kind, and no command."""

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.voice.wording import LONGEST, marked_up

OURS = re.compile(r'<voice xml:lang="[a-z]{2,3}">|</voice>|&amp;')


@pytest.mark.parametrize(
    ("text", "spoken"),
    [
        ("Ada: 75 points, 215 in all.", "Ada: 75 points, 215 in all."),
        ("Ada & Ben goes out.", "Ada &amp; Ben goes out."),
        ("Zoë O’Neill-Łukasz’s turn.", "Zoë O’Neill-Łukasz’s turn."),  # noqa: RUF001 - as it is said
        ("😀 goes out.", "😀 goes out."),
        ("Зоя goes out.", '<voice xml:lang="ru">Зоя</voice> goes out.'),
        ("Άννα Παπά calls RACK-O.", '<voice xml:lang="el">Άννα Παπά</voice> calls RACK-O.'),
        ("أمير’s turn.", '<voice xml:lang="ar">أمير</voice> turn.'),  # noqa: RUF001 - as it is said
        ("明: 5 points.", '<voice xml:lang="cmn">明:</voice> 5 points.'),
        ("はな & 민준", '<voice xml:lang="ja">はな</voice> &amp; <voice xml:lang="ko">민준</voice>'),
    ],
)
def test_names_are_read_in_the_language_of_their_script(text: str, spoken: str) -> None:
    assert marked_up(text) == spoken


@pytest.mark.parametrize(
    ("name", "spoken"),
    [
        ("<break time=9999>", "break time 9999"),
        ('<voice name="x">&lt;', "voice name x &amp;lt"),
        ("<audio src='/etc/passwd'/>", "audio src '"),
        ("[[h@'loU]]", "h '"),
        ("A\x01300Sda\x00\x7f\u202e", "A 300Sda"),
        ("half \ud800 a letter", "half a letter"),
        ("one\ntwo\r\n\ttwo", "one two two"),
    ],
)
def test_nothing_in_a_name_is_a_command(name: str, spoken: str) -> None:
    assert marked_up(name).startswith(spoken)


@given(st.text(st.characters(codec=None), max_size=2 * LONGEST))
def test_whatever_is_said_no_markup_but_ours_comes_of_it(text: str) -> None:
    made = marked_up(text)
    plain = OURS.sub("", made)
    assert not set('<>[]&\\"`$|;') & set(plain)
    assert not any(unicodedata.category(letter) in ("Cc", "Cf", "Cs") for letter in plain)
    assert made.count("<voice ") == made.count("</voice>")
    made.encode()
    assert len(plain) <= 2 * LONGEST
