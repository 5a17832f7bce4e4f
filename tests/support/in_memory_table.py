"""A table in memory with robots. The robots see only what a server would send to them."""

from collections.abc import Mapping
from random import Random
from typing import Any

import msgspec

from companion.robots.grid.player import Secrets
from companion.robots.party import Party, Plan, choose_host_command, is_played_out, player_factory
from companion.robots.player import TEMPERS
from companion.rules import families
from companion.rules.core import referee
from companion.rules.core.commands import Command, DecisionInputs, HouseRules, TakeSeat
from companion.rules.core.events import evolve
from companion.rules.core.referee import legal_commands
from companion.rules.core.types import Event
from companion.rules.core.view import log_entry
from companion.rules.variants.variant import Variant
from tests.support.own_variants import load_own
from tests.support.public_view import private_view, public_view

QUARANTINED = load_own("quarantined")
PATIENCE = 300
"""Seconds for which a game may stand still on a busy machine."""


def play_party(party: Party) -> Any:
    """Wait until a party's last game has ended, and return its view.

    Some robots may not have published their decks' secrets yet.
    """
    view = party.next_view(None, patience=PATIENCE)
    while not is_played_out(view, party.plan):
        view = party.next_view(view, patience=PATIENCE)
    return view


def variant_as_json(variant: Variant) -> dict[str, Any]:
    """Return a variant as clients receive it."""
    document: dict[str, Any] = msgspec.json.decode(variant.to_json())
    return document


class InMemoryTable:
    """A table, its robots and their first game."""

    def __init__(
        self, number: int, seed: int, variant: Variant = QUARANTINED, rules: Any = None
    ) -> None:
        self.chance = Random(seed)
        self.table = families.new_table("PARLOR", variant)
        self.events: list[Event] = []
        self.log: list[dict[str, Any]] = []
        for place in range(number):
            self.handle_command(TakeSeat(name=f"Robot {place}"), None)
        self.host = self.table.seats[0].seat
        if rules is not None:
            self.handle_command(HouseRules(rules=rules), self.host)
        player = player_factory(variant_as_json(self.table.variant), self.chance)
        self.players: dict[str, Any] = {
            seat.seat: player(seat.seat, self.chance.choice(TEMPERS), self.chance)
            for seat in self.table.seats
        }
        for player in self.players.values():
            player.secrets = Secrets(self.draw_secret())
            player.log = lambda: self.log
            player.variant = lambda: variant_as_json(self.table.variant)

    def draw_secret(self) -> str:
        return self.chance.randbytes(32).hex()

    def handle_command(self, command: Command, sender: str | None) -> None:
        inputs = DecisionInputs(
            now=0,
            lot=self.chance.randrange(99),
            salt=self.draw_secret(),
        )
        for event in referee.decide(self.table, command, sender=sender, inputs=inputs):
            before = self.table
            self.table = evolve(self.table, event)
            self.events.append(event)
            self.log.append(log_entry(before, event, self.table, 0))

    def send_command(self, document: Mapping[str, Any], sender: str) -> None:
        self.handle_command(msgspec.convert(document, self.table.family.command), sender)

    def render_public_view(self) -> dict[str, Any]:
        """Return the part of the view that all seats have in common."""
        return {**public_view(self.table, 0), "log": self.log[-50:]}

    def render_views(self) -> dict[str, dict[str, Any]]:
        """Return the view of each seat, decoded from the wire's JSON."""
        public = self.render_public_view()
        legal = msgspec.to_builtins(legal_commands(self.table))
        views = {
            seat: public
            | {
                "you": private_view(self.table, seat)
                | {"may": [command for command in legal if command["as"] == seat]}
            }
            for seat in self.players
        }
        decoded: dict[str, dict[str, Any]] = msgspec.json.decode(msgspec.json.encode(views))
        return decoded

    def take_step(self) -> None:
        """Give a command of the host if the table is between games, otherwise a command of a
        robot."""
        views = self.render_views()
        seats = list(self.players)
        self.chance.shuffle(seats)
        command = choose_host_command(views[self.host], Plan(robots=len(seats)))
        if command is not None:
            self.send_command(command, self.host)
            return
        for seat in seats:
            wish = self.players[seat].choose(views[seat])
            if wish is not None:
                self.send_command(wish.command, seat)
                self.players[seat].on_accepted(wish, self.table.version)
                return
        raise AssertionError(f"nobody has anything to say in {views[self.host]}")

    def play_game(self) -> None:
        for _ in range(5000):
            if self.table.phase == "over":
                return
            self.take_step()
        raise AssertionError("a game without an end")
