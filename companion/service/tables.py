"""The table service: every table that somebody is at, and the ways to a seat.

A table is loaded from its log when it is asked for and forgotten when nobody has been
there for long. This module must not know of HTTP or sockets.
"""

import threading
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from companion.rules import families
from companion.rules.core.commands import AskPlace, ClaimSeat, Moment, TakeSeat
from companion.rules.core.events import Happened, PlaceAsked, SeatTaken
from companion.rules.core.evolve import evolve
from companion.rules.core.referee import decide
from companion.rules.core.rulings import Forbidden, Refused
from companion.rules.core.variant import Variant
from companion.service import answers, clock, codec, codes
from companion.service.answers import Denied, Error
from companion.service.clock import Alarms
from companion.service.errors import Fault
from companion.service.live_table import AGAIN_MS, MOST_EVENTS, LiveTable
from companion.service.logs import bug, line
from companion.service.once import Claim, Errand, Out, Seated, opening
from companion.service.presence import Audience
from companion.storage import statements
from companion.storage.database import Busy, Conflict
from companion.storage.store import Store

CLAIM_MS = 15 * 60 * 1000
"""How long a claim is good."""

HEAD_SECONDS = 5

SWEEP_SECONDS = 3600

DAY_MS = 24 * 3600 * 1000

OWN_VARIANT = "quarantined"


class Tables:
    """All tables of one store."""

    def __init__(
        self,
        kept: Store,
        variants: Mapping[str, Variant],
        awake: int,
        keep_days: int = 0,
        most: int = MOST_EVENTS,
    ) -> None:
        self.variants = variants
        self._store = kept
        self._awake, self._keep_days, self._most = awake, keep_days, most
        self._audience: Audience
        self._alarms, self._news = Alarms(self._ring), Alarms(self._tell_presence)
        self._lock = threading.Lock()
        self._live: OrderedDict[str, LiveTable] = OrderedDict()
        self._stopped = threading.Event()

    def open(self, audience: Audience) -> None:
        """From now on windows close and connections hear what happens."""
        self._audience = audience
        self._alarms.start()
        self._news.start()
        threading.Thread(target=self._tell_heads, name="heads", daemon=True).start()
        threading.Thread(target=self._sweep, name="sweep", daemon=True).start()

    def close(self) -> None:
        """Nothing happens by itself any more."""
        self._stopped.set()
        self._alarms.stop()
        self._news.stop()

    def __len__(self) -> int:
        return len(self._live)

    @property
    def own_variant(self) -> Variant:
        """The variant of tables that name none, whose words the service speaks."""
        return self.variants.get(OWN_VARIANT) or next(iter(self.variants.values()))

    def error(self, fault: Fault, language: str | None = None) -> Error:
        """What is wrong with a request that concerns no table, in that language if possible."""
        return answers.fault(self.own_variant, fault, language)

    def healthy(self) -> bool:
        """Whether windows close and what is said can be written."""
        return self._alarms.running and self._store.running

    def ready(self) -> bool:
        """Whether the store takes what is said."""
        return self._store.ready()

    def version(self, code: str) -> int:
        """The table's version if it is in memory, for whom the rest doesn't matter."""
        live = self._live.get(code)
        return live.version if live else 0

    # --- one table ---------------------------------------------------------------------

    @contextmanager
    def at(self, code: str) -> Iterator[LiveTable]:
        """The table, locked and loaded; raises ``Fault`` when there is none, or ``Denied``."""
        while True:
            live = self._live_table(code)
            with live.lock:
                if live.closed:
                    continue
                try:
                    self._wake(live)
                    yield live
                except Refused as refused:
                    raise Denied(live.error(refused)) from None
                gone = live.dismissed()
            break
        for sid in gone:
            self._audience.close(sid)

    def _wake(self, live: LiveTable) -> None:
        try:
            live.wake()
        except Fault:
            self._forget(live)
            raise

    def _live_table(self, code: str) -> LiveTable:
        with self._lock:
            if code not in self._live:
                self._rest()
                self._live[code] = LiveTable(
                    code, self._store, self._audience, self._alarms, self._news, self._most
                )
            self._live.move_to_end(code)
            return self._live[code]

    def _forget(self, live: LiveTable) -> None:
        live.closed = True
        self._live.pop(live.code, None)

    def _rest(self) -> None:
        """Forgets the tables that were not asked for longest, if nobody is there."""
        over = len(self._live) - self._awake
        for live in list(self._live.values())[: max(0, over)]:
            if live.presence.viewers or live.code in self._alarms:
                continue
            if live.lock.acquire(blocking=False):
                self._forget(live)
                live.lock.release()

    def _ring(self, code: str) -> None:
        try:
            with self.at(code) as live:
                live.tick()
        except (Busy, Fault):
            self._alarms.set(code, clock.now() + AGAIN_MS)
        except Exception:  # one table's trouble doesn't stop the others' clock
            bug("alarm")

    def _tell_presence(self, code: str) -> None:
        live = self._live.get(code)
        if live is None:
            return
        with live.lock:
            try:
                live.tell_presence()
            except Exception:
                bug("presence")

    def _tell_heads(self) -> None:
        while not self._stopped.wait(HEAD_SECONDS):
            for live in list(self._live.values()):
                try:
                    live.tell_head()
                except Exception:
                    bug("head")

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
            if not live.closed and not live.presence.viewers:
                self._store.write(*statements.delete_table(code))
                self._forget(live)
                line("deleted", table=code)

    # --- ways to a seat ----------------------------------------------------------------

    def again(self, errand: Errand, kind: type[Out]) -> Out | None:
        """What was handed out for this errand before; raises ``Fault``, ``Busy``."""
        return errand.again(self._store, kind)

    def create(
        self, errand: Errand, name: str, variant_id: str | None, options: dict[str, Any]
    ) -> Seated:
        """A new table, whose maker has the first seat and is its host."""
        variant = self.own_variant if variant_id is None else self.variants.get(variant_id)
        if variant is None:
            raise Fault("not_found", what="variant", at="$.variant", variant=variant_id)
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
        with self.at(code) as live:
            events, at = live.decided(heard, None)
            seat = next(e.seat for e in events if isinstance(e, SeatTaken | PlaceAsked))
            seated = Seated(code, seat, errand.secret)
            live.append(events, at, opening(seated), *errand.done(seated))
        return seated

    def seat_of(self, code: str, token: str) -> str:
        """The seat which this token opens; raises ``Fault``."""
        found = self._store.token(codes.hashed(token))
        if found is None or found[0] != code:
            raise Fault("unauthenticated")
        with self.at(code) as live:
            if live.placed(found[1]) is None:
                raise Fault("unauthenticated")
        return found[1]

    def opens(self, code: str, seat: str, hashed: str) -> bool:
        """Whether the token with this hash still opens the seat."""
        return self._store.token(hashed) == (code, seat)

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
        with self.at(code) as live:
            found = self._store.claim(hashed)
            if found is None or found[2] < clock.now() or live.seated(seat) is None:
                raise Fault("not_found", what="claim")
            live.change(
                ClaimSeat(seat=seat),
                seat,
                statements.delete_claim(hashed),
                statements.delete_tokens(code, seat),
                opening(seated),
                *errand.done(seated),
            )
            live.supersede(seat)
        return seated
