"""A robot whose deck its own device keeps: dealt from a secret, and open once the game is over.

It plays as one with real cards does; only where chance is at work the cards wait for the
server's salt, which comes with the log. What the table takes back it takes back by version.
"""

import hmac
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from random import Random
from secrets import token_hex

from companion.fair.cards import Pack, dealt
from companion.fair.chance import commitment, sealed
from companion.fair.check import Entry, games
from companion.robots import player
from companion.robots.grid.deck import Deck, put_back, recalled, stirred
from companion.robots.grid.player import Player, Wish
from companion.robots.player import REMEMBERED, Seating
from companion.robots.temper import Temper
from companion.robots.view import LINES, Command, Json, View, first, seat_of

BY_CARDS = ("play", "look", "shuffled", "reveal", "report", "defuse", "explode")
"""What is said by how the cards lie: at the version at which they lie so."""

OPENS_SECONDS = 15
"""For so long after its end a game can be taken back before its decks are opened."""


class Secrets:
    """A robot's secrets, from a key, so that they are known again after a restart.

    ``given``: by a player. A secret is for one game alone, so the table's version, which only
    grows, goes into it.
    """

    def __init__(self, key: str, *given: str) -> None:
        self._key = bytes.fromhex(key)
        self._known: dict[str, str | None] = {commitment(secret): secret for secret in given}

    def draw(self, version: int) -> str:
        """Another secret, at this version of the table."""
        said = b"deck\0" + version.to_bytes(4)
        return hmac.digest(self._key, said, "sha256").hex()

    def find(self, commit: str | None, version: int) -> str | None:
        """The secret that was committed to, by this version."""
        if commit and commit not in self._known:
            drawn = (self.draw(at) for at in range(version, -1, -1))
            self._known[commit] = next((s for s in drawn if commitment(s) == commit), None)
        return self._known.get(commit or "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Stir(Wish):
    """Besides: how the cards lie once the server's salt is known."""

    lie: Callable[[str], Deck]


class DevicePlayer(Player):
    """One robot's head, with a device's deck.

    ``secrets``: where its secrets come from; ``closed`` is that of a game which it has not opened
    yet. ``versions``: what each of its decks came of. ``log`` gives the table's whole log, from
    which it tells its cards anew where it has missed something.
    """

    def __init__(self, seat: str, temper: Temper, chance: Random, variant: Json) -> None:
        super().__init__(seat, temper, chance, variant["cards"])
        self.fair = Pack.heard(variant)
        self.secrets = Secrets(token_hex(32))
        self.log: Callable[[], list[Entry]] | None = None
        self.secret = ""
        self.closed: str | None = None
        self.next: str | None = None
        self.versions: list[int] = []
        self.heard = 0
        self.stirring: Callable[[str], Deck] | None = None

    def choose(self, view: View, may: Sequence[Command] | None = None) -> player.Wish | None:
        """What the robot wants to say in this view; a game that is over is opened first."""
        if self.log is not None and not self.heard:
            self._recall()
        # In the lobby the end of a game can still be taken back, and for a while after it.
        if self.closed and view["phase"] in ("setup", "over") and not view.get("asked"):
            command = {"type": "open", "secret": self.closed, "version": view["version"]}
            return replace(self._wish(command), least=closed_for(view))
        return super().choose(view, may)

    def accepted(self, wish: player.Wish, version: int = 0) -> None:
        """The table took it: the cards lie as the wish says, or will by the salt."""
        if wish.command["type"] == "open":
            self.closed = None
        if wish.command["type"] == "deck":
            self.next = None
        if isinstance(wish, Stir):
            self.stirring = wish.lie
        before = self.decks
        super().accepted(wish, version)
        if self.decks is not before:
            self.versions = [*self.versions[-REMEMBERED:], version]

    def agrees(self, view: View) -> bool:
        """Whether its cards still look like what the call sees of them, once the salt is known."""
        if self.stirring is not None:
            return True
        playing = view["phase"] in ("roll_call", "play")
        mine = seat_of(view, self.seat)
        if playing and mine["alive"] and not self.decks:
            return bool(mine["deck"]["kind"] == "table")
        return super().agrees(view)

    # Before and after a game.

    def _get_ready(self, view: View) -> player.Wish | None:
        commit = seat_of(view, self.seat)["deck"].get("commit")
        if self.secrets.find(commit, view["version"]):
            return super()._get_ready(view)
        self.next = self.next or self.secrets.draw(view["version"])
        return self._wish({"type": "deck", "kind": "device", "commit": commitment(self.next)})

    # Following the table.

    def _play(self, view: View, may: Sequence[Command]) -> player.Wish | None:
        wish = super()._play(view, may)
        if wish is None or wish.command["type"] not in BY_CARDS:
            return wish
        return replace(wish, command={**wish.command, "version": view["version"]})

    def _follow(self, view: View) -> None:
        missed = len(view["log"]) == LINES and view["log"][0]["version"] > self.heard + 1
        for line in view["log"]:
            if line["version"] > self.heard:
                self._hear(line["type"], line["version"], line["facts"], view)
        heard, self.heard = self.heard, max(self.heard, view["version"])
        if seat_of(view, self.seat)["deck"]["kind"] == "table":
            super()._follow(view)
        elif heard < view["version"] and (missed or not self.agrees(view)):
            self._recall()

    def _recall(self) -> None:
        """The cards as the log tells them."""
        log = self.log() if self.log else []
        if not log:
            return
        self.heard = log[-1]["version"]
        found = games(log)
        if not found:
            return
        game, seat = found[-1], self.seat
        self.secret = self.secrets.find(game.decks.get(seat), self.heard) or ""
        self.closed = None if seat in game.opened else self.secret or None
        self.note, self.stirring, self.decks, self.versions = None, None, [], []
        if self.secret:
            told = [*recalled(self.titles, self.fair, self.secret, game, seat)]
            self.versions, self.decks = [v for v, _ in told], [deck for _, deck in told]

    def _hear(self, kind: str, version: int, facts: Json, view: View) -> None:
        """What moves the cards without a word of this robot's."""
        if kind == "game_began":
            deck = seat_of(view, self.seat)["deck"]
            self._deal(deck.get("commit"), facts.get("salt", ""), version)
        elif kind == "undone" and self.secret:
            self._take_back(facts["version"])
        elif kind in ("grid_shuffled", "kitten_defused") and facts["seat"] == self.seat:
            self._stir(facts.get("salt", ""), version)

    def _deal(self, commit: str | None, salt: str, version: int) -> None:
        self.secret = self.secrets.find(commit, version) or ""
        self.closed, self.note, self.stirring = self.secret or None, None, None
        self.decks, self.versions = [], []
        if self.secret:
            cards = dealt(self.fair, self.secret, salt)
            self.decks = [Deck(titles=self.titles, hand=cards.hand, grid=cards.grid)]
            self.versions = [version]

    def _take_back(self, version: int) -> None:
        while len(self.versions) > 1 and self.versions[-1] >= version:
            del self.versions[-1], self.decks[-1]
        self.note = None

    def _stir(self, salt: str, version: int) -> None:
        if self.stirring is not None:
            self.decks = [*self.decks[-REMEMBERED:], self.stirring(salt)]
            self.versions = [*self.versions[-REMEMBERED:], version]
            self.stirring = None

    # What it says where chance is at work.

    def _report(self, view: View, may: Sequence[Command]) -> Wish | None:
        """What it touched itself; what the host touched for it only where that stands."""
        touched = next((one for one in view["log"][::-1] if one["type"] == "card_touched"), None)
        by_host = touched is not None and touched["facts"].get("by")
        if by_host and view["options"]["take_back"] != "nobody":
            return None
        return super()._report(view, may)

    def _shuffled(self, view: View, may: Sequence[Command]) -> Wish | None:
        if not self.secret:
            return super()._shuffled(view, may)
        command, cells = self._laid_out(view, first(may, "shuffled"))
        deck, secret = self.deck, self.secret

        def lie(salt: str) -> Deck:
            return stirred(deck, secret, salt, cells)

        return Stir(command=command, seconds=self._pause(command), lie=lie)

    def _kitten(self, view: View, may: Sequence[Command]) -> Wish | None:
        if not self.secret or self.titles.defuse not in self.hand:
            return super()._kitten(view, may)
        command, cells = self._laid_out(view, first(may, "defuse") | {"type": "defuse"})
        place = self.chance.choice(cells)
        deck, secret = self.deck.played(self.titles.defuse), self.secret
        hidden = sealed(secret, view["version"], place)

        def lie(salt: str) -> Deck:
            return put_back(deck, secret, salt, cells, place)

        command = {**command, "hidden": hidden}
        return Stir(command=command, seconds=self._pause(command), lie=lie)


def closed_for(view: View) -> float:
    """For how many seconds more the end of a game that is over is left to be taken back."""
    if view["phase"] != "over":
        return 0.0
    won = next((line["at"] for line in view["log"][::-1] if line["type"] == "game_won"), 0)
    return float(min(OPENS_SECONDS, max(0, OPENS_SECONDS - (view["now"] - won) / 1000)))


def sit(variant: Json, chance: Random) -> Seating:
    """Players of one table; each deals its own deck, so that the table's chances aren't needed."""

    def seating(seat: str, temper: Temper, chance: Random) -> DevicePlayer:
        return DevicePlayer(seat, temper, chance, variant)

    return seating
