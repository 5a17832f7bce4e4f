"""House rules: what a table changes of its variant (ruling house-rules), as data. A *field* is what
can be changed, by its key: ``cards.skip``, ``deal.hand``, ``titles.skip``. What somebody says is an
overlay: only what differs, the keys' parts as tables in each other. It is laid over the variant,
and then checked by what checks a variant's files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from msgspec import UNSET, Struct, UnsetType, field, structs

from companion.rules.core import limits
from companion.rules.core.characters import CLUSTERS, visible
from companion.rules.core.limits import Fields
from companion.rules.core.names import same_name
from companion.rules.core.rulings import Refused

if TYPE_CHECKING:
    from companion.rules.core.family import Family
    from companion.rules.core.variant import Variant

V = TypeVar("V", bound="Variant")
Value = int | bool | str | tuple[str, ...]
Term = tuple[int | str, ...]  # factors: numbers, and fields by their keys
_OF_THE_HOUSE: Literal["house"] = "house"  # the source of a ruling that house rules changed
TOLD = 20  # how many faults are told at once
Facts = Mapping[str, object]


class Change(Struct, frozen=True):
    """What isn't as the variant has it; of a pile's cards what it was for those who sat there."""

    key: str
    was: Value = field(name="from")
    to: Value


class HouseRuleChanges(Struct, frozen=True):
    """A table's house rules, in the order of the fields."""

    name: str | None
    changes: tuple[Change, ...]


class Field(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What can be changed, and what the variant has. ``least`` and ``most``: of a count, or of a
    text's characters. ``of``: of these it is one, or (``many``) some. ``box``: how many of a card
    the box holds; more are no fault. ``varies``: it rests on how many play."""

    key: str
    kind: Literal["count", "bool", "choice", "many", "text"]
    value: Value = field(name="is")
    least: int | UnsetType = UNSET
    most: int | UnsetType = UNSET
    of: tuple[str, ...] | UnsetType = UNSET
    box: int | UnsetType = UNSET
    varies: bool = False

    def parse(self, said: Any) -> Value:
        """What is said as its value; raises ``Wrong``."""
        kinds = {"count": int, "bool": bool, "many": list}
        if type(said) is not kinds.get(self.kind, str):
            raise FieldError(code="type", should=self.kind)
        if isinstance(said, str) and self.kind == "text":
            said = visible(said)
            if said is None or {*said} & {*"{}|*"}:  # sentences read these
                raise FieldError(code="bounds", least=1, most=CLUSTERS)
        elif isinstance(said, str | list):
            known = self.of or ()
            chosen = [said] if isinstance(said, str) else said
            if any(one not in known or chosen.count(one) > 1 for one in chosen):
                raise FieldError(code="bounds", should=known)
            said = said if isinstance(said, str) else tuple(o for o in known if o in chosen)
        elif type(said) is int and not (self.least or 0) <= said <= (self.most or 0):
            raise FieldError(code="bounds", **{"is": said}, least=self.least, most=self.most)
        value: Value = said
        return value


class SumConstraint(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Terms which, added, must be as much as others, or (``at_most``) no more; ``when``: only where
    fields are so. ``evens``: the fields that can be moved to make it hold, in this order."""

    id: str
    value: tuple[Term, ...] = field(name="is")
    should: tuple[Term, ...]
    evens: tuple[str, ...]
    at_most: bool = False
    when: dict[str, Value] | UnsetType = UNSET


class Form(Struct, frozen=True, kw_only=True):
    """What of a variant can be changed, for so many players as it was made for."""

    fields: tuple[Field, ...]
    sums: tuple[SumConstraint, ...]


class FieldError(Exception):
    """What is wrong with a value: a fault's facts."""

    def __init__(self, **facts: object) -> None:
        self.facts = facts


class InvalidHouseRules(Refused):
    """House rules that can't be; ``faults``: why not, by key."""

    code = "bad_request"

    def __init__(self, faults: list[Facts]) -> None:
        self.faults = faults[:TOLD]
        at = f"$.rules.{faults[0]['key']}"
        why = describe_fault(faults[0])
        super().__init__(None, case="house_rules", at=at, why=why, faults=self.faults)


def describe_fault(fault: Facts) -> str:
    """A fault in a sentence, for whoever reads files."""
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


def validate(base: Variant, family: Family, rules: Fields, players: int) -> HouseRuleChanges:
    """What an overlay changes of the variant, for so many players; raises ``Unfit``."""
    fields = {(*one.key.split("."),): one for one in base.form(players).fields}
    fields["name",] = Field(key="name", kind="text", value="")
    said = dict[tuple[str, ...], Value]()
    faults = list[Facts]()
    for key, value in _flatten(rules, {key[0] for key in fields if len(key) > 1}):
        try:
            if key not in fields:
                raise FieldError(code="unknown")
            said[key] = fields[key].parse(value)
        except FieldError as wrong:
            faults.append({"key": ".".join(key)[:60], **wrong.facts})
    if faults:
        raise InvalidHouseRules(faults)
    name = said.pop(("name",), None)
    found = [Change(one.key, one.value, said[key]) for key, one in fields.items() if key in said]
    varies = {one.key for one in fields.values() if one.varies}
    found = [change for change in found if change.was != change.to or change.key in varies]
    result = apply(base, found, players)
    faults = [*_same_titles(result, found)]
    faults += [one.fault for one in limits.validation_errors(structs.asdict(result), family)]
    if faults:
        raise InvalidHouseRules(faults)
    return HouseRuleChanges(None if name is None else str(name), tuple(found))


def _same_titles(variant: Variant, changes: Iterable[Change]) -> Iterator[Facts]:
    """The new titles that another card has, too, in whichever language: case, accents and spacing
    don't count."""
    renamed = [one.key.partition(".")[2] for one in changes if one.key.startswith("titles.")]
    for title in renamed:
        for other in variant.by_title:
            pairs = ((text.cards[title].title, text.cards[other].title)
                     for text in variant.texts.values())  # fmt: skip
            if other != title and any(same_name(one) == same_name(two) for one, two in pairs):
                yield {"key": f"titles.{title}", "code": "same", "other": f"titles.{other}"}
                break


def _flatten(rules: Fields, groups: set[str]) -> Iterator[tuple[tuple[str, ...], object]]:
    """Each key, in parts, and what is said there; a name of nothing is none."""
    for key, value in rules.items():
        if isinstance(value, dict) and (value or key in groups):
            yield from (((key, inner), one) for inner, one in value.items())
        elif (key, value) != ("name", None):
            yield (key,), value


def apply(base: V, changes: Iterable[Change], players: int) -> V:
    """The variant with these changes, as far as so many and more or fewer players can be dealt.
    What they change of its rulings is a house rule. Logs are read with it for ever: the same
    changes make the same variant."""
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
    result = type(base)(**fields).serving(players)
    rulings = {slug for change in changes for slug in base.rulings_changed_by(change)}
    if result.players != base.players:
        rulings.add("player-count")
    of_the_house = dict.fromkeys(rulings & base.sources.keys(), _OF_THE_HOUSE)
    return structs.replace(result, sources={**base.sources, **of_the_house})
