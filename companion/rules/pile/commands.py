"""What can be said in a classic game, in the imperative."""

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from companion.rules.core import commands
from companion.rules.core.commands import Command, SeatId, Title
from companion.rules.pile.variant import Kind

Place = Annotated[int, Meta(ge=1, le=999)]  # a card's place in the pile: 1 is the top
Titles = Annotated[tuple[Title, ...], Meta(max_length=200)]
Seats = Annotated[tuple[SeatId, ...], Meta(max_length=20)]


class SetOptions(commands.SetOptions, frozen=True, kw_only=True, tag="options"):
    """The host changes some of the options."""

    special_combos: bool | UnsetType = UNSET


class Sit(Command, frozen=True, kw_only=True, tag="seating"):
    """The host says in which order all sit, clockwise."""

    order: Seats


class PlayCard(Command, frozen=True, kw_only=True, tag="play"):
    """The turn player plays a card; some name a target."""

    card: Title
    target: SeatId | None = None


class PlayCombo(Command, frozen=True, kw_only=True, tag="combo"):
    """The turn player plays several cards together; a triple asks for a card by ``name``."""

    kind: Kind
    cards: Titles
    target: SeatId | None = None
    name: Title | None = None


class Look(Command, frozen=True, kw_only=True, tag="look"):
    """The turn player has looked; ``saw``: at which cards, top first, for their own notes."""

    saw: Titles | None = None


class Shuffled(Command, frozen=True, kw_only=True, tag="shuffled"):
    """The turn player has shuffled the pile."""


class Give(Command, frozen=True, kw_only=True, tag="give"):
    """A Favor's target has given a card."""


class Take(Command, frozen=True, kw_only=True, tag="take"):
    """The turn player has taken a card, after a pair."""


class Answer(Command, frozen=True, kw_only=True, tag="answer"):
    """A triple's target says whether they have the card, and has given it if so."""

    has: bool


class Pick(Command, frozen=True, kw_only=True, tag="pick"):
    """The turn player takes a card from the discard pile, after five different ones."""

    card: Title


class Draw(Command, frozen=True, kw_only=True, tag="draw"):
    """The turn player touches the top card."""


class Defuse(Command, frozen=True, kw_only=True, tag="defuse"):
    """The Kitten is in the pile again; ``place``: where, for its player's own notes."""

    place: Place | None = None


class Explode(Command, frozen=True, kw_only=True, tag="explode"):
    """No Defuse: out; ``cards``: the whole hand, if it is told."""

    cards: Titles | None = None


class MakeNote(Command, frozen=True, kw_only=True, tag="note"):
    """A seat notes for itself what lies at a place of the pile; null forgets it."""

    place: Place
    card: Title | None


class Combos(Command, frozen=True, kw_only=True, tag="combo"):
    """Not said, but listed: these cards can be played on any of the ``targets`` (a triple with any
    title in play); without ``cards`` any five different ones."""

    kind: Kind
    cards: tuple[str, ...] | None = None
    targets: tuple[str, ...] = ()
