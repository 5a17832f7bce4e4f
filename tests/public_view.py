"""What is shown of a table, as the service puts it together, but not encoded."""

from typing import Any

from companion.rules.core.family import Part
from companion.rules.core.view import may_take_back, public


def public_view(table: Any, now: int) -> dict[str, Any]:
    """The view without what the log and the viewer add; ``now`` in ms since the epoch."""
    view = {"table": table.code, "version": table.version, "now": now}
    for part in public(table, now).values():
        view |= made(part)
    return {**view, "seats": [*map(made, table.family.views.seats(table).values())]}


def you(table: Any, seat: str) -> dict[str, Any]:
    """A viewer's own part without ``may``."""
    own = made(table.family.views.own(table)[seat])
    return {"seat": seat, "host": seat == table.host, **own, **may_take_back(table).get(seat, {})}


def made(part: Part) -> dict[str, Any]:
    return part.show(*part.inputs)
