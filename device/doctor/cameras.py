"""Whether the cameras are there, and send pictures as often and as large as they should, all at the same time."""

from collections.abc import Iterator, Mapping
from typing import Final

from device.cameras.camera import CameraReport
from device.doctor.case import TABLES, Case
from device.doctor.findings import Finding, Verdict, together
from device.doctor.views import WATCHED, View

CHECK: Final = "cameras"
SLOW, SLOWEST = 8.0, 2.0
"""Pictures a second: a table is looked at some ten times a second; with fewer than the second, plays are missed."""
LOST: Final = 0.1
"""A greater share of dropped or broken pictures is remarked upon."""
SMALL: Final = (1280, 720)
"""A camera of fewer pixels has to stand very near to show a whole rack."""
SAME: Final = 10
"""Of so many pictures on end one at least must be another: a sensor's noise never repeats."""


def check(case: Case) -> Iterator[Finding]:
    """What is plugged in, and how each camera does that is named, or else is there."""
    named = any(source.partition(":")[0] not in TABLES for source in case.named)
    if case.plugged:
        there = ", ".join(f"{camera.words} ({camera.source})" for camera in case.plugged)
        yield Finding(CHECK, "good", f"plugged in: {there}")
    elif not named:
        yield Finding(
            CHECK,
            "look" if not case.named else "good",
            "no camera is plugged in"
            + (f"; {' and '.join(case.named.values())} is looked at instead" if case.named else ""),
            "" if case.named else "plug in a USB camera, or see that the flat cable of the Pi's own sits well",
        )
    several = sum(view.report is not None and view.label.startswith("v4l2:") for view in case.views) > 1
    for view in case.views:
        yield from _camera(view, several=several)


def _camera(view: View, *, several: bool) -> Iterator[Finding]:
    if view.busy:
        yield Finding(CHECK, "skipped", f"{view.name}: the table that is running has it; its page shows how it is")
    elif view.problem:
        yield Finding(CHECK, "bad", f"{view.name}: cannot be looked through", view.problem)
    elif view.report is not None:
        yield _live(view, view.report, several=several)


def _live(view: View, report: CameraReport, *, several: bool) -> Finding:
    """How a live camera did while it was watched."""
    if report.size is None or not view.given:
        return Finding(CHECK, "bad", f"{view.name}: no picture came", report.words or "plug it out and in again")
    still = view.label.startswith("file:")
    amiss: list[tuple[Verdict, str]] = []
    if report.state in {"gone", "frozen"}:
        amiss.append(("bad", report.words))
    elif not still and view.given >= SAME and view.changed <= 1:
        mend = "it sends the very same picture again and again: uncover its lens, else pull its plug and put it back"
        amiss.append(("bad", mend))
    elif report.words:
        amiss.append(("look", report.words))
    if report.size[0] * report.size[1] < SMALL[0] * SMALL[1]:
        amiss.append(("look", f"{SMALL[0]} x {SMALL[1]} pixels or more are good: take another camera, or put it near"))
    slow = report.state == "live" and not still and report.rate < SLOW
    if slow:
        amiss.append(("bad" if report.rate < SLOWEST else "look", _slow(several=several)))
    if view.broken > LOST * view.given:
        amiss.append(("look", f"{view.broken} of its pictures came broken: take a shorter or better cable"))
    if not still and report.dropped > LOST * (report.dropped + report.taken):
        mend = "this machine did not keep up: end other programs, and see what heat says"
        amiss.append(("look", mend))
    width, height = report.size
    counts: Mapping[str, int] = {"dropped": report.dropped, "broken": view.broken}
    lost = ", ".join(f"{count} {word}" for word, count in counts.items())
    found = f"{view.name}: {width} x {height} pixels"
    if not still:
        found += f", {report.rate:.0f} pictures a second, in {WATCHED:.0f} s {view.given} pictures, {lost}"
    return together(CHECK, found, amiss)


def _slow(*, several: bool) -> str:
    """What to do with a camera that sends few pictures."""
    light = "give it more light (in the dark a camera takes longer for each picture)"
    if several:
        return (
            f"put each camera into a USB port of its own, not all on one hub, for they share its bandwidth; or {light}"
        )
    return f"{light}, or put it into another USB port"
