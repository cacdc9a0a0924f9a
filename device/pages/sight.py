"""What the pages may see of the cameras: how each one is, its picture, and the racks as a round has ended."""

from collections.abc import Callable, Mapping, Sequence

from device.cameras.camera import CameraReport
from device.evening.keeper import Evening
from device.observing.watch import Watch
from device.pages.pictures import camera_view, plainly, rack_pictures
from engine.cards import Seat
from engine.events import Event, GameStarted, RoundEnd, RoundStarted
from vision.fuse import sure
from vision.look import Look
from vision.mats import TRAY
from vision.picture import PictureError
from webui.desk import CameraLine


class Sight:
    """Looks at the eyes of one table for the pages; used on the run loop's thread alone.

    A camera's picture is shown as it is before the first game, and from a round's end until something moves before that
    camera: then cards are gathered and dealt, and are somebody's secret.
    """

    def __init__(self, evening: Evening, watch: Callable[[], Watch | None]) -> None:
        """Look at what `watch` gives at the time."""
        self._evening = evening
        self._watch = watch
        self._open: Mapping[str, int] = {}

    @property
    def watch(self) -> Watch | None:
        """The eyes, if there are any yet."""
        return self._watch()

    def hear(self, events: Sequence[Event]) -> None:
        """Take in what has happened: when a round has ended, what is seen at that moment is no secret."""
        for event in events:
            if isinstance(event, RoundEnd):
                watch = self.watch
                self._open = {} if watch is None else watch.scenes()
            elif isinstance(event, GameStarted | RoundStarted):
                self._open = {}

    def picture(self, camera: str) -> bytes | None:
        """A camera's latest picture as JPEG; None where there is none."""
        watch = self.watch
        frame = None if watch is None else watch.latest(camera)
        if watch is None or frame is None:
            return None
        eye, look = watch.eyes.get(camera), watch.looks().get(camera)
        try:
            return camera_view(frame, eye, look, self._mat_words(look), secret=self._is_secret(camera))
        except PictureError:
            return None

    def racks(self) -> Mapping[Seat, bytes]:
        """A picture of each rack that is in sight, as JPEG."""
        watch = self.watch
        if watch is None:
            return {}
        frames = {name: frame for name in watch.eyes if (frame := watch.latest(name)) is not None}
        try:
            return rack_pictures(watch.eyes, frames, watch.table)
        except PictureError:
            return {}

    def lines(self, reports: Mapping[str, CameraReport] | None = None) -> tuple[CameraLine, ...]:
        """How each camera is, and what it sees; without reports, those of a table that plays by itself."""
        watch = self.watch
        if watch is None:
            return ()
        looks = watch.looks()
        if reports is None:
            scenes = watch.scenes()
            return tuple(
                CameraLine(name, "plays by itself", "live", "; ".join(look.remarks), self._sees(look), scenes[name])
                for name, look in sorted(looks.items())
            )
        return tuple(self._line(report, looks.get(name)) for name, report in reports.items())

    def _line(self, report: CameraReport, look: Look | None) -> CameraLine:
        remarks = () if look is None else look.remarks
        words = "; ".join(filter(None, (report.words, *remarks)))
        state = "dark" if report.state == "live" and any("too dark" in remark for remark in remarks) else report.state
        return CameraLine(
            report.name, report.source, state, words, () if look is None else self._sees(look), report.taken
        )

    def _sees(self, look: Look) -> tuple[str, ...]:
        names = self._mat_names()
        racks = tuple(f"{names.get(seat, f'seat {seat}')}'s rack" for seat in sorted(look.racks))
        return racks if look.tray is None else ("the tray", *racks)

    def _is_secret(self, camera: str) -> bool:
        if self._evening.game is None:
            return False
        watch = self.watch
        if watch is None or self._evening.in_round or camera not in self._open:
            return True
        return watch.scenes().get(camera) != self._open[camera]

    def _mat_words(self, look: Look | None) -> dict[int, tuple[str, ...]]:
        """What is written on veiled mats: how much was read of a rack, of no card which; of the tray what all know."""
        racks = {} if look is None else look.racks
        words: dict[int, tuple[str, ...]] = {}
        for number, name in self._mat_names().items():
            words[number] = (plainly(name) or f"seat {number}",)
            if number in racks:
                words[number] += (f"{sum(map(bool, map(sure, racks[number])))} of {len(racks[number])} read",)
        discard = self._evening.board.discard
        if discard is not None:
            words[TRAY] += (f"discard pile: {discard}",)
        if look is not None and look.tray is not None and look.tray.draw is not None:
            words[TRAY] += (f"draw pile: {look.tray.draw}",)
        return words

    def _mat_names(self) -> dict[int, str]:
        game = self._evening.game
        people = {player.seat: player.name for player in game.players} if game is not None else {}
        return {TRAY: "tray", **people}
