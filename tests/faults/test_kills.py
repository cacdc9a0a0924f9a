import pytest

from tests.faults.kills import killed


@pytest.mark.slow
def test_a_program_killed_at_random_moments_loses_nothing_that_was_acknowledged() -> None:
    toll = killed(4, seed=7)
    assert (toll.kills, toll.lost, toll.wrong) == (4, 0, 0), str(toll)
    assert toll.acknowledged >= 4
