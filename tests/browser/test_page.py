"""The page as people see it, driven in a real browser."""

from dataclasses import replace

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from engine.cards import Seat
from engine.snapshot import Snapshot
from tests.browser.conftest import Page
from tests.webui import tables
from webui.desk import Answer, Order

pytestmark = pytest.mark.browser

SCENES = [
    tables.waiting(),
    tables.playing(),
    tables.checking(),
    tables.false_call(),
    tables.round_over(),
    tables.game_over(),
    tables.lost(),
    tables.with_powers(),
    tables.partners(tables.playing()),
    tables.partners(tables.round_over()),
    tables.partners(tables.game_over()),
    tables.quick(tables.playing()),
    tables.quick(tables.game_over()),
]


def names(page: Page) -> list[str]:
    return page.texts("#players .name")


@pytest.mark.slow
def test_the_state_is_shown_on_connect(page: Page) -> None:
    page.open(tables.playing(2, to_move=1))
    assert page.headline() == "Ada\N{RIGHT SINGLE QUOTATION MARK}s turn"
    assert page.find("#about").text == "Round 5 · to 500 points"
    assert page.find("#rules").text == "Parker 1992"
    assert names(page) == ["Ada", "Ben"]
    assert [words.split()[0] for words in page.texts("#players .total")] == ["140", "115"]
    assert page.texts("#players [aria-current] .name") == ["Ada"]
    assert page.find(".card-number").text == "35"
    assert page.texts("#plays li")[0] == "Ben drew from the pile and discarded 35"
    assert page.find("#call").is_enabled()


def test_a_change_at_the_table_changes_the_page(page: Page) -> None:
    page.open(tables.playing(2, to_move=1))
    page.publish(replace(tables.playing(2, to_move=2), version=11, discard=None))
    assert page.headline().startswith("Ben")
    assert page.texts("#players [aria-current] .name") == ["Ben"]
    assert page.find("#pile").text.startswith("no card seen")
    assert "Ben" in str(page.script("return document.getElementById('said').textContent"))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_everybody_at_the_table_has_a_line(page: Page, players: int) -> None:
    page.open(tables.playing(players))
    assert len(names(page)) == players


def test_a_name_is_text_and_never_markup(page: Page) -> None:
    page.open(tables.round_over())
    assert page.texts("#racks .name")[3] == "<script>alert(1)</script>"
    assert page.script("return document.scripts.length") == 1
    page.publish(tables.playing())
    assert names(page)[3] == "<script>alert(1)</script>"


def test_racko_asks_who_and_tells_the_table(page: Page) -> None:
    page.open(tables.playing())
    page.find("#call").click()
    assert page.find("#who").is_displayed()
    assert page.texts("#who-names button") == list(tables.NAMES)
    page.browser.find_elements(By.CSS_SELECTOR, "#who-names button")[1].click()
    page.until(lambda: page.desk.calls, "the call never came")
    page.until(lambda: not page.seen("#who"), "the question never went away")
    assert page.desk.calls == [2]


def test_nobody_called_after_all(page: Page) -> None:
    page.open(tables.playing())
    page.find("#call").click()
    page.find("#who-cancel").click()
    assert not page.seen("#who")
    page.find("#call").click()
    page.focused().send_keys(Keys.ESCAPE)
    page.until(lambda: not page.seen("#who"), "Escape did not close the question")
    assert page.desk.calls == []


def test_racko_can_be_called_by_keyboard_alone(page: Page) -> None:
    page.open(tables.playing(2))
    page.script("document.getElementById('show-evening').focus()")
    for expected in ("a.tool", "#call"):
        page.focused().send_keys(Keys.TAB)
        assert page.focused() == page.find(expected)
    outline = page.script("return getComputedStyle(document.activeElement).outlineStyle")
    assert outline == "solid"
    page.focused().send_keys(Keys.ENTER)
    assert page.focused().text == "Ada"
    page.focused().send_keys(Keys.TAB)
    page.focused().send_keys(Keys.ENTER)
    page.until(lambda: page.desk.calls == [2], "the call never came")


def test_a_call_that_the_table_refuses_says_so_and_leaves_the_question_open(page: Page) -> None:
    def broken(_order: Order, _seat: Seat | None) -> Answer:
        raise ZeroDivisionError

    page.open(tables.playing(2))
    page.desk.answering = broken
    page.find("#call").click()
    page.find("#who-names button").click()
    page.until(lambda: page.find("#who-error").text, "nothing was said")
    assert page.find("#who-error").text.startswith("Something went wrong inside")
    assert page.find("#who").is_displayed()


def test_while_a_call_is_checked_the_button_rests_and_an_open_question_closes(page: Page) -> None:
    page.open(tables.playing())
    page.find("#call").click()
    page.publish(tables.checking())
    assert not page.seen("#who")
    assert page.headline() == "Ben calls RACK-O!"
    assert page.find("#detail").text == "The racks are being looked at…"
    assert page.find("#call").text == "Checking…"
    assert not page.find("#call").is_enabled()


def test_a_false_call_looks_different_from_a_true_one_and_goes_with_the_next_play(page: Page) -> None:
    page.open(tables.checking())
    page.publish(tables.false_call())
    assert page.find("#notice").is_displayed()
    assert page.find("#notice h2").text == "False call"
    assert page.find("#notice p").text == tables.FALSE_CALL.text
    assert not page.seen("#racks")
    assert not page.seen("#kicker")
    play = replace(tables.PLAYS[-1], number=6, seat=3)
    page.publish(replace(tables.false_call(), version=20, plays=(*tables.PLAYS, play)))
    assert page.find("#notice").is_displayed(), "a play that comes with the notice does not hide it"
    page.script("performance.now = () => 1e9")  # a while later
    play = replace(play, number=7, seat=4)
    page.publish(replace(tables.false_call(), version=21, plays=(*tables.PLAYS, play)))
    assert not page.seen("#notice")
    assert page.texts("#notes .note-text") == [tables.FALSE_CALL.text]
    page.publish(replace(tables.round_over(), version=22))
    assert not page.seen("#notice")
    assert page.find("#kicker").text == "RACK-O!"


def test_a_notice_goes_when_somebody_has_understood_it_and_the_next_one_shows(page: Page) -> None:
    page.open(tables.false_call())
    page.find("#notice-close").click()
    assert not page.seen("#notice")
    page.publish(replace(tables.false_call(), version=20))
    assert not page.seen("#notice")
    page.publish(replace(tables.false_call(), version=21, notices=(tables.FALSE_CALL, tables.WRONG_TURN)))
    assert page.find("#notice h2").text == "Wrong turn"


def test_at_the_rounds_end_each_rack_is_shown_with_what_scored_and_where_the_order_broke(page: Page) -> None:
    page.open(tables.playing())
    assert page.texts("#racks *") == []
    page.publish(tables.round_over())
    assert page.headline() == "Ada goes out"
    assert page.texts("#racks .gain") == ["+75", "+30", "+5", "+20"]
    assert page.texts("#racks .why") == [rack.why for rack in tables.RACKS]
    ben = page.browser.find_elements(By.CSS_SELECTOR, "#racks .panel")[1]
    cards = [card.text for card in ben.find_elements(By.CSS_SELECTOR, ".tile-card")]
    assert cards == [str(card) for card in tables.RACKS[1].cards]
    assert [card.text for card in ben.find_elements(By.CSS_SELECTOR, ".tile-broke .tile-card")] == ["22"]
    assert len(ben.find_elements(By.CSS_SELECTOR, ".tile-scores")) == 6
    assert page.texts("#racks .tile-card")[35] == "?"
    assert not page.seen("#call")


def test_with_the_next_round_no_card_of_the_last_racks_stays_in_the_page(page: Page) -> None:
    page.open(tables.round_over())
    page.publish(replace(tables.playing(), version=20, round=6, discard=None, plays=()))
    text = str(page.script("return document.documentElement.textContent"))
    assert tables.WHY[1] not in text
    assert page.script("return document.getElementById('racks').childNodes.length") == 0


def test_the_winner_is_named_when_the_game_is_over(page: Page) -> None:
    page.open(tables.game_over())
    assert page.headline() == "Ada wins the game"
    page.find("#show-racks").click()
    assert page.texts(".panel.won .name") == ["Ada"]
    page.publish(replace(tables.game_over(), version=20, racks=()))
    assert page.texts(".player.won .name") == ["Ada"]


def test_partners_are_shown_as_pairs_with_one_total(page: Page) -> None:
    page.open(tables.partners(tables.playing()))
    assert page.find("#rules").text == "Parker 1992 · bonus, partners"
    assert names(page) == [tables.NAMES[seat - 1] for seat in (1, 3, 2, 4)]
    assert [words.split()[0] for words in page.texts("#players .total")] == ["280", "265"]
    assert page.texts("#players [aria-current] .name") == [tables.NAMES[2]]
    page.publish(tables.partners(tables.round_over()))
    pairs = [f"Ada and {tables.NAMES[2]}", f"Ben and {tables.NAMES[3]}"]
    assert page.texts("#racks .pair-head .name") == pairs
    assert [words.split()[-1] for words in page.texts("#racks .panel-total")] == ["360", "315"]
    assert page.texts("#racks .gain") == ["+75", "+5", "+30", "+20"]
    page.publish(tables.partners(tables.game_over()))
    assert page.headline() == f"Ada and {tables.NAMES[2]} win the game"
    page.find("#show-racks").click()
    assert page.texts(".panel.won .panel-head .name") == ["Ada", tables.NAMES[2]]


def test_a_quick_game_shows_no_points(page: Page) -> None:
    page.open(tables.quick(tables.playing()))
    assert page.find("#rules").text == "Hasbro 2006 · quick"
    assert page.texts("#players .total, #players .rounds, #players .bar") == []
    page.publish(tables.quick(tables.game_over()))
    assert page.texts(".player.won .name") == ["Ada"]
    page.find("#show-racks").click()
    assert page.texts("#racks .gain, #racks .panel-total") == []
    assert page.texts("#racks .why") == ["went out and wins"]
    assert not page.seen(".keys")
    assert "counts" not in str(page.script("return document.getElementById('racks').textContent"))


def test_a_used_power_and_a_pile_turned_over_are_told_with_the_play(page: Page) -> None:
    page.open(tables.with_powers())
    assert page.texts(".play-more") == [
        "Prime card: another turn.",
        "Prime card: two cards of Ben changed places.",
        "The discard pile was turned over. Prime card: a card of Ada and one of Ben changed places.",
    ]
    assert "Prime card: another turn." in str(page.script("return document.getElementById('said').textContent"))


def test_a_lost_thread_is_told_calmly_and_no_ones_turn_is_marked(page: Page) -> None:
    page.open(tables.lost())
    assert page.headline() == "Play on"
    assert page.find("#detail").text.startswith("The referee has lost the thread")
    assert not page.seen("#notice")
    assert page.texts("[aria-current]") == []
    assert page.find("#pile").text.startswith("no card seen")
    assert page.find("#call").is_enabled()
    page.publish(replace(tables.playing(), version=20))
    assert page.headline().endswith("turn")


def test_a_round_that_goes_on_after_all_leaves_no_card_of_its_racks_in_the_page(page: Page) -> None:
    page.open(tables.round_over())
    page.publish(replace(tables.false_call(), version=20))
    assert page.find("#notice h2").text == "False call"
    assert page.script("return document.getElementById('racks').childNodes.length") == 0
    totals = [str(line.total) for line in tables.playing().players]
    assert [words.split()[0] for words in page.texts("#players .total")] == totals


def test_the_page_is_dark_where_the_person_prefers_it(page: Page) -> None:
    page.open(tables.playing())
    ground = "return getComputedStyle(document.documentElement).backgroundColor"
    assert page.script(ground) == "rgb(243, 238, 226)"
    page.prefer(color_scheme="dark")
    page.until(lambda: page.script(ground) == "rgb(15, 20, 27)", "the page never turned dark")


def test_nothing_moves_where_the_person_prefers_that(page: Page) -> None:
    page.open(tables.checking())
    moving = "return document.getAnimations().length"
    assert page.script(moving) == 1
    page.prefer(color_scheme="light", reduced_motion="reduce")
    page.until(lambda: page.script(moving) == 0, "something still moves")


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_tablet_shows_everything_without_scrolling_and_a_phone_scrolls_down_only(page: Page, players: int) -> None:
    page.open(tables.waiting(players))
    high = "return document.documentElement.scrollHeight"
    inner = "return document.documentElement.clientWidth"
    wide = "return document.documentElement.scrollWidth"
    for version, scene in enumerate(scenes_of(players), start=100):
        page.publish(replace(scene, version=version))
        page.size(1280, 800)
        assert (page.script(wide), page.script(high)) == (1280, 800), (scene.phase, scene.variants)
        page.size(360, 780)
        assert page.script(wide) == page.script(inner), (scene.phase, scene.variants)


def scenes_of(players: int) -> list[Snapshot]:
    kinds = (
        tables.playing, tables.checking, tables.false_call, tables.round_over, tables.game_over, tables.long_name_wins,
        tables.lost, tables.with_powers,
    )  # fmt: skip
    scenes = [kind(players) for kind in kinds]
    return [*scenes, *map(tables.quick, scenes), *(map(tables.partners, scenes) if players == 4 else ())]


def test_the_browser_has_nothing_to_complain_about(page: Page) -> None:
    page.open(SCENES[0])
    for version, scene in enumerate(SCENES, start=100):
        page.publish(replace(scene, version=version))
    page.find("body").send_keys(Keys.TAB)
    assert page.complaints() == []
