"""Tests for scenes of the classic games in Chromium: their texts, and taps on them."""

import re
from collections.abc import Callable

import pytest
from msgspec.structs import replace
from playwright.sync_api import Page, expect

from tests.browser import faults
from tests.panel.pile_scenes import AIMED, SCENES, VARIANT
from tests.panel.scenes import scene
from tests.panel.shots import SIZES, OpenScenePage
from tests.support.own_variants import load_own

pytestmark = pytest.mark.browser

Look = Callable[..., Page]
OpenPilePage = Callable[..., Look]


@pytest.fixture
def open_pile_page(open_scene_page: OpenScenePage) -> OpenPilePage:
    """Return a function that sets a look, and returns a function that draws a scene in it."""

    def open_page(size: tuple[int, int], theme: str = "light", lang: str = "en") -> Look:
        def show(name: str, **panel: object) -> Page:
            variant = AIMED if "aimed" in name else VARIANT
            scene_data = scene(name, SCENES)
            scene_data["panel"] |= panel
            return open_scene_page(size, theme, lang, variant).draw(scene_data)

        return show

    return open_page


def test_a_range_is_shown_as_a_range_and_a_number_as_a_number(
    open_pile_page: OpenPilePage,
) -> None:
    show = open_pile_page(SIZES[0])
    ends = show("act-turn").locator(".pile-end")
    expect(ends).to_have_count(2)
    expect(show("act-turn").locator(".inside .tag")).to_have_count(0)
    page = show("act-owed")
    expect(page.locator(".pile-end .one-in")).to_have_text(["1 in 18", "1 in 18"])
    expect(page.locator(".inside")).to_contain_text("Kitten hidden")
    expect(page.locator(".paw")).to_have_count(4)
    page.click(".chances")
    expect(page.locator(".pile-sheet .side").first).to_contain_text(
        "1 in 18; more if a Kitten was put on top"
    )


def test_the_pile_on_the_smallest_phone_reacts_to_taps_around_it(
    open_pile_page: OpenPilePage,
) -> None:
    """The Italian hint has two lines there, so the pile is only 20 px wide."""
    page = open_pile_page(SIZES[0], lang="it")("act-eight")
    page.evaluate(faults.ARRIVED)
    assert page.evaluate(faults.TARGETS, faults.get_least_target_size(SIZES[0])) == []


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_a_combo_is_put_together_where_its_button_was_its_titles_of_one_size(
    open_pile_page: OpenPilePage, size: tuple[int, int]
) -> None:
    show = open_pile_page(size)
    dock = show("act-turn").locator(".dock.plays").bounding_box()
    page = show("combo-pair")
    builder = page.locator(".builder").bounding_box()
    captions = page.locator(".palette .caption")
    assert dock and builder
    assert dock["x"] - 8 <= builder["x"] + builder["width"] / 2 <= dock["x"] + dock["width"] + 8
    assert builder["y"] + builder["height"] >= dock["y"]
    sizes = captions.evaluate_all("all => all.map((one) => getComputedStyle(one).fontSize)")
    assert len(sizes) > 10 and len({*sizes}) == 1, sizes
    expect(page.locator(".chain")).to_be_visible(visible=size[0] >= 1200)


def test_on_a_phone_on_its_side_what_one_saw_is_noted_without_scrolling(
    open_pile_page: OpenPilePage,
) -> None:
    for lang in ("en", "it"):
        middle = open_pile_page((844, 390), lang=lang)("look-saw").locator(".middle")
        assert middle.evaluate("el => el.scrollHeight - el.clientHeight") == 0


def test_the_special_combos_are_those_of_the_box(
    open_pile_page: OpenPilePage, open_scene_page: OpenScenePage
) -> None:
    label = ".switch:has([name=special_combos])"
    expect(open_pile_page(SIZES[0])("lobby-host").locator(label)).to_contain_text("five different")
    for combos, text in ((("pair", "triple"), "any pair and three of a kind"), ((), None)):
        box = open_scene_page(SIZES[0], variant=replace(VARIANT, combos=combos))
        offered = box.draw(scene("lobby-host", SCENES)).locator(label)
        if text:
            expect(offered).to_have_text(re.compile(rf"^\s*Special combos: {text} The box"))
        else:
            expect(offered).to_have_count(0)


def test_how_to_play_explains_the_combos_of_this_game(open_scene_page: OpenScenePage) -> None:
    for combos, text in (
        (("pair", "triple"), "Two of a kind steal a card. Three of a kind ask for one by name."),
        (("pair", "five"), "Two of a kind steal a card."),
        (("triple",), "Three of a kind ask for a card by name."),
        ((), None),
    ):
        box = open_scene_page(SIZES[0], variant=replace(VARIANT, combos=combos))
        steps = box.draw(scene("help-begin", SCENES)).locator(".howto li")
        expect(steps).to_have_count(9 if text else 8)
        expect(steps.locator("svg")).to_have_count(9 if text else 8)
        expect(steps.filter(has_text="of a kind")).to_have_text([text] if text else [])


def test_a_noped_combo_is_one_play_whoever_played_it(open_pile_page: OpenPilePage) -> None:
    for lang, own, other in (
        ("en", "Ana Nopes a triple (Cattermelon), yours!", "Ana Nopes a triple (Cattermelon)!"),
        (
            "it",
            "Ana dice No! a un tris (Gattanguria), di mano tua",
            "Ana dice No! a un tris (Gattanguria)",
        ),
    ):
        show = open_pile_page(SIZES[0], lang=lang)
        expect(show("window-noped-own").locator(".now h1")).to_have_text(own)
        expect(show("window-noped").locator(".now h1")).to_have_text(other)


def test_a_combo_is_three_taps(open_pile_page: OpenPilePage) -> None:
    page = open_pile_page(SIZES[0])("act-turn")
    page.click("[data-do=combo]")
    page.click("[data-pick=tacocat]")
    expect(page.locator(".ways button")).to_have_count(2)
    expect(page.locator("[data-whom]")).to_have_count(3)


def test_looked_at_cards_can_be_reordered_by_finger_and_by_arrow_keys(
    open_pile_page: OpenPilePage,
) -> None:
    page = open_pile_page(SIZES[0])("look-alter")
    cards = page.locator(".places .slot")
    names = ["Exploding Kitten", "Rainbow-Ralphing Cat", "Draw from the Bottom"]

    def expect_order(*at: int) -> None:
        for place, number in enumerate(at):
            expect(cards.nth(place)).to_have_accessible_name(re.compile(names[number]))

    expect_order(0, 1, 2)
    page.get_by_role("button", name="Exploding Kitten: deeper").click()
    expect_order(1, 0, 2)
    first = cards.nth(0).bounding_box()
    last = cards.nth(2).bounding_box()
    assert first and last
    page.mouse.move(first["x"] + 20, first["y"] + 20)
    page.mouse.down()
    page.mouse.move(last["x"] + 20, last["y"] + 20, steps=6)
    page.mouse.up()
    expect_order(0, 2, 1)


def test_the_preparation_counts_the_boxs_cards_for_the_seated_players(
    open_pile_page: OpenPilePage,
) -> None:
    """The numbers are those of the rulebook."""
    show = open_pile_page(SIZES[0])
    expect(show("setup-guest").locator(".one-room")).to_contain_text("in one room, in one pile")
    steps = show("setup-guest").locator(".steps h2").all_inner_texts()
    assert "9 Kittens" in steps[0], "they have no paw print: out before anybody looks for one"
    assert "44" in steps[1] and "with a paw print" in steps[1]
    assert [step for step in steps if "the only cards without a paw print" in step]
    assert steps[-1].startswith("Shuffle: a pile of 22 cards")
    assert not any("left" in step for step in steps)
    steps = show("setup-ten").locator(".steps h2").all_inner_texts()
    assert [step for step in steps if "113" in step] and "a pile of 42 cards" in steps[-1]
    assert not any("without a paw print:" in step for step in steps)


def test_cats_come_first_among_the_cards_of_a_combo(open_pile_page: OpenPilePage) -> None:
    show = open_pile_page(SIZES[0])
    for name in ("combo-pair", "combo-five"):
        picks = show(name).locator("[data-pick]")
        cards = [pick.get_attribute("data-pick") or "" for pick in picks.all()]
        assert all("cat" in card for card in cards[:6]), (name, cards)
        assert len(cards) > 6 and not any("cat" in card for card in cards[6:]), (name, cards)


def test_a_count_that_the_box_does_not_give_is_marked_as_approximate(
    open_pile_page: OpenPilePage,
) -> None:
    """The older party pack states only its total, so its numbers of Attacks and Defuses are
    estimates."""
    show = open_pile_page(SIZES[0])
    paw = show("setup-guest").locator(".pile-list")
    paw.locator("summary").click()
    expect(paw).not_to_contain_text("about")
    page = show("setup-host").locator(".pile-list")
    page.locator("summary").click()
    expect(page.locator(".chip", has_text="Attack")).to_contain_text("≈7×")
    expect(page.locator(".chip", has_text="Skip")).to_contain_text("6×")
    expect(page.locator(".chip", has_text="Skip")).not_to_contain_text("≈")
    expect(page).to_contain_text("≈ about: count yours")


def test_the_lobby_quotes_the_box_beside_the_special_combos_switch(
    open_scene_page: OpenScenePage,
) -> None:
    box = (
        (VARIANT, "for after your first game"),
        (load_own("original-56"), "beyond this box"),
    )
    for variant, words in box:
        scene_page = open_scene_page(SIZES[0], variant=variant)
        page = scene_page.draw(scene("lobby-host", SCENES))
        expect(page.locator(".switch:has([name=special_combos]) [data-remark]")).to_contain_text(
            words
        )


def test_without_the_odds_the_pile_shows_and_says_its_number_of_kittens(
    open_scene_page: OpenScenePage,
) -> None:
    """The host has switched the option ``odds`` off."""
    scene_data = scene("act-turn", SCENES)
    view = scene_data["view"]
    for odds in (view["pile"], view["you"]["odds"]):
        del odds["top"], odds["bottom"]
    view["options"]["odds"] = False
    words = "The pile: 37 cards, Kittens among them: 3"
    page = open_scene_page(SIZES[0], variant=VARIANT).draw(scene_data)
    expect(page.locator(".chances")).to_have_accessible_name(words)
    page.click(".chances")
    expect(page.locator(".pile-sheet")).to_contain_text(words)
    expect(page.locator(".pile-sheet")).not_to_contain_text("odds.")
