"""A desk that tests set as they like, and that keeps what was asked of it."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from engine.cards import SEATS, Seat
from engine.snapshot import Snapshot
from tests.webui import tables
from webui.desk import Answer, GamePlayed, HostView, Order, SeatView, Secrets, SpokenLine
from webui.stream import Stream

PIN: Final = "271828"
TOKENS: Final = {seat: f"token-of-seat-{seat}-q7Zk" for seat in SEATS}
SECRETS: Final = Secrets(PIN, b"a key of thirty-two bytes or so..", TOKENS)
DONE: Final = Answer(done=True)

Answering = Callable[[Order, Seat | None], Answer]


class FakeDesk:
    """The streams, pictures by name, a history; and the orders and pictures that came in.

    Set `answer` to what orders and pictures get, or `answering` to decide order by order.
    """

    def __init__(self, board: Snapshot | None = None) -> None:
        first = tables.playing() if board is None else board
        self.board: Stream[Snapshot] = Stream(first)
        self.spoken: Stream[tuple[SpokenLine, ...]] = Stream(())
        self.host: Stream[HostView] = Stream(HostView(first.version, first, "live"))
        self.seats: dict[Seat, Stream[SeatView]] = {
            seat: Stream(SeatView(first.version, first, seat)) for seat in SEATS
        }
        self.orders: list[tuple[Order, Seat | None]] = []
        self.pictures: list[tuple[bytes, Seat | None]] = []
        self.answer = DONE
        self.answering: Answering = lambda _order, _seat: self.answer
        self.camera_pictures: dict[str, bytes] = {}
        self.cameras_asked: list[str] = []
        self.rack_pictures: dict[tuple[int, int, Seat], bytes] = {}
        self.games: tuple[GamePlayed, ...] = ()

    @property
    def calls(self) -> list[Seat | None]:
        """Who called RACK-O, in order."""
        return [order["seat"] for order, _ in self.orders if order["type"] == "call"]

    def seat(self, seat: Seat) -> Stream[SeatView]:
        return self.seats[seat]

    def order(self, said: Order, seat: Seat | None = None) -> Answer:
        self.orders.append((said, seat))
        return self.answering(said, seat)

    def show(self, picture: bytes, seat: Seat | None = None) -> Answer:
        self.pictures.append((picture, seat))
        return self.answer

    def camera_picture(self, name: str) -> bytes | None:
        self.cameras_asked.append(name)
        return self.camera_pictures.get(name)

    def rack_picture(self, game: int, number: int, seat: Seat) -> bytes | None:
        return self.rack_pictures.get((game, number, seat))

    def history(self) -> tuple[GamePlayed, ...]:
        return self.games

    def publish(self, board: Snapshot) -> None:
        """Let everybody see another board; what else they see stays as it is."""
        self.board.publish(board)
        self.tell_host(version=board.version, board=board)
        for seat in SEATS:
            self.tell_seat(seat, version=board.version, board=board)

    def speak(self, *lines: SpokenLine) -> None:
        """Let these lines be said, and no others, beside the same board."""
        self.spoken.publish(lines)
        self.board.repeat()

    def tell_host(self, **changes: Any) -> None:  # noqa: ANN401 - any of the view's fields
        """Let the host see the same view with these changes, such as remarks=("...",)."""
        self.host.publish(replace(self.host.latest(), **changes))

    def tell_seat(self, seat: Seat, **changes: Any) -> None:  # noqa: ANN401 - any of the view's fields
        """Let a player see the same view with these changes, such as doubts=(...)."""
        self.seats[seat].publish(replace(self.seats[seat].latest(), **changes))

    def close(self) -> None:
        """End all streams."""
        self.board.close()
        self.spoken.close()
        self.host.close()
        for stream in self.seats.values():
            stream.close()
