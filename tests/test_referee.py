"""What the golden games can't say: time to the millisecond, and who hears what."""

import pytest
from msgspec.structs import replace

from companion.rules import commands as say
from companion.rules.commands import Moment
from companion.rules.evolve import evolve
from companion.rules.model import Table
from companion.rules.referee import LEGAL, OTHERWISE, decide
from companion.rules.rulings import Refused, Stale
from companion.rules.windows import LEAST_MS, due, resume
from tests.game_script import Script


@pytest.fixture
def script() -> Script:
    """Ana has played a Skip; Ben and Cleo could Nope it for 8 s."""
    script = Script()
    for line in ("players: ana ben cleo", "cleo tells top-left", "ana plays skip"):
        script.line(line)
    return script


def nope(script: Script, now: int, grace_ms: int = 0) -> None:
    said = say.PlayNope(window=script.window())
    decide(
        script.table,
        said,
        sender=script.seat("ben"),
        moment=Moment(now=now, grace_ms=grace_ms),
    )


def test_in_time_until_the_window_closes(script: Script) -> None:
    closes_at = due(script.table)
    assert closes_at == script.now + 8_000
    nope(script, closes_at)
    with pytest.raises(Refused) as refused:
        nope(script, closes_at + 1)
    assert (refused.value.ruling, refused.value.facts) == ("in-time", {"late_ms": 1, "seconds": 8})


def test_in_time_with_the_grace_of_a_slow_connection(script: Script) -> None:
    closes_at = due(script.table)
    assert closes_at is not None
    nope(script, closes_at + 250, grace_ms=250)
    with pytest.raises(Refused):
        nope(script, closes_at + 251, grace_ms=250)


def test_the_window_stays_open_for_the_grace(script: Script) -> None:
    closes_at = due(script.table)
    assert closes_at is not None
    late = Moment(now=closes_at + 249, grace_ms=250)
    assert decide(script.table, say.Tick(), sender=None, moment=late) == ()
    over = replace(late, now=closes_at + 250)
    assert decide(script.table, say.Tick(), sender=None, moment=over)


def test_a_nope_for_one_window_never_hits_another(script: Script) -> None:
    old = script.window()
    script.line("ben nopes")
    assert script.window() != old
    with pytest.raises(Stale):
        decide(
            script.table,
            say.PlayNope(window=old),
            sender=script.seat("cleo"),
            moment=Moment(now=script.now),
        )


def test_a_window_has_three_seconds_at_least_after_a_restart(script: Script) -> None:
    def resumed(now: int) -> Table:
        table = script.table
        for event in resume(table, Moment(now=now)):
            table = evolve(table, event)
        return table

    closes_at = due(script.table)
    assert closes_at is not None
    assert due(resumed(script.now)) == closes_at
    assert due(resumed(closes_at - 1_000)) == closes_at - 1_000 + LEAST_MS
    assert due(resumed(closes_at + 60_000)) == closes_at + 60_000 + LEAST_MS


def test_a_command_built_on_an_old_version_is_stale(script: Script) -> None:
    said = say.Pass(window=script.window(), version=script.table.version - 1)
    with pytest.raises(Stale):
        decide(script.table, said, sender=script.seat("ben"), moment=Moment(now=script.now))
    current = replace(said, version=script.table.version)
    assert decide(script.table, current, sender=script.seat("ben"), moment=Moment(now=script.now))


def test_every_command_outside_its_step_names_a_ruling() -> None:
    windowed = {say.PlayNope, say.Pass, say.Hold, say.Release}
    for kind in {kind for row in LEGAL.values() for kind in row} - windowed:
        assert "" in OTHERWISE[kind], kind
