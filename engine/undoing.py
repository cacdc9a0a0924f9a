"""What still stands of the lines of a game, once people have undone some of what they said."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from engine.lines import Abandon, Call, Correction, Line, NewGame, NewRound, Played, Redo, Undo, Verdict

Undoable = NewRound | Call | Correction | Played | Verdict | Abandon
"""What can be undone: each by itself, the latest first."""


@dataclass
class Undoing:
    """What was said of a game, line by line with its number: what stands of it, and what is undone.

    A `Redo` brings back what the latest `Undo` took, until somebody says something new.
    """

    _standing: list[tuple[int, Undoable]] = field(default_factory=list)
    _undone: list[tuple[int, Undoable]] = field(default_factory=list)
    _void: set[int] = field(default_factory=set)

    @classmethod
    def of(cls, lines: Iterable[tuple[int, Line]]) -> "Undoing":
        """Take in the lines of a game in their order."""
        made = cls()
        for number, line in lines:
            made.take(number, line)
        return made

    @property
    def void(self) -> frozenset[int]:
        """The numbers of the lines that are undone; also of each `Undo` and `Redo` itself."""
        return frozenset(self._void)

    def next_undo(self, *, call: bool = False) -> Undoable | None:
        """What an `Undo` would take now: the latest word or, if `call`, the latest call of RACK-O in this round."""
        found = self._latest(call=call)
        return None if found is None else found[1]

    def next_redo(self) -> Undoable | None:
        """What a `Redo` would bring back now."""
        return self._undone[-1][1] if self._undone else None

    def take(self, number: int, line: Line) -> None:
        """Take in the next line."""
        match line:
            case Undo(_, call):
                self._void.add(number)
                taken = self._latest(call=call)
                if taken is not None:
                    self._standing.remove(taken)
                    self._undone.append(taken)
                    self._void.add(taken[0])
            case Redo():
                self._void.add(number)
                if self._undone:
                    back = self._undone.pop()
                    self._standing = sorted([*self._standing, back], key=lambda item: item[0])
                    self._void.discard(back[0])
            case NewGame():
                self._standing, self._undone = [], []
            case NewRound() | Call() | Correction() | Played() | Verdict() | Abandon():
                self._standing.append((number, line))
                self._undone = []

    def _latest(self, *, call: bool) -> tuple[int, Undoable] | None:
        for item in reversed(self._standing):
            if not call or isinstance(item[1], Call):
                return item
            if isinstance(item[1], NewRound):
                return None
        return None
