"""Commands for decks that players' devices keep: commit to, lend and open a deck (docs/fair.md).

The server never learns which card is which. It contributes randomness that nobody can foresee, and
it checks that a device reveals the secret that it committed to.
"""

from companion.device_decks.dealing import commitment
from companion.rules.core.commands import LendSeat
from companion.rules.core.lobby import next_host
from companion.rules.core.moves import TableMove
from companion.rules.core.state import at_seat
from companion.rules.core.table_events import BackLapsed, HostChanged, SeatLent
from companion.rules.core.types import ALWAYS, Events
from companion.rules.grid import commands, events
from companion.rules.grid.state import TableContext
from companion.rules.text.rulings import Refused


def _commit_deck(context: TableContext[commands.ChooseDeck]) -> Events:
    """Let a player choose between real cards and a deck on their device (ruling own-deck).

    The choice is made before the player is ready. A device commits to a new secret for each game.
    """
    table = context.table
    commit = context.command.commit.lower() if context.command.commit else None
    if table.seat(context.seat).ready:
        raise Refused("own-deck", case="ready", seat=context.seat)
    if commit is not None and any(d.commit == commit for d in (*table.decks, *table.dealt)):
        raise Refused("own-deck", case="again")
    return (events.DeckChosen(seat=context.seat, kind=context.command.kind, commit=commit),)


def _report_deck(context: TableContext[commands.ReportDeck]) -> Events:
    """Record whether the seat's device has its deck. Return no event if nothing has changed."""
    deck = context.table.deck(context.seat)
    if deck is None:
        raise Refused("own-deck", case="none", seat=context.seat)
    if deck.here is context.command.here:
        return ()
    return (events.DeckReported(seat=context.seat, here=context.command.here),)


def _open_deck(context: TableContext[commands.OpenDeck]) -> Events:
    """Check and publish the secret of a device's deck, once the game is over.

    The rulings are own-deck and opens-what-it-committed.
    """
    table = context.table
    seat = context.seat
    game = table.game
    deck = at_seat(table.dealt, seat)
    if deck is None:
        raise Refused("opens-what-it-committed", case="none", seat=seat)
    if game is not None and game.winner is None:
        raise Refused("opens-what-it-committed", case="playing", seat=seat)
    if deck.secret is not None:
        raise Refused("opens-what-it-committed", case="again", seat=seat)
    if commitment(context.command.secret) != deck.commit:
        raise Refused("opens-what-it-committed", seat=seat)
    opened = events.DeckOpened(seat=seat, secret=context.command.secret.lower())
    # After this event the game can't be undone, so cancel an open request for an undo.
    return (BackLapsed(seat=table.asked.seat), opened) if table.asked else (opened,)


def _lend_deck(context: TableContext[LendSeat]) -> Events:
    """Lend the seat and its device's deck to a robot, while its player is still in the game."""
    table = context.table
    seat = context.seat
    game = table.game
    deck = table.deck(context.seat)
    playing = game is not None and game.winner is None and game.player(seat).alive
    if deck is None or not playing:
        raise Refused("own-deck", case="lent", seat=seat)
    if commitment(context.command.secret) != deck.commit:
        raise Refused("opens-what-it-committed", seat=seat)
    if table.seat(seat).robot:
        return ()
    lent = SeatLent(seat=seat, robot=context.command.robot)
    if table.host != seat:
        return (lent,)
    return lent, HostChanged(seat=next_host(table, seat, context.inputs))


MOVES: tuple[TableMove, ...] = (
    TableMove(
        commands.ChooseDeck, ("lobby", "setup"), "own-deck", _commit_deck, own_seat_only=True
    ),
    TableMove(commands.ReportDeck, ALWAYS, "own-deck", _report_deck, own_seat_only=True),
    TableMove(LendSeat, ALWAYS, "own-deck", _lend_deck, own_seat_only=True),
    TableMove(commands.OpenDeck, ALWAYS, "opens-what-it-committed", _open_deck, after_leaving=True),
)
