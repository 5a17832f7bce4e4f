"""The commands for finished games: ``companion check`` and ``companion replay``.

``check`` verifies that device decks were honest. It reads a table's log as any spectator can read
it, or a game's file. ``replay`` shows a game's file in the browser. For this it starts a small
server that serves only this game.
"""

import json
import os
import re
import sys
from collections.abc import Iterable
from functools import cache, partial
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import urlopen

import click
from flask import Blueprint, Flask, Response, redirect

from companion.adapters.connection_slots import raise_file_limit
from companion.adapters.hand_over import HandOver
from companion.adapters.listeners import Listen
from companion.app import Runner
from companion.device_decks.check import describe_decks
from companion.service import errors
from companion.service.errors import Fault
from companion.service.replays.file import Record, compress_moments
from companion.service.replays.reading import Unreadable, open_file
from companion.settings import Settings
from companion.terminal import Failure, print_line
from companion.web import pages, responses
from companion.web.address import Address, PublicAddress
from companion.web.request_guards import RequestGuards

LINK = re.compile(r"(?P<server>https?://.+)/t/(?P<code>[^/?#]+)")
MOST_BYTES = 64 * 1024 * 1024  # maximum size of a server's answer; every log is smaller

FILE_NOTICE = (
    "A file can only be checked against itself: somebody may have made up the whole game, with its"
    " salts and secrets. Only the table's own server can tell what was really played:"
    " companion check http://…/t/CODE"
)

TABLE = "file"  # replaces the table's code in URLs; real codes have six characters


def _open_game(file: Path) -> Record:
    try:
        return open_file(file)
    except Unreadable as wrong:
        raise Failure(f"{file.name}: {wrong}") from wrong


@click.command
@click.argument("link")
def check(link: str) -> None:
    """Check that decks kept on devices were honest.

    LINK is a table's link (http://…/t/CODE) or a game's file. The check of a file only shows that
    the file is consistent: only the table's own server can prove that this game was played. The
    exit status is 1 if a mismatch is found.
    """
    match = LINK.match(link)
    variant, log = _variant_and_log_of_link(match) if match else _variant_and_log_of_file(link)
    try:
        has_decks = "grid" in variant
        lines = [*describe_decks(variant, [*log])] if has_decks else []
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as problem:
        raise Failure(
            f"This game can't be checked, because its data contradict each other: {problem!r}"
        ) from problem
    if not has_decks:
        raise Failure("Only games on the draw grid have decks that devices keep.")
    for _, line in lines:
        print_line(line)
    if not match:
        print_line(FILE_NOTICE)
    sys.exit(0 if all(is_honest for is_honest, _ in lines) else 1)


def _variant_and_log_of_file(name: str) -> tuple[Any, Iterable[Any]]:
    if not os.path.lexists(name):
        why = "a table's link looks like http://…/t/CODE, and there is no such file"
        raise click.BadParameter(why, param_hint="LINK")
    record = _open_game(Path(name))
    return record.document["variant"], record.log


def _variant_and_log_of_link(link: re.Match[str]) -> tuple[Any, Iterable[Any]]:
    table = f"{link['server']}/api/tables/{link['code']}"
    return _fetch_json(f"{table}/variant?language=en"), _fetch_json(f"{table}/log")


def _fetch_json(address: str) -> Any:
    try:
        with urlopen(address, timeout=60) as answer:
            content = answer.read(MOST_BYTES + 1)
        if len(content) > MOST_BYTES:
            raise ValueError(f"more than {MOST_BYTES // 1024 // 1024} MB")
        return json.loads(content)
    except HTTPError as problem:
        with problem:
            raise Failure(_describe_error(problem)) from problem
    except (OSError, HTTPException, ValueError, RecursionError) as problem:
        raise Failure(f"No table answers there: {problem}") from problem


def _describe_error(problem: HTTPError) -> str:
    """Return the error text from the server's answer, or a general error text."""
    try:
        return str(json.loads(problem.read(MOST_BYTES))["error"]["text"])
    except (OSError, HTTPException, ValueError, LookupError, TypeError, RecursionError):
        return f"No table answers there: {problem}"


@click.command
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option(
    "--port", type=click.IntRange(0, 65535), default=0, help="Port to listen on; 0: any free port."
)
@click.option("--open", "look", is_flag=True, help="Open the replay in this machine's browser.")
@click.pass_obj
def replay(runner: Runner, file: Path, port: int, look: bool) -> None:
    """Show the game in FILE in the browser, without its table."""
    record = _open_game(file)
    settings = Settings(port=port, connections=raise_file_limit(64), plain_sockets=True)

    def ready(port: int, _listen: Listen) -> None:
        address = f"http://{settings.host}:{port}/t/{TABLE}/replay/1"
        print_line(f"Ready: {address}")
        sys.stdout.flush()
        if look:
            click.launch(address)

    runner.run(create_reader(record, settings), settings, ready, HandOver())


def create_reader(record: Record, settings: Settings) -> Flask:
    """Return an app that serves only the replay of this game."""
    app = Flask("companion", static_folder=None)
    variant = record.start.variant
    public_address = PublicAddress()
    RequestGuards(settings, public_address).guard(app)
    blueprint = Blueprint("pages", __name__, static_folder=None)
    path = f"/t/{TABLE}/replay/1"
    pages.add_files(blueprint)
    blueprint.add_url_rule("/", "index", partial(redirect, path))
    blueprint.add_url_rule(
        path, "replay", partial(pages.page, "replay.html", Address(settings, public_address))
    )
    app.register_blueprint(blueprint)
    app.register_blueprint(_make_api(record))
    error = partial(errors.fault, variant)
    responses.add_handlers(app, error, variant.texts, settings.frame_ancestors)
    return app


def _make_api(record: Record) -> Blueprint:
    """Return the routes of the API that the replay's page uses."""
    api = Blueprint("api", __name__, url_prefix=f"/api/tables/{TABLE}")
    moments = cache(partial(compress_moments, record, ""))
    for path, answer in {
        "/games/1": partial(responses.as_file, record, "hiss-game"),
        "/games/1/remarks": partial(responses.json_response, record.remarks),
        "/variant": partial(responses.variant_response, record.start.variant),
    }.items():
        api.add_url_rule(path, path.rpartition("/")[2], answer)

    @api.get("/games/1/moments")
    def steps() -> Response:
        try:
            return responses.as_moments(moments())
        except Exception:  # an unusual file can pass the checks and still fail to be replayed
            raise Fault("not_found", what="game", game="1") from None

    return api
