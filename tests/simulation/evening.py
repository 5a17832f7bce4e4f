"""Play a short first game at a table, in which players draw a Kitten as soon as possible."""

from __future__ import annotations

import msgspec

from companion.rules.core.commands import Begin, Command, Prepare, SayReady
from companion.rules.core.referee import legal_commands
from companion.rules.core.state import Table
from companion.service.tables import Tables

QUICKEST_FIRST = "explode report draw instruct call_next pass".split()


def play_short_game(tables: Tables, code: str) -> None:
    """Play the first game of a table, from its lobby to its winner."""
    with tables.at(code) as live:
        host = live.table.host
        live.apply_internal(Prepare(), host)
        for seat in live.table.seats:
            live.apply_internal(SayReady(ready=True), seat.seat)
        live.apply_internal(Begin(first="lot"), host)
        while live.table.game and live.table.game.winner is None:
            command = _choose_quickest_command(live.table)
            live.apply_internal(command, command.seat)


def _choose_quickest_command(table: Table) -> Command:
    """Return the legal command that ends the game soonest."""

    def rank_command(command: Command) -> tuple[bool, int]:
        content = msgspec.to_builtins(command)
        kind = str(command.__struct_config__.tag)
        return content.get("outcome") != "kitten", QUICKEST_FIRST.index(
            kind
        ) if kind in QUICKEST_FIRST else 99

    return min(legal_commands(table), key=rank_command)
