"""Tests that the OpenAPI and AsyncAPI documents describe the real messages."""

import json
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from jsonschema_rs import Draft202012Validator

from companion.web import wire_schema
from companion.web.wire_schema.documents import CALLS, HEARD, SENT
from docs.examples.player import Player
from tests.repository import generated
from tests.support.iterations import EVERYTHING
from tests.support.paths import ROOT
from tests.support.servers.server import Client, RealServer

DOCS = ROOT / "docs"
HTTP, SOCKET = wire_schema.NAMES


@cache
def read_document(name: str) -> Any:
    return json.loads(wire_schema.document(name))


@pytest.mark.slow
def test_the_command_writes_the_documents_that_a_server_serves(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "companion.web.wire_schema", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, check=True)
    written = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert written == {name: wire_schema.document(name) for name in wire_schema.NAMES}


@cache
def validator(document: str, schema: str) -> Draft202012Validator:
    components = read_document(document)["components"]
    return Draft202012Validator({**json.loads(schema), "components": components})


def check_schema(document: str, schema: Any, content: Any) -> None:
    """Check ``content`` against its schema. A failure names the place and the reason."""
    schema_validator = validator(document, json.dumps(schema))
    faults = [
        f"{'/'.join(map(str, error.instance_path))}: {error.message[:300]}"
        for error in schema_validator.iter_errors(content)
    ]
    assert not faults, (faults[:3], json.dumps(content)[:1500])


def check_message(event: str, payload: Any) -> None:
    messages = read_document(SOCKET)["channels"]["socket"]["messages"]
    check_schema(SOCKET, messages[event]["payload"], payload)


class CheckedPlayer(Player):
    """A client that checks every message against the schemas."""

    def __init__(self, server: RealServer, name: str, code: str | None, variant: str) -> None:
        self.kinds: set[str] = set()
        self.wrong: list[BaseException] = []
        super().__init__(server.url, name, code, variant)
        for event in ("head", "presence"):
            self.socket.on(event, lambda payload, event=event: self.check(event, payload))
        call = self.socket.call

        def call_and_check(event: str, content: Any = None) -> Any:
            answer = call(event, content, timeout=120)
            if content is not None:
                self.check(f"{event}Said", content)
            self.check(f"{event}Answer", answer)
            return answer

        self.socket.call = call_and_check

    def check(self, event: str, payload: Any) -> None:
        self.kinds.add(event)
        try:
            check_message(event, payload)
        except BaseException as error:
            self.wrong.append(error)

    def saw(self, view: Any) -> None:
        self.check("view", view)
        super().saw(view)


def start_example(server: RealServer, program: list[str], name: str, code: str) -> Any:
    """Start one of the example clients as a process."""
    return subprocess.Popen([*program, server.url, name, code], stdout=subprocess.PIPE, text=True)


FinishedGame = tuple[RealServer, str, list[CheckedPlayer]]


@pytest.fixture(params=["quarantined", "party-120"])
def finished_game(request: Any, serve: Any, monkeypatch: Any) -> FinishedGame:
    """Play a game with both example clients, and with clients that check every message."""
    server = serve()
    monkeypatch.setattr("docs.examples.player.PLAYERS", 4 if EVERYTHING else 3)
    ana = CheckedPlayer(server, "Ana", None, request.param)
    code = ana.place["table"]
    checked = [ana]
    if EVERYTHING:
        checked.append(CheckedPlayer(server, "Ben", code, request.param))
    watch = {"table": code, "patches": True}, {"table": code, "patches": "keys"}
    watchers = [Client(server.url, auth) for auth in watch]
    others = [
        start_example(server, [sys.executable, str(DOCS / "examples/player.py")], "Cleo", code),
        start_example(server, ["node", str(DOCS / "examples/player.mjs")], "Dan", code),
    ]
    with ThreadPoolExecutor(2) as pool:
        (winner, *_) = pool.map(CheckedPlayer.play, checked)
    for other in others:
        assert other.communicate(timeout=300)[0].split("\n")[:2] == [code, f"{winner} has won"]
    for watcher in watchers:
        watcher.wait(
            lambda w=watcher: w.get_received("patch")[-1]["version"] >= ana.view["version"]
        )
        for event, payload in watcher.received:
            check_message(event, payload)
        watcher.close()
    return server, code, checked


@pytest.mark.slow
def test_both_examples_play_to_the_end_and_all_messages_match_the_schemas(
    finished_game: FinishedGame,
) -> None:
    server, code, players = finished_game
    for player in players:
        assert not player.wrong, player.wrong[0]
        assert player.kinds >= {"view", "commandSaid", "commandAnswer"}
    token = {"Authorization": f"Bearer {players[0].place['token']}"}
    calls = Calls(server, token)
    calls.make_every_call(code, players[0].place["seat"])
    assert calls.made == {call.name for call in CALLS}


class Calls:
    """Make HTTP calls and check each answer against the schemas."""

    def __init__(self, server: RealServer, headers: dict[str, str]) -> None:
        self._server = server
        self._headers = headers
        self.made = set[str]()

    def __call__(self, name: str, body: Any = None, status: int = 0, **parts: Any) -> Any:
        """Make the HTTP call of this name and return the answer.

        If ``status`` isn't 0, the answer must be an error with this status; otherwise a success.
        """
        call = next(call for call in CALLS if call.name == name)
        method, path = call.asked.split()
        operation = read_document(HTTP)["paths"][path][method]
        if body is not None:
            schema = operation["requestBody"]["content"]["application/json"]["schema"]
            check_schema(HTTP, schema, body)
        headers = {"Idempotency-Key": str(uuid4()), **self._headers}
        url = path.format(**parts)
        response = (
            self._server.post(url, body, **headers) if method == "post"
            else self._server.get(url, **self._headers)
        )  # fmt: skip
        success = next(iter(operation["responses"]))
        assert response.status == (status or int(success)), response.body
        answer = operation["responses"]["default" if status else success]
        check_schema(HTTP, answer["content"]["application/json"]["schema"], response.json)
        self.made.add(name)
        return response.json

    def make_every_call(self, code: str, seat: str) -> None:
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
        for name in (
            "describeServer",
            "countRobots",
            "listVariants",
            "readAddress",
            "readHealth",
            "readReadiness",
        ):
            self(name)
        for variant in self("listVariants"):
            self("readVariant", id=variant["id"])
        self("readVariant", id="nobody", status=404)
        created = self("makeTable", {"name": "Ana"})
        self("takeSeat", {"name": "Ben"}, code=created["table"])
        self("enterRoom", {"name": "Ana", "room": "r" * 22})
        self._headers = {"Authorization": f"Bearer {created['token']}"}
        self("addRobot", {}, code=created["table"])
        practice = self("practise", {"name": "Ana"})
        self("makeTable", {"name": ""}, status=400)
        assert practice["table"]
        (line,) = [line for line in self._server.output_lines if "#operator=" in line]
        token = self("becomeOperator", {"key": line.rpartition("=")[2]})["token"]
        self._headers = {"Authorization": f"Bearer {token}"}
        assert self("readAccess")["way"] is None
        self("openAccess", {"way": "carrier pigeons"}, status=400)
        self("closeAccess")


@pytest.mark.slow
@pytest.mark.parametrize("variant", ["quarantined", "party-120"])
def test_a_client_generated_from_the_schemas_plays_to_the_end(
    server: RealServer, tmp_path: Path, variant: str
) -> None:
    generated.write_client(read_document(HTTP), read_document(SOCKET), tmp_path)
    shutil.copy(Path(generated.__file__).with_name("player.mjs"), tmp_path)
    (tmp_path / "node_modules").symlink_to(DOCS.parent / "node_modules")
    strict = ["--strict", "--allowJs", "--checkJs", "--noEmit", "--skipLibCheck", "--types", ""]
    modern = ["--target", "es2022", "--module", "nodenext", "--lib", "es2023,dom"]
    tsc = ["node_modules/.bin/tsc", *strict, *modern, "player.mjs"]
    checked = subprocess.run(tsc, cwd=tmp_path, capture_output=True, text=True, check=False)
    errors = [line for line in checked.stdout.splitlines() if not NODE_TYPE_ERROR.search(line)]
    assert not errors, errors
    game = subprocess.run(
        ["node", "player.mjs", server.url, variant],
        cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert game.stdout.strip() in ("Ana has won", "Ben has won"), game.stderr


NODE_TYPE_ERROR = re.compile("'node:|Cannot find name 'process'")
"""Errors about Node's built-in modules, whose types aren't installed."""


@pytest.mark.slow
def test_keyed_patches_signs_and_refusals_match_the_schemas(server: RealServer) -> None:
    party = server.create_table("Ana", "Ben", "Cleo")
    watcher = Client(server.url, {"table": party.table, "patches": "keys"})
    party.begin()
    party.instruct()
    refused = party.clients[1].try_command("draw", cell=[0, 0])
    assert not refused["ok"]
    check_message("commandAnswer", refused)
    for version in (None, {"epoch": "?", "version": 1}, None):
        check_message("syncAnswer", watcher.socket.call("sync", version))
    newest = {key: watcher.view[key] for key in ("epoch", "version")}
    check_message("syncAnswer", watcher.socket.call("sync", newest))
    check_message("signAnswer", watcher.socket.call("sign", {"sign": "hiss"}))
    party.host.wait(lambda: party.host.get_received("sign"))
    party.host.send_command("undo")
    watcher.wait(lambda: len(watcher.get_received("patch")) > 5)
    for client in (watcher, *party.clients):
        for event, payload in client.received:
            check_message(event, payload)
    assert any("keys" in patch for patch in watcher.get_received("patch"))
    watcher.close()


@pytest.mark.slow
@pytest.mark.parametrize("name", wire_schema.NAMES)
def test_the_server_serves_the_documents(server: RealServer, name: str) -> None:
    answer = server.get(f"/api/{name}")
    assert answer.headers["Content-Type"] == "application/json"
    assert answer.body == wire_schema.document(name)
    tag = {"If-None-Match": answer.headers["ETag"]}
    assert server.get(f"/api/{name}", **tag).status == 304


def test_the_first_session_of_the_protocol_can_be_played(server: RealServer) -> None:
    session = (DOCS / "protocol.md").read_text("utf-8").split("```")[3]
    party = server.create_table("Ana", "Ben")
    for line in session.strip().split("\n"):
        player = line[:5].strip()
        fields = json.loads(line[6 : line.index("}") + 1])
        command = {
            key: party.seats[0] if key == "first" else value for key, value in fields.items()
        }
        party.clients[["Ana", "Ben"].index(player)].send_command(**command)
    assert party.host.view["turn"]["seat"] == party.seats[1]


def test_every_message_is_documented() -> None:
    names = {message.name for message in (*SENT, *HEARD)}
    assert names == {"command", "sync", "sign", "replay", "view", "patch", "head", "presence",
                     "superseded", "moving"}  # fmt: skip
