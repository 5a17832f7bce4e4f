"""Tests for ``--tunnel``: links, callers' addresses, secrets and messages.

A small program stands in for cloudflared. It prints the same lines, and runs until it is stopped.
"""

import json
import os
import re
import stat
import sys
from collections.abc import Callable, Iterator
from email.message import Message
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.support.servers.fork_server import run_to_end
from tests.support.servers.server import RealServer, wait_until

BANNER = "Read https://developers.cloudflare.com/terms first\n|  https://{name}  |\n"
NAME = "nine-lives.trycloudflare.com"

PROGRAM = """#!{python}
import os, pathlib, sys, time
pathlib.Path({folder!r}, "ran").write_text(f"{{os.getpid()}} {{sys.argv[1:]}}")
print({banner!r}, flush=True)
while not pathlib.Path({folder!r}, "end").exists():
    time.sleep(0.05)
print("connection refused by the edge", flush=True)
"""

Serve = Callable[..., RealServer]


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Put the stand-in on the PATH as cloudflared.

    Yield the folder in which it writes its process id and arguments.
    """
    program = tmp_path / "bin" / "cloudflared"
    program.parent.mkdir()
    banner = BANNER.format(name=NAME)
    program.write_text(PROGRAM.format(python=sys.executable, folder=str(tmp_path), banner=banner))
    program.chmod(program.stat().st_mode | stat.S_IEXEC)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    yield tmp_path
    (tmp_path / "end").touch()  # a killed server can't stop the stand-in, so this does


def get_address(server: RealServer) -> Any:
    return server.get("/api/address").json


def wait_for_tunnel(server: RealServer) -> None:
    wait_until(lambda: (get_address(server).get("tunnel") or {}).get("origin"))


def read_entrance(programs: Path) -> int:
    """Return the port to which the stand-in leads."""
    match = re.search(r"http://127\.0\.0\.1:(\d+)", (programs / "ran").read_text())
    assert match
    return int(match[1])


def request_through(
    programs: Path, method: str, path: str, body: object = None, **headers: str
) -> tuple[int, Message, bytes]:
    """Send a request as the tunnel's program would. Returns status, headers and body."""
    client = HTTPConnection("127.0.0.1", read_entrance(programs), timeout=20)
    content = None if body is None else json.dumps(body)
    kind = {"Content-Type": "application/json"}
    client.request(method, path, content, {"Host": NAME, **kind, **headers})
    answer = client.getresponse()
    try:
        return answer.status, answer.headers, answer.read()
    finally:
        client.close()


def test_links_use_the_tunnels_address_once_it_is_open(serve: Serve, programs: Path) -> None:
    server = serve(COMPANION_TUNNEL="cloudflared")
    wait_for_tunnel(server)
    assert get_address(server)["origin"] == f"https://{NAME}"
    assert read_entrance(programs) != server.port
    wait_until(lambda: f"Friends can join at https://{NAME}" in "\n".join(server.log_lines))


def test_requests_through_the_tunnel_are_trusted_but_no_other_host_name(
    serve: Serve, programs: Path
) -> None:
    server = serve(COMPANION_TUNNEL="cloudflared")
    wait_for_tunnel(server)
    through = {"X-Forwarded-Proto": "https", "X-Forwarded-For": "198.51.100.7"}
    status, headers, _ = request_through(
        programs, "POST", "/api/tables", {"name": "Ana"}, **through
    )
    assert status == 201
    # the cookie is secure, because the request came over https
    assert "Secure" in headers["Set-Cookie"]
    assert request_through(programs, "GET", "/healthz", Host="evil.example")[0] == 400
    assert server.get("/healthz", Host="evil.example").status == 400


def test_a_tunnel_that_ends_is_reported(serve: Serve, programs: Path) -> None:
    server = serve(COMPANION_TUNNEL="cloudflared")
    wait_for_tunnel(server)
    (programs / "end").touch()
    wait_until(lambda: get_address(server)["tunnel"]["ended"])
    assert get_address(server)["origin"] is None
    wait_until(lambda: "The tunnel is closed: cloudflared has ended" in "\n".join(server.log_lines))


def test_the_tunnel_ends_with_the_panel(serve: Serve, programs: Path) -> None:
    server = serve(COMPANION_TUNNEL="cloudflared")
    wait_for_tunnel(server)
    process = int((programs / "ran").read_text().split()[0])
    server.stop()
    wait_until(lambda: not _is_running(process))


SECRETS = {
    "COMPANION_BUS": "", "COMPANION_METRICS_TOKEN": "hidden", "DATABASE_URL": "hidden",
    "PGPASSWORD": "hidden", "REDIS_URL": "hidden", "AWS_SECRET_ACCESS_KEY": "hidden",
    "HTTPS_PROXY": "http://hidden:hidden@127.0.0.1:1", "NGROK_AUTHTOKEN": "hidden",
}  # fmt: skip
PASSED_ON = {"LANG": "C.UTF-8", "LC_TIME": "C", "TUNNEL_LOGLEVEL": "info", "CLOUDFLARED_X": "y"}


def read_environment(process: int) -> dict[str, str]:
    """Return the environment variables with which a process was started."""
    lines = Path(f"/proc/{process}/environ").read_text().split("\0")
    return dict(line.split("=", 1) for line in lines if line)


def test_114_a_tunnels_program_gets_its_own_variables_and_no_secret(
    serve: Serve, programs: Path
) -> None:
    server = serve(COMPANION_TUNNEL="cloudflared", **SECRETS, **PASSED_ON)
    wait_for_tunnel(server)
    environment = read_environment(int((programs / "ran").read_text().split()[0]))
    assert environment.keys() <= {"PATH", "HOME", "LANGUAGE", "LC_ALL", "LC_CTYPE", *PASSED_ON}
    assert PASSED_ON.items() <= environment.items()
    assert environment["PATH"].startswith(str(programs)) and "HOME" in environment


def test_114_a_custom_tunnel_command_gets_only_variables_with_its_name(
    serve: Serve, programs: Path
) -> None:
    (programs / "bin" / "cloudflared").rename(programs / "bin" / "my-way.py")
    mine = {"MY_WAY_KEY": "mine", "MYSQL_PWD": "hidden", "TUNNEL_TOKEN": "hidden"}
    server = serve(COMPANION_TUNNEL=f"{programs}/bin/my-way.py {{url}}", **SECRETS, **mine)
    wait_for_tunnel(server)
    environment = read_environment(int((programs / "ran").read_text().split()[0]))
    assert "hidden" not in "".join(environment.values())
    assert environment["MY_WAY_KEY"] == "mine"


def test_114_the_robots_process_gets_no_secret(serve: Serve) -> None:
    server = serve(**SECRETS, COMPANION_ROBOT_PACE="0")
    assert server.post("/api/practice", {"name": "Ana"}).status == 201
    wait_until(lambda: psutil.Process(server.process.pid).children())
    (robots,) = psutil.Process(server.process.pid).children()
    wait_until(lambda: "companion.robots.worker" in " ".join(robots.cmdline()))
    environment = read_environment(robots.pid)
    assert "hidden" not in "".join(environment.values())
    assert environment["COMPANION_ROBOT_PACE"] == "0"


def test_115_with_a_tunnel_no_request_counts_as_local(serve: Serve, programs: Path) -> None:
    """The tunnel's program connects from this machine, but its requests come from the internet."""
    server = serve(COMPANION_TUNNEL="cloudflared")
    wait_for_tunnel(server)
    for through in ({}, {"X-Forwarded-For": "127.0.0.1"}, {"X-Forwarded-For": "198.51.100.7"}):
        assert server.get("/metrics", Host=NAME, **through).error["code"] == "forbidden"
        assert request_through(programs, "GET", "/metrics", **through)[0] == 403
        local = {**through, "Host": "127.0.0.1"}
        assert request_through(programs, "GET", "/metrics", **local)[0] == 403
    server.stop()
    guarded = serve(COMPANION_TUNNEL="cloudflared", COMPANION_METRICS_TOKEN="token")
    assert guarded.get("/metrics").status == 401
    assert guarded.get("/metrics", Authorization="Bearer token").status == 200
    wait_for_tunnel(guarded)
    # through the tunnel not even the token helps
    assert request_through(programs, "GET", "/metrics", Authorization="Bearer token")[0] == 403


def _is_running(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


@pytest.mark.parametrize(
    ("tunnel", "reason"),
    [
        ("no-such-program {url}", "no-such-program is not installed"),
        ("ngrok", "ngrok is not installed: get it at https://ngrok.com/download"),
        ("echo hello", "a command with {url} in it"),
    ],
)
def test_a_tunnel_that_cannot_be_opened_is_reported_at_the_start(
    tunnel: str, reason: str, tmp_path: Path
) -> None:
    database = f"sqlite:///{tmp_path / 'one.sqlite3'}"
    command = ["serve", "--database", database, "--port", "0", "--tunnel", tunnel]
    ended = run_to_end("companion", command, {"PATH": "/usr/bin:/bin"})
    assert ended.returncode in (1, 2)
    assert reason in ended.stderr
    assert "Traceback" not in ended.stderr
