"""Robots whose devices keep their decks: every game of theirs can be checked."""

from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.fair.check import check, describe, games
from companion.robots import client
from companion.robots.demo import Server, free_port
from companion.robots.party import Party, Plan, is_finished
from tests.fair_world import PACK
from tests.in_memory_table import QUARANTINED, Parlour, over_json, play


@pytest.mark.parametrize("undo", [0, 0.1])
def test_each_game_of_robots_checks_also_with_what_was_taken_back(undo: float) -> None:
    for seed in range(12):
        parlour = Parlour(2 + seed % 3, seed)
        while parlour.table.phase != "over":
            parlour.go_on()
            playing = parlour.table.phase == "play"
            if playing and parlour.table.past and parlour.chance.random() < undo:
                parlour.say({"type": "undo"}, parlour.host)
        for _ in parlour.players:
            parlour.go_on()
        (game,) = games(parlour.log)
        assert game.opened.keys() == game.decks.keys() == parlour.players.keys()
        assert [check(PACK, game, seat) for seat in game.decks] == [()] * len(game.decks), seed


def test_a_robot_waits_until_it_is_agreed_whether_something_is_taken_back() -> None:
    parlour = Parlour(2, 1)
    while parlour.table.phase != "play":
        parlour.go_on()
    views = parlour.views()
    asked = {"id": 1, "seat": "x", "until": 2, "waits_for": []}
    plan = {seat: head.choose(views[seat]) for seat, head in parlour.players.items()}
    assert any(plan.values())
    for seat, head in parlour.players.items():
        assert head.choose({**views[seat], "asked": asked}) is None
        you = {**views[seat]["you"], "agree": 1}
        agrees = head.choose({**views[seat], "asked": asked, "you": you})
        assert agrees is not None and agrees.command == {"type": "agree", "asked": 1}


def test_a_game_that_was_ended_is_opened_once_its_end_cant_be_taken_back() -> None:
    parlour = Parlour(2, seed=3)
    while parlour.table.phase != "play" or len(parlour.log) < 30:
        parlour.go_on()
    parlour.say({"type": "end_game"}, parlour.host)

    def wants(seat: str) -> str | None:
        wish = parlour.players[seat].choose(parlour.views()[seat])
        return wish and wish.command["type"]

    assert not any(wants(seat) == "open" for seat in parlour.players)
    parlour.say({"type": "prepare"}, parlour.host)
    assert [wants(seat) for seat in parlour.players] == ["open", "open"]


def test_a_robot_reports_only_what_it_touched_itself() -> None:
    """A touch that the host reported while the robot was away can be undone; else it goes on."""
    parlour = Parlour(2, seed=3)
    while parlour.table.phase != "play" or parlour.table.playing().turn.step != "act":
        parlour.go_on()
    turn = parlour.table.playing().turn
    other = next(seat for seat in parlour.players if seat != turn.seat)
    if parlour.host == turn.seat:
        parlour.say({"type": "pass_host", "seat": other}, parlour.host)
    draw = {"type": "draw", "cell": list(turn.told), "as": turn.seat}

    def wish() -> Any:
        return parlour.players[turn.seat].choose(parlour.views()[turn.seat])

    parlour.say(draw, other)
    assert wish() is None
    parlour.say({"type": "undo"}, other)
    parlour.say(draw, turn.seat)
    assert wish().command["type"] == "report"
    parlour.say({"type": "undo"}, other)
    parlour.say({"type": "options", "take_back": "nobody"}, other)
    parlour.say(draw, other)
    assert wish().command["type"] == "report"


def test_a_robot_leaves_the_end_to_be_taken_back_for_a_while() -> None:
    """And for as long as somebody asks to; for a rematch it opens at once."""
    parlour = Parlour(2, seed=4)
    parlour.play()
    seat = next(iter(parlour.players))

    def wish(**more: Any) -> Any:
        return parlour.players[seat].choose(parlour.views()[seat] | more)

    (won,) = [line for line in parlour.log if line["type"] == "game_won"]
    assert wish().min_seconds == 15
    assert wish(now=won["at"] + 4_000).min_seconds == 11
    assert wish(now=won["at"] + 60_000).min_seconds == 0
    assert wish(asked={"id": 1, "seat": seat, "until": 2, "waits_for": []}) is None
    assert wish().command["version"] == parlour.table.version
    parlour.say({"type": "rematch"}, parlour.host)
    assert (wish().command["type"], wish().min_seconds) == ("open", 0)


def test_a_party_of_robots_opens_all_its_decks(tmp_path: Path) -> None:
    settings = {"COMPANION_COMMAND_RATE": "none", "COMPANION_JOIN_RATE": "none"}
    database = f"sqlite:///{tmp_path / 'party.sqlite3'}"
    with Server(port=free_port(), database=database, settings=settings) as server:
        with Party(server.url, Plan(robots=3, games=3, pace=0, seed=5)) as party:
            view = play(party)
            while not is_finished(view, party.plan):
                view = party.next_view(view, patience=60)
        table = f"{server.url}/api/tables/{party.table}"
        lines = [
            *describe(client.request_json(f"{table}/variant"), client.request_json(f"{table}/log"))
        ]
    assert not party.troubles
    assert len(lines) == 9
    assert all(line.endswith(": dealt and reported honestly.") for _, line in lines), lines


def test_a_robot_plays_also_with_cards_that_lie_on_the_table() -> None:
    """A seat that was ready before its device had a deck deals and shuffles by itself."""
    for seed in range(4):
        parlour = Parlour(3, seed)
        parlour.say({"type": "prepare"}, parlour.host)
        for seat in parlour.players:
            parlour.say({"type": "ready", "ready": True, "as": seat}, parlour.host)
        parlour.play()
        assert parlour.table.game is not None and len(parlour.table.game.living) == 1
        assert games(parlour.log)[0].decks == {}


def test_a_robot_reads_again_where_the_log_is_another_one() -> None:
    """A latecomer, or a client that finds the table older than before, rebuilds its cards from the
    log."""
    parlour = Parlour(5, seed=2)
    while len(parlour.log) < 70:
        parlour.go_on()
    early = len(parlour.log)
    log = [*parlour.log]
    lay = {seat: robot.cards for seat, robot in follow_log(parlour).items()}
    while len(parlour.log) < early + 60:
        parlour.go_on()
    assert parlour.table.phase == "play"
    views = parlour.views()
    for seat, robot in follow_log(parlour).items():
        late = type(robot)(seat, robot.temper, Random(1), over_json(QUARANTINED))
        late.secrets = robot.secrets
        late.log = robot.log
        late.follow(views[seat])
        assert late.states == robot.states
        robot.log = log.copy
        robot.follow({**views[seat], "epoch": "older", "version": early, "log": log[-50:]})
        assert robot.cards == lay[seat]


def follow_log(parlour: Parlour) -> dict[str, Any]:
    """The robots, once all of them have seen what everybody sees."""
    for seat, view in parlour.views().items():
        parlour.players[seat].follow(view)
    return parlour.players
