"""Facts into sentences: refusals, errors, the log and spoken places, from a variant's texts.

A table keeps the variant it began with, for ever: a sentence that came later than the
variant is done without. This module must not know a sentence or a language of its own.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from companion.rules import grid
from companion.rules.grid import Cell, Grid
from companion.rules.model import Table
from companion.rules.phrases import filled
from companion.rules.rulings import Refused
from companion.rules.texts import SEATS
from companion.rules.variant import Texts

_CARDS = {"card", "kitten", "nope"}


def spoken(say: Mapping[str, str], held: Grid, cell: Cell, theirs: bool = False) -> str:
    """Where a card lies, as its owner sees it (ruling as-the-drawer-sees-it).

    ``theirs`` speaks about the owner instead of to them. An empty cell is counted out.
    """
    if grid.at(held, cell) is None:
        return say["empty-cell"].format(row=cell[0] + 1, column=cell[1] + 1)
    place = grid.place(held, cell)
    return say["cell"].format(row=_row(say, place), place=_in_row(say, place, theirs))


def _row(say: Mapping[str, str], place: grid.Place) -> str:
    if place.rows == 1:
        return say["rows/one"]
    if place.row == 0:
        return say["rows/top"]
    if place.row == place.rows - 1:
        return say["rows/bottom"]
    return say["rows/middle"] if place.rows == 3 else say["rows/other"].format(number=place.row + 1)


def _in_row(say: Mapping[str, str], place: grid.Place, theirs: bool) -> str:
    """The place among the cards still in the row, from the nearer end."""
    if place.count == 1:
        return say["place/only"]
    from_left, from_right = place.index, place.count - 1 - place.index
    if from_left == from_right:
        return say["place/middle"]
    side = "left" if from_left < from_right else "right"
    number = min(from_left, from_right) + 1
    ordinal = say.get(f"ordinal/{number}", say["ordinal/other"]).format(number=number)
    return say[f"place/{side}-theirs" if theirs else f"place/{side}"].format(ordinal=ordinal)


def lain(facts: Mapping[str, Any], table: Table) -> grid.Place | None:
    """Where the card at a fact's cell lies in its owner's grid, if there is one."""
    owner, cell, game = facts.get("target") or facts.get("seat"), facts.get("cell"), table.game
    if cell is None or game is None or owner not in game.order:
        return None
    held = game.player(str(owner)).grid
    return grid.place(held, tuple(cell)) if grid.at(held, tuple(cell)) else None


def refusal(table: Table, refused: Refused) -> str:
    """Why it is refused, in one friendly sentence."""
    return _filled(unfilled(table.variant.words, refused), refused.facts, table, table)


def unfilled(words: Texts, refused: Refused) -> str:
    """The sentence for a refusal: of its case, of its ruling, else the ruling itself."""
    if refused.ruling is None:
        return words.errors[refused.code]
    return (
        words.refused.get(f"{refused.ruling}/{refused.case}")
        or words.refused.get(refused.ruling)
        or (words.rulings[refused.ruling].text if refused.ruling in words.rulings else "")
    )


def error(say: Mapping[str, str], code: str, **facts: str) -> str:
    """What the service says for an error that no ruling is behind; ``say``: the errors' texts."""
    sentence = say.get(f"{code}/{facts.get('what')}") or say.get(code, code)
    return sentence.format_map(defaultdict(str, facts))


def happened(kind: str, facts: Mapping[str, Any], before: Table, after: Table) -> str:
    """What the log says of an event of this kind; cells are spoken as they were before it."""
    sentences = after.variant.words.log
    case = _case(kind, facts)
    return _filled(
        sentences.get(f"{kind}/{case}") or sentences.get(kind, kind), facts, before, after
    )


def _case(kind: str, facts: Mapping[str, Any]) -> str | None:
    """Which face of the event it was, where its sentence has several."""
    match kind:
        case "ready_said":
            return "yes" if facts["ready"] else "no"
        case "nope_played" | "window_closed":
            return "yes" if facts["counts"] else "no"
        case "card_played":
            return "target" if facts["target"] else None
        case "host_changed" | "released":
            return None if facts["seat"] else "nobody"
        case "step_began":
            return str(facts["step"])
        case "card_drawn":
            return "card" if facts["card"] else None
        case "note_made":
            return None if facts["card"] else "nothing"
        case "went_out":
            return str(facts["out"])
        case _:
            return None


def _filled(sentence: str, facts: Mapping[str, Any], before: Table, after: Table) -> str:
    texts = after.variant.words
    words = {key: _word(key, value, facts, before, after) for key, value in facts.items()}
    words["where"] = _where(texts, facts)
    return filled(sentence, texts.small, words, facts)


def _word(key: str, value: Any, facts: Mapping[str, Any], before: Table, after: Table) -> str:
    """A fact as it is spoken: a seat's name, a card's title, a place."""
    texts = after.variant.words
    if key in SEATS and value is not None:
        return _name(after, value)
    if key == "seats":
        return listed(texts, [_name(after, seat) for seat in value])
    if key in _CARDS and value is not None:
        return _title(after, value)
    if key == "titles":
        return listed(texts, [_title(after, title) for title in value])
    if key in ("cell", "told") and value is not None:
        owner = facts.get({"cell": "target", "told": "turn"}[key]) or facts.get("seat")
        game = before.game
        held = game.player(owner).grid if game and owner in game.order else ()
        return spoken(texts.say, held, tuple(value), theirs=True)
    return "" if value is None else str(value)


def _where(texts: Texts, facts: Mapping[str, Any]) -> str:
    """Where the copies of a title lie, as far as that can be told."""
    counted = {place: facts.get(place, 0) for place in ("discard", "up", "hand", "down")}
    return listed(
        texts,
        [
            sentence.format(number=_number(texts.say, number))
            for place, number in counted.items()
            if number and (sentence := texts.say.get(f"where/{place}"))
        ],
    )


def _number(say: Mapping[str, str], number: int) -> str:
    return say.get(f"number/{number}") or str(number)


def _name(table: Table, seat: str) -> str:
    waiter = table.waiter(seat)
    return waiter.name if waiter else next((s.name for s in table.seats if s.seat == seat), seat)


def _title(table: Table, card: str) -> str:
    text = table.variant.words.cards.get(card)
    return text.title if text else card


def listed(texts: Texts, words: Sequence[str]) -> str:
    """A list as it is spoken."""
    if len(words) < 2:
        return "".join(words)
    most, last = ", ".join(words[:-1]), words[-1]
    return filled(texts.say["and"], texts.small, {"most": most, "last": last})
