"""Tests of the rules that the games in ``tests/scripts`` can't express, such as milliseconds and
which seats see an event."""

import random
from typing import get_args

import pytest
from msgspec.structs import replace

from companion.rules.core.commands import DecisionInputs
from companion.rules.core.events import evolve
from companion.rules.core.family import Family
from companion.rules.core.moves import EVERY_STEP, WINDOW_CLOSED
from companion.rules.core.referee import current_step, decide, next_deadline
from companion.rules.core.state import UndoRequest
from companion.rules.core.undo import ASKED_MS
from companion.rules.core.windows import LEAST_MS, resume
from companion.rules.families import FAMILIES
from companion.rules.grid.family import GRID
from companion.rules.grid.state import Table
from companion.rules.text.rulings import Refused, Stale
from tests.support.game_script import Script
from tests.support.iterations import scale_count
from tests.support.play_at_random import RandomGame
from tests.support.say import events as happened
from tests.support.say import say


@pytest.fixture
def script() -> Script:
    """Return a script in which Ben and Cleo have 8 s to Nope Ana's Skip."""
    script = Script()
    for line in ("players: ana ben cleo", "cleo tells top-left", "ana plays skip"):
        script.run_line(line)
    return script


def send_nope(script: Script, now: int, grace_ms: int = 0) -> None:
    command = say.PlayNope(window=script.window())
    decide(
        script.table,
        command,
        sender=script.seat("ben"),
        inputs=DecisionInputs(now=now, grace_ms=grace_ms),
    )


def test_in_time_until_the_window_closes(script: Script) -> None:
    closes_at = next_deadline(script.table)
    assert closes_at == script.now + 8_000
    send_nope(script, closes_at)
    with pytest.raises(Refused) as refused:
        send_nope(script, closes_at + 1)
    assert (refused.value.ruling, refused.value.facts) == ("in-time", {"late_ms": 1, "seconds": 8})


def test_in_time_with_the_grace_of_a_slow_connection(script: Script) -> None:
    closes_at = next_deadline(script.table)
    assert closes_at is not None
    send_nope(script, closes_at + 250, grace_ms=250)
    with pytest.raises(Refused):
        send_nope(script, closes_at + 251, grace_ms=250)


def test_the_window_stays_open_for_the_grace(script: Script) -> None:
    closes_at = next_deadline(script.table)
    assert closes_at is not None
    late = DecisionInputs(now=closes_at + 249, grace_ms=250)
    assert decide(script.table, say.Tick(), sender=None, inputs=late) == ()
    later = replace(late, now=closes_at + 250)
    assert decide(script.table, say.Tick(), sender=None, inputs=later)


def test_a_nope_for_one_window_never_hits_another(script: Script) -> None:
    old = script.window()
    script.run_line("ben nopes")
    assert script.window() != old
    with pytest.raises(Stale):
        decide(
            script.table,
            say.PlayNope(window=old),
            sender=script.seat("cleo"),
            inputs=DecisionInputs(now=script.now),
        )


def test_a_window_has_three_seconds_at_least_after_a_restart(script: Script) -> None:
    def resume_at(now: int) -> Table:
        table = script.table
        for event in resume(table, DecisionInputs(now=now)):
            table = evolve(table, event)
        return table

    closes_at = next_deadline(script.table)
    assert closes_at is not None
    assert next_deadline(resume_at(script.now)) == closes_at
    assert next_deadline(resume_at(closes_at - 1_000)) == closes_at - 1_000 + LEAST_MS
    assert next_deadline(resume_at(closes_at + 60_000)) == closes_at + 60_000 + LEAST_MS


@pytest.mark.parametrize("command", [say.Tick(), say.Resume()], ids=["tick", "restart"])
def test_a_request_lapses_in_time_and_when_the_clock_was_set_back(script: Script, command) -> None:
    until = script.now + ASKED_MS
    request = UndoRequest(id=script.table.version, seat=script.seat("ana"), until=until)
    table = replace(script.table, asked=request)

    def request_lapses(now: int) -> bool:
        events = decide(table, command, sender=None, inputs=DecisionInputs(now=now))
        return any(isinstance(event, happened.BackLapsed) for event in events)

    assert [request_lapses(now) for now in (script.now, until - 1)] == [False, False]
    assert [request_lapses(now) for now in (script.now - 1, until)] == [True, True]


def test_a_command_built_on_an_old_version_is_stale(script: Script) -> None:
    command = say.Pass(window=script.window(), version=script.table.version - 1)
    with pytest.raises(Stale):
        decide(
            script.table, command, sender=script.seat("ben"), inputs=DecisionInputs(now=script.now)
        )
    current = replace(command, version=script.table.version)
    assert decide(
        script.table, current, sender=script.seat("ben"), inputs=DecisionInputs(now=script.now)
    )


@pytest.mark.parametrize("family", FAMILIES.values(), ids=lambda family: family.id)
def test_every_command_of_the_wire_has_its_row_and_no_two_rows_are_for_one(family: Family) -> None:
    rows = [row.command for row in (*family.table_moves, *family.machine.moves)]
    assert len(rows) == len({*rows})
    assert {*get_args(family.command)} <= {*rows}


@pytest.mark.parametrize("family", FAMILIES.values(), ids=lambda family: family.id)
def test_a_step_is_led_to_and_leads_on(family: Family) -> None:
    """Each step of a family's state machine begins with a move, with the end of a window, or with a
    new game."""
    machine = family.machine
    ways = {*machine.begins, *machine.closes.values()}
    ways |= {step for move in machine.moves for step in move.leads_to}
    assert {*machine.steps} == ways - {WINDOW_CLOSED, "over"}


def test_every_command_outside_its_step_names_a_ruling() -> None:
    for move in GRID.machine.moves:
        assert move.during == EVERY_STEP or move.ruling_against("somewhere else"), move.command


def find_next_steps(step: str) -> set[str]:
    """Return every step that can follow this one, according to the table of moves."""
    following = {after for move in GRID.machine.steps[step] for after in move.leads_to}
    return (
        (following | {*GRID.machine.closes.values()}) - {"closed"}
        if "closed" in following
        else following
    )


@pytest.mark.slow
def test_a_step_leads_where_the_machine_says() -> None:
    followers = {step: set() for step in GRID.machine.steps}
    for seed in range(scale_count(10, 60)):
        rng = random.Random(seed)
        game = RandomGame(rng.randint(2, 5), {"roll_call": seed % 2 == 0})
        game.begin_game(seed)
        for _ in range(250):
            before = game.table
            game.step(rng.choice([n for n in range(1, 10**4) if n % 7]))
            if before.phase != game.table.phase == "over":
                followers[before.game.turn.step].add("over")
            if game.table.phase in ("over", "lobby", "setup"):
                break
            after = current_step(game.table, game.table.game)
            if game.table.version > before.version:
                followers[current_step(before, before.game)].add(after)
    for step, after in followers.items():
        assert after <= find_next_steps(step) | {step}, step
        assert after, f"{step} was never left"
