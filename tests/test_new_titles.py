"""House rules that give the Kitten or the Nope another title: no text calls it by its old one."""

import re

import pytest

from companion.rules.core import house_rules
from companion.rules.core.variant import Texts, Variant
from companion.rules.families import of, variant
from tests.server import RealServer
from tests.test_whose_rule import ALL

OLD = {
    "en": {"kitten": r"\bKittens?\b", "nope": r"\bNop(e|es|ed)\b"},
    "it": {"kitten": r"\bgattin[oi]\b", "nope": r"\bNo!"},
}
TITLES = {"kitten": "Bomb", "nope": "Halt"}


def sentences(texts: Texts) -> dict[str, str]:
    """All that is read of a variant, but the titles of its cards and what help searches."""
    found = {"about": texts.about}
    found |= {f"cards.{id}": f"{card.here} {card.base}" for id, card in texts.cards.items()}
    found |= {f"rulings.{slug}": f"{one.title}: {one.text}" for slug, one in texts.rulings.items()}
    for part in ("refused", "errors", "say", "log", "topics"):
        found |= {f"{part}.{key}": text for key, text in getattr(texts, part).items()}
    return found


def with_new_titles(base: Variant) -> Variant:
    made = house_rules.validate(base, of(base), {"titles": TITLES}, base.players.least)
    return house_rules.apply(base, made.changes, base.players.least)


@pytest.mark.parametrize("base", ALL.values(), ids=ALL)
def test_no_sentence_calls_a_card_by_its_old_title(base: Variant) -> None:
    told = with_new_titles(base).with_filled_texts
    for language, texts in told.texts.items():
        before = sentences(base.with_filled_texts.texts[language])
        for key, sentence in sentences(texts).items():
            for card, old in OLD[language].items():
                assert not re.search(old, sentence), (language, key, sentence)
                if re.search(old, before[key]):
                    assert TITLES[card] in sentence, (language, key, sentence)


def test_the_rulings_title_and_the_log_have_the_new_title() -> None:
    texts = with_new_titles(ALL["quarantined"]).with_filled_texts.texts["en"]
    assert texts.rulings["un-nopeable"].title == "What can’t be stopped by Halt"
    assert texts.rulings["show-the-kitten"].title == "Show the Bomb"
    assert (
        texts.log["nope_played/no"]
        == "{seat:You played Halt on|* played Halt on} {by:your|*’s} {card}."
    )


def test_a_new_title_that_contains_an_old_word_is_inserted_once() -> None:
    base = ALL["quarantined"]
    made = house_rules.validate(base, of(base), {"titles": {"kitten": "Kitten Boom"}}, 2)
    told = house_rules.apply(base, made.changes, 2).with_filled_texts
    again = variant(told.to_json()).with_filled_texts
    for one in (told, again):
        assert one.texts["en"].rulings["show-the-kitten"].title == "Show the Kitten Boom"


@pytest.mark.parametrize("base", ALL.values(), ids=ALL)
def test_a_variant_without_new_titles_reads_as_ever(base: Variant) -> None:
    for texts in base.with_filled_texts.texts.values():
        assert texts.renames == {}


def test_the_panel_is_sent_the_words_that_stand_there_now(server: RealServer) -> None:
    party = server.create_table("Ana", "Ben")
    party.host.send_command("house_rules", rules={"titles": TITLES})
    found = server.get(f"/api/tables/{party.table}/variant?brief&language=en").json
    assert found["texts"]["en"]["renames"]["Kitten"] == "Bomb"
    assert found["texts"]["en"]["renames"]["Nopes"] == "Halts"
