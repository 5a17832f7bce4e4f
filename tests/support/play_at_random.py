"""Random tables of any family, in any state that a game can reach."""

import random
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, product
from typing import Any, NamedTuple

import msgspec
from hypothesis import strategies as st
from msgspec.structs import replace

from companion.rules.core.commands import DecisionInputs
from companion.rules.core.events import evolve
from companion.rules.core.referee import decide, legal_commands, next_deadline
from companion.rules.families import new_table
from companion.rules.grid import events as grid_events
from companion.rules.grid import places as grid
from companion.rules.pile import events as pile_events
from companion.rules.text.rulings import Refused
from tests.support.game_script import QUARANTINED
from tests.support.pile_script import BOXES
from tests.support.pile_script import say as pile_say
from tests.support.say import say


def _draw_numbers(seed: int) -> list[int]:
    rng = random.Random(seed)
    return [rng.randrange(10_000) for _ in range(40 + seed % 100)]


long_numbers = st.integers(0, 10**6).map(_draw_numbers)
"""A strategy for lists of numbers, each long enough for a long game. The lists that Hypothesis
itself makes are so short that a game seldom reaches a Nope window."""

NAMES = "Ana Ben Cleo Dora Eve Fay Gus Hal Ida Joe".split()


class RandomGame:
    """A table at which random commands are given. It keeps all its events and states."""

    def __init__(self, players: int, options: dict[str, bool], variant: Any = QUARANTINED) -> None:
        self.family = FAMILIES[variant.family]
        self.first = new_table("RANDOM", variant, **options)
        self.table = self.first
        self.states = [self.first]
        self.settled = [self.first]
        self.events: list[Any] = []
        self.event_groups: list[tuple[Any, ...]] = []
        self.now = 1_000_000
        self.away: frozenset[str] = frozenset()
        for name in NAMES[: min(players, variant.players.most)]:
            self.handle_command(say.TakeSeat(name=name), None)

    @property
    def decision_inputs(self) -> DecisionInputs:
        return DecisionInputs(
            now=self.now, here=frozenset(s.seat for s in self.table.seats) - self.away
        )

    @property
    def stored_log(self) -> list[Any]:
        """All events, after encoding and decoding them as in the log."""
        kind = list[self.family.event]
        return msgspec.json.decode(msgspec.json.encode(self.events), type=kind)

    def handle_command(self, command: Any, sender: str | None) -> None:
        events = decide(self.table, command, sender=sender, inputs=self.decision_inputs)
        self.event_groups += [events] if events else []
        for event in events:
            self.table = evolve(self.table, event)
            self.events.append(event)
            self.states.append(self.table)
        self.settled.append(self.table)

    def begin_game(self, lot: int) -> None:
        self.handle_command(say.Prepare(), self.table.host)
        for seat in self.table.seats:
            self.handle_command(say.SayReady(ready=True), seat.seat)
        self.now += lot
        first = self.table.seats[lot % len(self.table.seats)].seat
        self.handle_command(say.Begin(first=first), self.table.host)

    def step(self, number: int) -> None:
        """Give one more command, or let time pass. ``number`` decides which command."""
        self.now += number % 700
        if (deadline := next_deadline(self.table)) is not None and number % 5 == 0:
            self.now = max(self.now, deadline)
            return self.handle_command(say.Tick(), None)
        legal = legal_commands(self.table)
        is_side_command = number % 7 == 0 or not legal
        pool = [*list_side_commands(self.table, number)] if is_side_command else legal
        if not pool:
            return None
        choice = pool[number // 7 % len(pool)]
        try:
            command = (
                choice
                if is_side_command
                else self.family.complete_command(self.table, choice, number)
            )
            is_own = isinstance(command, self.family.commands.SetAutoPass)
            self.handle_command(command, command.seat if is_own else self.table.host)
        except Refused:
            assert is_side_command or isinstance(choice, pile_say.Combos), (
                "a listed command was refused"
            )
        return None


def play_at_random(
    players: int, options: dict[str, bool], numbers: Sequence[int], variant: Any = QUARANTINED
) -> RandomGame:
    """Begin a game, take one step for each number, and return the game."""
    game = RandomGame(players, options, variant)
    game.begin_game(numbers[0] if numbers else 0)
    for number in numbers:
        game.step(number)
    return game


def list_side_commands(table: Any, number: int) -> Iterator[Any]:
    """Yield commands that aren't moves of the game, for example to undo or to leave."""
    yield say.Undo()
    yield from list_agreement_commands(table)
    if table.phase == "over":
        yield say.Rematch()
    if table.phase == "play" and table.game is not None:
        living = table.game.living
        seat = living[number % len(living)]
        yield FAMILIES[table.variant.family].commands.SetAutoPass(seat=seat, on=number % 3 > 0)
        yield from FAMILIES[table.variant.family].side_commands(table, number)


def list_agreement_commands(table: Any) -> Iterator[Any]:
    """Yield the commands about an undo by agreement."""
    if table.options.take_back == "host":
        yield FAMILIES[table.variant.family].commands.SetOptions(take_back="agreement")
    asked = table.asked
    for seat in table.seats:
        yield (
            say.AskBack(seat=seat.seat)
            if asked is None
            else say.Agree(seat=seat.seat, asked=asked.id)
        )


def _side_commands_at_grids(table: Any, _number: int) -> Iterator[Any]:
    for player in table.game.players:
        if player.seat == table.host:
            for cell in grid.face_down(player.grid):
                yield say.MakeNote(cell=cell, card="skip")
        elif len(table.game.living) > 2:
            yield say.Leave(seat=player.seat)


def _side_commands_at_a_pile(table: Any, number: int) -> Iterator[Any]:
    place = 1 + number % max(1, table.game.pile_size)
    yield pile_say.MakeNote(place=place, card=table.variant.cards[number % 3].id)
    for seat in table.game.living:
        if seat != table.host and len(table.game.living) > 2 and number % 4 == 0:
            yield say.Leave(seat=seat)


def _complete_command(table: Any, listed: Any, number: int) -> Any:
    """Return a legal command as a client would send it, with some of its optional parts."""
    titles = [*table.variant.in_play(len(table.game.players))]
    some = [titles[(number + 5 * n) % len(titles)] for n in range(5)]
    match listed:
        case pile_say.Combos(kind="five"):
            return pile_say.PlayCombo(seat=listed.seat, kind="five", cards=tuple(some))
        case pile_say.Combos():
            return list_combos(listed, titles)[number % 11 % len(listed.targets)]
        case pile_say.Look() if number % 2:
            return pile_say.Look(seat=listed.seat, saw=tuple(some[: min(3, table.game.pile_size)]))
        case pile_say.Defuse() if number % 2:
            place = 1 + number % (table.game.pile_size + 1)
            return pile_say.Defuse(seat=listed.seat, place=place)
        case pile_say.PutBack() if number % 2:
            place = 1 + number % (table.game.pile_size + 1)
            return pile_say.PutBack(seat=listed.seat, place=place)
        case _:
            return listed


def list_combos(listed: Any, titles: Sequence[str]) -> list[Any]:
    """Return all commands for combos that one entry in the legal commands stands for."""
    names = titles if listed.kind == "triple" else [None]
    return [
        pile_say.PlayCombo(
            seat=listed.seat, kind=listed.kind, cards=listed.cards, target=target, name=name
        )
        for name in names
        for target in listed.targets
    ]


def _all_commands_at_grids(table: Any) -> Iterator[Any]:
    seats = [seat.seat for seat in table.seats]
    rows = range(table.variant.grid.rows + 1)
    columns = range(table.variant.grid.columns)
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


def _all_commands_at_a_pile(table: Any) -> Iterator[Any]:
    seats = [seat.seat for seat in table.seats]
    variant = table.variant
    window = table.game.window.id if table.game and table.game.window else 1
    bare = (
        "Look", "Shuffled", "Give", "Take", "Draw", "Defuse", "Explode", "SeeImploding", "PutBack",
    )  # fmt: skip
    outcomes = ("safe", "kitten", "imploding")
    for seat in seats:
        yield from (vars(pile_say)[kind](seat=seat) for kind in bare)
        yield from (pile_say.Answer(seat=seat, has=has) for has in (True, False))
        yield from (pile_say.Report(seat=seat, outcome=how) for how in outcomes)
        for kind in (pile_say.PlayNope, pile_say.Pass, pile_say.Hold, pile_say.Release):
            yield from (kind(seat=seat, window=id) for id in (window, window + 1))
        for card in (*variant.by_title, "unicorn"):
            yield pile_say.Pick(seat=seat, card=card)
            for target in (None, *seats):
                yield pile_say.PlayCard(seat=seat, card=card, target=target)
    speaker = table.game.turn.seat if table.game and table.game.turn else seats[0]
    for seat in {speaker, seats[0]}:
        for kind, number in (("pair", 2), ("triple", 3)):
            for cards in _matching_cards(variant, number):
                for target in (None, *seats[:3]):
                    for name in (None, "nope", variant.kitten):
                        yield pile_say.PlayCombo(
                            seat=seat, kind=kind, cards=cards, target=target, name=name
                        )


def _matching_cards(variant: Any, number: int) -> Iterator[tuple[str, ...]]:
    for card in variant.by_title:
        yield (card,) * number
        yield (card,) * (number + 1)
    for one, other in combinations(variant.by_title, 2):
        yield (one,) * (number - 1) + (other,)
        if number == 3:
            yield (one,) + (other,) * 2


class Family(NamedTuple):
    """The commands, events and functions that differ between families."""

    commands: Any
    """The classes of the family's commands, by name."""
    event: Any
    """The union of the family's events."""
    side_commands: Callable[[Any, int], Iterator[Any]]
    """Yields the family's commands that aren't moves of the game."""
    complete_command: Callable[[Any, Any, int], Any]
    """Returns one of the legal commands with some of its optional parts."""
    all_commands: Callable[[Any], Iterator[Any]]
    """Yields every well-formed command for a table from every seat, sensible or not."""


FAMILIES = {
    "grid": Family(
        commands=say,
        event=grid_events.Event,
        side_commands=_side_commands_at_grids,
        complete_command=lambda _table, listed, _number: listed,
        all_commands=_all_commands_at_grids,
    ),
    "pile": Family(
        commands=pile_say,
        event=pile_events.Event,
        side_commands=_side_commands_at_a_pile,
        complete_command=_complete_command,
        all_commands=_all_commands_at_a_pile,
    ),
}


GRIDS = {
    "quarantined": QUARANTINED,
    "instruction_nopes": replace(QUARANTINED, instruction_nopes=True),
}
"""The draw grid, and the draw grid with the house rule that an instruction can be Noped."""


def random_games(family: str, numbers: Any) -> Any:
    """Return a Hypothesis strategy for tables of a family after random steps."""
    boxes = GRIDS if family == "grid" else BOXES

    def play_box(
        box: str, players: int, options: dict[str, bool], numbers: Sequence[int]
    ) -> RandomGame:
        return play_at_random(players, options, numbers, boxes[box])

    flags = ("roll_call" if family == "grid" else "special_combos", "odds")
    return st.builds(
        play_box,
        box=st.sampled_from([*boxes]),
        players=st.integers(2, 6),
        options=st.fixed_dictionaries(dict.fromkeys(flags, st.booleans())),
        numbers=numbers,
    )
