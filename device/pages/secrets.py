"""What opens the pages: the host's PIN, the key of the sessions, and a token for each seat; made once, and kept.

A seat's token is its player's: when somebody else sits down there, the seat gets another one.
"""

import json
import logging
import os
import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from engine.cards import SEATS, Seat
from engine.errors import BadInput
from engine.events import Event
from engine.snapshot import Snapshot
from webui.desk import Secrets

FILE: Final = "secrets.json"
DIGITS: Final = 6
"""A PIN that a family can remember; wrong ones are answered more and more slowly (webui.limiter)."""


def kept_secrets(folder: Path, pin: str | None = None) -> Secrets:
    """Read the secrets that are kept in `folder`, or make them; a `pin` of the configuration goes first.

    Raises BadInput where they cannot be read or written.
    """
    kept = _read(folder / FILE)
    if kept is None:
        kept = _Kept(Secrets(_new_pin(), secrets.token_bytes(32), _new_tokens()))
        _keep(folder / FILE, kept)
    return kept.secrets if pin is None else replace(kept.secrets, pin=pin)


def renewed_secrets(folder: Path, *, pin: bool = False, links: bool = False) -> Secrets:
    """Give the secrets that are kept in `folder`, after making a new `pin`, new `links` (a token a seat), or neither.

    A program that runs goes on with the old ones until it is started again; then a new PIN ends all hosts' sessions,
    and new links all seats' pages. Raises BadInput where none are kept, and where they cannot be read or written.
    """
    kept = _read(folder / FILE)
    if kept is None:
        raise BadInput(f"{folder / FILE}: is not there; racko serve makes it at its first start")
    known = kept.secrets
    if pin or links:
        fresh = _new_pin(besides=known.pin) if pin else known.pin
        known = replace(known, pin=fresh, seats=_new_tokens() if links else known.seats)
        _keep(folder / FILE, replace(kept, secrets=known))
    return known


class SeatLinks(Mapping[Seat, str]):
    """Each seat's token, which opens its player's page: another one as soon as somebody else sits there.

    Who plays a seat is told by the name. One thread tells who plays; any may ask for tokens.
    """

    def __init__(self, folder: Path) -> None:
        """Begin with the tokens that are kept in `folder`. Raises BadInput where there are none."""
        kept = _read(folder / FILE)
        if kept is None:
            raise BadInput(f"{folder / FILE}: is not there; start racko serve again, which makes it")
        self._file = folder / FILE
        self._tokens, self._people = dict(kept.secrets.seats), dict(kept.people)

    def __getitem__(self, seat: Seat) -> str:
        """The token of a seat."""
        return self._tokens[seat]

    def __iter__(self) -> Iterator[Seat]:
        """The seats."""
        return iter(self._tokens)

    def __len__(self) -> int:
        """How many seats there are."""
        return len(self._tokens)

    def hear(self, board: Snapshot, _: Sequence[Event] = ()) -> None:
        """See who plays, before anything is shown to them; who sat at a seat before has its page no longer."""
        people = {line.seat: line.name for line in board.players}
        if all(self._people.get(seat) == name for seat, name in people.items()):
            return
        # nobody has sat at a seat that no name is known of: its link may have been handed out for this very game
        others = {seat for seat, name in people.items() if self._people.get(seat, name) != name}
        fresh = {seat: token for seat, token in _new_tokens().items() if seat in others}
        self._people = self._people | people
        self._tokens = self._tokens | fresh
        try:
            kept = _read(self._file)
            if kept is not None:
                known = replace(kept.secrets, seats={**kept.secrets.seats, **fresh})
                _keep(self._file, _Kept(known, self._people))
        except BadInput as problem:
            logging.getLogger(__name__).warning("the seats' new links count until the program ends only: %s", problem)


@dataclass(frozen=True)
class _Kept:
    """What stands in the file: the secrets, and for whom the seats' tokens were made, by name."""

    secrets: Secrets
    people: Mapping[Seat, str] = field(default_factory=dict)


def _read(path: Path) -> _Kept | None:
    """Read what is kept; None where nothing is."""
    try:
        said: Any = json.loads(path.read_text(encoding="utf-8"))
        kept = Secrets(
            str(said["pin"]),
            bytes.fromhex(said["key"]),
            {int(seat): str(token) for seat, token in said["seats"].items()},
        )
        people = {int(seat): str(name) for seat, name in said.get("people", {}).items()}
        if len(kept.key) < 32 or set(kept.seats) != set(SEATS) or min(map(len, kept.seats.values())) < 20:
            raise ValueError
    except FileNotFoundError:
        return None
    except OSError as problem:
        raise BadInput(f"{path}: cannot be read ({problem.strerror})") from None
    except (ValueError, KeyError, TypeError, AttributeError):
        raise BadInput(f"{path}: is damaged; remove it, and a new PIN is made") from None
    return _Kept(kept, people)


def _new_pin(besides: str = "") -> str:
    """Make up a PIN, another one than `besides`."""
    while (pin := "".join(secrets.choice("0123456789") for _ in range(DIGITS))) == besides:
        continue
    return pin


def _new_tokens() -> dict[Seat, str]:
    return {seat: secrets.token_urlsafe(24) for seat in SEATS}


def _keep(path: Path, kept: _Kept) -> None:
    """Write them for their owner's eyes only, so that a power cut leaves the old ones or the new ones.

    Where root writes, they belong to whom the folder belongs to: the program that needs them is not root.
    """
    known = kept.secrets
    said = {"pin": known.pin, "key": known.key.hex(), "seats": dict(known.seats), "people": dict(kept.people)}
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        new = path.with_suffix(".new")
        new.unlink(missing_ok=True)
        new.touch(mode=0o600)
        with new.open("w", encoding="utf-8") as file:
            file.write(json.dumps(said, indent=1))
            file.flush()
            os.fsync(file.fileno())
        if os.geteuid() == 0:
            owner = path.parent.stat()
            os.chown(new, owner.st_uid, owner.st_gid)
        new.replace(path)
    except OSError as problem:
        raise BadInput(f"{path}: cannot be written ({problem.strerror}); name another [journal] folder") from None
