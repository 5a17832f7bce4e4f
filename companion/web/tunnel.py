"""A way in from the internet: a tunnel's program, started and ended with the server.

Its output says at which https address it answers. It speaks to us from this very machine, which
is why nobody else's word about a caller counts. This module must not know what is served.
"""

import re
import shlex
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path

import click
import segno
from msgspec import Struct

from companion.settings import Settings, handed_on
from companion.terminal import Failure, say
from companion.web.address import Way, near

KNOWN = {
    "cloudflared": "cloudflared tunnel --no-autoupdate --url {url}",
    "tailscale": "tailscale funnel {url}",
    "ngrok": "ngrok http {url} --log stdout --log-format logfmt",
}
"""How each is told to lead to an address."""

ANSWERS_AT = {
    "cloudflared": r"https://[\w.-]+\.trycloudflare\.com",
    "tailscale": r"https://[\w.-]+\.ts\.net",
    "ngrok": r"(?<=url=)https://[\w.-]+",
}
"""What of its output is the address: they name other pages, too."""

FOUND_AT = {
    "cloudflared": "https://developers.cloudflare.com/cloudflare-one/connections/connect-networks/downloads",
    "tailscale": "https://tailscale.com/download",
    "ngrok": "https://ngrok.com/download",
}

TOLD_IN = {
    "cloudflared": ("CLOUDFLARED_", "TUNNEL_"),
    "tailscale": ("TAILSCALE_", "TS_"),
    "ngrok": ("NGROK_",),
}
"""The variables by which each is told what to do: all that begin so."""

MOST_OUTPUT = 100_000
"""Bytes in which the address must have been said."""

PATIENCE = 1
"""For so many seconds it is waited for the end of a program that is to end."""


class Absent(Exception):
    """The tunnel's program isn't there; says how to get it."""


class Told(Struct, frozen=True):
    """What the tunnel's keeper wants to hear: it answers here, or is at its end."""

    opened: Callable[[str], None]
    ended: Callable[[str], None]


def command(tunnel: str, url: str) -> list[str]:
    """What is to be run so that it leads to ``url``; raises ``Absent``, or ValueError."""
    words = shlex.split(KNOWN.get(tunnel, tunnel))
    if "{url}" not in " ".join(words):
        raise ValueError(f"{tunnel}: write {', '.join(KNOWN)} or a command with {{url}} in it")
    if shutil.which(words[0]) is None:
        where = FOUND_AT.get(words[0])
        raise Absent(f"{words[0]} is not installed" + (f": get it at {where}" if where else ""))
    return [word.replace("{url}", url) for word in words]


def its_own(program: str) -> tuple[str, ...]:
    """How the variables begin that are this program's: by its name, if we know no better."""
    name = Path(program).stem
    return TOLD_IN.get(name) or (re.sub(r"\W", "_", name.upper()) + "_",)


class Tunnel:
    """The program while it runs."""

    def __init__(self, tunnel: str, url: str, told: Told) -> None:
        self._pattern = re.compile(ANSWERS_AT.get(tunnel, r"https://[\w.-]+(?::\d+)?"))
        self._told, self._name, self._closing = told, tunnel.split()[0], False
        words = command(tunnel, url)
        # Not a pipe: reading a socket lets others have their turn.
        self._heard, said = socket.socketpair()
        with ExitStack() as undo, said:
            undo.push(self._heard)
            self._program = subprocess.Popen(
                words,
                env=handed_on(*its_own(words[0])),
                stdin=subprocess.DEVNULL,
                stdout=said.fileno(),
                stderr=said.fileno(),
            )
            undo.pop_all()
        threading.Thread(target=self._listen, name="tunnel", daemon=True).start()

    def close(self) -> None:
        """Ends the program, if it didn't by itself."""
        self._closing = True
        with suppress(OSError):
            self._program.terminate()
        with suppress(OSError):
            self._heard.shutdown(socket.SHUT_RDWR)
        self._heard.close()
        with suppress(subprocess.TimeoutExpired):
            self._program.wait(PATIENCE)

    def _listen(self) -> None:
        output, origin = "", None
        while data := self._read():
            if origin is None and len(output) < MOST_OUTPUT:
                output += data.decode(errors="replace")
                if found := self._pattern.search(output[: output.rfind("\n") + 1]):
                    origin = found[0]
                    self._told.opened(origin)
        if not self._closing:
            last = output.strip().rpartition("\n")[2] if origin is None else ""
            self._told.ended(f"{self._name} has ended{': ' if last else ''}{last[:200]}")

    def _read(self) -> bytes:
        try:
            return self._heard.recv(4096)
        except OSError:
            return b""


def check(tunnel: str) -> None:
    """Says in a sentence why a tunnel can't be opened, before anything is."""
    try:
        if tunnel:
            command(tunnel, "")
    except Absent as absent:
        raise Failure(str(absent)) from absent
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--tunnel") from error


def dug(settings: Settings, port: int, way: Way) -> Tunnel:
    """The tunnel of the settings to the server at this port; ``way`` is kept up to date."""
    return Tunnel(settings.tunnel, near(settings.host, port), _shown(way))


def _shown(way: Way) -> Told:
    """What becomes of the tunnel is said in the terminal, and known to the pages."""

    def opened(origin: str) -> None:
        way.origin, way.ended = origin, None
        say(f"Friends come to {origin}", err=True)
        if sys.stderr.isatty():
            segno.make(origin, micro=False).terminal(sys.stderr, compact=True)

    def ended(why: str) -> None:
        way.origin, way.ended = None, why
        say(f"The tunnel is closed: {why}", err=True)

    return Told(opened, ended)
