"""What a family of games supplies so that it can be played at a table: what this room asks for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, TypeVar, Union

from msgspec import Struct, structs

from companion.rules.core.commands import Command, DecisionInputs, InternalCommand, SetOptions
from companion.rules.core.limits import Fields, VariantErrors
from companion.rules.core.moves import AnyMove, Machine, TableMove
from companion.rules.core.variant import Card, Variant

if TYPE_CHECKING:
    from companion.rules.core.events import Event, Events
    from companion.rules.core.game import OutReason
    from companion.rules.core.model import Options, Table

Facts = Mapping[str, Any]  # what a sentence speaks of, by name, as JSON has it
Json = dict[str, Any]  # an object as it goes out

T = TypeVar("T", bound="Table")
At = TypeVar("At", bound="Table", contravariant=True)


class Part(Struct, frozen=True):
    """Something shown: ``show`` makes it of these ``inputs`` alone, so that it need not be made
    again as long as they are as they were."""

    show: Callable[..., Json]
    inputs: tuple[object, ...]


Parts = Mapping[str, Part]  # things shown, by name


class FamilyViews(Struct, Generic[At], frozen=True, kw_only=True):
    """How a family is shown and told of. ``game``: its game in the public view. ``seats``: each
    seat as everybody sees it, in order; ``own``: what each seat alone sees; both by seat.
    ``place``: where the cards lay that an event's facts are about. ``word``: a fact that is this
    family's own, as it is spoken (``None``: any table's); ``more_words``: what its sentences may
    say beside their facts. ``stays``: the facts that stay known of a deed once it is taken back;
    ``known`` picks their sentence."""

    game: Callable[[At], Part]
    seats: Callable[[At], Parts]
    own: Callable[[At], Parts]
    word: Callable[[str, Facts, At], str | None]
    stays: Callable[[Event], Json]
    place: Callable[[Facts, At], object] = lambda _facts, _table: None
    more_words: Callable[[Facts, At], dict[str, str]] = lambda _facts, _table: {}


class FamilyOf(Struct, Generic[T], frozen=True, kw_only=True, dict=True):
    """One family: its types, how it is played, how it is shown, what its files hold.

    ``event``: the union of what can be stored; ``set_options``: the command that changes
    ``options``. ``machine``: its game; ``table_moves``: the table's, its own
    among them. ``preparation``: the ruling by which cards are prepared. ``begins``: what begins a
    game whose first player is that seat, at a moment. ``goes_out``: what a player's going out
    leads to. ``takes_effect``: what follows when a window has closed in favour of what was
    played. ``leaves_hand`` refuses a card that can't come from a seat's hand.

    ``effects``: what its cards can do. ``rulings``: all that its referee knows; ``sentences``:
    section → key → facts, which every language must have. ``card``: a card's record, ``box`` an
    edition's, if it has any; ``beyond``: place and reason of what in its fields is out of bounds;
    ``unplayable``: for all that keeps them from making a game. ``devices``: whether a player's
    device may keep the deck. ``shared``: whether all prepare the same cards, so that other cards
    serve another number of players (ruling seats-in-the-setup)."""

    id: str
    event: object
    table: type[T]
    options: type[Options]
    set_options: type[SetOptions]
    variant: type[Variant]
    card: type[Card]
    box: type[Struct] | None = None
    devices: bool = False
    shared: bool = False
    effects: frozenset[str]
    rulings: frozenset[str]
    sentences: Mapping[str, Mapping[str, frozenset[str]]]
    limit_errors: Callable[[Fields], VariantErrors]
    unplayable_errors: Callable[[Fields], VariantErrors]
    machine: Machine
    table_moves: tuple[TableMove, ...]
    preparation_ruling: str
    begin_game: Callable[[T, str, DecisionInputs], Events]
    events_when_out: Callable[[T, str, OutReason], Events]
    resolve_effect: Callable[[T], Events]
    leaves_hand: Callable[[T, str, str], None]
    views: FamilyViews[T]

    @cached_property
    def moves(self) -> Mapping[type[Command], AnyMove]:
        """The row of every command, the table's and the game's."""
        rows: tuple[AnyMove, ...] = (*self.table_moves, *self.machine.moves)
        return {row.command: row for row in rows}

    @cached_property
    def fields(self) -> Mapping[str, object]:
        """The keys of ``variant.toml`` that are read as they stand, and their types."""
        others = ("cards", "sources", "texts", "topics", "presets", "editions")
        return {one.name: one.type for one in structs.fields(self.variant)
                if one.name not in others}  # fmt: skip

    @cached_property
    def command(self) -> object:
        """The union of what a client can say over the wire."""
        return Union[tuple(said for said in self.moves if not issubclass(said, InternalCommand))]  # noqa: UP007


Family = FamilyOf[Any]  # of whatever family
