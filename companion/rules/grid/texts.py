"""What is said on the draw grid: its rulings, the sentences of a language, places as spoken."""

from collections.abc import Mapping

from companion.rules.core.events import Event, NopePlayed, sentences
from companion.rules.core.family import Facts, Json
from companion.rules.core.rulings import TABLE_RULINGS, keys, rulings, sections
from companion.rules.core.wording import join_words
from companion.rules.grid import events, places
from companion.rules.grid.model import Table
from companion.rules.grid.places import Cell, Grid

REFUSED = keys(
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
"""What the referee says when it refuses, by ruling."""

RULINGS = TABLE_RULINGS | rulings(
    REFUSED,
    "deck-of-fifteen alphabetical-order chain-closes-up as-the-drawer-sees-it grid-shrinks"
    " safe-draw defuse-hides-the-grid skip-ends-turn",
)

SAY = keys(
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
"""How a cell is spoken: to the grid's owner, or (theirs) about them."""

KNOWN = keys(
    """
    undone/seen: target cell card
    undone/safe /looked: target cell
    undone/held: target card
    """
)
"""What the log says of cards that stay known when a word is taken back."""


def stays(event: Event) -> Json:
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


SECTIONS = sections(refused=REFUSED, say=SAY, log=sentences(events.Event) | KNOWN)


def describe_cell(say: Mapping[str, str], held: Grid, cell: Cell, theirs: bool = False) -> str:
    """Where a card lies, as its owner sees it (ruling as-the-drawer-sees-it). ``theirs`` speaks
    about the owner instead of to them. An empty cell is counted out."""
    if places.card_at(held, cell) is None:
        return say["empty-cell"].format(row=cell[0] + 1, column=cell[1] + 1)
    place = places.place(held, cell)
    return say["cell"].format(row=_row(say, place), place=_in_row(say, place, theirs))


def _row(say: Mapping[str, str], place: places.Place) -> str:
    if place.rows == 1:
        return say["rows/one"]
    if place.row == 0:
        return say["rows/top"]
    if place.row == place.rows - 1:
        return say["rows/bottom"]
    return say["rows/middle"] if place.rows == 3 else say["rows/other"].format(number=place.row + 1)


def _in_row(say: Mapping[str, str], place: places.Place, theirs: bool) -> str:
    """The place among the cards still in the row, from the nearer end."""
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


def lain(facts: Facts, table: Table) -> places.Place | None:
    """Where the card at a fact's cell lies in its owner's grid, if there is one."""
    owner = facts.get("target") or facts.get("seat")
    cell = facts.get("cell")
    game = table.game
    if cell is None or game is None or owner not in game.order:
        return None
    held = game.player(str(owner)).grid
    return places.place(held, tuple(cell)) if places.card_at(held, tuple(cell)) else None


def word(key: str, facts: Facts, before: Table) -> str | None:
    if key not in ("cell", "told"):
        return None
    owner = facts.get({"cell": "target", "told": "turn"}[key]) or facts.get("seat")
    game = before.game
    held = game.player(str(owner)).grid if game and owner in game.order else ()
    return describe_cell(before.variant.words.say, held, tuple(facts[key]), theirs=True)


def more_words(facts: Facts, table: Table) -> dict[str, str]:
    """Where the copies of a title lie, as far as that can be told."""
    texts = table.variant.words
    counted = {place: facts.get(place, 0) for place in ("discard", "up", "hand", "down")}
    where = [
        sentence.format(number=texts.say.get(f"number/{count}", count))
        for place, count in counted.items()
        if count and (sentence := texts.say.get(f"where/{place}"))
    ]
    return {"where": join_words(texts, where)}
