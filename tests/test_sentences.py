"""Every sentence of a variant, in each language, with names that begin with a vowel and lists."""

import itertools
import re
from typing import Any

import pytest

from companion.rules.core import phrases, wording
from companion.rules.core.variant import Texts
from companion.rules.grid.texts import SECTIONS
from tests.panel.scenes import VARIANT

NAMES = ["Anna", "Elena", "Ivo", "Olga", "Ugo", "Àlvise", "Élodie"]
CARDS = {"card", "kitten", "nope"}
SEATS = {"seat", "target", "by", "next", "instructor", "first", "host", "turn", "holder"}
LISTS = {"seats", "titles"}
NUMBERS = {"least", "most", "total", "count", "seconds", "row", "column"}
SAME_FOR_ALL = {
    language: {
        *("everyone-ready/waiting", "cards-of-this-game"),
        *("possible-report/known_hand", "possible-report/known_cells"),
    }
    for language in ("en", "it")
}
"""Sentences with a list in which no verb depends on it."""

WRONG = {
    "en": [r"\b[Aa] [AEIOU]", r"\b1 \w+s\b"],
    "it": [r"\ba [aàá]", r"\be [eèé]", r"\b1 \w+[ei]\b"],
}
"""What nobody says: "a Attack", "a Anna", "e Elena", "1 cards"."""

SENTENCES = [
    (language, key, sentence, facts)
    for language, texts in VARIANT.texts.items()
    for section, known in SECTIONS.items()
    for key, facts in known.items()
    if (sentence := getattr(texts, section)[key])
]


def said(
    texts: Texts, sentence: str, known: frozenset[str], first: int, many: int, mine: str = ""
) -> str:
    """The sentence with the names from ``first`` on, lists and numbers of ``many``.

    ``mine``: the fact that it is said to (what the panel fills in: the first of two forms).
    """
    names = [NAMES[(first + i) % len(NAMES)] for i in range(len(NAMES))]
    titles = [texts.cards[card.id].title for card in VARIANT.cards]
    facts: dict[str, Any] = dict(zip(sorted(known), names * 2, strict=False))
    for fact in known:
        if fact in LISTS:
            facts[fact] = (names if fact == "seats" else titles)[:many]
        elif fact in CARDS:
            facts[fact] = titles[first % len(titles)]
        elif fact == "number":
            facts[fact] = texts.say[f"number/{many}"]
        elif fact in NUMBERS:
            facts[fact] = many + (fact == "most")
    words = {
        fact: wording.listed(texts, value) if isinstance(value, list) else str(value)
        for fact, value in facts.items()
    }
    return phrases.filled(sentence, texts.small, words, facts | ({mine: 1} if mine else {}))


@pytest.mark.parametrize("language", VARIANT.texts)
def test_every_sentence_suits_every_name_and_list(language: str) -> None:
    faults = []
    for spoken, key, sentence, facts in SENTENCES:
        if spoken != language or "{" not in sentence:
            continue
        ways = itertools.product(range(len(NAMES)), (1, 2, 3), ["", *sorted(facts & SEATS)])
        for first, many, mine in ways:
            text = said(VARIANT.texts[language], sentence, facts, first, many, mine)
            wrong = [*WRONG[language], r"[{}|*]", r"\s[ ,.]", r"^\s|\s$"]
            faults += [(key, text) for one in wrong if re.search(one, text, re.IGNORECASE)]
    assert not faults


@pytest.mark.parametrize("language", VARIANT.texts)
def test_verbs_go_with_how_many_there_are(language: str) -> None:
    """A sentence with a list says it otherwise for one, or its words suit any number."""
    texts = VARIANT.texts[language]
    for spoken, key, sentence, facts in SENTENCES:
        used = {fact for fact, _ in phrases.places(sentence)}
        if spoken != language or not used & LISTS:
            continue
        one, two, three = (
            re.sub("|".join([*NAMES, "[A-Z].*"]), "", said(texts, sentence, facts, 2, many))
            for many in (1, 2, 3)
        )
        assert (one == two) == (key in SAME_FOR_ALL[language]), (key, one, two, three)
