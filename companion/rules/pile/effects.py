"""The effects of cards and combos in a classic game, and the order of turns.

An effect is carried out once the card's Nope window has closed, unless the card was Noped. If a
player must still do something for the effect (look, give, take or answer), the turn gets a step for
this action.
"""

from collections.abc import Callable, Collection, Iterable, Iterator

from msgspec import Struct

from companion.rules.core.commands import DecisionInputs
from companion.rules.core.events import GameWon
from companion.rules.core.family import CardEffect
from companion.rules.core.types import Events, OutReason
from companion.rules.pile import events
from companion.rules.pile.commands import Combos, PlayCard, PlayCombo
from companion.rules.pile.reasons import check_in_hand, check_title
from companion.rules.pile.state import Game, GameContext, Table
from companion.rules.pile.variant import KINDS, Kind
from companion.rules.text.rulings import Refused


class Aim(Struct, frozen=True):
    """The kind of target that an effect needs. The target is another living player."""

    ruling: str  # the ruling cited for a wrong target
    card: bool = True  # True if the target must have cards in hand

    def validate(self, game: Game, seat: str, target: str | None, **facts: str) -> None:
        if target is None:
            raise Refused(self.ruling, **facts)
        if target == seat:
            raise Refused(self.ruling, case="not-yourself", **facts)
        if not game.player(target).alive:
            raise Refused(self.ruling, case="out", target=target, **facts)
        if self.card and not game.player(target).hand:
            raise Refused(self.ruling, case="empty", target=target, **facts)

    def targets(self, game: Game, seat: str) -> tuple[str, ...]:
        return tuple(
            player.seat
            for player in game.players
            if player.alive and player.seat != seat and (player.hand or not self.card)
        )


class Effect(CardEffect, frozen=True):
    """The effect of a card or combo: the requirements for playing it, and its consequences."""

    leads_to: str
    """The turn's step after the card or combo has taken effect."""
    resolve: Callable[[Table, str], Events]
    """Returns the events of the effect, given the table and ``leads_to``."""
    aim: Aim | None = None
    """The kind of target that the effect needs, or None if it needs no target."""


def _player_acts(table: Table, step: str) -> Events:
    return (events.StepBegan(seat=table.require_game().pending.by, step=step),)


def _target_acts(table: Table, step: str) -> Events:
    return (events.StepBegan(seat=table.require_game().target, step=step),)


def _reverse_order(table: Table, _step: str) -> Events:
    """Turn the order of play round, and end one turn (rulings reverse, reverse-against-attack).

    With two living players the order stays, as after a Skip (ruling reverse-with-two).
    """
    game = table.require_game()
    if len(game.living) == 2:
        return (begin_next_turn(game),)
    turned = events.OrderReversed(
        seat=game.pending.by,
        direction="clockwise" if game.counterclockwise else "counterclockwise",
    )
    return turned, begin_next_turn(turned.apply_to(game, table.version))


EFFECTS = {
    "skip": Effect("act", lambda table, _: (begin_next_turn(table.require_game()),)),
    "attack": Effect("act", lambda table, _: (turn_after_attack(table),)),
    "targeted_attack": Effect(
        "act", lambda table, _: (turn_after_attack(table),), Aim("targeted-attack", card=False)
    ),
    "bottom": Effect("report", _player_acts),
    "see": Effect("look", _player_acts),
    "alter": Effect("look", _player_acts),
    "shuffle": Effect("shuffle", _player_acts),
    "favor": Effect("give", _target_acts, Aim("favor-another")),
    "reverse": Effect(
        "act",
        _reverse_order,
        rulings=("reverse", "reverse-against-attack", "reverse-with-two"),
        events=(events.OrderReversed,),
    ),
}
"""The effects of cards that players play in their own turn (ruling not-an-action)."""

DRAWN = {
    "imploding": CardEffect(
        rulings=(
            "expansion-cards", "imploding-face-down", "imploding-face-up", "imploding-on-top",
            "imploding-stays-up", "odds-face-up",
        ),
        events=(events.ImplodingShown, events.ImplodingPutBack, events.ImplodingSeen),
        sentences=("went_out/imploding", "one-thing-at-a-time/imploding"),
    ),
}  # fmt: skip
"""The effects of cards that take effect when they are drawn, and are never in a hand. Kittens and
Defuses aren't listed, because every box has them."""

CATS = ("cat", "feral")  # effects of cards that can't be played alone (ruling powerless-alone)

COMBOS = {
    "pair": Effect("take", _player_acts, Aim("combo-target")),
    "triple": Effect("answer", _target_acts, Aim("combo-target")),
    "five": Effect("pick", _player_acts),
}
"""The effects of combos (rulings pair-steals, three-names-a-card, five-different)."""


def _validate_target(
    context: GameContext[PlayCard | PlayCombo], aim: Aim | None, ruling: str, **facts: str
) -> None:
    """Refuse an illegal target. If the card takes no target, refuse any target with ``ruling``."""
    if aim is not None:
        aim.validate(context.game, context.seat, context.command.target, **facts)
    elif context.command.target is not None:
        raise Refused(ruling, case="no-target-here", **facts)


def resolve_effect(table: Table) -> Events:
    """Return the events of the card or combo that now takes effect.

    Nothing happens if its target isn't a legal target any more (ruling target-emptied).
    """
    game = table.require_game()
    played = game.pending
    effect = COMBOS.get(played.card) or EFFECTS[table.variant.by_title[played.card].effect]
    if effect.aim is not None and played.target not in effect.aim.targets(game, played.by):
        return (events.EffectOver(seat=played.by),)
    return effect.resolve(table, effect.leads_to)


def validate_play(context: GameContext[PlayCard]) -> None:
    """Refuse a card that isn't in this game, has no effect alone, or can't be in this hand.

    Also refuse an illegal target.
    """
    card = context.command.card
    table = context.table
    check_title(table, card)
    effect = table.variant.by_title[card].effect
    if effect in CATS:
        raise Refused("powerless-alone", card=card)
    if effect not in EFFECTS:
        raise Refused("not-an-action", case="kitten" if effect in DRAWN else effect, card=card)
    _validate_target(context, EFFECTS[effect].aim, "favor-another", card=card)
    check_in_hand(table, context.seat, card)


def list_plays(table: Table, game: Game, seat: str) -> Iterable[PlayCard]:
    """List every way in which the seat may play a single card now."""
    known = game.knowledge
    plays = list[PlayCard]()
    for card in table.variant.cards:
        effect = EFFECTS.get(card.effect)
        if effect is None or not known.may_hold(seat, (card.id,)):
            continue
        if effect.aim is None:
            plays.append(PlayCard(seat=seat, card=card.id))
            continue
        targets = effect.aim.targets(game, seat)
        plays += [PlayCard(seat=seat, card=card.id, target=target) for target in targets]
    return plays


def _allowed_kinds(table: Table) -> tuple[Kind, ...]:
    """Return the kinds of combos that are allowed at this table (ruling combos-of-this-edition)."""
    special = table.options.special_combos
    return tuple(kind for kind in table.variant.combos if special or kind == "pair")


def _matching_cards(table: Table, number: int) -> Iterator[tuple[str, ...]]:
    """Yield every choice of ``number`` cards that match (rulings matching-cards, feral-cat)."""
    variant = table.variant
    cats = (*variant.cats, *([variant.feral] if variant.feral else ()))
    for title, _ in table.require_game().deal.counts:
        if table.options.special_combos or title in cats:
            yield (title,) * number
        if variant.feral and title in variant.cats:
            for ferals in range(1, number):
                yield (title,) * (number - ferals) + (variant.feral,) * ferals


def validate_combo(context: GameContext[PlayCombo]) -> None:
    """Refuse cards that don't form an allowed combo or can't be in this hand, or an
    illegal target."""
    combo = context.command
    table = context.table
    variant = context.table.variant
    for card in (*combo.cards, *([combo.name] if combo.name else ())):
        check_title(table, card)
    for kitten in variant.kittens:
        if kitten in combo.cards:
            raise Refused("not-an-action", case="kitten", card=kitten)
    if combo.kind not in variant.combos:
        raise Refused("combos-of-this-edition", kind=combo.kind)
    if combo.kind not in _allowed_kinds(table):
        raise Refused("combos-of-this-edition", case="off", kind=combo.kind)
    if combo.kind == "five":
        _validate_different(table, combo.cards)
    else:
        _validate_alike(table, combo)
    _validate_target(context, COMBOS[combo.kind].aim, "combo-target", kind=combo.kind)
    _validate_named_title(table, combo)
    check_in_hand(table, context.seat, *combo.cards)


def _validate_alike(table: Table, combo: PlayCombo) -> None:
    """Refuse a pair or triple whose cards don't match (rulings matching-cards, feral-cat)."""
    variant = table.variant
    titles = {*combo.cards} - {variant.feral}
    cats = titles <= {*variant.cats}
    if not cats and not table.options.special_combos:
        raise Refused("matching-cards", case="cats", cards=combo.cards)
    if len(combo.cards) != KINDS[combo.kind]:
        raise Refused("matching-cards", kind=combo.kind, cards=combo.cards)
    if len(titles) > 1 or (variant.feral in combo.cards and not cats):
        raise Refused("matching-cards", case=combo.kind, cards=combo.cards)


def _validate_different(table: Table, cards: Collection[str]) -> None:
    """Refuse five cards if two of them, other than Feral Cats, are the same (five-different).

    Several Feral Cats are legal, because there are always enough different cats for them to stand
    for.
    """
    others = [card for card in cards if card != table.variant.feral]
    if len(cards) != KINDS["five"] or len({*others}) < len(others):
        raise Refused("five-different", cards=tuple(cards))


def _validate_named_title(table: Table, combo: PlayCombo) -> None:
    """Refuse a triple that asks for no title or for an illegal one (ruling three-names-a-card)."""
    ruling = "three-names-a-card"
    if combo.kind != "triple":
        if combo.name is not None:
            raise Refused(ruling, case="only-triple", card=combo.name)
    elif combo.name is None:
        raise Refused(ruling)
    elif combo.name in table.variant.kittens:
        raise Refused(ruling, case="kitten", card=combo.name)
    elif combo.name not in dict(table.require_game().deal.counts):
        raise Refused(ruling, case="not-here", card=combo.name)


def list_combos(table: Table, game: Game, seat: str) -> Iterable[Combos]:
    """List every combo that the seat may play now, with all its legal targets.

    A five is listed only once, without its cards.
    """
    known = game.knowledge
    variant = table.variant
    plays = list[Combos]()
    for kind in _allowed_kinds(table):
        aim = COMBOS[kind].aim
        if aim is None:
            if known.may_hold_five(seat, variant.cats, variant.feral):
                plays.append(Combos(seat=seat, kind=kind))
        elif targets := aim.targets(game, seat):
            plays += [
                Combos(seat=seat, kind=kind, cards=cards, targets=targets)
                for cards in _matching_cards(table, KINDS[kind])
                if known.may_hold(seat, cards)
            ]
    return plays


def begin_game(table: Table, first: str, by_lot: bool, inputs: DecisionInputs) -> Events:
    """Return the events that begin the game and its first turn. Players shuffle and deal real
    cards."""
    order = tuple(seat.seat for seat in table.in_order)
    began = events.GameBegan(order=order, first=first, by_lot=by_lot)
    return began, events.TurnBegan(seat=first, number=1, owed=1)


def begin_next_turn(game: Game) -> events.TurnBegan:
    """Return the event that begins the next turn (ruling turn-ends).

    It is the same player's turn if they owe more turns, otherwise the next player's.
    """
    turn = game.current_turn
    if turn.owed == 1:
        return begin_next_player(game)
    return events.TurnBegan(
        seat=turn.seat,
        number=turn.number + 1,
        owed=turn.owed - 1,
        attacked=turn.attacked,
        again=True,
    )


def begin_next_player(game: Game) -> events.TurnBegan:
    """Return the event that begins the turn of the next living player, who owes one turn.

    Turns that the current player still owes are dropped (ruling debt-dies-with-you).
    """
    turn = game.current_turn
    return events.TurnBegan(seat=game.next_living(turn.seat), number=turn.number + 1, owed=1)


def turn_after_attack(table: Table) -> events.TurnBegan:
    """Return the event that begins a player's first turn after an Attack (ruling attack).

    That player is the Attack's target, or the next player if the Attack has no target, and owes two
    turns. If the Attack was played by an attacked player, and Attacks stack, it also passes on all
    turns that the attacked player still owes, including the current turn (ruling attack-stacks).
    """
    game = table.require_game()
    turn = game.current_turn
    seat = game.pending.target or game.next_living(game.current_turn.seat)
    handed_on = turn.owed if table.variant.attack_stacks and turn.attacked else 0
    return events.TurnBegan(seat=seat, number=turn.number + 1, owed=2 + handed_on, attacked=True)


def events_when_out(table: Table, seat: str, out: OutReason) -> Events:
    """Return the events that follow when this seat goes out.

    If one player is left, that player has won. Otherwise the game continues, even if it was waiting
    for this seat to take its turn or to carry out an effect.
    """
    return _events_after_exit(table, events.WentOut(seat=seat, out=out))


def events_when_imploded(table: Table, seat: str, cards: tuple[str, ...] | None) -> Events:
    """Return the events that follow when this seat draws the Imploding Kitten face up (ruling
    imploding-face-up).

    If the player named the cards of their hand, the second event lists them.
    """
    went = events.WentOut(seat=seat, out="kitten", kitten=table.variant.imploding or "")
    first, *then = _events_after_exit(table, went)
    if not cards:
        return first, *then
    return first, events.HandTold(seat=seat, cards=cards, imploding=True), *then


def _events_after_exit(table: Table, went: events.WentOut) -> Events:
    seat = went.seat
    out = went.out
    game = table.require_game().with_player(seat, out=out)
    if len(game.living) == 1:
        return went, GameWon(seat=game.living[0])
    if game.current_turn.seat == seat:
        return went, begin_next_player(game)
    if game.played is not None and game.played.target == seat:
        return went, events.EffectOver(seat=game.played.by)
    return (went,)
