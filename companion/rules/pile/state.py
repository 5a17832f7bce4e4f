"""The immutable state of a classic game, and the ways in which its cards move."""

from collections.abc import Callable
from functools import cached_property
from typing import ClassVar, Literal, Self

from msgspec.structs import replace

from companion.rules.core import moves, state
from companion.rules.core import options as core_options
from companion.rules.core import state as moved_state
from companion.rules.core.events import NopePlayed
from companion.rules.core.moves import CommandT
from companion.rules.core.state import Window
from companion.rules.pile import deduction
from companion.rules.pile.order import (
    End,
    Notes,
    Order,
    after_draw,
    notes_after_draw,
    notes_before_draw,
    with_note,
)
from companion.rules.pile.variant import Variant


class Options(core_options.Options, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The options that the host can choose for a classic table."""

    special_combos: bool = True


class Player(state.Player, frozen=True, kw_only=True):
    """A player in a classic game."""

    notes: Notes = ()
    """The player's private notes about the pile."""
    touched: tuple[int, ...] = ()
    """One number for each card that the player drew: the number of observations before the draw."""
    changes: int = 0
    """The number of changes to the pile, and of times that the player looked at its cards."""

    def with_notes_of(self, now: "Player") -> "Player":
        """Return this earlier state of the player, with the notes from the state ``now``.

        But if the pile has changed since this state, or the player has gone out, keep the notes of
        this state.
        """
        if not now.alive or now.changes != self.changes:
            return self
        return replace(self, notes=now.notes)


class Played(state.Played, frozen=True, kw_only=True):
    """A card or combo that was played and hasn't taken effect yet."""

    cards: tuple[str, ...]
    name: str | None = None  # the title that a triple asks for


class Turn(state.Turn, frozen=True, kw_only=True):
    """One player's turn."""

    step: str = "act"
    attacked: bool = False  # True if the owed turns come from an Attack
    end: End | None = None  # the end of the pile from which the turn's card is drawn
    shown: str | None = None  # the drawn Kitten until it is put back or discarded, else None


_PILE_CHANGE: dict[type, int] = {
    deduction.Drew: -1,
    **deduction.KITTENS,
    **deduction.IMPLODING,
}
"""Maps a type of observation to the change in the number of cards in the pile."""


_DREW = deduction.Drew | deduction.DrewKitten | deduction.DrewImploding

MAX_REMEMBERED = 8  # maximum number of ``Remembered`` items; the oldest is dropped first


def _touches_hand(seen: deduction.Observation, seat: str) -> bool:
    """Return True if the observation is about this hand, for example because a card left it."""
    return seat in (getattr(seen, name, None) for name in ("seat", "giver", "taker"))


Imploding = Literal["down", "shown", "up", "top"]
"""The place of the Imploding Kitten: face down in the pile, shown by the player who drew it, face
up somewhere in the pile, or face up on top of it, where everybody sees it."""


class Game(state.GameOf[Player, Turn, Played], frozen=True, kw_only=True):
    """One classic game."""

    deal: deduction.Deal
    seen: tuple[deduction.Observation, ...] = ()
    """All observations since the deal. Deductions and the pile's size are based on them."""
    discard: tuple[str, ...] = ()
    """The cards of the discard pile whose titles the panel knows, oldest first."""
    chosen: Order = Order()
    """Public knowledge about the order of the pile (see ``order.py``)."""
    remembered: tuple[deduction.Remembered, ...] = ()
    """Observations about hands that everybody still knows after an undo."""
    public_notes: Notes = ()
    """Notes about cards in the pile that everybody knows after an undo. The title "" stands for any
    card except a Kitten."""
    pile_changes: int = 0
    """The number of changes to the pile or its order since the deal."""
    counterclockwise: bool = False
    """True while turns pass counterclockwise, after a Reverse (ruling reverse)."""

    turn_order: ClassVar[cached_property[tuple[str, ...]]] = cached_property(
        lambda game: game.order[::-1] if game.counterclockwise else game.order
    )

    @property
    def knowledge(self) -> deduction.Knowledge:
        return deduction.knowledge(self.deal, self.seen)

    @cached_property
    def pile_size(self) -> int:
        """The number of cards in the pile, including its Kittens."""
        dealt = len(self.deal.seats) * (1 + self.deal.dealt)
        moved = sum(_PILE_CHANGE.get(type(seen), 0) for seen in self.seen)
        kittens = self.deal.kittens + self.deal.imploding
        return sum(count for _, count in self.deal.counts) + kittens - dealt + moved

    @cached_property
    def kitten_count(self) -> int:
        """The number of Exploding Kittens in the pile."""
        return self.deal.kittens + sum(deduction.KITTENS.get(type(seen), 0) for seen in self.seen)

    @cached_property
    def imploding(self) -> Imploding | None:
        """The place of the Imploding Kitten, or None if it has left the game or there is none."""
        if self.turn is not None and self.turn.step == "imploding":
            return "shown"
        moves = deduction.IMPLODING
        if not self.deal.imploding + sum(moves.get(type(seen), 0) for seen in self.seen):
            return None
        if not self.chosen.face_up:
            return "down"
        return "top" if self.chosen.face_up == "top" or self.pile_size == 1 else "up"

    @property
    def target(self) -> str:
        """The target of the card or combo being played. Use this only if it has a target."""
        assert self.played is not None and self.played.target is not None
        return self.played.target

    @property
    def asked_for(self) -> str:
        """The title that a triple asks for. Use this only while a triple is being played."""
        assert self.played is not None and self.played.name is not None
        return self.played.name

    def holders(self, card: str) -> tuple[str, ...]:
        known = self.knowledge
        hands = [player.seat for player in self.players if player.hand]
        return tuple([seat for seat in hands if known.allows(deduction.Laid(seat, (card,)))])

    def with_observation(self, seen: deduction.Observation) -> "Game":
        return replace(self, seen=(*self.seen, seen))

    def with_hand(self, seat: str, more: int) -> "Game":
        return self.with_player(seat, hand=self.player(seat).hand + more)

    def discard_from_hand(self, seat: str, *cards: str) -> "Game":
        """Return the game after these cards were discarded from the hand together, face up."""
        game = self.with_hand(seat, -len(cards)).with_observation(deduction.Laid(seat, cards))
        return replace(game, discard=(*game.discard, *cards))

    def with_card_pending(self, played: Played, window: Window | None) -> "Game":
        return replace(self.with_turn(step="window"), played=played, window=window)

    def with_effect_over(self, step: str = "act", end: End | None = None) -> "Game":
        """Return the game after the effect of the played card was carried out. The turn goes on."""
        turn = self.with_turn(step=step, **({"end": end} if end else {}))
        return replace(turn, played=None)

    def with_card_moved(self, seen: deduction.Moved | deduction.Gave) -> "Game":
        return self.with_hand(seen.giver, -1).with_hand(seen.taker, 1).with_observation(seen)

    def with_notes_updated(self, notes: Callable[[Notes], Notes]) -> "Game":
        """Return the game after a change to the pile. ``notes`` is a function that
        updates notes."""
        players = tuple(
            replace(player, notes=notes(player.notes), changes=player.changes + 1)
            for player in self.players
        )
        return replace(
            self,
            players=players,
            public_notes=notes(self.public_notes),
            pile_changes=self.pile_changes + 1,
        )

    def with_notes_of(self, now: Self) -> Self:
        """Return this earlier state of the game, with the notes from the newer state ``now``.

        An undo calls this method, and ``now`` is the newer state that it undoes. Facts that
        ``now`` has from earlier undos are kept, too, if they are true in this game.
        """
        seen = len(self.seen)
        remembered = tuple(
            replace(fact, at=min(fact.at, seen))
            for fact in now.remembered
            if not any(_touches_hand(later, fact.fact.seat) for later in now.seen[seen : fact.at])
        )
        kept = replace(super().with_notes_of(now), remembered=remembered)
        if now.pile_changes == self.pile_changes:
            return replace(kept, public_notes=now.public_notes)
        undone = now.seen[seen:]
        drawn = len(undone) == 1 and isinstance(undone[0], _DREW)
        if not drawn or now.pile_changes != self.pile_changes + 1:
            return kept
        end = (self.turn and self.turn.end) or "top"
        return replace(kept, public_notes=notes_before_draw(now.public_notes, end))

    def with_facts_of(self, undone: object) -> Self:
        """Return this game with what the undone event showed everybody: a card of a hand, or the
        card at an end of the pile."""
        shown = getattr(undone, "shown_fact", None)
        if isinstance(undone, NopePlayed):
            shown = deduction.Holds(undone.seat, (undone.nope,))
        if isinstance(shown, str):
            end = (self.turn and self.turn.end) or "top"
            place = 1 if end == "top" else self.pile_size
            return replace(self, public_notes=with_note(self.public_notes, place, shown))
        if shown is None:
            return self
        fact = deduction.Remembered(shown, len(self.seen))
        others = tuple(other for other in self.remembered if other != fact)
        return replace(self, remembered=(*others, fact)[-MAX_REMEMBERED:])

    def with_card_drawn(
        self, seat: str, seen: deduction.Drew | deduction.DrewKitten | deduction.DrewImploding
    ) -> "Game":
        end = (self.turn and self.turn.end) or "top"
        cards = self.pile_size
        touched = (*self.player(seat).touched, len(self.seen))
        if self.chosen.face_up and isinstance(seen, deduction.DrewImploding):
            chosen = replace(self.chosen, face_up="")
        else:
            kitten = isinstance(seen, deduction.DrewKitten)
            chosen = after_draw(self.chosen, cards, end, kitten=kitten)
        game = replace(self.with_player(seat, touched=touched), chosen=chosen)
        return game.with_notes_updated(
            lambda notes: notes_after_draw(notes, cards, end)
        ).with_observation(seen)

    @property
    def with_kitten_discarded(self) -> "Game":
        """The game after the drawn Kitten, if there is one, was moved to the discard pile."""
        if self.turn is None or self.turn.shown is None:
            return self
        return replace(self.with_turn(shown=None), discard=(*self.discard, self.turn.shown))

    def with_winner(self, seat: str) -> "Game":
        """Return the game after ``seat`` won. A Kitten that was drawn goes to the discard pile."""
        return replace(self.with_kitten_discarded, winner=seat, turn=None, played=None, window=None)


class Table(moved_state.TableOf[Game], frozen=True, kw_only=True):
    """A table that plays a classic game. Its seats are in clockwise order."""

    variant: Variant
    options: Options


GameContext = moves.CommandContext[Table, Game, CommandT]
"""The context of a command in a classic game."""

TableContext = moves.CommandContext[Table, Game | None, CommandT]
"""The context of a command at a classic table, with or without a game."""
