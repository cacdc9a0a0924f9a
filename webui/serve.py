"""The application behind waitress, sized so that open event streams never starve a request."""

import socket
from threading import Event, Thread

from flask import Flask
from waitress import create_server, wasyncore

from engine.errors import RackoError
from webui.places import Places
from webui.receiving import Channel, Uploads

SPARE_THREADS = 16
"""Threads beside those that the streams may hold: pages, calls and polling are answered by these.

More than may wait for the desk at once (webui/asking.py), so that a slow verdict keeps no page waiting.
"""

LONGEST_SILENCE_MS = 30_000
"""A tablet that acknowledges nothing for so long is gone; its connection is dropped and its place freed."""


class ServeError(RackoError):
    """The address or the port cannot be had."""


class Server:
    """A running server; made by `serve`."""

    def __init__(self, app: Flask, listener: socket.socket) -> None:
        self._places: Places = app.extensions["racko-places"]
        streams = self._places.most
        self.port: int = listener.getsockname()[1]
        self._stop = Event()
        self._sockets: dict[int, object] = {}
        self._waitress = create_server(
            app,
            map=self._sockets,
            sockets=[listener],
            threads=streams + SPARE_THREADS,
            # One request ahead keeps the connection watched while it streams, so that a closed page is noticed.
            channel_request_lookahead=1,
            # Beyond this much unread text a writer waits, and its watcher skips to the newest snapshot.
            outbuf_high_watermark=65_536,
            connection_limit=8 * streams + 100,
            max_request_header_size=16_384,
            log_socket_errors=False,
            ident=None,
        )
        self._waitress.channel_class = Channel
        self._waitress.adj.uploads = Uploads()
        self._thread = Thread(target=self._run, name="racko-web", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End the event streams, stop answering and free the port; returns when that is done. May be called twice."""
        self._places.close()
        if self._stop.is_set():
            return
        self._stop.set()
        self._waitress.pull_trigger()
        self._thread.join()
        # Closing the channels first frees the threads that wait for a tablet which does not read.
        for channel in list(self._waitress.active_channels.values()):
            channel.handle_close()
        self._waitress.task_dispatcher.shutdown()
        wasyncore.close_all(self._sockets)

    def _run(self) -> None:
        # Waitress's own loop can only be left by an exception, and closing its sockets from outside is a race.
        while not self._stop.is_set():
            wasyncore.loop(timeout=1.0, use_poll=True, map=self._sockets, count=1)


def serve(app: Flask, *, port: int, host: str = "0.0.0.0") -> Server:  # noqa: S104 - tablets are other machines
    """Serve `app` (from `webui.app.create_app`) in threads of its own; port 0 takes any free one.

    Raises ServeError in one line where the port is taken or the address is not this machine's.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listener = socket.create_server((host, port), family=family)
    except OverflowError:
        raise ServeError(f"port {port} cannot be: choose one from 1 to 65535, or 0 for any free one") from None
    except OSError as error:
        reason = (error.strerror or str(error)).split(" (")[0].lower()
        raise ServeError(f"cannot serve the page on {host} port {port}: {reason}; choose another port") from None
    _drop_the_silent(listener)
    return Server(app, listener)


def _drop_the_silent(listener: socket.socket) -> None:
    """Set what every accepted connection inherits: one that acknowledges nothing for long is closed."""
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    if hasattr(socket, "TCP_USER_TIMEOUT"):  # Linux
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, LONGEST_SILENCE_MS)
