"""``create_app``: wiring only."""

import logging
from typing import Any

from flask import Flask
from flask_socketio import SocketIO

from companion.adapters import steady
from companion.adapters.hand_over import HandOver
from companion.adapters.places import Places
from companion.adapters.socketio import Json, Server, TextPacket
from companion.service.tables import Tables
from companion.settings import Settings
from companion.web import answers, packing, pages, proxies
from companion.web.address import Address, Way
from companion.web.api import Api
from companion.web.gates import Gates, whole
from companion.web.live import Live
from companion.web.metrics import Metrics
from companion.web.rates import Crowd, Everywhere, Rates
from companion.web.robots import RobotApi

MOST_BYTES = 4096
"""A command, and the body of a call, needs no more."""

PING_SECONDS = 5
PONG_SECONDS = 6


def create_app(
    settings: Settings, tables: Tables, async_mode: str, way: Way | None = None,
    hand_over: HandOver | None = None,
) -> Flask:  # fmt: skip
    """The WSGI application on these tables, for a server of this kind."""
    way, hand_over = way or Way(), hand_over or HandOver()
    steady.install(lambda: tables.clock.now() / 1000)
    app = Flask("companion", static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = MOST_BYTES
    everywhere = Everywhere(settings.bus, "join") if settings.bus else None
    joins, commands = Rates.of(settings.join_rate, everywhere), Rates.of(settings.command_rate)
    gates, metrics = Gates(settings, way), Metrics()
    gates.guard(app)
    address = Address(settings, way)
    app.register_blueprint(Api(tables, joins, commands, address).blueprint())
    app.register_blueprint(RobotApi(tables, joins, commands).blueprint())
    app.register_blueprint(
        pages.blueprint(tables, metrics, gates, address, settings.metrics_token, hand_over)
    )
    answers.handle_errors(app, tables)
    pages.add_headers(app, settings)
    packing.compress(app)
    app.wsgi_app = plain = hand_over.counted(app.wsgi_app)  # type: ignore[method-assign, assignment]
    server = _socketio(app, gates, async_mode)
    server.eio.places = Places(settings.connections)
    crowd = Crowd(settings.spectators, settings.address_connections)
    live = Live(server, tables, joins, metrics, commands, crowd)
    hand_over.of(server, live.speaking)
    tables.open(live)
    inner = _guarded(app.wsgi_app, plain, gates)
    app.wsgi_app = proxies.proxied(  # type: ignore[method-assign, assignment]
        inner, settings.trust_proxy, settings.prefix, tunnel=bool(settings.tunnel)
    )
    return app


def _socketio(app: Flask, gates: Gates, async_mode: str) -> Server:
    """Flask-SocketIO before the app; what it wraps is used directly, which is 1.4 × as fast."""
    silent = logging.getLogger("companion.socketio")
    silent.setLevel(logging.CRITICAL + 1)
    flask_socketio = SocketIO(
        app,
        async_mode=async_mode,
        manage_session=False,
        # One client's events stay in order; each client is read by a thread of its own.
        async_handlers=False,
        serializer=TextPacket,
        json=Json,
        cors_allowed_origins=gates.origin,
        max_http_buffer_size=MOST_BYTES,
        ping_interval=PING_SECONDS,
        ping_timeout=PONG_SECONDS,
        logger=silent,
        engineio_logger=silent,
    )
    return Server.made_of(flask_socketio.server)


def _guarded(inner: Any, plain: Any, gates: Gates) -> Any:
    """What comes under another's name reaches no socket, but ``plain``, which says so."""

    def app(environ: dict[str, Any], start_response: Any) -> Any:
        whole(environ, MOST_BYTES)
        return (inner if gates.named(environ) else plain)(environ, start_response)

    return app
