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
from companion.rules.pile import combos, commands, events, now, turns
from companion.rules.pile.effects import CATS, EFFECTS
from companion.rules.pile.model import Player, Table
from companion.rules.pile.observations import (
    Drew,
    DrewKitten,
    Exploded,
    Gave,
    HasNone,
    Laid,
    Picked,
)
from companion.rules.pile.order import LOOKED_AT, put_it_there, returned_notes

# --- before the game -------------------------------------------------------------------


def seating(table: Table, word: Word[commands.Sit]) -> tuple[Happened, ...]:
    """In which order all sit; raises ``Refused`` unless each seat is named once."""
    if sorted(word.said.order) != sorted(seat.seat for seat in table.seats):
        raise Refused("clockwise", case="order")
    return (events.SeatsOrdered(seats=word.said.order),)


# --- playing ---------------------------------------------------------------------------


def _asks_play(table: Table, word: Word[commands.PlayCard]) -> None:
    said, seat = word.said, word.seat
    now.a_title(table, said.card)
    does = table.variant.card(said.card).effect
    if does in CATS:
        raise Refused("powerless-alone", card=said.card)
    if does not in EFFECTS:
        raise Refused("not-an-action", case=does, card=said.card)
    aim = EFFECTS[does].aim
    if aim is not None:
        aim.asks(table.playing(), seat, said.target, {"card": said.card})
    elif said.target is not None:
        raise Refused("favor-another", case="no-target-here", card=said.card)
    now.leaves_hand(table, seat, said.card)


def _play(table: Table, word: Word[commands.PlayCard]) -> tuple[Happened, ...]:
    played = events.CardPlayed(
        seat=word.seat,
        card=word.said.card,
        target=word.said.target,
        seconds=table.options.nope_seconds,
        closes_at=None,
    )
    nopeable = table.variant.card(word.said.card).nopeable
    return windows.laid(table, played, word.moment, nopeable)


def _asks_combo(table: Table, word: Word[commands.PlayCombo]) -> None:
    combos.asks(table, word)
    now.leaves_hand(table, word.seat, *word.said.cards)


def _combo(table: Table, word: Word[commands.PlayCombo]) -> tuple[Happened, ...]:
    played = events.ComboPlayed(
        seat=word.seat,
        kind=word.said.kind,
        cards=word.said.cards,
        target=word.said.target,
        name=word.said.name,
        seconds=table.options.nope_seconds,
        closes_at=None,
    )
    return windows.laid(table, played, word.moment)


# --- what a card or combo asks to be done ------------------------------------------------


def _asks_look(table: Table, word: Word[commands.Look]) -> None:
    saw = word.said.saw or ()
    count = min(LOOKED_AT, table.playing().pile)
    for card in saw:
        now.a_title(table, card)
    if len(saw) > count:
        raise Refused("private-notes", case="saw", count=count)


def _look(table: Table, word: Word[commands.Look]) -> tuple[Happened, ...]:
    altered = table.variant.card(now.played(table).card).effect == "alter"
    looked = events.Looked(seat=word.seat, altered=altered)
    if not word.said.saw:
        return (looked,)
    return looked, events.TopNoted(seat=word.seat, cards=word.said.saw)


def _shuffle(table: Table, word: Word[Any]) -> tuple[Happened, ...]:
    return (events.PileShuffled(seat=word.seat),)


def _give(table: Table, word: Word[Any]) -> tuple[Happened, ...]:
    return (events.CardGiven(seat=word.seat, target=now.played(table).by),)


def _take(table: Table, word: Word[Any]) -> tuple[Happened, ...]:
    return (events.CardTaken(seat=word.seat, target=now.target(table)),)


def asked_for(table: Table) -> str:
    """The title that a triple asks for."""
    name = now.played(table).name
    assert name is not None
    return name


def _asks_answer(table: Table, word: Word[commands.Answer]) -> None:
    card, by = asked_for(table), now.played(table).by
    gave, none = Gave(word.seat, by, card), HasNone(word.seat, card)
    now.agrees(table, word.seat, gave if word.said.has else none)


def _answer(table: Table, word: Word[commands.Answer]) -> tuple[Happened, ...]:
    card, by = asked_for(table), now.played(table).by
    return (events.Answered(seat=word.seat, target=by, card=card, has=word.said.has),)


def _asks_pick(table: Table, word: Word[commands.Pick]) -> None:
    card = word.said.card
    now.a_title(table, card)
    if card == table.variant.kitten:
        raise Refused("pick-no-kitten", card=card)
    now.agrees(table, word.seat, Picked(word.seat, card))


def _pick(table: Table, word: Word[commands.Pick]) -> tuple[Happened, ...]:
    return (events.CardPicked(seat=word.seat, card=word.said.card),)


# --- drawing and the Kitten ------------------------------------------------------------


def _draw(table: Table, word: Word[Any]) -> tuple[Happened, ...]:
    return (events.CardTouched(seat=word.seat),)


def _asks_report(table: Table, word: Word[commands.Report]) -> None:
    safe = word.said.outcome == "safe"
    now.agrees(table, word.seat, Drew(word.seat) if safe else DrewKitten())


def _report(table: Table, word: Word[commands.Report]) -> tuple[Happened, ...]:
    seat = now.turn(table).seat
    if word.said.outcome == "kitten":
        return (events.KittenShown(seat=seat, kitten=table.variant.kitten),)
    return events.CardDrawn(seat=seat), turns.next_turn(table.playing())


def _asks_defuse(table: Table, word: Word[commands.Defuse]) -> None:
    most = table.playing().pile + 1
    if word.said.place is not None and word.said.place > most:
        raise Refused("defuse-in-secret", most=most)
    now.leaves_hand(table, word.seat, table.variant.defuse)


def _defuse(table: Table, word: Word[commands.Defuse]) -> tuple[Happened, ...]:
    variant, place = table.variant, word.said.place
    defused = events.KittenDefused(seat=word.seat, card=variant.defuse)
    next_turn = turns.next_turn(table.playing())
    if place is None:
        return defused, next_turn
    notes = returned_notes(now.player(table, word.seat).notes, place, variant.kitten)
    return defused, events.KittenPlaced(seat=word.seat, place=place, notes=notes), next_turn


def _asks_explode(table: Table, word: Word[commands.Explode]) -> None:
    cards, hand = word.said.cards, now.player(table, word.seat).hand
    if cards is None:
        return
    for card in cards:
        now.a_title(table, card)
    if len(cards) != hand:
        raise Refused("explode-discards-all", seat=word.seat, count=hand)
    now.agrees(table, word.seat, Exploded(word.seat, cards))


def _explode(table: Table, word: Word[commands.Explode]) -> tuple[Happened, ...]:
    went, *then = turns.going_out(table.playing(), word.seat, "kitten")
    if not word.said.cards:
        return went, *then
    return went, events.HandTold(seat=word.seat, cards=word.said.cards), *then


# --- notes -----------------------------------------------------------------------------


def _asks_note(table: Table, word: Word[commands.MakeNote]) -> None:
    count = table.playing().pile
    if word.said.card is not None:
        now.a_title(table, word.said.card)
    if word.said.place > count:
        raise Refused("private-notes", case="place", count=count)


def _note(table: Table, word: Word[commands.MakeNote]) -> tuple[Happened, ...]:
    said, chosen = word.said, table.playing().chosen
    others = tuple(n for n in now.player(table, word.seat).notes if n.place != said.place)
    own = said.card == table.variant.kitten and put_it_there(chosen, word.seat, others)
    return (events.NoteMade(seat=word.seat, place=said.place, card=said.card, own=own),)


# --- what the table asks of a game -----------------------------------------------------


def may_hold(table: Table, player: Player, card: str) -> bool:
    """Whether the table has to reckon with such a card in this hand."""
    return table.playing().known.allows(Laid(player.seat, (card,)))


RULES: dict[type[Said], Rule] = {
    **NOPE_RULES,
    commands.PlayCard: Rule(_asks_play, _play),
    commands.PlayCombo: Rule(_asks_combo, _combo),
    commands.Look: Rule(_asks_look, _look),
    commands.Shuffled: Rule(nothing_asked, _shuffle),
    commands.Give: Rule(nothing_asked, _give),
    commands.Take: Rule(nothing_asked, _take),
    commands.Answer: Rule(_asks_answer, _answer),
    commands.Pick: Rule(_asks_pick, _pick),
    commands.Draw: Rule(nothing_asked, _draw),
    commands.Report: Rule(_asks_report, _report),
    commands.Defuse: Rule(_asks_defuse, _defuse),
    commands.Explode: Rule(_asks_explode, _explode),
    commands.MakeNote: Rule(_asks_note, _note),
}
