"""Nobody finds a table by guessing codes, even with many addresses."""

import re
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from companion.service import codec
from companion.service.addresses import WIDER, household
from companion.service.errors import Fault
from companion.settings import Settings
from companion.web import rate_limits
from companion.web.rate_limits import Joins, Rates, parse_rate
from companion.web.request_guards import _is_from_loopback
from tests.support.iterations import EVERYTHING, scale_count
from tests.support.servers import engines
from tests.support.servers.server import ROOT, RealServer

Serve = Callable[..., RealServer]

TABLES = 1000
BOTNET = 1000


def get_household(number: int) -> str:
    """Return the n-th household of a /48 network; 256 successive households form a /56."""
    return household(f"2001:db8:1:{number:x}::1")


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Replace the rate limits' clock with one that only moves when a test moves it."""
    now = SimpleNamespace(seconds=0.0)
    fake_time = SimpleNamespace(monotonic=lambda: now.seconds, time=lambda: now.seconds)
    monkeypatch.setattr(rate_limits, "time", fake_time)
    return now


def try_code(joins: Joins, address: str, *, right: bool = False) -> bool:
    """Try to find a table with a right or a wrong code. Returns False if the attempt is
    rate-limited."""
    try:
        with joins.count_failed_guess(address):
            joins.check(address)
            if not right:
                raise Fault("not_found", what="table")
    except Fault as fault:
        return fault.code == "not_found"
    return True


def test_160_wider_ranges_of_ipv6_have_higher_rates_of_their_own(clock: Any) -> None:
    per_household = 20
    joins = Joins("20/minute")
    in_a_56 = [get_household(number) for number in range(8)]
    allowed = [sum(try_code(joins, address) for _ in range(100)) for address in in_a_56]
    assert allowed == [per_household] * WIDER[56] + [0] * (8 - WIDER[56])
    in_a_48 = [get_household(number << 8) for number in range(1, 100)]
    allowed = [sum(try_code(joins, address) for _ in range(100)) for address in in_a_48]
    assert sum(allowed) == per_household * (WIDER[48] - WIDER[56])
    assert try_code(joins, household("2001:db8:2::1"))
    clock.seconds += 61
    assert try_code(joins, in_a_56[7])


def test_160_a_households_refusals_limit_no_neighbour(clock: Any) -> None:
    commands = Rates("5/minute")
    for _ in range(1000):
        try:
            commands.count(get_household(1))
        except Fault:
            continue
    for _ in range(5):
        commands.count(get_household(2))


def test_160_every_notation_of_an_ipv4_address_counts_as_that_address() -> None:
    forms = ("192.0.2.33", "::ffff:192.0.2.33", "2002:c000:221::1", "2002:c000:221:ffff::7",
             "2001:0:4136:e378:8000:63bf:3fff:fdde", "64:ff9b::192.0.2.33",
             "[64:ff9b::c000:221]:443")  # fmt: skip
    assert {household(form) for form in forms} == {"192.0.2.33"}
    assert household("2001:db8::1") == "2001:db8::/64"
    carried = {"REMOTE_ADDR": "2002:7f00:1::1"}
    assert household(carried["REMOTE_ADDR"]) == "127.0.0.1"
    assert not _is_from_loopback(carried), "it counts as that, but isn't this machine"


def test_160_a_header_that_names_no_address_has_a_rate_of_its_own(serve: Serve) -> None:
    server = serve(COMPANION_TRUST_PROXY="1", COMPANION_JOIN_RATE="2/hour")
    for sent in ("unknown", "unknown/64", "2001:db8/64", "10.0.0.1/64"):
        answers = [server.get("/api/tables/AAAAAA", **{"X-Forwarded-For": sent}) for _ in range(3)]
        assert [answer.status for answer in answers] == [404, 404, 429], sent


def test_161_beyond_the_servers_limit_only_addresses_that_have_failed_wait(clock: Any) -> None:
    joins = Joins("20/minute", "50/10 minute")
    failed = [f"10.0.0.{number}" for number in range(60)]
    assert all(try_code(joins, address) for address in failed), (
        "each may fail once, before and after"
    )
    assert not any(try_code(joins, address, right=True) for address in failed)
    assert all(try_code(joins, f"10.1.0.{number}", right=True) for number in range(60))
    with pytest.raises(Fault, match="rate_limited") as error, joins.count_join(failed[0]):
        raise AssertionError("who has failed joins nothing")
    assert 0 < error.value.facts["retry_after_ms"] <= 600_000
    with joins.count_join("10.1.0.1"):
        pass
    clock.seconds += error.value.facts["retry_after_ms"] / 1000
    assert try_code(joins, failed[0], right=True)


def test_161_over_http_and_sockets_a_newcomer_with_the_right_code_is_let_in(serve: Serve) -> None:
    server = serve(COMPANION_TRUST_PROXY="1", COMPANION_GUESS_RATE="5/10 minute")
    party = server.create_table("Ana", "Ben")

    def make_headers(number: int) -> dict[str, str]:
        return {"X-Forwarded-For": f"10.0.0.{number}"}

    path = f"/api/tables/{party.table}"
    for number in range(6):
        assert server.get("/api/tables/AAAAAA", **make_headers(number)).status == 404
    assert server.get(path, **make_headers(1)).status == 429
    assert server.post(f"{path}/seats", {"name": "Eve"}, **make_headers(1)).status == 429
    refused = server.connect_client(party.table, headers=make_headers(1)).refused["data"]
    assert refused["code"] == "rate_limited"
    assert server.get(path, **make_headers(9)).status == 200
    assert server.post(f"{path}/seats", {"name": "Cleo"}, **make_headers(9)).status == 201
    assert server.connect_client(party.table, headers=make_headers(9)).view
    assert server.connect_client(party.table, party.tokens[0], headers=make_headers(1)).view, (
        "a seat is a seat"
    )


def count_guesses_per_hour(addresses: list[str], clock: Any) -> float:
    """Return the number of codes that can be tried per hour, after the first two hours."""
    joins = Joins(Settings().join_rate, Settings().guess_rate)
    tries = 0
    step = 300 if not EVERYTHING else 30
    hours = scale_count(1, 2)
    for second in range(0, (2 + hours) * 3600, step):
        clock.seconds = second
        for address in addresses:
            while try_code(joins, address):
                tries += second >= 2 * 3600
    return tries / hours


def compute_days_to_hit(guesses: float) -> float:
    """Return the average number of days until one of the tables is found."""
    codes = len(codec.ALPHABET) ** codec.LENGTH
    return (codes + 1) / (TABLES + 1) / guesses / 24


def get_hourly_rate(text: str) -> float:
    allowed = parse_rate(text)
    assert allowed is not None
    return allowed.amount * 3600 / allowed.get_expiry()


@pytest.mark.parametrize(
    ("who", "free", "own"), [("a /48", WIDER[48], WIDER[48]), ("a thousand", BOTNET, BOTNET)]
)
def test_161_guessing_a_table_takes_as_long_as_documented(
    clock: Any, who: str, free: int, own: int
) -> None:
    """Two limits apply, and the lower one counts.

    The first limit is for all addresses together: the guess rate, plus ``free`` codes per hour. The
    second limit is for each address: its join rate, which is multiplied by ``own``, the number of
    addresses.
    """
    expected = min(
        get_hourly_rate(Settings().guess_rate) + free, own * get_hourly_rate(Settings().join_rate)
    )
    if who == "a /48":
        addresses = [get_household(number * 64) for number in range(1024)]
    else:
        addresses = [f"10.0.{number >> 8}.{number & 255}" for number in range(BOTNET)]
    tries = count_guesses_per_hour(addresses, clock)
    assert 0.9 * expected <= tries <= 1.01 * expected
    for page in (".github/SECURITY.md", "docs/operators.md"):
        text = " ".join((ROOT / page).read_text("utf-8").split())
        match = re.search(rf"{who}[^.]*? ([0-9.]+) days", text)
        assert match and match[1] == f"{compute_days_to_hit(expected):.1f}", (
            page,
            compute_days_to_hit(expected),
        )


@pytest.mark.redis
def test_161_wrong_codes_count_in_all_processes(redis: engines.Redis) -> None:
    instances = [Joins("20/minute", "5/minute", redis.url) for _ in range(2)]
    assert all(try_code(instances[number % 2], f"10.0.0.{number}") for number in range(6))
    assert not any(try_code(joins, "10.0.0.1") for joins in instances)
    assert all(try_code(joins, "10.0.0.9", right=True) for joins in instances)
    households = [get_household(number) for number in range(8)]
    limited_instances = [Joins("3/minute", "none", redis.url) for _ in range(2)]
    allowed = sum(
        try_code(limited_instances[n % 2], address) for n in range(4) for address in households
    )
    assert allowed == 3 * WIDER[56]
