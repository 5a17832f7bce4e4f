"""Races between several Nopes and the end of the Nope window, at several tables at once."""

import threading
import time
from collections import Counter
from pathlib import Path
from random import Random
from shutil import copytree
from typing import Any

from tests.guarantees.speaker import new_command, send_command
from tests.support.servers.server import ROOT, Party, RealServer

NAMES = ["Ana", "Ben", "Cleo", "Dan"]
SECONDS = 1
"""Length of the windows in seconds, shorter than the variant allows."""


def copy_variants_with_short_windows(folder: Path) -> Path:
    """Copy all variants to this folder, with short windows in the draw grid. Returns the folder."""
    house = Path(copytree(ROOT / "variants", folder), "quarantined")
    text = (house / "variant.toml").read_text()
    (house / "variant.toml").write_text(text.replace("least = 3", f"least = {SECONDS}"))
    return folder


class Races:
    """A table at which a Skip is repeatedly played, Noped by three players at once, and undone."""

    def __init__(self, server: RealServer, seed: int, aim: float) -> None:
        """Aim the Nopes at ``aim`` seconds after the end of the window."""
        self.chance = Random(seed)
        options = {"nope_seconds": SECONDS}
        self.party: Party = server.create_table(*NAMES, options=options).begin().instruct()
        self.outcomes: Counter[str] = Counter()
        self.aim = aim

    def race(self, at_the_end: bool) -> None:
        """Play a Skip and send three Nopes at once, immediately or at the end of the window."""
        host = self.party.host
        played = host.send_command("play", card="skip")
        window = host.wait_for_version(played["version"])["window"]
        ending = window["closes_at"] / 1000 - time.time()
        wait = ending + self.aim + self.chance.uniform(-0.01, 0.01) if at_the_end else 0
        answers: dict[str, Any] = {}
        racers = [
            threading.Thread(target=self._nope, args=(number, window["id"], wait, answers))
            for number in (1, 2, 3)
        ]
        for racer in racers:
            racer.start()
        for racer in racers:
            racer.join()
        noped = self._check_answers(window["id"], answers)
        if at_the_end:
            # Aim the next attempt closer to the end of the window, where both outcomes are
            # likely.
            self.aim += 0.01 if noped else -0.01
        self._undo_play(played["version"])
        for client in self.party.clients:
            client.forget()

    def _nope(self, number: int, window: int, wait: float, answers: dict[str, Any]) -> None:
        time.sleep(max(0, wait))
        command = new_command(
            Random(f"{window}{number}{self.party.table}"), type="nope", window=window
        )
        answers[self.party.seats[number]] = send_command(self.party.clients[number], command)

    def _check_answers(self, window: int, answers: dict[str, Any]) -> bool:
        """Check that at most one Nope counted and that the others were refused.

        A late Nope must not count in another window. Returns True if one counted.
        """
        hits = [seat for seat, answer in answers.items() if answer["ok"]]
        codes = {answer["error"]["code"] for answer in answers.values() if not answer["ok"]}
        assert len(hits) <= 1, answers
        assert codes <= {"stale", "refused"}, answers
        version = max(answer["version"] for answer in answers.values())
        views = [client.wait_for_version(version) for client in self.party.clients]
        view = self.party.host.socket.call("sync")
        nopes = [entry for entry in view["log"] if entry["version"] > window
                 and entry["type"] == "nope_played"]  # fmt: skip
        assert [nope["seat"] for nope in nopes] == hits, answers
        played = view["played"]["nopes"] if view["played"] else hits
        assert played == hits
        newest_entries = [
            [(entry["version"], entry["type"]) for entry in player_view["log"]][-20:]
            for player_view in views
        ]
        assert all(
            entries == newest_entries[0] or entries[-1][0] != newest_entries[0][-1][0]
            for entries in newest_entries
        )
        self.outcomes["noped" if hits else "too late"] += 1
        return bool(hits)

    def _undo_play(self, played: int) -> None:
        """Undo commands until the Skip itself is undone."""
        host = self.party.host
        while host.socket.call("sync")["you"].get("undo", 0) >= played:
            host.try_command("undo")


def run_races(server: RealServer, tables: int, rounds: int, seed: int = 0) -> Counter[str]:
    """Run ``rounds`` races at each of several tables. Returns the number of each outcome."""
    races = [
        Races(server, seed * 1000 + number, aim=0.05 * (number % 4)) for number in range(tables)
    ]
    troubles: list[BaseException] = []

    def play(table: Races) -> None:
        try:
            for number in range(rounds):
                table.race(at_the_end=number % 2 == 1)
        except BaseException as trouble:  # raised again below, in the test's thread
            troubles.append(trouble)

    threads = [threading.Thread(target=play, args=(table,)) for table in races]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for table in races:
        for client in table.party.clients:
            client.close()
    if troubles:
        raise troubles[0]
    return sum((table.outcomes for table in races), Counter())
