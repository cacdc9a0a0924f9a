"""The web application: its pages and addresses put together, and what is said where one fails."""

from collections.abc import Callable, Iterable, Sequence
from time import monotonic
from types import TracebackType
from typing import TYPE_CHECKING

from flask import Flask, Response, current_app, render_template, request
from werkzeug.datastructures import ImmutableDict
from werkzeug.exceptions import HTTPException
from werkzeug.routing import BaseConverter

from webui.answers import MAX_BODY_BYTES, WORDS, PageError, error
from webui.asking import Asking
from webui.desk import Desk, Secrets
from webui.guard import Guard, Names, add_headers
from webui.host import host_pages
from webui.limiter import Limiter
from webui.parts import Parts
from webui.places import Places
from webui.public import public_pages, record_pages, session_pages
from webui.seats import seat_pages
from webui.session import Sessions, keep_in_cookie
from webui.stream import StreamError
from webui.tokens import Tokens

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment


class Pages(Flask):
    """A Flask application that writes no address into its log, for an address may hold a seat's token."""

    # Here and not in create_app: Flask makes the address of the static files before that.
    default_config = ImmutableDict({**Flask.default_config, "PROVIDE_AUTOMATIC_OPTIONS": False})

    def wsgi_app(self, environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        """Answer a request; an address without a path is the first page's (RFC 9112, 3.2), and Flask would redirect."""
        return super().wsgi_app({**environ, "PATH_INFO": environ.get("PATH_INFO") or "/"}, start_response)

    def log_exception(self, exc_info: tuple[type, BaseException, TracebackType] | tuple[None, None, None]) -> None:
        """Log a defect with the name of what was asked for."""
        self.logger.error("Exception in %s [%s]", request.endpoint, request.method, exc_info=exc_info)


class _Number(BaseConverter):
    """A game's or round's number; no more digits than Python likes to turn into a number."""

    regex = "[1-9][0-9]{0,5}"

    def to_python(self, value: str) -> int:
        return int(value)


class _Seat(_Number):
    regex = "[1-4]"


def create_app(  # noqa: PLR0913 - all that differs from table to table
    desk: Desk,
    secrets: Secrets,
    *,
    names: Sequence[str] = (),
    address: str | None = None,
    max_streams: int = 64,
    clock: Callable[[], float] = monotonic,
) -> Flask:
    """Make the application that shows what `desk` knows and asks it what people want.

    names: under which the pages are to be had, beside addresses, localhost and the machine's own name. address: where
    other machines find this one, without a port; it stands in the seats' addresses where the host page was asked for
    as localhost. More than `max_streams` event streams at once are refused with 503; a page then asks for the state
    now and then. clock: seconds, for the waits between wrong PINs. Raises BadInput for a key that is too short.
    Serve it with `webui.serve.serve`, which knows how many threads the streams need.
    """
    app = Pages(__name__)
    # Set here and not left to the environment: FLASK_DEBUG must not open a door.
    app.config.update(DEBUG=False, PROPAGATE_EXCEPTIONS=False, MAX_CONTENT_LENGTH=MAX_BODY_BYTES)
    keep_in_cookie(app, secrets.key)
    app.url_map.converters |= {"number": _Number, "seat": _Seat}
    app.url_map.merge_slashes = False  # a redirect would repeat the address, and there is one way to write each

    sessions, tokens = Sessions(secrets, Limiter(clock)), Tokens(secrets)
    parts = Parts(desk, Asking(desk), Places(max_streams), sessions, tokens, address)
    app.extensions["racko-places"] = parts.places
    app.before_request(Guard(Names(names), sessions, tokens).admit)
    app.after_request(add_headers)
    app.register_error_handler(HTTPException, _http_error)
    app.register_error_handler(PageError, _page_error)
    app.register_error_handler(StreamError, _stream_refused)
    for pages in (
        public_pages(parts),
        record_pages(desk),
        session_pages(sessions),
        host_pages(parts),
        seat_pages(parts),
    ):
        app.register_blueprint(pages)
    return app


def _page_error(refused: PageError) -> Response | tuple[str, int]:
    if request.endpoint == "seats.page" and refused.status == 404:
        return render_template("unknown.html"), 404
    return error(refused.status, str(refused), **refused.beside)


def _http_error(found: HTTPException) -> Response:
    status = found.code or 500
    response = error(status, WORDS.get(status, found.name.lower()))
    for name, value in found.get_headers():
        if name == "Allow":
            response.headers[name] = value
    return response


def _stream_refused(refused: StreamError) -> Response:
    current_app.logger.info("an event stream was refused: %s", refused)
    return error(503, str(refused))
