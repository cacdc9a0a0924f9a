"""What a host can choose for a new game, with a line of words each, and the cut for the first deal."""

import random
from collections.abc import Mapping
from typing import Any, Final

from engine.cards import Card, Seat
from engine.editions import EDITIONS
from engine.errors import BadInput
from engine.game import Game, new_game
from engine.line_json import parse_line, parse_seat_key
from engine.lines import NewGame
from engine.variants import VARIANTS
from webui.view import Json

EDITION_WORDS: Final = {
    "parker-1992": "Parker Brothers: the highest card drawn deals, 500 points win, smaller decks for two and three.",
    "milton-bradley-1956": "Milton Bradley: each cuts the deck and the lowest card deals; otherwise much as Parker's.",
    "retro": "Today's classic edition: the lowest card deals, 500 points win, smaller decks for two and three.",
    "hasbro-2006": "All 60 cards, some with powers; 500 points win for two players, 400 for three, 250 for four.",
}

VARIANT_WORDS: Final = {
    "bonus": "Going out with a run of consecutive numbers earns 50 more for three, 100, 200, and 400 for six.",
    "bonus-from-four": "The bonus for runs of four or more only, as three are asked for anyway.",
    "partners": "Two against two: partners sit across from each other and add up their points.",
    "run-of-three": "Nobody goes out without three consecutive numbers in the rack, such as 24, 25, 26.",
    "quick": "One round without scoring: the first to go out wins.",
    "classic": "The Hasbro edition played the old way: smaller decks, 500 points, no powers.",
}

OPTIONS: Final = (
    {
        "name": "first_dealer",
        "words": "Who deals first, if not as the edition says.",
        "choices": [
            {"value": "highest", "words": "Whoever draws the highest card."},
            {"value": "lowest", "words": "Whoever draws the lowest card."},
        ],
    },
    {
        "name": "turn_over",
        "words": "What becomes of the discard pile when the draw pile is used up, if not as the edition says.",
        "choices": [
            {"value": "new-discard", "words": "It is turned over, and its top card starts the new discard pile."},
            {"value": "no-discard", "words": "It is turned over, and all of it is the new draw pile."},
        ],
    },
    {
        "name": "ends_by_itself",
        "words": "The round ends as soon as a rack is in order, without a call. It tells a secret, and is not for a "
        "bonus game.",
        "choices": [{"value": True, "words": "A rack in order ends the round by itself."}],
    },
)
"""In the words of a game line's "options"; `powers` is left out, for it is a table of cards."""


def choices_json() -> Json:
    """Return the editions, variants and options; what does not go together is named on both sides."""
    return {
        "editions": [{"name": name, "words": EDITION_WORDS[name]} for name in EDITIONS],
        "variants": [
            {
                "name": variant.name,
                "words": VARIANT_WORDS[variant.name],
                "players": list(variant.players),
                "editions": list(variant.editions),
                "needs": variant.needs,
                "not_with": [
                    other.name
                    for other in VARIANTS.values()
                    if other.name in variant.not_with or variant.name in other.not_with
                ],
            }
            for variant in VARIANTS.values()
        ],
        "options": list(OPTIONS),
    }


def game_said(said: Mapping[str, Any]) -> Game:
    """Read a game's edition, variants, players and options. Raises BadInput for what cannot be, and why."""
    line = parse_line({**said, "type": "game"})
    if not isinstance(line, NewGame):
        raise BadInput("this is no game")
    return new_game(line.edition, line.players, line.variants, line.options)


def cut(said: Mapping[str, Any], chance: random.Random) -> Json:
    """Find who deals first, by the cards in `drawn`, or by cards that are drawn here if it has none.

    said: as a game line, with "drawn": {"1": 17, ...} beside it. Raises BadInput for what cannot be.
    """
    game = game_said(said)
    drawn = _drawn(said.get("drawn"))
    if not drawn:
        drawn = dict(zip(game.seats, chance.sample(game.rules.deck, len(game.seats)), strict=True))
    if drawn.keys() != set(game.seats):
        raise BadInput("drawn: each player draws one card, and nobody else does")
    dealer = game.rules.first_dealer(drawn)
    which = game.rules.edition.first_dealer
    words = f"{game.name(dealer)} has the {which} card, {drawn[dealer]}, and deals first"
    return {"drawn": {str(seat): card for seat, card in sorted(drawn.items())}, "dealer": dealer, "words": words}


def _drawn(given: object) -> dict[Seat, Card]:
    if given is None:
        return {}
    if not isinstance(given, dict):
        raise BadInput('drawn: this is not like {"1": 17, "2": 40}')
    cards = {parse_seat_key(seat, "drawn"): card for seat, card in given.items()}
    if any(type(card) is not int for card in cards.values()):
        raise BadInput("drawn: a card is a whole number")
    return cards
