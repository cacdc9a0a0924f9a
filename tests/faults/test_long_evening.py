import pytest

from tests.faults.long_evening import evening


@pytest.mark.slow
def test_an_evening_at_full_speed_neither_grows_nor_loses_anything_in_silence() -> None:
    told = evening(1200, [500])
    early, late = told.marks[0], told.marks[-1]
    assert late.frames >= early.frames + 600
    # A round that is over stays in the evening's history: some hundreds of blocks each.
    assert late.blocks < early.blocks + 10 * (late.frames - early.frames), str(told)
    assert late.memory < early.memory + 15.0, str(told)
    assert (late.threads, late.files) <= (early.threads, early.files + 1), str(told)
    assert (told.silent, told.wrong, told.errors) == (0, 0, 0), str(told)
    assert told.broken > 0
    assert told.games >= 2
    assert told.events > told.rounds
    assert told.recorder.startswith("recording")
