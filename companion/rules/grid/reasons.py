"""Why no deal agrees with what somebody says: a reason with the facts for its sentence.
``all_open``: every copy of the title lies open (ruling deck-count); ``all_seen``: every copy is
open or surely elsewhere, ``hand`` and ``down`` of them there; ``known_hand``, ``known_cells``:
there is nothing but ``titles``; ``no_deal``: what was seen before agrees with none already."""

from companion.rules.core.family import Json
from companion.rules.core.rulings import Refused
from companion.rules.grid import deduction
from companion.rules.grid.cases import DOWN, HAND
from companion.rules.grid.model import Player, Table

Reason = tuple[str, Json]


def agrees(player: Player, seen: deduction.Observation) -> None:
    """Refuses what no deal of the cards agrees with (rulings deck-count, possible-report)."""
    if player.known.allows(seen):
        return
    case, facts = why_not(player.known, seen)
    ruling = "deck-count" if case == "all_open" else "possible-report"
    raise Refused(ruling, case=case, seat=player.seat, **facts)


def leaves_hand(table: Table, seat: str, card: str, forced: bool = False) -> None:
    """Refuses a card that can't come from this hand (ruling from-hand)."""
    player = table.playing().player(seat)
    if player.hand == 0:
        raise Refused("from-hand", seat=player.seat, card=card)
    agrees(player, deduction.Left(card=card, forced=forced))


def why_not(known: deduction.Knowledge, seen: deduction.Observation) -> Reason:
    """Why ``known`` does not allow ``seen``: a reason, its facts."""
    assert not known.allows(seen), seen
    if not known.possible:
        return "no_deal", {}
    match seen:
        case deduction.DrewHidden():
            return ("only_the_kitten" if known.down else "nothing_face_down"), {}
        case deduction.DrewFaceUp(card):
            kitten = card == known.deck.kitten
            return ("up_is_the_kitten" if kitten else "not_face_up"), {"card": card}
        case deduction.TurnedUp(card):
            return _not_there(known, card, held=False)
        case deduction.Left(card):
            return _not_there(known, card, held=True)
        case _:
            raise AssertionError(seen)


def _not_there(known: deduction.Knowledge, card: str, held: bool) -> Reason:
    """Why no such card can be in the hand (``held``), else face down."""
    if card == known.deck.kitten and not held:
        return "kitten_is_up", {"card": card}
    if not (known.hand if held else known.down):
        return ("empty_hand" if held else "nothing_face_down"), {"card": card}
    facts, titles = _copies(known, card), known.in_hand if held else known.face_down
    elsewhere = facts["total"] - facts["discard"] - facts["up"]
    if not elsewhere:
        del facts["hand"], facts["down"]
        return "all_open", facts
    if titles == (known.deck.kitten,):
        return "only_the_kitten", {"card": card}
    if facts["down" if held else "hand"] == elsewhere:
        return "all_seen", facts
    return ("known_hand" if held else "known_cells"), {"card": card, "titles": titles}


def _copies(known: deduction.Knowledge, card: str) -> Json:
    """Where the copies of a title are that can be told; all 0 for a strange title."""
    facts = {"card": card, "total": 0, "discard": 0, "up": 0, "hand": 0, "down": 0}
    if card in known.titles:
        title = known.titles.index(card)
        hand, down = (min(case.known[at][title] for case in known.cases) for at in (HAND, DOWN))
        facts |= {
            "total": known.deck.counts[title][1],
            "discard": known.discard[title],
            "up": known.up[title],
            "hand": hand,
            "down": down,
        }
    return facts
