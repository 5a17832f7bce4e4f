"""The base of the HTTP handlers: identifies the caller, and answers repeated requests.

A client that gets no answer can't know if its request arrived. So it sends the request again with
the same ``Idempotency-Key`` header, and gets the result of the first request.
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
    """The base class of ``Api``, with functions for its handlers."""

    def __init__(self, tables: Tables, joins: Joins, commands: Rates) -> None:
        self._tables = tables
        self._joins = joins
        self._commands = commands

    def _idempotent(
        self, kind: type[Result], do: Callable[[KeyedRequest], Result], caller: str = ""
    ) -> Result:
        """Return the result of an earlier request with the same idempotency key, or else the result
        of ``do``."""
        content = (request.path.encode(), caller.encode(), request.get_data())
        keyed = KeyedRequest(request.headers.get("Idempotency-Key"), *content)
        try:
            return self._tables.previous_result(keyed, kind) or do(keyed)
        except (Fault, Denied, Busy):
            # Another thread may have finished the same request in the meantime.
            result = self._tables.previous_result(keyed, kind)
            if result is None:
                raise
            return result

    def _find_callers_seat(self, code: str) -> str | None:
        """Return the caller's seat. A bearer token opens it, or if there is no token, the browser's
        cookie.

        Return None if the caller has neither a token nor a valid cookie. Raise ``Fault`` if the
        token is wrong.
        """
        token = connection.bearer(request.environ)
        if token is not None:
            return self._tables.find_seat_by_token(code, token)
        cookie = seat_cookies.read_seat(request.environ, code)
        return (
            self._tables.find_seat_by_cookie(code, cookie.token, cookie.unguarded)
            if cookie
            else None
        )

    def _seated_answer(self, seated: Seated) -> Response:
        """Return a response with the seat and its token. The response also sets the browser's
        cookie."""
        answer = json_response(seated, 201)
        seat_cookies.set_seat_cookie(answer, seated, request.environ, self._tables.last_used)
        return answer

    def _require_seat(self, typed: str) -> tuple[str, str]:
        """Return the table's code and the caller's seat, and count one command for the seat.

        Raise ``Fault`` if the caller has no seat.
        """
        with self._joins.count_failed_guess(caller_address()):
            code = connection.require_code(typed)
            caller = self._find_callers_seat(code)
            if caller is None:
                raise Fault("unauthenticated")
        self._commands.count(f"{code} {caller}")
        return code, caller

    def _code_and_seat(self, typed: str) -> tuple[str, str | None]:
        """Return the table's code, and the caller's seat or None.

        Anybody can guess a code. Therefore raise ``Fault`` for a caller without a seat who has
        guessed too often.
        """
        code = connection.require_code(typed)
        seat = self._find_callers_seat(code)
        if seat is None:
            self._joins.check(caller_address())
        return code, seat


def caller_address() -> str:
    """Return the address that rate limits use for this request (see ``household``)."""
    return household(request.remote_addr or "")


def parse_game_number(typed: str) -> int:
    """Return a game's number from a URL. Raise ``Fault`` if the text isn't a number."""
    if not (typed.isascii() and typed.isdecimal() and len(typed) < 7):
        raise Fault("not_found", what="game", game=typed[:40])
    return int(typed)
