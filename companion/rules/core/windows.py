"""Nope windows: the time to Nope a card, who can change it, and what ends it.

Whenever a card is played, everybody else gets a few seconds to cancel it with a Nope. That time is
a *window* (``state.Window``). While one is open, the game is in the step ``window``: the card lies
on the table but has no effect yet, and the game waits for the four commands of this module:
``nope``, ``pass``, ``hold`` and ``release``.

Length. A window lasts ``options.nope_seconds``: 8 by default, 3 to 30 in the variants that come
with the program (``[window]`` in ``variant.toml``). The host can change the option at any time, in
the lobby or in a game; an open window keeps the length that it was opened with. No player can make
a window longer, but a hold can stop its clock (see below).

Instructions. On the draw grid a house rule lets players Nope an instruction, too (ruling
noped-instruction). Its window is the same, with the instruction in place of a card. If nobody could
Nope the instruction, it stands at once, without a window.

No window. If the card on top can't be Noped, or no living player other than its owner can have a
Nope in hand, a window would only waste time (ruling nobody-could). So none is opened: ``closes_at``
of the card's event is None, and the event ``window_closed`` follows in the same commit.

Stacking. A Nope is itself a card on top, and can be Noped by anybody but its own player, also by
the player whose card it cancelled. So each Nope opens a *new* window with its full time, without
passes and holds. An odd number of Nopes cancels the card, an even number lets it stand
(``Played.counts``).

Ids and ``stale``. A window's id is the log's version that opened it, so an id is never used twice.
Every command for a window names the id that its sender saw. If that window has closed by then, the
command is refused as ``stale``. So a late pass for a card never counts as a pass for the Nope that
was played on the card.

What ends it. A window ends when its time is up (``tick``), when all players who could Nope have
passed, when a Nope opens a window of its own, or when an undo takes back the card on top. If that
card was a Nope, the card below it gets a new window with its full time. A living player can't leave
the table while a window is open.

Pass for me. A player can choose to pass automatically in every window until their next turn
(``auto_pass``). Everybody sees that choice. Whenever a window opens, even by an undo, the player's
``passed`` follows in the same commit. If nobody else could Nope, the same commit also closes the
window. The player can still Nope while the window is open. The choice ends with the player's next
turn, when they go out or lend the seat to a robot, and with the game; an undo doesn't change it.

Grace. A Nope that was sent in time may arrive late. A command counts until ``closes_at`` plus the
grace period of its sender's connection, and the clock closes a window only after the grace period
of the slowest connection that may still Nope. The service measures the grace period, at most 500
ms (``service/table/deadlines.py``), and passes it in as ``DecisionInputs.grace_ms``.

Hold and release. Any living player can hold each window once, to talk about it on the call. The
clock then stops with ``left_ms`` left, but Nopes and passes are still accepted. The holder or the
host can release the clock; otherwise it runs again by itself after 60 seconds (``state.HOLD_MS``).

Restart. A server that comes back (or whose clock jumped, or whose machine was suspended) gives an
open window at least ``LEAST_MS`` and at most its full time (``resume``), so that nobody loses the
chance to Nope because of the outage.

An example, with 8 seconds and the log's versions on the left::

    41  0:00  Ann plays Skip     window 41 opens and closes at 0:08; Ben and Cleo could Nope
    42  0:02  Cleo passes        window 41 is still open: Ben could Nope
    43  0:05  Ben plays a Nope   window 43 opens and closes at 0:13; the Skip is cancelled for now
        0:05  Cleo Nopes 41      stale: window 43 is the open one
    44  0:09  Ann holds          4 seconds are left; without a release the clock runs at 1:09
    45  0:20  Ann releases       window 43 closes at 0:24
    46  0:22  Ann passes         Cleo could still Nope
    47  0:24  the clock ticks    the window closes with one Nope: the Skip is lost
"""

from collections.abc import Callable

from msgspec.structs import replace

from companion.rules.core import commands, events
from companion.rules.core.commands import Command, DecisionInputs
from companion.rules.core.moves import ALIVE, EVERY_STEP, WINDOW_CLOSED, Move, Role
from companion.rules.core.state import HOLD_MS, Game, GameContext, Table, Window
from companion.rules.core.types import Event, Events
from companion.rules.text.rulings import Refused, Stale

STEP = "window"  # the step in which a window is open
# steps in which nothing can be Noped, because a card was touched or a Kitten was shown
UN_NOPEABLE_STEPS = ("report", "kitten", "imploding")
LEAST_MS = 3_000  # minimum time left in an open window after a restart of the server


def could_nope(table: Table, top: str) -> tuple[str, ...]:
    """Return the living seats that could Nope the card on top, which the seat ``top`` played.

    Hands are hidden. So these are all seats that may have a Nope, judging by what everybody knows
    (rulings anyone-alive, from-hand).
    """
    holders = table.game.holders(table.variant.nope) if table.game else ()
    return tuple([seat for seat in holders if seat != top])


def card_resolver(event: type[Event]) -> Callable[[GameContext[Command]], Events]:
    """Return a ``resolve`` function that plays a card and opens a Nope window.

    The function records the play as an event of this type.
    """
    fields = {*event.__struct_fields__} - {"seat", "seconds", "closes_at"}

    def play(context: GameContext[Command]) -> Events:
        return _lay_card(
            context, event, **{name: getattr(context.command, name) for name in fields}
        )

    return play


def _lay_card(
    context: GameContext[Command], kind: Callable[..., Event], /, **facts: object
) -> Events:
    """Play a card and open a window. If nobody could Nope the card, resolve it at once.

    The check is made *after* the card has left the hand, because that card may have been the last
    Nope (ruling nobody-could).
    """
    event = kind(
        seat=context.seat,
        seconds=context.table.options.nope_seconds,
        closes_at=None,
        **facts,
    )
    table = event.table_after(context.table)
    played = table.require_game().pending
    variant = table.variant
    on_top = variant.by_title.get(variant.nope if played.nopes else played.card)
    if (on_top is None or on_top.nopeable) and could_nope(table, played.seat_of_top_card):
        return open_window(context, event)
    return event, *_close_window(table)


def open_window(context: GameContext[Command], event: Event) -> Events:
    """Return the event with the length and the end of the window that it opens, and the automatic
    passes."""
    seconds = context.table.options.nope_seconds
    closes_at = context.inputs.now + seconds * 1000
    opening = replace(event, seconds=seconds, closes_at=closes_at)
    return opening, *automatic_passes(context.table, opening)


def _close_window(table: Table) -> Events:
    """Return the events that close the window. The card takes effect, or is lost if it was Noped
    (ruling nope-cancels)."""
    played = table.require_game().pending
    closed = events.WindowClosed(seat=played.by, card=played.card, counts=played.counts)
    if not played.counts:
        return (closed,)
    return closed, *table.family.resolve_effect(table)


def automatic_passes(before: Table, opening: Event) -> Events:
    """Return the passes of the players who chose to pass automatically in every window.

    ``opening`` is the event that opens a window or turns a player's automatic passing on.
    ``before`` is the table before this event. If these passes are the last ones that the window
    waits for, the result also has the events that close the window.
    """
    if before.game is None or not any(player.auto_pass for player in before.game.players):
        return ()
    return _pass_automatically(opening.table_after(before))


def _pass_automatically(table: Table) -> Events:
    """Return the automatic passes for the open window, and the events that close it, if any."""
    game = table.game
    if game is None or game.window is None:
        return ()
    could = could_nope(table, game.pending.seat_of_top_card)
    done = game.window.passed
    passing = [seat for seat in could if seat not in done and game.by_seat[seat].auto_pass]
    if not passing:
        return ()
    passes = [events.Passed(seat=seat) for seat in passing]
    closing = _close_window(table) if {*could} <= {*done, *passing} else ()
    return *passes, *closing


def window_deadline(table: Table) -> int | None:
    """Return the time at which the window closes or the hold ends, in ms since the epoch. Returns
    None if no window is open."""
    if table.game is None or table.game.window is None:
        return None
    window = table.game.window
    return window.closes_at - window.left_ms if window.held_by else window.closes_at


def due_events(table: Table, inputs: DecisionInputs) -> Events:
    """Return the events that are due because a hold, or the window with its grace period, has
    ended.

    If neither has ended, return no events.
    """
    game = table.game
    when = window_deadline(table)
    if when is None or game is None or game.window is None or game.played is None:
        return ()
    if game.window.held_by:
        if inputs.now < when:
            return ()
        return (events.Released(seat=None, closes_at=inputs.now + game.window.left_ms),)
    return _close_window(table) if inputs.now >= when + inputs.grace_ms else ()


def resume(table: Table, inputs: DecisionInputs) -> Events:
    """Return the event that moves the end of an open window after a restart of the server.

    The window keeps its remaining time, but gets at least ``LEAST_MS``. The window gets at most its
    full time, because somebody may have set the machine's clock back during the restart. If the end
    needn't move, return no event.
    """
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
    """Raise ``Stale`` if the command names a window other than the open one.

    If no window is open, this function refuses the id of an earlier window, but not an id that no
    window ever had. ``no_window_refusal`` refuses a command with such an id.
    """
    window = game.window
    named = getattr(command, "window", 0)
    if window is not None and window.id == named:
        return
    if window is not None or 0 < named <= table.newest_window:
        raise Stale(_ruling_for_late_command(table, game, command), case="window", window=named)


def no_window_refusal(table: Table, game: Game, command: Command) -> Refused:
    """Return the refusal of a window's command while no window is open."""
    ruling = _ruling_for_late_command(table, game, command)
    return Refused(ruling, case="nothing" if ruling == "in-time" else None, **game.refusal_facts)


def _ruling_for_late_command(table: Table, game: Game, command: Command) -> str:
    """Return the ruling that refuses a command that came too late.

    The ruling is ``un-nopeable`` for a Nope on an action that can't be Noped at all, and otherwise
    ``in-time``.
    """
    if type(command) is not commands.PlayNope or game.window is not None:
        return "in-time"
    last = table.past[-1].event if table.past else None
    machine = table.family.machine
    un_nopeable = isinstance(last, machine.un_nopeable)
    if game.current_turn.step in UN_NOPEABLE_STEPS or (
        un_nopeable and not isinstance(last, machine.made_nopeable(table))
    ):
        return "un-nopeable"
    played = (
        getattr(last, "nope", getattr(last, "card", None)) if hasattr(last, "closes_at") else None
    )
    card = table.variant.by_title.get(str(played))
    return "in-time" if card is None or card.nopeable else "un-nopeable"


def _require_window(game: Game) -> Window:
    """Return the open window. Call this only in the step ``window``, in which there
    always is one."""
    assert game.window is not None
    return game.window


def _check_in_time(context: GameContext[Command]) -> None:
    window = _require_window(context.game)
    inputs = context.inputs
    if window.held_by is None and inputs.now > window.closes_at + inputs.grace_ms:
        late = inputs.now - window.closes_at
        raise Refused("in-time", late_ms=late, seconds=window.seconds)


def _validate_nope(context: GameContext[Command]) -> None:
    _check_in_time(context)
    if context.game.pending.seat_of_top_card == context.seat:
        raise Refused("not-your-own", seat=context.seat)
    context.table.family.check_in_hand(context.table, context.seat, context.table.variant.nope)


def _resolve_nope(context: GameContext[commands.PlayNope]) -> Events:
    played = context.game.pending
    nope = context.table.variant.nope
    facts = {"card": played.card, "by": played.by, "counts": not played.counts, "nope": nope}
    return _lay_card(context, events.NopePlayed, **facts)


def _validate_pass(context: GameContext[commands.Pass]) -> None:
    _validate_nope(context)
    if context.seat in _require_window(context.game).passed:
        raise Refused("everyone-passed", case="twice", seat=context.seat)


def _resolve_pass(context: GameContext[commands.Pass]) -> Events:
    event = events.Passed(seat=context.seat)
    passed = *_require_window(context.game).passed, context.seat
    if {*could_nope(context.table, context.game.pending.seat_of_top_card)} <= {*passed}:
        return event, *_close_window(context.table)
    return (event,)


def _resolve_auto_pass(context: GameContext[commands.SetAutoPass]) -> Events:
    """Return the event of the player's choice, or no event if nothing changes.

    If the player chose to pass automatically, they also pass in the open window, if there is one.
    """
    on = context.command.on
    if context.game.by_seat[context.seat].auto_pass == on:
        return ()
    event = events.AutoPassSet(seat=context.seat, on=on)
    return event, *(_pass_automatically(event.table_after(context.table)) if on else ())


def _validate_hold(context: GameContext[commands.Hold]) -> None:
    _check_in_time(context)
    window = _require_window(context.game)
    if window.held_by is not None:
        raise Refused("hold", case="held", by=window.held_by)
    if context.seat in window.held:
        raise Refused("hold", case="once", seat=context.seat)


def _resolve_hold(context: GameContext[commands.Hold]) -> Events:
    now = context.inputs.now
    left = max(0, _require_window(context.game).closes_at - now)
    return (events.Held(seat=context.seat, left_ms=left, until=now + HOLD_MS),)


def _seats_that_release(table: Table, game: Game) -> tuple[str, ...]:
    """Return the seats that can release a held clock: the holder and, if alive, the host.

    While the clock isn't held, nobody can release it, but return all living seats. The command is
    then not refused because of its seat: ``_validate_release`` refuses it with a better reason.
    """
    if game.window is None or game.window.held_by is None:
        return game.living
    host = (table.host,) if table.host in game.living else ()
    return game.window.held_by, *host


def _validate_release(context: GameContext[commands.Release]) -> None:
    if _require_window(context.game).held_by is None:
        raise Refused("hold", case="not-held")


def _resolve_release(context: GameContext[commands.Release]) -> Events:
    closes_at = context.inputs.now + _require_window(context.game).left_ms
    return (events.Released(seat=context.seat, closes_at=closes_at),)


HOLDER = Role("holder or host", _seats_that_release, "hold")


def window_choices(table: Table, game: Game) -> tuple[Command, ...]:
    """Return every legal command for the open window, one for each seat that can send it."""
    window = _require_window(game)
    can_nope = could_nope(table, game.pending.seat_of_top_card)
    can_release = _seats_that_release(table, game) if window.held_by else ()
    seats = {
        commands.PlayNope: can_nope,
        commands.Pass: [seat for seat in can_nope if seat not in window.passed],
        commands.Hold: [s for s in game.living if not window.held_by and s not in window.held],
        commands.Release: [seat for seat in game.living if seat in can_release],
    }
    return tuple([kind(seat=s, window=window.id) for kind, able in seats.items() for s in able])


def window_moves(device: str = "") -> tuple[Move, ...]:
    """Return the moves of the step ``window``, for a family's table of moves.

    ``device`` is the ruling cited when the host plays a Nope for a seat although the device that
    keeps the seat's deck is connected. In a family without device decks, ``device`` is empty. While
    no window is open, ``no_window_refusal`` refuses all of these moves.
    """
    too_late = dict.fromkeys(UN_NOPEABLE_STEPS, "un-nopeable") | {"": "in-time"}
    # fmt: off
    return (
        Move(commands.PlayNope, by=ALIVE, during=STEP, validate=_validate_nope,
             resolve=_resolve_nope, leads_to=(STEP, WINDOW_CLOSED), refused_by=too_late,
             device_ruling=device),
        Move(commands.Pass, by=ALIVE, during=STEP, validate=_validate_pass, resolve=_resolve_pass,
             leads_to=(STEP, WINDOW_CLOSED), refused_by="in-time"),
        Move(commands.Hold, by=ALIVE, during=STEP, validate=_validate_hold, resolve=_resolve_hold,
             leads_to=(STEP,), refused_by="in-time"),
        Move(commands.Release, by=HOLDER, during=STEP, validate=_validate_release,
             resolve=_resolve_release, leads_to=(STEP,), refused_by="in-time"),
        Move(commands.SetAutoPass, by=ALIVE, during=EVERY_STEP, resolve=_resolve_auto_pass,
             own_seat_only="everyone-passed"),
    )
    # fmt: on
