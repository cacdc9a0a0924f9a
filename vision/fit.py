"""Where a rack's cards stand in a picture: a fit of all ten at once, and of one that changed by the rest."""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from calibration.table import SLOTS, Table
from vision.edges import EdgeLine, TopEdges, edge_near, top_edges
from vision.front import front_slot
from vision.matching import CLOSEST, gain_of
from vision.planes import ASIDE, SCALE, CardPlane, TopPlane
from vision.pose import Pose
from vision.strips import Cut, Strip, common_slide, cut_strip, trim

SIDES = 2.0
"""Both side edges of a card together stand out at least this much where a card is believed."""
CERTAIN = 5.0
"""Sides of a real card mostly stand out so much."""
EDGE = 0.45
"""A top edge of less strength (0..1) is not believed without a number."""
HINT = 0.1
"""A number below adds so much to the strength of an edge: less than a card needs, so a hint alone makes no card."""
CLEARLY = 20.0
"""An explanation that is so much worse (natural logarithm) need not be looked at."""
GHOST = 0.6
"""An edge without a card's sides speaks against its explanation by this share of what it gained."""
HELP = 10.0
"""What the cards' sides may add, in natural logarithms, to one explanation of a rack against the other."""
MARGIN_SCALE = 2.5
"""The difference of two explanations' logarithms is divided by this: edges are no independent witnesses."""
RIM = 3.0
"""The part of the top plane that every card covers begins so many mm from a card's side: its corners are rounded."""


@dataclass(frozen=True)
class RackFit:
    """Where a rack's cards stand, without any pixels: a later picture of the same still camera can start from it.

    `lines` has each slot's top edge in `plane`, or None where no card's edge was found. `faint` is how strong (0..1)
    an edge may still hide where a slot has no line. `which` (0..1) is how sure it is that the rack is not taken for
    one a slot off. `slide` is how far, in mm, the cards together stand to the right of where the measures put them.
    """

    pose: Pose
    table: Table
    plane: TopPlane
    lines: tuple[EdgeLine | None, ...]
    faint: tuple[float, ...]
    which: float
    slide: float = 0.0

    @cached_property
    def rows(self) -> NDArray[np.float64]:
        """Rows (SLOTS,) of the plane's picture where the measures put the edges, nearest slot first."""
        return self.plane.rows(self.table.rack.pitch)

    @cached_property
    def faces(self) -> tuple[CardPlane | None, ...]:
        """Each card's own plane, None where a slot has no line."""
        return tuple(
            CardPlane.of(slot, line, self.plane, self.table) if line else None for slot, line in enumerate(self.lines)
        )

    def expected(self, slot: int) -> CardPlane:
        """Give where the face of a card in a slot (0..9) would be that leans as the rack's others do."""
        middle = (self.plane.right - self.plane.left) / 2 * SCALE
        line = EdgeLine(self.expected_row(slot), middle, 0.0, 0.0, 0.0)
        return CardPlane.of(slot, line, self.plane, self.table)

    def expected_row(self, slot: int) -> float:
        """Give the row of the plane's picture where the top edge of such a card would be."""
        off = [row - line.row(line.middle) for row, line in zip(self.rows, self.lines, strict=True) if line is not None]
        return float(self.rows[slot]) - (float(np.median(off)) if off else 0.0)

    def with_line(self, slot: int, line: EdgeLine | None) -> "RackFit":
        """Give the fit with another top edge in a slot (0..9), None for no card."""
        return replace(self, lines=(*self.lines[:slot], line, *self.lines[slot + 1 :]))

    def nearer(self, slot: int) -> list[CardPlane]:
        """Give the faces of the cards before a slot's (0..9), the nearest to it last."""
        return [face for face in self.faces[:slot] if face is not None]


@dataclass(frozen=True)
class RackView:
    """A rack's fit, its plane of top edges as a picture (rows run from far to near), and its strips.

    `strips` has one entry a slot, None where no card's top edge was found.
    """

    fit: RackFit
    top: NDArray[np.uint8]
    strips: tuple[Strip | None, ...]

    @property
    def lines(self) -> tuple[EdgeLine | None, ...]:
        """The slots' top edges."""
        return self.fit.lines

    @property
    def which(self) -> float:
        """How sure (0..1) it is that the rack is not taken for one a slot off."""
        return self.fit.which


def view_rack(picture: NDArray[np.uint8], pose: Pose, table: Table) -> RackView:
    """Find the cards of a rack in a BGR picture and cut their strips."""
    plane = TopPlane.of(table)
    top = plane.look_down(picture, pose)
    rows = plane.rows(table.rack.pitch)
    explained = top_edges(top, rows, _covered(table), SCALE)
    first = RackFit(pose, table, plane, explained[0].lines, explained[0].faint, 1.0)
    cuts = _cut_all(picture, first)
    fit = _likeliest(picture, first, explained, cuts)
    if fit.lines != first.lines:
        cuts = _cut_all(picture, fit)
    fit = replace(fit, slide=common_slide(list(cuts.values())))
    return RackView(fit, top, _trimmed(fit, cuts))


def without(view: RackView, ghosts: Collection[int], picture: NDArray[np.uint8]) -> RackView:
    """Give the view without the cards of some slots (0..9), whose edges were none: what they hid is in view again."""
    lines = tuple(None if slot in ghosts else line for slot, line in enumerate(view.fit.lines))
    return _changed(view, replace(view.fit, lines=lines), min(ghosts), picture)


def with_faint(view: RackView, slot: int, picture: NDArray[np.uint8]) -> RackView | None:
    """Give the view with a card in a slot (0..9) that has none, if there is a faint edge where a card would be.

    An edge between two cards of one colour may be so faint that only a number below it makes it a card's.
    """
    fit, strip = refit(picture, view.fit, slot, HINT)
    return _changed(view, fit, slot, picture) if strip is not None else None


def _changed(view: RackView, fit: RackFit, first: int, picture: NDArray[np.uint8]) -> RackView:
    """Give the view with other lines from a slot on: what cards hide of those behind them changes too."""
    behind = {slot: _cut(picture, fit, slot) for slot in range(first, SLOTS) if fit.lines[slot] is not None}
    return RackView(fit, view.top, (*view.strips[:first], *_trimmed(fit, behind)[first:]))


def refit(picture: NDArray[np.uint8], fit: RackFit, slot: int, hint: float = 0.0) -> tuple[RackFit, Strip | None]:
    """Find one slot's card (0..9) again in a picture of the same still camera, where only that card has changed.

    It is sought between its neighbours' edges, about where the other cards' common lean puts it; the rest of the fit
    stays as it was. `hint` is added to the strength (0..1) of edges. Gives the fit with the new edge and the new strip,
    None where there is no card.
    """
    expected = fit.expected_row(slot)
    pitch = fit.table.rack.pitch * SCALE
    farther = next((line.at for line in fit.lines[slot + 1 :] if line is not None), -np.inf)
    nearer = next((line.at for line in fit.lines[:slot][::-1] if line is not None), np.inf)
    first = int(max(farther + CLOSEST * SCALE, expected - pitch))
    last = int(min(nearer - CLOSEST * SCALE, expected + pitch))
    room = round(SCALE)
    part = fit.plane.look_down(picture, fit.pose, (first - room, last + room))
    found = edge_near(part, expected - (first - room), _covered(fit.table), SCALE, room, hint)
    line = replace(found, at=found.at + first - room) if found is not None else None
    fit = fit.with_line(slot, line)
    if line is None:
        return fit, None
    return fit, _trimmed(fit, {slot: _cut(picture, fit, slot)})[slot]


def _covered(table: Table) -> tuple[float, float]:
    return (ASIDE + RIM) * SCALE, (ASIDE + table.card.width - RIM) * SCALE


def _cut(picture: NDArray[np.uint8], fit: RackFit, slot: int) -> Cut:
    face = fit.faces[slot]
    assert face is not None  # noqa: S101 - only slots with a line are cut
    return cut_strip(picture, fit.pose, fit.table.card, face, fit.nearer(slot))


def _cut_all(picture: NDArray[np.uint8], fit: RackFit) -> dict[int, Cut]:
    return {slot: _cut(picture, fit, slot) for slot, line in enumerate(fit.lines) if line is not None}


def _trimmed(fit: RackFit, cuts: Mapping[int, Cut]) -> tuple[Strip | None, ...]:
    strips: list[Strip | None] = []
    for slot, (line, face) in enumerate(zip(fit.lines, fit.faces, strict=True)):
        if line is None or face is None or slot not in cuts:
            strips.append(None)
        else:
            strips.append(trim(cuts[slot], slot, line, face, fit.pose, fit.table.card, fit.slide))
    return tuple(strips)


def _likeliest(
    picture: NDArray[np.uint8], first: RackFit, explained: Sequence[TopEdges], cuts: Mapping[int, Cut]
) -> RackFit:
    """Choose between explanations that have the rack a slot off.

    Witnesses are their edges, whether these edges have a card's sides, and the rack's front (see vision.front).
    """
    slide = common_slide(list(cuts.values()))
    sides = {line.at: cuts[slot].slide(slide)[1] for slot, line in enumerate(first.lines) if line is not None}
    fits = [
        (edges.value, replace(first, lines=edges.lines, faint=edges.faint))
        for edges in explained
        if edges.value >= explained[0].value - CLEARLY
    ]
    for _, fit in fits[1:]:
        for slot, line in enumerate(fit.lines):
            if line is not None and line.at not in sides:
                sides[line.at] = _cut(picture, fit, slot).slide(slide)[1]
    every = {line.at: line for _, fit in fits for line in fit.lines if line is not None}
    fronts = _fronts(picture, [fit for _, fit in fits], sides)
    weighed = [
        (value - GHOST * _against(fit, every, sides), value, front, fit)
        for (value, fit), front in zip(fits, fronts, strict=True)
    ]
    weighed.sort(key=lambda item: -(item[0] / MARGIN_SCALE + item[2]))
    best = weighed[0]
    # a hand hides sides too, so these may help an explanation but not turn a clear one round
    margins = [
        min(best[0] - other[0], best[1] - other[1] + HELP) / MARGIN_SCALE + best[2] - other[2] for other in weighed[1:]
    ]
    return replace(best[3], which=1 / (1 + sum(math.exp(-margin) for margin in margins)))


def _against(fit: RackFit, every: Mapping[float, EdgeLine], sides: Mapping[float, float]) -> float:
    """Sum up what a fit gained by edges without a card's sides, and what it leaves unexplained that has them.

    The former are the mat's own edge, a logo, a hand. `every` holds the edges of all fits by their rows.
    """
    own = np.array([line.at for line in fit.lines if line is not None])
    against = 0.0
    for at, line in every.items():
        like_card = float(np.clip((sides[at] - SIDES) / (CERTAIN - SIDES), 0.0, 1.0))
        gain = max(float(gain_of(np.array(line.strength))), 0.0)
        away = float(np.abs(own - at).min()) if len(own) else np.inf
        if away == 0.0:
            against += gain * (1 - like_card)
        elif away >= CLOSEST * SCALE:
            against += gain * like_card
    return against


def _fronts(picture: NDArray[np.uint8], fits: Sequence[RackFit], sides: Mapping[float, float]) -> list[float]:
    """Give each fit's logarithm of likelihood by the place where the frontmost card vanishes behind the rack's front.

    It tells fits apart that have the same frontmost card in different slots. One that has another card in front is
    neither helped nor hindered.
    """
    firsts = [_first(fit, sides) for fit in fits]
    if len(fits) == 1 or firsts[0] is None:
        return [0.0] * len(fits)
    slot, line = firsts[0]
    likely = front_slot(picture, fits[0].pose, fits[0].table, fits[0].plane, line)
    if likely is None:
        return [0.0] * len(fits)
    same = [first[0] if first and abs(first[1].at - line.at) < CLOSEST / 2 * SCALE else slot for first in firsts]
    return [math.log(likely[other]) for other in same]


def _first(fit: RackFit, sides: Mapping[float, float]) -> tuple[int, EdgeLine] | None:
    """Give the slot and the line of the frontmost edge that is surely a card's."""
    for slot, line in enumerate(fit.lines):
        if line is not None and line.strength >= EDGE and sides[line.at] >= SIDES:
            return slot, line
    return None
