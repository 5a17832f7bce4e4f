"""The events of every game. Each type of event is an immutable class that changes the state.

The log consists of events and is kept for ever. So a stored name or field never changes its
meaning, and a new field gets a default value. An event never refuses or decides anything:
``evolve`` accepts every event on every table, and each consequence is an event of its own.
"""

from collections.abc import Mapping
from typing import ClassVar, Generic, TypeVar, cast, get_args, get_origin

from msgspec.structs import replace

from companion.rules.core.state import Game, Table, UndoPoint, Window
from companion.rules.core.types import INSTRUCTION, Event, OutReason

T = TypeVar("T", bound=Table)


def evolve(table: T, event: Event) -> T:
    """Return the table after the event, with its version one higher."""
    changed: T = event.table_after(table)
    return changed


def sentence_keys(event: object) -> dict[str, frozenset[str]]:
    """Return the keys of the log messages for the event classes in the union type ``event``.

    A key is the event's tag, or ``tag/case`` if the event has several messages. Each key maps to
    the names of the placeholders that its message may use.
    """
    keys: dict[str, frozenset[str]] = {}
    for member in get_args(event):
        record: type[Event] = get_origin(member) or member
        cases = (
            {"": record.sentence_facts}
            if isinstance(record.sentence_facts, str)
            else record.sentence_facts
        )
        for case, facts in cases.items():
            tag = str(record.__struct_config__.tag)
            keys[f"{tag}/{case}" if case else tag] = frozenset(facts.split())
    return keys


Changed = TypeVar("Changed", bound=Table)


class TableEvent(Event, Generic[Changed], frozen=True, kw_only=True):
    """An event of the table, outside of the game.

    An undo can restore a game that the host ended. After most events of the table, that is no
    longer possible (see ``table_before_end``).
    """

    def table_after(self, table: T) -> T:
        changed = self.apply_to(cast(Changed, table))
        ended = self.table_before_end(cast(Changed, table))
        return cast(T, replace(changed, version=table.version + 1, ended=ended))

    def apply_to(self, table: Changed) -> Changed:
        """Return the changed table. ``table_after`` increments its version."""
        raise NotImplementedError

    def table_before_end(self, table: Changed) -> Table | None:
        """Return the table as it was before the host ended the game, or None if an undo can't
        restore that game."""
        return None


class SeatEvent(TableEvent[Changed], Generic[Changed], frozen=True, kw_only=True):
    """An event that concerns one seat at the table."""

    seat: str
    sentence_facts: ClassVar[str | Mapping[str, str]] = "seat"


G = TypeVar("G", bound=Game)


class GameEvent(Event, Generic[G], frozen=True, kw_only=True):
    """An event of a game."""

    def table_after(self, table: T) -> T:
        version = table.version + 1
        if table.game is None:  # happens only in a damaged log, which must stay readable
            return replace(table, version=version)
        game = self.apply_to(cast(G, table.game), version)
        changes = self.table_changes(table, table.game)
        if game.window is not None and game.window.id == version:
            changes["newest_window"] = version
        return replace(table, game=game, version=version, **changes)

    def table_changes(self, table: Table, game: Game) -> dict[str, object]:
        """Return the table's new values for the fields that the event changes, without ``game`` and
        ``version``."""
        return {}

    def apply_to(self, game: G, version: int) -> G:
        """Return the changed game; ``version`` is the table's new version."""
        raise NotImplementedError


class PlayerEvent(GameEvent[G], Generic[G], frozen=True, kw_only=True):
    """An event that concerns one player in a game."""

    seat: str
    sentence_facts: ClassVar[str | Mapping[str, str]] = "seat"


class UndoableEvent(PlayerEvent[G], Generic[G], frozen=True, kw_only=True):
    """An event that a command caused and that can be undone (ruling undo).

    The event also cancels an open request for an undo, because the game has moved on.
    """

    @property
    def lasting_fact(self) -> tuple[tuple[int, int] | None, str | None] | None:
        """The card that everybody still knows after this event is undone, or None.

        The value is a pair of a cell and a title. The card with this title lies in that cell, or in
        the hand if the cell is None. If the title is None, the card can be any card except a
        Kitten.
        """
        return None

    def table_changes(self, table: Table, game: Game) -> dict[str, object]:
        past = UndoPoint(version=table.version + 1, game=game, seat=self.seat, event=self)
        return {"past": (*table.past, past), "asked": None}


def open_window(seconds: int, closes_at: int | None, version: int) -> Window | None:
    """Return a new window, or None if ``closes_at`` is None because no window opens."""
    if closes_at is None:
        return None
    return Window(id=version, seconds=seconds, closes_at=closes_at)


def case_for_card(case: str, card: str) -> str:
    """Return the case of a sentence about a window. An instruction has sentences of its own."""
    return f"{case}-{INSTRUCTION}" if card == INSTRUCTION else case


class NopePlayed(UndoableEvent[Game], frozen=True, kw_only=True, tag="nope_played"):
    """A Nope was played on the card on top."""

    # the card that was played first; the Nope was played on that card or on an earlier Nope
    card: str
    by: str  # the seat that played the card
    counts: bool  # True if the card would take effect after this Nope
    nope: str  # the id of the Nope card
    seconds: int  # the full length of the new window
    closes_at: int | None
    """The time at which the new window closes, in ms since the epoch; None if no window opened."""
    sentence_facts = {"yes": "seat card by", "no": "seat card by"}
    case_field = "counts", "yes", "no"

    @property
    def sentence_case(self) -> str:
        return case_for_card(super().sentence_case, self.card)

    @property
    def lasting_fact(self) -> tuple[None, str]:
        return None, self.nope

    def apply_to(self, game: Game, version: int) -> Game:
        return replace(
            game.discard_from_hand(self.seat, self.nope),
            played=replace(game.pending, nopes=(*game.pending.nopes, self.seat)),
            window=open_window(self.seconds, self.closes_at, version),
        )


def _change_window(game: Game, **changes: object) -> Game:
    return game if game.window is None else replace(game, window=replace(game.window, **changes))


class Passed(PlayerEvent[Game], frozen=True, kw_only=True, tag="passed"):
    """A player declared that they won't Nope the card on top."""

    def apply_to(self, game: Game, version: int) -> Game:
        passed = game.window.passed if game.window else ()
        return _change_window(game, passed=(*passed, self.seat))


class AutoPassSet(PlayerEvent[Game], frozen=True, kw_only=True, tag="auto_pass_set"):
    """A player chose to pass automatically in every window until their next turn, or stopped this.

    The choice ends without an event when the player's next turn begins, and when the player goes
    out or lends the seat to a robot.
    """

    on: bool
    sentence_facts = {"on": "seat", "off": "seat"}
    case_field = "on", "on", "off"

    def apply_to(self, game: Game, version: int) -> Game:
        return game.with_player(self.seat, auto_pass=self.on)


class Held(PlayerEvent[Game], frozen=True, kw_only=True, tag="held"):
    """A player stopped a window's clock (a *hold*)."""

    left_ms: int  # the time that the window has left
    until: int  # when the clock runs again by itself, in ms since the epoch

    def apply_to(self, game: Game, version: int) -> Game:
        held = *(game.window.held if game.window else ()), self.seat
        changes = {"left_ms": self.left_ms, "closes_at": self.until + self.left_ms}
        return _change_window(game, held=held, held_by=self.seat, **changes)


class Released(GameEvent[Game], frozen=True, kw_only=True, tag="released"):
    """A window's clock runs again after a hold."""

    seat: str | None  # the seat that released the clock; None if the hold timed out
    closes_at: int  # the window's new end, in ms since the epoch
    sentence_facts = {"": "seat", "nobody": ""}
    case_field = "seat", "", "nobody"

    def apply_to(self, game: Game, version: int) -> Game:
        return _change_window(game, held_by=None, left_ms=0, closes_at=self.closes_at)


class WindowExtended(GameEvent[Game], frozen=True, kw_only=True, tag="window_extended"):
    """The window's end was moved because the server had been down or its clock had jumped."""

    closes_at: int  # the window's new end, in ms since the epoch

    def apply_to(self, game: Game, version: int) -> Game:
        return _change_window(game, closes_at=self.closes_at)


class WindowClosed(PlayerEvent[Game], frozen=True, kw_only=True, tag="window_closed"):
    """The Nope window closed for the card that ``seat`` had played."""

    card: str
    counts: bool  # True if the card takes effect, False if it was Noped
    sentence_facts = {"yes": "seat card", "no": "seat card"}
    case_field = "counts", "yes", "no"

    @property
    def sentence_case(self) -> str:
        return case_for_card(super().sentence_case, self.card)

    def apply_to(self, game: Game, version: int) -> Game:
        return game.with_window_closed(self.counts)


class TurnBegan(
    PlayerEvent[G], Generic[G], frozen=True, kw_only=True, tag="turn_began", omit_defaults=True
):
    """A player's turn began. Each family adds its own fields."""

    number: int
    owed: int = 1  # the number of turns to take in a row, including this one

    def table_changes(self, table: Table, game: Game) -> dict[str, object]:
        # An undo can't go back further than the first turn.
        return {"past": ()} if self.number == 1 else {}


class StepBegan(PlayerEvent[G], Generic[G], frozen=True, kw_only=True, tag="step_began"):
    """The game waits for ``seat`` to carry out a card's effect."""

    step: str
    case_field = ("step",)

    def apply_to(self, game: G, version: int) -> G:
        return game.with_turn(step=self.step)


class WentOut(UndoableEvent[G], Generic[G], frozen=True, kw_only=True, tag="went_out"):
    """A player went out: they exploded or left."""

    out: OutReason
    sentence_facts = {"kitten": "seat", "left": "seat"}
    case_field = ("out",)


class GameWon(PlayerEvent[Game], frozen=True, kw_only=True, tag="game_won"):
    """The last living player won."""

    def apply_to(self, game: Game, version: int) -> Game:
        return game.with_winner(self.seat)


InAnyGame = (
    NopePlayed | Passed | AutoPassSet | Held | Released | WindowExtended | WindowClosed | GameWon
)
"""The events that can occur in a game of any family."""
