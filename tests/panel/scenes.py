"""Views of every phase, step and role, exactly as the server sends them.

Each scene results from commands that the rules accepted, encoded as on the wire. So the panel is
tested with real views, and none is made up. ``python -m tests.panel.scenes FOLDER`` writes the
scenes as JSON.
"""

import json
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any
from uuid import UUID

from msgspec.structs import replace

from companion.device_decks.dealing import commitment
from companion.rules.core.commands import (
    AskPlace,
    Command,
    DecisionInputs,
    Pass,
    SeatRobot,
    TakeSeat,
)
from companion.rules.core.referee import decide
from companion.rules.variants.variant import Variant
from companion.service.codec import convert
from companion.service.table.log import Projection
from companion.service.table.views import Views
from tests.support.own_variants import load_own

HERE = Path(__file__).parent
VARIANT = load_own("quarantined")
SECRET = "5e" * 32
START = 1_790_000_000_000
FOUR = ("Ana", "Ben", "Cleo", "Dora")
TEN = (
    "Abigail Featherstonehaugh", "Bartholomew Cholmondeley", "Clementine Beauregarde-X",
    "Desdemona Throckmorton-Y", "Ebenezer Wolfeschlegelst", "Ferdinand Zwetschkenbaum",
    "Guinevere Papadopoulos-Q", "Hieronymus Oesterreicher", "Ingeborg Van-der-Waarden",
    "WWWWWWWWWWWWWWWWWWWWWWWW",
)  # fmt: skip


class Play:
    """A table without a server. Its commands name players instead of seats."""

    def __init__(
        self,
        names: tuple[str, ...],
        without: tuple[str, ...] = (),
        variant: Variant = VARIANT,
    ) -> None:
        self.journal = Projection("KXQF7H", variant)
        self.now = START
        names = tuple(name[:24] for name in names)
        for name in names:
            if name in without:
                self.send(names[0], "add_seat", name=name)
            else:
                self._decide(TakeSeat(name=name), None)

    @property
    def table(self) -> Any:
        """The state of the table."""
        return self.journal.table

    def views(self, after: int = 0) -> Views:
        """Return the views that the players will have in ``after`` ms."""
        return Views(self.journal, "scene", self.now + after)

    def seat(self, name: str) -> str:
        return next(seat.seat for seat in self.table.seats if seat.name == name[:24])

    def send(self, speaker: str, kind: str, /, **more: Any) -> "Play":
        """Send a command as ``speaker``. ``to`` is the name of the target player."""
        if "to" in more:
            about = {"play": "target", "combo": "target", "call_next": "next"}
            more[about.get(kind, "seat")] = self.seat(more.pop("to"))
        if kind in ("nope", "pass", "hold", "release"):
            assert self.table.game is not None and self.table.game.window is not None
            more["window"] = self.table.game.window.id
        message = {"id": str(UUID(int=0)), "type": kind, "as": self.seat(speaker), **more}
        host = {
            "add_seat", "prepare", "begin", "skip_roll_call", "options", "undo", "rematch",
            "seating", "house_rules",
        }  # fmt: skip
        if kind in host:
            message.pop("as")
        sender = message["as"] if kind in ("note", "deck", "deck_here", "open") else self.table.host
        command: Command = convert(json.loads(json.dumps(message)), self.table.family.command)
        self._decide(command, sender)
        return self

    def begin(self, host: str, first: str) -> "Play":
        """Begin the game, and skip the roll call if there is one."""
        self.send(host, "begin", first=self.seat(first))
        return self.send(host, "skip_roll_call") if self.table.phase == "roll_call" else self

    def _decide(self, command: Any, sender: str | None) -> None:
        self.now += 100 if isinstance(command, Pass) else 900
        moment = DecisionInputs(now=self.now, lot=0, salt="5a" * 32)
        for event in decide(self.table, command, sender=sender, inputs=moment):
            self.journal.add(event, self.now)

    def view(self, name: str | None, after: int = 1700) -> dict[str, Any]:
        """Return a player's view, or a spectator's if ``name`` is None, at a time ``after`` ms from
        now."""
        seat = self.seat(name) if name else None
        shown: dict[str, Any] = json.loads(self.views(after).view_of(seat))
        return shown


def prepare_game(
    names: tuple[str, ...] = FOUR,
    without: tuple[str, ...] = (),
    variant: Variant = VARIANT,
    devices: tuple[str, ...] = (),
) -> Play:
    play = Play(names, without, variant)
    play.send(names[0], "prepare")
    for number, name in enumerate(devices):
        play.send(name, "deck", kind="device", commit=commitment(SECRET[number:] + SECRET[:number]))
    for name in names:
        play.send(name, "ready", ready=True)
    return play


def begin_game(
    names: tuple[str, ...] = FOUR,
    without: tuple[str, ...] = (),
    variant: Variant = VARIANT,
    devices: tuple[str, ...] = (),
) -> Play:
    """Begin a game in which the second player has the first turn and must be instructed by the
    first player."""
    play = prepare_game(names, without, variant, devices)
    return play.begin(names[0], names[1])


def play_turns(play: Play, *told: tuple[int, int]) -> Play:
    """Play turns in which the turn players draw these cells, and every card is safe."""
    for cell in told:
        instructor, up = get_turn_names(play)
        play.send(instructor, "instruct", cell=cell).send(up, "draw", cell=cell)
        play.send(up, "report", outcome="safe")
    return play


def get_turn_names(play: Play) -> tuple[str, str]:
    """Return the names of the instructor and the turn player."""
    game = play.table.game
    assert game is not None and game.turn is not None
    names = {seat.seat: seat.name for seat in play.table.seats}
    return names[game.previous_living(game.turn.seat)], names[game.turn.seat]


def play_some_rounds(
    names: tuple[str, ...] = FOUR, without: tuple[str, ...] = (), devices: tuple[str, ...] = ()
) -> Play:
    """Play some rounds, until the second player has been instructed.

    Afterwards there are gaps and face-up cards in the grids, and discard piles.
    """
    play = begin_game(names, without, devices=devices)
    one, _, three = names[:3]
    play_turns(play, (0, 1), (1, 2))
    while get_turn_names(play)[1] != one[:24]:
        play_turns(play, (0, 0))
    instructor, up = get_turn_names(play)
    play.send(instructor, "instruct", cell=(1, 0))
    play_favor(play, up, three, (1, 0), "skip")
    play.send(up, "play", card="skip")
    everyone_passes(play)
    return play.send(one, "instruct", cell=(1, 2))


ASSAULT = load_own("assault")


def play_attack(devices: tuple[str, ...] = ()) -> Play:
    """Play an Attack, after which the next player owes two turns."""
    play = begin_game(variant=ASSAULT, devices=devices)
    instructor, up = get_turn_names(play)
    play.send(instructor, "instruct", cell=(0, 0)).send(up, "play", card="attack")
    everyone_passes(play)
    return play


def play_favor(play: Play, by: str, target: str, cell: tuple[int, int], card: str) -> None:
    play.send(by, "play", card="favor", to=target, cell=cell)
    everyone_passes(play)
    play.send(target, "reveal", card=card)


def everyone_passes(play: Play) -> None:
    names = {seat.seat: seat.name for seat in play.table.seats}
    while play.table.game and play.table.game.window:
        may = json.loads(play.views().view_of(play.table.host))["you"]["may"]
        play.send(names[next(one["as"] for one in may if one["type"] == "pass")], "pass")


def draw_kitten() -> Play:
    return (
        play_some_rounds().send("Ben", "draw", cell=(1, 2)).send("Ben", "report", outcome="kitten")
    )


def draw_kitten_without_defuse(devices: tuple[str, ...] = ()) -> Play:
    """Let Ben use all his Defuses and then draw the Kitten again."""
    play = play_some_rounds(FOUR, (), devices=devices).send("Ben", "draw", cell=(1, 2))
    sealed = {"hidden": SECRET} if devices else {}
    for others, mine in (((0, 0), (1, 1), (1, 1)), (0, 2)), (((1, 0), (0, 1), (0, 1)), (0, 0)):
        play.send("Ben", "report", outcome="kitten").send("Ben", "defuse", **sealed)
        play_turns(play, *others).send("Ana", "instruct", cell=mine).send("Ben", "draw", cell=mine)
    return play.send("Ben", "report", outcome="kitten")


def explode_cleo() -> Play:
    """Let Cleo explode."""
    play = draw_kitten().send("Ben", "defuse")
    play.send("Ben", "instruct", cell=(0, 1)).send("Cleo", "draw", cell=(0, 1))
    play.send("Cleo", "report", outcome="kitten").send("Cleo", "explode")
    return play


def finish_game() -> Play:
    play = explode_cleo()
    for cell in ((0, 1), (0, 2)):
        instructor, up = get_turn_names(play)
        play.send(instructor, "instruct", cell=cell).send(up, "draw", cell=cell)
        play.send(up, "report", outcome="kitten").send(up, "explode")
    return play


def play_evening(names: tuple[str, ...] = FOUR) -> Play:
    """Play three games at one table, each with another first player."""
    play = begin_game(names)
    for first in names[2:4]:
        explode_until_over(play)
        play.send(names[0], "rematch")
        for name in names:
            play.send(name, "ready", ready=True)
        play.begin(names[0], first)
    return explode_until_over(play)


def explode_until_over(play: Play) -> Play:
    """Let one player after another explode until the game is over."""
    while play.table.phase == "play":
        instructor, up = get_turn_names(play)
        play.send(instructor, "instruct", cell=(0, 0)).send(up, "draw", cell=(0, 0))
        play.send(up, "report", outcome="kitten").send(up, "explode")
    return play


def finish_game_of_ten() -> Play:
    """Play a game of ten players with long names, who explode one after another."""
    return explode_until_over(begin_game(TEN))


def play_see_future() -> Play:
    play = play_some_rounds().send("Ben", "play", card="see_future")
    everyone_passes(play)
    return play


def play_shuffle() -> Play:
    play = play_some_rounds().send("Ben", "play", card="shuffle")
    everyone_passes(play)
    return play


def ask_favor(names: tuple[str, ...] = FOUR, without: tuple[str, ...] = ()) -> Play:
    """Let the second player play a Favor on the fourth player, who must then reveal the card."""
    play = play_some_rounds(names, without).send(
        names[1], "play", card="favor", to=names[3], cell=(0, 2)
    )
    everyone_passes(play)
    return play


def open_window(
    names: tuple[str, ...] = FOUR, without: tuple[str, ...] = (), devices: tuple[str, ...] = ()
) -> Play:
    return play_some_rounds(names, without, devices).send(
        names[1], "play", card="favor", to=names[3], cell=(0, 2)
    )


def instruct_nopeably(devices: tuple[str, ...] = ()) -> Play:
    """Open a window for an instruction to the second player (ruling noped-instruction)."""
    variant = replace(VARIANT, instruction_nopes=True)
    return begin_game(variant=variant, devices=devices).send("Ana", "instruct", cell=(0, 1))


def play_skip_and_nope() -> Play:
    return play_some_rounds().send("Ben", "play", card="skip").send("Ana", "nope")


def play_to_hosts_turn() -> Play:
    """Play until the host has the turn and has been instructed."""
    play = play_some_rounds().send("Ben", "draw", cell=(1, 2)).send("Ben", "report", outcome="safe")
    return play_turns(play, (0, 1), (0, 2)).send("Dora", "instruct", cell=(1, 1))


def begin_setup() -> Play:
    return Play(FOUR, DORA).send("Ana", "prepare").send("Ben", "ready", ready=True)


def begin_roll_call(names: tuple[str, ...] = FOUR) -> Play:
    play = Play(names).send(names[0], "options", roll_call=True).send(names[0], "prepare")
    for name in names:
        play.send(name, "ready", ready=True)
    return play.send(names[0], "begin", first="lot")


def undo_skip_and_nope() -> Play:
    """Play a Skip and a Nope, then undo both."""
    play = play_skip_and_nope().send("Ana", "undo").send("Ana", "undo")
    return play.send("Ben", "play", card="see_future")


def ask_undo(names: tuple[str, ...] = FOUR, kind: str = "play", **more: Any) -> Play:
    """Let the second player give a command, then ask to undo it."""
    play = play_some_rounds(names).send(names[0], "options", take_back="agreement")
    return play.send(names[1], kind, **more).send(names[1], "ask_back")


def add_waiting_players(play: Play) -> Play:
    """Let two visitors ask for a seat in the next game."""
    for name in ("Eve", "Finn"):
        play._decide(AskPlace(name=name), None)
    return play


def note_card() -> Play:
    play = play_see_future().send("Ben", "look", cell=(1, 1))
    return play.send("Ben", "note", cell=(1, 1), card="kitten")


REFUSED = {
    "text": "You have been told already: bottom row, first from your right. That stands until "
    "the turn ends, or a Shuffle.",
    "ruling": "told-once", "spot": "now",
}  # fmt: skip
DORA = ("Dora",)

WAYS = [
    {"way": "ssh:localhost.run", "program": "ssh", "through": "localhost.run", "encrypted": True},
    {"way": "cloudflared", "program": "cloudflared", "through": "Cloudflare", "encrypted": True},
    {"way": "house", "program": None, "through": None, "encrypted": False},
]


def friends_panel(way: str | None = None, tap: str = "") -> dict[str, Any]:
    """Return the panel's state for the operator, with this way open through which friends come."""
    origin = "https://a1b2c3d4e5f6.lhr.life" if way else None
    state = {"way": way, "origin": origin, "ended": None, "reason": None, "choices": WAYS}
    return {"access": state, "tap": tap, "origin": origin}


Scene = tuple[Callable[[], Play], str | None, dict[str, Any]]
"""A scene: the function that plays the game up to it, the viewer's name (None for a spectator), and
the panel's own state."""


KEPT = {
    "lost": False,
    "hand": ["skip", "defuse", "see_future", "skip"],
    "grid": [
        {"cell": [0, 1], "card": "favor"}, {"cell": [0, 2], "card": "shuffle"},
        {"cell": [1, 1], "card": "nope"}, {"cell": [1, 2], "card": "kitten"},
    ],
    "seen": [],
}  # fmt: skip
"""A deck that the viewer's device keeps. It is part of the panel's own state, because no view from
the server contains it."""
FULL = KEPT | {"hand": ["defuse", "see_future", "favor", "nope", "shuffle", "skip", "skip"]}
BARE = {"lens": {}, "bare": True}
BEN = ("Ben",)


def with_device_deck(play: Callable[..., Play]) -> Callable[[], Play]:
    """Return a function that plays the same game, with Ben's cards in a device deck."""
    return lambda: play(FOUR, (), devices=BEN)


def choose_device_decks(play: Play) -> Play:
    """Let every player choose a device deck."""
    for number, name in enumerate(FOUR):
        play.send(name, "deck", kind="device", commit=commitment(f"{number:02d}" * 32))
    return play


def set_up_with_device() -> Play:
    play = Play(FOUR, DORA).send("Ana", "prepare")
    return play.send("Ben", "deck", kind="device", commit=commitment(SECRET))


def say_nobody_has_cards() -> Play:
    """Let the host say that nobody has cards. Dora has no panel, and Cleo has declined."""
    play = Play(FOUR, DORA).send("Ana", "options", device_decks=True)
    for number, name in enumerate(("Ana", "Ben"), 1):
        play.send(name, "deck", kind="device", commit=commitment(f"{number:02d}" * 32))
    return play


def move_seat_without_deck() -> Play:
    """Let Ben's seat move to a device that doesn't have his deck."""
    return play_some_rounds(FOUR, (), devices=BEN).send("Ben", "deck_here", here=False)


def draw_kitten_with_device() -> Play:
    play = play_some_rounds(FOUR, (), devices=BEN).send("Ben", "draw", cell=(1, 2))
    return play.send("Ben", "report", outcome="kitten")


def look_with_device() -> Play:
    play = play_some_rounds(FOUR, (), devices=BEN).send("Ben", "play", card="see_future")
    everyone_passes(play)
    return play.send("Ben", "look", cell=(1, 1))


def finish_game_with_device() -> Play:
    """Play a game to its end and open Ben's deck.

    The cards that he showed aren't those of his deck, so the check reports contradictions.
    """
    play = draw_kitten_with_device().send("Ben", "explode")
    while play.table.phase == "play":
        instructor, up = get_turn_names(play)
        cell = (0, 1) if up == "Cleo" else (1, 1)
        play.send(instructor, "instruct", cell=cell).send(up, "draw", cell=cell)
        play.send(up, "report", outcome="kitten").send(up, "explode")
    return play.send("Ben", "open", secret=SECRET)


def add_robots(*names: str) -> Play:
    """Create Ana's table, with a robot for each of these names."""
    play = Play(FOUR[:1])
    for name in names:
        play._decide(SeatRobot(name=name, robot="careful"), play.table.host)
    return play


def set_house_rules() -> Play:
    """Create a table of four with house rules."""
    rules = {
        "name": "W" * 24, "cards": {"skip": 4}, "deal": {"put_away": 2, "grid": 8},
        "grid": {"rows": 3}, "instruction_nopes": True,
    }  # fmt: skip
    return Play(FOUR).send("Ana", "house_rules", rules=rules)


def begin_with_robots() -> Play:
    """Begin a game with robots in which Ana has to instruct one of them."""
    play = add_robots("Beep", "Clank", "Wolfeschlegelsteinhausen").send("Ana", "prepare")
    for number, name in enumerate(("Ana", "Beep", "Clank", "Wolfeschlegelsteinhausen")):
        commit = commitment(f"{number:02x}" * 32)
        play.send(name, "deck", kind="device", commit=commit).send(name, "ready", ready=True)
    return play.begin("Ana", "Beep")


def lesson_prefs(*seen: str, bare: bool = True) -> dict[str, Any]:
    """Return the preferences of a player who has switched lessons on and has already seen these
    lessons."""
    return {"lens": {}, "bare": bare, "lessons": {"table": "KXQF7H", "seen": list(seen)}}


def refused_panel(state: str) -> dict[str, Any]:
    """Return the panel's state for a visitor whom a table without spectators has refused."""
    return {
        "connection": "closed",
        "closeReason": {"code": "forbidden", "text": "", "facts": {"door": state}},
    }


SCENES: dict[str, Scene] = {
    "lobby-host": (lambda: Play(FOUR, DORA), "Ana", {}),
    "lobby-guest": (lambda: Play(FOUR, DORA), "Ben", {}),
    "lobby-spectator": (lambda: Play(FOUR), None, {}),
    "lobby-alone": (lambda: Play(FOUR[:1]), "Ana", {}),
    "lobby-only-here": (lambda: Play(FOUR[:1]), "Ana", {"origin": None}),
    "lobby-friends": (lambda: Play(FOUR[:1]), "Ana", friends_panel()),
    "lobby-friends-choose": (
        lambda: Play(FOUR[:1]),
        "Ana",
        friends_panel(tap="[data-do=let-in]"),
    ),
    "lobby-friends-open": (lambda: Play(FOUR[:2]), "Ana", friends_panel("ssh:localhost.run")),
    "lobby-ten": (lambda: Play(TEN), TEN[0], {}),
    "door-next": (begin_game, None, refused_panel("next")),
    "door-open": (lambda: Play(FOUR), None, refused_panel("open")),
    "setup-host": (begin_setup, "Ana", {}),
    "setup-guest": (begin_setup, "Cleo", {}),
    "setup-away": (
        begin_setup,
        "Ana",
        {"presence": {"seats": {"s3": "away"}, "spectators": 0}, "setupStep": 1},
    ),
    "setup-all-ready": (prepare_game, "Ana", {}),
    "setup-all-ready-guest": (prepare_game, "Cleo", {}),
    "setup-ten": (lambda: Play(TEN).send(TEN[0], "prepare"), TEN[0], {}),
    "setup-looked": (begin_setup, "Cleo", {"cameraCheckers": ["s1"]}),
    "setup-looked-ten": (
        lambda: Play(TEN).send(TEN[0], "prepare"),
        TEN[1],
        {"cameraCheckers": ["s1", "s10"], "sheet": {"kind": "camera", "seat": "s3"}},
    ),
    "roll-call-caller": (begin_roll_call, "Ana", {}),
    "roll-call-other": (begin_roll_call, "Cleo", {}),
    "roll-call-ten": (lambda: begin_roll_call(TEN), TEN[0], {}),
    "tell-instructor": (begin_game, "Ana", {}),
    "tell-turn": (begin_game, "Ben", {}),
    "tell-other": (begin_game, "Cleo", {}),
    "tell-spectator": (begin_game, None, {}),
    "tell-host-for": (
        lambda: play_turns(begin_game(FOUR, DORA), (0, 0), (0, 0), (1, 1)),
        "Ana",
        {},
    ),
    "tell-out": (explode_cleo, "Cleo", {}),
    "boom": (explode_cleo, "Ana", {"explosion": {"seat": "s4", "out": "kitten"}}),
    "tell-ten": (lambda: begin_game(TEN), TEN[0], {}),
    "act-turn": (play_some_rounds, "Ben", {}),
    "act-turn-host": (play_to_hosts_turn, "Ana", {}),
    "act-aim": (play_some_rounds, "Ben", {"aimedCard": "favor"}),
    "act-instructor": (play_some_rounds, "Ana", {}),
    "act-other": (play_some_rounds, "Dora", {}),
    "act-host-for": (lambda: play_some_rounds(FOUR, ("Ben",)), "Ana", {}),
    "act-host-away": (
        play_some_rounds,
        "Ana",
        {"presence": {"seats": {"s3": "away"}, "spectators": 20}},
    ),
    "act-turn-missed": (play_some_rounds, "Ben", {"prefs": {"lens": {}, "call": "ask"}}),
    "act-turn-waited": (play_some_rounds, "Ben", {"secondsWaited": 30}),
    "act-other-waited": (play_some_rounds, "Cleo", {"secondsWaited": 60}),
    "tell-two": (lambda: begin_game(TEN[:2]), TEN[0], {}),
    "act-three": (lambda: play_some_rounds(TEN[:3]), TEN[1], {}),
    "act-five": (lambda: play_some_rounds(TEN[:5]), TEN[1], {}),
    "act-six": (lambda: play_some_rounds(TEN[:6]), TEN[1], {}),
    "act-seven": (lambda: play_some_rounds(TEN[:7]), TEN[1], {}),
    "act-eight": (lambda: play_some_rounds(TEN[:8]), TEN[1], {}),
    "act-nine": (lambda: play_some_rounds(TEN[:9]), TEN[1], {}),
    "act-ten": (lambda: play_some_rounds(TEN), TEN[1], {}),
    "act-ten-host": (lambda: play_some_rounds(TEN), TEN[0], {}),
    "act-ten-aim": (lambda: play_some_rounds(TEN), TEN[1], {"aimedCard": "favor"}),
    "act-five-aim": (lambda: play_some_rounds(TEN[:5]), TEN[1], {"aimedCard": "favor"}),
    "act-ten-whom": (
        lambda: play_some_rounds(TEN),
        TEN[1],
        {"aimedCard": "favor", "chosenTarget": "s5"},
    ),
    "owed-turn": (play_attack, "Cleo", {}),
    "owed-other": (play_attack, "Dora", {}),
    "owed-play": (
        lambda: play_attack().send("Ben", "instruct", cell=(0, 0)),
        "Cleo",
        {},
    ),
    "owed-again": (lambda: play_turns(play_attack(), (0, 0)), "Cleo", {}),
    "owed-again-other": (lambda: play_turns(play_attack(), (0, 0)), None, {}),
    "deck-owed": (lambda: play_attack(("Cleo",)), "Cleo", {"deviceDeck": KEPT, "prefs": BARE}),
    "window-could": (open_window, "Cleo", {}),
    "window-target": (open_window, "Dora", {}),
    "window-own": (open_window, "Ben", {}),
    "window-told": (instruct_nopeably, "Ben", {}),
    "window-told-noped": (lambda: instruct_nopeably().send("Ben", "nope"), "Ana", {}),
    "window-host": (lambda: open_window(FOUR, DORA), "Ana", {}),
    "window-spectator": (open_window, None, {}),
    "window-passed": (lambda: open_window().send("Cleo", "pass"), "Cleo", {}),
    "window-noped": (play_skip_and_nope, "Ben", {}),
    "window-yup": (lambda: play_skip_and_nope().send("Ben", "nope"), "Cleo", {}),
    "window-held": (lambda: open_window().send("Cleo", "hold"), "Dora", {}),
    "window-ten": (lambda: open_window(TEN), TEN[2], {}),
    "window-ten-host": (lambda: open_window(TEN, (TEN[4], TEN[5])), TEN[0], {}),
    "look-turn": (play_see_future, "Ben", {}),
    "look-other": (play_see_future, "Ana", {}),
    "looked-other": (lambda: play_see_future().send("Ben", "look", cell=(1, 1)), "Ana", {}),
    "looked": (lambda: play_see_future().send("Ben", "look", cell=(1, 1)), "Ben", {}),
    "noted": (note_card, "Ben", {}),
    "shuffle-turn": (play_shuffle, "Ben", {}),
    "shuffle-other": (play_shuffle, "Ana", {}),
    "reveal-target": (ask_favor, "Dora", {}),
    "reveal-other": (ask_favor, "Ana", {}),
    "reveal-host-for": (lambda: ask_favor(FOUR, DORA), "Ana", {}),
    "reveal-ten": (lambda: ask_favor(TEN), TEN[3], {}),
    "report-turn": (lambda: play_some_rounds().send("Ben", "draw", cell=(1, 2)), "Ben", {}),
    "report-other": (lambda: play_some_rounds().send("Ben", "draw", cell=(1, 2)), "Cleo", {}),
    "report-ten": (lambda: play_some_rounds(TEN).send(TEN[1], "draw", cell=(1, 2)), TEN[1], {}),
    "kitten-turn": (draw_kitten, "Ben", {}),
    "kitten-sure": (draw_kitten, "Ben", {"commandToConfirm": "explode s3"}),
    "kitten-other": (draw_kitten, "Ana", {}),
    "kitten-out": (draw_kitten_without_defuse, "Ben", {}),
    "help-begin": (play_some_rounds, "Ben", {"sheet": {"kind": "help"}}),
    "help-found": (play_some_rounds, "Ben", {"sheet": {"kind": "help"}, "search": "nope a nope"}),
    "help-nothing": (play_some_rounds, "Ben", {"sheet": {"kind": "help"}, "search": "poker"}),
    "help-ruling": (play_some_rounds, "Ben", {"sheet": {"kind": "help", "ruling": "yup"}}),
    "over-ten": (finish_game_of_ten, None, {}),
    "refused": (play_some_rounds, "Ben", {"toast": REFUSED}),
    "undone": (undo_skip_and_nope, "Ben", {"sheet": {"kind": "log"}}),
    "back-asked": (lambda: ask_undo(card="skip"), "Ben", {}),
    "back-agree": (lambda: ask_undo(card="skip"), "Cleo", {}),
    "back-draw": (lambda: ask_undo(kind="draw", cell=(1, 2)), "Cleo", {}),
    "back-ten": (lambda: ask_undo(TEN, card="skip"), TEN[3], {}),
    "back-ten-asked": (lambda: ask_undo(TEN, kind="draw", cell=(1, 2)), TEN[1], {}),
    "back-may": (
        lambda: (
            play_some_rounds()
            .send("Ana", "options", take_back="agreement")
            .send("Ben", "play", card="skip")
        ),
        "Ben",
        {"sheet": {"kind": "undo"}},
    ),
    "lobby-device": (lambda: Play(FOUR).send("Ben", "deck", kind="table"), "Ben", {}),
    "lobby-devices": (lambda: choose_device_decks(Play(FOUR)), "Ana", {}),
    "setup-devices": (lambda: choose_device_decks(Play(FOUR)).send("Ana", "prepare"), "Ana", {}),
    "lobby-nobody-host": (say_nobody_has_cards, "Ana", {"deviceDeck": {"lost": False}}),
    "lobby-nobody": (say_nobody_has_cards, "Cleo", {}),
    "setup-nobody": (
        lambda: say_nobody_has_cards().send("Ana", "prepare").send("Ben", "ready", ready=True),
        "Ben",
        {"deviceDeck": {"lost": False}},
    ),
    "setup-device": (set_up_with_device, "Ben", {"deviceDeck": {"lost": False}}),
    "setup-device-host": (set_up_with_device, "Ana", {}),
    "setup-device-lost": (set_up_with_device, "Ben", {"deviceDeck": {"lost": True}}),
    "deck-tell": (
        lambda: begin_game(FOUR, (), devices=("Ana",)),
        "Ana",
        {"deviceDeck": KEPT, "prefs": BARE},
    ),
    "deck-act": (with_device_deck(play_some_rounds), "Ben", {"deviceDeck": KEPT, "prefs": BARE}),
    "deck-act-covered": (with_device_deck(play_some_rounds), "Ben", {"deviceDeck": KEPT}),
    "deck-act-full": (
        with_device_deck(play_some_rounds),
        "Ben",
        {"deviceDeck": FULL, "prefs": BARE},
    ),
    "deck-window-covered": (lambda: open_window(devices=("Cleo",)), "Cleo", {"deviceDeck": KEPT}),
    "deck-looked": (look_with_device, "Ben", {"deviceDeck": KEPT, "prefs": BARE}),
    "deck-kitten": (draw_kitten_with_device, "Ben", {"deviceDeck": KEPT, "prefs": BARE}),
    "deck-kitten-out": (
        lambda: draw_kitten_without_defuse(BEN),
        "Ben",
        {"deviceDeck": KEPT | {"hand": ["skip"]}},
    ),
    "deck-kitten-hide": (draw_kitten_with_device, "Ben", {"deviceDeck": KEPT | {"hides": True}}),
    "deck-lost": (move_seat_without_deck, "Ben", {"deviceDeck": {"lost": True}}),
    "deck-lost-host": (move_seat_without_deck, "Ana", {}),
    "deck-away-host": (
        with_device_deck(play_some_rounds),
        "Ana",
        {"presence": {"seats": {"s2": "away", "s3": "away"}, "spectators": 0}},
    ),
    "deck-coming": (with_device_deck(play_some_rounds), "Ben", {"deviceDeck": {"lost": False}}),
    "deck-window-told": (lambda: instruct_nopeably(("Ben",)), "Ben", {"deviceDeck": KEPT}),
    "deck-window": (
        lambda: play_some_rounds(FOUR, (), devices=("Ben", "Cleo")).send(
            "Ben", "play", card="skip"
        ),
        "Cleo",
        {"deviceDeck": KEPT, "prefs": BARE},
    ),
    "lobby-house": (set_house_rules, "Ana", {}),
    "lobby-house-guest": (set_house_rules, "Ben", {}),
    "setup-house": (lambda: set_house_rules().send("Ana", "prepare"), "Ana", {}),
    "lobby-robots": (lambda: add_robots("Beep", "Wolfeschlegelsteinhausen"), "Ana", {}),
    "setup-robots": (lambda: add_robots("Beep", "Clank").send("Ana", "prepare"), "Ana", {}),
    "practice": (
        lambda: add_robots("Beep", "Clank"),
        "Ana",
        {"prefs": {"lens": {}, "practice": {"table": "KXQF7H", "begins": True}}},
    ),
    "tell-robots": (begin_with_robots, "Ana", {"deviceDeck": KEPT, "prefs": lesson_prefs()}),
    "window-robots": (
        lambda: (
            begin_with_robots()
            .send("Ana", "instruct", cell=(0, 1))
            .send("Beep", "play", card="favor", to="Ana", cell=(0, 2))
        ),
        "Ana",
        {"deviceDeck": KEPT | {"hand": ["skip", "shuffle"]}},
    ),
    "menu-deck": (
        with_device_deck(play_some_rounds),
        "Ben",
        {"deviceDeck": KEPT, "prefs": BARE, "sheet": {"kind": "menu"}},
    ),
    "stood-in": (
        with_device_deck(play_some_rounds),
        "Ben",
        {"connection": "superseded", "lentToRobot": True},
    ),
    "lesson-tell": (
        lambda: begin_game(FOUR, (), devices=("Ana",)),
        "Ana",
        {"deviceDeck": KEPT, "prefs": lesson_prefs()},
    ),
    "lesson-draw": (
        with_device_deck(play_some_rounds),
        "Ben",
        {"deviceDeck": KEPT, "prefs": lesson_prefs()},
    ),
    "lesson-play": (
        with_device_deck(play_some_rounds),
        "Ben",
        {"deviceDeck": FULL, "prefs": lesson_prefs("draw")},
    ),
    "lesson-uncover": (
        with_device_deck(play_some_rounds),
        "Ben",
        {"deviceDeck": FULL, "prefs": lesson_prefs("draw", bare=False)},
    ),
    "lesson-play-table": (play_some_rounds, "Ben", {"prefs": lesson_prefs("draw")}),
    "lesson-keep": (play_some_rounds, "Ben", {"prefs": lesson_prefs("draw", "play.table")}),
    "lesson-mix": (play_some_rounds, "Ben", {"prefs": lesson_prefs("draw", "play.table", "keep")}),
    "lesson-grab": (open_window, "Cleo", {"prefs": lesson_prefs("nope")}),
    "lesson-aim": (play_some_rounds, "Ben", {"aimedCard": "favor", "prefs": lesson_prefs()}),
    "lesson-nope": (open_window, "Cleo", {"prefs": lesson_prefs()}),
    "lesson-asked": (open_window, "Dora", {"prefs": lesson_prefs()}),
    "lesson-reveal": (ask_favor, "Dora", {"prefs": lesson_prefs()}),
    "lesson-defuse": (
        draw_kitten_with_device,
        "Ben",
        {"deviceDeck": KEPT, "prefs": lesson_prefs()},
    ),
    "lesson-hide": (
        draw_kitten_with_device,
        "Ben",
        {"deviceDeck": KEPT | {"hides": True}, "prefs": lesson_prefs()},
    ),
    "lesson-out": (explode_cleo, "Cleo", {"prefs": lesson_prefs()}),
    "odds-instructor": (begin_game, "Ana", {"firstOdds": True}),
    "odds-turn": (play_some_rounds, "Ben", {"firstOdds": True}),
    "odds-spectator": (play_some_rounds, None, {"firstOdds": True}),
    "odds-ten": (lambda: play_some_rounds(TEN), TEN[1], {"firstOdds": True}),
    "over-lesson": (finish_game, "Ana", {"prefs": lesson_prefs()}),
    "over-decks": (finish_game_with_device, "Ana", {"story": True}),
    "over-evening": (play_evening, "Ana", {"evening": True}),
    "over-evening-ten": (lambda: play_evening(TEN), TEN[3], {"evening": True}),
    "over-winner": (finish_game, "Ben", {}),
    "over-host": (finish_game, "Ana", {}),
    "over-spectator": (finish_game, None, {}),
    "over-waiting": (lambda: add_waiting_players(finish_game()), "Ana", {}),
    "over-next": (finish_game, "Ben", {"nextGameView": {}}),
}


@cache
def play_once(play: Callable[[], Play]) -> Play:
    """Return the game of a scene. It must not be continued, because other callers get it, too."""
    return play()


def scene(name: str, scenes: dict[str, Scene] = SCENES) -> dict[str, Any]:
    """Return a scene as the panel gets it: the view, the presence, and the panel's own state."""
    play, viewer, panel = scenes[name]
    played = play_once(play)
    view = played.view(viewer)
    seats = {seat["seat"]: "here" for seat in view["seats"] if seat["panel"]}
    presence = {"seats": seats, "spectators": 2 if viewer is None else 0}
    if panel.get("story"):
        panel = {**panel, "story": json.loads(b"".join(played.journal.lines.visible_to(None)))}
    if panel.get("evening"):
        panel = {**panel, "evening": played.journal.games.results_as_json()["games"]}
    return {"view": view, "presence": presence, "panel": dict(panel)}


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name in SCENES:
        text = json.dumps(scene(name), ensure_ascii=False)
        (folder / f"{name}.json").write_text(text + "\n", "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
