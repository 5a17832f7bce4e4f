"""The form of house rules: the fields of a variant that a host may change, and their limits."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import UNSET, Struct, UnsetType, field

from companion.rules.text.characters import CLUSTERS, trim_visible_text

Value = int | bool | str | tuple[str, ...]


Term = tuple[int | str, ...]  # a product, whose factors are numbers and the keys of fields


class Change(Struct, frozen=True):
    """A change of one field."""

    key: str
    was: Value = field(name="from")
    """The value in the variant's own files. If that value depends on the number of players, this is
    the value for the number of seats that the table had when the change was made."""
    to: Value


class HouseRuleChanges(Struct, frozen=True):
    """A table's house rules: their name, and the changes in the order of the form's fields."""

    name: str | None
    changes: tuple[Change, ...]


class Field(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A field that house rules can change."""

    key: str
    kind: Literal["count", "bool", "choice", "many", "text"]
    """``count`` is a whole number, ``bool`` a yes or no, and ``text`` a title or name. ``choice``
    is one value in ``of``, and ``many`` any number of the values in ``of``."""
    value: Value = field(name="is")  # the variant's own value
    least: int | UnsetType = UNSET  # minimum of a count, or of a text's length in characters
    most: int | UnsetType = UNSET
    of: tuple[str, ...] | UnsetType = UNSET  # the values to choose from
    box: int | UnsetType = UNSET
    """The number of these cards in the box, which house rules may exceed."""
    varies: bool = False  # True if the variant's own value depends on the number of players

    def parse(self, given: Any) -> Value:
        """Return the given value as a value of this field. Raises ``FieldError`` if it isn't
        allowed."""
        kinds = {"count": int, "bool": bool, "many": list}
        if type(given) is not kinds.get(self.kind, str):
            raise FieldError(code="type", should=self.kind)
        if isinstance(given, str) and self.kind == "text":
            given = trim_visible_text(given)
            # these characters are part of the syntax of placeholders
            if given is None or {*given} & {*"{}|*"}:
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
    """A constraint on house rules: the terms in ``value`` must have the same sum as those in
    ``should``."""

    id: str
    value: tuple[Term, ...] = field(name="is")
    should: tuple[Term, ...]
    evens: tuple[str, ...]
    """The keys of the fields that a panel may adjust to satisfy the constraint, in this order."""
    at_most: bool = False  # True if the sum of ``value`` may also be smaller
    when: dict[str, Value] | UnsetType = UNSET
    """The constraint applies only while each of these fields has the value given here."""


class Form(Struct, frozen=True, kw_only=True):
    """The fields of a variant that house rules can change, and their constraints, for one number of
    players."""

    fields: tuple[Field, ...]
    sums: tuple[SumConstraint, ...]


class FieldError(Exception):
    """A value isn't allowed for a field. ``facts`` describe the error."""

    def __init__(self, **facts: object) -> None:
        self.facts = facts
