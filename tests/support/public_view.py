"""The public view of a table as the service builds it, before it is encoded."""

from typing import Any

from companion.rules.core.family import Part
from companion.rules.core.view import public_parts, undo_rights


def public_view(table: Any, now: int) -> dict[str, Any]:
    """Return the view without the log and the viewer's own part. ``now`` is in ms since the
    epoch."""
    view = {"table": table.code, "version": table.version, "now": now}
    for part in public_parts(table, now).values():
        view |= render(part)
    return {**view, "seats": [*map(render, table.family.views.seats(table).values())]}


def private_view(table: Any, seat: str) -> dict[str, Any]:
    """Return the viewer's own part of a view, without the legal commands."""
    own = render(table.family.views.own(table)[seat])
    return {"seat": seat, "host": seat == table.host, **own, **undo_rights(table).get(seat, {})}


def render(part: Part) -> dict[str, Any]:
    return part.show(*part.inputs)
