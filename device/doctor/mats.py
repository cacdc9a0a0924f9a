"""Whether each camera sees its mats, rack and tray large enough, from the right side, and where they should stand."""

from collections.abc import Iterator, Sequence
from typing import Final

from device.doctor.case import Case
from device.doctor.findings import Finding, Verdict, together
from device.doctor.sight import READABLE, MatSight, Sight
from device.doctor.views import View
from engine.cards import SEATS, Seat
from vision.mats import TRAY
from vision.rack.hindrance import SMALL

CHECK: Final = "mats"
LARGE, TOO_SMALL = 3.0, 1.5
"""Pixels a mm: a usable picture has the first (TABLE.md, Rack), SMALL will do where all is read. Drawn pictures are
read down to the second, where slots begin to be missed (40 tables, each in six sizes); a real lens is less sharp."""
RACK_ANGLE: Final = (45.0, 66.0)
TRAY_ANGLE: Final = 45.0
"""Degrees that a camera should look down at a rack (TABLE.md, Rack: 45 to 65); at the tray, at least."""
ASIDE, BEHIND = 35.0, 90.0
"""Degrees off the player's own view: a rack's numbers are squeezed; its cards show their backs."""
HALF: Final = 0.6
"""A mat should lie in the picture by at least this share; what cards hide of it does not count."""
SHIFTED: Final = (5.0, 6.0)
"""Millimetres to the side and in depth that a rack's cards may stand off: its place by hand (2 mm, 1.5 degrees), cards
that slide, and a lean that is 2 degrees off (TABLE.md) explain so much; 30 drawn racks have up to 3.0 and 5.3."""
MISFIT: Final = 1.6
"""Thousandths of the picture's width that markers may lie off their mat's pose; of 40 drawn tables none has 0.7."""
SAID: Final = ("small in the picture", "out of the picture", "only one marker", "no mat in view", "make no sense")
"""The eye's remarks on what is said here in figures."""

Amiss = list[tuple[Verdict, str]]


def check(case: Case) -> Iterator[Finding]:
    """One finding for each mat, by the view that shows it best, and one for all of them together."""
    if not case.sights:
        yield Finding(CHECK, "skipped", "no camera gave a picture to look at")
        return
    best: dict[int, MatSight] = {}
    for _, sight in case.sights:
        best |= {mat.number: max(mat, best.get(mat.number, mat), key=_shown) for mat in sight.mats}
    for view, sight in case.sights:
        if not sight.mats:
            yield _none(view, sight)
        for mat in sight.mats:
            if mat is best[mat.number]:
                yield _rack(view, sight, mat) if mat.number != TRAY else _tray(view, sight, mat)
        yield from _lens(view, sight)
        hidden = [word for word in sight.remarks if not any(said in word for said in SAID)]
        if hidden:
            yield Finding(CHECK, "look", f"{view.name}: something hinders the reading", "; ".join(hidden))
    playing = sorted({seat for view, _ in case.sights for seat in view.seats})
    yield altogether([*best], playing or SEATS, live=any(view.live for view, _ in case.sights))


def altogether(mats: Sequence[int], playing: Sequence[Seat], *, live: bool) -> Finding:
    """Say which way of playing the cameras together allow, by the numbers of all mats that are seen."""
    seats = sorted({number for number in mats if number != TRAY})
    others = [seat for seat in playing if seat not in seats]
    if TRAY not in mats:
        seen = f"{_named(seats)}, but not the tray" if seats else "neither the tray nor a rack"
        mend = "put a camera so that it sees the tray on its mat, for the game is followed by the tray"
        return Finding(CHECK, "bad" if live else "look", f"seen altogether: {seen}", mend)
    if not seats:
        found = (
            "seen altogether: the tray alone, which is a way to play: racks are shown to the camera at a round's end"
        )
        return Finding(CHECK, "good", found)
    found = f"seen altogether: the tray and {_named(seats)}"
    if others:
        found += f"; who plays at {_named(others)} shows the rack to a camera at a round's end"
    return Finding(CHECK, "good", found)


def _none(view: View, sight: Sight) -> Finding:
    verdict: Verdict = "bad" if view.live else "look"
    if sight.far:
        mend = "bring the camera nearer: a mat should fill a good part of the picture"
        return Finding(CHECK, verdict, f"{view.name}: there are mats, but too small in the picture to be used", mend)
    mend = "lay a mat before the camera, flat and whole (racko mats prints them, at 100 %); "
    mend += "if one lies there, see what is said of the light, and that nothing covers its black squares"
    return Finding(CHECK, verdict, f"{view.name}: no mat is seen", mend)


def _tray(view: View, sight: Sight, mat: MatSight) -> Finding:
    amiss = _placed(sight, mat, "the tray")
    if mat.scale and mat.elevation < TRAY_ANGLE:
        amiss.append(("look", "the camera looks at the tray too flatly: raise it or bring it nearer"))
    pile = "no card lies on the discard pile"
    if mat.cards:
        pile = f"the discard pile is {'' if mat.surely else 'not '}read surely"
    return together(CHECK, f"{view.name}: the tray, {_figures(mat, f'{TRAY_ANGLE:.0f} or more')}, {pile}", amiss)


def _rack(view: View, sight: Sight, mat: MatSight) -> Finding:
    amiss = _placed(sight, mat, f"seat {mat.number}'s rack")
    low, high = RACK_ANGLE
    if abs(mat.around) > BEHIND:
        amiss.append(("bad", "it sees the backs of the cards: put the camera on the player's side, or turn the mat"))
    elif abs(mat.around) > ASIDE:
        side = "right" if mat.around > 0 else "left"
        mend = f"the camera stands {abs(mat.around):.0f} degrees to the player's {side}: bring it to the middle"
        amiss.append(("look", mend))
    if mat.scale and mat.elevation < low:
        amiss.append(("look", "the camera stands too low, cards hide each other: raise it or bring it nearer"))
    elif mat.elevation > high:
        amiss.append(("look", "the camera stands too high, numbers look flat: lower it or move it back"))
    if mat.away is not None and mat.scale >= TOO_SMALL:
        amiss += _shifted(*mat.away)
    if mat.cards and not amiss and mat.surely < READABLE * mat.places:
        amiss.append(("look", "few slots can be read: see what is said of the light, and that no hand is in the way"))
    cards = f"{mat.surely} of {mat.places} slots are read surely" if mat.cards else "no card is seen in it"
    figures = _figures(mat, f"{low:.0f} to {high:.0f}")
    return together(CHECK, f"{view.name}: seat {mat.number}'s rack, {figures}, {cards}", amiss)


def _figures(mat: MatSight, angle: str) -> str:
    marks = f"{mat.markers} of the mat's 4 black squares in view"
    if not mat.scale:
        return marks
    scale = f"{mat.scale:.1f} pixels a millimetre ({LARGE:.0f} or more is good)"
    return f"{scale}, camera looks down by {mat.elevation:.0f} degrees ({angle}), {marks}"


def _placed(sight: Sight, mat: MatSight, name: str) -> Amiss:
    """What is amiss with any mat: too small, not wholly shown, not flat."""
    if not mat.scale:
        return [("bad", f"{name}: its black squares make no sense, so lay the mat flat and print it at 100 %")]
    amiss: Amiss = []
    # what is 3.0 in words is 3.0
    if round(mat.scale, 1) < (SMALL if sight.readable else LARGE):
        verdict: Verdict = "bad" if mat.scale < TOO_SMALL else "look"
        amiss.append((verdict, f"{name} is small in the picture: move the camera nearer"))
    if not mat.shown or mat.inside < HALF:
        borders = f" at its {' and '.join(mat.beyond)}" if mat.beyond else ""
        mend = f"{name} is cut off by the picture's border{borders}: turn the camera there, or move the mat"
        amiss.append(("look", mend))
    if mat.markers < 2:
        amiss.append(("look", f"{name} shows one black square only: uncover another, two at least are needed"))
    if mat.error > MISFIT and sight.model is not None:
        amiss.append(("look", f"{name}: its mat is not flat, or the camera's lens is not as table.toml has it"))
    return amiss


def _shifted(right: float, behind: float) -> Amiss:
    words = []
    if abs(right) > SHIFTED[0]:
        words.append(f"{abs(right):.0f} mm too far to the {'right' if right > 0 else 'left'}")
    if abs(behind) > SHIFTED[1]:
        words.append(f"{abs(behind):.0f} mm too far {'back' if behind > 0 else 'forward'}")
    if not words:
        return []
    mend = "push the rack onto its outline on the mat, or measure it anew (table.toml)"
    return [("look", f"its cards stand {' and '.join(words)}: {mend}")]


def _lens(view: View, sight: Sight) -> Iterator[Finding]:
    """Whether the table's measured camera belongs to this one's pictures."""
    known = {name: camera.size for name, camera in view.table.cameras.items()}
    width, height = sight.size
    if sight.model is None and known:
        sizes = ", ".join(f"{name}: {size[0]} x {size[1]}" for name, size in known.items())
        found = f"{view.name}: table.toml has measured cameras ({sizes} pixels), but none goes with {width} x {height}"
        mend = "name the camera as table.toml does, or delete its section there: it is looked through without"
        yield Finding(CHECK, "look", found, mend)
    elif sight.model is not None:
        wide, high = sight.model.size
        if abs(wide * height - high * width) > 0.01 * wide * height:
            found = (
                f"{view.name}: its lens was measured at {wide} x {high} pixels, its pictures have {width} x {height}"
            )
            yield Finding(CHECK, "look", found, "take pictures of the same shape, or measure the lens anew")


def _shown(mat: MatSight) -> tuple[bool, bool, float]:
    """Order sights of one mat by how well they show it."""
    return mat.shown, mat.inside >= HALF, mat.scale


def _named(seats: Sequence[int]) -> str:
    names = [str(seat) for seat in seats]
    return f"seat {names[0]}" if len(names) == 1 else f"seats {', '.join(names[:-1])} and {names[-1]}"
