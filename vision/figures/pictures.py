"""Judges single looks at pictures of tables by their truth, and beside them a naive call of Tesseract a strip."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from vision.baseline import bare_strips, plainly_read
from vision.eye import Eye
from vision.figures.tally import Figures
from vision.figures.truth import Shown
from vision.frame import Frame
from vision.look import PILE, Look, Reading
from vision.picture import load_picture
from vision.reading.digits import NumberReader

Tell = Callable[[str], None]


@dataclass(frozen=True)
class Way:
    """How pictures are looked at: the cards in play, whether cameras are calibrated, whether there is a baseline."""

    deck: Sequence[int]
    calibrated: bool = True
    baseline: bool = True


def judge_pictures(name: str, pictures: Sequence[Shown], way: Way, reader: NumberReader, tell: Tell) -> Figures:
    """Look at each picture by itself and count; raise TableError where one or its table cannot be used."""
    figures = Figures(name, f"{len(pictures)} picture{'s' if len(pictures) != 1 else ''}")
    for number, shown in enumerate(pictures):
        tell(f"{name}: picture {number + 1} of {len(pictures)}")
        picture, table = load_picture(shown.file), shown.table()
        start = time.process_time()
        eye = Eye(table, way.deck, shown.camera_in(table) if way.calibrated else None, reader)
        look = eye.look(Frame(picture))
        figures.seconds.append(time.process_time() - start)
        _judge(shown, look, figures)
        if way.baseline:
            cards = _cards(shown)
            strips = bare_strips(picture, eye)
            read = plainly_read({place: strips[place] for place in cards if place in strips})
            for place, card in cards.items():
                figures.count_plain("discard" if place == PILE else "card", card, read.get(place))
    return figures


def _judge(shown: Shown, look: Look, figures: Figures) -> None:
    for racks, kind in ((shown.racks, None), (shown.partly, "partly")):
        for seat, slots in racks.items():
            readings = look.racks.get(seat, (Reading(),) * len(slots))
            for slot, (truth, reading) in enumerate(zip(slots, readings, strict=True)):
                counted = "in view" if slot in shown.in_view.get(seat, ()) else kind or truth[0]
                figures.weigh(counted, f"{shown.name} seat {seat} slot {5 * slot + 5}", truth, reading)
    if shown.pile is not None:
        kind = "discard" if shown.pile[0] == "card" else "no discard"
        figures.weigh(kind, f"{shown.name} discard", shown.pile, look.tray.discard if look.tray else Reading())
    if shown.draw is not None:
        draw = (str(look.tray.draw), None) if look.tray and look.tray.draw else None
        figures.count("draw", f"{shown.name} draw", (shown.draw, None), draw)


def _cards(shown: Shown) -> dict[tuple[int, int], int]:
    """Give the cards that a baseline is asked for, by place: (seat, slot 0..9) or PILE."""
    cards = {
        (seat, slot): state[1]
        for seat, slots in shown.racks.items()
        for slot, state in enumerate(slots)
        if state[1] is not None
    }
    if shown.pile is not None and shown.pile[1] is not None:
        cards[PILE] = shown.pile[1]
    return cards
