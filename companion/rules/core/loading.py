"""Loads variants from their folders, strictly: every fault is listed with file and place. A
variant's folder holds ``variant.toml``, ``rulings.toml``, perhaps ``editions.toml``, and one
``<language>.toml`` for each language; names and numbers only. With ``like`` it says only what is
different from another one."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from companion.rules.core import files, house_rules, limits, wording
from companion.rules.core.family import Family
from companion.rules.core.files import MOST_LETTERS, File
from companion.rules.core.limits import Fields
from companion.rules.core.variant import NAME, Source, Strict, Texts, Topic, Variant

Families = Mapping[str, Family]

OWN = "grid"  # the family of a variant that names none: there was no other once


class Faults(Exception):
    """Everything that is wrong with a variant's files, a line each: ``file: place: why``."""

    def __init__(self, lines: list[str]) -> None:
        super().__init__("\n".join(lines))
        self.lines = lines


def load(folder: Path, families: Families) -> Variant:
    """The variant in ``folder``; raises ``Faults`` that list all that is wrong with it."""
    faults: list[str] = []
    opened = _open_files(folder, faults)
    main = opened.pop("variant.toml")
    rulings = opened.pop("rulings.toml")
    lacking = [key for key in _ALWAYS if key not in main.content]
    if len(lacking) > 1 and "like" not in main.content:
        why = f"is missing; without it {', '.join(lacking)} must stand here, too"
        raise Faults([f"{main.name}: like: {why}"])
    family = families.get(str(main.content.get("family", OWN)))
    if family is None:
        main.fault("family", f"must be one of {', '.join(families)}")
        raise Faults(faults)
    fields = _main(main, family, families)
    fields["sources"] = rulings.convert(
        "rulings", rulings.section("rulings", family.rulings), dict[str, Source]
    )
    topics = fields["topics"] = _topics(rulings, family)
    boxes = _boxes(opened.pop("editions.toml"), main, family, fields)
    if family.box is not None:
        fields["editions"] = boxes
    wanted = {
        "cards": {card.id for card in fields["cards"] or ()},
        "editions": {box.id for box in boxes},
        "topics": {topic.id for topic in topics},
        "rulings": family.rulings,
    }
    _lay_over_english(opened)
    spoken = {
        name.removesuffix(".toml"): _texts(file, wanted, family) for name, file in opened.items()
    }
    if fields["language"] not in spoken:
        main.fault("language", f"there is no {fields['language']}.toml")
    if faults:
        raise Faults(faults)
    texts = {name: text for name, text in spoken.items() if text is not None}
    variant: Variant = family.variant(**fields, texts=texts)
    for language, text in texts.items():
        file = opened[f"{language}.toml"]
        named = {found[1] for found in NAME.finditer(msgspec.json.encode(file.own).decode())}
        for name in sorted(named - variant.names(text).keys()):
            file.fault(name, "is no figure and no title of this game")
    if faults:
        raise Faults(faults)
    return replace(variant, presets=_validate(variant, family))


def _validate(variant: Variant, family: Family) -> dict[str, Fields]:
    """Its presets but those that are made for other numbers or cards, as of what it is like."""
    found = {}
    for name, rules in variant.presets.items():
        with suppress(house_rules.InvalidHouseRules):
            house_rules.validate(variant, family, rules, variant.players.least)
            found[name] = rules
    return found


_NEEDED = {"variant.toml", "rulings.toml"}
_ALWAYS = "language", "players", "window", "elsewhere", "cards"  # in any whole variant.toml


def _open_files(folder: Path, faults: list[str]) -> dict[str, File]:
    """All files by name; raises ``Faults`` if one can't be read: the others rest on it."""
    folders = files.base_folders(folder, faults)
    paths = [path for place in folders for path in files.listed(place)]
    for path in paths:
        if path.name not in files.NO_WORDS and (why := files.misnamed(path)):
            faults.append(f"{path.parent.name}/{path.name}: {why}")
    if folders:  # else they are too large, and that is the fault
        files.open_layered("variant.toml", folders, faults)  # it names the folders it is based on
    if faults:
        raise Faults(faults)
    there = {path.name for path in paths}
    names = sorted(there | _NEEDED | {"editions.toml"}) if folders else ()
    found = {
        name: files.open_layered(name, folders, faults, name in there | _NEEDED) for name in names
    }
    if faults:
        raise Faults(faults)
    return found


def _lay_over_english(languages: dict[str, File]) -> None:
    """What a language lacks is said in English."""
    english = languages.get("en.toml")
    if english is None:
        return
    below = {key: value for key, value in english.content.items() if key not in ("search", "words")}
    for name, file in languages.items():
        if file is not english:
            laid = files.merge(below, file.content)
            if isinstance(own := file.content.get("small"), dict):
                laid["small"] |= own  # not before English's letters, too
            languages[name] = replace(file, content=laid)


class _Rules(Strict, frozen=True, kw_only=True):
    """House rules as a file: a variant that is ``like`` another one."""

    format: Literal["hiss-rules"]
    version: Literal[1]
    like: str
    rules: Fields


class _LikeOneWithFaults(Exception):
    """House rules of a variant whose own faults come first."""


def _load_house_rules(
    file: Path, found: dict[str, Variant], beside: Path, families: Families, broken: Collection[str]
) -> Variant:
    """The variant that house rules in a file make of one in the same folder, or ``beside``."""
    said = msgspec.json.decode(files.read_text(file), type=_Rules)
    if file.stem in found or not 0 < len(file.stem) <= MOST_LETTERS:
        raise Faults(["there is a variant of this name, or it has none"])
    if said.like in broken:
        raise _LikeOneWithFaults
    if said.like not in found and not files.is_variant(beside, said.like):
        raise Faults([f"like: there is no variant {said.like[:MOST_LETTERS]!r}"])
    base = found.get(said.like) or load(beside / said.like, families)
    family = families[base.family]
    players = base.players.least
    try:
        made = house_rules.validate(base, family, said.rules, players)
    except house_rules.InvalidHouseRules as unfit:
        raise Faults(
            [f"rules.{one['key']}: {house_rules.describe_fault(one)}" for one in unfit.faults]
        ) from None
    laid = house_rules.apply(base, made.changes, players)
    title = made.name or file.stem
    texts = {language: replace(text, title=title) for language, text in laid.texts.items()}
    named = replace(laid, id=file.stem, texts=texts)
    return replace(named, presets=_validate(named, family))


def load_all(folder: Path, families: Families, beside: Path | None = None) -> dict[str, Variant]:
    """Every variant in ``folder``, by id: folders, and files of house rules, of others here or
    ``beside``; ``Faults`` for all of them at once."""
    beside = beside or folder
    found = dict[str, Variant]()
    faults = list[str]()
    broken = dict[str, list[str]]()
    for place in files.listed(folder, "*") if folder.is_dir() else ():
        if not (place / "variant.toml").is_file():
            continue
        try:
            variant = load(place, families)
        except Faults as wrong:
            broken[place.name] = wrong.lines
        else:
            if variant.id != place.name:
                faults.append(f"{place.name}/variant.toml: id: must be the folder's name")
            found[variant.id] = variant
    faults += _first_told(folder, broken)
    for file in files.listed(folder, "*.json"):
        try:
            variant = _load_house_rules(file, found, beside, families, broken)
        except _LikeOneWithFaults:
            continue
        except (Faults, ValueError, OSError, RecursionError) as wrong:
            lines = wrong.lines if isinstance(wrong, Faults) else [f"can't be read: {wrong}"]
            faults += [f"{file.name}: {line}" for line in lines]
        else:
            found[variant.id] = variant
    if not found and not faults:
        faults.append(f"{folder}: holds no variant (a folder with a variant.toml)")
    if faults:
        raise Faults(faults)
    return found


def _first_told(folder: Path, broken: Mapping[str, list[str]]) -> Iterator[str]:
    """Yields what is wrong with variants, by name, without what they only have from one in the same
    folder that they are like."""
    for name, lines in broken.items():
        bases = [base.name for base in files.base_folders(folder / name, [])[1:]]
        first = [(base, line) for base in bases for line in broken.get(base, ())]
        known = {line for _, line in first}
        known |= {line.replace(f"{base}/", f"{name}/", 1) for base, line in first}
        yield from (line for line in lines if line not in known)


_BESIDE = {"format", "family", "like", "cards", "presets"}


def _main(file: File, family: Family, families: Families) -> Fields:
    """The fields of ``variant.toml``, and whether they make a game."""
    for key in file.own.keys() - family.fields.keys() - _BESIDE:
        of = [other.id for other in families.values() if key in other.fields]
        file.fault(key, f"belongs to the family {of[0]!r}" if of else "is not known")
    if file.own and file.own.get("format") != 1:
        file.fault("format", "must be 1")
    fields = {key: file.get(key, kind) for key, kind in family.fields.items()}
    entries = file.get_or_default("cards", list)
    cards = [file.convert(f"cards[{i}]", card, family.card) for i, card in enumerate(entries)]
    fields["cards"] = None if None in cards else tuple(cards)
    for i, card in enumerate(cards):
        if card is not None and card.effect not in family.effects:
            known = ", ".join(sorted(family.effects))
            file.fault(f"cards[{i}].effect", f"must be one of {known}")
    presets = file.convert("presets", file.get_or_default("presets", dict), dict[str, Fields])
    fields["presets"] = presets or {}
    _drop_own_titles(file, fields)
    for title in [*(fields["elsewhere"] or {})]:
        ruling = fields["elsewhere"][title]
        if ruling not in family.rulings:
            file.fault(f"elsewhere.{title}", f"there is no ruling {ruling!r}")
    if None not in fields.values() and file.content:
        mine = [key for key in file.own if key in {*family.fields, "cards"} - {"id", "language"}]
        for one in limits.validation_errors(fields, family):
            inherited = one.place.partition(".")[0] not in file.own
            by = f" (by what you say of {', '.join(mine)})" if inherited and mine else ""
            file.fault(one.place, one.why + by)
    return fields


def _drop_own_titles(file: File, fields: Fields) -> None:
    """A title of this game is none of another's, whatever the variant that it is like says."""
    own = file.get_or_default("elsewhere", dict, own=True)
    titles = {card.id for card in fields["cards"] or ()} - {*own}
    if fields["elsewhere"]:
        fields["elsewhere"] = {k: v for k, v in fields["elsewhere"].items() if k not in titles}


def _topics(file: File, family: Family) -> tuple[Topic, ...]:
    """The chapters of help; if there are any, every ruling stands in one."""
    for key in file.own.keys() - {"rulings", "topics"}:
        file.fault(key, "is not known")
    topics = file.get_list("topics", Topic)
    sorted_in = [ruling for topic in topics for ruling in topic.rulings]
    if topics:
        files.same_keys(file, "topics", sorted_in, family.rulings)
    for ruling in {ruling for ruling in sorted_in if sorted_in.count(ruling) > 1}:
        file.fault("topics", f"{ruling!r} stands there twice")
    return topics


def _boxes(file: File, main: File, family: Family, fields: Fields) -> tuple[Any, ...]:
    """The boxes that hold what a family's players need, where it asks for that."""
    for key in file.own.keys() - ({"editions"} if family.box else set()):
        file.fault(key, "is not known")
    boxes: tuple[Any, ...] = file.get_list("editions", family.box) if family.box else ()
    for box in boxes:
        for one in box.validation_errors(fields["cards"] or ()):
            file.fault(f"editions.{box.id}{one.place}", one.why)
        for title, held, wanted in box.lacks(fields["cards"] or ()):
            if file.own:
                file.fault(f"editions.{box.id}", "lacks cards that a deck needs")
            else:
                why = f"{wanted} are more than the {held} of the box {box.id!r}"
                main.fault(f"cards.{title}", f"{why}: say in an editions.toml which has so many")
    return boxes


def _texts(file: File, keys: Mapping[str, Iterable[str]], family: Family) -> Texts | None:
    """A language's sentences; ``keys``: what each section must name."""
    before = len(file.faults)
    content = dict(file.content)
    for name, named in keys.items():
        if section := file.section(name, named):
            content[name] = section
        else:
            content.pop(name, None)
    small = frozenset(file.get_or_default("small", dict))
    for name, wanted in family.sentences.items():
        content[name] = file.section(name, wanted)
        for key, sentence in content[name].items():
            for why in _wrong_places(sentence, wanted.get(key, frozenset()), small):
                file.fault(f"{name}.{key}", why)
    checked: Texts | None = file.convert("", content, Texts) if file.content else None
    return checked if len(file.faults) == before else None


def _wrong_places(sentence: object, known: frozenset[str], small: frozenset[str]) -> Iterator[str]:
    """Which facts and small words a sentence uses that there are not."""
    if not isinstance(sentence, str):
        return
    try:
        found = list(wording.places(sentence))
    except ValueError as error:
        yield f"can't be filled in: {error}"
        return
    for fact, word in found:
        if "." in fact:
            continue  # a figure or a title of the variant's
        if fact not in known:
            given = ", ".join(sorted(known)) or "nothing"
            yield f"{{{fact}}} is not one of its facts ({given})"
        if word is not None and word not in small:
            yield f"{{{word}:{fact}}}: {word!r} is not one of its small words"
