"""Generates ``docs/steps.md`` from the tables that the rules use: ``python tools/steps.py``."""

from collections.abc import Iterator
from pathlib import Path

from companion.rules.core.commands import Command
from companion.rules.core.family import Family
from companion.rules.core.moves import EVERY_STEP, WINDOW_CLOSED, Machine, Move
from companion.rules.families import FAMILIES

HEAD = """# Commands, steps and phases

`python tools/steps.py` writes this page from the tables that the referee itself reads
(`MOVES` in each family's `moves.py`, and in `companion/rules/core/lobby.py`). A ✓ marks the steps
in which the named player may give the command; in all other steps the ruling in the cell refuses
it. A command for a window that is no longer open is `stale`, by the same ruling. If the last action
was an instruction, a draw, a Kitten or a Defuse, the ruling `un-nopeable` refuses a `nope` in every
step, unless the house rule `instruction_nopes` lets players Nope an instruction.
"""

SERVICES = {
    "TakeSeat": "join",
    "AskPlace": "wait",
    "ClaimSeat": "claim",
    "SeatRobot": "add a robot",
    "LendSeat": "lend the seat to a robot",
    "ReturnSeat": "come back to it",
}
"""Labels on the page for internal commands, which clients give by HTTP calls."""

TITLES = {"grid": "A game on the draw grid", "pile": "A classic game with one pile"}


def command_name(kind: type[Command]) -> str:
    """Return the command's name on the wire, or the name from ``SERVICES``."""
    tag = str(kind.__struct_config__.tag)
    return SERVICES.get(tag, f"`{tag}`")


def render_steps_table(machine: Machine) -> str:
    """Return a table with a row for each command of a game and a column for each step.

    A cell has a check mark if the command is allowed, else the ruling that refuses it.
    """
    steps = list(machine.steps)
    rows = ["| command | who | " + " | ".join(steps) + " |", "|---" * (len(steps) + 2) + "|"]
    for move in machine.moves:
        if move.during != EVERY_STEP:
            cells = [_render_cell(machine, move, step) for step in steps]
            rows.append(
                f"| {command_name(move.command)} | {move.by.name} | " + " | ".join(cells) + " |"
            )
    return "\n".join(rows) + "\n"


def _render_cell(machine: Machine, move: Move, step: str) -> str:
    if move.during == step:
        return "✓"
    if step in machine.alone:
        return machine.alone[step]
    return move.ruling_against(step)


def render_diagram(machine: Machine) -> str:
    """Return a diagram of the steps, with the commands that lead from one step to the next."""
    arrows: dict[tuple[str, str], list[str]] = {}
    for before, after, why in _list_arrows(machine):
        arrows.setdefault((before, after), []).append(why)
    lines = ["", "```mermaid", "stateDiagram-v2"]
    lines += [f"    [*] --> {step}: begin" for step in machine.begins]
    for (before, after), commands in arrows.items():
        end = "[*]" if after == "over" else after
        lines.append(f"    {before} --> {end}: {', '.join(commands)}")
    return "\n".join([*lines, "```", ""])


def _list_arrows(machine: Machine) -> Iterator[tuple[str, str, str]]:
    for step, moves in machine.steps.items():
        for move in moves:
            for after in move.leads_to:
                yield step, after, str(move.command.__struct_config__.tag)
    for effect, after in machine.closes.items():
        yield WINDOW_CLOSED, after, effect


def render_phases_table() -> str:
    """Return a table with a row for each command that isn't a move, and a column for each phase.

    A cell has a check mark if the command is allowed, else the ruling that refuses it.
    """
    phases = ["lobby", "setup", "roll_call", "play", "over"]
    rows = ["| command | who | " + " | ".join(phases) + " |", "|---" * (len(phases) + 2) + "|"]
    moves = {command_name(m.command): m for f in FAMILIES.values() for m in f.table_moves}
    for command, move in moves.items():
        who = "host" if move.host_only or move.by else "anyone" if "`" not in command else "seat"
        ruling = move.refused_by or "(the cards' preparation)"
        cells = ["✓" if phase in move.during else ruling for phase in phases]
        rows.append(f"| {command} | {who} | " + " | ".join(cells) + " |")
    return "\n".join(rows) + "\n"


def render_chapter(family: Family) -> str:
    """Return the chapter about one family."""
    machine = family.machine
    return f"\n## {TITLES[family.id]}\n\n{render_steps_table(machine)}{render_diagram(machine)}"


def render_page() -> str:
    """Return the whole page."""
    return (
        HEAD
        + "".join(map(render_chapter, FAMILIES.values()))
        + "\n## The table\n\n"
        + render_phases_table()
    )


if __name__ == "__main__":
    page = Path(__file__).resolve().parent.parent / "docs" / "steps.md"
    page.write_text(render_page(), "utf-8")
