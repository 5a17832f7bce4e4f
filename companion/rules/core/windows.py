"""Nope windows: what opens one, what can be said while it is open, what closes it."""

from collections.abc import Callable

from msgspec.structs import replace

from companion.rules.core import commands, events
from companion.rules.core.commands import Command, DecisionInputs
from companion.rules.core.events import Event, Events
from companion.rules.core.game import HOLD_MS, Game, Window
from companion.rules.core.model import GameContext, Table
from companion.rules.core.moves import ALIVE, WINDOW_CLOSED, Move, Role
from companion.rules.core.rulings import Refused, Stale

STEP = "window"  # the step in which one is open
UN_NOPEABLE_STEPS = ("report", "kitten")  # a card has been touched, a Kitten shown
LEAST_MS = 3_000  # what an open window has left at least when the server starts again


def could_nope(table: Table, top: str) -> tuple[str, ...]:
    """The living seats that could Nope a card of ``top``'s (rulings anyone-alive, from-hand)."""
    holders = table.game.holders(table.variant.nope) if table.game else ()
    return tuple([seat for seat in holders if seat != top])


def lays_card(event: type[Event]) -> Callable[[GameContext[Command]], Events]:
    """What is played lies there, as it is said, for all to Nope that can."""
    fields = {*event.__struct_fields__} - {"seat", "seconds", "closes_at"}

    def play(context: GameContext[Command]) -> Events:
        return _lay_card(
            context, event, **{name: getattr(context.command, name) for name in fields}
        )

    return play


def _lay_card(
    context: GameContext[Command], kind: Callable[..., Event], /, **facts: object
) -> Events:
    """A card was laid: a window opens, or what its end brings follows at once. Who could Nope
    (ruling nobody-could) is asked with the card on the table: it may have been the last Nope."""
    seconds = context.table.options.nope_seconds
    event = kind(seat=context.seat, seconds=seconds, closes_at=None, **facts)
    table = event.after(context.table)
    played = table.playing().pending
    variant = table.variant
    on_top = variant.by_title.get(variant.nope if played.nopes else played.card)
    if (on_top is None or on_top.nopeable) and could_nope(table, played.top):
        return (replace(event, closes_at=context.inputs.now + seconds * 1000),)
    return event, *_closing(table)


def _closing(table: Table) -> Events:
    """The window closes: the card takes effect or is lost (ruling nope-cancels)."""
    played = table.playing().pending
    closed = events.WindowClosed(seat=played.by, card=played.card, counts=played.counts)
    if not played.counts:
        return (closed,)
    return closed, *table.family.resolve_effect(table)


def due(table: Table) -> int | None:
    """When the clock has something to do here, in ms: the window's end or that of its hold."""
    if table.game is None or table.game.window is None:
        return None
    window = table.game.window
    return window.closes_at - window.left_ms if window.held_by else window.closes_at


def tick(table: Table, inputs: DecisionInputs) -> Events:
    """What the clock brings about at ``moment``: nothing before its time."""
    game = table.game
    when = due(table)
    if when is None or game is None or game.window is None or game.played is None:
        return ()
    if game.window.held_by:
        if inputs.now < when:
            return ()
        return (events.Released(seat=None, closes_at=inputs.now + game.window.left_ms),)
    return _closing(table) if inputs.now >= when + inputs.grace_ms else ()


def resume(table: Table, inputs: DecisionInputs) -> Events:
    """After a restart an open window has the time left that it had, or the least. More than its
    full time it never has: the clock may have been set back meanwhile."""
    window = table.game.window if table.game else None
    if window is None:
        return ()
    held = window.held_by is not None
    full = window.left_ms if held else window.seconds * 1000
    least = inputs.now + LEAST_MS
    most = inputs.now + full + (HOLD_MS if held else 0)
    if least <= window.closes_at <= most:
        return ()
    closes_at = least if window.closes_at < least else max(least, inputs.now + full)
    if held:
        return (events.Released(seat=None, closes_at=closes_at),)
    return (events.WindowExtended(closes_at=closes_at),)


def check_current(table: Table, game: Game, command: Command) -> None:
    """Refuse a command for a window that is no longer the open one (``stale``). A command that
    names no window that ever was open passes where none is: ``nothing_open`` refuses it."""
    window = game.window
    meant = getattr(command, "window", 0)
    if window is not None and window.id == meant:
        return
    if window is not None or 0 < meant <= table.newest_window:
        raise Stale(_too_late(table, game, command), case="window", window=meant)


def nothing_open(table: Table, game: Game, command: Command) -> Refused:
    """The refusal of a command for a window while none is open."""
    ruling = _too_late(table, game, command)
    return Refused(ruling, case="nothing" if ruling == "in-time" else None, **game.facts)


def _too_late(table: Table, game: Game, command: Command) -> str:
    """The ruling that refuses it: what was done last can't be Noped, or could be and is settled."""
    if type(command) is not commands.PlayNope or game.window is not None:
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


def _in_time(context: GameContext[Command]) -> None:
    window = _window(context.game)
    moment = context.inputs
    if window.held_by is None and moment.now > window.closes_at + moment.grace_ms:
        late = moment.now - window.closes_at
        raise Refused("in-time", late_ms=late, seconds=window.seconds)


def _validate_nope(context: GameContext[Command]) -> None:
    _in_time(context)
    if context.game.pending.top == context.seat:
        raise Refused("not-your-own", seat=context.seat)
    context.table.family.leaves_hand(context.table, context.seat, context.table.variant.nope)


def _nope(context: GameContext[commands.PlayNope]) -> Events:
    played = context.game.pending
    nope = context.table.variant.nope
    facts = {"card": played.card, "by": played.by, "counts": not played.counts, "nope": nope}
    return _lay_card(context, events.NopePlayed, **facts)


def _validate_pass(context: GameContext[commands.Pass]) -> None:
    _validate_nope(context)
    if context.seat in _window(context.game).passed:
        raise Refused("everyone-passed", case="twice", seat=context.seat)


def _pass(context: GameContext[commands.Pass]) -> Events:
    event = events.Passed(seat=context.seat)
    passed = *_window(context.game).passed, context.seat
    if {*could_nope(context.table, context.game.pending.top)} <= {*passed}:
        return event, *_closing(context.table)
    return (event,)


def _validate_hold(context: GameContext[commands.Hold]) -> None:
    _in_time(context)
    window = _window(context.game)
    if window.held_by is not None:
        raise Refused("hold", case="held", by=window.held_by)
    if context.seat in window.held:
        raise Refused("hold", case="once", seat=context.seat)


def _hold(context: GameContext[commands.Hold]) -> Events:
    now = context.inputs.now
    left = max(0, _window(context.game).closes_at - now)
    return (events.Held(seat=context.seat, left_ms=left, until=now + HOLD_MS),)


def _holder(table: Table, game: Game) -> tuple[str, ...]:
    """Who can let a held clock run again; while it runs, it is nobody's."""
    if game.window is None or game.window.held_by is None:
        return game.living
    host = (table.host,) if table.host in game.living else ()
    return game.window.held_by, *host


def _validate_release(context: GameContext[commands.Release]) -> None:
    if _window(context.game).held_by is None:
        raise Refused("hold", case="not-held")


def _release(context: GameContext[commands.Release]) -> Events:
    closes_at = context.inputs.now + _window(context.game).left_ms
    return (events.Released(seat=context.seat, closes_at=closes_at),)


HOLDER = Role("holder or host", _holder, "hold")


def window_choices(table: Table, game: Game) -> tuple[Command, ...]:
    """All that can be said now, by seats that can; each names the window that it means."""
    window = _window(game)
    can = could_nope(table, game.pending.top)
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
        Move(commands.PlayNope, by=ALIVE, during=STEP, validate=_validate_nope, resolve=_nope,
             leads_to=(STEP, WINDOW_CLOSED), refused_by=too_late, device_ruling=device),
        Move(commands.Pass, by=ALIVE, during=STEP, validate=_validate_pass, resolve=_pass,
             leads_to=(STEP, WINDOW_CLOSED), refused_by="in-time"),
        Move(commands.Hold, by=ALIVE, during=STEP, validate=_validate_hold, resolve=_hold,
             leads_to=(STEP,), refused_by="in-time"),
        Move(commands.Release, by=HOLDER, during=STEP, validate=_validate_release, resolve=_release,
             leads_to=(STEP,), refused_by="in-time"),
    )
    # fmt: on
