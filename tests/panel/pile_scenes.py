"""Views of the classic games for every step and role. See ``scenes``.

Every view results from commands that the rules accepted, so none is made up.
"""

from collections.abc import Callable
from typing import Any

from companion.rules.families import load
from tests.panel.scenes import FOUR, HERE, TEN, Play, Scene, everyone_passes, taught

VARIANTS = HERE.parent.parent / "variants"
VARIANT = load(VARIANTS / "party-122")
"""A variant that also has combos of five."""
AIMED = load(VARIANTS / "party-120")
"""A variant with Targeted Attacks."""
DORA = ("Dora",)


def seat_players(
    names: tuple[str, ...] = FOUR, without: tuple[str, ...] = (), variant: Any = None
) -> Play:
    return Play(names, without, variant or VARIANT)


def prepare_game(
    names: tuple[str, ...] = FOUR, without: tuple[str, ...] = (), variant: Any = None
) -> Play:
    play = seat_players(names, without, variant).say(names[0], "prepare")
    for name in names:
        play.say(name, "ready", ready=True)
    return play


def begin_game(
    names: tuple[str, ...] = FOUR, without: tuple[str, ...] = (), variant: Any = None
) -> Play:
    """Begin a game. The second player goes first."""
    play = prepare_game(names, without, variant)
    return play.say(names[0], "begin", first=play.seat(names[1]))


def draw_safe(play: Play, outcome: str = "safe", times: int = 1) -> Play:
    """Let the turn players draw, one after another, and report this outcome."""
    for _ in range(times):
        up = who(play)
        play.say(up, "draw").say(up, "report", outcome=outcome)
    return play


def who(play: Play) -> str:
    """Return the turn player's name."""
    return next(seat.name for seat in play.table.seats if seat.seat == play.table.game.turn.seat)


def play_card(play: Play, by: str, card: str, to: str | None = None) -> Play:
    """Play a card that everybody lets pass."""
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
    """Play a round until it is the second player's turn again.

    The table then knows some cards in hands and on the discard pile.
    """
    play = draw_safe(begin_game(names, without, variant))
    third = names[2]
    fourth = names[3]
    combo(play, third, "triple", ["tacocat", "tacocat", "feral_cat"], to=fourth, name="skip")
    play.say(fourth, "answer", has=True)
    combo(play, third, "triple", ["beard_cat"] * 3, to=fourth, name="nope").say(
        fourth, "answer", has=False
    )
    play_card(play, third, "skip")
    while who(play) != names[1][:24]:
        draw_safe(play)
    return play


def after_attack(names: tuple[str, ...] = FOUR) -> Play:
    """Play until four turns are owed after two Attacks.

    A player has exploded with an unknown hand, and another has put a Kitten back.
    """
    play = draw_safe(midway(names), "kitten").say(names[1], "explode")
    play = draw_safe(play, "kitten").say(names[2], "defuse")
    play = play_card(play, who(play), "attack")
    return play_card(play, who(play), "attack")


def kitten(names: tuple[str, ...] = FOUR) -> Play:
    return draw_safe(midway(names), "kitten")


def after_alter() -> Play:
    """Let Ben arrange the top cards and note them."""
    play = play_card(midway(), "Ben", "alter_future")
    play.say("Ben", "look", saw=["skip", "kitten", "nope"])
    return play


def after_skip() -> Play:
    """Let Ben look at the top cards and skip his draw, so that Cleo is up."""
    play = play_card(midway(), "Ben", "see_future").say("Ben", "look")
    return play_card(play, "Ben", "skip")


def after_defuse() -> Play:
    """Let Ben defuse the Kitten and put it back."""
    return kitten().say("Ben", "defuse")


def after_favor() -> Play:
    """Let Ben play five different cards, for which he can pick a card from the discard pile."""
    return combo(midway(), "Ben", "five", ["skip", "shuffle", "favor", "feral_cat", "see_future"])


def over() -> Play:
    play = midway()
    while play.table.phase == "play":
        up = who(play)
        draw_safe(play, "kitten").say(up, "explode")
    return play


def of(play: Callable[[], Play], by: str, kind: str, /, **more: Any) -> Callable[[], Play]:
    return lambda: play().say(by, kind, **more)


def draft(kind: str, cards: list[str] | None = None, name: str | None = None) -> dict[str, Any]:
    made: dict[str, Any] = {"alone": True, "kind": kind, "name": name}
    return {"draft": made | ({"cards": cards} if cards is not None else {})}


def hand_draft(*cards: str) -> dict[str, Any]:
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
    "lobby-host": (lambda: seat_players(FOUR, DORA), "Ana", {}),
    "lobby-guest": (lambda: seat_players(FOUR, DORA), "Ben", {}),
    "lobby-ten": (lambda: seat_players(TEN), TEN[0], {}),
    "setup-host": (lambda: seat_players(FOUR, DORA).say("Ana", "prepare"), "Ana", {}),
    "setup-guest": (lambda: seat_players(FOUR[:3]).say("Ana", "prepare"), "Cleo", {}),
    "setup-ten": (lambda: seat_players(TEN).say(TEN[0], "prepare"), TEN[0], {}),
    "setup-all-ready": (prepare_game, "Ana", {}),
    "act-first": (begin_game, "Ben", {}),
    "act-turn": (midway, "Ben", {}),
    "act-aimed": (lambda: midway(variant=AIMED), "Ben", {}),
    "act-other": (midway, "Dora", {}),
    "act-spectator": (midway, None, {}),
    "act-host-for": (lambda: midway(FOUR, ("Ben",)), "Ana", {}),
    "act-host-away": (midway, "Ana", {"presence": {"seats": {"s3": "away"}, "spectators": 20}}),
    "act-owed": (after_attack, "Cleo", {}),
    "act-owed-other": (after_attack, "Ana", {}),
    "act-owed-out": (after_attack, "Ben", {}),
    "act-arranged": (after_alter, "Ana", {}),
    "act-noted": (after_alter, "Ben", {}),
    "act-two": (lambda: begin_game(TEN[:2]), ONE, {}),
    "act-three": (lambda: begin_game(TEN[:3]), ONE, {}),
    "act-five": (lambda: midway(TEN[:5]), ONE, {}),
    "act-six": (lambda: midway(TEN[:6]), ONE, {}),
    "act-seven": (lambda: midway(TEN[:7]), ONE, {}),
    "act-eight": (lambda: midway(TEN[:8]), ONE, {}),
    "act-nine": (lambda: midway(TEN[:9]), ONE, {}),
    "act-ten": (lambda: midway(TEN), ONE, {}),
    "act-ten-host": (lambda: midway(TEN), TEN[0], {}),
    "act-ten-owed": (lambda: after_attack(TEN), TEN[5], {}),
    "aim": (midway, "Ben", {"aimedCard": "favor"}),
    "aim-ten": (lambda: midway(TEN), ONE, {"aimedCard": "favor"}),
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
    "look-turn": (lambda: play_card(midway(), "Ben", "see_future"), "Ben", {}),
    "look-saw": (lambda: play_card(midway(), "Ben", "see_future"), "Ben", saw("skip", None, None)),
    "look-alter": (
        lambda: play_card(midway(), "Ben", "alter_future"),
        "Ben",
        saw("kitten", "rainbow_ralphing_cat", "draw_from_bottom"),
    ),
    "look-other": (lambda: play_card(midway(), "Ben", "alter_future"), "Ana", {}),
    "shuffle-turn": (lambda: play_card(midway(), "Ben", "shuffle"), "Ben", {}),
    "give-target": (lambda: play_card(midway(), "Ben", "favor", "Dora"), "Dora", {}),
    "give-host-for": (lambda: play_card(midway(FOUR, DORA), "Ben", "favor", "Dora"), "Ana", {}),
    "take-turn": (lambda: combo(midway(), "Ben", "pair", TWO, to="Dora"), "Ben", {}),
    "take-target": (lambda: combo(midway(), "Ben", "pair", TWO, to="Dora"), "Dora", {}),
    "answer-target": (lambda: combo(midway(), "Ben", **TRIPLE), "Dora", {}),
    "answer-other": (lambda: combo(midway(), "Ben", **TRIPLE), "Ana", {}),
    "pick-turn": (after_favor, "Ben", {}),
    "pick-other": (after_favor, "Ana", {}),
    "report-turn": (of(midway, "Ben", "draw"), "Ben", {}),
    "report-bottom": (lambda: play_card(midway(), "Ben", "draw_from_bottom"), "Ben", {}),
    "report-other": (of(midway, "Ben", "draw"), "Cleo", {}),
    "kitten-turn": (kitten, "Ben", {}),
    "kitten-place": (kitten, "Ben", {"draft": {"place": 9}}),
    "kitten-told": (kitten, "Ben", hand_draft("skip", "skip", "nope")),
    "kitten-sure": (kitten, "Ben", {"commandToConfirm": "explode s3"}),
    "kitten-other": (kitten, "Ana", {}),
    "kitten-ten": (lambda: kitten(TEN), ONE, {}),
    "lesson-top": (midway, "Ben", {"prefs": taught()}),
    "lesson-top-ten": (lambda: midway(TEN), ONE, {"prefs": taught()}),
    "lesson-play": (midway, "Ben", {"prefs": taught("top")}),
    "lesson-pair": (midway, "Ben", {"prefs": taught("top", "play.table")}),
    "lesson-danger": (after_attack, "Cleo", {"prefs": taught()}),
    "lesson-keep": (after_defuse, "Ben", {"prefs": taught()}),
    "lesson-mix": (after_alter, "Ben", {"prefs": taught()}),
    "lesson-mix-other": (after_skip, "Cleo", {"prefs": taught()}),
    "lesson-peek": (lambda: play_card(midway(), "Ben", "see_future"), "Ben", {"prefs": taught()}),
    "lesson-order": (
        lambda: play_card(midway(), "Ben", "alter_future"),
        "Ben",
        {"prefs": taught()},
    ),
    "lesson-riffle": (lambda: play_card(midway(), "Ben", "shuffle"), "Ben", {"prefs": taught()}),
    "lesson-give": (
        lambda: play_card(midway(), "Ben", "favor", "Dora"),
        "Dora",
        {"prefs": taught()},
    ),
    "lesson-take": (
        lambda: combo(midway(), "Ben", "pair", TWO, to="Dora"),
        "Ben",
        {"prefs": taught()},
    ),
    "lesson-answer": (lambda: combo(midway(), "Ben", **TRIPLE), "Dora", {"prefs": taught()}),
    "lesson-pick": (after_favor, "Ben", {"prefs": taught()}),
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
    "lesson-out": (after_attack, "Ben", {"prefs": taught()}),
    "menu-lessons": (midway, "Ben", {"prefs": taught(), "sheet": {"kind": "menu"}}),
    "boom": (after_attack, "Ana", {"explosion": {"seat": "s3", "out": "kitten"}}),
    "help-begin": (midway, "Ben", {"sheet": {"kind": "help"}}),
    "over-winner": (over, "Ana", {}),
    "over-spectator": (over, None, {}),
}
