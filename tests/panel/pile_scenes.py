"""True views of the games with one pile: every step and role, played through the referee.

As ``scenes``, for the pile family. This module must not make up a view.
"""

from collections.abc import Callable
from typing import Any

from companion.rules.families import load
from tests.panel.scenes import FOUR, HERE, TEN, Play, Scene, everyone_passes, taught

VARIANTS = HERE.parent.parent / "variants"
VARIANT = load(VARIANTS / "party-122")
"""The box that has combos of five, too."""
AIMED = load(VARIANTS / "party-120")
"""The box with Targeted Attacks."""
DORA = ("Dora",)


def seated(
    names: tuple[str, ...] = FOUR, without: tuple[str, ...] = (), variant: Any = None
) -> Play:
    return Play(names, without, variant or VARIANT)


def prepared(
    names: tuple[str, ...] = FOUR, without: tuple[str, ...] = (), variant: Any = None
) -> Play:
    play = seated(names, without, variant).say(names[0], "prepare")
    for name in names:
        play.say(name, "ready", ready=True)
    return play


def begun(
    names: tuple[str, ...] = FOUR, without: tuple[str, ...] = (), variant: Any = None
) -> Play:
    """The second at the table goes first."""
    play = prepared(names, without, variant)
    return play.say(names[0], "begin", first=play.seat(names[1]))


def drawn(play: Play, outcome: str = "safe", times: int = 1) -> Play:
    """Whoever is up draws."""
    for _ in range(times):
        up = who(play)
        play.say(up, "draw").say(up, "report", outcome=outcome)
    return play


def who(play: Play) -> str:
    """The turn player's name."""
    return next(seat.name for seat in play.table.seats if seat.seat == play.table.game.turn.seat)


def played(play: Play, by: str, card: str, to: str | None = None) -> Play:
    """A card that everybody let pass."""
    play.say(by, "play", card=card, **({"to": to} if to else {}))
    everyone_passes(play)
    return play


def combo(play: Play, by: str, kind: str, cards: list[str], **more: Any) -> Play:
    play.say(by, "combo", kind=kind, cards=cards, **more)
    everyone_passes(play)
    return play


def midway(
    names: tuple[str, ...] = FOUR, without: tuple[str, ...] = (), variant: Any = None
) -> Play:
    """A round on the second is up; something is known of hands, and of the discard pile."""
    play = drawn(begun(names, without, variant))
    third = names[2]
    fourth = names[3]
    combo(play, third, "triple", ["tacocat", "tacocat", "feral_cat"], to=fourth, name="skip")
    play.say(fourth, "answer", has=True)
    combo(play, third, "triple", ["beard_cat"] * 3, to=fourth, name="nope").say(
        fourth, "answer", has=False
    )
    played(play, third, "skip")
    while who(play) != names[1][:24]:
        drawn(play)
    return play


def attacked(names: tuple[str, ...] = FOUR) -> Play:
    """Two Attacks on, four turns are owed; a Kitten was put back, a hand exploded untold."""
    play = drawn(midway(names), "kitten").say(names[1], "explode")
    play = drawn(play, "kitten").say(names[2], "defuse")
    play = played(play, who(play), "attack")
    return played(play, who(play), "attack")


def kitten(names: tuple[str, ...] = FOUR) -> Play:
    return drawn(midway(names), "kitten")


def arranged() -> Play:
    """Ben arranged the top and noted it; Cleo is up."""
    play = played(midway(), "Ben", "alter_future")
    play.say("Ben", "look", saw=["skip", "kitten", "nope"])
    return play


def skipped() -> Play:
    """Ben looked, and left it to Cleo to draw."""
    play = played(midway(), "Ben", "see_future").say("Ben", "look")
    return played(play, "Ben", "skip")


def defused() -> Play:
    """Ben has just put the Kitten back."""
    return kitten().say("Ben", "defuse")


def fetched() -> Play:
    """Five different cards of Ben's fetch one from the discard pile."""
    return combo(midway(), "Ben", "five", ["skip", "shuffle", "favor", "feral_cat", "see_future"])


def over() -> Play:
    play = midway()
    while play.table.phase == "play":
        up = who(play)
        drawn(play, "kitten").say(up, "explode")
    return play


def of(play: Callable[[], Play], by: str, kind: str, /, **more: Any) -> Callable[[], Play]:
    return lambda: play().say(by, kind, **more)


def draft(kind: str, cards: list[str] | None = None, name: str | None = None) -> dict[str, Any]:
    made: dict[str, Any] = {"alone": True, "kind": kind, "name": name}
    return {"draft": made | ({"cards": cards} if cards is not None else {})}


def told(*cards: str) -> dict[str, Any]:
    return {"draft": {"alone": True, "told": list(cards)}}


def saw(*cards: str | None) -> dict[str, Any]:
    return {"draft": {"alone": True, "saw": list(cards)}}


TWO = ["tacocat", "feral_cat"]
FIVE = ["skip", "shuffle", "favor", "feral_cat", "feral_cat"]
TRIPLE: dict[str, Any] = {
    "kind": "triple",
    "cards": ["cattermelon"] * 3,
    "to": "Dora",
    "name": "defuse",
}
ONE = TEN[1]

SCENES: dict[str, Scene] = {
    "lobby-host": (lambda: seated(FOUR, DORA), "Ana", {}),
    "lobby-guest": (lambda: seated(FOUR, DORA), "Ben", {}),
    "lobby-ten": (lambda: seated(TEN), TEN[0], {}),
    "setup-host": (lambda: seated(FOUR, DORA).say("Ana", "prepare"), "Ana", {}),
    "setup-guest": (lambda: seated(FOUR[:3]).say("Ana", "prepare"), "Cleo", {}),
    "setup-ten": (lambda: seated(TEN).say(TEN[0], "prepare"), TEN[0], {}),
    "setup-all-ready": (prepared, "Ana", {}),
    "act-first": (begun, "Ben", {}),
    "act-turn": (midway, "Ben", {}),
    "act-aimed": (lambda: midway(variant=AIMED), "Ben", {}),
    "act-other": (midway, "Dora", {}),
    "act-spectator": (midway, None, {}),
    "act-host-for": (lambda: midway(FOUR, ("Ben",)), "Ana", {}),
    "act-host-away": (midway, "Ana", {"presence": {"seats": {"s3": "away"}, "spectators": 20}}),
    "act-owed": (attacked, "Cleo", {}),
    "act-owed-other": (attacked, "Ana", {}),
    "act-owed-out": (attacked, "Ben", {}),
    "act-arranged": (arranged, "Ana", {}),
    "act-noted": (arranged, "Ben", {}),
    "act-two": (lambda: begun(TEN[:2]), ONE, {}),
    "act-three": (lambda: begun(TEN[:3]), ONE, {}),
    "act-five": (lambda: midway(TEN[:5]), ONE, {}),
    "act-six": (lambda: midway(TEN[:6]), ONE, {}),
    "act-seven": (lambda: midway(TEN[:7]), ONE, {}),
    "act-eight": (lambda: midway(TEN[:8]), ONE, {}),
    "act-nine": (lambda: midway(TEN[:9]), ONE, {}),
    "act-ten": (lambda: midway(TEN), ONE, {}),
    "act-ten-host": (lambda: midway(TEN), TEN[0], {}),
    "act-ten-owed": (lambda: attacked(TEN), TEN[5], {}),
    "aim": (midway, "Ben", {"aim": "favor"}),
    "aim-ten": (lambda: midway(TEN), ONE, {"aim": "favor"}),
    "combo-pair": (midway, "Ben", draft("pair")),
    "combo-whom": (midway, "Ben", draft("pair", TWO)),
    "combo-name": (midway, "Ben", draft("triple", ["cattermelon"] * 3)),
    "combo-ten": (
        lambda: midway(TEN),
        ONE,
        draft("triple", ["cattermelon", "cattermelon", "feral_cat"], "defuse"),
    ),
    "combo-five": (midway, "Ben", draft("five", FIVE[:3])),
    "combo-five-all": (midway, "Ben", draft("five", FIVE)),
    "window-card": (of(midway, "Ben", "play", card="attack"), "Cleo", {}),
    "window-pair": (of(midway, "Ben", "combo", kind="pair", cards=TWO, to="Dora"), "Dora", {}),
    "window-triple": (of(midway, "Ben", "combo", **TRIPLE), "Cleo", {}),
    "window-own": (of(midway, "Ben", "combo", **TRIPLE), "Ben", {}),
    "window-five": (of(midway, "Ben", "combo", kind="five", cards=FIVE), "Cleo", {}),
    "window-noped": (lambda: of(midway, "Ben", "combo", **TRIPLE)().say("Ana", "nope"), "Cleo", {}),
    "window-noped-own": (
        lambda: of(midway, "Ben", "combo", **TRIPLE)().say("Ana", "nope"),
        "Ben",
        {},
    ),
    "window-ten": (of(lambda: midway(TEN), ONE, "play", card="skip"), TEN[2], {}),
    "look-turn": (lambda: played(midway(), "Ben", "see_future"), "Ben", {}),
    "look-saw": (lambda: played(midway(), "Ben", "see_future"), "Ben", saw("skip", None, None)),
    "look-alter": (
        lambda: played(midway(), "Ben", "alter_future"),
        "Ben",
        saw("kitten", "rainbow_ralphing_cat", "draw_from_bottom"),
    ),
    "look-other": (lambda: played(midway(), "Ben", "alter_future"), "Ana", {}),
    "shuffle-turn": (lambda: played(midway(), "Ben", "shuffle"), "Ben", {}),
    "give-target": (lambda: played(midway(), "Ben", "favor", "Dora"), "Dora", {}),
    "give-host-for": (lambda: played(midway(FOUR, DORA), "Ben", "favor", "Dora"), "Ana", {}),
    "take-turn": (lambda: combo(midway(), "Ben", "pair", TWO, to="Dora"), "Ben", {}),
    "take-target": (lambda: combo(midway(), "Ben", "pair", TWO, to="Dora"), "Dora", {}),
    "answer-target": (lambda: combo(midway(), "Ben", **TRIPLE), "Dora", {}),
    "answer-other": (lambda: combo(midway(), "Ben", **TRIPLE), "Ana", {}),
    "pick-turn": (fetched, "Ben", {}),
    "pick-other": (fetched, "Ana", {}),
    "report-turn": (of(midway, "Ben", "draw"), "Ben", {}),
    "report-bottom": (lambda: played(midway(), "Ben", "draw_from_bottom"), "Ben", {}),
    "report-other": (of(midway, "Ben", "draw"), "Cleo", {}),
    "kitten-turn": (kitten, "Ben", {}),
    "kitten-place": (kitten, "Ben", {"draft": {"place": 9}}),
    "kitten-told": (kitten, "Ben", told("skip", "skip", "nope")),
    "kitten-sure": (kitten, "Ben", {"asking": "explode s3"}),
    "kitten-other": (kitten, "Ana", {}),
    "kitten-ten": (lambda: kitten(TEN), ONE, {}),
    "lesson-top": (midway, "Ben", {"prefs": taught()}),
    "lesson-top-ten": (lambda: midway(TEN), ONE, {"prefs": taught()}),
    "lesson-play": (midway, "Ben", {"prefs": taught("top")}),
    "lesson-pair": (midway, "Ben", {"prefs": taught("top", "play.table")}),
    "lesson-danger": (attacked, "Cleo", {"prefs": taught()}),
    "lesson-keep": (defused, "Ben", {"prefs": taught()}),
    "lesson-mix": (arranged, "Ben", {"prefs": taught()}),
    "lesson-mix-other": (skipped, "Cleo", {"prefs": taught()}),
    "lesson-peek": (lambda: played(midway(), "Ben", "see_future"), "Ben", {"prefs": taught()}),
    "lesson-order": (lambda: played(midway(), "Ben", "alter_future"), "Ben", {"prefs": taught()}),
    "lesson-riffle": (lambda: played(midway(), "Ben", "shuffle"), "Ben", {"prefs": taught()}),
    "lesson-give": (
        lambda: played(midway(), "Ben", "favor", "Dora"),
        "Dora",
        {"prefs": taught()},
    ),
    "lesson-take": (
        lambda: combo(midway(), "Ben", "pair", TWO, to="Dora"),
        "Ben",
        {"prefs": taught()},
    ),
    "lesson-answer": (lambda: combo(midway(), "Ben", **TRIPLE), "Dora", {"prefs": taught()}),
    "lesson-pick": (fetched, "Ben", {"prefs": taught()}),
    "lesson-drew": (of(midway, "Ben", "draw"), "Ben", {"prefs": taught()}),
    "lesson-slip": (kitten, "Ben", {"prefs": taught()}),
    "lesson-wanted": (
        of(midway, "Ben", "combo", kind="pair", cards=TWO, to="Dora"),
        "Dora",
        {"prefs": taught()},
    ),
    "lesson-nope": (of(midway, "Ben", "play", card="attack"), "Cleo", {"prefs": taught()}),
    "lesson-grab": (of(midway, "Ben", "play", card="attack"), "Ben", {"prefs": taught()}),
    "lesson-watch": (midway, "Dora", {"prefs": taught()}),
    "lesson-out": (attacked, "Ben", {"prefs": taught()}),
    "menu-lessons": (midway, "Ben", {"prefs": taught(), "sheet": {"kind": "menu"}}),
    "boom": (attacked, "Ana", {"boom": {"seat": "s3", "out": "kitten"}}),
    "help-begin": (midway, "Ben", {"sheet": {"kind": "help"}}),
    "over-winner": (over, "Ana", {}),
    "over-spectator": (over, None, {}),
}
