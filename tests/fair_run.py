"""Many games of device decks, honest ones and such with a lie, judged by both checks.

``benchmarks/honest.py`` plays thousands of them, the tests a few. What Python finds in a log and
what the panel's own modules find there, run by Node, must be the same, event by event.
"""

import json
import subprocess
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import count
from typing import Any

from companion.fair.check import check, games
from tests.fair_world import LIES, PACK, World
from tests.server import ROOT

Log = list[dict[str, Any]]
Findings = dict[str, list[list[Any]]]
"""Seat → what does not fit in its open deck: version, what, the card as said, as it lay."""
WorldFactory = Callable[..., World]

COUNTED_EVENTS = (
    "undone",
    "grid_shuffled",
    "kitten_defused",
    "card_revealed",
    "seat_removed",
    "nope_played",
)
"""What a run counts of the games that it plays."""

FINDINGS_OF_LIE = {
    "safe": {"a-kitten"},
    "kitten": {"no-kitten"},
    "reveal": {"another-card"},
    "play": {"not-in-hand"},
    "nope": {"not-in-hand"},
    "defuse": {"not-in-hand"},
    "seal": {"not-sealed"},
    "elsewhere": {"no-kitten", "another-card", "a-kitten"},
    "deal": {"no-kitten", "another-card", "a-kitten", "not-in-hand"},
    "secret": {"another-secret"},
    "commit": {"another-secret"},
}
"""As what each lie shows."""


class PanelChecker:
    """The panel's check in a Node of its own."""

    def __init__(self) -> None:
        self._node = subprocess.Popen(
            ["node", str(ROOT / "tests" / "panel" / "check_logs.js")],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip

    def __enter__(self) -> "PanelChecker":
        return self

    def __exit__(self, *_: object) -> None:
        self._node.communicate()

    def get_findings(self, log: Log) -> Findings:
        assert self._node.stdin and self._node.stdout
        self._node.stdin.write(json.dumps(log) + "\n")
        self._node.stdin.flush()
        found: Findings = json.loads(self._node.stdout.readline())
        return found


def compare_findings(log: Log, panel: PanelChecker) -> Findings:
    """Return the findings of both checkers for a log of one game whose decks are all open."""
    (game,) = games(log)
    assert game.opened.keys() == game.decks.keys()
    found = {
        seat: [[one.version, one.what, one.shown, one.actual] for one in check(PACK, game, seat)]
        for seat in game.decks
    }
    same = panel.get_findings(log) == found
    assert same, found
    return found


def check_honest_games(worlds: Iterable[World], panel: PanelChecker) -> Counter[str]:
    """Nothing is refused, every deck is opened and fits; counts what there was in the games."""
    seen: Counter[str] = Counter()
    for world in worlds:
        log = world.play_game().get_log()
        found = compare_findings(log, panel)
        assert not any(found.values()), (world.seed, found)
        kinds = Counter(line["type"] for line in log)
        seen += Counter({kind: kinds[kind] for kind in COUNTED_EVENTS})
        seen += Counter(games=1, decks=kinds["deck_opened"])
    return seen


def check_games_with_lie(lie: str, worlds: Iterable[World], panel: PanelChecker) -> Iterator[World]:
    """Check the games that gave the liar an opportunity: the lie is found, and nobody else is
    accused."""
    for world in worlds:
        log = world.play_game().get_log()
        if not world.lie_version:
            continue
        found = compare_findings(log, panel)
        assert world.liar is not None
        version, what, *_ = found.pop(world.liar)[0]
        assert version == world.lie_version and what in FINDINGS_OF_LIE[lie], (
            lie,
            world.seed,
            version,
        )
        assert not any(found.values()), (lie, world.seed)
        yield world


def generate_worlds(
    makes: WorldFactory = World, lie: str | None = None, first: int = 0
) -> Iterator[World]:
    """Without end: tables of two to five, one after the other."""
    assert lie is None or lie in LIES
    return (makes(seed, players=2 + seed % 4, lie=lie) for seed in count(first))
