"""The rulings of the draw grid: any table's, and its own.

This module must not know what a ruling means.
"""

from companion.rules.core.rulings import TABLE

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
