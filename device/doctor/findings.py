"""What the doctor finds: one line with figures, one line on what to do, and how both are shown."""

import json
import shutil
import textwrap
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Final, Literal

Verdict = Literal["good", "look", "bad", "skipped"]
"""`look`: it works, and a person should look at it. `bad`: an evening would suffer. `skipped`: there is nothing here
that could be checked."""

MARKS: Final = {"good": "good", "look": "LOOK", "bad": "BAD", "skipped": "-"}
"""Words and no colours: told apart on paper, by a screen reader, and by whoever does not see red and green."""

INDENT: Final = 18
WIDEST: Final = 110
NARROWEST: Final = 50


@dataclass(frozen=True)
class Finding:
    """What one check found: `found` in one line with figures, `mend` in one line what to do, "" where all is good.

    Several things to do are parted by "; ".

    A finding is public: it tells no card of any rack, for somebody may ask the doctor in the middle of a round.
    """

    check: str
    verdict: Verdict
    found: str
    mend: str = ""


def as_json(finding: Finding) -> str:
    """A finding as one line of JSON."""
    return json.dumps(asdict(finding), ensure_ascii=False)


def as_text(finding: Finding, *, first: bool) -> str:
    """A finding for people, in lines as wide as the terminal; `first` of its check bears the check's name."""
    width = min(max(shutil.get_terminal_size((100, 24)).columns - 1, NARROWEST), WIDEST)
    head = f"  {MARKS[finding.verdict]:<5}{finding.check if first else '':<11}"
    lines = _wrapped(finding.found, head, " " * INDENT, width)
    for mend in finding.mend.split("; ") if finding.mend else ():
        lines += _wrapped(mend, " " * INDENT + "> ", " " * INDENT + "  ", width)
    return "\n".join(lines)


def _wrapped(words: str, first: str, others: str, width: int) -> list[str]:
    """Wrap at spaces only: an address or a file's name stays whole, to be copied."""
    return textwrap.wrap(
        words, width, initial_indent=first, subsequent_indent=others, break_long_words=False, break_on_hyphens=False
    )


def summary(findings: Sequence[Finding]) -> str:
    """The last line for people: how it stands altogether."""
    bad = sum(finding.verdict == "bad" for finding in findings)
    look = sum(finding.verdict == "look" for finding in findings)
    if bad:
        also = f", and {_things(look)} worth a look" if look else ""
        words = f"{_things(bad)} to mend before an evening{also}; what to do stands behind each >."
        return words[0].upper() + words[1:]
    if look:
        return f"Nothing is bad; {_things(look)} worth a look."
    return "All is well."


def _things(count: int) -> str:
    return "one thing is" if count == 1 else f"{count} things are"


def worst(verdicts: Sequence[Verdict]) -> Verdict:
    """The gravest of some verdicts; good where there is none."""
    order: tuple[Verdict, ...] = ("bad", "look", "good", "skipped")
    return next((verdict for verdict in order if verdict in verdicts), "good")


def together(check: str, found: str, amiss: Sequence[tuple[Verdict, str]]) -> Finding:
    """One finding out of several things that may be amiss, each a verdict with what to do."""
    return Finding(check, worst([verdict for verdict, _ in amiss]), found, "; ".join(mend for _, mend in amiss))
