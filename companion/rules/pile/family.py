"""The classic games of one pile, as a table asks for them.

This module must not know how a table is stored, shown or sent.
"""

from companion.rules.core import lobby
from companion.rules.core.family import Family, Play, Shown
from companion.rules.core.machine import Line
from companion.rules.pile import (
    commands,
    effects,
    events,
    model,
    now,
    play,
    progress,
    texts,
    turns,
    variant,
    view,
    wording,
)
from companion.rules.pile.choices import CHOICES
from companion.rules.pile.machine import MACHINE
from companion.rules.pile.rulings import RULINGS

PILE = Family(
    id="pile",
    command=commands.Command,
    event=events.Event,
    table=model.Table,
    options=model.Options,
    set_options=commands.SetOptions,
    variant=variant.Variant,
    card=variant.Card,
    box=None,
    effects=frozenset({"kitten", "defuse", "nope", *effects.CATS, *effects.EFFECTS}),
    rulings=RULINGS,
    sentences=texts.SECTIONS,
    fields=variant.FIELDS,
    beyond=variant.beyond,
    unplayable=variant.unplayable,
    play=Play(
        machine=MACHINE,
        lines={
            commands.SetOptions: lobby.OPTIONS,
            commands.Sit: Line(("lobby", "setup"), "clockwise", play.seating, host=True),
        },
        rules=play.RULES,
        folds=progress.FOLDS,
        table_folds={
            events.SeatsOrdered: progress.seats_ordered,
            events.GameBegan: progress.game_began,
        },
        said=progress.SAID,
        preparation="the-deal",
        begins=turns.begins,
        goes_out=turns.going_out,
        takes_effect=effects.takes_effect,
        may_hold=play.may_hold,
        leaves_hand=now.leaves_hand,
        keeps=progress.kept_notes,
        choices=CHOICES,
    ),
    shown=Shown(
        sections=view.SECTIONS,
        seat=view.seat_view,
        seats_rest_on=view.seats_rest_on,
        rests_on=view.seat_rests_on,
        you=view.you,
        you_rests_on=view.you_rests_on,
        private=(events.NoteMade, events.TopNoted, events.KittenPlaced),
        stays_known=wording.stays_known,
        place=wording.lain,
        case=wording.case,
        word=wording.word,
        more_words=wording.more_words,
    ),
)
