"""The server's texts name every player and contain no unfilled placeholder."""

from typing import Any

import pytest
from msgspec.structs import replace

from companion.rules.core import table_events, wording
from companion.rules.grid import events
from companion.rules.text.rulings import Refused
from tests.panel.scenes import Play
from tests.support.game_script import QUARANTINED, Script


@pytest.fixture
def script() -> Script:
    """Return a game in which it is Ana's turn and Cleo has to instruct Ana."""
    script = Script()
    script.seat_players(["Ana", "Ben", "Cleo"])
    return script


@pytest.mark.parametrize("language", ["en", "it"])
def test_the_servers_texts_name_every_player(script: Script, language: str) -> None:
    words = QUARANTINED.with_filled_texts.texts[language].log
    for key, sentence in words.items():
        text = wording._fill_from_table(sentence, _make_facts(script), script.table, script.table)
        assert not set("{}|*") & set(text), (key, text)
    played: dict[str, Any] = {"seat": script.seat("ana"), "card": "skip", "target": None}
    event = events.CardPlayed(seat=script.seat("ana"), card="skip", seconds=8, closes_at=None)
    variant = replace(QUARANTINED, language=language)
    table = replace(script.table, variant=variant)
    said = wording.describe_event(event, played, table, table)
    assert said == {"en": "Ana played Skip.", "it": "Ana ha giocato Salta."}[language]


@pytest.mark.parametrize("language", ["en", "it"])
def test_a_renamed_player_is_announced_by_the_former_name(language: str) -> None:
    """The event in an older log has no former name, so the message says "Somebody"."""
    variant = replace(QUARANTINED, language=language)
    play = Play(("Mia", "Ben"), variant=variant).send("Mia", "rename", name="Captain Mia")
    said = {"en": "Mia is called Captain Mia now.", "it": "Mia ora si chiama Captain Mia."}
    entry = play.view("Ben")["log"][-1]
    assert entry["text"] == said[language]
    assert entry["facts"]["was"] == "Mia" and entry["case"] == "was"
    older = table_events.SeatRenamed(seat=play.seat("Captain Mia"), name="Cap")
    play.journal.add(older, play.now)
    said = {"en": "Somebody is called Cap now.", "it": "Un nome è cambiato: ora è Cap."}
    assert play.view("Ben")["log"][-1]["text"] == said[language]


def _make_facts(script: Script) -> dict[str, Any]:
    ana = script.seat("ana")
    ben = script.seat("ben")
    return {"seat": ana, "by": ben, "target": ben, "first": ana, "next": ben, "instructor": ben,
            "card": "skip", "kitten": "kitten", "name": "Dora", "cell": (0, 0)}  # fmt: skip


REFUSALS = [
    ([], "ana plays skip", "First Cleo tells Ana which card to draw."),
    ([], "ben tells 0,0", "That’s for the player before: Cleo tells Ana which card to draw."),
    (["cleo tells 0,1"], "cleo tells 0,2",
     "Ana has been told already: top row, middle. "
     "That stands until the turn ends or Ana shuffles."),
    (["cleo tells 0,1"], "ana draws 0,0",
     "Ana was told another card: top row, middle. Draw that one."),
    (["cleo tells 0,1"], "ben draws 0,0",
     "It’s Ana’s turn: only Ana plays, looks, shuffles and draws now."),
    (["cleo tells 0,1"], "ana reports safe",
     "Nothing is drawn yet: first Ana touches the card."),
    (["cleo tells 0,1", "ana plays skip"], "ana draws 0,1",
     "First comes Ana’s Skip: everyone passes, or the time for a Nope runs out."),
    (["cleo tells 0,1", "ana plays skip"], "ben leaves",
     "First comes Ana’s Skip: nobody leaves while there’s time for a Nope."),
    (["cleo tells 0,1", "ana plays see_future", "... 8s"], "ana plays skip",
     "First Ana looks at one card."),
    (["cleo tells 0,1", "ana plays favor on ben 0,0", "... 8s"], "ana draws 0,1",
     "First Ben turns up the card that was asked for."),
    (["cleo tells 0,1", "ana plays favor on ben 0,0", "... 8s"], "cleo reveals skip",
     "Ben turns up the card that Ana asks for, nobody else."),
    (["cleo tells 0,1", "ana draws 0,1"], "ana plays skip",
     "Ana has touched the card: no more cards this turn."),
    (["cleo tells 0,1", "ana plays skip", "ben holds"], "cleo releases",
     "Ben holds the clock: only Ben or the host can let it run."),
]  # fmt: skip
"""Each case has earlier commands, a command that the rules refuse, and the text of the refusal."""


@pytest.mark.parametrize(("before", "said", "answer"), REFUSALS, ids=[one[1] for one in REFUSALS])
def test_a_refusal_says_what_must_happen_first(
    script: Script, before: list[str], said: str, answer: str
) -> None:
    for line in before:
        script.run_line(line)
    command, sender = script.parse_command(said)
    with pytest.raises(Refused) as refused:
        script.handle_command(command, sender)
    assert wording.render_refusal(script.table, refused.value) == answer


def test_a_wrong_name_in_the_roll_call_is_answered_with_the_order() -> None:
    script = Script()
    for line in (
        "lobby: Anna Bruno Clara",
        "anna sets roll_call=yes",
        "anna prepares",
        "anna is ready",
        "bruno is ready",
        "clara is ready",
        "anna begins with anna",
        "anna calls bruno",
    ):
        script.run_line(line)  # fmt: skip
    command, sender = script.parse_command("bruno calls anna")
    with pytest.raises(Refused) as refused:
        script.handle_command(command, sender)
    said = "You play in alphabetical order: after Bruno comes Clara, not Anna."
    assert wording.render_refusal(script.table, refused.value) == said
