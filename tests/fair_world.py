"""A table in memory whose players all have decks that their devices keep, one of them a liar.

It plays by the rules alone, at random, and gives the log as the wire shows it. The liar lies
once, as soon as it can; ``lied`` is the version of the event that came of it.
"""

from random import Random
from typing import Any

import msgspec

from companion.fair.cards import Cards, Cell, Pack, dealt
from companion.fair.chance import commitment, sealed
from companion.rules.core.commands import Moment
from companion.rules.core.evolve import evolve
from companion.rules.core.referee import decide
from companion.rules.core.rulings import Refused
from companion.rules.core.windows import due
from companion.rules.families import new_table
from companion.rules.grid import places
from tests.game_script import QUARANTINED
from tests.say import say

VARIANT = msgspec.to_builtins(QUARANTINED)
PACK = Pack.heard(VARIANT)

LIES = ("safe", "kitten", "reveal", "play", "seal")
"""A Kitten reported safe, a safe card shown as a Kitten, another card turned up than lay there, a
card played that is not in the hand, a seal that fits no cell."""


class World:
    """One game, from the lobby to its end and the opening of the decks."""

    def __init__(self, seed: int, players: int = 3, lie: str | None = None) -> None:
        self.chance, self.lie, self.lied = Random(seed), lie, 0
        self.table = new_table("WORLDS", QUARANTINED, roll_call=False)
        self.log: list[dict[str, Any]] = []
        self.now = 0
        self.cards: dict[str, Cards] = {}
        self.past: dict[int, dict[str, Cards]] = {}
        for name in "Ana Ben Cleo Dora Eve".split()[:players]:
            self.hear(say.TakeSeat(name=name), None)
        self.secrets = {seat.seat: self.bytes32() for seat in self.table.seats}
        self.liar = self.chance.choice([*self.secrets]) if lie else None

    def bytes32(self) -> str:
        return self.chance.randbytes(32).hex()

    def hear(self, heard: Any, sender: str | None) -> Any:
        """Something is said; gives the first event that came of it."""
        moment = Moment(now=self.now, salt=self.bytes32())
        led_to = decide(self.table, heard, sender=sender, moment=moment)
        for event in led_to:
            self.past[self.table.version + 1] = dict(self.cards)
            self.table = evolve(self.table, event)
            facts = msgspec.to_builtins(event)
            line = {"version": self.table.version, "at": self.now, "type": facts.pop("type")}
            self.log.append({**line, "seat": facts.get("seat"), "facts": facts, "text": ""})
        return led_to[0] if led_to else None

    def lies(self, seat: str, lie: str, said: Any) -> bool:
        """The liar's lie, if this is the time for it and the referee believes it."""
        if self.lied or seat != self.liar or lie != self.lie:
            return False
        try:
            event = self.hear(said, seat)
        except Refused:
            return False
        named = (*(line for line in self.log if line["type"] == event.__struct_config__.tag),)
        self.lied = named[-1]["version"]
        return True

    def play(self, most: int = 400) -> "World":
        self.begin()
        for _ in range(most):
            if self.table.phase == "over":
                break
            try:
                self.undo() if self.chance.random() < 0.03 else self.step()
            except Refused:  # after a lie the truth can be impossible
                assert self.lied
                break
        if self.table.phase != "over":
            self.end()
        for seat, secret in self.secrets.items():
            self.hear(say.OpenDeck(secret=secret), seat)
        return self

    def begin(self) -> None:
        host = self.table.host
        for seat, secret in self.secrets.items():
            self.hear(say.SayDeck(kind="device", commit=commitment(secret)), seat)
        self.hear(say.Prepare(), host)
        for seat in self.secrets:
            self.hear(say.SayReady(ready=True), seat)
        began = self.hear(say.Begin(first="lot"), host)
        for seat, secret in self.secrets.items():
            self.cards[seat] = dealt(PACK, secret, began.salt)

    def end(self) -> None:
        while self.table.game and self.table.game.window:
            self.close()
        self.hear(say.EndGame(), self.table.host)

    def undo(self) -> None:
        if self.table.undoable and not self.lied:
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
        game = self.table.playing()
        self.hear(say.Instruct(cell=self.a_cell(seat)), game.before(seat))

    def a_cell(self, seat: str) -> Cell:
        return self.chance.choice([*self.cards[seat].grid])

    def act(self, seat: str) -> None:
        hand = [card for card in self.cards[seat].hand if self.action(card)]
        others = [card.id for card in QUARANTINED.cards if self.action(card.id)]
        missing = [card for card in others if not self.cards[seat].holds(card)]
        if missing and self.lies(seat, "play", self.playing(seat, self.chance.choice(missing))):
            return
        play = self.playing(seat, self.chance.choice(hand)) if hand else None
        if play is None or self.chance.random() < 0.6:
            assert self.table.game and self.table.game.turn
            self.hear(say.Draw(cell=self.table.game.turn.told), seat)
            return
        self.hear(play, seat)
        self.cards[seat] = self.cards[seat].left(play.card)

    def action(self, card: str) -> bool:
        return QUARANTINED.card(card).effect not in ("kitten", "defuse", "nope")

    def playing(self, seat: str, card: str) -> Any:
        """The card, at somebody if it needs that; a draw where nobody is left for it."""
        if QUARANTINED.card(card).effect != "favor":
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
        could = [s for s in game.living if s != game.played.top and self.cards[s].holds("nope")]
        if could and self.chance.random() < 0.4:
            seat = self.chance.choice(could)
            self.hear(say.PlayNope(window=game.window.id), seat)
            self.cards[seat] = self.cards[seat].left("nope")
        else:
            self.close()

    def close(self) -> None:
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
        self.cards[seat] = self.cards[seat].shuffled(self.secrets[seat], event.salt, event.cells)

    def reveal(self, _: str) -> None:
        played = self.table.playing().played
        assert played and played.target and played.cell
        truth = self.cards[played.target].grid[played.cell]
        others = [card.id for card in QUARANTINED.cards if card.id != truth]
        if not self.lies(played.target, "reveal", say.Reveal(card=self.chance.choice(others))):
            self.hear(say.Reveal(card=truth), played.target)

    def report(self, seat: str) -> None:
        told = self.table.playing().turn.told
        kitten = self.cards[seat].grid[told] == PACK.kitten
        true, other = ("kitten", "safe") if kitten else ("safe", "kitten")
        if self.lies(seat, other, say.Report(outcome=other)):
            kitten = not kitten
        else:
            self.hear(say.Report(outcome=true), seat)
        if not kitten:
            self.cards[seat] = self.cards[seat].drawn(told)

    def kitten(self, seat: str) -> None:
        cards, secret, version = self.cards[seat], self.secrets[seat], self.table.version
        if not cards.holds(PACK.defuse) or PACK.kitten not in cards.grid.values():
            self.hear(say.Explode(), seat)
            return
        cells = self.anywhere(seat) or tuple(cards.grid)
        place = self.chance.choice(cells)
        if not self.lies(seat, "seal", say.Defuse(cells=cells, hidden=self.bytes32())):
            hidden = sealed(secret, version, place)
            self.hear(say.Defuse(cells=cells, hidden=hidden), seat)
        defused = next(line for line in reversed(self.log) if line["type"] == "kitten_defused")
        salt = defused["facts"]["salt"]
        cards = cards.left(PACK.defuse)
        self.cards[seat] = cards.defused(secret, salt, cells, (PACK.kitten, place))
