"""Tests for ``companion demo`` and its classes, against a real server."""

import gc
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from companion.robots import client
from companion.robots.demo import (
    Server,
    ServerNotReady,
    add_older_entries,
    demo,
    free_port,
    print_log,
)
from companion.robots.party import Party, Plan, UnsuitablePlan, check_plan
from companion.rules import families
from tests.support.in_memory_table import PATIENCE, play_party, variant_as_json
from tests.support.renamed_variant import VARIANTS
from tests.support.servers.server import RealServer, wait_until
from tests.support.timed import limit_seconds

QUARANTINED = VARIANTS / "quarantined"
VARIANT_EDITS = (
    ('id = "quarantined"', 'id = "roomy"'),
    ("rows = 2\n", "rows = 3\n"),
    ("put_away = 4\nhand = 4\ngrid = 5", "put_away = 2\nhand = 4\ngrid = 8"),
    ('id = "skip"\ncount = 3', 'id = "skip"\ncount = 4'),
)


@pytest.fixture(scope="module")
def two_games(server: RealServer) -> Iterator[tuple[Party, Any]]:
    """Let robots play a game and a rematch. Yields the robots' party and the last view."""
    with Party(server.url, Plan(robots=3, games=2, pace=0, seed=5)) as party:
        yield party, play_party(party)


def run_demo(*options: str) -> str:
    """Run the demo as a process and return its output. Fails if it reports an error."""
    result = subprocess.run(
        [sys.executable, "-m", "companion", "demo", "--port", str(free_port()), *options],
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


def test_a_win_is_printed_with_the_number_of_its_own_game(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The newest view may already be that of a later game, if the demo is slower than the game."""
    log = [
        {"version": version, "type": type, "seat": "s1", "text": ""}
        for version, type in enumerate(
            ["game_won", "rematched", "game_began", "game_won", "rematched"], start=1
        )
    ]
    view = {"version": 5, "game": 3, "log": log, "seats": [{"seat": "s1", "name": "Ana"}]}
    assert print_log(view, 0, fully=False) == 5
    assert re.findall(r"wins game (\d)", capsys.readouterr().out) == ["1", "2"]


@pytest.mark.slow
def test_a_demo_prints_entries_that_are_older_than_those_of_its_next_view(
    two_games: tuple[Party, Any],
) -> None:
    party, view = two_games
    assert len(view["log"]) == 50
    whole = add_older_entries(view, party.robots[0].connection, 1)["log"]
    assert [entry["type"] for entry in whole].count("game_won") == 2
    versions = [entry["version"] for entry in whole]
    assert versions == sorted({*versions})
    assert add_older_entries(view, party.robots[0].connection, view["version"] - 20) is view


def end_demo(*options: str, wins: int = 1, interrupted: bool = False) -> tuple[int, str, str]:
    """Run a demo until right after this number of wins. Returns its exit status, error output and
    output.

    With ``interrupted``, Ctrl-C ends the demo and its server together, as in a terminal.
    """
    command = [sys.executable, "-um", "companion", "demo", "--players", "2"]
    command += ["--port", "0", "--pace", "0", *options]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as running:
        assert running.stdout and running.stderr
        output = ""
        while output.count("wins game") < wins:
            output += next(running.stdout)
        if interrupted:
            os.killpg(running.pid, signal.SIGINT)
        with limit_seconds(1):
            rest, errors = running.communicate(timeout=600)
    return running.returncode, errors, output + rest


@pytest.mark.slow
@pytest.mark.timed
@pytest.mark.parametrize(
    "seed", ["1", *(pytest.param(n, marks=pytest.mark.repetition) for n in "23")]
)
def test_131_a_demo_ends_with_its_last_game(seed: str) -> None:
    status, errors, output = end_demo("--games", "2", "--seed", seed, wins=2)
    assert (status, errors) == (0, "")
    assert re.findall(r"wins game (\d)", output) == ["1", "2"]
    assert re.search(r"Watch them: http://127\.0\.0\.1:\d+/t/\w{6}", output)


@pytest.mark.slow
@pytest.mark.timed
def test_131_ctrl_c_ends_a_demo_at_once() -> None:
    status, errors, _ = end_demo("--seed", "4", interrupted=True)
    assert (status, errors) == (0, "")


@pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="Windows sends no signals")
def test_131_ctrl_c_ends_a_demo_also_if_another_thread_gets_the_signal(
    server: RealServer, two_games: tuple[Party, Any]
) -> None:
    """Then Python doesn't interrupt the main thread's wait. The same happens if the signal arrives
    just before the wait begins."""
    party, view = two_games
    interrupt = threading.Timer(
        0.5, lambda: signal.pthread_kill(threading.get_ident(), signal.SIGINT)
    )
    os.kill(server.process.pid, signal.SIGSTOP)  # each message would wake the main thread
    try:
        interrupt.start()
        began = time.monotonic()
        with pytest.raises(KeyboardInterrupt):
            party.next_view(view, patience=60)
        assert time.monotonic() - began < 8
    finally:
        os.kill(server.process.pid, signal.SIGCONT)


@pytest.mark.timed
def test_131_a_second_ctrl_c_ends_a_demo_at_once(
    server: RealServer, caplog: pytest.LogCaptureFixture
) -> None:
    for _ in range(5):
        connection = client.Connection(server.url, client.make_table(server.url, "Zoe"))
        connection.open()
        threads = [threading.Thread(target=connection.close) for _ in range(2)]
        with limit_seconds(1):
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join(30)
        assert not caplog.records


def test_131_a_demo_ends_at_once_while_nobody_answers() -> None:
    credentials = client.SeatCredentials(table="NOBODY", seat="s1", token="")
    connection = client.Connection(f"http://127.0.0.1:{free_port()}", credentials)
    thread = threading.Thread(target=connection.open, daemon=True)
    thread.start()
    time.sleep(0.5)
    connection.close()
    thread.join(20)
    assert not thread.is_alive()


@pytest.mark.slow
def test_a_demo_plays_a_classic_game() -> None:
    output = run_demo("--variant", "party-120", "--players", "2", "--games", "1", "--pace", "0")
    assert re.search(r"wins game 1", output)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("box", "robots"),
    [
        ("party-120-it", 2),
        pytest.param("original-56", 5, marks=pytest.mark.repetition),
        pytest.param("party-122", 10, marks=pytest.mark.repetition),
    ],
)
def test_robots_play_every_classic_box(server: RealServer, box: str, robots: int) -> None:
    with Party(server.url, Plan(robots=robots, pace=0, seed=robots, variant=box)) as party:
        assert play_party(party)["winner"]
    assert not party.troubles


@pytest.mark.parametrize(
    ("plan", "why"),
    [
        (Plan(robots=6, variant="original-56"), "original-56 is for 2 to 5 players"),
        (Plan(robots=2, variant="party-120", person=True), "watch them"),
    ],
)
def test_a_plan_that_a_box_cannot_seat_is_refused(plan: Plan, why: str) -> None:
    """In each plan, the number of players doesn't fit the box, or robots would have to handle a
    person's physical cards."""
    with pytest.raises(UnsuitablePlan, match=why):
        check_plan(variant_as_json(families.load(VARIANTS / plan.variant)), plan)


@pytest.mark.slow
@pytest.mark.repetition
def test_eight_robots_play_two_games_in_a_row() -> None:
    output = run_demo("--players", "8", "--games", "2", "--pace", "0", "--seed", "20")
    assert len(re.findall(r"wins game", output)) == 2


@pytest.mark.slow
def test_the_same_robots_play_a_rematch_and_spectators_see_its_end(
    server: RealServer, two_games: tuple[Party, Any]
) -> None:
    party, last = two_games
    assert last["game"] == 2
    assert last["phase"] == "over"
    assert not party.troubles
    view = client.request_json(f"{server.url}/api/tables/{party.table}")
    assert view["phase"] == "over"
    assert view["you"] is None


@pytest.mark.slow
def test_robots_wait_for_a_person_and_act_for_nobody(server: RealServer) -> None:
    with Party(server.url, Plan(robots=2, person=True, pace=0, seed=3)) as party:
        view = party.next_view(None, patience=PATIENCE)
        assert view["phase"] == "lobby"
        person = client.Connection(server.url, client.take_seat(server.url, party.table, "Zoe"))
        person.open()
        try:
            person.wait(lambda: bool(person.view and person.view["phase"] == "setup"), PATIENCE)
            robots = [seat for seat in person.view["seats"] if seat["name"] != "Zoe"]
            person.wait(lambda: all_ready(person, robots), PATIENCE)
            assert person.view["phase"] == "setup"
            assert person.send_command({"type": "ready", "ready": True})["ok"]
            person.wait(lambda: person.view["phase"] == "play", PATIENCE)
            assert person.view["phase"] == "play"
            # The server refuses to let a player leave while a Nope window is open.
            wait_until(lambda: person.send_command({"type": "leave"})["ok"], PATIENCE)
            assert play_party(party)["winner"] in {seat["seat"] for seat in robots}
        finally:
            person.close()


def all_ready(person: client.Connection, robots: list[dict[str, object]]) -> bool:
    wanted = {seat["seat"] for seat in robots}
    return all(seat["ready"] for seat in person.view["seats"] if seat["seat"] in wanted)


@pytest.mark.slow
# engine.io's client leaves the socket of a lost connection to the garbage collector.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_robots_play_on_after_the_server_was_killed(serve: Callable[..., RealServer]) -> None:
    server = serve()
    with Party(server.url, Plan(robots=3, pace=0, seed=11)) as party:
        view = party.next_view(None, patience=PATIENCE)
        while view["version"] < 40:
            view = party.next_view(view, patience=PATIENCE)
        server.kill()
        server.start()
        assert play_party(party)["winner"]
    assert not party.troubles
    del party
    gc.collect()


@pytest.mark.slow
def test_robots_play_a_custom_variant_with_its_own_deck(
    serve: Callable[..., RealServer], tmp_path: Path
) -> None:
    variant_folder = shutil.copytree(QUARANTINED, tmp_path / "variants" / "roomy")
    content = (variant_folder / "variant.toml").read_text()
    for old, new in VARIANT_EDITS:
        assert old in content
        content = content.replace(old, new)
    (variant_folder / "variant.toml").write_text(content)
    server = serve(COMPANION_VARIANTS_DIR=str(variant_folder.parent))
    with Party(server.url, Plan(robots=2, pace=0, seed=2, variant="roomy")) as party:
        view = play_party(party)
    assert [len(seat["grid"]) for seat in view["seats"]] == [3, 3]
    assert not party.troubles


@pytest.mark.slow
def test_an_unknown_variant_is_reported() -> None:
    result = CliRunner().invoke(demo, ["--variant", "poker", "--port", "0"])
    assert result.exit_code == 1
    assert isinstance(result.exception, SystemExit)


@pytest.mark.slow
def test_a_server_that_does_not_start_gives_its_reason(tmp_path: Path) -> None:
    no_file = f"sqlite:///{tmp_path}"
    with (
        pytest.raises(ServerNotReady, match="database"),
        Server(port=free_port(), database=no_file),
    ):
        pytest.fail("it can't have come up")


@pytest.mark.parametrize("players", ["1", "11", "2-4", "two"])
def test_an_impossible_number_of_players_is_refused(players: str) -> None:
    refused = CliRunner().invoke(demo, ["--players", players])
    assert refused.exit_code == 2
    assert "--players" in refused.output
