"""Handing over: what this process still does for its clients once it is told to end.

They are told to connect again, to whoever serves the tables then, and what is under way is
answered. This module must not know how a process ends.
"""

from typing import Any

from companion.adapters.socketio import Server


class HandOver:
    """Of one process; ``begun``: it is about to end, and takes nobody on any more."""

    begun = False

    def __init__(self) -> None:
        self._server: Server | None = None
        self._speaking: set[str] = set()
        self._calls: set[object] = set()

    def counted(self, app: Any) -> Any:
        """The same WSGI application, whose calls are under way until they have their answer."""

        def counting(environ: dict[str, Any], start_response: Any) -> Any:
            call = object()
            self._calls.add(call)
            try:
                return app(environ, start_response)
            finally:
                self._calls.discard(call)

        return counting

    def of(self, server: Server, speaking: set[str]) -> None:
        """These are the sockets, and whose word is heard and has no answer yet."""
        self._server, self._speaking = server, speaking

    def begin(self) -> None:
        """From now on nobody is taken on, and everybody is told to connect again."""
        self.begun = True
        if self._server is not None:
            self._server.eio.full = True
            self._server.tell_all("moving", b"{}")

    @property
    def over(self) -> bool:
        """Whether everybody has gone."""
        return self.idle and not (self._server and self._server.eio.anybody)

    @property
    def idle(self) -> bool:
        """Whether all that was said and asked has been answered."""
        return not self._calls and not self._speaking

    def end(self) -> None:
        """Sends away those who poll: they have no connection of their own that could be closed."""
        if self._server is not None:
            self._server.eio.end_polling()
