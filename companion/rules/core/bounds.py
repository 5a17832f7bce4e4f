"""How large a new variant may be, and anything that comes in a file.

What is stored already stays as it is: these are asked at a file's door, and nowhere else.
"""

import re
import unicodedata
from collections import deque
from collections.abc import Iterator, Mapping
from typing import Any

TEXT = 1000
"""Characters of a text."""

NUMBER = 10**15
"""A number, and less than nothing too; as milliseconds it is a date that any panel can write."""

DEPTH = 16
"""Tables and lists in each other."""

TOLD = 20
"""How many places are named that are too large, of one file."""

OF_A_TITLE, DEFUSES, CARDS = 60, 20, 300
"""Cards of each title, and of the Defuse; cards in all."""

HAND = 15
"""Cards dealt to a hand."""

PLAYERS = 2, 10

ID = re.compile(r"[a-z][a-z0-9_]{0,31}", re.ASCII)
"""What a card can be called."""

_KEY = 40
"""Characters of a key, as a place names it."""


def large(content: Any, place: str = "") -> list[tuple[str, str]]:
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


def _alone(value: Any, place: str) -> Iterator[tuple[str, str]]:
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


def over(place: str, number: int, most: int) -> Iterator[tuple[str, str]]:
    """A fault if the number is above its bound."""
    if number > most:
        yield place, f"must be at most {most}, not {number}"


def counts(cards: Any, counted: Any) -> Iterator[tuple[str, str]]:
    """Which of the cards there are too many of; ``counted`` says how many of one."""
    for number, card in enumerate(cards):
        most = DEFUSES if card.effect == "defuse" else OF_A_TITLE
        yield from over(f"cards[{number}]", counted(card), most)
    yield from over("cards", sum(map(counted, cards)), CARDS)


def beyond(fields: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """What of any game's variant is too large or can't be called so."""
    cards, players = fields["cards"], fields["players"]
    yield from over("cards", len(cards), CARDS)
    for number, card in enumerate(cards):
        yield from called(f"cards[{number}].id", card.id)
    for title in fields["elsewhere"]:
        yield from called("elsewhere", title)
    if not PLAYERS[0] <= players.least <= players.most <= PLAYERS[1]:
        yield "players", "must be 2 to 10, least first"


def called(place: str, title: str) -> Iterator[tuple[str, str]]:
    """A fault if no card can be called so."""
    if not ID.fullmatch(title):
        yield place, f"no card can be called {title[:_KEY]!r}: up to 32 small letters, digits, _"
