"""Holds a USB camera's exposure and white balance once they have settled, where the camera lets us.

Automatic exposure answers a hand over the tray by making everything else brighter or darker. Values are those of
V4L2's control interface, which OpenCV passes on as they are (linux/v4l2-controls.h).
"""

import logging
from typing import Final, Protocol

import cv2
import numpy as np

from device.cameras.camera import Picture

log = logging.getLogger(__name__)

MANUAL: Final = 1
AUTOMATIC: Final = (3, 0)
"""V4L2_EXPOSURE_APERTURE_PRIORITY, which USB cameras mean by automatic, and V4L2_EXPOSURE_AUTO for the others."""

SETTLING: Final = 4.0
"""Seconds after the first picture, or after a change of light, until exposure is held."""
LOOK: Final = 1.0
"""Seconds between two looks at how bright the picture is."""
JUMP: Final = 0.2
"""Where brightness changes by more than this part when exposure is held, the camera did not keep what it had: some
give a default when asked for their exposure, and take that (OpenCV pull request 5516 tells of such ones)."""
CHANGE: Final = 0.4
CHANGED: Final = 10
"""If brightness is off by more than CHANGE for CHANGED looks on end, somebody switched a lamp: settle anew. A hand
or a sleeve is not so large or not so long."""
LEAST: Final = 8.0
"""Grey levels that no change is made of."""


class Controls(Protocol):
    """The part of cv2.VideoCapture that is needed here."""

    def get(self, prop: int) -> float:
        """Give a property; -1 where the camera has none such."""

    def set(self, prop: int, value: float) -> bool:
        """Set a property; False where the camera does not take it."""


class Light:
    """One camera's exposure and white balance: automatic, then tried, then held or given up. For its thread only."""

    def __init__(self, controls: Controls, name: str) -> None:
        """Let the camera find its light; a USB camera keeps its settings from the program before."""
        self._controls = controls
        self._name = name
        self._tries = 0
        self._held: float | None = None
        self._sure = False
        self._off = 0
        self._next: float | None = None
        self._settle()

    def see(self, t: float, picture: Picture) -> None:
        """Take note of a picture that came at `t` seconds; most are not looked at."""
        if self._next is None:
            self._next = t + SETTLING
        if t < self._next:
            return
        self._next = t + LOOK
        now = level(picture)
        if now is None or self._tries > 1:
            return
        if self._held is None:
            self._hold(now)
        elif not self._sure:
            self._judge(now)
        else:
            self._watch(now)

    def _settle(self) -> None:
        """Give exposure and white balance back to the camera, for a while."""
        any(self._controls.set(cv2.CAP_PROP_AUTO_EXPOSURE, value) for value in AUTOMATIC)
        self._controls.set(cv2.CAP_PROP_AUTO_WB, 1)
        self._held, self._sure, self._off, self._next = None, False, 0, None

    def _hold(self, now: float) -> None:
        """Stop what is automatic; at the second try, also give back the exposure that the camera says it has."""
        exposure = self._controls.get(cv2.CAP_PROP_EXPOSURE)
        if not self._controls.set(cv2.CAP_PROP_AUTO_EXPOSURE, MANUAL):
            self._tries = 2
        elif self._tries == 1 and exposure > 0:
            self._controls.set(cv2.CAP_PROP_EXPOSURE, exposure)
        self._controls.set(cv2.CAP_PROP_AUTO_WB, 0)
        self._held = now

    def _judge(self, now: float) -> None:
        """Keep what is held if the picture has stayed as it was; else try the other way, and then give up."""
        if self._differs(now, JUMP):
            self._tries += 1
            self._settle()
            if self._tries > 1:
                log.info("camera %s: its exposure cannot be held; it stays automatic", self._name)
        else:
            self._sure = True

    def _watch(self, now: float) -> None:
        self._off = self._off + 1 if self._differs(now, CHANGE) else 0
        if self._off >= CHANGED:
            log.info("camera %s: the light has changed; its exposure settles anew", self._name)
            self._settle()

    def _differs(self, now: float, part: float) -> bool:
        held = self._held if self._held is not None else now
        return abs(now - held) > max(LEAST, part * held)


def level(picture: Picture) -> float | None:
    """Give how bright a picture is, in grey levels of 0 to 255; None where it cannot be decoded."""
    if not isinstance(picture, bytes):
        return float(picture[::8, ::8].mean())
    try:
        grey = cv2.imdecode(np.frombuffer(picture, dtype=np.uint8), cv2.IMREAD_REDUCED_GRAYSCALE_8)
    except cv2.error:
        return None
    return None if grey is None else float(grey.mean())
