"""A seat with a device deck sends the same commands as a seat with real cards."""

import json
import time
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.people import Cell
from tests.browser.test_device_decks import Game, Holder, find_awaited_seat
from tests.support.servers.server import RealServer

pytestmark = pytest.mark.browser

OWN = ("deck", "open")
"""Commands that only the seat of a device deck sends."""
NOT_COMPARED = ("id", "window", "hidden", "version")
"""Fields that can differ when a game is repeated: ids, and the sealed cell of the hidden Kitten
with its version."""


RULES = {
    "cards": {"defuse": 1, "see_future": 4, "favor": 3, "nope": 1, "shuffle": 2, "skip": 3},
    "grid": {"rows": 2, "columns": 2},
    "deal": {"put_away": 6, "grid": 3},
}
"""House rules with many cards to play, and with few to draw until the Kitten."""


class Table(Game):
    """A table where Ana uses the page and Ben is a test client. All commands are recorded
    in order."""

    def __init__(self, server: RealServer, ana: Holder) -> None:
        self.ana = ana
        self.frames: list[dict[str, Any]] = []
        self.said: list[tuple[str, dict[str, Any]]] = []
        ana.page.on("websocket", lambda line: line.on("framesent", self._record_frame))
        super().__init__(server, [ana, "Ben"], rules=RULES)
        [(self.bens, self.ben)] = self.clients.items()
        self.clients = {}  # this test sends Ben's commands itself

    def _record_frame(self, frame: Any) -> None:
        text = frame if isinstance(frame, str) else ""
        start = text.find('["command",')
        if text.startswith("42") and start > 0:
            command = json.loads(text[start:])[1]
            if command not in self.frames:  # a page resends a command until it is answered
                self.frames.append(command)
                self.said.append(("ana", command))

    def send_as_ben(self, kind: str, **more: Any) -> None:
        self.ana.page.evaluate("0")  # wait for commands that the page sent earlier
        self.said.append(("ben", {"type": kind, **more}))
        if kind == "pass":
            more["window"] = self.view["window"]["id"]
        self.ben.send_command(kind, **more)

    def begin_game(self, *, device: bool) -> None:
        ana = self.ana
        ana.give_command("prepare")
        if device:
            ana.choose_device_deck()
        ana.give_command("ready")
        self.ben.send_command("ready", ready=True)
        ana.give_command(f"begin-{ana.seat}")
        self.wait_for_step("tell")

    def list_anas_commands(self) -> list[dict[str, Any]]:
        """Return the commands of Ana's page, without the fields that can differ."""
        self.ana.page.evaluate("0")
        return [
            {key: value for key, value in command.items() if key not in NOT_COMPARED}
            for command in self.frames
            if command["type"] not in OWN
        ]


def play_with_device_deck(game: Table) -> None:
    """Play until Ana has hidden her Kitten. Ana plays her own cards, and Ben plays any card."""
    wanted = ["see_future", "favor", "shuffle", "skip"]
    favored = False
    deadline = time.monotonic() + 240
    while not any(command["type"] == "defuse" for command in game.frames):
        assert time.monotonic() < deadline, game.view
        view = game.wait_until(
            lambda now: (
                now["window"] or find_awaited_seat(now) == game.bens or game.waits_for_people(now)
            )
        )
        step = view["turn"]["step"]
        mine = find_awaited_seat(view) == game.ana.seat
        if view["window"]:
            pass_next_player(game, view)
        elif not mine and step == "act" and not favored:
            favored = True
            cell = game.list_cells(view, game.ana.seat)[-1]
            game.send_as_ben("play", card="favor", target=game.ana.seat, cell=cell)
        elif not mine:
            send_bens_command(game, view, step)
        elif step == "act":
            hand = game.ana.read_hand()
            card = next((title for title in wanted if title in hand), None)
            if card:
                wanted.remove(card)
                game.ana.play_card(card)
                if card == "favor":
                    game.ana.tap_cell(stand_in_for_ben(game), game.list_cells(view, game.bens)[0])
            else:
                game.ana.tap_cell(game.ana, tuple(view["turn"]["told"]))
            wait_for_next_version(game, view)
        elif step == "kitten":
            game.ana.hide_kitten(game.list_cells(view, game.ana.seat)[0])
            wait_for_next_version(game, view)
        else:  # at step "tell" Ana instructs Ben, at step "look" she looks at a card of her own
            owner = game.ana if step == "look" else stand_in_for_ben(game)
            game.ana.tap_cell(owner, game.list_cells(view, owner.seat)[0])
            wait_for_next_version(game, view)


def pass_next_player(game: Table, view: Any) -> None:
    """Pass for the next player who can Nope."""
    window = view["window"]
    left = {*window["may_nope"]} - {*window["passed"]}
    if game.bens in left:
        game.send_as_ben("pass")
    elif game.ana.seat in left:
        game.ana.page.locator('[data-say="pass"]').click()
    wait_for_next_version(game, view)


def send_bens_command(game: Table, view: Any, step: str) -> None:
    """Send Ben's next command.

    He plays Skips first, so that his grid keeps enough cards for the odds to change.
    """
    if step == "tell":
        game.send_as_ben("instruct", cell=game.list_cells(view, game.ana.seat)[0])
    elif step == "act":
        skips = sum(
            command.get("card") == "skip" for sender, command in game.said if sender == "ben"
        )
        if skips < 3:
            game.send_as_ben("play", card="skip")
        else:
            game.send_as_ben("draw", cell=view["turn"]["told"])
    elif step == "reveal":
        game.send_as_ben("reveal", card="shuffle")
    else:
        game.send_as_ben("report", outcome="safe")


def stand_in_for_ben(game: Table) -> Any:
    """Return an object with Ben's seat, so that Ana can tap cells of his grid."""
    ben: Any = type("Ben", (), {"seat": game.bens})
    return ben


def wait_for_next_version(game: Table, view: Any) -> None:
    game.wait_until(lambda now: now["version"] > view["version"])


def replay_with_real_cards(game: Table, recorded: list[tuple[str, dict[str, Any]]]) -> None:
    """Repeat the recorded commands at a table where Ana has real cards and taps each command."""
    for sender, command in recorded:
        view = game.view
        kind = command["type"]
        if sender == "ben":
            game.send_as_ben(kind, **{key: command[key] for key in command if key != "type"})
        elif kind == "report":
            report_outcome(game, command["outcome"])
            continue
        else:
            tap_command(game, kind, command)
        wait_for_next_version(game, view)


def report_outcome(game: Table, outcome: str) -> None:
    """Report an outcome, unless the page has done so itself because only one is possible."""
    button = game.ana.page.locator(f'[data-say="{outcome}"]')
    tapped = False
    deadline = time.monotonic() + 60
    while game.view["turn"]["step"] == "report":
        assert time.monotonic() < deadline, outcome
        if button.count() and not tapped:
            tapped = True
            button.evaluate_all("(buttons) => buttons.forEach((button) => button.click())")


def tap_command(game: Table, kind: str, command: dict[str, Any]) -> None:
    ana = game.ana
    cell: Cell = tuple(command.get("cell") or ())  # type: ignore[assignment]
    if kind == "play":
        ana.play_card(command["card"])
        if cell:
            ana.tap_cell(stand_in_for_ben(game), cell)
    elif kind in ("instruct", "look", "draw"):
        ana.tap_cell(stand_in_for_ben(game) if kind == "instruct" else ana, cell)
    elif kind == "reveal":
        ana.reveal_card(command["card"])
    else:
        ana.give_command(kind)


def test_a_device_deck_sends_the_same_commands_as_real_cards(
    person: Callable[..., Any], server: RealServer
) -> None:
    """The comparison ignores ids, times, and commands about the deck itself (ruling own-deck)."""
    with_device = Table(server, person("Ana", kind=Holder))
    with_device.begin_game(device=True)
    command_count = len(with_device.frames)
    before = [command for command in with_device.frames if command["type"] in OWN]
    with_device.said.clear()
    play_with_device_deck(with_device)
    with_device.ana.page.evaluate("0")
    with_real_cards = Table(server, person("Ana", kind=Holder))
    with_real_cards.begin_game(device=False)
    replay_with_real_cards(with_real_cards, with_device.said)
    assert [command["type"] for command in before] == ["deck"]
    assert len(with_device.frames) > command_count + 5
    assert with_device.list_anas_commands() == with_real_cards.list_anas_commands()
    expect(with_real_cards.ana.page.locator("h1")).to_be_visible()
