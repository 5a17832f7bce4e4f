"""The events of a game on the draw grid, with one class for each type in the log.

In each class, the method ``apply_to`` returns the game (or table) after the event.
``sentence_facts`` lists the placeholders that the event's log message uses. If the type has several
messages, ``sentence_facts`` maps each case to the placeholders of its message, and ``case_field``
selects the case. ``case_field`` names either one field, whose value is the case, or a field with
two cases: the first if that field is true, the second if that field is false.
"""

from functools import partial
from typing import Literal

from msgspec.structs import replace

from companion.rules.core import events, state
from companion.rules.core.events import (
    GameEvent,
    PlayerEvent,
    SeatEvent,
    TableEvent,
    UndoableEvent,
    open_window,
)
from companion.rules.core.state import Deck, with_seat
from companion.rules.core.table_events import AtAnyTable, OptionsChanged
from companion.rules.core.types import INSTRUCTION
from companion.rules.grid import deduction, places
from companion.rules.grid.places import DOWN, Cell
from companion.rules.grid.state import Game, Options, Played, Player, Table, Turn


class DeckChosen(SeatEvent[Table], frozen=True, kw_only=True, tag="deck_said", omit_defaults=True):
    """A player chose real cards, or a deck on their device, for the next game."""

    kind: Literal["table", "device"]
    commit: str | None = None  # the hash of the device's secret; None for real cards
    sentence_facts = {"table": "seat", "device": "seat"}
    case_field = ("kind",)

    def apply_to(self, table: Table) -> Table:
        decks = tuple(deck for deck in table.decks if deck.seat != self.seat)
        if self.commit is not None:
            decks += (Deck(seat=self.seat, commit=self.commit),)
        return replace(table, decks=decks)


class DeckReported(SeatEvent[Table], frozen=True, kw_only=True, tag="deck_reported"):
    """A seat's device reported whether it has the seat's deck."""

    here: bool
    sentence_facts = {"here": "seat", "missing": "seat"}
    case_field = "here", "here", "missing"

    def apply_to(self, table: Table) -> Table:
        name = "dealt" if table.game else "decks"
        decks = getattr(table, name)
        return replace(table, **{name: with_seat(decks, self.seat, here=self.here)})

    def table_before_end(self, table: Table) -> state.Table | None:
        return table.ended  # an undo can still restore a game that the host ended


class DeckOpened(SeatEvent[Table], frozen=True, kw_only=True, tag="deck_opened"):
    """A device published the secret of the deck that it kept."""

    secret: str
    after_game = True

    def apply_to(self, table: Table) -> Table:
        return replace(table, dealt=with_seat(table.dealt, self.seat, secret=self.secret))

    def table_before_end(self, table: Table) -> state.Table | None:
        return table.ended  # an undo can still restore a game that the host ended


class GameBegan(TableEvent[Table], frozen=True, kw_only=True, tag="game_began", omit_defaults=True):
    """The game began with dealt cards."""

    order: tuple[str, ...]
    first: str
    caller: str | None  # the first caller of the roll call, or None if there is no roll call
    salt: str = ""  # random; each device deals its deck from this salt and its own secret
    by_lot: bool = False  # True if lots were drawn for the first player
    sentence_facts = "first"

    def apply_to(self, table: Table) -> Table:
        variant = table.variant
        grid = places.full_grid(variant.grid.rows, variant.grid.columns)
        player = partial(Player, hand=variant.hand, grid=grid, deal=variant.deck)
        players = tuple(player(seat=seat) for seat in self.order)
        game = Game(players=players, first=self.first, caller=self.caller)
        kept = [deck for deck in table.decks if deck.seat in self.order]
        dealt = tuple(replace(deck, name=table.seat(deck.seat).name) for deck in kept)
        return replace(table, game=game, decks=(), dealt=dealt)


class NextCalled(PlayerEvent[Game], frozen=True, kw_only=True, tag="next_called"):
    """The caller ``seat`` named the next player in the roll call."""

    next: str
    caller: str | None  # the next caller; None if the roll call is over
    sentence_facts = "seat next"

    def apply_to(self, game: Game, version: int) -> Game:
        return replace(game, caller=self.caller)


class CallerChanged(GameEvent[Game], frozen=True, kw_only=True, tag="caller_changed"):
    """The caller or the first player left during the roll call, so another player took over the
    role."""

    caller: str | None  # the caller from now on; None if no caller is left
    first: str  # the player who will have the first turn

    def apply_to(self, game: Game, version: int) -> Game:
        return replace(game, caller=self.caller, first=self.first)


class RollCallSkipped(GameEvent[Game], frozen=True, kw_only=True, tag="roll_call_skipped"):
    """The host skipped the rest of the roll call."""

    def apply_to(self, game: Game, version: int) -> Game:
        return replace(game, caller=None)


class TurnBegan(events.TurnBegan[Game], frozen=True, kw_only=True, tag="turn_began"):
    """A player's turn began; the instructor must choose a card for them."""

    instructor: str
    again: bool = False  # True if the player also took the previous turn and still owed this one
    sentence_facts = {
        "": "seat instructor",
        "owed": "seat instructor owed",
        "again": "seat instructor",
        "more": "seat instructor owed",
    }

    @property
    def sentence_case(self) -> str:
        if self.again:
            return "more" if self.owed > 1 else "again"
        return "owed" if self.owed > 1 else ""

    def apply_to(self, game: Game, version: int) -> Game:
        turn = Turn(number=self.number, seat=self.seat, owed=self.owed, again=self.again)
        game = game.without_auto_pass(self.seat)
        return replace(game, caller=None, turn=turn, played=None, window=None)


class Instructed(
    UndoableEvent[Game], frozen=True, kw_only=True, tag="instructed", omit_defaults=True
):
    """The instructor ``seat`` chose the cell that ``target`` must draw.

    If the instruction can be Noped (ruling noped-instruction), a window opens for it.
    """

    target: str
    cell: Cell
    seconds: int | None = None  # the window's full length; None if no window opens
    closes_at: int | None = None  # the time at which the window closes, in ms since the epoch
    sentence_facts = "seat target cell"

    def apply_to(self, game: Game, version: int) -> Game:
        if self.seconds is None:
            return game.with_turn(step="act", told=self.cell)
        return replace(
            game.with_turn(step="window", told=self.cell),
            played=Played(card=INSTRUCTION, by=self.seat, target=self.target, cell=self.cell),
            window=open_window(self.seconds, self.closes_at, version),
        )


class CardPlayed(UndoableEvent[Game], frozen=True, kw_only=True, tag="card_played"):
    """A card was played."""

    card: str
    target: str | None = None
    cell: Cell | None = None
    seconds: int
    closes_at: int | None
    """When the card's Nope window closes, in ms since the epoch; None if nobody can Nope the card.
    """
    sentence_facts = {"": "seat card", "target": "seat card target cell"}
    case_field = "target", "target", ""

    @property
    def lasting_fact(self) -> tuple[None, str]:
        return None, self.card

    def apply_to(self, game: Game, version: int) -> Game:
        return replace(
            game.discard_from_hand(self.seat, self.card).with_turn(step="window"),
            played=Played(card=self.card, by=self.seat, target=self.target, cell=self.cell),
            window=open_window(self.seconds, self.closes_at, version),
        )


class StepBegan(events.StepBegan[Game], frozen=True, kw_only=True, tag="step_began"):
    """The game waits for ``seat`` to carry out a card's effect."""

    sentence_facts = {"look": "seat", "shuffle": "seat", "reveal": "seat"}


class Looked(UndoableEvent[Game], frozen=True, kw_only=True, tag="looked"):
    """A player looked at one card of their grid."""

    cell: Cell
    sentence_facts = "seat cell"

    def apply_to(self, game: Game, version: int) -> Game:
        return game.with_effect_over()


class GridShuffled(
    UndoableEvent[Game], frozen=True, kw_only=True, tag="grid_shuffled", omit_defaults=True
):
    """A player shuffled their grid, whose cards all lie face down now."""

    cells: tuple[Cell, ...]  # the cells that hold a card afterwards
    salt: str = ""  # random; if a device keeps the deck, it shuffles with this salt

    def apply_to(self, game: Game, version: int) -> Game:
        shuffled = game.with_grid_arranged(self.seat, self.cells, placed=False)
        return shuffled.with_effect_over("tell").with_turn(told=None, noped=())


class CardRevealed(UndoableEvent[Game], frozen=True, kw_only=True, tag="card_revealed"):
    """A Favor turned up ``card`` in ``seat``'s grid."""

    cell: Cell
    card: str
    sentence_facts = "seat card cell"

    @property
    def lasting_fact(self) -> tuple[Cell, str]:
        return self.cell, self.card

    def apply_to(self, game: Game, version: int) -> Game:
        return game.with_card_face_up(self.seat, self.cell, self.card).with_effect_over()


class FavorOver(PlayerEvent[Game], frozen=True, kw_only=True, tag="favor_over"):
    """A Favor's target left before turning a card up. The turn goes on without the Favor."""

    def apply_to(self, game: Game, version: int) -> Game:
        return game.with_effect_over()


class CardTouched(
    UndoableEvent[Game], frozen=True, kw_only=True, tag="card_touched", omit_defaults=True
):
    """The turn player touched the card that they must draw."""

    cell: Cell
    by: str | None = None
    """The host's seat, if the host sent the command for a seat whose device keeps its deck.
    Otherwise None."""
    sentence_facts = {"": "seat cell", "host": "seat cell by"}
    case_field = "by", "host", ""

    def apply_to(self, game: Game, version: int) -> Game:
        player = game.player(self.seat)
        face = places.card_at(player.grid, self.cell)
        touched = (*player.touched, (len(player.seen), face or DOWN))
        return game.with_player(self.seat, touched=touched).with_turn(step="report")


class CardDrawn(UndoableEvent[Game], frozen=True, kw_only=True, tag="card_drawn"):
    """A player drew a safe card, which is in their hand now."""

    cell: Cell
    card: str | None  # the card's title if it lay face up, else None
    sentence_facts = {"": "seat", "card": "seat card"}
    case_field = "card", "card", ""

    @property
    def lasting_fact(self) -> tuple[Cell, str | None]:
        return self.cell, self.card

    def apply_to(self, game: Game, version: int) -> Game:
        player = game.player(self.seat)
        card = self.card
        drawn = deduction.DrewHidden() if card is None else deduction.DrewFaceUp(card=card)
        return game.with_player(
            self.seat,
            hand=player.hand + 1,
            grid=places.with_cell(player.grid, self.cell, None),
            notes=player.notes_except(self.cell),
            seen=(*player.seen, drawn),
        )


class KittenShown(UndoableEvent[Game], frozen=True, kw_only=True, tag="kitten_shown"):
    """The touched card turned out to be the Kitten, which lies face up now."""

    cell: Cell
    kitten: str
    sentence_facts = "seat kitten"

    @property
    def lasting_fact(self) -> tuple[Cell, str]:
        return self.cell, self.kitten

    def apply_to(self, game: Game, version: int) -> Game:
        if places.card_at(game.player(self.seat).grid, self.cell) == DOWN:
            game = game.with_card_face_up(self.seat, self.cell, self.kitten)
        return game.with_turn(step="kitten")


class KittenDefused(
    UndoableEvent[Game], frozen=True, kw_only=True, tag="kitten_defused", omit_defaults=True
):
    """A Defuse was played, and all cards of the grid lie face down again."""

    card: str
    cells: tuple[Cell, ...]  # the cells that hold a card afterwards
    still: bool = False  # True if the Kitten only swapped places with one card
    hidden: str = ""  # the commitment to the Kitten's cell; "" if no device keeps the deck
    salt: str = ""  # random; if a device keeps the deck, it shuffles with this salt
    sentence_facts = "seat card"

    @property
    def lasting_fact(self) -> tuple[None, str]:
        return None, self.card

    def apply_to(self, game: Game, version: int) -> Game:
        game = game.discard_from_hand(self.seat, self.card, forced=True)
        return game.with_grid_arranged(self.seat, self.cells, placed=True)


class WentOut(events.WentOut[Game], frozen=True, kw_only=True, tag="went_out"):
    """A player went out. Their hand and grid leave the game (ruling out-is-out)."""

    def apply_to(self, game: Game, version: int) -> Game:
        rows = game.player(self.seat).grid
        empty = places.full_grid(len(rows), len(rows[0]), None)
        return game.with_player(
            self.seat, out=self.out, auto_pass=False, hand=0, grid=empty, notes=()
        )


class NoteMade(PlayerEvent[Game], frozen=True, kw_only=True, tag="note_made"):
    """A player noted which card lies in a cell of their own grid, or removed the note.

    The event is private.
    """

    cell: Cell
    card: str | None  # None if the note was removed
    sentence_facts = {"": "cell card", "nothing": "cell"}
    case_field = "card", "", "nothing"
    private = True

    def apply_to(self, game: Game, version: int) -> Game:
        notes = game.player(self.seat).notes_except(self.cell)
        if self.card is not None:
            notes = (*notes, (self.cell, self.card))
        return game.with_player(self.seat, notes=notes)


Event = (
    AtAnyTable | events.InAnyGame | OptionsChanged[Options] | DeckChosen | DeckReported | DeckOpened
    | GameBegan | NextCalled | CallerChanged | RollCallSkipped | TurnBegan | Instructed | CardPlayed
    | StepBegan
    | Looked | GridShuffled | CardRevealed | FavorOver | CardTouched | CardDrawn | KittenShown
    | KittenDefused | WentOut | NoteMade
)  # fmt: skip
"""All events that a draw-grid table's log can hold."""
