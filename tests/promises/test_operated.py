"""Run by others: what happens at a limit, and what a second start says."""

import subprocess
import sys
from collections.abc import Callable

from tests.server import ROOT, RealServer

Serve = Callable[..., RealServer]


def _second(database: str, port: int) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "companion", "serve", "--database", database]
    return subprocess.run(
        [*command, "--port", str(port)], cwd=ROOT, text=True, capture_output=True, timeout=60
    )


def test_31_a_second_start_says_who_has_the_file_or_the_port(serve: Serve) -> None:
    server = serve()
    party = server.table("Ana", "Ben")
    ended = _second(server.database_url, 0)
    assert ended.returncode == 1 and "Ready" not in ended.stdout
    assert ended.stderr.strip().splitlines() == [
        f"Error: Another companion (process {server.process.pid}) has the tables in"
        f" {server.database.resolve()}."
    ]
    other = f"sqlite:///{server.database.with_name('other.sqlite3')}"
    ended = _second(other, server.port)
    assert ended.returncode == 1 and "Ready" not in ended.stdout
    assert len(ended.stderr.strip().splitlines()) == 1 and str(server.port) in ended.stderr
    # What reads beside it goes on, and so does the table.
    copy = server.database.with_name("copy.sqlite3")
    assert server.run("backup", str(copy)).returncode == 0 and copy.is_file()
    assert server.run("variants").returncode == 0
    party.host.say("prepare")
    # The kernel lets go of the lock however the process ends.
    server.kill()
    server.start()
    party.again()
    assert party.host.view["phase"] == "setup"


def test_39_what_is_linked_and_kept_stands_under_the_path_of_its_own(serve: Serve) -> None:
    server = serve(COMPANION_PREFIX="/hiss")
    assert server.get("/hiss/").status == server.get("/").status == 200
    made = server.post("/hiss/api/tables", {"name": "Ana"})
    assert "; Path=/hiss/" in made.headers["Set-Cookie"]
    claim = f"/hiss/api/tables/{made.json['table']}/seats/{made.json['seat']}/claim"
    token = {"Authorization": f"Bearer {made.json['token']}"}
    assert server.post(claim, **token).json["url"].startswith(f"{server.url}/hiss/t/")
    assert server.get("/hissing/").status == 404
    # Only a trusted proxy may say another one.
    said = server.post("/api/tables", {"name": "Ben"}, **{"X-Forwarded-Prefix": "/evil"})
    assert "; Path=/hiss/" in said.headers["Set-Cookie"]


def test_39_a_trusted_proxy_says_the_path(serve: Serve) -> None:
    server = serve(COMPANION_TRUST_PROXY="1")

    def path(prefix: str) -> str:
        answer = server.post("/api/tables", {"name": "Ana"}, **{"X-Forwarded-Prefix": prefix})
        return str(answer.headers["Set-Cookie"]).split("Path=")[1].split(";")[0]

    assert [path(said) for said in ("/hiss", "/a/hiss/", "hiss", "//evil", "/x;y")] == [
        "/hiss/", "/a/hiss/", "/", "/", "/"]  # fmt: skip
