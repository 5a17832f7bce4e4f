"""The HTTP API under ``/api``: tables, seats, claims, robots, logs, finished games and variants.

``/api/openapi.json`` describes each request. Handlers check the caller and decode the request; the
service does the rest.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from wsgiref.types import WSGIEnvironment

from flask import Blueprint, Response, request
from msgspec import UNSET, Struct, field

from companion.rules.core import lobby
from companion.rules.core.commands import AskPlace, Bytes32, TakeSeat, Text
from companion.rules.core.types import Json
from companion.rules.variants.variant import Variant
from companion.service import codec
from companion.service.addresses import OWN_MACHINE
from companion.service.errors import Denied, Fault
from companion.service.replays.finished import Remark
from companion.service.requests import Claim, KeyedRequest, LentSeat, Robot, Seated
from companion.service.robot_hosting.desk import TEMPER_NAMES
from companion.service.table.history import Span
from companion.service.table.live_table import LiveTable
from companion.service.tables import Tables
from companion.web.address import Address
from companion.web.connection import require_code
from companion.web.example import example
from companion.web.idempotency import Calls, caller_address, parse_game_number
from companion.web.rate_limits import Joins, Rates
from companion.web.request_guards import never_local
from companion.web.responses import as_file, as_moments, json_response, variant_response


class Practice(Struct, frozen=True, forbid_unknown_fields=True):
    """The body of ``POST /practice``, which creates a table with robots for one player."""

    name: Text
    variant: Text | None = None


class NewTable(Practice, frozen=True, forbid_unknown_fields=True):
    """The body of ``POST /tables``: the host's name, and the table's variant, options and rules."""

    options: Json = field(default_factory=dict)
    rules: Json | None = None


class NewRoom(Practice, frozen=True, forbid_unknown_fields=True):
    """The body of ``POST /rooms``: a launcher's word, the player's name, and the variant of a new
    table."""

    room: Text = ""


class NewSeat(Struct, frozen=True, forbid_unknown_fields=True):
    """The body of a request to join a table."""

    name: Text


class NewRobot(Struct, frozen=True, forbid_unknown_fields=True):
    """The body of a request to add a robot. The server chooses a value for each missing field."""

    name: Text | None = None
    temper: Text | None = None


class StandIn(Struct, frozen=True, forbid_unknown_fields=True):
    """The body of a request to lend a seat to a robot, with the secret of the seat's deck."""

    secret: Bytes32
    temper: Text | None = None


ROOM = re.compile(r"[A-Za-z0-9_-]{22,64}")
"""Matches a launcher's word. It must be long, because everybody who knows it can take a seat."""


class _AtTable(Exception):
    """Raised if the caller only gets the code of a launcher's table, and no new seat there."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class Api(Calls):
    """The handlers of the API's requests."""

    def __init__(
        self,
        tables: Tables,
        joins: Joins,
        commands: Rates,
        address: Address,
        limits: Mapping[str, int],
        is_local: Callable[[WSGIEnvironment], bool] = never_local,
    ) -> None:
        super().__init__(tables, joins, commands)
        self._address = address
        self._is_local = is_local
        self._limits = limits  # limits of the server that a client may want to know, by name

    def blueprint(self) -> Blueprint:
        """Return a blueprint with the routes of the API."""
        api = Blueprint("api", __name__, url_prefix="/api")
        api.post("/tables")(self.make_table)
        api.post("/rooms")(self.enter_room)
        api.post("/tables/<typed>/seats")(self.take_seat)
        api.post("/tables/<typed>/waiting")(self.ask_place)
        api.get("/tables/<typed>")(self.watch)
        api.get("/tables/<typed>/log")(self.log)
        api.get("/tables/<typed>/evening")(self.show_finished_games)
        api.get("/tables/<typed>/games/<number>")(self.show_game)
        api.get("/tables/<typed>/games/<number>/moments")(self.show_moments)
        api.get("/tables/<typed>/games/<number>/remarks")(self.show_remarks)
        api.post("/tables/<typed>/games/<number>/remarks")(self.add_remark)
        api.get("/tables/<typed>/variant")(self.show_tables_variant)
        api.post("/tables/<typed>/seats/<seat>/claim")(self.make_claim)
        api.post("/claims/<claim>")(self.use_claim)
        api.get("/server")(self.describe_server)
        api.get("/robots")(self.count_robots)
        api.post("/practice")(self.practise)
        api.post("/tables/<typed>/robots")(self.add_robot)
        api.post("/tables/<typed>/seats/<seat>/robot")(self.lend_seat)
        api.get("/address")(self.address)
        api.get("/variants")(self.list_variants)
        api.get("/variants/<id>")(self.show_variant)
        return api

    def make_table(self) -> Response:
        body: NewTable = codec.decode(request.get_data(), NewTable)
        name = codec.clean_name(body.name)

        def create(keyed: KeyedRequest) -> Seated:
            self._joins.count(caller_address())
            if body.rules:
                self._tables.live.check_house_rules_limit(caller_address())
            return self._tables.create(keyed, name, body.variant, body.options, body.rules)

        return self._seated_answer(self._idempotent(Seated, create))

    def enter_room(self) -> Response:
        """Seat the caller at the table of a launcher's word. The first caller makes the table.

        Return only the table's code if the caller has a seat already, or can't get one now.
        """
        body: NewRoom = codec.decode(request.get_data(), NewRoom)
        if not ROOM.fullmatch(body.room):
            raise Fault(
                "bad_request", at="$.room", why="not 22 to 64 of the characters A-Za-z0-9_-"
            )
        name = codec.clean_name(body.name)

        def enter(keyed: KeyedRequest) -> Seated:
            with self._joins.count_join(caller_address()):
                code = self._tables.find_room(body.room)
                if code is None:
                    self._joins.count_new_word(caller_address())
                    seated = self._tables.create_room(keyed, body.room, name, body.variant)
                    if seated is not None:
                        return seated
                    code = self._tables.find_room(body.room)
                if code is None:
                    raise Fault("busy")  # the table was made and deleted in the meantime
                if self._find_callers_seat(code):
                    raise _AtTable(code)
                try:
                    return self._tables.join(keyed, code, TakeSeat(name=name), caller_address())
                except Denied as denied:
                    if denied.error.ruling == "unique-names":
                        raise
                    raise _AtTable(code) from denied

        try:
            return self._seated_answer(self._idempotent(Seated, enter))
        except _AtTable as found:
            return json_response({"table": found.code})

    def take_seat(self, typed: str) -> Response:
        return self._join(typed, TakeSeat(name=_requested_name()))

    def ask_place(self, typed: str) -> Response:
        return self._join(typed, AskPlace(name=_requested_name()))

    def _join(self, typed: str, command: TakeSeat | AskPlace) -> Response:
        def join(keyed: KeyedRequest) -> Seated:
            with self._joins.count_join(caller_address()):
                return self._tables.join(keyed, require_code(typed), command, caller_address())

        return self._seated_answer(self._idempotent(Seated, join))

    def watch(self, typed: str) -> Response:
        with self._watching(typed, counts=False) as (live, _seat):
            return json_response(live.publisher.view(None))

    def log(self, typed: str) -> Response:
        """Return the table's events that the caller may see, oldest first."""
        with self._watching(typed) as (live, seat):
            pieces = live.log.projection.lines.visible_to(seat)
        return Response(pieces, mimetype="application/json")

    def show_finished_games(self, typed: str) -> Response:
        with self._watching(typed) as (live, _seat):
            return json_response(live.log.projection.games.results_as_json())

    def show_game(self, typed: str, number: str) -> Response:
        code, span = self._finished_game(typed, number)
        return as_file(self._tables.games.read_record(code, span), f"hiss-{code}-{number}")

    def show_moments(self, typed: str, number: str) -> Response:
        """Return a finished game moment by moment, as spectators saw it.

        If ``number`` is "example", return the example turn instead.
        """
        with self._watching(typed) as (live, _seat):
            variant = live.table.variant
            epoch = live.log.epoch
            span = None if number == "example" else live.finished_game(parse_game_number(number))
        if span is None:
            return as_moments(example(variant))
        return as_moments(self._tables.games.get_moments(live.code, epoch, span))

    def show_remarks(self, typed: str, number: str) -> Response:
        code, span = self._finished_game(typed, number)
        return json_response(self._tables.games.read_remarks(code, span.start.games))

    def add_remark(self, typed: str, number: str) -> Response:
        """Add a player's remark to a moment of a finished game. Return all remarks on that game."""
        remark: Remark = codec.decode(request.get_data(), Remark)
        with self._watching(typed) as (live, seat):
            games = self._tables.games
            span = live.finished_game(parse_game_number(number))
            games.leave_remark(live.code, span, live.seat_or_waiting(seat), remark)
            return json_response(games.read_remarks(live.code, span.start.games), 201)

    def _finished_game(self, typed: str, number: str) -> tuple[str, Span]:
        with self._watching(typed) as (live, _seat):
            return live.code, live.finished_game(parse_game_number(number))

    def make_claim(self, typed: str, seat: str) -> Response:
        code, caller = self._require_seat(typed)
        with self._joins.count_failed_guess(caller_address()):
            make = partial(self._tables.create_claim, code=code, caller=caller, seat=seat)
            claim = self._idempotent(Claim, make, caller)
        url = self._address.link(request, f"t/{code}#claim={claim.claim}")
        answer = {"claim": claim.claim, "url": url, "expires_at": claim.expires_at}
        return json_response(answer, 201)

    def use_claim(self, claim: str) -> Response:
        with self._joins.count_failed_guess(caller_address()):
            use = partial(self._tables.use_claim, claim=claim)
            return self._seated_answer(self._idempotent(Seated, use))

    def describe_server(self) -> Response:
        address = self._address.as_json(request)
        return json_response({"robots": self._robots(), **address, "limits": self._limits})

    def count_robots(self) -> Response:
        return json_response(self._robots())

    def _robots(self) -> dict[str, object]:
        posts = self._tables.robots.posts
        return {"most": posts.limit, "free": posts.free, "tempers": TEMPER_NAMES}

    def _address_for_robots(self) -> str:
        """Return the address whose share of the server's robots is used for this request."""
        return OWN_MACHINE if self._is_local(request.environ) else caller_address()

    def practise(self) -> Response:
        body: Practice = codec.decode(request.get_data(), Practice)
        name = codec.clean_name(body.name)

        def make(keyed: KeyedRequest) -> Seated:
            self._joins.count(caller_address())
            address = self._address_for_robots()
            return self._tables.create_practice_table(keyed, name, body.variant, address)

        # Don't set a cookie, since nobody returns to a practice table from another page.
        return json_response(self._idempotent(Seated, make), 201)

    def add_robot(self, typed: str) -> Response:
        body: NewRobot = codec.decode(request.get_data() or b"{}", NewRobot)
        name = None if body.name is None else codec.clean_name(body.name)
        temper = _check_temper(body.temper)
        code, caller = self._require_seat(typed)
        add = partial(
            self._tables.robots.add, code=code, caller=caller, name=name, temper=temper,
            address=self._address_for_robots(),
        )  # fmt: skip
        return json_response(self._idempotent(Robot, add, caller), 201)

    def lend_seat(self, typed: str, seat: str) -> Response:
        body: StandIn = codec.decode(request.get_data(), StandIn)
        code, caller = self._require_seat(typed)
        if caller != seat:
            raise Fault("forbidden")
        lend = partial(
            self._tables.robots.lend, code=code, seat=seat, address=self._address_for_robots(),
            secret=body.secret, temper=_check_temper(body.temper),
        )  # fmt: skip
        return json_response(self._idempotent(LentSeat, lend, caller), 201)

    def address(self) -> Response:
        return json_response(self._address.as_json(request))

    def list_variants(self) -> Response:
        """Return a summary of every variant, beginning with the default one."""
        default = self._tables.default_variant
        variants = self._tables.variants.values()
        others = [variant for variant in variants if variant is not default]
        return json_response(
            [
                {**_summarise(variant), **_list_expansions(variant, variants)}
                for variant in (default, *others)
            ]
        )

    def show_variant(self, id: str) -> Response:
        variant = self._tables.variants.get(id)
        if variant is None:
            raise Fault("not_found", what="variant", variant=id[:40])
        return variant_response(variant, variant.form(variant.players.least))

    def show_tables_variant(self, typed: str) -> Response:
        """Return the variant that this table plays, with its house rules.

        With ``game`` in the query, return the variant of that finished game instead. The query's
        keys ``language`` and ``brief`` make the response smaller (see ``variant_response``).
        """
        with self._joins.count_failed_guess(caller_address()):
            code, _seat = self._code_and_seat(typed)
            with self._tables.at(code) as live:
                game = request.args.get("game")
                table = live.finished_game(parse_game_number(game)).start if game else live.table
        return variant_response(table.variant, table.form)

    @contextmanager
    def _watching(
        self, typed: str, *, counts: bool = True
    ) -> Iterator[tuple[LiveTable, str | None]]:
        """Yield the table and the caller's seat (None for a spectator).

        This counts as one of the caller's commands, unless ``counts`` is False. Raise ``Fault`` if
        the caller may not watch the table.
        """
        with self._joins.count_failed_guess(caller_address()):
            code, seat = self._code_and_seat(typed)
            with self._tables.at(code) as live:
                lobby.check_watching(live.table, seat)
                if counts:
                    self._commands.count(f"{code} {seat}" if seat else caller_address())
                yield live, seat


def _list_expansions(box: Variant, variants: Iterable[Variant]) -> Json:
    """Return the fields that connect a box with the variants that add an expansion to it."""
    if box.expands is not UNSET:
        return {"expands": box.expands}
    expansions = [
        {
            "id": variant.expansion,
            "titles": {
                language: text.expansion or text.title for language, text in variant.texts.items()
            },
            "variant": variant.id,
        }
        for variant in variants
        if variant.expands == box.id
    ]
    return {"expansions": expansions} if expansions else {}


def _summarise(variant: Variant) -> Json:
    variant = variant.with_filled_texts
    texts = variant.words
    return {
        "id": variant.id,
        "family": variant.family,
        "title": texts.title,
        "titles": {language: own.title for language, own in variant.texts.items()},
        "about": texts.about,
        "language": variant.language,
        "languages": sorted(variant.texts),
        "players": variant.players,
        "window": variant.window,
        **variant.summary,
    }


def _requested_name() -> str:
    """Return the player's name from the request's body."""
    return codec.clean_name(codec.decode(request.get_data(), NewSeat).name)


def _check_temper(temper: str | None) -> str | None:
    """Return the name of a temper (style of play). Raise ``Fault`` if there is no such temper."""
    if temper is not None and temper not in TEMPER_NAMES:
        raise Fault("bad_request", at="$.temper", why=f"one of {', '.join(TEMPER_NAMES)}")
    return temper
