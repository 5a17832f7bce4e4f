"""The rulings of every table, the refusals that cite them, and the keys of their sentences.

A ruling's slug is the same everywhere: in refusals, tests, a variant's ``rulings.toml`` and the
help drawer. The key of a sentence is a ruling, or ``ruling/case`` for the wording in one case. The
lists below give each key with the names of the facts that the sentence may use as placeholders. A
placeholder for a seat can have two forms, as in ``{seat:You play|* plays}``: the first for that
player, the second for all others. Each family adds keys of its own.
"""


class Refused(Exception):
    """A ruling forbids the command now.

    ``ruling`` is the ruling's slug, ``facts`` are the values of the message's placeholders, and
    ``case`` selects the message if the ruling has several.
    """

    code = "refused"  # the error code on the wire

    def __init__(self, ruling: str | None, *, case: str | None = None, **facts: object) -> None:
        super().__init__(ruling if case is None else f"{ruling}/{case}")
        self.ruling = ruling
        self.case = case
        self.facts = facts


class Forbidden(Refused):
    """The sender may not send this command at all, for example as a spectator or for
    another seat."""

    code = "forbidden"


class Stale(Refused):
    """The command was meant for an earlier window or an earlier version of the table."""

    code = "stale"


SEATS = frozenset(
    {"seat", "target", "by", "next", "right", "instructor", "first", "host", "holder", "turn"}
)
"""The names of the placeholders whose values are seats."""

Keys = dict[str, frozenset[str]]


def parse_keys(block: str) -> Keys:
    """Parse lines such as ``host-only: host`` into a mapping from message key to placeholders.

    ``unique-names /away: name seat`` stands for two keys, ``unique-names`` and
    ``unique-names/away``, with the same placeholders.
    """
    parsed: Keys = {}
    for line in block.strip().splitlines():
        names, _, facts = line.partition(":")
        first, *cases = names.split()
        ruling = first.partition("/")[0]
        line_keys = first, *(ruling + case for case in cases)
        parsed |= dict.fromkeys(line_keys, frozenset(facts.split()))
    return parsed


REFUSALS = parse_keys(
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
"""The message keys for refusals, each with the names of the message's placeholders."""


def ruling_slugs(refused: Keys, others: str) -> frozenset[str]:
    """Return the slugs of all rulings.

    The rulings in ``refused`` have sentences for refusals. ``others`` lists the rulings that have
    none, separated by spaces.
    """
    return frozenset([*(key.partition("/")[0] for key in refused), *others.split()])


TABLE_RULINGS = ruling_slugs(
    REFUSALS,
    "first-player play-or-pass turn-ends show-the-kitten defuse-or-out nope-cancels yup"
    " anyone-alive nobody-could seats-in-the-setup",
)

ERRORS = parse_keys(
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
"""The message keys for errors that no ruling causes. Each key begins with an error code."""

SAY = parse_keys(
    """
    and: most last
    number/1 /2 /3:
    """
)
"""The message keys for lists and numbers."""


def sentence_sections(*, refused: Keys, say: Keys, log: Keys) -> dict[str, Keys]:
    """Return the keys of the sentences that each language of a family must have, by section.

    ``refused`` and ``say`` are the family's own keys. ``log`` has the keys for all its events.
    """
    return {"refused": REFUSALS | refused, "errors": ERRORS, "say": SAY | say, "log": log}
