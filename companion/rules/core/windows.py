"""Nope windows: what opens one, what can be said while it is open, what closes it."""

from collections.abc import Callable

from msgspec.structs import replace

from companion.rules.core import commands, events
from companion.rules.core.commands import Moment, Said
from companion.rules.core.events import Events, Happened
from companion.rules.core.game import HOLD_MS, Game, Window
from companion.rules.core.model import Table, Word
from companion.rules.core.moves import ALIVE, CLOSED, Move, Role
from companion.rules.core.rulings import Refused, Stale

STEP = "window"  # the step in which one is open
UN_NOPEABLE_STEPS = ("report", "kitten")  # a card has been touched, a Kitten shown
LEAST_MS = 3_000  # what an open window has left at least when the server starts again


def could_nope(table: Table, top: str) -> tuple[str, ...]:
    """The living seats that could Nope a card of ``top``'s (rulings anyone-alive, from-hand)."""
    holders = table.game.holders(table.variant.nope) if table.game else ()
    return tuple([seat for seat in holders if seat != top])


def lays(event: type[Happened]) -> Callable[[Word[Said]], Events]:
    """What is played lies there, as it is said, for all to Nope that can."""
    fields = {*event.__struct_fields__} - {"seat", "seconds", "closes_at"}

    def play(word: Word[Said]) -> Events:
        return _laid(word, event, **{name: getattr(word.said, name) for name in fields})

    return play


def _laid(word: Word[Said], kind: Callable[..., Happened], /, **facts: object) -> Events:
    """A card was laid: a window opens, or what its end brings follows at once. Who could Nope
    (ruling nobody-could) is asked with the card on the table: it may have been the last Nope."""
    seconds = word.table.options.nope_seconds
    event = kind(seat=word.seat, seconds=seconds, closes_at=None, **facts)
    table = event.after(word.table)
    played, variant = table.playing().pending, table.variant
    on_top = variant.by_title.get(variant.nope if played.nopes else played.card)
    if (on_top is None or on_top.nopeable) and could_nope(table, played.top):
        return (replace(event, closes_at=word.moment.now + seconds * 1000),)
    return event, *_closing(table)


def _closing(table: Table) -> Events:
    """The window closes: the card takes effect or is lost (ruling nope-cancels)."""
    played = table.playing().pending
    closed = events.WindowClosed(seat=played.by, card=played.card, counts=played.counts)
    if not played.counts:
        return (closed,)
    return closed, *table.family.takes_effect(table)


def due(table: Table) -> int | None:
    """When the clock has something to do here, in ms: the window's end or that of its hold."""
    if table.game is None or table.game.window is None:
        return None
    window = table.game.window
    return window.closes_at - window.left_ms if window.held_by else window.closes_at


def tick(table: Table, moment: Moment) -> Events:
    """What the clock brings about at ``moment``: nothing before its time."""
    game, when = table.game, due(table)
    if when is None or game is None or game.window is None or game.played is None:
        return ()
    if game.window.held_by:
        if moment.now < when:
            return ()
        return (events.Released(seat=None, closes_at=moment.now + game.window.left_ms),)
    return _closing(table) if moment.now >= when + moment.grace_ms else ()


def resume(table: Table, moment: Moment) -> Events:
    """After a restart an open window has the time left that it had, or the least. More than its
    full time it never has: the clock may have been set back meanwhile."""
    window = table.game.window if table.game else None
    if window is None:
        return ()
    held = window.held_by is not None
    full = window.left_ms if held else window.seconds * 1000
    least, most = moment.now + LEAST_MS, moment.now + full + (HOLD_MS if held else 0)
    if least <= window.closes_at <= most:
        return ()
    closes_at = least if window.closes_at < least else max(least, moment.now + full)
    if held:
        return (events.Released(seat=None, closes_at=closes_at),)
    return (events.WindowExtended(closes_at=closes_at),)


def check_current(table: Table, game: Game, said: Said) -> None:
    """Refuse a command for a window that is no longer the open one (``stale``). A command that
    names no window that ever was open passes where none is: ``nothing_open`` refuses it."""
    window = game.window
    meant = getattr(said, "window", 0)
    if window is not None and window.id == meant:
        return
    if window is not None or 0 < meant <= table.newest_window:
        raise Stale(_too_late(table, game, said), case="window", window=meant)


def nothing_open(table: Table, game: Game, said: Said) -> Refused:
    """The refusal of a command for a window while none is open."""
    ruling = _too_late(table, game, said)
    return Refused(ruling, case="nothing" if ruling == "in-time" else None, **game.facts)


def _too_late(table: Table, game: Game, said: Said) -> str:
    """The ruling that refuses it: what was done last can't be Noped, or could be and is settled."""
    if type(said) is not commands.PlayNope or game.window is not None:
        return "in-time"
    last = table.past[-1].event if table.past else None
    if game.current.step in UN_NOPEABLE_STEPS or isinstance(last, table.family.machine.un_nopeable):
        return "un-nopeable"
    laid = (
        getattr(last, "nope", getattr(last, "card", None)) if hasattr(last, "closes_at") else None
    )
    card = table.variant.by_title.get(str(laid))
    return "in-time" if card is None or card.nopeable else "un-nopeable"


def _window(game: Game) -> Window:
    """The window that is open: the rows are asked in no other step."""
    assert game.window is not None
    return game.window


def _in_time(word: Word[Said]) -> None:
    window, moment = _window(word.game), word.moment
    if window.held_by is None and moment.now > window.closes_at + moment.grace_ms:
        late = moment.now - window.closes_at
        raise Refused("in-time", late_ms=late, seconds=window.seconds)


def _asks_nope(word: Word[Said]) -> None:
    _in_time(word)
    if word.game.pending.top == word.seat:
        raise Refused("not-your-own", seat=word.seat)
    word.table.family.leaves_hand(word.table, word.seat, word.table.variant.nope)


def _nope(word: Word[commands.PlayNope]) -> Events:
    played, nope = word.game.pending, word.table.variant.nope
    facts = {"card": played.card, "by": played.by, "counts": not played.counts, "nope": nope}
    return _laid(word, events.NopePlayed, **facts)


def _asks_pass(word: Word[commands.Pass]) -> None:
    _asks_nope(word)
    if word.seat in _window(word.game).passed:
        raise Refused("everyone-passed", case="twice", seat=word.seat)


def _pass(word: Word[commands.Pass]) -> Events:
    event = events.Passed(seat=word.seat)
    passed = *_window(word.game).passed, word.seat
    if {*could_nope(word.table, word.game.pending.top)} <= {*passed}:
        return event, *_closing(word.table)
    return (event,)


def _asks_hold(word: Word[commands.Hold]) -> None:
    _in_time(word)
    window = _window(word.game)
    if window.held_by is not None:
        raise Refused("hold", case="held", by=window.held_by)
    if word.seat in window.held:
        raise Refused("hold", case="once", seat=word.seat)


def _hold(word: Word[commands.Hold]) -> Events:
    now = word.moment.now
    left = max(0, _window(word.game).closes_at - now)
    return (events.Held(seat=word.seat, left_ms=left, until=now + HOLD_MS),)


def _holder(table: Table, game: Game) -> tuple[str, ...]:
    """Who can let a held clock run again; while it runs, it is nobody's."""
    if game.window is None or game.window.held_by is None:
        return game.living
    host = (table.host,) if table.host in game.living else ()
    return game.window.held_by, *host


def _asks_release(word: Word[commands.Release]) -> None:
    if _window(word.game).held_by is None:
        raise Refused("hold", case="not-held")


def _release(word: Word[commands.Release]) -> Events:
    closes_at = word.moment.now + _window(word.game).left_ms
    return (events.Released(seat=word.seat, closes_at=closes_at),)


HOLDER = Role("holder or host", _holder, "hold")


def ways(table: Table, game: Game) -> tuple[Said, ...]:
    """All that can be said now, by seats that can; each names the window that it means."""
    window, can = _window(game), could_nope(table, game.pending.top)
    frees = _holder(table, game) if window.held_by else ()
    seats = {
        commands.PlayNope: can,
        commands.Pass: [seat for seat in can if seat not in window.passed],
        commands.Hold: [s for s in game.living if not window.held_by and s not in window.held],
        commands.Release: [seat for seat in game.living if seat in frees],
    }
    return tuple([kind(seat=s, window=window.id) for kind, some in seats.items() for s in some])


def moves(device: str = "") -> tuple[Move, ...]:
    """The rows of the step in which one is open; ``device``: the ruling that refuses a Nope for a
    seat whose device sends its own. Without an open window ``nothing_open`` refuses them all."""
    too_late = dict.fromkeys(UN_NOPEABLE_STEPS, "un-nopeable") | {"": "in-time"}
    # fmt: off
    return (
        Move(commands.PlayNope, by=ALIVE, during=STEP, asks=_asks_nope, does=_nope,
             leads_to=(STEP, CLOSED), otherwise=too_late, device=device),
        Move(commands.Pass, by=ALIVE, during=STEP, asks=_asks_pass, does=_pass,
             leads_to=(STEP, CLOSED), otherwise="in-time"),
        Move(commands.Hold, by=ALIVE, during=STEP, asks=_asks_hold, does=_hold,
             leads_to=(STEP,), otherwise="in-time"),
        Move(commands.Release, by=HOLDER, during=STEP, asks=_asks_release, does=_release,
             leads_to=(STEP,), otherwise="in-time"),
    )
    # fmt: on
