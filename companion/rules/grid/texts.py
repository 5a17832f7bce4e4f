"""The texts of the draw grid: its rulings, message keys, and phrases for cells.

A variant's language files hold the messages under these keys. Each line below begins with a key.
After the colon follow the names of the message's placeholders. For example, ``roll-call/who
/going-on: turn`` stands for the two keys ``roll-call/who`` and ``roll-call/going-on``: two messages
about the ruling ``roll-call``, each with the placeholder ``turn``.
"""

from collections.abc import Mapping

from companion.rules.core.events import NopePlayed, sentence_keys
from companion.rules.core.types import Event, Json
from companion.rules.core.wording import join_words
from companion.rules.grid import events, places
from companion.rules.grid.places import Cell, Grid
from companion.rules.grid.state import Table
from companion.rules.text.rulings import TABLE_RULINGS, parse_keys, ruling_slugs, sentence_sections
from companion.rules.text.sentences import Facts

REFUSED = parse_keys(
    """
    prepare-in-order /lobby /setup:
    own-deck/begun /again:
    own-deck/own /here /ready /lent /none /moves: seat
    opens-what-it-committed /none /again: seat
    opens-what-it-committed/playing:
    undo/opened:
    roll-call:
    roll-call/wrong-name: seat next right
    roll-call/who /going-on: turn
    told-by-previous: turn instructor
    told-once: turn told
    wait-to-be-told: turn instructor
    one-thing-at-a-time/reveal: target
    tell-a-card-that-is-there: seat cell
    noped-instruction: seat cell
    one-thing-at-a-time/instruction: by
    leaving/instruction: seat by
    no-combos: card
    deck-count: seat card total where
    possible-report/all_seen: seat card total where
    possible-report/nothing_face_down /only_the_kitten /kitten_is_up: seat
    possible-report/known_hand /known_cells: seat card titles
    favor-another /no-target-here: card
    favor-another/whose /not-yourself:
    favor-another/out: target
    favor-another/face-down: target cell
    favor-turns-one-up:
    favor-turns-one-up/who: by target
    look-at-one:
    look-at-one/empty: cell
    shuffle-needs-a-new-word:
    draw-what-you-were-told: turn
    draw-what-you-were-told/cell: seat told
    face-up-is-known: card
    show-the-kitten: turn
    defuse-or-out:
    same-number-of-cards: seat count
    same-number-of-cards/still: seat
    private-notes/face-down: cell
    """
)
"""The message keys for refusals, each with the names of the message's placeholders."""

RULINGS = TABLE_RULINGS | ruling_slugs(
    REFUSED,
    "deck-of-fifteen alphabetical-order chain-closes-up as-the-drawer-sees-it grid-shrinks"
    " safe-draw defuse-hides-the-grid skip-ends-turn",
)

SAY = parse_keys(
    """
    rows/one /top /middle /bottom:
    rows/other: number
    place/only /middle:
    place/left /right /left-theirs /right-theirs: ordinal
    ordinal/1 /2 /3:
    ordinal/other: number
    cell: row place
    empty-cell: row column
    where/discard /up /hand /down: number
    """
)
"""The message keys of phrases for a cell. Readers other than the cell's owner get the phrases whose
key has ``theirs``."""

KNOWN = parse_keys(
    """
    undone/seen: target cell card
    undone/safe /looked: target cell
    undone/held: target card
    """
)
"""The message keys for the log entry ``undone``.

There is one message for each kind of knowledge about cards that everybody keeps after an undo.
"""


def facts_after_undo(event: Event) -> Json:
    """Return what everybody still knows about cards after this event is undone.

    The value under ``known`` selects the sentence that the log adds to the entry ``undone``: the
    value ``held`` selects the message ``undone/held``. All other entries are the values of the
    sentence's placeholders, by name. The result is empty if the event showed nothing.
    """
    match event:
        case (
            events.CardPlayed(seat=seat, card=card)
            | events.KittenDefused(seat=seat, card=card)
            | NopePlayed(seat=seat, nope=card)
        ):
            return {"known": "held", "target": seat, "card": card}
        case events.Looked(seat=seat, cell=cell):
            return {"known": "looked", "target": seat, "cell": cell}
        case (
            events.CardRevealed(seat=seat, cell=cell, card=card)
            | events.KittenShown(seat=seat, cell=cell, kitten=card)
        ):
            return {"known": "seen", "target": seat, "cell": cell, "card": card}
        case events.CardDrawn(seat=seat, cell=cell, card=None):
            return {"known": "safe", "target": seat, "cell": cell}
    return {}


NOPED_INSTRUCTION = parse_keys(
    """
    nope_played/yes-instruction /no-instruction: seat by
    window_closed/yes-instruction /no-instruction: seat
    """
)
"""The message keys for log entries about the window of an instruction."""

SECTIONS = sentence_sections(
    refused=REFUSED, say=SAY, log=sentence_keys(events.Event) | KNOWN | NOPED_INSTRUCTION
)


def describe_cell(say: Mapping[str, str], grid: Grid, cell: Cell, theirs: bool = False) -> str:
    """Return a phrase for a cell as its owner sees it (ruling as-the-drawer-sees-it).

    The phrase addresses the owner. If ``theirs`` is True, the phrase speaks about the owner
    instead. An empty cell is described by the numbers of its row and column.
    """
    if places.card_at(grid, cell) is None:
        return say["empty-cell"].format(row=cell[0] + 1, column=cell[1] + 1)
    place = places.place_in_row(grid, cell)
    return say["cell"].format(
        row=_describe_row(say, place), place=_describe_in_row(say, place, theirs)
    )


def _describe_row(say: Mapping[str, str], place: places.Place) -> str:
    if place.rows == 1:
        return say["rows/one"]
    if place.row == 0:
        return say["rows/top"]
    if place.row == place.rows - 1:
        return say["rows/bottom"]
    return say["rows/middle"] if place.rows == 3 else say["rows/other"].format(number=place.row + 1)


def _describe_in_row(say: Mapping[str, str], place: places.Place, theirs: bool) -> str:
    """Return a phrase for a card's place in its row, counted from the nearer end.

    Only the cards that are left in the row are counted.
    """
    if place.count == 1:
        return say["place/only"]
    from_left = place.index
    from_right = place.count - 1 - place.index
    if from_left == from_right:
        return say["place/middle"]
    side = "left" if from_left < from_right else "right"
    number = min(from_left, from_right) + 1
    ordinal = say.get(f"ordinal/{number}", say["ordinal/other"]).format(number=number)
    return say[f"place/{side}-theirs" if theirs else f"place/{side}"].format(ordinal=ordinal)


def place_of_card(facts: Facts, table: Table) -> places.Place | None:
    """Return the place of the card in the event's cell, or None if the event has no cell or the
    cell is empty."""
    owner = facts.get("target") or facts.get("seat")
    cell = facts.get("cell")
    game = table.game
    if cell is None or game is None or owner not in game.order:
        return None
    grid = game.player(str(owner)).grid
    return places.place_in_row(grid, tuple(cell)) if places.card_at(grid, tuple(cell)) else None


def describe_fact(key: str, facts: Facts, before: Table) -> str | None:
    """Return the text for a placeholder that stands for a cell, or None for any other placeholder.

    The cell is described as it was before the event.
    """
    if key not in ("cell", "told"):
        return None
    owner = facts.get({"cell": "target", "told": "turn"}[key]) or facts.get("seat")
    game = before.game
    grid = game.player(str(owner)).grid if game and owner in game.order else ()
    return describe_cell(before.variant.words.say, grid, tuple(facts[key]), theirs=True)


def phrases_for_copies(facts: Facts, table: Table) -> dict[str, str]:
    """Return the text for the placeholder ``where`` in a refusal.

    The text lists the places that certainly hold cards of a title, and the number of these cards in
    each place.
    """
    texts = table.variant.words
    counts = {place: facts.get(place, 0) for place in ("discard", "up", "hand", "down")}
    where = [
        phrase.format(number=texts.say.get(f"number/{count}", count))
        for place, count in counts.items()
        if count and (phrase := texts.say.get(f"where/{place}"))
    ]
    return {"where": join_words(texts, where)}
