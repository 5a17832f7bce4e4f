"""Content of a file or of another server can't control the program (promises 120 to 125).

Reading it also takes little time and memory.
"""

import json
import os
import re
import shutil
import sqlite3
import threading
import tomllib
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import cycle
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from companion.rules.families import load
from companion.rules.variants.loading import Faults
from tests.server.test_replay import SAVED_GAMES, run_companion, with_change, with_new_checksum
from tests.support.iterations import EVERYTHING
from tests.support.servers import fork_server
from tests.support.servers.server import ROOT, RealServer
from tests.support.timed import LENIENCE

CLEARS_SCREEN = "\x1b[2J\x1b]0;mine\x07"
"""Escape sequences that clear a terminal and set its title."""

REVERSES_TEXT = "\u202egnorw"
"""A character that reverses the direction of the text after it."""

HOSTILE = CLEARS_SCREEN + REVERSES_TEXT

GRID = next(path for path in SAVED_GAMES if "grid" in path.stem)


def assert_plain(text: str) -> None:
    """Check that the text only has printable characters and line feeds."""
    assert all(c.isprintable() or c == "\n" for c in text), ascii(text)


@contextmanager
def serve_answers(**answers: Any) -> Iterator[str]:
    """Start a server that gives these answers, by the last part of the requested path."""

    class AnswerHandler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            content = answers[self.path.rpartition("/")[2].partition("?")[0]]
            body = content if isinstance(content, bytes) else json.dumps(content).encode()
            self.send_response(200)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), AnswerHandler) as server:
        threading.Thread(target=server.serve_forever).start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}/t/KXQF7H"
        finally:
            server.shutdown()


# --- Promise 120 in docs/promises.md: output ------------------------------------------


def test_120_an_answer_of_another_server_cant_control_the_terminal_or_forge_a_line() -> None:
    document = json.loads(GRID.read_bytes())
    seats = [
        {"version": 0, "type": "seat_taken", "seat": seat["seat"],
         "facts": {**seat, "name": f"Ana{HOSTILE}\nGame 9, Ben: dealt and reported well."}}
        for seat in document["seats"]
    ]  # fmt: skip
    entries = [{**event, "seat": event["facts"].get("seat")} for event in document["events"]]
    decks = [
        {"version": 0, "type": "deck_said", "seat": deck["seat"], "facts": {**deck}}
        for deck in document["table"]["decks"]
    ]
    with serve_answers(variant=document["variant"], log=[*seats, *decks, *entries]) as link:
        done = run_companion("check", link)
    assert done.exit_code == 0, done.stderr
    assert_plain(done.stdout)
    assert r"Ana\x1b[2J\x1b]0;mine\x07\u202egnorw\nGame 9" in done.stdout
    assert not [line for line in done.stdout.splitlines() if line.startswith("Game 9")]


@pytest.mark.parametrize("command", ["check", "replay"])
def test_120_a_files_name_and_content_cant_control_the_terminal(
    tmp_path: Path, command: str
) -> None:
    file = tmp_path / f"game{CLEARS_SCREEN.replace('/', '')}.json"
    file.write_bytes(with_change(json.loads(GRID.read_bytes()), "events.5.type", REVERSES_TEXT))
    done = run_companion(command, str(file))
    assert done.exit_code == 1 and r"Invalid value '\u202egnorw'" in done.stderr
    assert_plain(done.stderr)


def test_120_a_variants_keys_and_texts_cant_control_the_terminal(tmp_path: Path) -> None:
    house = Path(shutil.copytree(ROOT / "variants" / "quarantined", tmp_path / "quarantined"))
    text = (house / "variant.toml").read_text("utf-8")
    (house / "variant.toml").write_text(f'"\\u001b[2J\\u202e" = 2\n{text}', "utf-8")
    done = run_companion("variants", "--variants-dir", str(tmp_path))
    assert done.exit_code == 2 and r"\x1b[2J\u202e" in done.stderr
    assert_plain(done.stderr)


def test_120_only_one_module_prints() -> None:
    """Only ``terminal.py`` may print to the terminal, because it escapes text from files and
    servers."""
    prints = re.compile(r"click\.s?echo|ClickException\(|\bprint\(|std(out|err)\.write")
    # A robot's process doesn't print for people: the server reads its output line by line.
    exempt = {"terminal.py", "worker.py"}
    modules = [path for path in (ROOT / "companion").rglob("*.py") if path.name not in exempt]
    assert not [path.name for path in modules if prints.search(path.read_text("utf-8"))]


NAMES = [
    "",
    " Ana",
    "A" * 25,
    "Ana" + CLEARS_SCREEN,
    "Ana" + REVERSES_TEXT,
    "\u3164",
    "x" * 24 + "\u0301" * 77,
]


@pytest.mark.parametrize("name", NAMES, ids=ascii)
@pytest.mark.parametrize("path", SAVED_GAMES, ids=lambda path: path.stem)
def test_120_names_in_files_have_no_invisible_or_direction_changing_characters(
    path: Path, name: str, tmp_path: Path
) -> None:
    file = tmp_path / "game.json"
    file.write_bytes(with_change(json.loads(path.read_bytes()), "seats.1.name", name))
    done = run_companion("check", str(file))
    assert done.exit_code == 1
    assert "Error: game.json: $.seats[1].name: a " in done.stderr
    assert_plain(done.stderr)


# --- Promise 121 in docs/promises.md: the proof in a file -----------------------------


def test_121_check_prints_what_a_file_proves_and_which_server_can_confirm_it() -> None:
    """``check`` can't trust a file alone, because a forger could try many salts until one gives the
    wanted cards."""
    done = run_companion("check", str(GRID))
    assert done.exit_code == 0
    assert "can only be checked against itself" in done.stdout
    assert done.stdout.splitlines()[-1].endswith("companion check http://…/t/CODE")


def test_121_a_tables_own_server_confirms_or_denies_its_file() -> None:
    document = json.loads(GRID.read_bytes())
    with serve_answers(variant=document["variant"], log=[]) as link:
        done = run_companion("check", link)
    assert done.exit_code == 0 and "against itself" not in done.stdout


INVALID_ANSWERS: list[Any] = [
    None, [{}], {"grid": 1}, b"{", b"[" * 100_000,
    {"grid": {"rows": 10**9, "columns": 10**9}, "deal": {}, "cards": []},
]  # fmt: skip


@pytest.mark.parametrize("content", INVALID_ANSWERS, ids=lambda content: str(content)[:20])
def test_121_a_nonsensical_answer_is_reported_in_one_sentence(content: Any) -> None:
    variant = json.loads(GRID.read_bytes())["variant"]
    entry = {"version": 1, "type": "game_began", "facts": {"order": ["s1"]}}
    with serve_answers(variant=content, log=[entry]) as link:
        done = run_companion("check", link)
        assert done.exit_code == 1 and done.stderr.startswith("Error: ")
        assert done.stderr.count("\n") == 1
    with serve_answers(variant=variant, log=content or [7]) as link:
        done = run_companion("check", link)
        assert done.exit_code == 1 and done.stderr.startswith("Error: ")
        assert done.stderr.count("\n") == 1


# --- Promises 122 and 123 in docs/promises.md: limits of variants and game files ------

SECONDS = 2 * LENIENCE
MEGABYTES = 200


def run_measured(*arguments: Any) -> Any:
    """Run the program and check its time and memory. Returns its status and output."""
    done = fork_server.run_to_end("tests.guarantees.measured", [*map(str, arguments)])
    *output, usage = done.stdout.splitlines(keepends=True)
    result = SimpleNamespace(
        status=done.returncode, out="".join(output), err=done.stderr, **json.loads(usage)
    )
    assert result.seconds < SECONDS and result.megabytes < MEGABYTES, result
    assert "Traceback" not in result.err, result.err
    return result


def expect_refused(status: int, *arguments: Any) -> str:
    """Run the program, which must refuse a file. Returns the one sentence that it prints."""
    result = run_measured(*arguments)
    assert (result.status, result.out) == (status, ""), result
    assert result.err.count("\n") == 1 and len(result.err) < 1200, result.err
    return str(result.err)


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """Copy a variant into an empty folder of variants. Returns the variant's folder."""
    return Path(shutil.copytree(ROOT / "variants" / "quarantined", tmp_path / "v" / "quarantined"))


LARGE = "x" * 2_000_000
VARIANTS: list[tuple[str, tuple[str, str], str]] = [
    ("variant.toml", ("rows = 2\ncolumns = 3", "rows = 1000\ncolumns = 1000"), "grid.rows"),
    ("variant.toml", ("grid = 5", "grid = 99999999999999999999"), "deal.grid: a number"),
    ("variant.toml", ("columns = 3", "columns = " + "9" * 5000), "can't be read: Exceeds"),
    ("variant.toml", ("columns = 3", "columns = nan"), "grid.columns: a number"),
    ("variant.toml", ("columns = 3", "columns = 1e999"), "grid.columns: a number"),
    ("variant.toml", ("columns = 3", "columns = 7"), "grid.columns: must be at most 6, not 7"),
    ("variant.toml", ("count = 3", "count = 3000"), "see_future: must be at most 60, not 3000"),
    ("variant.toml", ("hand = 4", "hand = 16"), "deal.hand: must be at most 15, not 16"),
    ("variant.toml", ('"skip"\ncount', '"__proto__"\ncount'), "no card can be called '__proto__'"),
    ("variant.toml", ('"skip"\ncount', f'"{"s" * 33}"\ncount'), "no card can be called 'sss"),
    ("variant.toml", ('"skip"\ncount', '"Skip"\ncount'), "no card can be called 'Skip'"),
    ("variant.toml", ('"skip"\ncount', '"sk\u0131p"\ncount'), "no card can be called 'sk\u0131p'"),
    ("variant.toml", ("\ncat =", '\n"__proto__" ='), "elsewhere: no card can be called"),
    ("variant.toml", ("format = 1", "format = 1\nformat = 1"), "can't be read: Cannot overwrite"),
    ("variant.toml", ("format = 1", "format = 1\n" + "a." * 50_000 + "a = 1"), "more than 8 dots"),
    ("variant.toml", ("format = 1", "b." * 9 + "b = 1\nformat = 1"), "more than 8 dots"),
    ("variant.toml", ("format = 1", "a = " + "[" * 50_000), "can't be read: it lies too deep"),
    ("variant.toml", ("format = 1", "a = " + "[" * 40 + "]" * 40), "lies more than 16 deep"),
    ("variant.toml", ("format = 1", "[[cards]]\n" * 12_000), "more"),
    ("variant.toml", ("format = 1", f'format = 1\nlike = "{"x" * 900}"'), "there is no variant"),
    ("en.toml", ('"Draw grid"', f'"{"x" * 140_000}"'), "en.toml: can't be read: it has more"),
    ("variant.toml", ("format = 1", 'format = 1\nlike = "../quarantined"'), "there is no variant"),
    ("en.toml", ('"Draw grid"', f'"{LARGE}"'), "quarantined: its files have more than 512 kB"),
    ("en.toml", ('"Draw grid"', f'"{"x" * 1001}"'), "title: a text has 1000 characters at most"),
    ("en.toml", ('"Draw grid"', '"\\u001b[2J"'), "title: a text has no control characters"),
    ("en.toml", ('"Draw grid"', '"\ud800"'), "can't be read: "),
]  # fmt: skip


@pytest.mark.timed
@pytest.mark.parametrize(("name", "change", "why"), VARIANTS, ids=lambda one: str(one)[-40:])
def test_122_a_new_variant_beyond_its_bounds_is_refused(
    house: Path, name: str, change: tuple[str, str], why: str
) -> None:
    text = (house / name).read_text("utf-8")
    assert change[0] in text
    edited = text.replace(change[0], change[1], 1)
    (house / name).write_bytes(edited.encode(errors="surrogatepass"))
    result = run_measured("variants", "--variants-dir", house.parent)
    assert result.status == 2 and not result.out
    assert why in result.err and "quarantined" in result.err


def test_122_a_key_of_the_wrong_type_is_a_fault_and_never_a_crash(house: Path) -> None:
    """Each key of the files in turn gets values of other types. Loading the variant may then
    raise ``Faults`` but no other exception."""
    wrong = ("7", "[7]", "{a = 7}", '"a"', "[[]]")
    samples = cycle([wrong] if EVERYTHING else zip(wrong, [*wrong[2:], *wrong[:2]], strict=True))
    for name in ("variant.toml", "rulings.toml", "editions.toml", "en.toml"):
        before = tomllib.loads((house / name).read_text("utf-8"))
        text = (house / name).read_text("utf-8")
        for key in before:
            for other in next(samples):
                other_parts = [part for part in re.split(r"(?m)^(?=\[|\w+ = )", text)
                        if not re.match(rf"\[*{key}\b", part)]  # fmt: skip
                (house / name).write_text(f"{key} = {other}\n" + "".join(other_parts), "utf-8")
                with suppress(Faults):
                    load(house)
        (house / name).write_text(text, "utf-8")
    load(house)


@pytest.mark.timed
def test_122_a_pipe_a_device_and_a_gigabyte_are_refused_as_variants(house: Path) -> None:
    (house / "it.toml").unlink()
    os.mkfifo(house / "it.toml")
    message = expect_refused(2, "variants", "--variants-dir", house.parent)
    assert message == "quarantined/it.toml: is missing\n"
    (house / "it.toml").unlink()
    (house / "it.toml").symlink_to("/dev/zero")
    assert "it.toml: is missing" in expect_refused(2, "variants", "--variants-dir", house.parent)
    (house / "it.toml").unlink()
    with (house / "it.toml").open("wb") as file:
        file.truncate(1024**3)
    message = expect_refused(2, "variants", "--variants-dir", house.parent)
    assert message == "quarantined: its files have more than 512 kB\n"


def test_122_a_stored_variant_stays_playable_beyond_the_bounds(
    serve: Callable[..., RealServer], tmp_path: Path
) -> None:
    """The variant is larger than a new one may be, and has a card id that new ones can't have."""
    document = json.loads(load(ROOT / "variants" / "quarantined").to_json())
    document["grid"] = {"rows": 6, "columns": 7}
    document["deal"]["grid"] = 41
    for card in document["cards"]:
        card["count"] += 36 * (card["id"] == "skip")
        card["id"] = {"skip": "Skip-1"}.get(card["id"], card["id"])
    for text in document["texts"].values():
        text["cards"]["Skip-1"] = text["cards"].pop("skip")
    server = serve()
    party = server.create_table("Ana", "Ben")
    server.stop()
    content = json.dumps(document)
    with closing(sqlite3.connect(server.database)) as stored, stored:
        stored.execute("UPDATE variants SET content = ?", (content,))
    server.start()
    view = server.get(f"/api/tables/{party.table}").json
    assert [seat["name"] for seat in view["seats"]] == ["Ana", "Ben"]
    variant = server.get(f"/api/tables/{party.table}/variant").json
    assert variant["grid"] == {"rows": 6, "columns": 7}


def with_value(place: str, value: Any, path: Path = GRID) -> Callable[[], bytes]:
    return lambda: with_change(json.loads(path.read_bytes()), place, value)


def with_extra(text: bytes) -> Callable[[], bytes]:
    """Return a function that makes a game file with this additional JSON in it."""
    return lambda: GRID.read_bytes().replace(
        b'{"checksum"', b'{"beside":' + text + b',"checksum"', 1
    )


def with_many_events(kind: str, count: int) -> Callable[[], bytes]:
    """Return a function that makes a game file with many additional events of this type."""

    def make_file() -> bytes:
        document = json.loads(GRID.read_bytes())
        template = next(event for event in document["events"] if event["type"] == kind)
        first = document["events"][:8]
        rest = document["events"][8:]
        more = [{**template, "version": first[-1]["version"] + n} for n in range(1, count + 1)]
        moved = [{**event, "version": event["version"] + count} for event in rest]
        document["events"] = [*first, *more, *moved]
        return with_new_checksum(document)

    return make_file


PILE = next(path for path in SAVED_GAMES if "pile" in path.stem)
SEATS = [{"seat": f"s{n}", "name": f"N{n}", "panel": True} for n in range(2000)]
GAMES: dict[str, tuple[Callable[[], bytes], str]] = {
    "grid": (
        with_value("variant.grid", {"rows": 1000, "columns": 1000}),
        "$.variant.grid.rows: must",
    ),
    "cards": (
        with_value("variant.cards.6.count", 3000),
        "$.variant.cards.skip: must be at most 60",
    ),
    "id": (
        with_value("variant.cards.6.id", "__proto__"),
        "$.variant.cards[6].id: no card can be called",
    ),
    "worlds": (
        with_value("variant.worlds", 10**9, PILE),
        "$.variant.worlds: must be at most 10000",
    ),
    "sizes": (
        with_value("variant.sizes.0.least", -(10**12), PILE),
        "$.variant.sizes[0]: must be 2 to 10",
    ),
    "players": (
        with_value("variant.players.most", 10**12, PILE),
        "$.variant.players: must be 2 to 10",
    ),
    "name": (
        with_value("seats.0.name", LARGE),
        "$.seats[0].name: a text has 1000 characters at most",
    ),
    "text": (
        with_value("variant.texts.en.title", LARGE),
        "$.variant.texts.en.title: a text has 1000",
    ),
    "key": (with_value("variant.texts", {LARGE: 1}), ": a text has 1000 characters at most"),
    "time": (with_value("events.3.at", 10**18), "$.events[3].at: a number is"),
    "seats": (with_value("seats", SEATS), "$.seats: at most 10 can play"),
    "seat": (with_value("seats.0.seat", "__proto__"), "$.seats[0].seat: no seat can be called"),
    "owed": (
        with_value("events.4.facts.owed", 10**14, PILE),
        "$.events[4].facts.owed: nobody owes",
    ),
    "events": (with_many_events("ready_said", 12_000), "$.events: a game has 5000 events at most"),
    "deep": (with_extra(b"[" * 900 + b"]" * 900), "lies more than 16 deep"),
    "deeper": (with_extra(b"[" * 100_000 + b"]" * 100_000), "$: not JSON, or cut off"),
    "lists": (with_extra(b"[" + b"[]," * 650_000 + b"[]]"), "holds more than 150000 things"),
    "tables": (with_extra(b"[" + b"{}," * 650_000 + b"{}]"), "holds more than 150000 things"),
    "keys": (lambda: b"{" + b",".join(b'"%d":0' % n for n in range(180_000)) + b"}", "holds more"),
    "twice": (with_extra(b'{"a":1,"a":2}'), "$: the key 'a' stands twice in one object"),
    "nan": (with_extra(b"NaN"), "$: not JSON"),
    "infinite": (with_extra(b"1e999"), "$: not JSON"),
    "digits": (with_extra(b"9" * 1_000_000), "$"),
    "half": (with_extra(b'"\\ud800"'), "$: not JSON"),
    "large": (lambda: GRID.read_bytes() + b" " * 3_000_000, "$: too large: more than 2 MB"),
    "utf-16": (lambda: GRID.read_bytes().decode().encode("utf-16"), "$: it is written in UTF-16"),
}


@pytest.mark.timed
@pytest.mark.parametrize("name", GAMES)
def test_123_a_bad_file_is_refused_at_once_in_one_sentence(name: str, tmp_path: Path) -> None:
    make_file, why = GAMES[name]
    (tmp_path / "game.json").write_bytes(make_file())
    message = expect_refused(1, "check", tmp_path / "game.json")
    assert message.startswith("Error: game.json: $") and why in message, message


@pytest.mark.timed
@pytest.mark.parametrize("command", ["check", "replay"])
def test_123_a_pipe_a_device_and_a_gigabyte_are_refused_without_waiting(
    command: str, tmp_path: Path
) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "zero").symlink_to("/dev/zero")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    with (tmp_path / "giant").open("wb") as file:
        file.truncate(1024**3)
    for name, why in {
        "pipe": "pipe or a device",
        "zero": "pipe or a device",
        "giant": "2 MB",
    }.items():
        assert why in expect_refused(1, command, tmp_path / name)
    assert run_measured(command, tmp_path / "loop").status in (1, 2)


@pytest.mark.timed
@pytest.mark.parametrize("command", ["check", pytest.param("replay", marks=pytest.mark.repetition)])
def test_123_the_longest_accepted_game_is_read_at_once(command: str, tmp_path: Path) -> None:
    (tmp_path / "game.json").write_bytes(with_many_events("ready_said", 4_800)())
    message = run_measured(command, tmp_path / "game.json")
    assert message.out and not message.err, message
