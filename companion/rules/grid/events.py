"""What has happened in a game on the draw grid, in the past tense.

The log is made of these, for ever: a name or field that has been stored once keeps its
meaning, new fields get defaults. This module must not know what is allowed.
"""

from typing import Literal

from companion.rules.core import events
from companion.rules.core.events import Happened, OptionsChanged, TableEvent
from companion.rules.grid.model import Options
from companion.rules.grid.places import Cell


class DeckSaid(Happened, frozen=True, kw_only=True, tag="deck_said", omit_defaults=True):
    """Where a seat's cards will be in the next game; a device commits to a secret."""

    seat: str
    kind: Literal["table", "device"]
    commit: str | None = None


class DeckOpened(Happened, frozen=True, kw_only=True, tag="deck_opened"):
    """A device gave away the secret of the deck that it had kept."""

    seat: str
    secret: str


class GameBegan(Happened, frozen=True, kw_only=True, tag="game_began", omit_defaults=True):
    """The cards are dealt; ``caller`` opens the roll call, if there is one.

    ``salt``, drawn after all have committed, is what devices deal from beside their secret.
    """

    order: tuple[str, ...]
    first: str
    caller: str | None
    salt: str = ""


class NextCalled(Happened, frozen=True, kw_only=True, tag="next_called"):
    """In the roll call, ``seat`` named ``next``; ``caller`` is up to call."""

    seat: str
    next: str
    caller: str | None


class CallerChanged(Happened, frozen=True, kw_only=True, tag="caller_changed"):
    """Somebody left the roll call: these two go on."""

    caller: str | None
    first: str


class RollCallSkipped(Happened, frozen=True, kw_only=True, tag="roll_call_skipped"):
    """The host did without the rest of the roll call."""


class TurnBegan(events.TurnBegan, frozen=True, kw_only=True, tag="turn_began", omit_defaults=True):
    """A player is up and waits to be told."""

    instructor: str


class Instructed(Happened, frozen=True, kw_only=True, tag="instructed"):
    """The instructor ``seat`` told ``target`` which card to draw."""

    seat: str
    target: str
    cell: Cell


class CardPlayed(Happened, frozen=True, kw_only=True, tag="card_played"):
    """A card was played; without ``closes_at`` nobody could Nope it."""

    seat: str
    card: str
    target: str | None = None
    cell: Cell | None = None
    seconds: int
    closes_at: int | None


class Looked(Happened, frozen=True, kw_only=True, tag="looked"):
    """A player looked at one card of their grid."""

    seat: str
    cell: Cell


class GridShuffled(Happened, frozen=True, kw_only=True, tag="grid_shuffled", omit_defaults=True):
    """A grid was shuffled; its cards lie face down in ``cells``. ``salt``: for a device's deck."""

    seat: str
    cells: tuple[Cell, ...]
    salt: str = ""


class CardRevealed(Happened, frozen=True, kw_only=True, tag="card_revealed"):
    """A Favor turned up ``card`` in ``seat``'s grid."""

    seat: str
    cell: Cell
    card: str


class FavorOver(Happened, frozen=True, kw_only=True, tag="favor_over"):
    """A Favor's target left: nothing is turned up, the turn goes on."""

    seat: str


class CardTouched(Happened, frozen=True, kw_only=True, tag="card_touched", omit_defaults=True):
    """The turn player touched the told card; ``by``: the host said so for who keeps a deck."""

    seat: str
    cell: Cell
    by: str | None = None


class CardDrawn(Happened, frozen=True, kw_only=True, tag="card_drawn"):
    """A safe draw: the card is in the hand; ``card`` when it was face up, else ``None``."""

    seat: str
    cell: Cell
    card: str | None


class KittenShown(Happened, frozen=True, kw_only=True, tag="kitten_shown"):
    """The touched card is the Kitten, which lies face up now."""

    seat: str
    cell: Cell
    kitten: str


class KittenDefused(Happened, frozen=True, kw_only=True, tag="kitten_defused", omit_defaults=True):
    """A Defuse was played; the grid's cards lie face down in ``cells``.

    ``hidden``: the Kitten's place, sealed; ``salt``: for a device's deck.
    """

    seat: str
    card: str
    cells: tuple[Cell, ...]
    hidden: str = ""
    salt: str = ""


class NoteMade(Happened, frozen=True, kw_only=True, tag="note_made"):
    """Private: a seat noted a card under a cell of its own grid, or forgot it."""

    seat: str
    cell: Cell
    card: str | None


Event = (
    TableEvent | OptionsChanged[Options] | DeckSaid | DeckOpened | GameBegan | NextCalled
    | CallerChanged | RollCallSkipped | TurnBegan | Instructed | CardPlayed | Looked | GridShuffled
    | CardRevealed | FavorOver | CardTouched | CardDrawn | KittenShown | KittenDefused | NoteMade
)  # fmt: skip
"""Everything that can stand in a log."""
