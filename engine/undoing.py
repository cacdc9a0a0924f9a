"""What still stands of the lines of a game, once people have undone some of what they said."""

from collections.abc import Iterable

from engine.lines import Abandon, Call, Correction, Line, NewGame, NewRound, Played, Redo, Undo, Verdict

Undoable = NewRound | Call | Correction | Played | Verdict | Abandon
"""What can be undone: each by itself, the latest first."""


def voided(lines: Iterable[tuple[int, Line]]) -> frozenset[int]:
    """The numbers of those lines, given in their order, that are undone; also of `Undo` and `Redo` themselves.

    A `Redo` brings back what the latest `Undo` took, until somebody says something new.
    """
    standing: list[tuple[int, Line]] = []
    undone: list[tuple[int, Line]] = []
    void: set[int] = set()
    for number, line in lines:
        match line:
            case Undo(_, call):
                void.add(number)
                taken = _latest(standing, call=call)
                if taken is not None:
                    standing.remove(taken)
                    undone.append(taken)
                    void.add(taken[0])
            case Redo():
                void.add(number)
                if undone:
                    back = undone.pop()
                    standing.append(back)
                    standing.sort(key=lambda item: item[0])
                    void.discard(back[0])
            case NewGame():
                standing, undone = [], []
            case NewRound() | Call() | Correction() | Played() | Verdict() | Abandon():
                standing.append((number, line))
                undone = []
    return frozenset(void)


def _latest(standing: list[tuple[int, Line]], *, call: bool) -> tuple[int, Line] | None:
    """What an `Undo` takes: the latest word, or the latest call; None where there is none of the latest round."""
    for item in reversed(standing):
        if not call or isinstance(item[1], Call):
            return item
        if isinstance(item[1], NewRound):
            return None
    return None


def nothing_to(line: Undo | Redo, lines: Iterable[tuple[int, Line]]) -> bool:
    """Whether there is nothing that `line`, said after those lines, would undo or do again."""
    said = list(lines)
    last = max((number for number, _ in said), default=0) + 1
    return voided([*said, (last, line)]) - {last} == voided(said)
