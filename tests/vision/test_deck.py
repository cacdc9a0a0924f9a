from collections.abc import Iterable
from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.deck import likeness
from calibration.table import Deck, Printed
from vision.reading.deck import join, print_of
from vision.reading.glyphs import assembled

FONT = cv2.FONT_HERSHEY_SCRIPT_COMPLEX


def crop_of(card: int, seed: int, *, blur: float = 1.0, noise: float = 5.0, light: bool = False) -> NDArray[np.uint8]:
    chance = np.random.default_rng(100 * seed + card)
    drawn = np.full((32, 48), 200, np.uint8)
    (width, height), _ = cv2.getTextSize(str(card), FONT, 0.8, 2)
    at = (24 - width // 2 + int(chance.integers(-1, 2)), 16 + height // 2 + int(chance.integers(-1, 2)))
    cv2.putText(drawn, str(card), at, FONT, 0.8, 60, 2, cv2.LINE_AA)
    crop = cv2.GaussianBlur(drawn, (0, 0), blur) + chance.normal(0, noise, drawn.shape)
    # a card's shade gets darker towards the card before it
    crop -= np.linspace(0, 40, 32)[:, None]
    crop = np.clip(255 - crop if light else crop, 0, 255)
    return np.asarray(crop, np.uint8)


def deck_of(cards: range) -> Deck:
    numbers: list[Printed | None] = [None] * 60
    for card in cards:
        look = print_of(crop_of(card, 0)[None], np.array([-100.0]))[0]
        numbers[card - 1] = Printed(look.tobytes(), 1, 5.0 + card)
    return Deck(tuple(numbers))


def spread_over(*cards: int, none: float = 0.1) -> NDArray[np.float64]:
    answer = np.full((1, 61), 1e-5)
    answer[0, list(cards)] = (1 - none) / len(cards)
    answer[0, 0] = none
    return np.asarray(answer / answer.sum())


def joined(
    deck: Deck, crop: NDArray[np.uint8], answer: NDArray[np.float64], contrast: float = -80.0
) -> NDArray[np.float64]:
    return np.asarray(join(deck, crop[None], np.array([contrast]), answer)[0])


@pytest.mark.parametrize(("card", "other"), [(17, 11), (38, 33), (6, 8), (24, 29)])
def test_the_decks_own_look_settles_what_the_reader_leaves_open(card: int, other: int) -> None:
    chances = joined(deck_of(range(1, 61)), crop_of(card, 5, blur=1.6), spread_over(card, other))
    assert int(chances.argmax()) == card
    assert chances[card] > 2 * chances[other]


def test_it_betters_the_reader_on_the_average() -> None:
    deck = deck_of(range(1, 61))
    cards = list(range(1, 61, 3))
    crops = np.stack([crop_of(card, 9, blur=2.0, noise=12.0) for card in cards])
    answers = np.concatenate([spread_over(card, card % 60 + 1, (card + 9) % 60 + 1) for card in cards])
    after = join(deck, crops, np.full(len(cards), -80.0), answers)
    truth = (np.arange(len(cards)), cards)
    assert np.log(after[truth]).mean() > np.log(answers[truth]).mean() + 0.3
    np.testing.assert_allclose(after.sum(axis=1), 1.0)


def test_light_print_is_compared_with_dark_print() -> None:
    chances = joined(deck_of(range(1, 61)), crop_of(17, 5, light=True), spread_over(17, 11), contrast=80.0)
    assert chances[17] > 3 * chances[11]


def test_a_number_that_was_never_seen_is_not_ruled_out() -> None:
    deck = deck_of(range(1, 41))
    chances = joined(deck, crop_of(52, 5), spread_over(52, none=0.05))
    # those that were seen may look a little like it, but it stays by far the likeliest
    assert chances[52] > 3 * np.delete(chances, 52).max()


def test_a_surely_read_number_stays_so_if_it_looks_like_itself() -> None:
    answer = spread_over(17, none=0.02)
    assert joined(deck_of(range(1, 61)), crop_of(17, 5), answer)[17] == pytest.approx(answer[0, 17], abs=0.01)


def test_no_number_stays_no_number() -> None:
    empty = np.clip(np.random.default_rng(1).normal(150, 6, (32, 48)), 0, 255).astype(np.uint8)
    answer = spread_over(17, none=0.95)
    assert joined(deck_of(range(1, 61)), empty, answer)[0] > 0.9


def test_an_unlearnt_deck_and_no_crops_change_nothing() -> None:
    answer = spread_over(17, 11)
    np.testing.assert_array_equal(joined(Deck(), crop_of(17, 1), answer), answer[0])
    nothing = np.zeros((0, 61))
    assert join(deck_of(range(1, 61)), np.zeros((0,), np.uint8), np.zeros(0), nothing).shape == (0, 61)


def test_prints_of_one_number_look_alike_in_any_light() -> None:
    dark, light = crop_of(29, 1), crop_of(29, 1, light=True)
    one, other = print_of(np.stack([dark, light]), np.array([-1.0, 1.0])).astype(np.float64)
    assert np.abs(one - other).mean() < 3
    assert np.median(one) > 235
    assert one.min() < 90


def looks_of(cards: Iterable[int], noise: float = 5.0) -> dict[int, NDArray[np.float32]]:
    crops = {card: crop_of(card, 3, noise=noise) for card in cards}
    return {card: print_of(crop[None], np.array([-80.0]))[0].astype(np.float32) for card, crop in crops.items()}


@pytest.mark.slow
def test_numbers_never_seen_are_put_together_from_digits_of_others() -> None:
    made = assembled(looks_of([*range(1, 11), 21, 32, 43, 54, 16, 17, 28, 29, 35, 60]))
    assert sorted(made) == sorted(set(range(1, 61)) - {*range(1, 11), 21, 32, 43, 54, 16, 17, 28, 29, 35, 60})
    truth = looks_of(made)
    right = 0
    for look in made.values():
        alike = {card: likeness(look.astype(np.uint8), other.astype(np.uint8)) for card, other in truth.items()}
        right += made[max(alike, key=lambda card: alike[card])] is look
    assert right >= 0.8 * len(made)


def test_digits_that_were_never_seen_make_no_numbers() -> None:
    made = assembled(looks_of([11, 12, 21, 22]))
    assert set(made) == {1, 2}
    assert assembled({}) == {}


def test_a_blank_look_is_no_digit() -> None:
    blank = np.full((32, 48), 255, np.float32)
    assert assembled({7: blank, 23: blank}) == {}


def test_a_reader_that_misreads_this_typeface_says_less() -> None:
    deck = deck_of(range(1, 61))
    answer = spread_over(11, none=0.02)
    sure = joined(deck, crop_of(17, 5), answer)
    doubtful = joined(replace(deck, trust=0.3), crop_of(17, 5), answer)
    assert doubtful[11] < sure[11]
    assert doubtful[17] > 10 * sure[17]
