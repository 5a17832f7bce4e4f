"""A page's content is complete, overlaps nothing and is visible without scrolling."""

import json
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.panel import pile_scenes
from tests.panel.scenes import (
    FOUR,
    TEN,
    Play,
    begin_game,
    explode_until_over,
    finish_game,
    get_turn_names,
    play_turns,
    prepare_game,
    scene,
)
from tests.panel.shots import OpenScenePage
from tests.support.chromium import wait_for_truth
from tests.support.painting import take_screenshot

pytestmark = pytest.mark.browser

SMALL = (320, 568)
PHONE = (390, 844)
TABLET = (820, 1180)
LAPTOP = (1280, 800)
DEEP = ("Gyp", "Jyggq", "Pgyq", "Qpjg")
"""Names with letters that reach below the baseline."""


def build_scene(play: Play, name: str | None, **panel: Any) -> dict[str, Any]:
    """Return a scene with this table as the player sees it."""
    view = play.view(name)
    seats = {seat["seat"]: "here" for seat in view["seats"] if seat["panel"]}
    return {"view": view, "presence": {"seats": seats, "spectators": 0}, "panel": panel}


UNCUT = """([where, overflow]) => {
  const all = [...document.querySelectorAll(where)].filter((el) => el.clientHeight);
  for (const el of all) el.style.overflow = overflow;
  return all.length;
}"""


def is_cut(page: Page, where: str) -> bool:
    """Return True if the page looks different without clipping, which means that some of the
    element's text is cut off."""
    before = take_screenshot(
        page,
    )
    assert page.evaluate(UNCUT, [where, "visible"]), where
    after = take_screenshot(
        page,
    )
    page.evaluate(UNCUT, [where, ""])
    return before != after


def test_no_letter_of_a_name_is_cut_off_below(open_scene_page: OpenScenePage) -> None:
    scene_page = open_scene_page(SMALL, scale=2)
    for size in (SMALL, PHONE, TABLET, LAPTOP):
        scene_page.change_look(size, "light", "en")
        page = scene_page.draw(build_scene(begin_game(DEEP), DEEP[0]))
        for where in (".frame-head .lines", ".tile-name bdi"):
            assert not is_cut(page, where), (size, where)


OVER = r"""() => [...document.querySelectorAll("b")]
  .filter((el) => /^\s*(×\d+|\d+×)\s*$/.test(el.textContent) && el.closest(".press"))
  .flatMap((el) => {
    const [range, own] = [document.createRange(), el.closest(".press")];
    range.selectNodeContents(el);
    const count = range.getBoundingClientRect();
    return [...own.querySelectorAll("svg")].map((icon) => {
      const face = icon.getBoundingClientRect();
      const across = Math.min(count.right, face.right) - Math.max(count.left, face.left);
      const down = Math.min(count.bottom, face.bottom) - Math.max(count.top, face.top);
      const inside = own.getBoundingClientRect().right - count.right;
      return { over: across > 0 && down > 0, inside: inside > 0 };
    });
  })"""
"""Returns, for each number of copies on a card's button, whether it overlaps the card's picture and
whether it lies inside the button."""


def test_a_number_of_copies_lies_over_no_picture(open_scene_page: OpenScenePage) -> None:
    for size in (SMALL, PHONE, LAPTOP):
        grid = open_scene_page(size)
        pile = open_scene_page(size, variant=pile_scenes.VARIANT)
        for scene_page, name, scenes in (
            (grid, "deck-act", None),
            (grid, "deck-act-full", None),
            (pile, "combo-five-all", pile_scenes.SCENES),
            (pile, "kitten-told", pile_scenes.SCENES),
        ):
            result = scene_page.draw(scene(name, scenes) if scenes else scene(name)).evaluate(OVER)
            assert result == [{"over": False, "inside": True}] * len(result), (size, name)
            assert result, (size, name)


def test_a_tablet_upright_shows_a_grid_over_most_of_its_width(
    open_scene_page: OpenScenePage,
) -> None:
    scene_page = open_scene_page(TABLET)
    for name in ("tell-instructor", "act-turn", "deck-act"):
        felt = scene_page.show(name).locator(".stage .felt").bounding_box()
        assert felt and felt["width"] > 0.7 * TABLET[0], (name, felt)
        assert scene_page.page.evaluate("document.documentElement.scrollHeight") <= TABLET[1]


LOOK = """(where) => [...document.querySelectorAll(where)].map((el) => {
  const { backgroundColor, textDecorationLine } = getComputedStyle(el);
  return [backgroundColor, textDecorationLine];
})"""


@pytest.mark.parametrize("lang", ["en", "it"])
def test_a_name_in_a_headline_stands_out_from_the_words_around_it(
    open_scene_page: OpenScenePage, lang: str
) -> None:
    """A name can equal a word of the sentence: "Pesca pesca" is Italian for "Pesca draws"."""
    scene_page = open_scene_page(SMALL, lang=lang)
    play = prepare_game(("Ana", "Cleo", "Dora", "Pesca")).begin("Ana", "Pesca")
    page = scene_page.draw(build_scene(play.send("Dora", "instruct", cell=(0, 0)), "Cleo"))
    expect(page.locator(".now h1")).to_contain_text("Pesca")
    [around] = page.evaluate(LOOK, ".now h1")
    result = page.evaluate(LOOK, ".now h1 .who")
    assert result and around not in result


FIRST = """(where) => {
  const sheet = document.querySelector(".sheet-body");
  return [...document.querySelectorAll(where)].map((el) =>
    el.getBoundingClientRect().bottom <= sheet.getBoundingClientRect().bottom && !sheet.scrollTop);
}"""
"""Returns whether each element is visible in a sheet that hasn't been scrolled."""


@pytest.mark.parametrize("size", [SMALL, PHONE, LAPTOP], ids=str)
def test_the_hosts_actions_on_a_seat_are_in_the_first_screenful(
    open_scene_page: OpenScenePage, size: tuple[int, int]
) -> None:
    for lang in ("en", "it"):
        page = open_scene_page(size, lang=lang).show(
            "act-instructor", {"sheet": {"kind": "seat", "seat": "s3"}}
        )
        expect(page.locator(".odds")).to_be_attached()
        assert page.evaluate(FIRST, ".deeds .press") == [True] * 4


def test_the_hosts_role_is_passed_on_only_after_a_question(open_scene_page: OpenScenePage) -> None:
    page = open_scene_page(SMALL).show("act-instructor", {"sheet": {"kind": "seat", "seat": "s3"}})
    expect(page.locator("[data-say=pass_host]")).to_have_count(0)
    page.click("[data-ask=pass_host]")
    expect(page.locator(".sure [role=alert]")).to_contain_text("Ben decides")
    expect(page.locator("[data-say=pass_host]")).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("size", [SMALL, PHONE], ids=str)
def test_a_seats_link_can_be_copied_where_it_appears(
    open_scene_page: OpenScenePage, size: tuple[int, int]
) -> None:
    link = {"seat": "s3", "url": "http://table.test/t/KXQF7H#claim=" + "a" * 32, "claim": "a" * 32}
    panel = {"sheet": {"kind": "seat", "seat": "s3"}, "claim": {**link, "secret": False}}
    for name in ("act-instructor", "lobby-host"):
        page = open_scene_page(size).show(name, panel)
        expect(page.locator(".claim [data-do=share]")).to_be_in_viewport(ratio=1)
        expect(page.locator("[data-claim]")).to_be_in_viewport(ratio=1)


def test_turning_sounds_on_plays_one_at_once(open_scene_page: OpenScenePage) -> None:
    scene_page = open_scene_page(SMALL, own=True)
    scene_page.page.add_init_script(
        """globalThis.played = 0;
        const start = OscillatorNode.prototype.start;
        OscillatorNode.prototype.start = function (at) { played += 1; start.call(this, at); };"""
    )
    page = scene_page.show("act-turn", {"sheet": {"kind": "menu"}})
    page.locator("[name=sound]").check()
    wait_for_truth(page, "played > 0")
    played = page.evaluate("played")
    page.locator("[name=sound]").uncheck()
    page.wait_for_timeout(300)
    assert page.evaluate("played") == played


@pytest.mark.parametrize(
    ("name", "selector"),
    [
        ("lobby-host", ".token .who"),
        ("act-turn", ".tile-name bdi"),
        ("act-turn", ".frame-head .lines"),
    ],
)
def test_an_accent_on_a_capital_is_drawn_where_a_name_is_clamped(
    open_scene_page: OpenScenePage, name: str, selector: str
) -> None:
    scene_page = open_scene_page(SMALL)
    page = scene_page.show(name)
    element = page.locator(selector).first

    def draw_name(text: str) -> bytes:
        element.evaluate("(element, text) => { element.textContent = text; }", text)
        box = element.bounding_box()
        assert box
        return take_screenshot(page, clip={**box, "y": box["y"] - 4, "height": box["height"] + 4})

    assert draw_name("Elan") != draw_name("Élan")


def test_a_pair_among_two_asks_nobody_from_whom(open_scene_page: OpenScenePage) -> None:
    scene_page = open_scene_page(SMALL, variant=pile_scenes.VARIANT)
    page = scene_page.draw(build_scene(pile_scenes.begin_game(FOUR[:2]), FOUR[1]))
    page.click("[data-do=combo]")
    page.click("[data-pick=tacocat]")
    expect(page.locator(".ways button")).to_have_count(2)
    expect(page.locator("[data-whom]")).to_have_count(0)
    expect(page.locator(".now h1")).to_have_text("How many wild ones?")


@pytest.mark.parametrize("lang", ["en", "it"])
def test_a_visitor_who_is_not_let_in_has_a_way_back(
    open_scene_page: OpenScenePage, lang: str
) -> None:
    scene_page = open_scene_page(SMALL, lang=lang)
    for state in ("locked", "full", "waiting"):
        reason = {"code": "forbidden", "facts": {"door": state}}
        closed = {"connection": "closed", "closeReason": reason}
        page = scene_page.draw(
            {**scene("door-open"), "panel": scene("door-open")["panel"] | closed}
        )
        expect(page.locator("main.door [data-do=home]")).to_be_in_viewport(ratio=1)
    play = Play(FOUR).send("Ana", "options", locked=True)
    page = scene_page.draw(build_scene(play, None))
    expect(page.locator(".join [data-do=home]")).to_be_in_viewport(ratio=1)


def play_long_game() -> Play:
    """Play forty turns, then let one player after another explode."""
    rounds = [(0, 0), (0, 1), (0, 2), (1, 0)]
    play = play_turns(begin_game(TEN), *[cell for cell in rounds for _ in TEN])
    while play.table.phase == "play":
        instructor, up = get_turn_names(play)
        play.send(instructor, "instruct", cell=(1, 2)).send(up, "draw", cell=(1, 2))
        play.send(up, "report", outcome="kitten").send(up, "explode")
    return play


def build_end_scene(play: Play, **panel: Any) -> dict[str, Any]:
    """Return the end page with the whole log, as the host sees it."""
    story = json.loads(b"".join(play.journal.lines.visible_to(None)))
    return build_scene(play, play.table.seats[0].name, story=story, **panel)


def test_a_cut_timeline_shows_that_it_goes_on_until_its_end_is_seen(
    open_scene_page: OpenScenePage,
) -> None:
    for size in (SMALL, PHONE):
        page = open_scene_page(size).draw(build_end_scene(play_long_game()))
        box = page.locator(".story-scroll")
        sign = page.locator(".story-on")
        expect(sign).to_be_visible()
        box.evaluate("el => { el.scrollLeft = el.scrollWidth; }")
        expect(sign).to_be_hidden()
    expect(
        open_scene_page(SMALL).draw(build_end_scene(finish_game())).locator(".story-on")
    ).to_be_hidden()


def test_the_end_has_every_line_of_its_game(open_scene_page: OpenScenePage) -> None:
    play = play_long_game()
    scene_page = open_scene_page(SMALL)
    page = scene_page.draw(build_end_scene(play))
    log = json.loads(b"".join(play.journal.lines.visible_to(None)))
    began = max(at for at, entry in enumerate(log) if entry["type"] == "game_began")
    lines = page.locator(".over details .log li")
    assert len(log) - began > 50
    expect(lines).to_have_count(len([entry for entry in log[began:] if entry["text"]]))
    page = scene_page.draw(build_scene(play, TEN[0]))  # the page hasn't received the whole log yet
    expect(page.locator(".over details [data-more]")).to_have_count(1)
    page = scene_page.draw(build_scene(explode_until_over(begin_game(FOUR[:2])), "Ana"))
    expect(page.locator(".over details [data-more]")).to_have_count(0)


def test_the_last_explosion_is_seen_before_the_winner(open_scene_page: OpenScenePage) -> None:
    page = open_scene_page(SMALL).show("over-host", {"explosion": {"seat": "s1", "out": "kitten"}})
    expect(page.locator(".boom")).to_be_in_viewport(ratio=1)
    page.click(".boom")
    expect(page.locator(".winner h1")).to_be_in_viewport(ratio=1)


def test_the_end_as_text_names_the_game_and_its_date(open_scene_page: OpenScenePage) -> None:
    scene_page = open_scene_page(SMALL, own=True)
    for lang, first, award in (
        ("en", "Hiss · Draw grid · 21 September 2026", "The opening act: boom already in turn 6"),
        (
            "it",
            "Hiss · Pesca dalla griglia · 21 settembre 2026",
            "Il numero d’apertura: bum già al turno 6",
        ),
    ):
        scene_page.change_look(SMALL, "light", lang)
        page = scene_page.show("over-host")
        page.evaluate("""() => Object.defineProperty(navigator, "clipboard", { configurable: true,
          value: { writeText: async (text) => { globalThis.copied = text; } } })""")
        page.locator(".story > .row button").nth(1).click()
        wait_for_truth(page, "globalThis.copied")
        head, turns_, *rest = page.evaluate("copied").split("\n")
        assert head == first and turns_.startswith("8 ")
        assert rest[-1].endswith(award) and len(rest) == 4


def test_with_all_cards_on_devices_nobody_is_offered_a_camera_check(
    open_scene_page: OpenScenePage,
) -> None:
    page = open_scene_page(SMALL).show("setup-devices")
    expect(page.locator(".token [data-kept]")).to_have_count(4)
    expect(page.locator(".cameras")).to_have_count(0)
    page = open_scene_page(SMALL).show("setup-guest")
    expect(page.locator(".steps > li:last-child .cameras [data-camera]")).to_have_count(3)


def test_the_lobby_shows_which_players_use_a_device(open_scene_page: OpenScenePage) -> None:
    scene_page = open_scene_page(SMALL)
    expect(scene_page.show("lobby-devices").locator(".token [data-kept]")).to_have_count(4)
    expect(scene_page.page.get_by_role("img", name="on a device")).to_have_count(4)
    expect(scene_page.show("lobby-host").locator("[data-kept]")).to_have_count(0)


FIVE_LETTERS = ("Wanda", "Maria", "Bruno", "Omara", "Wilma")
LINES = """() => [...document.querySelectorAll(".tile-name bdi")].map((name) => {
  const range = document.createRange();
  range.selectNodeContents(name);
  return [name.textContent, range.getClientRects().length];
})"""
"""Returns each name in the tiles, with its number of lines."""


def test_names_of_five_letters_do_not_break_in_a_tile_at_400_px(
    open_scene_page: OpenScenePage,
) -> None:
    scene_page = open_scene_page((400, 800))
    for count in (4, 5):
        names = FIVE_LETTERS[:count]
        page = scene_page.draw(build_scene(begin_game(names), names[0]))
        assert sorted(page.evaluate(LINES)) == [[name, 1] for name in sorted(names)]


def test_a_full_table_shows_no_free_seat(open_scene_page: OpenScenePage) -> None:
    scene_page = open_scene_page(SMALL)
    expect(scene_page.show("lobby-host").locator(".tokens[data-room]")).to_have_count(1)
    expect(scene_page.show("lobby-ten").locator(".tokens")).to_have_count(1)
    expect(scene_page.page.locator(".tokens[data-room]")).to_have_count(0)


def test_the_legend_of_the_odds_gives_each_mark_a_range(open_scene_page: OpenScenePage) -> None:
    page = open_scene_page(SMALL).show("act-turn", {"sheet": {"kind": "seat", "seat": "s1"}})
    legend = page.locator(".dangers")
    expect(legend.locator("li").first).to_contain_text("0–17%")
    expect(legend.locator("li").nth(1)).to_contain_text("18–33%")
    expect(legend).not_to_contain_text("<")
