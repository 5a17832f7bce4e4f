"""What is shown of a classic game."""

from companion.rules.core import view
from companion.rules.core.family import Json, Part, Parts
from companion.rules.core.model import Seat
from companion.rules.pile.deduction import Deal, Observation, knowledge
from companion.rules.pile.model import Played, Player, Table, Turn
from companion.rules.pile.order import Order, ends

Seen = tuple[Deal, tuple[Observation, ...]]  # what everybody saw, since which deal

PileViewInputs = tuple[Seen, int, int, tuple[str, ...], Order]
"""What was seen, the pile's cards and Kittens, the discard pile, what was chosen of the order."""


def game(table: Table) -> Part:
    game = table.game
    family = table.family.id
    odds = table.options.odds
    if game is None:
        return Part(_game, (family, None, None, None, None, odds))
    seen = game.deal, game.seen
    piled = seen, game.pile, game.kittens, game.discard, game.chosen
    return Part(_game, (family, piled, game.turn, game.played, game.winner, odds))


def _game(
    family: str, piled: PileViewInputs | None, turn: Turn | None, played: Played | None,
    winner: str | None, odds: bool,
) -> Json:  # fmt: skip
    return {
        "family": family,
        **(_piles(*piled, odds) if piled else {"pile": None, "discard": None}),
        "turn": view.pick_fields(turn, "number seat owed attacked step end") if turn else None,
        "played": _played_card(played) if played else None,
        "winner": winner,
    }


def _piles(
    seen: Seen, cards: int, kittens: int, discard: tuple[str, ...], chosen: Order, odds: bool
) -> Json:
    known = knowledge(*seen)
    pile: Json = {"cards": cards, "kittens": kittens, "exact": known.exact}
    if odds:
        pile |= ends(cards, kittens, chosen)
    return {"pile": pile, "discard": {"cards": discard, "unnoted": known.unnoted_count}}


def _played_card(played: Played) -> Json:
    return {"kind": played.card, **view.pick_fields(played, "cards by target name nopes counts")}


def seats(table: Table) -> Parts:
    seen = (table.game.deal, table.game.seen) if table.game else None
    return view.seats(table, _seat, seen, table.variant.defuse)


def _seat(
    seat: Seat, player: Player | None, odds: bool, over: bool, order: tuple[str, ...],
    living: tuple[str, ...], seen: Seen | None, defuse: str,
) -> Json:  # fmt: skip
    shown = {**view.person(seat, player), "next": view.next_of(player, order, living)}
    if not odds:
        return shown
    if player is None or seen is None:
        return {**shown, "known": {}, "never": ()}
    known = knowledge(*seen)
    shown |= {"known": known.certain_cards(seat.seat), "never": known.impossible_cards(seat.seat)}
    return {**shown, "survival": survival(*seen, player, defuse)} if over else shown


def survival(deal: Deal, seen: tuple[Observation, ...], player: Player, defuse: str) -> float:
    """The chance, from 0 to 1, that somebody with these draws gets as far as they did. That is,
    that none of their draws but a last deadly one was a Kitten when their hand did not surely hold
    a Defuse, the pile being as good as shuffled."""
    draws = player.touched[:-1] if player.out == "kitten" else player.touched
    chance = 1.0
    for count in draws:
        known = knowledge(deal, seen[:count])
        if defuse not in known.certain_cards(player.seat):
            chance *= 1 - known.kittens / known.pile
    return round(chance, 6)


def own(table: Table) -> Parts:
    game = table.game
    pile = (game.pile, game.kittens, game.chosen) if game and table.options.odds else None
    return view.own(table, _own, pile, table.variant.kitten)


def _own(player: Player | None, pile: tuple[int, int, Order] | None, kitten: str) -> Json:
    mine: Json = {"notes": []}
    if player is not None:
        mine["notes"] = [{"place": note.place, "card": note.card} for note in player.notes]
        if pile and player.out is None:
            mine["odds"] = ends(*pile, player.notes, kitten)
    return mine
