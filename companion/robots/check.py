"""``companion check``: whether the decks that devices kept at a table were honest.

It asks a server for the table's log as any spectator can, and knows nothing else of it.
"""

import json
import re
import sys
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError
from urllib.request import urlopen

import click

from companion.fair.told import told

LINK = re.compile(r"(?P<server>https?://.+)/t/(?P<code>[^/?#]+)")


@click.command
@click.argument("link")
def check(link: str) -> None:
    """Checks the decks that devices kept at a table: LINK is the table's, http://…/t/CODE.

    Ends with status 1 if something does not fit.
    """
    found = LINK.match(link)
    if found is None:
        raise click.BadParameter("a table's link looks like http://…/t/CODE", param_hint="LINK")
    table = f"{found['server']}/api/tables/{found['code']}"
    variant = _asked(f"{table}/variant?language=en")
    if "grid" not in variant:
        raise click.ClickException("Devices keep decks only on the draw grid.")
    honest = True
    for well, line in told(variant, _asked(f"{table}/log")):
        click.echo(line)
        honest &= well
    sys.exit(0 if honest else 1)


def _asked(address: str) -> Any:
    try:
        with urlopen(address, timeout=60) as answer:
            return json.load(answer)
    except HTTPError as problem:
        with problem:
            raise click.ClickException(_why(problem)) from problem
    except (OSError, HTTPException, ValueError) as problem:
        raise click.ClickException(f"No table answers there: {problem}") from problem


def _why(problem: HTTPError) -> str:
    """The server's own words, if these are a table's."""
    try:
        return str(json.load(problem)["error"]["text"])
    except (ValueError, KeyError, TypeError):
        return f"No table answers there: {problem}"
