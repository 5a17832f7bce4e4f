"""Tests for the order of play (rulings alphabetical-order, chain-closes-up, unique-names)."""

import pytest

from companion.rules.core.events import evolve
from companion.rules.core.state import next_living, previous_living
from companion.rules.families import new_table
from companion.rules.text.names import alphabetical_key, name_key
from tests.support.game_script import QUARANTINED
from tests.support.say import events


@pytest.mark.parametrize(
    "names",
    [
        ["Eddie", "Élodie", "Emma"],
        ["ana", "Ben", "CLEO"],
        ["Çelik", "Cleo", "Dora"],
        ["Ostap", "Östen", "Otto"],
        ["Li", "Li Wei", "Lia"],
        ["strasse", "Straße b", "Strauss"],
        ["Leo", "Łukasz", "Mia", "Olaf", "Øyvind", "Pia", "Zoë"],
        ["Adam", "Æsa", "Agnes", "Dina", "Đorđe", "Dunja"],
        ["Iris", "Işıl", "Jana", "Þóra"],
        ["かい", "がく", "カズ", "きく"],
        ["Ana", "Олег", "か", "李"],
    ],
)
def test_case_and_accents_do_not_count_in_the_order(names: list[str]) -> None:
    assert sorted(names[::-1], key=alphabetical_key) == names


@pytest.mark.parametrize(
    ("first", "second"),
    [
        *[("Ana", "ana"), ("Ana", "Ána"), ("Ana Maria", "anamaria"), ("Ana  B", " ana b")],
        *[("ß", "SS"), ("Łukasz", "lukasz"), ("Øyvind", "oyvind"), ("Đorđe", "dorde")],
        *[("Æsa", "aesa"), ("Νίκος", "ΝΙΚΟΣ"), ("Семён", "семен"), ("かな", "カナ"), ("ｶﾞ", "が")],
    ],
)
def test_names_that_differ_only_in_case_accents_or_spacing_are_the_same(
    first: str, second: str
) -> None:
    assert name_key(first) == name_key(second)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Ana", "Anna"),
        ("か", "が"),
        ("は", "ぱ"),
        ("ば", "ぱ"),
        ("かが", "がか"),
        ("и", "й"),
        ("ज", "ज़"),
    ],
)
def test_names_that_can_be_told_apart_are_not_the_same(first: str, second: str) -> None:
    """A mark isn't an accent if it makes a different letter."""
    assert name_key(first) != name_key(second)


def test_the_order_does_not_depend_on_who_came_first() -> None:
    """Names that differ only in accents or case are sorted by accents, then by case, then by code
    points."""
    names = ["か", "カ", "が", "ana", "Ana", "Ána", "Łukasz", "a", "á"]
    orders = {tuple(sorted(given, key=alphabetical_key)) for given in (names, names[::-1])}
    assert orders == {("a", "á", "ana", "Ana", "Ána", "Łukasz", "か", "カ", "が")}


def test_a_game_keeps_the_order_it_began_with() -> None:
    """Stored games of versions that sorted Łukasz after Zoë are replayed in the order that those
    versions used."""
    table = new_table("GOLDEN", QUARANTINED)
    for seat, name in (("s1", "Zoë"), ("s2", "Łukasz"), ("s3", "Ana")):
        table = evolve(table, events.SeatTaken(seat=seat, name=name, panel=True))
    table = evolve(table, events.Prepared())
    assert [seat.name for seat in table.in_order] == ["Ana", "Łukasz", "Zoë"]
    began = events.GameBegan(order=("s3", "s1", "s2"), first="s1", caller="s3")
    table = evolve(table, began)
    assert [seat.name for seat in table.in_order] == ["Ana", "Zoë", "Łukasz"]


def test_the_first_player_comes_after_the_last() -> None:
    order = ("a", "b", "c")
    assert [next_living(order, order, seat) for seat in order] == ["b", "c", "a"]
    assert [previous_living(order, order, seat) for seat in order] == ["c", "a", "b"]


def test_the_chain_closes_up_around_a_player_who_is_out() -> None:
    order = ("a", "b", "c", "d")
    living = ("a", "d")
    assert next_living(order, living, "a") == "d"
    assert previous_living(order, living, "d") == "a"
    assert next_living(order, living, "b") == "d"
    assert previous_living(order, living, "b") == "a"


def test_the_only_living_player_comes_after_themselves() -> None:
    assert next_living(("a", "b"), ("a",), "a") == "a"
