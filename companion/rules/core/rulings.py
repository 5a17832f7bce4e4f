"""The rulings that hold at any table, how a ruling says no, and which sentences a language holds.

A ruling's name (its slug) is the same everywhere: in refusals, tests, a variant's
``rulings.toml`` and the help drawer. A sentence has a key; ``ruling/case`` is a closer wording
of ``ruling``. With it stand the facts that may be in braces in the sentence; a seat's may hold
what is said to that seat and what about it, ``{seat:You play|* plays}``. A family adds its own."""


class Refused(Exception):
    """A ruling forbids the command now: its slug, and ``facts`` for its sentence. ``case`` picks a
    closer wording where one ruling has several faces. ``code`` is the wire's error code."""

    code = "refused"

    def __init__(self, ruling: str | None, *, case: str | None = None, **facts: object) -> None:
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


SEATS = frozenset(
    {"seat", "target", "by", "next", "right", "instructor", "first", "host", "holder", "turn"}
)
"""The facts that are a seat."""

Keys = dict[str, frozenset[str]]


def keys(block: str) -> Keys:
    """``ruling: fact fact`` lines as key → facts; ``ruling/case /case:`` has several cases."""
    found: Keys = {}
    for line in block.strip().splitlines():
        named, _, facts = line.partition(":")
        first, *cases = named.split()
        ruling = first.partition("/")[0]
        named_so = first, *(ruling + case for case in cases)
        found |= dict.fromkeys(named_so, frozenset(facts.split()))
    return found


REFUSALS = keys(
    """
    player-count: least most count
    player-count/full: most
    unique-names /away: name seat
    everyone-ready /begun:
    everyone-ready/waiting: seats
    seats-in-the-lobby /locked /options:
    host-only: host
    host-only/no-panel: seat
    host-only/nobody /robot:
    host-is-gone: host
    host-acts-for: seat
    house-rules:
    spectators-watch:
    spectators-watch/closed: door
    leaving/gone: seat
    leaving/window: seat by card
    last-one-standing:
    last-one-standing/over: seat
    in-time: seconds
    in-time/seconds: least most
    in-time/window /nothing:
    un-nopeable /window:
    own-turn: turn
    out-is-out: seat
    cards-of-this-game: card titles
    defuse-only-a-kitten:
    no-play-after-draw: turn
    possible-report: seat
    one-thing-at-a-time:
    one-thing-at-a-time/window: by card
    one-thing-at-a-time/look /shuffle /report /kitten: turn
    not-an-action/kitten /defuse /nope: card
    from-hand: seat card
    not-your-own: seat
    everyone-passed: seat
    hold /not-held:
    hold/held: by
    hold/once: seat
    hold/who: holder
    private-notes /own:
    undo /nobody:
    by-agreement/host /nobody /next /nothing /own:
    by-agreement/asked: by
    by-agreement/again: seat
    end-the-game:
    log-full:
    """
)
"""What the referee says when it refuses, by ruling."""


def rulings(refused: Keys, others: str) -> frozenset[str]:
    """Those in whose name there is a sentence that refuses, and ``others``, which say it all."""
    return frozenset([*(key.partition("/")[0] for key in refused), *others.split()])


TABLE_RULINGS = rulings(
    REFUSALS,
    "first-player play-or-pass turn-ends show-the-kitten defuse-or-out nope-cancels yup"
    " anyone-alive nobody-could seats-in-the-setup",
)

ERRORS = keys(
    """
    bad_request: at why
    bad_request/name:
    bad_request/house_rules:
    unauthenticated:
    forbidden /robots:
    refused/robots /remarks:
    not_found: what
    not_found/table /seat /claim /variant /page /game:
    stale:
    id_reused:
    rate_limited: seconds
    rate_limited/spectators /connections /watching /waiting /robots /house_rules: most
    internal /damaged:
    busy /robots:
    method_not_allowed:
    """
)
"""What the service says for errors that no ruling is behind, by the wire's code."""

SAY = keys(
    """
    and: most last
    number/1 /2 /3:
    """
)
"""How a list and a number are spoken."""


def sections(*, refused: Keys, say: Keys, log: Keys) -> dict[str, Keys]:
    """All that a language of a family must hold; ``log``: of all that can happen there."""
    return {"refused": REFUSALS | refused, "errors": ERRORS, "say": SAY | say, "log": log}
