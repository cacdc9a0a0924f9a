"""The web application: a page, the table's state once or as a stream, and the RACK-O button."""

import json
from collections.abc import Callable
from urllib.parse import urlsplit

from flask import Flask, Response, current_app, jsonify, render_template, request
from werkzeug.exceptions import HTTPException

from engine.cards import Seat
from engine.errors import RackoError
from engine.snapshot import Snapshot
from webui.events import event_stream
from webui.stream import Stream, StreamError
from webui.view import as_json

MAX_CALL_BYTES = 1024
"""The largest body that is read; a call needs about 12 bytes."""

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
}
"""Sent with every response: nothing from another host, nothing inline, no framing."""

WORDS = {
    404: "there is nothing at this address",
    405: "this address does not take that method",
    413: f"the request is too large; a call has at most {MAX_CALL_BYTES} bytes",
    500: "something went wrong inside; the table's log has the details",
}
"""What is said for errors that the framework finds."""

Call = Callable[[Seat | None], None]
"""Takes a call of RACK-O by a seat (None: by nobody in particular), puts it in a queue and returns at once."""


class CallError(RackoError):
    """A request of the button that is not passed on; carries the HTTP status to answer with."""

    def __init__(self, status: int, words: str) -> None:
        super().__init__(words)
        self.status = status


def create_app(stream: Stream[Snapshot], call: Call, *, max_streams: int = 64) -> Flask:
    """Make the application that shows `stream` and hands calls to `call`.

    More than `max_streams` event streams at once are refused with 503; a page then asks `/api/state` now and then.
    Serve it with `webui.serve.serve`, which knows how many threads the streams need.
    """
    app = Flask(__name__)
    # Set here and not left to the environment: FLASK_DEBUG must not open a door.
    app.config.update(DEBUG=False, PROPAGATE_EXCEPTIONS=False, MAX_CONTENT_LENGTH=MAX_CALL_BYTES)
    app.config["MAX_STREAMS"] = max_streams
    app.extensions["racko-stream"] = stream
    app.after_request(_add_headers)
    app.register_error_handler(HTTPException, _http_error)
    app.register_error_handler(CallError, lambda refused: _error(refused.status, str(refused)))
    app.register_error_handler(StreamError, _stream_refused)

    @app.get("/")
    def page() -> str:
        return render_template("board.html")

    @app.get("/api/state")
    def state() -> Response:
        return jsonify(as_json(stream.latest()))

    @app.get("/api/events")
    def events() -> Response:
        subscription = stream.subscribe(at_most=max_streams)
        gone: Callable[[], bool] = request.environ.get("waitress.client_disconnected", lambda: False)
        response = Response(event_stream(subscription, gone), mimetype="text/event-stream")
        response.headers["X-Accel-Buffering"] = "no"
        # Also called for a HEAD, whose stream is never begun.
        response.call_on_close(subscription.close)
        return response

    @app.post("/api/call")
    def call_racko() -> tuple[Response, int]:
        call(_seat_of_call(stream))
        return jsonify({"called": True}), 202

    @app.get("/healthz")
    def health() -> Response:
        return jsonify({"ok": True, "version": stream.latest().version, "watchers": stream.watchers})

    return app


def _seat_of_call(stream: Stream[Snapshot]) -> Seat | None:
    """Return the seat that the present request calls for, or raise CallError with words for people."""
    if not _is_same_origin():
        raise CallError(403, "calls are taken from the table's own page only")
    if request.mimetype != "application/json":
        raise CallError(415, "send the call as application/json")
    seat = _seat_in(request.get_data(cache=False))
    snapshot = stream.latest()
    if seat is not None and seat not in [line.seat for line in snapshot.players]:
        raise CallError(400, "nobody sits at that seat")
    if snapshot.phase not in ("playing", "checking"):
        raise CallError(409, "no round is on, so there is nothing to call")
    return seat


def _seat_in(body: bytes) -> Seat | None:
    try:
        sent = json.loads(body)
    except (ValueError, RecursionError):
        raise CallError(400, 'the call is not JSON; send {"seat": 2} or {"seat": null}') from None
    if not isinstance(sent, dict) or set(sent) != {"seat"}:
        raise CallError(400, 'the call must be {"seat": 2} or {"seat": null}')
    seat = sent["seat"]
    if seat is not None and type(seat) is not int:
        raise CallError(400, "the seat must be a whole number, or null")
    return seat


def _is_same_origin() -> bool:
    """Browsers name the page that a POST comes from; other programs name nothing, and no page can make them."""
    if request.headers.get("Sec-Fetch-Site", "same-origin") != "same-origin":
        return False
    origin = request.headers.get("Origin")
    if origin is None:
        return True
    try:
        return urlsplit(origin).netloc == request.host
    except ValueError:
        return False


def _add_headers(response: Response) -> Response:
    response.headers.update(HEADERS)
    if request.path.startswith("/static/") and response.status_code < 400:
        response.headers.setdefault("Cache-Control", "no-cache")
    else:
        response.headers["Cache-Control"] = "no-store"
    return response


def _error(status: int, words: str) -> Response:
    response = jsonify({"error": words})
    response.status_code = status
    return response


def _http_error(found: HTTPException) -> Response:
    status = found.code or 500
    response = _error(status, WORDS.get(status, found.name.lower()))
    for name, value in found.get_headers():
        if name == "Allow":
            response.headers[name] = value
    return response


def _stream_refused(refused: StreamError) -> Response:
    current_app.logger.info("an event stream was refused: %s", refused)
    response = _error(503, str(refused))
    response.headers["Retry-After"] = "5"
    return response
