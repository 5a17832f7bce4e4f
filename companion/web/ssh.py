"""Reverse forwarding by ``ssh``, which comes with macOS, Windows and Linux.

A public service, or the operator's own machine, opens an address on the internet and forwards its
connections to this server. Nothing has to be installed, and the services here need no account.

``ssh`` runs with its own known hosts and, at a public service, with a key of its own. So the
service doesn't learn the operator's key, nor can a setting in ``~/.ssh/config`` change what runs.
"""

import os
import re
import shutil
import subprocess
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import platformdirs

ADDRESS = r"https?://[\w.-]+(?::\d+)?"


class Service(NamedTuple):
    """A service, or a machine, that forwards connections by ssh."""

    host: str
    user: str
    port: int
    # the port to request from the service: 80 stands for https at the public services, 0 for any
    # free port
    remote_port: int
    address_pattern: str  # matches the public address in the output, but no other address
    public: bool = True  # False for a machine of the operator's, where the operator's keys are used


SERVICES = {
    # "1a2b3c.lhr.life tunneled with tls termination, https://1a2b3c.lhr.life"
    "localhost.run": Service(
        "localhost.run", "nokey", 22, 80, r"(?<=tunneled with tls termination, )https://[\w.-]+"
    ),
    # "https://rnxyz-203-0-113-7.a.free.pinggy.link"; such a tunnel ends after an hour
    "pinggy": Service(
        "a.pinggy.io", "free", 443, 0, r"https://[\w.-]+\.pinggy(?:-free)?\.(?:link|online)"
    ),
    # "Forwarding HTTP traffic from https://1a2b3c.serveo.net"
    "serveo": Service(
        "serveo.net", "hiss", 22, 80, r"(?<=Forwarding HTTP traffic from )https://[\w.-]+"
    ),
}
"""The public services by name. Each prints the public address, has TLS, and needs no account."""

USUAL = "localhost.run"
_OWN = re.compile(r"(?P<user>\w[\w.-]*)@(?P<host>\w[\w.-]*)(?::(?P<port>\d{1,5}))?", re.ASCII)

ALLOCATED = re.compile(r"Allocated port (\d+) for remote forward")
"""Matches the line in which ssh prints the port that the other machine has opened. ssh prints this
line only if it requested port 0, which stands for any free port."""


class Reason(NamedTuple):
    """A reason why a connection ended, found in the output of ssh."""

    code: str
    pattern: str
    words: str  # {host} stands for the service
    final: bool = False  # True if trying again would not help


REASONS = (
    Reason(
        "host-key",
        r"REMOTE HOST IDENTIFICATION HAS CHANGED|Host key verification failed",
        "{host} has another key than before, so somebody may be in between",
        final=True,
    ),
    Reason(
        "login",
        r"Permission denied|Too many authentication failures|no more authentication methods",
        "{host} refused the login",
        final=True,
    ),
    Reason(
        "forwarding",
        r"remote port forwarding failed|administratively prohibited|forwarding (?:is )?disabled",
        "{host} refused to open a way in",
    ),
    Reason(
        "unknown-host",
        r"Could not resolve hostname|Name or service not known|No such host is known",
        "{host} isn't found: this machine may be offline",
    ),
    Reason(
        "unreachable",
        r"Connection refused|[Cc]onnection timed out|Operation timed out|No route to host"
        r"|Network is unreachable|kex_exchange_identification",
        "{host} doesn't answer",
    ),
)
BROKEN = Reason("broken", "", "the connection to {host} broke")


def find_service(tunnel: str) -> Service | None:
    """Return the service that the setting names, or None if the setting isn't about ssh.

    Raise ``ValueError`` if it names no service and no machine.
    """
    program, _, name = tunnel.partition(":")
    if program != "ssh":
        return None
    if service := SERVICES.get(name or USUAL):
        return service
    machine = _OWN.fullmatch(name)
    port = int(machine["port"] or 22) if machine else 0
    if machine is None or not 0 < port < 65536:
        names = ", ".join(f"ssh:{known}" for known in SERVICES)
        raise ValueError(f"{tunnel}: write ssh, {names}, or ssh:user@host for your own machine")
    return Service(machine["host"], machine["user"], port, 0, ADDRESS, public=False)


def command(service: Service, port: int, folder: Path | None = None) -> list[str]:
    """Return the command that forwards connections from the service to this port.

    ``folder`` has the known hosts and the key; by default it is in the user's data folder.
    """
    folder = folder or platformdirs.user_data_path("companion") / "ssh"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    known = f'"{(folder / "known_hosts").as_posix()}"'
    options = {
        # The first connection stores the service's key. Later connections refuse any other key.
        "StrictHostKeyChecking": "accept-new",
        "UserKnownHostsFile": known if service.public else f"{known} ~/.ssh/known_hosts",
        "HashKnownHosts": "no",
        "UpdateHostKeys": "no",
        "ExitOnForwardFailure": "yes",
        "ServerAliveInterval": "15",
        "ServerAliveCountMax": "3",
        "ConnectTimeout": "15",
        "PasswordAuthentication": "no",
        "ControlPath": "none",
        "ForwardAgent": "no",
        "LogLevel": "INFO",
    }
    if service.public:
        options["IdentitiesOnly"] = "yes"
        key = _own_key(folder)
        options["IdentityFile"] = f'"{key.as_posix()}"' if key else "none"
    words = ["ssh", "-T", *(["-F", "none"] if service.public else [])]
    for name, value in options.items():
        words += ["-o", f"{name}={value}"]
    # On the operator's own machine, request a listener on all interfaces. The settings of that
    # machine may allow only the local interface.
    where = "" if service.public else "*:"
    words += ["-R", f"{where}{service.remote_port}:127.0.0.1:{port}"]
    return [*words, "-p", str(service.port), "-l", service.user, "--", service.host]


def _own_key(folder: Path) -> Path | None:
    """Return the key for public services. Create it at the first call.

    Return None if it can't be created; a service may let callers in without a key.
    """
    key = folder / "key"
    if key.exists() or shutil.which("ssh-keygen") is None:
        return key if key.exists() else None
    with suppress(OSError, subprocess.SubprocessError), TemporaryDirectory(dir=folder) as new:
        made = Path(new) / "key"
        subprocess.run(
            ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "hiss", "-f", str(made)],
            check=True, timeout=30, stdin=subprocess.DEVNULL, capture_output=True,
        )  # fmt: skip
        made.with_suffix(".pub").unlink(missing_ok=True)
        os.replace(made, key)
    return key if key.exists() else None


def find_reason(output: str, host: str) -> tuple[Reason, str]:
    """Return the reason why a connection ended, and a sentence about it."""
    reason = next((known for known in REASONS if re.search(known.pattern, output)), BROKEN)
    return reason, reason.words.format(host=host)
