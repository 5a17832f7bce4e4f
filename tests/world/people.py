"""Actions of people beside playing. They are listed like faults, but break nothing."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random
from typing import TYPE_CHECKING

from companion.service.requests import Seated
from tests.world.calls import ask_until

if TYPE_CHECKING:
    from tests.world.panel import Panel
    from tests.world.world import World

Over = Callable[[], object]


def nothing() -> None:
    """It is over by itself."""


def claim(world: World, chance: Random) -> Over:
    """Somebody takes their seat to another device, or to two: the claim is good for one."""
    panel = chance.choice(world.panels)
    devices = chance.choice([1, 2])
    own = Random(chance.random())
    world.record.handed_on.add(panel.key)
    path = f"/api/tables/{panel.key[0]}/seats/{panel.key[1]}/claim"
    token = panel.seated.token

    def ask() -> None:
        made = ask_until(world.hub, own, world.processes, path, body={}, token=token)
        for _ in range(devices if made else 0):
            world.hub.spawn(world.streets, "claim", partial(use, made["claim"]))

    def use(claim: str) -> None:
        seated = ask_until(world.hub, own, world.processes, f"/api/claims/{claim}", body={})
        if seated:
            world.claim_again(claim, Seated(**seated))

    world.hub.spawn(world.streets, "claim", ask)
    return nothing


def lend(world: World, chance: Random) -> Over:
    """Somebody goes, and a robot plays on for them until they are here again."""
    panel = chance.choice(world.panels)
    own = Random(chance.random())
    secret = panel.player and panel.player.secret
    if not secret or panel.sent_away:
        return nothing
    world.record.handed_on.add(panel.key)
    path = f"/api/tables/{panel.key[0]}/seats/{panel.key[1]}/robot"
    token = panel.seated.token

    def ask() -> None:
        body = {"secret": secret}
        if ask_until(world.hub, own, world.processes, path, body=body, token=token):
            world.tell(panel.machine.name, "lends")

    world.hub.spawn(world.streets, "lend", ask)
    panel.busy = True
    if panel.link is not None:
        panel.link.end()
    return lambda: setattr(panel, "busy", False)


def together(world: World, chance: Random) -> Over:
    """Some watch the replay of a game together, if any is over."""
    panels = [panel for panel in world.panels if panel.key[0] in world.evenings]
    for panel in panels and chance.choices(panels, k=chance.randint(2, 3)):
        world.watch(panel.seated)
    return nothing


def remove(world: World, chance: Random) -> Over:
    """A host removes somebody from the table, or a robot."""
    hosts = [
        panel for panel in world.panels if panel.view and (panel.view["you"] or {}).get("host")
    ]
    if hosts:
        panel = chance.choice(hosts)
        seats = [one["seat"] for one in panel.view["seats"] if one["seat"] != panel.key[1]]
        if len(seats) > 1:
            panel.tell({"type": "remove_seat", "seat": chance.choice(seats)}, panel.link)
    return nothing


def _is_host(panel: Panel) -> bool:
    return bool(panel.view and panel.view["you"] and panel.view["you"]["host"])


def join(world: World, chance: Random) -> Over:
    """Somebody comes late, and asks for a place in the next game."""
    code = chance.choice(world.panels).key[0]
    own = Random(chance.random())
    name = f"Guest {chance.randrange(1000)}"

    def ask() -> None:
        for kind in ("seats", "waiting"):
            path = f"/api/tables/{code}/{kind}"
            seated = ask_until(world.hub, own, world.processes, path, body={"name": name})
            if seated:
                world.tell(seated["seat"], "joins")
                world.seat(Seated(**seated))
                break

    world.hub.spawn(world.streets, "join", ask)
    return nothing
