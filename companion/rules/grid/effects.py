"""The effects of the cards on the draw grid, and the order of turns.

An effect is carried out once the card's Nope window has closed, unless the card was Noped. If a
player must still do something for the effect (look, shuffle, or turn a card up), the turn gets a
step for this action.
"""

from collections.abc import Callable, Iterable

from companion.rules.core.commands import DecisionInputs
from companion.rules.core.events import GameWon
from companion.rules.core.family import CardEffect
from companion.rules.core.state import previous_living
from companion.rules.core.types import Events, OutReason
from companion.rules.grid import deduction, events, places
from companion.rules.grid.commands import PlayCard
from companion.rules.grid.places import DOWN
from companion.rules.grid.state import Game, GameContext, Player, Table
from companion.rules.text.rulings import Refused


def check_against_log(player: Player, seen: deduction.Observation) -> None:
    """Refuse an observation that no deal of the cards allows (rulings deck-count,
    possible-report)."""
    if player.knowledge.allows(seen):
        return
    case, facts = deduction.reason_against(player.knowledge, seen)
    ruling = "deck-count" if case == "all_open" else "possible-report"
    raise Refused(ruling, case=case, seat=player.seat, **facts)


def check_in_hand(table: Table, seat: str, card: str, forced: bool = False) -> None:
    """Refuse a card that can't come from this hand (ruling from-hand).

    ``forced`` is True for a Defuse.
    """
    check_title(table, card)
    player = table.require_game().player(seat)
    if player.hand == 0:
        raise Refused("from-hand", seat=player.seat, card=card)
    check_against_log(player, deduction.Left(card=card, forced=forced))


def _validate_no_target(context: GameContext[PlayCard]) -> None:
    if context.command.target is not None or context.command.cell is not None:
        raise Refused("favor-another", case="no-target-here", card=context.command.card)


def _list_untargeted_play(game: Game, seat: str, card: str) -> Iterable[PlayCard]:
    return (PlayCard(seat=seat, card=card),)


class Effect(CardEffect, frozen=True):
    """The effect of a card: the requirements for playing it, and its consequences."""

    leads_to: str
    """The turn's step after the card has taken effect."""
    resolve: Callable[[Game, str], Events]
    """Returns the events of the effect, given the game and ``leads_to``."""
    validate: Callable[[GameContext[PlayCard]], None] = _validate_no_target
    """Refuses a play whose target or cell doesn't suit the effect."""
    choices: Callable[[Game, str, str], Iterable[PlayCard]] = _list_untargeted_play
    """Lists every way in which this seat can play this card now."""


def _player_acts(game: Game, step: str) -> Events:
    return (events.StepBegan(seat=game.pending.by, step=step),)


def _target_acts(game: Game, step: str) -> Events:
    assert game.pending.target is not None
    return (events.StepBegan(seat=game.pending.target, step=step),)


def _validate_favor(context: GameContext[PlayCard]) -> None:
    """Refuse a Favor that doesn't name a face-down card of another living player."""
    command = context.command
    if command.target is None or command.cell is None:
        raise Refused("favor-another", case="whose")
    if command.target == context.seat:
        raise Refused("favor-another", case="not-yourself")
    target = context.game.player(command.target)
    if not target.alive:
        raise Refused("favor-another", case="out", target=command.target)
    if places.card_at(target.grid, command.cell) != DOWN:
        raise Refused("favor-another", case="face-down", target=command.target, cell=command.cell)


def _list_favors(game: Game, seat: str, card: str) -> Iterable[PlayCard]:
    return [
        PlayCard(seat=seat, card=card, target=player.seat, cell=cell)
        for player in game.players
        if player.seat != seat and player.out is None
        for cell in places.face_down(player.grid)
    ]


EFFECTS = {
    "skip": Effect("tell", lambda game, _: (begin_next_turn(game),)),
    "attack": Effect("tell", lambda game, _: (begin_next_player(game, owed=2),)),
    "look": Effect("look", _player_acts),
    "shuffle": Effect("shuffle", _player_acts),
    "favor": Effect("reveal", _target_acts, _validate_favor, _list_favors),
}
"""The effects of cards that players play in their own turn (ruling not-an-action)."""


def check_title(table: Table, card: str, ruling: str | None = None) -> None:
    """Refuse a title that this game doesn't have, or that house rules have removed."""
    if card not in table.variant.titles_in_game:
        raise Refused(
            ruling or "cards-of-this-game", card=card, titles=table.variant.titles_in_game
        )


def validate_play(context: GameContext[PlayCard]) -> None:
    """Refuse a card that isn't in this game, has no effect as an action, or can't be in this hand.

    Also refuse a play whose target or cell doesn't suit the effect.
    """
    title = context.command.card
    variant = context.table.variant
    check_title(context.table, title, variant.elsewhere.get(title))
    effect = variant.by_title[title].effect
    if effect not in EFFECTS:
        raise Refused("not-an-action", case=effect, card=title)
    check_in_hand(context.table, context.seat, title)
    EFFECTS[effect].validate(context)


def list_plays(table: Table, game: Game, seat: str) -> Iterable[PlayCard]:
    """List every way in which the seat may play a card now."""
    player = game.player(seat)
    titles = player.knowledge.in_hand if player.hand else ()
    return [
        play
        for card in table.variant.cards
        if card.effect in EFFECTS and card.id in titles
        for play in EFFECTS[card.effect].choices(game, seat, card.id)
    ]


def resolve_effect(table: Table) -> Events:
    """Return the events of the played card that now takes effect. An instruction has none."""
    game = table.require_game()
    if game.waits_for_instruction:
        return ()
    effect = EFFECTS[table.variant.by_title[game.pending.card].effect]
    return effect.resolve(game, effect.leads_to)


def begin_next_turn(game: Game) -> events.TurnBegan:
    """Return the event that begins the next turn (ruling turn-ends).

    It is the same player's turn if they owe more turns, otherwise the next player's.
    """
    current = game.current_turn
    if current.owed > 1:
        return begin_turn(game, current.seat, current.number + 1, current.owed - 1, again=True)
    return begin_next_player(game)


def begin_next_player(game: Game, owed: int = 1) -> events.TurnBegan:
    """Return the event that begins the turn of the next living player, who owes ``owed`` turns.

    Turns that the current player still owes are dropped.
    """
    current = game.current_turn
    return begin_turn(game, game.next_living(current.seat), current.number + 1, owed)


def begin_turn(
    game: Game, seat: str, number: int = 1, owed: int = 1, again: bool = False
) -> events.TurnBegan:
    """Return the event that begins this player's turn.

    The previous living player is the instructor (ruling told-by-previous).
    """
    return events.TurnBegan(
        seat=seat, instructor=game.previous_living(seat), number=number, owed=owed, again=again
    )


def begin_game(table: Table, first: str, by_lot: bool, inputs: DecisionInputs) -> Events:
    """Return the events that begin the game: with the roll call, or else with the first turn."""
    order = tuple(seat.seat for seat in table.in_order)
    caller = order[0] if table.options.resolve_for(len(order)).roll_call else None
    began = events.GameBegan(
        order=order, first=first, caller=caller, salt=inputs.salt, by_lot=by_lot
    )
    if caller is not None:
        return (began,)
    instructor = previous_living(order, order, first)
    return began, events.TurnBegan(seat=first, instructor=instructor, number=1)


def next_caller(game: Game, caller: str) -> str | None:
    """Return the next caller in the roll call after ``caller``, or None if all players
    have called."""
    order = game.order
    following = game.next_living(caller)
    return following if order.index(following) > order.index(caller) else None


def events_when_out(table: Table, seat: str, out: OutReason) -> Events:
    """Return the events that follow when this seat goes out.

    If one player is left, that player has won. Otherwise the game continues, even if it was waiting
    for this seat to take its turn, call the next name or carry out a Favor.
    """
    went = events.WentOut(seat=seat, out=out)
    game = table.require_game().with_player(seat, out=out)
    if len(game.living) == 1:
        return went, GameWon(seat=game.living[0])
    return went, *_continue_without(game, seat)


def _continue_without(game: Game, seat: str) -> Events:
    """Return the events that end the game's wait for ``seat`` (ruling leaving)."""
    if game.turn is None:
        return _continue_roll_call(game, seat)
    if game.turn.seat == seat:
        return (begin_next_player(game),)
    if game.turn.step == "reveal" and game.played and game.played.target == seat:
        return (events.FavorOver(seat=game.played.by),)
    return ()


def _continue_roll_call(game: Game, seat: str) -> Events:
    """Return the events that give the role of ``seat`` as caller or first player to another seat.

    Return no events if ``seat`` has neither role. If no caller is left, the first turn begins.
    """
    first = game.next_living(seat) if game.first == seat else game.first
    caller = next_caller(game, seat) if game.caller == seat else game.caller
    if (caller, first) == (game.caller, game.first):
        return ()
    changed = events.CallerChanged(caller=caller, first=first)
    return (changed,) if caller is not None else (changed, begin_turn(game, first))
