"""Plays a table: its pictures and its button, in their own time order, recorded or drawn as they are asked for."""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from device.observing.watch import Watch
from device.sessions.format import FrameTaken
from device.sessions.source import Source
from engine.lines import Call, Line, Observation, Unsettled
from vision.picture import PictureError

LATEST: Final = 2
"""So many of a camera's latest pictures, before the one with which a game goes on, can be had of any source
(device.sessions.source)."""

Complain = Callable[[str], None]


def lines_from(
    source: Source, watch: Watch, complain: Complain, after: float | None = None
) -> Iterator[tuple[float, Line]]:
    """Every line that a table gives the referee, with the table's time (seconds) at which it is known.

    With `after`, a game goes on that was broken off at that time: what each camera saw last until then is seen again,
    and only what is said from then on is played. Nothing is told of the picture before that one, but by it the eyes
    know a hand in the last. A picture that cannot be read is told to `complain` and passed over.
    """
    latest: dict[str, list[FrameTaken]] = {}
    now = 0.0
    for entry in source.timeline(complain):
        now = entry.t if isinstance(entry, FrameTaken) else entry[0]
        if after is not None and isinstance(entry, FrameTaken) and now <= after:
            latest[entry.camera] = [*latest.get(entry.camera, []), entry][-LATEST:]
            continue
        if after is not None and now < after:
            continue
        yield from _shown_again(source, watch, complain, latest.values(), now)
        latest.clear()
        yield from ((look.t, look) for look in watch.until(now))
        if isinstance(entry, FrameTaken):
            yield from _shown(source, watch, complain, entry, now)
            continue
        line = entry[1]
        if isinstance(line, Call):
            yield from ((now, look) for look in watch.at_once(now))
        yield now, line
        if isinstance(line, Call):
            yield from ((now, look) for look in watch.standing(now))
    yield from _shown_again(source, watch, complain, latest.values(), now)
    # No other picture comes, so each camera's last one stood as long as any eye may want.
    yield from ((max(now, look.t), look) for look in watch.until(math.inf))


def _shown_again(
    source: Source, watch: Watch, complain: Complain, frames: Iterable[Sequence[FrameTaken]], now: float
) -> Iterator[tuple[float, Observation | Unsettled]]:
    """Show what each camera saw last."""
    cameras = list(frames)
    before = [frame for seen in cameras for frame in seen[:-1]]
    for frame in before:
        list(_shown(source, watch, complain, frame, now))
    if before:
        watch.at_once(now)
    for *_, frame in cameras:
        yield from _shown(source, watch, complain, frame, now)


def _shown(
    source: Source, watch: Watch, complain: Complain, frame: FrameTaken, now: float
) -> Iterator[tuple[float, Observation | Unsettled]]:
    t = max(frame.t, now)
    overlooked = watch.overlooked(frame.camera, t)
    try:
        looks = watch.frame(t, frame.camera, source.picture(frame))
    except PictureError as problem:
        watch.missed(frame.camera)
        complain(f"{problem}; passed over")
        return
    if overlooked:
        yield now, Unsettled(t)
    yield from ((now, look) for look in looks)
