"""``companion check``: whether the decks that devices kept at a table were honest.

It asks a server for the table's log as any spectator can, or reads a game's file, and knows
nothing else of it.
"""

import json
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
from companion.service.replay.file import Unreadable
from companion.service.replay.moments import opened_at
from companion.terminal import Failure, say

LINK = re.compile(r"(?P<server>https?://.+)/t/(?P<code>[^/?#]+)")


@click.command
@click.argument("link")
def check(link: str) -> None:
    """Checks the decks that devices kept: LINK is a table's, http://…/t/CODE, or a game's file.

    Ends with status 1 if something does not fit.
    """
    variant, log = _filed(Path(link)) if Path(link).is_file() else _linked(link)
    if "grid" not in variant:
        raise Failure("Devices keep decks only on the draw grid.")
    honest = True
    for well, line in told(variant, [*log]):
        say(line)
        honest &= well
    sys.exit(0 if honest else 1)


def _filed(file: Path) -> tuple[Any, Iterable[Any]]:
    """The variant and the log of a game's file."""
    try:
        record = opened_at(file)
    except Unreadable as wrong:
        raise Failure(f"{file.name}: {wrong}") from wrong
    return record.document["variant"], record.log


def _linked(link: str) -> tuple[Any, Iterable[Any]]:
    """The variant and the log of a table."""
    found = LINK.match(link)
    if found is None:
        why = "a table's link looks like http://…/t/CODE, and there is no such file"
        raise click.BadParameter(why, param_hint="LINK")
    table = f"{found['server']}/api/tables/{found['code']}"
    return _asked(f"{table}/variant?language=en"), _asked(f"{table}/log")


def _asked(address: str) -> Any:
    try:
        with urlopen(address, timeout=60) as answer:
            return json.load(answer)
    except HTTPError as problem:
        with problem:
            raise Failure(_why(problem)) from problem
    except (OSError, HTTPException, ValueError) as problem:
        raise Failure(f"No table answers there: {problem}") from problem


def _why(problem: HTTPError) -> str:
    """The server's own words, if these are a table's."""
    try:
        return str(json.load(problem)["error"]["text"])
    except (ValueError, KeyError, TypeError):
        return f"No table answers there: {problem}"
