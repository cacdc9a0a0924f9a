"""Where a rack's cards stand in a picture: a fit of all ten at once, and of one that changed by the rest."""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import median

import numpy as np
from numpy.typing import NDArray

from calibration.table import MAT_SIZE, SLOTS, Table
from vision.frame import Frame
from vision.pose import Pose
from vision.rack.comb import Comb
from vision.rack.edges import EdgeLine, Layout, TopEdges, edge_near, top_edges
from vision.rack.foot import Footing
from vision.rack.front import front_slot
from vision.rack.matching import CLOSEST, gain_of
from vision.rack.planes import ACROSS, ASIDE, PITCHES, UNMEASURED_FLOOR, TopPlane
from vision.rack.stand import RackFit, same_edge
from vision.rack.strips import HIDING, Sides, Strip, cut_strips, find_sides
from vision.rectify import SCALE, flatten

SIDES = 2.0
"""Both side edges of a card together stand out at least this much where a card is believed."""
CERTAIN = 5.0
"""Sides of a real card mostly stand out so much."""
EDGE = 0.45
"""A top edge of less strength (0..1) is not believed without a number."""
HINT = 0.1
"""A number below adds so much to the strength of an edge: less than a card needs, so a hint alone makes no card."""
CLEARLY = 13.5
"""An explanation that is so much worse (natural logarithm) by its edges need not be looked at: a front adds 4.5."""
WITNESSES = np.array([0.7, 1.3, 1.0, 0.45])
"""How much each counts where the rack may be a slot off: edges' strength and order, the rack's place and lean by the
measures, its front, and edges without a card's sides. About as fits 946 drawn racks best (most likely which)."""
AT_ONCE = 8.0
"""So many cards, and mostly more, are taken for others at once where a rack is taken for one a slot off. It must be as
much rarer than another error, so the odds that it is not are divided by this. (Of 63 drawn racks that were doubted, but
held to be more likely right than not, one was off; with 2 instead of 8 its cards were told for sure.)"""
ONE_MORE = 0.98
"""How sure it is at most which slot is which, where one more card seems to stand behind the last one: with AT_ONCE,
0.86. So it seemed in none of 2400 drawn racks in their places; in four of 200 that were pushed by 12 mm, two of which
were told a slot off; and in one of 300 with gaps, which was."""
MAY_BE = 0.9
"""So sure it is at most which slot is which in a rack that may stand otherwise, or that a card is in its slot. (By what
may have been pushed none of 3600 drawn racks in place was so.)"""
LEAST_SURE = 0.99
"""It may where it is less sure than this by the edges: of 31 drawn racks that were said to be 0.96 to 0.99 sure, most
of them pushed or being filled, seven were a slot off."""
TOO_SMALL = 0.9
"""Where the farthest card has fewer pixels a mm edges are lost: no slot is sure, but for a full rack's. On 270 drawn
pictures that were made smaller, 16 of 1813 told with 0.5 to 0.9 px a mm were wrong, and one of 1690 with 0.9 to 1.1."""
SURE = (1.0,) * SLOTS
"""Every slot is surely itself."""
FACE = (1.5, 5.5)
"""So many mm below its top edge a card always shows its face."""
RIM = 3.0
"""The part of the top plane that every card covers begins so many mm from a card's side: its corners are rounded."""


@dataclass(frozen=True)
class Rival:
    """Another fit of a rack, and the logarithm of how likely it is beside the one that was chosen."""

    fit: RackFit
    likely: float


@dataclass(frozen=True)
class RackView:
    """A rack's fit, its plane of top edges as a picture (rows run from far to near), and its strips.

    `strips` has one entry a slot, None where no card's top edge was found. `which` (0..1) is how sure it is, for each
    slot, that it is not taken for another, the rack being a slot off. `slide` is how far, in mm, the cards together
    stand to the right of where the measures put them; `footing` where the rack may stand. `rivals` are other fits, of a
    rack a slot off, each with the logarithm of how likely it is beside this one. `comb` is the rack's comb, where that
    is seen to tell something. `ghosts` are edges that the fit took for cards' and that are none.
    """

    fit: RackFit
    top: NDArray[np.uint8]
    strips: tuple[Strip | None, ...]
    which: tuple[float, ...]
    slide: float
    footing: Footing
    rivals: tuple[Rival, ...] = ()
    comb: Comb | None = None
    ghosts: tuple[EdgeLine, ...] = ()

    def in_colour(
        self, frame: Frame, slots: Sequence[int], rows: tuple[float, float] = FACE, scale: float = SCALE
    ) -> list[NDArray[np.uint8]]:
        """Cut rows of some slots' cards, given in mm below their edges: (rows, columns, 3) in BGR at `scale` px a mm.

        As in their strips, there are ASIDE mm to both sides of each card. The slots have strips.
        """
        faces, card = self.fit.planes_of(slots), self.fit.table.card
        begins = [[strip.slide - ASIDE, card.height - rows[0]] for slot in slots if (strip := self.strips[slot])]
        size = round((card.width + 2 * ASIDE) * scale), round((rows[1] - rows[0]) * scale)
        seen = flatten(frame.colour, self.fit.pose, faces.points(np.array(begins)), faces.along, -faces.up, size, scale)
        return np.split(seen, len(begins), axis=1)

    @property
    def lines(self) -> tuple[EdgeLine | None, ...]:
        """The slots' top edges."""
        return self.fit.lines

    @property
    def is_full(self) -> bool:
        """Whether ten cards are seen, by their sides, and not a comb's empty slots."""
        return all(strip is not None and strip.sides >= CERTAIN for strip in self.strips)

    @property
    def is_cut_off(self) -> bool:
        """Whether half of its cards, or more, are partly out of the picture."""
        cut_off = [strip.is_cut_off for strip in self.strips if strip is not None]
        return 2 * sum(cut_off) >= max(len(cut_off), 1)

    @property
    def sides(self) -> float:
        """How strongly its cards' sides are seen (Strip.sides): the median; 0 without cards."""
        return median([strip.sides for strip in self.strips if strip is not None] or [0.0])

    def surely(self) -> "RackView":
        """Give the view as one that is sure which slot is which, and that each edge is its own slot's."""
        # what is as good as sure stays the very same fit: whoever watches it need not begin anew
        sure = all(line is None or line.belongs >= LEAST_SURE for line in self.lines)
        return replace(self if sure else self.with_own_edges(), which=SURE, rivals=())

    def with_own_edges(self) -> "RackView":
        """Give the view as one in which each edge surely is its own slot's."""
        lines = tuple(line and line.belonging(1.0) for line in self.lines)
        strips = tuple(strip and replace(strip, belongs=1.0) for strip in self.strips)
        return replace(self, fit=replace(self.fit, lines=lines), strips=strips)

    def doubted(self, slots: Collection[int] = range(SLOTS)) -> "RackView":
        """Give the view as one that is not sure which of some slots (0..9) is which."""
        which = tuple(min(MAY_BE, one) if slot in slots else one for slot, one in enumerate(self.which))
        return replace(self, which=which)

    def with_slot(self, slot: int, line: EdgeLine | None, strip: Strip | None) -> "RackView":
        """Give the view with another top edge and strip in a slot (0..9), None for no card; all others as they are."""
        strips = (*self.strips[:slot], strip, *self.strips[slot + 1 :])
        return replace(self, fit=self.fit.with_line(slot, line), strips=strips)


def view_from(frame: Frame, pose: Pose, table: Table, footing: Footing) -> RackView:
    """Find the cards of a rack that stands in its place by a pose, and cut their strips; `footing` is as seen by it."""
    guesses = [table]
    if not table.measured:
        table = replace(table, rack=replace(table.rack, floor=UNMEASURED_FLOOR))
        guesses = [replace(table, rack=replace(table.rack, pitch=pitch)) for pitch in PITCHES.tolist()]
    plane = TopPlane.of(table)
    top = plane.look_down(frame.colour, pose)
    rows = np.array([plane.rows(guess.rack.pitch) for guess in guesses])
    explained = top_edges(top, rows, _layout(plane, pose, table), footing)
    fits = [RackFit(pose, guesses[edges.guess], plane, edges.lines, edges.faint) for edges in explained]
    first = fits[0]
    sides = sides_of(frame, first, first.standing)
    slide = sides.common()
    fit, rivals = _likeliest(frame, fits, explained, sides.slides(slide)[1].tolist(), slide)
    if fit.lines != first.lines:
        sides = sides_of(frame, fit, fit.standing)
        slide = sides.common()
    behind = next(edges.behind for one, edges in zip(fits, explained, strict=True) if one is fit)
    fit = replace(fit, one_more=_is_one_more(frame, fit, behind, slide))
    strips = _strips(frame, fit, fit.standing, sides, slide)
    return RackView(fit, top, strips, which_of(fit, rivals), slide, footing, rivals)


def _is_one_more(frame: Frame, fit: RackFit, behind: EdgeLine | None, slide: float) -> bool:
    """Tell whether an edge behind a fit's last is behind its last slot, too, and has the sides of a card."""
    if behind is None or fit.slot_at(behind) < SLOTS - 0.5:
        return False
    sides = find_sides(frame, fit.pose, fit.table.card, fit.with_behind(behind), [len(fit.standing)])
    return float(sides.slides(slide)[1][0]) >= CERTAIN


def with_rival(view: RackView, rival: Rival, frame: Frame) -> RackView:
    """Give the view by another of its fits; how sure that is, and beside which rivals, is left as it was."""
    sides = sides_of(frame, rival.fit, rival.fit.standing)
    slide = sides.common()
    strips = _strips(frame, rival.fit, rival.fit.standing, sides, slide)
    return replace(view, fit=rival.fit, strips=strips, slide=slide, ghosts=())


def which_of(fit: RackFit, rivals: Sequence[Rival]) -> tuple[float, ...]:
    """Say for each slot how sure (0..1) a fit has it right beside its rivals, which have the rack a slot off."""
    shares = np.exp(np.array([0.0, *(rival.likely for rival in rivals)]))
    alike = np.array(
        [
            [same_edge(line, other) for line, other in zip(fit.lines, one.lines, strict=True)]
            for one in (fit, *(rival.fit for rival in rivals))
        ]
    )
    sure = shares @ alike / shares.sum() * (ONE_MORE if fit.one_more else 1.0)
    which = sure / (sure + AT_ONCE * (1 - sure))
    in_doubt = (which < LEAST_SURE) | (fit.scale < TOO_SMALL)
    return tuple(np.where(in_doubt, np.minimum(which, MAY_BE), which).tolist())


def without(view: RackView, ghosts: Collection[int], frame: Frame) -> RackView:
    """Give the view without the cards of some slots (0..9), whose edges were none: what they hid is in view again."""
    view = replace(view, ghosts=(*view.ghosts, *(line for slot in ghosts if (line := view.lines[slot]) is not None)))
    for slot in ghosts:
        view = view.with_slot(slot, None, None)
    return behind_again(view, ghosts, frame)


def with_faint(view: RackView, slot: int, frame: Frame) -> RackView | None:
    """Give the view with a card in a slot (0..9) that has none, if there is a faint edge where a card would be.

    An edge between two cards of one colour may be so faint that only a number below it makes it a card's. The strips
    of those behind are as they were; see behind_again.
    """
    return _with_edge(view, slot, frame)


def with_another(view: RackView, slot: int, frame: Frame) -> RackView | None:
    """Give the view with another edge in a slot (0..9), the likeliest but for the one that it has; as with_faint.

    The mat's far edge, a shadow's or a logo's may be stronger than a card's own; then no number is where it should be.
    """
    line = view.lines[slot]
    return _with_edge(view, slot, frame, None if line is None else line.at)


def _with_edge(view: RackView, slot: int, frame: Frame, but: float | None = None) -> RackView | None:
    fit, strip = refit(frame, view, slot, hint=HINT, but=but)
    return view.with_slot(slot, fit.lines[slot], strip) if strip is not None else None


def with_supposed(view: RackView, slot: int, frame: Frame, off: float = 0.0) -> RackView | None:
    """Give the view with a card supposed in a slot (0..9) beside which every slot has an edge, else None.

    Its edge is put `off` mm nearer than where the other cards' common lean would have it. Before a card or a table of
    its own colour an edge may not be seen at all, where a number below it is. As with_faint.
    """
    fit = view.fit
    nearer, farther = (fit.lines[other] if 0 <= other < SLOTS else None for other in (slot - 1, slot + 1))
    beside = [line for line in (nearer, farther) if line is not None]
    if len(beside) < (1 if slot in {0, SLOTS - 1} else 2):
        return None
    row, room = fit.expected_row(slot) + off * SCALE, CLOSEST * SCALE
    if (farther is not None and row < farther.at + room) or (nearer is not None and row > nearer.at - room):
        return None
    own = fit.lines[slot]
    # what may be the card of a slot beside may be so by whichever edge
    belongs = min(line.belongs for line in (*beside, *([] if own is None else [own])))
    slope = sum(line.slope for line in beside) / len(beside)
    line = EdgeLine(row, beside[0].middle, slope, 0.0, belongs)
    return view.with_slot(slot, line, _strip(frame, fit.with_line(slot, line), slot, view.slide))


def with_edge_moved(view: RackView, slot: int, other: int, frame: Frame) -> RackView:
    """Give the view with a slot's (0..9) edge as that of another slot, which has none."""
    line = view.lines[slot]
    if line is None:
        return view
    view = view.with_slot(slot, None, None)
    return view.with_slot(other, line, _strip(frame, view.fit.with_line(other, line), other, view.slide))


def behind_again(view: RackView, slots: Collection[int], frame: Frame) -> RackView:
    """Cut the strips behind some slots (0..9) again, whose lines have changed: so has what their cards hide."""
    fit = view.fit
    behind = {other for slot in slots for other in [other for other in fit.standing if other > slot][:HIDING]}
    again = _strips(frame, fit, behind, sides_of(frame, fit, behind), view.slide)
    return replace(view, strips=tuple(new or old for new, old in zip(again, view.strips, strict=True)))


def refit(  # noqa: PLR0913 - where a card is sought, and what is known of its edge, mostly nothing
    frame: Frame, view: RackView, slot: int, *, hint: float = 0.0, but: float | None = None, about: float | None = None
) -> tuple[RackFit, Strip | None]:
    """Find one slot's card (0..9) again in a picture of the same still camera, where only that card has changed.

    It is sought between its neighbours' edges, `about` a row, or where the other cards' common lean puts it; the rest
    of the fit stays as it was. `hint` is added to the strength (0..1) of edges, and what is near the row `but` is
    passed over. Gives the fit with the new edge and the new strip, None where there is no card.
    """
    fit = view.fit
    expected = fit.expected_row(slot) if about is None else about
    pitch = fit.table.rack.pitch * SCALE
    farther = next((line.at for line in fit.lines[slot + 1 :] if line is not None), -np.inf)
    nearer = next((line.at for line in fit.lines[:slot][::-1] if line is not None), np.inf)
    first = int(max(farther + CLOSEST * SCALE, expected - pitch))
    last = int(min(nearer - CLOSEST * SCALE, expected + pitch))
    if last <= first:
        return fit.with_line(slot, None), None
    room = round(SCALE)
    part = fit.plane.look_down(frame.colour, fit.pose, (first - room, last + room))
    start = first - room
    passed_over = None if but is None else but - start
    layout = _layout(fit.plane, fit.pose, fit.table, start)
    found = edge_near(part, expected - start, layout, room, hint, passed_over)
    # an edge that may have been another slot's was sought between others that may be, and still may be
    belongs = 1.0 if (before := fit.lines[slot]) is None else before.belongs
    line = replace(found, at=found.at + start, belongs=belongs) if found is not None else None
    fit = fit.with_line(slot, line)
    if line is None:
        return fit, None
    return fit, _strip(frame, fit, slot, view.slide)


def _layout(plane: TopPlane, pose: Pose, table: Table, start: int = 0) -> Layout:
    """Give how the plane's picture lies, or the part of it that begins in the row `start`."""
    columns = (ASIDE + RIM) * ACROSS, (ASIDE + table.card.width - RIM) * ACROSS
    return Layout(columns, (ACROSS, SCALE), plane.row_of(MAT_SIZE[1], pose) - start)


def sides_of(frame: Frame, fit: RackFit, slots: Collection[int]) -> Sides:
    """Look for the sides of the cards in some slots (0..9), which have lines."""
    wanted = [place for place, slot in enumerate(fit.standing) if slot in slots]
    return find_sides(frame, fit.pose, fit.table.card, fit.planes, wanted)


def sides_in(frame: Frame, view: RackView, slot: int) -> float:
    """Say how strongly the sides of the card in a slot (0..9) are seen, or where one would have them (Strip.sides)."""
    strip = view.strips[slot]
    if strip is not None:
        return strip.sides
    supposed = view.fit.with_line(slot, view.fit.expected_line(slot))
    return float(sides_of(frame, supposed, [slot]).slides(view.slide)[1][0])


def _strip(frame: Frame, fit: RackFit, slot: int, slide: float) -> Strip | None:
    return _strips(frame, fit, [slot], sides_of(frame, fit, [slot]), slide)[slot]


def _strips(frame: Frame, fit: RackFit, slots: Collection[int], sides: Sides, slide: float) -> tuple[Strip | None, ...]:
    """Cut the strips of the cards in the slots whose `sides` are given: one entry for each slot of the rack."""
    wanted = [place for place, slot in enumerate(fit.standing) if slot in slots]
    lines = {slot: line for slot, line in fit.standing.items() if slot in slots}
    strips = cut_strips(frame, fit.pose, fit.table.card, lines, fit.planes[wanted], sides, slide)
    return tuple(strips.get(slot) for slot in range(SLOTS))


def _likeliest(
    frame: Frame, every: Sequence[RackFit], explained: Sequence[TopEdges], strengths: Sequence[float], slide: float
) -> tuple[RackFit, tuple[Rival, ...]]:
    """Choose between fits, each by its explanation, that have the rack a slot off; give the best one, and the others.

    Witnesses are their edges, whether these edges have a card's sides, where the rack stands by its foot and by its
    measures, its front (vision.rack.front), and where its first slot is seen (vision.rack.comb). How strong the sides
    of the first one's cards are is given; `slide` is how far, in mm, its cards have slid together.
    """
    first = every[0]
    sides = dict(zip((line.at for line in first.standing.values()), strengths, strict=True))
    by_edges = [float(WITNESSES[:2] @ (edges.value - edges.stands, edges.stands)) for edges in explained]
    least = by_edges[0] - WITNESSES[3] * _ghosts(first, sides) - CLEARLY
    likely = [place for place, value in enumerate(by_edges) if place == 0 or value >= least]
    near, fits = [explained[place] for place in likely], [every[place] for place in likely]
    for fit in fits[1:]:
        new = {slot: line.at for slot, line in fit.standing.items() if line.at not in sides}
        if new:
            sides |= zip(new.values(), sides_of(frame, fit, new).slides(slide)[1].tolist(), strict=True)
    weighed = np.array(
        [
            WITNESSES @ np.array([edges.value - edges.stands, edges.stands, front, -_ghosts(fit, sides)])
            for edges, fit, front in zip(near, fits, _fronts(frame, fits, sides), strict=True)
        ]
    )
    if len(fits) > 1:
        comb = Comb.of(frame.grey, first.pose, first.table)
        weighed += comb.first_slots([fit.off for fit in fits], [fit.table.rack.pitch for fit in fits])
    best, *others = np.argsort(-weighed, kind="stable").tolist()
    return fits[best], tuple(Rival(fits[other], float(weighed[other] - weighed[best])) for other in others)


def _ghosts(fit: RackFit, sides: Mapping[float, float]) -> float:
    """Sum up what a fit gained by edges without a card's sides: the mat's own edge, a logo, a hand."""
    edges = np.array([(line.strength, sides[line.at]) for line in fit.standing.values()]).reshape(-1, 2)
    real = ((edges[:, 1] - SIDES) / (CERTAIN - SIDES)).clip(0.0, 1.0)
    return float(gain_of(edges[:, 0]).clip(0.0) @ (1 - real))


def _fronts(frame: Frame, fits: Sequence[RackFit], sides: Mapping[float, float]) -> list[float]:
    """Give each fit's logarithm of likelihood by the slot in which it has its frontmost card (see vision.rack.front).

    Where a card vanishes behind the rack's front tells fits apart that have the same frontmost card in different slots;
    one that has another card in front is neither helped nor hindered.
    """
    firsts = [_first(fit, sides) for fit in fits]
    if len(fits) == 1 or firsts[0] is None:
        return [0.0] * len(fits)
    slot, line = firsts[0]
    likely = front_slot(frame.colour, fits[0].pose, fits[0].table, fits[0].plane, line)
    if likely is None:
        return [0.0] * len(fits)
    same = [first[0] if first and abs(first[1].at - line.at) < CLOSEST / 2 * SCALE else slot for first in firsts]
    return [math.log(likely[other]) for other in same]


def _first(fit: RackFit, sides: Mapping[float, float]) -> tuple[int, EdgeLine] | None:
    """Give the slot and the line of the frontmost edge that is surely a card's."""
    sure = (item for item in fit.standing.items() if item[1].strength >= EDGE and sides[item[1].at] >= SIDES)
    return next(sure, None)
