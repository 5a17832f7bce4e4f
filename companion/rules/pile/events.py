"""What has happened in a classic game: a record a kind, what it changes, how it is told.

The log is made of these, for ever: a name or field that has been stored once keeps its
meaning, new fields get defaults.
"""

from msgspec.structs import replace

from companion.rules.core import events
from companion.rules.core.events import Deed, GameEvent, TableEvent, Windowed, opened
from companion.rules.core.table_events import AtAnyTable, OptionsChanged
from companion.rules.pile.draw_events import OfADraw
from companion.rules.pile.model import Game, Options, Played, Player, Table, Turn
from companion.rules.pile.observations import Gave, HasNone, Moved, Picked
from companion.rules.pile.order import Order, altered, altered_notes, noted, saw
from companion.rules.pile.variant import Kind


class SeatsOrdered(TableEvent[Table], frozen=True, kw_only=True, tag="seats_ordered"):
    """In which order all sit, clockwise."""

    seats: tuple[str, ...]
    told = "seats"

    def changes(self, table: Table) -> Table:
        return replace(table, seats=table.by_id(self.seats))


class GameBegan(TableEvent[Table], frozen=True, kw_only=True, tag="game_began"):
    """The cards are dealt: everyone has a full hand, the rest lies in the pile."""

    order: tuple[str, ...]
    first: str
    told = "first"

    def changes(self, table: Table) -> Table:
        hand = table.variant.hand + 1
        players = tuple(Player(seat=seat, hand=hand) for seat in self.order)
        return replace(table, game=Game(players=players, deal=table.variant.deal(self.order)))


# --- the turn ------------------------------------------------------------------------------


class TurnBegan(
    events.TurnBegan[Game], frozen=True, kw_only=True, tag="turn_began", omit_defaults=False
):
    """A player is up; ``attacked``: because of an Attack; ``again``: they were up before."""

    attacked: bool = False
    again: bool = False
    told = {"": "seat", "owed": "seat owed", "again": "seat owed"}

    @property
    def case(self) -> str:
        return "again" if self.again else "owed" if self.owed > 1 else ""

    def changes(self, game: Game, version: int) -> Game:
        turn = Turn(number=self.number, seat=self.seat, owed=self.owed, attacked=self.attacked)
        return replace(game, turn=turn, played=None, window=None)


class CardPlayed(Deed[Game], frozen=True, kw_only=True, tag="card_played"):
    """A card was played; without ``closes_at`` nobody could Nope it."""

    seat: str
    card: str
    target: str | None = None
    seconds: int
    closes_at: int | None
    told = {"": "seat card", "target": "seat target card"}

    @property
    def case(self) -> str:
        return "target" if self.target else ""

    @property
    def known(self) -> dict[str, object]:
        return {"known": "held", "target": self.seat, "cards": (self.card,)}

    def changes(self, game: Game, version: int) -> Game:
        cards = (self.card,)
        played = Played(card=self.card, cards=cards, by=self.seat, target=self.target)
        window = opened(self.seconds, self.closes_at, version)
        return game.laid(self.seat, cards).waiting(played, window)


class ComboPlayed(Deed[Game], frozen=True, kw_only=True, tag="combo_played"):
    """Several cards were played as one; without ``closes_at`` nobody could Nope them."""

    seat: str
    kind: Kind
    cards: tuple[str, ...]
    target: str | None = None
    name: str | None = None
    seconds: int
    closes_at: int | None
    told = {
        "": "seat kind cards",
        "target": "seat target kind cards",
        "name": "seat target kind cards name",
    }

    @property
    def case(self) -> str:
        return "name" if self.name else "target" if self.target else ""

    @property
    def known(self) -> dict[str, object]:
        return {"known": "held", "target": self.seat, "cards": tuple(dict.fromkeys(self.cards))}

    def changes(self, game: Game, version: int) -> Game:
        played = Played(
            card=self.kind, cards=self.cards, by=self.seat, target=self.target, name=self.name
        )
        window = opened(self.seconds, self.closes_at, version)
        return game.laid(self.seat, self.cards).waiting(played, window)


class NopePlayed(events.NopePlayed[Game], frozen=True, kw_only=True, tag="nope_played"):
    """A Nope was played on the card on top."""

    @property
    def known(self) -> dict[str, object]:
        return {"known": "held", "target": self.seat, "cards": (self.nope,)}

    def changes(self, game: Game, version: int) -> Game:
        played = replace(game.pending, nopes=(*game.pending.nopes, self.seat))
        window = opened(self.seconds, self.closes_at, version)
        return game.laid(self.seat, (self.nope,)).waiting(played, window)


class StepBegan(events.StepBegan[Game], frozen=True, kw_only=True, tag="step_began"):
    """An effect waits to be carried out by ``seat``; a Draw from the Bottom is one's draw."""

    told = dict.fromkeys(("look", "shuffle", "give", "take", "answer", "pick", "report"), "seat")

    def changes(self, game: Game, version: int) -> Game:
        if self.step == "report":
            return game.carried_out(step="report", end="bottom")
        return game.with_turn(step=self.step)


# --- what a card or combo asks to be done --------------------------------------------------


class Looked(Deed[Game], frozen=True, kw_only=True, tag="looked"):
    """A player looked at the top cards; ``altered``: they put them back in another order."""

    seat: str
    altered: bool = False
    told = "seat"

    @property
    def known(self) -> dict[str, object]:
        return {"known": "looked", "by": self.seat}

    def changes(self, game: Game, version: int) -> Game:
        if self.altered:
            game = replace(game, chosen=altered(game.chosen, game.pile))
            game = game.noted_anew(altered_notes)
        # What they saw is forgotten with the look.
        changes = game.player(self.seat).changes + 1
        return game.with_player(self.seat, changes=changes).carried_out()


class TopNoted(GameEvent[Game], frozen=True, kw_only=True, tag="top_noted"):
    """Private: a player noted which cards they saw on top."""

    seat: str
    cards: tuple[str, ...]
    told = "cards"
    private = True

    def changes(self, game: Game, version: int) -> Game:
        return game.with_player(self.seat, notes=saw(game.player(self.seat).notes, self.cards))


class PileShuffled(Deed[Game], frozen=True, kw_only=True, tag="pile_shuffled"):
    """The pile was shuffled."""

    seat: str
    told = "seat"

    def changes(self, game: Game, version: int) -> Game:
        return replace(game.noted_anew(lambda notes: ()).carried_out(), chosen=Order())


class CardGiven(Deed[Game], frozen=True, kw_only=True, tag="card_given"):
    """``seat`` gave ``target``, whose Favor it was, a card that nobody else saw."""

    seat: str
    target: str
    told = "seat target"

    @property
    def known(self) -> dict[str, object]:
        return {"known": "moved", "target": self.seat, "by": self.target}

    def changes(self, game: Game, version: int) -> Game:
        return game.moved(Moved(self.seat, self.target)).carried_out()


class CardTaken(Deed[Game], frozen=True, kw_only=True, tag="card_taken"):
    """``seat`` took a card from ``target``'s hand that nobody else saw."""

    seat: str
    target: str
    told = "seat target"

    @property
    def known(self) -> dict[str, object]:
        return {"known": "moved", "target": self.target, "by": self.seat}

    def changes(self, game: Game, version: int) -> Game:
        return game.moved(Moved(self.target, self.seat)).carried_out()


class Answered(Deed[Game], frozen=True, kw_only=True, tag="answered"):
    """``seat`` had the card and gave it to ``target``, or has none."""

    seat: str
    target: str
    card: str
    has: bool
    told = {"yes": "seat target card", "no": "seat card"}

    @property
    def case(self) -> str:
        return "yes" if self.has else "no"

    @property
    def known(self) -> dict[str, object]:
        return {
            "known": "held" if self.has else "lacked",
            "target": self.seat,
            "cards": (self.card,),
        }

    def changes(self, game: Game, version: int) -> Game:
        if not self.has:
            return game.saw(HasNone(self.seat, self.card)).carried_out()
        return game.moved(Gave(self.seat, self.target, self.card)).carried_out()


class CardPicked(Deed[Game], frozen=True, kw_only=True, tag="card_picked"):
    """A card of the discard pile went to a hand: the newest noted of its title, or an unnoted."""

    seat: str
    card: str
    told = "seat card"

    def changes(self, game: Game, version: int) -> Game:
        discard = [*game.discard]
        if self.card in discard:
            del discard[len(discard) - 1 - discard[::-1].index(self.card)]
        game = game.with_hand(self.seat, 1).saw(Picked(self.seat, self.card))
        return replace(game.carried_out(), discard=tuple(discard))


class EffectOver(GameEvent[Game], frozen=True, kw_only=True, tag="effect_over"):
    """What ``seat`` played comes to nothing; their turn goes on."""

    seat: str
    told = "seat"

    def changes(self, game: Game, version: int) -> Game:
        return game.carried_out()


class NoteMade(GameEvent[Game], frozen=True, kw_only=True, tag="note_made"):
    """Private: a seat noted a card at a place of the pile, or forgot it; ``own``: a Kitten that
    they put back themselves."""

    seat: str
    place: int
    card: str | None
    own: bool = False
    told = {"": "card place", "nothing": "place"}
    private = True

    @property
    def case(self) -> str:
        return "" if self.card else "nothing"

    def changes(self, game: Game, version: int) -> Game:
        notes = noted(game.player(self.seat).notes, self.place, self.card, self.own)
        return game.with_player(self.seat, notes=notes)


Event = (
    AtAnyTable | OptionsChanged[Options] | Windowed | SeatsOrdered | GameBegan | TurnBegan
    | CardPlayed | ComboPlayed | NopePlayed | StepBegan | Looked | TopNoted | PileShuffled
    | CardGiven | CardTaken | Answered | CardPicked | EffectOver | NoteMade | OfADraw
)  # fmt: skip
"""Everything that can stand in a log."""
