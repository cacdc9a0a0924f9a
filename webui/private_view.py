"""What the host and each player see beyond the board, as plain JSON; the shapes stand in webui/openapi.json.

The host sees no doubt about a rack while its round is on, whatever the desk holds: doubts name likely cards.
"""

from dataclasses import asdict

from engine.line_json import what_stands
from engine.private import OwnDoubt
from webui.desk import CameraLine, HostView, SeatView
from webui.view import Json, as_json, round_is_on, seat_name


def host_json(view: HostView, game: int) -> Json:
    """Return all that the host sees, in game number `game`."""
    doubts = () if round_is_on(view.board) else view.doubts
    return {
        "version": view.version,
        "board": as_json(view.board, game),
        "table": view.table,
        "cameras": [_camera(camera) for camera in view.cameras],
        "remarks": list(view.remarks),
        "panel": view.panel,
        "recorder": view.recorder,
        "voice": view.voice,
        "undo": view.undo,
        "redo": view.redo,
        "open_slots": {str(seat): count for seat, count in sorted(view.open_slots.items())},
        "doubts": [{"seat": doubt.seat, **_doubt(doubt)} for doubt in doubts],
        "next_dealer": view.next_dealer,
    }


def seat_json(view: SeatView, game: int, csrf: str) -> Json:
    """Return all that one player sees on the own page, with the CSRF token of that page."""
    return {
        "version": view.version,
        "board": as_json(view.board, game),
        "seat": view.seat,
        "name": seat_name(view.board, view.seat),
        "doubts": [_doubt(doubt) for doubt in view.doubts if doubt.seat == view.seat],
        "wanted": view.wanted,
        "tally": asdict(view.tally),
        "csrf": csrf,
    }


def _camera(camera: CameraLine) -> Json:
    return {
        "name": camera.name,
        "source": camera.source,
        "state": camera.state,
        "words": camera.words,
        "sees": list(camera.sees),
        "picture": camera.picture,
    }


def _doubt(doubt: OwnDoubt) -> Json:
    """A doubt with its likeliest card first."""
    likely = sorted(doubt.candidates.items(), key=lambda candidate: (-candidate[1], candidate[0]))
    return {"slot": doubt.slot, "candidates": [{**what_stands(card), "chance": chance} for card, chance in likely]}
