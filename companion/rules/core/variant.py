"""A variant: what any game's data has, titles, effects, rulings, texts; a family adds its own."""

from collections.abc import Mapping
from functools import cached_property
from hashlib import sha256
from typing import ClassVar, Literal

import msgspec
from msgspec import UNSET, Struct, UnsetType

Source = Literal["sheet", "box", "base", "house"]


class Strict(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Records of a variant's files: an unknown key is a fault."""


class Players(Strict, frozen=True, kw_only=True):
    """How many can play."""

    least: int
    most: int


class Seconds(Strict, frozen=True, kw_only=True):
    """A Nope window's length: what a table may choose, and what it has otherwise."""

    least: int
    most: int
    seconds: int


class Card(Strict, frozen=True, kw_only=True):
    """A title: its effect's name, whether it can be Noped; ``face``: if it isn't its effect's."""

    id: str
    effect: str
    nopeable: bool
    face: str | UnsetType = UNSET


class Topic(Strict, frozen=True, kw_only=True):
    """A chapter of help with its rulings, in order."""

    id: str
    rulings: tuple[str, ...]


class Search(Strict, frozen=True, kw_only=True):
    """How help is searched in a language: words that are looked past, endings taken off words."""

    little: str
    endings: str


class EditionText(Strict, frozen=True, kw_only=True):
    """A box as players call it, and how to tell it from others."""

    title: str
    note: str


class CardText(Strict, frozen=True, kw_only=True):
    """A card's title, what it does here and in the base game; ``also``: other names for it."""

    title: str
    here: str
    base: str
    also: str = ""


class RulingText(Strict, frozen=True, kw_only=True):
    """A ruling in the players' words; ``also``: what else one may look for, by commas."""

    title: str
    text: str
    also: str = ""


class Texts(Strict, frozen=True, kw_only=True):
    """Everything a variant says in one language; ``small``: see ``phrases``; ``elsewhere``:
    titles of other games that lie in the boxes, too."""

    title: str
    about: str
    cards: dict[str, CardText]
    rulings: dict[str, RulingText]
    refused: dict[str, str]
    errors: dict[str, str]
    say: dict[str, str]
    log: dict[str, str]
    small: dict[str, dict[str, str]] = {}
    editions: dict[str, EditionText] = {}
    topics: dict[str, str] = {}
    search: Search | None = None
    elsewhere: dict[str, str] = {}


class Variant(Strict, frozen=True, kw_only=True, dict=True, weakref=True):
    """One variant, whole. ``elsewhere``: titles of other games → the ruling against them."""

    family: ClassVar[str]

    id: str
    language: str
    players: Players
    window: Seconds
    cards: tuple[Card, ...]
    elsewhere: dict[str, str]
    sources: dict[str, Source]
    texts: dict[str, Texts]
    topics: tuple[Topic, ...] = ()

    @cached_property
    def by_title(self) -> Mapping[str, Card]:
        """The cards by their id."""
        return {card.id: card for card in self.cards}

    def card(self, title: str) -> Card:
        """The card with this id; KeyError when there is none."""
        return self.by_title[title]

    def _only(self, effect: str) -> str:
        return next(card.id for card in self.cards if card.effect == effect)

    @cached_property
    def kitten(self) -> str:
        """The title that explodes."""
        return self._only("kitten")

    @cached_property
    def defuse(self) -> str:
        """The title that defuses it."""
        return self._only("defuse")

    @cached_property
    def nope(self) -> str:
        """The title that cancels others."""
        return self._only("nope")

    @property
    def in_short(self) -> dict[str, object]:
        """What a list of variants says of it that only its family has."""
        return {}

    @cached_property
    def words(self) -> Texts:
        """The texts in the variant's own language."""
        return self.texts[self.language]

    def to_json(self) -> bytes:
        """The whole variant as one document; the same content gives the same bytes."""
        return msgspec.json.encode(self, order="sorted")

    @cached_property
    def digest(self) -> str:
        """Names this very content."""
        return sha256(self.to_json()).hexdigest()
