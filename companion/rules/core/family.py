"""The interface of a family of games. The table plays every game through this interface."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, Generic, TypeVar, Union

from msgspec import Struct

from companion.rules.core.commands import Command, DecisionInputs, InternalCommand, SetOptions
from companion.rules.core.moves import AnyMove, Machine, TableMove
from companion.rules.core.options import Options
from companion.rules.core.types import Event, Events, Json, OutReason
from companion.rules.text.sentences import Facts
from companion.rules.variants.schema import VariantSchema

T = TypeVar("T")
At = TypeVar("At", contravariant=True)


class Part(Struct, frozen=True):
    """A part of a view: the result of ``show(*inputs)``, computed only when the inputs change."""

    show: Callable[..., Json]
    inputs: tuple[object, ...]


Parts = Mapping[str, Part]  # parts of a view, by name


class CardEffect(Struct, frozen=True, kw_only=True):
    """The effect of a card, such as a Skip's.

    This base class names the texts that a variant needs only if one of its cards has the effect.
    Each family's subclass also defines what the effect does.
    """

    rulings: tuple[str, ...] = ()
    """The rulings about this effect. A variant without the effect doesn't have these rulings. If
    a ruling has sentences for refusals, the family's ``texts.py`` lists the ruling."""
    events: tuple[type[Event], ...] = ()
    """The events that only this effect can cause. A variant without the effect has no sentences
    about these events."""
    sentences: tuple[str, ...] = ()
    """The keys of sentences that only this effect needs, although their ruling or event belongs to
    every variant. An example is ``one-thing-at-a-time/imploding``."""


def effects_by_text(effects: Mapping[str, CardEffect]) -> dict[str, frozenset[str]]:
    """Map a ruling's slug, an event's tag or a sentence's key to the names of the effects that it
    belongs to.

    Rulings, events and sentences that belong to no effect aren't in the result.
    """
    owners: dict[str, frozenset[str]] = {}
    for name, effect in effects.items():
        tags = [str(event.__struct_config__.tag) for event in effect.events]
        for text in (*effect.rulings, *tags, *effect.sentences):
            owners[text] = owners.get(text, frozenset()) | {name}
    return owners


def rulings_of_effects(effects: Mapping[str, CardEffect]) -> frozenset[str]:
    """Return all rulings about these effects."""
    return frozenset(slug for effect in effects.values() for slug in effect.rulings)


class FamilyViews(Struct, Generic[At], frozen=True, kw_only=True):
    """The functions that present a family's games in views and in the messages of the log."""

    game: Callable[[At], Part]
    """Returns the public view's part about the game."""
    seats: Callable[[At], Parts]
    """Returns the public view's part about each seat, by seat id, in order of play."""
    own: Callable[[At], Parts]
    """Returns the private part of each seat's view, by seat id."""
    describe_fact: Callable[[str, Facts, At], str | None]
    """Returns the text for a placeholder, or None if the family has no text of its own for it. The
    arguments are the placeholder's name, the values of all placeholders by name, and the table."""
    facts_after_undo: Callable[[Event], Json]
    """Returns what everybody still knows about cards after this event is undone. The value under
    ``known`` selects the sentence about it: ``held`` selects the message ``undone/held``. All other
    entries are the values of the sentence's placeholders, by name."""
    find_place: Callable[[Facts, At], object] = lambda _facts, _table: None
    """Returns the place of the card that an event describes, or None if the event describes no
    card. The arguments are the event's fields by name, and the table."""
    derived_words: Callable[[Facts, At], dict[str, str]] = lambda _facts, _table: {}
    """Returns the texts of placeholders that have no value of their own, by placeholder name. Each
    text is made from the values of other placeholders."""


class FamilyOf(VariantSchema, Generic[T], frozen=True, kw_only=True, dict=True):
    """A family of games: its types, its rules, its views, and the contents of its files."""

    event: object
    """The union of the events that can occur in the family's logs."""
    table: type[T]
    options: type[Options]
    set_options: type[SetOptions]
    """The command that changes the options."""
    devices: bool = False
    """True if a player's device may keep the player's deck, in place of real cards."""
    shared: bool = False
    """True if all players prepare one deck, whose cards depend on the number of players (ruling
    seats-in-the-setup)."""
    machine: Machine
    table_moves: tuple[TableMove, ...]
    """The moves of the table, including the family's own."""
    preparation_ruling: str
    """The ruling that explains how the cards are prepared."""
    begin_game: Callable[[T, str, bool, DecisionInputs], Events]
    """Returns the events that begin a game with this first player. The third argument is True if
    lots were drawn for the first player."""
    events_when_out: Callable[[T, str, OutReason], Events]
    """Returns the events that follow when a player goes out."""
    resolve_effect: Callable[[T], Events]
    """Returns the events that carry out a played card's effect, once its window has closed."""
    check_in_hand: Callable[[T, str, str], None]
    """Raises ``Refused`` if the card can't come from the seat's hand."""
    views: FamilyViews[T]

    @cached_property
    def moves(self) -> Mapping[type[Command], AnyMove]:
        """The move for each command, both of the table and of the game."""
        rows: tuple[AnyMove, ...] = (*self.table_moves, *self.machine.moves)
        return {row.command: row for row in rows}

    @cached_property
    def command(self) -> object:
        """The union of the commands that a client can send."""
        return Union[tuple(kind for kind in self.moves if not issubclass(kind, InternalCommand))]  # noqa: UP007


Family = FamilyOf[Any]  # any family
