"""The calls that bring robots to a table: how many there are, one more, a table to practise at.

Handlers parse, hand over and answer. This module must not know how a robot plays.
"""

from functools import partial

from flask import Blueprint, Response, request
from msgspec import Struct

from companion.rules.core.commands import Bytes32, Text
from companion.service import codec, names
from companion.service.errors import Fault
from companion.service.once import Errand, Robot, Seated
from companion.service.staffed import TEMPER_NAMES
from companion.web.answers import answered
from companion.web.calls import Calls, code_of, seated_answer, who


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
        crew = self._tables.crew
        return answered({"most": crew.most, "free": crew.free, "tempers": TEMPER_NAMES})

    def practise(self) -> Response:
        """A table of the caller's at which two robots sit."""
        wanted: Practice = codec.decoded(request.get_data(), Practice)
        name = names.clean(wanted.name)

        def make(errand: Errand) -> Seated:
            self._joins.count(who())
            return self._tables.practise(errand, name, wanted.variant, who())

        return seated_answer(self._once(Seated, make))

    def add(self, typed: str) -> Response:
        """A robot, by the host."""
        wanted: NewRobot = codec.decoded(request.get_data() or b"{}", NewRobot)
        name = None if wanted.name is None else names.clean(wanted.name)
        temper = _known(wanted.temper)
        with self._joins.guess(who()):
            code = code_of(typed)
            caller = self._seat(code)
        give = partial(
            self._tables.add_robot, code=code, caller=caller, name=name, temper=temper, whose=who()
        )
        return answered(self._once(Robot, give, caller), 201)

    def lend(self, typed: str, seat: str) -> Response:
        """A robot plays on for the caller."""
        wanted: StandIn = codec.decoded(request.get_data(), StandIn)
        temper = _known(wanted.temper)
        with self._joins.guess(who()):
            code = code_of(typed)
            caller = self._seat(code)
        if caller != seat:
            raise Fault("forbidden")
        lent = self._tables.lend(code, seat, wanted.secret, temper, who())
        return answered({"robot": lent}, 201)


def _known(temper: str | None) -> str | None:
    if temper is not None and temper not in TEMPER_NAMES:
        raise Fault("bad_request", at="$.temper", why=f"one of {', '.join(TEMPER_NAMES)}")
    return temper
