"""Decks that players' devices keep: committing to one, and opening it (docs/fair.md). The server
never learns which card is which. What it does for such a deck is to draw the chance that nobody can
foresee, and to see to it that what is opened is what was committed to."""

from companion.fair.cards import commitment
from companion.rules.core.commands import LendSeat
from companion.rules.core.events import Events
from companion.rules.core.game import at_seat
from companion.rules.core.lobby import heir
from companion.rules.core.moves import ALWAYS, TableMove
from companion.rules.core.rulings import Refused
from companion.rules.core.table_events import BackLapsed, HostChanged, SeatLent
from companion.rules.grid import commands, events
from companion.rules.grid.model import TableWord


def _says(word: TableWord[commands.SayDeck]) -> Events:
    """Ruling own-deck: before being ready, and with a secret of its own for each game."""
    table = word.table
    commit = word.said.commit.lower() if word.said.commit else None
    if table.seat(word.seat).ready:
        raise Refused("own-deck", case="ready", seat=word.seat)
    if commit is not None and any(d.commit == commit for d in (*table.decks, *table.dealt)):
        raise Refused("own-deck", case="again")
    return (events.DeckSaid(seat=word.seat, kind=word.said.kind, commit=commit),)


def _reports(word: TableWord[commands.ReportDeck]) -> Events:
    """Whether the deck is on the seat's device; nothing happens where that is known."""
    deck = word.table.deck(word.seat)
    if deck is None:
        raise Refused("own-deck", case="none", seat=word.seat)
    if deck.here is word.said.here:
        return ()
    return (events.DeckReported(seat=word.seat, here=word.said.here),)


def _opens(word: TableWord[commands.OpenDeck]) -> Events:
    """Rulings own-deck, opens-what-it-committed: once the newest game is over."""
    table = word.table
    seat, game = word.seat, table.game
    deck = at_seat(table.dealt, seat)
    if deck is None:
        raise Refused("opens-what-it-committed", case="none", seat=seat)
    if game is not None and game.winner is None:
        raise Refused("opens-what-it-committed", case="playing", seat=seat)
    if deck.secret is not None:
        raise Refused("opens-what-it-committed", case="again", seat=seat)
    if commitment(word.said.secret) != deck.commit:
        raise Refused("opens-what-it-committed", seat=seat)
    opened = events.DeckOpened(seat=seat, secret=word.said.secret.lower())
    # Nothing is taken back any more: what was asked is answered by that.
    return (BackLapsed(seat=table.asked.seat), opened) if table.asked else (opened,)


def _lends(word: TableWord[LendSeat]) -> Events:
    """A robot plays on, for who is still in the game with a deck that can be handed on."""
    table = word.table
    seat, game, deck = word.seat, table.game, table.deck(word.seat)
    playing = game is not None and game.winner is None and game.player(seat).alive
    if deck is None or not playing:
        raise Refused("own-deck", case="lent", seat=seat)
    if commitment(word.said.secret) != deck.commit:
        raise Refused("opens-what-it-committed", seat=seat)
    if table.seat(seat).robot:
        return ()
    lent = SeatLent(seat=seat, robot=word.said.robot)
    if table.host != seat:
        return (lent,)
    return lent, HostChanged(seat=heir(table, seat, word.moment))


MOVES: tuple[TableMove, ...] = (
    TableMove(commands.SayDeck, ("lobby", "setup"), "own-deck", _says, own=True),
    TableMove(commands.ReportDeck, ALWAYS, "own-deck", _reports, own=True),
    TableMove(LendSeat, ALWAYS, "own-deck", _lends, own=True),
    TableMove(commands.OpenDeck, ALWAYS, "opens-what-it-committed", _opens, left=True),
)
