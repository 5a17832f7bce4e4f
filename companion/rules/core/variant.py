"""A variant: what any game's data has, titles, effects, rulings, texts; a family adds its own."""

import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from hashlib import sha256
from typing import ClassVar, Literal, Self

import msgspec
from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from companion.rules.core.characters import CLUSTERS
from companion.rules.core.house_rules import Change, Field, Form
from companion.rules.core.limits import Fields

Source = Literal["sheet", "box", "base", "house"]


class Strict(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Records of a variant's files: an unknown key is a fault."""


class Players(Strict, frozen=True, kw_only=True):
    """How many can play."""

    least: int
    most: int

    @property
    def range(self) -> range:
        return range(self.least, self.most + 1)

    def next_to(self, number: int) -> int:
        """The one of them that is next to this number."""
        return min(max(number, self.least), self.most)


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
    """Everything a variant says in one language; ``small``: see docs/translating.md; ``elsewhere``:
    titles of other games that lie in the boxes, too. ``words``: how its texts speak of a card
    beside its title, by the card's effect, each with what stands there once the card has another
    title (``~``); ``renames``: those that do, and what stands there."""

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
    words: dict[str, dict[str, str]] = {}
    renames: dict[str, str] = {}

    def with_title(self, card: "Card", title: str) -> Self:
        """The texts with another title for this card, which help finds by its old one too."""
        text = self.cards[card.id]
        also = ", ".join(filter(None, (text.title, text.also)))
        words = self.words.get(card.effect, {}) if title != text.title else {}
        renames = {word: form.replace("~", title) for word, form in words.items()}
        return replace(
            self,
            cards={**self.cards, card.id: replace(text, title=title, also=also)},
            renames={**self.renames, **renames},
        )

    def with_new_words(self) -> Self:
        """The texts in which the words of a card that has another title are that title's. They
        have no ``words`` any more, so that a new title is not taken for an old word."""
        if not self.renames or not self.words:
            return self
        longest_first = sorted(self.renames, key=len, reverse=True)
        old = re.compile(rf"(?<!\w)({'|'.join(map(re.escape, longest_first))})(?!\w)")

        def new(text: str) -> str:
            return old.sub(lambda found: self.renames[found[1]], text)

        def all_new(texts: dict[str, str]) -> dict[str, str]:
            return {key: new(text) for key, text in texts.items()}

        return replace(
            self,
            about=new(self.about),
            cards={
                id: replace(card, here=new(card.here), base=new(card.base))
                for id, card in self.cards.items()
            },
            rulings={
                slug: replace(ruling, title=new(ruling.title), text=new(ruling.text))
                for slug, ruling in self.rulings.items()
            },
            refused=all_new(self.refused),
            errors=all_new(self.errors),
            say=all_new(self.say),
            log=all_new(self.log),
            topics=all_new(self.topics),
            words={},
        )


NAME = re.compile(r"\{(\w+\.\w+)(?::([^{}|]*)\|([^{}|]*))?\}")
"""A place in a text for a figure or a title of the variant's: ``{deal.hand}``, ``{titles.skip}``,
``{grid.rows:row|rows}`` with a form for one and one for others."""

# characters of a title, and of a list of titles, as other texts name them
_LONG = 64
_LIST = 1000


def _fill_placeholders(texts: Texts, names: Mapping[str, int | str]) -> Texts:
    """The texts with these figures and titles in their places."""

    def word(found: re.Match[str]) -> str:
        name, one, other = found.groups()
        # A title that only another game has, whose texts this one's are like.
        value = names.get(name, name.partition(".")[2].replace("_", " "))
        if one is not None:
            return str(one if value == 1 else other)
        return msgspec.json.encode(str(value)).decode()[1:-1]

    said = NAME.sub(word, msgspec.json.encode(texts).decode())
    return msgspec.json.decode(said, type=Texts)


class Variant(Strict, frozen=True, kw_only=True, dict=True, weakref=True):
    """One variant, whole. ``elsewhere``: titles of other games → the ruling against them. Its
    ``texts`` may leave places for its own figures and titles; ``told`` has them filled in.
    ``presets``: house rules to begin with, overlays by name."""

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
    presets: dict[str, Fields] = {}

    def form(self, players: int) -> Form:
        """What house rules can change of it where so many play."""
        raise NotImplementedError

    def rulings_changed_by(self, change: Change) -> tuple[str, ...]:
        """The rulings that say something else once a house rule has changed this field."""
        return ()

    def _titles(self) -> Iterator[Field]:
        for card in self.cards:
            title = self.texts[self.language].cards[card.id].title
            yield Field(key=f"titles.{card.id}", kind="text", value=title, least=1, most=CLUSTERS)

    def serving(self, players: int) -> Self:
        """For no other numbers of players than can be dealt: so many, more and fewer."""
        return self

    @cached_property
    def by_title(self) -> Mapping[str, Card]:
        return {card.id: card for card in self.cards}

    def _only(self, effect: str) -> str:
        return next(card.id for card in self.cards if card.effect == effect)

    @cached_property
    def kitten(self) -> str:
        return self._only("kitten")

    @cached_property
    def defuse(self) -> str:
        return self._only("defuse")

    @cached_property
    def nope(self) -> str:
        return self._only("nope")

    @property
    def in_short(self) -> dict[str, object]:
        """What a list of variants says of it that only its family has."""
        return {}

    @property
    def counts(self) -> dict[str, int]:
        return {}

    @cached_property
    def titles_in_game(self) -> tuple[str, ...]:
        """The titles that are in this game: house rules may leave none of one."""
        counts = self.counts
        return tuple([card.id for card in self.cards if counts.get(card.id, 1)])

    @property
    def figures(self) -> dict[str, int | str]:
        """What texts can name besides ``cards.<id>``, ``titles.<id>`` and ``deck.list``."""
        return {
            "players.least": self.players.least,
            "players.most": self.players.most,
            "window.seconds": self.window.seconds,
            "deck.cards": sum(self.counts.values()),
        }

    @cached_property
    def with_filled_texts(self) -> Self:
        """This variant with its own figures and titles in its texts, as others read them."""
        texts = {
            language: _fill_placeholders(text.with_new_words(), self.names(text))
            for language, text in self.texts.items()
        }
        return msgspec.structs.replace(self, texts=texts)

    def names(self, texts: Texts) -> dict[str, int | str]:
        """All that a text can name; a card by its id, else by its effect."""
        titles = texts.elsewhere | {id: card.title[:_LONG] for id, card in texts.cards.items()}
        counts = {id: count for id, count in self.counts.items() if id in titles}
        names: dict[str, int | str] = {}
        for kind, by_id in (("titles", titles), ("cards", counts)):
            effects = {c.effect: by_id[c.id] for c in self.cards[::-1] if c.id in by_id}
            names |= {f"{kind}.{id}": value for id, value in (effects | by_id).items()}
        there = ((id, count) for id, count in counts.items() if count)
        listed = ", ".join(f"{count} {titles[id]}" for id, count in there)[:_LIST]
        return {**self.figures, **names, "deck.list": listed}

    @cached_property
    def words(self) -> Texts:
        return self.with_filled_texts.texts[self.language]

    def to_json(self) -> bytes:
        """The whole variant as one document; the same content gives the same bytes."""
        return msgspec.json.encode(self, order="sorted")

    @cached_property
    def digest(self) -> str:
        return sha256(self.to_json()).hexdigest()
