"""Whether there is light enough, and of the right kind: darkness, glare, blur, and lamps that flicker."""

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from device.doctor.case import Case
from device.doctor.findings import Finding, Verdict, together
from device.doctor.sight import GLARE, Sight
from device.doctor.views import View
from vision.mats import TRAY
from vision.picture import BLURRED, BRIGHT, DARK, sharpness

CHECK: Final = "light"
BLOWN: Final = 0.25
"""A greater share of blown out pixels is remarked upon; of 40 drawn tables, all readable, one has 0.24."""
GLARING: Final = 0.2
"""Likewise for what shows of a rack's cards: there 0.10 at most, and read all the same."""
FLICKER: Final = 0.06
"""Brightness that goes up and down by a greater part from one picture to the next."""
AT_LEAST: Final = 6
"""Flicker is spoken of from so many pictures on."""
EVENED: Final = 8.0
"""Grey levels added before brightness is compared, so that the noise of dark places does not count."""

DARKER: Final = "switch on a lamp, best a broad and soft one beside the table"
BRIGHTER: Final = "dim the lamp or turn it away, and close the curtain where the sun comes in"


def check(case: Case) -> Iterator[Finding]:
    """One finding a view."""
    if not case.sights:
        yield Finding(CHECK, "skipped", "no camera gave a picture to look at")
    for view, sight in case.sights:
        yield _light(view, sight)


def _light(view: View, sight: Sight) -> Finding:
    assert view.frame is not None  # noqa: S101 - as sights have it
    grey = view.frame.grey
    middle, high = float(np.median(view.frame.small)), float(np.percentile(view.frame.small, 98))
    blown, sharp = float((grey[::2, ::2] >= GLARE).mean()), sharpness(grey)
    amiss: list[tuple[Verdict, str]] = []
    # the bounds are those at which vision itself gives a remark; some pictures beyond them are read all the same
    grave: Verdict = "look" if sight.readable else "bad"
    dark = high < 2 * DARK or middle < DARK / 2
    if dark:
        amiss.append((grave, f"it is too dark: {DARKER}"))
    if middle > BRIGHT:
        amiss.append((grave, f"it is far too bright: {BRIGHTER}"))
    elif blown > BLOWN:
        amiss.append(("look", f"{blown:.0%} of the picture is nothing but white: {BRIGHTER}"))
    if sharp < BLURRED:
        amiss.append((grave, "it is blurred: wipe the lens, set the camera's focus, and see that it stands firmly"))
    amiss += [
        ("look", f"glare hides {mat.glare:.0%} of the cards of seat {mat.number}: {BRIGHTER}")
        for mat in sight.mats
        if mat.number != TRAY and mat.glare > GLARING and middle <= BRIGHT
    ]
    words = [f"brightness {middle:.0f} of 255, the brightest parts {high:.0f} ({2 * DARK:.0f} or more is good)"]
    # noise alone looks sharp
    words.append(f"sharpness {sharp:.2f} ({BLURRED} or more)" if not dark else "too dark to tell how sharp it is")
    if len(view.small) >= AT_LEAST:
        swings = flicker(view.small)
        words.append(f"flicker {swings:.0%} ({FLICKER:.0%} or less)")
        if swings > FLICKER:
            mend = (
                "the lamp flickers: take another, or tell a USB camera the mains' frequency (v4l2-ctl -d /dev/video0 "
            )
            amiss.append(("look", f"{mend}-c power_line_frequency=1 for 50 Hz, =2 for 60)"))
    return together(CHECK, f"{view.name}: {', '.join(words)}", amiss)


def flicker(pictures: Sequence[NDArray[np.uint8]]) -> float:
    """Give by which part brightness goes up and down between pictures on end, (rows, columns) grey levels each.

    A lamp does that to whole rows, since a camera takes one row after the other; a hand reaches over fewer than half of
    the columns. What gets brighter bit by bit is a camera that settles and no lamp.
    """
    alike = [picture for picture in pictures if picture.shape == pictures[-1].shape]
    if len(alike) < AT_LEAST:
        return 0.0
    levels = np.array(alike, np.float32) + np.float32(EVENED)
    rows = np.median(levels / np.median(levels, axis=0), axis=2)
    swings = np.abs(rows[1:-1] - (rows[:-2] + rows[2:]) / 2)
    return float(np.percentile(swings, 90))
