"""A way in from the internet: a tunnel's program, whose output says at which https address it
answers. It speaks to us from this machine: so nobody else's word about a caller counts."""

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
from companion.terminal import Failure, say
from companion.web.address import PublicAddress, near


class Program(NamedTuple):
    """A program that digs tunnels. ``leads``: how it is told to lead to an address. ``answers_at``:
    what of its output is the address, since it names other pages, too. ``found_at``: where it is to
    be had. ``told_in``: how the variables begin by which it is told what to do."""

    leads: str
    answers_at: str
    found_at: str
    told_in: tuple[str, ...]


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
MOST_OUTPUT = 100_000  # bytes in which the address must have been said
PATIENCE = 1  # for so many seconds it is waited for the end of a program that is to end


def command(tunnel: str, url: str) -> list[str]:
    """What is to be run so that it leads to ``url``; raises ``Failure``, or ValueError."""
    words = shlex.split(KNOWN[tunnel].leads if tunnel in KNOWN else tunnel)
    if "{url}" not in " ".join(words):
        raise ValueError(f"{tunnel}: write {', '.join(KNOWN)} or a command with {{url}} in it")
    if shutil.which(words[0]) is None:
        where = f": get it at {KNOWN[words[0]].found_at}" if words[0] in KNOWN else ""
        raise Failure(f"{words[0]} is not installed{where}")
    return [word.replace("{url}", url) for word in words]


def _its_own(program: str) -> tuple[str, ...]:
    """How the variables begin that are this program's: by its name, if we know no better."""
    name = Path(program).stem
    return KNOWN[name].told_in if name in KNOWN else (re.sub(r"\W", "_", name.upper()) + "_",)


class Tunnel:
    """The program while it runs; what becomes of it is said in the terminal, and by ``way``."""

    def __init__(self, settings: Settings, port: int, way: PublicAddress) -> None:
        tunnel = settings.tunnel
        words = command(tunnel, near(settings.host, port))
        self._pattern = re.compile(KNOWN[tunnel].answers_at if tunnel in KNOWN else ANY_ADDRESS)
        self._way = way
        self._name = tunnel.split()[0]
        self._closing = False
        # Not a pipe: reading a socket lets others have their turn.
        self._heard, said = socket.socketpair()
        with ExitStack() as undo, said:
            undo.push(self._heard)
            try:
                self._program = subprocess.Popen(
                    words,
                    env=child_environment(*_its_own(words[0])),
                    stdin=subprocess.DEVNULL,
                    stdout=said.fileno(),
                    stderr=said.fileno(),
                )
            except OSError as error:
                raise Failure(f"{words[0]} can't be started: {error.strerror}") from error
            undo.pop_all()
        threading.Thread(target=self._listen, name="tunnel", daemon=True).start()

    def close(self) -> None:
        self._closing = True
        with suppress(OSError):
            self._program.terminate()
        with suppress(OSError):
            self._heard.shutdown(socket.SHUT_RDWR)
        self._heard.close()
        with suppress(subprocess.TimeoutExpired):
            self._program.wait(PATIENCE)

    def _listen(self) -> None:
        output = ""
        origin = None
        while data := self._receive():
            if origin is None and len(output) < MOST_OUTPUT:
                output += data.decode(errors="replace")
                if found := self._pattern.search(output[: output.rfind("\n") + 1]):
                    origin = self._way.origin = found[0]
                    self._way.ended = None
                    say(f"Friends come to {origin}", err=True)
                    if sys.stderr.isatty():
                        segno.make(origin, micro=False).terminal(sys.stderr, compact=True)
        if not self._closing:
            last = output.strip().rpartition("\n")[2] if origin is None else ""
            why = f"{self._name} has ended{': ' if last else ''}{last[:200]}"
            self._way.origin = None
            self._way.ended = why
            say(f"The tunnel is closed: {why}", err=True)

    def _receive(self) -> bytes:
        try:
            return self._heard.recv(4096)
        except OSError:
            return b""
