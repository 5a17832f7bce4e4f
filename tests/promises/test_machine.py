"""The machine beneath: what its clock, its disk and its database do to the server."""

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.server import RealServer, until

Serve = Callable[..., RealServer]


@pytest.mark.slow
@pytest.mark.parametrize("seconds", [-3600, 3600])
def test_51_a_clock_that_is_set_moves_no_window_and_no_rate(
    serve: Serve, tmp_path: Path, seconds: int
) -> None:
    turned = tmp_path / "turned"
    turned.write_text("0")
    rate = {"COMPANION_JOIN_RATE": "6/6 second"}
    server = serve("tests.promises.turned", TURNED=str(turned), **rate)
    party = server.table("Ana", "Ben", options={"nope_seconds": 30}).begin().told()
    window = party.host.say("play", card="skip")["version"]
    turned.write_text(str(seconds))
    party.clients[1].say("nope", window=window)
    turned.write_text("0")
    party.host.say("undo")
    party.host.say("undo")
    party.host.say("options", nope_seconds=3)
    began = time.monotonic()
    played = party.host.say("play", card="skip")["version"]
    turned.write_text(str(seconds))
    party.host.wait(lambda: party.host.view["version"] > played, 20)
    assert party.host.view["window"] is None
    assert time.monotonic() - began >= 3

    turned.write_text("0")
    until(lambda: server.get("/api/tables/AAAAAA").status == 429, 20)
    turned.write_text(str(seconds))
    until(lambda: server.get("/api/tables/AAAAAA").status == 404, 20)
