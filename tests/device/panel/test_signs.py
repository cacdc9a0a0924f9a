from dataclasses import replace

import pytest

from device.panel import PanelAudience, Showing, Sign, signs_for
from engine.board import NOTHING_YET
from engine.cards import Seat
from engine.events import CallMade, Doubt, Event, RoundEnd, RoundReopened, Thread, TurnPlayed, Violation
from engine.moves import Turn
from engine.scoring import RackScore
from engine.snapshot import Snapshot

PLAYING = replace(NOTHING_YET, phase="playing", round=1, dealer=1, to_move=2)
CHECKING = replace(PLAYING, phase="checking", called_by=2)
OVER = replace(PLAYING, phase="round-over", to_move=None)


def round_end(*, card: int = 7, amends: bool = False) -> RoundEnd:
    score = RackScore(75, 10, None, "")
    return RoundEnd(2, {2: score}, {2: 75}, {2: (card,) * 10}, 9.0, amends=amends)


FALSE = Violation("false-call", 2, "", 9.0)


@pytest.mark.parametrize(
    ("board", "stands"),
    [
        (NOTHING_YET, Showing(Sign.READY)),
        (OVER, Showing(Sign.READY)),
        (replace(OVER, phase="game-over", winners=(2,)), Showing(Sign.READY)),
        (PLAYING, Showing(Sign.YOUR_TURN, 2)),
        (replace(PLAYING, to_move=None), Showing(Sign.YOUR_TURN)),
        (CHECKING, Showing(Sign.LOOKING, 2)),
        (replace(CHECKING, called_by=None), Showing(Sign.LOOKING)),
        (replace(PLAYING, lost=True, to_move=None), Showing(Sign.LOST)),
        (replace(CHECKING, lost=True), Showing(Sign.LOOKING, 2)),
        (replace(OVER, lost=True), Showing(Sign.READY)),
    ],
)
def test_what_stands_follows_from_the_board_alone(board: Snapshot, stands: Showing) -> None:
    assert signs_for(board, []) == (stands,)
    assert signs_for(board, [Thread(lost=True, text="", t=1.0), CallMade(1, 1.0)]) == (stands,)


@pytest.mark.parametrize(
    ("board", "camera_gone", "doubt", "stands"),
    [
        (PLAYING, True, False, Showing(Sign.CAMERA_GONE, 2)),
        (PLAYING, False, True, Showing(Sign.DOUBT, 2)),
        (PLAYING, True, True, Showing(Sign.CAMERA_GONE, 2)),
        (OVER, True, False, Showing(Sign.CAMERA_GONE)),
        (OVER, False, True, Showing(Sign.DOUBT)),
        (CHECKING, True, True, Showing(Sign.LOOKING, 2)),
        (replace(PLAYING, lost=True, to_move=None), False, True, Showing(Sign.LOST)),
    ],
)
def test_what_is_not_on_the_board_comes_by_argument(
    *, board: Snapshot, camera_gone: bool, doubt: bool, stands: Showing
) -> None:
    assert signs_for(board, [], camera_gone=camera_gone, doubt=doubt) == (stands,)


def test_a_paused_game_shows_nothing_else() -> None:
    board = replace(PLAYING)
    object.__setattr__(board, "paused", True)
    assert signs_for(board, [], camera_gone=True, doubt=True) == (Showing(Sign.PAUSED),)


def test_a_verdict_is_shown_over_what_stands() -> None:
    assert signs_for(OVER, [CallMade(2, 9.0), round_end()]) == (Showing(Sign.READY), Showing(Sign.TRUE_CALL, 2))
    assert signs_for(PLAYING, [FALSE]) == (Showing(Sign.YOUR_TURN, 2), Showing(Sign.FALSE_CALL, 2))


def test_only_a_verdict_is() -> None:
    stands = (Showing(Sign.YOUR_TURN, 2),)
    assert signs_for(PLAYING, [Violation("wrong-turn", 1, "It was Ben's turn.", 1.0)]) == stands
    assert signs_for(PLAYING, [RoundReopened(2, 1.0)]) == stands
    assert signs_for(OVER, [round_end(amends=True)]) == (Showing(Sign.READY),)


@pytest.mark.parametrize("doubt", [True, False])
def test_no_card_changes_a_sign(*, doubt: bool) -> None:
    def said(card: int, board: Snapshot, seat: Seat) -> tuple[Showing, ...]:
        events: list[Event] = [
            TurnPlayed(Turn(seat, "draw", card, 5, 61 - card), 2, 1.0),
            Doubt(seat, 5, {card: 0.5, card + 1: 0.5}, 1.0),
            round_end(card=card),
        ]
        return signs_for(replace(board, discard=card), events, doubt=doubt)

    for board in (PLAYING, CHECKING, OVER, NOTHING_YET):
        assert len({said(card, board, seat) for card in range(1, 60) for seat in (1, 2)}) == 1


class Remembering:
    def __init__(self) -> None:
        self.shown: list[Showing] = []

    def show(self, sign: Sign, seat: Seat | None = None) -> None:
        self.shown.append(Showing(sign, seat))


def test_the_audience_shows_what_happens_and_how_cameras_and_host_stand() -> None:
    panel = Remembering()
    audience = PanelAudience(panel)
    audience(PLAYING, [])
    audience.status(camera_gone=True, doubt=False)
    audience.status(camera_gone=True, doubt=False)
    audience(replace(PLAYING, to_move=1), [])
    audience.status(camera_gone=False, doubt=True)
    audience(PLAYING, [FALSE])
    audience.status(camera_gone=False, doubt=False)
    assert panel.shown == [
        Showing(Sign.YOUR_TURN, 2),
        Showing(Sign.CAMERA_GONE, 2),
        Showing(Sign.CAMERA_GONE, 1),
        Showing(Sign.DOUBT, 1),
        Showing(Sign.DOUBT, 2),
        Showing(Sign.FALSE_CALL, 2),
        Showing(Sign.YOUR_TURN, 2),
    ]
