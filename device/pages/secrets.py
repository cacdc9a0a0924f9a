"""What opens the pages: the host's PIN, the key of the sessions, and a token for each seat; made once, and kept."""

import json
import os
import secrets
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from engine.cards import SEATS, Seat
from engine.errors import BadInput
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
        kept = Secrets(_new_pin(), secrets.token_bytes(32), _new_tokens())
        _keep(folder / FILE, kept)
    return kept if pin is None else replace(kept, pin=pin)


def renewed_secrets(folder: Path, *, pin: bool = False, links: bool = False) -> Secrets:
    """Give the secrets that are kept in `folder`, after making a new `pin`, new `links` (a token a seat), or neither.

    A program that runs goes on with the old ones until it is started again; then a new PIN ends all hosts' sessions,
    and new links all seats' pages. Raises BadInput where none are kept, and where they cannot be read or written.
    """
    kept = _read(folder / FILE)
    if kept is None:
        raise BadInput(f"{folder / FILE}: is not there; racko serve makes it at its first start")
    if pin or links:
        fresh = _new_pin(besides=kept.pin) if pin else kept.pin
        kept = replace(kept, pin=fresh, seats=_new_tokens() if links else kept.seats)
        _keep(folder / FILE, kept)
    return kept


def _read(path: Path) -> Secrets | None:
    """Read what is kept; None where nothing is."""
    try:
        said: Any = json.loads(path.read_text(encoding="utf-8"))
        kept = Secrets(
            str(said["pin"]),
            bytes.fromhex(said["key"]),
            {int(seat): str(token) for seat, token in said["seats"].items()},
        )
        if len(kept.key) < 32 or set(kept.seats) != set(SEATS) or min(map(len, kept.seats.values())) < 20:
            raise ValueError
    except FileNotFoundError:
        return None
    except OSError as problem:
        raise BadInput(f"{path}: cannot be read ({problem.strerror})") from None
    except (ValueError, KeyError, TypeError, AttributeError):
        raise BadInput(f"{path}: is damaged; remove it, and a new PIN is made") from None
    return kept


def _new_pin(besides: str = "") -> str:
    """Make up a PIN, another one than `besides`."""
    while (pin := "".join(secrets.choice("0123456789") for _ in range(DIGITS))) == besides:
        continue
    return pin


def _new_tokens() -> dict[Seat, str]:
    return {seat: secrets.token_urlsafe(24) for seat in SEATS}


def _keep(path: Path, kept: Secrets) -> None:
    """Write them for their owner's eyes only, so that a power cut leaves the old ones or the new ones.

    Where root writes, they belong to whom the folder belongs to: the program that needs them is not root.
    """
    said = {"pin": kept.pin, "key": kept.key.hex(), "seats": {str(seat): token for seat, token in kept.seats.items()}}
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
