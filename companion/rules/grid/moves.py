"""The moves of a game on the draw grid, a row each: who, when, what it asks and does, what then."""

from collections.abc import Callable, Iterable

from companion.rules.core import windows
from companion.rules.core.commands import Report, Said
from companion.rules.core.events import Events
from companion.rules.core.moves import ALIVE, CLOSED, EVERY, HOST, TURN_PLAYER, Move, Role, becomes
from companion.rules.core.rulings import Refused
from companion.rules.grid import commands, deduction, effects, events, places
from companion.rules.grid.commands import Cell
from companion.rules.grid.effects import agrees, leaves_hand
from companion.rules.grid.model import Game, Table, Word, host_for, salt
from companion.rules.grid.places import DOWN


def _target(table: Table, game: Game) -> tuple[str, ...]:
    waits = game.turn is not None and game.turn.step == "reveal" and game.played is not None
    return (game.played.target or "",) if waits and game.played else game.living


INSTRUCTOR = Role(
    "instructor",
    lambda _, game: (game.before(game.turn.seat),) if game.turn else (),
    "told-by-previous",
)
TARGET = Role("Favor's target", _target, "favor-turns-one-up")
CALLER = Role("caller", lambda _, game: (game.caller,) if game.caller else game.living, "roll-call")


def _asks_call(word: Word[commands.CallNext]) -> None:
    said, right = word.said.next, word.game.after(word.seat)
    if said != right:
        raise Refused("roll-call", case="wrong-name", seat=word.seat, next=said, right=right)


def _call(word: Word[commands.CallNext]) -> Events:
    game = word.game
    caller = effects.next_caller(game, word.seat)
    called = events.NextCalled(seat=word.seat, next=word.said.next, caller=caller)
    return (called,) if caller else (called, effects.turn(game, game.first))


def _asks_instruct(word: Word[commands.Instruct]) -> None:
    player = word.game.player(word.game.current.seat)
    if places.at(player.grid, word.said.cell) is None:
        raise Refused("tell-a-card-that-is-there", seat=player.seat, cell=word.said.cell)


def _asks_look(word: Word[commands.Look]) -> None:
    if places.at(word.game.player(word.seat).grid, word.said.cell) is None:
        raise Refused("look-at-one", case="empty", cell=word.said.cell, seat=word.seat)


def _each_card(
    said: type[commands.Instruct | commands.Look],
) -> Callable[[Table, Game, str], Iterable[Said]]:
    """It can be said of each card of the turn player's grid."""
    return lambda _, game, seat: [
        said(seat=seat, cell=cell) for cell in places.filled(game.player(game.current.seat).grid)
    ]


def _asks_cells(word: Word[commands.Shuffled | commands.Defuse]) -> None:
    """Ruling same-number-of-cards."""
    cells, grid = word.said.cells, word.game.player(word.seat).grid
    if cells is None:
        return
    count = len(places.filled(grid))
    if not len(cells) == len(places.filled(places.arranged(grid, cells))) == count:
        raise Refused("same-number-of-cards", seat=word.seat, count=count)


def _cells(word: Word[commands.Shuffled | commands.Defuse]) -> tuple[Cell, ...]:
    """Where the cards lie now: as said, else where they lay."""
    said = word.said.cells
    return tuple(sorted(places.filled(word.game.player(word.seat).grid) if said is None else said))


def _asks_reveal(word: Word[commands.Reveal]) -> None:
    effects.check_title(word.table, word.said.card)
    agrees(word.game.player(word.seat), deduction.TurnedUp(card=word.said.card))


def _what_it_may_be(table: Table, game: Game, seat: str) -> Iterable[Said]:
    may_lie = game.player(seat).known.face_down
    titles = [card.id for card in table.variant.cards if card.id in may_lie]
    return [commands.Reveal(seat=seat, card=title) for title in titles]


def _asks_draw(word: Word[commands.Draw]) -> None:
    cell, told = word.said.cell, word.game.told
    if cell != told:
        raise Refused("draw-what-you-were-told", case="cell", seat=word.seat, cell=cell, told=told)


def _asks_report(word: Word[Report]) -> None:
    player, kitten = word.game.player(word.seat), word.table.variant.kitten
    face, safe = places.at(player.grid, word.game.told), word.said.outcome == "safe"
    if face == DOWN:
        agrees(player, deduction.DrewHidden() if safe else deduction.TurnedUp(kitten))
    elif (face == kitten) == safe:
        raise Refused("face-up-is-known", seat=player.seat, card=face)


def _report(word: Word[Report]) -> Events:
    game, seat, cell = word.game, word.seat, word.game.told
    if word.said.outcome == "kitten":
        return (events.KittenShown(seat=seat, cell=cell, kitten=word.table.variant.kitten),)
    face = places.at(game.player(seat).grid, cell)
    drawn = events.CardDrawn(seat=seat, cell=cell, card=None if face == DOWN else face)
    return drawn, effects.next_turn(game)


def _what_it_may_have_been(table: Table, game: Game, seat: str) -> Iterable[Said]:
    player, kitten = game.player(seat), table.variant.kitten
    face = places.at(player.grid, game.told)
    may_be = player.known.face_down if face == DOWN else (face,)
    if any(title != kitten for title in may_be):
        yield Report(seat=seat, outcome="safe")
    if kitten in may_be:
        yield Report(seat=seat, outcome="kitten")


def _asks_defuse(word: Word[commands.Defuse]) -> None:
    leaves_hand(word.table, word.seat, word.table.variant.defuse, forced=True)
    _asks_cells(word)
    if word.said.still and {*_cells(word)} != {*places.filled(word.game.player(word.seat).grid)}:
        raise Refused("same-number-of-cards", case="still", seat=word.seat)


def _defuse(word: Word[commands.Defuse]) -> Events:
    defused = events.KittenDefused(
        seat=word.seat,
        card=word.table.variant.defuse,
        cells=_cells(word),
        still=word.said.still,
        hidden=(word.said.hidden or "").lower(),
        salt=salt(word),
    )
    return defused, effects.next_turn(word.game)


def _with_a_defuse(table: Table, game: Game, seat: str) -> Iterable[Said]:
    player = game.player(seat)
    has = player.hand and table.variant.defuse in player.known.in_hand
    return (commands.Defuse(seat=seat),) if has else ()


def _asks_note(word: Word[commands.MakeNote]) -> None:
    player, said = word.game.player(word.seat), word.said
    if places.at(player.grid, said.cell) != DOWN:
        raise Refused("private-notes", case="face-down", cell=said.cell)
    if said.card is not None:
        effects.check_title(word.table, said.card)


_TOO_LATE = {"report": "no-play-after-draw", "kitten": "no-play-after-draw"}

# fmt: off
MOVES: tuple[Move, ...] = (
    Move(commands.CallNext, by=CALLER, during="roll_call", asks=_asks_call, does=_call,
         choices=lambda _, game, seat: (commands.CallNext(seat=seat, next=game.after(seat)),),
         leads_to=("roll_call", "tell"), otherwise="roll-call"),
    Move(commands.SkipRollCall, by=HOST, during="roll_call",
         does=lambda word: (events.RollCallSkipped(), effects.turn(word.game, word.game.first)),
         leads_to=("tell",), otherwise="roll-call"),
    Move(commands.Instruct, by=INSTRUCTOR, during="tell", asks=_asks_instruct,
         does=becomes(events.Instructed, target=lambda word: word.game.current.seat),
         choices=_each_card(commands.Instruct), leads_to=("act",), otherwise="told-once"),
    Move(commands.PlayCard, by=TURN_PLAYER, during="act", asks=effects.asks,
         does=windows.lays(events.CardPlayed), choices=effects.choices, leads_to=("window", CLOSED),
         otherwise={"tell": "wait-to-be-told", **_TOO_LATE, "": "one-thing-at-a-time"},
         device="own-deck"),
    Move(commands.Draw, by=TURN_PLAYER, during="act", asks=_asks_draw,
         does=becomes(events.CardTouched, by=host_for),
         choices=lambda _, game, seat: (commands.Draw(seat=seat, cell=game.told),),
         leads_to=("report",),
         otherwise={"tell": "wait-to-be-told", "": "one-thing-at-a-time"}, device="own-deck"),
    *windows.moves(device="own-deck"),
    Move(commands.Look, by=TURN_PLAYER, during="look", asks=_asks_look, does=becomes(events.Looked),
         choices=_each_card(commands.Look), leads_to=("act",), otherwise="look-at-one",
         device="own-deck"),
    Move(commands.Shuffled, by=TURN_PLAYER, during="shuffle", asks=_asks_cells,
         does=becomes(events.GridShuffled, cells=_cells, salt=salt),
         leads_to=("tell",), otherwise="shuffle-needs-a-new-word", device="own-deck"),
    Move(commands.Reveal, by=TARGET, during="reveal", asks=_asks_reveal,
         does=becomes(events.CardRevealed, cell=lambda word: word.game.pending.cell),
         choices=_what_it_may_be, leads_to=("act",), otherwise="favor-turns-one-up",
         device="own-deck"),
    Move(Report, by=TURN_PLAYER, during="report", asks=_asks_report, does=_report,
         choices=_what_it_may_have_been, leads_to=("tell", "kitten"),
         otherwise={"kitten": "show-the-kitten", "": "draw-what-you-were-told"}, device="own-deck"),
    Move(commands.Defuse, by=TURN_PLAYER, during="kitten", asks=_asks_defuse, does=_defuse,
         choices=_with_a_defuse, leads_to=("tell",), otherwise="defuse-only-a-kitten",
         device="own-deck"),
    Move(commands.Explode, by=TURN_PLAYER, during="kitten",
         does=lambda word: effects.going_out(word.table, word.seat, "kitten"),
         leads_to=("tell", "over"), otherwise="defuse-or-out", device="own-deck"),
    Move(commands.MakeNote, by=ALIVE, during=EVERY, asks=_asks_note,
         does=becomes(events.NoteMade), own=True),
)
# fmt: on
