"""Tests for ``--tunnel ssh`` with a real OpenSSH server on this machine."""

import json
import os
import re
import stat
from collections.abc import Callable, Iterator
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import psutil
import pytest

from companion.settings import Settings
from companion.web import ssh
from companion.web.address import PublicAddress
from companion.web.tunnel import Tunnel
from tests.support.servers.server import RealServer, wait_until
from tests.support.servers.sshd import (
    TELLS_ADDRESS,
    USER,
    Sshd,
    agent,
    make_key,
    own_service,
    running_sshd,
)

pytestmark = pytest.mark.ssh

Serve = Callable[..., RealServer]
NAME = "friends.test"


@pytest.fixture
def sshd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Sshd]:
    """Yield an OpenSSH server, not yet started, and an agent with a key that it will admit."""
    folder = tmp_path / "sshd"
    folder.mkdir()
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    key = make_key(folder / "own key")
    with running_sshd(folder) as server, agent(folder, key) as socket:
        monkeypatch.setenv("SSH_AUTH_SOCK", socket)
        yield server


def own_key(sshd: Sshd) -> Path:
    return sshd.folder / "own key"


def format_own_machine_tunnel(sshd: Sshd) -> str:
    return f"ssh:{USER}@127.0.0.1:{sshd.port}"


def get_tunnel(server: RealServer) -> Any:
    return server.get("/api/address").json["tunnel"]


def wait_for_origin(server: RealServer) -> str:
    wait_until(lambda: get_tunnel(server)["origin"], 30)
    return str(get_tunnel(server)["origin"])


def get_through(origin: str, path: str, **headers: str) -> tuple[int, bytes]:
    """Send a request to the address that the OpenSSH server has opened."""
    host = origin.partition("://")[2]
    client = HTTPConnection("127.0.0.1", int(host.rpartition(":")[2]), timeout=20)
    client.request("GET", path, headers={"Host": host, **headers})
    answer = client.getresponse()
    try:
        return answer.status, answer.read()
    finally:
        client.close()


@pytest.mark.parametrize(
    "kind", ["eventlet", pytest.param("threads", marks=pytest.mark.repetition)]
)
def test_200_a_reverse_forwarding_by_ssh_leads_to_the_panel(
    serve: Serve, sshd: Sshd, kind: str
) -> None:
    """The other machine prints no address, so its host name and the port are the address."""
    sshd.admit(own_key(sshd))
    sshd.start()
    server = serve(COMPANION_TUNNEL=format_own_machine_tunnel(sshd), COMPANION_SERVER=kind)
    origin = wait_for_origin(server)
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+", origin)
    assert get_through(origin, "/healthz")[0] == 200
    code = server.post("/api/tables", {"name": "Ana"}).json["table"]
    assert get_through(origin, f"/t/{code}")[0] == 200
    # ssh forwards all bytes unchanged, so a caller can forge any header
    forged = {"X-Forwarded-For": "127.0.0.1", "Host": "localhost"}
    assert get_through(origin, "/metrics", **forged)[0] == 403
    assert server.stop() == 0
    wait_until(lambda: not psutil.net_connections() or not _is_open(origin))


def _is_open(origin: str) -> bool:
    try:
        get_through(origin, "/healthz")
    except OSError:
        return False
    return True


def test_200_an_address_in_the_output_of_ssh_is_used_for_links(serve: Serve, sshd: Sshd) -> None:
    sshd.admit(own_key(sshd), TELLS_ADDRESS.format(port=sshd.port, name=NAME))
    sshd.start()
    server = serve(COMPANION_TUNNEL=format_own_machine_tunnel(sshd))
    wait_until(lambda: NAME in (get_tunnel(server)["origin"] or ""), 30)
    origin = wait_for_origin(server)
    assert re.fullmatch(rf"http://{NAME}:\d+", origin)
    status, answer = get_through(origin, "/api/address")
    assert status == 200
    assert json.loads(answer)["origin"] == origin
    assert get_through(origin, "/healthz", Host="evil.example")[0] == 400


def test_200_a_broken_connection_of_ssh_comes_back(serve: Serve, sshd: Sshd) -> None:
    sshd.admit(own_key(sshd), TELLS_ADDRESS.format(port=sshd.port, name=NAME))
    sshd.start()
    server = serve(COMPANION_TUNNEL=format_own_machine_tunnel(sshd))
    first = wait_for_origin(server)
    sshd.stop()
    wait_until(lambda: get_tunnel(server)["origin"] is None, 30)
    assert get_tunnel(server)["ended"] is None  # the connection is being opened again
    reason = "The way in is interrupted: the connection to 127.0.0.1 broke"
    wait_until(lambda: reason in "\n".join(server.log_lines))
    sshd.start()
    second = wait_for_origin(server)
    assert second != first
    assert get_through(second, "/healthz")[0] == 200


@pytest.mark.parametrize(
    ("options", "admits", "reason"),
    [
        ({}, False, "127.0.0.1 refused the login"),
        ({"AllowTcpForwarding": "no"}, True, "127.0.0.1 refused to open a way in"),
    ],
)
def test_200_a_refusal_of_ssh_is_explained_in_words(
    serve: Serve, sshd: Sshd, options: dict[str, str], admits: bool, reason: str
) -> None:
    if admits:
        sshd.admit(own_key(sshd))
    sshd.options = options
    sshd.start()
    server = serve(COMPANION_TUNNEL=format_own_machine_tunnel(sshd))
    wait_until(lambda: get_tunnel(server)["ended"], 30)
    assert get_tunnel(server)["ended"] == reason
    wait_until(lambda: f"The tunnel is closed: {reason}" in "\n".join(server.log_lines))


def test_200_nobody_at_the_other_end_is_explained_in_words(serve: Serve, sshd: Sshd) -> None:
    server = serve(COMPANION_TUNNEL=format_own_machine_tunnel(sshd))
    wait_until(lambda: get_tunnel(server)["ended"], 30)
    assert get_tunnel(server)["ended"] == "127.0.0.1 doesn't answer"


def test_200_another_host_key_than_before_ends_the_tunnel(serve: Serve, sshd: Sshd) -> None:
    sshd.admit(own_key(sshd))
    sshd.start()
    server = serve(COMPANION_TUNNEL=format_own_machine_tunnel(sshd))
    wait_for_origin(server)
    known = Path(os.environ["XDG_DATA_HOME"]) / "companion" / "ssh" / "known_hosts"
    assert f"[127.0.0.1]:{sshd.port} " in known.read_text()
    sshd.stop()
    sshd.make_host_key()
    sshd.start()
    wait_until(lambda: get_tunnel(server)["ended"], 30)
    assert "has another key than before" in get_tunnel(server)["ended"]


def test_200_a_public_service_gets_a_key_of_our_own(
    sshd: Sshd, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The key isn't one from the operator's ssh agent, so it doesn't identify the operator."""
    folder = Path(os.environ["XDG_DATA_HOME"]) / "companion" / "ssh"
    here = own_service(sshd.port)
    monkeypatch.setitem(ssh.SERVICES, "serveo", here)
    ssh.command(here, 1)
    key = folder / "key"
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    sshd.admit(key, TELLS_ADDRESS.format(port=sshd.port, name=NAME))
    sshd.start()
    address = PublicAddress()
    tunnel = Tunnel(Settings(tunnel="ssh:serveo"), 1, address)
    try:
        wait_until(lambda: address.origin or address.ended, 30)
        assert address.origin is not None, address.ended
    finally:
        tunnel.close()
    log = (sshd.folder / "log").read_text()
    assert log.count("Accepted publickey") == 1
    assert "Failed publickey" not in log


@pytest.mark.parametrize(
    ("service", "output", "address"),
    [
        (
            "localhost.run",
            "Welcome, see https://localhost.run/docs\n"
            "1a2b3c.lhr.life tunneled with tls termination, https://1a2b3c.lhr.life\n",
            "https://1a2b3c.lhr.life",
        ),
        (
            "pinggy",
            "Upgrade at https://dashboard.pinggy.io\nhttp://rnab-198-51-100-7.a.free.pinggy.link\n"
            "https://rnab-198-51-100-7.a.free.pinggy.link\n",
            "https://rnab-198-51-100-7.a.free.pinggy.link",
        ),
        (
            "serveo",
            "Forwarding HTTP traffic from https://1a2b.serveousercontent.com\n",
            "https://1a2b.serveousercontent.com",
        ),
    ],
)
def test_the_address_of_a_public_service_is_found_in_its_output(
    service: str, output: str, address: str
) -> None:
    match = re.search(ssh.SERVICES[service].address_pattern, output)
    assert match and match[0] == address


@pytest.mark.parametrize(
    "tunnel",
    ["ssh:nobody-knows", "ssh:-oProxyCommand=x@host", "ssh:a@-oProxyCommand=x", "ssh:a@b:0"],
)
def test_a_machine_that_ssh_could_take_for_an_option_is_refused(tunnel: str) -> None:
    with pytest.raises(ValueError, match="write ssh"):
        ssh.find_service(tunnel)
