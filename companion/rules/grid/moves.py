"""The moves of a game on the draw grid: one row of ``MOVES`` for each command.

A row names the command, the role that may send it (``by``), and the turn's step in which the
command is allowed (``during``). The function ``validate`` refuses wrong arguments, ``resolve``
returns the events, and ``leads_to`` lists the steps that can follow.
"""

from collections.abc import Iterable

from companion.rules.core import windows
from companion.rules.core.commands import Command, Report
from companion.rules.core.moves import (
    ALIVE,
    EVERY_STEP,
    HOST,
    TURN_PLAYER,
    WINDOW_CLOSED,
    Move,
    Role,
    event_resolver,
)
from companion.rules.core.types import Events
from companion.rules.grid import commands, deduction, effects, events, places
from companion.rules.grid.commands import Cell
from companion.rules.grid.effects import check_against_log, check_in_hand
from companion.rules.grid.places import DOWN
from companion.rules.grid.state import Game, GameContext, Table, acting_host, shuffle_salt
from companion.rules.text.rulings import Refused


def _favor_target(table: Table, game: Game) -> tuple[str, ...]:
    """Return the target that must turn a card up.

    If the game doesn't wait for a Favor, return all living seats. Every living seat then passes the
    check of the role, so that the check of the step refuses the command.
    """
    waits = game.turn is not None and game.turn.step == "reveal" and game.played is not None
    return (game.played.target or "",) if waits and game.played else game.living


INSTRUCTOR = Role(
    "instructor",
    lambda _, game: (game.previous_living(game.turn.seat),) if game.turn else (),
    "told-by-previous",
)
TARGET = Role("Favor's target", _favor_target, "favor-turns-one-up")
CALLER = Role("caller", lambda _, game: (game.caller,) if game.caller else game.living, "roll-call")


def _validate_call(context: GameContext[commands.CallNext]) -> None:
    named = context.command.next
    right = context.game.next_living(context.seat)
    if named != right:
        raise Refused("roll-call", case="wrong-name", seat=context.seat, next=named, right=right)


def _resolve_call(context: GameContext[commands.CallNext]) -> Events:
    game = context.game
    caller = effects.next_caller(game, context.seat)
    called = events.NextCalled(seat=context.seat, next=context.command.next, caller=caller)
    return (called,) if caller else (called, effects.begin_turn(game, game.first))


def _validate_instruct(context: GameContext[commands.Instruct]) -> None:
    player = context.game.player(context.game.current_turn.seat)
    if places.card_at(player.grid, context.command.cell) is None:
        raise Refused("tell-a-card-that-is-there", seat=player.seat, cell=context.command.cell)
    if context.command.cell not in context.game.tellable_cells:
        raise Refused("noped-instruction", seat=player.seat, cell=context.command.cell)


def _resolve_instruct(context: GameContext[commands.Instruct]) -> Events:
    """Return the event of the instruction. It opens a window if the instruction can be Noped and
    somebody could Nope it."""
    target = context.game.current_turn.seat
    told = events.Instructed(seat=context.seat, target=target, cell=context.command.cell)
    table = context.table
    if table.variant.can_nope_instruction and windows.could_nope(table, context.seat):
        return windows.open_window(context, told)
    return (told,)


def _validate_look(context: GameContext[commands.Look]) -> None:
    if places.card_at(context.game.player(context.seat).grid, context.command.cell) is None:
        raise Refused("look-at-one", case="empty", cell=context.command.cell, seat=context.seat)


def _list_instructions(_: Table, game: Game, seat: str) -> Iterable[Command]:
    return [commands.Instruct(seat=seat, cell=cell) for cell in game.tellable_cells]


def _list_looks(_: Table, game: Game, seat: str) -> Iterable[Command]:
    """List a Look for each card of the turn player's grid."""
    grid = game.player(game.current_turn.seat).grid
    return [commands.Look(seat=seat, cell=cell) for cell in places.occupied_cells(grid)]


def _validate_cells(context: GameContext[commands.Shuffled | commands.Defuse]) -> None:
    """Refuse the command's cells unless they are distinct, lie in the grid, and are as many as the
    grid's cards.

    The refusal cites the ruling same-number-of-cards.
    """
    cells = context.command.cells
    grid = context.game.player(context.seat).grid
    if cells is None:
        return
    count = len(places.occupied_cells(grid))
    if not len(cells) == len(places.occupied_cells(places.with_cards_in(grid, cells))) == count:
        raise Refused("same-number-of-cards", seat=context.seat, count=count)


def _rearranged_cells(
    context: GameContext[commands.Shuffled | commands.Defuse],
) -> tuple[Cell, ...]:
    """Return the cells that the command names, sorted.

    If the command names no cells, return the cells that hold a card now.
    """
    cells = context.command.cells
    if cells is None:
        cells = places.occupied_cells(context.game.player(context.seat).grid)
    return tuple(sorted(cells))


def _validate_reveal(context: GameContext[commands.Reveal]) -> None:
    effects.check_title(context.table, context.command.card)
    check_against_log(
        context.game.player(context.seat), deduction.TurnedUp(card=context.command.card)
    )


def _list_reveals(table: Table, game: Game, seat: str) -> Iterable[Command]:
    """List a Reveal for each title that may lie face down in the seat's grid."""
    possible = game.player(seat).knowledge.face_down
    titles = [card.id for card in table.variant.cards if card.id in possible]
    return [commands.Reveal(seat=seat, card=title) for title in titles]


def _validate_draw(context: GameContext[commands.Draw]) -> None:
    cell = context.command.cell
    told = context.game.told_cell
    if cell != told:
        raise Refused(
            "draw-what-you-were-told", case="cell", seat=context.seat, cell=cell, told=told
        )


def _validate_report(context: GameContext[Report]) -> None:
    """Refuse an outcome that contradicts the touched card.

    The outcome must match the title of a face-up card. For a face-down card, the outcome must agree
    with the log.
    """
    player = context.game.player(context.seat)
    kitten = context.table.variant.kitten
    face = places.card_at(player.grid, context.game.told_cell)
    safe = context.command.outcome == "safe"
    if face == DOWN:
        check_against_log(player, deduction.DrewHidden() if safe else deduction.TurnedUp(kitten))
    elif (face == kitten) == safe:
        raise Refused("face-up-is-known", seat=player.seat, card=face)


def _resolve_report(context: GameContext[Report]) -> Events:
    game = context.game
    seat = context.seat
    cell = context.game.told_cell
    if context.command.outcome == "kitten":
        return (events.KittenShown(seat=seat, cell=cell, kitten=context.table.variant.kitten),)
    face = places.card_at(game.player(seat).grid, cell)
    drawn = events.CardDrawn(seat=seat, cell=cell, card=None if face == DOWN else face)
    return drawn, effects.begin_next_turn(game)


def _list_reports(table: Table, game: Game, seat: str) -> Iterable[Command]:
    """List the outcomes that the touched card can have: safe, a Kitten, or both."""
    player = game.player(seat)
    kitten = table.variant.kitten
    face = places.card_at(player.grid, game.told_cell)
    titles = player.knowledge.face_down if face == DOWN else (face,)
    if any(title != kitten for title in titles):
        yield Report(seat=seat, outcome="safe")
    if kitten in titles:
        yield Report(seat=seat, outcome="kitten")


def _validate_defuse(context: GameContext[commands.Defuse]) -> None:
    check_in_hand(context.table, context.seat, context.table.variant.defuse, forced=True)
    _validate_cells(context)
    if context.command.still and {*_rearranged_cells(context)} != {
        *places.occupied_cells(context.game.player(context.seat).grid)
    }:
        raise Refused("same-number-of-cards", case="still", seat=context.seat)


def _resolve_defuse(context: GameContext[commands.Defuse]) -> Events:
    defused = events.KittenDefused(
        seat=context.seat,
        card=context.table.variant.defuse,
        cells=_rearranged_cells(context),
        still=context.command.still,
        hidden=(context.command.hidden or "").lower(),
        salt=shuffle_salt(context),
    )
    return defused, effects.begin_next_turn(context.game)


def _list_defuse(table: Table, game: Game, seat: str) -> Iterable[Command]:
    """List the command Defuse if the seat's hand may hold a Defuse."""
    player = game.player(seat)
    may_hold_one = player.hand and table.variant.defuse in player.knowledge.in_hand
    return (commands.Defuse(seat=seat),) if may_hold_one else ()


def _validate_note(context: GameContext[commands.MakeNote]) -> None:
    player = context.game.player(context.seat)
    note = context.command
    if places.card_at(player.grid, note.cell) != DOWN:
        raise Refused("private-notes", case="face-down", cell=note.cell)
    if note.card is not None:
        effects.check_title(context.table, note.card)


_TOO_LATE = {"report": "no-play-after-draw", "kitten": "no-play-after-draw"}

MOVES: tuple[Move, ...] = (
    Move(
        commands.CallNext,
        by=CALLER,
        during="roll_call",
        validate=_validate_call,
        resolve=_resolve_call,
        choices=lambda _, game, seat: (commands.CallNext(seat=seat, next=game.next_living(seat)),),
        leads_to=("roll_call", "tell"),
        refused_by="roll-call",
    ),
    Move(
        commands.SkipRollCall,
        by=HOST,
        during="roll_call",
        resolve=lambda context: (
            events.RollCallSkipped(),
            effects.begin_turn(context.game, context.game.first),
        ),
        leads_to=("tell",),
        refused_by="roll-call",
    ),
    Move(
        commands.Instruct,
        by=INSTRUCTOR,
        during="tell",
        validate=_validate_instruct,
        resolve=_resolve_instruct,
        choices=_list_instructions,
        leads_to=("act", "window"),
        refused_by="told-once",
    ),
    Move(
        commands.PlayCard,
        by=TURN_PLAYER,
        during="act",
        validate=effects.validate_play,
        resolve=windows.card_resolver(events.CardPlayed),
        choices=effects.list_plays,
        leads_to=("window", WINDOW_CLOSED),
        refused_by={"tell": "wait-to-be-told", **_TOO_LATE, "": "one-thing-at-a-time"},
        device_ruling="own-deck",
    ),
    Move(
        commands.Draw,
        by=TURN_PLAYER,
        during="act",
        validate=_validate_draw,
        resolve=event_resolver(events.CardTouched, by=acting_host),
        choices=lambda _, game, seat: (commands.Draw(seat=seat, cell=game.told_cell),),
        leads_to=("report",),
        refused_by={"tell": "wait-to-be-told", "": "one-thing-at-a-time"},
        device_ruling="own-deck",
    ),
    *windows.window_moves(device="own-deck"),
    Move(
        commands.Look,
        by=TURN_PLAYER,
        during="look",
        validate=_validate_look,
        resolve=event_resolver(events.Looked),
        choices=_list_looks,
        leads_to=("act",),
        refused_by="look-at-one",
        device_ruling="own-deck",
    ),
    Move(
        commands.Shuffled,
        by=TURN_PLAYER,
        during="shuffle",
        validate=_validate_cells,
        resolve=event_resolver(events.GridShuffled, cells=_rearranged_cells, salt=shuffle_salt),
        leads_to=("tell",),
        refused_by="shuffle-needs-a-new-word",
        device_ruling="own-deck",
    ),
    Move(
        commands.Reveal,
        by=TARGET,
        during="reveal",
        validate=_validate_reveal,
        resolve=event_resolver(events.CardRevealed, cell=lambda context: context.game.pending.cell),
        choices=_list_reveals,
        leads_to=("act",),
        refused_by="favor-turns-one-up",
        device_ruling="own-deck",
    ),
    Move(
        Report,
        by=TURN_PLAYER,
        during="report",
        validate=_validate_report,
        resolve=_resolve_report,
        choices=_list_reports,
        leads_to=("tell", "kitten"),
        refused_by={"kitten": "show-the-kitten", "": "draw-what-you-were-told"},
        device_ruling="own-deck",
    ),
    Move(
        commands.Defuse,
        by=TURN_PLAYER,
        during="kitten",
        validate=_validate_defuse,
        resolve=_resolve_defuse,
        choices=_list_defuse,
        leads_to=("tell",),
        refused_by="defuse-only-a-kitten",
        device_ruling="own-deck",
    ),
    Move(
        commands.Explode,
        by=TURN_PLAYER,
        during="kitten",
        resolve=lambda context: effects.events_when_out(context.table, context.seat, "kitten"),
        leads_to=("tell", "over"),
        refused_by="defuse-or-out",
        device_ruling="own-deck",
    ),
    Move(
        commands.MakeNote,
        by=ALIVE,
        during=EVERY_STEP,
        validate=_validate_note,
        resolve=event_resolver(events.NoteMade),
        own_seat_only="private-notes",
    ),
)
