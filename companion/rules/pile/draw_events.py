"""What has happened when somebody drew: a record a kind, what it changes, how it is told."""

from msgspec.structs import replace

from companion.rules.core import events
from companion.rules.core.events import Deed, GameEvent
from companion.rules.pile.model import Game
from companion.rules.pile.observations import Drew, DrewKitten, Exploded, PutBack, Went
from companion.rules.pile.order import Notes, returned


class CardTouched(Deed[Game], frozen=True, kw_only=True, tag="card_touched"):
    """The turn player touched the top card."""

    seat: str
    told = "seat"

    def changes(self, game: Game, version: int) -> Game:
        return game.with_turn(step="report", end="top")


class CardDrawn(Deed[Game], frozen=True, kw_only=True, tag="card_drawn"):
    """A safe draw: the card is in the hand."""

    seat: str
    told = "seat"

    @property
    def known(self) -> dict[str, object]:
        return {"known": "safe"}

    def changes(self, game: Game, version: int) -> Game:
        return game.drew(self.seat, Drew(self.seat)).with_hand(self.seat, 1)


class KittenShown(Deed[Game], frozen=True, kw_only=True, tag="kitten_shown"):
    """The touched card is a Kitten."""

    seat: str
    kitten: str
    told = "seat kitten"

    @property
    def known(self) -> dict[str, object]:
        return {"known": "seen", "kitten": self.kitten}

    def changes(self, game: Game, version: int) -> Game:
        return game.drew(self.seat, DrewKitten()).with_turn(step="kitten", shown=self.kitten)


class KittenDefused(Deed[Game], frozen=True, kw_only=True, tag="kitten_defused"):
    """A Defuse was played; the Kitten is in the pile again."""

    seat: str
    card: str
    told = "seat card"

    @property
    def known(self) -> dict[str, object]:
        return {"known": "held", "target": self.seat, "cards": (self.card,)}

    def changes(self, game: Game, version: int) -> Game:
        game = game.laid(self.seat, (self.card,)).saw(PutBack()).noted_anew(lambda notes: ())
        return replace(game.with_turn(shown=None), chosen=returned(game.chosen, self.seat))


class KittenPlaced(GameEvent[Game], frozen=True, kw_only=True, tag="kitten_placed"):
    """Private: where the Kitten went, and all that its player has noted of the pile now."""

    seat: str
    place: int
    notes: Notes
    told = "place"
    private = True

    def changes(self, game: Game, version: int) -> Game:
        return game.with_player(self.seat, notes=self.notes)


class WentOut(events.WentOut[Game], frozen=True, kw_only=True, tag="went_out"):
    """The hand lies unnoted on the discard pile, or is away; a shown Kitten lies there, too."""

    def changes(self, game: Game, version: int) -> Game:
        if game.turn is not None and game.turn.seat == self.seat:
            game = game.kitten_laid
        gone = Exploded(self.seat) if self.out == "kitten" else Went(self.seat)
        return game.with_player(self.seat, out=self.out, hand=0, notes=()).saw(gone)


class HandTold(GameEvent[Game], frozen=True, kw_only=True, tag="hand_told"):
    """Which cards the hand of a player held that went to the discard pile, below their Kitten."""

    seat: str
    cards: tuple[str, ...]
    told = "seat cards"

    def changes(self, game: Game, version: int) -> Game:
        told = Exploded(self.seat, self.cards)
        discard = (*game.discard[:-1], *self.cards, *game.discard[-1:])
        return replace(game, seen=(*game.seen[:-1], told), discard=discard)


class GameWon(events.GameWon[Game], frozen=True, kw_only=True, tag="game_won"):
    """The last one standing."""

    def changes(self, game: Game, version: int) -> Game:
        return replace(game.kitten_laid, winner=self.seat, turn=None, played=None, window=None)


OfADraw = (
    CardTouched | CardDrawn | KittenShown | KittenDefused | KittenPlaced | WentOut | HandTold
    | GameWon
)  # fmt: skip
"""What can come of a draw."""
