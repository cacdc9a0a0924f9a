"""A line as espeak-ng is given it: marked up for names of other scripts, and nothing in it that could be a command.

espeak-ng reads names as they come from people, who may call themselves `<break time="9999">`, `[[h@'loU]]` or a
control character that sets its speed. Letters, marks, digits and the signs of plain writing come through; the rest
becomes a blank. The markup is ours alone.
"""

import unicodedata
from collections.abc import Sequence
from itertools import groupby
from typing import Final

LONGEST: Final = 400
"""Characters of a line that are spoken; the longest that is meant to be said has some 100."""

PLAIN: Final = " '’&.,:!?-"  # noqa: RUF001 - a typographic apostrophe
"""Signs that are written in a line, or in names."""

LANGUAGES: Final = {
    "ARABIC": "ar",
    "ARMENIAN": "hy",
    "BENGALI": "bn",
    "CJK": "cmn",
    "CYRILLIC": "ru",
    "DEVANAGARI": "hi",
    "GEORGIAN": "ka",
    "GREEK": "el",
    "GUJARATI": "gu",
    "GURMUKHI": "pa",
    "HANGUL": "ko",
    "HEBREW": "he",
    "HIRAGANA": "ja",
    "KANNADA": "kn",
    "KATAKANA": "ja",
    "MALAYALAM": "ml",
    "MYANMAR": "my",
    "SINHALA": "si",
    "TAMIL": "ta",
    "TELUGU": "te",
    "THAI": "th",
}
"""The language that a script is read in (of espeak-ng 1.51), by how Unicode begins its letters' names. An
English voice spells such names: "Chinese letter"."""


def marked_up(text: str) -> str:
    """The line in the SSML that espeak-ng understands (its option -m), with no markup but ours."""
    plain = "".join(letter if _is_plain(letter) else " " for letter in unicodedata.normalize("NFC", text[:LONGEST]))
    parts = []
    for language, group in groupby(plain.split(), _language):
        words = list(group)
        if language is None:
            parts.append(_escaped(words))
        else:
            # An English ending makes a name of another script unreadable.
            parts.append(f'<voice xml:lang="{language}">{_escaped([_stem(word) for word in words])}</voice>')
    return " ".join(parts)


def _escaped(words: Sequence[str]) -> str:
    return " ".join(words).replace("&", "&amp;")


def _stem(word: str) -> str:
    return word[:-2] if word.endswith(("’s", "'s")) else word  # noqa: RUF001 - a typographic apostrophe


def _is_plain(letter: str) -> bool:
    return letter in PLAIN or unicodedata.category(letter)[0] in "LMN" or unicodedata.category(letter) == "So"


def _language(word: str) -> str | None:
    """The language that a word is read in, by its first letter of another script; None for the voice's own."""
    for letter in word:
        found = LANGUAGES.get(unicodedata.name(letter, "").partition(" ")[0])
        if found is not None:
            return found
    return None
