"""Tests of the rules of one pile that the games in ``tests/scripts`` can't express, such as the
order of checks."""

import random

import pytest

from companion.rules.core.commands import DecisionInputs
from companion.rules.core.moves import EVERY_STEP
from companion.rules.core.referee import current_step, decide
from companion.rules.families import decode_variant as from_document
from companion.rules.pile.family import PILE
from companion.rules.text.rulings import Refused
from tests.support.iterations import scale_count
from tests.support.own_variants import load_own
from tests.support.pile_script import BOXES, PARTY, PileScript, say
from tests.support.play_at_random import RandomGame
from tests.support.public_view import private_view, public_view

ORIGINAL = load_own("original-56")


def run_script(*lines: str, variant: object = PARTY) -> PileScript:
    script = PileScript(variant)
    for line in lines:
        script.run_line(line)
    return script


def get_refusal(script: PileScript, said: object, name: str = "ana") -> str:
    with pytest.raises(Refused) as refused:
        decide(script.table, said, sender=script.seat(name), inputs=DecisionInputs(now=script.now))
    words = refused.value
    return str(words.ruling) if words.code == "refused" else words.code


def test_every_command_outside_its_step_names_a_ruling() -> None:
    for move in PILE.machine.moves:
        assert move.during == EVERY_STEP or move.ruling_against("somewhere else"), move.command


def _leads_to(step: str) -> set[str]:
    """Return every step that the state machine allows after this one."""
    then = {after for move in PILE.machine.steps[step] for after in move.leads_to}
    return (then | {*PILE.machine.closes.values()}) - {"closed"} if "closed" in then else then


@pytest.mark.slow
def test_a_step_leads_where_the_machine_says() -> None:
    seen: dict[str, set[str]] = {step: set() for step in PILE.machine.steps}
    for seed in range(scale_count(10, 60)):
        rng = random.Random(seed)
        game = RandomGame(rng.randint(2, 5), {}, [*BOXES.values()][seed % len(BOXES)])
        game.begin_game(seed)
        for _ in range(250):
            before = game.table
            game.step(rng.choice([n for n in range(1, 10**4) if n % 7]))
            if before.phase != game.table.phase == "over":
                seen[before.game.turn.step].add("over")
            if game.table.phase in ("over", "lobby", "setup"):
                break
            if game.table.version > before.version:
                seen[current_step(before, before.game)].add(
                    current_step(game.table, game.table.game)
                )
    for step, after in seen.items():
        assert after <= _leads_to(step) | {step}, step
    # Only the step "pick" may be missing in random play, because a hand with five different cards
    # is rare. A game in ``tests/scripts`` plays such a combo.
    assert {step for step, after in seen.items() if not after} <= {"pick"}


def test_refusals_come_in_the_order_of_the_contract() -> None:
    """Each command breaks the named rule and all rules that are checked later."""
    play = run_script("players: ana ben cleo")
    a = play.seat("ana")
    b = play.seat("ben")
    assert get_refusal(play, say.Defuse(place=99), "ben") == "defuse-only-a-kitten"
    assert get_refusal(play, say.PlayNope(window=1), "ben") == "in-time"
    assert get_refusal(play, say.Take(), "ben") == "one-thing-at-a-time"
    assert get_refusal(play, say.PlayCard(card="unicorn"), "ben") == "own-turn"
    pair = say.PlayCombo(kind="pair", cards=("unicorn",), target=a, name="kitten")
    assert get_refusal(play, pair) == "cards-of-this-game"
    five = say.PlayCombo(kind="five", cards=("kitten", "skip"), target=a, name="kitten")
    assert get_refusal(play, five) == "not-an-action"
    five = say.PlayCombo(kind="five", cards=("skip", "skip"), target=a, name="kitten")
    assert get_refusal(play, five) == "combos-of-this-edition"
    pair = say.PlayCombo(kind="pair", cards=("skip",), target=a, name="kitten")
    assert get_refusal(play, pair) == "matching-cards"
    pair = say.PlayCombo(kind="pair", cards=("defuse",) * 2, target=a, name="kitten")
    assert get_refusal(play, pair) == "combo-target"
    pair = say.PlayCombo(kind="pair", cards=("defuse",) * 2, target=b, name="nope")
    assert get_refusal(play, pair) == "three-names-a-card"
    pair = say.PlayCombo(kind="pair", cards=("defuse",) * 2, target=b)
    assert get_refusal(play, pair) == "possible-report"
    favor = say.PlayCard(card="favor", target=a)
    assert get_refusal(play, favor) == "favor-another"


def test_a_command_for_another_window_is_stale_before_any_other_check() -> None:
    play = run_script(
        "players: ana ben cleo", "ana draws a kitten", "ana explodes", "ben plays skip"
    )
    assert get_refusal(play, say.PlayNope(window=1), "ana") == "stale"
    assert get_refusal(play, say.PlayNope(window=play.window()), "ana") == "out-is-out"
    assert get_refusal(play, say.Hold(window=1), "ben") == "stale"
    skip = play.window()
    play.run_line("... 9s")
    assert get_refusal(play, say.PlayNope(window=skip), "cleo") == "stale"
    assert get_refusal(play, say.PlayNope(window=skip), "ana") == "stale"
    assert get_refusal(play, say.PlayNope(window=0), "ana") == "out-is-out"


def test_a_card_that_a_box_does_not_have_is_refused_by_its_ruling() -> None:
    play = run_script("players: ana ben", variant=ORIGINAL)
    for card in ("targeted_attack", "alter_future", "draw_from_bottom", "feral_cat"):
        assert get_refusal(play, say.PlayCard(card=card)) == "cards-of-this-game"


def test_a_stored_variant_is_read_again() -> None:
    assert from_document(PARTY.to_json()) == PARTY
    assert from_document(ORIGINAL.to_json()).deal(("s1", "s2")) == ORIGINAL.deal(("s1", "s2"))


def test_with_odds_off_no_knowledge_about_cards_is_shown() -> None:
    play = run_script(
        "lobby: ana ben", "ana sets odds=no", "ana prepares", "ana is ready", "ben is ready"
    )
    play.run_line("ana begins with ana")
    shown = public_view(play.table, play.now)
    assert {*shown["pile"]} == {"cards", "kittens", "exact"}
    assert not {"known", "never"} & {*shown["seats"][0]}
    assert "odds" not in private_view(play.table, play.seat("ana"))


def test_after_the_game_everybody_reads_each_players_survival_odds() -> None:
    lines = ["players: ana ben", "ana draws a kitten", "ana defuses", "ben draws safely"]
    play = run_script(
        *lines, "ana draws safely", "ben draws safely", "ana draws safely", "ben leaves"
    )
    chances = {seat["name"]: seat["survival"] for seat in public_view(play.table, 0)["seats"]}
    # Ana drew twice when nobody was known to have a Defuse: 1 Kitten in 28 cards, then 1 in 26.
    assert chances == {"ana": round(27 / 28 * 25 / 26, 6), "ben": 1.0}
    boldest = {seat["name"]: seat["boldest"] for seat in public_view(play.table, 0)["seats"]}
    assert boldest == {"ana": round(1 / 26, 6), "ben": round(1 / 27, 6)}
