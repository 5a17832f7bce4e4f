"""Texts use a card's new title when house rules rename the Kitten or the Nope."""

import re

import pytest

from companion.rules.families import decode_variant, find_family
from companion.rules.variants import house_rules
from companion.rules.variants.variant import Texts, Variant
from tests.server.test_whose_rule import ALL
from tests.support.servers.server import RealServer

OLD_TITLES = {
    "en": {"kitten": r"\bKittens?\b", "nope": r"\bNop(e|es|ed)\b"},
    "it": {"kitten": r"\bgattin[oi]\b", "nope": r"\bNo!"},
}
NEW_TITLES = {"kitten": "Bomb", "nope": "Halt"}


def collect_texts(texts: Texts) -> dict[str, str]:
    """Return all texts of a variant except the cards' titles and the search words of the help."""
    collected = {"about": texts.about}
    collected |= {f"cards.{id}": f"{card.here} {card.base}" for id, card in texts.cards.items()}
    collected |= {
        f"rulings.{slug}": f"{ruling.title}: {ruling.text}"
        for slug, ruling in texts.rulings.items()
    }
    for section in ("refused", "errors", "say", "log", "topics"):
        collected |= {f"{section}.{key}": text for key, text in getattr(texts, section).items()}
    return collected


def remove_other_titles(sentence: str, texts: Texts) -> str:
    """Remove the titles of all cards that keep their title, such as the Imploding Kitten."""
    for id, card in texts.cards.items():
        if id not in NEW_TITLES:
            sentence = sentence.replace(card.title, "")
    return sentence


def rename_titles(base: Variant) -> Variant:
    rules = house_rules.validate(
        base, find_family(base), {"titles": NEW_TITLES}, base.players.least
    )
    return house_rules.apply(base, rules.changes, base.players.least)


@pytest.mark.parametrize("base", ALL.values(), ids=ALL)
def test_no_sentence_calls_a_card_by_its_old_title(base: Variant) -> None:
    renamed = rename_titles(base).with_filled_texts
    for language, texts in renamed.texts.items():
        before = collect_texts(base.with_filled_texts.texts[language])
        for key, text in collect_texts(texts).items():
            sentence = remove_other_titles(text, texts)
            text_before = remove_other_titles(before[key], texts)
            for card, pattern in OLD_TITLES[language].items():
                assert not re.search(pattern, sentence), (language, key, sentence)
                if re.search(pattern, text_before):
                    assert NEW_TITLES[card] in sentence, (language, key, sentence)


def test_the_rulings_title_and_the_log_have_the_new_title() -> None:
    texts = rename_titles(ALL["quarantined"]).with_filled_texts.texts["en"]
    assert texts.rulings["un-nopeable"].title == "What can’t be stopped by Halt"
    assert texts.rulings["show-the-kitten"].title == "Show the Bomb"
    assert (
        texts.log["nope_played/no"]
        == "{seat:You played Halt on|* played Halt on} {by:your|*’s} {card}."
    )


def test_a_new_title_that_contains_an_old_word_is_inserted_once() -> None:
    base = ALL["quarantined"]
    rules = house_rules.validate(base, find_family(base), {"titles": {"kitten": "Kitten Boom"}}, 2)
    renamed = house_rules.apply(base, rules.changes, 2).with_filled_texts
    reloaded = decode_variant(renamed.to_json()).with_filled_texts
    for loaded in (renamed, reloaded):
        assert loaded.texts["en"].rulings["show-the-kitten"].title == "Show the Kitten Boom"


@pytest.mark.parametrize("base", ALL.values(), ids=ALL)
def test_a_variant_without_new_titles_replaces_no_words(base: Variant) -> None:
    for texts in base.with_filled_texts.texts.values():
        assert texts.renames == {}


def test_the_panel_gets_the_replacements_for_the_old_words(server: RealServer) -> None:
    party = server.create_table("Ana", "Ben")
    party.host.send_command("house_rules", rules={"titles": NEW_TITLES})
    variant = server.get(f"/api/tables/{party.table}/variant?brief&language=en").json
    assert variant["texts"]["en"]["renames"]["Kitten"] == "Bomb"
    assert variant["texts"]["en"]["renames"]["Nopes"] == "Halts"
