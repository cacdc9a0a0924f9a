"""The host's session: begun with the PIN, kept in a signed cookie, ended by the host or by a new PIN."""

import hashlib
import hmac
import math
from collections import OrderedDict
from datetime import timedelta
from secrets import token_urlsafe
from typing import Final

from flask import Flask, session

from engine.errors import BadInput
from webui.answers import PageError
from webui.desk import Secrets
from webui.limiter import Limiter

LIFETIME: Final = timedelta(days=30)
SHORTEST_KEY: Final = 16
"""Bytes of the key that signs sessions."""

MOST_ENDED: Final = 1000
"""Ended sessions that are remembered, so that a copied cookie does not open the page again."""


class Sessions:
    """Begins, checks and ends the host's sessions; the functions speak of the present request's cookie."""

    def __init__(self, secrets: Secrets, limiter: Limiter) -> None:
        self._pin = secrets.pin
        self._print = hmac.new(secrets.key, f"pin:{secrets.pin}".encode(), hashlib.sha256).hexdigest()
        self._limiter = limiter
        self._ended: OrderedDict[str, None] = OrderedDict()

    def begin(self, pin: str, address: str) -> str:
        """Begin a session if the PIN is right and return its CSRF token.

        Raises PageError: 403 for a wrong PIN, 429 with the seconds to wait after too many from this client's address
        or in all.
        """
        right = hmac.compare_digest(pin.encode("utf-8", "surrogatepass"), self._pin.encode()) and bool(self._pin)
        wait = math.ceil(self._limiter.attempt(address, right=right))
        if wait > 0:
            raise PageError(429, f"too many wrong PINs; wait {wait} seconds", wait=wait)
        if not right:
            raise PageError(403, "that is not the table's PIN")
        csrf = token_urlsafe(24)
        session.clear()
        session.permanent = True
        session["host"], session["csrf"] = self._print, csrf
        return csrf

    def current(self) -> str | None:
        """The CSRF token of the present request's session; None if it has none that counts."""
        known, csrf = session.get("host"), session.get("csrf")
        if not isinstance(known, str) or not isinstance(csrf, str) or csrf in self._ended:
            return None
        # A new PIN ends all sessions that were begun with the old one.
        return csrf if hmac.compare_digest(known.encode(), self._print.encode()) else None

    def needed(self) -> str:
        """Like `current`, but raises PageError 401 where there is no session."""
        csrf = self.current()
        if csrf is None:
            raise PageError(401, "enter the host's PIN first")
        return csrf

    def has_ended(self, csrf: str) -> bool:
        """Whether the host has ended the session with this CSRF token."""
        return csrf in self._ended

    def check_csrf(self, csrf: str, given: str) -> None:
        """Raise PageError 403 unless `given` is the session's CSRF token."""
        if not hmac.compare_digest(csrf.encode(), given.encode("utf-8", "replace")):
            raise PageError(403, "this page is too old; load it again")

    def end(self) -> None:
        """End the present request's session, and any stream that was opened with it."""
        csrf = self.current()
        session.clear()
        if csrf is not None:
            self._ended[csrf] = None
            while len(self._ended) > MOST_ENDED:
                self._ended.popitem(last=False)


def keep_in_cookie(app: Flask, key: bytes) -> None:
    """Set how sessions are kept. Raises BadInput for a key that is too short to sign anything."""
    if len(key) < SHORTEST_KEY:
        raise BadInput(f"the key that signs the host's session has {len(key)} bytes; it needs {SHORTEST_KEY} at least")
    app.config.update(
        SECRET_KEY=key,
        SESSION_COOKIE_NAME="racko",
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Strict",
        SESSION_COOKIE_PATH="/",
        SESSION_REFRESH_EACH_REQUEST=False,
        PERMANENT_SESSION_LIFETIME=LIFETIME,
    )
