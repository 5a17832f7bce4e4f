"""Creates the Flask app and connects its parts. ``__main__`` chooses the server that runs it."""

import logging
from collections.abc import Callable
from typing import NamedTuple
from wsgiref.types import WSGIApplication

from flask import Flask

from companion.adapters import monotonic_patch
from companion.adapters.connection_slots import ConnectionSlots
from companion.adapters.hand_over import HandOver
from companion.adapters.listeners import Listen
from companion.adapters.socketio import Json, Server, SocketIO, TextPacket
from companion.service.tables import Tables
from companion.settings import Settings
from companion.web import game_upload, letting_in, pages, responses, wire_schema
from companion.web.access import Access
from companion.web.address import Address, PublicAddress
from companion.web.api import Api
from companion.web.live import Live
from companion.web.metrics import Metrics
from companion.web.rate_limits import ConnectionCounts, Joins, Rates
from companion.web.request_guards import MOST_BYTES, RequestGuards

PING_SECONDS = 5
PONG_SECONDS = 6


class Runner(NamedTuple):
    """A kind of server that can run the app."""

    async_mode: str  # name of this kind of server in Socket.IO
    # A function that serves until SIGTERM. Once the server listens, it calls its third argument
    # with the port, and with a function that opens further listeners.
    run: Callable[[WSGIApplication, Settings, Callable[[int, Listen], None], HandOver], None]


def create_app(
    settings: Settings, tables: Tables, async_mode: str,
    public_address: PublicAddress | None = None, hand_over: HandOver | None = None,
    access: Access | None = None,
) -> Flask:  # fmt: skip
    public_address = public_address or PublicAddress()
    hand_over = hand_over or HandOver()
    monotonic_patch.install(lambda: tables.clock.now() / 1000)
    app = Flask("companion", static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = MOST_BYTES
    joins = Joins(settings.join_rate, settings.guess_rate, settings.bus)
    commands = Rates(settings.command_rate)
    gates = RequestGuards(settings, public_address)
    metrics = Metrics()
    gates.guard(app)
    address = Address(settings, public_address)
    limits = {"file": game_upload.MOST_BYTES, "spectators": settings.spectators}
    api = Api(tables, joins, commands, address, limits, gates.is_local).blueprint()
    if access is not None:
        letting_in.add_to(api, access, gates, joins)
    app.register_blueprint(wire_schema.add_to(game_upload.add_to(api)))
    app.register_blueprint(
        pages.blueprint(tables, metrics, gates, address, settings.metrics_token, hand_over)
    )
    texts = tables.default_variant.texts
    frames = settings.frame_ancestors
    responses.add_handlers(app, tables.error, texts, frames, pages.not_found_page)
    app.wsgi_app = plain = hand_over.track_requests(app.wsgi_app)  # type: ignore[method-assign, assignment]
    server = _socketio(app, gates, async_mode)
    server.eio.slots = ConnectionSlots(settings.connections)
    counts = ConnectionCounts(settings.spectators, settings.address_connections)
    live = Live(server, tables, joins, metrics, commands, counts, gates.is_local)
    hand_over.attach(server, live.unanswered)
    tables.open(live)
    app.wsgi_app = gates.wrap(app.wsgi_app, plain)  # type: ignore[method-assign, assignment]
    if access is not None:
        access.serve(app, gates)
    return app


def _socketio(app: Flask, gates: RequestGuards, async_mode: str) -> Server:
    """Add Socket.IO to the app, and return python-socketio's server.

    The handlers use that server directly, because a call through Flask-SocketIO takes 1.4 times as
    long.
    """
    silent = logging.getLogger("companion.socketio")
    silent.setLevel(logging.CRITICAL + 1)
    return SocketIO(
        app,
        async_mode=async_mode,
        # Handle one client's events in order, in the thread that reads them.
        async_handlers=False,
        serializer=TextPacket,
        json=Json,
        cors_allowed_origins=gates.is_own_origin,
        max_http_buffer_size=MOST_BYTES,
        ping_interval=PING_SECONDS,
        ping_timeout=PONG_SECONDS,
        logger=silent,
        engineio_logger=silent,
    ).server
