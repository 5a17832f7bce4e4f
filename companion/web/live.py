"""Socket.IO: connections, commands and views. Events of one client are handled one after the other,
in that client's own thread: who waits for a commit holds up nobody else."""

import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from wsgiref.types import WSGIEnvironment

import msgspec
from msgspec import Raw
from socketio.exceptions import ConnectionRefusedError

from companion.adapters.socketio import Server
from companion.rules.core import lobby
from companion.rules.core.commands import HouseRules
from companion.service import codec
from companion.service.errors import Answer, Denied, Error, Fault
from companion.service.live_table import LiveTable
from companion.service.logs import bug, line, refusals
from companion.service.requests import hash_secret
from companion.service.tables import Tables
from companion.storage.database import Busy
from companion.web import panel_texts, seat_cookies
from companion.web.connection import Auth, Connection, code_of, read_sign
from companion.web.metrics import Metrics
from companion.web.rate_limits import ConnectionCounts, Joins, Rates, household
from companion.web.responses import as_fault, note_refusal
from companion.web.shared_replay import SharedReplays

Answers = Callable[[Connection, object], bytes | Raw]  # an event, given its content

HOUSE_RATE = "10/minute"  # of a table's changes of house rules: its sentences are made anew by each


class Live:
    """The handlers, and the audience of all tables."""

    def __init__(
        self, server: Server, tables: Tables, joins: Joins, metrics: Metrics, commands: Rates,
        crowd: ConnectionCounts,
    ) -> None:  # fmt: skip
        self._server = server
        self._tables = tables
        self._metrics = metrics
        self.send = server.post
        self.round_trip = server.round_trip
        self._joins = joins
        self._commands = commands
        self._crowd = crowd
        self._house = Rates(HOUSE_RATE)
        self._connections: dict[str, Connection] = {}
        self.speaking: set[str] = set()  # whose word is heard and has no answer yet
        self._together = SharedReplays(self.send, tables.peers, tables.clock)
        self.introduce = self._together.again
        self.on_subscribed = self._together.on_subscribed
        tables.games.on_remark.append(self._together.on_remark)
        metrics.measure(tables, self._connections)
        server.on("connect", self._connect)
        server.on("disconnect", self._disconnect)
        server.on("command", self._command)
        server.speaks = {"command": self._handle_command}
        for event, answer in (("sync", self._sync), ("replay", self._step), ("sign", self._sign)):
            server.on(event, partial(self._answer_or_error, answer))
        server.on("*", self._unknown)
        server.connected = self._welcome
        server.failed = lambda: bug("socket")
        server.eio.whose = lambda environ: household(environ.get("REMOTE_ADDR", ""))
        server.eio.meter = commands.meter
        server.eio.now = tables.clock.now
        server.eio.unreadable = metrics.unreadable

    def close(self, sid: str) -> None:
        """Closes one connection, once all that is sent to it has gone out. It may be the one that
        speaks just now, which is to be answered first."""
        self._server.start_background_task(self._server.hang_up, sid)

    def _connect(self, sid: str, environ: WSGIEnvironment, auth: object) -> None:
        try:
            came = self._connections[sid] = self._let_in(sid, environ, auth)
            if not came.robot:
                self._crowd.enter(came.code, came.address, came.own_seat)
        except Exception as problem:
            why = self._error(problem, auth)
            note_refusal("connect", environ.get("REMOTE_ADDR", ""), problem, why)
            raise ConnectionRefusedError(why.text, msgspec.to_builtins(why)) from None

    def _let_in(self, sid: str, environ: WSGIEnvironment, auth: object) -> Connection:
        wanted: Auth = codec.convert(auth, Auth)
        address = household(environ.get("REMOTE_ADDR", ""))
        with self._joins.guess(address):
            code = code_of(wanted.table)
            seat, key = self._seat(environ, code, wanted)
            if seat is None:  # a token can't be guessed, a code can
                self._joins.check(address)
            with self._tables.at(code) as live:
                lobby.check_watching(live.table, seat)
                if wanted.replay is not None:
                    live.game(wanted.replay)
                elsewhere = live.presence.watching_elsewhere
        who = f"{code} {seat}" if seat else address
        robot = self._tables.robots.posts.opens(key) is not None
        asked = self._server.requested_at(sid)
        wants = wanted.patches, wanted.replay, -asked if wanted.yields else asked
        came = Connection(sid, code, seat, key, who, address, robot, *wants)
        if came.watches:
            self._crowd.check(code, address, elsewhere)
        elif not robot:
            came.known = self._tables.was_here(key)
            self._find_room(came)
        return came

    def _find_room(self, came: Connection) -> None:
        """A seat whose address has all its connections already gets one that has less claim to it:
        a spectator's, or, if the seat is known, that of a new one. Raises ``Fault`` if none has."""
        try:
            self._crowd.check_seat(came.code, came.address, came.own_seat)
        except Fault:
            there = list(self._connections.values())
            others = [one for one in there if one.address == came.address and not one.leaves]
            least = min(reversed(others), key=lambda one: one.holder.rank, default=came)
            if least.holder.rank >= came.holder.rank:
                raise
            least.leaves = True
            self.close(least.sid)

    def _seat(self, environ: WSGIEnvironment, code: str, wanted: Auth) -> tuple[str | None, str]:
        """The token's seat, else the cookie's, and the hash of which of them it is."""
        if wanted.token is not None:
            return self._tables.seat_of(code, wanted.token), hash_secret(wanted.token)
        cookie = seat_cookies.read(environ, code) if wanted.cookie else None
        if cookie is None:
            return None, hash_secret("")
        return (
            self._tables.seat_of_cookie(code, cookie.token, cookie.unguarded),
            hash_secret(cookie.token),
        )

    def _welcome(self, sid: str) -> None:
        connection = self._connections.get(sid)
        if connection is None:
            return
        self._server.keep(sid, connection.holder)
        if self._server.eio.full:  # it was being let in when all others were told
            self.send(sid, "moving", {})
            return
        try:
            with self._tables.at(connection.code) as live:
                self._check(connection)
                self._enter(live, connection)
            if not connection.watches and not connection.robot:
                self._server.start_background_task(self._note_visit, connection.key)
        except (Fault, Denied, Busy):
            self.close(sid)

    def _note_visit(self, key: str) -> None:
        with suppress(Busy):  # it is noted when the seat comes again
            self._tables.note_visit(key)

    def _enter(self, live: LiveTable, connection: Connection) -> None:
        if connection.replay is None:
            live.enter(connection.viewer, robot=connection.robot)
        else:
            lobby.check_watching(live.table, connection.seat)
            live.presence.replaying[connection.sid] = connection.seat
            self._together.enter((connection.code, connection.replay), connection.sid)

    def _check(self, connection: Connection) -> None:
        """Nobody claimed the seat since this connection was let in."""
        seat = connection.seat
        if seat and not self._tables.seat_for_token(connection.code, seat, connection.key):
            raise Fault("unauthenticated")

    def _disconnect(self, sid: str, _reason: str) -> None:
        # It can come in the middle of sending, while the table's lock is held.
        connection = self._connections.pop(sid, None)
        if connection is not None:
            if not connection.robot:
                self._crowd.leave(connection.code, connection.address, connection.own_seat)
            if connection.replay is not None or not self._server.eio.full:
                self._server.start_background_task(
                    self._leave_table, connection
                )  # who moves isn't away

    def _leave_table(self, connection: Connection) -> None:
        with suppress(Fault, Busy), self._tables.at(connection.code, fresh=False) as live:
            live.publisher.leave(connection.sid)
        if connection.replay is not None:
            self._together.leave((connection.code, connection.replay), connection.sid)

    def _command(self, sid: str, *content: object) -> Raw:
        """A command as the library read it; whoever sends two things means one that is a list."""
        return Raw(self._handle_command(sid, content[0] if len(content) == 1 else list(content)))

    def _handle_command(self, sid: str, content: object) -> bytes:
        """Answers a command, which may be JSON still (``Raw``), in JSON."""
        began = time.perf_counter()
        kind = "unknown"
        again = False
        connection = self._connections[sid]
        self.speaking.add(sid)
        try:
            self._commands.count(connection.who)
            with self._tables.at(connection.code, fresh=False) as live:
                said = codec.command(content, live.table.family)
                kind = str(said.__struct_config__.tag)
                if isinstance(said, HouseRules):
                    self._house.check(connection.code)
                    self._tables.live.check_house(connection.address, connection.code)
                answer, again = live.answer(sid, connection.seat, said)
                if isinstance(said, HouseRules) and answer.ok and not again:
                    self._house.count(connection.code)
        except Exception as problem:
            answer = self._answer(connection, problem)
        finally:
            self.speaking.discard(sid)
        self._note(connection, kind, answer, time.perf_counter() - began, again)
        return codec.encode(answer)

    def _note(
        self, connection: Connection, kind: str, answer: Answer, seconds: float, again: bool
    ) -> None:
        self._metrics.command(kind, answer, seconds)
        error = answer.error or None
        limited = error is not None and error.code == "rate_limited"
        if limited and not refusals.allows_line(connection.address):
            return  # the seat may come again and again to be told so
        line(
            "refused" if error else "accepted",
            table=connection.code,
            seat=connection.seat,
            type=kind,
            version=answer.version,
            code=error.code if error else None,
            ruling=(error.ruling or None) if error else None,
            again=again or None,
            ms=round(seconds * 1000, 2),
        )

    def _answer_or_error(
        self, answer: Answers, sid: str, content: object = None, *_more: object
    ) -> Raw:
        connection = self._connections[sid]
        try:
            return Raw(answer(connection, content))
        except Exception as problem:
            return Raw(codec.encode(self._answer(connection, problem)))

    def _sync(self, connection: Connection, content: object) -> Raw:
        self._commands.count(connection.who)
        with self._tables.at(connection.code) as live:
            return live.publisher.news(connection.seat, content)

    def _step(self, connection: Connection, content: object) -> bytes:
        replay = connection.code, connection.replay or 0
        self._together.step(replay, connection.sid, connection.who, content, connection.seat)
        return b'{"ok":true}'

    def _sign(self, connection: Connection, content: object) -> bytes:
        self._commands.count(connection.who)
        connection.signed, shown = read_sign(content, connection.signed)
        with self._tables.at(connection.code, fresh=False) as live:
            live.sign(connection.seat, shown.sign, shown.to)
            return codec.encode(Answer(ok=True, version=live.version))

    def _unknown(self, event: str, sid: str, *_content: object) -> Raw:
        connection = self._connections[sid]
        try:
            self._commands.count(connection.who)
            raise Fault("bad_request", at="$", why=f"no event {str(event)[:40]}")
        except Fault as fault:
            answer = self._answer(connection, fault)
        self._note(connection, "unknown", answer, 0.0, False)
        return Raw(codec.encode(answer))

    def _answer(self, connection: Connection, problem: Exception) -> Answer:
        """What the client is told of a request that failed before it reached the rules."""
        if not isinstance(problem, Fault | Busy | Denied):
            bug("command")
        live = self._tables.live.get(connection.code)
        version = live.version if live else 0
        return Answer(ok=False, version=version, error=self._error(problem))

    def _error(self, problem: Exception, auth: object = None) -> Error:
        if isinstance(problem, Denied):
            return problem.error
        asked = auth.get("language") if isinstance(auth, dict) else None
        texts = self._tables.own_variant.texts
        language = panel_texts.lookup([asked], texts) if isinstance(asked, str) else None
        return self._tables.error(as_fault(problem), language)
