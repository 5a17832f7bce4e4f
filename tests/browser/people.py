"""People who play on the page. They use only its buttons and cells."""

import json
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from playwright.sync_api import Browser, Error, Locator, Page, expect

from tests.support.painting import stop_painting
from tests.support.servers.server import Client, Party, RealServer

SMALL = {"width": 320, "height": 568}
LATE = 20.0
"""Seconds within which an element must stop moving."""
KNOWS_ODDS = """try {
  localStorage["hiss.prefs"] ??= JSON.stringify({ oddsHint: "" });
} catch {}"""
"""Makes the browser one in which the sentence about the percentages on cards was read before."""
Cell = tuple[int, int]


class Person:
    """A person at a table. The browser is 320 px wide unless a test says otherwise.

    Animations, service workers and painting are off unless a test switches them on, because they
    are slow.
    """

    def __init__(
        self, browser: Browser, name: str, url: str, *, painted: bool = False, **context: Any
    ) -> None:
        self.name = name
        self.url = url
        usual = {"viewport": SMALL, "locale": "en-GB"}
        bare = {"reduced_motion": "reduce", "service_workers": "block"}
        self.context = browser.new_context(**{**usual, **bare, **context})
        self.context.set_default_timeout(20_000)
        self.context.add_init_script(KNOWS_ODDS)
        if not painted:
            stop_painting(self.context)
        self.page: Page = self.context.new_page()
        self.complaints: list[str] = []
        self.titles: Mapping[str, str] = {}
        """For each usual card id, the id that the table's variant uses instead. Empty if the
        variant uses the usual ids."""
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.skip_scenes()
        self.seat = ""

    def skip_scenes(self) -> None:
        """End each scene that covers the page, as soon as this person wants to do anything else."""
        page = self.page
        page.add_locator_handler(
            page.locator(".scene-covers"), lambda: page.keyboard.press("Escape")
        )

    # --- joining -------------------------------------------------------------------------

    def create_table(self, box: str = "") -> str:
        """Create a table and return its code.

        Args:
            box: the variant of a classic game, ``"pile"`` if there is only one, or empty for the
                draw grid. ``"imploding-"`` before the box adds the expansion
        """
        self.page.goto(self.url)
        form = self.page.locator("form").first
        if box:
            form.locator("summary").click()
            form.locator("[value=pile]").check()
            if box != "pile":
                form.locator("[name=variant]").select_option(box.removeprefix("imploding-"))
            if box.startswith("imploding-"):
                form.locator("[name=expansion]").select_option(box)
        form.locator("[name=name]").fill(self.name)
        form.locator("button").click()
        self.page.wait_for_url("**/t/*")
        return self._sit_down()

    def join_table(self, code: str) -> None:
        """Join a table from the home page by its code."""
        self.page.goto(self.url)
        form = self.page.locator("form", has=self.page.locator("[name=code]"))
        form.locator("[name=code]").fill(code.lower())
        form.locator("button").click()
        self.page.wait_for_url("**/t/*")
        self.page.fill(".join [name=name]", self.name)
        self.page.click(".join .main")
        self._sit_down()

    def open_seat(self, party: Party, number: int) -> None:
        """Open the table in one of its seats, as on a device that was given the seat before."""
        self.seat = party.seats[number]
        credentials = json.dumps({"seat": self.seat, "token": party.tokens[number]})
        stored = {f"hiss.seat.{party.table}": credentials}
        self.page.add_init_script(f"({STORE})({json.dumps(stored)})")
        self.page.goto(f"{self.url}/t/{party.table}")
        expect(self.page.locator("main:not([inert])").first).to_be_visible()

    def _sit_down(self) -> str:
        mine = self.page.locator(".seats li.me")
        expect(mine).to_contain_text(self.name)
        self.seat = mine.get_attribute("data-seat") or ""
        return self.page.url.rsplit("/", 1)[1]

    # --- actions -------------------------------------------------------------------------

    def give_command(self, command: str) -> None:
        """Press the button of a command."""
        self._tap_button(self.page.locator(f'[data-say="{command}"]').first)

    def confirm_command(self, command: str) -> None:
        """Press a button that asks for confirmation, and confirm."""
        asks = self.page.locator(f'[data-ask="{command}"]')
        expect(asks.or_(self.page.locator(f'[data-say="{command}"]'))).to_be_visible()
        if asks.count():  # without this button, the command needs no confirmation
            self._tap_button(asks)
        self.give_command(command)

    def unfold_section(self, name: str) -> None:
        """Open a folded section of the lobby."""
        fold = self.page.locator(f'[data-fold="{name}"]')
        fold.locator("> summary").click()
        expect(fold).to_have_attribute("open", "")

    def report_ready_for_others(self, count: int) -> None:
        """Mark this many players without a panel as ready, one after another."""
        buttons = self.page.locator('.foot [data-say^="ready-"]')
        for _ in range(count):
            command = buttons.get_attribute("data-say")
            self.give_command(str(command))
            expect(self.page.locator(f'[data-say="{command}"]')).to_have_count(0)

    def play_card(self, card: str) -> None:
        self._tap_button(self.page.locator(f'[data-play="{self.titles.get(card, card)}"]'))

    def reveal_card(self, card: str) -> None:
        self._tap_button(self.page.locator(f'[data-reveal="{self.titles.get(card, card)}"]'))

    def tap_cell(self, owner: "Person", cell: Cell) -> None:
        """Tap a cell of a player's grid."""
        self._tap_button(self.find_cell(owner, cell))

    def _tap_button(self, button: Locator) -> None:
        expect(button).to_be_enabled()
        self.check_in_sight(button)
        button.click()

    # --- expectations --------------------------------------------------------------------

    def find_cell(self, owner: "Person", cell: Cell) -> Locator:
        grid = f'main [data-grid="{owner.seat}"]'
        return self.page.locator(f'{grid} [data-cell="{cell[0]},{cell[1]}"]')

    def expect_headline(self, words: str) -> None:
        """Expect these words in the headline at the top."""
        expect(self.page.locator(".now h1")).to_contain_text(words)

    def expect_refusal(self) -> None:
        expect(self.page.locator(".now [role=alert]")).to_be_visible()

    def has_command(self, command: str) -> bool:
        return self.page.locator(f'[data-say="{command}"]').count() > 0

    def wait_until_still(self, element: Locator) -> dict[str, Any]:
        """Return the element's position once it has stopped moving.

        If the page redraws the element in the meantime, the element is looked up again.
        """
        deadline = time.monotonic() + LATE
        while not (position := element.evaluate(RESTS)):
            assert time.monotonic() < deadline, element
        return dict(position)

    def check_in_sight(self, element: Locator) -> None:
        """Check that the element comes to rest inside the first screenful. Does nothing if no game
        is being played."""
        if not self.page.locator(".play").count():
            return
        position = self.wait_until_still(element)
        assert position["inside"], (self.name, element, position)
        sideways = position["sideways"]
        width = position["width"]
        assert sideways <= width, f"the page of {self.name} is {sideways} px wide"


STORE = """(values) => {
  if (!location.protocol.startsWith("http") || sessionStorage.seated) return;
  sessionStorage.seated = "yes";
  Object.assign(localStorage, values);
}"""
"""Stores values when a tab loads its first page that isn't blank."""

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
"""Returns the element's position once it stands still, or undefined if the element was removed."""


def pass_for_all(people: Iterable[Person], *clients: Client) -> None:
    """Pass for every player who can, until the window has closed.

    Args:
        clients: the clients of those players without a page who can pass
    """
    people = list(people)
    for player in people:
        expect(player.page.locator(".window")).to_be_visible()
    deadline = time.monotonic() + 60
    while any(player.page.locator(".window").count() for player in people):
        assert time.monotonic() < deadline, "the window stays open"
        for client in clients:
            pass_if_allowed(client)
        for player in people:
            if player.has_command("pass"):
                try:
                    player.give_command("pass")
                except (Error, AssertionError):
                    assert not player.has_command("pass")  # the window has just closed
                expect(player.page.locator('[data-say="pass"]')).to_have_count(0)


def seat_players(people: list[Person], box: str = "") -> str:
    """Let the first person create a table and the others join it by its code. Returns the code."""
    host, *others = people
    code = host.create_table(box)
    for player in others:
        player.join_table(code)
    return code


Player = Person | str
"""A person, for whom a page is opened, or the name of a player for whom the test's client acts."""


def open_lobby(
    server: RealServer, players: Sequence[Player], box: str = "", **options: Any
) -> Party:
    """Seat these players at a new table without using their pages. Then open the pages.

    A page costs much more processor time than a client, and joining on it costs twice as much as
    opening it. So a test seats people on their pages only if it is about that.

    Args:
        players: the persons, and the names of players without a page. The returned party's
            ``clients`` has the client of each player without a page, at the player's place.
        box: the variant, or empty for the draw grid
        options: options of the table. By default the window is as long as possible, so that it
            closes only when everyone has passed.
    """
    return open_pages(create_party(server, players, box, options), players)


def open_preparation(
    server: RealServer, players: Sequence[Player], box: str = "", **options: Any
) -> Party:
    """Let the host prepare a game without using a page. Then open the pages, as ``open_lobby``
    does."""
    party = create_party(server, players, box, options)
    party.host.send_command("prepare")
    return open_pages(party, players)


def open_game(
    server: RealServer, players: Sequence[Player], first: Player, box: str = "", **options: Any
) -> Party:
    """Begin a game without using a page. Then open the pages, as ``open_lobby`` does."""
    party = create_party(server, players, box, options)
    party.begin(first=players.index(first))
    return open_pages(party, players)


def create_party(
    server: RealServer, players: Sequence[Player], box: str, options: dict[str, Any]
) -> Party:
    names = [player if isinstance(player, str) else player.name for player in players]
    more = {"variant": box} if box else {}
    return server.create_table(*names, options={"nope_seconds": 30, **options}, **more)


def open_pages(party: Party, players: Sequence[Player]) -> Party:
    """Open the seat of each person on their page, instead of the test's client."""
    persons = [(n, player) for n, player in enumerate(players) if isinstance(player, Person)]
    for number, _ in persons:
        party.clients[number].close()
    for number, player in persons:
        player.open_seat(party, number)
    return party


def send_when_allowed(client: Client, type: str, **more: Any) -> None:
    """Send a command of a player without a page as soon as the player may send it."""
    client.wait(lambda: any(may["type"] == type for may in client.view["you"]["may"]))
    if type in ("nope", "pass"):
        more["window"] = client.view["window"]["id"]
    client.send_command(type, **more)


def pass_if_allowed(client: Client) -> None:
    """Pass for a player without a page, if a window waits for them.

    A Nope can open another window at the same moment. Then the server refuses this pass.
    """
    view = client.view
    if view["window"] and any(may["type"] == "pass" for may in view["you"]["may"]):
        answer = client.try_command("pass", window=view["window"]["id"])
        assert answer["ok"] or answer["error"]["code"] == "stale", answer


def set_longest_window(host: Person) -> None:
    """Set the longest window, so that it closes only when everyone has passed."""
    host.unfold_section("options")
    host.page.locator("[name=nope_seconds]").fill("30")


def prepare_game(people: list[Person]) -> None:
    host = people[0]
    host.give_command("prepare")
    for player in people:
        player.give_command("ready")


def begin_game(people: list[Person], first: Person) -> None:
    people[0].give_command(f"begin-{first.seat}")
