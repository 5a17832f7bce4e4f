"""A variant: the data of one game (cards, effects, rulings, texts). Each family adds fields."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from hashlib import sha256
from typing import ClassVar, Literal, Self, TypeVar

import msgspec
from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from companion.rules.text.characters import CLUSTERS
from companion.rules.text.sentences import choose_article_form
from companion.rules.variants.form import Change, Field, Form
from companion.rules.variants.limits import (
    CARDS,
    DEFUSES,
    OF_A_TITLE,
    Fields,
    VariantErrors,
    size_error,
)

# where a ruling comes from: the variant's rule sheet, its box, the base game or another
# box, or this project
Source = Literal["sheet", "box", "base", "house"]


class Strict(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The base class of the records in a variant's files. An unknown key is an error."""


class Players(Strict, frozen=True, kw_only=True):
    """The range of allowed numbers of players."""

    least: int
    most: int

    @property
    def range(self) -> range:
        return range(self.least, self.most + 1)

    def nearest_number(self, number: int) -> int:
        """Return the allowed number of players that is closest to this number."""
        return min(max(number, self.least), self.most)


class Seconds(Strict, frozen=True, kw_only=True):
    """The limits and the default of the length of a Nope window, in seconds."""

    least: int
    most: int
    seconds: int  # the default


class Card(Strict, frozen=True, kw_only=True):
    """A card title of the game."""

    id: str
    effect: str  # the name of its effect
    nopeable: bool
    face: str | UnsetType = UNSET  # the name of its picture, if that isn't the name of its effect


class Topic(Strict, frozen=True, kw_only=True):
    """A chapter of the help with its rulings, in order."""

    id: str
    rulings: tuple[str, ...]


class Search(Strict, frozen=True, kw_only=True):
    """Settings of the search in the help, for one language."""

    little: str  # words to ignore, separated by spaces
    endings: str  # endings to remove from words, separated by spaces


class EditionText(Strict, frozen=True, kw_only=True):
    """A box's title for players, and a note that distinguishes the box from others."""

    title: str
    note: str


class CardText(Strict, frozen=True, kw_only=True):
    """A card's texts for the panel."""

    title: str
    here: str  # its effect in this variant
    base: str  # its effect in the base game
    also: str = ""  # other names that the search finds, separated by commas


class RulingText(Strict, frozen=True, kw_only=True):
    """A ruling's texts for the help."""

    title: str
    text: str
    also: str = ""  # other words that the search finds, separated by commas


class Texts(Strict, frozen=True, kw_only=True):
    """All texts of a variant in one language."""

    title: str
    expansion: str | UnsetType = UNSET  # the expansion's own title, without the box's title
    about: str
    cards: dict[str, CardText]
    rulings: dict[str, RulingText]
    refused: dict[str, str]  # messages for refusals
    errors: dict[str, str]  # messages for other errors
    say: dict[str, str]  # texts for lists, numbers and places, which are parts of other messages
    log: dict[str, str]  # messages for the entries of the log
    small: dict[str, dict[str, str]] = {}
    """Articles and prepositions that change before certain letters, such as *a* and *an* (see
    docs/translating.md)."""
    editions: dict[str, EditionText] = {}
    topics: dict[str, str] = {}
    search: Search | None = None
    elsewhere: dict[str, str] = {}
    """The titles of cards that are in the boxes but belong to other games."""
    words: dict[str, dict[str, str]] = {}
    """Words in these texts that are formed from a card's title, such as ``Noped``. For each effect
    of a card, this maps a word to the phrase that replaces the word if the card gets another title,
    such as ``stopped by ~``. The ``~`` stands for the new title."""
    renames: dict[str, str] = {}
    """Maps words in these texts to their replacements after house rules have renamed a card."""

    def with_title(self, card: "Card", title: str) -> Self:
        """Return the texts with a new title for this card. The help's search still finds the old
        title."""
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
        """Return the texts with all words in ``renames`` replaced.

        The result has no ``words``, so a second call changes nothing. A second call might otherwise
        replace a word inside a new title.
        """
        if not self.renames or not self.words:
            return self
        longest_first = sorted(self.renames, key=len, reverse=True)
        old_words = re.compile(rf"(?<!\w)({'|'.join(map(re.escape, longest_first))})(?!\w)")

        def rename(text: str) -> str:
            return old_words.sub(lambda match: self.renames[match[1]], text)

        def rename_all(texts: dict[str, str]) -> dict[str, str]:
            return {key: rename(text) for key, text in texts.items()}

        return replace(
            self,
            about=rename(self.about),
            cards={
                id: replace(card, here=rename(card.here), base=rename(card.base))
                for id, card in self.cards.items()
            },
            rulings={
                slug: replace(ruling, title=rename(ruling.title), text=rename(ruling.text))
                for slug, ruling in self.rulings.items()
            },
            refused=rename_all(self.refused),
            errors=rename_all(self.errors),
            say=rename_all(self.say),
            log=rename_all(self.log),
            topics=rename_all(self.topics),
            words={},
        )


NAME = re.compile(
    r"\{(?:(?P<article>\w+):(?=[^:]*\}))?(?P<name>\w+\.\w+)"
    r"(?::(?P<singular>[^{}|]*)\|(?P<plural>[^{}|]*))?\}"
)
"""A placeholder for one of the variant's figures or titles, such as ``{deal.hand}`` or
``{titles.skip}``. It can have an article or preposition, as in ``{a:titles.skip}``, or a singular
and a plural form, as in ``{grid.rows:row|rows}``."""

# maximum length in characters of a title, and of a list of titles, inside another text
_LONG = 64
_LIST = 1000


def _fill_placeholders(texts: Texts, names: Mapping[str, int | str]) -> Texts:
    """Return the texts with their placeholders for figures and titles filled in."""

    def fill(match: re.Match[str]) -> str:
        article, name, singular, plural = match.group("article", "name", "singular", "plural")
        # A text that was inherited from another variant may name a title that this game doesn't
        # have.
        value = names.get(name, name.partition(".")[2].replace("_", " "))
        if singular is not None:
            return str(singular if value == 1 else plural)
        before = f"{choose_article_form(texts.small, article, str(value))} " if article else ""
        return msgspec.json.encode(f"{before}{value}").decode()[1:-1]

    filled = NAME.sub(fill, msgspec.json.encode(texts).decode())
    return msgspec.json.decode(filled, type=Texts)


class Variant(Strict, frozen=True, kw_only=True, dict=True, weakref=True):
    """A complete variant of a game."""

    family: ClassVar[str]

    id: str
    language: str  # the language in which the server writes refusals and the log
    players: Players
    window: Seconds
    cards: tuple[Card, ...]
    elsewhere: dict[str, str]
    """Titles of cards from other games, each with the ruling that refuses such a card."""
    sources: dict[str, Source]  # the source of each ruling, by the ruling's slug
    texts: dict[str, Texts]
    """The texts by language, with placeholders; ``with_filled_texts`` fills them in."""
    topics: tuple[Topic, ...] = ()
    expansion: str | UnsetType = UNSET
    """The id of the expansion that this variant adds to a box, if any."""
    expands: str | UnsetType = UNSET
    """The id of the box to which this variant adds an expansion, if any."""
    presets: dict[str, Fields] = {}
    """Sets of house rules that the host can start from: overlays by name."""

    def form(self, players: int) -> Form:
        """Return the form of the house rules for this number of players."""
        raise NotImplementedError

    def rulings_changed_by(self, change: Change) -> tuple[str, ...]:
        """Return the rulings whose text changes with this house rule."""
        return ()

    def _title_fields(self) -> Iterator[Field]:
        for card in self.cards:
            title = self.texts[self.language].cards[card.id].title
            yield Field(key=f"titles.{card.id}", kind="text", value=title, least=1, most=CLUSTERS)

    def limit_players(self, players: int) -> Self:
        """Return the variant limited to the numbers of players for which it has enough cards.

        The allowed numbers are the longest range around ``players`` without a gap.
        """
        return self

    @cached_property
    def by_title(self) -> Mapping[str, Card]:
        return {card.id: card for card in self.cards}

    def _only_card_with(self, effect: str) -> str:
        return next(card.id for card in self.cards if card.effect == effect)

    @cached_property
    def kitten(self) -> str:
        return self._only_card_with("kitten")

    @cached_property
    def defuse(self) -> str:
        return self._only_card_with("defuse")

    @cached_property
    def nope(self) -> str:
        return self._only_card_with("nope")

    @property
    def summary(self) -> dict[str, object]:
        """The fields that the family adds to the list of variants."""
        return {}

    @property
    def counts(self) -> dict[str, int]:
        """The number of cards of each title, by id."""
        return {}

    @cached_property
    def titles_in_game(self) -> tuple[str, ...]:
        """The titles of this game, without titles that have no cards left because of
        house rules."""
        counts = self.counts
        return tuple([card.id for card in self.cards if counts.get(card.id, 1)])

    @property
    def figures(self) -> dict[str, int | str]:
        """The values of all placeholders except ``cards.<id>``, ``titles.<id>`` and
        ``deck.list``."""
        return {
            "players.least": self.players.least,
            "players.most": self.players.most,
            "window.seconds": self.window.seconds,
            "deck.cards": sum(self.counts.values()),
        }

    @cached_property
    def with_filled_texts(self) -> Self:
        """This variant with the placeholders in its texts filled in."""
        texts = {
            language: _fill_placeholders(text.with_new_words(), self.names(text))
            for language, text in self.texts.items()
        }
        return msgspec.structs.replace(self, texts=texts)

    def names(self, texts: Texts) -> dict[str, int | str]:
        """Return the values of all placeholders that a text can have.

        A placeholder names a card by the card's id or effect.
        """
        titles = texts.elsewhere | {id: card.title[:_LONG] for id, card in texts.cards.items()}
        counts = {id: count for id, count in self.counts.items() if id in titles}
        names: dict[str, int | str] = {}
        for kind, by_id in (("titles", titles), ("cards", counts)):
            effects = {c.effect: by_id[c.id] for c in self.cards[::-1] if c.id in by_id}
            names |= {f"{kind}.{id}": value for id, value in (effects | by_id).items()}
        in_deck = ((id, count) for id, count in counts.items() if count)
        deck_list = ", ".join(f"{count} {titles[id]}" for id, count in in_deck)[:_LIST]
        return {**self.figures, **names, "deck.list": deck_list}

    @cached_property
    def words(self) -> Texts:
        """The texts in the variant's own language, with their placeholders filled in."""
        return self.with_filled_texts.texts[self.language]

    def to_json(self) -> bytes:
        """Return the variant as one JSON document. The same content gives the same bytes."""
        return msgspec.json.encode(self, order="sorted")

    @cached_property
    def digest(self) -> str:
        """The SHA-256 hash of ``to_json()``, in hexadecimal digits."""
        return sha256(self.to_json()).hexdigest()


C = TypeVar("C", bound=Card)


def count_errors(cards: Sequence[C], count_card: Callable[[C], int]) -> VariantErrors:
    """Yield an error for each title with too many cards, and one if there are too many in total.

    ``count_card`` returns the number of cards of a title.
    """
    for card in cards:
        most = DEFUSES if card.effect == "defuse" else OF_A_TITLE
        yield from size_error(f"cards.{card.id}", count_card(card), most)
    yield from size_error("cards", sum(map(count_card, cards)), CARDS)
