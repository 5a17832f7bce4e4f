"""People who play on the page, by its own buttons and cells and by nothing else."""

import time
from collections.abc import Iterable, Mapping
from typing import Any

from playwright.sync_api import Browser, Error, Locator, Page, expect

SMALL = {"width": 320, "height": 568}
LATE = 20.0
"""Seconds after which something that moves should stand still."""
Cell = tuple[int, int]


class Person:
    """Somebody at a table, with a browser of their own 320 px wide.

    Nothing moves, and no service worker is there, but where they are asked for: these would take
    more than all the rest.
    """

    def __init__(self, browser: Browser, name: str, url: str, **context: Any) -> None:
        self.name = name
        self.url = url
        usual = {"viewport": SMALL, "locale": "en-GB"}
        bare = {"reduced_motion": "reduce", "service_workers": "block"}
        self.context = browser.new_context(**{**usual, **bare, **context})
        self.context.set_default_timeout(20_000)
        self.page: Page = self.context.new_page()
        self.complaints: list[str] = []
        self.titles: Mapping[str, str] = {}
        """What a house variant calls its cards, where it isn't as in the one that comes along."""
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.seat = ""

    # --- to the table ------------------------------------------------------------------

    def makes_a_table(self, box: str = "") -> str:
        """A new table's code; with a box it plays the classic game (``pile``: the only box)."""
        self.page.goto(self.url)
        form = self.page.locator("form").first
        if box:
            form.locator("[value=pile]").check()
            if box != "pile":
                form.locator("select").select_option(box)
        form.locator("[name=name]").fill(self.name)
        form.locator("button").click()
        self.page.wait_for_url("**/t/*")
        return self._sit_down()

    def joins(self, code: str) -> None:
        """From the home page, by the code."""
        self.page.goto(self.url)
        form = self.page.locator("form", has=self.page.locator("[name=code]"))
        form.locator("[name=code]").fill(code.lower())
        form.locator("button").click()
        self.page.wait_for_url("**/t/*")
        self.page.fill(".join [name=name]", self.name)
        self.page.click(".join .main")
        self._sit_down()

    def _sit_down(self) -> str:
        mine = self.page.locator(".seats li.me")
        expect(mine).to_contain_text(self.name)
        self.seat = mine.get_attribute("data-seat") or ""
        return self.page.url.rsplit("/", 1)[1]

    # --- what is tapped ----------------------------------------------------------------

    def says(self, what: str) -> None:
        """Press the button that gives a command, or one of its choices."""
        self._tap(self.page.locator(f'[data-say="{what}"]').first)

    def is_sure(self, what: str) -> None:
        """Press a button that asks for confirmation, then the confirming button in its place."""
        asks = self.page.locator(f'[data-ask="{what}"]')
        expect(asks.or_(self.page.locator(f'[data-say="{what}"]'))).to_be_visible()
        if asks.count():  # where there are other commands to give
            self._tap(asks)
        self.says(what)

    def unfolds(self, name: str) -> None:
        """Opens what is folded away in the lobby."""
        fold = self.page.locator(f'[data-fold="{name}"]')
        fold.locator("> summary").click()
        expect(fold).to_have_attribute("open", "")

    def speaks_for_those_without_a_panel(self, count: int) -> None:
        """They are ready, one after the other, as the dock asks."""
        asks = self.page.locator('.foot [data-say^="ready-"]')
        for _ in range(count):
            one = asks.get_attribute("data-say")
            self.says(str(one))
            expect(self.page.locator(f'[data-say="{one}"]')).to_have_count(0)

    def plays(self, card: str) -> None:
        self._tap(self.page.locator(f'[data-play="{self.titles.get(card, card)}"]'))

    def turns_up(self, card: str) -> None:
        self._tap(self.page.locator(f'[data-reveal="{self.titles.get(card, card)}"]'))

    def taps(self, owner: "Person", cell: Cell) -> None:
        """A cell of somebody's grid, where it can be tapped now."""
        self._tap(self.cell(owner, cell))

    def _tap(self, button: Locator) -> None:
        expect(button).to_be_enabled()
        self.sees_without_scrolling(button)
        button.click()

    # --- what is seen ------------------------------------------------------------------

    def cell(self, owner: "Person", cell: Cell) -> Locator:
        grid = f'main [data-grid="{owner.seat}"]'
        return self.page.locator(f'{grid} [data-cell="{cell[0]},{cell[1]}"]')

    def reads(self, words: str) -> None:
        """The now-line's sentence holds these words."""
        expect(self.page.locator(".now h1")).to_contain_text(words)

    def is_refused(self) -> None:
        expect(self.page.locator(".now [role=alert]")).to_be_visible()

    def may(self, what: str) -> bool:
        return self.page.locator(f'[data-say="{what}"]').count() > 0

    def stands_still(self, thing: Locator) -> dict[str, Any]:
        """Return where the element comes to rest; look it up again if it is redrawn meanwhile."""
        late = time.monotonic() + LATE
        while not (rests := thing.evaluate(RESTS)):
            assert time.monotonic() < late, thing
        return dict(rests)

    def sees_without_scrolling(self, thing: Locator) -> None:
        """Whole and inside the first screenful, while a game is played; where it comes to rest."""
        if not self.page.locator(".play").count():
            return
        rests = self.stands_still(thing)
        assert rests["inside"], (self.name, thing, rests)
        sideways = rests["sideways"]
        width = rests["width"]
        assert sideways <= width, f"the page of {self.name} is {sideways} px wide"


RESTS = """async (thing) => {
  const frame = () => new Promise(requestAnimationFrame);
  const moves = () =>
    document.getAnimations().some(
      ({ effect, playState }) =>
        playState === "running" &&
        effect.getComputedTiming().iterations !== Infinity &&
        effect.target?.contains(thing),
    );
  let before;
  for (let frames = 0; frames < 600 && thing.isConnected; frames++) {
    const { left, top, right, bottom } = thing.getBoundingClientRect();
    const now = [left, top, right, bottom].join();
    if (now === before && !moves() && thing.checkVisibility()) {
      const [high, wide] = [innerHeight + 0.5, innerWidth + 0.5];
      const inside = left >= 0 && top >= 0 && right <= wide && bottom <= high;
      const sideways = document.documentElement.scrollWidth;
      return { left, top, right, bottom, inside, sideways, width: innerWidth };
    }
    before = now;
    await frame();
  }
}"""
"""Where a thing is once it moves no more; nothing while it is not there any more."""


def all_pass(people: Iterable[Person]) -> None:
    """Everyone who is asked passes, until the window has closed for everybody."""
    people = list(people)
    for one in people:
        expect(one.page.locator(".window")).to_be_visible()
    late = time.monotonic() + 60
    while any(one.page.locator(".window").count() for one in people):
        assert time.monotonic() < late, "the window stays open"
        for one in people:
            if one.may("pass"):
                try:
                    one.says("pass")
                except (Error, AssertionError):
                    assert not one.may("pass")  # the window closed meanwhile
                expect(one.page.locator('[data-say="pass"]')).to_have_count(0)


def sit_down(people: list[Person], box: str = "") -> str:
    """The first makes a table, the others join by its code."""
    host, *others = people
    code = host.makes_a_table(box)
    for one in others:
        one.joins(code)
    return code


def no_hurry(host: Person) -> None:
    """A window is open until all have passed, however slow the machine is."""
    host.unfolds("options")
    host.page.locator("[name=nope_seconds]").fill("30")


def prepare(people: list[Person]) -> None:
    host = people[0]
    host.says("prepare")
    for one in people:
        one.says("ready")


def begin(people: list[Person], first: Person) -> None:
    people[0].says(f"begin-{first.seat}")
