"""Tables with a pile in any state that play can reach, for tests that hold for all of them."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

import msgspec

from companion.rules.core.commands import Moment
from companion.rules.core.events import evolve
from companion.rules.core.referee import decide, due, legal_commands
from companion.rules.core.rulings import Refused
from companion.rules.families import load, new_table
from companion.rules.pile.events import Event
from tests.pile.script import VARIANTS, say
from tests.play_at_random import back_and_forth

BOXES = {name: load(VARIANTS / name) for name in ("party-120", "party-122", "original-56")}
NAMES = "Ana Ben Cleo Dora Eve Fay Gus Hal Ida Joe".split()


class Random:
    """A table that is told things, and everything that came of them."""

    def __init__(self, box: Any, players: int, options: dict[str, bool]) -> None:
        variant = BOXES[box] if isinstance(box, str) else box
        self.first = new_table("RANDOM", variant, **options)
        self.table = self.first
        self.states = [self.first]
        self.settled = [self.first]
        self.events: list[Any] = []
        self.heard: list[tuple[Any, ...]] = []
        self.now = 1_000_000
        for name in NAMES[: min(players, variant.players.most)]:
            self.hear(say.TakeSeat(name=name), None)

    @property
    def moment(self) -> Moment:
        return Moment(now=self.now, here=frozenset(s.seat for s in self.table.seats))

    def hear(self, heard: Any, sender: str | None) -> None:
        led_to = decide(self.table, heard, sender=sender, moment=self.moment)
        self.heard += [led_to] if led_to else []
        for event in led_to:
            self.table = evolve(self.table, event)
            self.events.append(event)
            self.states.append(self.table)
        self.settled.append(self.table)

    def begin(self, lot: int) -> None:
        self.hear(say.Prepare(), self.table.host)
        for seat in self.table.seats:
            self.hear(say.SayReady(ready=True), seat.seat)
        first = self.table.seats[lot % len(self.table.seats)].seat
        self.hear(say.Begin(first=first), self.table.host)

    def step(self, number: int) -> None:
        """One more thing is said or happens, which ``number`` picks."""
        self.now += number % 700
        if (when := due(self.table)) is not None and number % 5 == 0:
            self.now = max(self.now, when)
            return self.hear(say.Tick(), None)
        legal = legal_commands(self.table)
        beside = number % 7 == 0 or not legal
        pool = [*said_beside(self.table, number)] if beside else legal
        if not pool:
            return None
        said = pool[number // 7 % len(pool)]
        try:
            self.hear(said if beside else chosen(self.table, said, number), self.table.host)
        except Refused:
            assert beside or isinstance(said, say.Combos), "a listed command was refused"
        return None


def chosen(table: Any, listed: Any, number: int) -> Any:
    """A listed command as it is sent, with more or less of what may be left out."""
    titles = [*table.variant.in_play(len(table.game.players))]
    some = [titles[(number + 5 * n) % len(titles)] for n in range(5)]
    match listed:
        case say.Combos(kind="five"):
            return say.PlayCombo(seat=listed.seat, kind="five", cards=tuple(some))
        case say.Combos():
            return every_combo(listed, titles)[number % 11 % len(listed.targets)]
        case say.Look() if number % 2:
            return say.Look(seat=listed.seat, saw=tuple(some[: min(3, table.game.pile)]))
        case say.Defuse() if number % 2:
            place = 1 + number % (table.game.pile + 1)
            return say.Defuse(seat=listed.seat, place=place)
        case _:
            return listed


def every_combo(listed: Any, titles: Sequence[str]) -> list[Any]:
    """All that a line of the list stands for."""
    names = titles if listed.kind == "triple" else [None]
    return [
        say.PlayCombo(
            seat=listed.seat, kind=listed.kind, cards=listed.cards, target=target, name=name
        )
        for name in names
        for target in listed.targets
    ]


def played(box: Any, players: int, options: dict[str, bool], numbers: Sequence[int]) -> Random:
    """A table after a random piece of play."""
    game = Random(box, players, options)
    game.begin(numbers[0] if numbers else 0)
    for number in numbers:
        game.step(number)
    return game


def said_beside(table: Any, number: int) -> Iterator[Any]:
    """What can be said beside the play."""
    yield say.Undo()
    yield from back_and_forth(table, say.SetOptions)
    if table.phase == "over":
        yield say.Rematch()
    if table.phase == "play" and table.game is not None:
        place = 1 + number % max(1, table.game.pile)
        yield say.MakeNote(place=place, card=table.variant.cards[number % 3].id)
        for seat in table.game.living:
            if seat != table.host and len(table.game.living) > 2 and number % 4 == 0:
                yield say.Leave(seat=seat)


def everything_that_can_be_said(table: Any) -> Iterator[Any]:
    """Every game command that fits this table's shape, sensible or not, from every seat."""
    seats = [seat.seat for seat in table.seats]
    variant = table.variant
    window = table.game.window.id if table.game and table.game.window else 1
    bare = (say.Look, say.Shuffled, say.Give, say.Take, say.Draw, say.Defuse, say.Explode)
    for seat in seats:
        yield from (kind(seat=seat) for kind in bare)
        yield from (say.Answer(seat=seat, has=has) for has in (True, False))
        yield from (say.Report(seat=seat, outcome=how) for how in ("safe", "kitten"))
        for kind in (say.PlayNope, say.Pass, say.Hold, say.Release):
            yield from (kind(seat=seat, window=id) for id in (window, window + 1))
        for card in (*variant.by_title, "unicorn"):
            yield say.Pick(seat=seat, card=card)
            for target in (None, *seats):
                yield say.PlayCard(seat=seat, card=card, target=target)
    speaker = table.game.turn.seat if table.game and table.game.turn else seats[0]
    for seat in {speaker, seats[0]}:
        for kind, number in (("pair", 2), ("triple", 3)):
            for cards in _alike(variant, number):
                for target in (None, *seats[:3]):
                    for name in (None, "nope", variant.kitten):
                        yield say.PlayCombo(
                            seat=seat, kind=kind, cards=cards, target=target, name=name
                        )


def _alike(variant: Any, number: int) -> Iterator[tuple[str, ...]]:
    for card in variant.by_title:
        yield (card,) * number
        yield (card,) * (number + 1)
    for one, other in combinations(variant.by_title, 2):
        yield (one,) * (number - 1) + (other,)
        if number == 3:
            yield (one,) + (other,) * 2


def stored(happened: Sequence[Any]) -> list[Any]:
    """The events as they come back from the log."""
    return msgspec.json.decode(msgspec.json.encode(happened), type=list[Event])
