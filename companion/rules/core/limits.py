"""How large a variant can be, and what keeps its fields from making a game. What is stored already
stays as it is: its bounds are asked at a file's door, and of house rules."""

import re
import unicodedata
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

if TYPE_CHECKING:
    from companion.rules.core.family import Family
    from companion.rules.core.variant import Card

C = TypeVar("C", bound="Card")
Fields = dict[str, Any]  # a table of TOML, or what has been read from one, by keys
TEXT = 1000  # characters
NUMBER = 10**15  # as milliseconds a date that any panel can write; less than nothing, too
DEPTH = 16  # tables and lists in each other
TOLD = 20  # how many places that are too large are named of one file
# cards of each title, and of the Defuse; cards in all
OF_A_TITLE = 60
DEFUSES = 20
CARDS = 300
HAND = 15  # cards dealt to a hand
PLAYERS = 2, 10
ID = re.compile(r"[a-z][a-z0-9_]{0,31}", re.ASCII)  # what a card can be called
_KEY = 40  # characters of a key, as a place names it


def oversized_places(content: object, place: str = "") -> list[tuple[str, str]]:
    """Which texts, numbers, depths of a document are beyond the bounds: place and reason."""
    found = list[tuple[str, str]]()
    waiting = deque([(content, place, DEPTH)])
    while waiting and len(found) < TOLD:
        value, place, deeper = waiting.popleft()
        if not isinstance(value, dict | list):
            found += _alone(value, place)
            continue
        if not deeper:
            return [*found, (place, f"lies more than {DEPTH} deep")]
        for key, one in value.items() if isinstance(value, dict) else enumerate(value):
            inside = _inside(place, key)
            if isinstance(key, str):
                found += _text(key, inside)
            waiting.append((one, inside, deeper - 1))
    return found


def _inside(place: str, key: str | int) -> str:
    if isinstance(key, int):
        return f"{place}[{key}]"
    return f"{place}.{key[:_KEY]}" if place else key[:_KEY]


def _alone(value: object, place: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield from _text(value, place)
    elif isinstance(value, int | float) and not -NUMBER <= value <= NUMBER:
        yield place, f"a number is {NUMBER} at most"


def _text(text: str, place: str) -> Iterator[tuple[str, str]]:
    if len(text) > TEXT:
        yield place, f"a text has {TEXT} characters at most, not {len(text)}"
    elif not text.isprintable() and any(
        unicodedata.category(c) == "Cc" and c not in "\n\t" for c in text
    ):
        yield place, "a text has no control characters"


class VariantError(NamedTuple):
    """What is wrong with a variant's fields: where, why in a sentence, and more of house rules."""

    place: str
    why: str
    facts: Mapping[str, object] = {}

    @property
    def fault(self) -> Mapping[str, object]:
        return {"key": self.place, "code": "bounds", **self.facts}


VariantErrors = Iterator[VariantError]


def size_error(place: str, number: int, most: int) -> VariantErrors:
    if number > most:
        yield VariantError(
            place, f"must be at most {most}, not {number}", {"is": number, "most": most}
        )


def counts(cards: Sequence[C], counted: Callable[[C], int]) -> VariantErrors:
    """Which of the cards there are too many of; ``counted`` says how many of one."""
    for card in cards:
        most = DEFUSES if card.effect == "defuse" else OF_A_TITLE
        yield from size_error(f"cards.{card.id}", counted(card), most)
    yield from size_error("cards", sum(map(counted, cards)), CARDS)


def validation_errors(fields: Fields, family: "Family") -> list[VariantError]:
    """Why no game can be dealt and played from a variant's fields."""
    # Whether they make a game is asked only of what is small.
    found = [*limit_errors(fields), *family.limit_errors(fields)]
    return found or [*_unplayable(fields), *family.unplayable_errors(fields)]


def _unplayable(fields: Fields) -> VariantErrors:
    cards = fields["cards"]
    window = fields["window"]
    ids = [card.id for card in cards]
    effects = [card.effect for card in cards]
    for title in sorted({i for i in ids if ids.count(i) > 1}):
        yield VariantError("cards", f"{title!r} stands there twice")
    for title in sorted(fields["elsewhere"].keys() & {*ids}):
        yield VariantError(f"elsewhere.{title}", "is a card of this game")
    for effect in ("kitten", "defuse", "nope"):
        if (count := effects.count(effect)) != 1:
            yield VariantError("cards", f"one title must have the effect {effect!r}, not {count}")
    if any(card.nopeable for card in cards if card.effect in ("kitten", "defuse")):
        yield VariantError("cards", "a Kitten and a Defuse can't be Noped (ruling un-nopeable)")
    if not 1 <= window.least <= window.seconds <= window.most <= 600:
        yield VariantError("window", "must be 1 ≤ least ≤ seconds ≤ most ≤ 600")


def limit_errors(fields: Fields) -> VariantErrors:
    """What of any game's variant is too large or can't be called so."""
    cards = fields["cards"]
    players = fields["players"]
    yield from size_error("cards", len(cards), CARDS)
    for number, card in enumerate(cards):
        yield from card_id_errors(f"cards[{number}].id", card.id)
    for title in fields["elsewhere"]:
        yield from card_id_errors("elsewhere", title)
    if not PLAYERS[0] <= players.least <= players.most <= PLAYERS[1]:
        yield VariantError("players", "must be 2 to 10, least first")


def card_id_errors(place: str, title: str) -> VariantErrors:
    if not ID.fullmatch(title):
        why = f"no card can be called {title[:_KEY]!r}: up to 32 small letters, digits, _"
        yield VariantError(place, why)
