"""The moves of the classic games, a row each: who, when, what it asks and does, what then."""

from collections.abc import Iterable

from companion.rules.core import windows
from companion.rules.core.commands import Report, Said
from companion.rules.core.events import Events
from companion.rules.core.moves import (
    ALIVE,
    CLOSED,
    EVERY,
    TURN_PLAYER,
    Move,
    Role,
    TableMove,
    becomes,
)
from companion.rules.core.rulings import Refused
from companion.rules.pile import commands, deduction, effects, events
from companion.rules.pile.model import Game, Table, TableWord, Word
from companion.rules.pile.order import LOOKED_AT, put_it_there, returned_notes
from companion.rules.pile.reasons import agrees, check_title, leaves_hand


def _target(table: Table, game: Game) -> tuple[str, ...]:
    return (game.played.target,) if game.played and game.played.target else ()


def _by(word: Word[Said]) -> str:
    return word.game.pending.by


TARGET = Role("target", _target, "their-own-hand")


def _sit(word: TableWord[commands.Sit]) -> Events:
    order = word.said.order
    if sorted(order) != sorted(seat.seat for seat in word.table.seats):
        raise Refused("clockwise", case="order")
    return (events.SeatsOrdered(seats=order),)


def _asks_look(word: Word[commands.Look]) -> None:
    saw, count = word.said.saw or (), min(LOOKED_AT, word.game.pile)
    for card in saw:
        check_title(word.table, card)
    if len(saw) > count:
        raise Refused("private-notes", case="saw", count=count)


def _look(word: Word[commands.Look]) -> Events:
    altered = word.table.variant.by_title[word.game.pending.card].effect == "alter"
    looked = events.Looked(seat=word.seat, altered=altered)
    if not word.said.saw:
        return (looked,)
    return looked, events.TopNoted(seat=word.seat, cards=word.said.saw)


def _answers(game: Game, seat: str) -> tuple[tuple[bool, deduction.Gave | deduction.HasNone], ...]:
    """What a triple's target may say, and what all saw then."""
    by, card = game.pending.by, game.asked_for
    return (True, deduction.Gave(seat, by, card)), (False, deduction.HasNone(seat, card))


def _asks_answer(word: Word[commands.Answer]) -> None:
    agrees(word.table, word.seat, dict(_answers(word.game, word.seat))[word.said.has])


def _what_may_be_so(table: Table, game: Game, seat: str) -> Iterable[Said]:
    known = game.known
    answers = _answers(game, seat)
    return [commands.Answer(seat=seat, has=has) for has, seen in answers if known.allows(seen)]


def _asks_pick(word: Word[commands.Pick]) -> None:
    card = word.said.card
    check_title(word.table, card)
    if card == word.table.variant.kitten:
        raise Refused("pick-no-kitten", card=card)
    agrees(word.table, word.seat, deduction.Picked(word.seat, card))


def _what_may_lie_there(table: Table, game: Game, seat: str) -> Iterable[Said]:
    known = game.known
    titles = [title for title, _ in game.deal.counts if known.allows(deduction.Picked(seat, title))]
    return [commands.Pick(seat=seat, card=title) for title in titles]


def _asks_report(word: Word[Report]) -> None:
    safe = word.said.outcome == "safe"
    agrees(word.table, word.seat, deduction.Drew(word.seat) if safe else deduction.DrewKitten())


def _report(word: Word[Report]) -> Events:
    if word.said.outcome == "kitten":
        return (events.KittenShown(seat=word.seat, kitten=word.table.variant.kitten),)
    return events.CardDrawn(seat=word.seat), effects.next_turn(word.game)


def _what_it_may_be(table: Table, game: Game, seat: str) -> Iterable[Said]:
    if game.known.allows(deduction.Drew(seat)):
        yield Report(seat=seat, outcome="safe")
    if game.known.allows(deduction.DrewKitten()):
        yield Report(seat=seat, outcome="kitten")


def _asks_defuse(word: Word[commands.Defuse]) -> None:
    most = word.game.pile + 1
    if word.said.place is not None and word.said.place > most:
        raise Refused("defuse-in-secret", most=most)
    leaves_hand(word.table, word.seat, word.table.variant.defuse)


def _defuse(word: Word[commands.Defuse]) -> Events:
    game, variant, place = word.game, word.table.variant, word.said.place
    defused = events.KittenDefused(seat=word.seat, card=variant.defuse)
    next_turn = effects.next_turn(game)
    if place is None:
        return defused, next_turn
    notes = returned_notes(game.player(word.seat).notes, place, variant.kitten)
    return defused, events.KittenPlaced(seat=word.seat, place=place, notes=notes), next_turn


def _with_a_defuse(table: Table, game: Game, seat: str) -> Iterable[Said]:
    has = game.known.may_hold(seat, (table.variant.defuse,))
    return (commands.Defuse(seat=seat),) if has else ()


def _asks_explode(word: Word[commands.Explode]) -> None:
    cards, hand = word.said.cards, word.game.player(word.seat).hand
    if cards is None:
        return
    for card in cards:
        check_title(word.table, card)
    if len(cards) != hand:
        raise Refused("explode-discards-all", seat=word.seat, count=hand)
    agrees(word.table, word.seat, deduction.Exploded(word.seat, cards))


def _explode(word: Word[commands.Explode]) -> Events:
    went, *then = effects.going_out(word.table, word.seat, "kitten")
    if not word.said.cards:
        return went, *then
    return went, events.HandTold(seat=word.seat, cards=word.said.cards), *then


def _asks_note(word: Word[commands.MakeNote]) -> None:
    said, count = word.said, word.game.pile
    if said.card is not None:
        check_title(word.table, said.card)
    if said.place > count:
        raise Refused("private-notes", case="place", count=count)


def _note(word: Word[commands.MakeNote]) -> Events:
    said, game = word.said, word.game
    others = tuple(n for n in game.player(word.seat).notes if n.place != said.place)
    kitten = said.card == word.table.variant.kitten
    own = kitten and put_it_there(game.chosen, word.seat, others)
    return (events.NoteMade(seat=word.seat, place=said.place, card=said.card, own=own),)


TABLE_MOVES: tuple[TableMove, ...] = (
    TableMove(commands.Sit, ("lobby", "setup"), "clockwise", _sit, host=True),
)

_TOO_LATE = {"report": "no-play-after-draw", "kitten": "no-play-after-draw"}
_WAITS = "one-thing-at-a-time"

# fmt: off
MOVES: tuple[Move, ...] = (
    Move(commands.PlayCard, by=TURN_PLAYER, during="act", asks=effects.asks,
         does=windows.lays(events.CardPlayed), choices=effects.choices, leads_to=("window", CLOSED),
         otherwise={**_TOO_LATE, "": _WAITS}),
    Move(commands.PlayCombo, by=TURN_PLAYER, during="act", asks=effects.asks_combo,
         does=windows.lays(events.ComboPlayed), choices=effects.combos,
         leads_to=("window", CLOSED), otherwise={**_TOO_LATE, "": _WAITS}),
    Move(commands.Draw, by=TURN_PLAYER, during="act", does=becomes(events.CardTouched),
         leads_to=("report",), otherwise=_WAITS),
    *windows.moves(),
    Move(commands.Look, by=TURN_PLAYER, during="look", asks=_asks_look, does=_look,
         leads_to=("act",), otherwise=_WAITS),
    Move(commands.Shuffled, by=TURN_PLAYER, during="shuffle", does=becomes(events.PileShuffled),
         leads_to=("act",), otherwise=_WAITS),
    Move(commands.Give, by=TARGET, during="give", leads_to=("act",), otherwise=_WAITS,
         does=becomes(events.CardGiven, target=_by)),
    Move(commands.Take, by=TURN_PLAYER, during="take", leads_to=("act",), otherwise=_WAITS,
         does=becomes(events.CardTaken, target=lambda word: word.game.target)),
    Move(commands.Answer, by=TARGET, during="answer", asks=_asks_answer,
         does=becomes(events.Answered, target=_by, card=lambda word: word.game.asked_for),
         choices=_what_may_be_so, leads_to=("act",), otherwise=_WAITS),
    Move(commands.Pick, by=TURN_PLAYER, during="pick", asks=_asks_pick,
         does=becomes(events.CardPicked), choices=_what_may_lie_there, leads_to=("act",),
         otherwise=_WAITS),
    Move(Report, by=TURN_PLAYER, during="report", asks=_asks_report, does=_report,
         choices=_what_it_may_be, leads_to=("act", "kitten"), otherwise=_WAITS),
    Move(commands.Defuse, by=TURN_PLAYER, during="kitten", asks=_asks_defuse, does=_defuse,
         choices=_with_a_defuse, leads_to=("act",), otherwise="defuse-only-a-kitten"),
    Move(commands.Explode, by=TURN_PLAYER, during="kitten", asks=_asks_explode, does=_explode,
         leads_to=("act", "over"), otherwise=_WAITS),
    Move(commands.MakeNote, by=ALIVE, during=EVERY, asks=_asks_note, does=_note, own=True),
)
# fmt: on
