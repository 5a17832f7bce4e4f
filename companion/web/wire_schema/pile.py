"""Types of the views of tables with one pile. See also ``views.py``."""

from typing import Any, Literal

from msgspec import UNSET, UnsetType

from companion.web.wire_schema.views import Chance, Shown, SomeOptions, SomeSeat, SomeView, SomeYou

PileStep = Literal[
    "act", "window", "look", "shuffle", "give", "take", "answer", "pick", "report", "kitten",
    "imploding",
]  # fmt: skip


class End(Shown):
    """The chance of a deadly Kitten at an end of the pile."""

    state: Literal["shuffled", "placed", "arranged", "noted"]
    even: Chance
    least: Chance
    most: Chance


class Ends(Shown):
    """Both ends of the pile."""

    top: End
    bottom: End


class Pile(Shown):
    """The pile as everybody knows it. Its ends are missing if the table shows no odds.

    ``imploding`` is the place of the Imploding Kitten, or null if it has left the game. It is
    missing in boxes without this card.
    """

    cards: int
    kittens: int
    exact: bool
    imploding: Literal["down", "shown", "up", "top"] | UnsetType | None = UNSET
    top: End | UnsetType = UNSET
    bottom: End | UnsetType = UNSET


class Discard(Shown):
    """The discard pile, oldest card first.

    ``cards`` has the titles of the cards that the panel knows, and ``unnoted`` is the number of the
    other cards.
    """

    cards: list[str]
    unnoted: int


class PileSeat(SomeSeat, kw_only=True):
    """A seat with a hand.

    ``known`` has the lowest possible number of each title in the hand, ``never`` the titles that
    can't be in it. Both are missing if the table hides odds.
    """

    known: dict[str, int] | UnsetType = UNSET
    never: list[str] | UnsetType = UNSET


class PileTurn(Shown):
    """A turn. ``owed`` is the number of turns that the player still has to take."""

    number: int
    seat: str
    owed: int
    attacked: bool
    step: PileStep
    end: Literal["top", "bottom"] | None


class PilePlayed(Shown):
    """The card or the combo that was played last."""

    kind: str
    cards: list[str]
    by: str
    target: str | None
    name: str | None
    nopes: list[str]
    counts: bool


class PileNote(Shown):
    """A private note of the viewer about a card in the pile."""

    place: int
    card: str


class PileYou(SomeYou, kw_only=True):
    """The part of a view that only the viewer gets."""

    notes: list[PileNote]
    may: list[dict[str, Any]]
    odds: Ends | UnsetType = UNSET


class PileOptions(SomeOptions):
    """Options of the table, chosen by the host."""

    special_combos: bool


class PileView(SomeView, kw_only=True):
    """A table with one pile.

    ``direction`` is the direction of play, in boxes with a card that reverses it.
    """

    family: Literal["pile"]
    direction: Literal["clockwise", "counterclockwise"] | UnsetType = UNSET
    options: PileOptions
    seats: list[PileSeat]
    pile: Pile | None
    discard: Discard | None
    turn: PileTurn | None
    played: PilePlayed | None
    log: list[dict[str, Any]]
    you: PileYou | None
