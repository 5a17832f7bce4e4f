"""Reasons for refusing a report that no deal of the cards allows, with values for the message.

A card on the discard pile is *noted* if the panel knows its title, and otherwise *unnoted*. These
are the reasons why a card can't be in a hand:

- ``all_open``: every card of the title lies noted on the discard pile
- ``too_few``: the player shows more cards of the title than are left
- ``all_seen``: every card of the title is noted or certainly in another place. The placeholder
``hands`` is the number of cards of the title in other hands
- ``elsewhere``: all cards of the title that are left must be in other places
- ``said_none``: the player has stated that they have no card of the title. Since then they got
``came`` cards that may have the title, and showed ``shown`` cards of the title
- ``not_so_many``: the hand may hold some cards of the title, but fewer than the player shows
- ``known_hand``: the hand can only hold other titles
- ``not_together``: the hand may hold each of the cards, but not all at once

These are other reasons:

- ``must_hold``: the player states that they have no card of the title, but the hand certainly holds
one
- ``left_out``: the hand certainly holds more cards of the title than the player names
- ``not_discarded``: no unnoted card of the discard pile can have the title either
- ``no_deal``: no deal agrees with the earlier observations

The names of the remaining reasons, such as ``empty_hand``, describe the reason.
"""

from collections import Counter

from companion.rules.core.types import Json
from companion.rules.pile import deduction
from companion.rules.pile.state import Table
from companion.rules.text.rulings import Refused

Reason = tuple[str, Json]

RULINGS = {
    "card-count": ("all_open", "too_few"),
    "kitten-count": ("only_kittens", "no_kittens", "empty_pile"),
    "from-hand": ("empty_hand", "small_hand"),
    "cards-of-this-game": ("not_in_play",),
    "explode-discards-all": ("not_whole",),
    "pick-from-the-discard": ("not_discarded",),
}
"""Maps a ruling to the reasons for which it is cited. For all other reasons, the ruling is
possible-report."""


def check_title(table: Table, card: str) -> None:
    """Refuse a title that this game doesn't have (ruling cards-of-this-game)."""
    variant = table.variant
    if card not in variant.titles_in_game:
        against = variant.elsewhere.get(card, "cards-of-this-game")
        raise Refused(against, card=card, titles=variant.titles_in_game)


def check_against_log(table: Table, seat: str, seen: deduction.Observation) -> None:
    """Refuse an observation that no deal allows (possible-report or a ruling in ``RULINGS``)."""
    known = table.require_game().knowledge
    if known.allows(seen):
        return
    reason, facts = reason_against(known, seen)
    ruling = next((slug for slug, own in RULINGS.items() if reason in own), "possible-report")
    if ruling == "kitten-count":
        facts |= {"kittens": known.kittens, "count": known.pile_size}
    elif ruling == "cards-of-this-game":
        facts["titles"] = known.titles
    raise Refused(ruling, case=reason, seat=seat, **facts)


def check_in_hand(table: Table, seat: str, *cards: str) -> None:
    """Refuse cards that can't all come from this hand (ruling from-hand)."""
    check_against_log(table, seat, deduction.Laid(seat, cards))


def reason_against(known: deduction.Knowledge, seen: deduction.Observation) -> Reason:
    """Return the reason why no deal allows this observation, with values for the message's
    placeholders."""
    assert not known.allows(seen), seen
    if not known.possible:
        return "no_deal", {}
    match seen:
        case deduction.Drew() | deduction.DrewKitten() if not known.pile_size:
            return "empty_pile", {}
        case deduction.Drew():
            return "only_kittens", {"kittens": known.pile_size}
        case deduction.DrewKitten():
            return "no_kittens", {}
        case deduction.Laid(seat, cards):
            return _reason_not_held(known, seat, cards)
        case deduction.Moved(seat):
            return "empty_hand", {}
        case deduction.Gave(seat, _, card):
            return _reason_not_held(known, seat, (card,))
        case deduction.HasNone(seat, card):
            return "must_hold", {"card": card, "least": known.certain_cards(seat)[card]}
        case deduction.Picked(_, card):
            return "not_discarded", {"card": card, "unnoted": known.unnoted_count}
        case deduction.Exploded(seat, cards):
            return _reason_not_whole_hand(known, seat, cards or ())
        case _:
            return "all_back", {}


def _reason_not_whole_hand(known: deduction.Knowledge, seat: str, cards: tuple[str, ...]) -> Reason:
    hand = known.hand_size(seat)
    if len(cards) != hand:
        return "not_whole", {"hand": hand, "number": len(cards)}
    for card, least in known.certain_cards(seat).items():
        if cards.count(card) < least:
            return "left_out", {"card": card, "least": least, "number": cards.count(card)}
    return _reason_not_held(known, seat, cards)


def _reason_not_held(known: deduction.Knowledge, seat: str, cards: tuple[str, ...]) -> Reason:
    """Return the reason why these cards can't be in the hand.

    If one of the titles can't be there, the reason is about the first such title. Otherwise it is
    about all the cards together.
    """
    hand = known.hand_size(seat)
    if not hand:
        return "empty_hand", {}
    for card, number in Counter(cards).items():
        if not known.may_hold(seat, (card,) * min(number, hand)):
            return _reason_not_so_many(known, seat, card, number)
    if len(cards) > hand:
        return "small_hand", {"hand": hand, "number": len(cards)}
    return "not_together", {"cards": cards}


def _reason_not_so_many(known: deduction.Knowledge, seat: str, card: str, number: int) -> Reason:
    total = dict(known.deal.counts).get(card, 0)
    noted = known.noted_counts.get(card, 0)
    if not total:
        return "not_in_play", {"card": card}
    facts = {"card": card, "total": total, "noted": noted}
    if noted == total:
        return "all_open", {"card": card, "total": total}
    if total - noted < number:
        return "too_few", {**facts, "number": number}
    since_denial = _count_since_denial(known, seat, card)
    if since_denial is not None:
        came, shown = since_denial
        if came - shown < number:
            return "said_none", {"card": card, "came": came, "shown": shown}
    if most := _count_at_most(known, seat, card):
        return "not_so_many", {"card": card, "most": most, "number": number}
    certain = known.certain_cards(seat)
    if sum(certain.values()) == known.hand_size(seat):
        return "known_hand", {"card": card, "titles": tuple(certain)}
    return _reason_elsewhere(known, seat, facts)


def _count_since_denial(known: deduction.Knowledge, seat: str, card: str) -> tuple[int, int] | None:
    """Count a hand's changes since its player last stated that they have no card of the title.

    The first number counts the cards that came to the hand and may have the title. The second
    number counts the cards of the title that the player has shown. Return None if the player never
    made this statement.
    """
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


def _count_at_most(known: deduction.Knowledge, seat: str, card: str) -> int:
    """Return the maximum number of cards of the title that the hand may hold."""
    most = 0
    while known.may_hold(seat, (card,) * (most + 1)):
        most += 1
    return most


def _reason_elsewhere(known: deduction.Knowledge, seat: str, facts: Json) -> Reason:
    """Return the reason why all hidden cards of a title must be outside of the hand."""
    others = [
        place
        for place in range(len(known.hidden_cards.sizes))
        if place != known.place_of_hand(seat)
    ]
    certain = {place: known.certain_titles(place).get(facts["card"], 0) for place in others}
    if facts["noted"] + sum(certain.values()) < facts["total"]:
        return "elsewhere", facts
    hands = sum(certain[place] for place in others if place >= deduction.HANDS)
    return "all_seen", {**facts, "hands": hands}
