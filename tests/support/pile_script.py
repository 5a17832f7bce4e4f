"""Play ``tests/scripts/pile/*.game``, scripts in the language of ``tests/support/game_script.py``.

variant: party-122                   the box (party-120 without this line)
ana plays favor on ben
ana lays a pair of tacocat on ben    or with both titles: "a pair of tacocat feral_cat"
ana lays a triple of skip on ben for nope
ana lays five of skip nope favor attack shuffle
ben gives · ana takes · ben has it · ben has none · ana picks skip
ana looks · ana looks at skip kitten · ana has shuffled
ana draws safely                     two commands: Ana draws and reports a safe card
ana draws a kitten                   two commands: Ana draws and reports a Kitten
ana draws the imploding kitten       two commands: Ana draws and reports the Imploding Kitten
ana sees it on top                   the Imploding Kitten, face up
ana puts it back at 3
ana defuses to 3 · ana explodes with skip nope · ana notes 2 kitten
= top placed 1/3 1/5 1               the pile's odds for equally likely orders, and two bounds
= to ana the top noted 1             Ana's own odds (one number: both bounds are equal to it)
"""

from fractions import Fraction
from types import SimpleNamespace
from typing import Any

from companion.rules.core import commands as table_commands
from companion.rules.core import events as game_events
from companion.rules.core import table_events
from companion.rules.pile import commands as pile_commands
from companion.rules.pile import events as pile_events
from companion.rules.pile.variant import KINDS
from tests.support.game_script import (
    QUARANTINED_FOLDER,
    TABLE_CLAIMS,
    TABLE_COMMANDS,
    Script,
    _get_player,
    _get_turn,
    _list_names,
)
from tests.support.own_variants import load_own
from tests.support.public_view import private_view, public_view

say = SimpleNamespace(**{**vars(table_commands), **vars(pile_commands)})
events = SimpleNamespace(**vars(table_events) | vars(game_events) | vars(pile_events))

VARIANTS = QUARANTINED_FOLDER.parent
OF_A_PILE = ("party-120", "party-122", "original-56")
WITH_EXPANSION = tuple(f"imploding-{name}" for name in OF_A_PILE)
BOXES = {name: load_own(name) for name in (*OF_A_PILE, *WITH_EXPANSION)}
PARTY = BOXES["party-120"]


class PileScript(Script):
    """A table with one pile, and the commands and claims that a script can use."""

    say = say
    unlisted_commands = ()
    usual_options: dict[str, Any] = {}  # noqa: RUF012

    def __init__(self, variant: Any = PARTY) -> None:
        super().__init__(variant)

    def run_line(self, line: str) -> None:
        outcomes = {"safely": "safe", "a kitten": "kitten", "the imploding kitten": "imploding"}
        for macro, outcome in outcomes.items():
            words, _, refusal = line.partition(" !")
            if words.endswith(f" draws {macro}"):
                player = words.removesuffix(f" draws {macro}")
                super().run_line(f"{player} draws")
                line = f"{player} reports {outcome}" + (f" !{refusal}" if refusal else "")
        super().run_line(line)

    def check_choices(self, before: Any, command: Any, sender: str | None, accepted: bool) -> None:
        """Check that an accepted command is among the legal commands, and a refused one is not.

        A refused command with optional parts isn't checked, because these parts may be the reason
        for the refusal.
        """
        if accepted or not _has_optional_parts(command):
            super().check_choices(before, command, sender, accepted)

    def is_listed(self, table: Any, command: Any, legal: tuple[Any, ...]) -> bool:
        return is_listed(table, command, legal)

    def command_patterns(self) -> dict[str, Any]:
        return {**TABLE_COMMANDS, **PILE_COMMANDS}

    def claim_patterns(self) -> dict[str, Any]:
        return {**TABLE_CLAIMS, **PILE_CLAIMS}


def _has_optional_parts(command: Any) -> bool:
    match command:
        case pile_commands.Look(saw=optional) | pile_commands.Explode(cards=optional):
            return optional is not None
        case pile_commands.Defuse(place=optional) | pile_commands.PutBack(place=optional):
            return optional is not None
        case pile_commands.Report(cards=optional):
            return optional is not None
        case pile_commands.PlayCombo(kind=kind):
            return kind == "five"
        case _:
            return False


def is_listed(table: Any, command: Any, legal: tuple[Any, ...]) -> bool:
    """Return True if the legal commands include the command without its optional parts."""
    match command:
        case (
            pile_commands.Look()
            | pile_commands.Defuse()
            | pile_commands.Explode()
            | pile_commands.PutBack()
        ):
            return type(command)(seat=command.seat) in legal
        case pile_commands.Report(outcome=outcome):
            return say.Report(seat=command.seat, outcome=outcome) in legal
        case pile_commands.PlayCombo():
            return any(_is_choice_of(table, command, c) for c in legal if isinstance(c, say.Combos))
        case _:
            return command in legal


def _is_choice_of(table: Any, command: Any, choice: Any) -> bool:
    if (command.seat, command.kind) != (choice.seat, choice.kind):
        return False
    if command.kind == "five":
        return command.target is None and command.name is None
    titles = (
        {*table.variant.in_play(len(table.game.players))} if command.kind == "triple" else {None}
    )
    cards = sorted(command.cards) == sorted(choice.cards)
    return cards and command.target in choice.targets and command.name in titles


def _make_combo(s: Script, kind: str, cards: str, target: str | None, name: str | None) -> Any:
    titles = tuple(cards.split())
    return say.PlayCombo(
        kind=kind,
        cards=titles * KINDS[kind] if len(titles) == 1 else titles,
        target=s.seat(target) if target else None,
        name=name,
    )


def _parse_titles(words: str | None) -> tuple[str, ...] | None:
    return tuple(words.split()) if words is not None else None


PILE_COMMANDS: dict[str, Any] = {
    r"seats (.+)": lambda s, names: say.Sit(order=tuple(map(s.seat, names.split()))),
    r"plays (\w+)(?: on (\S+))?": lambda s, card, name: say.PlayCard(
        card=card, target=s.seat(name) if name else None
    ),
    r"lays (?:a )?(pair|triple|five) of (.+?)(?: on (\S+))?(?: for (\w+))?": _make_combo,
    r"looks(?: at (.+))?": lambda s, saw: say.Look(saw=_parse_titles(saw)),
    r"has shuffled": lambda s: say.Shuffled(),
    r"gives": lambda s: say.Give(),
    r"takes": lambda s: say.Take(),
    r"has it": lambda s: say.Answer(has=True),
    r"has none": lambda s: say.Answer(has=False),
    r"picks (\w+)": lambda s, card: say.Pick(card=card),
    r"draws": lambda s: say.Draw(),
    r"reports (safe|kitten|imploding)(?: with (.+))?": lambda s, outcome, cards=None: say.Report(
        outcome=outcome, cards=_parse_titles(cards)
    ),
    r"sees it on top": lambda s: say.SeeImploding(),
    r"puts it back(?: at (\d+))?": lambda s, at: say.PutBack(place=int(at) if at else None),
    r"defuses(?: to (\d+))?": lambda s, at: say.Defuse(place=int(at) if at else None),
    r"explodes(?: with (.+))?": lambda s, cards: say.Explode(cards=_parse_titles(cards)),
    r"notes (\d+) (\w+)": lambda s, at, card: say.MakeNote(
        place=int(at), card=None if card == "nothing" else card
    ),
}
"""Functions that make a command of a classic game, by a pattern for the script's line."""


def _get_view(s: Script) -> dict[str, Any]:
    return public_view(s.table, s.now)


def _get_seat_view(s: Script, name: str) -> dict[str, Any]:
    return next(seat for seat in _get_view(s)["seats"] if seat["seat"] == s.seat(name))


def _parse_odds(words: str) -> dict[str, Any]:
    """Parse odds such as ``placed 1/3 1/5 1``.

    The word is the state of the odds. The numbers are the probability of a Kitten if every order of
    the pile is equally likely, and its lower and upper bound. A single number stands for all three.
    """
    state, *numbers = words.split()
    even, least, most = [round(float(Fraction(n)), 6) for n in (numbers * 3)[:3]]
    return {"state": state, "even": even, "least": least, "most": most}


def _format_counts(counts: dict[str, int]) -> str:
    return " ".join(f"{card} {count}" for card, count in sorted(counts.items()))


PILE_CLAIMS: dict[str, Any] = {
    r"(attacked|not attacked)": lambda s, words: (words == "attacked", _get_turn(s).attacked),
    r"the card lies at the (top|bottom)": lambda s, end: (end, _get_turn(s).end),
    r"the pile has (\d+), (\d+) of them kittens": lambda s, cards, kittens: (
        (int(cards), int(kittens)),
        (_get_view(s)["pile"]["cards"], _get_view(s)["pile"]["kittens"]),
    ),
    r"play goes (clockwise|counterclockwise)": lambda s, way: (way, _get_view(s)["direction"]),
    r"the imploding kitten is (down|shown|up|top|gone)": lambda s, place: (
        None if place == "gone" else place,
        _get_view(s)["pile"]["imploding"],
    ),
    r"the log says: (.+)": lambda s, text: (True, text in s.log[-4:]),
    r"discard: ?(.*)": lambda s, cards: (cards, " ".join(_get_view(s)["discard"]["cards"])),
    r"unnoted: (\d+)": lambda s, number: (int(number), _get_view(s)["discard"]["unnoted"]),
    r"(\S+) surely has: ?(.*)": lambda s, name, cards: (
        cards,
        _format_counts(_get_seat_view(s, name)["known"]),
    ),
    r"(\S+) has no: (.+)": lambda s, name, cards: (
        True,
        {*cards.split()} <= {*_get_seat_view(s, name)["never"]},
    ),
    r"(\S+) may have: (.+)": lambda s, name, cards: (
        set(),
        {*cards.split()} & {*_get_seat_view(s, name)["never"]},
    ),
    r"(top|bottom) (.+)": lambda s, end, odds: (_parse_odds(odds), _get_view(s)["pile"][end]),
    r"to (\S+) the (top|bottom) (.+)": lambda s, name, end, odds: (
        _parse_odds(odds),
        private_view(s.table, s.seat(name))["odds"][end],
    ),
    r"(\S+)'s notes: ?(.*)": lambda s, name, notes: (
        notes,
        ", ".join(
            f"{n['place']} {n['card']}" for n in private_view(s.table, s.seat(name))["notes"]
        ),
    ),
    r"in play: (.+)": lambda s, cards: (
        cards,
        _format_counts(s.table.variant.in_play(len(s.table.seats))),
    ),
    r"(\S+) is asked for (\w+)": lambda s, name, card: (
        (s.seat(name), card),
        (s.table.game.played.target, s.table.game.played.name),
    ),
    r"played: (.+)": lambda s, cards: (cards, " ".join(s.table.game.played.cards)),
    r"noped by: ?(.*)": lambda s, names: (names, _list_names(s, s.table.game.played.nopes)),
    r"(\S+) survived (.+)": lambda s, name, chance: (
        round(float(Fraction(chance)), 6),
        _get_seat_view(s, name)["survival"],
    ),
    r"(\S+) may say (\d+) things": lambda s, name, number: (
        int(number),
        _count_legal_commands(s, name),
    ),
    r"the deal: (\d+) each": lambda s, number: (
        {int(number)},
        {_get_player(s, s.name(seat.seat)).hand for seat in s.table.seats},
    ),
}
"""Functions that check a claim about a classic game, by a pattern for the claim."""


def _count_legal_commands(s: Script, name: str) -> int:
    from companion.rules.core.referee import legal_commands

    return sum(command.seat == s.seat(name) for command in legal_commands(s.table))
