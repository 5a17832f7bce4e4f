"""Random payloads that no proper client sends, for the decoders and for a real server."""

import gc
import json
import threading
from dataclasses import dataclass
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any
from uuid import UUID

from companion.adapters.socketio import Json, TextPacket
from companion.rules.core.commands import TakeSeat
from companion.service import codec
from companion.service.errors import Fault
from companion.service.requests import KeyedRequest
from companion.service.tables import Tables
from companion.storage.store import Store
from tests.support.own_variants import load_all_own
from tests.support.servers.server import Client, RealServer

TYPES = """add_seat rename remove_seat options prepare to_lobby ready begin call_next
skip_roll_call instruct play nope pass hold release look shuffled reveal draw report defuse
explode note leave undo pass_host claim_host end_game rematch tick resume take_seat claim_seat fly
""".split()
KEYS = """id as type version window cell cells card target seat name next first ready outcome
nope_seconds roll_call spectators locked odds remind_seconds now lot grace_ms __proto__ toString
""".split()
TEXTS = [
    "",
    "s1",
    "s2",
    "lot",
    "skip",
    "kitten",
    "nope",
    "favor",
    "safe",
    "null",
    "\0",
    "\u202e",
    "<script>",
    "a" * 300,
    "💣",
    "\ud800",
    "../../etc",
    "'; DROP TABLE events; --",
    "%s{0}",
]
NUMBERS = [0, 1, -1, 2, 5, 99, 100, 2**31, 2**53, 2**64, 10**30, 0.5, -0.0, 1e308]


@dataclass(kw_only=True)
class Report:
    """The result of a fuzzing run."""

    answered: int  # number of answered payloads
    changed: int  # 0 if the table is unchanged
    grown: int  # growth of the process's memory in bytes


def random_json(chance: Random, depth: int = 0) -> Any:
    """Return a random value that JSON can represent."""
    kind = chance.randrange(8 if depth < 3 else 5)
    if kind == 0:
        return chance.choice([None, True, False])
    if kind == 1:
        return chance.choice(NUMBERS)
    if kind in (2, 3):
        return chance.choice(TEXTS)
    if kind == 4:
        return [chance.randrange(-1, 4), chance.randrange(-1, 4)]
    if kind in (5, 6):
        return [random_json(chance, depth + 1) for _ in range(chance.randrange(5))]
    return {chance.choice(KEYS): random_json(chance, depth + 1) for _ in range(chance.randrange(5))}


def random_command(chance: Random) -> Any:
    """Return something that resembles a command."""
    if chance.random() < 0.1:
        return random_json(chance)
    command = {"id": str(UUID(int=chance.getrandbits(128))), "type": chance.choice(TYPES)}
    for _ in range(chance.randrange(5)):
        command[chance.choice(KEYS)] = random_json(chance)
    if chance.random() < 0.5:
        command.update(cell=[chance.randrange(2), chance.randrange(3)], window=chance.randrange(60))
    if chance.random() < 0.1:
        command.pop(chance.choice(list(command)))
    return command


def random_packet(chance: Random) -> str:
    """Return something that resembles an Engine.IO packet."""
    body = chance.choice(['["command",{}]', "[]", "{", '[["x"]]', '{"a":1}', "[" * 900, "-", ""])
    head = "".join(chance.choice("0123456789-/,") for _ in range(chance.randrange(6)))
    junk = "".join(chr(chance.randrange(0x2FF)) for _ in range(chance.randrange(8)))
    return chance.choice(["2", "4", "42", "5", ""]) + head + body + junk


class _Nobody:
    """Stands in for a table's clients. It drops all messages, since nobody is connected."""

    def send(self, sid: str, event: str, payload: Any) -> None: ...
    def close(self, sid: str) -> None: ...
    def on_subscribed(self, code: str) -> None: ...
    def announce_replays(self) -> None: ...
    def round_trip(self, sid: str) -> int:
        return 0


def fuzz_in_process(count: int, seed: int) -> Report:
    """Send ``count`` payloads through the decoders and the rules, in this process.

    Raises any exception that isn't one of the protocol's errors.
    """
    chance = Random(seed)
    with TemporaryDirectory() as folder:
        store = Store(f"sqlite:///{Path(folder, 'fuzz.sqlite3')}")
        store.open()
        tables = Tables(store, load_all_own(), limit=10)
        tables.open(_Nobody())
        created = tables.create(KeyedRequest(), "Ana", None, {})
        joined = tables.join(KeyedRequest(), created.table, TakeSeat(name="Ben"))
        with tables.at(created.table) as live:
            table = live.table
            version = live.version
            memory = 0
            answered = 0
            for number in range(count):
                if number == min(count // 10, 10_000):
                    memory = _get_resident_memory()
                answered += _try_payload(
                    live, chance, chance.choice([created.seat, joined.seat, None])
                )
            changed = int(live.table is not table or live.version != version)
            changed += len(store.events(created.table)) - version
        grown = _get_resident_memory() - memory
        tables.close()
        store.close()
    return Report(answered=answered, changed=changed, grown=grown)


def _try_payload(live: Any, chance: Random, sender: str | None) -> int:
    if chance.random() < 0.2:
        try:
            TextPacket(encoded_packet=random_packet(chance))
        except (ValueError, IndexError, TypeError):
            return 1  # the server closes the connection on these errors
    content = random_command(chance)
    try:
        command = codec.command(content, live.table.family)
    except Fault:
        return 1
    if command.version is None and sender == live.table.host:
        sender = None  # the rules might accept a command of the host, so send it as a spectator
    live._decide("", command, sender)
    return 1


def _get_resident_memory(process: str = "self") -> int:
    gc.collect()
    return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * 4096


def fuzz_over_sockets(server: RealServer, count: int, seed: int) -> Report:
    """Send ``count`` payloads to a server, as a spectator and as a player whose commands name an
    older version of the table."""
    chance = Random(seed)
    party = server.create_table("Ana", "Ben", "Cleo").begin()
    before = party.host.socket.call("sync")
    speakers = [party.clients[1], server.connect_client(party.table)]
    _send_in_batches(
        speakers, [_random_valid_payload(chance) for _ in range(count // 10)], before["version"]
    )
    memory = _get_resident_memory(str(server.process.pid))
    _send_in_batches(
        speakers, [_random_valid_payload(chance) for _ in range(count)], before["version"]
    )
    after = party.host.socket.call("sync")
    same = {key: after[key] for key in after if key != "now"}
    return Report(
        answered=count,
        changed=int(same != {key: before[key] for key in before if key != "now"}),
        grown=_get_resident_memory(str(server.process.pid)) - memory,
    )


def _random_valid_payload(chance: Random) -> Any:
    """Return a valid JSON payload that the server answers without closing the connection."""
    while True:
        payload = random_command(chance)
        try:
            body = json.dumps(payload)
            Json.loads(body)
            if len(body) < 3000:
                return payload
        except ValueError:
            continue


def _send_in_batches(speakers: list[Client], payloads: list[Any], version: int) -> None:
    """Send the payloads in batches of fifty, and check that each is answered with an error."""
    for start in range(0, len(payloads), 50):
        batch = payloads[start : start + 50]
        answers = []
        all_in = threading.Event()

        def keep_answer(
            answer: Any, answers: Any = answers, all_in: Any = all_in, n: int = len(batch)
        ) -> None:
            answers.append(answer)
            if len(answers) == n:
                all_in.set()

        for number, content in enumerate(batch):
            speaker = speakers[number % len(speakers)]
            if isinstance(content, dict) and speaker is speakers[0]:
                content = {**content, "version": version - 1}
            speaker.socket.emit("command", content, callback=keep_answer)
        assert all_in.wait(120), f"{len(answers)} of {len(batch)} answered"
        assert all(answer["ok"] is False and answer["error"]["code"] != "internal"
                   for answer in answers)  # fmt: skip
