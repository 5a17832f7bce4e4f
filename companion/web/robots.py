"""The calls that bring robots to a table: how many there are, one more, a table to practise at.

Handlers parse, hand over and answer.
"""

from functools import partial

from flask import Blueprint, Response, request
from msgspec import Struct

from companion.rules.core.commands import Bytes32, Text
from companion.service import codec
from companion.service.errors import Fault
from companion.service.requests import KeyedRequest, Robot, Seated
from companion.service.robot_desk import TEMPER_NAMES
from companion.web.answers import answered
from companion.web.calls import Calls, seated_answer, who


class NewRobot(Struct, frozen=True, forbid_unknown_fields=True):
    """A robot as it is wanted."""

    name: Text | None = None
    temper: Text | None = None


class StandIn(Struct, frozen=True, forbid_unknown_fields=True):
    """A robot that is to play on, with the deck of this secret."""

    secret: Bytes32
    temper: Text | None = None


class Practice(Struct, frozen=True, forbid_unknown_fields=True):
    """Who wants to play against robots."""

    name: Text
    variant: Text | None = None


class RobotApi(Calls):
    """The calls, on these tables."""

    def blueprint(self) -> Blueprint:
        """Where each call is found."""
        api = Blueprint("robots", __name__, url_prefix="/api")
        api.get("/robots")(self.count)
        api.post("/practice")(self.practise)
        api.post("/tables/<typed>/robots")(self.add)
        api.post("/tables/<typed>/seats/<seat>/robot")(self.lend)
        return api

    def count(self) -> Response:
        """How many robots there are, how many of them are free, and their tempers."""
        posts = self._tables.robots.posts
        return answered({"most": posts.limit, "free": posts.free, "tempers": TEMPER_NAMES})

    def practise(self) -> Response:
        """A table of the caller's at which two robots sit."""
        wanted: Practice = codec.decoded(request.get_data(), Practice)
        name = codec.clean_name(wanted.name)

        def make(keyed: KeyedRequest) -> Seated:
            self._joins.count(who())
            return self._tables.practise(keyed, name, wanted.variant, who())

        return seated_answer(self._idempotent(Seated, make))

    def add(self, typed: str) -> Response:
        """A robot, by the host."""
        wanted: NewRobot = codec.decoded(request.get_data() or b"{}", NewRobot)
        name = None if wanted.name is None else codec.clean_name(wanted.name)
        temper = _known(wanted.temper)
        code, caller = self._seat(typed)
        add = self._tables.robots.add
        give = partial(add, code=code, caller=caller, name=name, temper=temper, address=who())
        return answered(self._idempotent(Robot, give, caller), 201)

    def lend(self, typed: str, seat: str) -> Response:
        """A robot plays on for the caller."""
        wanted: StandIn = codec.decoded(request.get_data(), StandIn)
        temper = _known(wanted.temper)
        code, caller = self._seat(typed)
        if caller != seat:
            raise Fault("forbidden")
        lent = self._tables.robots.lend(code, seat, wanted.secret, temper, who())
        return answered({"robot": lent}, 201)


def _known(temper: str | None) -> str | None:
    if temper is not None and temper not in TEMPER_NAMES:
        raise Fault("bad_request", at="$.temper", why=f"one of {', '.join(TEMPER_NAMES)}")
    return temper
