"""Actions of people apart from playing. They are listed like faults, but break nothing."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random
from typing import TYPE_CHECKING

from companion.service.requests import Seated
from tests.simulation.calls import send_request_with_retries

if TYPE_CHECKING:
    from tests.simulation.panel import Panel
    from tests.simulation.world import World

Over = Callable[[], object]


def do_nothing() -> None:
    """Do nothing, for an action that ends by itself."""


def claim_seat(world: World, chance: Random) -> Over:
    """Move a player's seat to another device with a claim (the secret in a link to the seat).

    Sometimes two devices use the claim, and only one of them gets the seat.
    """
    panel = chance.choice(world.panels)
    devices = chance.choice([1, 2])
    own_chance = Random(chance.random())
    world.record.handed_on.add(panel.key)
    path = f"/api/tables/{panel.key[0]}/seats/{panel.key[1]}/claim"
    token = panel.seated.token

    def request_claim() -> None:
        answer = send_request_with_retries(
            world.hub, own_chance, world.processes, path, body={}, token=token
        )
        for _ in range(devices if answer else 0):
            world.hub.spawn(world.outside, "claim", partial(use_claim, answer["claim"]))

    def use_claim(claim: str) -> None:
        seated = send_request_with_retries(
            world.hub, own_chance, world.processes, f"/api/claims/{claim}", body={}
        )
        if seated:
            world.open_claimed_seat(claim, Seated(**seated))

    world.hub.spawn(world.outside, "claim", request_claim)
    return do_nothing


def lend_seat(world: World, chance: Random) -> Over:
    """Let a player leave, with a robot as a stand-in until they return."""
    panel = chance.choice(world.panels)
    own_chance = Random(chance.random())
    secret = panel.player and panel.player.secret
    if not secret or panel.sent_away:
        return do_nothing
    world.record.handed_on.add(panel.key)
    path = f"/api/tables/{panel.key[0]}/seats/{panel.key[1]}/robot"
    token = panel.seated.token

    def request_robot() -> None:
        body = {"secret": secret}
        if send_request_with_retries(
            world.hub, own_chance, world.processes, path, body=body, token=token
        ):
            world.trace_line(panel.machine.name, "lends")

    world.hub.spawn(world.outside, "lend", request_robot)
    panel.busy = True
    if panel.link is not None:
        panel.link.close()
    return lambda: setattr(panel, "busy", False)


def watch_together(world: World, chance: Random) -> Over:
    """Let two or three spectators watch the replay of a finished game together, if there is such a
    game."""
    panels = [panel for panel in world.panels if panel.key[0] in world.evenings]
    for panel in panels and chance.choices(panels, k=chance.randint(2, 3)):
        world.open_watcher(panel.seated)
    return do_nothing


def remove_seat(world: World, chance: Random) -> Over:
    """Let a host remove another player's seat from the table."""
    hosts = [panel for panel in world.panels if _is_host(panel)]
    if hosts:
        panel = chance.choice(hosts)
        seats = [seat["seat"] for seat in panel.view["seats"] if seat["seat"] != panel.key[1]]
        if len(seats) > 1:
            panel.send_command({"type": "remove_seat", "seat": chance.choice(seats)}, panel.link)
    return do_nothing


def _is_host(panel: Panel) -> bool:
    return bool(panel.view and panel.view["you"] and panel.view["you"]["host"])


def join_late(world: World, chance: Random) -> Over:
    """Let somebody ask for a seat at a table or, if that fails, for a seat in the table's next
    game."""
    code = chance.choice(world.panels).key[0]
    own_chance = Random(chance.random())
    name = f"Guest {chance.randrange(1000)}"

    def request_seat() -> None:
        for kind in ("seats", "waiting"):
            path = f"/api/tables/{code}/{kind}"
            seated = send_request_with_retries(
                world.hub, own_chance, world.processes, path, body={"name": name}
            )
            if seated:
                world.trace_line(seated["seat"], "joins")
                world.open_panel(Seated(**seated))
                break

    world.hub.spawn(world.outside, "join", request_seat)
    return do_nothing
