"""The events of a classic game, with one class for each type in the log.

In each class, the method ``apply_to`` returns the game (or table) after the event.
``sentence_facts`` lists the placeholders that the event's log message uses. If the type has several
messages, ``sentence_facts`` maps each case to the placeholders of its message, and ``case_field``
selects the case. ``case_field`` names either one field, whose value is the case, or a field with
two cases: the first if that field is true, the second if that field is false.

``shown_fact`` is what everybody still knows after the event is undone: an observation about a hand,
or the title of the drawn card ("" for any card except a Kitten).
"""

from typing import ClassVar, Literal

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from companion.rules.core import events
from companion.rules.core.events import (
    InAnyGame,
    PlayerEvent,
    TableEvent,
    UndoableEvent,
    open_window,
)
from companion.rules.core.table_events import AtAnyTable, OptionsChanged
from companion.rules.pile import deduction
from companion.rules.pile.order import (
    Notes,
    after_alter,
    after_defuse,
    after_put_back,
    after_shuffle,
    notes_after_alter,
    notes_after_look,
    notes_after_put_on_top,
    with_note,
)
from companion.rules.pile.state import Game, Options, Played, Player, Table, Turn
from companion.rules.pile.variant import Kind


class SeatsOrdered(TableEvent[Table], frozen=True, kw_only=True, tag="seats_ordered"):
    """The host set the clockwise order of the seats."""

    seats: tuple[str, ...]
    sentence_facts = "seats"

    def apply_to(self, table: Table) -> Table:
        return replace(table, seats=table.by_id(self.seats))


class GameBegan(TableEvent[Table], frozen=True, kw_only=True, tag="game_began", omit_defaults=True):
    """The game began with dealt hands. The other cards form the pile."""

    order: tuple[str, ...]
    first: str
    by_lot: bool = False  # True if lots were drawn for the first player
    sentence_facts = "first"

    def apply_to(self, table: Table) -> Table:
        players = tuple(Player(seat=seat, hand=table.variant.hand + 1) for seat in self.order)
        return replace(table, game=Game(players=players, deal=table.variant.deal(self.order)))


class TurnBegan(
    events.TurnBegan[Game], frozen=True, kw_only=True, tag="turn_began", omit_defaults=False
):
    """A player's turn began."""

    attacked: bool = False  # True if the player owes the turn because of an Attack
    again: bool = False  # True if the player also took the previous turn and still owed this one
    sentence_facts = {"": "seat", "owed": "seat owed", "again": "seat owed"}

    @property
    def sentence_case(self) -> str:
        return "again" if self.again else "owed" if self.owed > 1 else ""

    def apply_to(self, game: Game, version: int) -> Game:
        turn = Turn(number=self.number, seat=self.seat, owed=self.owed, attacked=self.attacked)
        game = game.without_auto_pass(self.seat)
        return replace(game, turn=turn, played=None, window=None)


class CardPlayed(UndoableEvent[Game], frozen=True, kw_only=True, tag="card_played"):
    """A card was played."""

    card: str
    target: str | None = None
    seconds: int
    closes_at: int | None
    """When the card's Nope window closes, in ms since the epoch; None if nobody can Nope the card.
    """
    sentence_facts = {"": "seat card", "target": "seat target card"}
    case_field = "target", "target", ""

    @property
    def shown_fact(self) -> deduction.Holds:
        return deduction.Holds(self.seat, (self.card,))

    def apply_to(self, game: Game, version: int) -> Game:
        played = Played(card=self.card, cards=(self.card,), by=self.seat, target=self.target)
        window = open_window(self.seconds, self.closes_at, version)
        return game.discard_from_hand(self.seat, self.card).with_card_pending(played, window)


class ComboPlayed(UndoableEvent[Game], frozen=True, kw_only=True, tag="combo_played"):
    """Several cards were played as one combo."""

    kind: Kind
    cards: tuple[str, ...]
    target: str | None = None
    name: str | None = None  # the title that a triple asks for
    seconds: int
    closes_at: int | None
    """When the combo's Nope window closes, in ms since the epoch; None if nobody can Nope the
    combo."""
    sentence_facts = {
        "": "seat kind cards",
        "target": "seat target kind cards",
        "name": "seat target kind cards name",
    }

    @property
    def sentence_case(self) -> str:
        return "name" if self.name else "target" if self.target else ""

    @property
    def shown_fact(self) -> deduction.Holds:
        return deduction.Holds(self.seat, self.cards)

    def apply_to(self, game: Game, version: int) -> Game:
        played = Played(
            card=self.kind, cards=self.cards, by=self.seat, target=self.target, name=self.name
        )
        window = open_window(self.seconds, self.closes_at, version)
        return game.discard_from_hand(self.seat, *self.cards).with_card_pending(played, window)


class StepBegan(events.StepBegan[Game], frozen=True, kw_only=True, tag="step_began"):
    """The game waits for ``seat`` to carry out an effect.

    After a Draw from the Bottom, the step is ``report``, as after every other draw.
    """

    sentence_facts = dict.fromkeys(
        ("look", "shuffle", "give", "take", "answer", "pick", "report"), "seat"
    )

    def apply_to(self, game: Game, version: int) -> Game:
        if self.step == "report":
            return game.with_effect_over(step="report", end="bottom")
        return game.with_turn(step=self.step)


class Looked(UndoableEvent[Game], frozen=True, kw_only=True, tag="looked"):
    """A player looked at the top cards of the pile."""

    altered: bool = False  # True if the player may have changed the order of the cards

    def apply_to(self, game: Game, version: int) -> Game:
        if self.altered:
            game = replace(game, chosen=after_alter(game.chosen, game.pile_size))
            game = game.with_notes_updated(notes_after_alter)
        # Count the look like a change of the pile. An undo drops the notes that a player made since
        # the last change, so an undo of the look drops the notes about the cards that were seen.
        changes = game.player(self.seat).changes + 1
        return game.with_player(self.seat, changes=changes).with_effect_over()


class TopNoted(PlayerEvent[Game], frozen=True, kw_only=True, tag="top_noted"):
    """A player noted the top cards that they saw. The event is private."""

    cards: tuple[str, ...]
    sentence_facts = "cards"
    private = True

    def apply_to(self, game: Game, version: int) -> Game:
        return game.with_player(
            self.seat, notes=notes_after_look(game.player(self.seat).notes, self.cards)
        )


class PileShuffled(UndoableEvent[Game], frozen=True, kw_only=True, tag="pile_shuffled"):
    """The pile was shuffled."""

    def apply_to(self, game: Game, version: int) -> Game:
        chosen = after_shuffle(game.chosen)
        return replace(game.with_notes_updated(lambda notes: ()).with_effect_over(), chosen=chosen)


class CardGiven(UndoableEvent[Game], frozen=True, kw_only=True, tag="card_given"):
    """``seat`` gave a card to ``target``, who had played a Favor. The others didn't see
    the card."""

    target: str
    sentence_facts = "seat target"

    def apply_to(self, game: Game, version: int) -> Game:
        return game.with_card_moved(deduction.Moved(self.seat, self.target)).with_effect_over()


class CardTaken(UndoableEvent[Game], frozen=True, kw_only=True, tag="card_taken"):
    """``seat`` took a card from ``target``'s hand. The others didn't see the card."""

    target: str
    sentence_facts = "seat target"

    def apply_to(self, game: Game, version: int) -> Game:
        return game.with_card_moved(deduction.Moved(self.target, self.seat)).with_effect_over()


class Answered(UndoableEvent[Game], frozen=True, kw_only=True, tag="answered"):
    """``seat`` answered a triple: they gave the card to ``target``, or they have no such card."""

    target: str
    card: str
    has: bool
    sentence_facts = {"yes": "seat target card", "no": "seat card"}
    case_field = "has", "yes", "no"

    @property
    def shown_fact(self) -> deduction.Holds | deduction.HasNone:
        if self.has:
            return deduction.Holds(self.seat, (self.card,))
        return deduction.HasNone(self.seat, self.card)

    def apply_to(self, game: Game, version: int) -> Game:
        if not self.has:
            return game.with_observation(deduction.HasNone(self.seat, self.card)).with_effect_over()
        return game.with_card_moved(
            deduction.Gave(self.seat, self.target, self.card)
        ).with_effect_over()


class CardPicked(UndoableEvent[Game], frozen=True, kw_only=True, tag="card_picked"):
    """A player took a card from the discard pile.

    If the panel knows of cards of this title on the discard pile, the player took the newest of
    those. Otherwise the player took a card whose title the panel didn't know.
    """

    card: str
    sentence_facts = "seat card"

    def apply_to(self, game: Game, version: int) -> Game:
        discard = [*game.discard]
        if self.card in discard:
            del discard[len(discard) - 1 - discard[::-1].index(self.card)]
        game = game.with_hand(self.seat, 1).with_observation(deduction.Picked(self.seat, self.card))
        return replace(game.with_effect_over(), discard=tuple(discard))


class EffectOver(PlayerEvent[Game], frozen=True, kw_only=True, tag="effect_over"):
    """The card or combo that ``seat`` played has no effect, because its target is no legal target
    any more. The turn of ``seat`` goes on."""

    def apply_to(self, game: Game, version: int) -> Game:
        return game.with_effect_over()


class NoteMade(PlayerEvent[Game], frozen=True, kw_only=True, tag="note_made"):
    """A player noted a card at a place of the pile, or removed the note. The event is private."""

    place: int  # 1 is the top
    card: str | None  # None if the note was removed
    own: bool = False  # True for a Kitten that the player put at this place
    sentence_facts = {"": "card place", "nothing": "place"}
    case_field = "card", "", "nothing"
    private = True

    def apply_to(self, game: Game, version: int) -> Game:
        notes = with_note(game.player(self.seat).notes, self.place, self.card, self.own)
        return game.with_player(self.seat, notes=notes)


class CardTouched(UndoableEvent[Game], frozen=True, kw_only=True, tag="card_touched"):
    """The turn player touched the top card of the pile, which they are drawing."""

    def apply_to(self, game: Game, version: int) -> Game:
        return game.with_turn(step="report", end="top")


class CardDrawn(UndoableEvent[Game], frozen=True, kw_only=True, tag="card_drawn"):
    """A player drew a safe card, which is in their hand now."""

    shown_fact: ClassVar[str] = ""  # the card is not a Kitten

    def apply_to(self, game: Game, version: int) -> Game:
        return game.with_card_drawn(self.seat, deduction.Drew(self.seat)).with_hand(self.seat, 1)


class KittenShown(UndoableEvent[Game], frozen=True, kw_only=True, tag="kitten_shown"):
    """The touched card turned out to be a Kitten."""

    kitten: str
    sentence_facts = "seat kitten"

    @property
    def shown_fact(self) -> str:
        return self.kitten

    def apply_to(self, game: Game, version: int) -> Game:
        return game.with_card_drawn(self.seat, deduction.DrewKitten()).with_turn(
            step="kitten", shown=self.kitten
        )


class KittenDefused(UndoableEvent[Game], frozen=True, kw_only=True, tag="kitten_defused"):
    """A player defused the Kitten and put it back in the pile."""

    card: str
    sentence_facts = "seat card"

    @property
    def shown_fact(self) -> deduction.Holds:
        return deduction.Holds(self.seat, (self.card,))

    def apply_to(self, game: Game, version: int) -> Game:
        game = (
            game.discard_from_hand(self.seat, self.card)
            .with_observation(deduction.PutBack())
            .with_notes_updated(lambda notes: ())
        )
        return replace(game.with_turn(shown=None), chosen=after_defuse(game.chosen, self.seat))


class ImplodingShown(UndoableEvent[Game], frozen=True, kw_only=True, tag="imploding_shown"):
    """The touched card turned out to be the Imploding Kitten, which had lain face down."""

    kitten: str
    sentence_facts = "seat kitten"

    @property
    def shown_fact(self) -> str:
        return self.kitten

    def apply_to(self, game: Game, version: int) -> Game:
        return game.with_card_drawn(self.seat, deduction.DrewImploding()).with_turn(
            step="imploding"
        )


class ImplodingPutBack(UndoableEvent[Game], frozen=True, kw_only=True, tag="imploding_put_back"):
    """A player put the Imploding Kitten back in the pile, face up.

    Everybody sees the card if it lies on top.
    """

    kitten: str
    top: bool = False
    sentence_facts = {"": "seat kitten", "top": "seat kitten"}
    case_field = "top", "top", ""

    def apply_to(self, game: Game, version: int) -> Game:
        game = game.with_observation(deduction.PutBackImploding()).with_notes_updated(
            notes_after_put_on_top if self.top else lambda notes: ()
        )
        return replace(game, chosen=after_put_back(game.chosen, self.top))


class ImplodingSeen(UndoableEvent[Game], frozen=True, kw_only=True, tag="imploding_seen"):
    """The Imploding Kitten lies face up on top of the pile, and the turn player has to draw it."""

    kitten: str
    sentence_facts = "seat kitten"

    def apply_to(self, game: Game, version: int) -> Game:
        return replace(game, chosen=replace(game.chosen, face_up="top"))


class OrderReversed(PlayerEvent[Game], frozen=True, kw_only=True, tag="order_reversed"):
    """A Reverse turned the order of play round. ``direction`` is the new one."""

    direction: Literal["clockwise", "counterclockwise"]
    sentence_facts = {"clockwise": "seat", "counterclockwise": "seat"}
    case_field = ("direction",)

    def apply_to(self, game: Game, version: int) -> Game:
        return replace(game, counterclockwise=self.direction == "counterclockwise")


class KittenPlaced(PlayerEvent[Game], frozen=True, kw_only=True, tag="kitten_placed"):
    """A player noted the place where they put the Kitten back. The event is private."""

    place: int  # 1 is the top
    notes: Notes  # all the player's notes about the pile after this event
    sentence_facts = "place"
    private = True

    def apply_to(self, game: Game, version: int) -> Game:
        return game.with_player(self.seat, notes=self.notes)


class WentOut(events.WentOut[Game], frozen=True, kw_only=True, tag="went_out"):
    """A player went out.

    If they exploded, their hand goes to the discard pile. If they left, their hand leaves the game.
    The titles of those cards stay unknown in both cases. A Kitten that the player had drawn goes to
    the discard pile, but an Imploding Kitten leaves the game.
    """

    kitten: str | UnsetType = UNSET
    """The title of the Imploding Kitten, if the player drew it face up."""
    sentence_facts = {"kitten": "seat", "left": "seat", "imploding": "seat kitten"}

    @property
    def sentence_case(self) -> str:
        return self.out if self.kitten is UNSET else "imploding"

    def apply_to(self, game: Game, version: int) -> Game:
        if self.kitten is not UNSET:
            game = game.with_card_drawn(self.seat, deduction.DrewImploding())
        if game.turn is not None and game.turn.seat == self.seat:
            game = game.with_kitten_discarded
        left = deduction.Exploded(self.seat) if self.out == "kitten" else deduction.Went(self.seat)
        return game.with_player(
            self.seat, out=self.out, auto_pass=False, hand=0, notes=()
        ).with_observation(left)


class HandTold(PlayerEvent[Game], frozen=True, kw_only=True, tag="hand_told"):
    """A player who exploded named the cards of their hand, which lie below their Kitten on the
    discard pile. An Imploding Kitten doesn't go to the discard pile."""

    cards: tuple[str, ...]
    imploding: bool | UnsetType = UNSET  # True if the Imploding Kitten put the player out
    sentence_facts = "seat cards"

    def apply_to(self, game: Game, version: int) -> Game:
        exploded = deduction.Exploded(self.seat, self.cards)
        at = len(game.discard) - (self.imploding is UNSET)
        discard = (*game.discard[:at], *self.cards, *game.discard[at:])
        return replace(game, seen=(*game.seen[:-1], exploded), discard=discard)


Event = (
    AtAnyTable | OptionsChanged[Options] | InAnyGame | SeatsOrdered | GameBegan | TurnBegan
    | CardPlayed | ComboPlayed | StepBegan | Looked | TopNoted | PileShuffled | CardGiven
    | CardTaken | Answered | CardPicked | EffectOver | NoteMade | CardTouched | CardDrawn
    | KittenShown | KittenDefused | KittenPlaced | WentOut | HandTold | ImplodingShown
    | ImplodingPutBack | ImplodingSeen | OrderReversed
)  # fmt: skip
"""All events that a classic table's log can hold."""
