"""Helpers to read views, commands and variants as they come over the wire."""

from collections.abc import Sequence

from companion.device_decks.dealing import Json as Json

View = Json  # the table as the server shows it to one client
Command = Json  # a command, such as those listed in ``you.may``
LOG_LENGTH = 50  # number of log entries in a view; older entries are left out


def apply_patch(view: View, patch: View) -> View | None:
    """Return the view after the patch, or None if the patch doesn't start from this view."""
    if (view["epoch"], view["version"]) != (patch["epoch"], patch["from"]):
        return None
    always = {key: patch[key] for key in ("version", "now", "you") if key in patch}
    after = {**view, **patch.get("set", {}), **always}
    changed_keys = {**patch.get("keys", {})}
    whole_seats = patch.get("seats", {})
    seat_keys = changed_keys.pop("seats", {})
    after |= {part: {**view[part], **new} for part, new in changed_keys.items()}
    after["seats"] = [
        whole_seats.get(seat["seat"]) or {**seat, **seat_keys.get(seat["seat"], {})}
        for seat in after["seats"]
    ]
    after["log"] = [*view["log"], *patch["log"]][-LOG_LENGTH:]
    return after


def seat_of(view: View, seat: str) -> Json:
    """Return the part of a view that describes one seat."""
    found: Json = next(entry for entry in view["seats"] if entry["seat"] == seat)
    return found


def commands_of_type(may: Sequence[Command], kind: str) -> list[Command]:
    """Return the legal commands of one type."""
    return [entry for entry in may if entry["type"] == kind]


def first_of_type(may: Sequence[Command], kind: str) -> Command:
    """Return the first legal command of one type. If there is none, return the first legal command
    of any type."""
    return (commands_of_type(may, kind) or may)[0]


def matches_entry(entry: Command, command: Command) -> bool:
    """Return True if this entry of ``you.may`` permits the command.

    If the entry lists several ``targets``, the command must name one of them as its ``target``.
    """
    return all(
        command.get("target") in value if key == "targets" else command.get(key) == value
        for key, value in entry.items()
    )


class Titles(dict[str, str]):
    """Maps the ids of a variant's titles to their effects. Built from ``cards`` on the wire."""

    def __init__(self, cards: Sequence[Json]) -> None:
        super().__init__((card["id"], card["effect"]) for card in cards)
        # titles that house rules have removed from the deck
        self.absent = {card["id"] for card in cards if card.get("count") == 0}
        self.kitten, self.defuse, self.nope = (
            self.with_effects(effect)[0] for effect in ("kitten", "defuse", "nope")
        )

    def with_effects(self, *effects: str) -> list[str]:
        """Return the ids of all titles with one of these effects."""
        return [title for title, effect in self.items() if effect in effects]
