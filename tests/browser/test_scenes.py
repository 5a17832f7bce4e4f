"""Tests for scenes of the draw grid in Chromium: their texts, taps on them, and their speed."""

import re

import pytest
from playwright.sync_api import FloatRect, expect

from tests.panel.scenes import ASSAULT, VARIANT
from tests.panel.shots import SIZES, OpenScenePage
from tests.support.painting import take_screenshot
from tests.support.timed import LENIENCE

pytestmark = pytest.mark.browser

EMBLEMS = """([all, within, words]) =>
  [...document.querySelectorAll(all)].map((el) => {
    const fill = el.querySelector(within).getAttribute("fill");
    return [el.querySelector(words).textContent.trim().slice(0, 3), fill];
  })"""
"""Returns the first letters of each name, and the colour of its emblem."""

LINES = """(where) => [...document.querySelectorAll(where)].map((el) => {
  const line = parseFloat(getComputedStyle(el).lineHeight);
  const fits = el.scrollHeight <= el.clientHeight + 1 && el.scrollWidth <= el.clientWidth + 1;
  return [fits, Math.round(el.clientHeight / line)];
})"""
"""Returns whether each name fits, and its number of lines."""


def test_help_begins_with_how_to_play_and_follows_the_sheet(open_scene_page: OpenScenePage) -> None:
    page = open_scene_page(SIZES[0]).show("help-begin")
    pictures = page.locator(".sheet .howto li")
    expect(pictures).to_have_count(8)
    assert all(pictures.nth(i).locator("svg").is_visible() for i in range(8))
    titles = page.locator(".cards-help dt").all_inner_texts()
    assert titles == [VARIANT.words.cards[card.id].title for card in VARIANT.cards]
    assert page.locator(".sheet h4").all_inner_texts() == [
        VARIANT.words.topics[topic.id] for topic in VARIANT.topics
    ]
    slugs = page.locator(".rulings > div").evaluate_all("all => all.map((one) => one.id.slice(7))")
    assert slugs == [ruling for topic in VARIANT.topics for ruling in topic.rulings]


def test_a_ruling_names_its_source(open_scene_page: OpenScenePage) -> None:
    page = open_scene_page(SIZES[0]).show("help-begin")
    whose = {"grid-shrinks": "rule sheet", "safe-draw": "base game", "hold": "House rule"}
    for ruling, source in whose.items():
        expect(page.locator(f"#ruling-{ruling} .source")).to_contain_text(source)
    expect(page.locator(".rulings .source")).to_have_count(len(VARIANT.sources))


def test_the_foot_of_a_page_hides_the_text_behind_it_in_forced_colours(
    open_scene_page: OpenScenePage,
) -> None:
    scene_page = open_scene_page(SIZES[0])
    scene_page.page.emulate_media(forced_colors="active")
    foot = scene_page.show("over-winner").locator(".foot")
    colour = foot.evaluate("(el) => getComputedStyle(el).backgroundColor")
    assert colour.startswith("rgb("), "the foot is transparent"


def test_a_switch_shows_its_state_in_forced_colours(open_scene_page: OpenScenePage) -> None:
    """Both kinds of switches: a button, and a checkbox with a label."""
    scene_page = open_scene_page(SIZES[0])
    scene_page.page.emulate_media(forced_colors="active")
    page = scene_page.show("lobby-nobody-host")
    page.locator("[data-fold=options] summary").click()
    for switch in ("[data-deck=nobody]", ".switch:has([name=odds])"):
        part = page.locator(switch).locator(".knob, input")
        knob = part.evaluate(
            """(part) => [undefined, "::after"].map(
              (pseudo) => getComputedStyle(part, pseudo).backgroundColor)"""
        )
        assert knob[0] != knob[1], f"{switch} has a knob of the colour of its ground"
        page.locator(switch).evaluate(
            "(one) => { one.ariaChecked = 'false'; const box = one.querySelector('input');"
            "if (box) box.checked = false; }"
        )
        off = part.evaluate("(part) => getComputedStyle(part).backgroundColor")
        assert off != knob[0]


def test_an_empty_search_of_the_help_offers_all_entries(open_scene_page: OpenScenePage) -> None:
    page = open_scene_page(SIZES[0]).show("help-found")
    expect(page.locator(".rulings > div").first).to_have_id("ruling-yup")
    page.get_by_role("searchbox").fill("poker")
    expect(page.locator(".sheet").get_by_role("status")).to_contain_text("poker")
    expect(page.locator(".rulings > div, .howto")).to_have_count(0)
    page.get_by_role("button", name="Show everything").click()
    expect(page.locator(".howto")).to_be_visible()
    expect(page.get_by_role("searchbox")).to_have_value("")


def test_help_opens_at_the_ruling_that_is_asked_for(open_scene_page: OpenScenePage) -> None:
    page = open_scene_page(SIZES[0]).show("help-ruling")
    ruling = page.locator("#ruling-yup")
    expect(ruling).to_be_in_viewport(ratio=1)
    expect(ruling).to_be_focused()
    expect(page.locator(".rulings .asked")).to_have_count(1)


def test_a_viewer_of_the_end_reads_that_the_game_is_over(open_scene_page: OpenScenePage) -> None:
    foot = open_scene_page(SIZES[0]).show("over-spectator").locator(".foot")
    expect(foot).to_contain_text("It’s over. Play the next one?")
    expect(foot.locator("[data-do=wait]")).to_be_in_viewport()


def test_boom_mentions_a_defuse_in_hand_and_asks_once_more(open_scene_page: OpenScenePage) -> None:
    page = open_scene_page(SIZES[0]).show("kitten-turn")
    page.click("[data-ask=explode]")
    expect(page.locator(".sure [role=alert]")).to_contain_text("Defuse is in this hand")
    expect(page.locator(".sure .danger")).to_be_focused()
    page.click(".sure [data-back]")
    expect(page.locator("[data-ask=explode]")).to_be_focused()


def test_where_boom_is_the_only_move_one_tap_is_enough(open_scene_page: OpenScenePage) -> None:
    scene_page = open_scene_page(SIZES[0])
    for name in ("kitten-out", "deck-kitten-out"):
        page = scene_page.show(name)
        expect(page.locator(".now h1")).to_have_text("Your Kitten, and no Defuse.")
        expect(page.locator(".dock button")).to_have_count(1)
        expect(page.locator(".dock [data-say=explode]")).to_be_visible()


OWED = {
    "en": ("One more turn after this one", "Another turn, after the Attack"),
    "it": ("Dopo questo, un altro turno", "Un altro turno (Attacco)"),
}


@pytest.mark.parametrize("lang", OWED)
def test_an_owed_turn_is_shown_to_all_with_the_attacks_picture(
    open_scene_page: OpenScenePage, lang: str
) -> None:
    scene_page = open_scene_page((320, 568), lang=lang, variant=ASSAULT)
    more, again = OWED[lang]
    texts = {
        "owed-turn": more, "owed-other": more, "deck-owed": more,
        "owed-again": again, "owed-again-other": again,
    }  # fmt: skip
    for name, text in texts.items():
        page = scene_page.show(name)
        owed = page.locator(".now [data-owed]")
        assert owed.inner_text().strip() == text, name
        assert owed.locator(".art-badge rect").evaluate(
            "(rect) => getComputedStyle(rect).fill"
        ) == "rgb(240, 136, 62)", name  # fmt: skip
    headline = scene_page.show("owed-again").locator(".now h1").inner_text()
    assert ("again" if lang == "en" else "ancora") in headline


def test_an_attack_has_its_picture_on_a_draw_grid_too(open_scene_page: OpenScenePage) -> None:
    attack = (
        open_scene_page((320, 568), variant=ASSAULT).show("owed-play").locator("[data-play=attack]")
    )
    expect(attack.locator(".art-badge")).to_be_visible()
    assert attack.evaluate("(card) => getComputedStyle(card).getPropertyValue('--hue')")


def test_playing_a_real_card_prompts_to_hold_it_up(open_scene_page: OpenScenePage) -> None:
    scene_page = open_scene_page(SIZES[0])
    expect(scene_page.show("window-own").locator(".dock .quiet")).to_have_text(
        "Hold it up to the camera."
    )


def test_looking_at_a_card_prompts_to_put_it_back_in_its_place(
    open_scene_page: OpenScenePage,
) -> None:
    hint = open_scene_page((320, 568)).show("look-turn").locator(".now .hint")
    expect(hint).to_have_text("Tap the one you look at, and put it back in the same place.")


def test_a_sentence_explains_the_percentages_until_it_was_read(
    open_scene_page: OpenScenePage,
) -> None:
    page = open_scene_page(SIZES[0]).show("odds-turn")
    expect(page.locator(".lesson")).to_contain_text("how likely it’s the Kitten")
    page.click("[data-do=odds-read]")
    expect(page.locator(".lesson")).to_have_count(0)
    assert page.evaluate("JSON.parse(localStorage['hiss.prefs']).oddsHint") == ""


def test_among_ten_a_favor_asks_whose_card_before_which(open_scene_page: OpenScenePage) -> None:
    page = open_scene_page(SIZES[0]).show("act-ten-aim")
    assert not page.locator(".targets .cell.able").count()
    page.click("[data-whom=s5]")
    expect(page.locator(".stage .grid.large [data-cell].able")).to_have_count(5)
    page.get_by_label("Somebody else’s card").click()
    expect(page.locator("[data-whom]")).to_have_count(9)


@pytest.mark.parametrize("size", SIZES[:2], ids=lambda size: f"{size[0]}x{size[1]}")
def test_a_name_has_as_many_letters_as_fit_on_two_lines(
    open_scene_page: OpenScenePage, size: tuple[int, int]
) -> None:
    scene_page = open_scene_page(size, "light")
    for name in ("act-ten-aim", "act-five-aim", "act-ten-whom"):
        page = scene_page.show(name)
        lines = page.evaluate(LINES, ".target-name .lines, .frame-head .lines")
        assert lines, name
        assert all(fits or count == 2 for fits, count in lines), (name, lines)
    short = scene_page.show("setup-nobody").locator(".cameras .who")
    assert short.evaluate_all("all => all.map((el) => el.scrollWidth > el.clientWidth)") == [
        False,
        False,
    ]
    name = scene_page.show("act-ten").locator(".tile-name bdi").last
    box = name.bounding_box()
    assert box
    foot = {**box, "y": box["y"] + box["height"] - 3, "height": 3}
    drawn = take_screenshot(page, clip=foot)
    name.evaluate("(el) => { el.style.clipPath = 'inset(0 0 1px)'; }")
    assert take_screenshot(page, clip=foot) == drawn, "the tops of a third line are visible"
    page = scene_page.show("act-ten", {"sheet": {"kind": "chain"}})
    above = page.locator(".ring-name.center")
    assert [above.nth(at).evaluate("el => el.scrollWidth - el.clientWidth") for at in (0, 1)] == [
        0,
        0,
    ]


def test_ten_players_wear_the_same_ten_emblems_everywhere(open_scene_page: OpenScenePage) -> None:
    scene_page = open_scene_page(SIZES[0])
    page = scene_page.show("act-ten", {"sheet": {"kind": "chain"}})
    tiles = page.evaluate(EMBLEMS, [".tile", "circle", "bdi"])
    ring = page.evaluate(EMBLEMS, [".ring-seat", ".emblem-ground", ".ring-name"])
    recap = scene_page.show("over-ten").evaluate(EMBLEMS, [".story-fates li", "circle", "bdi"])
    assert len({colour for _, colour in tiles}) == 10
    assert sorted(tiles) == sorted(ring) == sorted(recap)
    page = scene_page.show("act-ten", {"sheet": {"kind": "log"}})
    lines = page.locator(".log li", has=page.locator(".art-emblem"))
    assert "Abigail" in lines.first.inner_text()
    of_abigail = lines.first.locator("circle").get_attribute("fill")
    assert ["Abi", of_abigail] in tiles


@pytest.mark.parametrize("size", SIZES[2:], ids=lambda size: f"{size[0]}x{size[1]}")
def test_a_wide_window_is_used(open_scene_page: OpenScenePage, size: tuple[int, int]) -> None:
    scene_page = open_scene_page(size)

    def get_box(parts: str) -> FloatRect:
        rectangle = page.locator(parts).first.bounding_box()
        assert rectangle, parts
        return rectangle

    for name in ("act-turn", "act-ten"):
        page = scene_page.show(name)
        assert get_box(".chain .grid")["width"] >= 84, name
        assert get_box(".chain")["x"] + get_box(".chain")["width"] <= get_box(".stage")["x"], name
        assert get_box(".brand")["x"] == get_box(".chain")["x"], name
    for name, left, right in (
        ("lobby-host", ".invite", ".people"),
        ("setup-host", ".steps > li:first-child", ".steps > li:last-child"),
        ("over-host", ".winner", ".story"),
    ):
        page = scene_page.show(name)
        assert get_box(left)["x"] + get_box(left)["width"] <= get_box(right)["x"], name
        assert get_box(".brand")["x"] == min(get_box(left)["x"], get_box("main > .panel")["x"]), (
            name
        )


RECAP = """() => {
  const drawn = document.querySelector(".lanes");
  const box = (el) => el.getBoundingClientRect();
  const whole = box(drawn);
  const texts = [...drawn.querySelectorAll("text")];
  const out = texts.filter((el) => box(el).left < whole.left || box(el).right > whole.right + 0.5);
  const meet = (a, b, from, to) => a[from] < b[to] && b[from] < a[to];
  const over = (a, b) => meet(a, b, "left", "right") && meet(a, b, "top", "bottom");
  const names = [...drawn.querySelectorAll(".lane-name")];
  const lines = [...drawn.querySelectorAll(".lane, .reach, .moment")];
  return {
    out: out.map((el) => el.textContent),
    crossed: names.filter((name) => lines.some((line) => over(box(line), box(name)))).length,
    empty: drawn.parentElement.clientWidth - whole.width,
    names: names.map((name) => name.querySelector("title").textContent),
    winner: drawn.querySelector(".recap-title").textContent,
    signs: [...drawn.querySelectorAll(":scope > g:last-of-type text")].length,
    when: drawn.querySelector(".recap-when").textContent,
    where: drawn.querySelector(".recap-where").textContent,
  };
}"""


@pytest.mark.parametrize("size", SIZES)
def test_the_recap_is_complete_and_overlaps_no_name(
    open_scene_page: OpenScenePage, size: tuple[int, int]
) -> None:
    """The recap is a picture with the winner, all players, a legend, the date and the link."""
    scene_page = open_scene_page(size)
    for name, winner in (("over-host", "Ben"), ("over-ten", "Abigail")):
        page = scene_page.show(name)
        recap = page.evaluate(RECAP)
        assert (recap["out"], recap["crossed"], recap["empty"] > 1) == ([], 0, False)
        assert recap["winner"].startswith(winner)
        assert len(recap["names"]) == page.locator(".story-fates li").count()
        assert recap["signs"] == 8
        assert (recap["when"], recap["where"]) == ("21 September 2026", "table.test/t/KXQF7H")
        assert page.locator(".award").count() >= 1
        assert page.locator(".luck").count() == 0


@pytest.mark.timed
def test_a_view_of_ten_players_is_drawn_within_8_ms(open_scene_page: OpenScenePage) -> None:
    page = open_scene_page(SIZES[0]).show("act-ten")
    page.evaluate("measureDrawing(50)")
    assert min(page.evaluate("measureDrawing(100)") for _ in range(3)) < 8 * LENIENCE


def test_a_search_in_the_help_keeps_the_focus_after_a_link_to_a_ruling(
    open_scene_page: OpenScenePage,
) -> None:
    page = open_scene_page(SIZES[0]).show("refused")
    page.get_by_role("button", name="Why?").click()
    expect(page.locator(".rulings .asked")).to_be_focused()
    search = page.locator(".search")
    search.click()
    page.keyboard.type("card")
    expect(search).to_have_value("card")
    search.clear()
    expect(search).to_be_focused()


def test_the_sheet_of_the_next_game_says_that_nobody_waits(open_scene_page: OpenScenePage) -> None:
    page = open_scene_page(SIZES[0]).show("act-turn-host", {"sheet": {"kind": "wait"}})
    expect(page.locator(".sheet-body")).to_have_text(re.compile("Nobody"))
