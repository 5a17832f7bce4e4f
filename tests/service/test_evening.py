"""Tests for the history of a table's games."""

from typing import Any

from companion.rules.core.events import evolve
from companion.service.table.history import History
from tests.support import game_script
from tests.support.game_script import Script

FIRST = """
players: Ana Ben Cleo
cleo tells top-left
ana plays skip
ben nopes
cleo nopes
ana nopes
... 8s
ana draws top-left
ana reports kitten
ana explodes
cleo tells top-left
ben draws top-left
ben reports kitten
ben explodes
ana undoes
ben explodes
"""
"""Ben Nopes a Skip, Cleo Nopes his Nope, and Ana hers. So Ben's and Ana's Nopes count.

Then Ana and Ben explode.
"""

SECOND = """
ana wants a rematch
ana is ready
ben is ready
cleo is ready
ana begins with ben
ana tells top-left
ben plays skip
... 8s
ben leaves
ana leaves
"""


def play_and_read_evening(monkeypatch: Any, *parts: str) -> list[dict[str, Any]]:
    script = Script()
    history = History()

    def evolve_and_record(table: Any, event: Any) -> Any:
        after = evolve(table, event)
        history.add(table, event, after, script.now)
        return after

    monkeypatch.setattr(game_script, "evolve", evolve_and_record)
    for line in filter(None, "".join(parts).splitlines()):
        script.run_line(line)
    games: list[dict[str, Any]] = history.results_as_json()["games"]
    return games


def test_a_table_remembers_winners_exits_and_nopes_that_counted(monkeypatch: Any) -> None:
    (game,) = play_and_read_evening(monkeypatch, FIRST)
    players = game["players"]
    assert [(p["name"], p["place"], p["out"]) for p in players] == [
        ("Cleo", 1, None), ("Ben", 2, "kitten"), ("Ana", 3, "kitten"),
    ]  # fmt: skip
    assert {p["name"]: p["nopes"] for p in players} == {"Ana": 1, "Ben": 1, "Cleo": 0}
    assert all(0 <= p["survival"] <= 1 for p in players)


def test_undone_moves_are_not_remembered(monkeypatch: Any) -> None:
    assert play_and_read_evening(monkeypatch, FIRST, "ana undoes\n") == []
    undone = "ana undoes\nana undoes\nben reports kitten\nben explodes\n"
    assert [game["game"] for game in play_and_read_evening(monkeypatch, FIRST, undone)] == [1]


def test_each_game_of_a_table_is_recorded_separately(monkeypatch: Any) -> None:
    games = play_and_read_evening(monkeypatch, FIRST, SECOND)
    assert [game["game"] for game in games] == [1, 2]
    second = games[1]["players"]
    assert [(p["name"], p["out"]) for p in second] == [
        ("Cleo", None), ("Ana", "left"), ("Ben", "left"),
    ]  # fmt: skip
    assert not any(p["nopes"] for p in second)
