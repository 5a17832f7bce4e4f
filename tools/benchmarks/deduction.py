"""Measures the cost of deduction: microseconds per observation, compared with bare bookkeeping.

    python -m tools.benchmarks.deduction [--games 300]

First it plays random games with a whole deck of fifteen cards. They are wilder than real games:
anything that can happen to a player's cards happens, in any order. Each figure is the time for one
task:

- ``step``: work out the knowledge after an observation, with all odds.
- ``bare``: the same without deduction, by only counting the open cards.
- ``ask``: find out which of the observations that a referee may have to judge are possible.
- ``again``: get the same knowledge from the cache.
- ``cold``: work through a whole history from the deal, as after a restart.

Then it plays classic games at the largest tables, in which cards often pass from hand to hand:

- ``step``: work out the knowledge after an observation, with what is known of every hand and which
  players could Nope.
- ``combos``: work out which pairs and triples the turn player could play.

Each figure is CPU time, the best of three runs, so other work of the machine doesn't count.
"""

import statistics
from collections.abc import Callable
from dataclasses import replace
from random import Random
from time import thread_time_ns

import click

from companion.rules.grid.deduction import (
    Deck,
    DrewHidden,
    Knowledge,
    Left,
    Observation,
    TurnedUp,
    knowledge,
)
from companion.rules.pile import deduction as pile
from companion.rules.pile import marks
from companion.rules.pile.deduction import Deal, Laid
from companion.rules.pile.deduction import Observation as OfPile
from tests.support import pile_play
from tests.support.real_cards import (
    FIFTEEN,
    choose_action,
    choose_outcome,
    list_shuffled_cards,
    make_deal,
)

STEPS = 30
History = tuple[Observation, ...]
Times = dict[str, list[float]]


def play_random_game(deck: Deck, rng: Random) -> History:
    cards = list_shuffled_cards(deck)
    lie = make_deal(deck, rng.sample(cards, len(cards)), [rng.randrange(deck.laid + 1)])
    seen: History = ()
    for _ in range(STEPS):
        observation, lie = choose_outcome(deck, lie, choose_action(deck, lie, rng), rng)
        seen = (*seen, observation)
    return seen


def measure_microseconds(work: Callable[[], object]) -> float:
    best = float("inf")
    for _ in range(3):
        start = thread_time_ns()
        work()
        best = min(best, thread_time_ns() - start)
    return best / 1000


def compute_step(before: Knowledge, seen: Observation) -> None:
    after = before.after(seen)
    _ = after.odds


def replay_history(deck: Deck, history: History) -> None:
    knowledge.cache_clear()
    knowledge(deck, history)


def check_observations(known: Knowledge, asked: list[Observation]) -> None:
    nobody_asked_yet = replace(known)
    for seen in asked:
        nobody_asked_yet.allows(seen)


def list_observations(deck: Deck) -> list[Observation]:
    titles = [title for title, _ in deck.counts]
    asked: list[Observation] = [what(title) for what in (Left, TurnedUp) for title in titles]
    return [*asked, Left(deck.defuse, forced=True), DrewHidden()]


def time_game(deck: Deck, history: History, times: Times) -> int:
    """Time every step of one game. Return the highest number of cases that the deduction kept."""
    times["cold"].append(measure_microseconds(lambda: replay_history(deck, history)))
    asked = list_observations(deck)
    most = 0
    for n, seen in enumerate(history):
        before = knowledge(deck, history[:n])
        most = max(most, len(before.cases))
        times["bare"].append(measure_microseconds(lambda: before._update_counts(seen)))  # noqa: B023
        times["step"].append(measure_microseconds(lambda: compute_step(before, seen)))  # noqa: B023
        times["ask"].append(measure_microseconds(lambda: check_observations(before, asked)))  # noqa: B023
        again = (*history[:n],)
        times["again"].append(measure_microseconds(lambda: knowledge(deck, again)))  # noqa: B023
    return most


# -- The pile -------------------------------------------------------------------------

TABLES = [("party-120", 10), ("party-122", 10), ("original-56", 5)]


def compute_pile_step(before: pile.Knowledge, seen: OfPile) -> pile.Knowledge:
    # Clear the caches, so that no measurement profits from an earlier one.
    for worked_out in (marks.narrow, marks.count_certain, marks.count_unclaimed):
        worked_out.cache_clear()
    after = before.after(seen)
    for seat in before.deal.seats:
        after.certain_cards(seat), after.impossible_cards(seat), after.allows(Laid(seat, ("nope",)))
    return after


def find_pile_combos(known: pile.Knowledge, seat: str) -> None:
    for title in known.titles:
        known.may_hold(seat, (title,) * 2), known.may_hold(seat, (title,) * 3)
        known.may_hold(seat, (title, known.titles[-1]))


def time_pile_games(deal: Deal, games: int) -> None:
    times: Times = {"step": [], "combos": []}
    most = coarse = 0
    for number in range(games):
        known = pile.knowledge_after_deal(deal)
        for seen in pile_play.Table(deal, Random(number), busy=0.9).play_game():
            times["step"].append(measure_microseconds(lambda: compute_pile_step(known, seen)))  # noqa: B023
            known = compute_pile_step(known, seen)
            first = deal.seats[0]
            times["combos"].append(measure_microseconds(lambda: find_pile_combos(known, first)))  # noqa: B023
            most = max(most, known.hidden_cards.world_count)
        coarse += not known.exact
    print(f"at most {most} worlds at once; {coarse} games were not exact to the end")
    print_times(times)


def print_times(times: Times) -> None:
    print(f"{'µs':6}{'median':>10}{'99 %':>10}{'worst':>10}")
    for name, values in times.items():
        values.sort()
        p99 = values[len(values) * 99 // 100]
        print(f"{name:6}{statistics.median(values):10.1f}{p99:10.1f}{values[-1]:10.1f}")


@click.command()
@click.option("--games", default=300)
def main(games: int) -> None:
    times: Times = {name: [] for name in ("bare", "step", "ask", "again", "cold")}
    most = max(
        time_game(FIFTEEN, play_random_game(FIFTEEN, Random(n)), times) for n in range(games)
    )
    print(f"{games} games of {STEPS} observations; at most {most} cases at once")
    print_times(times)
    ratio = statistics.median(times["step"]) / statistics.median(times["bare"])
    print(f"a step is {ratio:.1f} × the bare bookkeeping")
    for box, players in TABLES:
        print(f"\n{box}, {players} players: {games} games")
        time_pile_games(pile_play.make_deal(box, players), games)


if __name__ == "__main__":
    main()
