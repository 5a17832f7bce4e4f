"""Every message of a variant is grammatical with any name, number and list, in each language."""

import itertools
import re
from typing import Any

import pytest

from companion.rules.core import wording
from companion.rules.families import find_family
from companion.rules.text import sentences
from companion.rules.variants.variant import Texts, Variant
from tests.support.game_script import QUARANTINED
from tests.support.own_variants import load_own

NAMES = ["Anna", "Elena", "Ivo", "Olga", "Ugo", "Àlvise", "Élodie"]
CARDS = {"card", "kitten", "nope"}
SEATS = {"seat", "target", "by", "next", "instructor", "first", "host", "turn", "holder"}
LISTS = {"seats", "titles", "cards"}
NUMBERS = {
    *("least", "most", "total", "count", "seconds", "row", "column", "owed", "kittens"),
    *("noted", "hands", "hand", "came", "shown"),
}
SAME_FOR_ALL = {
    *("everyone-ready/waiting", "cards-of-this-game", "cards-of-this-game/not_in_play"),
    *("possible-report/known_hand", "possible-report/known_cells", "possible-report/not_together"),
    *("matching-cards/pair", "matching-cards/triple", "hand_told", "top_noted", "seats_ordered"),
    *("combo_played", "combo_played/target", "combo_played/name"),
    *("undone/held", "undone/lacked"),
}
"""Messages with a list that read the same for one entry and for several."""

MISTAKES = {
    "en": [r"\b[Aa] [AEIOU]", r"\b1 \w+s\b"],
    "it": [r"\ba [aàá]", r"\be [eèé]", r"\b1 \w+[ei]\b"],
}
"""Patterns of mistakes such as "a Attack", "a Anna", "e Elena" or "1 cards"."""

VARIANTS = {
    "quarantined": QUARANTINED,
    "party-120": load_own("party-120"),
    "imploding-party-120": load_own("imploding-party-120"),
}
"""One variant of each family, and one with an expansion. All other variants use the same sentences.
"""


def list_sentences(variant: Variant, language: str) -> list[tuple[str, str, frozenset[str]]]:
    """Return each message that has placeholders (names in braces): its key, its text and the names
    of its placeholders."""
    family = find_family(variant).without_absent_texts([card.effect for card in variant.cards])
    return [
        (key, sentence, facts)
        for section, facts_by_key in family.sentences.items()
        for key, facts in facts_by_key.items()
        if "{" in (sentence := getattr(variant.with_filled_texts.texts[language], section)[key])
    ]


def fill_sentence(
    texts: Texts,
    sentence: str,
    fact_names: frozenset[str],
    first: int,
    count: int,
    reader_fact: str = "",
) -> str:
    """Return the message with its placeholders filled in.

    Players' names come from ``NAMES``, beginning with number ``first``. Lists have ``count``
    entries, and numbers are ``count``. ``reader_fact`` is the placeholder for the reader, who is
    addressed as "you".
    """
    names = [NAMES[(first + i) % len(NAMES)] for i in range(len(NAMES))]
    titles = [card.title for card in texts.cards.values()]
    facts: dict[str, Any] = dict(zip(sorted(fact_names), names * 2, strict=False))
    for fact in fact_names:
        if fact in LISTS:
            facts[fact] = (names if fact == "seats" else titles)[:count]
        elif fact in CARDS:
            facts[fact] = titles[first % len(titles)]
        elif fact == "number":
            facts[fact] = texts.say[f"number/{count}"]
        elif fact in ("kind", "place"):
            spoken = [word for key, word in texts.say.items() if key.startswith(f"{fact}/")]
            facts[fact] = re.sub(r"\{\w+\}", str(count), spoken[first % len(spoken)])
        elif fact in NUMBERS:
            facts[fact] = count + (fact == "most")
    words = {
        fact: wording.join_words(texts, value) if isinstance(value, list) else str(value)
        for fact, value in facts.items()
    }
    return sentences.fill_sentence(
        sentence, texts.small, words, facts | ({reader_fact: 1} if reader_fact else {})
    )


@pytest.mark.parametrize("language", MISTAKES)
@pytest.mark.parametrize("variant", VARIANTS)
def test_every_sentence_suits_every_name_and_list(variant: str, language: str) -> None:
    faults = []
    texts = VARIANTS[variant].with_filled_texts.texts[language]
    for key, sentence, facts in list_sentences(VARIANTS[variant], language):
        cases = itertools.product(range(len(NAMES)), (1, 2, 3), ["", *sorted(facts & SEATS)])
        for first, count, reader_fact in cases:
            text = fill_sentence(texts, sentence, facts, first, count, reader_fact)
            patterns = [*MISTAKES[language], r"[{}|*]", r"\s[ ,.]", r"^\s|\s$"]
            faults += [
                (key, text) for pattern in patterns if re.search(pattern, text, re.IGNORECASE)
            ]
    assert not faults


@pytest.mark.parametrize("language", MISTAKES)
@pytest.mark.parametrize("variant", VARIANTS)
def test_verbs_go_with_how_many_there_are(variant: str, language: str) -> None:
    """A message with a list needs another form for a list of one, unless the same words fit any
    number."""
    texts = VARIANTS[variant].with_filled_texts.texts[language]
    for key, sentence, facts in list_sentences(VARIANTS[variant], language):
        used = {fact for fact, _ in sentences.parse_placeholders(sentence)}
        if not used & LISTS:
            continue
        one, two, three = (
            re.sub(
                "|".join([*NAMES, "[A-Z].*"]), "", fill_sentence(texts, sentence, facts, 2, count)
            )
            for count in (1, 2, 3)
        )
        assert (one == two) == (key in SAME_FOR_ALL), (key, one, two, three)
