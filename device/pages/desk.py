"""The table as the pages reach it (webui.desk): what is told by the run loop on its thread, and asked for on others."""

import logging
import re
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final, Literal

from device.evening.changes import undone_words
from device.evening.history import History
from device.evening.keeper import Evening
from device.loop.base import Loop
from device.loop.jobs import NoAnswer
from device.pages.photographs import Photographs
from device.pages.sight import Sight
from device.voice.caller import Caller
from engine.board import NOTHING_YET
from engine.cards import SEATS, Seat
from engine.events import Event, RoundEnd
from engine.snapshot import Snapshot
from webui.desk import Answer, CameraLine, GamePlayed, HostView, Order, SeatView, SpokenLine
from webui.stream import Stream

log = logging.getLogger(__name__)

BETWEEN: Final = ("waiting", "round-over", "game-over")
"""Phases in which no rack is secret."""

PICTURED: Final = re.compile(r"game-(\d+)-round-(\d+)-seat-([1-4])\.jpg")
PICTURES_KEPT: Final = 400
"""So many pictures of racks are kept, the newest: some twenty games."""

Table = Literal["live", "simulated", "session"]


class TableDesk:
    """What everybody at the table sees, hears and says.

    `clock` gives the time of day as text, `seconds` a time that never goes back.
    """

    def __init__(
        self,
        table: Table,
        folder: Path | None,
        clock: Callable[[], str],
        history: History,
        *,
        seconds: Callable[[], float] = time.monotonic,
    ) -> None:
        """Keep the pictures of racks in `folder`; without one, none."""
        self._board: Stream[Snapshot] = Stream(NOTHING_YET)
        self._caller = Caller()
        self._spoken: Stream[tuple[SpokenLine, ...]] = Stream(())
        self._host: Stream[HostView] = Stream(HostView(0, NOTHING_YET, table))
        self._seats: Mapping[Seat, Stream[SeatView]] = {seat: Stream(SeatView(0, NOTHING_YET, seat)) for seat in SEATS}
        self._loop: Loop | None = None
        self._folder = folder
        self._clock = clock
        self._seconds = seconds
        self._history = history
        self._versions = 0
        self._telling = threading.Lock()
        self._sight: Sight | None = None
        self._photographs: Photographs | None = None

    def serve(self, loop: Loop, sight: Sight, photographs: Photographs) -> None:
        """Pass on to these from now on what the pages ask for."""
        self._loop, self._sight, self._photographs = loop, sight, photographs

    @property
    def board(self) -> Stream[Snapshot]:
        """What everybody sees."""
        return self._board

    @property
    def spoken(self) -> Stream[tuple[SpokenLine, ...]]:
        """What may be said aloud."""
        return self._spoken

    @property
    def host(self) -> Stream[HostView]:
        """What the host sees."""
        return self._host

    def seat(self, seat: Seat) -> Stream[SeatView]:
        """What the player of a seat sees."""
        return self._seats[seat]

    def order(self, said: Order, seat: Seat | None = None) -> Answer:
        """Do what somebody says; returns once it is judged."""
        return _closed() if self._loop is None else self._loop.order(said, seat)

    def show(self, picture: bytes, seat: Seat | None = None) -> Answer:
        """Read an uploaded picture of racks that are shown for a verdict."""
        photographs = self._photographs
        if self._loop is None or photographs is None:
            return _closed()
        try:
            return self._loop.jobs.done_by_loop(lambda: photographs.read(picture, seat))
        except NoAnswer as problem:
            return Answer(done=False, words=str(problem))

    def camera_picture(self, name: str) -> bytes | None:
        """What may be seen now of a camera's picture."""
        sight = self._sight
        if self._loop is None or sight is None:
            return None
        try:
            return self._loop.jobs.done_by_loop(lambda: sight.picture(name))
        except NoAnswer:
            return None

    def rack_picture(self, game: int, number: int, seat: Seat) -> bytes | None:
        """The picture that a rack was read from when a round ended."""
        played = next((one for one in self._history.games if one.number == game), None)
        if self._folder is None or played is None or number > len(played.rounds):
            return None
        try:
            return (self._folder / f"game-{game}-round-{number}-seat-{seat}.jpg").read_bytes()
        except OSError:
            return None

    def history(self) -> tuple[GamePlayed, ...]:
        """The games of the evening, oldest first."""
        return self._history.games

    def close(self) -> None:
        """End every stream."""
        self._board.close()
        self._spoken.close()
        self._host.close()
        for stream in self._seats.values():
            stream.close()

    def hear(self, evening: Evening, events: Sequence[Event]) -> None:
        """Tell everybody what has happened; on the loop's thread, once it is written down."""
        for event in events:
            self._history.hear(event, self._clock())
        if any(isinstance(event, RoundEnd) and not event.amends for event in events):
            self._keep_pictures(len(self._history.games), len(self._history.games[-1].rounds))
        board = evening.board
        doubt = board.phase in BETWEEN and bool(evening.private.doubts)
        self._caller.hear(board, self._history.game, self._seconds(), doubt=doubt)
        # First, so that nobody gets a board beside words that it does not bear out.
        self._call_out()
        self._board.publish(board)
        for seat, stream in self._seats.items():
            doubts, tally = evening.private.doubts_of(seat), evening.private.tally_of(seat)
            view = SeatView(board.version, board, seat, doubts, tally)
            if view != stream.latest():
                stream.publish(view)

    def tick(self) -> None:
        """Have said what has stood for long enough by now; on the loop's thread, about once a second."""
        if self._call_out():
            self._board.repeat()

    def _call_out(self) -> bool:
        """Publish what may be said now; whether it is otherwise than before."""
        lines = self._caller.due(self._seconds())
        if lines == self._spoken.latest():
            return False
        self._spoken.publish(lines)
        return True

    def tell_host(self, evening: Evening, cameras: Sequence[CameraLine] = (), **more: str | tuple[str, ...]) -> None:
        """Tell the host how the table is, if anything of it is new. `more`: remarks, panel, recorder, voice."""
        board, private = evening.board, evening.private
        over = board.phase in BETWEEN
        counts = {seat: len(private.doubts_of(seat)) for seat in SEATS}
        view = replace(
            self._host.latest(),
            board=board,
            cameras=tuple(cameras),
            undo=undone_words(evening.undoing.next_undo(), board),
            redo=undone_words(evening.undoing.next_redo(), board),
            open_slots={seat: count for seat, count in counts.items() if count},
            doubts=private.doubts if over else (),
            next_dealer=self._next_dealer(evening),
            **more,  # type: ignore[arg-type]  # the keys say what they hold
        )
        with self._telling:
            if view != self._host.latest():
                self._versions += 1
                self._host.publish(replace(view, version=self._versions))

    def _next_dealer(self, evening: Evening) -> Seat | None:
        """Whose deal the next round is: that of the player left of who dealt the last one that was scored."""
        game = evening.game
        if game is None or evening.in_round or game.winners:
            return None
        rounds = self._history.games[-1].rounds if self._history.games else ()
        return game.next_dealer(rounds[-1].dealer) if rounds else game.seats[0]

    def alarm(self, words: str) -> None:
        """Tell the host something at once, from any thread: the run loop itself may stand still."""
        with self._telling:
            self._versions += 1
            latest = self._host.latest()
            self._host.publish(replace(latest, version=self._versions, remarks=(words, *latest.remarks)))

    def _keep_pictures(self, game: int, number: int) -> None:
        """Keep the racks' pictures of a round that has just ended; without a disk there are none."""
        if self._folder is None or self._sight is None:
            return
        try:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            for seat, picture in self._sight.racks().items():
                (self._folder / f"game-{game}-round-{number}-seat-{seat}.jpg").write_bytes(picture)
            kept = sorted(
                (path for path in self._folder.iterdir() if PICTURED.fullmatch(path.name)),
                key=lambda path: path.stat().st_mtime,
            )
            for path in kept[:-PICTURES_KEPT]:
                path.unlink()
        except OSError as problem:
            log.warning("the racks' pictures cannot be kept (%s)", problem.strerror or problem)


def _closed() -> Answer:
    return Answer(done=False, words="the table does not answer just now")
