"""Check what a process keeps in memory after all clients have left."""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Iterator
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from companion.rules.variants.variant import Variant
from companion.service.table.log import Projection, TableLog
from companion.service.table.views import Views
from companion.storage.store import Store
from companion.web.metrics import Metrics
from companion.web.rate_limits import SlidingWindow
from tests.simulation.hub import Fibre, Hub, Machine

if TYPE_CHECKING:
    from tests.simulation.process import Process

MOST = 8
"""Largest size of a container that isn't a leak. It has room for the world's tables, seats and
processes."""

BOUNDED = (
    Projection,
    TableLog,
    Views,
    Variant,
    Struct,
    Store,
    Metrics,
    SlidingWindow,
    Hub,
    Machine,
    Fibre,
)
"""Types with another bound on their size: a log, a variant or a rate limit."""

PLAIN = (str, bytes, int, float, type, type(None), ModuleType, BuiltinFunctionType)


def find_leftovers(process: Process) -> list[str]:
    """Return the path and size of each container that has grown too large.

    The variants don't count: they are loaded at the start, and no others come.
    """
    return [
        f"{path}: {len(container)}"
        for path, container in _list_containers(process)
        if len(container) > MOST and container is not process.tables.variants
    ]


def _list_containers(process: Process) -> Iterator[tuple[str, Any]]:
    seen = set[int]()
    waiting = deque[tuple[str, Any]]()
    waiting.append(("tables", process.tables))
    waiting.append(("live", process.live))
    while waiting:
        path, value = waiting.popleft()
        if id(value) in seen or isinstance(value, (*PLAIN, *BOUNDED)):
            continue
        seen.add(id(value))
        if isinstance(value, dict | OrderedDict | list | set | frozenset | deque | tuple):
            yield path, value
        waiting.extend((f"{path}.{name}", part) for name, part in _list_parts(value))


def _list_parts(parent: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(parent, dict):
        yield from ((str(key)[:20], part) for key, part in parent.items())
    elif isinstance(parent, list | set | frozenset | deque | tuple):
        yield from (("*", part) for part in parent)
    elif isinstance(parent, MethodType):
        yield "self", parent.__self__
    elif isinstance(parent, FunctionType):
        yield from (("in", cell.cell_contents) for cell in parent.__closure__ or ())
    elif type(parent).__module__.startswith("companion."):
        yield from vars(parent).items() if hasattr(parent, "__dict__") else ()
