"""Whose page a seat's link opens: that of who sits there, and of nobody who sat there before."""

import logging
from pathlib import Path

import pytest

from device.pages.secrets import FILE, SeatLinks, kept_secrets, renewed_secrets
from engine.board import NOTHING_YET, after
from engine.events import GameStarted
from engine.game import Player
from engine.snapshot import Snapshot


def board(**people: str) -> Snapshot:
    """The board of a game; people by seat, as in `seat1="Ada"`."""
    players = tuple(Player(int(seat.removeprefix("seat")), name) for seat, name in people.items())
    return after(NOTHING_YET, GameStarted("parker-1992", (), players, 500), 1)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder in which secrets are kept, made before anybody had a name."""
    kept_secrets(tmp_path)
    return tmp_path


def test_links_that_were_handed_out_before_the_first_game_stay(folder: Path) -> None:
    links = SeatLinks(folder)
    before = dict(links)
    links.hear(NOTHING_YET)
    links.hear(board(seat1="Ada", seat2="Ben"))
    assert dict(links) == before


def test_who_sits_where_they_sat_keeps_the_link_from_game_to_game_and_through_a_restart(folder: Path) -> None:
    links = SeatLinks(folder)
    before = dict(links)
    links.hear(board(seat1="Ada", seat2="Ben"))
    again = SeatLinks(folder)
    again.hear(board(seat1="Ada", seat2="Ben", seat3="Cid"))
    assert dict(again) == before


def test_another_person_at_a_seat_gets_another_link_and_nobody_else_does(folder: Path) -> None:
    links = SeatLinks(folder)
    links.hear(board(seat1="Ada", seat2="Ben"))
    before = dict(links)
    links.hear(board(seat1="Ada", seat2="Cid"))
    assert links[2] not in before.values()
    assert {**links, 2: ""} == {**before, 2: ""}
    assert dict(SeatLinks(folder)) == dict(links), "it is kept"


def test_two_who_change_places_get_new_links_both(folder: Path) -> None:
    links = SeatLinks(folder)
    links.hear(board(seat1="Ada", seat2="Ben"))
    before = set(links.values())
    links.hear(board(seat1="Ben", seat2="Ada"))
    assert not {links[1], links[2]} & before


def test_a_game_that_began_as_the_power_went_has_new_links_at_the_next_start(folder: Path) -> None:
    links = SeatLinks(folder)
    links.hear(board(seat1="Ada", seat2="Ben"))
    restarted = SeatLinks(folder)
    restarted.hear(board(seat1="Ada", seat2="Cid"))
    assert restarted[2] != links[2]


def test_the_pin_that_was_made_meanwhile_stays(folder: Path) -> None:
    links = SeatLinks(folder)
    links.hear(board(seat1="Ada", seat2="Ben"))
    pin = renewed_secrets(folder, pin=True).pin
    links.hear(board(seat1="Ada", seat2="Cid"))
    assert kept_secrets(folder).pin == pin
    assert kept_secrets(folder).seats == dict(links)


def test_secrets_that_can_no_longer_be_written_change_in_the_running_program_all_the_same(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    links = SeatLinks(folder)
    links.hear(board(seat1="Ada", seat2="Ben"))
    before = links[2]
    (folder / FILE).write_text("{}")
    with caplog.at_level(logging.WARNING):
        links.hear(board(seat1="Ada", seat2="Cid"))
    assert links[2] != before
    assert "until the program ends" in caplog.text
    assert not any(token in caplog.text for token in links.values())
