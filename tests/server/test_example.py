"""Tests for the example turn of the pile games, which the help shows as a replay."""

from pathlib import Path

import pytest

from companion.rules.families import load
from tests.support.renamed_variant import copy_with_renamed_boxes
from tests.support.servers.server import RealServer

EXPECTED_TYPES = ["game_began", "turn_began", "card_played", "passed", "passed", "window_closed",
        "step_began", "looked", "card_played", "nope_played", "passed", "passed",
        "window_closed", "card_played", "passed", "passed", "window_closed", "step_began",
        "pile_shuffled", "card_touched", "card_drawn", "turn_began"]  # fmt: skip


def read_log_entries(server: RealServer, variant: str) -> list[dict[str, object]]:
    credentials = server.post("/api/tables", {"name": "Eve", "variant": variant}).json
    replay = server.get(f"/api/tables/{credentials['table']}/games/example/moments").json
    return [entry for moment in replay["moments"] for entry in moment["log"]]


@pytest.mark.parametrize("variant", ["party-120", "party-120-it", "party-122", "original-56"])
def test_every_box_has_the_example_with_its_own_cards(server: RealServer, variant: str) -> None:
    log = read_log_entries(server, variant)
    assert [entry["type"] for entry in log][4:] == EXPECTED_TYPES
    cards = load(Path("variants") / variant).words.cards
    played = [str(entry["text"]) for entry in log if entry["type"] == "card_played"]
    for text, card in zip(played, ("see_future", "attack", "shuffle"), strict=True):
        assert cards[card].title in text


def test_the_example_does_not_depend_on_card_ids(serve: object, tmp_path: Path) -> None:
    copy_with_renamed_boxes(tmp_path / "variants")
    server: RealServer = serve(COMPANION_VARIANTS_DIR=str(tmp_path / "variants"))  # type: ignore[operator]
    assert [entry["type"] for entry in read_log_entries(server, "party-120")][4:] == EXPECTED_TYPES


def test_a_draw_grid_table_has_no_example(server: RealServer) -> None:
    credentials = server.post("/api/tables", {"name": "Eve"}).json
    answer = server.get(f"/api/tables/{credentials['table']}/games/example/moments")
    assert (answer.status, answer.error["code"]) == (404, "not_found")
