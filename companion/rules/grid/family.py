"""The draw grid, as a table asks for it.

This module must not know how a table is stored, shown or sent.
"""

from companion.rules.core import lobby
from companion.rules.core.family import Family, Play, Shown
from companion.rules.grid import (
    commands,
    decks,
    events,
    model,
    play,
    progress,
    texts,
    turns,
    variant,
    view,
    wording,
)
from companion.rules.grid.choices import CHOICES
from companion.rules.grid.effects import EFFECTS
from companion.rules.grid.machine import MACHINE
from companion.rules.grid.rulings import RULINGS

GRID = Family(
    id="grid",
    command=commands.Command,
    event=events.Event,
    table=model.Table,
    options=model.Options,
    set_options=commands.SetOptions,
    variant=variant.Variant,
    card=variant.Card,
    box=variant.Edition,
    devices=True,
    effects=frozenset({"kitten", "defuse", "nope", *EFFECTS}),
    rulings=RULINGS,
    sentences=texts.SECTIONS,
    fields=variant.FIELDS,
    beyond=variant.beyond,
    unplayable=variant.unplayable,
    play=Play(
        machine=MACHINE,
        lines={commands.SetOptions: lobby.OPTIONS, **decks.LINES},
        rules=play.RULES,
        folds=progress.FOLDS,
        table_folds=progress.TABLE_FOLDS,
        said=progress.SAID,
        preparation="prepare-in-order",
        begins=turns.begins,
        goes_out=turns.going_out,
        takes_effect=play.takes_effect,
        may_hold=play.may_hold,
        leaves_hand=play.leaves_hand,
        keeps=progress.kept_notes,
        choices=CHOICES,
        facts=play.facts,
        late=(events.DeckOpened,),
    ),
    shown=Shown(
        sections=view.SECTIONS,
        seat=view.seat_view,
        rests_on=view.seat_rests_on,
        seats_rest_on=view.seats_rest_on,
        you=view.you,
        you_rests_on=view.you_rests_on,
        private=(events.NoteMade,),
        stays_known=wording.stays_known,
        place=wording.lain,
        case=wording.case,
        word=wording.word,
        more_words=wording.more_words,
    ),
)
