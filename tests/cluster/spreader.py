"""A TCP proxy that distributes connections over several processes.

It runs an event loop in its own thread. Connections to ``url`` go to each process in turn. Each
port in ``ports`` prefers one process. If a process doesn't listen, the next one gets the
connection. When one side closes, the proxy closes the other side, too.
"""

import asyncio
import itertools
import threading
from collections.abc import Iterator, Sequence
from contextlib import suppress


class Spreader:
    """A load balancer for processes that listen at ``targets``."""

    def __init__(self, targets: Sequence[int]) -> None:
        self.targets = tuple(targets)
        self.ports: list[int] = []
        self._turn = itertools.count()
        self._open = threading.Event()
        self._thread = threading.Thread(
            target=lambda: asyncio.run(self._serve()), name="spreader", daemon=True
        )
        self._thread.start()
        assert self._open.wait(60)

    @property
    def url(self) -> str:
        """The address that leads to each process in turn."""
        return f"http://127.0.0.1:{self._port}"

    def close(self) -> None:
        """Close all connections and stop."""
        self._loop.call_soon_threadsafe(self._end.set)
        self._thread.join()

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._end = asyncio.Event()
        preferred = (None, *range(len(self.targets)))
        servers = [await self._listen(first) for first in preferred]
        self._port, *self.ports = (server.sockets[0].getsockname()[1] for server in servers)
        self._open.set()
        await self._end.wait()
        for server in servers:
            server.close()
        remaining = asyncio.all_tasks() - {asyncio.current_task()}
        for task in remaining:
            task.cancel()
        await asyncio.gather(*remaining, return_exceptions=True)
        await asyncio.sleep(0.01)  # give the closed sockets time to disappear

    async def _listen(self, first: int | None) -> asyncio.Server:
        async def handle_connection(near: asyncio.StreamReader, back: asyncio.StreamWriter) -> None:
            with suppress(asyncio.CancelledError):  # otherwise asyncio would log the cancellation
                await self._forward(near, back, next(self._turn) if first is None else first)

        return await asyncio.start_server(handle_connection, "127.0.0.1", 0)

    async def _forward(
        self, near: asyncio.StreamReader, back: asyncio.StreamWriter, first: int
    ) -> None:
        """Forward one connection until either side closes it."""
        for target in self._list_ports_from(first):
            with suppress(OSError):
                far, out = await asyncio.open_connection("127.0.0.1", target)
                break
        else:
            back.close()
            return
        copies = [asyncio.ensure_future(copy) for copy in (_copy(near, out), _copy(far, back))]
        try:
            await asyncio.wait(copies, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for copy in copies:
                copy.cancel()
            out.close()
            back.close()

    def _list_ports_from(self, first: int) -> Iterator[int]:
        """Yield the processes' ports, beginning with process number ``first``."""
        for number in range(len(self.targets)):
            yield self.targets[(first + number) % len(self.targets)]


async def _copy(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while data := await source.read(65536):
            target.write(data)
            await target.drain()
