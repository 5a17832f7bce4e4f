"""An example turn for games with one pile, shown as a replay to new players.

Ana looks at the top cards and plays an Attack. Cleo plays a Nope on the Attack, so Ana plays a
Shuffle and draws. The rules play the turn with the table's own variant, so that the replay shows
that variant's cards.
"""

from typing import Any

import msgspec

from companion.rules.core.commands import DecisionInputs, TakeSeat
from companion.rules.core.referee import decide
from companion.rules.core.types import Json
from companion.rules.variants.variant import Variant
from companion.service.errors import Fault
from companion.service.replays.file import Record, RecordedEvent, compress_moments
from companion.service.table.log import Projection

ANA = "Ana"
BEN = "Ben"
CLEO = "Cleo"

TURN: list[tuple[str, Json]] = [
    (ANA, {"type": "prepare"}),
    *((who, {"type": "ready", "ready": True}) for who in (ANA, BEN, CLEO)),
    (ANA, {"type": "begin", "first": ANA}),
    (ANA, {"type": "play", "effect": "see"}),
    *((who, {"type": "pass"}) for who in (BEN, CLEO)),
    (ANA, {"type": "look"}),
    (ANA, {"type": "play", "effect": "attack"}),
    (CLEO, {"type": "nope"}),
    *((who, {"type": "pass"}) for who in (ANA, BEN)),
    (ANA, {"type": "play", "effect": "shuffle"}),
    *((who, {"type": "pass"}) for who in (BEN, CLEO)),
    (ANA, {"type": "shuffled"}),
    (ANA, {"type": "draw"}),
    (ANA, {"type": "report", "outcome": "safe"}),
]
"""The players and their commands.

The templates name players instead of seats, and effects instead of cards. ``example`` replaces both
with ids, and adds the id of the open Nope window to each ``nope`` and ``pass``.
"""

SECONDS = 4  # time between two commands


def example(variant: Variant) -> bytes:
    """Return the moments of the example turn as compressed JSON.

    Raise ``Fault`` if the variant lacks a card that the example turn needs.
    """
    card = {card.effect: card.id for card in variant.cards}
    if variant.family != "pile" or not {"attack", "nope", "see", "shuffle"} <= card.keys():
        raise Fault("not_found", what="game", game="example")
    projection = Projection("", variant)
    for name in (ANA, BEN, CLEO):
        _apply(projection, None, TakeSeat(name=name))
    start = projection.table
    events = list[RecordedEvent]()
    seats = {seat.name: seat.seat for seat in start.seats}
    for name, template in TURN:
        command: Json = {key: seats.get(value, value) for key, value in template.items()}
        if "effect" in command:
            command["card"] = card[command.pop("effect")]
        if template["type"] in ("nope", "pass"):
            game: Any = projection.table.game
            command["window"] = game.window.id
        family = projection.table.family
        events += _apply(projection, seats[name], msgspec.convert(command, family.command))
    return compress_moments(Record(start, tuple(events), {}), "")


def _apply(projection: Projection, seat: str | None, command: Any) -> list[RecordedEvent]:
    """Apply a seat's command, and return its events."""
    now = projection.last_event_at + SECONDS * 1000
    events = []
    for event in decide(projection.table, command, sender=seat, inputs=DecisionInputs(now=now)):
        projection.add(event, now)
        events.append(RecordedEvent(projection.table.version, now, event))
    return events
