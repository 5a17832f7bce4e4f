"""The truth is never refused: whole games with real decks, every word of them true."""

from random import Random

import pytest

from companion.rules.core.referee import legal_commands
from companion.rules.grid import places as grid
from tests.support.iterations import scale_count
from tests.support.play_at_random import RandomGame as Table
from tests.support.real_cards import FIFTEEN, list_shuffled_cards, make_deal
from tests.support.say import say


class Deck:
    """One player's real cards: a hand, and what lies in each cell."""

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


def is_true(deck: Deck, said: object, table: Table) -> bool:
    """Return True if a player with these cards can give the command."""
    game = table.table.game
    assert game is not None
    match said:
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


def true_words(deck: Deck, seat: str, table: Table) -> list[object]:
    """Yield the commands that a player with these cards must be able to give."""
    game = table.table.game
    assert game is not None and game.turn is not None
    turn = game.turn
    played = game.played
    cells = [*grid.occupied_cells(game.player(turn.seat).grid)]
    match turn.step:
        case "tell" if game.before(turn.seat) == seat:
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
        case "window" if played and played.seat_on_top != seat and deck.hand and game.window:
            return [say.PlayNope(seat=seat, window=game.window.id)]
        case "reveal" if played and played.target == seat:
            return [say.Reveal(seat=seat, card=card) for card, _ in FIFTEEN.counts]
        case "report" if turn.seat == seat:
            return [say.Report(seat=seat, outcome="safe"), say.Report(seat=seat, outcome="kitten")]
        case "kitten" if turn.seat == seat:
            return [say.Defuse(seat=seat), say.Explode(seat=seat)]
        case _:
            return []


def carry_out(deck: Deck, said: object, table: Table, rng: Random) -> None:
    """Apply the commands to the real cards."""
    game = table.table.game
    assert game is not None and game.turn is not None
    match said:
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
    """Play a whole game. Returns the number of commands."""
    rng = Random(seed)
    table = Table(rng.randint(2, 6), {"roll_call": False})
    decks = {seat.seat: Deck(rng) for seat in table.table.seats}
    table.begin_game(rng.randrange(6))
    words = 0
    while (game := table.table.game) and game.winner is None:
        legal = legal_commands(table.table)
        listed = set(legal)
        for seat in game.living:
            for said in true_words(decks[seat], seat, table):
                assert not is_true(decks[seat], said, table) or said in listed, said
        said = rng.choice([w for w in legal if is_true(decks[str(w.seat)], w, table)])
        carry_out(decks[str(said.seat)], said, table, rng)
        table.handle_command(said, said.seat)
        words += 1
    return words


def test_the_truth_is_never_refused() -> None:
    assert sum(map(play_truthfully, range(40))) > 40 * 20


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
def test_the_truth_is_never_refused_in_many_games(part: int) -> None:
    games = scale_count(50)
    first = 1_000 + part * games
    assert sum(map(play_truthfully, range(first, first + games))) > games * 20
