"""The rulings that hold at any table, and the ways in which a ruling says no.

A ruling's name (its slug) is the same everywhere: in refusals, tests, a variant's
``rulings.toml`` and the help drawer. A family adds its own.
"""

from typing import Any

TABLE = frozenset(
    """
    everyone-ready player-count unique-names first-player
    own-turn play-or-pass no-play-after-draw one-thing-at-a-time cards-of-this-game turn-ends
    possible-report show-the-kitten defuse-or-out defuse-only-a-kitten
    out-is-out last-one-standing from-hand not-an-action
    nope-cancels yup anyone-alive not-your-own un-nopeable in-time everyone-passed
    nobody-could hold
    host-acts-for host-only host-is-gone undo by-agreement leaving seats-in-the-lobby
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
        self.ruling = ruling
        self.case = case
        self.facts = facts


class Forbidden(Refused):
    """The sender may never say this: a spectator, or a seat speaking for another's."""

    code = "forbidden"


class Stale(Refused):
    """The command was meant for a window or a version that has passed."""

    code = "stale"
