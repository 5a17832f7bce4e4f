"""The rules of the game's commands: what each asks beyond its step and role, and leads to.

This module must not know in which step a command is in order (the referee's table
does), nor who may say it.
"""

from typing import Any

from companion.rules.core import windows
from companion.rules.core.commands import Said, Word
from companion.rules.core.events import Happened
from companion.rules.core.nopes import NOPE_RULES
from companion.rules.core.rule import Rule, nothing_asked
from companion.rules.core.rulings import Refused
from companion.rules.grid import commands, decks, deduction, events, now, places, turns
from companion.rules.grid.effects import EFFECTS
from companion.rules.grid.model import Game, Played, Player, Table
from companion.rules.grid.places import Cell

# --- the roll call ---------------------------------------------------------------------


def _asks_call(table: Table, word: Word[commands.CallNext]) -> None:
    right = table.playing().after(word.seat)
    if word.said.next != right:
        raise Refused(
            "roll-call", case="wrong-name", seat=word.seat, next=word.said.next, right=right
        )


def _call(table: Table, word: Word[commands.CallNext]) -> tuple[Happened, ...]:
    game = table.playing()
    caller = turns.next_caller(game, word.seat)
    called = events.NextCalled(seat=word.seat, next=word.said.next, caller=caller)
    return (called,) if caller else (called, turns.first_turn(game, game.first))


def _skip_roll_call(table: Table, word: Word[Any]) -> tuple[Happened, ...]:
    game = table.playing()
    return events.RollCallSkipped(), turns.first_turn(game, game.first)


# --- the turn --------------------------------------------------------------------------


def _asks_instruct(table: Table, word: Word[commands.Instruct]) -> None:
    player = now.player(table, now.turn(table).seat)
    if places.at(player.grid, word.said.cell) is None:
        raise Refused("tell-a-card-that-is-there", seat=player.seat, cell=word.said.cell)


def _instruct(table: Table, word: Word[commands.Instruct]) -> tuple[Happened, ...]:
    return (events.Instructed(seat=word.seat, target=now.turn(table).seat, cell=word.said.cell),)


def _no_such_card(table: Table, card: str, ruling: str | None = None) -> Refused:
    """A title that this game doesn't have, and those that it has."""
    return Refused(ruling or "cards-of-this-game", card=card, titles=tuple(table.variant.by_title))


def _asks_play(table: Table, word: Word[commands.PlayCard]) -> None:
    title, variant = word.said.card, table.variant
    if title not in variant.by_title:
        raise _no_such_card(table, title, variant.elsewhere.get(title))
    does = variant.card(title).effect
    if does not in EFFECTS:
        raise Refused("not-an-action", case=does, card=title)
    now.leaves_hand(now.player(table, word.seat), title)
    EFFECTS[does].asks(table.playing(), word)


def _play(table: Table, word: Word[commands.PlayCard]) -> tuple[Happened, ...]:
    nopeable = table.variant.card(word.said.card).nopeable
    played = events.CardPlayed(
        seat=word.seat,
        card=word.said.card,
        target=word.said.target,
        cell=word.said.cell,
        seconds=table.options.nope_seconds,
        closes_at=None,
    )
    return windows.laid(table, played, word.moment, nopeable)


def _asks_look(table: Table, word: Word[commands.Look]) -> None:
    if places.at(now.player(table, word.seat).grid, word.said.cell) is None:
        raise Refused("look-at-one", case="empty", cell=word.said.cell, seat=word.seat)


def _look(table: Table, word: Word[commands.Look]) -> tuple[Happened, ...]:
    return (events.Looked(seat=word.seat, cell=word.said.cell),)


def _asks_cells(table: Table, word: Word[commands.Shuffled | commands.Defuse]) -> None:
    """Ruling same-number-of-cards."""
    if word.said.cells is None:
        return
    before = places.filled(now.player(table, word.seat).grid)
    after = places.filled(places.arranged(now.player(table, word.seat).grid, word.said.cells))
    if not len(word.said.cells) == len(after) == len(before):
        raise Refused("same-number-of-cards", seat=word.seat, count=len(before))


def _cells(table: Table, word: Word[commands.Shuffled | commands.Defuse]) -> tuple[Cell, ...]:
    """Where the cards lie now: as said, else where they lay."""
    said = word.said.cells
    return tuple(sorted(places.filled(now.player(table, word.seat).grid) if said is None else said))


def _shuffle(table: Table, word: Word[commands.Shuffled]) -> tuple[Happened, ...]:
    salt = decks.salt(table, word)
    return (events.GridShuffled(seat=word.seat, cells=_cells(table, word), salt=salt),)


def _asks_reveal(table: Table, word: Word[commands.Reveal]) -> None:
    if word.said.card not in table.variant.by_title:
        raise _no_such_card(table, word.said.card)
    now.agrees(now.player(table, word.seat), deduction.TurnedUp(card=word.said.card))


def _reveal(table: Table, word: Word[commands.Reveal]) -> tuple[Happened, ...]:
    cell = now.played(table).cell
    assert cell is not None
    return (events.CardRevealed(seat=word.seat, cell=cell, card=word.said.card),)


# --- drawing and the Kitten ------------------------------------------------------------


def _asks_draw(table: Table, word: Word[commands.Draw]) -> None:
    told = now.told(table)
    if word.said.cell != told:
        facts = {"seat": word.seat, "cell": word.said.cell, "told": told}
        raise Refused("draw-what-you-were-told", case="cell", **facts)


def _draw(table: Table, word: Word[commands.Draw]) -> tuple[Happened, ...]:
    by = decks.host_for(table, word)
    return (events.CardTouched(seat=word.seat, cell=word.said.cell, by=by),)


def _asks_report(table: Table, word: Word[commands.Report]) -> None:
    player, kitten = now.player(table, word.seat), table.variant.kitten
    face = places.at(player.grid, now.told(table))
    assert face is not None
    if face == places.DOWN:
        safe = word.said.outcome == "safe"
        now.agrees(player, deduction.DrewHidden() if safe else deduction.TurnedUp(kitten))
    elif (face == kitten) != (word.said.outcome == "kitten"):
        raise Refused("face-up-is-known", seat=player.seat, card=face)


def _report(table: Table, word: Word[commands.Report]) -> tuple[Happened, ...]:
    turn, cell = now.turn(table), now.told(table)
    if word.said.outcome == "kitten":
        return (events.KittenShown(seat=turn.seat, cell=cell, kitten=table.variant.kitten),)
    face = places.at(now.player(table, turn.seat).grid, cell)
    drawn = events.CardDrawn(seat=turn.seat, cell=cell, card=None if face == places.DOWN else face)
    return drawn, turns.next_turn(table.playing())


def _asks_defuse(table: Table, word: Word[commands.Defuse]) -> None:
    now.leaves_hand(now.player(table, word.seat), table.variant.defuse, forced=True)
    _asks_cells(table, word)


def _defuse(table: Table, word: Word[commands.Defuse]) -> tuple[Happened, ...]:
    cells, card = _cells(table, word), table.variant.defuse
    hidden, salt = (word.said.hidden or "").lower(), decks.salt(table, word)
    defused = events.KittenDefused(seat=word.seat, card=card, cells=cells, hidden=hidden, salt=salt)
    return defused, turns.next_turn(table.playing())


def _explode(table: Table, word: Word[commands.Explode]) -> tuple[Happened, ...]:
    return turns.going_out(table.playing(), word.seat, "kitten")


# --- notes -----------------------------------------------------------------------------


def _asks_note(table: Table, word: Word[commands.MakeNote]) -> None:
    player = now.player(table, word.seat)
    if places.at(player.grid, word.said.cell) != places.DOWN:
        raise Refused("private-notes", case="face-down", cell=word.said.cell)
    if word.said.card is not None and word.said.card not in table.variant.by_title:
        raise _no_such_card(table, word.said.card)


def _note(table: Table, word: Word[commands.MakeNote]) -> tuple[Happened, ...]:
    return (events.NoteMade(seat=word.seat, cell=word.said.cell, card=word.said.card),)


# --- what the table asks of a game -----------------------------------------------------


def may_hold(table: Table, player: Player, card: str) -> bool:
    """Whether the call has to reckon with such a card in this hand."""
    return card in player.known.in_hand


def leaves_hand(table: Table, seat: str, card: str) -> None:
    """Refuses a card that can't come from this hand (ruling from-hand)."""
    now.leaves_hand(now.player(table, seat), card)


def takes_effect(table: Table, played: Played) -> tuple[Happened, ...]:
    """What follows once the window has closed in the card's favour."""
    effect = EFFECTS[table.variant.card(played.card).effect]
    return effect.leads_to(table.playing(), played)


def facts(game: Game) -> dict[str, Any]:
    """Who calls, or who tells and what they told, for the sentence that refuses."""
    if game.turn is None:
        return {"turn": game.caller}
    told = {} if game.turn.told is None else {"told": game.turn.told}
    return {"instructor": game.before(game.turn.seat), **told}


RULES: dict[type[Said], Rule] = {
    **NOPE_RULES,
    commands.CallNext: Rule(_asks_call, _call),
    commands.SkipRollCall: Rule(nothing_asked, _skip_roll_call),
    commands.Instruct: Rule(_asks_instruct, _instruct),
    commands.PlayCard: Rule(_asks_play, _play),
    commands.Look: Rule(_asks_look, _look),
    commands.Shuffled: Rule(_asks_cells, _shuffle),
    commands.Reveal: Rule(_asks_reveal, _reveal),
    commands.Draw: Rule(_asks_draw, _draw),
    commands.Report: Rule(_asks_report, _report),
    commands.Defuse: Rule(_asks_defuse, _defuse),
    commands.Explode: Rule(nothing_asked, _explode),
    commands.MakeNote: Rule(_asks_note, _note),
}
