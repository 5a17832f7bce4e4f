"""Reading the wire: what every robot looks for in a view, and in the cards of a variant."""

from collections.abc import Sequence

from companion.fair.cards import Json as Json

View = Json  # a table's view
Command = Json  # a command as it stands in you.may
LINES = 50  # how much of the log a view shows


def apply_patch(view: View, patch: View) -> View | None:
    """The view which a patch leads to; ``None``: it was not made for this one."""
    if (view["epoch"], view["version"]) != (patch["epoch"], patch["from"]):
        return None
    now = {key: patch[key] for key in ("version", "now", "you") if key in patch}
    after = {**view, **patch.get("set", {}), **now}
    keys = {**patch.get("keys", {})}
    changed = patch.get("seats", {})
    inside = keys.pop("seats", {})
    after |= {part: {**view[part], **new} for part, new in keys.items()}
    after["seats"] = [
        changed.get(seat["seat"]) or {**seat, **inside.get(seat["seat"], {})}
        for seat in after["seats"]
    ]
    after["log"] = [*view["log"], *patch["log"]][-LINES:]
    return after


def seat_of(view: View, seat: str) -> Json:
    found: Json = next(found for found in view["seats"] if found["seat"] == seat)
    return found


def every(may: Sequence[Command], kind: str) -> list[Command]:
    return [entry for entry in may if entry["type"] == kind]


def first(may: Sequence[Command], kind: str) -> Command:
    """The first choice of one kind, or of any if there is none of it."""
    return (every(may, kind) or may)[0]


def stands_for(entry: Command, command: Command) -> bool:
    """Whether a choice of ``you.may`` is what this command says; it names one of ``targets``."""
    return all(
        command.get("target") in value if key == "targets" else command.get(key) == value
        for key, value in entry.items()
    )


class Titles(dict[str, str]):
    """The titles of a variant (its ``cards`` on the wire), by id, and what each of them does.
    ``absent``: those of which house rules leave none."""

    def __init__(self, cards: Sequence[Json]) -> None:
        super().__init__((card["id"], card["effect"]) for card in cards)
        self.absent = {card["id"] for card in cards if card.get("count") == 0}
        self.kitten, self.defuse, self.nope = (
            self.doing(effect)[0] for effect in ("kitten", "defuse", "nope")
        )

    def doing(self, *effects: str) -> list[str]:
        return [title for title, effect in self.items() if effect in effects]
