"""The draw grid as a family of games: everything that a table needs to play it."""

from companion.rules.core import lobby
from companion.rules.core.family import (
    FamilyOf,
    FamilyViews,
    effects_by_text,
    rulings_of_effects,
)
from companion.rules.core.moves import Machine
from companion.rules.grid import commands, decks, effects, events, moves, texts, variant, view
from companion.rules.grid.state import Options, Table


def build_family() -> FamilyOf[Table]:
    """Return the family. It has all effects that ``EFFECTS`` lists at this moment."""
    return FamilyOf(
        id="grid",
        event=events.Event,
        table=Table,
        options=Options,
        set_options=commands.SetOptions,
        variant=variant.Variant,
        card=variant.Card,
        box=variant.Edition,
        devices=True,
        effects=frozenset({"kitten", "defuse", "nope", *effects.EFFECTS}),
        rulings=texts.RULINGS | rulings_of_effects(effects.EFFECTS),
        only_with=effects_by_text(effects.EFFECTS),
        sentences=texts.SECTIONS,
        limit_errors=variant.limit_errors,
        unplayable_errors=variant.unplayable_errors,
        machine=Machine(
            begins=("roll_call", "tell"),
            moves=moves.MOVES,
            closes={
                "lost": "act",
                **{name: row.leads_to for name, row in effects.EFFECTS.items()},
                "instruction": "act",
                "Noped instruction": "tell",
            },
            alone={"roll_call": "roll-call"},
            un_nopeable=(
                events.Instructed,
                events.CardTouched,
                events.CardDrawn,
                events.KittenShown,
                events.KittenDefused,
                events.WentOut,
            ),
            made_nopeable=lambda table: (
                (events.Instructed,) if table.variant.can_nope_instruction else ()
            ),
        ),
        table_moves=lobby.table_moves(commands.SetOptions, *decks.MOVES),
        preparation_ruling="prepare-in-order",
        begin_game=effects.begin_game,
        events_when_out=effects.events_when_out,
        resolve_effect=effects.resolve_effect,
        check_in_hand=effects.check_in_hand,
        views=FamilyViews(
            game=view.game_part,
            seats=view.public_seat_parts,
            own=view.private_seat_parts,
            find_place=texts.place_of_card,
            describe_fact=texts.describe_fact,
            facts_after_undo=texts.facts_after_undo,
            derived_words=texts.phrases_for_copies,
        ),
    )


GRID = build_family()
