"""Opens the database and the message bus that the settings name.

If opening one of them fails, the user gets one sentence with the reason. The sentence never
contains a password, although the libraries' error texts may contain one.
"""

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
    """Return the database's store, the acquired lock of the database, and the bus (or None).

    Raise ``Failure`` with the reason if one of them can't be used.
    """
    try:
        address = database_at(settings.database)
        bus = _bus(settings.bus, address.get_backend_name()) if settings.bus else None
        shared = bus is not None
        store = Store(settings.database, _log_store_trouble, shared=shared)
        database_lock = lock.lock(settings.database, _stop_after_lost_lock, shared=shared)
        with ExitStack() as undo:
            undo.callback(database_lock.release)
            database_lock.take()
            store.open()
            undo.pop_all()
    except AlreadyLocked as error:
        raise Failure(str(error)) from error
    except Busy as busy:
        why = _without_secrets(settings.database, str(busy))
        raise Failure(f"The database can't be used: {why}") from busy
    except FileNotFoundError as error:
        why = "the folder in which the program was started is gone: write its whole address"
        raise Failure(f"The database can't be used: {why}") from error
    return store, database_lock, bus


def _log_store_trouble(sentence: str) -> None:
    """Write a line about the store to the server's log."""
    logs.line("store", text=sentence)


def _bus(url: str, database: str) -> Any:
    """Return a bus that uses this Redis. Raise ``Failure`` if Redis doesn't answer."""
    if database != "postgresql":
        raise Failure(
            "A bus is for several processes, which can't share a SQLite file: give --database the"
            " address of a PostgreSQL, or leave --bus out."
        )
    try:
        redis = import_module("companion.service.peers.redis")
    except ImportError as error:
        why = "the package redis is missing: install '.[redis]'"
        raise Failure(f"The bus can't be used: {why}") from error
    try:
        redis.wait_for_redis(url)
    except redis.Unusable as unusable:
        raise Failure(f"The bus can't be used: {unusable}") from unusable
    return redis.Bus(url)


def _without_secrets(url: str, text: str) -> str:
    """Return the text on one line, with each password in the URL replaced by "…"."""
    with suppress(Busy):
        address = database_at(url)
        passwords = [value for key, value in address.query.items() if "password" in key]
        for secret in filter(None, [address.password, *map(str, passwords)]):
            text = text.replace(secret, "…")
    return " ".join(text.split())


def _stop_after_lost_lock(why: str) -> None:
    """Stop this process without waiting for its clients, because another process owns the tables
    now."""
    logs.line("stopped", why=why)
    signal.raise_signal(signal.SIGTERM)
    # the first signal starts the wait for clients, the second signal ends it
    signal.raise_signal(signal.SIGTERM)
