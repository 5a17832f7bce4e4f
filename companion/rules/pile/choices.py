"""What can be chosen in a classic game: every way to say each of its commands.

What is listed is asked of the rules, not tried: a property test holds both together. This
module must not know a rule of its own.
"""

from collections.abc import Iterator

from companion.rules.core.choices import IN_A_WINDOW, Choices, bare, of_each
from companion.rules.core.commands import Said
from companion.rules.pile import combos, commands, now, play
from companion.rules.pile.effects import COMBOS, EFFECTS
from companion.rules.pile.model import Table
from companion.rules.pile.observations import Drew, DrewKitten, Gave, HasNone, Picked
from companion.rules.pile.variant import KINDS


@of_each
def _play(table: Table, seat: str) -> Iterator[Said]:
    game = table.playing()
    known = game.known
    for card in table.variant.cards:
        effect = EFFECTS.get(card.effect)
        if effect is None or not known.may_hold(seat, (card.id,)):
            continue
        if effect.aim is None:
            yield commands.PlayCard(seat=seat, card=card.id)
            continue
        for target in effect.aim.targets(game, seat):
            yield commands.PlayCard(seat=seat, card=card.id, target=target)


@of_each
def _combo(table: Table, seat: str) -> Iterator[Said]:
    """A line for each choice of cards, with all its targets; ``five`` once for all."""
    game, variant = table.playing(), table.variant
    known = game.known
    for kind in combos.kinds(table):
        aim = COMBOS[kind].aim
        if aim is None:
            if known.some_five(seat, variant.cats, variant.feral):
                yield commands.Combos(seat=seat, kind=kind)
        elif targets := aim.targets(game, seat):
            for cards in combos.alike(table, KINDS[kind]):
                if known.may_hold(seat, cards):
                    yield commands.Combos(seat=seat, kind=kind, cards=cards, targets=targets)


@of_each
def _answer(table: Table, seat: str) -> Iterator[Said]:
    card, by = play.asked_for(table), now.played(table).by
    known = table.playing().known
    for has, seen in ((True, Gave(seat, by, card)), (False, HasNone(seat, card))):
        if known.allows(seen):
            yield commands.Answer(seat=seat, has=has)


@of_each
def _pick(table: Table, seat: str) -> Iterator[Said]:
    game = table.playing()
    known = game.known
    for title, _ in game.deal.counts:
        if known.allows(Picked(seat, title)):
            yield commands.Pick(seat=seat, card=title)


@of_each
def _report(table: Table, seat: str) -> Iterator[Said]:
    known = table.playing().known
    if known.allows(Drew(seat)):
        yield commands.Report(seat=seat, outcome="safe")
    if known.allows(DrewKitten()):
        yield commands.Report(seat=seat, outcome="kitten")


@of_each
def _defuse(table: Table, seat: str) -> Iterator[Said]:
    if table.playing().known.may_hold(seat, (table.variant.defuse,)):
        yield commands.Defuse(seat=seat)


CHOICES: dict[type[Said], Choices] = {
    **IN_A_WINDOW,
    commands.PlayCard: _play,
    commands.PlayCombo: _combo,
    commands.Look: bare(commands.Look),
    commands.Shuffled: bare(commands.Shuffled),
    commands.Give: bare(commands.Give),
    commands.Take: bare(commands.Take),
    commands.Answer: _answer,
    commands.Pick: _pick,
    commands.Draw: bare(commands.Draw),
    commands.Report: _report,
    commands.Defuse: _defuse,
    commands.Explode: bare(commands.Explode),
}
