"""Validation of a variant: its fields have size limits, and must allow a game to be played.

A variant is validated when its file is loaded and when house rules change it, but not when it is
read from the database.
"""

import re
import unicodedata
from collections import deque
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

Fields = dict[str, Any]  # a TOML table, or the values read from one, by key
TEXT = 1000  # maximum length of a text, in characters
# Maximum absolute value of a number. A number may be a time in ms since 1970, and browsers can't
# show the dates of much larger numbers.
NUMBER = 10**15
DEPTH = 16  # maximum nesting of tables and lists
MAX_FAULTS = 20  # maximum number of oversized places that are reported for one file
OF_A_TITLE = 60  # maximum number of cards of one title
DEFUSES = 20  # maximum number of Defuses, instead of OF_A_TITLE
CARDS = 300  # maximum number of cards in total
HAND = 15  # maximum number of cards dealt to a hand
PLAYERS = 2, 10  # minimum and maximum number of players
ID = re.compile(r"[a-z][a-z0-9_]{0,31}", re.ASCII)  # the pattern of a card's id
_KEY = 40  # maximum length of a key that is quoted in an error


def oversized_places(content: object, place: str = "") -> list[tuple[str, str]]:
    """Return each place in a document that exceeds a limit (text, number or depth), with the
    reason."""
    errors = list[tuple[str, str]]()
    queue = deque([(content, place, DEPTH)])
    while queue and len(errors) < MAX_FAULTS:
        value, place, levels_left = queue.popleft()
        if not isinstance(value, dict | list):
            errors += _value_errors(value, place)
            continue
        if not levels_left:
            return [*errors, (place, f"lies more than {DEPTH} deep")]
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            inner_place = _inner_place(place, key)
            if isinstance(key, str):
                errors += _text_errors(key, inner_place)
            queue.append((inner, inner_place, levels_left - 1))
    return errors


def _inner_place(place: str, key: str | int) -> str:
    if isinstance(key, int):
        return f"{place}[{key}]"
    return f"{place}.{key[:_KEY]}" if place else key[:_KEY]


def _value_errors(value: object, place: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield from _text_errors(value, place)
    elif isinstance(value, int | float) and not -NUMBER <= value <= NUMBER:
        yield place, f"a number is {NUMBER} at most"


def _text_errors(text: str, place: str) -> Iterator[tuple[str, str]]:
    if len(text) > TEXT:
        yield place, f"a text has {TEXT} characters at most, not {len(text)}"
    elif not text.isprintable() and any(
        unicodedata.category(c) == "Cc" and c not in "\n\t" for c in text
    ):
        yield place, "a text has no control characters"


class VariantError(NamedTuple):
    """An error in a variant's fields."""

    place: str
    why: str  # the reason, in English
    facts: Mapping[str, object] = {}  # additional entries of ``fault``

    @property
    def fault(self) -> Mapping[str, object]:
        """The error as clients receive it when the server refuses house rules."""
        return {"key": self.place, "code": "bounds", **self.facts}


VariantErrors = Iterator[VariantError]


def size_error(place: str, number: int, most: int) -> VariantErrors:
    """Yield an error if the number is too large."""
    if number > most:
        yield VariantError(
            place, f"must be at most {most}, not {number}", {"is": number, "most": most}
        )


def unplayable_errors(fields: Fields) -> VariantErrors:
    """Yield an error for each reason why no game can be played with these fields.

    This makes the checks that all families have in common.
    """
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
    """Yield an error for each oversized field and each invalid card id.

    This covers the fields that all families have.
    """
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
    """Yield an error if the card's id is malformed."""
    if not ID.fullmatch(title):
        why = f"no card can be called {title[:_KEY]!r}: up to 32 small letters, digits, _"
        yield VariantError(place, why)
