from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.deck import ALIKE, Sample, learn, learn_trust, likeness
from calibration.deckfile import NARROWEST, TRUSTED, read_deck, write_deck
from calibration.table import Deck, Places, TableError, read_table


def look_of(card: int, noise: float = 6.0, seed: int = 0) -> NDArray[np.uint8]:
    look = np.full((32, 48), 255, np.uint8)
    (width, height), _ = cv2.getTextSize(str(card), cv2.FONT_HERSHEY_DUPLEX, 0.85, 2)
    cv2.putText(look, str(card), (24 - width // 2, 16 + height // 2), cv2.FONT_HERSHEY_DUPLEX, 0.85, 55, 2, cv2.LINE_AA)
    rough = np.random.default_rng(1000 * seed + card).normal(0, noise, look.shape)
    return np.clip(look + rough, 0, 255).astype(np.uint8)


def sample(card: int, seed: int = 0, *, left: float | None = None, shown: int | None = None) -> Sample:
    error = np.random.default_rng(77 * seed + card).normal(0, 0.3)
    place = 6.0 + 1.1 * (card - 1) + error if left is None else left
    return Sample(card, look_of(shown or card, seed=seed), place, 6.5, -60.0, (card - 1) // 10)


def whole_deck(seed: int = 0) -> list[Sample]:
    return [sample(card, seed) for card in range(1, 61)]


def test_a_deck_is_learnt_from_six_racks() -> None:
    deck, left_out = learn(Deck(), whole_deck())
    assert all(deck.numbers)
    assert left_out == ()
    assert deck.places is not None
    assert deck.places.kind == "line"
    assert deck.places.slope == pytest.approx(1.1, abs=0.01)
    assert deck.places.middle == pytest.approx(6.0 + 1.1 * 29.5, abs=0.2)
    assert deck.places.spread < 0.7
    assert deck.height == pytest.approx(6.5)
    assert deck.contrast == pytest.approx(-60)


def test_more_samples_make_a_look_clearer() -> None:
    deck = Deck()
    clean = look_of(38, noise=0.0)
    sharpness = []
    for evening in range(4):
        deck, _ = learn(deck, [replace(sample(38, evening), look=look_of(38, noise=40.0, seed=evening))])
        number = deck.numbers[37]
        assert number is not None
        sharpness.append(likeness(np.frombuffer(number.look, np.uint8).reshape(32, 48), clean))
    assert sharpness[-1] > sharpness[0] + 0.02


def test_a_number_far_off_the_law_of_places_is_left_out() -> None:
    odd = sample(13, left=60.0)
    deck, left_out = learn(Deck(), [*(it for it in whole_deck() if it.card != 13), odd])
    assert left_out == (odd,)
    assert deck.numbers[12] is None


def test_a_picture_whose_cards_are_all_off_alike_is_learnt_from() -> None:
    samples = [replace(it, left=it.left + 5.0) if it.picture == 2 else it for it in whole_deck()]
    deck, left_out = learn(Deck(), samples)
    assert left_out == ()
    assert deck.places is not None
    assert deck.places.wander > 1.0


def test_a_wrong_look_is_forgotten_when_it_is_outweighed() -> None:
    deck, _ = learn(Deck(), [sample(17, shown=44)])
    for evening in range(1, 4):
        deck, _ = learn(deck, [sample(17, evening)])
    number = deck.numbers[16]
    assert number is not None
    assert likeness(np.frombuffer(number.look, np.uint8).reshape(32, 48), look_of(17)) > 0.9


def test_one_wrong_sample_does_not_spoil_a_look_that_was_borne_out() -> None:
    deck = Deck()
    for evening in range(TRUSTED + 2):
        deck, _ = learn(deck, [sample(17, evening)])
    before = deck.numbers[16]
    deck, _ = learn(deck, [sample(17, shown=44)])
    after = deck.numbers[16]
    assert before is not None
    assert after is not None
    assert (before.seen, after.seen) == (TRUSTED, TRUSTED - 1)
    assert after.look == before.look


def test_looks_of_two_numbers_are_less_alike_than_two_of_one() -> None:
    assert likeness(look_of(38, seed=1), look_of(38, seed=2)) > ALIKE
    assert likeness(look_of(38, seed=1), look_of(41, seed=2)) < ALIKE


def test_a_deck_that_prints_all_numbers_in_one_place_has_a_law_without_slope() -> None:
    deck, _ = learn(Deck(), [replace(it, left=7.0 + 0.1 * (it.card % 3)) for it in whole_deck()])
    assert deck.places is not None
    assert deck.places.kind == "one place"
    assert deck.places.slope == 0.0


def test_a_deck_whose_numbers_stand_anywhere_has_no_law() -> None:
    chance = np.random.default_rng(3)
    deck, left_out = learn(Deck(), [replace(it, left=float(chance.uniform(5, 75))) for it in whole_deck()])
    assert deck.places is not None
    assert deck.places.kind == "none"
    assert left_out == ()


def test_a_few_numbers_tell_no_law() -> None:
    deck, _ = learn(Deck(), [sample(card) for card in range(1, 11)])
    assert deck.places is None
    assert sum(number is not None for number in deck.numbers) == 10


def test_what_cannot_be_a_card_teaches_nothing() -> None:
    assert learn(Deck(), [replace(sample(7), card=0), replace(sample(7), card=61)]) == (Deck(), ())


def test_what_was_learnt_comes_back_from_its_files(tmp_path: Path) -> None:
    deck, _ = learn(Deck(), whole_deck()[:47])
    write_deck(deck, tmp_path)
    (tmp_path / "table.toml").write_text("")
    again = read_table(tmp_path / "table.toml").deck
    assert [it.look if it else None for it in again.numbers] == [it.look if it else None for it in deck.numbers]
    assert again.places is not None
    assert deck.places is not None
    assert again.places.slope == pytest.approx(deck.places.slope, abs=1e-4)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["deck.png", "deck.toml", "table.toml"]


def test_a_table_without_a_learnt_deck_knows_nothing_of_it(tmp_path: Path) -> None:
    (tmp_path / "table.toml").write_text("")
    assert not read_table(tmp_path / "table.toml").deck
    assert not read_table("").deck


BROKEN = [
    ("numbers = 3", "numbers: must be a section"),
    ("[numbers]\n61 = [1, 5.0]", "61"),
    ("[numbers]\n7 = [0, 5.0]", "numbers.7"),
    ("[numbers]\n7 = [1, 500.0]", "numbers.7"),
    ("[numbers]\n7 = 3", "numbers.7"),
    ("[numbers]\n60 = [1, 70.0]", "deck.png shows nothing"),
    ("[ink]\nheight = 99", "ink.height"),
    ("[ink]\ncontrast = 0", "ink.contrast"),
    ("[places]\nkind = 'spiral'", "places.kind"),
    ("[places]\nkind = 'line'", "places.middle: is missing"),
    ("[places]\nkind = 'line'\nmiddle = 39\nslope = 99\nspread = 1\nwander = 1", "places.slope"),
    ("[places]\nkind = 'line'\nmiddle = 39\nslope = 1\nspread = 0\nwander = 1", "places.spread"),
    ("[paces]\n", "paces"),
    ("[reader]\ntrust = 2", "reader.trust"),
    ("[[[", "not TOML"),
]


@pytest.mark.parametrize(("text", "words"), BROKEN)
def test_a_broken_deck_is_refused_in_one_line(text: str, words: str, tmp_path: Path) -> None:
    write_deck(learn(Deck(), whole_deck()[:10])[0], tmp_path)
    (tmp_path / "deck.toml").write_text(text)
    with pytest.raises(TableError) as refused:
        read_deck(tmp_path)
    assert words in str(refused.value)
    assert "deck.toml" in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    "data", [None, b"", b"no picture", cv2.imencode(".png", np.zeros((9, 9), np.uint8))[1].tobytes()]
)
def test_a_missing_or_broken_sheet_is_refused_in_one_line(data: bytes | None, tmp_path: Path) -> None:
    write_deck(learn(Deck(), whole_deck()[:10])[0], tmp_path)
    (tmp_path / "deck.png").unlink()
    if data is not None:
        (tmp_path / "deck.png").write_bytes(data)
    with pytest.raises(TableError, match=r"deck\.png: .*learn the deck again") as refused:
        read_deck(tmp_path)
    assert "\n" not in str(refused.value)


def test_a_law_is_kept_exactly_enough_by_its_file(tmp_path: Path) -> None:
    law = Places("one place", 7.125, 0.0, 0.333, 0.5)
    write_deck(replace(learn(Deck(), whole_deck()[:3])[0], places=law, trust=0.35), tmp_path)
    assert read_deck(tmp_path).places == law
    assert read_deck(tmp_path).trust == 0.35


@pytest.mark.slow
def test_a_deck_that_is_learnt_from_the_same_racks_over_and_over_can_still_be_read(tmp_path: Path) -> None:
    exactly = [sample(card, left=6.0 + 1.1 * card) for card in range(1, 61)]
    deck = Deck()
    for _ in range(60):
        deck, _ = learn(deck, exactly)
    write_deck(deck, tmp_path)
    law = read_deck(tmp_path).places
    assert law is not None
    assert (law.spread, law.wander) == (NARROWEST, NARROWEST)


def answers_of(cards: list[int], seen: list[int], chance: float) -> NDArray[np.float64]:
    answers = np.full((len(cards), 61), (1 - chance) / 60)
    answers[np.arange(len(cards)), seen] = chance
    return answers


def test_a_reader_that_errs_with_a_typeface_is_trusted_less_there() -> None:
    cards = list(range(1, 41))
    wrong = [card % 40 + 1 if card % 2 else card for card in cards]
    deck = learn_trust(Deck(), 0, answers_of(cards, wrong, 0.99), cards)
    assert deck.trust < 0.6
    again = learn_trust(deck, 40, answers_of(cards, cards, 0.99), cards)
    assert deck.trust < again.trust < 1.0


def test_a_reader_that_is_right_is_trusted_as_ever() -> None:
    cards = list(range(1, 41))
    assert learn_trust(Deck(), 0, answers_of(cards, cards, 0.9), cards).trust == 1.0
    assert learn_trust(Deck(), 0, np.zeros((0, 61)), []) == Deck()
