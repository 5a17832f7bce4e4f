"""Every set of random house rules can either be played to the end or is refused with a reason.

``python -m tests.rules.test_any_rules 1000`` tries a thousand sets for each family.
"""

import sys
from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.rules import families
from companion.rules.core.commands import DecisionInputs, HouseRules, TakeSeat
from companion.rules.core.events import evolve
from companion.rules.core.referee import decide
from companion.rules.variants import form, house_rules
from companion.rules.variants.variant import Variant
from tests.robots import test_pile_robots as pile_robots
from tests.robots.test_robots import check_cards
from tests.rules import test_deduction as grid_deduction
from tests.rules import test_pile_deduction as pile_deduction
from tests.support import pile_cards, real_cards
from tests.support.game_script import QUARANTINED
from tests.support.in_memory_table import InMemoryTable
from tests.support.iterations import scale_count
from tests.support.own_variants import load_own
from tests.support.pile_script import BOXES, PARTY

ATTEMPTS = scale_count(2, 60)
GAMES = {
    "grid": [QUARANTINED, load_own("assault")],
    "pile": [PARTY, BOXES["original-56"]],
}
INVALID_VALUES = [
    None,
    -1,
    2**40,
    1.5,
    "",
    "x" * 30,
    "\u202e",
    "{seat}",
    [],
    ["pair", "pair"],
    {},
    True,
]


def make_overlay(
    variant: Variant, players: int, chance: Random, *, balanced: bool
) -> dict[str, Any]:
    """Return random house rules. With ``balanced``, the numbers of cards add up."""
    form = variant.form(players)
    share = chance.choice((0.2, 0.5, 1.0))
    fields: dict[str, Any] = {
        field.key: choose_value(field, chance) for field in form.fields if chance.random() < share
    }
    if balanced:
        balance_sums(form, fields)
    else:
        for key in [*fields, "nose", "cards.fish", "titles"]:
            if chance.random() < 0.1:
                fields[key] = chance.choice(INVALID_VALUES)
    rules: dict[str, Any] = {}
    for key, value in fields.items():
        section, _, name = key.partition(".")
        if name and isinstance(rules.setdefault(section, {}), dict):
            rules[section][name] = value
        elif not name:
            rules[key] = value
    return rules


def choose_value(field: form.Field, chance: Random) -> Any:
    match field.kind:
        case "count":
            assert field.least is not None and field.most is not None
            highest = chance.choice((field.most, min(field.most, field.least + 4)))
            return chance.randint(int(field.least), int(highest))
        case "text":
            text = chance.choice(("Snooze", "Žluťoučký kůň", "猫", "It’s \\1 & <b>", "Nope"))
            return f"{text} {chance.randint(0, 999)}"  # makes equal titles very unlikely
        case "bool":
            return chance.random() < 0.5
        case "choice":
            return chance.choice(list(field.of or ()))
    return chance.sample(list(field.of or ()), chance.randint(0, len(field.of or ())))


def balance_sums(form: form.Form, changed: dict[str, Any]) -> None:
    """Make the sums of the house rules balance. For each sum, change only the fields in its
    ``evens``."""
    fields = {field.key: field for field in form.fields}

    def get_value(key: str | int) -> Any:
        return key if isinstance(key, int) else changed.get(key, fields[key].value)

    def add_up(side: Any) -> int:
        total = 0
        for term in side:
            product = 1
            for factor in term:
                product *= get_value(factor)
            total += product
        return total

    for constraint in form.sums:
        if constraint.when and any(
            get_value(key) != wanted for key, wanted in constraint.when.items()
        ):
            continue
        for key in constraint.evens:
            while (difference := add_up(constraint.should) - add_up(constraint.value)) != 0:
                if constraint.at_most and difference > 0:
                    break
                new_value = get_value(key) + (1 if difference > 0 else -1)
                if not fields[key].least <= new_value <= fields[key].most:  # type: ignore[operator]
                    break
                changed[key] = new_value


def make_table(variant: Variant, players: int) -> Any:
    table = families.new_table("HOUSED", variant)
    for number in range(players):
        command = TakeSeat(name=f"Robot {number}")
        for event in decide(table, command, sender=None, inputs=DecisionInputs(now=0)):
            table = evolve(table, event)
    return table


def apply_rules(table: Any, rules: dict[str, Any]) -> Any:
    """Return a table with these house rules, or None if they are refused with a reason."""
    command = HouseRules(rules=rules)
    try:
        (event,) = decide(table, command, sender=table.host, inputs=DecisionInputs(now=0))
    except house_rules.InvalidHouseRules as error:
        assert error.faults and all(fault["key"] for fault in error.faults)
        assert {fault["code"] for fault in error.faults} <= {
            "sum",
            "bounds",
            "unknown",
            "type",
            "same",
        }
        return None
    after = evolve(table, event)
    assert after.variant.digest == event.digest
    assert (after.house is None) == (after.variant is table.variant)
    return after


def play_overlay(family: str, seed: int) -> bool:
    """Let robots play a game by random house rules. Returns False if the rules are refused."""
    chance = Random(f"{family} {seed}")
    variant = chance.choice(GAMES[family])
    players = chance.choice((2, 2, 3, 3, 4, 5))
    rules = make_overlay(variant, players, chance, balanced=chance.random() < 0.7)
    after = apply_rules(make_table(variant, players), rules)
    if after is None:
        return False
    assert after.variant.players.least <= players <= after.variant.players.most
    texts = after.variant.with_filled_texts
    for field in texts.form(players).fields:
        if field.kind == "text":
            assert texts.texts["it"].cards[field.key.partition(".")[2]].title
    if family == "pile":
        table = pile_robots.play_and_check(players, seed, variant, rules).table
    else:
        parlour = InMemoryTable(players, seed, variant, rules)
        while parlour.table.phase != "over":
            parlour.take_step()
            if chance.random() < 0.05:
                check_cards(parlour)
        table = parlour.table
    assert len(table.require_game().living) == 1
    return True


def compare_knowledge(family: str, seed: int) -> bool:
    """Compare the deductions for a small deck with every possible deal.

    Returns False if the house rules are refused.
    """
    rng = Random(f"small {family} {seed}")
    variant = GAMES[family][0]
    titles = [card.id for card in variant.cards]
    chosen = rng.sample([title for title in titles if title != variant.kitten], 3)
    cards = dict.fromkeys(titles, 0)
    if family == "grid":
        cards |= {variant.kitten: 1, variant.defuse: rng.randint(1, 3)}
        cards |= {title: rng.randint(0, 2) for title in chosen if title != variant.defuse}
        shuffled = sum(cards.values()) - 2
        shape = rng.choice([(1, 2), (1, 3), (2, 2)])
        laid = shape[0] * shape[1] - 1
        hand = rng.randint(1, 2)
        rules = {
            "cards": cards,
            "grid": {"rows": shape[0], "columns": shape[1]},
            "deal": {"put_away": shuffled - laid - hand, "hand": hand, "grid": laid},
        }
        after = apply_rules(make_table(variant, 2), rules)
        if after is not None:
            world = real_cards.World(after.variant.deck, rng)
            for _ in range(5):
                grid_deduction.check_knowledge(world)
                world.act_at_random(rng)
        return after is not None
    del cards[variant.kitten]
    cards |= {variant.defuse: rng.randint(2, 4)}
    cards |= {title: rng.randint(1, 3) for title in chosen if title != variant.defuse}
    when = rng.choice(["before", "after"])
    rules = {"cards": cards, "hand": rng.randint(1, 2), "extra_defuses": when}
    after = apply_rules(make_table(variant, 2), rules)
    if after is not None:
        deal = after.variant.deal(("ana", "ben"))
        pile = pile_cards.World(deal, rng)
        for _ in range(4):
            pile_deduction.check_knowledge(pile)
            pile.observe_at_random(rng)
    return after is not None


seeds = st.integers(0, 2**32)
hypothesis_settings = settings(
    max_examples=ATTEMPTS, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
of_each_family = pytest.mark.parametrize("family", GAMES)


@pytest.mark.slow
@of_each_family
@hypothesis_settings
@given(seed=seeds)
def test_117_any_house_rules_play_to_the_end_or_name_what_is_wrong(family: str, seed: int) -> None:
    play_overlay(family, seed)


@of_each_family
def test_most_balanced_house_rules_can_be_played(family: str) -> None:
    outcomes = Counter[bool]()
    for seed in range(20):
        chance = Random(seed)
        rules = make_overlay(GAMES[family][0], 3, chance, balanced=True)
        outcomes[apply_rules(make_table(GAMES[family][0], 3), rules) is not None] += 1
    assert outcomes[True] >= 10, outcomes


@of_each_family
@hypothesis_settings
@given(seed=seeds)
def test_117_knowledge_of_few_cards_matches_every_deal(family: str, seed: int) -> None:
    compare_knowledge(family, seed)


@pytest.mark.slow
@of_each_family
@settings(max_examples=scale_count(8, 60), deadline=None)
@given(data=st.data())
def test_117_any_json_is_valid_house_rules_or_names_its_faults(family: str, data: Any) -> None:
    keys = st.sampled_from(["cards", "deal", "grid", "hand", "titles", "name", "skip", "nope", "x"])
    leaves = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=30)
    values = st.recursive(
        leaves, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=4)
    )
    apply_rules(
        make_table(GAMES[family][0], 2), data.draw(st.dictionaries(keys, values, max_size=5))
    )


def main(count: int) -> None:
    """Try ``count`` sets of house rules for each family and print how many could be played."""
    trials: dict[str, Callable[[int], bool]] = {
        f"{kind.__name__} {family}": lambda seed, kind=kind, family=family: kind(family, seed)
        for kind in (play_overlay, compare_knowledge)
        for family in GAMES
    }
    for name, trial in trials.items():
        outcomes = Counter[bool](trial(seed) for seed in range(count))
        print(name, dict(outcomes), flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]))
