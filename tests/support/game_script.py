"""Play ``tests/scripts/grid/*.game``: games that are written in a small, English-like language.

    players: ana ben cleo        start a game in which the first of these players begins
    cleo tells top-left          Cleo gives a command
    ana, for ben, passes         the host gives a command for Ben
    ben says {"type": "pass", …} a command as JSON, if the language has no words for it
    ben plays skip !own-turn     the command is refused by this ruling
    ben nopes !stale             the command is refused with this error code
    ... 8s                       8 seconds pass
    = ben is up [skip-ends-turn] a claim that must be true, and a ruling that it shows

A cell is written as ``top-left`` to ``bottom-right`` or as ``row,column``. A grid is written as
``x . skip / x x x``: a face-down card, an empty cell, a face-up Skip, and the second row.
Lines that begin with ``#`` are comments.
"""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from companion.device_decks.dealing import commitment
from companion.rules.core import wording
from companion.rules.core.commands import DecisionInputs
from companion.rules.core.events import evolve
from companion.rules.core.referee import allowed_commands, decide, legal_commands, next_deadline
from companion.rules.core.types import Event
from companion.rules.core.undo import seats_to_agree
from companion.rules.core.view import log_entry
from companion.rules.core.windows import could_nope
from companion.rules.families import load, new_table
from companion.rules.grid import places as grid
from companion.rules.grid.state import Table
from companion.rules.text import sentences
from companion.rules.text.rulings import Refused
from tests.support.own_variants import load_own
from tests.support.paths import ROOT
from tests.support.public_view import public_view
from tests.support.say import say

QUARANTINED_FOLDER = ROOT / "variants" / "quarantined"
QUARANTINED = load_own("quarantined")

ROWS = ("top", "bottom")
COLUMNS = ("left", "middle", "right")
PLACES = {f"{r}-{c}": (i, j) for i, r in enumerate(ROWS) for j, c in enumerate(COLUMNS)}


class ScriptError(AssertionError):
    """Raised for a line of a script that failed, with its file and line number."""


def parse_cell(word: str) -> tuple[int, int]:
    """Parse a cell: ``top-left`` or ``0,0``."""
    if word in PLACES:
        return PLACES[word]
    row, column = word.split(",")
    return int(row), int(column)


def make_secret(number: str) -> str:
    """Return a device's secret that contains this number. No real secret looks like it."""
    return f"{int(number):064x}"


def parse_cells(words: str | None) -> tuple[tuple[int, int], ...] | None:
    return tuple(map(parse_cell, words.split())) if words else None


class Script:
    """A table with the commands and claims that a script can use."""

    say = say
    unlisted_commands: tuple[type, ...] = (say.Shuffled, say.Defuse)
    """Commands with optional parts. The legal commands include them only without these parts."""
    usual_options: dict[str, Any] = {"roll_call": False}  # noqa: RUF012
    """Options of a table whose script doesn't set it up itself."""
    variants = QUARANTINED_FOLDER.parent

    def __init__(self, variant: Any = QUARANTINED) -> None:
        self.table = new_table("GOLDEN", variant)
        self.now = 1_000_000
        self.lot = 0
        self.host_away_ms = 0
        self.log_room = 1
        self.here: frozenset[str] | None = None
        self.log: list[str] = []
        self.events: list[tuple[int, Event]] = []  # each event with its time
        self.shown_rulings: set[str] = set()

    # --- commands ------------------------------------------------------------------

    def seat(self, name: str) -> str:
        key = script_name(name)
        everyone = (*self.table.seats, *self.table.waiting)
        seats = [s.seat for s in everyone if script_name(s.name) == key]
        if not seats:
            raise ScriptError(f"nobody is called {name}")
        return seats[0]

    def name(self, seat: str | None) -> str | None:
        return None if seat is None else script_name(self.table.seat(seat).name)

    def handle_command(self, command: Any, sender: str | None) -> None:
        inputs = DecisionInputs(
            now=self.now,
            lot=self.lot,
            salt=f"{self.table.version:064x}",
            host_away_ms=self.host_away_ms,
            here=self.connected_seats,
            room=self.log_room,
        )
        for event in decide(self.table, command, sender=sender, inputs=inputs):
            before = self.table
            self.table = evolve(self.table, event)
            self.events.append((self.now, event))
            self.log.append(log_entry(before, event, self.table, self.now)["text"])
        public_view(self.table, self.now)

    @property
    def connected_seats(self) -> frozenset[str]:
        """The connected seats: all seats, unless the script names others."""
        return frozenset(s.seat for s in self.table.seats) if self.here is None else self.here

    def window(self) -> int:
        game = self.table.game
        return game.window.id if game and game.window else 0

    def run_command(self, line: str) -> None:
        line, _, refusal = line.partition(" !")
        command, sender = self.parse_command(line)
        before = self.table
        try:
            self.handle_command(command, sender)
        except Refused as refused:
            check_refusal_sentence(self.table, refused)
            reason = refused.ruling if refused.code == "refused" else refused.code
            names = {reason, f"{refused.code}/{refused.ruling}"}
            if refusal.strip() not in names:
                raise ScriptError(
                    f"refused by {refused.code}/{refused.ruling}/{refused.case}"
                ) from None
            if self.table is not before:
                raise ScriptError("a refusal changed the table") from None
            self.shown_rulings |= {refused.ruling} if refused.ruling else set()
        else:
            if refusal:
                raise ScriptError(f"was not refused by {refusal}")
        if not refusal.startswith("forbidden"):
            self.check_choices(before, command, sender, accepted=not refusal)

    def check_choices(
        self, before: Table, command: Any, sender: str | None, accepted: bool
    ) -> None:
        """Check that the command is among the sender's legal commands if and only if it was
        accepted."""
        legal = legal_commands(before, self.log_room)
        legal = allowed_commands(before, legal, str(sender), self.connected_seats)
        kinds = tuple(type(choice) for choice in legal)
        if type(command) in self.unlisted_commands or command.seat is None:
            return
        listed = self.is_listed(before, command, legal)
        if listed != accepted and (listed or type(command) in kinds):
            raise ScriptError(f"legal_commands {'lists' if listed else 'lacks'} it")

    def is_listed(self, table: Any, command: Any, legal: tuple[Any, ...]) -> bool:
        return command in legal

    def command_patterns(self) -> dict[str, Callable[..., Any]]:
        """Return functions that make a command from a script's line, by a pattern for the line."""
        return {**TABLE_COMMANDS, **GRID_COMMANDS}

    def claim_patterns(self) -> dict[str, Callable[..., tuple[Any, Any]]]:
        """Return functions that check a claim after ``=``, by a pattern for the claim.

        Each function returns the expected and the actual value.
        """
        return {**TABLE_CLAIMS, **GRID_CLAIMS}

    def parse_command(self, line: str) -> tuple[Any, str | None]:
        """Return the command of a line and the seat that sends it."""
        if match := re.fullmatch(r"(\S+) joins", line):
            return say.TakeSeat(name=match[1].replace("_", " ")), None
        if match := re.fullmatch(r"(\S+) waits", line):
            return say.AskPlace(name=match[1].replace("_", " ")), None
        match = re.fullmatch(r"(\S+?)(?:, for (\S+),)? (.+)", line)
        if not match:
            raise ScriptError("can't be read")
        speaker, other, words = match.groups()
        sender = None if speaker == "somebody" else self.seat(speaker)
        for pattern, make_command in self.command_patterns().items():
            if arguments := re.fullmatch(pattern, words):
                command = make_command(self, *arguments.groups())
                seat = self.seat(other) if other else sender
                return _with_seat(command, seat), sender
        raise ScriptError("can't be read")

    # --- time --------------------------------------------------------------------------

    def pass_time(self, ms: int) -> None:
        end = self.now + ms
        while (when := next_deadline(self.table)) is not None and when <= end:
            self.now = when
            self.handle_command(say.Tick(), None)
        self.now = end

    # --- claims --------------------------------------------------------------------------

    def check_claim(self, line: str) -> None:
        words, _, rulings = line.partition("[")
        for pattern, evaluate in self.claim_patterns().items():
            if arguments := re.fullmatch(pattern, words.strip()):
                expected, actual = evaluate(self, *arguments.groups())
                if expected != actual:
                    raise ScriptError(f"wanted {expected!r}, got {actual!r}")
                self.shown_rulings |= set(rulings.rstrip("] ").split())
                return
        raise ScriptError("can't be read")

    # --- a whole script ----------------------------------------------------------------

    def run_line(self, line: str) -> None:
        if line.startswith("players:"):
            self.seat_players(line.removeprefix("players:").split())
        elif line.startswith("lobby:"):
            for name in line.removeprefix("lobby:").split():
                self.handle_command(say.TakeSeat(name=name.replace("_", " ")), None)
        elif line.startswith("lot:"):
            self.lot = int(line.removeprefix("lot:"))
        elif line.startswith("here:"):
            self.here = frozenset(map(self.seat, line.removeprefix("here:").split()))
        elif line == "the log is full":
            self.log_room = 0
        elif match := re.fullmatch(r"the host is away for (\d+)s", line):
            self.host_away_ms = int(match[1]) * 1000
        elif match := re.fullmatch(r"the server is away for (-?\d+)s", line):
            self.now += int(match[1]) * 1000
            self.handle_command(say.Resume(), None)
        elif match := re.fullmatch(r"\.\.\. ([\d.]+)s", line):
            self.pass_time(int(float(match[1]) * 1000))
        elif line.startswith("= "):
            self.check_claim(line.removeprefix("= "))
        else:
            self.run_command(line)

    def seat_players(self, names: list[str]) -> None:
        """Seat these players and go straight to the first turn.

        The first player is the host and has the first turn.
        """
        for name in names:
            self.handle_command(say.TakeSeat(name=name.replace("_", " ")), None)
        host = self.table.host
        if self.usual_options:
            self.handle_command(self.say.SetOptions(**self.usual_options), host)
        self.handle_command(say.Prepare(), host)
        for seat in self.table.seats:
            self.handle_command(say.SayReady(ready=True), seat.seat)
        assert host is not None
        self.handle_command(say.Begin(first=host), host)


def check_refusal_sentence(table: Table, refused: Refused) -> None:
    """Raise ``ScriptError`` if the refusal lacks a value for a placeholder of its sentence."""
    words = table.variant.words
    used = {
        fact for fact, _ in sentences.parse_placeholders(wording.refusal_template(words, refused))
    }
    lacking = used - refused.facts.keys() - {"where"}
    text = wording.render_refusal(table, refused)
    if lacking or not text or set("{}|*") & set(text):
        raise ScriptError(f"{refused} says {text!r} without {lacking or 'open ends'}")


def script_name(name: str) -> str:
    """Return a name in the form of scripts: in lower case and without spaces."""
    return name.lower().replace(" ", "_")


def _with_seat(command: Any, seat: str | None) -> Any:
    from msgspec.structs import replace

    return replace(command, seat=seat)


def _parse_options(s: Script, words: str) -> Any:
    pairs = (word.split("=") for word in words.split())
    return s.say.SetOptions(**{k: int(v) if v.isdigit() else YES.get(v, v) for k, v in pairs})


def _get_request_id(s: Script) -> int:
    return s.table.asked.id if s.table.asked else 0


YES = {"yes": True, "no": False}


_CELL = r"([\w,-]+)"

TABLE_COMMANDS: dict[str, Callable[..., Any]] = {
    r"adds (\S+)": lambda s, name: say.AddSeat(name=name),
    r"renames itself (\S+)": lambda s, name: say.Rename(name=name.replace("_", " ")),
    r"chooses the emblem (\S+)": lambda s, emblem: say.ChooseEmblem(emblem=emblem),
    r"removes (\S+)": lambda s, name: say.RemoveSeat(removed_seat=s.seat(name)),
    r"sets (.+)": _parse_options,
    r"prepares": lambda s: say.Prepare(),
    r"goes back to the lobby": lambda s: say.ToLobby(),
    r"is ready": lambda s: say.SayReady(ready=True),
    r"is not ready": lambda s: say.SayReady(ready=False),
    r"begins by lot": lambda s: say.Begin(first="lot"),
    r"begins with (\S+)": lambda s, name: say.Begin(first=s.seat(name)),
    r"nopes": lambda s: say.PlayNope(window=s.window()),
    r"nopes window (\d+)": lambda s, window: say.PlayNope(window=int(window)),
    r"passes": lambda s: say.Pass(window=s.window()),
    r"passes ahead": lambda s: say.SetAutoPass(on=True),
    r"passes ahead no more": lambda s: say.SetAutoPass(on=False),
    r"holds": lambda s: say.Hold(window=s.window()),
    r"releases": lambda s: say.Release(window=s.window()),
    r"moves to another device": lambda s: say.ClaimSeat(),
    r"leaves": lambda s: say.Leave(),
    r"undoes": lambda s: say.Undo(),
    r"asks to take it back": lambda s: say.AskBack(),
    r"agrees": lambda s: say.Agree(asked=_get_request_id(s)),
    r"agrees to (\d+)": lambda s, asked: say.Agree(asked=int(asked)),
    r"hands over to (\S+)": lambda s, name: say.PassHost(to=s.seat(name)),
    r"takes over": lambda s: say.ClaimHost(),
    r"ends the game": lambda s: say.EndGame(),
    r"wants a rematch": lambda s: say.Rematch(),
    r"at version (\d+) undoes": lambda s, version: say.Undo(version=int(version)),
    r"says (\{.+\})": lambda s, command: msgspec.json.decode(command, type=s.table.family.command),
}
"""Functions that make a command at any table, by a pattern for the script's line."""

GRID_COMMANDS: dict[str, Callable[..., Any]] = {
    r"has the cards on the table": lambda s: say.ChooseDeck(kind="table"),
    r"has a device with secret (\d+)": lambda s, n: say.ChooseDeck(
        kind="device", commit=commitment(make_secret(n))
    ),
    r"has the deck here": lambda s: say.ReportDeck(here=True),
    r"has no deck here": lambda s: say.ReportDeck(here=False),
    r"opens secret (\d+)": lambda s, n: say.OpenDeck(secret=make_secret(n)),
    r"calls (\S+)": lambda s, name: say.CallNext(next=s.seat(name)),
    r"skips the roll call": lambda s: say.SkipRollCall(),
    rf"tells {_CELL}": lambda s, at: say.Instruct(cell=parse_cell(at)),
    r"plays (\w+)": lambda s, card: say.PlayCard(card=card),
    rf"plays (\w+) on (\S+) {_CELL}": lambda s, card, name, at: say.PlayCard(
        card=card, target=s.seat(name), cell=parse_cell(at)
    ),
    rf"looks {_CELL}": lambda s, at: say.Look(cell=parse_cell(at)),
    r"has shuffled(?: into (.+))?": lambda s, held: say.Shuffled(cells=parse_cells(held)),
    r"reveals (\w+)": lambda s, card: say.Reveal(card=card),
    rf"draws {_CELL}": lambda s, at: say.Draw(cell=parse_cell(at)),
    r"reports (safe|kitten)": lambda s, outcome: say.Report(outcome=outcome),
    r"defuses(?: into (.+))?": lambda s, held: say.Defuse(cells=parse_cells(held)),
    r"defuses, still(?: into (.+))?": lambda s, held: say.Defuse(
        cells=parse_cells(held), still=True
    ),
    r"explodes": lambda s: say.Explode(),
    rf"notes {_CELL} (\w+)": lambda s, at, card: say.MakeNote(
        cell=parse_cell(at), card=None if card == "nothing" else card
    ),
}
"""Functions that make a command on the draw grid, by a pattern for the script's line."""


def _get_turn(s: Script) -> Any:
    return s.table.game.turn if s.table.game else None


def _get_player(s: Script, name: str) -> Any:
    assert s.table.game is not None
    return s.table.game.player(s.seat(name))


def _draw_grid(held: grid.Grid) -> str:
    faces = {None: ".", grid.DOWN: "x"}
    return " / ".join(" ".join(faces.get(face, str(face)) for face in row) for row in held)


def _list_names(s: Script, seats: Any) -> str:
    return " ".join(str(s.name(seat)) for seat in seats)


def _list_notes(s: Script, name: str) -> str:
    names = {at: word for word, at in PLACES.items()}
    return " ".join(f"{names[at]} {card}" for at, card in sorted(_get_player(s, name).notes))


def _get_deck_kind(s: Script, name: str) -> str:
    deck = s.table.deck(s.seat(name))
    return ("open" if deck.secret else "device") if deck else "table"


def _describe_house_rules(s: Script) -> tuple[str, str]:
    def spoken_cell(value: Any) -> str:
        return " ".join(value) if isinstance(value, tuple) else str(value)

    house = s.table.house
    assert house is not None
    changes = [
        f"{change.key} {spoken_cell(change.was)}→{spoken_cell(change.to)}"
        for change in house.changes
    ]
    return house.name or "nameless", ", ".join(changes)


TABLE_CLAIMS: dict[str, Callable[..., tuple[Any, Any]]] = {
    r"(\S+) is up": lambda s, name: (name, s.name(_get_turn(s).seat)),
    r"(\S+) owes (\d+)": lambda s, name, count: (
        (name, int(count)),
        (s.name(_get_turn(s).seat), _get_turn(s).owed),
    ),
    r"(\S+) comes after (\S+)": lambda s, a, b: (a, s.name(s.table.game.next_living(s.seat(b)))),
    r"step (\w+)": lambda s, step: (step, _get_turn(s).step),
    r"no house rules": lambda s: (None, s.table.house),
    r"house rules (\w+): (.+)": lambda s, *told: (told, _describe_house_rules(s)),
    r"phase (\w+)": lambda s, phase: (phase, s.table.phase),
    r"turn (\d+)": lambda s, number: (int(number), _get_turn(s).number),
    r"window": lambda s: (True, s.table.game.window is not None),
    r"no window": lambda s: (None, s.table.game.window),
    r"([\d.]+)s left": lambda s, left: (
        int(float(left) * 1000),
        public_view(s.table, s.now)["window"]["left_ms"],
    ),
    r"a window of (\d+)s": lambda s, seconds: (int(seconds), s.table.game.window.seconds),
    r"held by (\S+)": lambda s, name: (name, s.name(s.table.game.window.held_by) or "nobody"),
    r"passed: ?(.*)": lambda s, names: (names, _list_names(s, s.table.game.window.passed)),
    r"could nope: ?(.*)": lambda s, names: (
        names,
        _list_names(s, could_nope(s.table, s.table.game.played.seat_of_top_card)),
    ),
    r"it counts": lambda s: (True, s.table.game.played.counts),
    r"it does not count": lambda s: (False, s.table.game.played.counts),
    r"nothing is played": lambda s: (None, s.table.game.played),
    r"(\S+) holds (\d+)": lambda s, name, count: (int(count), _get_player(s, name).hand),
    r"(\S+) is out by (\w+)": lambda s, name, how: (how, _get_player(s, name).out),
    r"(\S+) is in": lambda s, name: (None, _get_player(s, name).out),
    r"(\S+) wins": lambda s, name: (name, s.name(s.table.game.winner)),
    r"nobody has won": lambda s: (None, s.table.game.winner),
    r"chain: (.+)": lambda s, names: (names, _list_names(s, s.table.game.living)),
    r"order: (.+)": lambda s, names: (names, _list_names(s, (x.seat for x in s.table.in_order))),
    r"seats: (.+)": lambda s, names: (names, _list_names(s, (x.seat for x in s.table.seats))),
    r"waiting: ?(.*)": lambda s, names: (
        names,
        " ".join(script_name(one.name) for one in s.table.waiting),
    ),
    r"host (\S+)": lambda s, name: (name, s.name(s.table.host) or "nobody"),
    r"game (\d+)": lambda s, number: (int(number), s.table.games),
    r"nothing is asked": lambda s: (None, s.table.asked),
    r"(\S+) asks (.*)": lambda s, name, names: (
        (name, names),
        (s.name(s.table.asked.seat), _list_names(s, seats_to_agree(s.table, s.table.asked))),
    ),
    r"log: (.+)": lambda s, text: (text, s.log[-1]),
}
"""Functions that check a claim about any table, by a pattern for the claim. Each returns the
expected and the actual value."""

GRID_CLAIMS: dict[str, Callable[..., tuple[Any, Any]]] = {
    r"(\S+)'s deck: (table|device|open)": lambda s, name, where: (where, _get_deck_kind(s, name)),
    r"(\S+) tells": lambda s, name: (name, s.name(s.table.game.previous_living(_get_turn(s).seat))),
    r"(\S+) calls": lambda s, name: (name, s.name(s.table.game.caller)),
    r"told (\S+)": lambda s, at: (None if at == "nothing" else parse_cell(at), _get_turn(s).told),
    r'says "(.+)"': lambda s, words: (words, public_view(s.table, s.now)["turn"]["say"]),
    r"(\S+)'s grid: (.+)": lambda s, name, picture: (
        picture,
        _draw_grid(_get_player(s, name).grid),
    ),
    r"(\S+)'s discard: ?(.*)": lambda s, name, held: (held, " ".join(_get_player(s, name).discard)),
    r"(\S+)'s notes: ?(.*)": lambda s, name, notes: (notes, _list_notes(s, name)),
}
"""Functions that check a claim about the draw grid, by a pattern for the claim."""


def play_script(path: Path, new: Callable[..., Script] = Script) -> set[str]:
    """Play a script to its end. Returns the rulings that its lines name."""
    script = new()
    for number, raw in enumerate(path.read_text("utf-8").splitlines(), 1):
        line = raw.strip()
        if line.startswith("#") or not line:
            continue
        try:
            variant = re.fullmatch(r"variant: (\S+)", line)
            if variant or line == "a new table":
                variant_of_game = (
                    load(script.variants / variant[1]) if variant else script.table.variant
                )
                rulings = script.shown_rulings
                script = new(variant_of_game)
                script.shown_rulings = rulings
            else:
                script.run_line(line)
        except (AssertionError, KeyError, ValueError, AttributeError) as error:
            raise ScriptError(f"{path.name}:{number}: {raw.strip()}: {error!r}") from error
    return script.shown_rulings
