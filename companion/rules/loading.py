"""Loads variants from their folders, strictly: every fault is listed with file and place.

A variant's folder holds ``variant.toml``, ``rulings.toml``, perhaps ``editions.toml``,
and one ``<language>.toml`` for each language; names and numbers only. This module must
not know how a variant is played.
"""

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from companion.rules import phrases
from companion.rules.grid import DOWN
from companion.rules.rulings import RULINGS
from companion.rules.texts import SECTIONS
from companion.rules.variant import (
    Card,
    Deal,
    Edition,
    Players,
    Seconds,
    Shape,
    Source,
    Texts,
    Topic,
    Variant,
)


class Faults(Exception):
    """Everything that is wrong with a variant's files, a line each: ``file: place: why``."""

    def __init__(self, lines: list[str]) -> None:
        super().__init__("\n".join(lines))
        self.lines = lines


class _File(Struct, frozen=True):
    """One file while it is checked."""

    name: str
    faults: list[str]
    content: dict[str, Any]

    def fault(self, place: str, why: str) -> None:
        self.faults.append(f"{self.name}: {place}: {why}")

    def read(self, key: str, kind: Any) -> Any:
        """The value at ``key``, checked; ``None`` and a fault when it is wrong."""
        if key not in self.content:
            self.fault(key, "is missing")
            return None
        return self.checked(key, self.content[key], kind)

    def checked(self, place: str, value: Any, kind: Any) -> Any:
        try:
            return msgspec.convert(value, kind)
        except msgspec.ValidationError as error:
            why, _, where = str(error).partition(" - at `$")
            self.fault(place + where.rstrip("`"), why)
            return None

    def strangers(self, known: set[str]) -> None:
        for key in self.content.keys() - known:
            self.fault(key, "is not known")


def load(folder: Path) -> Variant:
    """The variant in ``folder``; raises ``Faults`` that list all that is wrong with it."""
    faults: list[str] = []
    main = _open(folder / "variant.toml", folder, faults)
    rulings = _open(folder / "rulings.toml", folder, faults)
    fields = _main(main)
    sources = rulings.checked("rulings", rulings.content.get("rulings", {}), dict[str, Source])
    topics = _rulings(rulings)
    boxes = _open(folder / "editions.toml", folder, faults, needed=False)
    editions = _editions(boxes, fields["cards"] or ())
    languages = {
        path.stem: _open(path, folder, faults)
        for path in sorted(folder.glob("*.toml"))
        if path.name not in ("variant.toml", "rulings.toml", "editions.toml")
    }
    wanted = {
        "cards": {card.id for card in fields["cards"] or ()},
        "editions": {edition.id for edition in editions},
        "topics": {topic.id for topic in topics},
        "rulings": RULINGS,
    }
    spoken = {name: _texts(file, wanted) for name, file in languages.items()}
    if fields["language"] not in spoken:
        main.fault("language", f"there is no {fields['language']}.toml")
    if faults:
        raise Faults(faults)
    texts = {name: text for name, text in spoken.items() if text is not None}
    return Variant(**fields, sources=sources, texts=texts, editions=editions, topics=topics)


def load_all(folder: Path) -> dict[str, Variant]:
    """Every variant in the folders of ``folder``, by id; ``Faults`` for all of them at once."""
    found, faults = {}, []
    for place in sorted(folder.iterdir()) if folder.is_dir() else ():
        if not (place / "variant.toml").is_file():
            continue
        try:
            variant = load(place)
        except Faults as wrong:
            faults += wrong.lines
        else:
            if variant.id != place.name:
                faults.append(f"{place.name}/variant.toml: id: must be the folder's name")
            found[variant.id] = variant
    if not found and not faults:
        faults.append(f"{folder}: holds no variant (a folder with a variant.toml)")
    if faults:
        raise Faults(faults)
    return found


def _open(path: Path, folder: Path, faults: list[str], needed: bool = True) -> _File:
    name = f"{folder.name}/{path.name}"
    try:
        return _File(name, faults, tomllib.loads(path.read_text("utf-8")))
    except FileNotFoundError:
        if not needed:
            return _File(name, [], {})
        faults.append(f"{name}: is missing")
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        faults.append(f"{name}: can't be read: {error}")
    return _File(name, [], {})


_MAIN: dict[str, Any] = {
    "id": str,
    "language": str,
    "players": Players,
    "grid": Shape,
    "deal": Deal,
    "window": Seconds,
    "elsewhere": dict[str, str],
}


def _main(file: _File) -> dict[str, Any]:
    """The fields of ``variant.toml``, and whether they make a game."""
    file.strangers({"format", "cards", *_MAIN})
    fields = {key: file.read(key, kind) for key, kind in _MAIN.items()}
    if file.content and file.content.get("format") != 1:
        file.fault("format", "must be 1")
    entries = file.content.get("cards", [])
    cards = [file.checked(f"cards[{i}]", card, Card) for i, card in enumerate(entries)]
    fields["cards"] = None if None in cards else tuple(cards)
    for title, ruling in (fields["elsewhere"] or {}).items():
        if ruling not in RULINGS:
            file.fault(f"elsewhere.{title}", f"there is no ruling {ruling!r}")
    if None not in fields.values() and file.content:
        for place, why in _not_playable(**fields):
            file.fault(place, why)
    return fields


def _not_playable(
    players: Players,
    grid: Shape,
    deal: Deal,
    window: Seconds,
    cards: tuple[Card, ...],
    **others: Any,
) -> Iterator[tuple[str, str]]:
    """Why a game can't be dealt or played from these numbers."""
    yield from _misnamed([card.id for card in cards], others["elsewhere"])
    effects = [card.effect for card in cards]
    for effect in ("kitten", "defuse", "nope"):
        if effects.count(effect) != 1:
            yield "cards", f"one title must have the effect {effect!r}, not {effects.count(effect)}"
    if any(card.count < 1 for card in cards):
        yield "cards", "a card's count must be at least 1"
    if any(card.nopeable for card in cards if card.effect in ("kitten", "defuse")):
        yield "cards", "a Kitten and a Defuse can't be Noped (ruling un-nopeable)"
    if sum(card.count for card in cards if card.effect == "kitten") != 1:
        yield "cards", "a deck holds 1 Kitten"
    shuffled = sum(card.count for card in cards) - 2
    if shuffled != deal.put_away + deal.hand + deal.grid:
        yield (
            "deal",
            f"puts away, deals and lays {deal.put_away + deal.hand + deal.grid} cards, but "
            f"{shuffled} are left without the Kitten and one Defuse",
        )
    if min(deal.put_away, deal.hand, deal.grid) < 0:
        yield "deal", "no number can be negative"
    if min(grid.rows, grid.columns) < 1 or grid.rows * grid.columns != deal.grid + 1:
        yield (
            "grid",
            f"{grid.rows} × {grid.columns} cells for {deal.grid + 1} cards "
            "(those laid and the Kitten)",
        )
    if not 2 <= players.least <= players.most <= 10:
        yield "players", "must be 2 to 10, least first"
    if not 1 <= window.least <= window.seconds <= window.most <= 600:
        yield "window", "must be 1 ≤ least ≤ seconds ≤ most ≤ 600"


def _misnamed(ids: list[str], elsewhere: dict[str, str]) -> Iterator[tuple[str, str]]:
    """Which ids can't be told apart from others; any other word will do."""
    for title in {i for i in ids if ids.count(i) > 1}:
        yield "cards", f"{title!r} stands there twice"
    for title in {"", DOWN} & {*ids}:
        yield "cards", f"no card can be called {title!r}"
    for title in sorted(elsewhere.keys() & {*ids}):
        yield f"elsewhere.{title}", "is a card of this game"


def _rulings(file: _File) -> tuple[Topic, ...]:
    """Every ruling of the referee needs its source, and stands in one topic if there are any."""
    file.strangers({"rulings", "topics"})
    _same_keys(file, "rulings", file.content.get("rulings", {}), RULINGS)
    entries = file.content.get("topics", [])
    read = [file.checked(f"topics[{i}]", topic, Topic) for i, topic in enumerate(entries)]
    topics = tuple(topic for topic in read if topic is not None)
    sorted_in = [ruling for topic in topics for ruling in topic.rulings]
    if topics:
        _same_keys(file, "topics", sorted_in, RULINGS)
    for ruling in {ruling for ruling in sorted_in if sorted_in.count(ruling) > 1}:
        file.fault("topics", f"{ruling!r} stands there twice")
    return topics


def _editions(file: _File, deck: tuple[Card, ...]) -> tuple[Edition, ...]:
    """The boxes; each holds what a deck needs, and its numbers add up."""
    file.strangers({"editions"})
    entries = file.content.get("editions", [])
    boxes = [file.checked(f"editions[{i}]", box, Edition) for i, box in enumerate(entries)]
    for box in filter(None, boxes):
        if sum(box.titles.values()) != box.cards:
            held = sum(box.titles.values())
            file.fault(f"editions.{box.id}", f"has {held} cards by title, {box.cards} in all")
        if deck and box.serves(deck) < 1:
            file.fault(f"editions.{box.id}", "lacks cards that a deck needs")
        for title in box.paw:
            if box.paw[title] > box.titles.get(title, 0):
                file.fault(f"editions.{box.id}.paw.{title}", "is more than there are")
    return tuple(box for box in boxes if box is not None)


def _texts(file: _File, keys: Mapping[str, Iterable[str]]) -> Texts | None:
    """A language's sentences; ``keys``: what each section must name."""
    before = len(file.faults)
    content = file.content
    for section, named in keys.items():
        _same_keys(file, section, content.get(section, {}), named)
    small = frozenset(content.get("small", {}))
    for section, wanted in SECTIONS.items():
        sentences = content.get(section, {})
        _same_keys(file, section, sentences, wanted.keys())
        for key, sentence in sentences.items():
            for why in _wrong_places(sentence, wanted.get(key, frozenset()), small):
                file.fault(f"{section}.{key}", why)
    checked: Texts | None = file.checked("", content, Texts) if content else None
    return checked if len(file.faults) == before else None


def _same_keys(file: _File, place: str, found: Iterable[str], wanted: Iterable[str]) -> None:
    for key in sorted(set(found) - set(wanted)):
        file.fault(f"{place}.{key}", "is not known")
    for key in sorted(set(wanted) - set(found)):
        file.fault(f"{place}.{key}", "is missing")


def _wrong_places(sentence: Any, known: frozenset[str], small: frozenset[str]) -> Iterator[str]:
    """Which facts and small words a sentence uses that there are not."""
    if not isinstance(sentence, str):
        return
    try:
        found = list(phrases.places(sentence))
    except ValueError as error:
        yield f"can't be filled in: {error}"
        return
    for fact, word in found:
        if fact not in known:
            given = ", ".join(sorted(known)) or "nothing"
            yield f"{{{fact}}} is not one of its facts ({given})"
        if word is not None and word not in small:
            yield f"{{{word}:{fact}}}: {word!r} is not one of its small words"
