"""The rulings of the classic games: any table's, and their own.

This module must not know what a ruling means.
"""

from companion.rules.core.rulings import TABLE

RULINGS = TABLE | frozenset(
    """
    kittens-aside paw-prints one-defuse-each extra-defuses the-deal one-fewer-kitten
    shuffle-and-place clockwise
    draw-from-the-top debt-dies-with-you empty-hand pile-lasts
    powerless-alone skip-ends-one attack attack-stacks targeted-attack see-three alter-three
    fewer-than-three shuffle-the-pile draw-from-the-bottom favor-their-choice favor-another
    target-emptied their-own-hand
    combos-of-this-edition matching-cards feral-cat combo-target pair-steals
    three-names-a-card honest-answer five-different pick-from-the-discard pick-no-kitten
    combo-is-one-play
    defuse-in-secret explode-discards-all
    card-count kitten-count what-everybody-saw known
    odds-shuffled odds-placed odds-arranged odds-private
    """.split()
)
