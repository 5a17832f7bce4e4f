"""Sentences that suit what is filled in: small words before names, forms by number."""

import pytest

from companion.rules.core.wording import filled, places

SMALL = {"a": {"ad": "a"}, "e": {"ed": "e"}}


@pytest.mark.parametrize(
    ("name", "said"),
    [("Anna", "ad Anna"), ("Àlvise", "ad Àlvise"), ("Elena", "a Elena"), ("Bruno", "a Bruno")],
)
def test_a_small_word_suits_the_name_after_it(name: str, said: str) -> None:
    assert filled("{a:seat}", SMALL, {"seat": name}) == said


@pytest.mark.parametrize(("count", "verb"), [(0, "are"), (1, "is"), (2, "are"), (3, "are")])
def test_a_form_suits_how_many_there_are(count: int, verb: str) -> None:
    names = ["s1"] * count
    assert filled("{n:is|are}", SMALL, {"n": str(count)}, {"n": count}) == verb
    assert filled("{seats:is|are}", SMALL, {"seats": "…"}, {"seats": names}) == verb


@pytest.mark.parametrize(("name", "said"), [("Anna", "ad Anna"), ("Bruno", "a Bruno")])
def test_the_server_speaks_about_a_seat_and_never_to_it(name: str, said: str) -> None:
    assert filled("{seat:a te|a *}!", SMALL, {"seat": name}, {"seat": "s1"}) == f"{said}!"
    assert filled("{seat:Your|*'s} card", SMALL, {"seat": name}, {"seat": "s1"}) == f"{name}'s card"


def test_a_fact_keeps_its_braces_and_one_that_is_missing_is_empty() -> None:
    assert filled("{seat}, {next}.", SMALL, {"seat": "{next}"}) == "{next}, ."


def test_a_sentence_tells_its_facts_and_its_small_words() -> None:
    assert list(places("{a:seat} {seats:is|are} {card}")) == [
        ("seat", "a"), ("seats", None), ("card", None),
    ]  # fmt: skip
    with pytest.raises(ValueError, match="expected"):
        list(places("{seat"))
    with pytest.raises(ValueError, match="a place in a place"):
        list(places("{seat:{next}|*}"))
