"""Record the known answers of device decks.

``python -m tests.support.fair_record`` writes docs/known-answers.json with the results of dealing,
and tests/data/fair_logs.json with the results of checking logs. Tests in Python and JavaScript
compare the programs with both files.
"""

import json
from pathlib import Path
from random import Random
from typing import Any

from companion.device_decks.check import check_deck, split_games
from companion.device_decks.dealing import Cards, commitment, deal, seal, words
from tests.support.fair_world import LIES, PACK, VARIANT, World
from tests.support.paths import DATA, ROOT

ANSWERS = ROOT / "docs" / "known-answers.json"
LOGS = DATA / "fair_logs.json"
KEYS = {key: VARIANT[key] for key in ("grid", "deal")}


def grid_as_json(cards: Cards) -> list[list[Any]]:
    """Return the grid as JSON: a list of pairs of a cell and its card, row by row."""
    return [[list(cell), card] for cell, card in cards.grid.items()]


def make_example_deck(chance: Random) -> dict[str, Any]:
    """Return an example: a secret, its deal, a Shuffle after which cards lie in other cells, and a
    Defuse."""
    secret, *salts = (chance.randbytes(32).hex() for _ in range(4))
    first = deal(PACK, secret, salts[0])
    drawn = next(cell for cell, card in first.grid.items() if card != PACK.kitten)
    into = PACK.cells[1:]
    second = first.draw(drawn).shuffle(secret, salts[1], into)
    place = chance.choice(into)
    version = chance.randrange(100_000)
    third = second.play(PACK.defuse).defuse(secret, salts[2], into, (PACK.kitten, place))
    defuse = {"salt": salts[2], "version": version, "place": place}
    return {
        "secret": secret,
        "commit": commitment(secret),
        "deal": {"salt": salts[0], "hand": first.hand, "grid": grid_as_json(first)},
        "drawn": drawn,
        "shuffle": {
            "salt": salts[1],
            "cells": into,
            "hand": second.hand,
            "grid": grid_as_json(second),
        },
        "defuse": {
            **defuse,
            "hidden": seal(secret, version, place),
            "cells": into,
            "hand": third.hand,
            "grid": grid_as_json(third),
        },
    }


def make_known_answers() -> dict[str, Any]:
    chance = Random(15)
    secret = "00" * 32
    salt = "ff" * 32
    drawn = words(secret, "deal", salt)
    titles = [{key: c[key] for key in ("id", "effect", "count")} for c in VARIANT["cards"]]
    return {
        "variant": {"cards": titles, **KEYS},
        "words": {
            "secret": secret,
            "salt": salt,
            "purpose": "deal",
            "first": [next(drawn) for _ in range(10)],
        },
        "decks": [make_example_deck(chance) for _ in range(4)],
    }


def find_shortest_game(lie: str | None) -> World:
    worlds = [World(seed, players=2, lie=lie).play_game() for seed in range(80)]
    shows = {"grid_shuffled", "kitten_defused", "undone"}
    if lie is None:
        worlds = [w for w in worlds if shows <= {line["type"] for line in w.log}]
    return min(
        (w for w in worlds if w.lie_version or lie is None), key=lambda world: len(world.log)
    )


def make_record(about: str, world: World) -> dict[str, Any]:
    (game,) = split_games(world.log)
    findings = {
        seat: [
            [finding.version, finding.what, finding.shown, finding.actual]
            for finding in check_deck(PACK, game, seat)
        ]
        for seat in game.decks
    }
    return {"about": about, "lied": world.lie_version, "found": findings, "log": world.log}


def _write_records(path: Path, records: dict[str, Any]) -> None:
    """Write each item of a list on its own line, so that people can read the file."""
    lines = []
    for key, value in records.items():
        items = ",\n".join(f"    {json.dumps(finding)}" for finding in value)
        text = f"[\n{items}\n  ]" if isinstance(value, list) else json.dumps(value)
        lines.append(f'  "{key}": {text}')
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    _write_records(ANSWERS, make_known_answers())
    _write_records(
        LOGS,
        {
            "logs": [
                make_record(str(lie or "honest"), find_shortest_game(lie)) for lie in (None, *LIES)
            ]
        },
    )
