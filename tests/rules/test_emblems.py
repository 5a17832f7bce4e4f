"""Emblems: everybody has one of their own, and chooses it before a game."""

import re
from pathlib import Path

from companion.rules.core.commands import AddSeat
from companion.rules.core.events import evolve
from companion.rules.core.table_events import EmblemChosen, SeatTaken
from companion.rules.core.types import EMBLEMS
from companion.rules.families import new_table
from tests.rules.test_late_nopes import Family, either_family
from tests.support.game_script import Script
from tests.support.public_view import public_view


def shown_emblems(script: Script) -> dict[str, str]:
    """Return each player's emblem, as everybody sees it."""
    seats = public_view(script.table, script.now)["seats"]
    return {seat["name"]: seat["emblem"] for seat in seats}


def play_lobby(family: Family, *lines: str) -> Script:
    script = family.script(family.variant)
    for line in ("lobby: ana", "ben joins", *lines):
        script.run_line(line)
    return script


@either_family
def test_the_first_player_to_choose_an_emblem_keeps_it(family: Family) -> None:
    script = play_lobby(family, "ben chooses the emblem cat")
    script.run_line("ana chooses the emblem cat !unique-names")
    before = len(script.events)
    script.run_line("ben chooses the emblem cat")
    assert len(script.events) == before, "the seat has the emblem already"
    assert shown_emblems(script)["ben"] == "cat"


@either_family
def test_newcomers_and_robots_take_free_emblems(family: Family) -> None:
    script = play_lobby(family, "ana chooses the emblem fish", "ben chooses the emblem heart")
    for number in range(script.table.variant.players.most - 2):
        script.handle_command(AddSeat(name=f"guest {number}"), script.seat("ana"))
    worn = shown_emblems(script).values()
    assert len({*worn}) == len(worn) == script.table.variant.players.most
    assert {*worn} <= {*EMBLEMS}


@either_family
def test_a_table_keeps_its_emblems_when_somebody_leaves_and_for_a_new_game(
    family: Family,
) -> None:
    script = play_lobby(family, "cleo joins", "cleo chooses the emblem tomcat")
    before = shown_emblems(script)
    for line in ("ben leaves", "ana prepares", "ana goes back to the lobby", "dora joins"):
        script.run_line(line)
    after = shown_emblems(script)
    assert {name: after[name] for name in ("ana", "cleo")} == {
        name: before[name] for name in ("ana", "cleo")
    }
    assert after["dora"] not in (after["ana"], after["cleo"])


@either_family
def test_a_replay_of_the_log_shows_the_chosen_emblems(family: Family) -> None:
    script = play_lobby(family, "ben chooses the emblem cat", "ana chooses the emblem tomcat")
    replayed = new_table("GOLDEN", family.variant)
    for _, event in script.events:
        replayed = evolve(replayed, event)
    assert [seat.emblem for seat in replayed.seats] == ["tomcat", "cat"]


def test_an_old_log_gives_the_emblems_of_the_seats_numbers() -> None:
    """Old logs contain no ``EmblemChosen``. The number of a player's seat then determines the
    emblem."""
    assert "emblem" not in SeatTaken.__struct_fields__
    assert EmblemChosen.__struct_fields__ == ("seat", "emblem")
    table = Script().table
    for number in (1, 3, 11, 4):
        table = SeatTaken(seat=f"s{number}", name=f"{number}", panel=True).table_after(table)
    assert [seat.emblem for seat in table.seats] == ["paw", "moon", "fish", "star"]


def test_the_panel_draws_the_same_emblems_as_the_rules_know() -> None:
    moves = Path("static/js/core/moves.js").read_text("utf-8")
    listed = moves.split("export const EMBLEMS = [")[1].split("]")[0]
    assert tuple(re.findall(r'"(\w+)"', listed)) == EMBLEMS
