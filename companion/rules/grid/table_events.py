"""What has happened before a first turn on the draw grid: at the table, and in the roll call."""

from typing import Literal

from msgspec.structs import replace

from companion.rules.core import model
from companion.rules.core.events import GameEvent, TableEvent
from companion.rules.core.model import Deck
from companion.rules.core.table_events import AtAnyTable, OptionsChanged
from companion.rules.grid import places
from companion.rules.grid.model import Game, Options, Player, Table


class DeckSaid(TableEvent[Table], frozen=True, kw_only=True, tag="deck_said", omit_defaults=True):
    """Where a seat's cards will be in the next game; a device commits to a secret."""

    seat: str
    kind: Literal["table", "device"]
    commit: str | None = None
    told = {"table": "seat", "device": "seat"}

    @property
    def case(self) -> str:
        return self.kind

    def changes(self, table: Table) -> Table:
        decks = tuple(deck for deck in table.decks if deck.seat != self.seat)
        if self.commit is not None:
            decks += (Deck(seat=self.seat, commit=self.commit),)
        return replace(table, decks=decks)


class DeckOpened(TableEvent[Table], frozen=True, kw_only=True, tag="deck_opened"):
    """A device gave away the secret of the deck that it had kept."""

    seat: str
    secret: str
    told = "seat"
    late = True

    def changes(self, table: Table) -> Table:
        dealt = tuple(
            replace(deck, secret=self.secret) if deck.seat == self.seat else deck
            for deck in table.dealt
        )
        return replace(table, dealt=dealt)

    def ended(self, table: Table) -> model.Table | None:
        return table.ended  # it is no word of the game


class GameBegan(TableEvent[Table], frozen=True, kw_only=True, tag="game_began", omit_defaults=True):
    """The cards are dealt; ``caller`` opens the roll call, if there is one.

    ``salt``, drawn after all have committed, is what devices deal from beside their secret.
    """

    order: tuple[str, ...]
    first: str
    caller: str | None
    salt: str = ""
    told = "first"

    def changes(self, table: Table) -> Table:
        variant = table.variant
        grid = places.laid(variant.rows, variant.columns)
        players = tuple(
            Player(seat=seat, hand=variant.hand, grid=grid, deal=variant.deck)
            for seat in self.order
        )
        game = Game(players=players, first=self.first, caller=self.caller)
        dealt = tuple(
            replace(deck, name=table.seat(deck.seat).name)
            for deck in table.decks
            if deck.seat in self.order
        )
        return replace(table, game=game, decks=(), dealt=dealt)


class NextCalled(GameEvent[Game], frozen=True, kw_only=True, tag="next_called"):
    """In the roll call, ``seat`` named ``next``; ``caller`` is up to call."""

    seat: str
    next: str
    caller: str | None
    told = "seat next"

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


BeforeTheTurns = (
    AtAnyTable | OptionsChanged[Options] | DeckSaid | DeckOpened | GameBegan | NextCalled
    | CallerChanged | RollCallSkipped
)  # fmt: skip
"""What can stand in a log, beside the events of the turns."""
