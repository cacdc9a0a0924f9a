"""Plays a recorded session: its pictures and its button, in their own time order, as a live table would give them."""

from collections.abc import Callable, Iterator

from device.session import FrameTaken, Session, timeline
from device.watch import Watch
from engine.lines import Call, Line, Observation
from vision.frame import Frame
from vision.picture import PictureError

Complain = Callable[[str], None]


def session_lines(
    session: Session, watch: Watch, complain: Complain, after: float | None = None
) -> Iterator[tuple[float, Line]]:
    """Every line that the session gives the referee, with the session time (seconds) at which it is known.

    With `after`, a game goes on that was broken off at that time: what each camera saw last until then is seen again,
    and only what is said from then on is played. A picture that cannot be read is told to `complain` and passed over.
    """
    latest: dict[str, FrameTaken] = {}
    now = 0.0
    for entry in timeline(session, complain):
        now = entry.t if isinstance(entry, FrameTaken) else entry[0]
        if after is not None and isinstance(entry, FrameTaken) and now <= after:
            latest[entry.camera] = entry
            continue
        if after is not None and now < after:
            continue
        for frame in latest.values():
            yield from _shown(session, watch, complain, frame, now)
        latest.clear()
        yield from ((look.t, look) for look in watch.until(now))
        if isinstance(entry, FrameTaken):
            yield from _shown(session, watch, complain, entry, now)
            continue
        line = entry[1]
        if isinstance(line, Call):
            yield from ((now, look) for look in watch.at_once(now))
        yield now, line
        if isinstance(line, Call):
            yield from ((now, look) for look in watch.standing(now))
    for frame in latest.values():
        yield from _shown(session, watch, complain, frame, now)
    yield from ((now, look) for look in watch.at_once(now))


def _shown(
    session: Session, watch: Watch, complain: Complain, frame: FrameTaken, now: float
) -> Iterator[tuple[float, Observation]]:
    try:
        looks = watch.frame(max(frame.t, now), frame.camera, Frame.load(session.picture_path(frame)))
    except PictureError as problem:
        complain(f"{problem}; passed over")
        return
    yield from ((now, look) for look in looks)
