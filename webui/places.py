"""The places for event streams: one number for all pages together, so that streams never starve requests."""

from threading import Lock
from typing import Any

from webui.stream import Stream, StreamError, Subscription


class Places:
    """Gives out at most so many places; safe to use from any thread."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = Lock()
        self._taken: set[Place] = set()
        self._closed = False

    @property
    def most(self) -> int:
        """How many places there are."""
        return self._most

    @property
    def taken(self) -> int:
        """How many pages are watching now."""
        return len(self._taken)

    def take(self, stream: Stream[Any]) -> "Place":
        """Begin to watch a stream. Raises StreamError where all places are taken, or when the table is closing."""
        with self._lock:
            if self._closed:
                raise StreamError("the table is closing; try again in a moment")
            if len(self._taken) >= self._most:
                raise StreamError(f"{self._most} pages are watching already; ask for the state now and then instead")
            place = Place(self, stream.subscribe())
            self._taken.add(place)
            return place

    def close(self) -> None:
        """End every stream and let no new one begin."""
        with self._lock:
            self._closed = True
            taken = list(self._taken)
        for place in taken:
            place.close()

    def leave(self, place: "Place") -> None:
        """Free a place; a second time does nothing."""
        with self._lock:
            self._taken.discard(place)


class Place:
    """One page's place, and what it watches; made by `Places.take`."""

    def __init__(self, places: Places, subscription: Subscription[Any]) -> None:
        self._places = places
        self.subscription = subscription

    def close(self) -> None:
        """Stop watching and free the place; may be called from any thread and more than once."""
        self.subscription.close()
        self._places.leave(self)
