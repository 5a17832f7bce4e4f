"""``create_app``: wiring only."""

import logging
import time
from typing import Any

from flask import Flask
from flask_socketio import SocketIO
from werkzeug.middleware.proxy_fix import ProxyFix

from companion.adapters import steady
from companion.adapters.socketio import Json, Server, TextPacket
from companion.service.tables import Tables
from companion.settings import Settings
from companion.web import answers, packing, pages
from companion.web.api import Api
from companion.web.gates import Gates, whole
from companion.web.live import Live
from companion.web.metrics import Metrics
from companion.web.rates import Rates

MOST_BYTES = 4096
"""A command, and the body of a call, needs no more."""

PING_SECONDS = 5
PONG_SECONDS = 6


def create_app(settings: Settings, tables: Tables, async_mode: str) -> Flask:
    """The WSGI application on these tables, for a server of this kind."""
    steady.install()
    app = Flask("companion", static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = MOST_BYTES
    joins, commands = Rates.of(settings.join_rate), Rates.of(settings.command_rate)
    gates, metrics = Gates(settings), Metrics()
    gates.guard(app)
    app.register_blueprint(Api(tables, joins).blueprint())
    app.register_blueprint(pages.blueprint(tables, metrics, gates, settings.metrics_token))
    answers.handle_errors(app, tables)
    pages.add_headers(app, settings)
    packing.compress(app)
    plain: Any = app.wsgi_app
    server = _socketio(app, gates, async_mode)
    tables.open(Live(server, tables, joins, metrics, commands))
    return _behind_proxies(app, settings, gates, plain)


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


def _behind_proxies(app: Flask, settings: Settings, gates: Gates, plain: Any) -> Flask:
    """What a proxy says of the caller comes before everything else.

    What comes under another's name reaches no socket, but ``plain``, which says so.
    """
    inner: Any = app.wsgi_app

    def uncompressed(environ: dict[str, Any], start_response: Any) -> Any:
        # Requests that come in one after the other on one connection let others in between.
        time.sleep(0)
        if "HTTP_UPGRADE" in environ and "HTTP_SEC_WEBSOCKET_VERSION" not in environ:
            # The drafts before the standard know no limits.
            del environ["HTTP_UPGRADE"]
        # A compressed WebSocket costs more than half the speed and 100 kB a connection.
        environ.pop("HTTP_SEC_WEBSOCKET_EXTENSIONS", None)
        whole(environ, MOST_BYTES)
        return (inner if gates.named(environ) else plain)(environ, start_response)

    many = settings.trust_proxy
    proxied = ProxyFix(uncompressed, x_for=many, x_proto=many, x_host=many)
    app.wsgi_app = proxied if many else uncompressed  # type: ignore[method-assign]
    return app
