"""All tables of one store: how they are made, found and deleted, and the ways to a seat."""

from collections.abc import Collection, Mapping

from companion.rules import families
from companion.rules.core.commands import (
    AskPlace,
    ClaimSeat,
    Command,
    DecisionInputs,
    HouseRules,
    TakeSeat,
)
from companion.rules.core.events import Event, evolve
from companion.rules.core.family import Json
from companion.rules.core.referee import decide
from companion.rules.core.rulings import Forbidden, Refused
from companion.rules.core.table_events import PlaceAsked, SeatTaken
from companion.rules.core.variant import Variant
from companion.service import codec, errors
from companion.service.clock import Timers
from companion.service.errors import Damaged, Denied, Error, Fault, Share
from companion.service.games.finished import FinishedGames
from companion.service.live_tables import LiveTables
from companion.service.logs import line
from companion.service.peers import Gone, Peers
from companion.service.publisher import Audience
from companion.service.requests import Claim, KeyedRequest, Result, Seated, hash_secret, opens_with
from companion.service.robot_desk import RobotDesk, brisk, check_played, key_of, seat_robot
from companion.service.sync import Sync
from companion.service.workers import Posts, Reservation
from companion.storage import statements
from companion.storage.database import Busy, Conflict
from companion.storage.statements import Statement
from companion.storage.store import Store

CLAIM_MS = 15 * 60 * 1000  # how long a claim is good
SWEEP_SECONDS = 3600
DAY_MS = 24 * 3600 * 1000
PRACTICE_ROBOTS = 2  # how many robots sit at a new practice table
VISIT_MS = 3600 * 1000  # how old what is noted of a seat's connection may get

OWN_VARIANT = "quarantined"


class Tables:
    """All tables of one store. ``live``: those in memory, ``limit`` of them; ``robots``: who plays
    there; ``games``: those that are over; ``sync``: keeps them in step with store and peers."""

    def __init__(
        self,
        store: Store,
        variants: Mapping[str, Variant],
        limit: int,
        keep_days: int = 0,
        events_limit: int = 100_000,
        posts: Posts | None = None,
        peers: Peers | None = None,
        timers: Timers | None = None,
    ) -> None:
        self._store = store
        self.variants = variants
        self._keep_days = keep_days
        self._timers = timers or Timers()
        self.clock = self._timers.clock
        self.peers = peers or Peers()
        self.live = LiveTables(store, self._timers, self.peers, limit, events_limit)
        posts = Posts() if posts is None else posts
        self.robots = RobotDesk(self.live, store, posts, self.peers, self._timers)
        self.games = FinishedGames(store, self.clock, self.live.damages)
        self.live.after_access.append(self.robots.settle)
        self.sync = Sync(self.live, store, self.peers, self._timers, posts.at)
        if self.peers.any:
            self.live.after_access.append(self.sync.settle)
            self.live.after_release.append(self.sync.take_in)
        self.at = self.live.at

    def open(self, audience: Audience) -> None:
        """From now on windows close, connections hear what happens, and old tables are deleted."""
        self.live.open(audience)
        self.sync.open(audience)
        self.robots.open()
        self._timers.every(SWEEP_SECONDS, "sweep", self._sweep).soon()

    def close(self) -> None:
        self._timers.stop()
        self.sync.close()

    def healthy(self) -> bool:
        return self.live.alarms.running and self._store.running

    def ready(self) -> bool:
        return self._store.ready()

    @property
    def own_variant(self) -> Variant:
        """The variant of tables that name none, whose words the service speaks."""
        return self.variants.get(OWN_VARIANT) or next(iter(self.variants.values()))

    def error(self, fault: Fault, language: str | None = None) -> Error:
        """What is wrong with a request that concerns no table, in that language if possible."""
        return errors.fault(self.own_variant, fault, language)

    def _sweep(self) -> None:
        now = self.clock.now()
        expiring = statements.StoredClaim, statements.StoredRequest, statements.Visit
        self._store.write(*(statements.delete_expired(kind, now) for kind in expiring))
        if self._keep_days:
            for code in self._store.tables_idle_since(now - self._keep_days * DAY_MS):
                self._delete(code)

    def _delete(self, code: str) -> None:
        """The table is gone, unless somebody is there."""
        live = self.live.get_or_create(code)
        with live.lock:
            if not live.closed and not live.presence.sids and not live.presence.others:
                self._store.write(*statements.delete_table(code))
                self.live.forget(live)
                self.robots.dismiss(code)
                self.live.damages.clear(code)
                self.peers.publish(code, Gone(by=self.peers.me))
                line("deleted", table=code)

    def previous_result(self, request: KeyedRequest, kind: type[Result]) -> Result | None:
        """What was handed out for this request before; raises ``Fault``, ``Busy``."""
        try:
            return request.previous_result(self._store, kind, self.clock.now())
        except Damaged as damaged:
            self.live.damages.note(damaged)
            raise

    def practise(
        self, request: KeyedRequest, name: str, variant_id: str | None, address: str = ""
    ) -> Seated:
        """Make a table at which two robots sit, which keep nobody waiting. Their share is taken
        first, and the table and its robots are stored together or not at all."""
        variant = self._chosen_variant(variant_id)
        check_played(variant)
        with self.robots.reservation(address, PRACTICE_ROBOTS) as wanted:
            self.robots.reserve(wanted)
            seated = self._make(request, name, variant, {}, None, wanted)
            with self.at(seated.table) as live:
                self.robots.bring(live, address)
        return seated

    def _chosen_variant(self, variant_id: str | None) -> Variant:
        variant = self.own_variant if variant_id is None else self.variants.get(variant_id)
        if variant is None:
            raise Fault("not_found", what="variant", at="$.variant", variant=variant_id)
        return variant

    def create(
        self, request: KeyedRequest, name: str, variant_id: str | None, options: Json,
        rules: Json | None = None,
    ) -> Seated:  # fmt: skip
        return self._make(request, name, self._chosen_variant(variant_id), options, rules)

    def _make(
        self, request: KeyedRequest, name: str, variant: Variant, options: Json,
        rules: Json | None, robots: Reservation | None = None,
    ) -> Seated:  # fmt: skip
        """A new table, under a code that no other one has, with the robots that are reserved."""
        self._store.keep_variant(variant.digest, variant.to_json())
        while True:
            code = codec.new_code()
            if robots is not None:
                robots.code = code
            count = robots.robots if robots else 0
            try:
                return self._create(request, code, name, variant, options, rules, count)
            except Conflict:
                if known := self.previous_result(request, Seated):
                    return known

    def _create(
        self, request: KeyedRequest, code: str, name: str, variant: Variant, options: Json,
        rules: Json | None, robots: int,
    ) -> Seated:  # fmt: skip
        now = self.clock.now()
        table = families.new_table(code, variant)
        happened = list[Event]()
        wishes = codec.wishes(options, table.family)
        house = HouseRules(rules=rules) if rules else None

        def do(command: Command) -> None:
            nonlocal table
            try:
                events = decide(table, command, sender=table.host, inputs=DecisionInputs(now=now))
            except Refused as refused:
                raise Denied(errors.error(table, refused)) from None
            happened.extend(events)
            for event in events:
                table = evolve(table, event)

        for said in (TakeSeat(name=name), *filter(None, (wishes, house))):
            do(said)
        for temper in brisk(robots):
            do(seat_robot(table, temper))
        seated = Seated(code, table.seats[0].seat, request.secret)
        self._store.write(
            statements.insert(statements.StoredTable(code, variant.digest, now)),
            statements.insert_events(code, 1, now, [codec.encode(event) for event in happened]),
            opens_with(seated),
            *(key_of(code, seat.seat) for seat in table.seats if seat.robot),
            *request.statements(seated, now),
        )
        return seated

    def join(
        self, request: KeyedRequest, code: str, said: TakeSeat | AskPlace, address: str = ""
    ) -> Seated:
        """Another seat at the table: at once in the lobby, else in the next game. Each address has
        a share of the places to wait for."""

        def result_of(events: tuple[Event, ...]) -> Seated:
            seat = next(e.seat for e in events if isinstance(e, SeatTaken | PlaceAsked))
            return Seated(code, seat, request.secret)

        def more(events: tuple[Event, ...]) -> tuple[Statement, ...]:
            if isinstance(said, AskPlace):
                share = Share.of("waiting", live.table.variant.players.most)
                waiting = [live.presence.address_of(one.seat) for one in live.table.waiting]
                share.check(waiting.count(address))
            done = result_of(events)
            live.presence.asked_from[done.seat] = address
            return opens_with(done), *request.statements(done, self.clock.now())

        with self.at(code) as live:
            try:
                return result_of(live.apply_internal(said, None, more))
            except Refused as refused:
                if (refused.ruling, refused.case) == ("unique-names", "away"):
                    live.knock(str(refused.facts["seat"]))
                raise

    def seat_of(self, code: str, token: str) -> str:
        """The seat which this token opens; raises ``Fault``."""
        found = self._seat_for_hash(hash_secret(token))
        if found is None or found[0] != code:
            raise Fault("unauthenticated")
        with self.at(code) as live:
            if live.commanding_seat(found[1]) is None:
                raise Fault("unauthenticated")
        return found[1]

    def seat_for_token(self, code: str, seat: str, hashed: str) -> bool:
        return self._seat_for_hash(hashed) == (code, seat)

    def _seat_for_hash(self, hashed: str) -> tuple[str, str] | None:
        if post := self.robots.posts.opens(hashed):
            return post
        token = self._store.one(statements.StoredToken, hash=hashed)
        return (token.code, token.seat) if token else None

    def was_here(self, hashed: str) -> bool:
        """Return True if the seat of this token was connected within the last day."""
        return self._visited_until(hashed) >= self.clock.now()

    def note_visit(self, hashed: str) -> None:
        """Note that the seat of this token is connected, unless that was noted just now."""
        now = self.clock.now()
        if self._visited_until(hashed) < now + DAY_MS - VISIT_MS:
            self._store.write(_visit(hashed, now))

    def _visited_until(self, hashed: str) -> int:
        """Until when the last connection counts, in ms; 0: there was none, or it is damaged."""
        visit = self._store.one(statements.Visit, hash=hashed)
        return visit.expires if visit and type(visit.expires) is int else 0

    def seat_of_cookie(self, code: str, cookie: str, unguarded: bool = False) -> str | None:
        """The seat which a browser's cookie opens; one that is void is none. Anybody could have
        planted an ``unguarded`` one: it counts for seats from before cookies were guarded."""
        if unguarded:
            token = self._store.one(statements.StoredToken, hash=hash_secret(cookie))
            if token is None or token.old_cookie_until < self.clock.now():
                return None
        try:
            return self.seat_of(code, cookie)
        except Fault:
            return None

    def last_used(self, tokens: Collection[str]) -> dict[str, int]:
        """When something last happened, in ms, at the table of each token that opens a seat. Where
        the store can't be asked, none is known."""
        by_hash = {hash_secret(token): token for token in tokens}
        try:
            found = self._store.last_used([*by_hash])
        except Busy:
            return {}
        return {by_hash[hash]: at for hash, at in found.items()}

    def claim_link(self, request: KeyedRequest, code: str, caller: str, seat: str) -> Claim:
        """A claim on the seat, for its own player or the host to hand on."""
        now = self.clock.now()
        claim = Claim(request.secret, now + CLAIM_MS)
        with self.at(code) as live:
            if live.current_seat(seat) is None:
                raise Fault("not_found", what="seat", seat=seat)
            if caller not in (seat, live.table.host):
                raise Forbidden("host-acts-for", seat=seat)
            deck = live.table.deck(seat)
            kept = live.table.keeps_deck(seat) and deck is not None and deck.secret is None
            if caller != seat and kept and seat in live.presence.here:
                raise Refused("own-deck", case="moves", seat=seat)
            row = statements.StoredClaim(hash_secret(claim.claim), code, seat, claim.expires_at)
            self._store.write(statements.insert(row), *request.statements(claim, now))
        return claim

    def claim(self, request: KeyedRequest, claim: str) -> Seated:
        """The seat on another device; its old token is void and its connection closed."""
        key = hash_secret(claim)
        found = self._store.one(statements.StoredClaim, hash=key)
        whole = found and codec.as_code(found.code) == found.code and type(found.expires) is int
        if not found or not whole:  # what is damaged is none
            raise Fault("not_found", what="claim")
        code = found.code
        seat = found.seat
        seated = Seated(code, seat, request.secret)

        def check() -> None:
            still = self._store.one(statements.StoredClaim, hash=key)
            if still is None or still.expires < self.clock.now() or live.current_seat(seat) is None:
                raise Fault("not_found", what="claim")

        def more(_events: tuple[Event, ...]) -> tuple[Statement, ...]:
            check()  # another process may have been faster
            before = self._store.all(statements.StoredToken, code=code, seat=seat)
            known = any(self.was_here(token.hash) for token in before)
            return (
                *([_visit(hash_secret(seated.token), self.clock.now())] if known else []),
                statements.delete(statements.StoredClaim, hash=key),
                statements.delete(statements.StoredToken, code=code, seat=seat),
                opens_with(seated),
                *request.statements(seated, self.clock.now()),
            )

        with self.at(code) as live:
            check()
            live.apply_internal(ClaimSeat(seat=seat), seat, more)
            live.publisher.supersede(seat)
        return seated


def _visit(hashed: str, now: int) -> Statement:
    return statements.note_visit(statements.Visit(hashed, now + DAY_MS))
