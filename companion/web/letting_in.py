"""The operator's part of the API: who can reach this server, and opening and closing a way in.

Nothing here is served to callers who come through a tunnel or by another entrance. The token comes
in a header, which no other site's page can send, so a link or a form of such a page can't open a
way. A way is chosen from a list: no caller can make this machine run another command.
"""

from contextlib import suppress

from flask import Blueprint, Response, request
from msgspec import Struct

from companion.service import codec
from companion.service.errors import Fault
from companion.terminal import Failure
from companion.web.access import Access, Operator
from companion.web.connection import bearer
from companion.web.idempotency import caller_address
from companion.web.rate_limits import Joins, Rates
from companion.web.request_guards import RequestGuards
from companion.web.responses import json_response

OPEN_RATE = "20/minute"
"""Rate limit for opening and closing ways. It is needed because each opening starts a program."""


class Key(Struct, frozen=True, forbid_unknown_fields=True):
    """The body of ``POST /operator``: the key from the console's link."""

    key: str


class Way(Struct, frozen=True, forbid_unknown_fields=True):
    """The body of ``POST /access``: the way to open."""

    way: str


def add_to(api: Blueprint, access: Access, guards: RequestGuards, joins: Joins) -> Blueprint:
    """Add the operator's routes to the API."""
    rates = Rates(OPEN_RATE)

    def require_place() -> Operator:
        if access.operator is None or not guards.may_be_operators(request.environ):
            raise Fault("forbidden")
        return access.operator

    def require_operator() -> None:
        operator = require_place()
        with joins.count_failed_guess(caller_address()):
            operator.check(bearer(request.environ))

    @api.post("/operator")
    def become_operator() -> Response:
        """Return a token for the console's key, which can't be used again."""
        operator = require_place()
        body: Key = codec.decode(request.get_data(), Key)
        with joins.count_failed_guess(caller_address()):
            joins.check(caller_address())
            token = operator.exchange(body.key)
        return json_response({"token": token}, 201)

    @api.get("/access")
    def show_access() -> Response:
        """Return the state, for which the operator's page asks repeatedly while a way is open."""
        require_operator()
        access.follow_network()
        return json_response(access.state())

    @api.post("/access")
    def open_access() -> Response:
        require_operator()
        body: Way = codec.decode(request.get_data(), Way)
        rates.count("operator")
        if body.way not in [choice.way for choice in access.choices()]:
            raise Fault("bad_request", at="$.way", why="not one of the choices")
        with suppress(Failure):  # the answer contains the reason
            access.open(body.way)
        return json_response(access.state(), 201)

    @api.post("/access/close")
    def close_access() -> Response:
        require_operator()
        rates.count("operator")
        access.close()
        return json_response(access.state(), 201)

    return api
