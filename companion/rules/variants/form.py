"""The form of house rules: the fields of a variant that a host may change, and their limits."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import UNSET, Struct, UnsetType, field

from companion.rules.text.characters import CLUSTERS, visible_text

Value = int | bool | str | tuple[str, ...]


Term = tuple[int | str, ...]  # a product of numbers and of fields, given by their keys


class Change(Struct, frozen=True):
    """One changed field."""

    key: str
    was: Value = field(name="from")
    """The variant's value. For a card of the pile, its value for the number of seats at that
    time."""
    to: Value


class HouseRuleChanges(Struct, frozen=True):
    """A table's house rules, in the order of the fields."""

    name: str | None
    changes: tuple[Change, ...]


class Field(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A field that house rules can change."""

    key: str
    kind: Literal["count", "bool", "choice", "many", "text"]  # ``many``: several of ``of``
    value: Value = field(name="is")  # the variant's value
    least: int | UnsetType = UNSET  # minimum of a count, or of a text's length in characters
    most: int | UnsetType = UNSET
    of: tuple[str, ...] | UnsetType = UNSET  # the values to choose from
    box: int | UnsetType = UNSET  # the number of such cards in the box; a larger value is allowed
    varies: bool = False  # whether the variant's value depends on the number of players

    def parse(self, given: Any) -> Value:
        """Return the given value as a value of this field; raises ``FieldError``."""
        kinds = {"count": int, "bool": bool, "many": list}
        if type(given) is not kinds.get(self.kind, str):
            raise FieldError(code="type", should=self.kind)
        if isinstance(given, str) and self.kind == "text":
            given = visible_text(given)
            if given is None or {*given} & {*"{}|*"}:  # these are syntax in sentences
                raise FieldError(code="bounds", least=1, most=CLUSTERS)
        elif isinstance(given, str | list):
            options = self.of or ()
            chosen = [given] if isinstance(given, str) else given
            if any(option not in options or chosen.count(option) > 1 for option in chosen):
                raise FieldError(code="bounds", should=options)
            given = given if isinstance(given, str) else tuple(o for o in options if o in chosen)
        elif type(given) is int and not (self.least or 0) <= given <= (self.most or 0):
            raise FieldError(code="bounds", **{"is": given}, least=self.least, most=self.most)
        value: Value = given
        return value


class SumConstraint(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A constraint: the terms in ``value`` must add up to the same sum as those in ``should``."""

    id: str
    value: tuple[Term, ...] = field(name="is")
    should: tuple[Term, ...]
    evens: tuple[str, ...]
    """The fields that a panel may adjust to fulfil the constraint, in this order."""
    at_most: bool = False  # the sum may also be smaller
    when: dict[str, Value] | UnsetType = UNSET  # applies only if these fields have these values


class Form(Struct, frozen=True, kw_only=True):
    """The fields of a variant that can be changed for one number of players, and their
    constraints."""

    fields: tuple[Field, ...]
    sums: tuple[SumConstraint, ...]


class FieldError(Exception):
    """A value that the field can't have; ``facts`` describe the error."""

    def __init__(self, **facts: object) -> None:
        self.facts = facts
