"""The world's store and bus do what a real PostgreSQL and a real Redis do: the same random scripts
are played against both.
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

Asked = Callable[[Store], Any]


class Script:
    """Random things to ask of a store, most of which were asked in a similar way before."""

    def __init__(self, seed: int) -> None:
        self._chance = Random(seed)
        self.known: dict[str, list[StoredEvent]] = {code: [] for code in CODES}

    def next(self) -> Asked:
        """Something to read, or to write."""
        return self._write() if self._chance.random() < 0.6 else self._read()

    def _write(self) -> Asked:
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
                lambda: (statements.insert(StoredTable(code, "digest", number)), self._first(code)),
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
            (1, lambda: (statements.draw_epoch(code, self._newest(code).epoch),)),
            (1, lambda: statements.delete_table(code)),
        ]
        weights, made = zip(*choices, strict=True)
        return chance.choices(made, weights)[0]()  # type: ignore[no-any-return]

    def _first(self, code: str) -> Statement:
        return statements.insert_events(code, 1, self._chance.randrange(10_000), [b'"first"'])

    def _append(self, code: str) -> tuple[Statement, ...]:
        """After the newest event, or one that isn't, or never was."""
        chance = self._chance
        after = self._newest(code)
        if chance.random() < 0.2:
            wrong = {"version": after.version + 1}, {"at": after.at + 1}, {"body": '"another"'}
            after = after._replace(**chance.choice(wrong))
        bodies = [b'"%d"' % chance.randrange(10_000) for _ in range(chance.randint(1, 3))]
        at = chance.randrange(10_000)
        return (statements.insert_events(code, after.version + 1, at, bodies, after),)

    def _newest(self, code: str) -> StoredEvent:
        known = self.known[code] or [StoredEvent(0, 0, "", "")]
        return known[-1] if self._chance.random() < 0.8 else self._chance.choice(known)

    def _read(self) -> Asked:
        chance = self._chance
        number = self._chance.randrange(10_000)
        code = chance.choice(CODES)
        name = chance.choice(NAMES)
        hashed = chance.choice(HASHES)
        asked: tuple[Asked, ...] = (
            lambda store: store.events(code, number % 5, number % 3 or 1_000),
            lambda store: store.heads(CODES[: number % 4]),
            lambda store: store.one(StoredAnswer, code=code, id=name),
            lambda store: store.one(StoredToken, hash=hashed),
            lambda store: store.one(StoredRobot, code=code, seat=name),
            lambda store: store.one(StoredClaim, hash=hashed),
            lambda store: store.one(StoredRequest, hash=hashed),
            lambda store: sorted(store.tables_idle_since(number)),
        )
        return chance.choice(asked)


def said_by(store: Store, asked: Asked) -> Any:
    """Return a store's answer, or its error."""
    try:
        return asked(store)
    except Busy as problem:
        return type(problem).__name__


@pytest.fixture
def both(cluster: Cluster) -> Iterator[Callable[[Asked], Any]]:
    """Query two processes' stores on each database in turn; their answers must be equal."""
    hub = Hub(Random(0), lambda: None)
    database = Database(hub, lambda _changes: None)
    simulated = [WorldStore(database, Random(one)) for one in range(2)]
    real = [Store(cluster.url, shared=True) for _ in range(2)]
    for store in real:
        store.open()
    turns = 0

    def ask(asked: Asked) -> Any:
        nonlocal turns
        turns += 1
        heard: list[Any] = []
        ours = simulated[turns % 2]
        theirs = real[turns % 2]
        hub.spawn(Machine("p"), "asks", lambda: heard.append(said_by(ours, asked)))
        hub.run(hub.now + 1_000)
        assert heard == [said_by(theirs, asked)]
        return heard[0]

    yield ask
    for store in real:
        store.close()
    database.close()


@pytest.mark.postgresql
@pytest.mark.parametrize("seed", range(3))
def test_140_the_simulated_database_behaves_like_postgresql(
    both: Callable[[Asked], Any], seed: int
) -> None:
    script = Script(seed)
    met = Counter[str]()
    for _ in range(400):
        met[str(both(script.next()))] += 1
        for code in CODES if met.total() % 5 == 0 else ():
            script.known[code] = both(lambda store, code=code: store.events(code))
    assert met["None"] > 50 and met["Conflict"] > 20
    assert sum(map(len, script.known.values())) > 5


PROBE = b"probe"


class Ears:
    """One process's end of a bus, the messages it received, and those it must receive."""

    def __init__(self, bus: Any) -> None:
        self.bus = bus
        self.heard = Counter[tuple[str, bytes]]()
        self.due = set[tuple[str, bytes]]()
        bus.start("log", lambda code, said: self.heard.update([(code, said)]), lambda _code: None)

    def hears(self, code: str, hub: Hub) -> None:
        """Return as soon as its own message about a table comes back."""
        before = self.heard[code, PROBE]

        def heard() -> bool:
            self.bus.publish(code, PROBE)
            hub.run(hub.now + 100)
            return self.heard[code, PROBE] > before

        wait_until(heard, 20)

    @property
    def heard_all(self) -> bool:
        """Return the messages sent while it followed, once each; those after it left may arrive or
        not."""
        heard = dict(self.heard)  # Redis' thread may be hearing more
        once = all(times == 1 for (_, said), times in heard.items() if said != PROBE)
        return once and self.due <= heard.keys()


@pytest.mark.redis
@pytest.mark.parametrize("seed", range(3))
def test_140_the_simulated_bus_behaves_like_redis(redis: Redis, seed: int) -> None:
    hub = Hub(Random(seed), lambda: None)
    chance = Random(seed)
    network = Network(hub)
    pairs = [
        (Ears(adapter.Bus(redis.url)), Ears(Bus(network, Machine(f"p{number}"))))
        for number in range(3)
    ]
    follows = [Counter[str]() for _ in pairs]
    wait_until(lambda: all(real.bus.receiving_seconds() > 0 for real, _ in pairs), 20)
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
            one.hears(code, hub)
        for one in pairs[chance.randrange(3)]:
            one.bus.publish(code, said)
        for followed, pair in zip(follows, pairs, strict=True):
            for one in pair if followed[code] else ():
                one.due.add((code, said))
        hub.run(hub.now + 1_000)
        wait_until(lambda: all(one.heard_all for pair in pairs for one in pair), 20)
    for real, simulated in pairs:
        assert len(simulated.due) > 10
        assert simulated.heard.keys() <= real.heard.keys()
        real.bus.close()
