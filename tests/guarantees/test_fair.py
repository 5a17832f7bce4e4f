"""A Nope counts by the server's clock, also under load and over slow connections."""

import json
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

from tests.guarantees import races
from tests.guarantees.proxy import Proxy
from tests.guarantees.speaker import new_command, send_command
from tests.support.iterations import scale_count
from tests.support.servers.server import ROOT, Client, Party, RealServer, wait_until
from tests.support.timed import LENIENCE

pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning")

Serve = Callable[..., RealServer]


@pytest.mark.slow
def test_14_one_of_several_racing_nopes_wins_for_everyone(serve: Serve, tmp_path: Path) -> None:
    variants = races.copy_variants_with_short_windows(tmp_path / "variants")
    server = serve(COMPANION_VARIANTS_DIR=str(variants))
    # The server measures round trips only after 5 s. Until then, a Nope may be half a second late.
    tables = scale_count(2, 3)
    outcomes = races.run_races(server, tables, rounds=16)
    assert sum(outcomes.values()) == 16 * tables
    assert min(outcomes["noped"], outcomes["too late"]) > 0, outcomes


def test_14_a_late_nope_never_counts_in_another_window(serve: Serve) -> None:
    server = serve()
    party = server.create_table("Ana", "Ben", "Cleo").begin().instruct()
    first = party.host.send_command("play", card="shuffle")["version"]
    second = party.clients[1].send_command("nope", window=first)["version"]
    error = party.clients[2].expect_refusal("nope", window=first)
    assert (error["code"], error["ruling"]) == ("stale", "in-time")
    assert party.host.view["window"]["id"] == second
    assert party.host.view["played"]["nopes"] == [party.seats[1]]


class SlowTable(NamedTuple):
    """A table of two, and the client of the second player, who has a slow connection."""

    party: Party
    ben: Client


@pytest.fixture(scope="module")
def slow_tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[float], SlowTable]]:
    """Return tables whose second player's messages take 0.1, 0.2 or 0.6 s each way."""
    server = RealServer(tmp_path_factory.mktemp("slow_tables"))
    proxies: list[Proxy] = []
    tables: dict[float, SlowTable] = {}
    for one_way_delay in (0.1, 0.2, 0.6):
        proxies.append(Proxy(server.port))
        proxies[-1].delay = one_way_delay
        party = server.create_table("Ana", "Ben", options={"nope_seconds": 3}).begin().instruct()
        auth = {"table": party.table, "token": party.tokens[1]}
        ben = Client(proxies[-1].url, auth, wait_timeout=20)
        server.clients.append(ben)
        tables[one_way_delay] = SlowTable(party, ben)
    time.sleep(7)  # the server measures a round trip with its first ping, after 5 s
    yield tables.__getitem__
    server.close()
    for proxy in proxies:
        proxy.close()


def _nope_before_end(party: Party, ben: Client, before_the_end: float) -> Any:
    """Let Ben Nope a Skip shortly before the Nope window ends. Returns the answer to Ben."""
    played = party.host.send_command("play", card="skip")["version"]
    window = ben.wait_for_version(played)["window"]
    time.sleep(max(0, window["closes_at"] / 1000 - before_the_end - time.time()))
    return send_command(ben, new_command(Random(time.time()), type="nope", window=window["id"]))


@pytest.mark.slow
def test_15_a_nope_in_time_counts_over_a_slow_connection(
    slow_tables: Callable[[float], SlowTable],
) -> None:
    party, ben = slow_tables(0.2)
    answer = _nope_before_end(party, ben, 0.2)
    assert answer["ok"], answer
    party.host.send_command("undo")
    party.host.send_command("undo")
    answer = _nope_before_end(party, ben, 0.15)  # arrives 50 ms late, within the grace of 400 ms
    assert answer["ok"], answer


@pytest.mark.slow
@pytest.mark.timed
def test_15_a_slow_connection_gets_its_own_round_trip_as_grace_and_no_more(
    slow_tables: Callable[[float], SlowTable],
) -> None:
    """Ben's messages take 100 ms each way, so his grace is 200 ms, or more on a busy machine."""
    party, ben = slow_tables(0.1)
    answer = _nope_before_end(party, ben, -0.35 * LENIENCE)  # arrives another 100 ms later
    assert not answer["ok"], answer
    view = party.host.socket.call("sync")
    assert view["window"] is None and view["played"] is None
    claimed = party.host.try_command("nope", window=1, lag=9999)
    assert claimed["error"]["code"] == "bad_request"
    assert claimed["error"]["facts"]["at"] == "$.lag"


@pytest.mark.slow
@pytest.mark.timed
def test_15_the_grace_is_at_most_half_a_second(slow_tables: Callable[[float], SlowTable]) -> None:
    party, ben = slow_tables(0.6)
    played = party.host.send_command("play", card="skip")["version"]
    view = ben.wait_for_version(played)
    closed = party.host.wait_for_version(played + 1)
    assert closed["window"] is None
    assert 400 <= closed["now"] - view["window"]["closes_at"] <= 1000 * LENIENCE


COUNTDOWN = """
import { Clock } from "./static/js/core/clock.js";
const [oneWay, hours, jitter] = process.argv.slice(1).map(Number);
let real = 1_790_000_000_000;            // the server's time; the device's clock differs
const clock = new Clock(() => real - 1_789_000_000_000 + hours * 3_600_000);
let seed = 7;
const chance = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
let worst = 0;
const way = () => oneWay + jitter * chance();
clock.noteServerTime((real, real - way()));       // the first view, sent one trip ago
for (let second = 0; second < 60; second += 1) {
  real += 1000;
  if (second % 5 === 0) clock.noteServerTime(real - way());       // a `head` event
  if (second % 7 === 0) {                                         // a `sync` request
    const asked = clock.localNow();
    const there = way();
    const told = real + there;
    real += there + way();
    clock.addMeasurement(asked, told);
  }
  worst = Math.max(worst, Math.abs(clock.now() - real));
}
console.log(JSON.stringify({ worst }));
"""


@pytest.mark.parametrize("hours", [0, -7, 26])
def test_16_the_countdown_is_right_on_a_device_whose_clock_is_wrong(hours: int) -> None:
    """COUNTDOWN runs the panel's clock in Node, over a connection with a round trip of at least 300
    ms."""
    command = ["node", "--input-type=module", "-e", COUNTDOWN, "--", "150", str(hours), "40"]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert json.loads(ran.stdout)["worst"] <= 150


def test_16_the_view_has_the_remaining_time(serve: Serve) -> None:
    server = serve()
    party = server.create_table("Ana", "Ben", options={"nope_seconds": 5}).begin().instruct()
    party.host.send_command("play", card="skip")
    window = party.host.view["window"]
    time.sleep(1)
    later = party.host.socket.call("sync")
    assert abs(later["window"]["left_ms"] - (window["closes_at"] - later["now"])) <= 1
    assert window["closes_at"] - later["now"] <= 4000
    wait_until(lambda: party.host.view["window"] is None)
