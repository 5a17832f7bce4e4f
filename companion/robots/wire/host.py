"""What a robot that is the table's host says as such: prepare, begin, another game.

It must not know how words travel. It acts for nobody (ruling host-acts-for): a person
who sits with robots speaks for themselves.
"""

from dataclasses import dataclass

from companion.robots.wire.sight import Command, View


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """``robots`` sit at the table; with ``person`` it waits for somebody else, too;
    ``games`` are played, 0: as long as somebody plays."""

    robots: int
    person: bool = False
    games: int = 1


def manage(view: View, plan: Plan) -> Command | None:
    """What the host has to say now."""
    wanted = plan.robots + plan.person
    seated = len(view["seats"])
    match view["phase"]:
        case "lobby" if seated >= wanted:
            return {"type": "prepare"}
        case "setup" if plan.person and seated < wanted:
            return {"type": "to_lobby"}
        case "setup" if all(seat["ready"] for seat in view["seats"]):
            return {"type": "begin", "first": "lot"}
        case "over" if view["game"] < plan.games or plan.games == 0:
            return {"type": "rematch"}
    return None


def played(view: View, plan: Plan) -> bool:
    """Whether all that was planned has been played."""
    return bool(view["phase"] == "over" and 0 < plan.games <= view["game"])


def finished(view: View, plan: Plan) -> bool:
    """Whether all that was planned has been played, and the robots' decks are open."""
    closed = [seat for seat in view["seats"] if seat.get("deck", {}).get("secret", "") is None]
    return played(view, plan) and len(closed) <= plan.person
