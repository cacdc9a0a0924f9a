"""The host's own addresses, behind the PIN's session (webui/guard.py lets nobody else in)."""

import io
from collections.abc import Callable
from random import SystemRandom

import segno
from flask import Blueprint, Response, jsonify, request

from engine.cards import Seat
from engine.errors import BadInput
from webui.answers import PageError, answered, json_body
from webui.choices import choices_json, cut
from webui.desk import HostView
from webui.events import stream_response
from webui.guard import host_in, is_this_machine
from webui.history import game_number
from webui.parts import Parts
from webui.pictures import uploaded_picture
from webui.private_view import host_json
from webui.session import Sessions
from webui.view import Json, seat_name


def host_pages(parts: Parts) -> Blueprint:
    """Make the host's addresses."""
    pages = Blueprint("host", __name__, url_prefix="/api/host")
    _add_views(pages, parts)
    _add_seats(pages, parts)
    asking = parts.asking

    @pages.get("/choices")
    def choices() -> Response:
        return jsonify(choices_json())

    @pages.post("/order")
    def order() -> Response:
        return answered(asking.order(json_body()))

    @pages.post("/cut")
    def cut_for_deal() -> Response:
        said = json_body({"drawn", "edition", "variants", "players", "options"})
        try:
            return jsonify(cut(said, SystemRandom()))
        except BadInput as problem:
            raise PageError(400, str(problem)) from None

    @pages.post("/pictures")
    def pictures() -> Response:
        return answered(asking.show(uploaded_picture()))

    return pages


def _add_views(pages: Blueprint, parts: Parts) -> None:
    desk = parts.desk

    def drawn(view: HostView) -> Json:
        return host_json(view, game_number(desk))

    @pages.get("/state")
    def state() -> Response:
        return jsonify(drawn(desk.host.latest()))

    @pages.get("/events")
    def events() -> Response:
        return stream_response(parts.places, desk.host, drawn, ended=_ended(parts.sessions))

    @pages.get("/cameras/<path:name>.jpg")
    def camera(name: str) -> Response:
        known = name in [line.name for line in desk.host.latest().cameras]
        picture = desk.camera_picture(name) if known else None
        if picture is None:
            raise PageError(404, "there is no picture of that camera now")
        return Response(picture, mimetype="image/jpeg")


def _ended(sessions: Sessions) -> Callable[[], bool]:
    """Whether the present request's session has been ended since."""
    csrf = sessions.needed()
    return lambda: sessions.has_ended(csrf)


def _add_seats(pages: Blueprint, parts: Parts) -> None:
    desk, tokens = parts.desk, parts.tokens

    def seats() -> list[Seat]:
        """Who plays, or everybody who could before there is a game."""
        players = [line.seat for line in desk.board.latest().players]
        return [seat for seat in tokens.seats if seat in players or not players]

    def url(seat: Seat) -> str:
        return f"{_base(parts.address)}/seat/{tokens.of(seat)}"

    @pages.get("/seats")
    def addresses() -> Response:
        board = desk.board.latest()
        return jsonify([{"seat": seat, "name": seat_name(board, seat), "url": url(seat)} for seat in seats()])

    @pages.get("/seats/<seat:seat>.svg")
    def code(seat: Seat) -> Response:
        if seat not in seats():
            raise PageError(404, "nobody sits at that seat")
        drawn = io.BytesIO()
        # On white, for a reader of codes does not take light on dark.
        segno.make(url(seat), micro=False, error="m").save(drawn, kind="svg", scale=8, dark="#000", light="#fff")
        return Response(drawn.getvalue(), mimetype="image/svg+xml")


def _base(address: str | None) -> str:
    """The beginning of addresses on this server that a phone can open.

    As the host page was asked for; but where that leads to the asking machine only, `address` in its place.
    """
    host = request.host
    parts = host_in(host)
    if address is not None and parts is not None and is_this_machine(parts[0]):
        name = f"[{address}]" if ":" in address and not address.startswith("[") else address
        host = f"{name}:{parts[1]}" if parts[1] else name
    return f"{request.scheme}://{host}"
