"""The example turn of the games with one pile, which help offers as a replay."""

from pathlib import Path

import pytest

from companion.rules.families import load
from tests.renamed_variant import renamed_boxes
from tests.server import RealServer

SAYS = ["game_began", "turn_began", "card_played", "passed", "passed", "window_closed",
        "step_began", "looked", "card_played", "nope_played", "passed", "passed",
        "window_closed", "card_played", "passed", "passed", "window_closed", "step_began",
        "pile_shuffled", "card_touched", "card_drawn", "turn_began"]  # fmt: skip


def moments(server: RealServer, variant: str) -> list[dict[str, object]]:
    place = server.post("/api/tables", {"name": "Eve", "variant": variant}).json
    got = server.get(f"/api/tables/{place['table']}/games/example/moments").json
    return [entry for moment in got["moments"] for entry in moment["log"]]


@pytest.mark.parametrize("variant", ["party-120", "party-120-it", "party-122", "original-56"])
def test_every_box_plays_it_with_its_own_cards(server: RealServer, variant: str) -> None:
    log = moments(server, variant)
    assert [entry["type"] for entry in log][4:] == SAYS
    cards = load(Path("variants") / variant).words.cards
    played = [str(entry["text"]) for entry in log if entry["type"] == "card_played"]
    for text, card in zip(played, ("see_future", "attack", "shuffle"), strict=True):
        assert cards[card].title in text


def test_it_knows_cards_by_what_they_do(serve: object, tmp_path: Path) -> None:
    renamed_boxes(tmp_path / "variants")
    server: RealServer = serve(COMPANION_VARIANTS_DIR=str(tmp_path / "variants"))  # type: ignore[operator]
    assert [entry["type"] for entry in moments(server, "party-120")][4:] == SAYS


def test_a_table_of_the_draw_grid_has_none(server: RealServer) -> None:
    place = server.post("/api/tables", {"name": "Eve"}).json
    answer = server.get(f"/api/tables/{place['table']}/games/example/moments")
    assert (answer.status, answer.error["code"]) == (404, "not_found")
