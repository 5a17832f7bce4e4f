"""The classic games with one pile as a family: everything that a table needs to play them."""

from companion.rules.core import lobby
from companion.rules.core.family import (
    CardEffect,
    FamilyOf,
    FamilyViews,
    effects_by_text,
    rulings_of_effects,
)
from companion.rules.core.moves import Machine
from companion.rules.pile import commands, effects, events, moves, reasons, texts, variant, view
from companion.rules.pile.state import Options, Table


def build_family() -> FamilyOf[Table]:
    """Return the family. It has all effects that ``EFFECTS`` lists at this moment."""
    with_texts: dict[str, CardEffect] = {**effects.EFFECTS, **effects.DRAWN}
    return FamilyOf(
        id="pile",
        event=events.Event,
        table=Table,
        options=Options,
        set_options=commands.SetOptions,
        variant=variant.Variant,
        card=variant.Card,
        shared=True,
        effects=frozenset({"kitten", "defuse", "nope", *effects.CATS, *with_texts}),
        rulings=texts.RULINGS | rulings_of_effects(with_texts),
        only_with=effects_by_text(with_texts),
        sentences=texts.SECTIONS,
        limit_errors=variant.limit_errors,
        unplayable_errors=variant.unplayable_errors,
        machine=Machine(
            begins=("act",),
            moves=moves.MOVES,
            closes={"lost": "act", "target emptied": "act"}
            | {name: row.leads_to for name, row in (effects.EFFECTS | effects.COMBOS).items()},
            step_first=True,
            un_nopeable=(
                events.CardTouched,
                events.CardDrawn,
                events.KittenShown,
                events.KittenDefused,
                events.ImplodingShown,
                events.ImplodingPutBack,
                events.ImplodingSeen,
                events.WentOut,
            ),
        ),
        table_moves=lobby.table_moves(commands.SetOptions, *moves.TABLE_MOVES),
        preparation_ruling="the-deal",
        begin_game=effects.begin_game,
        events_when_out=effects.events_when_out,
        resolve_effect=effects.resolve_effect,
        check_in_hand=reasons.check_in_hand,
        views=FamilyViews(
            game=view.game_part,
            seats=view.public_seat_parts,
            own=view.private_seat_parts,
            describe_fact=texts.describe_fact,
            facts_after_undo=texts.facts_after_undo,
        ),
    )


PILE = build_family()
