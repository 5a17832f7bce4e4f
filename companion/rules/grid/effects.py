"""Playing a card: the effects that cards can name, and how a play is ruled. One is carried out
after the window has closed in its favour; what is still to be done becomes the turn's step."""

from collections.abc import Callable, Iterable

from msgspec import Struct

from companion.rules.core.commands import DecisionInputs
from companion.rules.core.events import Events, GameWon
from companion.rules.core.game import OutReason, before
from companion.rules.core.rulings import Refused
from companion.rules.grid import deduction, events, places
from companion.rules.grid.commands import PlayCard
from companion.rules.grid.model import Game, GameContext, Player, Table
from companion.rules.grid.places import DOWN


def agrees_with_log(player: Player, seen: deduction.Observation) -> None:
    """Refuses what no deal of the cards agrees with (rulings deck-count, possible-report)."""
    if player.knowledge.allows(seen):
        return
    case, facts = deduction.why_not(player.knowledge, seen)
    ruling = "deck-count" if case == "all_open" else "possible-report"
    raise Refused(ruling, case=case, seat=player.seat, **facts)


def leaves_hand(table: Table, seat: str, card: str, forced: bool = False) -> None:
    """Refuses a card that can't come from this hand (ruling from-hand)."""
    check_title(table, card)
    player = table.playing().player(seat)
    if player.hand == 0:
        raise Refused("from-hand", seat=player.seat, card=card)
    agrees_with_log(player, deduction.Left(card=card, forced=forced))


def _no_target(context: GameContext[PlayCard]) -> None:
    if context.command.target is not None or context.command.cell is not None:
        raise Refused("favor-another", case="no-target-here", card=context.command.card)


def _one_way(game: Game, seat: str, card: str) -> Iterable[PlayCard]:
    return (PlayCard(seat=seat, card=card),)


class Effect(Struct, frozen=True):
    """A row: ``does`` says what happens when it counts, by which the step ``leads_to`` follows.
    ``asks`` refuses a play that lacks what the effect needs; ``choices`` lists every way to play
    the card from a seat's hand now."""

    leads_to: str
    resolve: Callable[[Game, str], Events]
    validate: Callable[[GameContext[PlayCard]], None] = _no_target
    choices: Callable[[Game, str, str], Iterable[PlayCard]] = _one_way


def _player_goes_on(game: Game, step: str) -> Events:
    return (events.StepBegan(seat=game.pending.by, step=step),)


def _target_goes_on(game: Game, step: str) -> Events:
    assert game.pending.target is not None
    return (events.StepBegan(seat=game.pending.target, step=step),)


def _needs_a_card(context: GameContext[PlayCard]) -> None:
    said = context.command
    if said.target is None or said.cell is None:
        raise Refused("favor-another", case="whose")
    if said.target == context.seat:
        raise Refused("favor-another", case="not-yourself")
    target = context.game.player(said.target)
    if not target.alive:
        raise Refused("favor-another", case="out", target=said.target)
    if places.card_at(target.grid, said.cell) != DOWN:
        raise Refused("favor-another", case="face-down", target=said.target, cell=said.cell)


def _every_face_down_card(game: Game, seat: str, card: str) -> Iterable[PlayCard]:
    return [
        PlayCard(seat=seat, card=card, target=player.seat, cell=cell)
        for player in game.players
        if player.seat != seat and player.out is None
        for cell in places.face_down(player.grid)
    ]


EFFECTS = {
    "skip": Effect("tell", lambda game, _: (next_turn(game),)),
    "attack": Effect("tell", lambda game, _: (next_player(game, owed=2),)),
    "look": Effect("look", _player_goes_on),
    "shuffle": Effect("shuffle", _player_goes_on),
    "favor": Effect("reveal", _target_goes_on, _needs_a_card, _every_face_down_card),
}
"""The effects of cards that are played as an action of one's own (ruling not-an-action)."""


def check_title(table: Table, card: str, ruling: str | None = None) -> None:
    """Refuse a title that this game doesn't have, or of which house rules left none."""
    if card not in table.variant.titles_in_game:
        raise Refused(
            ruling or "cards-of-this-game", card=card, titles=table.variant.titles_in_game
        )


def validate_play(context: GameContext[PlayCard]) -> None:
    """Refuses what is no card to play, or not from this hand, or lacks what its effect needs."""
    title = context.command.card
    variant = context.table.variant
    check_title(context.table, title, variant.elsewhere.get(title))
    effect = variant.by_title[title].effect
    if effect not in EFFECTS:
        raise Refused("not-an-action", case=effect, card=title)
    leaves_hand(context.table, context.seat, title)
    EFFECTS[effect].validate(context)


def choices(table: Table, game: Game, seat: str) -> Iterable[PlayCard]:
    player = game.player(seat)
    held = player.knowledge.in_hand if player.hand else ()
    return [
        way
        for card in table.variant.cards
        if card.effect in EFFECTS and card.id in held
        for way in EFFECTS[card.effect].choices(game, seat, card.id)
    ]


def resolve_effect(table: Table) -> Events:
    game = table.playing()
    effect = EFFECTS[table.variant.by_title[game.pending.card].effect]
    return effect.resolve(game, effect.leads_to)


def next_turn(game: Game) -> events.TurnBegan:
    """The same player's next turn if they owe more, else the next player's (turn-ends)."""
    on = game.current
    if on.owed > 1:
        return turn(game, on.seat, on.number + 1, on.owed - 1, again=True)
    return next_player(game)


def next_player(game: Game, owed: int = 1) -> events.TurnBegan:
    """The next living player in the chain is up, whatever was owed before."""
    on = game.current
    return turn(game, game.after(on.seat), on.number + 1, owed)


def turn(
    game: Game, seat: str, number: int = 1, owed: int = 1, again: bool = False
) -> events.TurnBegan:
    """This player is up; the player before them tells (ruling told-by-previous)."""
    return events.TurnBegan(
        seat=seat, instructor=game.before(seat), number=number, owed=owed, again=again
    )


def begin_game(table: Table, first: str, inputs: DecisionInputs) -> Events:
    """The cards are dealt: the roll call, or the first turn at once."""
    order = tuple(seat.seat for seat in table.in_order)
    caller = order[0] if table.options.held_by(len(order)).roll_call else None
    began = events.GameBegan(order=order, first=first, caller=caller, salt=inputs.salt)
    if caller is not None:
        return (began,)
    instructor = before(order, order, first)
    return began, events.TurnBegan(seat=first, instructor=instructor, number=1)


def next_caller(game: Game, caller: str) -> str | None:
    """Who calls after ``caller``; ``None`` once everyone has called (ruling roll-call)."""
    order = game.order
    following = game.after(caller)
    return following if order.index(following) > order.index(caller) else None


def events_when_out(table: Table, seat: str, out: OutReason) -> Events:
    """A player goes out: the chain closes up, and whatever waited for them goes on."""
    went = events.WentOut(seat=seat, out=out)
    rest = table.playing().with_player(seat, out=out)
    if len(rest.living) == 1:
        return went, GameWon(seat=rest.living[0])
    return went, *_next_turn_after(rest, seat)


def _next_turn_after(game: Game, seat: str) -> Events:
    """What the game does next without ``seat``, who is out (ruling leaving)."""
    if game.turn is None:
        return _next_roll_call(game, seat)
    if game.turn.seat == seat:
        return (next_player(game),)
    if game.turn.step == "reveal" and game.played and game.played.target == seat:
        return (events.FavorOver(seat=game.played.by),)
    return ()


def _next_roll_call(game: Game, seat: str) -> Events:
    first = game.after(seat) if game.first == seat else game.first
    caller = next_caller(game, seat) if game.caller == seat else game.caller
    if (caller, first) == (game.caller, game.first):
        return ()
    changed = events.CallerChanged(caller=caller, first=first)
    return (changed,) if caller is not None else (changed, turn(game, first))
