"""``companion replay``: a game's file, opened without its table.

The page of a replay, on this machine and with nothing but this game behind it.
"""

import sys
from functools import cache, partial
from pathlib import Path
from typing import Any

import click
from flask import Blueprint, Flask, Response, redirect

from companion.rules.core.variant import Variant
from companion.service import errors as said
from companion.service.errors import Error, Fault
from companion.service.games.file import Record, packed
from companion.service.games.reading import Unreadable, opened_at
from companion.settings import Settings
from companion.terminal import Failure, say
from companion.web import answers, packing, pages, replays
from companion.web.address import Way
from companion.web.answers import answered
from companion.web.gates import Gates
from companion.web.hand_over import HandOver
from companion.web.places import room_for

TABLE = "file"
"""What stands in addresses in the place of a table's code, which has six characters."""


@click.command
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="Where; 0: any free one.")
@click.option("--open", "look", is_flag=True, help="Open it in this machine's browser.")
@click.pass_obj
def replay(runner: Any, file: Path, port: int, look: bool) -> None:
    """Opens a game's FILE in the browser, without its table."""
    try:
        record = opened_at(file)
    except Unreadable as wrong:
        raise Failure(f"{file.name}: {wrong}") from wrong
    settings = Settings(
        port=port, database="", variants_dir=Path(), connections=room_for(64), plain_sockets=True
    )

    def ready(port: int) -> None:
        address = f"http://{settings.host}:{port}/t/{TABLE}/replay/1"
        say(f"Ready: {address}")
        sys.stdout.flush()
        if look:
            click.launch(address)

    runner.run(create_reader(record, settings), settings, ready, HandOver())


def create_reader(record: Record, settings: Settings) -> Flask:
    """The WSGI application for one game."""
    app = Flask("companion", static_folder=None)
    Gates(settings, Way()).guard(app)
    app.register_blueprint(_calls(record))
    app.register_blueprint(_pages())
    answers.handle_errors(app, _Words(record.start.variant))
    pages.add_headers(app, settings)
    packing.compress(app)
    return app


class _Words:
    """In whose words it is said what is wrong with a request."""

    def __init__(self, variant: Variant) -> None:
        self.own_variant = variant

    def error(self, fault: Fault, language: str | None = None) -> Error:
        return said.fault(self.own_variant, fault, language)


def _pages() -> Blueprint:
    found = Blueprint("pages", __name__, static_folder=None)
    page = pages.with_files(found)

    @found.get("/")
    def index() -> Any:
        return redirect(f"/t/{TABLE}/replay/1")

    @found.get(f"/t/{TABLE}/replay/1")
    def show() -> Response:
        return page("replay.html")

    return found


def _calls(record: Record) -> Blueprint:
    api = Blueprint("api", __name__, url_prefix=f"/api/tables/{TABLE}")
    made = cache(partial(packed, record, ""))
    variant = record.start.variant

    @api.get("/games/1")
    def game() -> Response:
        return replays.as_file(record, "hiss-game")

    @api.get("/games/1/moments")
    def steps() -> Response:
        try:
            return replays.as_moments(made())
        except Exception:  # of a file so odd that not all of it was gone through at once
            raise Fault("not_found", what="game", game="1") from None

    @api.get("/games/1/remarks")
    def noted() -> Response:
        return answered(record.remarks)

    @api.get("/variant")
    def played() -> Response:
        return replays.spoken(variant)

    return api
