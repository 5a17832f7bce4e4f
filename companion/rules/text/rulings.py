"""The rulings of every table, the refusals that cite them, and the keys of the messages.

A ruling's slug is the same everywhere: in refusals, tests, a variant's ``rulings.toml`` and the
help drawer. The key of a refusal's message is the ruling's slug, or ``slug/case`` if the ruling has
several messages. The lists below give each message's key and the names of its placeholders. A
placeholder for a seat can have two forms, as in ``{seat:You play|* plays}``: the player of that
seat reads the first form, and everybody else the second. Each family adds keys of its own.
"""


class Refused(Exception):
    """A ruling forbids the command now.

    ``ruling`` is the ruling's slug, and ``facts`` are the values of the message's placeholders. If
    the ruling has several messages, ``case`` selects one.
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
    unique-names /away /away-host: name seat
    unique-names/emblem: seat
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
    everyone-passed/own: seat
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

    ``refused`` has the message keys for refusals. Each key begins with a ruling's slug. ``others``
    has the slugs of the rulings without such a message, separated by spaces.
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
    rate_limited: seconds wait
    rate_limited/spectators /connections /watching /waiting /robots /house_rules: most
    internal /damaged:
    busy /robots:
    method_not_allowed:
    """
)
"""The message keys for errors that don't cite a ruling. Each key begins with an error code."""

SAY = parse_keys(
    """
    and: most last
    number/1 /2 /3:
    """
)
"""The message keys for joining the items of a list (``and``) and for numbers as words."""


def sentence_sections(*, refused: Keys, say: Keys, log: Keys) -> dict[str, Keys]:
    """Return the message keys that each language's file must contain, by section of the file.

    ``refused``, ``say`` and ``log`` have the message keys that the family adds to those of every
    table. ``log`` has the keys for the events of the log.
    """
    return {"refused": REFUSALS | refused, "errors": ERRORS, "say": SAY | say, "log": log}
