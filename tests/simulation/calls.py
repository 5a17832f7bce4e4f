"""Simulated HTTP calls to a process, answered by the program's own API."""

from __future__ import annotations

from collections.abc import Sequence
from contextvars import ContextVar
from functools import cache
from random import Random
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import msgspec
from flask import Flask
from werkzeug.local import LocalProxy
from werkzeug.test import Client

from companion.robots.client import RETRYABLE, RequestRefused
from companion.service.tables import Tables
from companion.web import responses
from companion.web.api import Api
from companion.web.rate_limits import Joins
from tests.simulation.hub import Hub
from tests.simulation.link import FAR_MS

if TYPE_CHECKING:
    from tests.simulation.process import Process

PATIENCE_MS = 3_000
"""Time in ms that a client waits for an answer before it sends the request again."""

TRIES = 8
"""Maximum number of times that a client sends a request."""

_called_tables: ContextVar[Tables] = ContextVar("asked")


@cache
def make_app() -> Flask:
    """Return a Flask app with the program's API. It serves the tables in ``_called_tables``."""
    tables: Any = LocalProxy(_called_tables)
    here: Any = SimpleNamespace(link=lambda _request, path: path)
    app = Flask("companion", static_folder=None)
    free = Joins("none")
    app.register_blueprint(Api(tables, free, free, here, {}).blueprint())
    responses.add_handlers(app, lambda *why: tables.error(*why), (), "'none'")
    return app


def send_request(hub: Hub, process: Process, path: str, **more: Any) -> Any:
    """Send a request to a process and return the content of its response.

    Raises ``RequestRefused`` for an error, ``OSError`` if there is no response.
    """
    hub.wait(hub.chance.randint(0, FAR_MS))
    if not process.open:
        raise OSError("nobody is there")
    answered: list[tuple[int, Any]] = []
    caller = hub.current_fibre

    def handle() -> None:
        _called_tables.set(process.tables)
        answer = _call(process.app, path, **more)

        def arrive() -> None:
            answered.append(answer)
            hub.wake(caller)

        hub.call(hub.chance.randint(0, FAR_MS), arrive)

    hub.spawn(process.machine, "call", handle)
    until = hub.now + PATIENCE_MS
    while not answered and hub.now < until:
        hub.wait(until - hub.now)
    if not answered:
        raise OSError("no answer")
    ((status, content),) = answered
    if status >= 400:
        raise RequestRefused(content["error"])
    return content


def _call(app: Any, path: str, *, body: Any = None, token: str = "", key: str = "") -> Any:
    """Call the app. Returns the status and the decoded JSON."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    if key:
        headers["Idempotency-Key"] = key
    data = None if body is None else msgspec.json.encode(body)
    answer = Client(app).open(
        path, method="GET" if data is None else "POST", data=data, headers=headers,
        content_type="application/json", environ_overrides={"REMOTE_ADDR": "192.0.2.1"},
    )  # fmt: skip
    return answer.status_code, msgspec.json.decode(answer.data)


def send_request_with_retries(
    hub: Hub, chance: Random, processes: Sequence[Process], path: str, **more: Any
) -> Any:
    """Send a request, and send it to other processes if it fails.

    Returns ``None`` if the server refuses the request or all attempts fail.
    """
    key = chance.randbytes(16).hex()
    for _ in range(TRIES):
        try:
            return send_request(hub, chance.choice(processes), path, key=key, **more)
        except RequestRefused as no:
            if no.error["code"] not in RETRYABLE:
                return None
        except OSError:
            pass
        hub.wait(chance.randint(50, 500))
    return None
