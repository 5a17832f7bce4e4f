"""A table in memory whose players all have decks that their devices keep, one of them a liar.

It plays by the rules alone, at random, and gives the log as the wire shows it: things are taken
back, players leave, decks are opened once the game is over. The liar lies once, as soon as it
can; ``lied`` is the version of the event that came of it.
"""

from random import Random
from typing import Any

import msgspec

from companion.fair.cards import Cards, Cell, Pack, commitment, deal, seal
from companion.rules.core.commands import DecisionInputs
from companion.rules.core.events import evolve
from companion.rules.core.referee import decide
from companion.rules.core.rulings import Refused
from companion.rules.core.windows import due
from companion.rules.families import new_table
from companion.rules.grid import places
from tests.game_script import QUARANTINED
from tests.say import events, say

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
"""What one player at a table may lie in."""
SLOW = ("elsewhere", "deal")
"""Lies that show only when a card is seen that should lie elsewhere."""
OPENING = ("secret", "commit")
"""Lies that no server takes; a log that has them all the same was made up."""


class World:
    """One game, from the lobby to its end and the opening of the decks."""

    def __init__(self, seed: int, players: int = 3, lie: str | None = None) -> None:
        self.seed = seed
        self.chance = Random(seed)
        self.lie = lie
        self.lied = 0
        self.table = new_table("WORLDS", QUARANTINED, roll_call=False)
        self.log: list[dict[str, Any]] = []
        self.first = 0
        self.now = 0
        self.cards: dict[str, Cards] = {}
        self.should: Cards | None = None
        self.past: dict[int, dict[str, Cards]] = {}
        for name in "Ana Ben Cleo Dora Eve".split()[:players]:
            self.take_seat(name)
        self.secrets = {seat.seat: self.bytes32() for seat in self.table.seats}
        self.liar = self.chance.choice([*self.secrets]) if lie else None

    def bytes32(self) -> str:
        return self.chance.randbytes(32).hex()

    def take_seat(self, name: str) -> None:
        self.hear(say.TakeSeat(name=name), None)

    def hear(self, heard: Any, sender: str | None) -> Any:
        """Handle a command. Returns its first event; ``first`` is that event's version."""
        moment = DecisionInputs(now=self.now, salt=self.bytes32())
        led_to = decide(self.table, heard, sender=sender, inputs=moment)
        self.first = self.table.version + 1
        for event in led_to:
            self.happens(event)
        return led_to[0] if led_to else None

    def happens(self, event: Any) -> None:
        self.past[self.table.version + 1] = dict(self.cards)
        self.table = evolve(self.table, event)
        facts = msgspec.to_builtins(event)
        line = {"version": self.table.version, "at": self.now, "type": facts.pop("type")}
        self.log.append({**line, "seat": facts.get("seat"), "facts": facts, "text": ""})

    def lies(self, seat: str, lie: str, said: Any) -> bool:
        """The liar's lie, if this is the time for it and the referee believes it."""
        if self.lied or seat != self.liar or lie != self.lie:
            return False
        try:
            self.hear(said, seat)
        except Refused:
            return False
        self.lied = self.first
        return True

    def watch_liar(self, seat: str) -> Cards | None:
        """Return how the liar's cards would lie if they had told the truth, until the lie shows."""
        return self.should if seat == self.liar and not self.lied else None

    def shows(self, *, so: bool) -> None:
        """The liar showed a card, which is so or isn't by the deck that it committed to."""
        if not so:
            self.lied = self.first

    def play(self, most: int = 400) -> "World":
        self.begin()
        for _ in range(most):
            if self.table.phase == "over":
                break
            try:
                self.go_on()
            except Refused:  # after a lie the truth can be impossible
                assert self.lied
                break
        if self.table.phase != "over":
            self.end()
        for seat in self.secrets:
            self.open(seat)
        return self

    def tell_lie(self) -> list[dict[str, Any]]:
        """The log, as anyone can have it."""
        return self.log

    def go_on(self) -> None:
        """Mostly somebody plays on; else something is taken back, or somebody goes."""
        game = self.table.playing()
        chance = self.chance.random()
        if chance < 0.03:
            self.undo()
        elif chance < 0.036 and len(game.living) > 2 and not game.window:
            self.hear(say.Leave(), self.chance.choice(game.living))
        else:
            self.step()

    def open(self, seat: str) -> None:
        """Once the game is over a deck is opened, also of who has left."""
        if seat == self.liar and self.lie in OPENING:
            self.makes_up(seat)
        else:
            self.hear(say.OpenDeck(secret=self.secrets[seat]), seat)

    def makes_up(self, seat: str) -> None:
        """A refused command is put into the log all the same, as if the server were a liar, too."""
        secret = self.secrets[seat] if self.lie == "commit" else self.bytes32()
        try:
            self.hear(say.OpenDeck(secret=secret), seat)
        except Refused as refused:
            assert refused.ruling == "opens-what-it-committed"
            self.happens(events.DeckOpened(seat=seat, secret=secret))
            self.lied = self.table.version

    def begin(self) -> None:
        host = self.table.host
        for seat, secret in self.secrets.items():
            forged = seat == self.liar and self.lie == "commit"
            commit = self.bytes32() if forged else commitment(secret)
            self.hear(say.ChooseDeck(kind="device", commit=commit), seat)
        self.hear(say.Prepare(), host)
        for seat in self.secrets:
            self.hear(say.SayReady(ready=True), seat)
        began = self.hear(say.Begin(first="lot"), host)
        for seat, secret in self.secrets.items():
            self.cards[seat] = deal(PACK, secret, began.salt)
        if self.liar and self.lie == "deal":
            self.should = self.cards[self.liar]
            self.cards[self.liar] = deal(PACK, self.bytes32(), began.salt)

    def end(self) -> None:
        while self.table.game and self.table.game.window:
            self.close_window()
        self.hear(say.EndGame(), self.table.host)

    def undo(self) -> None:
        if self.table.undo_points and not self.lied and not self.should:
            undone = self.hear(say.Undo(), self.table.host)
            self.cards = self.past[undone.version]

    # --- one thing more ----------------------------------------------------------------

    def step(self) -> None:
        game = self.table.playing()
        assert game.turn
        seat = game.turn.seat
        {
            "tell": self.tell, "act": self.act, "window": self.window, "look": self.look,
            "shuffle": self.shuffle, "reveal": self.reveal, "report": self.report,
            "kitten": self.kitten,
        }[game.turn.step](seat)  # fmt: skip

    def tell(self, seat: str) -> None:
        cell = self.a_cell(seat)
        if self.watch_liar(seat) and self.lie == "elsewhere":
            cell = self.place_of_kitten(seat)
        self.hear(say.Instruct(cell=cell), self.table.playing().before(seat))

    def place_of_kitten(self, seat: str) -> Cell:
        lying = self.cards[seat].grid.items()
        return next((cell for cell, card in lying if card == PACK.kitten), self.a_cell(seat))

    def a_cell(self, seat: str) -> Cell:
        return self.chance.choice([*self.cards[seat].grid])

    def act(self, seat: str) -> None:
        hand = [card for card in self.cards[seat].hand if self.action(card)]
        others = [card.id for card in QUARANTINED.cards if self.action(card.id)]
        missing = [card for card in others if card not in self.cards[seat].hand]
        if missing and self.lies(seat, "play", self.playing(seat, self.chance.choice(missing))):
            return
        play = self.playing(seat, self.chance.choice(hand)) if hand else None
        if play is None or self.chance.random() < 0.6:
            self.hear(say.Draw(cell=self.table.playing().turn.told), seat)
            return
        self.hear(play, seat)
        self.plays(seat, play.card)

    def plays(self, seat: str, card: str) -> None:
        """The card was played, so it has left the hand."""
        self.cards[seat] = self.cards[seat].play(card)
        if should := self.watch_liar(seat):
            self.shows(so=card in should.hand)
            self.should = should.play(card) if card in should.hand else should

    def action(self, card: str) -> bool:
        return QUARANTINED.by_title[card].effect not in ("kitten", "defuse", "nope")

    def playing(self, seat: str, card: str) -> Any:
        """The card, at somebody if it needs that; a draw where nobody is left for it."""
        if QUARANTINED.by_title[card].effect != "favor":
            return say.PlayCard(card=card)
        targets = [
            (other, cell)
            for other in self.table.playing().living
            if other != seat
            for cell in places.face_down(self.table.playing().player(other).grid)
        ]
        if not targets:
            return None
        target, cell = self.chance.choice(targets)
        return say.PlayCard(card=card, target=target, cell=cell)

    def window(self, _: str) -> None:
        game = self.table.playing()
        assert game.window and game.played
        could = [
            s for s in game.living if s != game.played.seat_on_top and "nope" in self.cards[s].hand
        ]
        liar = str(self.liar)
        nope = say.PlayNope(window=game.window.id)
        free = liar in game.living and liar != game.played.seat_on_top and liar not in could
        if free and self.lies(liar, "nope", nope):
            return
        if could and self.chance.random() < 0.4:
            seat = self.chance.choice(could)
            self.hear(nope, seat)
            self.plays(seat, "nope")
        else:
            self.close_window()

    def close_window(self) -> None:
        self.now = due(self.table) or self.now
        self.hear(say.Tick(), None)

    def look(self, seat: str) -> None:
        self.hear(say.Look(cell=self.a_cell(seat)), seat)

    def anywhere(self, seat: str) -> tuple[Cell, ...] | None:
        if self.chance.random() < 0.5:
            return None
        return tuple(self.chance.sample(PACK.cells, len(self.cards[seat].grid)))

    def shuffle(self, seat: str) -> None:
        event = self.hear(say.Shuffled(cells=self.anywhere(seat)), seat)
        by = self.secrets[seat], event.salt, event.cells
        self.cards[seat] = self.cards[seat].shuffle(*by)
        if should := self.watch_liar(seat):
            self.should = should.shuffle(*by)

    def reveal(self, _: str) -> None:
        played = self.table.playing().played
        assert played and played.target and played.cell
        seat = played.target
        cell = played.cell
        truth = self.cards[seat].grid[cell]
        others = [card.id for card in QUARANTINED.cards if card.id != truth]
        if not self.lies(seat, "reveal", say.Reveal(card=self.chance.choice(others))):
            self.hear(say.Reveal(card=truth), seat)
            if should := self.watch_liar(seat):
                self.shows(so=should.grid[cell] == truth)

    def report(self, seat: str) -> None:
        told = self.table.playing().turn.told
        kitten = self.cards[seat].grid[told] == PACK.kitten
        true, other = ("kitten", "safe") if kitten else ("safe", "kitten")
        if self.lies(seat, other, say.Report(outcome=other)):
            kitten = not kitten
        else:
            self.hear(say.Report(outcome=true), seat)
        should = self.watch_liar(seat)
        if should:
            lay = should.grid[told]
            drawn = self.log[self.first - 1]["facts"].get("card")
            self.shows(so=(lay == PACK.kitten) == kitten and drawn in (None, lay))
        if not kitten:
            self.cards[seat] = self.cards[seat].draw(told)
            self.should = should.draw(told) if should else self.should

    def kitten(self, seat: str) -> None:
        cards = self.cards[seat]
        lies = seat == self.liar and self.lie == "defuse" and not self.lied
        bare = PACK.defuse not in cards.hand
        if (bare and not lies) or PACK.kitten not in cards.grid.values():
            self.hear(say.Explode(), seat)
            return
        cells = self.anywhere(seat) or tuple(cards.grid)
        place = self.chance.choice(cells)
        hidden = seal(self.secrets[seat], self.table.version, place)
        still = set(cells) == {*cards.grid} and self.chance.random() < 0.5
        defuse = say.Defuse(cells=cells, hidden=hidden, still=still)
        if bare:
            if not self.lies(seat, "defuse", defuse):
                self.hear(say.Explode(), seat)
                return
        elif not self.lies(seat, "seal", say.Defuse(cells=cells, hidden=self.bytes32())):
            self.hear(defuse, seat)
        self.lay_out(seat, cells, place)

    def lay_out(self, seat: str, cells: tuple[Cell, ...], place: Cell) -> None:
        """The Kitten where it was put, mostly as sealed; the others by the salt."""
        facts = self.log[self.first - 1]["facts"]
        still = facts.get("still", False)
        by = self.secrets[seat], facts["salt"], cells
        true = self.cards[seat]
        true = true.play(PACK.defuse) if PACK.defuse in true.hand else true
        self.cards[seat] = true.defuse(*by, (PACK.kitten, place), still=still)
        if should := self.watch_liar(seat):
            self.shows(so=PACK.defuse in should.hand)
            should = should.play(PACK.defuse) if PACK.defuse in should.hand else should
            self.should = should.defuse(*by, (PACK.kitten, place), still=still)
        elif seat == self.liar and self.lie == "elsewhere" and len(cells) > 1 and not self.lied:
            self.should = self.cards[seat]
            other = self.chance.choice([cell for cell in cells if cell != place])
            self.cards[seat] = true.defuse(*by, (PACK.kitten, other), still=still)
