"""The Socket.IO handlers: connections, commands and views.

The events of one client are handled in order, in that client's own thread. A client that waits for
a commit therefore never delays another client.
"""

import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from math import inf
from wsgiref.types import WSGIEnvironment

import msgspec
from msgspec import Raw
from socketio.exceptions import ConnectionRefusedError

from companion.adapters.socketio import Server
from companion.rules.core import lobby
from companion.rules.core.commands import HouseRules
from companion.service import codec
from companion.service.addresses import count_in, household
from companion.service.errors import Answer, Denied, Error, Fault
from companion.service.logs import bug, line, refusals
from companion.service.requests import hash_secret
from companion.service.table.live_table import LiveTable
from companion.service.tables import Tables
from companion.storage.database import Busy
from companion.web import panel_texts, seat_cookies
from companion.web.connection import Auth, Connection, read_sign, require_code
from companion.web.metrics import Metrics
from companion.web.rate_limits import ConnectionCounts, Joins, Rates
from companion.web.request_guards import never_local
from companion.web.responses import as_fault, note_refusal
from companion.web.shared_replay import SharedReplays

EventHandler = Callable[[Connection, object], bytes | Raw]
"""A function that handles an event. It gets the connection and the event's content, and returns the
answer as JSON."""

HOUSE_RATE = "10/minute"
"""Limit for changes of a table's house rules, because each change renders all of the variant's
texts again."""


class Live:
    """Handles the events of all clients, and sends them the events of their tables."""

    def __init__(
        self, server: Server, tables: Tables, joins: Joins, metrics: Metrics, commands: Rates,
        counts: ConnectionCounts,
        is_local: Callable[[WSGIEnvironment], bool] = never_local,
    ) -> None:  # fmt: skip
        self._server = server
        self._tables = tables
        self._metrics = metrics
        self.send = server.post
        self.round_trip = server.round_trip
        self._joins = joins
        self._commands = commands
        self._counts = counts
        self._is_local = is_local
        self._house_rates = Rates(HOUSE_RATE)
        self._connections: dict[str, Connection] = {}
        self.unanswered: set[str] = set()
        """Ids of the connections that wait for the answer to a command."""
        self._replays = SharedReplays(self.send, tables.peers, tables.clock)
        self.announce_replays = self._replays.publish_all_rooms
        self.on_subscribed = self._replays.on_subscribed
        tables.games.on_remark.append(self._replays.on_remark)
        metrics.add_gauges(tables, self._connections)
        server.on("connect", self._connect)
        server.on("disconnect", self._disconnect)
        server.on("command", self._command)
        server.fast_handlers["command"] = self._handle_command
        for event, handle in (
            ("sync", self._handle_sync),
            ("replay", self._handle_replay_step),
            ("sign", self._handle_sign),
        ):
            server.on(event, partial(self._answer_or_error, handle))
        server.on("*", self._handle_unknown)
        server.on_connected = self._welcome
        server.on_failure = lambda: bug("socket")
        server.eio.client_address = lambda environ: household(environ.get("REMOTE_ADDR", ""))
        server.eio.make_packet_counter = commands.make_packet_counter
        server.eio.now = tables.clock.now
        server.eio.unreadable = metrics.unreadable

    def close(self, sid: str) -> None:
        """Close one connection in the background, after everything sent to it has gone out.

        If a command of this connection is being handled, its answer is sent first.
        """
        self._server.start_background_task(self._server.hang_up, sid)

    def _connect(self, sid: str, environ: WSGIEnvironment, auth: object) -> None:
        try:
            connection = self._connections[sid] = self._admit(sid, environ, auth)
            if not connection.robot:
                self._counts.enter(connection.code, connection.address, connection.own_seat)
        except Exception as problem:
            error = self._error(problem, auth)
            note_refusal("connect", environ.get("REMOTE_ADDR", ""), problem, error)
            raise ConnectionRefusedError(error.text, msgspec.to_builtins(error)) from None

    def _admit(self, sid: str, environ: WSGIEnvironment, content: object) -> Connection:
        """Return the connection of a client that asks to connect. Raise ``Fault`` to refuse the
        client."""
        auth: Auth = codec.convert(content, Auth)
        address = household(environ.get("REMOTE_ADDR", ""))
        with self._joins.count_failed_guess(address):
            code = require_code(auth.table)
            seat, key = self._authenticate(environ, code, auth)
            if seat is None:  # anybody can guess a code, but not a token
                self._joins.check(address)
            with self._tables.at(code) as live:
                lobby.check_watching(live.table, seat)
                if auth.replay is not None:
                    live.finished_game(auth.replay)
                elsewhere = live.presence.watching_elsewhere
        who = f"{code} {seat}" if seat else address
        robot = self._tables.robots.posts.find_seat(key) is not None
        requested_at = self._server.requested_at(sid)
        since = -requested_at if auth.yields else requested_at
        connection = Connection(
            sid, code, seat, key, who, address, robot, auth.patches, auth.replay, since,
            local=self._is_local(environ),
        )  # fmt: skip
        if connection.watches:
            self._counts.check(code, address, elsewhere)
        elif not robot:
            connection.known = self._tables.was_recently_connected(key)
            self._find_room(connection)
        return connection

    def _find_room(self, newcomer: Connection) -> None:
        """Close a connection if the newcomer's address has reached its limit of connections.

        The limit may be that of the address or of a wider range of addresses. Among the connections
        that count towards this limit, the one with the lowest rank is closed. Spectators rank
        lowest, then new seats, then seats that were connected recently. Among equal ranks, the
        household with the most connections loses its newest one.

        A new seat can only replace a spectator. A recently connected seat can replace both lower
        ranks. In a wider range it can also replace another recently connected seat, if the
        household of that seat has at least two connections more than the newcomer's household.
        Raise ``Fault`` if no connection can be closed.
        """
        seat = newcomer.code, newcomer.address, newcomer.own_seat
        full = self._counts.find_full_range(*seat)
        if full is None:
            return
        others = [
            other
            for other in list(self._connections.values())
            if not other.leaves and count_in(full, [other.address])
        ]
        held = Counter(other.address for other in others)

        def claim(other: Connection) -> tuple[int, int]:
            return other.holder.rank, -held[other.address]

        lowest = min(reversed(others), key=claim, default=newcomer)
        own_claim = newcomer.holder.rank, -held[newcomer.address] - 1 if newcomer.known else -inf
        if claim(lowest) >= own_claim:
            self._counts.check_seat(*seat)
        lowest.leaves = True
        self.close(lowest.sid)

    def _authenticate(
        self, environ: WSGIEnvironment, code: str, auth: Auth
    ) -> tuple[str | None, str]:
        """Return the client's seat, and the hash of the token that opens it.

        The token comes from ``auth``, or else from the seat's cookie. Without a token or a valid
        cookie, the seat is None. Raise ``Fault`` if the token in ``auth`` is wrong.
        """
        if auth.token is not None:
            return self._tables.find_seat_by_token(code, auth.token), hash_secret(auth.token)
        cookie = seat_cookies.read_seat(environ, code) if auth.cookie else None
        if cookie is None:
            return None, hash_secret("")
        return (
            self._tables.find_seat_by_cookie(code, cookie.token, cookie.unguarded),
            hash_secret(cookie.token),
        )

    def _welcome(self, sid: str) -> None:
        connection = self._connections.get(sid)
        if connection is None:
            return
        self._server.keep_slot(sid, connection.holder)
        # The other clients were sent ``moving`` while this client was connecting, so send it now.
        if self._server.eio.full:
            self.send(sid, "moving", {})
            return
        try:
            with self._tables.at(connection.code) as live:
                self._check_token(connection)
                self._enter(live, connection)
            if not connection.watches and not connection.robot:
                self._server.start_background_task(self._note_visit, connection.key)
        except (Fault, Denied, Busy):
            self.close(sid)

    def _note_visit(self, key: str) -> None:
        with suppress(Busy):  # the next connection of this seat will record the visit
            self._tables.note_visit(key)

    def _enter(self, live: LiveTable, connection: Connection) -> None:
        if connection.replay is None:
            live.enter(connection.viewer, robot=connection.robot)
        else:
            lobby.check_watching(live.table, connection.seat)
            live.presence.replaying[connection.sid] = connection.seat
            self._replays.enter((connection.code, connection.replay), connection.sid)

    def _check_token(self, connection: Connection) -> None:
        """Raise ``Fault`` if another device has claimed the seat since this connection was
        admitted."""
        seat = connection.seat
        if seat and not self._tables.token_opens_seat(connection.code, seat, connection.key):
            raise Fault("unauthenticated")

    def _disconnect(self, sid: str, _reason: str) -> None:
        # The library may call this during a send, while the table's lock is held. So leave the
        # table in the background.
        connection = self._connections.pop(sid, None)
        if connection is not None:
            if not connection.robot:
                self._counts.leave(connection.code, connection.address, connection.own_seat)
            # Don't show players as away while they move to another server.
            if connection.replay is not None or not self._server.eio.full:
                self._server.start_background_task(self._leave_table, connection)

    def _leave_table(self, connection: Connection) -> None:
        with suppress(Fault, Busy), self._tables.at(connection.code, fresh=False) as live:
            live.publisher.leave(connection.sid)
        if connection.replay is not None:
            self._replays.leave((connection.code, connection.replay), connection.sid)

    def _command(self, sid: str, *content: object) -> Raw:
        """Handle a command that the library has parsed. If the event has several arguments, the
        command is a list."""
        return Raw(self._handle_command(sid, content[0] if len(content) == 1 else list(content)))

    def _handle_command(self, sid: str, content: object) -> bytes:
        """Handle a command, either parsed or as JSON (``Raw``). Return the answer as JSON."""
        began = time.perf_counter()
        kind = "unknown"
        again = False
        connection = self._connections[sid]
        self.unanswered.add(sid)
        try:
            self._commands.count(connection.who)
            with self._tables.at(connection.code, fresh=False) as live:
                command = codec.command(content, live.table.family)
                kind = str(command.__struct_config__.tag)
                if isinstance(command, HouseRules):
                    self._house_rates.check(connection.code)
                    self._tables.live.check_house_rules_limit(connection.address, connection.code)
                answer, again = live.answer_command(sid, connection.seat, command)
                if isinstance(command, HouseRules) and answer.ok and not again:
                    self._house_rates.count(connection.code)
        except Exception as problem:
            answer = self._answer(connection, problem)
        finally:
            self.unanswered.discard(sid)
        self._log_command(connection, kind, answer, time.perf_counter() - began, again)
        return codec.encode(answer)

    def _log_command(
        self, connection: Connection, kind: str, answer: Answer, seconds: float, again: bool
    ) -> None:
        self._metrics.command(kind, answer, seconds)
        error = answer.error or None
        limited = error is not None and error.code == "rate_limited"
        if limited and not refusals.allows_line(connection.address):
            return  # without this limit, a client that keeps sending would fill the log
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
        self, handle: EventHandler, sid: str, content: object = None, *_more: object
    ) -> Raw:
        connection = self._connections[sid]
        try:
            return Raw(handle(connection, content))
        except Exception as problem:
            return Raw(codec.encode(self._answer(connection, problem)))

    def _handle_sync(self, connection: Connection, content: object) -> Raw:
        self._commands.count(connection.who)
        with self._tables.at(connection.code) as live:
            return live.publisher.view_or_head(connection.seat, content)

    def _handle_replay_step(self, connection: Connection, content: object) -> bytes:
        replay = connection.code, connection.replay or 0
        self._replays.step(replay, connection.sid, connection.who, content, connection.seat)
        return b'{"ok":true}'

    def _handle_sign(self, connection: Connection, content: object) -> bytes:
        self._commands.count(connection.who)
        connection.signed, sign = read_sign(content, connection.signed)
        with self._tables.at(connection.code, fresh=False) as live:
            live.sign(connection.seat, sign.sign, sign.to)
            return codec.encode(Answer(ok=True, version=live.version))

    def _handle_unknown(self, event: str, sid: str, *_content: object) -> Raw:
        connection = self._connections[sid]
        try:
            self._commands.count(connection.who)
            raise Fault("bad_request", at="$", why=f"no event {str(event)[:40]}")
        except Fault as fault:
            answer = self._answer(connection, fault)
        self._log_command(connection, "unknown", answer, 0.0, False)
        return Raw(codec.encode(answer))

    def _answer(self, connection: Connection, problem: Exception) -> Answer:
        """Return the answer to an event that failed. Log the exception if it is a bug."""
        if not isinstance(problem, Fault | Busy | Denied):
            bug("command")
        live = self._tables.live.get(connection.code)
        version = live.version if live else 0
        return Answer(ok=False, version=version, error=self._error(problem))

    def _error(self, problem: Exception, auth: object = None) -> Error:
        """Return the error to send, if possible in the language that ``auth`` requests."""
        if isinstance(problem, Denied):
            return problem.error
        requested = auth.get("language") if isinstance(auth, dict) else None
        texts = self._tables.default_variant.texts
        language = (
            panel_texts.choose_language([requested], texts) if isinstance(requested, str) else None
        )
        return self._tables.error(as_fault(problem), language)
