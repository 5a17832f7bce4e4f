"""Playing a card or combo: the effects that they can have, and how a play is ruled. One is carried
out after the window has closed in its favour; what is still to be done becomes the turn's step."""

from collections.abc import Callable, Collection, Iterable, Iterator

from msgspec import Struct

from companion.rules.core.commands import DecisionInputs
from companion.rules.core.events import Events, GameWon
from companion.rules.core.game import OutReason
from companion.rules.core.rulings import Refused
from companion.rules.pile import events
from companion.rules.pile.commands import Combos, PlayCard, PlayCombo
from companion.rules.pile.model import Game, GameContext, Table
from companion.rules.pile.reasons import check_title, leaves_hand
from companion.rules.pile.variant import KINDS, Kind


class Aim(Struct, frozen=True):
    """Another living player is named with the play (by this ruling); ``card``: who has cards."""

    ruling: str
    card: bool = True

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


class Effect(Struct, frozen=True):
    """A row: ``does`` says what happens when it counts, by which the step ``leads_to`` follows;
    ``aim``: at whom it is aimed, if at anybody."""

    leads_to: str
    resolve: Callable[[Table, str], Events]
    aim: Aim | None = None


def _player_goes_on(table: Table, step: str) -> Events:
    return (events.StepBegan(seat=table.playing().pending.by, step=step),)


def _target_goes_on(table: Table, step: str) -> Events:
    return (events.StepBegan(seat=table.playing().target, step=step),)


EFFECTS = {
    "skip": Effect("act", lambda table, _: (next_turn(table.playing()),)),
    "attack": Effect("act", lambda table, _: (turn_after_attack(table),)),
    "targeted_attack": Effect(
        "act", lambda table, _: (turn_after_attack(table),), Aim("targeted-attack", card=False)
    ),
    "bottom": Effect("report", _player_goes_on),
    "see": Effect("look", _player_goes_on),
    "alter": Effect("look", _player_goes_on),
    "shuffle": Effect("shuffle", _player_goes_on),
    "favor": Effect("give", _target_goes_on, Aim("favor-another")),
}
"""The effects of cards that are played as an action of one's own (ruling not-an-action)."""

CATS = ("cat", "feral")  # the effects of cards that do nothing alone (ruling powerless-alone)

COMBOS = {
    "pair": Effect("take", _player_goes_on, Aim("combo-target")),
    "triple": Effect("answer", _target_goes_on, Aim("combo-target")),
    "five": Effect("pick", _player_goes_on),
}
"""The effects of combos (rulings pair-steals, three-names-a-card, five-different)."""


def _validate_target(
    context: GameContext[PlayCard | PlayCombo], aim: Aim | None, ruling: str, **facts: str
) -> None:
    """Refuses whom it can't be aimed at; by this ruling, anybody where it is aimed at nobody."""
    if aim is not None:
        aim.validate(context.game, context.seat, context.command.target, **facts)
    elif context.command.target is not None:
        raise Refused(ruling, case="no-target-here", **facts)


def resolve_effect(table: Table) -> Events:
    game = table.playing()
    played = game.pending
    effect = COMBOS.get(played.card) or EFFECTS[table.variant.by_title[played.card].effect]
    if effect.aim is not None and played.target not in effect.aim.targets(game, played.by):
        return (events.EffectOver(seat=played.by),)  # ruling target-emptied
    return effect.resolve(table, effect.leads_to)


def validate_play(context: GameContext[PlayCard]) -> None:
    """Refuses what is no card to play, or aimed at nobody it can be, or not from this hand."""
    said = context.command
    table = context.table
    check_title(table, said.card)
    does = table.variant.by_title[said.card].effect
    if does in CATS:
        raise Refused("powerless-alone", card=said.card)
    if does not in EFFECTS:
        raise Refused("not-an-action", case=does, card=said.card)
    _validate_target(context, EFFECTS[does].aim, "favor-another", card=said.card)
    leaves_hand(table, context.seat, said.card)


def choices(table: Table, game: Game, seat: str) -> Iterable[PlayCard]:
    """Each card that the seat may hold, on everyone at whom it can be aimed."""
    known = game.knowledge
    found = list[PlayCard]()
    for card in table.variant.cards:
        effect = EFFECTS.get(card.effect)
        if effect is None or not known.may_hold(seat, (card.id,)):
            continue
        if effect.aim is None:
            found.append(PlayCard(seat=seat, card=card.id))
            continue
        targets = effect.aim.targets(game, seat)
        found += [PlayCard(seat=seat, card=card.id, target=target) for target in targets]
    return found


def _kinds(table: Table) -> tuple[Kind, ...]:
    """The combos that count at this table (ruling combos-of-this-edition)."""
    special = table.options.special_combos
    return tuple(kind for kind in table.variant.combos if special or kind == "pair")


def _alike(table: Table, number: int) -> Iterator[tuple[str, ...]]:
    """Every choice of so many cards that match (rulings matching-cards, feral-cat)."""
    variant = table.variant
    cats = (*variant.cats, *([variant.feral] if variant.feral else ()))
    for title, _ in table.playing().deal.counts:
        if table.options.special_combos or title in cats:
            yield (title,) * number
        if variant.feral and title in variant.cats:
            for ferals in range(1, number):
                yield (title,) * (number - ferals) + (variant.feral,) * ferals


def validate_combo(context: GameContext[PlayCombo]) -> None:
    """Refuses what is no combo, or aimed at nobody who can be robbed, or not from this hand."""
    said = context.command
    table = context.table
    variant = context.table.variant
    for card in (*said.cards, *([said.name] if said.name else ())):
        check_title(table, card)
    if variant.kitten in said.cards:
        raise Refused("not-an-action", case="kitten", card=variant.kitten)
    if said.kind not in variant.combos:
        raise Refused("combos-of-this-edition", kind=said.kind)
    if said.kind not in _kinds(table):
        raise Refused("combos-of-this-edition", case="off", kind=said.kind)
    if said.kind == "five":
        _validate_different(table, said.cards)
    else:
        _validate_alike(table, said)
    _validate_target(context, COMBOS[said.kind].aim, "combo-target", kind=said.kind)
    _validate_named_title(table, said)
    leaves_hand(table, context.seat, *said.cards)


def _validate_alike(table: Table, said: PlayCombo) -> None:
    """Rulings matching-cards, feral-cat."""
    variant = table.variant
    titles = {*said.cards} - {variant.feral}
    cats = titles <= {*variant.cats}
    if not cats and not table.options.special_combos:
        raise Refused("matching-cards", case="cats", cards=said.cards)
    if len(said.cards) != KINDS[said.kind]:
        raise Refused("matching-cards", kind=said.kind, cards=said.cards)
    if len(titles) > 1 or (variant.feral in said.cards and not cats):
        raise Refused("matching-cards", case=said.kind, cards=said.cards)


def _validate_different(table: Table, cards: Collection[str]) -> None:
    """Ruling five-different: there are more kinds of cats than Ferals could be missing."""
    others = [card for card in cards if card != table.variant.feral]
    if len(cards) != KINDS["five"] or len({*others}) < len(others):
        raise Refused("five-different", cards=tuple(cards))


def _validate_named_title(table: Table, said: PlayCombo) -> None:
    """Ruling three-names-a-card."""
    ruling = "three-names-a-card"
    if said.kind != "triple":
        if said.name is not None:
            raise Refused(ruling, case="only-triple", card=said.name)
    elif said.name is None:
        raise Refused(ruling)
    elif said.name == table.variant.kitten:
        raise Refused(ruling, case="kitten", card=said.name)
    elif said.name not in dict(table.playing().deal.counts):
        raise Refused(ruling, case="not-here", card=said.name)


def combos(table: Table, game: Game, seat: str) -> Iterable[Combos]:
    """A line for each choice of cards, with all its targets; ``five`` once for all."""
    known = game.knowledge
    variant = table.variant
    found = list[Combos]()
    for kind in _kinds(table):
        aim = COMBOS[kind].aim
        if aim is None:
            if known.some_five(seat, variant.cats, variant.feral):
                found.append(Combos(seat=seat, kind=kind))
        elif targets := aim.targets(game, seat):
            found += [
                Combos(seat=seat, kind=kind, cards=cards, targets=targets)
                for cards in _alike(table, KINDS[kind])
                if known.may_hold(seat, cards)
            ]
    return found


def begin_game(table: Table, first: str, inputs: DecisionInputs) -> Events:
    """The cards are dealt, and the first turn begins at once; nothing is left to chance."""
    order = tuple(seat.seat for seat in table.in_order)
    began = events.GameBegan(order=order, first=first)
    return began, events.TurnBegan(seat=first, number=1, owed=1)


def next_turn(game: Game) -> events.TurnBegan:
    """The same player's next turn if they owe more, else the next player's (turn-ends)."""
    turn = game.current
    if turn.owed == 1:
        return next_player(game)
    return events.TurnBegan(
        seat=turn.seat,
        number=turn.number + 1,
        owed=turn.owed - 1,
        attacked=turn.attacked,
        again=True,
    )


def next_player(game: Game) -> events.TurnBegan:
    """The next living player is up for one turn, whatever was owed (debt-dies-with-you)."""
    turn = game.current
    return events.TurnBegan(seat=game.after(turn.seat), number=turn.number + 1, owed=1)


def turn_after_attack(table: Table) -> events.TurnBegan:
    """Whom it is aimed at, else the next player, has two turns (ruling attack); where Attacks stack
    also what an attacked player still owes, the present turn included (attack-stacks)."""
    game = table.playing()
    turn = game.current
    seat = game.pending.target or game.after(game.current.seat)
    handed_on = turn.owed if table.variant.attack_stacks and turn.attacked else 0
    return events.TurnBegan(seat=seat, number=turn.number + 1, owed=2 + handed_on, attacked=True)


def events_when_out(table: Table, seat: str, out: OutReason) -> Events:
    """A player goes out: whatever waited for them goes on."""
    went = events.WentOut(seat=seat, out=out)
    rest = table.playing().with_player(seat, out=out)
    if len(rest.living) == 1:
        return went, GameWon(seat=rest.living[0])
    if rest.current.seat == seat:
        return went, next_player(rest)
    if rest.played is not None and rest.played.target == seat:
        return went, events.EffectOver(seat=rest.played.by)
    return (went,)
