"""Tests for patches: applied to the view of one version, a patch gives the view of the next."""

import subprocess
from itertools import chain, islice
from random import Random
from socket import SHUT_RDWR
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.robots.client import Connection, SeatCredentials
from companion.robots.view import apply_patch
from companion.service.table.log import Projection
from companion.service.table.views import Patches, Views
from tests.guarantees.speaker import next_command, send_command
from tests.support.iterations import scale_count
from tests.support.play_at_random import FAMILIES, long_numbers, play_at_random, random_games
from tests.support.public_view import public_view
from tests.support.servers.server import ROOT, Party, RealServer, wait_until

numbers = st.lists(st.integers(0, 10_000), max_size=20) | long_numbers
games = st.one_of([random_games(family, numbers) for family in FAMILIES])

KEYS = {"epoch", "from", "version", "now", "set", "seats", "log", "you"}


def decode(encoded: bytes) -> Any:
    return msgspec.json.decode(encoded)


class ShownTable:
    """A table with its current views, which can advance and return the patches."""

    def __init__(self, game: Any) -> None:
        self.projection = Projection("RANDOM", game.first.variant)
        self.projection.table = game.first
        self.received = iter(game.event_groups)
        self.now = 1_000_000
        self.views = Views(self.projection, "epoch", self.now)

    def advance(self, count: int) -> Patches | None:
        """Apply this many groups of events. Returns the patches, or None if the version stayed the
        same."""
        before = self.views
        for event in chain.from_iterable(islice(self.received, count)):
            self.projection.add(event, self.now)
        self.now += 137
        self.views = Views(self.projection, "epoch", self.now, before)
        return Patches(before, self.views) if self.views.version > before.version else None

    def get_whole_view(self, seat: str | None) -> Any:
        """Return the view that a newly connected client gets."""
        return decode(Views(self.projection, "epoch", self.now).view_of(seat))


@settings(max_examples=scale_count(20, 30), deadline=None)
@given(games, st.booleans(), st.randoms(use_true_random=False))
def test_patches_lead_every_viewer_to_the_current_view(
    game: Any, by_keys: bool, chance: Any
) -> None:
    """The viewer doesn't get some of the patches. The next patch must show that, so that the viewer
    asks for a whole view."""
    shown = ShownTable(game)
    seats = [None, *{seat.seat for state in game.states for seat in state.seats}]
    held_views = {seat: shown.get_whole_view(seat) for seat in seats}
    while patches := shown.advance(chance.randint(1, 3)):
        for seat in seats:
            patch = decode(patches.patch_for(seat, by_keys=by_keys))
            whole_view = shown.get_whole_view(seat)
            if chance.random() < 0.1:
                continue
            patched = apply_patch(held_views[seat], patch)
            assert (patched is None) == (held_views[seat]["version"] != patch["from"])
            held_views[seat] = shown.get_whole_view(seat) if patched is None else patched
            assert held_views[seat] == whole_view
            assert patch.keys() <= KEYS | ({"keys"} if by_keys else set())
            assert not patch.get("set", {}).keys() & {"log", "you"}
            assert all(entry["version"] > patch["from"] for entry in patch["log"])
    public = decode(msgspec.json.encode(public_view(game.table, shown.now)))
    assert {key: shown.get_whole_view(None)[key] for key in public} == public


def test_patches_by_keys_are_shorter() -> None:
    shown = ShownTable(play_at_random(4, {"roll_call": False}, [*range(0, 4000, 37)]))
    whole = by_keys = 0
    while patches := shown.advance(1):
        whole += len(patches.patch_for("s1"))
        by_keys += len(patches.patch_for("s1", by_keys=True))
    assert by_keys < 0.8 * whole


def test_a_patch_for_another_version_or_epoch_is_not_applied() -> None:
    shown = ShownTable(play_at_random(3, {"roll_call": False}, [1, 2, 3]))
    before = shown.get_whole_view(None)
    first = shown.advance(1)
    second = shown.advance(1)
    assert first and second
    patch = decode(first.patch_for(None))
    assert apply_patch(before, decode(second.patch_for(None))) is None
    assert apply_patch({**before, "epoch": "another"}, patch) is None
    after = apply_patch(before, patch)
    assert after and after["version"] == patch["version"] and apply_patch(after, patch) is None


def test_patches_are_less_than_half_as_long_as_views() -> None:
    game = play_at_random(5, {"roll_call": False}, [1, 2, 3, 4, 5])
    shown = ShownTable(game)
    sizes = []
    while patches := shown.advance(1):
        for seat in game.table.seats:
            sizes.append((len(patches.patch_for(seat.seat)), len(shown.views.view_of(seat.seat))))
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


def test_the_panel_computes_the_same_views_from_patches() -> None:
    chance = Random(7)
    shown = ShownTable(
        play_at_random(4, {"roll_call": True}, [chance.randrange(10_000) for _ in range(150)])
    )
    seats = [None, "s1", "s2", "s3", "s4"]
    received: dict[Any, list[Any]] = {seat: [shown.get_whole_view(seat)] for seat in seats}
    while patches := shown.advance(1):
        for seat in seats:
            received[seat].append(decode(patches.patch_for(seat, by_keys=True)))
        expected = [shown.get_whole_view(seat) for seat in seats]
    result = subprocess.run(
        ["node", "--input-type=module", "-e", PANEL], cwd=ROOT, capture_output=True, check=True,
        input=msgspec.json.encode([*received.values()]),
    )  # fmt: skip
    assert decode(result.stdout) == expected


@pytest.mark.slow
def test_a_client_of_views_and_a_client_of_patches_play_whole_games_together(
    server: RealServer,
) -> None:
    party = server.create_table("Ana", "Ben", "Cleo")
    chance = Random(14)
    credentials = SeatCredentials(table=party.table, seat=party.seats[1], token=party.tokens[1])
    connection = Connection(server.url, credentials)
    connection.open()
    first_view = connection.view
    assert first_view
    version = first_view["version"]
    while party.host.view["phase"] != "over":
        answer = send_command(party.host, next_command(party.host.view, chance), seconds=20)
        if answer["ok"]:
            version = answer["version"]
            party.host.wait(lambda least=version: party.host.view["version"] >= least, 20)
    assert connection.wait(
        lambda: bool(connection.view and connection.view["version"] >= version), 20
    )
    whole_view = party.host.socket.call("sync")
    excluded = ("now", "you")
    assert connection.view
    assert {k: v for k, v in connection.view.items() if k not in excluded} == {
        k: v for k, v in whole_view.items() if k not in excluded
    }
    assert connection.view["you"]["seat"] == party.seats[1]
    assert not party.host.get_received("patch") and not party.clients[2].get_received("patch")
    assert len(party.clients[2].get_received("view")) > 20
    connection.close()


def open_connection(server: RealServer, party: Party) -> Connection:
    """Connect to the host's seat as a robot does."""
    connection = Connection(
        server.url, SeatCredentials(table=party.table, seat=party.seats[0], token=party.tokens[0])
    )
    connection.open()
    return connection


def cut_connection(connection: Connection) -> None:
    connection._socket.eio.ws.sock.shutdown(SHUT_RDWR)


def test_a_robot_whose_connection_is_lost_while_closing_does_not_reconnect(
    server: RealServer,
) -> None:
    """Otherwise it would evict the seat's newer connection."""
    party = server.create_table("Ana")
    connection = open_connection(server, party)
    cut_connection(connection)
    connection.close()
    other = open_connection(server, party)
    other.wait(lambda: other.lost_seat, 2)
    assert not other.lost_seat
    other.close()


def test_a_robot_that_is_closed_while_reconnecting_ends(server: RealServer) -> None:
    connection = open_connection(server, server.create_table("Ana"))
    connection.url = "http://127.0.0.1:9"  # nothing listens on this port
    cut_connection(connection)
    wait_until(lambda: connection._socket.get_sid() is None)
    connection.close()
    connection._thread.join(20)
    assert not connection._thread.is_alive()


def test_an_event_after_the_connection_is_lost_causes_no_request(server: RealServer) -> None:
    """The client doesn't ask for the announced version, because its next connection starts with a
    view anyway."""
    party = server.create_table("Ana")
    connection = open_connection(server, party)
    view = connection.view
    handle_head = connection._socket.handlers["/"]["head"]
    assert view
    connection.close()
    wait_until(lambda: not connection._socket.namespaces)
    handle_head({"epoch": view["epoch"], "version": view["version"] + 1})
    assert connection.view == view
