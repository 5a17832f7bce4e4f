"""What has happened in a game on the draw grid: a record a kind, what it changes, how it is told.

The log is made of these, for ever: a name or field that has been stored once keeps its
meaning, new fields get defaults.
"""

from msgspec.structs import replace

from companion.rules.core import events
from companion.rules.core.events import Deed, GameEvent, Windowed, opened
from companion.rules.grid import deduction, places
from companion.rules.grid.model import Game, Played, Turn
from companion.rules.grid.places import DOWN, Cell
from companion.rules.grid.table_events import BeforeTheTurns

# --- the turn ------------------------------------------------------------------------------


class TurnBegan(
    events.TurnBegan[Game], frozen=True, kw_only=True, tag="turn_began", omit_defaults=True
):
    """A player is up and waits to be told."""

    instructor: str
    told = "seat instructor"

    def changes(self, game: Game, version: int) -> Game:
        turn = Turn(number=self.number, seat=self.seat, owed=self.owed)
        return replace(game, caller=None, turn=turn, played=None, window=None)


class Instructed(Deed[Game], frozen=True, kw_only=True, tag="instructed"):
    """The instructor ``seat`` told ``target`` which card to draw."""

    seat: str
    target: str
    cell: Cell
    told = "seat target cell"

    def changes(self, game: Game, version: int) -> Game:
        return game.with_turn(step="act", told=self.cell)


class CardPlayed(Deed[Game], frozen=True, kw_only=True, tag="card_played"):
    """A card was played; without ``closes_at`` nobody could Nope it."""

    seat: str
    card: str
    target: str | None = None
    cell: Cell | None = None
    seconds: int
    closes_at: int | None
    told = {"": "seat card", "target": "seat card target cell"}

    @property
    def case(self) -> str:
        return "target" if self.target else ""

    @property
    def known(self) -> dict[str, object]:
        return {"known": "held", "target": self.seat, "card": self.card}

    def changes(self, game: Game, version: int) -> Game:
        return replace(
            game.laid(self.seat, self.card).with_turn(step="window"),
            played=Played(card=self.card, by=self.seat, target=self.target, cell=self.cell),
            window=opened(self.seconds, self.closes_at, version),
        )


class NopePlayed(events.NopePlayed[Game], frozen=True, kw_only=True, tag="nope_played"):
    """A Nope was played on the card on top."""

    @property
    def known(self) -> dict[str, object]:
        return {"known": "held", "target": self.seat, "card": self.nope}

    def changes(self, game: Game, version: int) -> Game:
        return replace(
            game.laid(self.seat, self.nope),
            played=replace(game.pending, nopes=(*game.pending.nopes, self.seat)),
            window=opened(self.seconds, self.closes_at, version),
        )


class StepBegan(events.StepBegan[Game], frozen=True, kw_only=True, tag="step_began"):
    """A card's effect waits to be carried out by ``seat``."""

    told = {"look": "seat", "shuffle": "seat", "reveal": "seat"}


class Looked(Deed[Game], frozen=True, kw_only=True, tag="looked"):
    """A player looked at one card of their grid."""

    seat: str
    cell: Cell
    told = "seat cell"

    @property
    def known(self) -> dict[str, object]:
        return {"known": "looked", "target": self.seat, "cell": self.cell}

    def changes(self, game: Game, version: int) -> Game:
        return game.carried_out()


class GridShuffled(Deed[Game], frozen=True, kw_only=True, tag="grid_shuffled", omit_defaults=True):
    """A grid was shuffled; its cards lie face down in ``cells``. ``salt``: for a device's deck."""

    seat: str
    cells: tuple[Cell, ...]
    salt: str = ""
    told = "seat"

    def changes(self, game: Game, version: int) -> Game:
        shuffled = game.rearranged(self.seat, self.cells, placed=False)
        return shuffled.carried_out("tell").with_turn(told=None)


class CardRevealed(Deed[Game], frozen=True, kw_only=True, tag="card_revealed"):
    """A Favor turned up ``card`` in ``seat``'s grid."""

    seat: str
    cell: Cell
    card: str
    told = "seat card cell"

    @property
    def known(self) -> dict[str, object]:
        return {"known": "seen", "target": self.seat, "cell": self.cell, "card": self.card}

    def changes(self, game: Game, version: int) -> Game:
        return game.turned_up(self.seat, self.cell, self.card).carried_out()


class FavorOver(GameEvent[Game], frozen=True, kw_only=True, tag="favor_over"):
    """A Favor's target left: nothing is turned up, the turn goes on."""

    seat: str
    told = "seat"

    def changes(self, game: Game, version: int) -> Game:
        return game.carried_out()


# --- drawing and the Kitten ----------------------------------------------------------------


class CardTouched(Deed[Game], frozen=True, kw_only=True, tag="card_touched", omit_defaults=True):
    """The turn player touched the told card; ``by``: the host said so for who keeps a deck."""

    seat: str
    cell: Cell
    by: str | None = None
    told = {"": "seat cell", "host": "seat cell by"}

    @property
    def case(self) -> str:
        return "host" if self.by else ""

    def changes(self, game: Game, version: int) -> Game:
        player = game.player(self.seat)
        face = places.at(player.grid, self.cell)
        touched = (*player.touched, (len(player.seen), face or DOWN))
        return game.with_player(self.seat, touched=touched).with_turn(step="report")


class CardDrawn(Deed[Game], frozen=True, kw_only=True, tag="card_drawn"):
    """A safe draw: the card is in the hand; ``card`` when it was face up, else ``None``."""

    seat: str
    cell: Cell
    card: str | None
    told = {"": "seat", "card": "seat card"}

    @property
    def case(self) -> str:
        return "card" if self.card else ""

    @property
    def known(self) -> dict[str, object]:
        return (
            {"known": "safe", "target": self.seat, "cell": self.cell} if self.card is None else {}
        )

    def changes(self, game: Game, version: int) -> Game:
        player, card = game.player(self.seat), self.card
        drawn = deduction.DrewHidden() if card is None else deduction.DrewFaceUp(card=card)
        return game.with_player(
            self.seat,
            hand=player.hand + 1,
            grid=places.put(player.grid, self.cell, None),
            notes=player.notes_but(self.cell),
            seen=(*player.seen, drawn),
        )


class KittenShown(Deed[Game], frozen=True, kw_only=True, tag="kitten_shown"):
    """The touched card is the Kitten, which lies face up now."""

    seat: str
    cell: Cell
    kitten: str
    told = "seat kitten"

    @property
    def known(self) -> dict[str, object]:
        return {"known": "seen", "target": self.seat, "cell": self.cell, "card": self.kitten}

    def changes(self, game: Game, version: int) -> Game:
        if places.at(game.player(self.seat).grid, self.cell) == DOWN:
            game = game.turned_up(self.seat, self.cell, self.kitten)
        return game.with_turn(step="kitten")


class KittenDefused(
    Deed[Game], frozen=True, kw_only=True, tag="kitten_defused", omit_defaults=True
):
    """A Defuse was played; the grid's cards lie face down in ``cells``.

    ``still``: but for the Kitten, and what lay where it is now, none was moved. ``hidden``: the
    Kitten's place, sealed; ``salt``: for a device's deck.
    """

    seat: str
    card: str
    cells: tuple[Cell, ...]
    still: bool = False
    hidden: str = ""
    salt: str = ""
    told = "seat card"

    @property
    def known(self) -> dict[str, object]:
        return {"known": "held", "target": self.seat, "card": self.card}

    def changes(self, game: Game, version: int) -> Game:
        game = game.laid(self.seat, self.card, forced=True)
        return game.rearranged(self.seat, self.cells, placed=True)


class WentOut(events.WentOut[Game], frozen=True, kw_only=True, tag="went_out"):
    """A player who is out loses hand and grid (ruling out-is-out)."""

    def changes(self, game: Game, version: int) -> Game:
        rows = game.player(self.seat).grid
        empty = places.laid(len(rows), len(rows[0]), None)
        return game.with_player(self.seat, out=self.out, hand=0, grid=empty, notes=())


class GameWon(events.GameWon[Game], frozen=True, kw_only=True, tag="game_won"):
    """The last one standing."""

    def changes(self, game: Game, version: int) -> Game:
        return replace(game, winner=self.seat, caller=None, turn=None, played=None, window=None)


class NoteMade(GameEvent[Game], frozen=True, kw_only=True, tag="note_made"):
    """Private: a seat noted a card under a cell of its own grid, or forgot it."""

    seat: str
    cell: Cell
    card: str | None
    told = {"": "cell card", "nothing": "cell"}
    private = True

    @property
    def case(self) -> str:
        return "" if self.card else "nothing"

    def changes(self, game: Game, version: int) -> Game:
        notes = game.player(self.seat).notes_but(self.cell)
        if self.card is not None:
            notes = (*notes, (self.cell, self.card))
        return game.with_player(self.seat, notes=notes)


Event = (
    BeforeTheTurns | Windowed | TurnBegan | Instructed | CardPlayed | NopePlayed | StepBegan
    | Looked | GridShuffled | CardRevealed | FavorOver | CardTouched | CardDrawn | KittenShown
    | KittenDefused | WentOut | GameWon | NoteMade
)  # fmt: skip
"""Everything that can stand in a log."""
