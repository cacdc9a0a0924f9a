"""The hub between the one who knows the table and everybody who watches it: the newest view, handed on."""

from collections.abc import Iterator
from threading import Condition
from types import TracebackType
from typing import Generic, Self, TypeVar

from engine.errors import RackoError

T = TypeVar("T")


class StreamError(RackoError):
    """No further watcher can be taken: there are as many as allowed, or the stream has ended."""


class Stream(Generic[T]):
    """Holds the newest view and wakes whoever waits for a newer one; safe to use from any thread.

    Every watcher has room for one view only, the newest: a slow tablet skips what it missed and never holds
    up the table or the other tablets. `first` is what is seen until something else is published.
    """

    def __init__(self, first: T) -> None:
        self._changed = Condition()
        self._latest = first
        self._serial = 0
        self._watchers: set[Subscription[T]] = set()
        self._closed = False

    @property
    def closed(self) -> bool:
        """Whether `close` was called."""
        return self._closed

    @property
    def watchers(self) -> int:
        """How many subscriptions are open now."""
        return len(self._watchers)

    def publish(self, view: T) -> None:
        """Make `view` the newest one; returns at once."""
        with self._changed:
            self._latest = view
            self._serial += 1
            self._changed.notify_all()

    def repeat(self) -> None:
        """Give every watcher the newest view once more: something that is drawn beside it is new."""
        with self._changed:
            self._serial += 1
            self._changed.notify_all()

    def latest(self) -> T:
        """Return the newest view."""
        with self._changed:
            return self._latest

    def subscribe(self) -> "Subscription[T]":
        """Begin to watch; the newest view comes first. Use it as a context manager, or call its `close`.

        Raises StreamError after `close`.
        """
        with self._changed:
            if self._closed:
                raise StreamError("the table is closing; try again in a moment")
            subscription = Subscription(self)
            self._watchers.add(subscription)
            return subscription

    def close(self) -> None:
        """End every subscription and take no new one; what was published last can still be asked for."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def _next(self, subscription: "Subscription[T]", seen: int, seconds: float | None) -> tuple[int, T] | None:
        """Wait for something newer than the serial number `seen`; None after `seconds` or at the end."""
        with self._changed:
            self._changed.wait_for(lambda: self._ended(subscription) or self._serial != seen, seconds)
            if self._ended(subscription) or self._serial == seen:
                return None
            return self._serial, self._latest

    def _ended(self, subscription: "Subscription[T]") -> bool:
        return self._closed or subscription not in self._watchers

    def _leave(self, subscription: "Subscription[T]") -> None:
        with self._changed:
            self._watchers.discard(subscription)
            self._changed.notify_all()


class Subscription(Generic[T]):
    """One watcher's place at a `Stream`; made by `Stream.subscribe`, used by one thread."""

    def __init__(self, stream: Stream[T]) -> None:
        self._stream = stream
        self._seen = -1

    @property
    def ended(self) -> bool:
        """Whether nothing can come any more."""
        return self._stream._ended(self)  # noqa: SLF001 - the two halves of one thing

    def wait(self, seconds: float | None = None) -> T | None:
        """Return the newest view that this watcher has not seen yet, waiting for it if need be.

        None when `seconds` (None: for ever) went by without one, or when the stream has ended (see `ended`).
        """
        found = self._stream._next(self, self._seen, seconds)  # noqa: SLF001 - as above
        if found is None:
            return None
        self._seen, view = found
        return view

    def __iter__(self) -> Iterator[T]:
        """Yield views, newest only, until the stream ends."""
        while (view := self.wait()) is not None:
            yield view

    def close(self) -> None:
        """Stop watching and free the place; may be called from any thread and more than once."""
        self._stream._leave(self)  # noqa: SLF001 - as above

    def __enter__(self) -> Self:
        """Return this subscription."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Free the place."""
        self.close()
