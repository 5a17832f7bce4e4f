"""A temporary OpenSSH server, for tests of reverse forwarding.

It listens on a free port of this machine and admits the current user with one key. Its forwarding,
its output and its host key can be changed between two starts.
"""

import getpass
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from socket import create_connection

import psutil

from companion.robots.demo import free_port
from companion.web import ssh
from tests.support.paths import ROOT
from tests.support.servers.server import wait_until

USER = getpass.getuser()


def find_sshd() -> str:
    """Return the path of sshd. Fails with a hint if OpenSSH isn't installed."""
    found = shutil.which("sshd", path=f"{os.environ['PATH']}:/usr/sbin:/usr/local/sbin")
    assert found and shutil.which("ssh"), (
        "No OpenSSH: install openssh-server and openssh-client, or leave its tests out with"
        " --no-ssh."
    )
    return found


class Sshd:
    """An OpenSSH server that tests can stop, start again and change."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = free_port()
        self.keys: list[str] = []  # public keys that are admitted
        self.options: dict[str, str] = {}
        self.make_host_key()
        if os.geteuid() == 0:
            Path("/run/sshd").mkdir(exist_ok=True)  # sshd needs it if root starts it

    def make_host_key(self) -> None:
        """Create the server's key, or replace it with another one."""
        make_key(self.folder / "host_key")

    def admit(self, key: Path, output_of: str = "") -> None:
        """Admit a private key. Its sessions run the Python code ``output_of``, or else a shell."""
        public = subprocess.check_output(["ssh-keygen", "-y", "-f", str(key)], text=True)
        forced = ""
        if output_of:
            program = self.folder / f"session-{len(self.keys)}.py"
            program.write_text(output_of)
            forced = f'command="cd {ROOT} && exec {sys.executable} {program}" '
        self.keys.append(forced + public)

    def start(self) -> None:
        keys = self.folder / "authorized_keys"
        keys.write_text("".join(self.keys))
        settings = {
            "Port": str(self.port),
            "ListenAddress": "127.0.0.1",
            "HostKey": str(self.folder / "host_key"),
            "AuthorizedKeysFile": str(keys),
            "PidFile": "none",
            "StrictModes": "no",
            "UsePAM": "no",
            "PermitRootLogin": "prohibit-password",
            "PasswordAuthentication": "no",
            "KbdInteractiveAuthentication": "no",
            "PrintMotd": "no",
            "PrintLastLog": "no",
            **self.options,
        }
        config = self.folder / "sshd_config"
        config.write_text("".join(f"{name} {value}\n" for name, value in settings.items()))
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [find_sshd(), "-D", "-e", "-f", str(config)],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log,
            )  # fmt: skip
        wait_until(self._is_answering, 20)

    def _is_answering(self) -> bool:
        assert self._process.poll() is None, (self.folder / "log").read_text()
        try:
            create_connection(("127.0.0.1", self.port), 1).close()
        except OSError:
            return False
        return True

    def stop(self) -> None:
        """Stop the server and break all its connections."""
        self.break_connections()
        self._process.terminate()
        self._process.wait()

    def break_connections(self) -> None:
        """End the processes of all sessions, as a restart of that machine would."""
        for child in psutil.Process(self._process.pid).children(recursive=True):
            try:
                child.kill()
            except psutil.NoSuchProcess:
                continue


def make_key(path: Path) -> Path:
    """Create a private key. Replaces an existing one."""
    path.unlink(missing_ok=True)
    command = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(path)]
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL)
    return path


@contextmanager
def agent(folder: Path, key: Path) -> Iterator[str]:
    """Run an ssh agent that has this key. Yields its socket, for ``SSH_AUTH_SOCK``."""
    socket = folder / "agent"
    command = ["ssh-agent", "-D", "-a", str(socket)]
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    try:
        wait_until(socket.exists)
        add = {**os.environ, "SSH_AUTH_SOCK": str(socket)}
        subprocess.run(["ssh-add", "-q", str(key)], env=add, check=True)
        yield str(socket)
    finally:
        process.terminate()
        process.wait()


TELLS_ADDRESS = """
import sys, time
import psutil

def ports():
    for process in psutil.Process().parents():
        if process.name().startswith("sshd"):
            for found in process.net_connections():
                if found.status == psutil.CONN_LISTEN and found.laddr.port != {port}:
                    yield found.laddr.port

while not (found := set(ports())):
    time.sleep(0.05)
print("\\x1b[32mForwarding HTTP traffic from http://{name}:%d\\x1b[0m" % found.pop(), flush=True)
sys.stdin.read()
"""
"""A session that prints the address that the server has opened, as public services do."""


@contextmanager
def running_sshd(folder: Path) -> Iterator[Sshd]:
    server = Sshd(folder)
    try:
        yield server
    finally:
        process = getattr(server, "_process", None)
        if process is not None and process.poll() is None:
            server.stop()


def own_service(port: int) -> ssh.Service:
    """Return a service that is an OpenSSH server on this machine, and prints its address."""
    pattern = r"(?<=Forwarding HTTP traffic from )http://[\w.-]+:\d+"
    return ssh.Service("127.0.0.1", USER, port, 0, pattern)
