"""Tests for the house rule that an instruction can be Noped (ruling noped-instruction). A recorded
game, ``tests/scripts/grid/instruction_nopes.game``, shows what happens at the table."""

from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import UNSET
from msgspec.structs import replace

from companion.rules.core.windows import LEAST_MS
from companion.rules.families import load
from companion.rules.grid.events import Instructed
from companion.rules.grid.variant import Variant
from companion.rules.variants import house_rules
from companion.rules.variants.house_rules import InvalidHouseRules
from companion.rules.variants.loading import Faults
from tests.support.game_script import QUARANTINED, QUARANTINED_FOLDER, Script
from tests.support.public_view import private_view, public_view
from tests.support.say import say

NOPED = replace(QUARANTINED, instruction_nopes=True)


def play_lines(variant: Variant, lines: str) -> Script:
    script = Script(variant)
    for line in lines.strip().splitlines():
        script.run_line(line.strip())
    return script


def render_game(script: Script) -> dict[str, Any]:
    """Return the parts of the public view that instructions concern."""
    view = public_view(script.table, script.now)
    return {key: view[key] for key in ("turn", "played", "window")}


def test_without_the_rule_the_variant_events_and_views_lack_all_its_fields() -> None:
    assert b"instruction_nopes" not in QUARANTINED.to_json()
    event = Instructed(seat="s1", target="s2", cell=(0, 1))
    assert msgspec.json.encode(event) == (
        b'{"type":"instructed","seat":"s1","target":"s2","cell":[0,1]}'
    )
    script = play_lines(QUARANTINED, "players: ana ben cleo\ncleo tells 0,1")
    assert "noped" not in render_game(script)["turn"]
    assert [render_game(script)[key] for key in ("played", "window")] == [None, None]


def test_the_house_rule_changes_one_field_and_marks_the_rulings_that_it_changes() -> None:
    family = Script().table.family
    changes = house_rules.validate(QUARANTINED, family, {"instruction_nopes": True}, 3)
    variant = house_rules.apply(QUARANTINED, changes.changes, 3)
    changed = {slug for slug, source in variant.sources.items() if source == "house"}
    already = {slug for slug, source in QUARANTINED.sources.items() if source == "house"}
    assert changed - already == {"un-nopeable", "one-thing-at-a-time"}
    assert replace(variant, sources=QUARANTINED.sources) == NOPED
    unchanged = house_rules.validate(QUARANTINED, family, {"instruction_nopes": False}, 3)
    assert unchanged.changes == ()
    with pytest.raises(InvalidHouseRules):
        house_rules.validate(QUARANTINED, family, {"instruction_nopes": 1}, 3)


@pytest.mark.parametrize("language", ["en", "it"])
def test_the_rulings_say_that_it_is_a_reading_and_which_one_the_table_plays(language: str) -> None:
    off, on = (
        variant.with_filled_texts.texts[language].rulings for variant in (QUARANTINED, NOPED)
    )
    for slug in ("un-nopeable", "noped-instruction", "told-once", "one-thing-at-a-time"):
        assert off[slug].text != on[slug].text
    reading = {"en": "one way to read the sheet", "it": "un modo di leggere il foglio"}[language]
    assert reading in off["noped-instruction"].text
    assert reading in on["noped-instruction"].text
    assert "instruction.nopes" not in off["un-nopeable"].text + on["un-nopeable"].text


def test_a_variants_file_may_turn_the_rule_on(tmp_path: Path) -> None:
    def make_variant(value: str) -> Path:
        folder = tmp_path / "told"
        folder.mkdir(exist_ok=True)
        main = (QUARANTINED_FOLDER / "variant.toml").read_text("utf-8")
        main = main.replace('id = "quarantined"', f'id = "told"\ninstruction_nopes = {value}', 1)
        (folder / "variant.toml").write_text(main, "utf-8")
        for name in ("en.toml", "it.toml", "rulings.toml", "editions.toml"):
            (folder / name).write_bytes((QUARANTINED_FOLDER / name).read_bytes())
        return folder

    assert load(make_variant("true")).can_nope_instruction
    assert not load(make_variant("false")).can_nope_instruction
    with pytest.raises(Faults, match="instruction_nopes"):
        load(make_variant("1"))


def test_a_variant_of_an_earlier_version_without_the_ruling_does_not_offer_the_rule() -> None:
    sources = {slug: source for slug, source in QUARANTINED.sources.items()
               if slug != "noped-instruction"}  # fmt: skip
    keys = {field.key for field in replace(QUARANTINED, sources=sources).form(3).fields}
    assert {field.key for field in QUARANTINED.form(3).fields} - keys == {"instruction_nopes"}
    assert QUARANTINED.instruction_nopes is UNSET


def test_the_view_shows_the_window_of_an_instruction_and_the_cells_that_were_noped() -> None:
    script = play_lines(NOPED, "players: ana ben cleo\ncleo tells 0,1")
    ana, ben, cleo = (script.seat(name) for name in ("ana", "ben", "cleo"))
    shown = render_game(script)
    assert shown["played"] == {
        "card": "instruction", "by": cleo, "target": ana, "cell": (0, 1),
        "nopes": (), "counts": True,
    }  # fmt: skip
    assert shown["turn"]["step"] == "window"
    assert shown["turn"]["told"] == (0, 1)
    assert shown["window"]["may_nope"] == (ana, ben)
    script.run_line("ana nopes")
    script.run_line("... 8s")
    shown = render_game(script)
    assert (shown["turn"]["step"], shown["turn"]["told"]) == ("tell", None)
    assert shown["turn"]["noped"] == ((0, 1),)
    assert (shown["played"], shown["window"]) == (None, None)


def test_a_void_instruction_teaches_nobody_anything_about_the_grid() -> None:
    """Only the played Nope itself changes what is known of its player's hand."""
    script = play_lines(NOPED, "players: ana ben cleo")
    ana, ben = script.seat("ana"), script.seat("ben")

    def list_odds() -> list[Any]:
        seats = {seat["seat"]: seat["odds"] for seat in public_view(script.table, 0)["seats"]}
        return [seats[ana], private_view(script.table, ana)["odds"]]

    before = list_odds()
    for line in ("cleo tells 0,1", "ben nopes", "... 8s"):
        script.run_line(line)
        assert list_odds() == before
    assert script.table.require_game().player(ben).discard == ("nope",)


def test_the_log_has_sentences_for_the_instruction_and_never_calls_it_a_card() -> None:
    script = play_lines(NOPED, "players: ana ben cleo\ncleo tells 0,1\nben nopes")
    assert script.log[-1] == "ben Noped cleo’s instruction."
    script.run_line("cleo nopes")
    assert script.log[-1] == "Yup! cleo Noped the Nope: cleo’s instruction counts again."
    script.run_line("... 8s")
    assert script.log[-1] == "cleo’s instruction counts."
    for line in ("ana plays shuffle", "... 8s", "ana has shuffled", "cleo tells 0,0", "ana nopes"):
        script.run_line(line)
    script.run_line("... 8s")
    assert script.log[-1] == "cleo’s instruction is void. Now for another card."


def test_an_instructions_window_survives_a_restart_like_a_cards() -> None:
    script = play_lines(NOPED, "players: ana ben cleo\ncleo tells 0,1")
    script.run_line("the server is away for 100s")
    game = script.table.require_game()
    assert game.window is not None
    assert game.window.closes_at == script.now + LEAST_MS
    assert game.waits_for_instruction
    script.run_line("... 3s")
    assert script.table.require_game().current_turn.step == "act"


def test_a_card_called_instruction_is_a_card_where_no_instruction_can_be_noped() -> None:
    """An old variant may have such a card. Its window isn't taken for an instruction's."""
    cards = [replace(card, id="instruction") if card.id == "skip" else card
             for card in QUARANTINED.cards]  # fmt: skip
    texts = {
        language: replace(text, cards={**text.cards, "instruction": text.cards["skip"]})
        for language, text in QUARANTINED.texts.items()
    }
    odd = replace(QUARANTINED, cards=tuple(cards), texts=texts)
    script = Script(odd)
    script.seat_players(["ana", "ben", "cleo"])
    for line in ("cleo tells 0,1", "ana plays instruction", "... 8s"):
        script.run_line(line)
    assert script.table.require_game().current_turn.seat == script.seat("ben")
    family = script.table.family
    with pytest.raises(InvalidHouseRules):
        house_rules.validate(odd, family, {"instruction_nopes": True}, 3)


def test_every_command_of_the_window_names_the_window_of_the_instruction() -> None:
    script = play_lines(NOPED, "players: ana ben cleo\ncleo tells 0,1")
    window = script.window()
    assert window == script.table.version
    script.handle_command(say.Pass(seat=script.seat("ben"), window=window), script.seat("ben"))
    script.run_line("ana nopes")
    script.run_line("ben passes")
    script.run_line(f"ben nopes window {window} !stale")
