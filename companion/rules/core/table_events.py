"""Events of the table itself, such as taking a seat. Each type is a class that changes
the table."""

import re
from typing import Generic, TypeVar

from msgspec import field
from msgspec.structs import replace

from companion.rules.core.events import SeatEvent, TableEvent
from companion.rules.core.state import (
    Deck,
    Seat,
    Table,
    UndoRequest,
    Waiting,
    Window,
    at_seat,
    with_seat,
)
from companion.rules.core.types import EMBLEMS, Emblem
from companion.rules.variants.form import Change, HouseRuleChanges
from companion.rules.variants.house_rules import apply

Chosen = TypeVar("Chosen")


class SeatTaken(SeatEvent[Table], frozen=True, kw_only=True, tag="seat_taken", omit_defaults=True):
    """A seat was taken."""

    name: str
    panel: bool
    robot: str | None = None  # the robot's personality, if a robot took the seat
    sentence_facts = {"": "seat", "robot": "seat"}
    case_field = "robot", "robot", ""

    def apply_to(self, table: Table) -> Table:
        emblem = _free_emblem(table, self.seat)
        seat = Seat(
            seat=self.seat, name=self.name, panel=self.panel, robot=self.robot, emblem=emblem
        )
        seats = (*_reset_ready_if_shared(table), seat)
        return replace(table, seats=seats, waiting=_waiting_without(table, self.seat))

    def table_before_end(self, table: Table) -> Table | None:
        return table.ended if table.find_waiting(self.seat) else None


def _free_emblem(table: Table, seat: str) -> Emblem:
    """Return the emblem of a seat that was just taken: the first free one, counted from the seat's
    number.

    The number is part of the seat's id. If no emblem is free, seats share one.
    """
    taken = {other.emblem for other in table.seats}
    number = re.search(r"\d{1,9}", seat)
    start = (int(number[0]) - 1) % DEFAULT_EMBLEMS if number else 0
    usual = EMBLEMS[:DEFAULT_EMBLEMS]
    order = (*usual[start:], *usual[:start], *EMBLEMS[DEFAULT_EMBLEMS:])
    return next((emblem for emblem in order if emblem not in taken), order[0])


DEFAULT_EMBLEMS = 10
"""The number of emblems from which the server chooses first. The first versions had only these, and
tables keep the emblems that those versions gave them."""


class EmblemChosen(SeatEvent[Table], frozen=True, kw_only=True, tag="emblem_chosen"):
    """A player chose their emblem."""

    emblem: Emblem

    def apply_to(self, table: Table) -> Table:
        return replace(table, seats=with_seat(table.seats, self.seat, emblem=self.emblem))


class PlaceAsked(SeatEvent[Table], frozen=True, kw_only=True, tag="place_asked"):
    """A newcomer began to wait for the next game. The newcomer will get ``seat`` in it (event
    ``seat_taken``)."""

    name: str
    sentence_facts = "name"

    def apply_to(self, table: Table) -> Table:
        waiter = Waiting(seat=self.seat, name=self.name)
        return replace(table, waiting=(*table.waiting, waiter))


class PlaceGivenUp(SeatEvent[Table], frozen=True, kw_only=True, tag="place_given_up"):
    """A person stopped waiting for the next game."""

    name: str
    sentence_facts = "name"

    def apply_to(self, table: Table) -> Table:
        return replace(table, waiting=_waiting_without(table, self.seat))


def _reset_ready_if_shared(table: Table) -> tuple[Seat, ...]:
    """Return the table's seats for a new number of players.

    If all players share one deck, the number of players determines its cards. So before a game, all
    seats are marked as not ready (ruling seats-in-the-setup). Otherwise the seats stay unchanged.
    """
    if not table.family.shared or table.game is not None:
        return table.seats
    return tuple(replace(seat, ready=False) for seat in table.seats)


def _waiting_without(table: Table, seat: str) -> tuple[Waiting, ...]:
    return tuple(waiter for waiter in table.waiting if waiter.seat != seat)


class SeatRenamed(
    SeatEvent[Table], frozen=True, kw_only=True, tag="seat_renamed", omit_defaults=True
):
    """A player changed the name of their seat."""

    name: str
    was: str | None = None  # the previous name; missing in older logs
    sentence_facts = {"": "seat name", "was": "seat name was"}
    case_field = "was", "was", ""

    def apply_to(self, table: Table) -> Table:
        return replace(table, seats=with_seat(table.seats, self.seat, name=self.name))


class SeatRemoved(
    SeatEvent[Table], frozen=True, kw_only=True, tag="seat_removed", omit_defaults=True
):
    """A player left or was removed. During and after a game the seat stays until the rematch."""

    name: str | None = None  # the player's name; missing in older logs
    by: str | None = None  # the host who removed the seat; None if its player left
    sentence_facts = {"": "seat", "left": "name", "removed": "name by"}

    @property
    def sentence_case(self) -> str:
        if self.name is None:
            return ""
        return "removed" if self.by else "left"

    def apply_to(self, table: Table) -> Table:
        if table.game is not None:
            return replace(table, seats=with_seat(table.seats, self.seat, gone=True))
        stay = tuple(s for s in _reset_ready_if_shared(table) if s.seat != self.seat)
        return replace(table, seats=stay)


class SeatClaimed(SeatEvent[Table], frozen=True, kw_only=True, tag="seat_claimed"):
    """A player opened their seat on another device."""

    def apply_to(self, table: Table) -> Table:
        seats = with_seat(table.seats, self.seat, panel=True, **_NO_ROBOT)
        decks = _mark_deck_unconfirmed(table.decks, self.seat)
        dealt = _mark_deck_unconfirmed(table.dealt, self.seat)
        return replace(table, seats=seats, decks=decks, dealt=dealt)


def _mark_deck_unconfirmed(decks: tuple[Deck, ...], seat: str) -> tuple[Deck, ...]:
    """Return the decks, with the seat's deck marked as unconfirmed until its new device reports."""
    return with_seat(decks, seat, here=None) if at_seat(decks, seat) else decks


class SeatLent(SeatEvent[Table], frozen=True, kw_only=True, tag="seat_lent"):
    """A robot took over for a player who went away."""

    robot: str  # the robot's personality

    def apply_to(self, table: Table) -> Table:
        seats = with_seat(table.seats, self.seat, robot=self.robot, lent=True)
        game = table.game and table.game.without_auto_pass(self.seat)
        return replace(table, seats=seats, game=game)


class SeatReturned(SeatEvent[Table], frozen=True, kw_only=True, tag="seat_returned"):
    """The player who lent the seat to a robot is back."""

    def apply_to(self, table: Table) -> Table:
        return replace(table, seats=with_seat(table.seats, self.seat, **_NO_ROBOT))


_NO_ROBOT = {"robot": None, "lent": False}


class HostChanged(TableEvent[Table], frozen=True, kw_only=True, tag="host_changed"):
    """The role of host passed to another seat, or to nobody."""

    seat: str | None  # the new host; None if the table has no host now
    sentence_facts = {"": "seat", "nobody": ""}
    case_field = "seat", "", "nobody"

    def apply_to(self, table: Table) -> Table:
        return replace(table, host=self.seat)


class OptionsChanged(
    TableEvent[Table], Generic[Chosen], frozen=True, kw_only=True, tag="options_changed"
):
    """The host changed options. The event holds all options, not only the changed ones."""

    options: Chosen

    def apply_to(self, table: Table) -> Table:
        return replace(table, options=self.options, asked=None)


class HouseRulesChanged(TableEvent[Table], frozen=True, kw_only=True, tag="house_rules_changed"):
    """The host replaced the house rules.

    All seats become not ready, so that every player sees the change before the game begins.
    """

    name: str | None
    field_changes: tuple[Change, ...] = field(name="changes")
    players: int  # the number of players for which the changes were validated
    digest: str  # the hash of the resulting variant
    sentence_facts = {"": "", "named": "name", "none": ""}

    @property
    def sentence_case(self) -> str:
        if not self.field_changes:
            return "none"
        return "named" if self.name else ""

    def apply_to(self, table: Table) -> Table:
        base = table.base or table.variant
        return replace(
            table,
            variant=apply(base, self.field_changes, self.players) if self.field_changes else base,
            base=base if self.field_changes else None,
            house=HouseRuleChanges(self.name, self.field_changes) if self.field_changes else None,
            seats=tuple(replace(seat, ready=False) for seat in table.seats),
        )


def _seats_for_next_game(table: Table) -> tuple[Seat, ...]:
    """Return the seats for the next game.

    Players who left are dropped, nobody is ready, and lent seats go back to their players.
    """
    return tuple(
        replace(seat, ready=False, **(_NO_ROBOT if seat.lent else {}))
        for seat in table.seats
        if not seat.gone
    )


def _without_game(table: Table, *, setup: bool) -> Table:
    return replace(
        table, setup=setup, game=None, past=(), asked=None, seats=_seats_for_next_game(table)
    )


class Prepared(TableEvent[Table], frozen=True, kw_only=True, tag="prepared"):
    """The setup began, in which players prepare their decks."""

    def apply_to(self, table: Table) -> Table:
        return replace(table, setup=True, seats=_seats_for_next_game(table))


class ReturnedToLobby(TableEvent[Table], frozen=True, kw_only=True, tag="returned_to_lobby"):
    """The table returned to the lobby."""

    def apply_to(self, table: Table) -> Table:
        return _without_game(table, setup=False)


class ReadySaid(SeatEvent[Table], frozen=True, kw_only=True, tag="ready_said"):
    """A player declared that they are ready, or not ready any more."""

    ready: bool
    sentence_facts = {"yes": "seat", "no": "seat"}
    case_field = "ready", "yes", "no"

    def apply_to(self, table: Table) -> Table:
        return replace(table, seats=with_seat(table.seats, self.seat, ready=self.ready))


class GameEnded(TableEvent[Table], frozen=True, kw_only=True, tag="game_ended"):
    """The host ended the game. The table is back in the lobby, without the players who had left."""

    def apply_to(self, table: Table) -> Table:
        return _without_game(table, setup=False)

    def table_before_end(self, table: Table) -> Table | None:
        return table


class Rematched(TableEvent[Table], frozen=True, kw_only=True, tag="rematched"):
    """A rematch began. The same players prepare another game, without those who left."""

    def apply_to(self, table: Table) -> Table:
        return replace(_without_game(table, setup=True), games=table.games + 1)


class BackAsked(SeatEvent[Table], frozen=True, kw_only=True, tag="back_asked"):
    """A player asked to undo their own last command."""

    until: int  # when the request times out, in ms since the epoch

    def apply_to(self, table: Table) -> Table:
        asked = UndoRequest(id=table.version + 1, seat=self.seat, until=self.until)
        return replace(table, asked=asked)


class BackAgreed(SeatEvent[Table], frozen=True, kw_only=True, tag="back_agreed"):
    """A player agreed to an undo."""

    by: str  # the player who had asked
    sentence_facts = "seat by"

    def apply_to(self, table: Table) -> Table:
        asked = table.asked
        return replace(table, asked=asked and replace(asked, agreed=(*asked.agreed, self.seat)))


class BackLapsed(SeatEvent[Table], frozen=True, kw_only=True, tag="back_lapsed"):
    """The request for an undo timed out."""

    def apply_to(self, table: Table) -> Table:
        return replace(table, asked=None)


class Undone(TableEvent[Table], frozen=True, kw_only=True, tag="undone", omit_defaults=True):
    """The last command of the game was undone.

    The game returns to its state before event ``version``, except for private notes. If a Nope
    window was open at that point, a new one opens.
    """

    version: int
    closes_at: int | None
    """The time at which the new window closes, in ms since the epoch; None if no window opens."""
    seat: str | None = None  # the player who asked for the undo; None if the host undid the command
    sentence_facts = {"": "", "agreed": "seat"}
    case_field = "seat", "agreed", ""

    def apply_to(self, table: Table) -> Table:
        newest_window = table.newest_window
        if table.ended is not None:
            table = replace(table.ended, version=table.version, past=table.undo_points)
        if not table.past or table.game is None:
            return table
        point = table.past[-1]
        game = point.game.with_notes_of(table.game).with_facts_of(point.event)
        game = game.with_auto_pass_of(table.game)
        window = game.window
        if window is not None and self.closes_at is not None:
            seconds = table.options.nope_seconds
            newest_window = table.version + 1
            window = Window(id=newest_window, seconds=seconds, closes_at=self.closes_at)
        living = {*game.living}  # a player who had left may be back in the game
        return replace(
            table,
            game=replace(game, window=window),
            newest_window=newest_window,
            past=table.past[:-1],
            asked=None,
            seats=tuple(replace(s, gone=s.gone and s.seat not in living) for s in table.seats),
        )


AtAnyTable = (
    SeatTaken | EmblemChosen | PlaceAsked | PlaceGivenUp | SeatRenamed | SeatRemoved | SeatClaimed
    | SeatLent | SeatReturned | HostChanged | HouseRulesChanged | Prepared | ReturnedToLobby
    | ReadySaid | GameEnded | Rematched | BackAsked | BackAgreed | BackLapsed | Undone
)  # fmt: skip
"""The events of the table, which occur in the logs of every family."""
