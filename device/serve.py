"""`racko serve`: puts a table together and runs it. Construction only: what the parts do stands in the parts."""

import logging
import math
import signal
import socket
import sys
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from device.configuration import Configuration, read_configuration
from device.evening import Evening
from device.journal import Journal
from device.lessons import Lessons
from device.panel import PanelAudience, open_panel
from device.replay import utc_now
from device.run import RunLoop, log_audience
from device.tables import DEMONSTRATION, tables_named
from device.watch import Watch
from engine.board import NOTHING_YET
from engine.errors import BadInput
from engine.variants import deck_of
from vision.reading.digits import NumberReader
from webui.app import create_app
from webui.serve import serve as serve_pages
from webui.stream import Stream


@dataclass(frozen=True)
class Options:
    """What the command line asks for; see `racko serve --help`."""

    config: Path | None = None
    session: Path | None = None
    camera: str | None = None
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
    tables = tables_named(
        options.camera or (settings.cameras[0].source if settings.cameras else DEMONSTRATION), options.session
    )
    table = tables(0)
    with ExitStack() as parts:
        journal = Journal(settings.folder / f"{table.name}.sqlite", utc_now)
        parts.callback(journal.close)
        stream = Stream(NOTHING_YET)
        deck = deck_of(table.game.edition, len(table.game.players), table.game.variants)

        reader = NumberReader()
        lessons = Lessons(table.table, reader, settings.folder / f"{table.name}-deck")

        def new_watch() -> Watch:
            return Watch(lessons.table, deck, reader)

        panel = open_panel(settings.panel, lambda seat: loop.call(seat), lambda _: None, mock=options.mock_pins)  # noqa: PLW0108 - made below
        parts.callback(panel.close)
        evening = Evening(journal, [lambda board, _: stream.publish(board), PanelAudience(panel), log_audience])
        loop = RunLoop(tables, evening, new_watch, options.speed, lessons)
        pages = serve_pages(create_app(stream, loop.call), port=settings.port if options.port is None else options.port)
        parts.callback(pages.close)
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: loop.stop())
        print(f"The scoreboard is on {', '.join(addresses(pages.port))}   (Ctrl-C ends)", flush=True)
        loop.run(once=options.once, new=options.new)
    return 0


def addresses(port: int) -> list[str]:
    """Where a browser finds the page: on this machine, and from others on the same network."""
    found = [f"http://localhost:{port}/"]
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # Nothing is sent: connecting a datagram socket only asks which of our addresses leads outside.
            probe.connect(("192.0.2.1", 9))
            outside = probe.getsockname()[0]
        except OSError:
            return found
    return found if outside.startswith("127.") else [*found, f"http://{outside}:{port}/"]
