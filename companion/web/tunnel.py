"""A tunnel from the internet to this server: runs the tunnel program, and reads its public https
address from the program's output.

The tunnel program runs on this machine, and names the visitor's address in a header. Therefore the
request guards trust this header only in connections from this machine.
"""

import re
import shlex
import shutil
import socket
import subprocess
import sys
import threading
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import NamedTuple

import segno

from companion.settings import Settings, child_environment
from companion.terminal import Failure, print_line
from companion.web.address import PublicAddress, local_origin


class Program(NamedTuple):
    """A tunnel program."""

    command: str  # {url} stands for the address of this server
    address_pattern: str  # matches the public address in the output, but no other address
    download_page: str
    variables: tuple[str, ...]  # prefixes of the environment variables that configure the program


KNOWN = {
    "cloudflared": Program(
        "cloudflared tunnel --no-autoupdate --url {url}", r"https://[\w.-]+\.trycloudflare\.com",
        "https://developers.cloudflare.com/cloudflare-one/connections/connect-networks/downloads",
        ("CLOUDFLARED_", "TUNNEL_"),
    ),
    "tailscale": Program(
        "tailscale funnel {url}", r"https://[\w.-]+\.ts\.net", "https://tailscale.com/download",
        ("TAILSCALE_", "TS_"),
    ),
    "ngrok": Program(
        "ngrok http {url} --log stdout --log-format logfmt", r"(?<=url=)https://[\w.-]+",
        "https://ngrok.com/download", ("NGROK_",),
    ),
}  # fmt: skip

ANY_ADDRESS = r"https://[\w.-]+(?::\d+)?"
MOST_OUTPUT = 100_000  # number of characters of output that are searched for the public address
PATIENCE = 1  # seconds to wait for the program to end


def command(tunnel: str, url: str) -> list[str]:
    """Return the command that opens a tunnel to ``url``.

    Raise ``ValueError`` if the setting is wrong, or ``Failure`` if the program isn't installed.
    """
    words = shlex.split(KNOWN[tunnel].command if tunnel in KNOWN else tunnel)
    if "{url}" not in " ".join(words):
        raise ValueError(f"{tunnel}: write {', '.join(KNOWN)} or a command with {{url}} in it")
    if shutil.which(words[0]) is None:
        where = f": get it at {KNOWN[words[0]].download_page}" if words[0] in KNOWN else ""
        raise Failure(f"{words[0]} is not installed{where}")
    return [word.replace("{url}", url) for word in words]


def _variable_prefixes(program: str) -> tuple[str, ...]:
    """Return the prefixes of a program's environment variables, by default the program's name."""
    name = Path(program).stem
    return KNOWN[name].variables if name in KNOWN else (re.sub(r"\W", "_", name.upper()) + "_",)


class Tunnel:
    """A running tunnel program.

    When the program prints its address, and when it ends, this class updates ``public_address`` and
    prints a line.
    """

    def __init__(self, settings: Settings, port: int, public_address: PublicAddress) -> None:
        tunnel = settings.tunnel
        words = command(tunnel, local_origin(settings.host, port))
        pattern = KNOWN[tunnel].address_pattern if tunnel in KNOWN else ANY_ADDRESS
        self._pattern = re.compile(pattern)
        self._public_address = public_address
        self._name = tunnel.split()[0]
        self._closing = False
        # Not a pipe: with eventlet, only reading from a socket lets other threads run.
        self._output, output_end = socket.socketpair()
        with ExitStack() as undo, output_end:
            undo.push(self._output)
            try:
                self._program = subprocess.Popen(
                    words,
                    env=child_environment(*_variable_prefixes(words[0])),
                    stdin=subprocess.DEVNULL,
                    stdout=output_end.fileno(),
                    stderr=output_end.fileno(),
                )
            except OSError as error:
                raise Failure(f"{words[0]} can't be started: {error.strerror}") from error
            undo.pop_all()
        threading.Thread(target=self._read_output, name="tunnel", daemon=True).start()

    def close(self) -> None:
        self._closing = True
        with suppress(OSError):
            self._program.terminate()
        with suppress(OSError):
            self._output.shutdown(socket.SHUT_RDWR)
        self._output.close()
        with suppress(subprocess.TimeoutExpired):
            self._program.wait(PATIENCE)

    def _read_output(self) -> None:
        output = ""
        origin = None
        while data := self._receive():
            if origin is None and len(output) < MOST_OUTPUT:
                output += data.decode(errors="replace")
                if match := self._pattern.search(output[: output.rfind("\n") + 1]):
                    origin = self._public_address.origin = match[0]
                    self._public_address.ended = None
                    print_line(f"Friends can join at {origin}", err=True)
                    if sys.stderr.isatty():
                        segno.make(origin, micro=False).terminal(sys.stderr, compact=True)
        if not self._closing:
            last = output.strip().rpartition("\n")[2] if origin is None else ""
            why = f"{self._name} has ended{': ' if last else ''}{last[:200]}"
            self._public_address.origin = None
            self._public_address.ended = why
            print_line(f"The tunnel is closed: {why}", err=True)

    def _receive(self) -> bytes:
        try:
            return self._output.recv(4096)
        except OSError:
            return b""
