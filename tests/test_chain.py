"""The order of play (rulings alphabetical-order, chain-closes-up, unique-names)."""

import pytest

from companion.rules import chain


@pytest.mark.parametrize(
    "names",
    [
        ["Eddie", "Élodie", "Emma"],
        ["ana", "Ben", "CLEO"],
        ["Çelik", "Cleo", "Dora"],
        ["Ostap", "Östen", "Otto"],
        ["Li", "Li Wei", "Lia"],
        ["strasse", "Straße b", "Strauss"],
    ],
)
def test_case_and_accents_do_not_count_in_the_order(names: list[str]) -> None:
    assert sorted(names[::-1], key=chain.alphabetical) == names


@pytest.mark.parametrize(
    ("one", "other"),
    [("Ana", "ana"), ("Ana", "Ána"), ("Ana Maria", "anamaria"), ("Ana  B", " ana b"), ("ß", "SS")],
)
def test_names_that_differ_only_in_case_accents_or_spacing_are_the_same(
    one: str, other: str
) -> None:
    assert chain.same_name(one) == chain.same_name(other)


def test_names_that_can_be_told_apart_are_not_the_same() -> None:
    assert chain.same_name("Ana") != chain.same_name("Anna")


def test_after_the_last_comes_the_first() -> None:
    order = ("a", "b", "c")
    assert [chain.after(order, order, seat) for seat in order] == ["b", "c", "a"]
    assert [chain.before(order, order, seat) for seat in order] == ["c", "a", "b"]


def test_the_chain_closes_up_around_who_is_out() -> None:
    order, living = ("a", "b", "c", "d"), ("a", "d")
    assert chain.after(order, living, "a") == "d"
    assert chain.before(order, living, "d") == "a"
    assert chain.after(order, living, "b") == "d"
    assert chain.before(order, living, "b") == "a"


def test_alone_one_comes_after_oneself() -> None:
    assert chain.after(("a", "b"), ("a",), "a") == "a"
