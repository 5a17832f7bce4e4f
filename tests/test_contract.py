"""docs/openapi.json and docs/asyncapi.json describe the real wire."""

import json
import re
import shutil
import subprocess
import sys
import threading
from functools import cache
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from jsonschema_rs import Draft202012Validator

from docs.contract.documents import CALLS, DOCUMENTS, HEARD, SENT
from docs.examples.player import Player
from tests import generated
from tests.server import Client, RealServer

DOCS = Path(__file__).parent.parent / "docs"
OPENAPI, ASYNCAPI = (json.loads((DOCS / name).read_text("utf-8")) for name in DOCUMENTS)
SOCKET = ASYNCAPI["channels"]["socket"]["messages"]


@pytest.mark.parametrize("name", DOCUMENTS)
def test_the_schemas_are_those_of_the_types(name: str) -> None:
    written = DOCUMENTS[name]()
    assert (DOCS / name).read_text("utf-8") == written, "run `python -m docs.contract`"


@cache
def validator(document: str, schema: str) -> Draft202012Validator:
    whole = OPENAPI if document == "http" else ASYNCAPI
    return Draft202012Validator({**json.loads(schema), "components": whole["components"]})


def holds(document: str, schema: Any, content: Any) -> None:
    """Check content against its schema. Fails with the place and the reason."""
    fits = validator(document, json.dumps(schema))
    wrong = [
        f"{'/'.join(map(str, found.instance_path))}: {found.message[:300]}"
        for found in fits.iter_errors(content)
    ]
    assert not wrong, (wrong[:3], json.dumps(content)[:1500])


def receive(event: str, payload: Any) -> None:
    holds("socket", SOCKET[event]["payload"], payload)


class Recorded(Player):
    """A player of whose socket all is held against the schemas."""

    def __init__(self, server: RealServer, name: str, code: str | None, variant: str) -> None:
        self.kinds: set[str] = set()
        self.wrong: list[BaseException] = []
        super().__init__(server.url, name, code, variant)
        for event in ("head", "presence"):
            self.socket.on(event, lambda payload, event=event: self.check(event, payload))
        call = self.socket.call

        def check_events(event: str, content: Any = None) -> Any:
            answer = call(event, content, timeout=30)
            if content is not None:
                self.check(f"{event}Said", content)
            self.check(f"{event}Answer", answer)
            return answer

        self.socket.call = check_events

    def check(self, event: str, payload: Any) -> None:
        self.kinds.add(event)
        try:
            receive(event, payload)
        except BaseException as wrong:
            self.wrong.append(wrong)

    def saw(self, view: Any) -> None:
        self.check("view", view)
        super().saw(view)


def example(server: RealServer, program: list[str], name: str, code: str) -> Any:
    """One of the example clients as a process of its own."""
    return subprocess.Popen([*program, server.url, name, code], stdout=subprocess.PIPE, text=True)


Over = tuple[RealServer, str, list[Recorded]]


@pytest.fixture(params=["quarantined", "party-120"])
def over(request: Any, serve: Any, monkeypatch: Any) -> Over:
    """A table at which a game was played to its end: by both examples, and two of this process."""
    server = serve()
    monkeypatch.setattr("docs.examples.player.PLAYERS", 4)
    ana = Recorded(server, "Ana", None, request.param)
    code = ana.place["table"]
    ben = Recorded(server, "Ben", code, request.param)
    watch = {"table": code, "patches": True}, {"table": code, "patches": "keys"}
    watchers = [Client(server.url, auth) for auth in watch]
    others = [
        example(server, [sys.executable, str(DOCS / "examples/player.py")], "Cleo", code),
        example(server, ["node", str(DOCS / "examples/player.mjs")], "Dan", code),
    ]
    second = threading.Thread(target=ben.play)
    second.start()
    winner = ana.play()
    second.join()
    for other in others:
        assert other.communicate(timeout=30)[0].split("\n")[:2] == [code, f"{winner} has won"]
    for watcher in watchers:
        watcher.wait(
            lambda w=watcher: w.get_received("patch")[-1]["version"] >= ana.view["version"]
        )
        for event, payload in watcher.received:
            receive(event, payload)
        watcher.close()
    return server, code, [ana, ben]


@pytest.mark.slow
def test_both_examples_play_to_the_end_and_all_messages_match_the_schemas(
    over: Over,
) -> None:
    server, code, players = over
    for player in players:
        assert not player.wrong, player.wrong[0]
        assert player.kinds >= {"view", "commandSaid", "commandAnswer"}
    token = {"Authorization": f"Bearer {players[0].place['token']}"}
    calls = Calls(server, token)
    calls.all_of_a_finished_game(code, players[0].place["seat"])
    assert calls.made == {call.name for call in CALLS}


class Calls:
    """Make HTTP calls and check each answer against the document."""

    def __init__(self, server: RealServer, headers: dict[str, str]) -> None:
        self._server = server
        self._headers = headers
        self.made = set[str]()

    def __call__(self, name: str, body: Any = None, status: int = 0, **parts: Any) -> Any:
        """Makes the call of this name; ``status``: what it answers, if not that all is well."""
        call = next(call for call in CALLS if call.name == name)
        method, path = call.asked.split()
        operation = OPENAPI["paths"][path][method]
        if body is not None:
            said = operation["requestBody"]["content"]["application/json"]["schema"]
            holds("http", said, body)
        headers = {"Idempotency-Key": str(uuid4()), **self._headers}
        where = path.format(**parts)
        got = (
            self._server.post(where, body, **headers) if method == "post"
            else self._server.get(where, **self._headers)
        )  # fmt: skip
        well = next(iter(operation["responses"]))
        assert got.status == (status or int(well)), got.body
        answer = operation["responses"]["default" if status else well]
        holds("http", answer["content"]["application/json"]["schema"], got.json)
        self.made.add(name)
        return got.json

    def all_of_a_finished_game(self, code: str, seat: str) -> None:
        for name in ("watch", "readLog", "readEvening", "readTablesVariant"):
            self(name, code=code)
        for name in ("readGame", "readMoments", "readRemarks"):
            self(name, code=code, number=1)
        moment = self("readGame", code=code, number=1)["events"][-1]["version"]
        self("leaveRemark", {"moment": moment, "text": "Ha!"}, code=code, number=1)
        self("openGame", self("readGame", code=code, number=1))
        claim = self("makeClaim", code=code, seat=seat)["claim"]
        self._headers = {"Authorization": f"Bearer {self('useClaim', claim=claim)['token']}"}
        self("takeSeat", {"name": "Eve"}, status=409, code=code)
        self("askPlace", {"name": "Eve"}, code=code)
        self("addRobot", {"name": "Robbie"}, status=409, code=code)
        self("lendSeat", {"secret": "0" * 64}, status=409, code=code, seat=seat)
        for name in ("countRobots", "listVariants", "readAddress", "readHealth", "readReadiness"):
            self(name)
        for variant in self("listVariants"):
            self("readVariant", id=variant["id"])
        self("readVariant", id="nobody", status=404)
        made = self("makeTable", {"name": "Ana"})
        self("takeSeat", {"name": "Ben"}, code=made["table"])
        self._headers = {"Authorization": f"Bearer {made['token']}"}
        self("addRobot", {}, code=made["table"])
        practice = self("practise", {"name": "Ana"})
        self("makeTable", {"name": ""}, status=400)
        assert practice["table"]


@pytest.mark.slow
@pytest.mark.parametrize("variant", ["quarantined", "party-120"])
def test_a_client_generated_from_the_schemas_plays_to_the_end(
    server: RealServer, tmp_path: Path, variant: str
) -> None:
    """The program is checked against the generated types, and played with the generated calls."""
    generated.write_client(OPENAPI, ASYNCAPI, tmp_path)
    shutil.copy(Path(generated.__file__).with_name("player.mjs"), tmp_path)
    (tmp_path / "node_modules").symlink_to(DOCS.parent / "node_modules")
    strict = ["--strict", "--allowJs", "--checkJs", "--noEmit", "--skipLibCheck", "--types", ""]
    modern = ["--target", "es2022", "--module", "nodenext", "--lib", "es2023,dom"]
    tsc = ["node_modules/.bin/tsc", *strict, *modern, "player.mjs"]
    checked = subprocess.run(tsc, cwd=tmp_path, capture_output=True, text=True, check=False)
    own = [line for line in checked.stdout.splitlines() if not NODES.search(line)]
    assert not own, own
    played = subprocess.run(
        ["node", "player.mjs", server.url, variant],
        cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert played.stdout.strip() in ("Ana has won", "Ben has won"), played.stderr


NODES = re.compile("'node:|Cannot find name 'process'")
"""What Node itself has: nobody here has its types."""


@pytest.mark.slow
def test_patches_by_keys_signs_and_refusals_match_the_schemas(server: RealServer) -> None:
    """Patches by keys, signs, a refusal, both kinds of sync; somebody who only watches."""
    party = server.create_table("Ana", "Ben", "Cleo")
    watcher = Client(server.url, {"table": party.table, "patches": "keys"})
    party.begin()
    party.instruct()
    refused = party.clients[1].try_command("draw", cell=[0, 0])
    assert not refused["ok"]
    receive("commandAnswer", refused)
    for known in (None, {"epoch": "?", "version": 1}, None):
        receive("syncAnswer", watcher.socket.call("sync", known))
    newest = {key: watcher.view[key] for key in ("epoch", "version")}
    receive("syncAnswer", watcher.socket.call("sync", newest))
    receive("signAnswer", watcher.socket.call("sign", {"sign": "hiss"}))
    party.host.wait(lambda: party.host.get_received("sign"))
    party.host.send_command("undo")
    watcher.wait(lambda: len(watcher.get_received("patch")) > 5)
    for client in (watcher, *party.clients):
        for event, payload in client.received:
            receive(event, payload)
    assert any("keys" in patch for patch in watcher.get_received("patch"))
    watcher.close()


@pytest.mark.parametrize("name", DOCUMENTS)
def test_the_server_has_them(server: RealServer, name: str) -> None:
    answer = server.get(f"/api/{name}")
    assert answer.headers["Content-Type"] == "application/json"
    assert answer.body == (DOCS / name).read_bytes()


def test_the_first_session_of_the_protocol_is_one(server: RealServer) -> None:
    told = (DOCS / "protocol.md").read_text("utf-8").split("```")[3]
    party = server.create_table("Ana", "Ben")
    for line in told.strip().split("\n"):
        who = line[:5].strip()
        said = json.loads(line[6 : line.index("}") + 1])
        command = {key: party.seats[0] if key == "first" else value for key, value in said.items()}
        party.clients[["Ana", "Ben"].index(who)].send_command(**command)
    assert party.host.view["turn"]["seat"] == party.seats[1]


def test_every_message_is_documented() -> None:
    names = {message.name for message in (*SENT, *HEARD)}
    assert names == {"command", "sync", "sign", "replay", "view", "patch", "head", "presence",
                     "superseded", "moving"}  # fmt: skip
