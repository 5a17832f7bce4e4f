"""Tests for the sources of rulings, such as the box or house rules that changed them."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.rules.families import find_family, load, load_all
from companion.rules.variants import house_rules
from companion.rules.variants.variant import Variant
from tests.support.own_variants import load_all_own
from tests.support.paths import ROOT
from tests.support.servers.server import RealServer

VARIANTS = ROOT / "variants"
ALL = load_all_own()


def list_house_rules(variant: Variant) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield house rules, each with the name of the field that it changes. Many of them fit only one
    family."""
    yield "attack_stacks", {"attack_stacks": not getattr(variant, "attack_stacks", False)}
    yield "extra_defuses", {"extra_defuses": "before"}
    yield "extra_defuses", {"extra_defuses": "after"}
    yield "hand", {"hand": 3}
    for combos in ([], ["pair"], ["pair", "triple", "five"], ["five"]):
        yield "combos", {"combos": combos}
    for card in variant.cards:
        yield "none of a card", {"cards": {card.id: 0}}
        yield "seven of a card", {"cards": {card.id: 7}}
    own = {card.key: card.value for card in variant.form(2).fields}
    skip = int(str(own["cards.skip"]))
    favor = int(str(own["cards.favor"]))
    yield "cards", {"cards": {"skip": skip - 1, "favor": favor + 1}}
    yield "put away", {"deal": {"put_away": 3, "hand": 5}}
    yield "grid", {"deal": {"put_away": 2, "grid": 7}, "grid": {"rows": 2, "columns": 4}}


def apply_rules(variant: Variant, overlay: dict[str, Any]) -> Variant | None:
    try:
        valid = house_rules.validate(variant, find_family(variant), overlay, variant.players.least)
    except house_rules.InvalidHouseRules:
        return None
    return (
        house_rules.apply(variant, valid.changes, variant.players.least) if valid.changes else None
    )


def find_changed_rulings(one: Variant, other: Variant) -> set[str]:
    """Return the rulings whose texts differ between these two variants."""
    return {
        slug
        for language, texts in one.with_filled_texts.texts.items()
        for slug, ruling in texts.rulings.items()
        if ruling.text != other.with_filled_texts.texts[language].rulings[slug].text
    }


@pytest.mark.parametrize("variant", ALL.values(), ids=ALL)
def test_a_ruling_whose_text_house_rules_change_is_a_house_rule(variant: Variant) -> None:
    valid_count = 0
    for name, overlay in list_house_rules(variant):
        changed = apply_rules(variant, overlay)
        if changed is None:
            continue
        valid_count += 1
        for slug in find_changed_rulings(variant, changed):
            assert changed.sources[slug] == "house", (name, slug)
        assert changed.sources.keys() == variant.sources.keys()
    assert valid_count >= 3


def test_a_new_title_changes_no_ruling() -> None:
    variant = ALL["quarantined"]
    changed = apply_rules(variant, {"titles": {"skip": "Snooze"}})
    assert changed is not None and changed.sources == variant.sources


def test_stacked_attacks_are_a_house_rule_in_the_original_box() -> None:
    box = ALL["original-56"]
    changed = apply_rules(box, {"attack_stacks": True})
    assert (box.sources["attack-stacks"], changed and changed.sources["attack-stacks"]) == (
        "box",
        "house",
    )


def test_rulings_that_attacks_change_do_not_cite_the_sheet() -> None:
    sheet = ALL["quarantined"]
    attacks = ALL["assault"]
    changed = find_changed_rulings(attacks, sheet)
    assert {"deck-of-fifteen", "turn-ends"} <= changed
    assert {slug for slug in changed if attacks.sources[slug] == "sheet"} == set()


def test_a_variant_made_of_house_rules_labels_them_as_house_rules(tmp_path: Path) -> None:
    (tmp_path / "quick.json").write_text(
        '{"format": "hiss-rules", "version": 1, "like": "original-56", "rules": {"hand": 3}}'
    )
    quick = load_all(tmp_path, beside=VARIANTS)["quick"]
    assert quick.sources["the-deal"] == "house"
    assert (
        quick.sources["turn-ends"] == load(VARIANTS / "original-56").sources["turn-ends"] == "box"
    )


@pytest.mark.parametrize(
    ("variant", "rules", "ruling", "source_before"),
    [
        ("original-56", {"attack_stacks": True}, "attack-stacks", "box"),
        ("quarantined", {"cards": {"skip": 2, "favor": 3}}, "deck-of-fifteen", "sheet"),
    ],
)
def test_clients_can_read_the_source_of_each_ruling(
    server: RealServer, variant: str, rules: dict[str, Any], ruling: str, source_before: str
) -> None:
    party = server.create_table("Ana", "Ben", variant=variant)
    path = f"/api/tables/{party.table}/variant"
    assert server.get(path).json["sources"][ruling] == source_before
    party.host.send_command("house_rules", rules=rules)
    assert server.get(path).json["sources"][ruling] == "house"
    party.host.send_command("house_rules", rules=None)
    assert server.get(path).json["sources"][ruling] == source_before
