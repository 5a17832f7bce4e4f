"""What has happened on the draw grid: a record a kind, what it changes, how it is told."""

from functools import partial
from typing import Literal

from msgspec.structs import replace

from companion.rules.core import events, model
from companion.rules.core.events import (
    GameEvent,
    PlayerEvent,
    SeatEvent,
    TableEvent,
    UndoableEvent,
    open_window,
)
from companion.rules.core.game import with_seat
from companion.rules.core.model import Deck
from companion.rules.core.table_events import AtAnyTable, OptionsChanged
from companion.rules.grid import deduction, places
from companion.rules.grid.model import Game, Options, Played, Player, Table, Turn
from companion.rules.grid.places import DOWN, Cell


class DeckSaid(SeatEvent[Table], frozen=True, kw_only=True, tag="deck_said", omit_defaults=True):
    """Where a seat's cards will be in the next game; a device commits to a secret."""

    kind: Literal["table", "device"]
    commit: str | None = None
    sentence_facts = {"table": "seat", "device": "seat"}
    case_field = ("kind",)

    def changes(self, table: Table) -> Table:
        decks = tuple(deck for deck in table.decks if deck.seat != self.seat)
        if self.commit is not None:
            decks += (Deck(seat=self.seat, commit=self.commit),)
        return replace(table, decks=decks)


class DeckReported(SeatEvent[Table], frozen=True, kw_only=True, tag="deck_reported"):
    """A seat's device has said whether it has the seat's deck."""

    here: bool
    sentence_facts = {"here": "seat", "missing": "seat"}
    case_field = "here", "here", "missing"

    def changes(self, table: Table) -> Table:
        name = "dealt" if table.game else "decks"
        decks = getattr(table, name)
        return replace(table, **{name: with_seat(decks, self.seat, here=self.here)})

    def undoable_end(self, table: Table) -> model.Table | None:
        return table.ended  # it is no word of the game


class DeckOpened(SeatEvent[Table], frozen=True, kw_only=True, tag="deck_opened"):
    """A device gave away the secret of the deck that it had kept."""

    secret: str
    after_game = True

    def changes(self, table: Table) -> Table:
        return replace(table, dealt=with_seat(table.dealt, self.seat, secret=self.secret))

    def undoable_end(self, table: Table) -> model.Table | None:
        return table.ended  # it is no word of the game


class GameBegan(TableEvent[Table], frozen=True, kw_only=True, tag="game_began", omit_defaults=True):
    """The cards are dealt; ``caller`` opens the roll call, if there is one. ``salt``, drawn after
    all have committed, is what devices deal from beside their secret."""

    order: tuple[str, ...]
    first: str
    caller: str | None
    salt: str = ""
    sentence_facts = "first"

    def changes(self, table: Table) -> Table:
        variant = table.variant
        grid = places.full_grid(variant.grid.rows, variant.grid.columns)
        player = partial(Player, hand=variant.hand, grid=grid, deal=variant.deck)
        players = tuple(player(seat=seat) for seat in self.order)
        game = Game(players=players, first=self.first, caller=self.caller)
        kept = [deck for deck in table.decks if deck.seat in self.order]
        dealt = tuple(replace(deck, name=table.seat(deck.seat).name) for deck in kept)
        return replace(table, game=game, decks=(), dealt=dealt)


class NextCalled(PlayerEvent[Game], frozen=True, kw_only=True, tag="next_called"):
    """In the roll call, ``seat`` named ``next``; ``caller`` is up to call."""

    next: str
    caller: str | None
    sentence_facts = "seat next"

    def changes(self, game: Game, version: int) -> Game:
        return replace(game, caller=self.caller)


class CallerChanged(GameEvent[Game], frozen=True, kw_only=True, tag="caller_changed"):
    """Somebody left the roll call: these two go on."""

    caller: str | None
    first: str

    def changes(self, game: Game, version: int) -> Game:
        return replace(game, caller=self.caller, first=self.first)


class RollCallSkipped(GameEvent[Game], frozen=True, kw_only=True, tag="roll_call_skipped"):
    """The host did without the rest of the roll call."""

    def changes(self, game: Game, version: int) -> Game:
        return replace(game, caller=None)


class TurnBegan(events.TurnBegan[Game], frozen=True, kw_only=True, tag="turn_began"):
    """A player is up and waits to be told."""

    instructor: str
    again: bool = False  # the same player was up before: it is the next of the turns they owed
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

    def changes(self, game: Game, version: int) -> Game:
        turn = Turn(number=self.number, seat=self.seat, owed=self.owed, again=self.again)
        return replace(game, caller=None, turn=turn, played=None, window=None)


class Instructed(UndoableEvent[Game], frozen=True, kw_only=True, tag="instructed"):
    """The instructor ``seat`` told ``target`` which card to draw."""

    target: str
    cell: Cell
    sentence_facts = "seat target cell"

    def changes(self, game: Game, version: int) -> Game:
        return game.with_turn(step="act", told=self.cell)


class CardPlayed(UndoableEvent[Game], frozen=True, kw_only=True, tag="card_played"):
    """A card was played; without ``closes_at`` nobody could Nope it."""

    card: str
    target: str | None = None
    cell: Cell | None = None
    seconds: int
    closes_at: int | None
    sentence_facts = {"": "seat card", "target": "seat card target cell"}
    case_field = "target", "target", ""

    @property
    def stays(self) -> tuple[None, str]:
        return None, self.card

    def changes(self, game: Game, version: int) -> Game:
        return replace(
            game.discard_from_hand(self.seat, self.card).with_turn(step="window"),
            played=Played(card=self.card, by=self.seat, target=self.target, cell=self.cell),
            window=open_window(self.seconds, self.closes_at, version),
        )


class StepBegan(events.StepBegan[Game], frozen=True, kw_only=True, tag="step_began"):
    """A card's effect waits to be carried out by ``seat``."""

    sentence_facts = {"look": "seat", "shuffle": "seat", "reveal": "seat"}


class Looked(UndoableEvent[Game], frozen=True, kw_only=True, tag="looked"):
    """A player looked at one card of their grid."""

    cell: Cell
    sentence_facts = "seat cell"

    def changes(self, game: Game, version: int) -> Game:
        return game.carried_out()


class GridShuffled(
    UndoableEvent[Game], frozen=True, kw_only=True, tag="grid_shuffled", omit_defaults=True
):
    """A grid was shuffled; its cards lie face down in ``cells``. ``salt``: for a device's deck."""

    cells: tuple[Cell, ...]
    salt: str = ""

    def changes(self, game: Game, version: int) -> Game:
        shuffled = game.with_grid_arranged(self.seat, self.cells, placed=False)
        return shuffled.carried_out("tell").with_turn(told=None)


class CardRevealed(UndoableEvent[Game], frozen=True, kw_only=True, tag="card_revealed"):
    """A Favor turned up ``card`` in ``seat``'s grid."""

    cell: Cell
    card: str
    sentence_facts = "seat card cell"

    @property
    def stays(self) -> tuple[Cell, str]:
        return self.cell, self.card

    def changes(self, game: Game, version: int) -> Game:
        return game.with_card_face_up(self.seat, self.cell, self.card).carried_out()


class FavorOver(PlayerEvent[Game], frozen=True, kw_only=True, tag="favor_over"):
    """A Favor's target left: nothing is turned up, the turn goes on."""

    def changes(self, game: Game, version: int) -> Game:
        return game.carried_out()


class CardTouched(
    UndoableEvent[Game], frozen=True, kw_only=True, tag="card_touched", omit_defaults=True
):
    """The turn player touched the told card; ``by``: the host said so for who keeps a deck."""

    cell: Cell
    by: str | None = None
    sentence_facts = {"": "seat cell", "host": "seat cell by"}
    case_field = "by", "host", ""

    def changes(self, game: Game, version: int) -> Game:
        player = game.player(self.seat)
        face = places.card_at(player.grid, self.cell)
        touched = (*player.touched, (len(player.seen), face or DOWN))
        return game.with_player(self.seat, touched=touched).with_turn(step="report")


class CardDrawn(UndoableEvent[Game], frozen=True, kw_only=True, tag="card_drawn"):
    """A safe draw: the card is in the hand; ``card`` when it was face up, else ``None``."""

    cell: Cell
    card: str | None
    sentence_facts = {"": "seat", "card": "seat card"}
    case_field = "card", "card", ""

    @property
    def stays(self) -> tuple[Cell, str | None]:
        return self.cell, self.card

    def changes(self, game: Game, version: int) -> Game:
        player = game.player(self.seat)
        card = self.card
        drawn = deduction.DrewHidden() if card is None else deduction.DrewFaceUp(card=card)
        return game.with_player(
            self.seat,
            hand=player.hand + 1,
            grid=places.with_cell(player.grid, self.cell, None),
            notes=player.notes_but(self.cell),
            seen=(*player.seen, drawn),
        )


class KittenShown(UndoableEvent[Game], frozen=True, kw_only=True, tag="kitten_shown"):
    """The touched card is the Kitten, which lies face up now."""

    cell: Cell
    kitten: str
    sentence_facts = "seat kitten"

    @property
    def stays(self) -> tuple[Cell, str]:
        return self.cell, self.kitten

    def changes(self, game: Game, version: int) -> Game:
        if places.card_at(game.player(self.seat).grid, self.cell) == DOWN:
            game = game.with_card_face_up(self.seat, self.cell, self.kitten)
        return game.with_turn(step="kitten")


class KittenDefused(
    UndoableEvent[Game], frozen=True, kw_only=True, tag="kitten_defused", omit_defaults=True
):
    """A Defuse was played; the grid's cards lie face down in ``cells``. ``still``: but for the
    Kitten, and what lay where it is now, none was moved. ``hidden``: the Kitten's place, sealed;
    ``salt``: for a device's deck."""

    card: str
    cells: tuple[Cell, ...]
    still: bool = False
    hidden: str = ""
    salt: str = ""
    sentence_facts = "seat card"

    @property
    def stays(self) -> tuple[None, str]:
        return None, self.card

    def changes(self, game: Game, version: int) -> Game:
        game = game.discard_from_hand(self.seat, self.card, forced=True)
        return game.with_grid_arranged(self.seat, self.cells, placed=True)


class WentOut(events.WentOut[Game], frozen=True, kw_only=True, tag="went_out"):
    """A player who is out loses hand and grid (ruling out-is-out)."""

    def changes(self, game: Game, version: int) -> Game:
        rows = game.player(self.seat).grid
        empty = places.full_grid(len(rows), len(rows[0]), None)
        return game.with_player(self.seat, out=self.out, hand=0, grid=empty, notes=())


class NoteMade(PlayerEvent[Game], frozen=True, kw_only=True, tag="note_made"):
    """Private: a seat noted a card under a cell of its own grid, or forgot it."""

    cell: Cell
    card: str | None
    sentence_facts = {"": "cell card", "nothing": "cell"}
    case_field = "card", "", "nothing"
    private = True

    def changes(self, game: Game, version: int) -> Game:
        notes = game.player(self.seat).notes_but(self.cell)
        if self.card is not None:
            notes = (*notes, (self.cell, self.card))
        return game.with_player(self.seat, notes=notes)


Event = (
    AtAnyTable | events.InAnyGame | OptionsChanged[Options] | DeckSaid | DeckReported | DeckOpened
    | GameBegan | NextCalled | CallerChanged | RollCallSkipped | TurnBegan | Instructed | CardPlayed
    | StepBegan
    | Looked | GridShuffled | CardRevealed | FavorOver | CardTouched | CardDrawn | KittenShown
    | KittenDefused | WentOut | NoteMade
)  # fmt: skip
"""Everything that can stand in a log."""
