"""Writes ``docs/steps.md`` from the referee's own tables: ``python docs/steps.py``."""

from pathlib import Path

from companion.rules.commands import Said
from companion.rules.lobby import PHASES
from companion.rules.referee import LEGAL, OTHERWISE

HEAD = """# Who may say what, when

Written by `python docs/steps.py` from the tables that the referee itself reads
(`LEGAL` and `OTHERWISE` in `companion/rules/referee.py`, `PHASES` in `lobby.py`).
A ✓ is accepted from the one named; anything else is refused by the ruling that stands there.

## The game

"""

DIAGRAM = """
```mermaid
stateDiagram-v2
    [*] --> roll_call: begin
    [*] --> tell: begin, without a roll call
    roll_call --> tell: everyone called, or skipped
    tell --> act: instruct
    act --> window: play
    act --> report: draw
    window --> window: nope
    window --> act: lost
    window --> tell: Skip counts, the next turn
    window --> look: See the Future counts
    window --> shuffle: Shuffle counts
    window --> reveal: Favor counts
    look --> act: look
    shuffle --> tell: shuffled
    reveal --> act: reveal
    report --> tell: safe, the next turn
    report --> kitten: kitten
    kitten --> tell: defuse or explode, the next turn
    kitten --> [*]: the last but one explodes
```

## The table

"""


def name(kind: type[Said]) -> str:
    """The command's name on the wire, or what it is to the service."""
    tag = kind.__struct_config__.tag
    return (
        f"`{tag}`"
        if tag != kind.__name__
        else {"TakeSeat": "join", "AskPlace": "wait", "ClaimSeat": "claim"}[tag]
    )


def game() -> str:
    """The game's commands by step."""
    steps = list(LEGAL)
    rows = ["| command | who | " + " | ".join(steps) + " |", "|---" * (len(steps) + 2) + "|"]
    for step, row in LEGAL.items():
        for kind, who in row.items():
            cells = [_cell(kind, other, legal=other == step) for other in steps]
            rows.append(f"| {name(kind)} | {who.name} | " + " | ".join(cells) + " |")
    return "\n".join(rows) + "\n"


def _cell(kind: type[Said], step: str, legal: bool) -> str:
    if legal:
        return "✓"
    if step == "roll_call":
        return "roll-call"
    if kind not in OTHERWISE:
        return "`stale`"  # it names a window that is not open
    return OTHERWISE[kind].get(step, OTHERWISE[kind][""])


def table() -> str:
    """The table's commands by phase."""
    phases = ["lobby", "setup", "roll_call", "play", "over"]
    rows = ["| command | who | " + " | ".join(phases) + " |", "|---" * (len(phases) + 2) + "|"]
    for kind, line in PHASES.items():
        who = "host" if line.host else "anyone" if "`" not in name(kind) else "seat"
        cells = ["✓" if phase in line.phases else line.ruling for phase in phases]
        rows.append(f"| {name(kind)} | {who} | " + " | ".join(cells) + " |")
    return "\n".join(rows) + "\n"


def text() -> str:
    """The whole page."""
    return HEAD + game() + DIAGRAM + table()


if __name__ == "__main__":
    Path(__file__).with_name("steps.md").write_text(text(), "utf-8")
