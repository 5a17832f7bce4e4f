"""Checks from a table's log that device decks were dealt and reported honestly.

Once a deck's secret is published, its cards are dealt again, and every event of the deck's player
is replayed. Each card that an event shows must be the card that really lay in the cell.

The log has the form in which clients receive it: a list of objects with ``version``, ``type``,
``seat`` and ``facts`` (the other values of the event, by name). ``dealing.py`` explains the idea.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

from companion.device_decks.dealing import Cards, Cell, Json, Pack, cell_of, commitment, deal, seal

SENTENCES = {
    "another-secret": "the secret is another one than was committed to",
    "no-salt": "the server drew no salt",
    "not-in-hand": "{shown} was not in the hand",
    "another-card": "{shown} was shown, {actual} lay there",
    "a-kitten": "drawn as safe, {actual} lay there",
    "no-kitten": "{shown} was shown, {actual} lay there",
    "other-cells": "the grid does not hold these cards",
    "not-sealed": "the Kitten's place was not sealed by this secret",
}
"""The report's message for each kind of mismatch."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One mismatch between the log and the deck that was dealt.

    After a mismatch the replay continues with the honest cards, so later mismatches may only be
    consequences of the first.
    """

    version: int  # version of the event that doesn't match
    what: str  # kind of mismatch, a key of SENTENCES
    shown: str | None = None  # the card that the player showed or reported
    actual: str | None = None  # the card that really lay there, None for an empty cell
    cell: Cell | None = None

    def __str__(self) -> str:
        sentence = SENTENCES[self.what].format(shown=self.shown, actual=self.actual or "nothing")
        if self.cell is None:
            return f"{sentence}."
        row, column = self.cell
        return f"{sentence} (row {row + 1}, column {column + 1})."


@dataclass(slots=True, kw_only=True)
class Game:
    """One game of a log, without the events that were undone."""

    number: int  # from 1, in the order of the log
    salt: str
    decks: dict[str, str]  # maps each seat with a device deck to the deck's commitment
    # maps a seat to the version of the event that published the deck's secret, and to the secret
    opened: dict[str, tuple[int, str]] = field(default_factory=dict)
    events: list[Json] = field(default_factory=list)
    # changes made by house rules; each has the keys ``key``, ``from`` and ``to``
    rules: Sequence[Json] = ()


def split_games(log: Iterable[Json]) -> list[Game]:
    """Split a log into games, each with its device decks and the events that weren't undone."""
    result: list[Game] = []
    commits: dict[str, str] = {}
    rules: Sequence[Json] = ()
    for entry in log:
        facts = entry["facts"]
        match entry["type"]:
            case "house_rules_changed":
                rules = facts["changes"]
            case "deck_said":
                commits[facts["seat"]] = facts.get("commit", "")
            case "game_began":
                decks = {seat: commits[seat] for seat in facts["order"] if commits.get(seat)}
                salt = facts.get("salt", "")
                result.append(Game(number=len(result) + 1, salt=salt, decks=decks, rules=rules))
                commits = {}
            case "deck_opened" if result:
                result[-1].opened[facts["seat"]] = entry["version"], facts["secret"]
            case "undone" if result:
                events = result[-1].events
                while events and events[-1]["version"] >= facts["version"]:
                    events.pop()
            case _ if result:
                result[-1].events.append(entry)
    return result


def check_deck(pack: Pack, game: Game, seat: str) -> tuple[Finding, ...]:
    """Replay a seat's deck, whose secret was published. Return the mismatches, if there are any."""
    version, secret = game.opened[seat]
    if commitment(secret) != game.decks[seat]:
        return (Finding(version=version, what="another-secret"),)
    if not game.salt:
        return (Finding(version=version, what="no-salt"),)
    cards: Cards | None = deal(pack, secret, game.salt)
    findings: list[Finding] = []
    for entry in game.events:
        if entry["seat"] == seat and cards is not None:
            cards, new_findings = apply_event(Deck(pack, secret), cards, entry)
            findings += new_findings
    return tuple(findings)


class Deck(NamedTuple):
    """A device's deck: all its cards and its secret."""

    pack: Pack
    secret: str


Followed = tuple[Cards | None, tuple[Finding, ...]]
"""The cards after an event (None if the replay can't continue), and the mismatches in the event."""


def apply_event(deck: Deck, cards: Cards, entry: Json) -> Followed:
    """Apply an event of the deck's player to the cards, and check the cards that it shows."""
    check_event = _CHECKS.get(entry["type"])
    if check_event is None:
        return cards, ()
    return check_event(deck, cards, entry["version"], entry["facts"])


def _check_play(key: str, _: Deck, cards: Cards, version: int, facts: Json) -> Followed:
    card = facts[key]
    if card in cards.hand:
        return cards.play(card), ()
    return cards, (Finding(version=version, what="not-in-hand", shown=card),)


def _check_shown_card(
    key: str, what: str, _: Deck, cards: Cards, version: int, facts: Json
) -> Followed:
    cell = cell_of(facts["cell"])
    actual = cards.grid.get(cell)
    shown = facts[key]
    finding = Finding(version=version, what=what, shown=shown, actual=actual, cell=cell)
    return cards, () if actual == shown else (finding,)


def _check_look(_: Deck, cards: Cards, _version: int, facts: Json) -> Followed:
    cell = cell_of(facts["cell"])
    return cards.look(cell) if cell in cards.grid.keys() - cards.seen else cards, ()


def _check_draw(deck: Deck, cards: Cards, version: int, facts: Json) -> Followed:
    cell = cell_of(facts["cell"])
    actual = cards.grid.get(cell)
    shown = facts["card"]  # None for a card drawn face down
    fits = actual not in (None, deck.pack.kitten) and shown in (None, actual)
    what = "a-kitten" if actual == deck.pack.kitten else "another-card"
    finding = Finding(version=version, what=what, shown=shown, actual=actual, cell=cell)
    return cards if actual is None else cards.draw(cell), () if fits else (finding,)


def _check_shuffle(deck: Deck, cards: Cards, version: int, facts: Json) -> Followed:
    cells = [cell_of(cell) for cell in facts["cells"]]
    salt = facts.get("salt")
    if salt and len(cells) == len(cards.grid):
        return cards.shuffle(deck.secret, salt, cells), ()
    return None, (Finding(version=version, what="other-cells" if salt else "no-salt"),)


def _check_defuse(deck: Deck, cards: Cards, version: int, facts: Json) -> Followed:
    after, findings = _check_play("card", deck, cards, version, facts)
    kitten = deck.pack.kitten
    cells = [cell_of(cell) for cell in facts["cells"]]
    salt = facts.get("salt")
    hidden = facts.get("hidden")
    sealed_at = version - 1  # the table's version when the command was sent
    place = next((cell for cell in cells if seal(deck.secret, sealed_at, cell) == hidden), None)
    if not salt:
        mismatch = "no-salt"
    elif place is None:
        mismatch = "not-sealed"
    elif len(cells) != len(cards.grid) or kitten not in cards.grid.values():
        mismatch = "other-cells"
    else:
        assert after is not None
        still = facts.get("still", False)
        return after.defuse(deck.secret, salt, cells, (kitten, place), still=still), findings
    return None, (*findings, Finding(version=version, what=mismatch))


_CHECKS: Mapping[str, Callable[[Deck, Cards, int, Json], Followed]] = {
    "card_played": partial(_check_play, "card"),
    "nope_played": partial(_check_play, "nope"),
    "looked": _check_look,
    "card_revealed": partial(_check_shown_card, "card", "another-card"),
    "card_drawn": _check_draw,
    "kitten_shown": partial(_check_shown_card, "kitten", "no-kitten"),
    "grid_shuffled": _check_shuffle,
    "kitten_defused": _check_defuse,
}
"""Maps an event's type to the function that checks the cards that the event shows, and applies the
event."""


def describe_decks(variant: Json, log: list[Json]) -> Iterator[tuple[bool, str]]:
    """Check all decks of a log. Yield the lines of a report.

    Each line is a pair: a bool, which is False if the line reports a mismatch, and the text.
    ``variant`` is the table's variant with its current house rules, as the server describes it.
    """
    played_games = split_games(log)
    rule_changes = [
        entry["facts"]["changes"] for entry in log if entry["type"] == "house_rules_changed"
    ]
    # Revert the last house rules to get the variant without house rules. For each game, apply the
    # house rules of that game to it.
    base = _apply_changes(variant, rule_changes[-1], "from") if rule_changes else variant
    names = {
        entry["facts"]["seat"]: entry["facts"]["name"]
        for entry in log
        if entry["type"] in ("seat_taken", "seat_renamed")
    }
    for game in played_games:
        pack = Pack.parse(_apply_changes(base, game.rules, "to"))
        for seat in game.decks:
            label = f"Game {game.number}, {names.get(seat, seat)}"
            yield from _describe_deck(label, pack, game, seat)
    if not any(game.decks for game in played_games):
        yield True, "No device kept a deck here: there is nothing to check."


def _apply_changes(variant: Json, changes: Iterable[Json], which: str) -> Json:
    """Return the variant with house rules applied (``which="to"``) or reverted (``"from"``)."""
    values = {change["key"]: change[which] for change in changes}
    cards = [
        {**card, "count": values.get(f"cards.{card['id']}", card["count"])}
        for card in variant["cards"]
    ]
    shape, deal = (
        {key: values.get(f"{part}.{key}", number) for key, number in variant[part].items()}
        for part in ("grid", "deal")
    )
    return {**variant, "cards": cards, "grid": shape, "deal": deal}


def _describe_deck(label: str, pack: Pack, game: Game, seat: str) -> Iterator[tuple[bool, str]]:
    if seat not in game.opened:
        yield True, f"{label}: not opened, so it can't be checked."
        return
    findings = check_deck(pack, game, seat)
    verdict = "does not fit" if findings else "dealt and reported honestly"
    yield not findings, f"{label}: {verdict}."
    for finding in findings:
        yield False, f"  event {finding.version}: {finding}"
