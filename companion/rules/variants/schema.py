"""The contents of the files of a family's variants: their types, their sentences, their limits."""

from collections.abc import Callable, Mapping
from functools import cached_property

from msgspec import Struct, structs

from companion.rules.variants import limits
from companion.rules.variants.limits import Fields, VariantError, VariantErrors
from companion.rules.variants.variant import Card, Variant


class VariantSchema(Struct, frozen=True, kw_only=True, dict=True):
    """The part of a family of games that describes the files of its variants."""

    id: str
    variant: type[Variant]
    card: type[Card]
    box: type[Struct] | None = None
    """The class for a box in ``editions.toml``, if the family has editions."""
    effects: frozenset[str]
    """The effects that its cards can have."""
    rulings: frozenset[str]
    """The slugs of all rulings, including those of the table."""
    sentences: Mapping[str, Mapping[str, frozenset[str]]]
    """The sentences that every language must have: section -> key -> names of facts."""
    limit_errors: Callable[[Fields], VariantErrors]
    """Yields an error for each of a variant's fields that is too large or malformed."""
    unplayable_errors: Callable[[Fields], VariantErrors]
    """Yields an error for each reason why no game can be played with a variant's fields."""

    @cached_property
    def fields(self) -> Mapping[str, object]:
        """The types of those top-level keys of ``variant.toml`` that are read as they are."""
        others = ("cards", "sources", "texts", "topics", "presets", "editions")
        return {field.name: field.type for field in structs.fields(self.variant)
                if field.name not in others}  # fmt: skip

    def errors(self, fields: Fields) -> list[VariantError]:
        """Return the errors of a variant's fields; those of size come first and hide the rest.

        With a field that is too large, the other checks would take too long or make no sense.
        """
        errors = [*limits.limit_errors(fields), *self.limit_errors(fields)]
        return errors or [*limits.unplayable_errors(fields), *self.unplayable_errors(fields)]
