"""What everybody at the table may ask for: the scoreboard, the state, the history, and a host's session."""

from pathlib import Path

from flask import Blueprint, Response, jsonify, render_template, request

from engine.cards import SEATS, Seat
from engine.snapshot import Snapshot
from webui.answers import PageError, json_body
from webui.desk import Desk
from webui.events import stream_response
from webui.history import game_number, games_of, history_csv, history_json
from webui.parts import Parts
from webui.session import Sessions
from webui.view import Json, as_json

OPENAPI = Path(__file__).parent / "openapi.json"


def public_pages(parts: Parts) -> Blueprint:
    """Make the pages and addresses that everybody looks at, and the scoreboard's button."""
    pages = Blueprint("public", __name__)
    desk = parts.desk
    openapi = OPENAPI.read_bytes()

    def drawn(board: Snapshot) -> Json:
        return as_json(board, game_number(desk), desk.spoken.latest())

    @pages.get("/")
    def page() -> str:
        return render_template("board.html")

    @pages.get("/host")
    def host_page() -> str:
        return render_template("host.html")

    @pages.get("/api/state")
    def state() -> Response:
        return jsonify(drawn(desk.board.latest()))

    @pages.get("/api/events")
    def events() -> Response:
        return stream_response(parts.places, desk.board, drawn)

    @pages.get("/api/openapi.json")
    def description() -> Response:
        return Response(openapi, mimetype="application/json")

    @pages.get("/healthz")
    def health() -> Response:
        return jsonify({"ok": True, "version": desk.board.latest().version, "watchers": parts.places.taken})

    @pages.post("/api/call")
    def call() -> tuple[Response, int]:
        parts.asking.call(_caller())
        return jsonify({"called": True}), 202

    return pages


def record_pages(desk: Desk) -> Blueprint:
    """Make the addresses that tell of rounds that are over."""
    pages = Blueprint("records", __name__)

    @pages.get("/api/history")
    def history() -> Response:
        return jsonify(history_json(games_of(desk)))

    @pages.get("/api/history.csv")
    def history_table() -> Response:
        # Names may hold anything; what UTF-8 cannot say becomes a question mark.
        table = Response(history_csv(games_of(desk)).encode("utf-8", "replace"), mimetype="text/csv")
        table.headers["Content-Disposition"] = 'attachment; filename="racko-history.csv"'
        return table

    def picture_of(game: int, played: int, seat: Seat) -> bytes | None:
        """The picture of a rack whose round is over."""
        over = any(one.number == game and played in [each.number for each in one.rounds] for one in games_of(desk))
        return desk.rack_picture(game, played, seat) if over else None

    @pages.get("/api/rounds/<number:game>/<number:played>")
    def rack_pictures(game: int, played: int) -> Response:
        return jsonify({"pictures": [seat for seat in SEATS if picture_of(game, played, seat) is not None]})

    @pages.get("/api/rounds/<number:game>/<number:played>/<seat:seat>.jpg")
    def rack_picture(game: int, played: int, seat: Seat) -> Response:
        picture = picture_of(game, played, seat)
        if picture is None:
            raise PageError(404, "there is no picture of that rack")
        return Response(picture, mimetype="image/jpeg")

    return pages


def session_pages(sessions: Sessions) -> Blueprint:
    """Make the addresses that begin and end the host's session."""
    pages = Blueprint("session", __name__)

    @pages.get("/api/session")
    def session_now() -> Response:
        csrf = sessions.current()
        return jsonify({"host": csrf is not None, "csrf": csrf})

    @pages.post("/api/session")
    def begin() -> Response:
        pin = json_body({"pin"}).get("pin")
        if not isinstance(pin, str):
            raise PageError(400, 'the PIN must be text, as in {"pin": "123456"}')
        # Never from a header such as X-Forwarded-For, which anybody can write.
        return jsonify({"csrf": sessions.begin(pin.strip(), request.remote_addr or "")})

    @pages.post("/api/session/end")
    def end() -> Response:
        json_body(())
        sessions.end()
        return jsonify({"host": False, "csrf": None})

    return pages


def _caller() -> Seat | None:
    """Who calls RACK-O by the present request, None for nobody in particular."""
    said = json_body({"seat"})
    if "seat" not in said:
        raise PageError(400, 'the call must be {"seat": 2} or {"seat": null}')
    seat = said["seat"]
    if seat is not None and type(seat) is not int:
        raise PageError(400, "the seat must be a whole number, or null")
    return seat
