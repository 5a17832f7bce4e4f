"""Tests for device decks: dealing, playing, undoing, moving and checking them."""

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route, WebSocket, expect
from playwright.sync_api import TimeoutError as Late

from companion.robots import client
from companion.robots.party import Robot, player_factory
from companion.robots.player import TEMPERS
from tests.browser.people import Cell, Person, begin_game, open_lobby, open_pages
from tests.support.iterations import EVERYTHING
from tests.support.servers.server import Client, RealServer, wait_until

pytestmark = [pytest.mark.browser, pytest.mark.filterwarnings("ignore::ResourceWarning")]

BOX = "quarantined"
LATE = 60
"""Time limit of each wait in seconds."""

OPENED_MS = 60_000
"""Time limit in ms for opening the decks after a game. Devices wait 15 s, because the end can be
undone until then."""

DEALS = 12
"""Maximum number of deals until the players have all cards that a test needs."""

STORED = """async () => {
  const open = indexedDB.open("hiss", 1);
  await new Promise((done) => { open.onsuccess = done; });
  const asked = open.result.transaction("decks").objectStore("decks").count();
  await new Promise((done) => { asked.onsuccess = done; });
  return asked.result;
}"""
"""Returns the number of decks that this device stores."""

LOSE = """async () => {
  const asked = indexedDB.deleteDatabase("hiss");
  await new Promise((done) => { asked.onsuccess = done; });
}"""
"""Deletes the decks that the browser stores, as clearing the site's data does."""

NO_STORAGE = "Object.defineProperty(window, 'indexedDB', { value: undefined });"


class Holder(Person):
    """A person who plays with a device deck."""

    def choose_device_deck(self) -> None:
        """Choose the device deck, unless it is already chosen."""
        device = self.page.locator('[data-deck="device"]')
        expect(device).to_be_visible()
        if device.get_attribute("aria-checked") != "true":
            self._tap_button(device)
        self.expect_device_deck()

    def expect_device_deck(self) -> None:
        device = self.page.locator('[data-deck="device"]')
        expect(device).to_have_attribute("aria-checked", "true")

    def read_hand(self) -> list[str]:
        """Uncover the player's hand. Returns the titles of its cards, without repetitions."""
        covered = self.page.locator('[data-do="uncover"]')
        hand = self.page.locator(".dock.kept")
        expect(covered.or_(hand)).to_be_visible()
        if covered.count():
            covered.click()
        expect(hand).to_be_visible()
        cards = hand.locator("[data-play], [data-held]").all()
        titles = [
            card.get_attribute("data-play") or card.get_attribute("data-held") for card in cards
        ]
        return sorted(str(title) for title in titles)

    def hide_kitten(self, cell: Cell, *, still: bool = False) -> None:
        """Defuse the Kitten, and tap the cell in which it is hidden.

        Args:
            still: leave the other cards where they are
        """
        self._tap_button(self.page.locator('[data-do="hide"]'))
        if still:
            self._tap_button(self.page.locator('[data-do="still"]'))
            expect(self.page.locator('[data-do="still"]')).to_have_attribute("aria-pressed", "true")
        self.tap_cell(self, cell)

    def end_game(self) -> None:
        self.confirm_in_sheet(self.page.get_by_label("Menu"), "end_game")

    def confirm_in_sheet(self, opens: Locator, command: str) -> None:
        """Press a button in a sheet that asks for confirmation, and confirm.

        An event from the server can close the sheet. In that case this method tries again.
        """
        ask, say = (self.page.locator(f'[data-{kind}="{command}"]') for kind in ("ask", "say"))
        deadline = time.monotonic() + LATE
        while not say.count():
            assert time.monotonic() < deadline, command
            with suppress(Late, AssertionError):
                if not self.page.locator(".sheet").count():
                    opens.click(timeout=5000)
                ask.click(timeout=5000)
                expect(say).to_be_visible(timeout=5000)
        say.click()

    def open_another_tab(self, days: int = 0) -> Page:
        """Open the table in a new tab, which this person uses from now on. Returns the old tab."""
        older = self.page
        self.page = self.context.new_page()
        self.skip_scenes()
        if days:
            self.page.clock.set_system_time(datetime.now() + timedelta(days=days))
        self.page.goto(older.url)
        return older

    def undo_last_command(self) -> None:
        """Undo the last command, as the host."""
        self.page.get_by_label("Undo", exact=True).click()
        self.give_command("undo")
        expect(self.page.locator(".sheet")).to_have_count(0)


def seat_robot(server: RealServer, code: str) -> Robot:
    """Seat a robot that has a device deck and plays as fast as it can."""
    credentials = client.take_seat(server.url, code, "Zip")
    variant = client.fetch_variant(server.url, BOX)
    chance = Random(7)
    temper = TEMPERS[0]
    player = player_factory(variant, chance)(credentials.seat, temper, chance)
    return Robot(client.Connection(server.url, credentials), player, pace=0)


class Game:
    """A table and its players.

    The first player is the host. Players with a page can have device decks. Players without a page
    have real cards; the test's clients act for them, and never play a card.
    """

    def __init__(
        self, server: RealServer, players: Sequence[Holder | str], **settings: Any
    ) -> None:
        self.server = server
        names = [player if isinstance(player, str) else player.name for player in players]
        options = {"nope_seconds": 30}
        self.party = open_pages(server.create_table(*names, options=options, **settings), players)
        self.code = self.party.table
        self.people = [player for player in players if not isinstance(player, str)]
        self.clients = {
            seat: client
            for seat, client, player in zip(
                self.party.seats, self.party.clients, players, strict=True
            )
            if isinstance(player, str)
        }

    @property
    def view(self) -> Any:
        return self.server.get(f"/api/tables/{self.code}").json

    def find_person(self, seat: str) -> Holder:
        robot: Any = SimpleNamespace(seat=seat)
        return next((player for player in self.people if player.seat == seat), robot)

    def wait_until(self, so: Callable[[Any], bool]) -> Any:
        """Wait until a condition on the view holds. Returns the view."""
        deadline = time.monotonic() + LATE
        while not so(view := self.view):
            assert time.monotonic() < deadline, view
            time.sleep(0.1)
        return view

    def wait_for_step(self, *steps: str) -> Any:
        """Wait until the turn reaches one of these steps. Returns the view."""
        return self.wait_until(lambda view: view["turn"] and view["turn"]["step"] in steps)

    def wait_for_people(self, view: Any) -> Any:
        """Wait for a newer view in which the game waits for a person. Returns the view."""
        return self.wait_until(
            lambda now: now["version"] > view["version"] and self.waits_for_people(now)
        )

    def waits_for_people(self, view: Any) -> bool:
        """Return True if the game waits for one of the players of this test, or is over."""
        turn = view["turn"]
        window = view["window"]
        people = {player.seat for player in self.people}
        players = people | {*self.clients}
        if view["phase"] == "over" or not turn:
            return bool(view["phase"] == "over")
        if window:
            return bool(players & list_seats_that_can_nope(view))
        by_device = turn["step"] in ("shuffle", "reveal", "report")
        return find_awaited_seat(view) in (self.clients if by_device else players)

    def list_cells(self, view: Any, seat: str) -> list[Cell]:
        """Return the cells of a grid. Cells with face-down cards come first."""
        rows = next(seat_view["grid"] for seat_view in view["seats"] if seat_view["seat"] == seat)
        cells = [(r, c) for r, row in enumerate(rows) for c, face in enumerate(row) if face]
        return sorted(cells, key=lambda cell: rows[cell[0]][cell[1]] != "down")

    def pass_for_all(self) -> Any:
        """Pass for every player who can, until the window has closed. Returns the view."""
        deadline = time.monotonic() + LATE
        while (view := self.view)["window"]:
            assert time.monotonic() < deadline, "the window stays open"
            for seat, player in self.clients.items():
                if seat in list_seats_that_can_nope(view):
                    player.try_command("pass", window=view["window"]["id"])
            for player in self.people:
                button = player.page.locator('[data-say="pass"]')
                if player.seat in list_seats_that_can_nope(view) and button.count():
                    button.evaluate("(button) => button.click()")
                    self.wait_until(
                        lambda now, seat=player.seat, at=view["version"]: (
                            seat not in list_seats_that_can_nope(now) or now["version"] > at
                        )
                    )
        return self.wait_for_people({**view, "version": view["version"] - 1})

    def play_card(self, view: Any, card: str) -> Any:
        """Play a card as the turn player, and wait until the game needs a person again."""
        turn = view["turn"]
        up = self.find_person(turn["seat"])
        other = self.find_person(turn["instructor"])
        up.read_hand()
        up.play_card(card)
        if card == "favor":
            up.tap_cell(other, self.list_cells(view, other.seat)[0])
        view = self.wait_for_people(view)
        return self.pass_for_all() if view["window"] else view

    def take_next_step(self, view: Any) -> Any:
        """Take the next step without playing a card. Returns the view."""
        turn = view["turn"]
        up = self.find_person(turn["seat"])
        if view["window"]:
            return self.pass_for_all()
        if client := self.clients.get(find_awaited_seat(view)):
            send_next_command(client, find_awaited_seat(view))
        elif turn["step"] == "tell":
            self.find_person(turn["instructor"]).tap_cell(up, self.list_cells(view, up.seat)[0])
        elif turn["step"] == "act":
            up.tap_cell(up, tuple(turn["told"]))
        else:
            hide = up.page.locator('[data-do="hide"]')
            expect(up.page.locator(".fate")).to_be_visible()
            if hide.count():
                up.hide_kitten(self.list_cells(view, up.seat)[0], still=up is self.people[-1])
            else:
                up.confirm_command("explode")
        return self.wait_for_people(view)


ORDER = ("instruct", "draw", "shuffled", "reveal", "report", "defuse")
"""The commands that a player without a page sends."""


def send_next_command(client: Client, seat: str) -> None:
    """Send the next command of a player without a page. The player reports a safe card if that is
    possible."""

    def list_commands() -> list[Any]:
        may = [command for command in client.view["you"]["may"] if command["as"] == seat]
        known = [command for command in may if command["type"] in ORDER]
        return sorted(
            known, key=lambda one: (ORDER.index(one["type"]), one.get("outcome") == "kitten")
        )

    client.wait(list_commands)
    client.send_command(**list_commands()[0])


def list_seats_that_can_nope(view: Any) -> set[str]:
    """Return the seats that can still Nope and haven't passed."""
    window = view["window"] or {"may_nope": (), "passed": ()}
    return {*window["may_nope"]} - {*window["passed"]}


def find_awaited_seat(view: Any) -> str:
    """Return the seat that the game waits for while no window is open."""
    turn = view["turn"]
    if turn["step"] == "reveal":
        return str(view["played"]["target"])
    return str(turn["instructor"] if turn["step"] == "tell" else turn["seat"])


def deal_until(game: Game, *wanted: str, first: Holder | None = None) -> Any:
    """Begin one game after another, until the devices have dealt each of the wanted cards to
    somebody. Returns the view.

    Args:
        first: the person with the first turn, by default the host
    """
    for _ in range(DEALS):
        prepare_and_begin(game, first)
        view = game.wait_for_step("tell")
        hands = [card for player in game.people for card in player.read_hand()]
        if all(card in hands for card in wanted):
            return view
        end_game(game)
    raise AssertionError(f"nobody ever has {wanted}")


def prepare_and_begin(game: Game, first: Holder | None = None) -> None:
    host = game.party.seats[0]
    if client := game.clients.get(host):
        client.send_command("prepare")
    else:
        game.people[0].give_command("prepare")
    begin_prepared(game, first)


def begin_prepared(game: Game, first: Holder | None = None) -> None:
    """Let the people choose device decks and everybody get ready, and begin the game."""
    host = game.party.seats[0]
    for player in game.people:
        player.choose_device_deck()
        player.give_command("ready")
    for one in game.clients.values():
        one.send_command("ready", ready=True)
    seat = first.seat if first else host
    if client := game.clients.get(host):
        client.wait(lambda: all(one["ready"] for one in client.view["seats"]))
        client.send_command("begin", first=seat)
    else:
        game.people[0].give_command(f"begin-{seat}")


def end_game(game: Game) -> None:
    if client := game.clients.get(game.party.seats[0]):
        client.send_command("end_game")
    else:
        game.people[0].end_game()
    game.wait_until(lambda view: view["phase"] == "lobby")


def expect_honest_decks(people: list[Holder], count: int) -> None:
    for player in people:
        expect(player.page.locator('[data-mark="honest"]')).to_have_count(count, timeout=OPENED_MS)


SHORT = {
    "cards": {"defuse": 1, "see_future": 0, "favor": 3, "nope": 1, "shuffle": 3, "skip": 0},
    "grid": {"rows": 1},
    "deal": {"put_away": 1, "grid": 2},
}
"""House rules with three cards in each grid, and with many cards to shuffle and to reveal."""

LOOK = {"cards": {"see_future": 6, "favor": 0, "shuffle": 1}}
"""House rules with which most hands contain a See the Future."""

QUICK = {"grid": {"rows": 2, "columns": 2}, "deal": {"put_away": 6, "grid": 3}}
"""House rules with four cards in each grid."""


@pytest.mark.parametrize(
    ("names", "rules"),
    [
        pytest.param(("Ana", "Ben"), SHORT, id="short"),
        pytest.param(("Ana", "Ben", "Cleo"), {}, id="three", marks=pytest.mark.repetition),
    ],
)
def test_a_whole_game_of_devices_with_reloads_and_things_taken_back(
    person: Callable[..., Any], server: RealServer, names: Sequence[str], rules: Any
) -> None:
    people = [person(name, kind=Holder) for name in names]
    host = people[0]
    game = Game(server, people, rules=rules)
    view = deal_until(game, "shuffle", "favor")
    wanted = {"shuffle", "favor", "defuse"}
    while view["phase"] != "over":
        turn = view["turn"]
        up = game.find_person(turn["seat"])
        if turn["step"] == "act" and not view["window"]:
            hand = up.read_hand()
            if card := next((card for card in hand if card in wanted - {"defuse"}), None):
                wanted.remove(card)
                view = play_undo_and_replay(game, view, card)
                continue
        if turn["step"] == "kitten" and "defuse" in wanted:
            wanted.remove("defuse")
            first = game.take_next_step(view)
            host.undo_last_command()
            view = game.wait_until(lambda now, after=first: now["version"] > after["version"])
            assert view["turn"]["step"] == "kitten"
            view = game.take_next_step(view)
            before = up.read_hand()
            up.page.reload()
            assert up.read_hand() == before
            continue
        view = game.take_next_step(view)
    assert not wanted
    expect_honest_decks(people, len(people))
    # In a rematch, the players keep their choice of deck.
    host.give_command("rematch")
    for player in people:
        if player is not host:
            player.page.locator('[data-do="go-on"]').click()
        player.expect_device_deck()
    game.wait_until(lambda view: all(seat["deck"]["kind"] == "device" for seat in view["seats"]))


def play_undo_and_replay(game: Game, view: Any, card: str) -> Any:
    """Play a card, undo everything that it caused, and play it again."""
    up = game.find_person(view["turn"]["seat"])
    host = game.people[0]
    before = up.read_hand()
    game.play_card(view, card)
    host.undo_last_command()
    game.wait_for_step("shuffle" if card == "shuffle" else "reveal")
    host.undo_last_command()
    view = game.wait_for_step("act", "window")
    if view["window"]:  # undoing the effect has reopened the window, so undo the play, too
        host.undo_last_command()
        view = game.wait_until(lambda now: now["turn"]["step"] == "act" and not now["window"])
    assert up.read_hand() == before
    return game.play_card(view, card)


def test_the_choice_of_a_device_stays_for_the_tables_next_games(
    person: Callable[..., Any], server: RealServer
) -> None:
    """A player who chose a device deck keeps it, and a player who chose real cards keeps those."""
    ben = person("Ben", kind=Holder)
    game = Game(server, ["Ana", ben])
    ana = game.party.host
    device = ben.page.locator('[data-deck="device"]')

    def get_deck_kind() -> str:
        return str(game.view["seats"][1]["deck"]["kind"])

    def play_and_end_game() -> None:
        ana.send_command("ready", ready=True)
        ben.give_command("ready")
        ana.wait(lambda: all(seat["ready"] for seat in ana.view["seats"]))
        ana.send_command("begin", first=ben.seat)
        expect(ben.page.locator(".play")).to_be_visible()
        ana.send_command("end_game")

    ana.send_command("prepare")
    ben.choose_device_deck()
    play_and_end_game()
    ben.expect_device_deck()
    time.sleep(1)
    assert get_deck_kind() == "table"  # the choice counts from the next game on
    ana.send_command("undo")
    expect(ben.page.locator(".play")).to_be_visible()
    ana.send_command("end_game")
    ben.expect_device_deck()
    ben.page.reload()
    ana.send_command("prepare")
    wait_until(lambda: get_deck_kind() == "device", LATE)
    ben.expect_device_deck()
    device.click()
    wait_until(lambda: get_deck_kind() == "table", LATE)
    play_and_end_game()
    ana.send_command("prepare")
    expect(ben.page.locator('[data-say="ready"]')).to_be_visible()
    expect(device).to_have_attribute("aria-checked", "false")
    time.sleep(1)
    assert get_deck_kind() == "table"


def test_one_switch_of_the_host_proposes_device_decks_to_the_whole_table(
    person: Callable[..., Any], server: RealServer
) -> None:
    """Each player may decline. The players without a deck on a device are named: here one whose
    browser can't store a deck, one without a panel, and one who declined."""
    ana, ben, cleo = (person(name, kind=Holder) for name in ("Ana", "Ben", "Cleo"))
    cleo.page.add_init_script(NO_STORAGE)
    game = Game(server, [ana, ben, cleo])
    for player in (ana, ben, cleo):
        expect(player.page.locator('[data-deck="nobody"]')).to_have_count(int(player is ana))
        expect(player.page.locator("[data-missing]")).to_have_count(0)
    ana.unfold_section("seats")
    name = ana.page.get_by_label("Somebody without a screen")
    name.fill("Dora")
    name.press("Enter")
    expect(ana.page.locator(".token")).to_have_count(4)
    nobody = ana.page.locator('[data-deck="nobody"]')

    def expect_missing(names: str) -> None:
        for player in (ana, ben, cleo):
            expect(player.page.locator("[data-missing]")).to_have_text(
                f"Without cards on a device: {names}"
            )

    nobody.click()
    ana.expect_device_deck()
    ben.expect_device_deck()
    expect(cleo.page.locator(".foot [role=alert]")).to_contain_text("stores nothing")
    expect_missing("Cleo and Dora (no panel)")
    ben.page.locator('[data-deck="device"]').click()
    expect_missing("Ben, Cleo and Dora (no panel)")
    ben.page.reload()
    expect_missing("Ben, Cleo and Dora (no panel)")
    nobody.click()
    expect(ana.page.locator('[data-deck="device"]')).to_have_attribute("aria-checked", "false")
    wait_until(lambda: all(seat["deck"]["kind"] == "table" for seat in game.view["seats"]), LATE)
    nobody.press("Space")
    ana.expect_device_deck()
    expect_missing("Ben, Cleo and Dora (no panel)")
    ben.page.locator('[data-deck="device"]').click()
    expect_missing("Cleo and Dora (no panel)")
    ana.give_command("prepare")
    for player in (ana, ben, cleo):
        player.give_command("ready")
    ana.page.locator('[data-say^="ready-"]').click()
    expect_missing("Cleo and Dora (no panel)")
    begin_game([ana, ben, cleo], first=ben)
    game.wait_for_step("tell")
    # A newcomer to the next preparation gets the proposal, too.
    ana.end_game()
    game.wait_until(lambda view: view["phase"] == "lobby")
    ana.give_command("prepare")
    eve = person("Eve", kind=Holder)
    credentials = server.post(f"/api/tables/{game.code}/seats", {"name": "Eve"}).json
    game.party.seats.append(credentials["seat"])
    game.party.tokens.append(credentials["token"])
    eve.open_seat(game.party, 3)
    for player in (ana, ben, eve):
        player.expect_device_deck()
    expect_missing("Cleo and Dora (no panel)")


def hold_keeper(page: Page) -> Callable[[], int]:
    """Hold back the module that keeps the deck. Returns a function that lets the page load it, and
    returns the number of requests that were held back."""
    held: list[Route] = []
    is_holding = True
    page.route(
        "**/*keeper*.js", lambda route: held.append(route) if is_holding else route.continue_()
    )

    def release() -> int:
        nonlocal is_holding
        is_holding = False
        for route in held:
            route.continue_()
        return len(held)

    return release


def test_a_player_is_ready_only_after_their_device_has_chosen_its_deck(
    person: Callable[..., Any], server: RealServer
) -> None:
    """A player who is ready can't choose a deck any more. Here the player taps before the device
    has chosen its deck."""
    ben = person("Ben", kind=Holder)
    release_keeper = hold_keeper(ben.page)
    game = Game(server, ["Ana", ben])
    ana = game.party.host
    ana.send_command("options", device_decks=True)
    ana.send_command("prepare")
    ready = ben.page.locator('[data-say="ready"]')
    ready.click()
    expect(ready).to_have_attribute("aria-busy", "true")
    assert release_keeper()
    expect(ben.page.locator('[data-say="unready"]')).to_be_visible()
    view = game.view
    assert view["seats"][1]["ready"]
    assert view["seats"][1]["deck"]["kind"] == "device"


HOLD_CHOICES = """const send = WebSocket.prototype.send;
window.heldChoices = [];
WebSocket.prototype.send = function (data) {
  if (window.holdsChoices && String(data).includes('"type":"deck"'))
    window.heldChoices.push(() => send.call(this, data));
  else send.call(this, data);
};
window.releaseChoices = () => {
  window.holdsChoices = false;
  for (const sendChoice of window.heldChoices.splice(0)) sendChoice();
};"""
"""Holds back the page's choices of a deck while `holdsChoices` is true."""


def test_a_host_who_switches_device_decks_on_and_off_leaves_everybody_their_real_cards(
    person: Callable[..., Any], server: RealServer
) -> None:
    """The host switches them off before the device has stored its secret, and then before the
    server has received its choice, and prepares the game at once. A player can change their own
    choice as quickly."""
    ben = person("Ben", kind=Holder)
    ben.page.add_init_script(HOLD_CHOICES)
    release_keeper = hold_keeper(ben.page)
    game = Game(server, ["Ana", ben])
    ana = game.party.host
    missing = ben.page.locator("[data-missing]")

    def propose(on: bool) -> None:
        ana.send_command("options", device_decks=on)
        expect(missing).to_have_count(int(on))

    def list_choices() -> list[str]:
        log = game.server.get(f"/api/tables/{game.code}/log").json
        return [line["facts"]["kind"] for line in log if line["type"] == "deck_said"]

    def hold_choices() -> None:
        ben.page.evaluate("window.holdsChoices = true")

    def wait_for_choice() -> None:
        wait_until(lambda: ben.page.evaluate("window.heldChoices.length"), LATE)

    def release_choices() -> None:
        ben.page.evaluate("window.releaseChoices()")

    propose(True)
    propose(False)
    release_keeper()
    wait_until(lambda: list_choices() == ["device", "table"], LATE)
    hold_choices()
    propose(True)
    wait_for_choice()
    propose(False)
    ana.send_command("prepare")
    release_choices()
    wait_until(lambda: list_choices() == ["device", "table"] * 2, LATE)
    device = ben.page.locator('[data-deck="device"]')
    hold_choices()
    device.click()
    wait_for_choice()
    ben.expect_device_deck()
    device.click()
    release_choices()
    wait_until(lambda: list_choices() == ["device", "table"] * 3, LATE)


KITTEN_CHANCES = """(grid) => Object.fromEntries(
  [...grid.querySelectorAll("[data-cell].down")].map((cell) => [
    cell.dataset.cell,
    cell.querySelector(".risk text").textContent,
  ]),
)"""
"""Returns the text of the mark on each face-down card of a grid, by its cell."""


def read_chances(
    player: Holder, owner: Holder | None = None, place: str = ".stage"
) -> dict[str, str]:
    """Return the Kitten's chance for each face-down card of a grid, as a player's page shows it in
    this place."""
    seat = (owner or player).seat
    grid = player.page.locator(f'{place} [data-grid="{seat}"]')
    expect(grid).to_be_visible()
    chances: dict[str, str] = grid.evaluate(KITTEN_CHANCES)
    return chances


def expect_chances(player: Holder, chances: dict[str, str], place: str = ".stage") -> None:
    """Expect these chances in the player's own grid. A page may need a moment to compute them."""
    deadline = time.monotonic() + LATE
    while (shown := read_chances(player, place=place)) != chances:
        assert time.monotonic() < deadline, (shown, chances)
        player.page.wait_for_timeout(50)


def cover_hand(player: Holder) -> None:
    player.page.locator('[data-do="cover"]').click()
    expect(player.page.locator('[data-do="uncover"]')).to_be_visible()


CARD_AND_PLACE = """(cell) => {
  const box = (part) => cell.querySelector(part)?.getBoundingClientRect();
  const [note, eye] = [box(".noted"), box(".seen")];
  return {
    label: cell.getAttribute("aria-label"),
    apart: note && eye && (note.left >= eye.right || eye.left >= note.right),
  };
}"""
"""Returns the cell's label, and whether its note and its eye symbol stay apart."""


def test_a_player_reads_where_the_card_that_they_looked_at_lies(
    person: Callable[..., Any], server: RealServer
) -> None:
    """The player looked at one cell and has to draw from another one. The page must not mix up the
    two."""
    up = person("Ben", kind=Holder)
    game = Game(server, ["Ana", up], rules=LOOK)
    view = game.take_next_step(deal_until(game, "see_future", first=up))
    turn = view["turn"]
    view = game.play_card(view, "see_future")
    cell = next(
        other_cell
        for other_cell in game.list_cells(view, up.seat)
        if list(other_cell) != turn["told"]
    )
    looked_cell = up.find_cell(up, cell)
    place = str(looked_cell.get_attribute("aria-label")).split(", face down")[0]
    up.tap_cell(up, cell)
    saw = up.page.locator(".now .saw")
    expect(saw).to_contain_text(f"{place[0].upper()}{place[1:]} is: ")
    card = saw.inner_text().strip().split(" is: ")[1].removesuffix(". Only you see it.")
    looks = looked_cell.evaluate(CARD_AND_PLACE)
    assert looks["label"].startswith(f"{place}, face down, only you know: {card}")
    assert looks["apart"]
    announcement = up.page.locator("#says")
    expect(announcement).to_contain_text(f" is: {card}. Only you see it. Draw: ")
    other = open_hosts_page(game, person)
    assert "only you know" not in str(other.find_cell(up, cell).get_attribute("aria-label"))
    check_chances_after_look(up, other, cell, is_kitten=card == "Exploding Kitten")


def open_hosts_page(game: Game, person: Callable[..., Any]) -> Holder:
    """Open the page of the host, for whom a client has acted until now."""
    host: Holder = person("Ana", kind=Holder)
    game.clients.pop(game.party.seats[0]).close()
    host.open_seat(game.party, 0)
    return host


def check_chances_after_look(up: Holder, other: Holder, cell: Cell, *, is_kitten: bool) -> None:
    """Check that the card that the player saw changes the chances only on the player's own page,
    and only while the hand is uncovered there. A note by the player changes them, too."""
    name = ",".join(map(str, cell))
    everybodys = read_chances(other, up)
    count = len(everybodys)
    assert {*everybodys.values()} == {f"{round(100 / count)}%"}
    other_chance = "0%" if is_kitten else f"{round(100 / (count - 1))}%"
    known = dict.fromkeys(everybodys, other_chance) | {name: "100%" if is_kitten else "0%"}
    expect_chances(up, known)
    cover_hand(up)
    expect_chances(up, everybodys)
    assert up.page.locator(f'.stage [data-grid="{up.seat}"] .noted').count() == 0
    up.read_hand()
    expect_chances(up, known)
    up.page.locator(f'.chain [data-seat="{up.seat}"]').click()
    unseen = next(other_cell for other_cell in everybodys if other_cell != name)
    up.page.locator(f'.sheet [data-cell="{unseen}"]').click()
    up.page.locator('.sheet [data-note="skip"]').click()
    expect(up.page.locator(".sheet .noted")).to_have_count(2)
    noted = "0%" if is_kitten else f"{round(100 / (count - 2))}%"
    expect(up.page.locator(".sheet .odds .bars").first).to_be_visible()
    after_note = {cell: noted for cell in everybodys if cell not in (name, unseen)}
    expect_chances(up, known | {unseen: "0%"} | after_note, ".sheet")


def repeat_view(game: Game, socket: WebSocket, player: Holder) -> None:
    """Let a player's page show a new view of the same step, and then that view again, as it does
    when the player comes back to it.

    Args:
        socket: the page's connection
    """
    game.party.host.send_command("options", nope_seconds=20)
    with socket.expect_event("framereceived", lambda frame: str(frame).startswith("43")):
        player.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")


def test_a_player_can_look_away_while_hiding_the_kitten_and_reads_where_it_lies(
    person: Callable[..., Any], server: RealServer
) -> None:
    """Other players' pages don't show the Kitten's cell, and the player's own page shows it only
    while the cards are uncovered."""
    up = person("Ben", kind=Holder)
    sockets: list[WebSocket] = []
    up.page.on("websocket", lambda socket: sockets.append(socket))
    game = Game(server, ["Ana", up], rules=QUICK)
    view = deal_until(game, "defuse", first=up)
    while view["turn"]["step"] != "kitten":
        view = game.take_next_step(view)
    cell = game.list_cells(view, up.seat)[-1]
    up.page.locator('[data-do="hide"]').click()
    up.page.locator('[data-do="still"]').click()
    repeat_view(game, sockets[-1], up)
    view = game.wait_for_people(view)
    expect(up.page.locator('[data-do="still"]')).to_have_attribute("aria-pressed", "true")
    up.page.keyboard.press("Escape")
    up.hide_kitten(cell)
    view = game.wait_for_people(view)
    while view["turn"]["seat"] != up.seat:
        view = game.take_next_step(view)
    other = open_hosts_page(game, person)
    up.read_hand()
    everybodys = read_chances(other, up)
    count = len(everybodys)
    assert {*everybodys.values()} == {f"{round(100 / count)}%"}
    hidden = dict.fromkeys(everybodys, "0%") | {",".join(map(str, cell)): "100%"}
    expect_chances(up, hidden)
    up.page.reload()
    up.read_hand()
    expect_chances(up, hidden)
    cover_hand(up)
    expect_chances(up, everybodys)


def deal_one_nope(game: Game) -> tuple[Holder, Holder]:
    """Deal until exactly one of two people holds a Nope.

    Returns the player with the Nope and the player without one, with all hands covered.
    """
    for _ in range(DEALS):
        deal_until(game, "nope")
        having = [player for player in game.people if "nope" in player.read_hand()]
        if len(having) == 1:
            for player in game.people:
                cover_hand(player)
            return having[0], next(player for player in game.people if player is not having[0])
        end_game(game)
    raise AssertionError("nobody is ever dealt these cards")


DOCKS = """() => [...document.querySelectorAll(".dock, .now .badge")]
  .map((dock) => dock.outerHTML.replace(/<!--.*?-->/g, ""))"""
"""Returns the content of a page's docks and of the badge above them."""


def test_covered_cards_offer_a_nope_and_do_not_show_whether_their_player_holds_one(
    person: Callable[..., Any], server: RealServer
) -> None:
    """During a Nope window, all players with covered hands see the same buttons. If a player
    without a Nope presses the Nope button, the page explains that the hand has none, and sends
    nothing."""
    game = Game(server, ["Ana", *(person(name, kind=Holder) for name in ("Ben", "Cleo"))])
    having, lacking = deal_one_nope(game)
    game.take_next_step(game.view)
    game.party.host.send_command("play", card="skip")
    view = game.wait_until(lambda now: now["window"])
    docks = []
    for player in (having, lacking):
        nope, passes = (player.page.locator(f'[data-say="{say}"]') for say in ("nope", "pass"))
        expect(nope).to_be_visible()
        tops = [button.evaluate("(one) => one.offsetTop") for button in (nope, passes)]
        assert tops[0] == tops[1]
        expect(player.page.locator(".badge.you")).to_have_text("Nope?")
        docks.append(player.page.evaluate(DOCKS))
    assert docks[0] == docks[1]
    lacking.page.keyboard.press("n")
    expect(lacking.page.locator(".now [role=alert]")).to_contain_text("You hold no Nope.")
    lacking.page.locator('[data-say="nope"]').click()
    expect(lacking.page.locator(".now [role=alert]")).to_contain_text("You hold no Nope.")
    assert having.page.locator("[role=alert]").count() == 0
    lacking.page.locator('[data-say="hold"]').click()
    now = game.wait_until(lambda now: now["version"] > view["version"])
    assert now["version"] == view["version"] + 1, "only the hold was sent"
    having.page.keyboard.press("n")
    now = game.wait_until(lambda now: now["played"]["nopes"])
    assert now["played"]["nopes"] == [having.seat]
    expect(lacking.page.locator('[data-say="nope"]')).to_contain_text("Yup!")
    expect(lacking.page.locator(".badge.you")).to_have_text("Yup?")


def test_a_deck_moves_to_another_browser_and_the_old_one_forgets_it(
    person: Callable[..., Any], server: RealServer
) -> None:
    """The other player is a robot."""
    ana = person("Ana", kind=Holder)
    game = Game(server, [ana])
    robot = seat_robot(server, game.code)
    robot.start()
    try:
        check_move_to_another_browser(game, ana, person)
    finally:
        robot.connection.close()
        robot.join(10)
    assert not robot.troubles


def check_move_to_another_browser(game: Game, ana: Holder, person: Callable[..., Any]) -> None:
    ana.give_command("prepare")
    ana.choose_device_deck()
    ana.give_command("ready")
    game.wait_until(lambda view: all(seat["ready"] for seat in view["seats"]))
    ana.give_command(f"begin-{ana.seat}")
    view = game.wait_until(game.waits_for_people)
    hand = ana.read_hand()
    ana.page.locator(f'.chain [data-seat="{ana.seat}"]').click()
    ana.page.locator('[data-do="claim"]').click()
    link = ana.page.locator("[data-claim]").get_attribute("href")
    assert link
    # The server draws the QR codes but must not see this link, so the link can only be copied.
    expect(ana.page.locator(".claim .qr")).to_have_count(0)
    ana.context.grant_permissions(["clipboard-read", "clipboard-write"])
    ana.page.locator(".claim [data-do=share]").click()
    expect(ana.page.locator(".claim [data-do=share]")).to_contain_text("copied")
    assert ana.page.evaluate("navigator.clipboard.readText()") == link
    assert ana.page.evaluate(STORED) == 1
    other = person("Ana", kind=Holder)
    other.seat = ana.seat
    sent_texts = record_sent_data(ana.page, other.page)
    other.page.goto(link)
    assert other.read_hand() == hand
    assert "#" not in other.page.url
    deadline = time.monotonic() + LATE
    while ana.page.evaluate(STORED):
        assert time.monotonic() < deadline, "the old device still keeps the deck"
    assert sent_texts and not [text for text in sent_texts if link.rsplit(".", 1)[1] in text]
    game.people = [other]
    while view["phase"] != "over" and not has_drawn(game, ana.seat):
        view = game.take_next_step(view)
    if view["phase"] != "over":
        [robot] = {seat["seat"] for seat in view["seats"]} - {ana.seat}
        other.confirm_in_sheet(other.page.locator(f'.chain [data-seat="{robot}"]'), "remove_seat")
    expect_honest_decks([other], 2)


def has_drawn(game: Game, seat: str) -> bool:
    log = game.server.get(f"/api/tables/{game.code}/log").json
    return any(line["type"] == "card_touched" and line["seat"] == seat for line in log)


def test_a_hosts_link_leaves_the_deck_behind_and_the_game_can_continue(
    person: Callable[..., Any], server: RealServer
) -> None:
    """With the host's link, the seat moves to a third device, while its deck stays on the old one.

    The old device, the third one and the host each read how to continue, and a link brings the seat
    back to its deck.
    """
    ana, ben = (person(name, kind=Holder) for name in ("Ana", "Ben"))
    game = Game(server, [ana, ben])
    ana.give_command("prepare")
    ben.choose_device_deck()
    for player in (ana, ben):
        player.give_command("ready")
    begin_game([ana, ben], first=ben)
    game.wait_for_step("tell")
    ana.tap_cell(ben, (0, 0))
    hand = ben.read_hand()
    bens = ana.page.locator(f'.chain [data-seat="{ben.seat}"]')
    # Only the device with the deck can make a link to its seat while that device is connected.
    bens.click()
    expect(ana.page.locator("[data-stays]")).to_contain_text("only it makes a link")
    expect(ana.page.locator('[data-do="claim"], [data-ask="claim"]')).to_have_count(0)
    ana.page.keyboard.press("Escape")
    table = ben.page.url
    ben.page.goto("about:blank")
    plight = ana.page.locator('[data-do="plight"]')
    expect(plight).to_be_visible()
    expect(ana.page.locator(".now .plight")).to_contain_text("isn’t connected")
    third = person("Ben", kind=Holder)
    third.seat = ben.seat
    third.page.goto(make_link_as_host(ana, plight))
    # The third device and the host's page explain why the game doesn't continue, and what to do.
    third.expect_headline("your deck isn’t here")
    expect(third.page.locator(".dock .lost")).to_contain_text("isn’t on this device")
    expect(third.page.locator("main [data-grid] button:enabled")).to_have_count(0)
    ana.expect_headline("Ben can’t go on")
    expect(ana.page.locator(".now .plight")).to_contain_text("take the seat back by a link")
    expect(ana.page.locator('[data-say="stand"]')).to_have_count(0)
    # The old device has lost the seat but still has the deck. It shows a permanent notice about
    # that.
    ben.page.goto(table)
    expect(ben.page.locator(".now [role=alert]")).to_contain_text("still on this one")
    assert ben.page.evaluate(STORED) == 1
    # The third device makes a link that the old device can use.
    third.page.locator('[data-do="lost"]').click()
    expect(third.page.locator('[data-ask="leave"]')).to_be_visible()
    third.page.locator('[data-do="claim"]').click()
    expect(third.page.locator(".claim")).to_contain_text("the device that has your deck")
    open_link(ben, third.page.locator("[data-claim]").get_attribute("href"))
    assert ben.read_hand() == hand
    ana.expect_headline("Ben draws")
    expect(plight).to_have_count(0)
    # A page whose seat is lost for good doesn't offer "Use it here".
    expect(third.page.locator("[data-elsewhere] h1")).to_contain_text("on another device now")
    expect(third.page.get_by_text("Use it here")).to_have_count(0)
    third.page.locator('[data-do="watch"]').click()
    expect(third.page.locator(".now")).to_contain_text("You’re watching")
    if EVERYTHING:
        check_links_while_a_card_is_touched(game, ana, ben, third)


def check_links_while_a_card_is_touched(
    game: Game, ana: Holder, ben: Holder, third: Holder
) -> None:
    """The device with the deck disconnects again, and the host touches a card for its seat."""
    plight = ana.page.locator('[data-do="plight"]')
    ben.page.goto("about:blank")
    expect(ana.page.locator('[data-say="stand"]')).to_be_visible()
    ana.give_command("stand")
    ana.tap_cell(ben, (0, 0))
    game.wait_for_step("report")
    open_link(third, make_link_as_host(ana, plight))
    third.expect_headline("your deck isn’t here")
    open_link(ben, make_link_as_host(ana, plight))
    ben.page.locator('[data-say="safe"], [data-say="kitten"]').click()
    game.wait_until(lambda view: view["turn"]["step"] != "report")
    assert ben.page.evaluate(STORED) == 1


def make_link_as_host(host: Holder, opens: Locator) -> str:
    """Let the host make a link for a seat. Returns the link, which is shown after a warning that
    the deck doesn't move with it."""
    host.confirm_in_sheet(opens, "claim")
    expect(host.page.locator(".claim")).to_contain_text("doesn’t bring the deck")
    link = str(host.page.locator("[data-claim]").get_attribute("href"))
    host.page.keyboard.press("Escape")
    return link


def open_link(player: Holder, link: str | None) -> None:
    assert link
    player.page.goto("about:blank")
    player.page.goto(link)


def test_a_deck_outlives_a_second_tab_a_restart_and_a_day_and_is_opened_afterwards(
    person: Callable[..., Any], serve: Callable[..., RealServer]
) -> None:
    """If a deck is lost during setup, it can be dealt again. If it is lost during a game, the
    player can only leave."""
    server = serve()
    ben = person("Ben", server.url, kind=Holder)
    game = Game(server, ["Ana", ben])
    host = game.party.seats[0]
    game.party.host.send_command("prepare")
    ben.choose_device_deck()
    ben.page.evaluate(LOSE)
    ben.page.reload()
    expect(ben.page.locator(".deck-choice [role=status]")).to_contain_text("isn’t on this device")
    ben.page.locator('[data-deck="anew"]').click()
    ben.expect_device_deck()
    begin_prepared(game, first=ben)
    game.take_next_step(game.wait_for_step("tell"))
    hand = ben.read_hand()
    # A second tab of the same browser takes the seat over.
    older = ben.open_another_tab()
    assert ben.read_hand() == hand
    expect(older.locator("h1")).to_contain_text("open somewhere else")
    older.close()
    # The device sleeps for a day, during which the server restarts.
    ben.page.close()
    server.stop()
    server.start()
    game.clients[host] = ana = server.connect_client(game.code, game.party.tokens[0])
    ben.open_another_tab(days=1)
    assert ben.read_hand() == hand
    # The device sleeps while the game ends. The host can undo the end until the next game is
    # prepared. After that, devices open their decks, and this device does so when it wakes up.
    ben.page.close()
    end_game(game)
    ana.send_command("prepare")
    assert not list_seats_with_open_decks(game)
    ben.open_another_tab()
    wait_until(lambda: list_seats_with_open_decks(game) == {ben.seat}, LATE)
    check = server.run("check", f"{server.url}/t/{game.code}")
    assert check.stdout.count("honestly") == 1, check.stdout
    # Delete the next game's deck during play.
    begin_prepared(game, first=ben)
    game.wait_for_step("tell")
    ben.page.evaluate(LOSE)
    ben.page.reload()
    expect(ben.page.locator(".dock .lost")).to_contain_text("isn’t on this device")
    expect(ben.page.locator("[data-play], [data-do=hide]")).to_have_count(0)
    ana.send_command("remove_seat", seat=ben.seat)
    closed = ben.page.locator(f'[data-mark="closed"][data-seat="{ben.seat}"]')
    expect(closed).to_be_visible(timeout=OPENED_MS)


def test_a_device_opens_its_deck_only_at_the_end_and_reports_touched_cards(
    person: Callable[..., Any], server: RealServer
) -> None:
    ben = person("Ben", kind=Holder)
    party = open_lobby(server, ["Ana", ben])
    ana = party.host
    bens = {"as": ben.seat}
    ana.send_command("prepare")
    ben.choose_device_deck()
    ben.give_command("ready")
    ana.send_command("ready", ready=True)
    ana.wait(lambda: all(seat["ready"] for seat in ana.view["seats"]))
    ana.send_command("begin", first=ben.seat)
    hand = ben.read_hand()

    def get_opened_secret() -> Any:
        return next(s["deck"]["secret"] for s in ana.view["seats"] if s["seat"] == ben.seat)

    def can_draw() -> bool:
        return any(command["type"] == "draw" for command in ana.view["you"]["may"])

    ana.send_command("leave", **bens)
    assert ana.view["phase"] == "over"
    time.sleep(3)
    assert get_opened_secret() is None
    ana.send_command("undo")
    assert ben.read_hand() == hand
    ana.send_command("instruct", cell=[0, 0])
    assert not can_draw()
    assert ana.expect_refusal("draw", cell=[0, 0], **bens)["ruling"] == "own-deck"
    # The host touches a card while the device is away. When the device is back, the page asks the
    # player what the card was.
    table = ben.page.url
    ben.page.goto("about:blank")
    ana.wait(can_draw)
    ana.send_command("draw", cell=[0, 0], **bens)
    ben.page.goto(table)
    report = ben.page.locator('[data-say="safe"], [data-say="kitten"]')
    expect(report).to_have_count(1)
    time.sleep(1)
    assert ana.socket.call("sync")["turn"]["step"] == "report"
    report.click()
    ana.wait(lambda: ana.view["turn"]["step"] != "report")
    ana.send_command("leave", **bens)
    ana.wait(get_opened_secret, OPENED_MS / 1000)
    assert ana.expect_refusal("undo")["facts"]["case"] == "opened"


DROP_REPORTS = """const send = WebSocket.prototype.send;
WebSocket.prototype.send = function (data) {
  if (sessionStorage.reports || !String(data).includes('"report"')) send.call(this, data);
};"""
"""Loses every report of a card, until `sessionStorage.reports` is set."""


def test_a_device_reports_its_card_after_a_reload_even_if_the_variant_comes_late(
    person: Callable[..., Any], server: RealServer
) -> None:
    """The page is reloaded before the table has received the report. The table's first view then
    comes before the page knows the variant, and so before it knows the cards."""
    ben = person("Ben", kind=Holder)
    late: list[Route] = []
    ben.page.add_init_script(DROP_REPORTS)
    game = Game(server, ["Ana", ben])
    prepare_and_begin(game, first=ben)
    game.take_next_step(game.wait_for_step("tell"))
    ben.tap_cell(ben, (0, 0))
    game.wait_for_step("report")
    ben.page.evaluate("sessionStorage.reports = 'yes'")
    held = True
    ben.page.route("**/variant?*", lambda route: late.append(route) if held else route.continue_())
    ben.page.reload()
    expect(ben.page.locator(".dock [aria-busy]")).to_be_visible()
    held = False
    for route in late:
        route.continue_()
    game.wait_until(lambda view: not view["turn"] or view["turn"]["step"] != "report")


def record_sent_data(*pages: Page) -> list[str]:
    """Return a list to which every request and message of these pages is added."""
    sent_texts: list[str] = []
    for page in pages:
        page.on("request", lambda request: sent_texts.append(f"{request.url} {request.post_data}"))
        page.on(
            "websocket",
            lambda socket: socket.on("framesent", lambda sent: sent_texts.append(str(sent))),
        )
    return sent_texts


def list_seats_with_open_decks(game: Game) -> set[str]:
    """Return the seats whose deck has been opened, which publishes its secret."""
    log = game.server.get(f"/api/tables/{game.code}/log").json
    return {line["seat"] for line in log if line["type"] == "deck_opened"}
