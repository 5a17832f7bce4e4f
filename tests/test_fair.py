"""Decks that devices keep are fair and can be checked: companion/fair and docs/fair.md."""

import json
from collections import Counter
from collections.abc import Iterator
from functools import partial
from itertools import islice
from typing import Any

import pytest

from companion.fair.cards import WORDS, commitment, deal, seal, shuffle, words
from companion.fair.check import check, games
from tests.fair_record import ANSWERS, LOGS, answers
from tests.fair_run import SEEN, Panel, honest, lying, worlds
from tests.fair_wire import WiredWorld
from tests.fair_world import LIES, PACK
from tests.server import RealServer
from tests.timed import within

MANY = 20
"""How many games are played here in each way; ``benchmarks/honest.py`` plays thousands."""


@pytest.fixture(scope="module")
def panel() -> Iterator[Panel]:
    """The panel's own check, in Node: what it finds must be what Python finds."""
    with Panel() as found:
        yield found


def test_in_honest_games_nothing_is_refused_and_every_deck_checks(panel: Panel) -> None:
    seen = honest(islice(worlds(), 2 * MANY), panel)
    assert seen["games"] == 2 * MANY and all(seen[kind] for kind in SEEN), seen


@pytest.mark.parametrize("lie", LIES)
def test_a_lie_is_found_where_it_was_made(lie: str, panel: Panel) -> None:
    assert len([*islice(lying(lie, worlds(lie=lie), panel), MANY)]) == MANY


def test_games_by_a_server_check_too(server: RealServer, panel: Panel) -> None:
    served = partial(WiredWorld, server)
    seen = honest(islice(worlds(served), 3), panel)
    assert seen["games"] == 3 and seen["decks"] > 5
    assert [*islice(lying("kitten", worlds(served, "kitten"), panel), 2)]


def test_the_known_answers_are_the_documented_ones() -> None:
    """docs/known-answers.json, which tests/panel/fair.test.js reads too."""
    assert json.loads(json.dumps(answers())) == json.loads(ANSWERS.read_text())


def test_the_check_finds_the_same_in_stored_logs_as_ever() -> None:
    for kept in json.loads(LOGS.read_text())["logs"]:
        (game,) = games(kept["log"])
        for seat, found in kept["found"].items():
            mine = check(PACK, game, seat)
            assert [[one.version, one.what, one.shown, one.actual] for one in mine] == found
        told = [found[0][0] for found in kept["found"].values() if found]
        assert told == ([kept["lied"]] if kept["lied"] else [])


def test_a_word_that_would_favour_the_first_places_is_not_taken() -> None:
    assert shuffle("abc", iter([WORDS - 1, 3, 2])) == shuffle("abc", iter([3, 2]))
    assert shuffle("abc", iter([3, 2])) == ("b", "c", "a")


def test_each_order_comes_as_often() -> None:
    salt = "00" * 32
    seen = Counter(shuffle("abc", words(f"{n:064x}", "deal", salt)) for n in range(6000))
    assert len(seen) == 6
    assert all(880 < times < 1120 for times in seen.values()), seen


SECRET = "5e" * 32
SALT = "a1" * 32


def findings_of(
    *shown: tuple[str, dict[str, Any]], commit: str | None = None
) -> list[tuple[int, str]]:
    """Return the findings for a game of one deck with only these events."""
    said = commit or commitment(SECRET)
    events = [
        ("deck_said", {"kind": "device", "commit": said}),
        ("game_began", {"order": ["s1"], "salt": SALT}),
        *shown,
        ("deck_opened", {"secret": SECRET}),
    ]
    log = [
        {"version": number, "type": kind, "seat": "s1", "facts": {"seat": "s1", **facts}}
        for number, (kind, facts) in enumerate(events, 1)
    ]
    (game,) = games(log)
    return [(found.version, found.what) for found in check(PACK, game, "s1")]


def touch(card: str) -> tuple[str, dict[str, Any]]:
    """A face-down card is drawn, or the Kitten shown."""
    return "card_drawn", {"cell": where(card), "card": None}


def where(card: str) -> tuple[int, int]:
    """The first cell in which the honest deal has the card."""
    return next(cell for cell, lying in deal(PACK, SECRET, SALT).grid.items() if lying == card)


def test_a_grid_laid_otherwise_is_found_once_it_shows() -> None:
    """A player who hid the Kitten elsewhere draws safely from the cell that they named."""
    other = next(card for card in PACK.cards if card in deal(PACK, SECRET, SALT).grid.values()
                 and card != PACK.kitten)  # fmt: skip
    assert findings_of(touch(other)) == []
    assert findings_of(touch(PACK.kitten)) == [(3, "a-kitten")]
    shown = ("kitten_shown", {"cell": where(other), "kitten": PACK.kitten})
    assert findings_of(shown) == [(3, "no-kitten")]


def test_a_kitten_lies_where_it_was_sealed() -> None:
    cells = list(PACK.cells)
    shown = ("kitten_shown", {"cell": where(PACK.kitten), "kitten": PACK.kitten})
    hidden = seal(SECRET, 3, (1, 1))  # version 3 is the Kitten's, the Defuse builds on it
    defused = {"card": PACK.defuse, "cells": cells, "salt": SALT, "hidden": hidden}
    there, elsewhere = (
        ("kitten_shown", {"cell": cell, "kitten": PACK.kitten}) for cell in ((1, 1), (0, 0))
    )
    assert findings_of(shown, ("kitten_defused", defused), there) == []
    assert findings_of(shown, ("kitten_defused", defused), elsewhere) == [(5, "no-kitten")]
    later = {**defused, "hidden": seal(SECRET, 4, (1, 1))}
    assert findings_of(shown, ("kitten_defused", later)) == [(4, "not-sealed")]
    assert findings_of(shown, ("kitten_defused", defused | {"hidden": ""})) == [(4, "not-sealed")]
    assert findings_of(shown, ("kitten_defused", defused | {"salt": ""})) == [(4, "no-salt")]
    fewer = {**defused, "cells": cells[1:]}
    assert findings_of(shown, ("kitten_defused", fewer)) == [(4, "other-cells")]


def test_the_others_may_stay_where_they_lie() -> None:
    """Ruling defuse-hides-the-grid: "you can rearrange", which nobody has to."""
    origin = where(PACK.kitten)
    place = (1, 1) if where(PACK.kitten) != (1, 1) else (0, 0)
    lay = deal(PACK, SECRET, SALT).grid
    shown = ("kitten_shown", {"cell": origin, "kitten": PACK.kitten})
    facts = {"card": PACK.defuse, "cells": list(PACK.cells), "salt": SALT, "still": True}
    defused = ("kitten_defused", facts | {"hidden": seal(SECRET, 3, place)})
    up = {cell: ("card_revealed", {"cell": cell, "card": card}) for cell, card in lay.items()}
    others = [up[cell] for cell in lay if cell not in (origin, place)]
    changed = ("card_revealed", {"cell": origin, "card": lay[place]})
    there = ("kitten_shown", {"cell": place, "kitten": PACK.kitten})
    assert findings_of(shown, defused, *others, changed, there) == []
    assert findings_of(shown, defused, up[place]) == [(5, "another-card")]
    stayed = ("kitten_defused", facts | {"hidden": seal(SECRET, 3, origin)})
    assert findings_of(shown, stayed, *others, up[place], shown) == []


def test_another_secret_than_the_one_committed_to_is_no_proof() -> None:
    assert findings_of(commit="ab" * 32) == [(3, "another-secret")]


def test_undone_moves_are_held_against_nobody() -> None:
    revealed = ("card_revealed", {"cell": where(PACK.kitten), "card": "skip"})
    assert findings_of(revealed) == [(3, "another-card")]
    assert findings_of(revealed, ("undone", {"version": 3})) == []


@pytest.mark.timed
def test_a_log_as_long_as_it_can_be_is_checked_at_once() -> None:
    """100,000 events, of which most were taken back: it takes no longer for being taken back."""
    noted = ("note_made", {"cell": (0, 0), "card": None})
    taken_back = [
        event for at in range(50_003, 100_000, 2) for event in (noted, ("undone", {"version": at}))
    ]
    with within(20):  # else many minutes
        assert findings_of(*[noted] * 50_000, *taken_back) == []
