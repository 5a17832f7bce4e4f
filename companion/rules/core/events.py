"""What has happened, in any game: one frozen record a kind, what it changes, how it is told. The
log is made of these, for ever: a name or field that has been stored once keeps its meaning, new
fields get defaults. ``evolve`` is total over all of them: no event refuses or decides anything, and
whatever follows from one is an event of its own."""

from collections.abc import Mapping
from typing import ClassVar, Generic, TypeVar, cast, get_args, get_origin

from msgspec import Struct
from msgspec.structs import replace

from companion.rules.core.game import Game, OutReason, Window
from companion.rules.core.model import Table, UndoPoint

T = TypeVar("T", bound=Table)


class Event(Struct, frozen=True, kw_only=True, tag_field="type"):
    """The root of all events. ``told``: the facts that the log's sentence about it may speak of,
    or, where it has several, each one's by its ``case``. ``varies``: the field that is the case, or
    a field and the cases of it being so and not. ``private``: it stands only in its own seat's log.
    ``late``: it belongs to a game also after its end."""

    sentence_facts: ClassVar[str | Mapping[str, str]] = ""
    case_field: ClassVar[tuple[str, ...]] = ()
    private: ClassVar[bool] = False
    after_game: ClassVar[bool] = False

    @property
    def sentence_case(self) -> str:
        """Which of its sentences tells of it; ``""``: the one without a case."""
        if not self.case_field:
            return ""
        found = getattr(self, self.case_field[0])
        return str(found) if len(self.case_field) == 1 else self.case_field[1 if found else 2]

    def after(self, table: T) -> T:
        raise NotImplementedError


Events = tuple[Event, ...]


def evolve(table: T, event: Event) -> T:
    """The table after the event; its version has grown by one."""
    return event.after(table)


def sentences(event: object) -> dict[str, frozenset[str]]:
    """The keys of all sentences about a union of events, and the facts of each."""
    keys: dict[str, frozenset[str]] = {}
    for kind in get_args(event):
        record: type[Event] = get_origin(kind) or kind
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
    """An event of the table. It ends what can be taken back of an ended game."""

    def after(self, table: T) -> T:
        changed = self.changes(cast(Changed, table))
        ended = self.undoable_end(cast(Changed, table))
        return cast(T, replace(changed, version=table.version + 1, ended=ended))

    def changes(self, table: Changed) -> Changed:
        raise NotImplementedError

    def undoable_end(self, table: Changed) -> Table | None:
        """The table with the game that has ended, as long as that can be taken back."""
        return None


class SeatEvent(TableEvent[Changed], Generic[Changed], frozen=True, kw_only=True):
    """An event of one seat at the table."""

    seat: str
    sentence_facts: ClassVar[str | Mapping[str, str]] = "seat"


G = TypeVar("G", bound=Game)


class GameEvent(Event, Generic[G], frozen=True, kw_only=True):
    """An event of a game."""

    def after(self, table: T) -> T:
        version = table.version + 1
        if table.game is None:  # only a damaged log holds this; a log is read for ever
            return replace(table, version=version)
        game = self.changes(cast(G, table.game), version)
        changes = self.beside(table, table.game)
        if game.window is not None and game.window.id == version:
            changes["newest_window"] = version
        return replace(table, game=game, version=version, **changes)

    def beside(self, table: Table, game: Game) -> dict[str, object]:
        """What it changes of the table beside its game."""
        return {}

    def changes(self, game: G, version: int) -> G:
        raise NotImplementedError


class PlayerEvent(GameEvent[G], Generic[G], frozen=True, kw_only=True):
    """An event of one player's."""

    seat: str
    sentence_facts: ClassVar[str | Mapping[str, str]] = "seat"


class UndoableEvent(PlayerEvent[G], Generic[G], frozen=True, kw_only=True):
    """What somebody said in a game: it can be taken back (ruling undo), and answers who asks to."""

    @property
    def stays(self) -> tuple[tuple[int, int] | None, str | None] | None:
        """What everybody knows of ``seat``'s cards though it is undone: a cell and the card there
        (None: no Kitten), or no cell and a card of the hand."""
        return None

    def beside(self, table: Table, game: Game) -> dict[str, object]:
        past = UndoPoint(version=table.version + 1, game=game, seat=self.seat, event=self)
        return {"past": (*table.past, past), "asked": None}


def open_window(seconds: int, closes_at: int | None, version: int) -> Window | None:
    if closes_at is None:
        return None
    return Window(id=version, seconds=seconds, closes_at=closes_at)


class NopePlayed(UndoableEvent[Game], frozen=True, kw_only=True, tag="nope_played"):
    """A Nope was played on the card on top, which is ``by``'s; ``counts``: so ``card`` stands."""

    card: str
    by: str
    counts: bool
    nope: str
    seconds: int
    closes_at: int | None
    sentence_facts = {"yes": "seat card by", "no": "seat card by"}
    case_field = "counts", "yes", "no"

    @property
    def stays(self) -> tuple[None, str]:
        return None, self.nope

    def changes(self, game: Game, version: int) -> Game:
        return replace(
            game.discard_from_hand(self.seat, self.nope),
            played=replace(game.pending, nopes=(*game.pending.nopes, self.seat)),
            window=open_window(self.seconds, self.closes_at, version),
        )


def _change_window(game: Game, **changes: object) -> Game:
    return game if game.window is None else replace(game, window=replace(game.window, **changes))


class Passed(PlayerEvent[Game], frozen=True, kw_only=True, tag="passed"):
    """A seat won't Nope the card on top."""

    def changes(self, game: Game, version: int) -> Game:
        passed = game.window.passed if game.window else ()
        return _change_window(game, passed=(*passed, self.seat))


class Held(PlayerEvent[Game], frozen=True, kw_only=True, tag="held"):
    """The window's clock stands with ``left_ms`` to go, until ``until`` at the latest."""

    left_ms: int
    until: int

    def changes(self, game: Game, version: int) -> Game:
        held = *(game.window.held if game.window else ()), self.seat
        changes = {"left_ms": self.left_ms, "closes_at": self.until + self.left_ms}
        return _change_window(game, held=held, held_by=self.seat, **changes)


class Released(GameEvent[Game], frozen=True, kw_only=True, tag="released"):
    """The clock runs again; ``seat`` is ``None`` when it does so by itself."""

    seat: str | None
    closes_at: int
    sentence_facts = {"": "seat", "nobody": ""}
    case_field = "seat", "", "nobody"

    def changes(self, game: Game, version: int) -> Game:
        return _change_window(game, held_by=None, left_ms=0, closes_at=self.closes_at)


class WindowExtended(GameEvent[Game], frozen=True, kw_only=True, tag="window_extended"):
    """The server was away; the window closes later."""

    closes_at: int

    def changes(self, game: Game, version: int) -> Game:
        return _change_window(game, closes_at=self.closes_at)


class WindowClosed(PlayerEvent[Game], frozen=True, kw_only=True, tag="window_closed"):
    """The window closed: ``seat``'s card takes effect if it ``counts``, else it is lost."""

    card: str
    counts: bool
    sentence_facts = {"yes": "seat card", "no": "seat card"}
    case_field = "counts", "yes", "no"

    def changes(self, game: Game, version: int) -> Game:
        closed = replace(game, window=None)
        return closed if self.counts else replace(closed.with_turn(step="act"), played=None)


class TurnBegan(
    PlayerEvent[G], Generic[G], frozen=True, kw_only=True, tag="turn_began", omit_defaults=True
):
    """A player is up, with ``owed`` turns to take in a row; a family says more about it."""

    number: int
    owed: int = 1

    def beside(self, table: Table, game: Game) -> dict[str, object]:
        # Nothing is taken back further than the start of the play.
        return {"past": ()} if self.number == 1 else {}


class StepBegan(PlayerEvent[G], Generic[G], frozen=True, kw_only=True, tag="step_began"):
    """A card's effect waits to be carried out by ``seat``."""

    step: str
    case_field = ("step",)

    def changes(self, game: G, version: int) -> G:
        return game.with_turn(step=self.step)


class WentOut(UndoableEvent[G], Generic[G], frozen=True, kw_only=True, tag="went_out"):
    """A player is out, by the Kitten or because they left."""

    out: OutReason
    sentence_facts = {"kitten": "seat", "left": "seat"}
    case_field = ("out",)


class GameWon(PlayerEvent[Game], frozen=True, kw_only=True, tag="game_won"):
    """The last one standing."""

    def changes(self, game: Game, version: int) -> Game:
        return game.with_winner(self.seat)


InAnyGame = NopePlayed | Passed | Held | Released | WindowExtended | WindowClosed | GameWon
"""What can stand in any log of a game, beside a family's own events."""
