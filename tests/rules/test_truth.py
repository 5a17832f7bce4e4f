"""Whole games with real decks, in which players only say what is true. Nothing is refused."""

from random import Random

import pytest

from companion.rules.core.referee import legal_commands
from companion.rules.grid import places as grid
from tests.support.iterations import scale_count
from tests.support.play_at_random import RandomGame as Table
from tests.support.real_cards import FIFTEEN, list_shuffled_cards, make_deal
from tests.support.say import say


class Deck:
    """The real cards of one player: the hand, and the card in each cell."""

    def __init__(self, rng: Random) -> None:
        cards = list_shuffled_cards(FIFTEEN)
        rng.shuffle(cards)
        hand, _, laid = make_deal(FIFTEEN, cards, [rng.randrange(FIFTEEN.laid + 1)])
        self.hand = [*hand]
        places = [(row, column) for row in range(2) for column in range(3)]
        self.cells = {at: card for at, (card, _) in zip(places, filter(None, laid), strict=True)}

    def rearrange(self, rng: Random) -> None:
        cards = [*self.cells.values()]
        rng.shuffle(cards)
        self.cells = dict(zip(self.cells, cards, strict=True))


def is_true(deck: Deck, command: object, table: Table) -> bool:
    """Return True if the command agrees with the real cards of the player who gives it."""
    game = table.table.game
    assert game is not None
    match command:
        case say.PlayCard(card=card):
            return card in deck.hand
        case say.PlayNope():
            return "nope" in deck.hand
        case say.Reveal(card=card):
            assert game.played is not None and game.played.cell is not None
            return deck.cells[game.played.cell] == card
        case say.Report(outcome=outcome):
            assert game.turn is not None and game.turn.told is not None
            return (deck.cells[game.turn.told] == "kitten") == (outcome == "kitten")
        case say.Defuse():
            return "defuse" in deck.hand
        case say.Explode():
            return "defuse" not in deck.hand
        case _:
            return True


def list_commands_to_try(deck: Deck, seat: str, table: Table) -> list[object]:
    """Return commands to try. The rules must accept those that are true for the player's cards."""
    game = table.table.game
    assert game is not None and game.turn is not None
    turn = game.turn
    played = game.played
    cells = [*grid.occupied_cells(game.player(turn.seat).grid)]
    match turn.step:
        case "tell" if game.previous_living(turn.seat) == seat:
            return [say.Instruct(seat=seat, cell=cell) for cell in cells]
        case "act" if turn.seat == seat and turn.told:
            plays = [say.PlayCard(seat=seat, card=c) for c in ("skip", "see_future", "shuffle")]
            plays += [
                say.PlayCard(seat=seat, card="favor", target=other.seat, cell=cell)
                for other in game.players
                for cell in grid.face_down(other.grid)
                if other.seat != seat
            ]
            return [say.Draw(seat=seat, cell=turn.told), *plays]
        case "window" if played and played.seat_of_top_card != seat and deck.hand and game.window:
            return [say.PlayNope(seat=seat, window=game.window.id)]
        case "reveal" if played and played.target == seat:
            return [say.Reveal(seat=seat, card=card) for card, _ in FIFTEEN.counts]
        case "report" if turn.seat == seat:
            return [say.Report(seat=seat, outcome="safe"), say.Report(seat=seat, outcome="kitten")]
        case "kitten" if turn.seat == seat:
            return [say.Defuse(seat=seat), say.Explode(seat=seat)]
        case _:
            return []


def move_cards(deck: Deck, command: object, table: Table, rng: Random) -> None:
    """Move the real cards as the command requires."""
    game = table.table.game
    assert game is not None and game.turn is not None
    match command:
        case say.PlayCard(card=card):
            deck.hand.remove(card)
        case say.PlayNope():
            deck.hand.remove("nope")
        case say.Report(outcome="safe"):
            assert game.turn.told is not None
            deck.hand.append(deck.cells.pop(game.turn.told))
        case say.Shuffled():
            deck.rearrange(rng)
        case say.Defuse():
            deck.hand.remove("defuse")
            deck.rearrange(rng)


def play_truthfully(seed: int) -> int:
    """Play a whole game. Returns the number of its commands."""
    rng = Random(seed)
    table = Table(rng.randint(2, 6), {"roll_call": False})
    decks = {seat.seat: Deck(rng) for seat in table.table.seats}
    table.begin_game(rng.randrange(6))
    command_count = 0
    while (game := table.table.game) and game.winner is None:
        legal = legal_commands(table.table)
        listed = set(legal)
        for seat in game.living:
            for command in list_commands_to_try(decks[seat], seat, table):
                assert not is_true(decks[seat], command, table) or command in listed, command
        command = rng.choice([c for c in legal if is_true(decks[str(c.seat)], c, table)])
        move_cards(decks[str(command.seat)], command, table, rng)
        table.handle_command(command, command.seat)
        command_count += 1
    return command_count


@pytest.mark.parametrize("part", range(4))
def test_the_truth_is_never_refused(part: int) -> None:
    games = scale_count(10, 50)
    first = part * games
    assert sum(map(play_truthfully, range(first, first + games))) > games * 20
