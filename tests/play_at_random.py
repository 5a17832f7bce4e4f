"""Tables in any state that play can reach, for tests that must hold for all of them."""

import random
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

import msgspec
from hypothesis import strategies as st

from companion.rules.core.commands import Moment
from companion.rules.core.events import evolve
from companion.rules.core.referee import decide, due, legal_commands
from companion.rules.core.rulings import Refused
from companion.rules.families import new_table
from companion.rules.grid import places as grid
from companion.rules.grid.events import Event
from companion.rules.grid.model import Table
from tests.game_script import QUARANTINED
from tests.say import say


def _numbers(seed: int) -> list[int]:
    rng = random.Random(seed)
    return [rng.randrange(10_000) for _ in range(40 + seed % 100)]


at_length = st.integers(0, 10**6).map(_numbers)
"""Numbers for a long game: lists that grow by themselves seldom get as far as a window."""

NAMES = "Ana Ben Cleo Dora Eve Fay Gus Hal Ida Joe".split()


class Random:
    """A table that is told things, and everything that came of them."""

    def __init__(self, players: int, options: dict[str, bool]) -> None:
        self.first = new_table("RANDOM", QUARANTINED, **options)
        self.table = self.first
        self.states = [self.first]
        self.events: list[Event] = []
        self.heard: list[tuple[Event, ...]] = []
        self.now = 1_000_000
        self.away: frozenset[str] = frozenset()
        for name in NAMES[:players]:
            self.hear(say.TakeSeat(name=name), None)

    @property
    def moment(self) -> Moment:
        return Moment(now=self.now, here=frozenset(s.seat for s in self.table.seats) - self.away)

    def hear(self, heard: Any, sender: str | None) -> None:
        led_to = decide(self.table, heard, sender=sender, moment=self.moment)
        self.heard += [led_to] if led_to else []
        for event in led_to:
            self.table = evolve(self.table, event)
            self.events.append(event)
            self.states.append(self.table)

    def begin(self, lot: int) -> None:
        self.hear(say.Prepare(), self.table.host)
        for seat in self.table.seats:
            self.hear(say.SayReady(ready=True), seat.seat)
        self.now += lot
        self.hear(
            say.Begin(first=self.table.seats[lot % len(self.table.seats)].seat), self.table.host
        )

    def step(self, number: int) -> None:
        """One more thing is said or happens, which ``number`` picks."""
        self.now += number % 700
        if (when := due(self.table)) is not None and number % 5 == 0:
            self.now = max(self.now, when)
            return self.hear(say.Tick(), None)
        host = self.table.host
        legal = legal_commands(self.table)
        others = [*said_beside(self.table)]
        pool = others if number % 7 == 0 or not legal else legal
        if not pool:
            return None
        try:
            self.hear(pool[number // 7 % len(pool)], host)
        except Refused:
            assert pool is others, "a listed command was refused"
        return None


def played(players: int, options: dict[str, bool], numbers: Sequence[int]) -> Random:
    """A table after a random piece of play."""
    game = Random(players, options)
    game.begin(numbers[0] if numbers else 0)
    for number in numbers:
        game.step(number)
    return game


def said_beside(table: Table) -> Iterator[Any]:
    """What can be said beside the play."""
    yield say.Undo()
    yield from back_and_forth(table, say.SetOptions)
    if table.phase == "over":
        yield say.Rematch()
    if table.phase == "play" and table.game is not None:
        for player in table.game.players:
            if player.seat == table.host:
                for cell in grid.face_down(player.grid):
                    yield say.MakeNote(cell=cell, card="skip")
            elif len(table.game.living) > 2:
                yield say.Leave(seat=player.seat)


def back_and_forth(table: Any, options: Any) -> Iterator[Any]:
    """What is said about taking back by agreement."""
    asked = table.asked
    if table.options.take_back == "host":
        yield options(take_back="agreement")
    for seat in table.seats:
        yield (
            say.AskBack(seat=seat.seat)
            if asked is None
            else say.Agree(seat=seat.seat, asked=asked.id)
        )


def everything_that_can_be_said(table: Table) -> Iterator[Any]:
    """Every game command that fits this table's shape, sensible or not, from every seat."""
    seats = [seat.seat for seat in table.seats]
    rows, columns = range(table.variant.grid.rows + 1), range(table.variant.grid.columns)
    cells = [*product(rows, columns)]
    cards = [*table.variant.by_title, "unicorn"]
    window = table.game.window.id if table.game and table.game.window else 1
    for seat in seats:
        yield say.SkipRollCall(seat=seat)
        yield say.Shuffled(seat=seat)
        yield say.Defuse(seat=seat)
        yield say.Explode(seat=seat)
        for kind in (say.PlayNope, say.Pass, say.Hold, say.Release):
            yield kind(seat=seat, window=window)
            yield kind(seat=seat, window=window + 1)
        for outcome in ("safe", "kitten"):
            yield say.Report(seat=seat, outcome=outcome)
        for cell in cells:
            yield say.Instruct(seat=seat, cell=cell)
            yield say.Draw(seat=seat, cell=cell)
            yield say.Look(seat=seat, cell=cell)
        for card in cards:
            yield say.Reveal(seat=seat, card=card)
            yield say.PlayCard(seat=seat, card=card)
        for target in seats:
            yield say.CallNext(seat=seat, next=target)
            for card, cell in product(("favor", "skip"), cells):
                yield say.PlayCard(seat=seat, card=card, target=target, cell=cell)


def stored(events: Sequence[Event]) -> list[Event]:
    """The events as they come back from the log."""
    return msgspec.json.decode(msgspec.json.encode(events), type=list[Event])
