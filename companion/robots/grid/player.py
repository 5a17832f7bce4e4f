"""The player behind a draw-grid robot. It keeps track of its own cards and picks the next command.

A robot has a device deck: its cards are dealt from a secret, which is published after the game. The
robot computes the places of its cards from the table's log, as ``companion check`` does. All
randomness comes from the robot's secret and from the salts, which are in the log. After an undo the
robot forgets the states since the undone version.
"""

import hmac
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from random import Random
from secrets import token_hex

from companion.device_decks.check import Deck, apply_event
from companion.device_decks.dealing import Cards, Cell, Json, Pack, cell_of, commitment, deal, seal
from companion.robots import player
from companion.robots.grid.strategy import Strategy, find_face_down, find_face_up
from companion.robots.player import MAX_STATES, Chooser, Temper, Wish
from companion.robots.view import (
    LOG_LENGTH,
    Command,
    Titles,
    View,
    commands_of_type,
    first_of_type,
    seat_of,
)

CARD_COMMANDS = ("play", "look", "shuffled", "reveal", "report", "defuse", "explode")
"""Commands that depend on where the cards lie. The robot sends them with the view's version."""

# seconds from the end of a game until a robot publishes its deck's secret; until then, the end can
# still be undone
OPEN_AFTER_SECONDS = 15


class Secrets:
    """Derives a robot's secrets from a key, so that it finds them again after a restart.

    Each secret also depends on the table's version at the time. Versions only increase, so no
    secret is used in two games. ``given`` contains the secrets of players whose seats the robot has
    taken over.
    """

    def __init__(self, key: str, *given: str) -> None:
        self._key = bytes.fromhex(key)
        # secrets by commitment; None for a commitment that no secret of this robot fits
        self._by_commitment: dict[str, str | None] = {
            commitment(secret): secret for secret in given
        }

    def draw(self, version: int) -> str:
        """Return the secret of a deck whose commitment is made at this version of the table."""
        message = b"deck\0" + version.to_bytes(4)
        return hmac.digest(self._key, message, "sha256").hex()

    def find(self, commit: str | None, version: int) -> str | None:
        """Return the secret of a commitment that was made at or before this version.

        Return None if no secret of this robot fits the commitment.
        """
        if commit and commit not in self._by_commitment:
            secrets = (self.draw(earlier) for earlier in range(version, -1, -1))
            self._by_commitment[commit] = next(
                (secret for secret in secrets if commitment(secret) == commit), None
            )
        return self._by_commitment.get(commit or "")


class Player(player.Player):
    """One draw-grid robot. It shares its cards with no other robot, so it needs no lock."""

    strategy: Strategy

    def __init__(self, seat: str, temper: Temper, chance: Random, variant: Json) -> None:
        titles = Titles(variant["cards"])
        super().__init__(Strategy(seat, temper, chance, titles), nullcontext())
        self.pack = Pack.parse(variant)
        self.secrets = Secrets(token_hex(32))
        self._epoch: str | None = None
        self._forget()

    def _forget(self) -> None:
        self._version = 0  # version of the last log entry that has been read
        self._commit: str | None = None
        # the secret of the robot's deck if it isn't published yet, else None
        self.closed: str | None = None
        self._secret = ""
        # The robot's cards after each event of its seat in this game, each with the event's
        # version. The last entry is the current state.
        self.states: list[tuple[int, Cards]] = []
        self._on_table = False  # True if the deck has no commitment, so that nobody can check it
        # the cell that the robot has just looked at and wants to note
        self._note: Cell | None = None

    @property
    def cards(self) -> Cards:
        return self.states[-1][1]

    @property
    def hand(self) -> Sequence[str]:
        return self.cards.hand

    def choose(self, view: View, may: Sequence[Command] | None = None) -> Wish | None:
        self.follow(view)
        # Don't publish the secret in the lobby, where the end of the game can still be undone.
        if self.closed and view["phase"] in ("setup", "over") and not view.get("asked"):
            command = {"type": "open", "secret": self.closed, "version": view["version"]}
            return replace(self.make_wish(command), min_seconds=seconds_until_opening(view))
        return super().choose(view, may)

    def on_accepted(self, wish: Wish, version: int) -> None:
        if wish.command["type"] == "note":
            self._note = None

    def cards_match(self, view: View) -> bool:
        if view["phase"] not in ("roll_call", "play"):
            return True
        mine = seat_of(view, self.seat)
        return not mine["alive"] or bool(self.states and cards_match_seat(self.cards, mine))

    # Keeping the cards up to date.

    def follow(self, view: View) -> None:
        """Read the new log entries of a view.

        Read the whole log again if some entries were missed, or if the cards don't match what the
        view shows."""
        if view.get("epoch") != self._epoch:
            self._forget()
            self._epoch = view.get("epoch")
        new = [entry for entry in view["log"] if entry["version"] > self._version]
        missed = len(new) == LOG_LENGTH and new[0]["version"] > self._version + 1
        self._read_log(new)
        self._version = max(self._version, view["version"])
        lost = bool(new and view["you"]) and not self.cards_match(view)
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
                    # these entries belong to an earlier game, which had other house rules
                    self._commit = None
                case "game_began":
                    self._deal(facts.get("salt", ""))
                case "deck_opened" if mine:
                    self.closed = None
                case "undone":
                    while len(self.states) > 1 and self.states[-1][0] >= facts["version"]:
                        del self.states[-1]
                case kind if mine and self.states:
                    self._apply_event(entry)
                    self._note = cell_of(facts["cell"]) if kind == "looked" else self._note

    def _deal(self, salt: str) -> None:
        """Deal the cards of a new game.

        If the deck has no commitment, nobody can check it, so draw a new secret here.
        """
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

    def _apply_event(self, entry: Json) -> None:
        """Apply an event of the robot's own seat to its cards.

        If the deck has no commitment, nobody can check it, so draw a new salt here.
        """
        if self._on_table:
            entry = {**entry, "facts": {**entry["facts"], "salt": self.secrets.draw(self._version)}}
        cards, _ = apply_event(Deck(self.pack, self._secret), self.cards, entry)
        if cards is not None:
            self.states = [*self.states[-MAX_STATES:], (self._version, cards)]

    # Choosing a command.

    def _get_ready(self, view: View) -> Wish | None:
        commit = seat_of(view, self.seat)["deck"].get("commit")
        if self.secrets.find(commit, view["version"]):
            return super()._get_ready(view)
        new_commit = commitment(self.secrets.draw(view["version"]))
        return self.make_wish({"type": "deck", "kind": "device", "commit": new_commit})

    def _play(self, view: View, may: Sequence[Command]) -> Wish | None:
        mine = seat_of(view, self.seat)
        cell = self._note
        if not mine["alive"] or not self.cards_match(view):
            return None
        if cell in self.cards.seen and cell in find_face_down(mine["grid"]):
            return self.make_wish({"type": "note", "cell": [*cell], "card": self.cards.grid[cell]})
        wish = super()._play(view, may)
        if wish is None or wish.command["type"] not in CARD_COMMANDS:
            return wish
        return replace(wish, command={**wish.command, "version": view["version"]})

    def choosers_by_type(self) -> Mapping[str, Chooser]:
        return {
            "call_next": lambda view, may: self.make_wish(first_of_type(may, "call_next")),
            "look": self._look,
            "shuffled": lambda view, may: self.make_wish(
                self._choose_cells(first_of_type(may, "shuffled"))
            ),
            "reveal": self._reveal,
            "report": self._report,
            "explode": self._handle_kitten,
            "defuse": self._handle_kitten,
            "draw": self._act,
            "play": self._act,
            "instruct": lambda view, may: self.make_wish(
                self.strategy.choose_told_cell(view, commands_of_type(may, "instruct"))
            ),
        }

    def _choose_reaction(self, view: View) -> str:
        if view["played"]["card"] in self.titles or self.titles.nope not in self.hand:
            return super()._choose_reaction(view)
        return self.strategy.choose_reaction_to_instruction(view, self.cards)

    def _look(self, view: View, may: Sequence[Command]) -> Wish:
        return self.make_wish(
            self.strategy.choose_cell_to_look_at(view, commands_of_type(may, "look"), self.cards)
        )

    def _reveal(self, view: View, may: Sequence[Command]) -> Wish:
        card = self.cards.grid[cell_of(view["played"]["cell"])]
        return self.make_wish({**first_of_type(may, "reveal"), "card": card})

    def _report(self, view: View, may: Sequence[Command]) -> Wish | None:
        """Report whether the drawn card is the Kitten.

        If the host drew the card for this seat, don't report anything: wait until the draw is
        undone. But if the table allows no undo, report the card anyway.
        """
        touches = [entry for entry in view["log"] if entry["type"] == "card_touched"]
        by_host = bool(touches) and touches[-1]["facts"].get("by")
        if by_host and view["options"]["take_back"] != "nobody":
            return None
        kitten = self.cards.grid[cell_of(view["turn"]["told"])] == self.titles.kitten
        return self.make_wish(
            {**first_of_type(may, "report"), "outcome": "kitten" if kitten else "safe"}
        )

    def _handle_kitten(self, view: View, may: Sequence[Command]) -> Wish:
        if self.titles.defuse not in self.hand:
            return self.make_wish({**first_of_type(may, "explode"), "type": "explode"})
        command = self._choose_cells({**first_of_type(may, "defuse"), "type": "defuse"})
        cells = [cell_of(cell) for cell in command.get("cells", self.cards.grid)]
        cell = self.chance.choice(cells)
        hidden = seal(self._secret, view["version"], cell)
        return self.make_wish({**command, "hidden": hidden})

    def _act(self, view: View, may: Sequence[Command]) -> Wish:
        plays = [entry for entry in commands_of_type(may, "play") if entry["card"] in self.hand]
        choices = [*plays, *commands_of_type(may, "draw")]
        return self.make_wish(self.strategy.choose_action(view, choices, self.cards))

    def _choose_cells(self, command: Command) -> Command:
        """Choose new cells for the cards of the grid, and add them to a command.

        The number of cards stays the same (ruling same-number-of-cards). In most cases, return the
        command without cells: the same cells then stay occupied.
        """
        if self.chance.random() < 0.7:
            return command
        cells = sorted(self.chance.sample(self.pack.cells, len(self.cards.grid)))
        return {**command, "cells": [list(cell) for cell in cells]}


def cards_match_seat(cards: Cards, seat: Json) -> bool:
    """Return True if the cards match everything that a view shows of the seat."""
    up = find_face_up(seat["grid"])
    down = find_face_down(seat["grid"])
    return (
        len(cards.hand) == seat["hand"]
        and list(cards.discard) == list(seat["discard"])
        and set(cards.grid) == {*up, *down}
        and all(cards.grid[cell] == card for cell, card in up.items())
    )


def seconds_until_opening(view: View) -> float:
    """Return the seconds that remain after the end of a game until the secret is published."""
    if view["phase"] != "over":
        return 0.0
    won = next((entry["at"] for entry in view["log"][::-1] if entry["type"] == "game_won"), 0)
    return float(min(OPEN_AFTER_SECONDS, max(0, OPEN_AFTER_SECONDS - (view["now"] - won) / 1000)))
