"""Whether a device's deck was dealt and reported honestly, told from a table's log.

With the secret open the cards are dealt once more, and each one that was shown is held against
the one that lay there. A log is the wire's: a list of entries with ``version``, ``type``,
``seat`` and ``facts``. This module must not know what is allowed; the referee saw to that.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from companion.fair.cards import Cards, Cell, Pack, dealt
from companion.fair.chance import commitment, sealed

Entry = Mapping[str, Any]

What = Literal[
    "another-secret", "no-salt", "not-in-hand", "another-card", "a-kitten", "no-kitten",
    "other-cells", "not-sealed",
]  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What does not fit: in which event, of which card and cell.

    ``said`` is the card as it was shown, ``lay`` the one that lay there. After a first finding
    the cards lie as they should have, so that later ones may follow from it alone.
    """

    version: int
    what: What
    said: str | None = None
    lay: str | None = None
    cell: Cell | None = None


@dataclass(slots=True, kw_only=True)
class Game:
    """One game of a log, as it stands once what was taken back is left out.

    ``decks``: seat → commitment; ``opened``: seat → version and secret.
    """

    number: int
    salt: str
    decks: dict[str, str]
    opened: dict[str, tuple[int, str]] = field(default_factory=dict)
    events: list[Entry] = field(default_factory=list)


def games(log: Iterable[Entry]) -> list[Game]:
    """The games of a log, with the decks that devices kept in them."""
    found: list[Game] = []
    commits: dict[str, str] = {}
    for entry in log:
        facts = entry["facts"]
        match entry["type"]:
            case "deck_said":
                commits[facts["seat"]] = facts.get("commit", "")
            case "game_began":
                decks = {seat: commits[seat] for seat in facts["order"] if commits.get(seat)}
                salt = facts.get("salt", "")
                found.append(Game(number=len(found) + 1, salt=salt, decks=decks))
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
    mine = [entry for entry in game.events if entry["seat"] == seat]
    return tuple(_Play(pack, secret, game.salt).findings(mine))


class _Play:
    """One player's game played over with their secret."""

    def __init__(self, pack: Pack, secret: str, salt: str) -> None:
        self._pack, self._secret = pack, secret
        self._cards: Cards | None = dealt(pack, secret, salt)

    def findings(self, entries: Iterable[Entry]) -> Iterator[Finding]:
        """What does not fit, event by event, until the cards can't be followed any further."""
        for entry in entries:
            shows = _SHOWS.get(entry["type"])
            if shows is None:
                continue
            yield from shows(self, self._cards, entry["version"], entry["facts"])
            if self._cards is None:
                return

    def _leaves(self, cards: Cards, version: int, card: str) -> Iterator[Finding]:
        if cards.holds(card):
            self._cards = cards.left(card)
        else:
            yield Finding(version=version, what="not-in-hand", said=card)

    def _played(self, cards: Cards, version: int, facts: Entry) -> Iterator[Finding]:
        return self._leaves(cards, version, facts["card"])

    def _noped(self, cards: Cards, version: int, facts: Entry) -> Iterator[Finding]:
        return self._leaves(cards, version, facts["nope"])

    def _revealed(self, cards: Cards, version: int, facts: Entry) -> Iterator[Finding]:
        cell = _cell(facts["cell"])
        lay, said = cards.grid.get(cell), facts["card"]
        if lay != said:
            yield Finding(version=version, what="another-card", said=said, lay=lay, cell=cell)

    def _drawn(self, cards: Cards, version: int, facts: Entry) -> Iterator[Finding]:
        cell = _cell(facts["cell"])
        lay, said = cards.grid.get(cell), facts["card"]
        found = {"version": version, "said": said, "lay": lay, "cell": cell}
        if lay == self._pack.kitten:
            yield Finding(what="a-kitten", **found)
        elif lay is None or (said is not None and said != lay):
            yield Finding(what="another-card", **found)
        if lay is not None:
            self._cards = cards.drawn(cell)

    def _kitten(self, cards: Cards, version: int, facts: Entry) -> Iterator[Finding]:
        cell = _cell(facts["cell"])
        lay, said = cards.grid.get(cell), facts["kitten"]
        if lay != said:
            yield Finding(version=version, what="no-kitten", said=said, lay=lay, cell=cell)

    def _shuffled(self, cards: Cards, version: int, facts: Entry) -> Iterator[Finding]:
        cells, salt = [_cell(cell) for cell in facts["cells"]], facts.get("salt")
        self._cards = None
        if not salt:
            yield Finding(version=version, what="no-salt")
        elif len(cells) != len(cards.grid):
            yield Finding(version=version, what="other-cells")
        else:
            self._cards = cards.shuffled(self._secret, salt, cells)

    def _defused(self, cards: Cards, version: int, facts: Entry) -> Iterator[Finding]:
        yield from self._leaves(cards, version, facts["card"])
        cells, salt = [_cell(cell) for cell in facts["cells"]], facts.get("salt")
        before, kitten = self._cards or cards, self._pack.kitten
        place = self._sealed(version - 1, cells, facts.get("hidden"))
        self._cards = None
        if not salt:
            yield Finding(version=version, what="no-salt")
        elif place is None:
            yield Finding(version=version, what="not-sealed")
        elif len(cells) != len(cards.grid) or kitten not in cards.grid.values():
            yield Finding(version=version, what="other-cells")
        else:
            lies, still = (kitten, place), facts.get("still", False)
            self._cards = before.defused(self._secret, salt, cells, lies, still=still)

    def _sealed(self, version: int, cells: Iterable[Cell], hidden: str | None) -> Cell | None:
        """Where the Kitten was put, by the seal that was made when that was done."""
        places = (cell for cell in cells if sealed(self._secret, version, cell) == hidden)
        return next(places, None)


_SHOWS: Mapping[str, Any] = {
    "card_played": _Play._played,
    "nope_played": _Play._noped,
    "card_revealed": _Play._revealed,
    "card_drawn": _Play._drawn,
    "kitten_shown": _Play._kitten,
    "grid_shuffled": _Play._shuffled,
    "kitten_defused": _Play._defused,
}
"""Type of event → what it shows of the cards of its seat."""


def _cell(place: Iterable[int]) -> Cell:
    row, column = place
    return row, column
