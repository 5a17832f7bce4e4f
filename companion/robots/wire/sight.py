"""Reading a view: the few things about it that every robot looks for."""

from collections.abc import Mapping, Sequence
from typing import Any

View = Mapping[str, Any]
"""The wire's view, as protocol.md shows it."""

Command = Mapping[str, Any]
"""A command as it stands in ``you.may``."""

LINES = 50
"""How much of the log a view shows."""


def patched(view: View, patch: View) -> View | None:
    """The view which a patch leads to; ``None``: it was not made for this one."""
    if (view["epoch"], view["version"]) != (patch["epoch"], patch["from"]):
        return None
    now = {key: patch[key] for key in ("version", "now", "you") if key in patch}
    after = {**view, **patch.get("set", {}), **now}
    keys = {**patch.get("keys", {})}
    changed, inside = patch.get("seats", {}), keys.pop("seats", {})
    after |= {part: {**view[part], **new} for part, new in keys.items()}
    after["seats"] = [
        changed.get(seat["seat"]) or {**seat, **inside.get(seat["seat"], {})}
        for seat in after["seats"]
    ]
    after["log"] = [*view["log"], *patch["log"]][-LINES:]
    return after


def seat_of(view: View, seat: str) -> Mapping[str, Any]:
    """One seat's part of a view; it must be there."""
    found: Mapping[str, Any] = next(found for found in view["seats"] if found["seat"] == seat)
    return found


def every(may: Sequence[Command], kind: str) -> list[Command]:
    """The choices of one kind."""
    return [entry for entry in may if entry["type"] == kind]


def first(may: Sequence[Command], kind: str) -> dict[str, Any]:
    """The first choice of one kind, or of any if there is none of it."""
    return dict((every(may, kind) or may)[0])


def stands_for(entry: Command, command: Command) -> bool:
    """Whether a choice of ``you.may`` is what this command says more fully; ``targets`` are
    those of which it names one."""
    return all(
        command.get("target") in value if key == "targets" else command.get(key) == value
        for key, value in entry.items()
    )
