"""A short word such as "a" fits the name that follows it, and a verb fits the number of names."""

import pytest

from companion.rules.core.wording import join_words
from companion.rules.text.sentences import fill_sentence, parse_placeholders
from tests.support.game_script import QUARANTINED

SMALL = {"a": {"ad": "a"}, "e": {"ed": "e"}}


@pytest.mark.parametrize(
    ("name", "expected"),
    [("Anna", "ad Anna"), ("Àlvise", "ad Àlvise"), ("Elena", "a Elena"), ("Bruno", "a Bruno")],
)
def test_a_small_word_suits_the_name_after_it(name: str, expected: str) -> None:
    assert fill_sentence("{a:seat}", SMALL, {"seat": name}) == expected


@pytest.mark.parametrize(("count", "verb"), [(0, "are"), (1, "is"), (2, "are"), (3, "are")])
def test_a_form_suits_how_many_there_are(count: int, verb: str) -> None:
    names = ["s1"] * count
    assert fill_sentence("{n:is|are}", SMALL, {"n": str(count)}, {"n": count}) == verb
    assert fill_sentence("{seats:is|are}", SMALL, {"seats": "…"}, {"seats": names}) == verb


@pytest.mark.parametrize(("name", "expected"), [("Anna", "ad Anna"), ("Bruno", "a Bruno")])
def test_the_server_speaks_about_a_seat_and_never_to_it(name: str, expected: str) -> None:
    assert (
        fill_sentence("{seat:a te|a *}!", SMALL, {"seat": name}, {"seat": "s1"}) == f"{expected}!"
    )
    assert (
        fill_sentence("{seat:Your|*'s} card", SMALL, {"seat": name}, {"seat": "s1"})
        == f"{name}'s card"
    )


def test_a_fact_keeps_its_braces_and_a_missing_fact_is_empty() -> None:
    assert fill_sentence("{seat}, {next}.", SMALL, {"seat": "{next}"}) == "{next}, ."


def test_a_sentence_declares_its_facts_and_its_small_words() -> None:
    assert list(parse_placeholders("{a:seat} {seats:is|are} {card}")) == [
        ("seat", "a"), ("seats", None), ("card", None),
    ]  # fmt: skip
    with pytest.raises(ValueError, match="expected"):
        list(parse_placeholders("{seat"))
    with pytest.raises(ValueError, match="a place in a place"):
        list(parse_placeholders("{seat:{next}|*}"))


DAVID = "דוד"
ALI = "علي"
ISOLATED = f"\u2068{DAVID}\u2069"


def test_a_name_from_right_to_left_is_isolated_in_its_sentence() -> None:
    """Only right-to-left names are isolated, so messages without them are unchanged."""
    assert (
        fill_sentence("{seat:Your|*’s} Skip counts.", {}, {"seat": DAVID})
        == f"{ISOLATED}’s Skip counts."
    )
    assert fill_sentence("{seat} goes.", {}, {"seat": "Ana"}) == "Ana goes."


def test_every_word_is_isolated_in_a_sentence_from_right_to_left() -> None:
    assert fill_sentence("{seat} שיחק", {}, {"seat": "Ana"}) == "\u2068Ana\u2069 שיחק"


def test_names_in_a_list_are_isolated_one_by_one() -> None:
    words = QUARANTINED.words
    joined = join_words(words, ["Ana", DAVID, ALI])
    assert joined == f"\u2068Ana\u2069, {ISOLATED} and \u2068{ALI}\u2069"
    assert (
        fill_sentence("Still preparing: {seats}.", {}, {"seats": joined})
        == f"Still preparing: {joined}."
    )
    assert join_words(words, ["Ana", "Ben"]) == "Ana and Ben"


def test_a_small_word_suits_an_isolated_name() -> None:
    assert fill_sentence("{a:seat}", {"a": {"ad": "א"}}, {"seat": "אנה"}) == "ad \u2068אנה\u2069"
