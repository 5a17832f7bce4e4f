"""Whole classic games with real cards, in which every report is true.

The cards move as on a real table, and players give random *true commands*, which agree with the
real cards. The referee must refuse none of them, and the deduction must never exclude the real
cards.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations
from random import Random
from typing import Any

import msgspec
from msgspec import structs

from companion.robots.pile import cards as robots
from companion.rules.core.commands import DecisionInputs
from companion.rules.core.events import evolve
from companion.rules.core.referee import decide, legal_commands, next_deadline
from companion.rules.families import new_table
from companion.rules.pile.variant import KINDS
from tests.support.own_variants import load_own
from tests.support.pile_script import WITH_EXPANSION, is_listed, say
from tests.support.public_view import private_view, public_view

OF_A_PILE = ("original-56", "party-120", "party-122", "party-120-it")
BOXES = {name: load_own(name) for name in (*OF_A_PILE, *WITH_EXPANSION)}
NAMES = "Ana Ben Cleo Dora Eve Fay Gus Hal Ida Joe".split()
MORE_COMMANDS = 3
"""Number of other true commands that each step checks, besides the command that it gives."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cards(robots.Cards):
    """The ``Cards`` of the robots, in which players can also leave. ``away`` holds the cards of the
    players who have left."""

    away: tuple[str, ...] = ()

    def without_player(self, seat: str, step: str | None) -> "Cards":
        """Remove a player's hand from the game (ruling leaving).

        ``step`` is the step of this player's turn, or None. A shown Kitten is discarded, but an
        Imploding Kitten leaves the game.
        """
        hands = {**self.hands, seat: ()}
        gone = replace(self, hands=hands, away=(*self.away, *self.hands[seat]))
        if step == "kitten":
            return replace(gone.put_on_discard(*self.shown), shown=())
        if step == "imploding":
            return replace(gone, away=(*gone.away, *self.shown), shown=())
        return gone

    def implode(self, seat: str, end: str) -> "Cards":
        card = self.end_card(end)
        after = robots.Cards.implode(self, seat, end)
        return replace(after, away=(*after.away, card))


class Game:
    """A table and the real cards on it.

    ``most`` limits the number of possible layouts (worlds) that the deduction keeps.
    """

    def __init__(self, box: str, players: int, seed: int, most: int | None = None) -> None:
        self.chance = Random(seed)
        self.now = 1_000_000
        self.command_counts: Counter[str] = Counter()
        options = {"special_combos": self.chance.random() < 0.8}
        self.table = new_table("TRUTHS", BOXES[box], **options)
        for name in NAMES[:players]:
            self.handle_command(say.TakeSeat(name=name), None)
        self.handle_command(say.Prepare(), self.table.host)
        seats = [seat.seat for seat in self.table.seats]
        for seat in seats:
            self.handle_command(say.SayReady(ready=True), seat)
        self.handle_command(say.Begin(first="lot"), self.table.host)
        if most is not None:
            bounded = structs.replace(self.game.deal, most=most)
            self.table = structs.replace(self.table, game=structs.replace(self.game, deal=bounded))
        self.variant = msgspec.json.decode(BOXES[box].to_json())
        layout = robots.deal(self.chance, self.variant, seats)
        self.cards = Cards(pile=layout.pile, hands=layout.hands)
        self.card_counts = count_cards(self.cards)
        self.cards_by_version = {self.table.version: self.cards}
        self.exact = True

    @property
    def game(self) -> Any:
        return self.table.require_game()

    def handle_command(self, command: Any, sender: str | None) -> None:
        moment = DecisionInputs(
            now=self.now,
            lot=self.chance.randrange(99),
            here=frozenset(seat.seat for seat in self.table.seats),
        )
        for event in decide(self.table, command, sender=sender, inputs=moment):
            self.table = evolve(self.table, event)

    def play_game(self) -> None:
        """Play until somebody wins, and check the cards after each step."""
        for _ in range(3_000):
            if self.table.phase == "over":
                return
            self.step()
            self.check_cards()
        raise AssertionError("a game without an end")

    def step(self) -> None:
        """Give one true command, let time pass, or undo something."""
        self.now += self.chance.randrange(700)
        when = next_deadline(self.table)
        luck = self.chance.random()
        if when is not None and luck < 0.05:
            self.now = max(self.now, when)
            self.handle_command(say.Tick(), None)
        elif luck > 0.985 and self.table.undo_points:
            self.undo()
        else:
            self.give_true_command()
        self.cards_by_version[self.table.version] = self.cards

    def give_true_command(self) -> None:
        truths = [*self.list_true_commands()]
        assert truths, f"nobody has anything true to say in {self.game.turn}"
        if self.chance.random() < 0.05:
            legal = legal_commands(self.table)
            for command in truths:
                assert isinstance(command, say.Leave) or is_listed(self.table, command, legal), (
                    command
                )
        for command in self.chance.sample(truths, min(MORE_COMMANDS, len(truths))):
            decide(self.table, command, sender=command.seat, inputs=DecisionInputs(now=self.now))
        command = self.choose_command(truths)
        self.command_counts[kind_of(command)] += 1
        cards = self.cards_after(command)
        self.handle_command(command, command.seat)
        self.cards = cards

    def choose_command(self, truths: list[Any]) -> Any:
        """Choose a kind of command at random, then a command of that kind."""
        kinds = sorted({kind_of(command) for command in truths})
        often = {"leave": 0.1, "triple": 3.0, "nope": 2.0, "hold": 0.1}
        (kind,) = self.chance.choices(kinds, [often.get(kind, 1.0) for kind in kinds])
        return self.chance.choice([command for command in truths if kind_of(command) == kind])

    def undo(self) -> None:
        """Undo the last command, and move the cards back to where they lay before it."""
        version = self.table.undo_points[-1].version
        self.handle_command(say.Undo(), self.table.host)
        self.cards = self.cards_by_version[max(at for at in self.cards_by_version if at < version)]

    # Commands that agree with the real cards.

    def list_true_commands(self) -> Iterator[Any]:
        """Yield every true command that the rules allow now, without asking the referee."""
        game = self.game
        turn = self.game.turn
        seat = turn.seat
        played = game.played
        hand = self.cards.hands[seat]
        if turn.step != "window" and len(game.living) > 2 and self.chance.random() < 0.1:
            yield from (say.Leave(seat=leaver) for leaver in game.living)
        match turn.step:
            case "act":
                if self.cards.imploding_on_top and game.imploding == "up":
                    yield say.SeeImploding(seat=seat)
                    return  # everybody sees the card, so it is reported first
                yield say.Draw(seat=seat)
                yield from self.list_plays(seat, hand)
                yield from self.list_combos(seat, Counter(hand))
            case "window":
                yield from self.list_window_commands(game.window, played)
            case "look":
                yield from (say.Look(seat=seat, saw=saw) for saw in self.list_top_notes(played))
            case "shuffle":
                yield say.Shuffled(seat=seat)
            case "give":
                yield say.Give(seat=played.target)
            case "take":
                yield say.Take(seat=seat)
            case "answer":
                has = played.name in self.cards.hands[played.target]
                yield say.Answer(seat=played.target, has=has)
            case "pick":
                lying = {*self.cards.discard} - {self.table.variant.kitten}
                yield from (say.Pick(seat=seat, card=card) for card in sorted(lying))
            case "report":
                kittens = {self.table.variant.kitten: "kitten"}
                kittens[str(self.table.variant.imploding)] = "imploding"
                outcome = kittens.get(self.cards.end_card(turn.end), "safe")
                yield say.Report(seat=seat, outcome=outcome)
                if outcome == "imploding" and self.cards.face_up:
                    yield say.Report(seat=seat, outcome=outcome, cards=hand)
            case "imploding":
                places = (None, *range(1, len(self.cards.pile) + 2))
                yield from (say.PutBack(seat=seat, place=place) for place in places)
            case "kitten" if self.table.variant.defuse in hand:
                places = (None, *range(1, len(self.cards.pile) + 2))
                yield from (say.Defuse(seat=seat, place=place) for place in places)
            case "kitten":
                yield say.Explode(seat=seat)
                yield say.Explode(seat=seat, cards=hand)

    def list_plays(self, seat: str, hand: tuple[str, ...]) -> Iterator[Any]:
        does = {card.id: card.effect for card in self.table.variant.cards}
        others = [other for other in self.game.living if other != seat]
        for card in sorted({*hand}):
            match does[card]:
                case "favor":
                    held = [other for other in others if self.cards.hands[other]]
                    yield from (say.PlayCard(seat=seat, card=card, target=t) for t in held)
                case "targeted_attack":
                    yield from (say.PlayCard(seat=seat, card=card, target=t) for t in others)
                case "kitten" | "imploding" | "defuse" | "nope" | "cat" | "feral":
                    pass
                case _:
                    yield say.PlayCard(seat=seat, card=card)

    def list_combos(self, seat: str, hand: Counter[str]) -> Iterator[Any]:
        """Yield the combos of a hand by the rulings matching-cards, feral-cat and
        five-different."""
        variant = self.table.variant
        special = self.table.options.special_combos
        targets = [t for t in self.game.living if t != seat and self.cards.hands[t]]
        for kind in variant.combos if special else ("pair",):
            if kind == "five":
                some = list(combinations(sorted(hand), KINDS["five"]))
                yield from (
                    say.PlayCombo(seat=seat, kind=kind, cards=cards)
                    for cards in self.chance.sample(some, min(3, len(some)))
                )
                continue
            for cards in self.list_matching_cards(hand, KINDS[kind]):
                for target in targets:
                    name = self.chance.choice([card for card, _ in self.game.deal.counts])
                    asked = name if kind == "triple" else None
                    yield say.PlayCombo(
                        seat=seat, kind=kind, cards=cards, target=target, name=asked
                    )

    def list_matching_cards(self, hand: Counter[str], number: int) -> Iterator[tuple[str, ...]]:
        variant = self.table.variant
        cats = {*variant.cats, variant.feral}
        for title in sorted(hand):
            for ferals in range(number if title in variant.cats else 1):
                cards = (title,) * (number - ferals) + (str(variant.feral),) * ferals
                if Counter(cards) <= hand and (self.table.options.special_combos or title in cats):
                    yield cards

    def list_window_commands(self, window: Any, played: Any) -> Iterator[Any]:
        """Yield the commands that are possible during a Nope window: Nopes, passes and holds."""
        could = self.table.variant.nope
        view = public_view(self.table, self.now)["window"]
        for seat in self.game.living:
            if could in self.cards.hands[seat] and seat != played.seat_of_top_card:
                yield say.PlayNope(seat=seat, window=window.id)
            if seat in view["may_nope"] and seat not in window.passed:
                yield say.Pass(seat=seat, window=window.id)
            if window.held_by is None and seat not in window.held:
                yield say.Hold(seat=seat, window=window.id)
        if window.held_by:
            yield say.Release(seat=window.held_by, window=window.id)

    def list_top_notes(self, played: Any) -> Iterator[tuple[str, ...] | None]:
        """Yield the notes that a player may make after a look: none, the top cards, or another
        order of them."""
        top = self.cards.pile[:3]
        yield None
        yield top
        if self.table.variant.by_title[played.card].effect == "alter":
            yield tuple(self.chance.sample(top, len(top)))

    # Effects of commands.

    def cards_after(self, command: Any) -> Cards:
        """Return the real cards after this command."""
        cards = self.cards
        played = self.game.played
        seat = command.seat
        match command:
            case say.PlayCard(card=card):
                return cards.play(seat, card)
            case say.PlayCombo():
                return cards.play(seat, *command.cards)
            case say.PlayNope():
                return cards.play(seat, self.table.variant.nope)
            case say.Look(saw=saw):
                return cards.arrange(saw or ())
            case say.Shuffled():
                return cards.shuffle(self.chance)
            case say.Give():
                return cards.give(seat, played.by, self.chance.choice(cards.hands[seat]))
            case say.Take():
                card = self.chance.choice(cards.hands[played.target])
                return cards.give(played.target, seat, card)
            case say.Answer(has=True):
                return cards.give(seat, played.by, played.name)
            case say.Pick(card=card):
                return cards.pick(seat, card)
            case say.Report(outcome=outcome):
                end = self.game.turn.end
                if outcome == "imploding" and cards.face_up:
                    return cards.implode(seat, end)
                return cards.draw(seat, end) if outcome == "safe" else cards.show_kitten(end)
            case say.PutBack(place=place):
                at = place or self.chance.randint(1, len(cards.pile) + 1)
                return cards.put_imploding_back(at)
            case say.Defuse(place=place):
                at = place or self.chance.randint(1, len(cards.pile) + 1)
                return cards.put_kitten_back(seat, self.table.variant.defuse, at)
            case say.Explode():
                return cards.explode(seat)
            case say.Leave():
                turn = self.game.turn
                return cards.without_player(seat, turn.step if seat == turn.seat else None)
            case _:
                return cards

    # Invariants.

    def check_cards(self) -> None:
        """Check that no card is lost and that the view agrees with the real cards."""
        assert count_cards(self.cards) + Counter(self.cards.away) == self.card_counts
        if self.table.game is None or self.table.phase != "play":
            return
        view = public_view(self.table, self.now)
        assert self.cards.match(view), (self.cards, view)
        self.exact = self.exact and view["pile"]["exact"]
        self.check_pile(view["pile"])
        for seat in view["seats"]:
            hand = Counter(self.cards.hands[seat["seat"]])
            assert Counter(seat["known"]) <= hand, seat
            assert not {*seat["never"]} & {*hand}, seat
        for player in self.game.players:
            if player.alive:
                self.check_notes(private_view(self.table, player.seat))
        check_discard(self.cards, view["discard"]["cards"])
        waits = self.game.played and self.game.turn.step != "window"
        assert not waits or self.game.played.counts

    def check_pile(self, pile: Any) -> None:
        """Check the number of Kittens, and that the odds never exclude the card at an end of the
        pile."""
        kitten = self.table.variant.kitten
        assert self.cards.pile.count(kitten) == pile["kittens"]
        for end in self.ends_to_check(pile):
            odds = pile[end]
            assert odds["least"] <= odds["even"] <= odds["most"], pile
            assert odds["most"] > 0 if self.is_deadly(end) else odds["least"] < 1, (pile, end)

    def ends_to_check(self, pile: Any) -> tuple[str, ...]:
        """Return the ends of the pile whose odds can be checked. There are none while the Imploding
        Kitten lies face up on top and nobody has reported it."""
        untold = self.cards.imploding_on_top and pile["imploding"] == "up"
        return ("top", "bottom") if self.cards.pile and not untold else ()

    def is_deadly(self, end: str) -> bool:
        """Return True if the card at this end puts out a player who draws it without a Defuse."""
        return self.cards.end_card(end) in (self.table.variant.kitten, self.cards.face_up)

    def check_notes(self, mine: Any) -> None:
        """Check that a player's notes and odds agree with the real cards."""
        for note in mine["notes"]:
            assert self.cards.pile[note["place"] - 1] == note["card"], mine
        for end in self.ends_to_check(public_view(self.table, self.now)["pile"]):
            odds = mine["odds"][end]
            assert odds["most"] > 0 if self.is_deadly(end) else odds["least"] < 1, (mine, end)


def kind_of(command: Any) -> str:
    """Return the name under which a command is counted."""
    return (
        command.kind if isinstance(command, say.PlayCombo) else str(command.__struct_config__.tag)
    )


def count_cards(cards: robots.Cards) -> Counter[str]:
    """Count all cards of the game, wherever they are."""
    hands = [card for hand in cards.hands.values() for card in hand]
    return Counter([*cards.pile, *cards.discard, *cards.shown, *hands])


def check_discard(cards: robots.Cards, noted: Any) -> None:
    """Check that the discard pile really has the cards that the panel lists."""
    assert Counter(noted) <= Counter(cards.discard), (noted, cards.discard)


def play_games(
    box: str, first: int, games: int, most: int | None = None
) -> tuple[Counter[str], int]:
    """Play this many games of a box, with each possible number of players in turn.

    Return the number of commands by type, and the number of games in which the deduction kept all
    possible layouts and thus stayed exact.
    """
    counts: Counter[str] = Counter()
    exact = 0
    players = BOXES[box].players
    for seed in range(first, first + games):
        number = players.least + seed % (players.most - players.least + 1)
        game = Game(box, number, seed, most)
        try:
            game.play_game()
        except Exception as problem:
            raise AssertionError(f"{box}, {number} players, seed {seed}: {problem!r}") from problem
        counts += game.command_counts
        exact += game.exact
    return counts, exact
