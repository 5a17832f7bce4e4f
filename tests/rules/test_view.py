"""Tests for views: odds, notes, and the probability of having survived until now."""

from typing import Any

import pytest

from tests.support.game_script import Script
from tests.support.public_view import private_view, public_view


def run_script(*lines: str) -> Script:
    script = Script()
    for line in lines:
        script.run_line(line)
    return script


def seat(script: Script, name: str) -> dict[str, Any]:
    seats = public_view(script.table, script.now)["seats"]
    return next(s for s in seats if s["name"] == name)


BEGUN = ("players: ana ben", "ben tells top-left")


def test_at_the_beginning_each_of_six_cells_is_equally_likely_to_be_the_kitten() -> None:
    odds = seat(run_script(*BEGUN), "ana")["odds"]
    assert len(odds["cells"]) == 6
    for cell in odds["cells"].values():
        assert cell["kitten"] == pytest.approx(1 / 6, abs=1e-6)
        assert sum(cell.values()) == pytest.approx(1, abs=1e-5)
    assert odds["holds"]["defuse"] == 1
    # There are two Nopes among the thirteen unknown cards, and four of the thirteen are in the
    # hand.
    assert odds["holds"]["nope"] == pytest.approx(1 - (9 * 8) / (13 * 12), abs=1e-6)
    assert odds["placed"] is False


def test_odds_are_marked_as_placed_after_a_defuse() -> None:
    script = run_script(*BEGUN, "ana draws top-left", "ana reports kitten", "ana defuses")
    assert seat(script, "ana")["odds"]["placed"] is True


def test_a_note_changes_only_its_players_own_odds() -> None:
    script = run_script(*BEGUN)
    before = public_view(script.table, script.now)["seats"]
    ben = private_view(script.table, script.seat("ben"))
    script.run_line("ana notes top-middle kitten")
    mine = private_view(script.table, script.seat("ana"))["odds"]["cells"]
    assert mine["0,1"] == {"kitten": 1.0}
    assert mine["0,0"]["kitten"] == 0
    assert public_view(script.table, script.now)["seats"] == before
    assert private_view(script.table, script.seat("ben")) == ben


def test_with_odds_off_no_view_contains_odds() -> None:
    script = run_script("lobby: ana ben", "ana sets odds=no roll_call=no", "ana prepares")
    for line in ("ana is ready", "ben is ready", "ana begins with ana", "ben tells top-left"):
        script.run_line(line)
    script.run_line("ana notes top-middle kitten")
    assert "odds" not in str(public_view(script.table, script.now)["seats"])
    assert "odds" not in private_view(script.table, script.seat("ana"))
    for line in ("ana draws top-left", "ana reports kitten", "ana explodes"):
        script.run_line(line)
    assert "survival" not in seat(script, "ben")


def test_at_the_end_everyone_sees_each_players_survival_odds() -> None:
    script = run_script(*BEGUN, "ana draws top-left", "ana reports safe", "ana tells top-left")
    for line in ("ben draws top-left", "ben reports kitten", "ben explodes"):
        script.run_line(line)
    # Ana's draw counts as safe, because she has had a Defuse in her hand since the deal.
    assert seat(script, "ana")["survival"] == 1
    assert seat(script, "ben")["survival"] == 1


def test_a_draw_without_a_certain_defuse_lowers_the_survival_odds() -> None:
    script = run_script(*BEGUN, "ana draws top-left", "ana reports kitten", "ana defuses")
    for line in ("ana tells top-left", "ben draws top-left", "ben reports safe"):
        script.run_line(line)
    script.run_line("ben tells top-left")
    holds = seat(script, "ana")["odds"]["holds"]["defuse"]
    assert 0 < holds < 1
    for line in ("ana draws top-left", "ana reports safe", "ana tells top-middle"):
        script.run_line(line)
    for line in ("ben draws top-middle", "ben reports kitten", "ben explodes"):
        script.run_line(line)
    assert seat(script, "ana")["survival"] == pytest.approx(1 - (1 - holds) / 6, abs=1e-5)


def test_at_the_end_everyone_sees_each_players_boldest_survived_draw() -> None:
    script = run_script(*BEGUN, "ana draws top-left", "ana reports safe", "ana tells top-left")
    for line in ("ben draws top-left", "ben reports safe", "ben tells top-middle"):
        script.run_line(line)
    for line in ("ana draws top-middle", "ana reports kitten", "ana explodes"):
        script.run_line(line)
    assert seat(script, "ana")["boldest"] == pytest.approx(1 / 6, abs=1e-5), "not the last draw"
    assert seat(script, "ben")["boldest"] == pytest.approx(1 / 6, abs=1e-5)


def test_only_the_hosts_view_names_the_version_that_an_undo_reaches() -> None:
    script = run_script(*BEGUN)
    assert private_view(script.table, script.seat("ana"))["undo"] == script.table.version
    assert "undo" not in private_view(script.table, script.seat("ben"))
