"""A TCP proxy that simulates a bad network.

- ``delay``: seconds added in each direction
- ``stall()``: hold all data back; new connections hang
- ``lose()``: drop all data silently
- ``cut_next_chunk()``: forward half of the next chunk, then close its connection
- ``reset()``: reset all connections
- ``forget()``: let the current connections die so that only the server notices
- ``refuse()``: reset all connections, and refuse new ones
- ``mend()``: forward everything again; connections that have lost data are reset
- ``hold()``: let new connections wait until ``set_target()`` gives them a target
- ``upgrades``: what happens to a WebSocket handshake: "pass", "refuse" or "swallow"
- ``prefix``: the path under which the proxy serves; removed from each request and sent in
  ``X-Forwarded-Prefix``
"""

import re
import socket
import struct
import threading
import time
from contextlib import suppress
from typing import Any

REFUSAL = b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
RESET = struct.pack("ii", 1, 0)


class Pipe:
    """One connection through the proxy."""

    def __init__(self, proxy: "Proxy", near: socket.socket) -> None:
        self.proxy = proxy
        self.near = near
        self.far: socket.socket | None = None
        self.has_lost_data = self.dead = False
        threading.Thread(target=self._open, daemon=True).start()

    def _open(self) -> None:
        self.proxy.passing.wait()
        self.proxy.there.wait()
        if self.proxy.closed:
            return
        try:
            self.far = socket.create_connection(("127.0.0.1", self.proxy.target))
        except OSError:
            self.reset()
            return
        self.far.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if self.proxy.closed:  # the proxy was closed while this connection was being opened
            self.reset()
            return
        for ends in ((self.near, self.far), (self.far, self.near)):
            threading.Thread(target=self._copy, args=ends, daemon=True).start()

    def _copy(self, source: socket.socket, target: socket.socket) -> None:
        waiting: list[tuple[float, bytes]] = []
        news = threading.Condition()

        def forward() -> None:
            while True:
                with news:
                    news.wait_for(lambda: waiting)
                    due, data = waiting.pop(0)
                time.sleep(max(0, due - time.monotonic()))
                if not self._forward(target, data):
                    return

        threading.Thread(target=forward, daemon=True).start()
        data = b"-"
        while data:
            try:
                data = source.recv(65536)
            except OSError:
                data = b""
            with news:
                waiting.append((time.monotonic() + self.proxy.delay, data))
                news.notify()

    def _forward(self, target: socket.socket, data: bytes) -> bool:
        """Forward or drop the data. Returns True if more data may follow."""
        if self.proxy.losing or self.dead:
            self.has_lost_data = True
            return True
        self.proxy.passing.wait()
        try:
            if target is self.far and data:
                if self.proxy.upgrades != "pass" and b"\r\nUpgrade: websocket" in data:
                    self.proxy.handshakes += 1
                    if self.proxy.upgrades == "refuse":
                        self.near.sendall(REFUSAL)
                        self.near.shutdown(socket.SHUT_WR)
                    return True
                data = self.proxy.rewrite_head(data)
            if self.proxy.halving and data:
                target.sendall(data[: len(data) // 2])
                data = b""
            if data:
                target.sendall(data)
                return True
            target.shutdown(socket.SHUT_WR)
        except OSError:
            pass
        self.proxy.halving and self.reset()
        return False

    def reset(self) -> None:
        for end in (self.near, self.far):
            if end is not None:
                try:
                    end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
                    end.shutdown(socket.SHUT_RD)
                except OSError:
                    pass
                end.close()


class Proxy:
    """A proxy on a port of its own that forwards to ``target``."""

    def __init__(self, target: int) -> None:
        self.target = target
        self.delay = 0.0
        self.upgrades = "pass"
        self.handshakes = 0
        self.prefix = ""
        self.losing = self.halving = self.refusing = self.closed = False
        self.passing = threading.Event()
        self.there = threading.Event()
        self.passing.set()
        self.there.set()
        self.pipes: list[Pipe] = []
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=100)
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def _accept(self) -> None:
        while not self.closed:
            try:
                near, _ = self._listener.accept()
            except OSError:
                return
            if self.closed:
                near.close()
                return
            near.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            pipe: Any = Pipe(self, near)
            self.pipes.append(pipe)
            # close() may have closed the other pipes before this one was in the list.
            if self.refusing or self.closed:
                pipe.reset()

    def rewrite_head(self, data: bytes) -> bytes:
        """Move the proxy's prefix from the request's path into a header. Returns the request."""
        prefix = self.prefix.encode()
        if not prefix:
            return data
        head = rb"\1 /\2 HTTP/1.1\r\nX-Forwarded-Prefix: " + prefix + rb"\r\n"
        return re.sub(rb"^(GET|POST|HEAD) " + prefix + rb"/(\S*) HTTP/1\.1\r\n", head, data)

    def stall(self) -> None:
        self.passing.clear()

    def hold(self) -> None:
        self.there.clear()

    def set_target(self, target: int) -> None:
        """Connect all waiting and new connections to this port."""
        self.target = target
        self.there.set()

    def lose(self) -> None:
        self.losing = True

    def cut_next_chunk(self) -> None:
        self.halving = True

    def forget(self) -> None:
        for pipe in self.pipes:
            pipe.dead = True
            if pipe.far is not None:
                with suppress(OSError):
                    pipe.far.shutdown(socket.SHUT_RDWR)

    def reset(self) -> None:
        for pipe in self.pipes:
            pipe.reset()
        self.pipes.clear()

    def refuse(self) -> None:
        self.refusing = True
        self.reset()

    def mend(self) -> None:
        self.losing = self.halving = self.refusing = False
        for pipe in [pipe for pipe in self.pipes if pipe.has_lost_data and not pipe.dead]:
            pipe.reset()
        self.passing.set()

    def close(self) -> None:
        self.closed = True
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self.reset()
        self.passing.set()
        self.there.set()
