"""What has happened at the table itself: a record a kind, what it changes, how it is told."""

from typing import Generic, TypeVar

from msgspec import field
from msgspec.structs import replace

from companion.rules.core.events import SeatEvent, TableEvent
from companion.rules.core.game import Window, at_seat, with_seat
from companion.rules.core.house_rules import Change, HouseRuleChanges, apply
from companion.rules.core.model import Deck, Seat, Table, UndoRequest, Waiting

Chosen = TypeVar("Chosen")


class SeatTaken(SeatEvent[Table], frozen=True, kw_only=True, tag="seat_taken", omit_defaults=True):
    """A seat was taken; the first becomes the host's. ``robot``: by one, of this temper."""

    name: str
    panel: bool
    robot: str | None = None
    sentence_facts = {"": "seat", "robot": "seat"}
    case_field = "robot", "robot", ""

    def changes(self, table: Table) -> Table:
        seat = Seat(seat=self.seat, name=self.name, panel=self.panel, robot=self.robot)
        seats = (*_for_another_number(table), seat)
        return replace(table, seats=seats, waiting=_others(table, self.seat))

    def undoable_end(self, table: Table) -> Table | None:
        return table.ended if table.waiter(self.seat) else None


class PlaceAsked(SeatEvent[Table], frozen=True, kw_only=True, tag="place_asked"):
    """Somebody waits for the next game, in which ``seat`` will be theirs (``seat_taken``)."""

    name: str
    sentence_facts = "name"

    def changes(self, table: Table) -> Table:
        waiter = Waiting(seat=self.seat, name=self.name)
        return replace(table, waiting=(*table.waiting, waiter))


class PlaceGivenUp(SeatEvent[Table], frozen=True, kw_only=True, tag="place_given_up"):
    """Who waited under this name waits no more."""

    name: str
    sentence_facts = "name"

    def changes(self, table: Table) -> Table:
        return replace(table, waiting=_others(table, self.seat))


def _for_another_number(table: Table) -> tuple[Seat, ...]:
    """The seats as one comes or goes: shared cards are others then (ruling seats-in-the-setup)."""
    if not table.family.shared or table.game is not None:
        return table.seats
    return tuple(replace(seat, ready=False) for seat in table.seats)


def _others(table: Table, seat: str) -> tuple[Waiting, ...]:
    return tuple(one for one in table.waiting if one.seat != seat)


class SeatRenamed(
    SeatEvent[Table], frozen=True, kw_only=True, tag="seat_renamed", omit_defaults=True
):
    """A seat has another name. ``was``: the one before; older logs don't say it."""

    name: str
    was: str | None = None
    sentence_facts = {"": "seat name", "was": "seat name was"}
    case_field = "was", "was", ""

    def changes(self, table: Table) -> Table:
        return replace(table, seats=with_seat(table.seats, self.seat, name=self.name))


class SeatRemoved(
    SeatEvent[Table], frozen=True, kw_only=True, tag="seat_removed", omit_defaults=True
):
    """Before a game: a seat is gone. During and after one: it won't be in a rematch. Older logs say
    no more than that."""

    name: str | None = None
    by: str | None = None
    """The host who removed the seat; None where its player left."""
    sentence_facts = {"": "seat", "left": "name", "removed": "name by"}

    @property
    def sentence_case(self) -> str:
        if self.name is None:
            return ""
        return "removed" if self.by else "left"

    def changes(self, table: Table) -> Table:
        if table.game is not None:
            return replace(table, seats=with_seat(table.seats, self.seat, gone=True))
        stay = tuple(s for s in _for_another_number(table) if s.seat != self.seat)
        return replace(table, seats=stay)


class SeatClaimed(SeatEvent[Table], frozen=True, kw_only=True, tag="seat_claimed"):
    """A seat was opened on another device."""

    def changes(self, table: Table) -> Table:
        seats = with_seat(table.seats, self.seat, panel=True, **_NO_ROBOT)
        decks = _on_another_device(table.decks, self.seat)
        dealt = _on_another_device(table.dealt, self.seat)
        return replace(table, seats=seats, decks=decks, dealt=dealt)


def _on_another_device(decks: tuple[Deck, ...], seat: str) -> tuple[Deck, ...]:
    """The decks, of which nobody knows whether this seat's has moved along."""
    return with_seat(decks, seat, here=None) if at_seat(decks, seat) else decks


class SeatLent(SeatEvent[Table], frozen=True, kw_only=True, tag="seat_lent"):
    """A robot of this temper plays on for whoever has the seat."""

    robot: str

    def changes(self, table: Table) -> Table:
        return replace(table, seats=with_seat(table.seats, self.seat, robot=self.robot, lent=True))


class SeatReturned(SeatEvent[Table], frozen=True, kw_only=True, tag="seat_returned"):
    """Whoever lent their seat to a robot is back."""

    def changes(self, table: Table) -> Table:
        return replace(table, seats=with_seat(table.seats, self.seat, **_NO_ROBOT))


_NO_ROBOT = {"robot": None, "lent": False}


class HostChanged(TableEvent[Table], frozen=True, kw_only=True, tag="host_changed"):
    """The host's role went to this seat, or lies vacant."""

    seat: str | None
    sentence_facts = {"": "seat", "nobody": ""}
    case_field = "seat", "", "nobody"

    def changes(self, table: Table) -> Table:
        return replace(table, host=self.seat)


class OptionsChanged(
    TableEvent[Table], Generic[Chosen], frozen=True, kw_only=True, tag="options_changed"
):
    """The options as they are now, a family's own."""

    options: Chosen

    def changes(self, table: Table) -> Table:
        return replace(table, options=self.options, asked=None)


class HouseRulesChanged(TableEvent[Table], frozen=True, kw_only=True, tag="house_rules_changed"):
    """The table's variant has these changes, for ``players`` and more or fewer; ``digest`` names
    what it comes to. Everybody has to look again before they are ready."""

    name: str | None
    made: tuple[Change, ...] = field(name="changes")
    players: int
    digest: str
    sentence_facts = {"": "", "named": "name", "none": ""}

    @property
    def sentence_case(self) -> str:
        if not self.made:
            return "none"
        return "named" if self.name else ""

    def changes(self, table: Table) -> Table:
        base = table.base or table.variant
        return replace(
            table,
            variant=apply(base, self.made, self.players) if self.made else base,
            base=base if self.made else None,
            house=HouseRuleChanges(self.name, self.made) if self.made else None,
            seats=tuple(replace(seat, ready=False) for seat in table.seats),
        )


def _unready(table: Table) -> tuple[Seat, ...]:
    """Who stays, for another game; a seat was lent to a robot for one."""
    return tuple(
        replace(seat, ready=False, **(_NO_ROBOT if seat.lent else {}))
        for seat in table.seats
        if not seat.gone
    )


def _without_game(table: Table, *, setup: bool) -> Table:
    return replace(table, setup=setup, game=None, past=(), asked=None, seats=_unready(table))


class Prepared(TableEvent[Table], frozen=True, kw_only=True, tag="prepared"):
    """The decks are being prepared."""

    def changes(self, table: Table) -> Table:
        return replace(table, setup=True, seats=_unready(table))


class ReturnedToLobby(TableEvent[Table], frozen=True, kw_only=True, tag="returned_to_lobby"):
    """The table is in the lobby again."""

    def changes(self, table: Table) -> Table:
        return _without_game(table, setup=False)


class ReadySaid(SeatEvent[Table], frozen=True, kw_only=True, tag="ready_said"):
    """A seat is ready, or not."""

    ready: bool
    sentence_facts = {"yes": "seat", "no": "seat"}
    case_field = "ready", "yes", "no"

    def changes(self, table: Table) -> Table:
        return replace(table, seats=with_seat(table.seats, self.seat, ready=self.ready))


class GameEnded(TableEvent[Table], frozen=True, kw_only=True, tag="game_ended"):
    """The host ended the game: the table is in the lobby, and who left is gone."""

    def changes(self, table: Table) -> Table:
        return _without_game(table, setup=False)

    def undoable_end(self, table: Table) -> Table | None:
        return table


class Rematched(TableEvent[Table], frozen=True, kw_only=True, tag="rematched"):
    """The same people prepare another game; who left is gone."""

    def changes(self, table: Table) -> Table:
        return replace(_without_game(table, setup=True), games=table.games + 1)


class BackAsked(SeatEvent[Table], frozen=True, kw_only=True, tag="back_asked"):
    """A player asks to take back their own last word; who does not agree ``until`` then won't."""

    until: int

    def changes(self, table: Table) -> Table:
        asked = UndoRequest(id=table.version + 1, seat=self.seat, until=self.until)
        return replace(table, asked=asked)


class BackAgreed(SeatEvent[Table], frozen=True, kw_only=True, tag="back_agreed"):
    """A player agrees that ``by`` takes back their last word."""

    by: str
    sentence_facts = "seat by"

    def changes(self, table: Table) -> Table:
        asked = table.asked
        return replace(table, asked=asked and replace(asked, agreed=(*asked.agreed, self.seat)))


class BackLapsed(SeatEvent[Table], frozen=True, kw_only=True, tag="back_lapsed"):
    """Not all agreed in time: the player's last word stands."""

    def changes(self, table: Table) -> Table:
        return replace(table, asked=None)


class Undone(TableEvent[Table], frozen=True, kw_only=True, tag="undone", omit_defaults=True):
    """The game is as it was before the event ``version``, the last thing that was said. A window
    that is open again is a new one that closes at ``closes_at``. ``seat``: whose word it was, where
    they took it back by agreement."""

    version: int
    closes_at: int | None
    seat: str | None = None
    sentence_facts = {"": "", "agreed": "seat"}
    case_field = "seat", "agreed", ""

    def changes(self, table: Table) -> Table:
        newest = table.newest_window
        if table.ended is not None:
            table = replace(table.ended, version=table.version, past=table.undoable)
        if not table.past or table.game is None:
            return table
        past = table.past[-1]
        game = past.game.keeping(table.game).remembering(past.event)
        window = game.window
        if window is not None and self.closes_at is not None:
            seconds = table.options.nope_seconds
            newest = table.version + 1
            window = Window(id=newest, seconds=seconds, closes_at=self.closes_at)
        back = {*game.living}
        return replace(
            table,
            game=replace(game, window=window),
            newest_window=newest,
            past=table.past[:-1],
            asked=None,
            seats=tuple(replace(s, gone=s.gone and s.seat not in back) for s in table.seats),
        )


AtAnyTable = (
    SeatTaken | PlaceAsked | PlaceGivenUp | SeatRenamed | SeatRemoved | SeatClaimed
    | SeatLent | SeatReturned | HostChanged | HouseRulesChanged | Prepared | ReturnedToLobby
    | ReadySaid | GameEnded | Rematched | BackAsked | BackAgreed | BackLapsed | Undone
)  # fmt: skip
"""What can stand in any log, beside a game's events."""
