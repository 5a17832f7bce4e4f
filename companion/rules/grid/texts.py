"""The rulings of the draw grid, and the sentences that a language of it must hold."""

from companion.rules.core.events import sentences
from companion.rules.core.rulings import TABLE
from companion.rules.core.texts import keys, sections
from companion.rules.grid.events import Event

RULINGS = TABLE | frozenset(
    """
    deck-of-fifteen prepare-in-order own-deck opens-what-it-committed
    alphabetical-order roll-call chain-closes-up
    told-by-previous wait-to-be-told tell-a-card-that-is-there told-once
    as-the-drawer-sees-it no-combos
    draw-what-you-were-told grid-shrinks safe-draw face-up-is-known
    defuse-hides-the-grid same-number-of-cards
    deck-count skip-ends-turn look-at-one
    shuffle-needs-a-new-word favor-turns-one-up favor-another
    """.split()
)

REFUSED = keys(
    """
    prepare-in-order:
    prepare-in-order/lobby:
    prepare-in-order/setup:
    own-deck/begun:
    own-deck/own: seat
    own-deck/ready: seat
    own-deck/again:
    own-deck/lent: seat
    opens-what-it-committed: seat
    opens-what-it-committed/none: seat
    opens-what-it-committed/playing: seat
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

SECTIONS = sections(refused=REFUSED, say=SAY, log=sentences(Event))
