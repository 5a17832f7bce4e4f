"""Tests for the proxies' files in ``deploy/`` with a real server, if the proxy is installed."""

import json
import shutil
import ssl
import subprocess
from collections.abc import Callable
from http.client import HTTPConnection, HTTPSConnection
from pathlib import Path
from typing import Any

import pytest
import websocket

from companion.robots.demo import free_port
from tests.support.paths import ROOT
from tests.support.servers.server import RealServer, wait_until

DEPLOY = ROOT / "deploy"
NAME = "hiss.example.org"
JSON = {"Content-Type": "application/json", "Host": NAME}

pytestmark = pytest.mark.slow

Serve = Callable[..., RealServer]


def skip_without(program: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(not shutil.which(program), reason=f"no {program} on the PATH")


def make_answer_check(connection: HTTPConnection) -> Callable[[], bool]:
    """Return a function that checks whether the panel answers through the proxy."""

    def is_answered() -> bool:
        try:
            connection.request("GET", "/healthz", headers=JSON)
            return connection.getresponse().read() == b'{"ok":true}'
        except OSError:
            connection.close()
            return False

    return is_answered


def check_play(connection: HTTPConnection, socket: str, secure: bool) -> None:
    """Create a table through the proxy, check its public address and connect a seat."""
    connection.request("POST", "/api/tables", b'{"name": "Ana"}', JSON)
    answer = connection.getresponse()
    credentials = json.loads(answer.read())
    assert answer.status == 201
    assert ("Secure" in str(answer.headers["Set-Cookie"])) == secure
    connection.request("GET", "/api/address", headers=JSON)
    assert NAME in json.loads(connection.getresponse().read())["origin"]
    websocket_client = websocket.create_connection(
        f"{socket}/socket.io/?EIO=4&transport=websocket", host=NAME, timeout=20,
        origin=f"http{'s' * secure}://{NAME}", sslopt={"cert_reqs": ssl.CERT_NONE},
    )  # fmt: skip
    assert websocket_client.recv().startswith("0")
    websocket_client.send("40" + json.dumps({key: credentials[key] for key in ("table", "token")}))
    messages: list[Any] = []
    wait_until(
        lambda: (
            messages.append(websocket_client.recv()) or str(messages[-1]).startswith('42["view"')
        )
    )
    websocket_client.close()


@skip_without("nginx")
@skip_without("openssl")
def test_nginx_leads_to_the_panel(serve: Serve, tmp_path: Path) -> None:
    server = serve(COMPANION_TRUST_PROXY="1")
    plain = free_port()
    secure = free_port()
    key = tmp_path / "key.pem"
    certificate = tmp_path / "cert.pem"
    openssl = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", f"/CN={NAME}"]
    subprocess.run([*openssl, "-keyout", key, "-out", certificate], check=True, capture_output=True)
    text = (DEPLOY / "nginx.conf").read_text("utf-8")
    for old, new in {
        "127.0.0.1:8000": f"127.0.0.1:{server.port}",
        "listen 80;": f"listen 127.0.0.1:{plain};",
        "listen 443 ssl;": f"listen 127.0.0.1:{secure} ssl;",
        "/etc/letsencrypt/live/hiss.example.org/fullchain.pem": str(certificate),
        "/etc/letsencrypt/live/hiss.example.org/privkey.pem": str(key),
    }.items():
        assert old in text
        text = text.replace(old, new)
    (tmp_path / "panel.conf").write_text(text, "utf-8")
    (tmp_path / "nginx.conf").write_text(
        f"daemon off; pid {tmp_path}/pid; error_log {tmp_path}/log; events {{}}\n"
        f"http {{ access_log off; include {tmp_path}/panel.conf; }}\n", "utf-8"
    )  # fmt: skip
    command = ["nginx", "-p", str(tmp_path), "-c", str(tmp_path / "nginx.conf")]
    with subprocess.Popen(command) as running:
        try:
            context = ssl._create_unverified_context()
            connection = HTTPSConnection("127.0.0.1", secure, timeout=20, context=context)
            wait_until(make_answer_check(connection))
            check_play(connection, f"wss://127.0.0.1:{secure}", secure=True)
            connection.close()
            insecure = HTTPConnection("127.0.0.1", plain, timeout=20)
            insecure.request("GET", "/t/KXQF7H", headers=JSON)
            redirect = insecure.getresponse()
            assert (redirect.status, redirect.headers["Location"]) == (
                301,
                f"https://{NAME}/t/KXQF7H",
            )
            insecure.close()
        finally:
            running.terminate()


@skip_without("caddy")
def test_caddy_leads_to_the_panel(serve: Serve, tmp_path: Path) -> None:
    """The site has no TLS, because Caddy would request a certificate from the internet."""
    server = serve(COMPANION_TRUST_PROXY="1")
    port = free_port()
    variables = {"SITE": f"http://{NAME}:{port}", "COMPANION_PORT": str(server.port)}
    variables |= {"HOME": str(tmp_path), "CADDY_ADMIN": f"127.0.0.1:{free_port()}"}
    command = ["caddy", "run", "--adapter", "caddyfile", "--config", str(DEPLOY / "Caddyfile.one")]
    with subprocess.Popen(
        command, env=variables, cwd=tmp_path, stderr=subprocess.DEVNULL
    ) as running:
        try:
            connection = HTTPConnection("127.0.0.1", port, timeout=20)
            wait_until(make_answer_check(connection))
            check_play(connection, f"ws://127.0.0.1:{port}", secure=False)
            connection.close()
        finally:
            running.terminate()
