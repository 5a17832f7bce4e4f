"""``companion check``: whether the decks that devices kept at a table were honest.

It asks a server for the table's log as any spectator can, or reads a game's file, and knows
nothing else of it.
"""

import json
import os
import re
import sys
from collections.abc import Iterable
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import urlopen

import click

from companion.fair.told import told
from companion.service.games.reading import Unreadable, opened_at
from companion.terminal import Failure, say

LINK = re.compile(r"(?P<server>https?://.+)/t/(?P<code>[^/?#]+)")


MOST_BYTES = 64 * 1024 * 1024
"""Of a server's answer: no log has as much."""

OF_A_FILE = (
    "A file can only be checked against itself, and this is what was done: somebody may have made"
    " it up, salts and secrets and all. What was really played the table's own server tells:"
    " companion check http://…/t/CODE"
)


@click.command
@click.argument("link")
def check(link: str) -> None:
    """Checks the decks that devices kept: LINK is a table's, http://…/t/CODE, or a game's file.

    A file is checked against itself: only the table's own server can say that it is the game which
    was played. Ends with status 1 if something does not fit.
    """
    found = LINK.match(link)
    variant, log = _linked(found) if found else _filed(link)
    try:
        kept = "grid" in variant
        lines = [*told(variant, [*log])] if kept else []
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as problem:
        raise Failure(f"What is told of this table makes no sense: {problem!r}") from problem
    if not kept:
        raise Failure("Devices keep decks only on the draw grid.")
    for _, line in lines:
        say(line)
    if not found:
        say(OF_A_FILE)
    sys.exit(0 if all(well for well, _ in lines) else 1)


def _filed(name: str) -> tuple[Any, Iterable[Any]]:
    """The variant and the log of a game's file."""
    file = Path(name)
    if not os.path.lexists(file):
        why = "a table's link looks like http://…/t/CODE, and there is no such file"
        raise click.BadParameter(why, param_hint="LINK")
    try:
        record = opened_at(file)
    except Unreadable as wrong:
        raise Failure(f"{file.name}: {wrong}") from wrong
    return record.document["variant"], record.log


def _linked(link: re.Match[str]) -> tuple[Any, Iterable[Any]]:
    """The variant and the log of a table."""
    table = f"{link['server']}/api/tables/{link['code']}"
    return _asked(f"{table}/variant?language=en"), _asked(f"{table}/log")


def _asked(address: str) -> Any:
    try:
        with urlopen(address, timeout=60) as answer:
            content = answer.read(MOST_BYTES + 1)
        if len(content) > MOST_BYTES:
            raise ValueError(f"more than {MOST_BYTES // 1024 // 1024} MB")
        return json.loads(content)
    except HTTPError as problem:
        with problem:
            raise Failure(_why(problem)) from problem
    except (OSError, HTTPException, ValueError, RecursionError) as problem:
        raise Failure(f"No table answers there: {problem}") from problem


def _why(problem: HTTPError) -> str:
    """The server's own words, if these are a table's."""
    try:
        return str(json.loads(problem.read(MOST_BYTES))["error"]["text"])
    except (OSError, HTTPException, ValueError, LookupError, TypeError, RecursionError):
        return f"No table answers there: {problem}"
