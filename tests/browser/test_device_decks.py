"""Decks that players' devices keep: dealt, played, taken back, moved and checked on the page."""

import time
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.people import Cell, Person, begin, sit_down
from tests.server import RealServer

pytestmark = pytest.mark.browser

LATE = 60
"""Seconds after which what should have happened is not waited for any longer."""

DEALS = 12
"""How often cards are dealt, at most, until somebody has each card that a test needs: one deal
in five lacks one."""

STORED = """async () => {
  const open = indexedDB.open("hiss", 1);
  await new Promise((done) => { open.onsuccess = done; });
  const asked = open.result.transaction("decks").objectStore("decks").count();
  await new Promise((done) => { asked.onsuccess = done; });
  return asked.result;
}"""
"""How many decks this device keeps."""

NO_STORAGE = "Object.defineProperty(window, 'indexedDB', { value: undefined });"


class Holder(Person):
    """Somebody whose device keeps the deck."""

    def keeps_the_deck(self) -> None:
        device = self.page.locator('[data-deck="device"]')
        self._tap(device)
        expect(device).to_have_attribute("aria-pressed", "true")

    def hand(self) -> list[str]:
        """The titles of the own hand, each once; it is covered at first."""
        covered, hand = self.page.locator('[data-do="uncover"]'), self.page.locator(".dock.kept")
        expect(covered.or_(hand)).to_be_visible()
        if covered.count():
            covered.click()
        expect(hand).to_be_visible()
        found = hand.locator("[data-play], [data-held]").all()
        titles = [one.get_attribute("data-play") or one.get_attribute("data-held") for one in found]
        return sorted(str(title) for title in titles)

    def hides_the_kitten(self, cell: Cell) -> None:
        self._tap(self.page.locator('[data-do="hide"]'))
        self.taps(self, cell)

    def takes_back(self) -> None:
        """The host takes back the last thing that was said."""
        self.page.get_by_label("Take back").click()
        self.says("undo")
        expect(self.page.locator(".sheet")).to_have_count(0)


class Game:
    """A table as everybody sees it, and the people at it."""

    def __init__(self, server: RealServer, people: list[Holder]) -> None:
        self.server, self.people = server, people
        self.code = sit_down([*people])

    @property
    def view(self) -> Any:
        return self.server.get(f"/api/tables/{self.code}").json

    def who(self, seat: str) -> Holder:
        return next(one for one in self.people if one.seat == seat)

    def until(self, so: Callable[[Any], bool]) -> Any:
        """The view, once it is so."""
        late = time.monotonic() + LATE
        while not so(view := self.view):
            assert time.monotonic() < late, view
            time.sleep(0.1)
        return view

    def at(self, *steps: str) -> Any:
        """The view, once the turn has come to one of these steps."""
        return self.until(lambda view: view["turn"] and view["turn"]["step"] in steps)

    def next(self, view: Any) -> Any:
        """The view, once something is asked that no device says by itself."""
        by_itself = ("shuffle", "reveal", "report")

        def settled(now: Any) -> bool:
            turn = now["turn"]
            asks = now["phase"] == "over" or bool(turn and turn["step"] not in by_itself)
            return now["version"] > view["version"] and asks

        return self.until(settled)

    def down(self, view: Any, seat: str) -> list[Cell]:
        """The cells of a grid that lie face down, then those face up."""
        rows = next(one["grid"] for one in view["seats"] if one["seat"] == seat)
        cells = [(r, c) for r, row in enumerate(rows) for c, face in enumerate(row) if face]
        return sorted(cells, key=lambda cell: rows[cell[0]][cell[1]] != "down")

    def passes(self) -> Any:
        """Everyone who is asked passes, until the window has closed."""
        late = time.monotonic() + LATE
        while (view := self.view)["window"]:
            assert time.monotonic() < late, "the window stays open"
            for one in self.people:
                button = one.page.locator('[data-say="pass"]')
                if one.seat in view["window"]["may_nope"] and button.count():
                    button.evaluate("(button) => button.click()")
                    expect(button).to_have_count(0)
        return self.next({**view, "version": view["version"] - 1})

    def plays(self, view: Any, card: str) -> Any:
        """The turn player plays a card; it takes effect, and what follows by itself is said."""
        turn = view["turn"]
        up, other = self.who(turn["seat"]), self.who(turn["instructor"])
        up.hand()
        up.plays(card)
        if card == "favor":
            up.taps(other, self.down(view, other.seat)[0])
        view = self.next(view)
        return self.passes() if view["window"] else view

    def goes_on(self, view: Any) -> Any:
        """The next thing, without a card being played."""
        turn = view["turn"]
        up = self.who(turn["seat"])
        if view["window"]:
            return self.passes()
        if turn["step"] == "tell":
            self.who(turn["instructor"]).taps(up, self.down(view, up.seat)[0])
        elif turn["step"] == "act":
            up.taps(up, tuple(turn["told"]))
        elif up.page.locator('[data-do="hide"]').count():
            up.hides_the_kitten(self.down(view, up.seat)[0])
        else:
            up.is_sure("explode")
        return self.next(view)


def deal(game: Game, *wanted: str) -> Any:
    """Dealt by the devices, anew until somebody has each card that is wanted."""
    host = game.people[0]
    for _ in range(DEALS):
        host.says("prepare")
        for one in game.people:
            one.keeps_the_deck()
            one.says("ready")
        begin([*game.people], first=host)
        host.says("skip_roll_call")
        view = game.at("tell")
        hands = [card for one in game.people for card in one.hand()]
        if all(card in hands for card in wanted):
            return view
        host.page.get_by_label("Menu").click()
        host.is_sure("end_game")
        game.until(lambda view: view["phase"] == "lobby")
    raise AssertionError(f"nobody ever has {wanted}")


def honest(people: list[Holder], count: int) -> None:
    for one in people:
        expect(one.page.locator('[data-mark="honest"]')).to_have_count(count)


def test_a_whole_game_of_three_devices_with_reloads_and_things_taken_back(
    person: Callable[..., Any], server: RealServer
) -> None:
    """Rulings own-deck, undo, opens-what-it-committed: on three small screens."""
    people = [person(name, kind=Holder) for name in ("Ana", "Ben", "Cleo")]
    host = people[0]
    game = Game(server, people)
    view = deal(game, "shuffle", "favor")
    wanted = {"shuffle", "favor", "defuse"}
    while view["phase"] != "over":
        turn = view["turn"]
        up = game.who(turn["seat"])
        if turn["step"] == "act" and not view["window"]:
            hand = up.hand()
            if card := next((card for card in hand if card in wanted - {"defuse"}), None):
                wanted.remove(card)
                view = taken_back(game, view, card)
                continue
        if turn["step"] == "kitten" and "defuse" in wanted:
            wanted.remove("defuse")
            first = game.goes_on(view)
            host.takes_back()
            view = game.until(lambda now, after=first: now["version"] > after["version"])
            assert view["turn"]["step"] == "kitten"
            view = game.goes_on(view)
            for one in people:
                before = one.hand()
                one.page.reload()
                assert one.hand() == before
            continue
        view = game.goes_on(view)
    assert not wanted
    honest(people, 3)


def taken_back(game: Game, view: Any, card: str) -> Any:
    """A card is played, all of it taken back, and played once more."""
    up, host = game.who(view["turn"]["seat"]), game.people[0]
    before = up.hand()
    game.plays(view, card)
    host.takes_back()
    game.at("shuffle" if card == "shuffle" else "reveal")
    host.takes_back()
    view = game.at("act", "window")
    if view["window"]:  # it opens anew: the play itself goes, too
        host.takes_back()
        view = game.until(lambda now: now["turn"]["step"] == "act" and not now["window"])
    assert up.hand() == before
    return game.plays(view, card)


def test_a_deck_moves_to_another_browser_and_the_old_one_forgets_it(
    person: Callable[..., Any], server: RealServer
) -> None:
    """At a table where the other player has real cards, and a browser that stores nothing."""
    ana, ben = (person(name, kind=Holder) for name in ("Ana", "Ben"))
    ben.page.add_init_script(NO_STORAGE)
    game = Game(server, [ana, ben])
    ana.says("prepare")
    ben.page.locator('[data-deck="device"]').click()
    expect(ben.page.locator(".foot [role=alert]")).to_contain_text("stores nothing")
    expect(ben.page.locator('[data-deck="table"]')).to_have_attribute("aria-pressed", "true")
    ana.keeps_the_deck()
    for one in (ana, ben):
        one.says("ready")
    begin([ana, ben], first=ana)
    ana.says("skip_roll_call")
    view = game.goes_on(game.at("tell"))
    hand = ana.hand()
    ana.page.locator(f'.chain [data-seat="{ana.seat}"]').click()
    ana.page.locator('[data-do="claim"]').click()
    link = ana.page.locator("[data-claim]").get_attribute("href")
    assert link
    assert ana.page.evaluate(STORED) == 1
    other = person("Ana", kind=Holder)
    other.seat = ana.seat
    other.page.goto(link)
    assert other.hand() == hand
    assert "#" not in other.page.url
    late = time.monotonic() + LATE
    while ana.page.evaluate(STORED):
        assert time.monotonic() < late, "the old device still keeps the deck"
    game.people = [other, ben]
    while view["phase"] != "over":
        turn = view["turn"]
        if turn["seat"] == ben.seat and turn["step"] == "act":
            ben.taps(ben, tuple(turn["told"]))
            ben.says("kitten")
            ben.is_sure("explode")
            view = game.until(lambda now: now["phase"] == "over")
            continue
        view = game.goes_on(view)
    honest([other, ben], 1)
