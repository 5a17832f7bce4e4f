"""Views of a classic game with the expansion Imploding Kittens (see ``pile_scenes``)."""

from collections.abc import Callable

from tests.panel.pile_scenes import begin_game as begin_with
from tests.panel.pile_scenes import (
    draw_safe,
    get_turn_player,
    make_hand_draft,
    play_card,
    seat_players,
)
from tests.panel.scenes import FOUR, TEN, Play, Scene
from tests.support.own_variants import load_own

VARIANT = load_own("imploding-party-120")


def begin_game(names: tuple[str, ...] = FOUR, without: tuple[str, ...] = ()) -> Play:
    return begin_with(names, without, VARIANT)


def draw_imploding(names: tuple[str, ...] = FOUR, without: tuple[str, ...] = ()) -> Play:
    """Let Ben draw the Imploding Kitten, which lies face down."""
    return draw_safe(begin_game(names, without), "imploding")


def put_back(play: Play, place: int | None = None) -> Play:
    """Let the turn player put the Imploding Kitten back, face up."""
    return play.send(get_turn_player(play), "put_back", **({"place": place} if place else {}))


def put_back_on_top(names: tuple[str, ...] = FOUR) -> Play:
    """Let Ben put the Imploding Kitten face up on top of the pile, where everybody sees it."""
    return put_back(draw_imploding(names), 1)


def play_reverse(names: tuple[str, ...] = FOUR) -> Play:
    """Let Ben turn the order of play round, so that Ana is up."""
    return play_card(begin_game(names), names[1], "reverse")


def let_turn_player(play: Callable[[], Play], kind: str) -> Callable[[], Play]:
    """Let the turn player give this command."""

    def act() -> Play:
        table = play()
        return table.send(get_turn_player(table), kind)

    return act


def implode() -> Play:
    """Let Cleo turn play round, so that Ben has to draw the Imploding Kitten face up."""
    play = put_back_on_top()
    play = play_card(play, "Cleo", "reverse")
    return play.send("Ben", "draw").send("Ben", "report", outcome="imploding")


SCENES: dict[str, Scene] = {
    "lobby-host": (lambda: seat_players(variant=VARIANT), "Ana", {}),
    "setup-guest": (
        lambda: seat_players(FOUR[:3], variant=VARIANT).send("Ana", "prepare"),
        "Cleo",
        {},
    ),
    "act-turn": (begin_game, "Ben", {}),
    "act-up": (lambda: put_back(draw_imploding(), 5), "Cleo", {}),
    "act-top": (put_back_on_top, "Cleo", {}),
    "act-top-other": (put_back_on_top, "Ana", {}),
    "act-top-ten": (lambda: put_back_on_top(TEN), TEN[2], {}),
    "act-reversed": (play_reverse, "Ana", {}),
    "act-reversed-ten": (lambda: play_reverse(TEN), TEN[0], {}),
    "report-turn": (let_turn_player(begin_game, "draw"), "Ben", {}),
    "report-up": (let_turn_player(lambda: put_back(draw_imploding()), "draw"), "Cleo", {}),
    "report-top": (let_turn_player(put_back_on_top, "draw"), "Cleo", {}),
    "report-sure": (
        let_turn_player(put_back_on_top, "draw"),
        "Cleo",
        {"commandToConfirm": "report s4 imploding"},
    ),
    "report-told": (
        let_turn_player(put_back_on_top, "draw"),
        "Cleo",
        make_hand_draft("skip", "reverse", "nope"),
    ),
    "imploding-turn": (draw_imploding, "Ben", {}),
    "imploding-place": (draw_imploding, "Ben", {"draft": {"place": 9}}),
    "imploding-top": (draw_imploding, "Ben", {"draft": {"place": 1}}),
    "imploding-host-for": (lambda: draw_imploding(FOUR, ("Ben",)), "Ana", {}),
    "imploding-other": (draw_imploding, "Dora", {}),
    "boom": (implode, "Ana", {"explosion": {"seat": "s3", "out": "kitten"}}),
    "act-gone": (implode, "Ana", {}),
}
