"""What has happened in a classic game, in the past tense.

The log is made of these, for ever: a name or field that has been stored once keeps its
meaning, new fields get defaults. This module must not know what is allowed.
"""

from companion.rules.core import events
from companion.rules.core.events import Happened, OptionsChanged, TableEvent
from companion.rules.pile.model import Options
from companion.rules.pile.order import Notes
from companion.rules.pile.variant import Kind


class SeatsOrdered(Happened, frozen=True, kw_only=True, tag="seats_ordered"):
    """In which order all sit, clockwise."""

    seats: tuple[str, ...]


class GameBegan(Happened, frozen=True, kw_only=True, tag="game_began"):
    """The cards are dealt."""

    order: tuple[str, ...]
    first: str


class TurnBegan(events.TurnBegan, frozen=True, kw_only=True, tag="turn_began", omit_defaults=False):
    """A player is up; ``attacked``: because of an Attack; ``again``: they were up before."""

    attacked: bool = False
    again: bool = False


class CardPlayed(Happened, frozen=True, kw_only=True, tag="card_played"):
    """A card was played; without ``closes_at`` nobody could Nope it."""

    seat: str
    card: str
    target: str | None = None
    seconds: int
    closes_at: int | None


class ComboPlayed(Happened, frozen=True, kw_only=True, tag="combo_played"):
    """Several cards were played as one; without ``closes_at`` nobody could Nope them."""

    seat: str
    kind: Kind
    cards: tuple[str, ...]
    target: str | None = None
    name: str | None = None
    seconds: int
    closes_at: int | None


class Looked(Happened, frozen=True, kw_only=True, tag="looked"):
    """A player looked at the top cards; ``altered``: they put them back in another order."""

    seat: str
    altered: bool = False


class TopNoted(Happened, frozen=True, kw_only=True, tag="top_noted"):
    """Private: a player noted which cards they saw on top."""

    seat: str
    cards: tuple[str, ...]


class PileShuffled(Happened, frozen=True, kw_only=True, tag="pile_shuffled"):
    """The pile was shuffled."""

    seat: str


class CardGiven(Happened, frozen=True, kw_only=True, tag="card_given"):
    """``seat`` gave ``target``, whose Favor it was, a card that nobody else saw."""

    seat: str
    target: str


class CardTaken(Happened, frozen=True, kw_only=True, tag="card_taken"):
    """``seat`` took a card from ``target``'s hand that nobody else saw."""

    seat: str
    target: str


class Answered(Happened, frozen=True, kw_only=True, tag="answered"):
    """``seat`` had the card and gave it to ``target``, or has none."""

    seat: str
    target: str
    card: str
    has: bool


class CardPicked(Happened, frozen=True, kw_only=True, tag="card_picked"):
    """A card of the discard pile went to a hand."""

    seat: str
    card: str


class EffectOver(Happened, frozen=True, kw_only=True, tag="effect_over"):
    """What ``seat`` played comes to nothing; their turn goes on."""

    seat: str


class CardTouched(Happened, frozen=True, kw_only=True, tag="card_touched"):
    """The turn player touched the top card."""

    seat: str


class CardDrawn(Happened, frozen=True, kw_only=True, tag="card_drawn"):
    """A safe draw: the card is in the hand."""

    seat: str


class KittenShown(Happened, frozen=True, kw_only=True, tag="kitten_shown"):
    """The touched card is a Kitten."""

    seat: str
    kitten: str


class KittenDefused(Happened, frozen=True, kw_only=True, tag="kitten_defused"):
    """A Defuse was played; the Kitten is in the pile again."""

    seat: str
    card: str


class KittenPlaced(Happened, frozen=True, kw_only=True, tag="kitten_placed"):
    """Private: where the Kitten went, and all that its player has noted of the pile now."""

    seat: str
    place: int
    notes: Notes


class HandTold(Happened, frozen=True, kw_only=True, tag="hand_told"):
    """Which cards the hand of a player held that went to the discard pile."""

    seat: str
    cards: tuple[str, ...]


class NoteMade(Happened, frozen=True, kw_only=True, tag="note_made"):
    """Private: a seat noted a card at a place of the pile, or forgot it; ``own``: a Kitten that
    they put back themselves."""

    seat: str
    place: int
    card: str | None
    own: bool = False


Event = (
    TableEvent | OptionsChanged[Options] | SeatsOrdered | GameBegan | TurnBegan | CardPlayed
    | ComboPlayed | Looked | TopNoted | PileShuffled | CardGiven | CardTaken | Answered
    | CardPicked | EffectOver | CardTouched | CardDrawn | KittenShown | KittenDefused
    | KittenPlaced | HandTold | NoteMade
)  # fmt: skip
"""Everything that can stand in a log."""
