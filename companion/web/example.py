"""An example turn of the games with one pile, to be watched as a replay: a look at the top cards,
the attack that it asks for, which is Noped, a Shuffle instead, a draw. The rules play it with a
table's own variant, so it speaks of the cards of that."""

from typing import Any

import msgspec

from companion.rules.core.commands import DecisionInputs, TakeSeat
from companion.rules.core.family import Json
from companion.rules.core.referee import decide
from companion.rules.core.variant import Variant
from companion.service.errors import Fault
from companion.service.games.file import Record, RecordedEvent, compress_moments
from companion.service.log import Projection

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
"""Who says what: of a seat its name, of a card its effect, of a window nothing."""

SECONDS = 4  # between two of these


def example(variant: Variant) -> bytes:
    """The turn, moment by moment (JSON, compressed); raises ``Fault`` where it can't be played."""
    card = {card.effect: card.id for card in variant.cards}
    if variant.family != "pile" or not {"attack", "nope", "see", "shuffle"} <= card.keys():
        raise Fault("not_found", what="game", game="example")
    journal = Projection("", variant)
    for name in (ANA, BEN, CLEO):
        _say(journal, None, TakeSeat(name=name))
    start = journal.table
    events = list[RecordedEvent]()
    seats = {seat.name: seat.seat for seat in start.seats}
    for who, said in TURN:
        told: Json = {key: seats.get(value, value) for key, value in said.items()}
        if "effect" in told:
            told["card"] = card[told.pop("effect")]
        if said["type"] in ("nope", "pass"):
            game: Any = journal.table.game
            told["window"] = game.window.id
        events += _say(journal, seats[who], msgspec.convert(told, journal.table.family.command))
    return compress_moments(Record(start, tuple(events), {}), "")


def _say(projection: Projection, seat: str | None, said: Any) -> list[RecordedEvent]:
    now = projection.last_event_at + SECONDS * 1000
    events = []
    for happened in decide(projection.table, said, sender=seat, inputs=DecisionInputs(now=now)):
        projection.add(happened, now)
        events.append(RecordedEvent(projection.table.version, now, happened))
    return events
