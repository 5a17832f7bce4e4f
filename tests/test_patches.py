"""Patches: applied to the view of one version they give the whole view of the next."""

import subprocess
from itertools import chain, islice
from random import Random
from socket import SHUT_RDWR
from threading import Event
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.robots.client import Connection, SeatCredentials
from companion.robots.view import apply_patch
from companion.service.log import Projection
from companion.service.views import Patches, Views
from tests.play_at_random import FAMILIES, long_numbers, play_at_random, random_games
from tests.promises.speaker import next_command, send_command
from tests.public_view import public_view
from tests.server import ROOT, Party, RealServer, wait_until

numbers = st.lists(st.integers(0, 10_000), max_size=20) | long_numbers
games = st.one_of([random_games(family, numbers) for family in FAMILIES])

KEYS = {"epoch", "from", "version", "now", "set", "seats", "log", "you"}


def decode(encoded: bytes) -> Any:
    return msgspec.json.decode(encoded)


class Shown:
    """A table as the server shows it: after each thing that happens all views and patches."""

    def __init__(self, game: Any) -> None:
        self.journal = Projection("RANDOM", game.first.variant)
        self.journal.table = game.first
        self.heard = iter(game.event_groups)
        self.now = 1_000_000
        self.views = Views(self.journal, "epoch", self.now)

    def next(self, count: int) -> Patches | None:
        """Wait for this number of events. Returns None if nothing happened any more."""
        before = self.views
        for event in chain.from_iterable(islice(self.heard, count)):
            self.journal.add(event, self.now)
        self.now += 137
        self.views = Views(self.journal, "epoch", self.now, before)
        return Patches(before, self.views) if self.views.version > before.version else None

    def whole(self, seat: str | None) -> Any:
        """The view as somebody gets it who was never here before."""
        return decode(Views(self.journal, "epoch", self.now).of(seat))


@settings(max_examples=40, deadline=None)
@given(games, st.booleans(), st.randoms(use_true_random=False))
def test_view_and_patches_are_the_whole_view_for_every_viewer(
    game: Any, by_keys: bool, chance: Any
) -> None:
    """Also for whom a patch is lost now and then: the next one shows it, and they sync."""
    shown = Shown(game)
    seats = [None, *{seat.seat for state in game.states for seat in state.seats}]
    had = {seat: shown.whole(seat) for seat in seats}
    while patches := shown.next(chance.randint(1, 3)):
        for seat in seats:
            patch = decode(patches.of(seat, by_keys=by_keys))
            whole = shown.whole(seat)
            if chance.random() < 0.1:
                continue
            found = apply_patch(had[seat], patch)
            assert (found is None) == (had[seat]["version"] != patch["from"])
            had[seat] = shown.whole(seat) if found is None else found
            assert had[seat] == whole
            assert patch.keys() <= KEYS | ({"keys"} if by_keys else set())
            assert not patch.get("set", {}).keys() & {"log", "you"}
            assert all(entry["version"] > patch["from"] for entry in patch["log"])
    public = decode(msgspec.json.encode(public_view(game.table, shown.now)))
    assert {key: shown.whole(None)[key] for key in public} == public


def test_of_each_part_only_the_keys_that_changed_come_where_that_was_asked_for() -> None:
    shown = Shown(play_at_random(4, {"roll_call": False}, [*range(0, 4000, 37)]))
    whole = by_keys = 0
    while patches := shown.next(1):
        whole += len(patches.of("s1"))
        by_keys += len(patches.of("s1", by_keys=True))
    assert by_keys < 0.8 * whole


def test_a_patch_for_another_version_or_epoch_is_not_applied() -> None:
    shown = Shown(play_at_random(3, {"roll_call": False}, [1, 2, 3]))
    before = shown.whole(None)
    first = shown.next(1)
    second = shown.next(1)
    assert first and second
    patch = decode(first.of(None))
    assert apply_patch(before, decode(second.of(None))) is None
    assert apply_patch({**before, "epoch": "another"}, patch) is None
    after = apply_patch(before, patch)
    assert after and after["version"] == patch["version"] and apply_patch(after, patch) is None


def test_a_patch_brings_what_changed_and_nothing_else() -> None:
    game = play_at_random(5, {"roll_call": False}, [1, 2, 3, 4, 5])
    shown = Shown(game)
    sizes = []
    while patches := shown.next(1):
        for seat in game.table.seats:
            sizes.append((len(patches.of(seat.seat)), len(shown.views.of(seat.seat))))
    assert sum(size for size, _ in sizes) < 0.5 * sum(whole for _, whole in sizes)


PANEL = """
import { readFileSync } from "node:fs";
import { applyPatch } from "./static/js/core/patch.js";
const views = JSON.parse(readFileSync(0)).map(([view, ...patches]) => {
  const other = applyPatch({ ...view, epoch: "another" }, patches[0]);
  if (other) throw new Error("applied to another log");
  return patches.reduce((had, patch) => applyPatch(had, patch), view);
});
console.log(JSON.stringify(views));
"""


def test_the_panel_comes_to_the_same_views() -> None:
    chance = Random(7)
    shown = Shown(
        play_at_random(4, {"roll_call": True}, [chance.randrange(10_000) for _ in range(150)])
    )
    seats = [None, "s1", "s2", "s3", "s4"]
    heard: dict[Any, list[Any]] = {seat: [shown.whole(seat)] for seat in seats}
    while patches := shown.next(1):
        for seat in seats:
            heard[seat].append(decode(patches.of(seat, by_keys=True)))
        wanted = [shown.whole(seat) for seat in seats]
    ran = subprocess.run(
        ["node", "--input-type=module", "-e", PANEL], cwd=ROOT, capture_output=True, check=True,
        input=msgspec.json.encode([*heard.values()]),
    )  # fmt: skip
    assert decode(ran.stdout) == wanted


@pytest.mark.slow
def test_a_client_of_views_and_a_client_of_patches_play_whole_games_together(
    server: RealServer,
) -> None:
    party = server.create_table("Ana", "Ben", "Cleo")
    chance = Random(14)
    place = SeatCredentials(table=party.table, seat=party.seats[1], token=party.tokens[1])
    line = Connection(server.url, place)
    line.open()
    began = line.view
    assert began
    version = began["version"]
    while party.host.view["phase"] != "over":
        answer = send_command(party.host, next_command(party.host.view, chance), seconds=20)
        if answer["ok"]:
            version = answer["version"]
            party.host.wait(lambda least=version: party.host.view["version"] >= least, 20)
    assert line.wait(lambda: bool(line.view and line.view["version"] >= version), 20)
    whole = party.host.socket.call("sync")
    ours = ("now", "you")
    assert line.view
    assert {k: v for k, v in line.view.items() if k not in ours} == {
        k: v for k, v in whole.items() if k not in ours
    }
    assert line.view["you"]["seat"] == party.seats[1]
    assert not party.host.get_received("patch") and not party.clients[2].get_received("patch")
    assert len(party.clients[2].get_received("view")) > 20
    line.close()


def open_connection(server: RealServer, party: Party) -> Connection:
    """The host's seat, as a robot has it."""
    line = Connection(
        server.url, SeatCredentials(table=party.table, seat=party.seats[0], token=party.tokens[0])
    )
    line.open()
    return line


def test_a_robot_whose_line_is_lost_as_it_closes_stays_away(server: RealServer) -> None:
    """The library would reconnect and evict the newer connection of the seat."""
    party = server.create_table("Ana")
    line = open_connection(server, party)
    library = line._socket
    hangs_up = line._socket.disconnect

    def lost_before() -> None:
        wire = library.eio.ws
        wire.sock.shutdown(SHUT_RDWR)
        wait_until(lambda: not library.connected)
        wire.shutdown()
        hangs_up()

    library.disconnect = lost_before
    line.close()
    other = open_connection(server, party)
    other.wait(lambda: other.lost_seat, 2)
    assert not other.lost_seat
    other.close()


def test_a_robot_that_is_closed_just_before_it_would_call_again_gives_up(
    server: RealServer,
) -> None:
    line = open_connection(server, server.create_table("Ana"))
    library = line._socket
    calls = line._socket._handle_reconnect
    library.connection_url = "http://127.0.0.1:9"  # where nobody answers
    closed = Event()

    def later() -> None:
        closed.wait()
        calls()

    library._handle_reconnect = later
    wire = library.eio.ws
    wire.sock.shutdown(SHUT_RDWR)
    wait_until(lambda: library._reconnect_task)
    wire.shutdown()
    # it isn't known yet
    task = library._reconnect_task
    library._reconnect_task = None
    line.close()
    closed.set()
    task.join(20)
    assert not task.is_alive()


def test_news_that_arrive_as_the_connection_is_lost_cause_no_request(server: RealServer) -> None:
    """A late event of the client's library is ignored; the next connection begins with a view."""
    party = server.create_table("Ana")
    line = open_connection(server, party)
    view = line.view
    hears = line._socket.handlers["/"]["head"]
    assert view
    line.close()
    wait_until(lambda: not line._socket.namespaces)
    hears({"epoch": view["epoch"], "version": view["version"] + 1})
    assert line.view == view
