"""The table service: all tables of one store, the ways to a seat, and how tables end.

This module must not know of HTTP or sockets.
"""

import random
import threading
from collections.abc import Mapping
from typing import Any

from companion.rules import families
from companion.rules.core.commands import AskPlace, ClaimSeat, Moment, TakeSeat
from companion.rules.core.events import Happened, evolve
from companion.rules.core.referee import decide
from companion.rules.core.rulings import Forbidden, Refused
from companion.rules.core.table_events import PlaceAsked, SeatTaken
from companion.rules.core.variant import Variant
from companion.service import answers, clock, codec, codes
from companion.service.answers import Denied, Error
from companion.service.bus import Fellows, Gone
from companion.service.crew import Crew
from companion.service.errors import Fault
from companion.service.live_table import MOST_EVENTS
from companion.service.logs import bug, line
from companion.service.once import Claim, Errand, Out, Seated, opening
from companion.service.presence import Audience
from companion.service.staffed import BRISK, Staffed, check_played
from companion.storage import statements
from companion.storage.database import Busy, Conflict
from companion.storage.statements import Statement
from companion.storage.store import Store

CLAIM_MS = 15 * 60 * 1000
"""How long a claim is good."""

SWEEP_SECONDS = 3600

DAY_MS = 24 * 3600 * 1000

OWN_VARIANT = "quarantined"


class Tables(Staffed):
    """All tables of one store."""

    def __init__(
        self,
        kept: Store,
        variants: Mapping[str, Variant],
        awake: int,
        keep_days: int = 0,
        most: int = MOST_EVENTS,
        crew: Crew | None = None,
        fellows: Fellows | None = None,
    ) -> None:
        super().__init__(kept, awake, most, Crew() if crew is None else crew, fellows or Fellows())
        self.variants, self._keep_days = variants, keep_days

    def open(self, audience: Audience) -> None:
        """From now on windows close, connections hear what happens, and old tables are deleted."""
        super().open(audience)
        self.look_after_robots()
        threading.Thread(target=self._sweep, name="sweep", daemon=True).start()

    @property
    def own_variant(self) -> Variant:
        """The variant of tables that name none, whose words the service speaks."""
        return self.variants.get(OWN_VARIANT) or next(iter(self.variants.values()))

    def error(self, fault: Fault, language: str | None = None) -> Error:
        """What is wrong with a request that concerns no table, in that language if possible."""
        return answers.fault(self.own_variant, fault, language)

    # --- what nobody needs any more ----------------------------------------------------

    def _sweep(self) -> None:
        wait = 0
        while not self._stopped.wait(wait):
            wait = SWEEP_SECONDS
            try:
                now = clock.now()
                self._store.write(statements.delete_claims(now), statements.delete_errands(now))
                for code in self._untouched(now):
                    self._delete(code)
            except Busy:
                continue
            except Exception:
                bug("sweep")

    def _untouched(self, now: int) -> list[str]:
        return self._store.untouched(now - self._keep_days * DAY_MS) if self._keep_days else []

    def _delete(self, code: str) -> None:
        """The table is gone, unless somebody is there."""
        live = self._live_table(code)
        with live.lock:
            if not live.closed and not live.presence.viewers and not live.presence.others:
                self._store.write(*statements.delete_table(code))
                self._forget(live)
                self._dismiss(code)
                self.fellows.tell(code, Gone(by=self.fellows.me))
                line("deleted", table=code)

    # --- ways to a seat ----------------------------------------------------------------

    def again(self, errand: Errand, kind: type[Out]) -> Out | None:
        """What was handed out for this errand before; raises ``Fault``, ``Busy``."""
        return errand.again(self._store, kind)

    def practise(self, errand: Errand, name: str, variant_id: str | None) -> Seated:
        """A new table at which two robots sit already, who keep nobody waiting."""
        check_played(self._chosen(variant_id))
        self._have(2)
        seated = self.create(errand, name, variant_id, {})
        for temper in random.sample(BRISK, 2):
            self.add_robot(Errand(), seated.table, seated.seat, None, temper)
        return seated

    def _chosen(self, variant_id: str | None) -> Variant:
        variant = self.own_variant if variant_id is None else self.variants.get(variant_id)
        if variant is None:
            raise Fault("not_found", what="variant", at="$.variant", variant=variant_id)
        return variant

    def create(
        self, errand: Errand, name: str, variant_id: str | None, options: dict[str, Any]
    ) -> Seated:
        """A new table, whose maker has the first seat and is its host."""
        variant = self._chosen(variant_id)
        self._store.keep_variant(variant.digest, variant.to_json())
        while True:
            try:
                return self._create(errand, codes.new_code(), name, variant, options)
            except Conflict:
                if known := self.again(errand, Seated):
                    return known

    def _create(
        self, errand: Errand, code: str, name: str, variant: Variant, options: dict[str, Any]
    ) -> Seated:
        now = clock.now()
        table, happened = families.new_table(code, variant), list[Happened]()
        wishes = codec.wishes(options, table.family)
        for heard in (TakeSeat(name=name), *((wishes,) if wishes else ())):
            try:
                events = decide(table, heard, sender=table.host, moment=Moment(now=now))
            except Refused as refused:
                raise Denied(answers.error(variant, refused, table)) from None
            happened += events
            for event in events:
                table = evolve(table, event)
        seated = Seated(code, table.seats[0].seat, errand.secret)
        self._store.write(
            statements.insert_table(code, variant.digest, now),
            statements.insert_events(code, 1, now, [codec.encode(event) for event in happened]),
            opening(seated),
            *errand.done(seated),
        )
        return seated

    def join(self, errand: Errand, code: str, heard: TakeSeat | AskPlace) -> Seated:
        """Another seat at the table: at once in the lobby, else in the next game."""

        def seated(events: tuple[Happened, ...]) -> Seated:
            seat = next(e.seat for e in events if isinstance(e, SeatTaken | PlaceAsked))
            return Seated(code, seat, errand.secret)

        def kept(events: tuple[Happened, ...]) -> tuple[Statement, ...]:
            return opening(seated(events)), *errand.done(seated(events))

        with self.at(code) as live:
            return seated(live.settle(heard, None, kept))

    def seat_of(self, code: str, token: str) -> str:
        """The seat which this token opens; raises ``Fault``."""
        hashed = codes.hashed(token)
        found = self.crew.opens(hashed) or self._store.token(hashed)
        if found is None or found[0] != code:
            raise Fault("unauthenticated")
        with self.at(code) as live:
            if live.heard(found[1]) is None:
                raise Fault("unauthenticated")
        return found[1]

    def opens(self, code: str, seat: str, hashed: str) -> bool:
        """Whether the token with this hash still opens the seat."""
        return (self.crew.opens(hashed) or self._store.token(hashed)) == (code, seat)

    def seat_of_cookie(self, code: str, cookie: str | None) -> str | None:
        """The seat which a browser's cookie opens; one that is void is none."""
        try:
            return self.seat_of(code, cookie) if cookie else None
        except Fault:
            return None

    def claim_link(self, errand: Errand, code: str, caller: str, seat: str) -> Claim:
        """A claim on the seat, for its own player or the host to hand on."""
        claim = Claim(errand.secret, clock.now() + CLAIM_MS)
        hashed = codes.hashed(claim.claim)
        with self.at(code) as live:
            if live.seated(seat) is None:
                raise Fault("not_found", what="seat", seat=seat)
            if caller not in (seat, live.table.host):
                raise Forbidden("host-acts-for", seat=seat)
            opening = statements.insert_claim(code, seat, hashed, claim.expires_at)
            self._store.write(opening, *errand.done(claim))
        return claim

    def claim(self, errand: Errand, claim: str) -> Seated:
        """The seat on another device; its old token is void and its connection closed."""
        hashed = codes.hashed(claim)
        found = self._store.claim(hashed)
        if found is None:
            raise Fault("not_found", what="claim")
        code, seat, _ = found
        seated = Seated(code, seat, errand.secret)

        def check() -> None:
            still = self._store.claim(hashed)
            if still is None or still[2] < clock.now() or live.seated(seat) is None:
                raise Fault("not_found", what="claim")

        def kept(_events: tuple[Happened, ...]) -> tuple[Statement, ...]:
            check()  # another process may have been faster
            used = statements.delete_claim(hashed), statements.delete_tokens(code, seat)
            return *used, opening(seated), *errand.done(seated)

        with self.at(code) as live:
            check()
            live.settle(ClaimSeat(seat=seat), seat, kept)
            live.supersede(seat)
        return seated
