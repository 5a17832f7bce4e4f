"""Loading of variants from their folders, with strict checks.

A variant's folder holds ``variant.toml``, ``rulings.toml``, optionally ``editions.toml``, and one
``<language>.toml`` per language. A variant with the key ``like`` contains only what differs from
that other variant. With the key ``expansion``, the files of an expansion are laid over those of the
other variant. All faults are reported at once, each with its file and place.
"""

import re
from collections.abc import Collection, Container, Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from companion.rules.text.sentences import parse_placeholders
from companion.rules.variants import files, house_rules
from companion.rules.variants.files import MOST_LETTERS, File
from companion.rules.variants.limits import Fields
from companion.rules.variants.schema import VariantSchema
from companion.rules.variants.variant import NAME, Source, Strict, Texts, Topic, Variant

Families = Mapping[str, VariantSchema]

DEFAULT_FAMILY = (
    "grid"  # the only family when the oldest files and logs were written; they don't name it
)


class Faults(Exception):
    """All faults in a variant's files, as lines such as ``en.toml: cards: is missing``."""

    def __init__(self, lines: list[str]) -> None:
        super().__init__("\n".join(lines))
        self.lines = lines


def load(folder: Path, families: Families) -> Variant:
    """Load the variant in ``folder``; raises ``Faults`` with everything that is wrong."""
    faults: list[str] = []
    files_by_name = _open_files(folder, faults)
    main = files_by_name.pop("variant.toml")
    rulings = files_by_name.pop("rulings.toml")
    missing_keys = [key for key in _ALWAYS if key not in main.content]
    if len(missing_keys) > 1 and "like" not in main.content:
        why = f"is missing; without it {', '.join(missing_keys)} must stand here, too"
        raise Faults([f"{main.name}: like: {why}"])
    family = families.get(str(main.content.get("family", DEFAULT_FAMILY)))
    if family is None:
        main.add_fault("family", f"must be one of {', '.join(families)}")
        raise Faults(faults)
    fields = _read_main(main, family, families)
    family = family.without_absent_texts([card.effect for card in fields["cards"] or ()])
    _check_elsewhere(main, family, fields["elsewhere"] or {})
    fields["sources"] = rulings.convert(
        "rulings", rulings.get_section("rulings", family.rulings), dict[str, Source]
    )
    topics = fields["topics"] = _read_topics(rulings, family)
    boxes = _read_boxes(files_by_name.pop("editions.toml"), main, family, fields)
    if family.box is not None:
        fields["editions"] = boxes
    required = {
        "cards": {card.id for card in fields["cards"] or ()},
        "editions": {box.id for box in boxes},
        "topics": {topic.id for topic in topics},
        "rulings": family.rulings,
    }
    _fall_back_to_english(files_by_name)  # ``files_by_name`` now has only the languages' files
    texts_or_none = {
        name.removesuffix(".toml"): _read_texts(file, required, family)
        for name, file in files_by_name.items()
    }
    if fields["language"] not in texts_or_none:
        main.add_fault("language", f"there is no {fields['language']}.toml")
    if faults:
        raise Faults(faults)
    texts = {name: text for name, text in texts_or_none.items() if text is not None}
    if "expansion" in fields:
        texts = {name: _without_own_titles(text, fields) for name, text in texts.items()}
    variant: Variant = family.variant(**fields, texts=texts)
    for language, text in texts.items():
        file = files_by_name[f"{language}.toml"]
        places = [*NAME.finditer(msgspec.json.encode(file.own).decode())]
        for name in sorted({match["name"] for match in places} - variant.names(text).keys()):
            file.add_fault(name, "is no figure and no title of this game")
        for match in places:
            article, name = match["article"], match["name"]
            if article is not None and article not in text.small:
                file.add_fault(name, _describe_unknown_article(article, name))
        for place, left in _find_unfilled_braces(file.own, family.sentences):
            file.add_fault(place, f"{left} can't be filled in")
    if faults:
        raise Faults(faults)
    return replace(variant, presets=_valid_presets(variant, family))


def _find_unfilled_braces(
    content: Fields, sentences: Container[str], place: str = ""
) -> Iterator[tuple[str, str]]:
    """Yield the place of each text whose braces name no figure and no title, with the first such
    braces.

    The sections ``sentences`` are left out, because the messages there have other placeholders,
    too.
    """
    for key, value in content.items():
        if isinstance(value, dict):
            if place or key not in sentences:
                yield from _find_unfilled_braces(value, sentences, f"{place}{key}.")
        elif isinstance(value, str) and (left := _BRACES.search(NAME.sub("", value))):
            yield f"{place}{key}", left[0]


_BRACES = re.compile(r"\{[^{}]*\}?|\}")


def _without_own_titles(text: Texts, fields: Fields) -> Texts:
    """Return the texts without the titles in ``elsewhere`` that belong to this game since it has
    the expansion."""
    others = {key: title for key, title in text.elsewhere.items() if key in fields["elsewhere"]}
    return replace(text, elsewhere=others)


def _valid_presets(variant: Variant, family: VariantSchema) -> dict[str, Fields]:
    """Return the presets that are valid for this variant.

    Presets inherited from another variant may not fit this variant's numbers or cards.
    """
    valid = {}
    for name, rules in variant.presets.items():
        with suppress(house_rules.InvalidHouseRules):
            house_rules.validate(variant, family, rules, variant.players.least)
            valid[name] = rules
    return valid


_NEEDED = {"variant.toml", "rulings.toml"}
# the folder's files; a variant without a base must have all of them
_ALWAYS = "language", "players", "window", "elsewhere", "cards"


def _open_files(folder: Path, faults: list[str]) -> dict[str, File]:
    """Return all files of the variant by name. Raises ``Faults`` if one can't be read, because no
    other check makes sense then."""
    folders = files.base_folders(folder, faults)
    paths = [path for base in folders for path in files.list_files(base)]
    for path in paths:
        if path.name not in files.NO_WORDS and (why := files.find_name_error(path)):
            faults.append(f"{path.parent.name}/{path.name}: {why}")
    if folders:  # `base_folders` returned no folders if the files are too large in total
        # This file is checked first, because its key ``like`` names the base variant.
        files.open_layered("variant.toml", folders, faults)
    if faults:
        raise Faults(faults)
    existing = {path.name for path in paths} - {files.EXPANSION}
    names = sorted(existing | _NEEDED | {"editions.toml"}) if folders else ()
    by_name = {
        name: files.open_layered(name, folders, faults, name in existing | _NEEDED)
        for name in names
    }
    if faults:
        raise Faults(faults)
    return by_name


def _fall_back_to_english(languages: dict[str, File]) -> None:
    """Fill in each language's missing texts with the English ones."""
    english = languages.get("en.toml")
    if english is None:
        return
    below = {key: value for key, value in english.content.items() if key not in ("search", "words")}
    for name, file in languages.items():
        if file is not english:
            content = files.merge_tables(below, file.content)
            if isinstance(own := file.content.get("small"), dict):
                # a language's own articles and prepositions replace the English ones
                content["small"] |= own
            languages[name] = replace(file, content=content)


class _Rules(Strict, frozen=True, kw_only=True):
    """A file with house rules, which turn the variant in ``like`` into a new variant."""

    format: Literal["hiss-rules"]
    version: Literal[1]
    like: str
    rules: Fields


class _LikeOneWithFaults(Exception):
    """The base variant of a file with house rules has faults itself. Those are reported instead."""


def _load_house_rules(
    file: Path,
    variants: dict[str, Variant],
    beside: Path,
    families: Families,
    broken: Collection[str],
) -> Variant:
    """Load a file with house rules, as a variant of its own.

    Its base is one of ``variants``, which come from the same folder, or one from the folder
    ``beside``. ``broken`` has the names of the variants with faults.
    """
    content = msgspec.json.decode(files.read_text(file), type=_Rules)
    if file.stem in variants or not 0 < len(file.stem) <= MOST_LETTERS:
        raise Faults(["there is a variant of this name, or it has none"])
    if content.like in broken:
        raise _LikeOneWithFaults
    if content.like not in variants and not files.is_variant(beside, content.like):
        raise Faults([f"like: there is no variant {content.like[:MOST_LETTERS]!r}"])
    base = variants.get(content.like) or load(beside / content.like, families)
    family = families[base.family]
    players = base.players.least
    try:
        valid = house_rules.validate(base, family, content.rules, players)
    except house_rules.InvalidHouseRules as error:
        raise Faults(
            [f"rules.{fault['key']}: {house_rules.describe_fault(fault)}" for fault in error.faults]
        ) from None
    changed = house_rules.apply(base, valid.changes, players)
    title = valid.name or file.stem
    texts = {language: replace(text, title=title) for language, text in changed.texts.items()}
    variant = replace(changed, id=file.stem, texts=texts)
    return replace(variant, presets=_valid_presets(variant, family))


def load_all(folder: Path, families: Families, beside: Path | None = None) -> dict[str, Variant]:
    """Load all variants in ``folder``, by id. Raises ``Faults`` with the faults of all of them.

    A variant is a folder, or a file with house rules for a variant in ``folder`` or ``beside``.
    """
    beside = beside or folder
    variants = dict[str, Variant]()
    faults = list[str]()
    broken = dict[str, list[str]]()
    for path in files.list_files(folder, "*") if folder.is_dir() else ():
        if not (path / "variant.toml").is_file():
            continue
        try:
            variant = load(path, families)
        except Faults as error:
            broken[path.name] = error.lines
        else:
            if variant.id != path.name:
                faults.append(f"{path.name}/variant.toml: id: must be the folder's name")
            variants[variant.id] = variant
    faults += _without_inherited_faults(folder, broken)
    for file in files.list_files(folder, "*.json"):
        try:
            variant = _load_house_rules(file, variants, beside, families, broken)
        except _LikeOneWithFaults:
            continue
        except (Faults, ValueError, OSError, RecursionError) as error:
            lines = error.lines if isinstance(error, Faults) else [f"can't be read: {error}"]
            faults += [f"{file.name}: {line}" for line in lines]
        else:
            variants[variant.id] = variant
    if not variants and not faults:
        faults.append(f"{folder}: holds no variant (a folder with a variant.toml)")
    if faults:
        raise Faults(faults)
    return variants


def _without_inherited_faults(folder: Path, broken: Mapping[str, list[str]]) -> Iterator[str]:
    """Yield the faults of the variants in ``broken``, each fault only once.

    A variant that is ``like`` another variant in the same folder inherits the other one's faults.
    They are reported only for the variant that they come from.
    """
    for name, lines in broken.items():
        bases = [base.name for base in files.base_folders(folder / name, [])[1:]]
        base_lines = [(base, line) for base in bases for line in broken.get(base, ())]
        inherited = {line for _, line in base_lines}
        inherited |= {line.replace(f"{base}/", f"{name}/", 1) for base, line in base_lines}
        yield from (line for line in lines if line not in inherited)


# keys of variant.toml that are allowed in addition to the fields of the family's schema
_BESIDE = {"format", "family", "like", "expansion", "cards", "presets"}


def _read_main(file: File, family: VariantSchema, families: Families) -> Fields:
    """Return the fields of ``variant.toml``.

    Records a fault for each wrong field, and for each reason why no game can be played with them.
    """
    for key in file.own.keys() - family.fields.keys() - _BESIDE:
        owners = [other.id for other in families.values() if key in other.fields]
        file.add_fault(key, f"belongs to the family {owners[0]!r}" if owners else "is not known")
    if file.own and file.own.get("format") != 1:
        file.add_fault("format", "must be 1")
    fields = {
        key: file.get(key, kind)
        for key, kind in family.fields.items()
        if key in file.content or key not in family.optional_fields
    }
    entries = file.get_or_default("cards", list)
    cards = [file.convert(f"cards[{i}]", card, family.card) for i, card in enumerate(entries)]
    fields["cards"] = None if None in cards else tuple(cards)
    for i, card in enumerate(cards):
        if card is not None and card.effect not in family.effects:
            effects = ", ".join(sorted(family.effects))
            file.add_fault(f"cards[{i}].effect", f"must be one of {effects}")
    presets = file.convert("presets", file.get_or_default("presets", dict), dict[str, Fields])
    fields["presets"] = presets or {}
    if "expansion" in file.own:
        fields["expansion"] = file.convert("expansion", file.own["expansion"], str)
        fields["expands"] = file.get("like", str)
    _drop_own_titles(file, fields)
    if None not in fields.values() and file.content:
        own_keys = [
            key for key in file.own if key in {*family.fields, "cards"} - {"id", "language"}
        ]
        for error in family.errors(fields):
            inherited = error.place.partition(".")[0] not in file.own
            by = f" (by what you say of {', '.join(own_keys)})" if inherited and own_keys else ""
            file.add_fault(error.place, error.why + by)
    return fields


def _check_elsewhere(file: File, family: VariantSchema, elsewhere: Mapping[str, str]) -> None:
    """Check ``elsewhere``, which maps titles of other games to the rulings that refuse them.

    Record a fault for each title whose ruling doesn't exist in this family.
    """
    for title, ruling in elsewhere.items():
        if ruling not in family.rulings:
            file.add_fault(f"elsewhere.{title}", f"there is no ruling {ruling!r}")


def _drop_own_titles(file: File, fields: Fields) -> None:
    """Remove this game's own titles from ``elsewhere``, the list of other games' titles. A title is
    removed only if ``elsewhere`` inherited it from a base variant. A title with an empty ruling is
    removed, too: an expansion uses this to remove a card that it contains under another id."""
    own = file.get_or_default("elsewhere", dict, own=True)
    titles = {card.id for card in fields["cards"] or ()} - {*own}
    if fields["elsewhere"]:
        inherited = fields["elsewhere"].items()
        fields["elsewhere"] = {k: v for k, v in inherited if v and k not in titles}


def _read_topics(file: File, family: VariantSchema) -> tuple[Topic, ...]:
    """Return the chapters of the help. If there are any, each ruling must be in exactly one
    chapter."""
    for key in file.own.keys() - {"rulings", "topics"}:
        file.add_fault(key, "is not known")
    topics = file.get_list("topics", Topic)
    if "topics" not in file.own:
        # The base variant may have rulings that don't exist in this variant.
        topics = tuple(
            replace(topic, rulings=tuple(slug for slug in topic.rulings if slug in family.rulings))
            for topic in topics
        )
    rulings = [ruling for topic in topics for ruling in topic.rulings]
    if topics:
        files.check_keys(file, "topics", rulings, family.rulings)
    for ruling in {ruling for ruling in rulings if rulings.count(ruling) > 1}:
        file.add_fault("topics", f"{ruling!r} stands there twice")
    return topics


def _read_boxes(file: File, main: File, family: VariantSchema, fields: Fields) -> tuple[Any, ...]:
    """Return the boxes in ``editions.toml``, or an empty tuple for a family without editions.

    Records a fault for each wrong number in a box, and for each box with too few cards for a deck.
    """
    for key in file.own.keys() - ({"editions"} if family.box else set()):
        file.add_fault(key, "is not known")
    boxes: tuple[Any, ...] = file.get_list("editions", family.box) if family.box else ()
    for box in boxes:
        for error in box.validation_errors(fields["cards"] or ()):
            file.add_fault(f"editions.{box.id}{error.place}", error.why)
        for title, count, needed in box.find_shortages(fields["cards"] or ()):
            if file.own:
                file.add_fault(f"editions.{box.id}", "lacks cards that a deck needs")
            else:
                why = f"{needed} are more than the {count} of the box {box.id!r}"
                main.add_fault(
                    f"cards.{title}", f"{why}: say in an editions.toml which has so many"
                )
    return boxes


def _read_texts(
    file: File, keys: Mapping[str, Iterable[str]], family: VariantSchema
) -> Texts | None:
    """Return a language's texts, or None if they have faults.

    ``keys`` lists the keys that each section must have, in addition to the family's message keys.
    """
    faults_before = len(file.faults)
    content = dict(file.content)
    for name, section_keys in keys.items():
        if section := file.get_section(name, section_keys):
            content[name] = section
        else:
            content.pop(name, None)
    small_words = frozenset(file.get_or_default("small", dict))
    for name, sentences in family.sentences.items():
        content[name] = file.get_section(name, sentences)
        for key, sentence in content[name].items():
            facts = sentences.get(key, frozenset())
            for why in _placeholder_errors(sentence, facts, small_words):
                file.add_fault(f"{name}.{key}", why)
    texts: Texts | None = file.convert("", content, Texts) if file.content else None
    return texts if len(file.faults) == faults_before else None


def _placeholder_errors(
    sentence: object, facts: frozenset[str], small: frozenset[str]
) -> Iterator[str]:
    """Yield an error for each unknown name, article or preposition in a message's placeholders."""
    if not isinstance(sentence, str):
        return
    try:
        placeholders = list(parse_placeholders(sentence))
    except ValueError as error:
        yield f"can't be filled in: {error}"
        return
    for fact, word in placeholders:
        if "." in fact:
            continue  # The placeholder stands for one of the variant's figures or titles.
        if fact not in facts:
            given = ", ".join(sorted(facts)) or "nothing"
            yield f"{{{fact}}} is not one of its facts ({given})"
        if word is not None and word not in small:
            yield _describe_unknown_article(word, fact)


def _describe_unknown_article(word: str, name: str) -> str:
    return f"{{{word}:{name}}}: {word!r} is not one of its small words"
