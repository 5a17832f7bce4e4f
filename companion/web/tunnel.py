"""A tunnel from the internet to this server: runs the tunnel program, and reads its public https
address from the program's output.

The tunnel program runs on this machine, so its connections come from this machine, although the
callers are on the internet. Therefore the tunnel leads to a listener of its own (``access``). Most
tunnel programs name the caller's address in a header. Only that listener trusts the header.
"""

import io
import os
import re
import shlex
import shutil
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import segno

from companion.adapters.child_process import ChildProcess
from companion.settings import Settings, child_environment
from companion.terminal import Failure, print_drawing, print_line
from companion.web import ssh
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

_ENDED = ssh.Reason("ended", "", "")
_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\r")  # colours and cursor movements in the output

ANY_ADDRESS = r"https://[\w.-]+(?::\d+)?"
MOST_OUTPUT = 100_000  # number of characters of output that are searched for the public address
PATIENCE = 1  # seconds to wait for the program to end
RETRY_SECONDS = 600  # a connection that was broken for this many seconds isn't opened again
LONGEST_PAUSE = 30  # longest pause between two attempts, in seconds
GRACE_SECONDS = 3  # seconds to wait for an address that the operator's machine may print


def command(tunnel: str, url: str) -> list[str]:
    """Return the command that opens a tunnel to ``url``.

    Raise ``ValueError`` if the setting is wrong, or ``Failure`` if the program isn't installed.
    """
    written = KNOWN[tunnel].command if tunnel in KNOWN else tunnel
    # On Windows, a backslash separates folders. Here it must not escape the next character.
    if os.sep == "\\":
        written = written.replace("\\", "\\\\")
    words = shlex.split(written)
    if "{url}" not in " ".join(words):
        raise ValueError(f"{tunnel}: write ssh, {', '.join(KNOWN)} or a command with {{url}} in it")
    _require_program(words[0])
    return [word.replace("{url}", url) for word in words]


def check(tunnel: str) -> None:
    """Raise ``ValueError`` if the setting is wrong, or ``Failure`` if its program is missing."""
    if ssh.find_service(tunnel):
        _require_program("ssh")
    else:
        command(tunnel, "")


def _require_program(name: str) -> None:
    if shutil.which(name) is None:
        where = f": get it at {KNOWN[name].download_page}" if name in KNOWN else ""
        raise Failure(f"{name} is not installed{where}")


def _variable_prefixes(program: str) -> tuple[str, ...]:
    """Return the prefixes of a program's environment variables, by default the program's name."""
    name = Path(program).stem
    return KNOWN[name].variables if name in KNOWN else (re.sub(r"\W", "_", name.upper()) + "_",)


class _Route(NamedTuple):
    """A tunnel's command, and the information that is needed to run it and read its output."""

    words: list[str]
    pattern: str  # matches the public address in the output
    variables: tuple[str, ...]  # names or prefixes of the program's environment variables
    service: ssh.Service | None = None  # the service or machine to which ssh connects


def _find_route(tunnel: str, port: int) -> _Route:
    service = ssh.find_service(tunnel)
    if service:
        _require_program("ssh")
        variables = () if service.public else ("SSH_AUTH_SOCK",)
        return _Route(ssh.command(service, port), service.address_pattern, variables, service)
    words = command(tunnel, local_origin("127.0.0.1", port))
    pattern = KNOWN[tunnel].address_pattern if tunnel in KNOWN else ANY_ADDRESS
    return _Route(words, pattern, _variable_prefixes(words[0]))


class Tunnel:
    """A running tunnel program.

    When the program prints its address, and when it ends, this class updates ``public_address`` and
    prints a line. If a connection of ssh breaks, ssh is started again.
    """

    def __init__(self, settings: Settings, port: int, public_address: PublicAddress) -> None:
        """``port`` is the port on this machine to which the tunnel leads."""
        self._route = _find_route(settings.tunnel, port)
        self._public_address = public_address
        self._name = settings.tunnel.split()[0]
        self._stopped = threading.Event()
        self._lock = threading.Lock()
        self._child: ChildProcess
        self._start()
        threading.Thread(target=self._run, name="tunnel", daemon=True).start()

    def _start(self) -> None:
        """Start the program. Raise ``Failure`` if it can't be started."""
        words = self._route.words
        is_ssh = self._route.service is not None
        try:
            self._child = ChildProcess(
                words,
                child_environment(*self._route.variables),
                # Keep the input of ssh open: if it ends, a shell on the other machine ends, too,
                # and with it the tunnel.
                stdin=subprocess.PIPE if is_ssh else subprocess.DEVNULL,
                stderr=subprocess.STDOUT,
                without_terminal=is_ssh,  # so that ssh can't ask for a password
            )
        except OSError as error:
            raise Failure(f"{words[0]} can't be started: {error.strerror}") from error

    def close(self) -> None:
        self._stopped.set()
        with self._lock:
            self._end_program()

    def _end_program(self) -> None:
        """End the program and free its sockets. Can be called twice."""
        with suppress(OSError):
            self._child.program.terminate()
        self._child.close()
        with suppress(subprocess.TimeoutExpired):
            self._child.program.wait(PATIENCE)

    def _run(self) -> None:
        """Read the program's output. Start ssh again when its connection has broken."""
        open_until = time.monotonic()  # the last time at which the tunnel was known to be open
        attempts = 0
        was_open = False
        while True:
            origin, output = self._read_output()
            if self._stopped.is_set():
                return
            if origin:
                was_open = True
                attempts = 0
                open_until = time.monotonic()
            reason, why = self._explain_end(output, is_open=origin is not None)
            hopeless = reason.final or time.monotonic() > open_until + RETRY_SECONDS
            if self._route.service is None or not was_open or hopeless:
                self._public_address.set_ended(why, reason.code)
                print_line(f"The tunnel is closed: {why}", err=True)
                return
            if origin:
                print_line(f"The way in is interrupted: {why}. Connecting again.", err=True)
            self._public_address.set_broken(reason.code)
            attempts += 1
            if self._stopped.wait(min(2 ** (attempts - 1), LONGEST_PAUSE)):
                return
            with self._lock:
                self._end_program()
                if self._stopped.is_set():
                    return
                try:
                    self._start()
                except Failure as failure:
                    self._public_address.set_ended(failure.message, "ended")
                    return

    def _explain_end(self, output: str, *, is_open: bool) -> tuple[ssh.Reason, str]:
        """Return the reason why the program has ended, and a sentence about it."""
        if self._route.service:
            return ssh.find_reason("" if is_open else output, self._route.service.host)
        last = "" if is_open else output.strip().rpartition("\n")[2]
        return _ENDED, f"{self._name} has ended{': ' if last else ''}{last[:200]}"

    def _read_output(self) -> tuple[str | None, str]:
        """Read what the program prints until it ends. Publish the address once it is printed.

        Return two values: the address, or None if none was printed, and the output that came before
        the address.
        """
        output = ""
        origin = None
        fallback = None  # the address to use if the program prints none
        while (
            data := self._child.receive(None if origin or not fallback else GRACE_SECONDS)
        ) != b"":
            output += _ESCAPES.sub("", (data or b"").decode(errors="replace"))
            lines = output[: output.rfind("\n") + 1]
            service = self._route.service
            if service and not service.public and (port := ssh.ALLOCATED.search(lines)):
                fallback = f"http://{service.host}:{port[1]}"
            if match := re.search(self._route.pattern, lines):
                origin = match[0]
                self._publish(origin)
            elif data is None:
                origin = fallback
                self._publish(fallback)
            if match or len(output) > MOST_OUTPUT:
                self._child.drop_output()
                break
        return origin, output

    def _publish(self, origin: str | None) -> None:
        if origin is None or self._stopped.is_set():
            return
        is_new = origin != self._last_origin
        self._last_origin = origin
        self._public_address.set_open(origin)
        print_line(f"Friends can join at {origin}", err=True)
        if is_new and sys.stderr.isatty():
            _print_qr_code(origin)

    _last_origin: str | None = None


def _print_qr_code(text: str) -> None:
    """Print a QR code to stderr, unless the terminal's encoding has no characters for it."""
    drawing = io.StringIO()
    segno.make(text, micro=False).terminal(drawing, compact=True)
    code = drawing.getvalue()
    with suppress(OSError, UnicodeError):
        code.encode(sys.stderr.encoding)
        print_drawing(code)
