"""Every scene of the panel in Chromium: can everybody use it, does it fit, is it quick?"""

from collections.abc import Callable, Iterator
from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, FloatRect, Page, expect

from tests.panel.scenes import SCENES, VARIANT, scene
from tests.panel.shots import SIZES, Looker
from tests.timed import LENIENCE

pytestmark = pytest.mark.browser

BESIDE = (320, 800)
"""A narrow window beside the call."""

PLAYED = [name for name in SCENES if name.split("-")[0] not in ("lobby", "door", "setup", "over")]
SHEETS = {
    "help": "act-turn-host", "log": "act-turn-host", "menu": "act-turn-host",
    "seat": "act-turn-host",
    "undo": "act-turn-host", "call": "act-turn-host", "chain": "tell-out", "others": "window-host",
    "signs": "tell-out",
    "invite": "lobby-host", "camera": "setup-host", "house": "lobby-house",
}  # fmt: skip
"""What slides up over the panel, and a scene where it does."""

ARRIVED = """async () => {
  for (let frames = 0; frames < 3; frames++) {
    for (const one of document.getAnimations())
      if (one.effect.getComputedTiming().endTime < 5000) one.finish();
    await new Promise(requestAnimationFrame);
  }
}"""
"""What moves from one scene's place to the next one's is there, also what moves only then."""

FAULTS = """() => {
  scrollTo(0, 0);
  const shown = (el) => el.checkVisibility({ visibilityProperty: true });
  const words = (el) => el.textContent.trim().slice(0, 30);
  const name = (el) => `${el.tagName.toLowerCase()}.${el.className} “${words(el)}”`;
  const parts = [
    "main button", "main a", "main input", "main h1", "main p", "main .clock", "main .face",
    "header button", "nav button", "aside li",
  ].join();
  const over = document.querySelector(".sheet");
  const all = [...document.querySelectorAll(parts)].filter(shown)
    .filter((el) => !over || over.contains(el))
    .filter((el) => !el.matches("p:empty, p.quiet") || el.textContent.trim());
  const root = document.documentElement;
  const faults = [];
  if (root.scrollWidth > innerWidth) faults.push(`the page is ${root.scrollWidth} px wide`);
  const boxes = all.map((el) => [el, el.getBoundingClientRect()]);
  for (const [el, box] of boxes) {
    const out = box.left < -0.5 || box.right > innerWidth + 0.5;
    if (out) faults.push(`out at the side: ${name(el)}`);
    // Around what is small there is more to hit.
    const wide = el.clientWidth >= 40 && el.scrollWidth > el.clientWidth + 2;
    const cut = wide && !el.closest(".clip, .tile");
    if (cut) faults.push(`cut off: ${name(el)}`);
  }
  // A touched card lifts over its neighbours and a foot sticks over what scrolls: both are meant.
  const lies = (el) => el.matches("button:not(.told), a, .play p, .clock") && !el.closest(".foot");
  const pressed = boxes.filter(([el]) => lies(el));
  for (const count of [...document.querySelectorAll(".tile .count, .gone span")].filter(shown))
  {
    const tile = count.closest(".tile");
    if (count.getBoundingClientRect().right > tile.getBoundingClientRect().right - 2)
      faults.push(`spills: ${name(tile)}`);
  }
  const squashed = boxes.filter(([, box]) => box.width < 8 || box.height < 8);
  for (const [el] of squashed) faults.push(`squashed: ${name(el)}`);
  for (const [at, [one, a]] of pressed.entries())
    for (const [other, b] of pressed.slice(at + 1))
      if (!one.contains(other) && !other.contains(one)) {
        const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        if (wide > 2 && high > 2) faults.push(`over each other: ${name(one)} and ${name(other)}`);
      }
  const names = document.querySelectorAll("bdi.who, .ring-name, .lane-name");
  for (const el of [...names].filter(shown)) {
    const all = document.createRange();
    all.selectNodeContents(el);
    const text = all.getBoundingClientRect();
    for (let over = el; over !== document.body; over = over.parentElement) {
      const { display, overflowX, textOverflow } = getComputedStyle(over);
      const box = over.getBoundingClientRect();
      if (overflowX === "visible" || overflowX === "auto") continue;
      if (text.left < box.left - 1) faults.push(`a name cut at its start: ${name(el)}`);
      if (textOverflow === "ellipsis" && !/grid|flex/.test(display)) break;
      if (text.right > box.right + 1) faults.push(`a name cut without dots: ${name(el)}`);
    }
  }
  return faults;
}"""
"""What doesn't fit on the page: too wide, cut off, one thing over another, half a name."""

EMBLEMS = """([all, within, words]) =>
  [...document.querySelectorAll(all)].map((el) => {
    const fill = el.querySelector(within).getAttribute("fill");
    return [el.querySelector(words).textContent.trim().slice(0, 3), fill];
  })"""
"""The first letters of a name, and the colour of the emblem beside it."""

TARGETS = """(least) => {
  const within = document.querySelector(".sheet, .boom") ?? document.querySelector("#app");
  const parts = "button:not(:disabled), a[href], input, select, summary";
  const shown = [...within.querySelectorAll(parts)].filter((el) => el.checkVisibility());
  // A switch is hit by its label; a link within a sentence is as high as its line.
  const hit = (el) => (el.matches("[type=checkbox], [type=radio]") ? el.closest("label") : el);
  const targets = [...new Set(shown.map(hit))].filter((el) => !el.matches("p a"));
  const name = (el) => `${el.tagName.toLowerCase()}.${el.className}`.trim();
  const reach = [-1, 0, 1].map((side) => side * (least / 2 - 1));
  const faults = [];
  for (const el of targets) {
    el.scrollIntoView({ block: "center" });
    const box = el.getBoundingClientRect();
    if (box.width >= least - 0.5 && box.height >= least - 0.5) continue;
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    const around = reach.flatMap((dx) => reach.map((dy) => [x + dx, y + dy]));
    const there = around.map((point) => document.elementFromPoint(...point));
    const other = there.find((one) => one !== el && !el.contains(one));
    if (other === undefined) continue;
    const size = `${Math.round(box.width)} × ${Math.round(box.height)}`;
    faults.push(`too small: ${name(el)} ${size}, and beside it ${other && name(other)}`);
  }
  scrollTo(0, 0);
  return faults;
}"""
"""What a thumb or a mouse can't hit: what isn't so wide and high, nor is hit around its middle."""

ROWS = """() => {
  const shown = [...document.querySelectorAll("#app .press:not(.round, .plain)")]
    .filter((el) => el.checkVisibility());
  const faults = [];
  for (const [at, one] of shown.entries())
    for (const other of shown.slice(at + 1)) {
      if (one.parentElement !== other.parentElement) continue;
      const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
      const apart = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) < 4;
      if (!apart && Math.abs(a.height - b.height) > 1)
        faults.push(`not of one height: ${one.textContent.trim()} and ${other.textContent.trim()}`);
    }
  return faults;
}"""
"""Buttons beside each other of which one is higher."""

CHOSEN = """() => [...document.querySelectorAll(
  "#app .press[aria-pressed=true], #app .choice input:checked + span",
)].map((el) => getComputedStyle(el)).map(({ backgroundColor, color }) => backgroundColor + color)"""
"""How what is chosen looks."""

LINES = """(where) => [...document.querySelectorAll(where)].map((el) => {
  const line = parseFloat(getComputedStyle(el).lineHeight);
  const fits = el.scrollHeight <= el.clientHeight + 1 && el.scrollWidth <= el.clientWidth + 1;
  return [fits, Math.round(el.clientHeight / line)];
})"""
"""Whether names fit, and on how many lines."""

HIDDEN = """() => {
  const parts = [...document.querySelectorAll("main button:not(:disabled), main h1")];
  const out = (box) => box.top < 0 || box.bottom > innerHeight + 0.5;
  const hidden = parts.filter((el) => out(el.getBoundingClientRect()));
  return hidden.map((el) => `out of sight: ${el.textContent.trim()}`);
}"""
"""What of the now-line and the action is outside the first screenful."""

Looking = Callable[[tuple[int, int], str], Looker]


@pytest.fixture
def looking(chromium: Browser) -> Iterator[Looking]:
    """Somebody who looks at scenes, at a size and in a theme; nothing may be complained of."""
    lookers: list[Looker] = []

    def look(size: tuple[int, int], theme: str = "light") -> Looker:
        lookers.append(Looker(chromium, size, theme, "en"))
        return lookers[-1]

    yield look
    for one in lookers:
        one.context.close()
        assert not one.complaints, one.complaints


def violations(page: Page, *rules: str) -> list[str]:
    """What keeps somebody from using the page, by these rules of axe or all of them."""
    if not page.evaluate("window.axe !== undefined"):
        page.evaluate(Axe().axe_script)
    options = {"resultTypes": ["violations"]} | ({"runOnly": rules} if rules else {})
    found = page.evaluate("options => axe.run(document, options)", options)["violations"]
    return [f"{one['id']}: {node['html'][:140]}" for one in found for node in one["nodes"]]


SETTLED = """() => new Promise(requestAnimationFrame).then(() => {
  const turning = document.getAnimations().filter((one) => one instanceof CSSTransition);
  return Promise.allSettled(turning.map((one) => one.finished));
})"""
"""Waits until nothing turns into another colour."""


PARTS = 4  # of all scenes, each looked at beside the others


def in_both_themes(page: Page) -> list[str]:
    """The same in the light theme and in the dark one, where only the colours are others."""
    found = violations(page)
    wear(page, "dark")
    found += violations(page, "color-contrast")
    wear(page, "light")
    return found


def wear(page: Page, theme: Literal["light", "dark"]) -> None:
    """The page in this theme, once all its colours are."""
    page.emulate_media(color_scheme=theme)
    page.evaluate(SETTLED)


@pytest.mark.parametrize("part", range(PARTS))
def test_everybody_can_use_every_scene(looking: Looking, part: int) -> None:
    looker = looking(SIZES[0])
    found = {name: in_both_themes(looker.show(name)) for name in [*SCENES][part::PARTS]}
    assert not {name: faults for name, faults in found.items() if faults}


def test_everybody_can_use_every_sheet(looking: Looking) -> None:
    looker, found = looking(SIZES[0]), dict[str, list[str]]()
    for sheet, name in SHEETS.items():
        page = looker.show(name, {"sheet": {"kind": sheet, "seat": "s3"}})
        assert page.locator(".sheet-body > *").count(), sheet
        found[sheet] = in_both_themes(page)
    assert not {sheet: faults for sheet, faults in found.items() if faults}


def test_help_begins_with_how_to_play_and_follows_the_sheet(looking: Looking) -> None:
    page = looking(SIZES[0]).show("help-begin")
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


def test_a_ruling_says_whose_it_is(looking: Looking) -> None:
    page = looking(SIZES[0]).show("help-begin")
    whose = {"grid-shrinks": "rule sheet", "safe-draw": "base game", "hold": "House rule"}
    for ruling, said in whose.items():
        expect(page.locator(f"#ruling-{ruling} .source")).to_contain_text(said)
    expect(page.locator(".rulings .source")).to_have_count(len(VARIANT.sources))


def test_help_says_when_it_finds_nothing_and_offers_all_again(looking: Looking) -> None:
    page = looking(SIZES[0]).show("help-found")
    expect(page.locator(".rulings > div").first).to_have_id("ruling-yup")
    page.get_by_role("searchbox").fill("poker")
    expect(page.locator(".sheet").get_by_role("status")).to_contain_text("poker")
    expect(page.locator(".rulings > div, .howto")).to_have_count(0)
    page.get_by_role("button", name="Show everything").click()
    expect(page.locator(".howto")).to_be_visible()
    expect(page.get_by_role("searchbox")).to_have_value("")


def test_help_opens_at_the_ruling_that_is_asked_for(looking: Looking) -> None:
    page = looking(SIZES[0]).show("help-ruling")
    ruling = page.locator("#ruling-yup")
    expect(ruling).to_be_in_viewport(ratio=1)
    expect(ruling).to_be_focused()
    expect(page.locator(".rulings .asked")).to_have_count(1)


def least(size: tuple[int, int]) -> int:
    """What is hit by a thumb, or by a mouse."""
    return 44 if size[0] < 900 else 32


def faults_of(page: Page, played: bool) -> list[str]:
    """What of a scene doesn't fit, can't be hit, is out of sight."""
    page.evaluate(ARRIVED)
    size = page.viewport_size
    assert size
    found = page.evaluate(FAULTS) + (page.evaluate(HIDDEN) if played else [])
    return [*found, *page.evaluate(ROWS), *page.evaluate(TARGETS, least((size["width"], 0)))]


@pytest.mark.parametrize("size", (*SIZES, BESIDE), ids=lambda size: f"{size[0]}x{size[1]}")
def test_every_scene_fits_every_target_can_be_hit_and_nobody_scrolls_to_the_action(
    looking: Looking, size: tuple[int, int]
) -> None:
    looker = looking(size)
    found: dict[str, list[str]] = {}
    looks: set[str] = set()
    for name in SCENES:
        page = looker.show(name)
        found[name] = faults_of(page, name in PLAYED)
        looks |= {*page.evaluate(CHOSEN)}
    for sheet, name in SHEETS.items():
        page = looker.show(name, {"sheet": {"kind": sheet, "seat": "s3"}})
        page.evaluate(ARRIVED)
        found[f"sheet {sheet}"] = page.evaluate(TARGETS, least(size)) + page.evaluate(ROWS)
        looks |= {*page.evaluate(CHOSEN)}
    assert not {name: faults for name, faults in found.items() if faults}
    assert len(looks) == 1, "what is chosen looks so everywhere, and nothing else does"


def test_whoever_watches_the_end_reads_that_it_is_over(looking: Looking) -> None:
    foot = looking(SIZES[0]).show("over-spectator").locator(".foot")
    expect(foot).to_contain_text("It’s over. Play the next one?")
    expect(foot.locator("[data-do=wait]")).to_be_in_viewport()


def test_boom_says_that_there_is_a_defuse_and_asks_once_more(looking: Looking) -> None:
    page = looking(SIZES[0]).show("kitten-turn")
    page.click("[data-ask=explode]")
    expect(page.locator(".sure [role=alert]")).to_contain_text("Defuse is in this hand")
    expect(page.locator(".sure .danger")).to_be_focused()
    page.click(".sure [data-back]")
    expect(page.locator("[data-ask=explode]")).to_be_focused()


def test_where_nothing_but_boom_can_be_said_one_tap_says_it(looking: Looking) -> None:
    looker = looking(SIZES[0])
    for name in ("kitten-out", "deck-kitten-out"):
        page = looker.show(name)
        expect(page.locator(".now h1")).to_have_text("Your Kitten, and no Defuse.")
        expect(page.locator(".dock button")).to_have_count(1)
        expect(page.locator(".dock [data-say=explode]")).to_be_visible()


@pytest.mark.parametrize("size", (*SIZES, BESIDE), ids=lambda size: f"{size[0]}x{size[1]}")
def test_the_told_card_wears_the_paw_wherever_its_grid_is_drawn(
    looking: Looking, size: tuple[int, int]
) -> None:
    looker, seen = looking(size), 0
    for name in PLAYED:
        turn = scene(name)["view"]["turn"]
        if not turn or not turn.get("told"):
            continue
        page = looker.show(name)
        up = turn["seat"]
        grids = page.locator(f"[data-grid={up}]:visible, [data-seat={up}] .grid:visible")
        for grid in grids.all():
            expect(grid.locator(".told .art-paw")).to_be_visible()
            seen += 1
    assert seen > 20


def test_a_turn_still_owed_is_told_to_all(looking: Looking) -> None:
    for name in ("owed-turn", "owed-other"):
        owed = looking((320, 568)).show(name).locator(".now [data-owed='1']")
        assert owed.inner_text() == "One more turn after this one", name


def test_among_ten_a_favor_asks_whose_card_before_which(looking: Looking) -> None:
    page = looking(SIZES[0]).show("act-ten-aim")
    assert not page.locator(".targets .cell.able").count()
    page.click("[data-whom=s5]")
    expect(page.locator(".stage .grid.large [data-cell].able")).to_have_count(5)
    page.get_by_label("Somebody else’s card").click()
    expect(page.locator("[data-whom]")).to_have_count(9)


@pytest.mark.parametrize("size", SIZES[:2], ids=lambda size: f"{size[0]}x{size[1]}")
def test_a_name_has_as_many_letters_as_fit_on_two_lines(
    looking: Looking, size: tuple[int, int]
) -> None:
    looker = looking(size, "light")
    for name in ("act-ten-aim", "act-five-aim", "act-ten-whom"):
        page = looker.show(name)
        lines = page.evaluate(LINES, ".target-name .lines, .frame-head .lines")
        assert lines, name
        assert all(fits or many == 2 for fits, many in lines), (name, lines)
    page = looker.show("act-ten", {"sheet": {"kind": "chain"}})
    above = page.locator(".ring-name.center")
    assert [above.nth(at).evaluate("el => el.scrollWidth - el.clientWidth") for at in (0, 1)] == [
        0,
        0,
    ]


def test_ten_players_wear_the_same_ten_emblems_everywhere(looking: Looking) -> None:
    looker = looking(SIZES[0])
    page = looker.show("act-ten", {"sheet": {"kind": "chain"}})
    tiles = page.evaluate(EMBLEMS, [".tile", "circle", "bdi"])
    ring = page.evaluate(EMBLEMS, [".ring-seat", ".emblem-ground", ".ring-name"])
    recap = looker.show("over-ten").evaluate(EMBLEMS, [".story-fates li", "circle", "bdi"])
    assert len({colour for _, colour in tiles}) == 10
    assert sorted(tiles) == sorted(ring) == sorted(recap)
    page = looker.show("act-ten", {"sheet": {"kind": "log"}})
    lines = page.locator(".log li", has=page.locator(".art-emblem"))
    assert "Abigail" in lines.first.inner_text()
    of_abigail = lines.first.locator("circle").get_attribute("fill")
    assert ["Abi", of_abigail] in tiles


@pytest.mark.parametrize("size", SIZES[2:], ids=lambda size: f"{size[0]}x{size[1]}")
def test_a_wide_window_is_used(looking: Looking, size: tuple[int, int]) -> None:
    looker = looking(size)

    def box(parts: str) -> FloatRect:
        found = page.locator(parts).first.bounding_box()
        assert found, parts
        return found

    for name in ("act-turn", "act-ten"):
        page = looker.show(name)
        assert box(".chain .grid")["width"] >= 84, name
        assert box(".chain")["x"] + box(".chain")["width"] <= box(".stage")["x"], name
        assert box(".brand")["x"] == box(".chain")["x"], name
    for name, one, other in (
        ("lobby-host", ".invite", ".people"),
        ("setup-host", ".steps > li:first-child", ".steps > li:last-child"),
        ("over-host", ".winner", ".story"),
    ):
        page = looker.show(name)
        assert box(one)["x"] + box(one)["width"] <= box(other)["x"], name
        assert box(".brand")["x"] == min(box(one)["x"], box("main > .panel")["x"]), name


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
def test_the_recap_says_all_and_nothing_lies_over_a_name(
    looking: Looking, size: tuple[int, int]
) -> None:
    """A picture to share: who won, every name, what the signs mean, the day, the link."""
    looker = looking(size)
    for name, winner in (("over-host", "Ben"), ("over-ten", "Abigail")):
        page = looker.show(name)
        found = page.evaluate(RECAP)
        assert (found["out"], found["crossed"], found["empty"] > 1) == ([], 0, False)
        assert found["winner"].startswith(winner)
        assert len(found["names"]) == page.locator(".story-fates li").count()
        assert found["signs"] == 8
        assert (found["when"], found["where"]) == ("21 September 2026", "table.test/t/KXQF7H")
        expect(page.locator(".luck-what")).to_contain_text("How likely")


@pytest.mark.timed
def test_a_view_of_ten_players_is_drawn_within_8_ms(looking: Looking) -> None:
    page = looking(SIZES[0]).show("act-ten")
    page.evaluate("drawn(50)")
    assert min(page.evaluate("drawn(100)") for _ in range(3)) < 8 * LENIENCE
