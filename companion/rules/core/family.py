"""The interface that a family of games implements, so that it can be played at a table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, TypeVar, Union

from msgspec import Struct, structs

from companion.rules.core.commands import Command, DecisionInputs, InternalCommand, SetOptions
from companion.rules.core.moves import AnyMove, Machine, TableMove
from companion.rules.variants.limits import Fields, VariantErrors
from companion.rules.variants.variant import Card, Variant

if TYPE_CHECKING:
    from companion.rules.core.model import Table
    from companion.rules.core.options import Options
    from companion.rules.core.types import Event, Events, OutReason
from companion.rules.core.types import Json
from companion.rules.text.sentences import Facts

T = TypeVar("T", bound="Table")
At = TypeVar("At", bound="Table", contravariant=True)


class Part(Struct, frozen=True):
    """A part of a view: the result of ``show(*inputs)``, computed only when the inputs change."""

    show: Callable[..., Json]
    inputs: tuple[object, ...]


Parts = Mapping[str, Part]  # parts of a view, by name


class FamilyViews(Struct, Generic[At], frozen=True, kw_only=True):
    """The functions that present a family's games in views and in the log's sentences."""

    game: Callable[[At], Part]
    """Returns the game for the public view."""
    seats: Callable[[At], Parts]
    """Returns the public part about each seat, by seat id, in order of play."""
    own: Callable[[At], Parts]
    """Returns the part that only the seat itself gets, by seat id."""
    describe_fact: Callable[[str, Facts, At], str | None]
    """Returns the text for a fact that only this family has; None for other facts."""
    facts_after_undo: Callable[[Event], Json]
    """Returns what everybody still knows about cards after this event is undone. The key ``known``
    selects the sentence about it."""
    find_place: Callable[[Facts, At], object] = lambda _facts, _table: None
    """Returns the place of the card that an event's facts are about, or None."""
    derived_words: Callable[[Facts, At], dict[str, str]] = lambda _facts, _table: {}
    """Returns the texts for placeholders that aren't facts but are derived from facts."""


class FamilyOf(Struct, Generic[T], frozen=True, kw_only=True, dict=True):
    """One family of games: its types, its rules, its views, and the contents of its files."""

    id: str
    event: object
    """The union of the events that its logs can hold."""
    table: type[T]
    options: type[Options]
    set_options: type[SetOptions]
    """The command that changes the options."""
    variant: type[Variant]
    card: type[Card]
    box: type[Struct] | None = None
    """The class for a box in ``editions.toml``, if the family has editions."""
    devices: bool = False
    """True if a player's device may keep the player's deck."""
    shared: bool = False
    """True if all players prepare one deck, whose cards depend on the number of players (ruling
    seats-in-the-setup)."""
    effects: frozenset[str]
    """The effects that its cards can have."""
    rulings: frozenset[str]
    """The slugs of all rulings, including those of the table."""
    sentences: Mapping[str, Mapping[str, frozenset[str]]]
    """The sentences that every language must have: section -> key -> names of facts."""
    limit_errors: Callable[[Fields], VariantErrors]
    """Yields an error for each of a variant's fields that is too large or malformed."""
    unplayable_errors: Callable[[Fields], VariantErrors]
    """Yields an error for each reason why no game can be played with a variant's fields."""
    machine: Machine
    table_moves: tuple[TableMove, ...]
    """The moves of the table, including the family's own."""
    preparation_ruling: str
    """The ruling that explains how the cards are prepared."""
    begin_game: Callable[[T, str, DecisionInputs], Events]
    """Returns the events that begin a game with this first player."""
    events_when_out: Callable[[T, str, OutReason], Events]
    """Returns the events that follow when a player goes out."""
    resolve_effect: Callable[[T], Events]
    """Returns the events when a played card takes effect, after its window has closed."""
    leaves_hand: Callable[[T, str, str], None]
    """Raises ``Refused`` if the card can't come from the seat's hand."""
    views: FamilyViews[T]

    @cached_property
    def moves(self) -> Mapping[type[Command], AnyMove]:
        """The move for each command, of the table and of the game."""
        rows: tuple[AnyMove, ...] = (*self.table_moves, *self.machine.moves)
        return {row.command: row for row in rows}

    @cached_property
    def fields(self) -> Mapping[str, object]:
        """The types of those top-level keys of ``variant.toml`` that are read as they are."""
        others = ("cards", "sources", "texts", "topics", "presets", "editions")
        return {field.name: field.type for field in structs.fields(self.variant)
                if field.name not in others}  # fmt: skip

    @cached_property
    def command(self) -> object:
        """The union of the commands that a client can send."""
        return Union[tuple(kind for kind in self.moves if not issubclass(kind, InternalCommand))]  # noqa: UP007


Family = FamilyOf[Any]  # any family
