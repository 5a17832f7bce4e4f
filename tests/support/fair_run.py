"""Play many games with device decks, some honest and some with a lie, and check their logs.

The check in Python and the panel's check, which runs in Node, must report the same for every log.
"""

import json
import subprocess
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import count
from typing import Any

from companion.device_decks.check import check_deck, split_games
from tests.support.fair_world import LIES, PACK, World
from tests.support.servers.server import ROOT

Log = list[dict[str, Any]]
Findings = dict[str, list[list[Any]]]
"""The mismatches of each seat's deck, by seat. Each mismatch is a list: the event's version, the
kind of mismatch, the card that was shown, and the card that really lay there."""
WorldFactory = Callable[..., World]

COUNTED_EVENTS = (
    "undone",
    "grid_shuffled",
    "kitten_defused",
    "card_revealed",
    "seat_removed",
    "nope_played",
)
"""Events that are counted in the games of a run."""

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
"""The kinds of mismatch that each lie can lead to, by the lie's name."""


class PanelChecker:
    """The panel's check, which runs in a Node process."""

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
        findings: Findings = json.loads(self._node.stdout.readline())
        return findings


def compare_findings(log: Log, panel: PanelChecker) -> Findings:
    """Return the findings for the log of one game in which the secret of every deck is published.

    Fails unless both checks report the same.
    """
    (game,) = split_games(log)
    assert game.opened.keys() == game.decks.keys()
    findings = {
        seat: [
            [finding.version, finding.what, finding.shown, finding.actual]
            for finding in check_deck(PACK, game, seat)
        ]
        for seat in game.decks
    }
    same = panel.get_findings(log) == findings
    assert same, findings
    return findings


def check_honest_games(worlds: Iterable[World], panel: PanelChecker) -> Counter[str]:
    """Play honest games and check that no deck has a finding. Return the counts of their events."""
    seen: Counter[str] = Counter()
    for world in worlds:
        log = world.play_game().get_log()
        findings = compare_findings(log, panel)
        assert not any(findings.values()), (world.seed, findings)
        kinds = Counter(line["type"] for line in log)
        seen += Counter({kind: kinds[kind] for kind in COUNTED_EVENTS})
        seen += Counter(games=1, decks=kinds["deck_opened"])
    return seen


def check_games_with_lie(lie: str, worlds: Iterable[World], panel: PanelChecker) -> Iterator[World]:
    """Yield the games in which the liar had an opportunity to lie.

    The lie must be found, and no other player may be accused.
    """
    for world in worlds:
        log = world.play_game().get_log()
        if not world.lie_version:
            continue
        findings = compare_findings(log, panel)
        assert world.liar is not None
        version, what, *_ = findings.pop(world.liar)[0]
        assert version == world.lie_version and what in FINDINGS_OF_LIE[lie], (
            lie,
            world.seed,
            version,
        )
        assert not any(findings.values()), (lie, world.seed)
        yield world


def generate_worlds(
    makes: WorldFactory = World, lie: str | None = None, first: int = 0
) -> Iterator[World]:
    """Yield an endless series of games with two to five players, one for each seed."""
    assert lie is None or lie in LIES
    return (makes(seed, players=2 + seed % 4, lie=lie) for seed in count(first))
