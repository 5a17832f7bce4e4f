"""Why no deal agrees with what somebody says: a reason with the facts for its sentence.

Of cards that can't be in a hand: ``all_open``: every one of the title lies noted on the discard
pile; ``too_few``: so many do that fewer are left than are shown; ``all_seen``: all are noted or
surely elsewhere, ``hands`` of them in other hands; ``elsewhere``: all that are left must be;
``said_none``: its player said that they have none, since when ``came`` cards that may be one and
``shown`` were so many; ``not_so_many``: it may hold some, but fewer; ``not_together``: it may hold
each, but not all at once. ``must_hold``, ``left_out``: it surely holds so many, or more than
were told. ``not_discarded``: no unnoted card of the discard pile can be it either. ``no_deal``:
what was seen before agrees with none already."""

from collections import Counter

from companion.rules.core.family import Json
from companion.rules.core.rulings import Refused
from companion.rules.pile import deduction
from companion.rules.pile.model import Table

Reason = tuple[str, Json]

RULINGS = {
    "card-count": ("all_open", "too_few"),
    "kitten-count": ("only_kittens", "no_kittens", "empty_pile"),
    "from-hand": ("empty_hand", "small_hand"),
    "cards-of-this-game": ("not_in_play",),
    "explode-discards-all": ("not_whole",),
    "pick-from-the-discard": ("not_discarded",),
}
"""In whose name a reason refuses, where it is not possible-report."""


def check_title(table: Table, card: str) -> None:
    """Refuses a title that this game doesn't have (ruling cards-of-this-game)."""
    variant = table.variant
    if card not in variant.titles_in_game:
        against = variant.elsewhere.get(card, "cards-of-this-game")
        raise Refused(against, card=card, titles=variant.titles_in_game)


def agrees_with_log(table: Table, seat: str, seen: deduction.Observation) -> None:
    """Refuses what no deal of the cards agrees with (rulings possible-report, card-count …)."""
    known = table.playing().knowledge
    if known.allows(seen):
        return
    reason, facts = why_not(known, seen)
    named = next((name for name, own in RULINGS.items() if reason in own), "possible-report")
    if named == "kitten-count":
        facts |= {"kittens": known.kittens, "count": known.pile}
    elif named == "cards-of-this-game":
        facts["titles"] = known.titles
    raise Refused(named, case=reason, seat=seat, **facts)


def leaves_hand(table: Table, seat: str, *cards: str) -> None:
    """Refuses cards that can't all come from this hand (ruling from-hand)."""
    agrees_with_log(table, seat, deduction.Laid(seat, cards))


def why_not(known: deduction.Knowledge, seen: deduction.Observation) -> Reason:
    """Why ``known`` does not allow ``seen``: a reason, its facts."""
    assert not known.allows(seen), seen
    if not known.possible:
        return "no_deal", {}
    match seen:
        case deduction.Drew() | deduction.DrewKitten() if not known.pile:
            return "empty_pile", {}
        case deduction.Drew():
            return "only_kittens", {"kittens": known.kittens}
        case deduction.DrewKitten():
            return "no_kittens", {}
        case deduction.Laid(seat, cards):
            return _not_held(known, seat, cards)
        case deduction.Moved(seat):
            return "empty_hand", {}
        case deduction.Gave(seat, _, card):
            return _not_held(known, seat, (card,))
        case deduction.HasNone(seat, card):
            return "must_hold", {"card": card, "least": known.certain_cards(seat)[card]}
        case deduction.Picked(_, card):
            return "not_discarded", {"card": card, "unnoted": known.unnoted_count}
        case deduction.Exploded(seat, cards):
            return _not_the_hand(known, seat, cards or ())
        case _:
            return "all_back", {}


def _not_the_hand(known: deduction.Knowledge, seat: str, cards: tuple[str, ...]) -> Reason:
    hand = known.hand(seat)
    if len(cards) != hand:
        return "not_whole", {"hand": hand, "number": len(cards)}
    for card, least in known.certain_cards(seat).items():
        if cards.count(card) < least:
            return "left_out", {"card": card, "least": least, "number": cards.count(card)}
    return _not_held(known, seat, cards)


def _not_held(known: deduction.Knowledge, seat: str, cards: tuple[str, ...]) -> Reason:
    """Why these can't be in the hand: the first title that can't, else all together."""
    hand = known.hand(seat)
    if not hand:
        return "empty_hand", {}
    for card, number in Counter(cards).items():
        if not known.may_hold(seat, (card,) * min(number, hand)):
            return _not_so_many(known, seat, card, number)
    if len(cards) > hand:
        return "small_hand", {"hand": hand, "number": len(cards)}
    return "not_together", {"cards": cards}


def _not_so_many(known: deduction.Knowledge, seat: str, card: str, number: int) -> Reason:
    total = dict(known.deal.counts).get(card, 0)
    noted = known.noted_counts.get(card, 0)
    if not total:
        return "not_in_play", {"card": card}
    facts = {"card": card, "total": total, "noted": noted}
    if noted == total:
        return "all_open", {"card": card, "total": total}
    if total - noted < number:
        return "too_few", {**facts, "number": number}
    since = _since_denied(known, seat, card)
    if since is not None and since[0] - since[1] < number:
        return "said_none", {"card": card, "came": since[0], "shown": since[1]}
    if most := _most(known, seat, card):
        return "not_so_many", {"card": card, "most": most, "number": number}
    surely = known.certain_cards(seat)
    if sum(surely.values()) == known.hand(seat):
        return "known_hand", {"card": card, "titles": tuple(surely)}
    return _elsewhere(known, seat, facts)


def _since_denied(known: deduction.Knowledge, seat: str, card: str) -> tuple[int, int] | None:
    """Since they last said that they have none: how many may have come, and were shown."""
    came = shown = 0
    denied = False
    for seen in known.seen:
        match seen:
            case deduction.HasNone() if seen == deduction.HasNone(seat, card):
                denied = True
                came = 0
                shown = 0
            case deduction.Drew(taker) | deduction.Moved(_, taker) if taker == seat:
                came += 1
            case deduction.Gave(_, who, title) | deduction.Picked(who, title) if who == seat:
                came += title == card
            case deduction.Gave(who, _, title) if who == seat:
                shown += title == card
            case deduction.Laid(who, cards) if who == seat:
                shown += cards.count(card)
    return (came, shown) if denied else None


def _most(known: deduction.Knowledge, seat: str, card: str) -> int:
    most = 0
    while known.may_hold(seat, (card,) * (most + 1)):
        most += 1
    return most


def _elsewhere(known: deduction.Knowledge, seat: str, facts: Json) -> Reason:
    """No card of the title can be in the hand, though some are unseen."""
    others = [place for place in range(len(known.account.sizes)) if place != known.place(seat)]
    surely = {place: known.surely(place).get(facts["card"], 0) for place in others}
    if facts["noted"] + sum(surely.values()) < facts["total"]:
        return "elsewhere", facts
    hands = sum(surely[place] for place in others if place >= deduction.HANDS)
    return "all_seen", {**facts, "hands": hands}
