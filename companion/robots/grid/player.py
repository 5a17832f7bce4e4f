"""One robot of the draw grid: what it says next, of what it may say and what is true of its cards.
Its deck is its own device's, dealt from a secret and open once the game is over. How its cards lie
it reads in the table's log as ``companion check`` does: chance, too, comes with the log, and what
the table takes back it takes back by version."""

import hmac
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from random import Random
from secrets import token_hex

from companion.fair.cards import Cards, Cell, Json, Pack, cell_of, commitment, deal, seal
from companion.fair.check import Deck, follow
from companion.robots import player
from companion.robots.grid.strategy import Strategy, face_down, face_up
from companion.robots.player import REMEMBERED, Say, Temper, Wish
from companion.robots.view import LINES, Command, Titles, View, every, first, seat_of

BY_CARDS = ("play", "look", "shuffled", "reveal", "report", "defuse", "explode")
"""What is said by how the cards lie: at the version at which they lie so."""

OPENS_SECONDS = 15  # for so long after its end a game can be taken back before its decks are opened


class Secrets:
    """A robot's secrets, from a key, so that they are known again after a restart; ``given``: by a
    player. The table's version, which only grows, goes into each: it is for one game alone."""

    def __init__(self, key: str, *given: str) -> None:
        self._key = bytes.fromhex(key)
        self._known: dict[str, str | None] = {commitment(secret): secret for secret in given}

    def draw(self, version: int) -> str:
        said = b"deck\0" + version.to_bytes(4)
        return hmac.digest(self._key, said, "sha256").hex()

    def find(self, commit: str | None, version: int) -> str | None:
        if commit and commit not in self._known:
            drawn = (self.draw(at) for at in range(version, -1, -1))
            self._known[commit] = next((s for s in drawn if commitment(s) == commit), None)
        return self._known.get(commit or "")


class Player(player.Player):
    """One robot at its seat; no other one touches its cards, so it has a floor to itself.
    ``secrets``: where its secrets come from; ``closed`` is that of a game which it has not opened
    yet. ``states``: how its cards lay in this game, each with the version of the event that left
    them so; the last is now."""

    strategy: Strategy

    def __init__(self, seat: str, temper: Temper, chance: Random, variant: Json) -> None:
        titles = Titles(variant["cards"])
        super().__init__(Strategy(seat, temper, chance, titles), nullcontext())
        self.pack = Pack.parse(variant)
        self.secrets = Secrets(token_hex(32))
        self._epoch: str | None = None
        self._forget()

    def _forget(self) -> None:
        self._version = 0
        self._commit: str | None = None
        self.closed: str | None = None
        self._secret = ""
        self.states: list[tuple[int, Cards]] = []
        self._on_table = False
        self._note: Cell | None = None

    @property
    def cards(self) -> Cards:
        return self.states[-1][1]

    @property
    def hand(self) -> Sequence[str]:
        return self.cards.hand

    def choose(self, view: View, may: Sequence[Command] | None = None) -> Wish | None:
        self.follow(view)
        # In the lobby the end of a game can still be taken back, and for a while after it.
        if self.closed and view["phase"] in ("setup", "over") and not view.get("asked"):
            command = {"type": "open", "secret": self.closed, "version": view["version"]}
            return replace(self.wish(command), least=closed_for(view))
        return super().choose(view, may)

    def on_accepted(self, wish: Wish, version: int) -> None:
        if wish.command["type"] == "note":
            self._note = None

    def agrees(self, view: View) -> bool:
        if view["phase"] not in ("roll_call", "play"):
            return True
        mine = seat_of(view, self.seat)
        return not mine["alive"] or bool(self.states and look_like(self.cards, mine))

    # Following the table.

    def follow(self, view: View) -> None:
        """Whoever has missed something, or does not understand what the call sees, reads it all."""
        if view.get("epoch") != self._epoch:
            self._forget()
            self._epoch = view.get("epoch")
        new = [line for line in view["log"] if line["version"] > self._version]
        missed = len(new) == LINES and new[0]["version"] > self._version + 1
        self._read_log(new)
        self._version = max(self._version, view["version"])
        lost = bool(new and view["you"]) and not self.agrees(view)
        if (missed or lost) and (log := self.log()):
            self._forget()
            self._read_log(log)

    def _read_log(self, log: Sequence[Json]) -> None:
        changed = max((e["version"] for e in log if e["type"] == "house_rules_changed"), default=0)
        if changed:
            self.pack = Pack.parse(self.variant())
        for entry in log:
            facts = entry["facts"]
            mine = entry["seat"] == self.seat
            self._version = entry["version"]
            match entry["type"]:
                case "deck_said" if mine:
                    self._commit = facts.get("commit")
                case "game_began" if entry["version"] < changed:
                    self._commit = None  # by other rules, and over
                case "game_began":
                    self._deal(facts.get("salt", ""))
                case "deck_opened" if mine:
                    self.closed = None
                case "undone":
                    while len(self.states) > 1 and self.states[-1][0] >= facts["version"]:
                        del self.states[-1]
                case kind if mine and self.states:
                    self._move(entry)
                    self._note = cell_of(facts["cell"]) if kind == "looked" else self._note

    def _deal(self, salt: str) -> None:
        """The cards of a new game; those of a deck on the table by its own chance alone."""
        commit = self._commit
        self._commit = None
        self.closed = self.secrets.find(commit, self._version)
        self._on_table = commit is None
        self._secret = self.closed or ""
        self.states = []
        if self._on_table:
            self._secret = self.secrets.draw(self._version)
            salt = ""
        if self._secret:
            self.states = [(self._version, deal(self.pack, self._secret, salt))]

    def _move(self, entry: Json) -> None:
        """What its own event does with its cards; those on the table it shuffles by itself."""
        if self._on_table:
            entry = {**entry, "facts": {**entry["facts"], "salt": self.secrets.draw(self._version)}}
        cards, _ = follow(Deck(self.pack, self._secret), self.cards, entry)
        if cards is not None:
            self.states = [*self.states[-REMEMBERED:], (self._version, cards)]

    # What it says, by what it may say.

    def _get_ready(self, view: View) -> Wish | None:
        commit = seat_of(view, self.seat)["deck"].get("commit")
        if self.secrets.find(commit, view["version"]):
            return super()._get_ready(view)
        drawn = commitment(self.secrets.draw(view["version"]))
        return self.wish({"type": "deck", "kind": "device", "commit": drawn})

    def _play(self, view: View, may: Sequence[Command]) -> Wish | None:
        mine = seat_of(view, self.seat)
        cell = self._note
        if not mine["alive"] or not self.agrees(view):
            return None
        if cell in self.cards.seen and cell in face_down(mine["grid"]):
            return self.wish({"type": "note", "cell": [*cell], "card": self.cards.grid[cell]})
        wish = super()._play(view, may)
        if wish is None or wish.command["type"] not in BY_CARDS:
            return wish
        return replace(wish, command={**wish.command, "version": view["version"]})

    def answers(self) -> Mapping[str, Say]:
        return {
            "call_next": lambda view, may: self.wish(first(may, "call_next")),
            "look": self._look,
            "shuffled": lambda view, may: self.wish(self._laid_out(first(may, "shuffled"))),
            "reveal": self._reveal,
            "report": self._report,
            "explode": self._kitten,
            "defuse": self._kitten,
            "draw": self._act,
            "play": self._act,
            "instruct": lambda view, may: self.wish(
                self.strategy.tell(view, every(may, "instruct"))
            ),
        }

    def _look(self, view: View, may: Sequence[Command]) -> Wish:
        return self.wish(self.strategy.look(view, every(may, "look"), self.cards))

    def _reveal(self, view: View, may: Sequence[Command]) -> Wish:
        card = self.cards.grid[cell_of(view["played"]["cell"])]
        return self.wish({**first(may, "reveal"), "card": card})

    def _report(self, view: View, may: Sequence[Command]) -> Wish | None:
        """What it touched itself; what the host touched for it only where that stands."""
        touched = next((one for one in view["log"][::-1] if one["type"] == "card_touched"), None)
        by_host = touched is not None and touched["facts"].get("by")
        if by_host and view["options"]["take_back"] != "nobody":
            return None
        kitten = self.cards.grid[cell_of(view["turn"]["told"])] == self.titles.kitten
        return self.wish({**first(may, "report"), "outcome": "kitten" if kitten else "safe"})

    def _kitten(self, view: View, may: Sequence[Command]) -> Wish:
        if self.titles.defuse not in self.hand:
            return self.wish({**first(may, "explode"), "type": "explode"})
        command = self._laid_out({**first(may, "defuse"), "type": "defuse"})
        cell = self.chance.choice([cell_of(one) for one in command.get("cells", self.cards.grid)])
        hidden = seal(self._secret, view["version"], cell)
        return self.wish({**command, "hidden": hidden})

    def _act(self, view: View, may: Sequence[Command]) -> Wish:
        plays = [entry for entry in every(may, "play") if entry["card"] in self.hand]
        holds = [*plays, *every(may, "draw")]
        return self.wish(self.strategy.act(view, holds, self.cards))

    def _laid_out(self, command: Command) -> Command:
        """Where the cards lie after a rearrangement: mostly in the same cells as before,
        which goes without saying, now and then in others (same-number-of-cards)."""
        if self.chance.random() < 0.7:
            return command
        cells = sorted(self.chance.sample(self.pack.cells, len(self.cards.grid)))
        return {**command, "cells": [list(cell) for cell in cells]}


def look_like(cards: Cards, seat: Json) -> bool:
    """Whether these cards look like what the call sees of this seat."""
    up = face_up(seat["grid"])
    down = face_down(seat["grid"])
    return (
        len(cards.hand) == seat["hand"]
        and list(cards.discard) == list(seat["discard"])
        and set(cards.grid) == {*up, *down}
        and all(cards.grid[cell] == card for cell, card in up.items())
    )


def closed_for(view: View) -> float:
    """For how many seconds more the end of a game that is over is left to be taken back."""
    if view["phase"] != "over":
        return 0.0
    won = next((line["at"] for line in view["log"][::-1] if line["type"] == "game_won"), 0)
    return float(min(OPENS_SECONDS, max(0, OPENS_SECONDS - (view["now"] - won) / 1000)))
