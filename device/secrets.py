"""What opens the pages: the host's PIN, the key of the sessions, and a token for each seat; made once, and kept."""

import json
import secrets
from pathlib import Path
from typing import Any, Final

from engine.cards import SEATS
from engine.errors import BadInput
from webui.desk import Secrets

FILE: Final = "secrets.json"
DIGITS: Final = 6
"""A PIN that a family can remember; wrong ones are answered more and more slowly (webui.limiter)."""


def kept_secrets(folder: Path, pin: str | None = None) -> Secrets:
    """Read the secrets that are kept in `folder`, or make them; a `pin` of the configuration goes first.

    Raises BadInput where they cannot be read or written.
    """
    path = folder / FILE
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
        kept = _new()
        _keep(path, kept)
    except OSError as problem:
        raise BadInput(f"{path}: cannot be read ({problem.strerror})") from None
    except (ValueError, KeyError, TypeError, AttributeError):
        raise BadInput(f"{path}: is damaged; remove it, and a new PIN is made") from None
    return kept if pin is None else Secrets(pin, kept.key, kept.seats)


def _new() -> Secrets:
    pin = "".join(secrets.choice("0123456789") for _ in range(DIGITS))
    return Secrets(pin, secrets.token_bytes(32), {seat: secrets.token_urlsafe(24) for seat in SEATS})


def _keep(path: Path, kept: Secrets) -> None:
    """Write them for their owner's eyes only."""
    said = {"pin": kept.pin, "key": kept.key.hex(), "seats": {str(seat): token for seat, token in kept.seats.items()}}
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        new = path.with_suffix(".new")
        new.touch(mode=0o600)
        new.write_text(json.dumps(said, indent=1), encoding="utf-8")
        new.replace(path)
    except OSError as problem:
        raise BadInput(f"{path}: cannot be written ({problem.strerror}); name another [journal] folder") from None
