"""`racko serve`: puts a table together and runs it. Construction only: what the parts do stands in the parts."""

import logging
import math
import signal
import sys
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

from calibration.table import Table, read_table
from device.cameras.finder import Finder
from device.commands.replay import utc_now
from device.configuration import Configuration, read_configuration
from device.evening.history import History
from device.evening.journal import Journal
from device.evening.keeper import Audience, Evening
from device.loop.base import Loop
from device.loop.live import LiveLoop
from device.loop.run import RunLoop, Tables, log_audience
from device.loop.watchdog import Watchdog
from device.observing.lessons import Lessons
from device.observing.watch import Watch
from device.pages.addresses import addresses, outside_address
from device.pages.desk import TableDesk
from device.pages.photographs import Photographs
from device.pages.secrets import SeatLinks, kept_secrets
from device.pages.sight import Sight
from device.panel import PanelAudience, Sign, open_panel
from device.recorder.recorder import Recorder
from device.tables import AUTO, is_played, kind_of, live_cameras, tables_named, wanted_cameras
from device.voice import open_voice
from engine.cards import Seat
from engine.errors import BadInput
from engine.variants import deck_of
from vision.reading.digits import NumberReader
from webui.app import create_app
from webui.serve import serve as serve_pages

DECK = deck_of("parker-1992", 4)
"""What is looked for before anybody says which game is played: the largest deck."""


@dataclass(frozen=True)
class Options:
    """What the command line asks for; see `racko serve --help`."""

    config: Path | None = None
    session: Path | None = None
    camera: tuple[str, ...] = ()
    table: Path | None = None
    port: int | None = None
    once: bool = False
    speed: float = 1.0
    new: bool = False
    mock_pins: bool = False


def serve(options: Options) -> int:
    """Run a table until it is stopped by SIGINT or SIGTERM; return the exit code."""
    if not (math.isfinite(options.speed) and 0 < options.speed <= 1000):
        raise BadInput(f"--speed {options.speed}: choose a number above 0, at most 1000")
    logging.basicConfig(level=logging.INFO, stream=sys.stderr, format="%(asctime)s %(message)s", datefmt="%H:%M:%S")
    logging.getLogger("waitress").setLevel(logging.ERROR)
    settings = Configuration() if options.config is None else read_configuration(options.config)
    with ExitStack() as parts:
        House(parts, options, settings).run()
    return 0


class House:
    """All parts of one table, each closed by `parts` in the end."""

    def __init__(self, parts: ExitStack, options: Options, settings: Configuration) -> None:
        """Put together what does not depend on whether the table is a real one."""
        self._parts, self._options, self._settings = parts, options, settings
        self._cameras = wanted_cameras(options.camera, options.session, settings.cameras)
        self._played = self._tables() if is_played(self._cameras[0].source) else None
        table = self._played(0) if self._played is not None else None
        name = "table" if table is None else table.name
        folder = settings.folder
        journal = Journal(folder / f"{name}.sqlite", utc_now)
        parts.callback(journal.close)
        self._reader = NumberReader()
        measured = self._measured() if table is None else table.table
        self._lessons = Lessons(measured, self._reader, folder / f"{name}-deck")
        self._desk = TableDesk(
            kind_of(self._cameras[0].source),
            folder / f"{name}-racks",
            utc_now,
            History(journal.told()),
        )
        parts.callback(self._desk.close)
        known = kept_secrets(folder, settings.pin)
        links = SeatLinks(folder)
        self._secrets = replace(known, seats=links)
        record = settings.record
        self._recorder = Recorder(record.folder, record.budget, on=record.on and table is None)
        parts.callback(self._recorder.close)
        self._panel = open_panel(settings.panel, self._pressed, self._held, mock=options.mock_pins)
        parts.callback(self._panel.close)
        self._signs = PanelAudience(self._panel)
        self._voice = open_voice(settings.voice, self._desk.spoken)
        parts.callback(self._voice.close)
        audience: list[Audience] = [
            links.hear,
            lambda _, events: self._sight.hear(events),
            lambda _, events: self._desk.hear(self._evening, events),
            self._signs,
            log_audience,
        ]
        self._evening = Evening(journal, audience)
        links.hear(self._evening.board)
        self._loop: Loop = self._live_loop() if self._played is None else self._played_loop(self._played)
        self._sight = Sight(self._evening, lambda: self._loop.watch)
        self._join()

    def _pressed(self, seat: Seat | None) -> None:
        self._loop.call(seat)

    def _held(self, seat: Seat | None) -> None:
        self._loop.undo_call(seat)

    def _tables(self) -> Tables:
        if len(self._cameras) > 1:
            raise BadInput(f"{self._cameras[0].source} is a whole table; name no other camera beside it")
        return tables_named(self._cameras[0].source)

    def _measured(self) -> Table:
        path = self._options.table or self._settings.table
        return Table() if path is None else read_table(path)

    def _played_loop(self, tables: Tables) -> RunLoop:
        game = tables(0).game
        deck = deck_of(game.edition, len(game.players), game.variants)

        def new_watch() -> Watch:
            return Watch(self._lessons.table, deck, self._reader)

        return RunLoop(tables, self._evening, new_watch, self._options.speed, self._lessons)

    def _live_loop(self) -> LiveLoop:
        watch = Watch(self._lessons.table, DECK, self._reader)
        loop = LiveLoop((), self._evening, watch, lessons=self._lessons, record=self._recorder)
        cameras = live_cameras(self._cameras, loop.wake.set)
        for camera in cameras:
            self._parts.callback(camera.close)
        loop.use(cameras)
        if any(camera.source == AUTO for camera in self._cameras):
            finder = Finder(lambda camera: loop.jobs.hand_in(lambda: loop.join(camera)), loop.wake.set)
            self._parts.callback(finder.close)
            finder.start()
        return loop

    def _join(self) -> None:
        """Join pages, panel and loop."""
        photographs = Photographs(self._evening, self._loop, self._reader)
        self._desk.serve(self._loop, self._sight, photographs)
        self._loop.status = self._tell_status

    def _tell_status(self) -> None:
        """How the table is, for the host, the lamps and the caller; on the loop's thread."""
        self._desk.tick()
        lines = self._sight.lines(self._loop.reports)
        trouble = (self._loop.trouble,) if self._loop.trouble else ()
        if not lines and self._played is None:
            trouble = (*trouble, "no camera is plugged in yet; plug one in, and it joins by itself")
        self._desk.tell_host(
            self._evening,
            lines,
            remarks=trouble,
            panel=self._panel.words,
            recorder=self._recorded_words(),
            voice=self._voice.words,
        )
        self._signs.status(
            camera_gone=any(line.state in ("gone", "frozen") for line in lines),
            doubt=bool(self._evening.private.doubts),
        )

    def _recorded_words(self) -> str:
        return self._recorder.words if self._played is None else "not recording: this table plays by itself"

    def run(self) -> None:
        """Serve the pages and run the table until it is stopped."""
        watchdog = Watchdog(lambda: self._loop.beat, self._desk.alarm)
        outside = outside_address()
        app = create_app(self._desk, self._secrets, names=self._settings.names, address=outside)
        port = self._settings.port if self._options.port is None else self._options.port
        pages = serve_pages(app, port=port)
        self._parts.callback(pages.close)
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: self._loop.stop())
        at = addresses(pages.port)
        print(f"The scoreboard is on {', '.join(at)}   (Ctrl-C ends)", flush=True)
        print(f"The host's page is on {at[-1]}host   PIN {self._secrets.pin}", flush=True)
        watchdog.start()
        try:
            if isinstance(self._loop, RunLoop):
                self._loop.run(once=self._options.once, new=self._options.new)
            elif isinstance(self._loop, LiveLoop):
                self._loop.run()
        finally:
            self._panel.show(Sign.CLOSING)
            watchdog.close()
