"""The commands of a classic game."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from companion.rules.core import commands
from companion.rules.core.commands import Command, SeatId, Title
from companion.rules.pile.variant import Kind

Place = Annotated[int, Meta(ge=1, le=999)]  # a card's place in the pile: 1 is the top
Titles = Annotated[tuple[Title, ...], Meta(max_length=200)]
Outcome = Literal["safe", "kitten", "imploding"]  # the kind of card that a player has drawn
Seats = Annotated[tuple[SeatId, ...], Meta(max_length=20)]


class SetOptions(commands.SetOptions, frozen=True, kw_only=True, tag="options"):
    """Change some of the table's options (host only)."""

    special_combos: bool | UnsetType = UNSET


class Sit(Command, frozen=True, kw_only=True, tag="seating"):
    """Set the clockwise order of the seats (host only)."""

    order: Seats


class PlayCard(Command, frozen=True, kw_only=True, tag="play"):
    """Play a card. Some cards need a target."""

    card: Title
    target: SeatId | None = None


class PlayCombo(Command, frozen=True, kw_only=True, tag="combo"):
    """Play several cards together."""

    kind: Kind
    cards: Titles
    target: SeatId | None = None
    name: Title | None = None  # the title that a triple asks for


class Look(Command, frozen=True, kw_only=True, tag="look"):
    """Report that the turn player has looked at the top cards of the pile."""

    saw: Titles | None = None  # the cards from the top down, for the player's private notes


class Shuffled(Command, frozen=True, kw_only=True, tag="shuffled"):
    """Report that the turn player has shuffled the pile."""


class Give(Command, frozen=True, kw_only=True, tag="give"):
    """Report that a Favor's target has given a card to the turn player."""


class Take(Command, frozen=True, kw_only=True, tag="take"):
    """Report that the turn player, who played a pair, has taken a card from the target's hand."""


class Answer(Command, frozen=True, kw_only=True, tag="answer"):
    """Report the answer to a triple: the target has given the card, or has no such card."""

    has: bool


class Pick(Command, frozen=True, kw_only=True, tag="pick"):
    """Take a card from the discard pile. This is the effect of five different cards."""

    card: Title


class Draw(Command, frozen=True, kw_only=True, tag="draw"):
    """Touch the top card of the pile."""


class Report(Command, frozen=True, kw_only=True, tag="report"):
    """Report the card that the turn player drew: a safe card or a Kitten."""

    outcome: Outcome
    # the whole hand of a player whom the card puts out at once, or None if they don't name it
    cards: Titles | None = None


class SeeImploding(Command, frozen=True, kw_only=True, tag="see_imploding"):
    """Report that the Imploding Kitten lies face up on top of the pile, where the turn player has
    to draw it."""


class PutBack(Command, frozen=True, kw_only=True, tag="put_back"):
    """Put the Imploding Kitten back in the pile, face up."""

    place: Place | None = None  # the Kitten's place, for the player's private notes


class Defuse(Command, frozen=True, kw_only=True, tag="defuse"):
    """Play a Defuse and put the Kitten back in the pile."""

    place: Place | None = None  # the Kitten's place, for the player's private notes


class Explode(Command, frozen=True, kw_only=True, tag="explode"):
    """Go out of the game, because the player has no Defuse for the Kitten."""

    cards: Titles | None = None  # the whole hand, or None if the player doesn't name the cards


class MakeNote(Command, frozen=True, kw_only=True, tag="note"):
    """Write a private note about the card at a place in the pile. If ``card`` is None, remove the
    note."""

    place: Place
    card: Title | None


class Combos(Command, frozen=True, kw_only=True, tag="combo"):
    """A group of ``PlayCombo`` commands, as one entry in a list of legal commands.

    Clients receive this entry but never send it. A triple can ask for any title in play except the
    Kitten.
    """

    kind: Kind
    # the cards to play, or None if the player can choose any five different cards
    cards: tuple[str, ...] | None = None
    targets: tuple[str, ...] = ()  # the possible targets
