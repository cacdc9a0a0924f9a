import pytest

from tests.faults.leaks import cards_in, searched
from tests.faults.pictured import unlike


@pytest.mark.slow
def test_no_card_of_a_rack_leaves_a_running_program_while_its_round_is_on() -> None:
    found = searched(3, 1)
    assert found.leaks == [], str(found)
    assert (found.read, found.missed) == (0, 0), str(found)
    assert found.rounds >= 1
    assert min(found.searched, found.compared, found.pictures, found.planted, found.rows) > 0


@pytest.mark.slow
def test_pictures_of_other_racks_in_the_same_place_are_the_same() -> None:
    assert unlike() == 0


def test_rounds_that_are_over_may_be_told_and_no_other() -> None:
    played = '{"games": [{"number": 1, "rounds": [{"racks": [{"card": 17}]}, {"racks": [{"card": 23}]}]}]}'
    assert [cards_in(played, over) for over in (0, 1, 2)] == [{17, 23}, {23}, set()]
    table = "game,round,ended\n1,1,17\n1,2,23\n"
    assert cards_in(table, 2) == set()
    assert 23 in cards_in(table, 1)
