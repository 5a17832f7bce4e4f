"""The schema of a family's variants: the types, messages and limits of their files."""

from collections.abc import Callable, Collection, Mapping
from functools import cached_property
from typing import Self

from msgspec import UNSET, Struct, structs

from companion.rules.variants import limits
from companion.rules.variants.limits import Fields, VariantError, VariantErrors
from companion.rules.variants.variant import Card, Variant


class VariantSchema(Struct, frozen=True, kw_only=True, dict=True):
    """The description of the files that a family's variants consist of."""

    id: str
    variant: type[Variant]
    card: type[Card]
    box: type[Struct] | None = None
    """The class for a box in ``editions.toml``, or None if the family has no editions."""
    effects: frozenset[str]
    """The effects that the family's cards can have."""
    rulings: frozenset[str]
    """The slugs of all rulings, including those of the table."""
    sentences: Mapping[str, Mapping[str, frozenset[str]]]
    """The messages that every language must have. Maps a section to its message keys, and each
    message key to the names of the placeholders that the message may use."""
    only_with: Mapping[str, frozenset[str]] = {}
    """Maps a ruling's slug, an event's tag or a sentence's key to the effects that it belongs to. A
    variant without any of these effects has no texts about it. Rulings, events and sentences that
    belong to no effect aren't in this mapping."""
    limit_errors: Callable[[Fields], VariantErrors]
    """Yields an error for each of a variant's fields that is too large or malformed."""
    unplayable_errors: Callable[[Fields], VariantErrors]
    """Yields an error for each reason why no game can be played with a variant's fields."""

    @cached_property
    def fields(self) -> Mapping[str, object]:
        """The types of the top-level keys of ``variant.toml`` that become fields without further
        processing."""
        others = (
            "cards",
            "sources",
            "texts",
            "topics",
            "presets",
            "editions",
            "expansion",
            "expands",
        )
        return {field.name: field.type for field in structs.fields(self.variant)
                if field.name not in others}  # fmt: skip

    @cached_property
    def optional_fields(self) -> frozenset[str]:
        """The fields that ``variant.toml`` may leave out: those that are unset by default."""
        unset = (field.name for field in structs.fields(self.variant) if field.default is UNSET)
        return frozenset(unset)

    def without_absent_texts(self, effects: Collection[str]) -> Self:
        """Return the schema for a variant whose cards have only these effects.

        Rulings and sentences about other effects are removed. Rulings and sentences that belong to
        no effect at all stay.
        """
        absent = {name for name, owners in self.only_with.items() if not owners & {*effects}}
        sentences = {
            section: {
                key: facts for key, facts in keys.items() if not {key, key.split("/")[0]} & absent
            }
            for section, keys in self.sentences.items()
        }
        return structs.replace(self, rulings=self.rulings - absent, sentences=sentences)

    def errors(self, fields: Fields) -> list[VariantError]:
        """Return the errors in a variant's fields. If a field is too large, return only such
        errors.

        The other checks could take too long with such a field, or make no sense.
        """
        errors = [*limits.limit_errors(fields), *self.limit_errors(fields)]
        return errors or [*limits.unplayable_errors(fields), *self.unplayable_errors(fields)]
