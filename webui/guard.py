"""Who is let in: under which names, from which pages, with which secret. One place for every address."""

import ipaddress
import re
import socket
from collections.abc import Sequence
from typing import Final
from urllib.parse import urlsplit

from flask import Response, g, request

from webui.answers import PageError
from webui.session import Sessions
from webui.tokens import Tokens

CSRF_HEADER: Final = "X-Racko-CSRF"

HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}
"""Sent with every response: nothing from another host, nothing inline, no framing, no address handed on."""

_HOST: Final = re.compile(r"(?:\[(?P<v6>[0-9A-Fa-f:.]+)\]|(?P<name>[0-9A-Za-z._-]+))(?P<port>:[0-9]{0,5})?")


def host_in(header: str) -> tuple[str, str] | None:
    """Take a Host header apart: the name or address in lower case, without brackets, and the port ("" for none).

    None for what is neither a name nor an address.
    """
    found = _HOST.fullmatch(header)
    if found is None:
        return None
    if found["v6"] is not None and not (":" in found["v6"] and is_address(found["v6"])):
        return None
    name = found["v6"] or found["name"].removesuffix(".")
    return name.lower(), (found["port"] or "").removeprefix(":")


def is_address(name: str) -> bool:
    """Whether it is an IP address written out."""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def is_this_machine(name: str) -> bool:
    """Whether a name or address leads nowhere but to the machine that asks."""
    if not is_address(name):
        return name == "localhost"
    address = ipaddress.ip_address(name)
    return address.is_loopback or address.is_unspecified


class Names:
    """The names under which the pages are to be had: addresses, localhost, the machine's own name and given ones.

    Any other name in a Host header may be one that an attacker's name server points at this machine (DNS rebinding).
    """

    def __init__(self, given: Sequence[str] = ()) -> None:
        machine = socket.gethostname().lower()
        short = machine.split(".")[0]
        known = {"localhost", machine, short, f"{short}.local", *(name.lower() for name in given)}
        self._known = {name.removesuffix(".") for name in known if name}

    def know(self, header: str) -> bool:
        """Whether the pages may be asked for under this Host header; its port does not matter."""
        host = host_in(header)
        return host is not None and (is_address(host[0]) or host[0] in self._known)


class Guard:
    """Admits the present request, or raises PageError; without a secret nobody changes anything."""

    def __init__(self, names: Names, sessions: Sessions, tokens: Tokens) -> None:
        self._names = names
        self._sessions = sessions
        self._tokens = tokens

    def admit(self) -> None:
        """Look at the name asked for, the page that asks, and the secret that goes with the address.

        Sets `g.seat` where the address holds a seat's token. The host's pages, and everything else that changes
        something, need the PIN's session; each POST but the one that begins a session needs the CSRF token too.
        """
        if not self._names.know(request.headers.get("Host", "")):
            raise PageError(421)
        if request.endpoint in (None, "static"):
            return
        changes = request.method == "POST"
        if changes and not is_same_origin():
            raise PageError(403, "this is taken from the table's own page only")
        token = (request.view_args or {}).get("token")
        if token is not None:
            seat = self._tokens.seat_of(token)
            if seat is None:
                raise PageError(404)
            g.seat = seat
            if changes:
                self._tokens.check_csrf(token, request.headers.get(CSRF_HEADER, ""))
        elif request.blueprint == "host" or (changes and request.endpoint != "session.begin"):
            csrf = self._sessions.needed()
            if changes:
                self._sessions.check_csrf(csrf, request.headers.get(CSRF_HEADER, ""))


def is_same_origin() -> bool:
    """Browsers name the page that a POST comes from; other programs name nothing, and no page can make them."""
    if request.headers.get("Sec-Fetch-Site", "same-origin") != "same-origin":
        return False
    origin = request.headers.get("Origin")
    if origin is None:
        return True
    try:
        return urlsplit(origin).netloc.lower() == request.host.lower()
    except ValueError:
        return False


def add_headers(response: Response) -> Response:
    """Put the headers on a response that keep the page to itself and its contents out of caches."""
    response.headers.update(HEADERS)
    if request.path.startswith("/static/") and response.status_code < 400:
        response.headers.setdefault("Cache-Control", "no-cache")
    else:
        response.headers["Cache-Control"] = "no-store"
    return response
