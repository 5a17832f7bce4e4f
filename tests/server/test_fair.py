"""Decks that devices keep are fair and can be checked (companion/device_decks, docs/fair.md)."""

import json
from collections import Counter
from collections.abc import Iterator
from functools import partial
from itertools import islice
from typing import Any

import pytest

from companion.device_decks.check import check_deck, split_games
from companion.device_decks.dealing import WORDS, commitment, deal, seal, shuffle, words
from tests.support.fair_record import ANSWERS, LOGS, make_known_answers
from tests.support.fair_run import (
    COUNTED_EVENTS,
    PanelChecker,
    check_games_with_lie,
    check_honest_games,
    generate_worlds,
)
from tests.support.fair_world import LIES, PACK
from tests.support.iterations import scale_count
from tests.support.servers.fair_wire import WiredWorld
from tests.support.servers.server import RealServer
from tests.support.timed import limit_seconds

GAMES = scale_count(20)
"""Honest games that one test plays."""

GAMES_WITH_LIE = scale_count(8, 25)
"""Games that are played with each lie."""


@pytest.fixture(scope="module")
def panel() -> Iterator[PanelChecker]:
    """Run the panel's own check in Node, whose findings must match Python's."""
    with PanelChecker() as panel:
        yield panel


def test_in_honest_games_nothing_is_refused_and_every_deck_passes(panel: PanelChecker) -> None:
    counts = check_honest_games(islice(generate_worlds(), GAMES), panel)
    assert counts["games"] == GAMES and all(counts[kind] for kind in COUNTED_EVENTS), counts


@pytest.mark.parametrize("lie", LIES)
def test_a_lie_is_found_where_it_was_made(lie: str, panel: PanelChecker) -> None:
    games = check_games_with_lie(lie, generate_worlds(lie=lie), panel)
    assert len([*islice(games, GAMES_WITH_LIE)]) == GAMES_WITH_LIE


def test_games_on_a_real_server_pass_the_check(server: RealServer, panel: PanelChecker) -> None:
    served = partial(WiredWorld, server)
    games = scale_count(1, 3)
    counts = check_honest_games(islice(generate_worlds(served), games), panel)
    assert counts["games"] == games and counts["decks"] > 1
    assert [*islice(check_games_with_lie("kitten", generate_worlds(served, "kitten"), panel), 1)]


def test_the_known_answers_file_matches_the_program() -> None:
    """tests/panel/fair.test.js checks the panel against docs/known-answers.json too."""
    assert json.loads(json.dumps(make_known_answers())) == json.loads(ANSWERS.read_text())


def test_the_check_has_the_recorded_findings_for_stored_logs() -> None:
    for record in json.loads(LOGS.read_text())["logs"]:
        (game,) = split_games(record["log"])
        for seat, expected in record["found"].items():
            findings = check_deck(PACK, game, seat)
            assert [
                [finding.version, finding.what, finding.shown, finding.actual]
                for finding in findings
            ] == expected
        lie_versions = [expected[0][0] for expected in record["found"].values() if expected]
        assert lie_versions == ([record["lied"]] if record["lied"] else [])


def test_a_random_word_that_would_bias_the_shuffle_is_skipped() -> None:
    assert shuffle("abc", iter([WORDS - 1, 3, 2])) == shuffle("abc", iter([3, 2]))
    assert shuffle("abc", iter([3, 2])) == ("b", "c", "a")


def test_every_order_is_equally_likely() -> None:
    salt = "00" * 32
    counts = Counter(shuffle("abc", words(f"{n:064x}", "deal", salt)) for n in range(6000))
    assert len(counts) == 6
    assert all(880 < times < 1120 for times in counts.values()), counts


SECRET = "5e" * 32
SALT = "a1" * 32


def find_lies(
    *events: tuple[str, dict[str, Any]], commit: str | None = None
) -> list[tuple[int, str]]:
    """Return the findings for a game of one deck with only these events."""
    commit_hash = commit or commitment(SECRET)
    log_events = [
        ("deck_said", {"kind": "device", "commit": commit_hash}),
        ("game_began", {"order": ["s1"], "salt": SALT}),
        *events,
        ("deck_opened", {"secret": SECRET}),
    ]
    log = [
        {"version": number, "type": kind, "seat": "s1", "facts": {"seat": "s1", **facts}}
        for number, (kind, facts) in enumerate(log_events, 1)
    ]
    (game,) = split_games(log)
    return [(finding.version, finding.what) for finding in check_deck(PACK, game, "s1")]


def make_touch(card: str) -> tuple[str, dict[str, Any]]:
    """Return the event of a safe draw from the cell with this card."""
    return "card_drawn", {"cell": find_cell(card), "card": None}


def find_cell(card: str) -> tuple[int, int]:
    """Return the first cell in which the honest deal has the card."""
    return next(cell for cell, title in deal(PACK, SECRET, SALT).grid.items() if title == card)


def test_a_grid_laid_differently_is_found_once_a_card_shows_it() -> None:
    """The log claims a safe draw where the honest deal has the Kitten, and the Kitten where the
    honest deal has another card."""
    other = next(card for card in PACK.cards if card in deal(PACK, SECRET, SALT).grid.values()
                 and card != PACK.kitten)  # fmt: skip
    assert find_lies(make_touch(other)) == []
    assert find_lies(make_touch(PACK.kitten)) == [(3, "a-kitten")]
    kitten_shown = ("kitten_shown", {"cell": find_cell(other), "kitten": PACK.kitten})
    assert find_lies(kitten_shown) == [(3, "no-kitten")]


def test_a_kitten_must_lie_in_the_sealed_cell() -> None:
    cells = list(PACK.cells)
    kitten_shown = ("kitten_shown", {"cell": find_cell(PACK.kitten), "kitten": PACK.kitten})
    hidden = seal(SECRET, 3, (1, 1))  # sealed at version 3, at which the Kitten was shown
    defused = {"card": PACK.defuse, "cells": cells, "salt": SALT, "hidden": hidden}
    at_sealed_cell, elsewhere = (
        ("kitten_shown", {"cell": cell, "kitten": PACK.kitten}) for cell in ((1, 1), (0, 0))
    )
    assert find_lies(kitten_shown, ("kitten_defused", defused), at_sealed_cell) == []
    assert find_lies(kitten_shown, ("kitten_defused", defused), elsewhere) == [(5, "no-kitten")]
    later = {**defused, "hidden": seal(SECRET, 4, (1, 1))}
    assert find_lies(kitten_shown, ("kitten_defused", later)) == [(4, "not-sealed")]
    assert find_lies(kitten_shown, ("kitten_defused", defused | {"hidden": ""})) == [
        (4, "not-sealed")
    ]
    assert find_lies(kitten_shown, ("kitten_defused", defused | {"salt": ""})) == [(4, "no-salt")]
    fewer = {**defused, "cells": cells[1:]}
    assert find_lies(kitten_shown, ("kitten_defused", fewer)) == [(4, "other-cells")]


def test_the_other_cards_may_stay_in_place_when_the_kitten_is_hidden() -> None:
    """Ruling defuse-hides-the-grid lets the player rearrange the other cards, or leave them where
    they are."""
    old_cell = find_cell(PACK.kitten)
    new_cell = (1, 1) if find_cell(PACK.kitten) != (1, 1) else (0, 0)
    grid = deal(PACK, SECRET, SALT).grid
    kitten_shown = ("kitten_shown", {"cell": old_cell, "kitten": PACK.kitten})
    facts = {"card": PACK.defuse, "cells": list(PACK.cells), "salt": SALT, "still": True}
    defused = ("kitten_defused", facts | {"hidden": seal(SECRET, 3, new_cell)})
    up = {cell: ("card_revealed", {"cell": cell, "card": card}) for cell, card in grid.items()}
    others = [up[cell] for cell in grid if cell not in (old_cell, new_cell)]
    changed = ("card_revealed", {"cell": old_cell, "card": grid[new_cell]})
    kitten_shown_again = ("kitten_shown", {"cell": new_cell, "kitten": PACK.kitten})
    assert find_lies(kitten_shown, defused, *others, changed, kitten_shown_again) == []
    assert find_lies(kitten_shown, defused, up[new_cell]) == [(5, "another-card")]
    stayed = ("kitten_defused", facts | {"hidden": seal(SECRET, 3, old_cell)})
    assert find_lies(kitten_shown, stayed, *others, up[new_cell], kitten_shown) == []


def test_a_secret_that_does_not_match_its_commitment_is_reported() -> None:
    assert find_lies(commit="ab" * 32) == [(3, "another-secret")]


def test_undone_moves_are_not_counted_as_lies() -> None:
    revealed = ("card_revealed", {"cell": find_cell(PACK.kitten), "card": "skip"})
    assert find_lies(revealed) == [(3, "another-card")]
    assert find_lies(revealed, ("undone", {"version": 3})) == []


@pytest.mark.timed
def test_the_longest_possible_log_is_checked_in_seconds() -> None:
    """The log has 100,000 events. Undone events must not slow the check down."""
    note_made = ("note_made", {"cell": (0, 0), "card": None})
    undone_notes = [
        event
        for version in range(50_003, 100_000, 2)
        for event in (note_made, ("undone", {"version": version}))
    ]
    with limit_seconds(20):  # a check with quadratic cost would take many minutes
        assert find_lies(*[note_made] * 50_000, *undone_notes) == []
