"""The calls over HTTP: tables, seats, claims, logs and variants.

Handlers parse, hand over and answer. This module must not know what is allowed.
"""

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import msgspec
from flask import Blueprint, Response, request
from msgspec import Struct, field

from companion.rules.core import lobby
from companion.rules.core.commands import AskPlace, TakeSeat, Text
from companion.rules.core.variant import Variant
from companion.service import codec, codes, names
from companion.service.answers import Denied
from companion.service.errors import Fault
from companion.service.finished import Span
from companion.service.live_table import LiveTable
from companion.service.once import Claim, Errand, Out, Seated
from companion.service.replay.shelf import Shelf
from companion.service.tables import Tables
from companion.storage.database import Busy
from companion.web import access, replays
from companion.web.address import Address
from companion.web.answers import answered
from companion.web.rates import Rates, household


class NewTable(Struct, frozen=True, forbid_unknown_fields=True):
    """Who makes a table, and how it is to be."""

    name: Text
    variant: Text | None = None
    options: dict[str, Any] = field(default_factory=dict)


class NewSeat(Struct, frozen=True, forbid_unknown_fields=True):
    """Who joins."""

    name: Text


class Api:
    """The calls, on these tables."""

    def __init__(self, tables: Tables, joins: Rates, commands: Rates, address: Address) -> None:
        self._tables, self._address = tables, address
        self._joins, self._commands = joins, commands
        self._shelf = Shelf(tables)

    def blueprint(self) -> Blueprint:
        """Where each call is found."""
        api = Blueprint("api", __name__, url_prefix="/api")
        api.post("/tables")(self.make_table)
        api.post("/tables/<typed>/seats")(self.take_seat)
        api.post("/tables/<typed>/waiting")(self.ask_place)
        api.get("/tables/<typed>")(self.watch)
        api.get("/tables/<typed>/log")(self.log)
        api.get("/tables/<typed>/games/<number>")(self.show_game)
        api.get("/tables/<typed>/games/<number>/moments")(self.show_moments)
        api.get("/tables/<typed>/variant")(self.show_tables_variant)
        api.post("/tables/<typed>/seats/<seat>/claim")(self.make_claim)
        api.post("/claims/<claim>")(self.use_claim)
        api.get("/address")(self.address)
        api.get("/variants")(self.list_variants)
        api.get("/variants/<id>")(self.show_variant)
        return api

    def make_table(self) -> Response:
        """A new table, whose maker is its host."""
        wanted: NewTable = codec.decoded(request.get_data(), NewTable)
        name = names.clean(wanted.name)

        def create(errand: Errand) -> Seated:
            self._joins.count(_who())
            return self._tables.create(errand, name, wanted.variant, wanted.options)

        return _seated(self._once(Seated, create))

    def take_seat(self, typed: str) -> Response:
        """Another seat at the table."""
        return self._join(typed, TakeSeat(name=_named()))

    def ask_place(self, typed: str) -> Response:
        """A seat in the next game, for whoever comes while one is on."""
        return self._join(typed, AskPlace(name=_named()))

    def _join(self, typed: str, heard: TakeSeat | AskPlace) -> Response:
        def join(errand: Errand) -> Seated:
            self._joins.count(_who())
            return self._tables.join(errand, _code(typed), heard)

        return _seated(self._once(Seated, join))

    def watch(self, typed: str) -> Response:
        """The spectator's view."""
        with self._watched(typed) as (live, _seat):
            return answered(live.view(None))

    def log(self, typed: str) -> Response:
        """The table's events, oldest first, as far as the caller may see them."""
        with self._watched(typed) as (live, seat):
            self._commands.count(f"{live.code} {seat}" if seat else _who())
            pieces = live.log(seat)
        return Response(_in_turn(pieces), mimetype="application/json")

    def show_game(self, typed: str, number: str) -> Response:
        """A finished game as a file."""
        code, span = self._finished(typed, number)
        return replays.as_file(self._shelf.record(code, span), f"hiss-{code}-{number}")

    def show_moments(self, typed: str, number: str) -> Response:
        """A finished game, moment by moment, as spectators saw it."""
        code, span = self._finished(typed, number)
        return replays.as_moments(self._shelf.moments(code, span))

    def _finished(self, typed: str, number: str) -> tuple[str, Span]:
        with self._watched(typed) as (live, seat):
            self._commands.count(f"{live.code} {seat}" if seat else _who())
            return live.code, live.game(replays.number(number))

    def make_claim(self, typed: str, seat: str) -> Response:
        """A claim on a seat, by its player or the host."""
        with self._joins.guess(_who()):
            code = _code(typed)
            caller = self._caller(code)
            if caller is None:
                raise Fault("unauthenticated")
            self._commands.count(f"{code} {caller}")
            give = partial(self._tables.claim_link, code=code, caller=caller, seat=seat)
            made = self._once(Claim, give, caller)
        url = self._address.link(request, f"t/{code}#claim={made.claim}")
        claim = {"claim": made.claim, "url": url, "expires_at": made.expires_at}
        return answered(claim, 201)

    def use_claim(self, claim: str) -> Response:
        """The seat on this device."""
        with self._joins.guess(_who()):
            use = partial(self._tables.claim, claim=claim)
            return _seated(self._once(Seated, use))

    def address(self) -> Response:
        """Where others reach this server, as far as it can tell."""
        known = {"origin": self._address.origin(request), "tunnel": self._address.tunnel}
        return answered({key: value for key, value in known.items() if key == "origin" or value})

    def list_variants(self) -> Response:
        """Every variant, in short; first that of tables that name none."""
        own = self._tables.own_variant
        others = [one for one in self._tables.variants.values() if one is not own]
        return answered([_in_short(one) for one in (own, *others)])

    def show_variant(self, id: str) -> Response:
        """One variant with cards, effects, rulings and texts."""
        variant = self._tables.variants.get(id)
        if variant is None:
            raise Fault("not_found", what="variant", variant=id[:40])
        return answered(msgspec.Raw(variant.to_json()))

    def show_tables_variant(self, typed: str) -> Response:
        """The variant that this table plays, as it was when the table was made; all its
        texts, or the table's own and those in one ``language``."""
        with self._joins.guess(_who()):
            code = _code(typed)
            if self._caller(code) is None:
                self._joins.check(_who())
            with self._tables.at(code) as live:
                variant = live.table.variant
        if (language := request.args.get("language")) is not None:
            spoken = {language, variant.language} & variant.texts.keys()
            texts = {code: variant.texts[code] for code in spoken}
            variant = msgspec.structs.replace(variant, texts=texts)
        return answered(msgspec.Raw(variant.to_json()))

    def _once(self, kind: type[Out], do: Callable[[Errand], Out], caller: str = "") -> Out:
        """What is done for the errand, or was done for it before."""
        asked = (request.path.encode(), caller.encode(), request.get_data())
        errand = Errand(request.headers.get("Idempotency-Key"), *asked)
        try:
            return self._tables.again(errand, kind) or do(errand)
        except (Fault, Denied, Busy):
            known = self._tables.again(errand, kind)  # it may have come twice at once
            if known is None:
                raise
            return known

    @contextmanager
    def _watched(self, typed: str) -> Iterator[tuple[LiveTable, str | None]]:
        """The table and the caller's seat at it, if the caller may watch."""
        with self._joins.guess(_who()):
            code = _code(typed)
            seat = self._caller(code)
            if seat is None:  # a token can't be guessed, a code can
                self._joins.check(_who())
            with self._tables.at(code) as live:
                lobby.check_watching(live.table, seat)
                yield live, seat

    def _caller(self, code: str) -> str | None:
        """The seat of the caller's token, else of the cookie; a cookie that is void is none."""
        token = access.bearer(request.environ)
        if token is not None:
            return self._tables.seat_of(code, token)
        return self._tables.seat_of_cookie(code, access.cookie_of(request.environ, code))


def _in_short(variant: Variant) -> dict[str, Any]:
    words = variant.words
    return {
        "id": variant.id,
        "family": variant.family,
        "title": words.title,
        "titles": {language: texts.title for language, texts in variant.texts.items()},
        "about": words.about,
        "language": variant.language,
        "languages": sorted(variant.texts),
        "players": variant.players,
        "window": variant.window,
        **variant.in_short,
    }


def _in_turn(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """One piece after the other; whoever else waits has their turn between them."""
    for piece in pieces:
        yield piece
        time.sleep(0)


def _who() -> str:
    """Whose rate the request counts in."""
    return household(request.remote_addr or "")


def _named() -> str:
    """The name of whoever joins."""
    wanted: NewSeat = codec.decoded(request.get_data(), NewSeat)
    return names.clean(wanted.name)


def _code(typed: str) -> str:
    code = codes.as_code(typed)
    if code is None:
        raise Fault("not_found", what="table", table=typed[:40])
    return code


def _seated(seated: Seated) -> Response:
    """The seat and its token, which the browser keeps in a cookie too."""
    answer = answered(seated, 201)
    answer.set_cookie(
        access.cookie_name(seated.table),
        seated.token,
        max_age=access.COOKIE_SECONDS,
        path=f"{request.root_path}/",  # both the calls and Socket.IO's path need it
        secure=request.is_secure,
        httponly=True,
        samesite="Lax",
    )
    return answer
