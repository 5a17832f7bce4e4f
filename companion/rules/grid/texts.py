"""Which sentences a language of the draw grid must hold beside any table's.

This module must not know any sentence.
"""

from companion.rules.core.texts import keys, sections

REFUSED = keys(
    """
    prepare-in-order:
    prepare-in-order/lobby:
    prepare-in-order/setup:
    own-deck/begun:
    own-deck/own: seat
    own-deck/here: seat
    own-deck/ready: seat
    own-deck/again:
    own-deck/lent: seat
    opens-what-it-committed: seat
    opens-what-it-committed/none: seat
    opens-what-it-committed/playing:
    undo/opened:
    opens-what-it-committed/again: seat
    roll-call:
    roll-call/wrong-name: seat next right
    roll-call/who: turn
    roll-call/going-on: turn
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
    tell-a-card-that-is-there: seat cell
    no-combos: card
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
    private-notes/face-down: cell
    """
)
"""What the referee says when it refuses, by ruling."""

SAY = keys(
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
    where/discard: number
    where/up: number
    where/hand: number
    where/down: number
    """
)
"""How a cell is spoken: to the grid's owner, or (theirs) about them."""

LOG = keys(
    """
    deck_said/table: seat
    deck_said/device: seat
    deck_opened: seat
    game_began: first
    next_called: seat next
    caller_changed:
    roll_call_skipped:
    turn_began: seat instructor
    instructed: seat target cell
    card_played: seat card
    card_played/target: seat card target cell
    step_began/look: seat
    step_began/shuffle: seat
    step_began/reveal: seat
    looked: seat cell
    grid_shuffled: seat
    card_revealed: seat card cell
    favor_over: seat
    card_touched: seat cell
    card_touched/host: seat cell by
    card_drawn: seat
    card_drawn/card: seat card
    kitten_shown: seat kitten
    kitten_defused: seat card
    undone/seen: target cell card
    undone/safe: target cell
    undone/looked: target cell
    undone/held: target card
    note_made: cell card
    note_made/nothing: cell
    """
)
"""What the log says, by event."""

SECTIONS = sections(refused=REFUSED, say=SAY, log=LOG)
