"""Reading the wire: what every robot looks for in a view, and in the cards of a variant."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Json = Mapping[str, Any]
"""An object of the wire, as protocol.md shows it."""

View = Json
"""A table's view."""

Command = Json
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


def seat_of(view: View, seat: str) -> Json:
    """One seat's part of a view; it must be there."""
    found: Json = next(found for found in view["seats"] if found["seat"] == seat)
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Title:
    """A title of the variant and what it does."""

    id: str
    effect: str


class Titles(tuple[Title, ...]):
    """All titles of a variant, to be asked which of them do something."""

    @classmethod
    def heard(cls, cards: Iterable[Json]) -> "Titles":
        """The ``cards`` of a variant on the wire."""
        return cls(Title(id=card["id"], effect=card["effect"]) for card in cards)

    def doing(self, *effects: str) -> tuple[str, ...]:
        """The ids of the titles that do this."""
        return tuple(title.id for title in self if title.effect in effects)

    @property
    def kitten(self) -> str:
        """The title that explodes."""
        return self.doing("kitten")[0]

    @property
    def defuse(self) -> str:
        """The title that saves from it."""
        return self.doing("defuse")[0]

    @property
    def nope(self) -> str:
        """The title that cancels others."""
        return self.doing("nope")[0]
