"""House rules: the changes that a table's host makes to its variant (ruling house-rules).

A *field* is one thing that can be changed. Its key names it: ``cards.skip``, ``deal.hand``,
``titles.skip``. The host sends an *overlay* with only the values that differ, as nested tables:
``{"cards": {"skip": 4}}``. The overlay is applied to the variant, and the result has to pass the
same checks as a variant's files.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Literal, TypeVar

from msgspec import structs

from companion.rules.text.names import name_key
from companion.rules.text.rulings import Refused
from companion.rules.variants.form import Change, Field, FieldError, HouseRuleChanges, Value
from companion.rules.variants.limits import Fields
from companion.rules.variants.schema import VariantSchema
from companion.rules.variants.variant import Variant

V = TypeVar("V", bound=Variant)
_OF_THE_HOUSE: Literal["house"] = "house"  # the source of a ruling that house rules changed
MAX_FAULTS = 20  # maximum number of faults in one answer
Facts = Mapping[str, object]


class InvalidHouseRules(Refused):
    """House rules are refused. Each of the ``faults`` has a ``key``, a ``code`` and facts."""

    code = "bad_request"

    def __init__(self, faults: list[Facts]) -> None:
        self.faults = faults[:MAX_FAULTS]
        at = f"$.rules.{faults[0]['key']}"
        why = describe_fault(faults[0])
        super().__init__(None, case="house_rules", at=at, why=why, faults=self.faults)


def describe_fault(fault: Facts) -> str:
    """Return an English sentence about a fault, for authors of files with house rules."""
    of = fault.get("should")
    match fault:
        case {"code": "unknown"}:
            return "is not known"
        case {"code": "same", "other": other}:
            return f"is what {other} is called, too"
        case {"code": "type"}:
            return f"must be a {of}"
        case {"code": "sum"}:
            return f"comes to {fault['is']}, and should to {of}"
        case {"least": least, "most": most}:
            return f"must be {least} to {most}"
    return f"must be of {', '.join(of)}" if isinstance(of, tuple) else "is out of bounds"


def validate(base: Variant, family: VariantSchema, rules: Fields, players: int) -> HouseRuleChanges:
    """Return the changes that an overlay makes to the variant with this number of players.

    Raises ``InvalidHouseRules`` if a value is wrong, or if no game can be played with the result.
    """
    fields = {(*field.key.split("."),): field for field in base.form(players).fields}
    fields["name",] = Field(key="name", kind="text", value="")
    values = dict[tuple[str, ...], Value]()
    faults = list[Facts]()
    for key, value in _flatten(rules, {key[0] for key in fields if len(key) > 1}):
        try:
            if key not in fields:
                raise FieldError(code="unknown")
            values[key] = fields[key].parse(value)
        except FieldError as error:
            faults.append({"key": ".".join(key)[:60], **error.facts})
    if faults:
        raise InvalidHouseRules(faults)
    name = values.pop(("name",), None)
    changes = [
        Change(field.key, field.value, values[key])
        for key, field in fields.items()
        if key in values and (field.value != values[key] or field.varies)
    ]
    result = apply(base, changes, players)
    faults = [*_title_faults(result, changes)]
    faults += [error.fault for error in family.errors(structs.asdict(result))]
    if faults:
        raise InvalidHouseRules(faults)
    return HouseRuleChanges(None if name is None else str(name), tuple(changes))


def _title_faults(variant: Variant, changes: Iterable[Change]) -> Iterator[Facts]:
    """Yield a fault for each new title that another card has in any language.

    The comparison ignores case, accents and spacing.
    """
    retitled = [c.key.partition(".")[2] for c in changes if c.key.startswith("titles.")]
    for card in retitled:
        for other in variant.by_title:
            pairs = ((text.cards[card].title, text.cards[other].title)
                     for text in variant.texts.values())  # fmt: skip
            if other != card and any(name_key(new) == name_key(old) for new, old in pairs):
                yield {"key": f"titles.{card}", "code": "same", "other": f"titles.{other}"}
                break


def _flatten(rules: Fields, groups: set[str]) -> Iterator[tuple[tuple[str, ...], object]]:
    """Yield each key of an overlay, split at its dot, with the key's value.

    For example, ``{"cards": {"skip": 4}}`` yields ``(("cards", "skip"), 4)``. ``groups`` has the
    first parts of all keys with a dot, such as ``cards``. A ``name`` that is None is left out.
    """
    for key, value in rules.items():
        if isinstance(value, dict) and (value or key in groups):
            yield from (((key, inner_key), inner) for inner_key, inner in value.items())
        elif (key, value) != ("name", None):
            yield (key,), value


def apply(base: V, changes: Iterable[Change], players: int) -> V:
    """Return the variant with these changes.

    The new variant allows only numbers of players for which it has enough cards (see
    ``Variant.limit_players``). The rulings that change get the source ``house``. Old logs are read
    with this function, so the same changes must always produce the same variant.
    """
    fields: Fields = structs.asdict(base)
    changes = tuple(changes)
    for change in changes:
        part, _, name = change.key.partition(".")
        if part == "cards":
            fields["cards"] = tuple(
                structs.replace(card, count=change.to) if card.id == name else card
                for card in fields["cards"]
            )
        elif part == "titles":
            fields["texts"] = {
                language: text.with_title(base.by_title[name], str(change.to))
                for language, text in fields["texts"].items()
            }
        elif name:
            fields[part] = structs.replace(fields[part], **{name: change.to})
        else:
            fields[part] = change.to
    result = type(base)(**fields).limit_players(players)
    rulings = {slug for change in changes for slug in base.rulings_changed_by(change)}
    if result.players != base.players:
        rulings.add("player-count")
    of_the_house = dict.fromkeys(rulings & base.sources.keys(), _OF_THE_HOUSE)
    return structs.replace(result, sources={**base.sources, **of_the_house})
