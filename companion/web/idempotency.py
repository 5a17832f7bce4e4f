"""The base of the HTTP calls: identify the caller and the table, and answer each request once.

A client that gets no answer can't know if its request arrived, so it sends it again with the same
``Idempotency-Key`` header. The second request then returns the first one's result.
"""

from collections.abc import Callable

from flask import Response, request

from companion.service.addresses import household
from companion.service.errors import Denied, Fault
from companion.service.requests import KeyedRequest, Result, Seated
from companion.service.tables import Tables
from companion.storage.database import Busy
from companion.web import connection, seat_cookies
from companion.web.rate_limits import Joins, Rates
from companion.web.responses import json_response


class Calls:
    """A group of calls; ``Api`` is built on it."""

    def __init__(self, tables: Tables, joins: Joins, commands: Rates) -> None:
        self._tables = tables
        self._joins = joins
        self._commands = commands

    def _idempotent(
        self, kind: type[Result], do: Callable[[KeyedRequest], Result], caller: str = ""
    ) -> Result:
        """Returns the earlier result under the request's idempotency key, or else calls ``do``."""
        content = (request.path.encode(), caller.encode(), request.get_data())
        keyed = KeyedRequest(request.headers.get("Idempotency-Key"), *content)
        try:
            return self._tables.previous_result(keyed, kind) or do(keyed)
        except (Fault, Denied, Busy):
            # The same request may be under way in another thread, and be done by now.
            result = self._tables.previous_result(keyed, kind)
            if result is None:
                raise
            return result

    def _caller(self, code: str) -> str | None:
        """Returns the seat of the caller's token, or else of their cookie if that is valid."""
        token = connection.bearer(request.environ)
        if token is not None:
            return self._tables.seat_of(code, token)
        cookie = seat_cookies.read_seat(request.environ, code)
        return self._tables.seat_of_cookie(code, cookie.token, cookie.unguarded) if cookie else None

    def _seated_answer(self, seated: Seated) -> Response:
        """Returns an answer with the seat and its token, which also sets the browser's cookie."""
        answer = json_response(seated, 201)
        seat_cookies.keep(answer, seated, request.environ, self._tables.last_used)
        return answer

    def _seat(self, typed: str) -> tuple[str, str]:
        """Returns the table's code and the caller's seat, and counts one command.

        Raises ``Fault`` if the caller has no seat.
        """
        with self._joins.guess(caller_address()):
            code = connection.code_of(typed)
            caller = self._caller(code)
            if caller is None:
                raise Fault("unauthenticated")
        self._commands.count(f"{code} {caller}")
        return code, caller

    def _code_and_seat(self, typed: str) -> tuple[str, str | None]:
        """Returns the table's code, and the caller's seat if they have one.

        Since anybody can guess a code, a caller without a seat must not have guessed too often:
        raises ``Fault`` if they have.
        """
        code = connection.code_of(typed)
        seat = self._caller(code)
        if seat is None:
            self._joins.check(caller_address())
        return code, seat


def caller_address() -> str:
    """Returns the address under which the request is rate-limited (see ``household``)."""
    return household(request.remote_addr or "")


def number_of(typed: str) -> int:
    """Returns a game's number from a URL. Raises ``Fault`` if the text is not a number."""
    if not (typed.isascii() and typed.isdecimal() and len(typed) < 7):
        raise Fault("not_found", what="game", game=typed[:40])
    return int(typed)
