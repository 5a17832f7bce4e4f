"""The tables of one store. ``Tables`` creates, finds and deletes tables, and gives access to their
seats.

A token opens a seat: a new player's panel gets a token when the player creates or joins a table. A
claim moves the seat to another device. It can be used once, within 15 minutes, and makes the old
token void.
"""

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
from companion.rules.core.events import evolve
from companion.rules.core.referee import decide
from companion.rules.core.table_events import PlaceAsked, SeatTaken
from companion.rules.core.types import Event, Json
from companion.rules.text.rulings import Forbidden, Refused
from companion.rules.variants.variant import Variant
from companion.service import codec, errors
from companion.service.clock import Timers
from companion.service.errors import Damaged, Denied, Error, Fault, Share
from companion.service.fleet import Sync
from companion.service.live_tables import LiveTables
from companion.service.logs import line
from companion.service.peers.messages import Peers, TableDeleted
from companion.service.replays.finished import FinishedGames
from companion.service.requests import (
    Claim,
    KeyedRequest,
    Result,
    Seated,
    hash_secret,
    insert_token,
)
from companion.service.robot_hosting.desk import (
    RobotDesk,
    brisk_tempers,
    check_robots_can_play,
    insert_robot_key,
    seat_robot,
)
from companion.service.robot_hosting.worker_process import Posts, Reservation
from companion.service.table.publisher import Audience
from companion.storage import statements
from companion.storage.database import Busy, Conflict
from companion.storage.statements import Statement
from companion.storage.store import Store

CLAIM_MS = 15 * 60 * 1000  # lifetime of a claim
SWEEP_SECONDS = 3600  # interval at which expired rows and unused tables are deleted
DAY_MS = 24 * 3600 * 1000
PRACTICE_ROBOTS = 2  # number of robots at a new practice table
VISIT_MS = 3600 * 1000  # minimum time between two records of a seat's connection

# the default variant; its id stays the same, because logs and links contain the id
OWN_VARIANT = "quarantined"


class Tables:
    """Creates, finds and deletes the tables of one store. The web layer calls this class."""

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
        """``limit`` is the maximum number of tables in memory.

        ``events_limit`` is the maximum number of events in a log. Tables without an event for
        ``keep_days`` days are deleted, unless a seat was connected within the last day; with 0,
        tables are kept for ever.
        """
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
        self.live.after_access.append(self.robots.update_robots)
        self.sync = Sync(self.live, store, self.peers, self._timers, posts.seats_with_robots)
        if self.peers.any:
            self.live.after_access.append(self.sync.share_presence)
            self.live.after_release.append(self.sync.apply_inbox)
        self.at = self.live.at

    def open(self, audience: Audience) -> None:
        """Start the clock, send changes to clients and peers, and delete old data regularly.

        Unused tables are deleted only after the first interval, so that players who return to
        their table after a long time can connect before that.
        """
        self.live.open(audience)
        self.sync.open(audience)
        self.robots.open()
        self._timers.every(SWEEP_SECONDS, "expired rows", self._delete_expired_rows).run_soon()
        if self._keep_days:
            self._timers.every(SWEEP_SECONDS, "unused tables", self._delete_unused_tables)

    def close(self) -> None:
        self._timers.stop()
        self.sync.close()

    def is_healthy(self) -> bool:
        return self.live.alarms.running and self._store.running

    def is_ready(self) -> bool:
        return self._store.ready()

    @property
    def default_variant(self) -> Variant:
        """The variant of a new table if the request for it names no variant.

        The error messages of requests that concern no table also come from this variant.
        """
        return self.variants.get(OWN_VARIANT) or next(iter(self.variants.values()))

    def error(self, fault: Fault, language: str | None = None) -> Error:
        """Return the error for a request that concerns no table, in this language if its texts
        exist."""
        return errors.fault(self.default_variant, fault, language)

    def _delete_expired_rows(self) -> None:
        now = self.clock.now()
        expiring = statements.StoredClaim, statements.StoredRequest, statements.Visit
        self._store.write(*(statements.delete_expired(kind, now) for kind in expiring))

    def _delete_unused_tables(self) -> None:
        now = self.clock.now()
        for code in self._store.tables_idle_since(now - self._keep_days * DAY_MS, now):
            self._delete(code)

    def _delete(self, code: str) -> None:
        """Delete a table from the store and from memory, unless somebody is connected to it."""
        live = self.live.get_or_create(code)
        with live.lock:
            if not live.closed and not live.presence.sids and not live.presence.others:
                self._store.write(*statements.delete_table(code))
                self.live.forget(live)
                self.robots.dismiss(code)
                self.live.damages.clear(code)
                self.peers.publish(code, TableDeleted(by=self.peers.me))
                line("deleted", table=code)

    def previous_result(self, request: KeyedRequest, kind: type[Result]) -> Result | None:
        """Return the result of an earlier request with the same idempotency key, or None.

        Raise ``Fault`` or ``Busy``.
        """
        try:
            return request.previous_result(self._store, kind, self.clock.now())
        except Damaged as damaged:
            self.live.damages.note(damaged)
            raise

    def create_practice_table(
        self, request: KeyedRequest, name: str, variant_id: str | None, address: str = ""
    ) -> Seated:
        """Create a practice table with two robots that keep nobody waiting.

        Reserve the robots first, then store the table and its robots in one commit.
        """
        variant = self._chosen_variant(variant_id)
        check_robots_can_play(variant)
        with self.robots.reservation(address, PRACTICE_ROBOTS) as reservation:
            self.robots.reserve(reservation)
            seated = self._create_with_new_code(request, name, variant, {}, None, reservation)
            with self.at(seated.table) as live:
                self.robots.start_at_new_table(live, address)
        return seated

    def _chosen_variant(self, variant_id: str | None) -> Variant:
        variant = self.default_variant if variant_id is None else self.variants.get(variant_id)
        if variant is None:
            raise Fault("not_found", what="variant", at="$.variant", variant=variant_id)
        return variant

    def create(
        self, request: KeyedRequest, name: str, variant_id: str | None, options: Json,
        rules: Json | None = None,
    ) -> Seated:  # fmt: skip
        """Create a table. Return the host's seat."""
        variant = self._chosen_variant(variant_id)
        return self._create_with_new_code(request, name, variant, options, rules)

    def _create_with_new_code(
        self, request: KeyedRequest, name: str, variant: Variant, options: Json,
        rules: Json | None, robots: Reservation | None = None, word: str | None = None,
    ) -> Seated:  # fmt: skip
        """Create a table, with the reserved robots, under a code that isn't in use.

        ``word`` is a launcher's word for the table. Raise ``Conflict`` if it has a table already.
        """
        self._store.keep_variant(variant.digest, variant.to_json())
        while True:
            code = codec.new_code()
            if robots is not None:
                robots.code = code
            count = robots.robots if robots else 0
            try:
                return self._create(request, code, name, variant, options, rules, count, word)
            except Conflict:
                if previous := self.previous_result(request, Seated):
                    return previous
                if word is not None and self.find_room(word):
                    raise

    def _create(
        self, request: KeyedRequest, code: str, name: str, variant: Variant, options: Json,
        rules: Json | None, robots: int, word: str | None = None,
    ) -> Seated:  # fmt: skip
        """Store a new table. Raise ``Conflict`` if its code or its word is taken."""
        now = self.clock.now()
        table = families.new_table(code, variant)
        all_events = list[Event]()
        set_options = codec.read_options(options, table.family)
        set_house_rules = HouseRules(rules=rules) if rules else None

        def apply(command: Command) -> None:
            nonlocal table
            try:
                events = decide(table, command, sender=table.host, inputs=DecisionInputs(now=now))
            except Refused as refused:
                raise Denied(errors.error(table, refused)) from None
            all_events.extend(events)
            for event in events:
                table = evolve(table, event)

        for command in (TakeSeat(name=name), *filter(None, (set_options, set_house_rules))):
            apply(command)
        for temper in brisk_tempers(robots):
            apply(seat_robot(table, temper))
        seated = Seated(code, table.seats[0].seat, request.secret)
        self._store.write(
            statements.insert(statements.StoredTable(code, variant.digest, now)),
            statements.insert_events(code, 1, now, [codec.encode(event) for event in all_events]),
            insert_token(seated),
            *(insert_robot_key(code, seat.seat) for seat in table.seats if seat.robot),
            *([statements.insert(statements.StoredRoom(_hash_word(word), code))] if word else []),
            *request.statements(seated, now),
        )
        return seated

    def find_room(self, word: str) -> str | None:
        """Return the code of the table that belongs to a launcher's word, or None."""
        room = self._store.one(statements.StoredRoom, hash=_hash_word(word))
        return room.code if room else None

    def create_room(
        self, request: KeyedRequest, word: str, name: str, variant_id: str | None
    ) -> Seated | None:
        """Create the table of a launcher's word. Return the host's seat.

        Return None if somebody else created it in the meantime, maybe at another process.
        """
        variant = self._chosen_variant(variant_id)
        try:
            return self._create_with_new_code(request, name, variant, {}, None, word=word)
        except Conflict:
            return None

    def join(
        self, request: KeyedRequest, code: str, command: TakeSeat | AskPlace, address: str = ""
    ) -> Seated:
        """Add a seat to the table: immediately in the lobby, otherwise for the next game.

        Raise ``Fault`` if too many players from this address already wait for the next game.
        """

        def result_of(events: tuple[Event, ...]) -> Seated:
            seat = next(e.seat for e in events if isinstance(e, SeatTaken | PlaceAsked))
            return Seated(code, seat, request.secret)

        def more(events: tuple[Event, ...]) -> tuple[Statement, ...]:
            if isinstance(command, AskPlace):
                share = Share.quarter_of("waiting", live.table.variant.players.most)
                addresses = [
                    live.presence.address_of(waiting.seat) for waiting in live.table.waiting
                ]
                share.check_address(address, addresses)
            seated = result_of(events)
            live.presence.asked_from[seated.seat] = address
            return insert_token(seated), *request.statements(seated, self.clock.now())

        with self.at(code) as live:
            try:
                return result_of(live.apply_internal(command, None, more))
            except Refused as refused:
                if refused.ruling == "unique-names" and refused.case in ("away", "away-host"):
                    live.knock(str(refused.facts["seat"]))
                raise

    def find_seat_by_token(self, code: str, token: str) -> str:
        """Return the seat that this token opens. Raise ``Fault`` (unauthenticated)."""
        code_and_seat = self._find_seat_by_hash(hash_secret(token))
        if code_and_seat is None or code_and_seat[0] != code:
            raise Fault("unauthenticated")
        seat = code_and_seat[1]
        with self.at(code) as live:
            if live.commanding_seat(seat) is None:
                raise Fault("unauthenticated")
        return seat

    def token_opens_seat(self, code: str, seat: str, hashed: str) -> bool:
        """Return True if the token with this hash opens this seat."""
        return self._find_seat_by_hash(hashed) == (code, seat)

    def _find_seat_by_hash(self, hashed: str) -> tuple[str, str] | None:
        """Return the table's code and the seat that the token with this hash opens, or None."""
        if post := self.robots.posts.find_seat(hashed):
            return post
        token = self._store.one(statements.StoredToken, hash=hashed)
        return (token.code, token.seat) if token else None

    def was_recently_connected(self, hashed: str) -> bool:
        """Return True if this token's seat was connected within the last day."""
        return self._last_visit_expiry(hashed) >= self.clock.now()

    def note_visit(self, hashed: str) -> None:
        """Record that this token's seat is connected. Skip this if it was recorded recently."""
        now = self.clock.now()
        if self._last_visit_expiry(hashed) < now + DAY_MS - VISIT_MS:
            self._store.write(_record_visit(hashed, now))

    def _last_visit_expiry(self, hashed: str) -> int:
        """Return the time (ms) until which the seat counts as recently connected, or 0."""
        visit = self._store.one(statements.Visit, hash=hashed)
        return visit.expires if visit and type(visit.expires) is int else 0

    def find_seat_by_cookie(self, code: str, cookie: str, unguarded: bool = False) -> str | None:
        """Return the seat that a browser's cookie opens, or None if the cookie is void.

        ``unguarded`` is True for a cookie with an old name, which another site could have set. Only
        an earlier version of this program set such cookies, so they are valid only for seats that
        were taken with that version.
        """
        if unguarded:
            token = self._store.one(statements.StoredToken, hash=hash_secret(cookie))
            if token is None or token.old_cookie_until < self.clock.now():
                return None
        try:
            return self.find_seat_by_token(code, cookie)
        except Fault:
            return None

    def last_used(self, tokens: Collection[str]) -> dict[str, int]:
        """Return the time (ms) of the last event at the table of each token. Void tokens are left
        out.

        Return an empty dict if the store is unavailable.
        """
        by_hash = {hash_secret(token): token for token in tokens}
        try:
            times = self._store.last_used([*by_hash])
        except Busy:
            return {}
        return {by_hash[hash]: at for hash, at in times.items()}

    def create_claim(self, request: KeyedRequest, code: str, caller: str, seat: str) -> Claim:
        """Create a claim on the seat, requested by its player or the host.

        The host can't claim a seat while the device that keeps the seat's deck is connected.
        """
        now = self.clock.now()
        claim = Claim(request.secret, now + CLAIM_MS)
        with self.at(code) as live:
            if live.current_seat(seat) is None:
                raise Fault("not_found", what="seat", seat=seat)
            if caller not in (seat, live.table.host):
                raise Forbidden("host-acts-for", seat=seat)
            deck = live.table.deck(seat)
            on_device = live.table.keeps_deck(seat) and deck is not None and deck.secret is None
            if caller != seat and on_device and seat in live.presence.here:
                raise Refused("own-deck", case="moves", seat=seat)
            row = statements.StoredClaim(hash_secret(claim.claim), code, seat, claim.expires_at)
            self._store.write(statements.insert(row), *request.statements(claim, now))
        return claim

    def use_claim(self, request: KeyedRequest, claim: str) -> Seated:
        """Give a seat to the device that sends a claim. Return the seat with its new token.

        The seat's old token becomes void, and its connections are closed. Raise ``Fault``
        (not_found) if the claim was used before or has expired.
        """
        key = hash_secret(claim)
        row = self._store.one(statements.StoredClaim, hash=key)
        intact = row and codec.parse_code(row.code) == row.code and type(row.expires) is int
        if not row or not intact:  # treat a damaged claim as if it didn't exist
            raise Fault("not_found", what="claim")
        code = row.code
        seat = row.seat
        seated = Seated(code, seat, request.secret)

        def check() -> None:
            current = self._store.one(statements.StoredClaim, hash=key)
            expired = current is None or current.expires < self.clock.now()
            if expired or live.current_seat(seat) is None:
                raise Fault("not_found", what="claim")

        def more(_events: tuple[Event, ...]) -> tuple[Statement, ...]:
            check()  # another process may have used the claim since the first check
            old_tokens = self._store.all(statements.StoredToken, code=code, seat=seat)
            was_here = any(self.was_recently_connected(token.hash) for token in old_tokens)
            return (
                *([_record_visit(hash_secret(seated.token), self.clock.now())] if was_here else []),
                statements.delete(statements.StoredClaim, hash=key),
                statements.delete(statements.StoredToken, code=code, seat=seat),
                insert_token(seated),
                *request.statements(seated, self.clock.now()),
            )

        with self.at(code) as live:
            check()
            live.apply_internal(ClaimSeat(seat=seat), seat, more)
            live.publisher.supersede(seat)
        return seated


def _record_visit(hashed: str, now: int) -> Statement:
    return statements.note_visit(statements.Visit(hashed, now + DAY_MS))


def _hash_word(word: str) -> str:
    """Return the hash under which a launcher's word is stored."""
    return hash_secret(f"room {word}")
