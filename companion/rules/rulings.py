"""The names of all rulings, and the ways in which a ruling says no.

A ruling's name (its slug) is the same everywhere: in refusals, tests, a variant's
``rulings.toml`` and the help drawer. This module must not know what a ruling means.
"""

from typing import Any

RULINGS = frozenset(
    """
    deck-of-fifteen prepare-in-order everyone-ready player-count unique-names
    alphabetical-order roll-call first-player chain-closes-up
    own-turn told-by-previous wait-to-be-told tell-a-card-that-is-there told-once
    as-the-drawer-sees-it play-or-pass no-play-after-draw one-thing-at-a-time no-combos
    cards-of-this-game turn-ends
    draw-what-you-were-told grid-shrinks safe-draw face-up-is-known possible-report
    show-the-kitten defuse-or-out defuse-only-a-kitten defuse-hides-the-grid
    same-number-of-cards out-is-out last-one-standing
    from-hand deck-count not-an-action skip-ends-turn look-at-one
    shuffle-needs-a-new-word favor-turns-one-up favor-another
    nope-cancels yup anyone-alive not-your-own un-nopeable in-time everyone-passed
    nobody-could hold
    host-acts-for host-only host-is-gone undo leaving seats-in-the-lobby
    spectators-watch private-notes end-the-game log-full
    """.split()
)


class Refused(Exception):
    """A ruling forbids the command now.

    ``ruling`` is the slug, ``facts`` what the sentence about it needs. ``case`` picks a
    closer wording where one ruling has several faces. ``code`` is the wire's error code.
    """

    code = "refused"

    def __init__(self, ruling: str | None, *, case: str | None = None, **facts: Any) -> None:
        super().__init__(ruling if case is None else f"{ruling}/{case}")
        assert ruling is None or ruling in RULINGS, ruling
        self.ruling = ruling
        self.case = case
        self.facts = facts


class Forbidden(Refused):
    """The sender may never say this: a spectator, or a seat speaking for another's."""

    code = "forbidden"


class Stale(Refused):
    """The command was meant for a window or a version that has passed."""

    code = "stale"
