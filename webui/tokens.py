"""The seats' secret tokens: each opens one seat's page and nothing else."""

import hashlib
import hmac

from engine.cards import Seat
from webui.answers import PageError
from webui.desk import Secrets


class Tokens:
    """Knows whose a token is, and the CSRF token that goes with it.

    A seat's token changes when somebody else sits down there, so it is looked up each time.
    """

    def __init__(self, secrets: Secrets) -> None:
        self._key = secrets.key
        self._tokens = secrets.seats

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats that have a page."""
        return tuple(seat for seat, token in sorted(self._tokens.items()) if token)

    def of(self, seat: Seat) -> str:
        """The token of a seat that has one."""
        return self._tokens[seat]

    def seat_of(self, token: str) -> Seat | None:
        """Whose token it is; None for nobody's. Takes the same time for any token of one length."""
        found = None
        given = self._print("seat", token)
        for seat, known in self._tokens.items():
            if hmac.compare_digest(self._print("seat", known), given) and known:
                found = seat
        return found

    def csrf(self, token: str) -> str:
        """The CSRF token of a seat's page."""
        return self._print("csrf", token)

    def check_csrf(self, token: str, given: str) -> None:
        """Raise PageError 403 unless `given` is the CSRF token of the seat's page."""
        if not hmac.compare_digest(self.csrf(token).encode(), given.encode("utf-8", "replace")):
            raise PageError(403, "this page is too old; load it again")

    def _print(self, purpose: str, token: str) -> str:
        """A number that only who has the key can make of a token; one for each purpose."""
        text = f"{purpose}:{token}".encode("utf-8", "surrogatepass")
        return hmac.new(self._key, text, hashlib.sha256).hexdigest()
