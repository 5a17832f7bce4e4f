"""python-engineio's sockets, beneath Socket.IO: how much each may send, who is given up.

Whatever arrives is counted, also what is no event: pongs, connects, junk. A sweep finds
the dead, those who don't read, and those who never say which table they want. This module
must not know what is sent.
"""

import re
import time
from collections.abc import Callable
from hmac import compare_digest
from secrets import token_urlsafe
from typing import Any
from urllib.parse import parse_qs

import engineio

from companion.adapters import Places
from companion.adapters.lines import Line

KEEP = "companion.keep"
"""In a request's environ: what keeps its connection a place; takes whether it has a seat."""

WAITED = "companion.waited"
"""In a request's environ: what tells for how many ms it has been waiting for its answer."""

Allows = Callable[[], bool]
"""Counts one packet; says whether it is not too many."""

SWEEP_SECONDS = 0.5

CONNECT_SECONDS = 10
"""After this a socket that has no seat and watches no table is closed."""

COOKIE = "companion_line"
_COOKIE = re.compile(rf"(?:^|; *){COOKIE}=([\w-]{{32}})(?:;|$)")

BACKLOG = 256
"""How many packets may wait for a client that doesn't read."""


class Engine(engineio.Server):  # type: ignore[misc]
    """Closes the sockets that send too much, read too little or say nothing."""

    meter: Callable[[], Allows] | None = None
    """Makes what counts one socket's packets."""

    places: Places
    """How many sockets at once; who says nothing gives way to a newcomer, as its connection."""

    whose: Callable[[Any], str] = staticmethod(lambda environ: environ.get("REMOTE_ADDR", ""))
    """Who asks, as far as their address tells."""

    now: Callable[[], int] = staticmethod(lambda: round(time.time() * 1000))
    """The time, in ms."""

    full = False
    """Nobody new is taken on: this process ends soon."""

    welcome: Callable[[str], bool]
    """Whether somebody was let in over this socket."""

    hears: Callable[[Line, str], bool] = staticmethod(lambda line, said: False)
    """Takes a message the short way, if it can."""

    def _trigger_event(self, event: str, *args: Any, run_async: bool = False) -> Any:
        if event == "connect":
            socket = self.sockets[args[0]]
            socket.__class__ = Line  # the library makes its own and takes no class
            socket.place = self.places.take(lambda: socket.close(wait=False, abort=True))
            if socket.place is None:
                return False
            socket.born = time.monotonic()
            socket.asked = self.now() - args[1].get(WAITED, int)()
            if self.meter is not None:
                socket.allows = self.meter()
            self._know(socket, args[1])
        elif event == "disconnect":
            socket = self.sockets[args[0]]
            self.places.leave(socket.place)
            socket.place = None
        return super()._trigger_event(event, *args, run_async=run_async)

    # A polling client names its session in addresses, which proxies write down: the name alone
    # is not enough. A cookie says who it is; a client that keeps none has its address.

    def _know(self, socket: Any, environ: Any) -> None:
        """Keeps by what its client will be known."""
        said = _COOKIE.search(environ.get("HTTP_COOKIE", ""))
        socket.keeps = True if said else None
        socket.secret = said[1] if said else token_urlsafe(24)
        socket.whose = self.whose(environ)
        environ["companion.secret"] = socket.secret
        socket.seated, socket.keep = None, environ.get(KEEP) if "HTTP_UPGRADE" in environ else None

    def _is_its_client(self, socket: Any, environ: Any) -> bool:
        """Whether it is known; the first request after the handshake shows if it keeps cookies."""
        said = _COOKIE.search(environ.get("HTTP_COOKIE", ""))
        same = said is not None and compare_digest(said[1], socket.secret)
        if socket.keeps is None:
            socket.keeps = same
        return same or (not socket.keeps and self.whose(environ) == socket.whose)

    def handle_request(self, environ: Any, start_response: Any) -> Any:
        """Answers one request, unless it speaks for a session that is somebody else's."""
        sid = parse_qs(environ.get("QUERY_STRING", "")).get("sid", [""])[0]
        socket = self.sockets.get(sid)
        if self.full and not sid:
            start_response("503 Service Unavailable", [("Connection", "close")])
            return []
        if socket is None or self._is_its_client(socket, environ):
            if "HTTP_UPGRADE" in environ and getattr(socket, "seated", None) is not None:
                environ.get(KEEP, bool)(socket.seated)
            return super().handle_request(environ, start_response)
        refused = self._bad_request(f"Invalid session {sid}")
        start_response(refused["status"], refused["headers"])
        return [refused["response"]]

    def _handle_connect(self, environ: Any, *args: Any) -> Any:
        answer = super()._handle_connect(environ, *args)
        if isinstance(answer, dict) and "companion.secret" in environ:
            secure = "; Secure" if environ["wsgi.url_scheme"] == "https" else ""
            path = environ.get("SCRIPT_NAME", "") + "/"
            cookie = f"{COOKIE}={environ['companion.secret']}; Path={path}; HttpOnly; SameSite=Lax"
            answer["headers"].append(("Set-Cookie", cookie + secure))
        return answer

    def keep(self, sid: str, seated: bool) -> None:
        """Whoever was let in over this socket keeps his connection's place."""
        socket = self.sockets.get(sid)
        if socket is not None:
            socket.seated = seated
            self.places.keep(socket.place, seated=seated)
            if socket.keep is not None:
                socket.keep(seated)

    def disconnect(self, sid: str | None = None) -> None:
        """Closes one socket; unlike the library's it waits for nobody to read the rest."""
        socket = self.sockets.get(sid)
        if socket is not None:
            socket.close(wait=False, reason=self.reason.SERVER_DISCONNECT)

    @property
    def anybody(self) -> bool:
        """Whether a socket is open."""
        return not all(socket.closed for socket in list(self.sockets.values()))

    def end_polling(self) -> None:
        """Closes the sockets of those who poll, once what waits for them has been fetched."""
        for socket in list(self.sockets.values()):
            if not socket.upgraded:
                socket.close(wait=False, abort=True)

    def measure(self, sid: str, heard: Callable[[int], None]) -> None:
        """Tells the socket's round trip in ms from now on: from each ping to its answer.

        When a ping went out is told by the clock of ``steady``.
        """
        socket = self.sockets.get(sid)
        if socket is not None:
            socket.measured, socket.heard = time.monotonic(), heard

    def _service_task(self) -> None:
        """In place of the library's, which takes up to 17 s to notice a dead connection."""
        self.service_task_event = self.create_event()
        while not self.service_task_event.wait(timeout=SWEEP_SECONDS):
            for sid, socket in list(self.sockets.items()):
                if socket.closed:
                    self.sockets.pop(sid, None)
                elif self._hopeless(sid, socket):
                    socket.close(wait=False, abort=True)
                elif not socket.closing:
                    socket.check_ping_timeout()

    def _hopeless(self, sid: str, socket: Any) -> bool:
        late = time.monotonic() - socket.born > CONNECT_SECONDS
        return socket.queue.qsize() > BACKLOG or (late and not self.welcome(sid))
