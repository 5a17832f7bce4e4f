"""A game in memory in which every player has a device deck and one player may lie.

The game plays random legal commands, undoes some, lets players leave, and publishes the secrets of
all decks at the end. ``get_log`` returns the log in the form in which clients receive it. The liar
lies once, as soon as the lie is possible. ``lie_version`` is the version of the first event that
proves the lie, or 0 if there is none yet.
"""

from random import Random
from typing import Any

import msgspec

from companion.device_decks.dealing import Cards, Cell, Pack, commitment, deal, seal
from companion.rules.core.commands import DecisionInputs
from companion.rules.core.events import evolve
from companion.rules.core.referee import decide
from companion.rules.core.windows import window_deadline
from companion.rules.families import new_table
from companion.rules.grid import places
from companion.rules.text.rulings import Refused
from tests.support.game_script import QUARANTINED
from tests.support.say import events, say

VARIANT = msgspec.to_builtins(QUARANTINED)
PACK = Pack.parse(VARIANT)

LIES = {
    "safe": "a Kitten is reported safe",
    "kitten": "a safe card is shown as the Kitten",
    "reveal": "another card is turned up than lies there",
    "play": "a card is played that is not in the hand",
    "nope": "a Nope is said that is not in the hand",
    "defuse": "a Defuse is said that is not in the hand",
    "seal": "a Defuse carries a seal that fits no cell",
    "elsewhere": "the Kitten is put elsewhere than was sealed, and drawn there",
    "deal": "another deck is laid out than the one that was committed to",
    "secret": "another secret is opened than the one that was committed to",
    "commit": "the commitment is one to no secret at all",
}
"""A description of each lie, by its name."""
SLOW = ("elsewhere", "deal")
"""Lies that can only be found when a card is shown that should be somewhere else."""
OPENING = ("secret", "commit")
"""Lies about a deck's secret. The server refuses them, so only a made-up log can contain one."""


class World:
    """One game, from the lobby until the secrets of all decks are published."""

    def __init__(self, seed: int, players: int = 3, lie: str | None = None) -> None:
        self.seed = seed
        self.chance = Random(seed)
        self.lie = lie
        self.lie_version = 0
        self.table = new_table("WORLDS", QUARANTINED, roll_call=False)
        self.log: list[dict[str, Any]] = []
        self.first_version = 0
        self.now = 0
        self.cards: dict[str, Cards] = {}
        self.honest_cards: Cards | None = None
        self.cards_before: dict[int, dict[str, Cards]] = {}
        for name in "Ana Ben Cleo Dora Eve".split()[:players]:
            self.take_seat(name)
        self.secrets = {seat.seat: self.draw_secret() for seat in self.table.seats}
        self.liar = self.chance.choice([*self.secrets]) if lie else None

    def draw_secret(self) -> str:
        return self.chance.randbytes(32).hex()

    def take_seat(self, name: str) -> None:
        self.handle_command(say.TakeSeat(name=name), None)

    def handle_command(self, command: Any, sender: str | None) -> Any:
        """Handle a command and return its first event. ``first_version`` becomes that event's
        version."""
        inputs = DecisionInputs(now=self.now, salt=self.draw_secret())
        new_events = decide(self.table, command, sender=sender, inputs=inputs)
        self.first_version = self.table.version + 1
        for event in new_events:
            self.apply_event(event)
        return new_events[0] if new_events else None

    def apply_event(self, event: Any) -> None:
        self.cards_before[self.table.version + 1] = dict(self.cards)
        self.table = evolve(self.table, event)
        facts = msgspec.to_builtins(event)
        line = {"version": self.table.version, "at": self.now, "type": facts.pop("type")}
        self.log.append({**line, "seat": facts.get("seat"), "facts": facts, "text": ""})

    def try_lie(self, seat: str, lie: str, command: Any) -> bool:
        """Give the command, which is a lie, if this seat is the liar and the lie is possible now.

        Return True if the command was given and accepted.
        """
        if self.lie_version or seat != self.liar or lie != self.lie:
            return False
        try:
            self.handle_command(command, seat)
        except Refused:
            return False
        self.lie_version = self.first_version
        return True

    def get_honest_cards(self, seat: str) -> Cards | None:
        """Return the cards that the seat would have if it hadn't lied.

        Return None for an honest seat, before the lie, and after an event has proved the lie.
        """
        return self.honest_cards if seat == self.liar and not self.lie_version else None

    def note_shown_card(self, *, fits_deck: bool) -> None:
        """Note that the liar has just shown a card. The last event then proves the lie, unless the
        card is the one that the committed deck has there (``fits_deck``)."""
        if not fits_deck:
            self.lie_version = self.first_version

    def play_game(self, most: int = 400) -> "World":
        self.begin_game()
        for _ in range(most):
            if self.table.phase == "over":
                break
            try:
                self.play_on()
            except Refused:  # after a lie, the rules can refuse an honest command
                assert self.lie_version
                break
        if self.table.phase != "over":
            self.end_game()
        for seat in self.secrets:
            self.open_deck(seat)
        return self

    def get_log(self) -> list[dict[str, Any]]:
        """Return the log that anyone can download."""
        return self.log

    def play_on(self) -> None:
        """Undo something or let a player leave, with a small probability. Otherwise take
        one step."""
        game = self.table.require_game()
        chance = self.chance.random()
        if chance < 0.03:
            self.undo()
        elif chance < 0.036 and len(game.living) > 2 and not game.window:
            self.handle_command(say.Leave(), self.chance.choice(game.living))
        else:
            self.step()

    def open_deck(self, seat: str) -> None:
        """Publish a deck's secret after the game, also for a player who has left."""
        if seat == self.liar and self.lie in OPENING:
            self.open_wrong_secret(seat)
        else:
            self.handle_command(say.OpenDeck(secret=self.secrets[seat]), seat)

    def open_wrong_secret(self, seat: str) -> None:
        """Publish a wrong secret.

        The server refuses it, but the event is added to the log, as if the server lied, too.
        """
        secret = self.secrets[seat] if self.lie == "commit" else self.draw_secret()
        try:
            self.handle_command(say.OpenDeck(secret=secret), seat)
        except Refused as refused:
            assert refused.ruling == "opens-what-it-committed"
            self.apply_event(events.DeckOpened(seat=seat, secret=secret))
            self.lie_version = self.table.version

    def begin_game(self) -> None:
        host = self.table.host
        for seat, secret in self.secrets.items():
            forged = seat == self.liar and self.lie == "commit"
            commit = self.draw_secret() if forged else commitment(secret)
            self.handle_command(say.ChooseDeck(kind="device", commit=commit), seat)
        self.handle_command(say.Prepare(), host)
        for seat in self.secrets:
            self.handle_command(say.SayReady(ready=True), seat)
        began = self.handle_command(say.Begin(first="lot"), host)
        for seat, secret in self.secrets.items():
            self.cards[seat] = deal(PACK, secret, began.salt)
        if self.liar and self.lie == "deal":
            self.honest_cards = self.cards[self.liar]
            self.cards[self.liar] = deal(PACK, self.draw_secret(), began.salt)

    def end_game(self) -> None:
        while self.table.game and self.table.game.window:
            self.close_window()
        self.handle_command(say.EndGame(), self.table.host)

    def undo(self) -> None:
        if self.table.undo_points and not self.lie_version and not self.honest_cards:
            undone = self.handle_command(say.Undo(), self.table.host)
            self.cards = self.cards_before[undone.version]

    # --- steps of a turn -----------------------------------------------------------------

    def step(self) -> None:
        game = self.table.require_game()
        assert game.turn
        seat = game.turn.seat
        actions = {
            "tell": self.instruct,
            "act": self.play_or_draw,
            "window": self.nope_or_wait,
            "look": self.look,
            "shuffle": self.shuffle,
            "reveal": self.reveal,
            "report": self.report,
            "kitten": self.defuse_or_explode,
        }
        actions[game.turn.step](seat)

    def instruct(self, seat: str) -> None:
        cell = self.choose_cell(seat)
        if self.get_honest_cards(seat) and self.lie == "elsewhere":
            cell = self.find_kitten(seat)
        self.handle_command(
            say.Instruct(cell=cell), self.table.require_game().previous_living(seat)
        )

    def find_kitten(self, seat: str) -> Cell:
        lying = self.cards[seat].grid.items()
        return next((cell for cell, card in lying if card == PACK.kitten), self.choose_cell(seat))

    def choose_cell(self, seat: str) -> Cell:
        return self.chance.choice([*self.cards[seat].grid])

    def play_or_draw(self, seat: str) -> None:
        hand = [card for card in self.cards[seat].hand if self.is_action_card(card)]
        others = [card.id for card in QUARANTINED.cards if self.is_action_card(card.id)]
        missing = [card for card in others if card not in self.cards[seat].hand]
        if missing and self.try_lie(
            seat, "play", self.make_play(seat, self.chance.choice(missing))
        ):
            return
        play = self.make_play(seat, self.chance.choice(hand)) if hand else None
        if play is None or self.chance.random() < 0.6:
            self.handle_command(say.Draw(cell=self.table.require_game().turn.told), seat)
            return
        self.handle_command(play, seat)
        self.remove_played_card(seat, play.card)

    def remove_played_card(self, seat: str, card: str) -> None:
        """Remove a played card from the hand."""
        self.cards[seat] = self.cards[seat].play(card)
        if should := self.get_honest_cards(seat):
            self.note_shown_card(fits_deck=card in should.hand)
            self.honest_cards = should.play(card) if card in should.hand else should

    def is_action_card(self, card: str) -> bool:
        return QUARANTINED.by_title[card].effect not in ("kitten", "defuse", "nope")

    def make_play(self, seat: str, card: str) -> Any:
        """Return the command that plays the card, or None if the card needs a target and there is
        none."""
        if QUARANTINED.by_title[card].effect != "favor":
            return say.PlayCard(card=card)
        targets = [
            (other, cell)
            for other in self.table.require_game().living
            if other != seat
            for cell in places.face_down(self.table.require_game().player(other).grid)
        ]
        if not targets:
            return None
        target, cell = self.chance.choice(targets)
        return say.PlayCard(card=card, target=target, cell=cell)

    def nope_or_wait(self, _: str) -> None:
        game = self.table.require_game()
        assert game.window and game.played
        could = [
            s
            for s in game.living
            if s != game.played.seat_of_top_card and "nope" in self.cards[s].hand
        ]
        liar = str(self.liar)
        nope = say.PlayNope(window=game.window.id)
        free = liar in game.living and liar != game.played.seat_of_top_card and liar not in could
        if free and self.try_lie(liar, "nope", nope):
            return
        if could and self.chance.random() < 0.4:
            seat = self.chance.choice(could)
            self.handle_command(nope, seat)
            self.remove_played_card(seat, "nope")
        else:
            self.close_window()

    def close_window(self) -> None:
        self.now = window_deadline(self.table) or self.now
        self.handle_command(say.Tick(), None)

    def look(self, seat: str) -> None:
        self.handle_command(say.Look(cell=self.choose_cell(seat)), seat)

    def choose_cells(self, seat: str) -> tuple[Cell, ...] | None:
        if self.chance.random() < 0.5:
            return None
        return tuple(self.chance.sample(PACK.cells, len(self.cards[seat].grid)))

    def shuffle(self, seat: str) -> None:
        event = self.handle_command(say.Shuffled(cells=self.choose_cells(seat)), seat)
        by = self.secrets[seat], event.salt, event.cells
        self.cards[seat] = self.cards[seat].shuffle(*by)
        if should := self.get_honest_cards(seat):
            self.honest_cards = should.shuffle(*by)

    def reveal(self, _: str) -> None:
        played = self.table.require_game().played
        assert played and played.target and played.cell
        seat = played.target
        cell = played.cell
        truth = self.cards[seat].grid[cell]
        others = [card.id for card in QUARANTINED.cards if card.id != truth]
        if not self.try_lie(seat, "reveal", say.Reveal(card=self.chance.choice(others))):
            self.handle_command(say.Reveal(card=truth), seat)
            if should := self.get_honest_cards(seat):
                self.note_shown_card(fits_deck=should.grid[cell] == truth)

    def report(self, seat: str) -> None:
        told = self.table.require_game().turn.told
        kitten = self.cards[seat].grid[told] == PACK.kitten
        true, other = ("kitten", "safe") if kitten else ("safe", "kitten")
        if self.try_lie(seat, other, say.Report(outcome=other)):
            kitten = not kitten
        else:
            self.handle_command(say.Report(outcome=true), seat)
        should = self.get_honest_cards(seat)
        if should:
            lay = should.grid[told]
            drawn = self.log[self.first_version - 1]["facts"].get("card")
            self.note_shown_card(fits_deck=(lay == PACK.kitten) == kitten and drawn in (None, lay))
        if not kitten:
            self.cards[seat] = self.cards[seat].draw(told)
            self.honest_cards = should.draw(told) if should else self.honest_cards

    def defuse_or_explode(self, seat: str) -> None:
        cards = self.cards[seat]
        lies = seat == self.liar and self.lie == "defuse" and not self.lie_version
        bare = PACK.defuse not in cards.hand
        if (bare and not lies) or PACK.kitten not in cards.grid.values():
            self.handle_command(say.Explode(), seat)
            return
        cells = self.choose_cells(seat) or tuple(cards.grid)
        place = self.chance.choice(cells)
        hidden = seal(self.secrets[seat], self.table.version, place)
        still = set(cells) == {*cards.grid} and self.chance.random() < 0.5
        defuse = say.Defuse(cells=cells, hidden=hidden, still=still)
        if bare:
            if not self.try_lie(seat, "defuse", defuse):
                self.handle_command(say.Explode(), seat)
                return
        elif not self.try_lie(seat, "seal", say.Defuse(cells=cells, hidden=self.draw_secret())):
            self.handle_command(defuse, seat)
        self.put_cards_back(seat, cells, place)

    def put_cards_back(self, seat: str, cells: tuple[Cell, ...], place: Cell) -> None:
        """Put the Kitten into its cell and arrange the other cards by the salt."""
        facts = self.log[self.first_version - 1]["facts"]
        still = facts.get("still", False)
        by = self.secrets[seat], facts["salt"], cells
        true = self.cards[seat]
        true = true.play(PACK.defuse) if PACK.defuse in true.hand else true
        self.cards[seat] = true.defuse(*by, (PACK.kitten, place), still=still)
        if should := self.get_honest_cards(seat):
            self.note_shown_card(fits_deck=PACK.defuse in should.hand)
            should = should.play(PACK.defuse) if PACK.defuse in should.hand else should
            self.honest_cards = should.defuse(*by, (PACK.kitten, place), still=still)
        elif (
            seat == self.liar
            and self.lie == "elsewhere"
            and len(cells) > 1
            and not self.lie_version
        ):
            self.honest_cards = self.cards[seat]
            other = self.chance.choice([cell for cell in cells if cell != place])
            self.cards[seat] = true.defuse(*by, (PACK.kitten, other), still=still)
