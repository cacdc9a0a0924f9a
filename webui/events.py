"""Server-sent events: one watcher's subscription as the text of an event stream."""

import json
from collections.abc import Callable, Iterator

from engine.snapshot import Snapshot
from webui.stream import Subscription
from webui.view import as_json

LOOK_UP = 2.0
"""Seconds between two looks whether the client is still there, so that a closed page soon frees its place."""

BEAT = 10.0
"""Seconds of silence after which a sign of life is sent; the page opens a new stream after 25 without one."""


def event_stream(
    subscription: Subscription[Snapshot], gone: Callable[[], bool], *, look_up: float = LOOK_UP, beat: float = BEAT
) -> Iterator[str]:
    """Yield the event stream of `subscription` until it ends or until `gone()` says that nobody listens.

    A comment comes first so that the headers leave at once, then the newest snapshot, then each newer one; in
    between a `beat` event, which scripts can see (a comment they cannot). Times in seconds.
    """
    yield ": racko\nretry: 2000\n\n"
    quiet = 0.0
    while not gone():
        snapshot = subscription.wait(look_up)
        if snapshot is not None:
            yield event(snapshot)
            quiet = 0.0
            continue
        if subscription.ended:
            return
        quiet += look_up
        if quiet >= beat:
            yield "event: beat\ndata: 1\n\n"
            quiet = 0.0


def event(snapshot: Snapshot) -> str:
    """Return one event: its id is the snapshot's version, its data the whole snapshot as JSON in one line."""
    return f"id: {snapshot.version}\ndata: {json.dumps(as_json(snapshot))}\n\n"
