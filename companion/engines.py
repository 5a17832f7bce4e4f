"""The engines that were given, a database and perhaps a bus, opened or told in one plain sentence
why they can't be: without a password, of which what their libraries say may hold parts."""

import signal
from contextlib import ExitStack, suppress
from importlib import import_module
from typing import Any

from companion.service import logs
from companion.settings import Settings
from companion.storage import lock
from companion.storage.database import Busy, database_at
from companion.storage.lock import AlreadyLocked, Lock
from companion.storage.store import Store
from companion.terminal import Failure


def open_engines(settings: Settings) -> tuple[Store, Lock, Any]:
    """The database, which is ours from now on, its lock, and the bus, if there is one. Raises
    ``Failure`` with what is wrong with either."""
    try:
        address = database_at(settings.database)
        bus = _bus(settings.bus, address.get_backend_name()) if settings.bus else None
        shared = bus is not None
        store = Store(settings.database, _log_store_trouble, shared=shared)
        held = lock.lock(settings.database, _stop_after_lost_lock, shared=shared)
        with ExitStack() as undo:
            undo.callback(held.release)
            held.take()
            store.open()
            undo.pop_all()
    except AlreadyLocked as taken:
        raise Failure(str(taken)) from taken
    except Busy as busy:
        why = _without_secrets(settings.database, str(busy))
        raise Failure(f"The database can't be used: {why}") from busy
    except FileNotFoundError as error:
        why = "the folder in which the program was started is gone: write its whole address"
        raise Failure(f"The database can't be used: {why}") from error
    return store, held, bus


def _log_store_trouble(sentence: str) -> None:
    """Write a line about the store to the server's log."""
    logs.line("store", text=sentence)


def _bus(url: str, database: str) -> Any:
    """What brings the other processes' messages, over a Redis that has answered."""
    if database != "postgresql":
        raise Failure(
            "A bus is for several processes, which can't share a SQLite file: give --database the"
            " address of a PostgreSQL, or leave --bus out."
        )
    try:
        redis = import_module("companion.adapters.redis")
    except ImportError as error:
        why = "the package redis is missing: install '.[redis]'"
        raise Failure(f"The bus can't be used: {why}") from error
    try:
        redis.check(url)
    except redis.Unusable as unusable:
        raise Failure(f"The bus can't be used: {unusable}") from unusable
    return redis.Bus(url)


def _without_secrets(url: str, text: str) -> str:
    """The text in one line, without any password that the address has."""
    with suppress(Busy):
        address = database_at(url)
        said = [value for key, value in address.query.items() if "password" in key]
        for secret in filter(None, [address.password, *map(str, said)]):
            text = text.replace(secret, "…")
    return " ".join(text.split())


def _stop_after_lost_lock(why: str) -> None:
    """Somebody else has the tables now: this process stops in good order, and at once."""
    logs.line("stopped", why=why)
    signal.raise_signal(signal.SIGTERM)
    signal.raise_signal(signal.SIGTERM)  # who is told twice waits for nobody
