"""Converts types to JSON Schemas, each under a name of its own.

Schemas of objects allow no additional keys. If both game families (draw grid and pile) have a type
of the same name, the family becomes part of the name (``PilePlayCard``).
"""

import json
import re
from collections.abc import Iterable, Mapping
from types import GenericAlias
from typing import Any, get_args, get_origin, get_type_hints

import msgspec
from msgspec import UNSET, Struct, UnsetType, defstruct

from companion.rules.families import FAMILIES
from companion.rules.pile.commands import Combos
from companion.web.wire_schema import grid, pile, views

Schema = dict[str, Any]
Schemas = dict[str, Schema]

HERE = "#/components/schemas/"
REF = re.compile(HERE + r"(\w+)")

KNOWN_STILL = {"known": str, "target": str, "cell": views.Cell, "card": str, "cards": list[str]}
"""Optional keys in the ``facts`` of a log entry ``undone``, with the types of their values.

They describe what everybody still knows about cards after the undo. ``known`` is the kind of this
knowledge, such as ``held`` for cards that a hand held. The other keys name the seat, cell or cards.
"""

VIEWS: dict[str, type[Struct]] = {"grid": grid.GridView, "pile": pile.PileView}

LISTED: dict[str, tuple[type[Struct], ...]] = {"grid": (), "pile": (Combos,)}
"""Maps a family to the types in a view's ``may`` that are not commands.

``may`` lists what the viewer can do now. One ``Combos`` stands for several ``PlayCombo`` commands.
"""


def make_ref(name: str) -> Schema:
    """Return a reference to a component."""
    return {"$ref": HERE + name}


def any_of(names: Iterable[str]) -> Schema:
    """Return the schema of a choice between components."""
    return {"anyOf": [make_ref(name) for name in names]}


def component_schemas(*kinds: Any) -> Schemas:
    """Return the schemas of these types and of all types that they contain, by name."""
    _, found = msgspec.json.schema_components(kinds, ref_template=HERE + "{name}")
    return {name: _simplify(schema) for name, schema in found.items()}


def _simplify(schema: Any) -> Schema:
    """Simplify a schema.

    Forbid additional keys, put the description on one line, and use ``const`` for a single value.
    """
    if "description" in schema:
        schema["description"] = " ".join(schema["description"].replace("``", "`").split())
    for key, inner in schema.get("properties", {}).items():
        if len(inner.get("enum", ())) == 1:
            schema["properties"][key] = {"const": inner["enum"][0]}
    return {**schema, "additionalProperties": False} if "properties" in schema else schema


def all_components(*kinds: Any) -> Schemas:
    """Return the schemas of all types of both families, and of the types ``kinds``, by name."""
    both = {id: _family_schemas(id) for id in FAMILIES}
    shared = _find_equal_names(*both.values())
    found: Schemas = {name: both["grid"][name] for name in shared}
    for id, own in both.items():
        names = {name: _own_name(name, id) for name in own if name not in shared}
        assert len({*names.values()}) == len(names), "two records of one name"
        found |= {names[name]: _rename_refs(own[name], names) for name in names}
    found["May"] = any_of(["GridMay", "PileMay"])
    return found | component_schemas(*kinds)


def _own_name(name: str, id: str) -> str:
    return name if name.startswith(id.title()) else id.title() + name


def _find_equal_names(one: Schemas, other: Schemas) -> set[str]:
    """Return the names of the schemas that are equal in both families.

    A schema counts as equal only if all schemas that it refers to are equal, too.
    """
    alike = {name for name in one.keys() & other.keys() if one[name] == other[name]}
    while different := {name for name in alike if not referenced_names(one[name]) <= alike}:
        alike -= different
    return alike


def referenced_names(schema: Any) -> set[str]:
    """Return the names of the components that a schema refers to."""
    return {*REF.findall(json.dumps(schema))}


def _rename_refs(schema: Any, names: Mapping[str, str]) -> Any:
    """Return the schema with its references renamed."""

    def replacement(match: re.Match[str]) -> str:
        return HERE + names.get(match[1], match[1])

    return json.loads(REF.sub(replacement, json.dumps(schema)))


def _family_schemas(id: str) -> Schemas:
    """Return the schemas of everything that is sent at a table of this family."""
    family = FAMILIES[id]
    view = VIEWS[id]
    commands = [kind.__name__ for kind in get_args(family.command)]
    found = component_schemas(view, _patch_type(view), family.command, family.variant)
    listed = component_schemas(*LISTED[id])
    found |= listed | _entry_schemas(family.event)
    found |= {"Said": any_of(commands), "May": any_of([*commands, *listed])}
    for schema in found.values():
        for field, item in (("log", "Entry"), ("may", "May")):
            if field in schema.get("properties", ()):
                schema["properties"][field]["items"] = make_ref(item)
    return found


def _patch_type(view: type[Struct]) -> type[Struct]:
    """Return the type of the patches of a view."""
    name = view.__name__.removesuffix("View")
    fields = get_type_hints(view)
    seat: Any = get_args(fields["seats"])[0]
    inner = {key: _find_struct(kind) for key, kind in fields.items()}
    changed = {key: _make_keys_optional(kind) for key, kind in inner.items() if kind}
    changes = _make_type(
        f"{name}Changes", {**changed, "seats": _by_seat(_make_keys_optional(seat))}
    )
    parts = {
        "set": _make_keys_optional(view),
        "seats": _by_seat(seat),
        "you": fields["you"],
        "keys": changes,
    }
    return _make_type(f"{name}Patch", parts, views.SomePatch)


def _by_seat(kind: type[Struct]) -> Any:
    return GenericAlias(dict, (str, kind))


def _find_struct(kind: Any) -> type[Struct] | None:
    """Return the struct type among the types of a field, or None if there is none."""
    kinds = () if get_origin(kind) in (list, dict) else (kind, *get_args(kind))
    return next((one for one in kinds if isinstance(one, type) and issubclass(one, Struct)), None)


def _make_keys_optional(kind: type[Struct]) -> type[Struct]:
    """Return a type with the same keys, all of them optional."""
    return _make_type(f"{kind.__name__}Keys", get_type_hints(kind))


def _make_type(name: str, fields: Mapping[str, Any], *bases: type[Struct]) -> type[Struct]:
    """Return a new type with these keys, all of them optional."""
    optional = [(key, kind | UnsetType, UNSET) for key, kind in fields.items()]
    return defstruct(name, optional, bases=bases or (views.Shown,), kw_only=True)


def _entry_schemas(events: Any) -> Schemas:
    """Return the schema of a log entry for each event type. The event's keys are in ``facts``."""
    kinds = {
        (get_origin(kind) or kind).__name__: get_origin(kind) or kind for kind in get_args(events)
    }
    found = component_schemas(events)
    inner = dict[str, str]()
    lines = dict[str, Schema]()
    for name in found:
        if name.partition("_")[0] not in kinds:
            inner[name] = f"{name}Fact"
    for name, schema in _rename_refs(found, inner).items():
        if kind := kinds.get(name.partition("_")[0]):
            lines[f"{kind.__name__}Entry"] = _entry(kind, schema)
        else:
            lines[inner[name]] = schema
    return {**lines, "Entry": any_of(name for name in lines if name.endswith("Entry"))}


def _entry(record: type[Struct], event: Schema) -> Schema:
    tag = str(record.__struct_config__.tag)
    facts = {key: schema for key, schema in event["properties"].items() if key != "type"}
    if tag == "undone":
        facts |= {key: msgspec.json.schema(kind) for key, kind in KNOWN_STILL.items()}
    properties: Schemas = {
        "version": {"type": "integer"},
        "at": {"type": "integer"},
        "type": {"const": tag},
        "seat": {"type": ["string", "null"]},
        "facts": {
            "title": f"{record.__name__}Facts",
            "type": "object",
            "properties": {**facts, "place": {"description": "Where that lies, to be spoken."}},
            "required": [key for key in event.get("required", ()) if key != "type"],
            "additionalProperties": False,
        },
        "case": {"type": "string"},
        "text": {"type": "string"},
    }
    return {
        "title": f"{record.__name__}Entry",
        "description": event.get("description", ""),
        "type": "object",
        "properties": properties,
        "required": [key for key in properties if key != "case"],
        "additionalProperties": False,
    }
