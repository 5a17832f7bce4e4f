"""The moves of the classic games: one row of ``MOVES`` for each command.

A row names the command, the role that may send it (``by``), and the turn's step in which the
command is allowed (``during``). The function ``validate`` refuses wrong arguments, ``resolve``
returns the events, and ``leads_to`` lists the steps that can follow.
"""

from collections.abc import Iterable
from typing import NoReturn

from companion.rules.core import windows
from companion.rules.core.commands import Command
from companion.rules.core.moves import (
    ALIVE,
    EVERY_STEP,
    TURN_PLAYER,
    WINDOW_CLOSED,
    Move,
    Role,
    TableMove,
    event_resolver,
)
from companion.rules.core.types import Events
from companion.rules.pile import commands, deduction, effects, events
from companion.rules.pile.order import LOOKED_AT, is_own_kitten, notes_after_defuse
from companion.rules.pile.reasons import check_against_log, check_in_hand, check_title
from companion.rules.pile.state import Game, GameContext, Table, TableContext
from companion.rules.text.rulings import Refused


def _played_target(table: Table, game: Game) -> tuple[str, ...]:
    """Return the target of the card or combo being played, if it has one."""
    return (game.played.target,) if game.played and game.played.target else ()


def _card_owner(context: GameContext[Command]) -> str:
    """Return the seat whose card or combo is being played."""
    return context.game.pending.by


TARGET = Role("target", _played_target, "their-own-hand")


def _resolve_seating(context: TableContext[commands.Sit]) -> Events:
    order = context.command.order
    if sorted(order) != sorted(seat.seat for seat in context.table.seats):
        raise Refused("clockwise", case="order")
    return (events.SeatsOrdered(seats=order),)


def _validate_look(context: GameContext[commands.Look]) -> None:
    saw = context.command.saw or ()
    count = min(LOOKED_AT, context.game.pile_size)
    for card in saw:
        check_title(context.table, card)
    if len(saw) > count:
        raise Refused("private-notes", case="saw", count=count)


def _resolve_look(context: GameContext[commands.Look]) -> Events:
    altered = context.table.variant.by_title[context.game.pending.card].effect == "alter"
    looked = events.Looked(seat=context.seat, altered=altered)
    if not context.command.saw:
        return (looked,)
    return looked, events.TopNoted(seat=context.seat, cards=context.command.saw)


def _observation_by_answer(game: Game, seat: str) -> dict[bool, deduction.Gave | deduction.HasNone]:
    """Map each answer that a triple's target can give to the observation that follows from it."""
    by = game.pending.by
    card = game.asked_for
    return {True: deduction.Gave(seat, by, card), False: deduction.HasNone(seat, card)}


def _validate_answer(context: GameContext[commands.Answer]) -> None:
    observations = _observation_by_answer(context.game, context.seat)
    check_against_log(context.table, context.seat, observations[context.command.has])


def _list_answers(table: Table, game: Game, seat: str) -> Iterable[Command]:
    """List the answers that agree with the log."""
    return [
        commands.Answer(seat=seat, has=has)
        for has, observation in _observation_by_answer(game, seat).items()
        if game.knowledge.allows(observation)
    ]


def _validate_pick(context: GameContext[commands.Pick]) -> None:
    card = context.command.card
    check_title(context.table, card)
    if card in context.table.variant.kittens:
        raise Refused("pick-no-kitten", card=card)
    check_against_log(context.table, context.seat, deduction.Picked(context.seat, card))


def _list_picks(table: Table, game: Game, seat: str) -> Iterable[Command]:
    """List a Pick for each title that may lie in the discard pile."""
    known = game.knowledge
    titles = [title for title, _ in game.deal.counts if known.allows(deduction.Picked(seat, title))]
    return [commands.Pick(seat=seat, card=title) for title in titles]


_Drawn = deduction.Drew | deduction.DrewKitten | deduction.DrewImploding


def _observation_by_outcome(game: Game, seat: str) -> dict[commands.Outcome, _Drawn]:
    """Map each outcome that a player can report for a draw to the observation that follows from it.

    If the Imploding Kitten lies face up on top, the top card can only be reported as this Kitten,
    and no other card can.
    """
    end = game.current_turn.end
    seen_on_top = game.imploding == "top"
    at_top = end == "top" or game.pile_size == 1
    outcomes: dict[commands.Outcome, _Drawn] = {}
    if not (seen_on_top and at_top):
        outcomes |= {"safe": deduction.Drew(seat), "kitten": deduction.DrewKitten()}
    if game.imploding is not None and (at_top or not seen_on_top):
        outcomes["imploding"] = deduction.DrewImploding()
    return outcomes


def _validate_report(context: GameContext[commands.Report]) -> None:
    game = context.game
    report = context.command
    observation = _observation_by_outcome(game, context.seat).get(report.outcome)
    if observation is None:
        _refuse_outcome(context)
    else:
        check_against_log(context.table, context.seat, observation)
    if report.cards is None:
        return
    if report.outcome != "imploding" or game.imploding == "down":
        hand = game.player(context.seat).hand
        raise Refused("explode-discards-all", case="stays", seat=context.seat, count=hand)
    _validate_whole_hand(context, report.cards)


def _refuse_outcome(context: GameContext[commands.Report]) -> NoReturn:
    """Refuse an outcome that the Imploding Kitten's place excludes."""
    game = context.game
    kitten = context.table.variant.imploding
    if kitten is None:
        raise Refused("possible-report", seat=context.seat)
    if game.imploding == "top":
        raise Refused("imploding-on-top", case=str(game.current_turn.end), kitten=kitten)
    raise Refused("imploding-face-up", case="gone", kitten=kitten)


def _resolve_report(context: GameContext[commands.Report]) -> Events:
    variant = context.table.variant
    match context.command.outcome:
        case "kitten":
            return (events.KittenShown(seat=context.seat, kitten=variant.kitten),)
        case "imploding" if context.game.imploding == "down":
            return (events.ImplodingShown(seat=context.seat, kitten=variant.imploding or ""),)
        case "imploding":
            return effects.events_when_imploded(context.table, context.seat, context.command.cards)
    return events.CardDrawn(seat=context.seat), effects.begin_next_turn(context.game)


def _list_reports(table: Table, game: Game, seat: str) -> Iterable[Command]:
    """List the outcomes that the drawn card can have: safe, a Kitten, or the Imploding Kitten."""
    for outcome, observation in _observation_by_outcome(game, seat).items():
        if game.knowledge.allows(observation):
            yield commands.Report(seat=seat, outcome=outcome)


def _validate_see_imploding(context: GameContext[commands.SeeImploding]) -> None:
    """Refuse the report if no face-up card can lie on top, or if everybody knows it already."""
    kitten = context.table.variant.imploding
    if kitten is None:
        raise Refused("possible-report", seat=context.seat)
    if context.game.imploding != "up":
        raise Refused("imploding-on-top", case=context.game.imploding or "gone", kitten=kitten)


def _list_see_imploding(table: Table, game: Game, seat: str) -> Iterable[Command]:
    """List the command SeeImploding while the Imploding Kitten lies face up in the pile."""
    return (commands.SeeImploding(seat=seat),) if game.imploding == "up" else ()


def _imploding_title(context: GameContext[Command]) -> str:
    return context.table.variant.imploding or ""


def _check_place(context: GameContext[Command], place: int | None) -> None:
    """Refuse a place for a Kitten below the bottom of the pile."""
    lowest_place = context.game.pile_size + 1
    if place is not None and place > lowest_place:
        raise Refused("defuse-in-secret", most=lowest_place)


def _validate_put_back(context: GameContext[commands.PutBack]) -> None:
    _check_place(context, context.command.place)


def _resolve_put_back(context: GameContext[commands.PutBack]) -> Events:
    game = context.game
    kitten = _imploding_title(context)
    place = context.command.place
    back = events.ImplodingPutBack(seat=context.seat, kitten=kitten, top=place == 1)
    next_turn = effects.begin_next_turn(game)
    if place is None or place == 1:
        return back, next_turn
    notes = notes_after_defuse(game.player(context.seat).notes, place, kitten, own=False)
    return back, events.KittenPlaced(seat=context.seat, place=place, notes=notes), next_turn


def _validate_defuse(context: GameContext[commands.Defuse]) -> None:
    _check_place(context, context.command.place)
    check_in_hand(context.table, context.seat, context.table.variant.defuse)


def _resolve_defuse(context: GameContext[commands.Defuse]) -> Events:
    game = context.game
    variant = context.table.variant
    place = context.command.place
    defused = events.KittenDefused(seat=context.seat, card=variant.defuse)
    next_turn = effects.begin_next_turn(game)
    if place is None:
        return defused, next_turn
    notes = notes_after_defuse(game.player(context.seat).notes, place, variant.kitten)
    return defused, events.KittenPlaced(seat=context.seat, place=place, notes=notes), next_turn


def _list_defuse(table: Table, game: Game, seat: str) -> Iterable[Command]:
    """List the command Defuse if the seat's hand may hold a Defuse."""
    may_hold_one = game.knowledge.may_hold(seat, (table.variant.defuse,))
    return (commands.Defuse(seat=seat),) if may_hold_one else ()


def _validate_explode(context: GameContext[commands.Explode]) -> None:
    if context.command.cards is not None:
        _validate_whole_hand(context, context.command.cards)


def _validate_whole_hand(context: GameContext[Command], cards: tuple[str, ...]) -> None:
    """Refuse cards that can't be the whole hand of a player who goes out."""
    hand = context.game.player(context.seat).hand
    for card in cards:
        check_title(context.table, card)
    if len(cards) != hand:
        raise Refused("explode-discards-all", seat=context.seat, count=hand)
    check_against_log(context.table, context.seat, deduction.Exploded(context.seat, cards))


def _resolve_explosion(context: GameContext[commands.Explode]) -> Events:
    """Return the events of an explosion.

    If the player named the cards of their hand, the second event lists them.
    """
    went, *then = effects.events_when_out(context.table, context.seat, "kitten")
    if not context.command.cards:
        return went, *then
    return went, events.HandTold(seat=context.seat, cards=context.command.cards), *then


def _validate_note(context: GameContext[commands.MakeNote]) -> None:
    note = context.command
    count = context.game.pile_size
    if note.card is not None:
        check_title(context.table, note.card)
    if note.place > count:
        raise Refused("private-notes", case="place", count=count)


def _resolve_note(context: GameContext[commands.MakeNote]) -> Events:
    note = context.command
    game = context.game
    others = tuple(n for n in game.player(context.seat).notes if n.place != note.place)
    kitten = note.card == context.table.variant.kitten
    own = kitten and is_own_kitten(game.chosen, context.seat, others)
    return (events.NoteMade(seat=context.seat, place=note.place, card=note.card, own=own),)


TABLE_MOVES: tuple[TableMove, ...] = (
    TableMove(commands.Sit, ("lobby", "setup"), "clockwise", _resolve_seating, host_only=True),
)

_TOO_LATE = dict.fromkeys(("report", "kitten", "imploding"), "no-play-after-draw")
_WAITS = "one-thing-at-a-time"

MOVES: tuple[Move, ...] = (
    Move(
        commands.PlayCard,
        by=TURN_PLAYER,
        during="act",
        validate=effects.validate_play,
        resolve=windows.card_resolver(events.CardPlayed),
        choices=effects.list_plays,
        leads_to=("window", WINDOW_CLOSED),
        refused_by={**_TOO_LATE, "": _WAITS},
    ),
    Move(
        commands.PlayCombo,
        by=TURN_PLAYER,
        during="act",
        validate=effects.validate_combo,
        resolve=windows.card_resolver(events.ComboPlayed),
        choices=effects.list_combos,
        leads_to=("window", WINDOW_CLOSED),
        refused_by={**_TOO_LATE, "": _WAITS},
    ),
    Move(
        commands.Draw,
        by=TURN_PLAYER,
        during="act",
        resolve=event_resolver(events.CardTouched),
        leads_to=("report",),
        refused_by=_WAITS,
    ),
    *windows.window_moves(),
    Move(
        commands.Look,
        by=TURN_PLAYER,
        during="look",
        validate=_validate_look,
        resolve=_resolve_look,
        leads_to=("act",),
        refused_by=_WAITS,
    ),
    Move(
        commands.Shuffled,
        by=TURN_PLAYER,
        during="shuffle",
        resolve=event_resolver(events.PileShuffled),
        leads_to=("act",),
        refused_by=_WAITS,
    ),
    Move(
        commands.Give,
        by=TARGET,
        during="give",
        leads_to=("act",),
        refused_by=_WAITS,
        resolve=event_resolver(events.CardGiven, target=_card_owner),
    ),
    Move(
        commands.Take,
        by=TURN_PLAYER,
        during="take",
        leads_to=("act",),
        refused_by=_WAITS,
        resolve=event_resolver(events.CardTaken, target=lambda context: context.game.target),
    ),
    Move(
        commands.Answer,
        by=TARGET,
        during="answer",
        validate=_validate_answer,
        resolve=event_resolver(
            events.Answered, target=_card_owner, card=lambda context: context.game.asked_for
        ),
        choices=_list_answers,
        leads_to=("act",),
        refused_by=_WAITS,
    ),
    Move(
        commands.Pick,
        by=TURN_PLAYER,
        during="pick",
        validate=_validate_pick,
        resolve=event_resolver(events.CardPicked),
        choices=_list_picks,
        leads_to=("act",),
        refused_by=_WAITS,
    ),
    Move(
        commands.Report,
        by=TURN_PLAYER,
        during="report",
        validate=_validate_report,
        resolve=_resolve_report,
        choices=_list_reports,
        leads_to=("act", "kitten", "imploding", "over"),
        refused_by=_WAITS,
    ),
    Move(
        commands.SeeImploding,
        by=TURN_PLAYER,
        during="act",
        validate=_validate_see_imploding,
        resolve=event_resolver(events.ImplodingSeen, kitten=_imploding_title),
        choices=_list_see_imploding,
        leads_to=("act",),
        refused_by={**_TOO_LATE, "": _WAITS},
    ),
    Move(
        commands.PutBack,
        by=TURN_PLAYER,
        during="imploding",
        validate=_validate_put_back,
        resolve=_resolve_put_back,
        leads_to=("act",),
        refused_by=_WAITS,
    ),
    Move(
        commands.Defuse,
        by=TURN_PLAYER,
        during="kitten",
        validate=_validate_defuse,
        resolve=_resolve_defuse,
        choices=_list_defuse,
        leads_to=("act",),
        refused_by="defuse-only-a-kitten",
    ),
    Move(
        commands.Explode,
        by=TURN_PLAYER,
        during="kitten",
        validate=_validate_explode,
        resolve=_resolve_explosion,
        leads_to=("act", "over"),
        refused_by=_WAITS,
    ),
    Move(
        commands.MakeNote,
        by=ALIVE,
        during=EVERY_STEP,
        validate=_validate_note,
        resolve=_resolve_note,
        own_seat_only="private-notes",
    ),
)
