"""The texts of the classic games: rulings, message keys, and phrases for combos.

A variant's language files hold the messages under these keys. Each line below begins with a key.
After the colon follow the names of the message's placeholders. For example, ``favor-another/out
/empty: target`` stands for the two keys ``favor-another/out`` and ``favor-another/empty``: two
messages about the ruling ``favor-another``, each with the placeholder ``target``.
"""

from companion.rules.core.events import NopePlayed, sentence_keys
from companion.rules.core.types import Event, Json
from companion.rules.core.wording import card_title, join_words
from companion.rules.pile import events
from companion.rules.pile.state import Table
from companion.rules.pile.variant import KINDS
from companion.rules.text.rulings import TABLE_RULINGS, parse_keys, ruling_slugs, sentence_sections
from companion.rules.text.sentences import Facts

REFUSED = parse_keys(
    """
    the-deal /lobby /setup:
    clockwise /order:
    their-own-hand: target by
    one-thing-at-a-time/act /pick: turn
    one-thing-at-a-time/give: target by
    one-thing-at-a-time/take: turn target
    one-thing-at-a-time/answer: target
    one-thing-at-a-time/imploding: turn
    powerless-alone: card
    favor-another /no-target-here: card
    favor-another/not-yourself:
    favor-another/out /empty: target
    targeted-attack: card
    targeted-attack/not-yourself:
    targeted-attack/out: target
    combos-of-this-edition: kind
    combos-of-this-edition/off:
    matching-cards /cats:
    matching-cards/pair /triple: cards
    five-different:
    combo-target /no-target-here: kind
    combo-target/not-yourself:
    combo-target/out /empty: target
    three-names-a-card /only-triple:
    three-names-a-card/kitten /not-here: card
    pick-no-kitten: card
    pick-from-the-discard: card
    defuse-in-secret: most
    explode-discards-all: seat count
    private-notes/place /saw: count
    from-hand: seat
    from-hand/small_hand: seat hand number
    cards-of-this-game/not_in_play: card titles
    card-count: seat card total
    card-count/too_few: seat card total noted number
    possible-report/all_seen: seat card total noted hands
    possible-report/said_none: seat card came shown
    possible-report/known_hand: seat titles
    possible-report/elsewhere: seat card total noted
    possible-report/not_so_many: seat card most number
    possible-report/not_together: seat cards
    possible-report/must_hold: seat card least
    possible-report/left_out: seat card least number
    kitten-count: kittens count
    kitten-count/only_kittens: kittens
    kitten-count/no_kittens:
    imploding-face-up/gone: kitten
    imploding-on-top/top /bottom /down /gone: kitten
    """
)
"""The message keys for refusals, each with the names of the message's placeholders."""

RULINGS = TABLE_RULINGS | ruling_slugs(
    REFUSED,
    """
    kittens-aside paw-prints one-defuse-each extra-defuses one-fewer-kitten shuffle-and-place
    draw-from-the-top debt-dies-with-you empty-hand pile-lasts skip-ends-one attack attack-stacks
    see-three alter-three fewer-than-three shuffle-the-pile draw-from-the-bottom favor-their-choice
    target-emptied feral-cat pair-steals honest-answer combo-is-one-play what-everybody-saw known
    odds-shuffled odds-placed odds-arranged odds-private
    """,
)

SAY = parse_keys(
    """
    kind/pair /triple /five:
    place/top /bottom:
    place/other: number
    """
)
"""The keys of the phrases for combos and for places in the pile."""

KNOWN = parse_keys(
    """
    undone/held /lacked: target cards
    undone/moved: by target
    undone/looked: by
    undone/safe:
    undone/seen: kitten
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
            return {"known": "held", "target": seat, "cards": (card,)}
        case events.ComboPlayed(seat=seat, cards=cards):
            return {"known": "held", "target": seat, "cards": tuple(dict.fromkeys(cards))}
        case events.Answered(seat=seat, card=card, has=has):
            return {"known": "held" if has else "lacked", "target": seat, "cards": (card,)}
        case events.CardGiven(seat=giver, target=by) | events.CardTaken(seat=by, target=giver):
            return {"known": "moved", "target": giver, "by": by}
        case events.Looked(seat=by):
            return {"known": "looked", "by": by}
        case events.CardDrawn():
            return {"known": "safe"}
        case events.KittenShown(kitten=kitten) | events.ImplodingShown(kitten=kitten):
            return {"known": "seen", "kitten": kitten}
    return {}


SECTIONS = sentence_sections(refused=REFUSED, say=SAY, log=sentence_keys(events.Event) | KNOWN)


def describe_fact(key: str, facts: Facts, before: Table) -> str | None:
    """Return the text for a placeholder that stands for a combo or for a place in the pile.

    A place is described as it was before the event. Return None for any other placeholder.
    """
    texts = before.variant.words
    value = facts[key]
    match key:
        case "card" | "kind" if value in KINDS:
            return texts.say[f"kind/{value}"]
        case "cards":
            # The message names the kind of the combo, so the number of cards needn't be repeated.
            cards = dict.fromkeys(value) if "kind" in facts else value
            return join_words(texts, [card_title(before, card) for card in cards])
        case "name" if "kind" in facts:
            return card_title(before, value)
        case "place":
            return _describe_place(before, value)
        case _:
            return None


def _describe_place(table: Table, place: int) -> str:
    say = table.variant.words.say
    if place == 1:
        return say["place/top"]
    if table.game is not None and place == table.game.pile_size:
        return say["place/bottom"]
    return say["place/other"].format(number=place)
