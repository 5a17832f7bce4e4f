"""Tests for a server whose machine was suspended, as a laptop is while its lid is closed."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from companion.rules.core import windows
from companion.service import clock
from companion.service.fleet import ASK_SECONDS
from companion.service.tables import Seated
from tests.service.test_tables import Service
from tests.support.servers.server import wait_until

HOUR_MS = 3_600_000

Suspend = Callable[[int], None]


@pytest.fixture(name="suspend")
def suspend_machine(monkeypatch: pytest.MonkeyPatch) -> Suspend:
    """Return a function that lets time pass for this many ms without the machine's running.

    As after a real suspension, only the clock that includes suspended time jumps. The waiting times
    of threads don't include it.
    """
    read_clock = clock._monotonic_ns
    suspended_ms = 0

    def suspend(ms: int) -> None:
        nonlocal suspended_ms
        suspended_ms += ms

    monkeypatch.setattr(clock, "_monotonic_ns", lambda: read_clock() + suspended_ms * 1_000_000)
    return suspend


@pytest.fixture(name="service")
def open_service(tmp_path: Path, suspend: Suspend) -> Iterator[Service]:
    assert suspend  # patches the clock before the service reads it
    running = Service(tmp_path / "log.sqlite3")
    yield running
    running.close()


def open_window(service: Service, seconds: int = 30) -> tuple[list[Seated], int]:
    """Return the seats of two players and the id of a window. The thread of the alarms already
    waits for its end."""
    seated = service.take_seats("Ana", "Ben", nope_seconds=seconds)
    window = service.play_skip(seated)
    wait_until(lambda: not service.tables.live.alarms._changed.is_set())
    time.sleep(0.05)
    return seated, window


def test_51_on_macos_the_time_goes_on_during_a_suspension(monkeypatch: pytest.MonkeyPatch) -> None:
    """macOS has no ``CLOCK_BOOTTIME``, and its ``time.monotonic_ns`` stands still during sleep."""
    awake_ns = 5_000_000_000
    asleep_ns = 0
    macos = SimpleNamespace(
        CLOCK_MONOTONIC_RAW=4,
        clock_gettime_ns=lambda which: {4: awake_ns + asleep_ns}[which],
        monotonic_ns=lambda: awake_ns,
        time_ns=lambda: 1_790_000_000_000_000_000,
    )
    monkeypatch.setattr(clock, "time", macos)
    monkeypatch.setattr(clock, "sys", SimpleNamespace(platform="darwin"))
    timepiece = clock.Clock()
    before = timepiece.now(), timepiece.own()
    asleep_ns = HOUR_MS * 1_000_000
    assert (timepiece.now(), timepiece.own()) == (before[0] + HOUR_MS, before[1] + HOUR_MS)
    assert timepiece.suspensions == 1


def get_window(service: Service, code: str) -> Any:
    with service.tables.at(code) as live:
        assert live.table.game
        return live.table.game.window


def test_51_the_first_nope_after_a_suspension_counts(service: Service, suspend: Suspend) -> None:
    seated, window = open_window(service)
    suspend(HOUR_MS)
    answer = service.send_command(seated[1], "nope", window=window)
    assert answer.ok, answer


def test_51_a_suspension_closes_no_window_and_leaves_three_seconds(
    service: Service, suspend: Suspend
) -> None:
    seated, _ = open_window(service)
    code = seated[0].table
    suspend(HOUR_MS)
    with service.tables.at(code) as live:
        live.tick()
    closes_at = get_window(service, code).closes_at
    assert 2000 < closes_at - service.tables.clock.now() <= windows.LEAST_MS
    shown = service.listeners.views(seated[1].seat)[-1]["window"]
    assert shown["closes_at"] == closes_at


def test_51_the_server_notices_a_suspension_without_any_command(
    service: Service, suspend: Suspend
) -> None:
    seated, _ = open_window(service)
    suspend(HOUR_MS)

    def sees_open_window() -> bool:
        window = service.listeners.views(seated[1].seat)[-1]["window"]
        return bool(window["closes_at"] > service.tables.clock.now())

    wait_until(sees_open_window, ASK_SECONDS + 1)


def test_51_a_window_that_outlasts_a_suspension_still_closes_on_time(
    service: Service, suspend: Suspend, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(windows, "LEAST_MS", 100)
    seated, _ = open_window(service)
    suspend(28_500)
    wait_until(lambda: get_window(service, seated[0].table) is None, 5)


def test_a_short_suspension_gives_a_window_no_more_time(service: Service, suspend: Suspend) -> None:
    seated, _ = open_window(service, seconds=3)
    before = get_window(service, seated[0].table).closes_at
    suspend(1500)
    with service.tables.at(seated[0].table) as live:
        live.tick()
    assert get_window(service, seated[0].table).closes_at == before
