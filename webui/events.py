"""Server-sent events: one watcher's subscription as the text of an event stream."""

import json
from collections.abc import Callable, Iterator
from typing import TypeVar

from flask import Response, current_app, request

from webui.places import Places
from webui.stream import Stream, Subscription
from webui.view import Json

T = TypeVar("T")

LOOK_UP = 2.0
"""Seconds between two looks whether the client is still there, so that a closed page soon frees its place."""

BEAT = 10.0
"""Seconds of silence after which a sign of life is sent; the page opens a new stream after 25 without one."""


def event_stream(
    subscription: Subscription[T],
    draw: Callable[[T], Json],
    gone: Callable[[], bool],
    *,
    look_up: float = LOOK_UP,
    beat: float = BEAT,
) -> Iterator[str]:
    """Yield the event stream of `subscription` until it ends or until `gone()` says that nobody listens.

    A comment comes first so that the headers leave at once, then the newest view as `draw` makes it, then each newer
    one; in between a `beat` event, which scripts can see (a comment they cannot). Times in seconds.
    """
    yield ": racko\nretry: 2000\n\n"
    quiet = 0.0
    while not gone():
        view = subscription.wait(look_up)
        if subscription.ended or gone():
            return
        if view is not None:
            yield event(draw(view))
            quiet = 0.0
            continue
        quiet += look_up
        if quiet >= beat:
            yield "event: beat\ndata: 1\n\n"
            quiet = 0.0


def event(drawn: Json) -> str:
    """Return one event: its id is the view's version, its data the whole view as JSON in one line."""
    return f"id: {drawn['version']}\ndata: {json.dumps(drawn)}\n\n"


def stream_response(
    places: Places, stream: Stream[T], draw: Callable[[T], Json], *, ended: Callable[[], bool] = lambda: False
) -> Response:
    """Answer the present request with the events of a stream, until the page is closed or `ended()`.

    Raises StreamError where there is no place.
    """
    left: Callable[[], bool] = request.environ.get("waitress.client_disconnected", lambda: False)
    logger, endpoint = current_app.logger, request.endpoint
    place = places.take(stream)

    def told() -> Iterator[str]:
        try:
            yield from event_stream(place.subscription, draw, lambda: left() or ended())
        except Exception:
            # The server would log the address, which may hold a seat's token.
            logger.exception("Exception in the event stream of %s", endpoint)

    response = Response(told(), mimetype="text/event-stream")
    response.headers["X-Accel-Buffering"] = "no"
    # Also called for a HEAD, whose stream is never begun.
    response.call_on_close(place.close)
    return response
