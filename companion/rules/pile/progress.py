"""What each event of a classic game changes in it.

This module must not know what is allowed, nor what a card does.
"""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from companion.rules.core import events as table_events
from companion.rules.core import progress
from companion.rules.core.progress import window, with_player, with_turn
from companion.rules.pile import events
from companion.rules.pile import observations as public
from companion.rules.pile.model import Game, Played, Player, Table, Turn
from companion.rules.pile.observations import Observation
from companion.rules.pile.order import (
    Notes,
    Order,
    altered,
    altered_notes,
    drawn,
    drawn_notes,
    noted,
    returned,
    saw,
)


def seats_ordered(table: Table, event: events.SeatsOrdered) -> Table:
    """The seats stand as people sit."""
    return replace(table, seats=table.by_id(event.seats), ended=None)


def game_began(table: Table, event: events.GameBegan) -> Table:
    """Everyone has a full hand, the rest lies in the pile."""
    hand = table.variant.hand + 1
    players = tuple(Player(seat=seat, hand=hand) for seat in event.order)
    game = Game(players=players, deal=table.variant.deal(event.order))
    return replace(table, game=game, ended=None)


def kept_notes(now: Game, then: Game) -> Game:
    """A note is not undone: what was noted since stays, while the pile lies as it did."""
    players = tuple(_keep_notes(now.player(player.seat), player) for player in then.players)
    return replace(then, players=players)


def _keep_notes(now: Player, then: Player) -> Player:
    """Who was out has what they had noted until then."""
    if not now.alive or now.changes != then.changes:
        return then
    return replace(then, notes=now.notes)


# --- help ------------------------------------------------------------------------------


def _saw(game: Game, seen: Observation) -> Game:
    return replace(game, seen=(*game.seen, seen))


def _hand(game: Game, seat: str, more: int) -> Game:
    players = with_player(game, seat, hand=game.player(seat).hand + more)
    return replace(game, players=players)


def _moved(game: Game, giver: str, taker: str) -> Game:
    return _hand(_hand(game, giver, -1), taker, 1)


def _laid(game: Game, seat: str, cards: tuple[str, ...]) -> Game:
    """Cards go from the hand to the discard pile, seen by all (ruling from-hand)."""
    game = _saw(_hand(game, seat, -len(cards)), public.Laid(seat, cards))
    return replace(game, discard=(*game.discard, *cards))


def _goes_on(game: Game) -> Game:
    """The effect has been carried out: the same turn goes on."""
    return replace(game, played=None, turn=with_turn(game, step="act"))


def _noted_anew(game: Game, notes: Callable[[Notes], Notes]) -> Game:
    """Everybody's notes, after the pile has changed."""
    players = tuple(
        replace(player, notes=notes(player.notes), changes=player.changes + 1)
        for player in game.players
    )
    return replace(game, players=players)


# --- the turn --------------------------------------------------------------------------


def _turn_began(game: Game, event: events.TurnBegan, version: int) -> Game:
    turn = Turn(number=event.number, seat=event.seat, owed=event.owed, attacked=event.attacked)
    return replace(game, turn=turn, played=None, window=None)


def _waits(game: Game, played: Played, event: Any, version: int) -> Game:
    return replace(
        game,
        turn=with_turn(game, step="window"),
        played=played,
        window=window(event.seconds, event.closes_at, version),
    )


def _card_played(game: Game, event: events.CardPlayed, version: int) -> Game:
    cards = (event.card,)
    played = Played(card=event.card, cards=cards, by=event.seat, target=event.target)
    return _waits(_laid(game, event.seat, cards), played, event, version)


def _combo_played(game: Game, event: events.ComboPlayed, version: int) -> Game:
    played = Played(
        card=event.kind, cards=event.cards, by=event.seat, target=event.target, name=event.name
    )
    return _waits(_laid(game, event.seat, event.cards), played, event, version)


def _nope_played(game: Game, event: table_events.NopePlayed, version: int) -> Game:
    played = game.played
    assert played is not None
    noped = replace(played, nopes=(*played.nopes, event.seat))
    return _waits(_laid(game, event.seat, (event.nope,)), noped, event, version)


def _step_began(game: Game, event: table_events.StepBegan, version: int) -> Game:
    if event.step == "report":  # a Draw from the Bottom
        return replace(game, played=None, turn=with_turn(game, step="report", end="bottom"))
    return replace(game, turn=with_turn(game, step=event.step))


# --- what a card or combo asks to be done ------------------------------------------------


def _looked(game: Game, event: events.Looked, version: int) -> Game:
    if event.altered:
        game = replace(game, chosen=altered(game.chosen, game.pile))
        game = _noted_anew(game, altered_notes)
    # What they saw is forgotten with the look.
    changes = game.player(event.seat).changes + 1
    return _goes_on(replace(game, players=with_player(game, event.seat, changes=changes)))


def _top_noted(game: Game, event: events.TopNoted, version: int) -> Game:
    notes = saw(game.player(event.seat).notes, event.cards)
    return replace(game, players=with_player(game, event.seat, notes=notes))


def _pile_shuffled(game: Game, event: events.PileShuffled, version: int) -> Game:
    return replace(_goes_on(_noted_anew(game, lambda notes: ())), chosen=Order())


def _card_given(game: Game, event: events.CardGiven, version: int) -> Game:
    game = _saw(game, public.Moved(event.seat, event.target))
    return _goes_on(_moved(game, event.seat, event.target))


def _card_taken(game: Game, event: events.CardTaken, version: int) -> Game:
    game = _saw(game, public.Moved(event.target, event.seat))
    return _goes_on(_moved(game, event.target, event.seat))


def _answered(game: Game, event: events.Answered, version: int) -> Game:
    if not event.has:
        return _goes_on(_saw(game, public.HasNone(event.seat, event.card)))
    game = _saw(game, public.Gave(event.seat, event.target, event.card))
    return _goes_on(_moved(game, event.seat, event.target))


def _card_picked(game: Game, event: events.CardPicked, version: int) -> Game:
    """A noted card, the newest of its title, or else an unnoted one."""
    discard = [*game.discard]
    if event.card in discard:
        del discard[len(discard) - 1 - discard[::-1].index(event.card)]
    game = _saw(_hand(game, event.seat, 1), public.Picked(event.seat, event.card))
    return _goes_on(replace(game, discard=tuple(discard)))


def _effect_over(game: Game, event: events.EffectOver, version: int) -> Game:
    return _goes_on(game)


# --- drawing and the Kitten ------------------------------------------------------------


def _card_touched(game: Game, event: events.CardTouched, version: int) -> Game:
    return replace(game, turn=with_turn(game, step="report", end="top"))


def _drew(game: Game, seat: str, seen: Observation, kitten: bool) -> Game:
    """The touched card is no more in the pile."""
    end = (game.turn and game.turn.end) or "top"
    touched = (*game.player(seat).touched, len(game.seen))
    cards = game.pile
    game = replace(
        game,
        players=with_player(game, seat, touched=touched),
        chosen=drawn(game.chosen, cards, end, kitten),
    )
    return _saw(_noted_anew(game, lambda notes: drawn_notes(notes, cards, end)), seen)


def _card_drawn(game: Game, event: events.CardDrawn, version: int) -> Game:
    return _hand(_drew(game, event.seat, public.Drew(event.seat), kitten=False), event.seat, 1)


def _kitten_shown(game: Game, event: events.KittenShown, version: int) -> Game:
    game = _drew(game, event.seat, public.DrewKitten(), kitten=True)
    return replace(game, turn=with_turn(game, step="kitten", shown=event.kitten))


def _kitten_defused(game: Game, event: events.KittenDefused, version: int) -> Game:
    game = _saw(_laid(game, event.seat, (event.card,)), public.PutBack())
    game = _noted_anew(game, lambda notes: ())
    return replace(game, chosen=returned(game.chosen, event.seat), turn=with_turn(game, shown=None))


def _kitten_placed(game: Game, event: events.KittenPlaced, version: int) -> Game:
    return replace(game, players=with_player(game, event.seat, notes=event.notes))


def _kitten_laid(game: Game) -> Game:
    """A Kitten that is shown, if there is one, lies on the discard pile."""
    if game.turn is None or game.turn.shown is None:
        return game
    discard = (*game.discard, game.turn.shown)
    return replace(game, discard=discard, turn=with_turn(game, shown=None))


def _went_out(game: Game, event: table_events.WentOut, version: int) -> Game:
    """The hand lies unnoted on the discard pile, or is away; a shown Kitten lies there, too."""
    if game.turn is not None and game.turn.seat == event.seat:
        game = _kitten_laid(game)
    gone = public.Exploded(event.seat) if event.out == "kitten" else public.Went(event.seat)
    players = with_player(game, event.seat, out=event.out, hand=0, notes=())
    return _saw(replace(game, players=players), gone)


def _hand_told(game: Game, event: events.HandTold, version: int) -> Game:
    """The hand that just went to the discard pile, below its Kitten, is noted after all."""
    told = public.Exploded(event.seat, event.cards)
    discard = (*game.discard[:-1], *event.cards, *game.discard[-1:])
    return replace(game, seen=(*game.seen[:-1], told), discard=discard)


def _game_won(game: Game, event: table_events.GameWon, version: int) -> Game:
    over = _kitten_laid(game)
    return replace(over, winner=event.seat, turn=None, played=None, window=None)


def _note_made(game: Game, event: events.NoteMade, version: int) -> Game:
    notes = noted(game.player(event.seat).notes, event.place, event.card, event.own)
    return replace(game, players=with_player(game, event.seat, notes=notes))


FOLDS: dict[type, Callable[[Game, Any, int], Game]] = {
    **progress.FOLDS,
    events.TurnBegan: _turn_began,
    events.CardPlayed: _card_played,
    events.ComboPlayed: _combo_played,
    table_events.NopePlayed: _nope_played,
    table_events.StepBegan: _step_began,
    events.Looked: _looked,
    events.TopNoted: _top_noted,
    events.PileShuffled: _pile_shuffled,
    events.CardGiven: _card_given,
    events.CardTaken: _card_taken,
    events.Answered: _answered,
    events.CardPicked: _card_picked,
    events.EffectOver: _effect_over,
    events.CardTouched: _card_touched,
    events.CardDrawn: _card_drawn,
    events.KittenShown: _kitten_shown,
    events.KittenDefused: _kitten_defused,
    events.KittenPlaced: _kitten_placed,
    table_events.WentOut: _went_out,
    events.HandTold: _hand_told,
    table_events.GameWon: _game_won,
    events.NoteMade: _note_made,
}
"""By kind of event: the game after it, given the version it makes."""

SAID = (
    events.CardPlayed,
    events.ComboPlayed,
    table_events.NopePlayed,
    events.Looked,
    events.PileShuffled,
    events.CardGiven,
    events.CardTaken,
    events.Answered,
    events.CardPicked,
    events.CardTouched,
    events.CardDrawn,
    events.KittenShown,
    events.KittenDefused,
    table_events.WentOut,
)
"""What somebody said and the host can take back (ruling undo)."""
