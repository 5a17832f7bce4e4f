"""Whether a device's deck was dealt and reported honestly, told from a table's log. With the secret
open the cards are dealt once more, and each one that was shown is held against the one that lay
there. A log is the wire's."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

from companion.fair.cards import Cards, Cell, Json, Pack, cell_of, commitment, deal, seal

SENTENCES = {
    "another-secret": "the secret is another one than was committed to",
    "no-salt": "the server drew no salt",
    "not-in-hand": "{said} was not in the hand",
    "another-card": "{said} was shown, {lay} lay there",
    "a-kitten": "drawn as safe, {lay} lay there",
    "no-kitten": "{said} was shown, {lay} lay there",
    "other-cells": "the grid does not hold these cards",
    "not-sealed": "the Kitten's place was not sealed by this secret",
}
"""What does not fit, in words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What (of ``SENTENCES``) does not fit: in which event, of which card and cell. ``said`` is the
    card as it was shown, ``lay`` the one that lay there. After a first finding the cards lie as
    they should have, so that later ones may follow from it alone."""

    version: int
    what: str
    said: str | None = None
    lay: str | None = None
    cell: Cell | None = None

    def __str__(self) -> str:
        sentence = SENTENCES[self.what].format(said=self.said, lay=self.lay or "nothing")
        if self.cell is None:
            return f"{sentence}."
        row, column = self.cell
        return f"{sentence} (row {row + 1}, column {column + 1})."


@dataclass(slots=True, kw_only=True)
class Game:
    """One game of a log, as it stands once what was taken back is left out. ``decks``: seat →
    commitment; ``opened``: seat → version and secret; ``rules``: what its house rules change."""

    number: int
    salt: str
    decks: dict[str, str]
    opened: dict[str, tuple[int, str]] = field(default_factory=dict)
    events: list[Json] = field(default_factory=list)
    rules: Sequence[Json] = ()


def games(log: Iterable[Json]) -> list[Game]:
    """The games of a log, with the decks that devices kept in them."""
    found: list[Game] = []
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
                found.append(Game(number=len(found) + 1, salt=salt, decks=decks, rules=rules))
                commits = {}
            case "deck_opened" if found:
                found[-1].opened[facts["seat"]] = entry["version"], facts["secret"]
            case "undone" if found:
                stand = found[-1].events
                while stand and stand[-1]["version"] >= facts["version"]:
                    stand.pop()
            case _ if found:
                found[-1].events.append(entry)
    return found


def check(pack: Pack, game: Game, seat: str) -> tuple[Finding, ...]:
    """All that does not fit in an open deck of a game; nothing: it was honest."""
    version, secret = game.opened[seat]
    if commitment(secret) != game.decks[seat]:
        return (Finding(version=version, what="another-secret"),)
    if not game.salt:
        return (Finding(version=version, what="no-salt"),)
    cards: Cards | None = deal(pack, secret, game.salt)
    findings: list[Finding] = []
    for entry in game.events:
        if entry["seat"] == seat and cards is not None:
            cards, found = follow(Deck(pack, secret), cards, entry)
            findings += found
    return tuple(findings)


class Deck(NamedTuple):
    """A deck that a device keeps: what it is dealt of, and its secret."""

    pack: Pack
    secret: str


Followed = tuple[Cards | None, tuple[Finding, ...]]
"""The cards after an event, or None if they can't be followed any further; what does not fit."""


def follow(deck: Deck, cards: Cards, entry: Json) -> Followed:
    """An event of the player's whose cards these are."""
    shows = _CHECKS.get(entry["type"])
    return shows(deck, cards, entry["version"], entry["facts"]) if shows else (cards, ())


def _check_play(key: str, _: Deck, cards: Cards, version: int, facts: Json) -> Followed:
    card = facts[key]
    if card in cards.hand:
        return cards.play(card), ()
    return cards, (Finding(version=version, what="not-in-hand", said=card),)


def _check_shown_card(
    key: str, what: str, _: Deck, cards: Cards, version: int, facts: Json
) -> Followed:
    cell = cell_of(facts["cell"])
    lay = cards.grid.get(cell)
    said = facts[key]
    finding = Finding(version=version, what=what, said=said, lay=lay, cell=cell)
    return cards, () if lay == said else (finding,)


def _check_look(_: Deck, cards: Cards, _version: int, facts: Json) -> Followed:
    cell = cell_of(facts["cell"])
    return cards.look(cell) if cell in cards.grid.keys() - cards.seen else cards, ()


def _check_draw(deck: Deck, cards: Cards, version: int, facts: Json) -> Followed:
    cell = cell_of(facts["cell"])
    lay = cards.grid.get(cell)
    said = facts["card"]
    fits = lay not in (None, deck.pack.kitten) and said in (None, lay)
    what = "a-kitten" if lay == deck.pack.kitten else "another-card"
    finding = Finding(version=version, what=what, said=said, lay=lay, cell=cell)
    return cards if lay is None else cards.draw(cell), () if fits else (finding,)


def _check_shuffle(deck: Deck, cards: Cards, version: int, facts: Json) -> Followed:
    cells = [cell_of(cell) for cell in facts["cells"]]
    salt = facts.get("salt")
    if salt and len(cells) == len(cards.grid):
        return cards.shuffle(deck.secret, salt, cells), ()
    return None, (Finding(version=version, what="other-cells" if salt else "no-salt"),)


def _check_defuse(deck: Deck, cards: Cards, version: int, facts: Json) -> Followed:
    (after, found) = _check_play("card", deck, cards, version, facts)
    kitten = deck.pack.kitten
    cells = [cell_of(cell) for cell in facts["cells"]]
    salt = facts.get("salt")
    # sealed when the Defuse was said
    hidden = facts.get("hidden")
    at = version - 1
    place = next((cell for cell in cells if seal(deck.secret, at, cell) == hidden), None)
    if not salt:
        wrong = "no-salt"
    elif place is None:
        wrong = "not-sealed"
    elif len(cells) != len(cards.grid) or kitten not in cards.grid.values():
        wrong = "other-cells"
    else:
        assert after is not None
        lies = (kitten, place)
        still = facts.get("still", False)
        return after.defuse(deck.secret, salt, cells, lies, still=still), found
    return None, (*found, Finding(version=version, what=wrong))


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
"""Type of event → what it shows of the cards of its seat, and does with them."""


def describe(variant: Json, log: list[Json]) -> Iterator[tuple[bool, str]]:
    """What a check of all decks of a log found, line by line, and whether all is well with it;
    ``variant``: what the table plays now."""
    found = games(log)
    ruled = [line["facts"]["changes"] for line in log if line["type"] == "house_rules_changed"]
    base = variant if not ruled else _with(variant, ruled[-1], "from")
    names = {
        line["facts"]["seat"]: line["facts"]["name"]
        for line in log
        if line["type"] in ("seat_taken", "seat_renamed")
    }
    for game in found:
        pack = Pack.parse(_with(base, game.rules, "to"))
        for seat in game.decks:
            who = f"Game {game.number}, {names.get(seat, seat)}"
            yield from _deck(who, pack, game, seat)
    if not any(game.decks for game in found):
        yield True, "No device kept a deck here: there is nothing to check."


def _with(variant: Json, changes: Iterable[Json], which: str) -> Json:
    """The variant with what house rules make of its deck (``to``), or found there (``from``)."""
    said = {change["key"]: change[which] for change in changes}
    cards = [{**c, "count": said.get(f"cards.{c['id']}", c["count"])} for c in variant["cards"]]
    shape, deal = (
        {key: said.get(f"{part}.{key}", number) for key, number in variant[part].items()}
        for part in ("grid", "deal")
    )
    return {**variant, "cards": cards, "grid": shape, "deal": deal}


def _deck(who: str, pack: Pack, game: Game, seat: str) -> Iterator[tuple[bool, str]]:
    if seat not in game.opened:
        yield True, f"{who}: not opened, so it can't be checked."
        return
    wrong = check(pack, game, seat)
    yield not wrong, f"{who}: {'does not fit' if wrong else 'dealt and reported honestly'}."
    for one in wrong:
        yield False, f"  event {one.version}: {one}"
