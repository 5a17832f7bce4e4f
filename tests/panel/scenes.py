"""True views of every phase, step and role, as the server would send them.

Each scene is played through the referee and encoded like a view on the wire, so that the
panel is looked at and tested with what it really gets. ``python -m tests.panel.scenes
FOLDER`` writes them as JSON. This module must not make up a view.
"""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import UUID

from companion.fair.cards import commitment
from companion.rules.core.commands import (
    AskPlace,
    Command,
    DecisionInputs,
    Pass,
    SeatRobot,
    TakeSeat,
)
from companion.rules.core.referee import decide
from companion.rules.core.variant import Variant
from companion.rules.families import load
from companion.service.codec import convert
from companion.service.log import Projection
from companion.service.views import Views

HERE = Path(__file__).parent
VARIANT = load(HERE.parent.parent / "variants" / "quarantined")
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
    """A table that is told what happens, by names instead of seats."""

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
                self.say(names[0], "add_seat", name=name)
            else:
                self._decide(TakeSeat(name=name), None)

    @property
    def table(self) -> Any:
        """What is known after all that was said."""
        return self.journal.table

    def views(self, after: int = 0) -> Views:
        """Everybody's view, so many ms later."""
        return Views(self.journal, "scene", self.now + after)

    def seat(self, name: str) -> str:
        return next(seat.seat for seat in self.table.seats if seat.name == name[:24])

    def say(self, speaker: str, kind: str, /, **more: Any) -> "Play":
        """``speaker`` says a command; ``to`` names the seat that it is about."""
        if "to" in more:
            about = {"play": "target", "combo": "target", "call_next": "next"}
            more[about.get(kind, "seat")] = self.seat(more.pop("to"))
        if kind in ("nope", "pass", "hold", "release"):
            assert self.table.game is not None and self.table.game.window is not None
            more["window"] = self.table.game.window.id
        said = {"id": str(UUID(int=0)), "type": kind, "as": self.seat(speaker), **more}
        host = {
            "add_seat", "prepare", "begin", "skip_roll_call", "options", "undo", "rematch",
            "seating", "house_rules",
        }  # fmt: skip
        if kind in host:
            said.pop("as")
        sender = said["as"] if kind in ("note", "deck", "deck_here", "open") else self.table.host
        command: Command = convert(json.loads(json.dumps(said)), self.table.family.command)
        self._decide(command, sender)
        return self

    def begin(self, host: str, first: str) -> "Play":
        """The game begins, without a roll call."""
        self.say(host, "begin", first=self.seat(first))
        return self.say(host, "skip_roll_call") if self.table.phase == "roll_call" else self

    def _decide(self, heard: Any, sender: str | None) -> None:
        self.now += 100 if isinstance(heard, Pass) else 900
        moment = DecisionInputs(now=self.now, lot=0, salt="5a" * 32)
        for event in decide(self.table, heard, sender=sender, inputs=moment):
            self.journal.add(event, self.now)

    def view(self, name: str | None, after: int = 1700) -> dict[str, Any]:
        """What this player's connection is sent ``after`` ms; ``None``: a spectator's."""
        seat = self.seat(name) if name else None
        shown: dict[str, Any] = json.loads(self.views(after).of(seat))
        return shown


def prepared(
    names: tuple[str, ...] = FOUR,
    without: tuple[str, ...] = (),
    variant: Variant = VARIANT,
    devices: tuple[str, ...] = (),
) -> Play:
    play = Play(names, without, variant)
    play.say(names[0], "prepare")
    for number, name in enumerate(devices):
        play.say(name, "deck", kind="device", commit=commitment(SECRET[number:] + SECRET[:number]))
    for name in names:
        play.say(name, "ready", ready=True)
    return play


def begun(
    names: tuple[str, ...] = FOUR,
    without: tuple[str, ...] = (),
    variant: Variant = VARIANT,
    devices: tuple[str, ...] = (),
) -> Play:
    """The second player of the alphabet is up and waits to be told by the first."""
    play = prepared(names, without, variant, devices)
    return play.begin(names[0], names[1])


def turns(play: Play, *told: tuple[int, int]) -> Play:
    """One safe draw after the other."""
    for cell in told:
        instructor, up = now(play)
        play.say(instructor, "instruct", cell=cell).say(up, "draw", cell=cell)
        play.say(up, "report", outcome="safe")
    return play


def now(play: Play) -> tuple[str, str]:
    """The instructor's and the turn player's names."""
    game = play.table.game
    assert game is not None and game.turn is not None
    names = {seat.seat: seat.name for seat in play.table.seats}
    return names[game.before(game.turn.seat)], names[game.turn.seat]


def told(
    names: tuple[str, ...] = FOUR, without: tuple[str, ...] = (), devices: tuple[str, ...] = ()
) -> Play:
    """Some rounds on: gaps in grids, cards face up, discard piles, the turn player told."""
    play = begun(names, without, devices=devices)
    one, _, three = names[:3]
    turns(play, (0, 1), (1, 2))
    while now(play)[1] != one[:24]:
        turns(play, (0, 0))
    instructor, up = now(play)
    play.say(instructor, "instruct", cell=(1, 0))
    favor(play, up, three, (1, 0), "skip")
    play.say(up, "play", card="skip")
    everyone_passes(play)
    return play.say(one, "instruct", cell=(1, 2))


ASSAULT = load(HERE.parent.parent / "variants" / "assault")


def attacked(devices: tuple[str, ...] = ()) -> Play:
    """After an Attack: whoever is up owes two turns."""
    play = begun(variant=ASSAULT, devices=devices)
    instructor, up = now(play)
    play.say(instructor, "instruct", cell=(0, 0)).say(up, "play", card="attack")
    everyone_passes(play)
    return play


def favor(play: Play, by: str, target: str, cell: tuple[int, int], card: str) -> None:
    play.say(by, "play", card="favor", to=target, cell=cell)
    everyone_passes(play)
    play.say(target, "reveal", card=card)


def everyone_passes(play: Play) -> None:
    names = {seat.seat: seat.name for seat in play.table.seats}
    while play.table.game and play.table.game.window:
        may = json.loads(play.views().of(play.table.host))["you"]["may"]
        play.say(names[next(one["as"] for one in may if one["type"] == "pass")], "pass")


def kitten() -> Play:
    return told().say("Ben", "draw", cell=(1, 2)).say("Ben", "report", outcome="kitten")


def kitten_again(devices: tuple[str, ...] = ()) -> Play:
    """Ben's Defuses are spent, and there the Kitten is once more."""
    play = told(FOUR, (), devices=devices).say("Ben", "draw", cell=(1, 2))
    sealed = {"hidden": SECRET} if devices else {}
    for others, mine in (((0, 0), (1, 1), (1, 1)), (0, 2)), (((1, 0), (0, 1), (0, 1)), (0, 0)):
        play.say("Ben", "report", outcome="kitten").say("Ben", "defuse", **sealed)
        turns(play, *others).say("Ana", "instruct", cell=mine).say("Ben", "draw", cell=mine)
    return play.say("Ben", "report", outcome="kitten")


def exploded() -> Play:
    """Cleo has gone out; a few turns on it is Ana's turn again."""
    play = kitten().say("Ben", "defuse")
    play.say("Ben", "instruct", cell=(0, 1)).say("Cleo", "draw", cell=(0, 1))
    play.say("Cleo", "report", outcome="kitten").say("Cleo", "explode")
    return play


def over() -> Play:
    play = exploded()
    for cell in ((0, 1), (0, 2)):
        instructor, up = now(play)
        play.say(instructor, "instruct", cell=cell).say(up, "draw", cell=cell)
        play.say(up, "report", outcome="kitten").say(up, "explode")
    return play


def second_evening(names: tuple[str, ...] = FOUR) -> Play:
    """Three games of an evening, which end one like the other but for who begins."""
    play = begun(names)
    for first in names[2:4]:
        to_the_end(play)
        play.say(names[0], "rematch")
        for name in names:
            play.say(name, "ready", ready=True)
        play.begin(names[0], first)
    return to_the_end(play)


def to_the_end(play: Play) -> Play:
    """One after the other explodes."""
    while play.table.phase == "play":
        instructor, up = now(play)
        play.say(instructor, "instruct", cell=(0, 0)).say(up, "draw", cell=(0, 0))
        play.say(up, "report", outcome="kitten").say(up, "explode")
    return play


def over_ten() -> Play:
    """Ten with long names, of whom one after the other explodes."""
    return to_the_end(begun(TEN))


def looked() -> Play:
    play = told().say("Ben", "play", card="see_future")
    everyone_passes(play)
    return play


def shuffling() -> Play:
    play = told().say("Ben", "play", card="shuffle")
    everyone_passes(play)
    return play


def asked(names: tuple[str, ...] = FOUR, without: tuple[str, ...] = ()) -> Play:
    """A Favor of the second player waits for the fourth's card."""
    play = told(names, without).say(names[1], "play", card="favor", to=names[3], cell=(0, 2))
    everyone_passes(play)
    return play


def window(names: tuple[str, ...] = FOUR, without: tuple[str, ...] = ()) -> Play:
    return told(names, without).say(names[1], "play", card="favor", to=names[3], cell=(0, 2))


def noped() -> Play:
    return told().say("Ben", "play", card="skip").say("Ana", "nope")


def hosts_turn() -> Play:
    """The host is up herself, told, after two more draws."""
    play = told().say("Ben", "draw", cell=(1, 2)).say("Ben", "report", outcome="safe")
    return turns(play, (0, 1), (0, 2)).say("Dora", "instruct", cell=(1, 1))


def setting_up() -> Play:
    return Play(FOUR, DORA).say("Ana", "prepare").say("Ben", "ready", ready=True)


def calling(names: tuple[str, ...] = FOUR) -> Play:
    play = Play(names).say(names[0], "options", roll_call=True).say(names[0], "prepare")
    for name in names:
        play.say(name, "ready", ready=True)
    return play.say(names[0], "begin", first="lot")


def undone() -> Play:
    """A Skip and its Nope, taken back one after the other."""
    play = noped().say("Ana", "undo").say("Ana", "undo")
    return play.say("Ben", "play", card="see_future")


def mistaken(names: tuple[str, ...] = FOUR, kind: str = "play", **more: Any) -> Play:
    """The second player asks to take back what they said."""
    play = told(names).say(names[0], "options", take_back="agreement")
    return play.say(names[1], kind, **more).say(names[1], "ask_back")


def awaited(play: Play) -> Play:
    """Two more would like to play the next game."""
    for name in ("Eve", "Finn"):
        play._decide(AskPlace(name=name), None)
    return play


def noted() -> Play:
    play = looked().say("Ben", "look", cell=(1, 1))
    return play.say("Ben", "note", cell=(1, 1), card="kitten")


REFUSED = {
    "text": "You have been told already: bottom row, first from your right. That stands until "
    "the turn ends, or a Shuffle.",
    "ruling": "told-once", "spot": "now",
}  # fmt: skip
DORA = ("Dora",)
Scene = tuple[Callable[[], Play], str | None, dict[str, Any]]
"""What was played, who looks at it (``None``: a spectator), the panel's own state."""


KEPT = {
    "lost": False,
    "hand": ["skip", "defuse", "see_future", "skip"],
    "grid": [
        {"cell": [0, 1], "card": "favor"}, {"cell": [0, 2], "card": "shuffle"},
        {"cell": [1, 1], "card": "nope"}, {"cell": [1, 2], "card": "kitten"},
    ],
    "seen": [],
}  # fmt: skip
"""What a device keeps, in the panel's own state; what it shows is its own affair, and no view's."""
FULL = KEPT | {"hand": ["defuse", "see_future", "favor", "nope", "shuffle", "skip", "skip"]}
BARE = {"lens": {}, "bare": True}
BEN = ("Ben",)


def keeps(play: Callable[..., Play]) -> Callable[[], Play]:
    """The same with Ben's cards on his device."""
    return lambda: play(FOUR, (), devices=BEN)


def on_devices(play: Play) -> Play:
    """Everybody's device keeps their cards."""
    for number, name in enumerate(FOUR):
        play.say(name, "deck", kind="device", commit=commitment(f"{number:02d}" * 32))
    return play


def kept_setting_up() -> Play:
    play = Play(FOUR, DORA).say("Ana", "prepare")
    return play.say("Ben", "deck", kind="device", commit=commitment(SECRET))


def kept_elsewhere() -> Play:
    """Ben's seat is on a device that doesn't have his deck."""
    return told(FOUR, (), devices=BEN).say("Ben", "deck_here", here=False)


def kept_kitten() -> Play:
    play = told(FOUR, (), devices=BEN).say("Ben", "draw", cell=(1, 2))
    return play.say("Ben", "report", outcome="kitten")


def kept_looked() -> Play:
    play = told(FOUR, (), devices=BEN).say("Ben", "play", card="see_future")
    everyone_passes(play)
    return play.say("Ben", "look", cell=(1, 1))


def kept_over() -> Play:
    """Ben's deck was not reported as it lay: the scenes' cards are made up."""
    play = kept_kitten().say("Ben", "explode")
    while play.table.phase == "play":
        instructor, up = now(play)
        cell = (0, 1) if up == "Cleo" else (1, 1)
        play.say(instructor, "instruct", cell=cell).say(up, "draw", cell=cell)
        play.say(up, "report", outcome="kitten").say(up, "explode")
    return play.say("Ben", "open", secret=SECRET)


def robots(*names: str) -> Play:
    """Ana's table, at which these sit as well, each of them a robot."""
    play = Play(FOUR[:1])
    for name in names:
        play._decide(SeatRobot(name=name, robot="careful"), play.table.host)
    return play


def by_house() -> Play:
    """A table of four that plays by house rules."""
    rules = {
        "name": "W" * 24, "cards": {"skip": 4}, "deal": {"put_away": 2, "grid": 8},
        "grid": {"rows": 3},
    }  # fmt: skip
    return Play(FOUR).say("Ana", "house_rules", rules=rules)


def robots_begun() -> Play:
    """Ana tells a robot, among robots."""
    play = robots("Beep", "Clank", "Wolfeschlegelsteinhausen").say("Ana", "prepare")
    for number, name in enumerate(("Ana", "Beep", "Clank", "Wolfeschlegelsteinhausen")):
        commit = commitment(f"{number:02x}" * 32)
        play.say(name, "deck", kind="device", commit=commit).say(name, "ready", ready=True)
    return play.begin("Ana", "Beep")


def taught(*seen: str, bare: bool = True) -> dict[str, Any]:
    """The choices of somebody who plays for the first time, and has had these lessons."""
    return {"lens": {}, "bare": bare, "lessons": {"table": "KXQF7H", "seen": list(seen)}}


def outside(state: str) -> dict[str, Any]:
    """The panel of somebody whom a table without watchers does not let in."""
    return {"line": "closed", "closed": {"code": "forbidden", "text": "", "facts": {"door": state}}}


SCENES: dict[str, Scene] = {
    "lobby-host": (lambda: Play(FOUR, DORA), "Ana", {}),
    "lobby-guest": (lambda: Play(FOUR, DORA), "Ben", {}),
    "lobby-spectator": (lambda: Play(FOUR), None, {}),
    "lobby-alone": (lambda: Play(FOUR[:1]), "Ana", {}),
    "lobby-only-here": (lambda: Play(FOUR[:1]), "Ana", {"origin": None}),
    "lobby-ten": (lambda: Play(TEN), TEN[0], {}),
    "door-next": (begun, None, outside("next")),
    "door-open": (lambda: Play(FOUR), None, outside("open")),
    "setup-host": (setting_up, "Ana", {}),
    "setup-guest": (setting_up, "Cleo", {}),
    "setup-all-ready": (prepared, "Ana", {}),
    "setup-all-ready-guest": (prepared, "Cleo", {}),
    "setup-ten": (lambda: Play(TEN).say(TEN[0], "prepare"), TEN[0], {}),
    "setup-looked": (setting_up, "Cleo", {"lookers": ["s1"]}),
    "setup-looked-ten": (
        lambda: Play(TEN).say(TEN[0], "prepare"),
        TEN[1],
        {"lookers": ["s1", "s10"], "sheet": {"kind": "camera", "seat": "s3"}},
    ),
    "roll-call-caller": (calling, "Ana", {}),
    "roll-call-other": (calling, "Cleo", {}),
    "roll-call-ten": (lambda: calling(TEN), TEN[0], {}),
    "tell-instructor": (begun, "Ana", {}),
    "tell-turn": (begun, "Ben", {}),
    "tell-other": (begun, "Cleo", {}),
    "tell-spectator": (begun, None, {}),
    "tell-host-for": (lambda: turns(begun(FOUR, DORA), (0, 0), (0, 0), (1, 1)), "Ana", {}),
    "tell-out": (exploded, "Cleo", {}),
    "boom": (exploded, "Ana", {"boom": {"seat": "s4", "out": "kitten"}}),
    "tell-ten": (lambda: begun(TEN), TEN[0], {}),
    "act-turn": (told, "Ben", {}),
    "act-turn-host": (hosts_turn, "Ana", {}),
    "act-aim": (told, "Ben", {"aim": "favor"}),
    "act-instructor": (told, "Ana", {}),
    "act-other": (told, "Dora", {}),
    "act-host-for": (lambda: told(FOUR, ("Ben",)), "Ana", {}),
    "act-host-away": (told, "Ana", {"presence": {"seats": {"s3": "away"}, "spectators": 20}}),
    "act-turn-missed": (told, "Ben", {"prefs": {"lens": {}, "call": "ask"}}),
    "act-turn-waited": (told, "Ben", {"waited": 30}),
    "act-other-waited": (told, "Cleo", {"waited": 60}),
    "tell-two": (lambda: begun(TEN[:2]), TEN[0], {}),
    "act-three": (lambda: told(TEN[:3]), TEN[1], {}),
    "act-five": (lambda: told(TEN[:5]), TEN[1], {}),
    "act-six": (lambda: told(TEN[:6]), TEN[1], {}),
    "act-seven": (lambda: told(TEN[:7]), TEN[1], {}),
    "act-eight": (lambda: told(TEN[:8]), TEN[1], {}),
    "act-nine": (lambda: told(TEN[:9]), TEN[1], {}),
    "act-ten": (lambda: told(TEN), TEN[1], {}),
    "act-ten-host": (lambda: told(TEN), TEN[0], {}),
    "act-ten-aim": (lambda: told(TEN), TEN[1], {"aim": "favor"}),
    "act-five-aim": (lambda: told(TEN[:5]), TEN[1], {"aim": "favor"}),
    "act-ten-whom": (lambda: told(TEN), TEN[1], {"aim": "favor", "whom": "s5"}),
    "owed-turn": (attacked, "Cleo", {}),
    "owed-other": (attacked, "Dora", {}),
    "owed-play": (
        lambda: attacked().say("Ben", "instruct", cell=(0, 0)),
        "Cleo",
        {},
    ),
    "owed-again": (lambda: turns(attacked(), (0, 0)), "Cleo", {}),
    "owed-again-other": (lambda: turns(attacked(), (0, 0)), None, {}),
    "deck-owed": (lambda: attacked(("Cleo",)), "Cleo", {"kept": KEPT, "prefs": BARE}),
    "window-could": (window, "Cleo", {}),
    "window-target": (window, "Dora", {}),
    "window-own": (window, "Ben", {}),
    "window-host": (lambda: window(FOUR, DORA), "Ana", {}),
    "window-spectator": (window, None, {}),
    "window-passed": (lambda: window().say("Cleo", "pass"), "Cleo", {}),
    "window-noped": (noped, "Ben", {}),
    "window-yup": (lambda: noped().say("Ben", "nope"), "Cleo", {}),
    "window-held": (lambda: window().say("Cleo", "hold"), "Dora", {}),
    "window-ten": (lambda: window(TEN), TEN[2], {}),
    "window-ten-host": (lambda: window(TEN, (TEN[4], TEN[5])), TEN[0], {}),
    "look-turn": (looked, "Ben", {}),
    "look-other": (looked, "Ana", {}),
    "looked-other": (lambda: looked().say("Ben", "look", cell=(1, 1)), "Ana", {}),
    "looked": (lambda: looked().say("Ben", "look", cell=(1, 1)), "Ben", {}),
    "noted": (noted, "Ben", {}),
    "shuffle-turn": (shuffling, "Ben", {}),
    "shuffle-other": (shuffling, "Ana", {}),
    "reveal-target": (asked, "Dora", {}),
    "reveal-other": (asked, "Ana", {}),
    "reveal-host-for": (lambda: asked(FOUR, DORA), "Ana", {}),
    "reveal-ten": (lambda: asked(TEN), TEN[3], {}),
    "report-turn": (lambda: told().say("Ben", "draw", cell=(1, 2)), "Ben", {}),
    "report-other": (lambda: told().say("Ben", "draw", cell=(1, 2)), "Cleo", {}),
    "report-ten": (lambda: told(TEN).say(TEN[1], "draw", cell=(1, 2)), TEN[1], {}),
    "kitten-turn": (kitten, "Ben", {}),
    "kitten-sure": (kitten, "Ben", {"asking": "explode s3"}),
    "kitten-other": (kitten, "Ana", {}),
    "kitten-out": (kitten_again, "Ben", {}),
    "help-begin": (told, "Ben", {"sheet": {"kind": "help"}}),
    "help-found": (told, "Ben", {"sheet": {"kind": "help"}, "search": "nope a nope"}),
    "help-nothing": (told, "Ben", {"sheet": {"kind": "help"}, "search": "poker"}),
    "help-ruling": (told, "Ben", {"sheet": {"kind": "help", "ruling": "yup"}}),
    "over-ten": (over_ten, None, {}),
    "refused": (told, "Ben", {"toast": REFUSED}),
    "undone": (undone, "Ben", {"sheet": {"kind": "log"}}),
    "back-asked": (lambda: mistaken(card="skip"), "Ben", {}),
    "back-agree": (lambda: mistaken(card="skip"), "Cleo", {}),
    "back-draw": (lambda: mistaken(kind="draw", cell=(1, 2)), "Cleo", {}),
    "back-ten": (lambda: mistaken(TEN, card="skip"), TEN[3], {}),
    "back-ten-asked": (lambda: mistaken(TEN, kind="draw", cell=(1, 2)), TEN[1], {}),
    "back-may": (
        lambda: told().say("Ana", "options", take_back="agreement").say("Ben", "play", card="skip"),
        "Ben",
        {"sheet": {"kind": "undo"}},
    ),
    "lobby-device": (lambda: Play(FOUR).say("Ben", "deck", kind="table"), "Ben", {}),
    "lobby-devices": (lambda: on_devices(Play(FOUR)), "Ana", {}),
    "setup-devices": (lambda: on_devices(Play(FOUR)).say("Ana", "prepare"), "Ana", {}),
    "setup-device": (kept_setting_up, "Ben", {"kept": {"lost": False}}),
    "setup-device-host": (kept_setting_up, "Ana", {}),
    "setup-device-lost": (kept_setting_up, "Ben", {"kept": {"lost": True}}),
    "deck-tell": (lambda: begun(FOUR, (), devices=("Ana",)), "Ana", {"kept": KEPT, "prefs": BARE}),
    "deck-act": (keeps(told), "Ben", {"kept": KEPT, "prefs": BARE}),
    "deck-act-covered": (keeps(told), "Ben", {"kept": KEPT}),
    "deck-act-full": (keeps(told), "Ben", {"kept": FULL, "prefs": BARE}),
    "deck-looked": (kept_looked, "Ben", {"kept": KEPT, "prefs": BARE}),
    "deck-kitten": (kept_kitten, "Ben", {"kept": KEPT, "prefs": BARE}),
    "deck-kitten-out": (lambda: kitten_again(BEN), "Ben", {"kept": KEPT | {"hand": ["skip"]}}),
    "deck-kitten-hide": (kept_kitten, "Ben", {"kept": KEPT | {"hides": True}}),
    "deck-lost": (kept_elsewhere, "Ben", {"kept": {"lost": True}}),
    "deck-lost-host": (kept_elsewhere, "Ana", {}),
    "deck-away-host": (
        keeps(told),
        "Ana",
        {"presence": {"seats": {"s2": "away", "s3": "away"}, "spectators": 0}},
    ),
    "deck-coming": (keeps(told), "Ben", {"kept": {"lost": False}}),
    "deck-window": (
        lambda: told(FOUR, (), devices=("Ben", "Cleo")).say("Ben", "play", card="skip"),
        "Cleo",
        {"kept": KEPT, "prefs": BARE},
    ),
    "lobby-house": (by_house, "Ana", {}),
    "lobby-house-guest": (by_house, "Ben", {}),
    "setup-house": (lambda: by_house().say("Ana", "prepare"), "Ana", {}),
    "lobby-robots": (lambda: robots("Beep", "Wolfeschlegelsteinhausen"), "Ana", {}),
    "setup-robots": (lambda: robots("Beep", "Clank").say("Ana", "prepare"), "Ana", {}),
    "practice": (
        lambda: robots("Beep", "Clank"),
        "Ana",
        {"prefs": {"lens": {}, "practice": {"table": "KXQF7H", "begins": True}}},
    ),
    "tell-robots": (robots_begun, "Ana", {"kept": KEPT, "prefs": taught()}),
    "menu-deck": (keeps(told), "Ben", {"kept": KEPT, "prefs": BARE, "sheet": {"kind": "menu"}}),
    "stood-in": (keeps(told), "Ben", {"line": "superseded", "stoodIn": True}),
    "lesson-tell": (
        lambda: begun(FOUR, (), devices=("Ana",)),
        "Ana",
        {"kept": KEPT, "prefs": taught()},
    ),
    "lesson-draw": (keeps(told), "Ben", {"kept": KEPT, "prefs": taught()}),
    "lesson-play": (keeps(told), "Ben", {"kept": FULL, "prefs": taught("draw")}),
    "lesson-uncover": (keeps(told), "Ben", {"kept": FULL, "prefs": taught("draw", bare=False)}),
    "lesson-play-table": (told, "Ben", {"prefs": taught("draw")}),
    "lesson-keep": (told, "Ben", {"prefs": taught("draw", "play.table")}),
    "lesson-mix": (told, "Ben", {"prefs": taught("draw", "play.table", "keep")}),
    "lesson-grab": (window, "Cleo", {"prefs": taught("nope")}),
    "lesson-aim": (told, "Ben", {"aim": "favor", "prefs": taught()}),
    "lesson-nope": (window, "Cleo", {"prefs": taught()}),
    "lesson-asked": (window, "Dora", {"prefs": taught()}),
    "lesson-reveal": (asked, "Dora", {"prefs": taught()}),
    "lesson-defuse": (kept_kitten, "Ben", {"kept": KEPT, "prefs": taught()}),
    "lesson-hide": (kept_kitten, "Ben", {"kept": KEPT | {"hides": True}, "prefs": taught()}),
    "lesson-out": (exploded, "Cleo", {"prefs": taught()}),
    "over-lesson": (over, "Ana", {"prefs": taught()}),
    "over-decks": (kept_over, "Ana", {"story": True}),
    "over-evening": (second_evening, "Ana", {"evening": True}),
    "over-evening-ten": (lambda: second_evening(TEN), TEN[3], {"evening": True}),
    "over-winner": (over, "Ben", {}),
    "over-host": (over, "Ana", {}),
    "over-spectator": (over, None, {}),
    "over-waiting": (lambda: awaited(over()), "Ana", {}),
    "over-next": (over, "Ben", {"next": {}}),
}


def scene(name: str, scenes: dict[str, Scene] = SCENES) -> dict[str, Any]:
    """One scene: the view, who is here, and the panel's own state."""
    play, viewer, panel = scenes[name]
    played = play()
    view = played.view(viewer)
    seats = {seat["seat"]: "here" for seat in view["seats"] if seat["panel"]}
    presence = {"seats": seats, "spectators": 2 if viewer is None else 0}
    if panel.get("story"):
        panel = {**panel, "story": json.loads(b"".join(played.journal.lines.visible_to(None)))}
    if panel.get("evening"):
        panel = {**panel, "evening": played.journal.games.evening()["games"]}
    return {"view": view, "presence": presence, "panel": dict(panel)}


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name in SCENES:
        text = json.dumps(scene(name), ensure_ascii=False)
        (folder / f"{name}.json").write_text(text + "\n", "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
