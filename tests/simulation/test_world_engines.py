"""The simulated database and bus behave like a real PostgreSQL and a real Redis.

The same random scripts run against both.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest

from companion.service.peers import redis as adapter
from companion.storage import statements
from companion.storage.database import Busy
from companion.storage.statements import (
    Statement,
    StoredAnswer,
    StoredClaim,
    StoredEvent,
    StoredRequest,
    StoredRobot,
    StoredTable,
    StoredToken,
)
from companion.storage.store import Store
from tests.simulation.bus import Bus, Network
from tests.simulation.hub import Hub, Machine
from tests.simulation.store import Database
from tests.simulation.store import Store as WorldStore
from tests.support.servers.engines import Cluster, Redis
from tests.support.servers.server import wait_until

CODES = ("AAAAAA", "BBBBBB", "CCCCCC")
NAMES = ("one", "two", "three")
HASHES = tuple(str(digit) * 64 for digit in range(3))

Call = Callable[[Store], Any]


class Script:
    """Random calls of a store. Most of them are similar to earlier ones."""

    def __init__(self, seed: int) -> None:
        self._chance = Random(seed)
        self.known: dict[str, list[StoredEvent]] = {code: [] for code in CODES}

    def choose_call(self) -> Call:
        """Return a call that reads or writes."""
        return self._write() if self._chance.random() < 0.6 else self._read()

    def _write(self) -> Call:
        many = self._chance.choices([1, 2, 3], [6, 2, 1])[0]
        changes = [change for _ in range(many) for change in self._change()]
        return lambda store: store.write(*changes)

    def _change(self) -> tuple[Statement, ...]:
        chance = self._chance
        number = self._chance.randrange(10_000)
        code = chance.choice(CODES)
        name = chance.choice(NAMES)
        hashed = chance.choice(HASHES)
        choices: list[tuple[int, Callable[[], tuple[Statement, ...]]]] = [
            (9, lambda: self._append(code)),
            (
                2,
                lambda: (
                    statements.insert(StoredTable(code, "digest", number)),
                    self._make_first_event(code),
                ),
            ),
            (2, lambda: (statements.insert(StoredAnswer(code, name, hashed[:32], str(number))),)),
            (1, lambda: (statements.insert(StoredToken(hashed, code, name)),)),
            (1, lambda: (statements.delete(StoredToken, code=code, seat=name),)),
            (1, lambda: (statements.insert(StoredRobot(code, name, hashed, None)),)),
            (1, lambda: (statements.delete(StoredRobot, code=code, seat=name),)),
            (1, lambda: (statements.insert(StoredClaim(hashed, code, name, number)),)),
            (1, lambda: (statements.delete(StoredClaim, hash=hashed),)),
            (1, lambda: (statements.delete_expired(StoredClaim, number),)),
            (1, lambda: (statements.insert(StoredRequest(hashed, name, name, "{}", number)),)),
            (1, lambda: (statements.delete_expired(StoredRequest, number),)),
            (1, lambda: (statements.draw_epoch(code, self._choose_newest_event(code).epoch),)),
            (1, lambda: statements.delete_table(code)),
        ]
        weights, made = zip(*choices, strict=True)
        return chance.choices(made, weights)[0]()  # type: ignore[no-any-return]

    def _make_first_event(self, code: str) -> Statement:
        return statements.insert_events(code, 1, self._chance.randrange(10_000), [b'"first"'])

    def _append(self, code: str) -> tuple[Statement, ...]:
        """Return statements that append events. Some name a wrong or an old event as the newest
        one."""
        chance = self._chance
        after = self._choose_newest_event(code)
        if chance.random() < 0.2:
            wrong = {"version": after.version + 1}, {"at": after.at + 1}, {"body": '"another"'}
            after = after._replace(**chance.choice(wrong))
        bodies = [b'"%d"' % chance.randrange(10_000) for _ in range(chance.randint(1, 3))]
        at = chance.randrange(10_000)
        return (statements.insert_events(code, after.version + 1, at, bodies, after),)

    def _choose_newest_event(self, code: str) -> StoredEvent:
        known = self.known[code] or [StoredEvent(0, 0, "", "")]
        return known[-1] if self._chance.random() < 0.8 else self._chance.choice(known)

    def _read(self) -> Call:
        chance = self._chance
        number = self._chance.randrange(10_000)
        code = chance.choice(CODES)
        name = chance.choice(NAMES)
        hashed = chance.choice(HASHES)
        calls: tuple[Call, ...] = (
            lambda store: store.events(code, number % 5, number % 3 or 1_000),
            lambda store: store.heads(CODES[: number % 4]),
            lambda store: store.one(StoredAnswer, code=code, id=name),
            lambda store: store.one(StoredToken, hash=hashed),
            lambda store: store.one(StoredRobot, code=code, seat=name),
            lambda store: store.one(StoredClaim, hash=hashed),
            lambda store: store.one(StoredRequest, hash=hashed),
            lambda store: sorted(store.tables_idle_since(number, number)),
        )
        return chance.choice(calls)


def get_answer(store: Store, call: Call) -> Any:
    """Return a store's answer, or the name of its error."""
    try:
        return call(store)
    except Busy as problem:
        return type(problem).__name__


@pytest.fixture
def call_both(cluster: Cluster) -> Iterator[Callable[[Call], Any]]:
    """Return a function that makes a call on the simulated and on the real database.

    Both answers must be equal. Two stores of each database, like those of two processes, take
    turns.
    """
    hub = Hub(Random(0), lambda: None)
    database = Database(hub, lambda _changes: None)
    simulated = [WorldStore(database, Random(one)) for one in range(2)]
    real = [Store(cluster.url, shared=True) for _ in range(2)]
    for store in real:
        store.open()
    turns = 0

    def call_both_databases(call: Call) -> Any:
        nonlocal turns
        turns += 1
        received: list[Any] = []
        ours = simulated[turns % 2]
        theirs = real[turns % 2]
        hub.spawn(Machine("p"), "asks", lambda: received.append(get_answer(ours, call)))
        hub.run(hub.now + 1_000)
        assert received == [get_answer(theirs, call)]
        return received[0]

    yield call_both_databases
    for store in real:
        store.close()
    database.close()


@pytest.mark.postgresql
@pytest.mark.parametrize("seed", range(3))
def test_140_the_simulated_database_behaves_like_postgresql(
    call_both: Callable[[Call], Any], seed: int
) -> None:
    script = Script(seed)
    met = Counter[str]()
    for _ in range(400):
        met[str(call_both(script.choose_call()))] += 1
        for code in CODES if met.total() % 5 == 0 else ():
            script.known[code] = call_both(lambda store, code=code: store.events(code))
    assert met["None"] > 50 and met["Conflict"] > 20
    assert sum(map(len, script.known.values())) > 5


PROBE = b"probe"


class Listener:
    """A listener on one process's bus, with the messages that it has received and those that must
    arrive."""

    def __init__(self, bus: Any) -> None:
        self.bus = bus
        self.received = Counter[tuple[str, bytes]]()
        self.due = set[tuple[str, bytes]]()
        bus.start(
            "log", lambda code, said: self.received.update([(code, said)]), lambda _code: None
        )

    def wait_for_own_message(self, code: str, hub: Hub) -> None:
        """Publish messages about a table until one of them comes back."""
        before = self.received[code, PROBE]

        def has_returned() -> bool:
            self.bus.publish(code, PROBE)
            hub.run(hub.now + 100)
            return self.received[code, PROBE] > before

        wait_until(has_returned)

    @property
    def has_received_all(self) -> bool:
        """Return True if every message that was sent while the process followed its table has
        arrived once.

        Messages sent later may arrive or not.
        """
        received = dict(self.received)  # Redis' thread may be adding a message
        once = all(times == 1 for (_, said), times in received.items() if said != PROBE)
        return once and self.due <= received.keys()


@pytest.mark.redis
@pytest.mark.parametrize("seed", range(3))
def test_140_the_simulated_bus_behaves_like_redis(redis: Redis, seed: int) -> None:
    hub = Hub(Random(seed), lambda: None)
    chance = Random(seed)
    network = Network(hub)
    pairs = [
        (Listener(adapter.Bus(redis.url)), Listener(Bus(network, Machine(f"p{number}"))))
        for number in range(3)
    ]
    follows = [Counter[str]() for _ in pairs]
    wait_until(lambda: all(real.bus.seconds_connected() > 0 for real, _ in pairs))
    for number in range(100):
        who = chance.randrange(3)
        code = chance.choice(CODES)
        said = b"%d" % number
        step = -1 if follows[who][code] and chance.random() < 0.5 else 1
        follows[who][code] += step
        for one in pairs[who]:
            (one.bus.follow if step > 0 else one.bus.leave)(code)
        hub.run(hub.now + 1_000)
        for one in pairs[who] if step > 0 else ():
            one.wait_for_own_message(code, hub)
        for one in pairs[chance.randrange(3)]:
            one.bus.publish(code, said)
        for followed, pair in zip(follows, pairs, strict=True):
            for one in pair if followed[code] else ():
                one.due.add((code, said))
        hub.run(hub.now + 1_000)
        wait_until(lambda: all(one.has_received_all for pair in pairs for one in pair))
    for real, simulated in pairs:
        assert len(simulated.due) > 10
        assert simulated.received.keys() <= real.received.keys()
        real.bus.close()
