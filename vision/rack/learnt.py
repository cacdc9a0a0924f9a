"""What a full rack tells of its own measures, where nobody took them: its pitch, and how its cards lean."""

import math
from dataclasses import replace
from typing import Final

import numpy as np

from calibration.table import Rack, Table
from vision.rack.stand import RackFit
from vision.rectify import SCALE

ENOUGH: Final = 8
"""So many cards tell a rack's measures: ten do so in play."""
EACH: Final = 2.2
"""Standard deviation in mm of one card's top edge about where the others' lean has it (vision.rack.matching)."""
PITCH_SPREAD: Final = 0.4
"""Standard deviation in mm of racks' pitches (TABLE.md, Rack: 11.9 +- 0.6)."""


def with_measures(table: Table, fit: RackFit) -> Table:
    """Give a table whose rack nobody measured with the measures that the rack's cards tell; any other as it is.

    Where its first slot is and how the cards lean are not told apart: what they are off together is taken as lean.
    """
    if table.measured or len(fit.standing) < ENOUGH:
        return table
    slots = np.array([*fit.standing], np.float64)
    depths = fit.plane.far - np.array([line.at for line in fit.standing.values()]) / SCALE
    away = slots - slots.mean()
    # as least squares have it, drawn to the usual pitch as far as ten cards that lean as they like leave it open
    told, usual = float(away @ away) / EACH**2, 1 / PITCH_SPREAD**2
    pitch = (float(away @ depths) / EACH**2 + Rack.pitch * usual) / (told + usual)
    first = float(depths.mean()) - pitch * float(slots.mean())
    rack, height = fit.table.rack, fit.table.card.height
    sine = (first - rack.at[1] - rack.first) / height
    lean = math.degrees(math.asin(min(max(sine, -0.5), 0.5)))
    return replace(table, rack=replace(rack, pitch=pitch, lean=lean), measured=True)
