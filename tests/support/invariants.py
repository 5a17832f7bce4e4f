"""Invariants of tables of every family, which tests check in the games of ``play_at_random``."""

from typing import Any

from msgspec.structs import replace

from companion.rules.core import wording
from companion.rules.core.commands import Tick
from companion.rules.core.events import evolve
from companion.rules.core.referee import decide, next_deadline
from companion.rules.core.view import log_entry
from companion.rules.text.rulings import Refused


def is_accepted(game: Any, command: Any, sender: str | None) -> bool:
    """Return True if the command is accepted, and False if it is refused.

    Fail if the sentence about a refusal is empty or incomplete.
    """
    try:
        decide(game.table, command, sender=sender, inputs=game.decision_inputs)
    except Refused as refused:
        sentence = wording.render_refusal(game.table, refused)
        assert sentence and "  " not in sentence and "None" not in sentence, sentence
        return False
    return True


def check_log_replays(game: Any) -> None:
    """Check that replaying the stored log leads to the table's current state."""
    table = game.first
    for event in game.stored_log:
        table = evolve(table, event)
    assert table == game.table
    assert table.version == len(game.events)


def check_log_sentences(game: Any) -> None:
    """Check that every event in the log has a sentence without missing values."""
    for before, event, after in zip(game.states, game.events, game.states[1:], strict=False):
        text = log_entry(before, event, after, game.now)["text"]
        assert text and "{" not in text and "None" not in text, text


def check_clock_waits(game: Any) -> None:
    """Check that the clock alone leads to no event before the next deadline."""
    deadline = next_deadline(game.table)
    inputs = replace(game.decision_inputs, now=(deadline or game.now) - 1)
    assert decide(game.table, Tick(), sender=None, inputs=inputs) == ()
