"""Playing a combo: which cards make one, and how a play of one is ruled."""

from collections.abc import Collection, Iterable, Iterator

from companion.rules.core.rulings import Refused
from companion.rules.pile.commands import Combos, PlayCombo
from companion.rules.pile.effects import COMBOS
from companion.rules.pile.model import Game, Table, Word
from companion.rules.pile.reasons import check_title, leaves_hand
from companion.rules.pile.variant import KINDS, Kind


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


def asks(word: Word[PlayCombo]) -> None:
    """Refuses what is no combo, or aimed at nobody who can be robbed, or not from this hand."""
    said, table, variant = word.said, word.table, word.table.variant
    for card in (*said.cards, *([said.name] if said.name else ())):
        check_title(table, card)
    if variant.kitten in said.cards:
        raise Refused("not-an-action", case="kitten", card=variant.kitten)
    if said.kind not in variant.combos:
        raise Refused("combos-of-this-edition", kind=said.kind)
    if said.kind not in _kinds(table):
        raise Refused("combos-of-this-edition", case="off", kind=said.kind)
    if said.kind == "five":
        _asks_different(table, said.cards)
    else:
        _asks_alike(table, said)
    _asks_target(word)
    _asks_name(table, said)
    leaves_hand(table, word.seat, *said.cards)


def _asks_alike(table: Table, said: PlayCombo) -> None:
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


def _asks_different(table: Table, cards: Collection[str]) -> None:
    """Ruling five-different: there are more kinds of cats than Ferals could be missing."""
    others = [card for card in cards if card != table.variant.feral]
    if len(cards) != KINDS["five"] or len({*others}) < len(others):
        raise Refused("five-different", cards=tuple(cards))


def _asks_target(word: Word[PlayCombo]) -> None:
    """Ruling combo-target."""
    said, aim = word.said, COMBOS[word.said.kind].aim
    if aim is not None:
        aim.asks(word.game, word.seat, said.target, kind=said.kind)
    elif said.target is not None:
        raise Refused("combo-target", case="no-target-here", kind=said.kind)


def _asks_name(table: Table, said: PlayCombo) -> None:
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


def choices(table: Table, game: Game, seat: str) -> Iterable[Combos]:
    """A line for each choice of cards, with all its targets; ``five`` once for all."""
    known, variant, found = game.known, table.variant, list[Combos]()
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
