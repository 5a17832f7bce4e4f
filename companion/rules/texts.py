"""Which sentences a variant's language file must hold, and which facts each may use.

A key ``ruling/case`` is a closer wording of ``ruling``. The values are the names that
may stand in braces in the sentence; a seat's may hold what is said to that seat and what
about it, ``{seat:You play|* plays}``. This module must not know any sentence.
"""

SEATS = frozenset(
    {"seat", "target", "by", "next", "right", "instructor", "first", "host", "holder", "turn"}
)
"""The facts that are a seat."""


def _keys(block: str) -> dict[str, frozenset[str]]:
    """``key: fact fact`` lines as key → facts."""
    lines = (line.partition(":") for line in block.strip().splitlines())
    return {key.strip(): frozenset(facts.split()) for key, _, facts in lines}


REFUSED = _keys(
    """
    player-count: least most count
    player-count/full: most
    unique-names: name seat
    everyone-ready:
    everyone-ready/waiting: seats
    everyone-ready/begun:
    prepare-in-order:
    prepare-in-order/lobby:
    prepare-in-order/setup:
    seats-in-the-lobby:
    seats-in-the-lobby/locked:
    seats-in-the-lobby/options:
    host-only: host
    host-only/no-panel: seat
    host-only/nobody:
    host-is-gone: host
    host-acts-for: seat
    spectators-watch:
    spectators-watch/closed: door
    leaving/gone: seat
    leaving/window: seat by card
    last-one-standing:
    last-one-standing/over: seat
    in-time: seconds
    in-time/seconds: least most
    in-time/window:
    roll-call:
    roll-call/wrong-name: seat next right
    roll-call/who: turn
    roll-call/going-on: turn
    own-turn: turn
    told-by-previous: turn instructor
    told-once: turn told
    wait-to-be-told: turn instructor
    one-thing-at-a-time:
    one-thing-at-a-time/window: by card
    one-thing-at-a-time/look: turn
    one-thing-at-a-time/shuffle: turn
    one-thing-at-a-time/reveal: target
    one-thing-at-a-time/report: turn
    one-thing-at-a-time/kitten: turn
    no-play-after-draw: turn
    out-is-out: seat
    tell-a-card-that-is-there: seat cell
    cards-of-this-game: card titles
    no-combos: card
    not-an-action/kitten: card
    not-an-action/defuse: card
    not-an-action/nope: card
    from-hand: seat card
    deck-count: seat card total where
    possible-report/all_seen: seat card total where
    possible-report/nothing_face_down: seat
    possible-report/only_the_kitten: seat
    possible-report/kitten_is_up: seat
    possible-report/known_hand: seat card titles
    possible-report/known_cells: seat card titles
    possible-report: seat
    favor-another: card
    favor-another/whose:
    favor-another/not-yourself:
    favor-another/out: target
    favor-another/face-down: target cell
    favor-another/no-target-here: card
    favor-turns-one-up:
    favor-turns-one-up/who: by target
    look-at-one:
    look-at-one/empty: cell
    shuffle-needs-a-new-word:
    draw-what-you-were-told: turn
    draw-what-you-were-told/cell: seat told
    face-up-is-known: card
    show-the-kitten: turn
    defuse-only-a-kitten:
    defuse-or-out:
    same-number-of-cards: seat count
    not-your-own: seat
    everyone-passed: seat
    hold:
    hold/held: by
    hold/once: seat
    hold/not-held:
    hold/who: holder
    private-notes:
    private-notes/own:
    private-notes/face-down: cell
    undo:
    end-the-game:
    log-full:
    """
)
"""What the referee says when it refuses, by ruling."""

ERRORS = _keys(
    """
    bad_request: at why
    bad_request/name:
    unauthenticated:
    forbidden:
    not_found: what
    not_found/table:
    not_found/seat:
    not_found/claim:
    not_found/variant:
    not_found/page:
    stale:
    id_reused:
    rate_limited:
    rate_limited/spectators: most
    rate_limited/connections: most
    internal:
    busy:
    method_not_allowed:
    """
)
"""What the service says for errors that no ruling is behind, by the wire's code (and what it is
about)."""

SAY = _keys(
    """
    rows/one:
    rows/top:
    rows/middle:
    rows/bottom:
    rows/other: number
    place/only:
    place/middle:
    place/left: ordinal
    place/right: ordinal
    place/left-theirs: ordinal
    place/right-theirs: ordinal
    ordinal/1:
    ordinal/2:
    ordinal/3:
    ordinal/other: number
    cell: row place
    empty-cell: row column
    and: most last
    where/discard: number
    where/up: number
    where/hand: number
    where/down: number
    number/1:
    number/2:
    number/3:
    """
)
"""How a cell and a list are spoken: to the grid's owner, or (theirs) about them."""

LOG = _keys(
    """
    seat_taken: seat
    place_asked: name
    place_given_up: name
    seat_renamed: seat name
    seat_removed: seat
    seat_claimed: seat
    options_changed:
    host_changed: seat
    host_changed/nobody:
    prepared:
    returned_to_lobby:
    ready_said/yes: seat
    ready_said/no: seat
    game_ended:
    rematched:
    game_began: first
    next_called: seat next
    caller_changed:
    roll_call_skipped:
    turn_began: seat instructor
    instructed: seat target cell
    card_played: seat card
    card_played/target: seat card target cell
    nope_played/yes: seat card by
    nope_played/no: seat card by
    passed: seat
    held: seat
    released: seat
    released/nobody:
    window_extended:
    window_closed/yes: seat card
    window_closed/no: seat card
    step_began/look: seat
    step_began/shuffle: seat
    step_began/reveal: seat
    looked: seat cell
    grid_shuffled: seat
    card_revealed: seat card cell
    favor_over: seat
    card_touched: seat cell
    card_drawn: seat
    card_drawn/card: seat card
    kitten_shown: seat kitten
    kitten_defused: seat card
    went_out/kitten: seat
    went_out/left: seat
    game_won: seat
    undone:
    note_made: cell card
    note_made/nothing: cell
    """
)
"""What the log says, by event."""

SECTIONS = {"refused": REFUSED, "errors": ERRORS, "say": SAY, "log": LOG}
