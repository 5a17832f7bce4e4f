"""Views of the classic games for every step and role (see ``scenes``).

Each view results from commands that the rules accepted. None is made up.
"""

from collections.abc import Callable
from typing import Any

from tests.panel.scenes import FOUR, HERE, TEN, Play, Scene, everyone_passes, lesson_prefs
from tests.support.own_variants import load_own

VARIANTS = HERE.parent.parent / "variants"
VARIANT = load_own("party-122")
"""A variant that also has combos of five."""
AIMED = load_own("party-120")
"""A variant with Targeted Attacks."""
DORA = ("Dora",)


def seat_players(
    names: tuple[str, ...] = FOUR, without: tuple[str, ...] = (), variant: Any = None
) -> Play:
    return Play(names, without, variant or VARIANT)


def prepare_game(
    names: tuple[str, ...] = FOUR, without: tuple[str, ...] = (), variant: Any = None
) -> Play:
    play = seat_players(names, without, variant).send(names[0], "prepare")
    for name in names:
        play.send(name, "ready", ready=True)
    return play


def begin_game(
    names: tuple[str, ...] = FOUR, without: tuple[str, ...] = (), variant: Any = None
) -> Play:
    """Begin a game in which the second player has the first turn."""
    play = prepare_game(names, without, variant)
    return play.send(names[0], "begin", first=play.seat(names[1]))


def draw_safe(play: Play, outcome: str = "safe", times: int = 1) -> Play:
    """Let the turn players draw one after another, and report this outcome each time."""
    for _ in range(times):
        up = get_turn_player(play)
        play.send(up, "draw").send(up, "report", outcome=outcome)
    return play


def get_turn_player(play: Play) -> str:
    """Return the turn player's name."""
    return next(seat.name for seat in play.table.seats if seat.seat == play.table.game.turn.seat)


def play_card(play: Play, by: str, card: str, to: str | None = None) -> Play:
    """Play a card that nobody Nopes."""
    play.send(by, "play", card=card, **({"to": to} if to else {}))
    everyone_passes(play)
    return play


def play_combo(play: Play, by: str, kind: str, cards: list[str], **more: Any) -> Play:
    play.send(by, "combo", kind=kind, cards=cards, **more)
    everyone_passes(play)
    return play


def play_one_round(
    names: tuple[str, ...] = FOUR, without: tuple[str, ...] = (), variant: Any = None
) -> Play:
    """Play a round until it is the second player's turn again.

    The table then knows some cards in hands and on the discard pile.
    """
    play = draw_safe(begin_game(names, without, variant))
    third = names[2]
    fourth = names[3]
    play_combo(play, third, "triple", ["tacocat", "tacocat", "feral_cat"], to=fourth, name="skip")
    play.send(fourth, "answer", has=True)
    play_combo(play, third, "triple", ["beard_cat"] * 3, to=fourth, name="nope").send(
        fourth, "answer", has=False
    )
    play_card(play, third, "skip")
    while get_turn_player(play) != names[1][:24]:
        draw_safe(play)
    return play


def play_attacks(names: tuple[str, ...] = FOUR) -> Play:
    """Play until four turns are owed after two Attacks.

    A player has exploded with an unknown hand, and another has put a Kitten back.
    """
    play = draw_safe(play_one_round(names), "kitten").send(names[1], "explode")
    play = draw_safe(play, "kitten").send(names[2], "defuse")
    play = play_card(play, get_turn_player(play), "attack")
    return play_card(play, get_turn_player(play), "attack")


def draw_kitten(names: tuple[str, ...] = FOUR) -> Play:
    return draw_safe(play_one_round(names), "kitten")


def play_alter_future() -> Play:
    """Let Ben arrange the top cards and note them."""
    play = play_card(play_one_round(), "Ben", "alter_future")
    play.send("Ben", "look", saw=["skip", "kitten", "nope"])
    return play


def play_skip() -> Play:
    """Let Ben look at the top cards and skip his draw, so that Cleo is up."""
    play = play_card(play_one_round(), "Ben", "see_future").send("Ben", "look")
    return play_card(play, "Ben", "skip")


def play_defuse() -> Play:
    """Let Ben defuse the Kitten and put it back."""
    return draw_kitten().send("Ben", "defuse")


def play_five() -> Play:
    """Let Ben play five different cards, so that he can pick a card from the discard pile."""
    return play_combo(
        play_one_round(), "Ben", "five", ["skip", "shuffle", "favor", "feral_cat", "see_future"]
    )


def finish_game() -> Play:
    play = play_one_round()
    while play.table.phase == "play":
        up = get_turn_player(play)
        draw_safe(play, "kitten").send(up, "explode")
    return play


def add_command(play: Callable[[], Play], by: str, kind: str, /, **more: Any) -> Callable[[], Play]:
    return lambda: play().send(by, kind, **more)


def make_draft(
    kind: str, cards: list[str] | None = None, name: str | None = None
) -> dict[str, Any]:
    draft: dict[str, Any] = {"alone": True, "kind": kind, "name": name}
    return {"draft": draft | ({"cards": cards} if cards is not None else {})}


def make_hand_draft(*cards: str) -> dict[str, Any]:
    return {"draft": {"alone": True, "told": list(cards)}}


def make_saw_draft(*cards: str | None) -> dict[str, Any]:
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
    "setup-host": (lambda: seat_players(FOUR, DORA).send("Ana", "prepare"), "Ana", {}),
    "setup-guest": (lambda: seat_players(FOUR[:3]).send("Ana", "prepare"), "Cleo", {}),
    "setup-ten": (lambda: seat_players(TEN).send(TEN[0], "prepare"), TEN[0], {}),
    "setup-all-ready": (prepare_game, "Ana", {}),
    "act-first": (begin_game, "Ben", {}),
    "act-turn": (play_one_round, "Ben", {}),
    "act-aimed": (lambda: play_one_round(variant=AIMED), "Ben", {}),
    "act-other": (play_one_round, "Dora", {}),
    "act-spectator": (play_one_round, None, {}),
    "act-host-for": (lambda: play_one_round(FOUR, ("Ben",)), "Ana", {}),
    "act-host-away": (
        play_one_round,
        "Ana",
        {"presence": {"seats": {"s3": "away"}, "spectators": 20}},
    ),
    "act-owed": (play_attacks, "Cleo", {}),
    "act-owed-other": (play_attacks, "Ana", {}),
    "act-owed-out": (play_attacks, "Ben", {}),
    "act-arranged": (play_alter_future, "Ana", {}),
    "act-noted": (play_alter_future, "Ben", {}),
    "act-two": (lambda: begin_game(TEN[:2]), ONE, {}),
    "act-three": (lambda: begin_game(TEN[:3]), ONE, {}),
    "act-five": (lambda: play_one_round(TEN[:5]), ONE, {}),
    "act-six": (lambda: play_one_round(TEN[:6]), ONE, {}),
    "act-seven": (lambda: play_one_round(TEN[:7]), ONE, {}),
    "act-eight": (lambda: play_one_round(TEN[:8]), ONE, {}),
    "act-nine": (lambda: play_one_round(TEN[:9]), ONE, {}),
    "act-ten": (lambda: play_one_round(TEN), ONE, {}),
    "act-ten-host": (lambda: play_one_round(TEN), TEN[0], {}),
    "act-ten-owed": (lambda: play_attacks(TEN), TEN[5], {}),
    "aim": (play_one_round, "Ben", {"aimedCard": "favor"}),
    "aim-ten": (lambda: play_one_round(TEN), ONE, {"aimedCard": "favor"}),
    "combo-pair": (play_one_round, "Ben", make_draft("pair")),
    "combo-whom": (play_one_round, "Ben", make_draft("pair", TWO)),
    "combo-name": (play_one_round, "Ben", make_draft("triple", ["cattermelon"] * 3)),
    "combo-ten": (
        lambda: play_one_round(TEN),
        ONE,
        make_draft("triple", ["cattermelon", "cattermelon", "feral_cat"], "defuse"),
    ),
    "combo-five": (play_one_round, "Ben", make_draft("five", FIVE[:3])),
    "combo-five-all": (play_one_round, "Ben", make_draft("five", FIVE)),
    "window-card": (add_command(play_one_round, "Ben", "play", card="attack"), "Cleo", {}),
    "window-pair": (
        add_command(play_one_round, "Ben", "combo", kind="pair", cards=TWO, to="Dora"),
        "Dora",
        {},
    ),
    "window-triple": (add_command(play_one_round, "Ben", "combo", **TRIPLE), "Cleo", {}),
    "window-own": (add_command(play_one_round, "Ben", "combo", **TRIPLE), "Ben", {}),
    "window-five": (
        add_command(play_one_round, "Ben", "combo", kind="five", cards=FIVE),
        "Cleo",
        {},
    ),
    "window-noped": (
        lambda: add_command(play_one_round, "Ben", "combo", **TRIPLE)().send("Ana", "nope"),
        "Cleo",
        {},
    ),
    "window-noped-own": (
        lambda: add_command(play_one_round, "Ben", "combo", **TRIPLE)().send("Ana", "nope"),
        "Ben",
        {},
    ),
    "window-ten": (add_command(lambda: play_one_round(TEN), ONE, "play", card="skip"), TEN[2], {}),
    "look-turn": (lambda: play_card(play_one_round(), "Ben", "see_future"), "Ben", {}),
    "look-saw": (
        lambda: play_card(play_one_round(), "Ben", "see_future"),
        "Ben",
        make_saw_draft("skip", None, None),
    ),
    "look-alter": (
        lambda: play_card(play_one_round(), "Ben", "alter_future"),
        "Ben",
        make_saw_draft("kitten", "rainbow_ralphing_cat", "draw_from_bottom"),
    ),
    "look-other": (lambda: play_card(play_one_round(), "Ben", "alter_future"), "Ana", {}),
    "shuffle-turn": (lambda: play_card(play_one_round(), "Ben", "shuffle"), "Ben", {}),
    "give-target": (lambda: play_card(play_one_round(), "Ben", "favor", "Dora"), "Dora", {}),
    "give-host-for": (
        lambda: play_card(play_one_round(FOUR, DORA), "Ben", "favor", "Dora"),
        "Ana",
        {},
    ),
    "take-turn": (lambda: play_combo(play_one_round(), "Ben", "pair", TWO, to="Dora"), "Ben", {}),
    "take-target": (
        lambda: play_combo(play_one_round(), "Ben", "pair", TWO, to="Dora"),
        "Dora",
        {},
    ),
    "answer-target": (lambda: play_combo(play_one_round(), "Ben", **TRIPLE), "Dora", {}),
    "answer-other": (lambda: play_combo(play_one_round(), "Ben", **TRIPLE), "Ana", {}),
    "pick-turn": (play_five, "Ben", {}),
    "pick-other": (play_five, "Ana", {}),
    "report-turn": (add_command(play_one_round, "Ben", "draw"), "Ben", {}),
    "report-bottom": (lambda: play_card(play_one_round(), "Ben", "draw_from_bottom"), "Ben", {}),
    "report-other": (add_command(play_one_round, "Ben", "draw"), "Cleo", {}),
    "kitten-turn": (draw_kitten, "Ben", {}),
    "kitten-place": (draw_kitten, "Ben", {"draft": {"place": 9}}),
    "kitten-told": (draw_kitten, "Ben", make_hand_draft("skip", "skip", "nope")),
    "kitten-sure": (draw_kitten, "Ben", {"commandToConfirm": "explode s3"}),
    "kitten-other": (draw_kitten, "Ana", {}),
    "kitten-ten": (lambda: draw_kitten(TEN), ONE, {}),
    "lesson-top": (play_one_round, "Ben", {"prefs": lesson_prefs()}),
    "lesson-top-ten": (lambda: play_one_round(TEN), ONE, {"prefs": lesson_prefs()}),
    "lesson-play": (play_one_round, "Ben", {"prefs": lesson_prefs("top")}),
    "lesson-pair": (play_one_round, "Ben", {"prefs": lesson_prefs("top", "play.table")}),
    "lesson-danger": (play_attacks, "Cleo", {"prefs": lesson_prefs()}),
    "lesson-keep": (play_defuse, "Ben", {"prefs": lesson_prefs()}),
    "lesson-mix": (play_alter_future, "Ben", {"prefs": lesson_prefs()}),
    "lesson-mix-other": (play_skip, "Cleo", {"prefs": lesson_prefs()}),
    "lesson-peek": (
        lambda: play_card(play_one_round(), "Ben", "see_future"),
        "Ben",
        {"prefs": lesson_prefs()},
    ),
    "lesson-order": (
        lambda: play_card(play_one_round(), "Ben", "alter_future"),
        "Ben",
        {"prefs": lesson_prefs()},
    ),
    "lesson-riffle": (
        lambda: play_card(play_one_round(), "Ben", "shuffle"),
        "Ben",
        {"prefs": lesson_prefs()},
    ),
    "lesson-give": (
        lambda: play_card(play_one_round(), "Ben", "favor", "Dora"),
        "Dora",
        {"prefs": lesson_prefs()},
    ),
    "lesson-take": (
        lambda: play_combo(play_one_round(), "Ben", "pair", TWO, to="Dora"),
        "Ben",
        {"prefs": lesson_prefs()},
    ),
    "lesson-answer": (
        lambda: play_combo(play_one_round(), "Ben", **TRIPLE),
        "Dora",
        {"prefs": lesson_prefs()},
    ),
    "lesson-pick": (play_five, "Ben", {"prefs": lesson_prefs()}),
    "lesson-drew": (add_command(play_one_round, "Ben", "draw"), "Ben", {"prefs": lesson_prefs()}),
    "lesson-slip": (draw_kitten, "Ben", {"prefs": lesson_prefs()}),
    "lesson-wanted": (
        add_command(play_one_round, "Ben", "combo", kind="pair", cards=TWO, to="Dora"),
        "Dora",
        {"prefs": lesson_prefs()},
    ),
    "lesson-nope": (
        add_command(play_one_round, "Ben", "play", card="attack"),
        "Cleo",
        {"prefs": lesson_prefs()},
    ),
    "lesson-grab": (
        add_command(play_one_round, "Ben", "play", card="attack"),
        "Ben",
        {"prefs": lesson_prefs()},
    ),
    "lesson-watch": (play_one_round, "Dora", {"prefs": lesson_prefs()}),
    "lesson-out": (play_attacks, "Ben", {"prefs": lesson_prefs()}),
    "menu-lessons": (play_one_round, "Ben", {"prefs": lesson_prefs(), "sheet": {"kind": "menu"}}),
    "boom": (play_attacks, "Ana", {"explosion": {"seat": "s3", "out": "kitten"}}),
    "help-begin": (play_one_round, "Ben", {"sheet": {"kind": "help"}}),
    "over-winner": (finish_game, "Ana", {}),
    "over-spectator": (finish_game, None, {}),
}
