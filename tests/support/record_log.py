"""Record the table of a script game as a stored log, for the tests of later versions.

``python -m tests.support.record_log 0.7-reverse tests/scripts/grid/reverse.game`` writes
``tests/data/logs/0.7-reverse.json``, with the events of the script's last table, and adds the
log's hashes to ``tests/data/wire_record.json``.
"""

import json
import sys
from pathlib import Path
from typing import Any

import msgspec

from tests.support.game_script import QUARANTINED, Script, play_script
from tests.support.paths import DATA

LOGS = DATA / "logs"
CODE = "TAPED7"
"""A code that a server accepts. The code of a script's table isn't one."""
LATER_MS = 1_795_800_000_000
"""Time in ms that is added to a script's times, which begin in 1970. A server would delete a table
that old."""


def play_tables(game: Path) -> list[Script]:
    """Play a script and return its tables, in order."""
    tables: list[Script] = []

    def begin_table(variant: Any = QUARANTINED) -> Script:
        tables.append(Script(variant))
        return tables[-1]

    play_script(game, begin_table)
    return tables


def list_event_types(game: Path) -> set[str]:
    """Return the types of the events that happen in a script."""
    return {
        str(event.__struct_config__.tag) for table in play_tables(game) for _, event in table.events
    }


def record(game: Path) -> dict[str, Any]:
    """Return the stored log of the last table in a script."""
    script = play_tables(game)[-1]
    table = script.table
    return {
        "about": game.read_text("utf-8").splitlines()[0].lstrip("# "),
        "table": CODE,
        "variant": json.loads(table.variant.to_json()),
        "ends": {
            "version": table.version,
            "phase": table.phase,
            "game": table.games,
            "host": table.host,
            "winner": table.game.winner if table.game else None,
        },
        "events": [[LATER_MS + at, msgspec.to_builtins(event)] for at, event in script.events],
    }


if __name__ == "__main__":
    name, game = sys.argv[1:]
    log = json.dumps(record(Path(game)), separators=(",", ":"), ensure_ascii=False)
    (LOGS / f"{name}.json").write_text(log + "\n", "utf-8")
    from tests.rules import test_wire_record

    test_wire_record.add_missing_hashes()
