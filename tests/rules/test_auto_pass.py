"""Pass for me: a player passes automatically in every window until their next turn."""

import pytest

from companion.rules.core.commands import DecisionInputs, SetAutoPass
from companion.rules.core.events import evolve
from companion.rules.core.referee import decide, legal_commands
from companion.rules.core.table_events import SeatLent
from companion.rules.text.rulings import Forbidden
from tests.rules.test_late_nopes import Family, either_family, play_lines
from tests.support.game_script import Script
from tests.support.public_view import public_view

AHEAD = "passes ahead"


def passing_seats(script: Script) -> set[str]:
    """Return the names of the players who pass automatically, as everybody sees it."""
    seats = public_view(script.table, script.now)["seats"]
    return {seat["name"] for seat in seats if seat.get("auto_pass")}


@either_family
def test_a_window_in_which_all_others_pass_ahead_closes_at_once(family: Family) -> None:
    script = play_lines(family, f"ben {AHEAD}", f"cleo {AHEAD}")
    assert passing_seats(script) == {"ben", "cleo"}, "everybody sees it"
    script.run_line("ana plays skip")
    game = script.table.game
    assert game is not None and game.window is None
    kinds = [str(event.__struct_config__.tag) for _, event in script.events]
    assert kinds[-5:-1] == ["card_played", "passed", "passed", "window_closed"]


@either_family
def test_a_window_stays_open_for_those_who_decide_themselves(family: Family) -> None:
    script = play_lines(family, f"ben {AHEAD}", "ana plays skip")
    window = script.table.require_game().window
    assert window is not None and window.passed == (script.seat("ben"),)
    script.run_line("ben nopes")  # a player who passed may still Nope
    script.run_line("cleo nopes")  # opens a new window, in which Ben passes automatically
    window = script.table.require_game().window
    assert window is not None and window.passed == (script.seat("ben"),)
    script.run_line("ana passes")
    assert script.table.require_game().window is None


@either_family
def test_the_choice_passes_in_the_open_window_too(family: Family) -> None:
    script = play_lines(family, "ana plays skip", f"ben {AHEAD}")
    window = script.table.require_game().window
    assert window is not None and window.passed == (script.seat("ben"),)
    script.run_line(f"cleo {AHEAD}")
    assert script.table.require_game().window is None


@either_family
def test_it_ends_with_the_players_next_turn(family: Family) -> None:
    script = play_lines(family, f"ben {AHEAD}", f"cleo {AHEAD}", "ana plays skip")
    assert passing_seats(script) == {"cleo"}, "it is Ben's turn now"


@either_family
def test_it_ends_when_the_player_stops_it(family: Family) -> None:
    script = play_lines(family, f"ben {AHEAD}", "ben passes ahead no more", "ana plays skip")
    assert passing_seats(script) == set()
    window = script.table.require_game().window
    assert window is not None and window.passed == ()


@either_family
def test_it_ends_when_the_player_leaves_or_lends_the_seat_and_with_the_game(
    family: Family,
) -> None:
    script = play_lines(family, f"ben {AHEAD}", f"cleo {AHEAD}", "ben leaves")
    assert passing_seats(script) == {"cleo"}
    lent = evolve(script.table, SeatLent(seat=script.seat("cleo"), robot="careful"))
    assert not lent.require_game().by_seat[script.seat("cleo")].auto_pass
    script.run_line("ana ends the game")
    assert passing_seats(script) == set()


@either_family
def test_an_undo_keeps_the_choice_and_passes_in_the_window_that_it_opens(family: Family) -> None:
    script = play_lines(family, "ana plays skip", "cleo nopes", f"ben {AHEAD}", "ana undoes")
    assert passing_seats(script) == {"ben"}
    window = script.table.require_game().window
    assert window is not None and window.passed == (script.seat("ben"),)
    stopped = play_lines(
        family, f"ben {AHEAD}", "ana plays skip", "ben passes ahead no more", "ana undoes"
    )
    assert passing_seats(stopped) == set()


@either_family
def test_only_the_player_can_choose_it(family: Family) -> None:
    script = play_lines(family)
    command = SetAutoPass(seat=script.seat("ben"), on=True)
    inputs = DecisionInputs(now=script.now)
    for sender in ("ana", "cleo"):
        with pytest.raises(Forbidden) as refused:
            decide(script.table, command, sender=script.seat(sender), inputs=inputs)
        assert (refused.value.ruling, refused.value.case) == ("everyone-passed", "own")


@either_family
def test_a_choice_that_changes_nothing_has_no_event(family: Family) -> None:
    script = play_lines(family, f"ben {AHEAD}")
    before = script.table.version
    script.run_line(f"ben {AHEAD}")
    assert script.table.version == before


@either_family
def test_the_choice_says_nothing_about_a_hand(family: Family) -> None:
    """Any living player can choose at any time to pass in every window. The choice doesn't depend
    on the player's cards."""
    script = play_lines(family)
    legal = legal_commands(script.table)
    assert not any(isinstance(command, SetAutoPass) for command in legal), "as with notes"
    for name in ("ana", "ben", "cleo"):
        script.run_line(f"{name} {AHEAD}")
    assert passing_seats(script) == {"ana", "ben", "cleo"}
