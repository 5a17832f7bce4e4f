"""Tests for robots whose devices keep their decks, so that every game can be checked."""

from random import Random
from typing import Any

import pytest

from companion.device_decks.check import check_deck, describe_decks, split_games
from companion.robots import client
from companion.robots.party import Party, Plan, is_finished
from tests.support.fair_world import PACK
from tests.support.in_memory_table import (
    PATIENCE,
    QUARANTINED,
    InMemoryTable,
    play_party,
    variant_as_json,
)
from tests.support.iterations import scale_count
from tests.support.servers.server import RealServer


@pytest.mark.parametrize("undo", [0, 0.1])
def test_every_game_of_robots_passes_the_check_even_with_undone_moves(undo: float) -> None:
    for seed in range(scale_count(2, 60)):
        parlour = InMemoryTable(2 + seed % 3, seed)
        while parlour.table.phase != "over":
            parlour.take_step()
            playing = parlour.table.phase == "play"
            if playing and parlour.table.past and parlour.chance.random() < undo:
                parlour.send_command({"type": "undo"}, parlour.host)
        for _ in parlour.players:
            parlour.take_step()
        (game,) = split_games(parlour.log)
        assert game.opened.keys() == game.decks.keys() == parlour.players.keys()
        assert [check_deck(PACK, game, seat) for seat in game.decks] == [()] * len(game.decks), seed


def test_a_robot_waits_until_an_undo_request_is_answered() -> None:
    parlour = InMemoryTable(2, 1)
    while parlour.table.phase != "play":
        parlour.take_step()
    views = parlour.render_views()
    request = {"id": 1, "seat": "x", "until": 2, "waits_for": []}
    wishes = {seat: player.choose(views[seat]) for seat, player in parlour.players.items()}
    assert any(wishes.values())
    for seat, player in parlour.players.items():
        assert player.choose({**views[seat], "asked": request}) is None
        you = {**views[seat]["you"], "agree": 1}
        wish = player.choose({**views[seat], "asked": request, "you": you})
        assert wish is not None and wish.command == {"type": "agree", "asked": 1}


def test_robots_open_their_decks_once_the_end_cannot_be_undone() -> None:
    parlour = InMemoryTable(2, seed=3)
    while parlour.table.phase != "play" or len(parlour.log) < 30:
        parlour.take_step()
    parlour.send_command({"type": "end_game"}, parlour.host)

    def get_wish_type(seat: str) -> str | None:
        wish = parlour.players[seat].choose(parlour.render_views()[seat])
        return wish and wish.command["type"]

    assert not any(get_wish_type(seat) == "open" for seat in parlour.players)
    parlour.send_command({"type": "prepare"}, parlour.host)
    assert [get_wish_type(seat) for seat in parlour.players] == ["open", "open"]


def test_a_robot_reports_only_its_own_draw() -> None:
    """If the host drew for the robot, the robot reports nothing, because the host can still undo
    the draw. If undo is off, the robot reports."""
    parlour = InMemoryTable(2, seed=3)
    while parlour.table.phase != "play" or parlour.table.require_game().turn.step != "act":
        parlour.take_step()
    turn = parlour.table.require_game().turn
    other = next(seat for seat in parlour.players if seat != turn.seat)
    if parlour.host == turn.seat:
        parlour.send_command({"type": "pass_host", "seat": other}, parlour.host)
    draw = {"type": "draw", "cell": list(turn.told), "as": turn.seat}

    def get_wish() -> Any:
        return parlour.players[turn.seat].choose(parlour.render_views()[turn.seat])

    parlour.send_command(draw, other)
    assert get_wish() is None
    parlour.send_command({"type": "undo"}, other)
    parlour.send_command(draw, turn.seat)
    assert get_wish().command["type"] == "report"
    parlour.send_command({"type": "undo"}, other)
    parlour.send_command({"type": "options", "take_back": "nobody"}, other)
    parlour.send_command(draw, other)
    assert get_wish().command["type"] == "report"


def test_a_robot_opens_its_deck_late_so_that_the_end_can_be_undone() -> None:
    """The robot also waits while somebody asks for an undo. Once somebody wants a rematch, the
    robot opens the deck at once."""
    parlour = InMemoryTable(2, seed=4)
    parlour.play_game()
    seat = next(iter(parlour.players))

    def get_wish(**fields: Any) -> Any:
        return parlour.players[seat].choose(parlour.render_views()[seat] | fields)

    (won,) = [line for line in parlour.log if line["type"] == "game_won"]
    assert get_wish().min_seconds == 15
    assert get_wish(now=won["at"] + 4_000).min_seconds == 11
    assert get_wish(now=won["at"] + 60_000).min_seconds == 0
    assert get_wish(asked={"id": 1, "seat": seat, "until": 2, "waits_for": []}) is None
    assert get_wish().command["version"] == parlour.table.version
    parlour.send_command({"type": "rematch"}, parlour.host)
    assert (get_wish().command["type"], get_wish().min_seconds) == ("open", 0)


@pytest.mark.slow
def test_a_party_of_robots_opens_all_its_decks(server: RealServer) -> None:
    with Party(server.url, Plan(robots=2, games=2, pace=0, seed=5)) as party:
        view = play_party(party)
        while not is_finished(view, party.plan):
            view = party.next_view(view, patience=PATIENCE)
    table = f"{server.url}/api/tables/{party.table}"
    variant = client.request_json(f"{table}/variant")
    lines = [*describe_decks(variant, client.request_json(f"{table}/log"))]
    assert not party.troubles
    assert len(lines) == 4
    assert all(line.endswith(": dealt and reported honestly.") for _, line in lines), lines


def test_robots_can_play_with_cards_from_the_table() -> None:
    """A seat that becomes ready without a device deck plays with the cards on the table."""
    for seed in range(scale_count(1, 40)):
        parlour = InMemoryTable(3, seed)
        parlour.send_command({"type": "prepare"}, parlour.host)
        for seat in parlour.players:
            parlour.send_command({"type": "ready", "ready": True, "as": seat}, parlour.host)
        parlour.play_game()
        assert parlour.table.game is not None and len(parlour.table.game.living) == 1
        assert split_games(parlour.log)[0].decks == {}


def test_a_robot_computes_its_cards_again_from_another_log() -> None:
    """A robot that joins late, or whose table goes back to an earlier version, computes its cards
    from the log."""
    parlour = InMemoryTable(5, seed=2)
    while len(parlour.log) < 70:
        parlour.take_step()
    early = len(parlour.log)
    log = [*parlour.log]
    early_cards = {seat: robot.cards for seat, robot in follow_log(parlour).items()}
    while len(parlour.log) < early + 60:
        parlour.take_step()
    assert parlour.table.phase == "play"
    views = parlour.render_views()
    for seat, robot in follow_log(parlour).items():
        late = type(robot)(seat, robot.temper, Random(1), variant_as_json(QUARANTINED))
        late.secrets = robot.secrets
        late.log = robot.log
        late.follow(views[seat])
        assert late.states == robot.states
        robot.log = log.copy
        robot.follow({**views[seat], "epoch": "older", "version": early, "log": log[-50:]})
        assert robot.cards == early_cards[seat]


def follow_log(parlour: InMemoryTable) -> dict[str, Any]:
    """Let every robot follow the newest view. Returns the robots by seat."""
    for seat, view in parlour.render_views().items():
        parlour.players[seat].follow(view)
    return parlour.players
