"""What every call over HTTP needs: who asks, at which table, and that it happens once."""

from collections.abc import Callable

from flask import Response, request

from companion.service.errors import Denied, Fault
from companion.service.requests import KeyedRequest, Result, Seated
from companion.service.tables import Tables
from companion.storage.database import Busy
from companion.web import connection, seat_cookies
from companion.web.rate_limits import Joins, Rates, household
from companion.web.responses import json_response


class Calls:
    """Some calls, on these tables."""

    def __init__(self, tables: Tables, joins: Joins, commands: Rates) -> None:
        self._tables = tables
        self._joins = joins
        self._commands = commands

    def _idempotent(
        self, kind: type[Result], do: Callable[[KeyedRequest], Result], caller: str = ""
    ) -> Result:
        """What is done for this request, or was done before under its idempotency key."""
        asked = (request.path.encode(), caller.encode(), request.get_data())
        keyed = KeyedRequest(request.headers.get("Idempotency-Key"), *asked)
        try:
            return self._tables.previous_result(keyed, kind) or do(keyed)
        except (Fault, Denied, Busy):
            known = self._tables.previous_result(keyed, kind)  # it may have come twice at once
            if known is None:
                raise
            return known

    def _caller(self, code: str) -> str | None:
        """The seat of the caller's token, else of the cookie; a cookie that is void is none."""
        token = connection.bearer(request.environ)
        if token is not None:
            return self._tables.seat_of(code, token)
        cookie = seat_cookies.read_seat(request.environ, code)
        return self._tables.seat_of_cookie(code, cookie.token, cookie.unguarded) if cookie else None

    def _seated_answer(self, seated: Seated) -> Response:
        """The seat and its token, which the browser keeps in a cookie too."""
        answer = json_response(seated, 201)
        seat_cookies.keep(answer, seated, request.environ, self._tables.last_used)
        return answer

    def _seat(self, typed: str) -> tuple[str, str]:
        """The table's code and the caller's seat, which they must have; counts a command."""
        with self._joins.guess(caller_address()):
            code = connection.code_of(typed)
            caller = self._caller(code)
            if caller is None:
                raise Fault("unauthenticated")
        self._commands.count(f"{code} {caller}")
        return code, caller

    def _code_and_seat(self, typed: str) -> tuple[str, str | None]:
        """The table's code, and the caller's seat if they have one: a code can be guessed."""
        code = connection.code_of(typed)
        seat = self._caller(code)
        if seat is None:
            self._joins.check(caller_address())
        return code, seat


def caller_address() -> str:
    return household(request.remote_addr or "")


def number_of(typed: str) -> int:
    """A game's number, as it stands in an address; raises ``Fault``."""
    if not (typed.isascii() and typed.isdecimal() and len(typed) < 7):
        raise Fault("not_found", what="game", game=typed[:40])
    return int(typed)
