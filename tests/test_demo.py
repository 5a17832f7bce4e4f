"""``companion demo`` and its parts against the real server, as a user starts them."""

import gc
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.robots import client
from companion.robots.demo import Server, ServerNotReady, demo, free_port
from companion.robots.party import Party, Plan, UnsuitablePlan, check_plan
from companion.rules import families
from tests.in_memory_table import over_json, play
from tests.renamed_variant import VARIANTS
from tests.server import wait_until
from tests.timed import within

NO_RATES = {"COMPANION_COMMAND_RATE": "none", "COMPANION_JOIN_RATE": "none"}

QUARANTINED = VARIANTS / "quarantined"
HOUSE_RULES = (
    ('id = "quarantined"', 'id = "roomy"'),
    ("rows = 2\n", "rows = 3\n"),
    ("put_away = 4\nhand = 4\ngrid = 5", "put_away = 2\nhand = 4\ngrid = 8"),
    ('id = "skip"\ncount = 3', 'id = "skip"\ncount = 4'),
)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A server that counts no commands."""
    database = f"sqlite:///{tmp_path / 'demo.sqlite3'}"
    with Server(port=free_port(), database=database, settings=NO_RATES) as running:
        yield running
    assert not running.faults, "\n".join(running.output)


def run(*options: str) -> str:
    """The demo as a process; it must end well and with nothing wrong in the server's log."""
    done = subprocess.run(
        [sys.executable, "-m", "companion", "demo", "--port", str(free_port()), *options],
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_a_demo_plays_its_games_and_stops() -> None:
    told = run("--players", "3", "--games", "3", "--pace", "0", "--seed", "1")
    assert re.findall(r"wins game (\d)", told) == ["1", "2", "3"]
    assert re.search(r"Watch them: http://127\.0\.0\.1:\d+/t/\w{6}", told)


def ending(*options: str, interrupted: bool = False) -> tuple[int, str]:
    """Run a demo that ends right after its first win. Returns its status and output.

    ``interrupted``: it is ended by Ctrl-C, which its server receives, too.
    """
    command = [sys.executable, "-um", "companion", "demo", "--port", "0", "--pace", "0", *options]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as running:
        assert running.stdout and running.stderr
        next(line for line in running.stdout if "wins game" in line)
        if interrupted:
            os.killpg(running.pid, signal.SIGINT)
        with within(1):
            _, noise = running.communicate(timeout=60)
    return running.returncode, noise


@pytest.mark.timed
@pytest.mark.parametrize("seed", ["1", "2", "3"])
def test_131_a_demo_ends_with_its_last_game(seed: str) -> None:
    assert ending("--games", "1", "--seed", seed) == (0, "")


@pytest.mark.timed
def test_131_ctrl_c_ends_a_demo_at_once() -> None:
    assert ending("--seed", "4", interrupted=True) == (0, "")


@pytest.mark.timed
def test_131_a_second_ctrl_c_ends_a_demo_at_once(
    server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    for _ in range(5):
        line = client.Connection(server.url, client.make_table(server.url, "Zoe"))
        line.open()
        hanging_up = [threading.Thread(target=line.close) for _ in range(2)]
        with within(1):
            for one in hanging_up:
                one.start()
            for one in hanging_up:
                one.join(30)
        assert not caplog.records


def test_131_a_demo_ends_at_once_while_nobody_answers() -> None:
    place = client.SeatCredentials(table="NOBODY", seat="s1", token="")
    line = client.Connection(f"http://127.0.0.1:{free_port()}", place)
    calling = threading.Thread(target=line.open, daemon=True)
    calling.start()
    time.sleep(0.5)
    line.close()
    calling.join(20)
    assert not calling.is_alive()


def test_a_demo_of_a_classic_game() -> None:
    told = run("--variant", "party-120", "--players", "5", "--games", "2", "--pace", "0")
    assert re.search(r"wins game 2", told)


@pytest.mark.parametrize(
    ("box", "robots"), [("original-56", 5), ("party-120-it", 2), ("party-122", 10)]
)
def test_robots_play_every_classic_box(server: Server, box: str, robots: int) -> None:
    with Party(server.url, Plan(robots=robots, pace=0, seed=robots, variant=box)) as party:
        assert play(party)["winner"]
    assert not party.troubles


@pytest.mark.parametrize(
    ("plan", "why"),
    [
        (Plan(robots=6, variant="original-56"), "original-56 is for 2 to 5 players"),
        (Plan(robots=2, variant="party-120", person=True), "watch them"),
    ],
)
def test_a_plan_that_a_box_cannot_seat_is_refused(plan: Plan, why: str) -> None:
    """A box has a number of players (ruling player-count); a person can't play robots' cards."""
    with pytest.raises(UnsuitablePlan, match=why):
        check_plan(over_json(families.load(VARIANTS / plan.variant)), plan)


@pytest.mark.slow
def test_games_in_a_row_of_eight() -> None:
    told = run("--players", "8", "--games", "2", "--pace", "0", "--seed", "20")
    assert len(re.findall(r"wins game", told)) == 2


def test_a_rematch_with_the_same_robots(server: Server) -> None:
    with Party(server.url, Plan(robots=3, games=2, pace=0, seed=5)) as party:
        last = play(party)
    assert last["game"] == 2
    assert last["phase"] == "over"
    assert not party.troubles


def test_robots_wait_for_a_person_and_act_for_nobody(server: Server) -> None:
    with Party(server.url, Plan(robots=2, person=True, pace=0, seed=3)) as party:
        view = party.next_view(None, patience=30)
        assert view["phase"] == "lobby"
        person = client.Connection(server.url, client.take_seat(server.url, party.table, "Zoe"))
        person.open()
        try:
            person.wait(lambda: bool(person.view and person.view["phase"] == "setup"), 10)
            robots = [seat for seat in person.view["seats"] if seat["name"] != "Zoe"]
            person.wait(lambda: all_ready(person, robots), 10)
            assert person.view["phase"] == "setup"
            assert person.send_command({"type": "ready", "ready": True})["ok"]
            person.wait(lambda: person.view["phase"] == "play", 10)
            assert person.view["phase"] == "play"
            wait_until(
                lambda: person.send_command({"type": "leave"})["ok"]
            )  # not while a card waits
            assert play(party)["winner"] in {seat["seat"] for seat in robots}
        finally:
            person.close()


def all_ready(person: client.Connection, robots: list[dict[str, object]]) -> bool:
    wanted = {seat["seat"] for seat in robots}
    return all(seat["ready"] for seat in person.view["seats"] if seat["seat"] in wanted)


@pytest.mark.slow
# engine.io's client leaves the socket of a connection that broke to the collector.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_robots_play_on_after_the_server_was_killed(tmp_path: Path) -> None:
    port = free_port()
    database = f"sqlite:///{tmp_path / 'killed.sqlite3'}"
    first = Server(port=port, database=database, settings=NO_RATES)
    with first, Party(first.url, Plan(robots=4, pace=0, seed=11)) as party:
        view = party.next_view(None, patience=30)
        while view["version"] < 60:
            view = party.next_view(view, patience=30)
        first.process.kill()
        first.process.wait()
        with Server(port=port, database=database, settings=NO_RATES) as second:
            assert play(party)["winner"]
        assert not second.faults, "\n".join(second.output)
    assert not party.troubles
    del party
    gc.collect()


def test_robots_play_a_house_variant_with_its_own_deck(tmp_path: Path) -> None:
    house = shutil.copytree(QUARANTINED, tmp_path / "variants" / "roomy")
    content = (house / "variant.toml").read_text()
    for old, new in HOUSE_RULES:
        assert old in content
        content = content.replace(old, new)
    (house / "variant.toml").write_text(content)
    settings = {**NO_RATES, "COMPANION_VARIANTS_DIR": str(house.parent)}
    database = f"sqlite:///{tmp_path / 'house.sqlite3'}"
    with Server(port=free_port(), database=database, settings=settings) as server:
        plan = Plan(robots=3, pace=0, seed=2, variant="roomy")
        with Party(server.url, plan) as party:
            view = play(party)
    assert [len(seat["grid"]) for seat in view["seats"]] == [3, 3, 3]
    assert not party.troubles
    assert not server.faults, "\n".join(server.output)


def test_a_variant_that_is_not_there() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "companion", "demo", "--variant", "poker", "--port", "0"],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 1
    assert "Traceback" not in done.stderr


def test_a_spectator_sees_the_game_go_by(server: Server) -> None:
    with Party(server.url, Plan(robots=4, pace=0, seed=9)) as party:
        play(party)
        seen = client.request_json(f"{server.url}/api/tables/{party.table}")
        assert seen["phase"] == "over"
        assert seen["you"] is None


def test_a_server_that_does_not_start_gives_its_reason(tmp_path: Path) -> None:
    no_file = f"sqlite:///{tmp_path}"
    with (
        pytest.raises(ServerNotReady, match="database"),
        Server(port=free_port(), database=no_file),
    ):
        pytest.fail("it can't have come up")


@pytest.mark.parametrize("players", ["1", "11", "2-4", "two"])
def test_players_that_cannot_be(players: str) -> None:
    refused = CliRunner().invoke(demo, ["--players", players])
    assert refused.exit_code == 2
    assert "--players" in refused.output
