"""Each player's own page and its addresses; the token in the address is the secret (webui/guard.py looks at it)."""

from flask import Blueprint, Response, g, jsonify, render_template

from engine.cards import Seat
from webui.answers import answered, json_body
from webui.desk import SeatView
from webui.events import stream_response
from webui.history import game_number
from webui.parts import Parts
from webui.pictures import uploaded_picture
from webui.private_view import seat_json
from webui.view import Json


def seat_pages(parts: Parts) -> Blueprint:
    """Make the seats' pages. The seat is what the guard found for the token, never what a request says."""
    pages = Blueprint("seats", __name__)
    desk, asking, places, tokens = parts.desk, parts.asking, parts.places, parts.tokens

    def drawn(view: SeatView, token: str) -> Json:
        return seat_json(view, game_number(desk), tokens.csrf(token))

    @pages.get("/seat/<token>")
    def page(token: str) -> str:  # noqa: ARG001 - the page's script takes it from the address
        return render_template("seat.html")

    @pages.get("/api/seats/<token>/state")
    def state(token: str) -> Response:
        return jsonify(drawn(desk.seat(_seat()).latest(), token))

    @pages.get("/api/seats/<token>/events")
    def events(token: str) -> Response:
        seat = _seat()
        # when somebody else sits down there, the page of who sat there before ends
        return stream_response(
            places, desk.seat(seat), lambda view: drawn(view, token), ended=lambda: tokens.seat_of(token) != seat
        )

    @pages.post("/api/seats/<token>/call")
    def call(token: str) -> tuple[Response, int]:  # noqa: ARG001 - the guard has seen to it
        json_body(())
        asking.call(_seat(), _seat())
        return jsonify({"called": True}), 202

    @pages.post("/api/seats/<token>/correct")
    def correct(token: str) -> Response:  # noqa: ARG001 - likewise
        said = json_body({"slot", "card", "empty"})
        return answered(asking.order({"type": "correct", "seat": _seat(), **said}, _seat()))

    @pages.post("/api/seats/<token>/pictures")
    def pictures(token: str) -> Response:  # noqa: ARG001 - likewise
        return answered(asking.show(uploaded_picture(), _seat()))

    return pages


def _seat() -> Seat:
    seat: Seat = g.seat
    return seat
