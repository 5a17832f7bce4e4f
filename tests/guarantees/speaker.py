"""Send commands to a server that may end before it answers, and choose random commands."""

import threading
from random import Random
from typing import Any

from socketio.exceptions import SocketIOError

from tests.support.servers.server import Client

Command = dict[str, Any]


def new_command(chance: Random, **command: Any) -> Command:
    """Return a command with a new random id."""
    number = f"{chance.getrandbits(128):032x}"
    return {"id": "-".join((number[:8], number[8:12], number[12:16], number[16:20], number[20:])),
            **command}  # fmt: skip


def send_command(client: Client, command: Command, seconds: float = 20) -> Any:
    """Send a command. Returns the answer, or None if the connection ends first."""
    answered = threading.Event()
    answers: list[Any] = []

    def keep_answer(answer: Any) -> None:
        answers.append(answer)
        answered.set()

    try:
        client.socket.emit("command", command, callback=keep_answer)
    except SocketIOError:
        return None
    for _ in range(int(seconds / 0.02)):
        if answered.wait(0.02) or not client.socket.connected:
            break
    return answers[0] if answers else None


def next_command(view: Any, chance: Random) -> Command:
    """Return a random command of the host that keeps games going."""
    phase = view["phase"]
    unready = [seat["seat"] for seat in view["seats"] if not seat["ready"]]
    if phase == "lobby":
        return new_command(chance, type="prepare")
    if phase == "setup" and unready:
        return new_command(chance, type="ready", ready=True, **{"as": unready[0]})
    if phase == "setup":
        return new_command(chance, type="begin", first="lot")
    if phase == "over":
        return new_command(chance, type="rematch")
    if view["you"].get("undo") and chance.random() < 0.05:
        return new_command(chance, type="undo")
    may = [command for command in view["you"]["may"] if command["type"] != "hold"]
    kinds = sorted({command["type"] for command in may})
    kind = chance.choice(kinds)
    return new_command(
        chance, **chance.choice([command for command in may if command["type"] == kind])
    )
