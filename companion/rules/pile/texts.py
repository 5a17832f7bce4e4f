"""Which sentences a pile variant's language file must hold beside any table's, and their facts.

This module must not know any sentence.
"""

from companion.rules.core.texts import keys, sections

REFUSED = keys(
    """
    the-deal:
    the-deal/lobby:
    the-deal/setup:
    clockwise:
    clockwise/order:
    in-time/nothing:
    defuse-only-a-kitten:
    no-play-after-draw: turn
    un-nopeable:
    their-own-hand: target by
    one-thing-at-a-time:
    one-thing-at-a-time/act: turn
    one-thing-at-a-time/window: by card
    one-thing-at-a-time/look: turn
    one-thing-at-a-time/shuffle: turn
    one-thing-at-a-time/give: target by
    one-thing-at-a-time/take: turn target
    one-thing-at-a-time/answer: target
    one-thing-at-a-time/pick: turn
    one-thing-at-a-time/report: turn
    one-thing-at-a-time/kitten: turn
    powerless-alone: card
    favor-another: card
    favor-another/not-yourself:
    favor-another/out: target
    favor-another/empty: target
    favor-another/no-target-here: card
    targeted-attack: card
    targeted-attack/not-yourself:
    targeted-attack/out: target
    combos-of-this-edition: kind
    combos-of-this-edition/off:
    matching-cards:
    matching-cards/pair: cards
    matching-cards/triple: cards
    matching-cards/cats:
    five-different:
    combo-target: kind
    combo-target/not-yourself:
    combo-target/out: target
    combo-target/empty: target
    combo-target/no-target-here: kind
    three-names-a-card:
    three-names-a-card/kitten: card
    three-names-a-card/not-here: card
    three-names-a-card/only-triple:
    pick-no-kitten: card
    pick-from-the-discard: card
    defuse-in-secret: most
    explode-discards-all: seat count
    private-notes/place: count
    private-notes/saw: count
    from-hand: seat
    from-hand/small_hand: seat hand number
    cards-of-this-game/not_in_play: card titles
    card-count: seat card total
    card-count/too_few: seat card total noted number
    possible-report: seat
    possible-report/all_seen: seat card total noted hands
    possible-report/said_none: seat card came shown
    possible-report/known_hand: seat titles
    possible-report/elsewhere: seat card total noted
    possible-report/not_so_many: seat card most number
    possible-report/not_together: seat cards
    possible-report/must_hold: seat card least
    possible-report/left_out: seat card least number
    kitten-count: kittens count
    kitten-count/only_kittens: kittens
    kitten-count/no_kittens:
    """
)
"""What the referee says when it refuses, by ruling."""

SAY = keys(
    """
    kind/pair:
    kind/triple:
    kind/five:
    place/top:
    place/bottom:
    place/other: number
    """
)
"""How combos and places are spoken."""

LOG = keys(
    """
    seats_ordered: seats
    game_began: first
    turn_began: seat
    turn_began/owed: seat owed
    turn_began/again: seat owed
    card_played: seat card
    card_played/target: seat target card
    combo_played: seat kind cards
    combo_played/target: seat target kind cards
    combo_played/name: seat target kind cards name
    step_began/look: seat
    step_began/shuffle: seat
    step_began/give: seat
    step_began/take: seat
    step_began/answer: seat
    step_began/pick: seat
    step_began/report: seat
    looked: seat
    pile_shuffled: seat
    card_given: seat target
    card_taken: seat target
    answered/yes: seat target card
    answered/no: seat card
    card_picked: seat card
    effect_over: seat
    card_touched: seat
    card_drawn: seat
    kitten_shown: seat kitten
    kitten_defused: seat card
    hand_told: seat cards
    top_noted: cards
    kitten_placed: place
    undone/held: target cards
    undone/lacked: target cards
    undone/moved: by target
    undone/looked: by
    undone/safe:
    undone/seen: kitten
    note_made: card place
    note_made/nothing: place
    """
)
"""What the log says, by event."""

SECTIONS = sections(refused=REFUSED, say=SAY, log=LOG)
