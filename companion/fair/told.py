"""What a check found, in words: a line for each deck that a device kept, and for what is wrong.

This module must not know where the log comes from.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from companion.fair.cards import Pack
from companion.fair.check import Entry, Finding, Game, check, games

SENTENCES = {
    "another-secret": "the secret is another one than was committed to",
    "no-salt": "the server drew no salt",
    "not-in-hand": "{said} was not in the hand",
    "another-card": "{said} was shown, {lay} lay there",
    "a-kitten": "drawn as safe, {lay} lay there",
    "no-kitten": "{said} was shown, {lay} lay there",
    "other-cells": "the grid does not hold these cards",
    "not-sealed": "the Kitten's place was not sealed by this secret",
}


def told(variant: Mapping[str, Any], log: list[Entry]) -> Iterator[tuple[bool, str]]:
    """Each line, and whether all is well with it."""
    pack, names, found = Pack.heard(variant), _names(log), games(log)
    for game in found:
        for seat in game.decks:
            who = f"Game {game.number}, {names.get(seat, seat)}"
            yield from _deck(who, pack, game, seat)
    if not any(game.decks for game in found):
        yield True, "No device kept a deck here: there is nothing to check."


def _deck(who: str, pack: Pack, game: Game, seat: str) -> Iterator[tuple[bool, str]]:
    if seat not in game.opened:
        yield True, f"{who}: not opened, so it can't be checked."
        return
    wrong = check(pack, game, seat)
    if not wrong:
        yield True, f"{who}: dealt and reported honestly."
        return
    yield False, f"{who}: does not fit."
    for one in wrong:
        yield False, f"  event {one.version}: {_sentence(one)}"


def _sentence(finding: Finding) -> str:
    sentence = SENTENCES[finding.what].format(said=finding.said, lay=finding.lay or "nothing")
    if finding.cell is None:
        return f"{sentence}."
    row, column = finding.cell
    return f"{sentence} (row {row + 1}, column {column + 1})."


def _names(log: Iterable[Entry]) -> dict[str, str]:
    """Seat → the newest name."""
    return {
        line["facts"]["seat"]: line["facts"]["name"]
        for line in log
        if line["type"] in ("seat_taken", "seat_renamed")
    }
