"""What people's requests ask of the desk: orders and pictures, a few at a time, so that pages are always answered."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from threading import BoundedSemaphore
from typing import Any, Final

from engine.cards import Seat
from engine.errors import BadInput, RackoError
from engine.line_json import line_as_json, parse_line
from engine.lines import Hidden, NewGame, Observation, Unsettled
from webui.answers import PageError
from webui.choices import game_said
from webui.desk import Answer, Desk, Order
from webui.view import round_is_on

ORDERS_AT_ONCE: Final = 8
PICTURES_AT_ONCE: Final = 2


class Asking:
    """Passes orders and pictures on to the desk. Raises PageError 400, 409 or 503 with words for what is refused."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._orders = BoundedSemaphore(ORDERS_AT_ONCE)
        self._pictures = BoundedSemaphore(PICTURES_AT_ONCE)

    def order(self, said: Mapping[str, Any], seat: Seat | None = None) -> Answer:
        """Pass on what the host says, or the player in `seat`: an order of the README without its time."""
        order = understood(said)
        with _place(self._orders), _refusals():
            return self._desk.order(order, seat)

    def call(self, caller: Seat | None, seat: Seat | None = None) -> None:
        """Pass on a call of RACK-O by `caller`, None for nobody in particular, from the page of `seat`."""
        board = self._desk.board.latest()
        if caller is not None and caller not in [line.seat for line in board.players]:
            raise PageError(400, "nobody sits at that seat")
        if not round_is_on(board):
            raise PageError(409, "no round is on, so there is nothing to call")
        answer = self.order({"type": "call", "seat": caller}, seat)
        if not answer.done:
            raise PageError(409, answer.words or "the call was not taken")

    def show(self, picture: bytes, seat: Seat | None = None) -> Answer:
        """Pass on an uploaded picture."""
        with _place(self._pictures), _refusals():
            return self._desk.show(picture, seat)


def understood(said: Mapping[str, Any]) -> Order:
    """Return an order with the keys of its kind and no others. Raises PageError 400 for what cannot be."""
    if "t" in said:
        raise PageError(400, "t: the table itself knows what time it is; leave it out")
    try:
        line = parse_line({**said, "t": 0.0})
        if isinstance(line, Observation | Unsettled | Hidden):
            raise BadInput("type: only the table's own eyes say this")
        if isinstance(line, NewGame):
            game_said(said)
    except BadInput as problem:
        raise PageError(400, str(problem)) from None
    order = line_as_json(line)
    order.pop("t", None)
    return order


@contextmanager
def _place(places: BoundedSemaphore) -> Iterator[None]:
    """Hold a place while the desk is asked; PageError 503 where there is none."""
    if not places.acquire(blocking=False):
        raise PageError(503)
    try:
        yield
    finally:
        places.release()


@contextmanager
def _refusals() -> Iterator[None]:
    """Tell a refusal that the desk raises like one that it answers."""
    try:
        yield
    except RackoError as refused:
        raise PageError(409, str(refused)) from refused
