"""What a family of games supplies so that it can be played at a table.

Whatever any card game at a table needs stands in this room, and asks the table's ``Family``
for the rest. This module must not know a family.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from msgspec import Struct

from companion.rules.core.commands import Moment, Said
from companion.rules.core.events import Happened, Out
from companion.rules.core.machine import Line, Machine
from companion.rules.core.rule import Rule


class Play(Struct, frozen=True, kw_only=True):
    """How a family is played. Tables, games, players and events are of its own types.

    ``lines``: its own commands of the table, options above all. ``rules``: by kind of command.
    ``folds``: by kind of event, (game, event, version) → game; ``table_folds``: (table, event) →
    table, for what begins a game and the like (a word ends what can be taken back of an ended
    game, ``Table.ended``). ``said``: the events that an undo takes back. ``preparation``: the
    ruling by which cards are prepared. ``begins``: what begins a game whose first player is that
    seat, at a moment. ``goes_out``: what a player's going out leads to. ``takes_effect``: what
    follows when a window has closed in a card's favour. ``may_hold``: whether the call must reckon
    with a card of the title in a player's hand; ``leaves_hand`` refuses one that can't come from a
    seat's hand. ``keeps``: the game as it was, with what an undo doesn't take back of the game
    that is. ``choices``: by kind of command, every way in which these seats can say it now.
    ``facts``: what a sentence that refuses must know of the game beside whose turn it is and what
    waits. ``late``: the events that belong to a game also after its end.
    """

    machine: Machine
    lines: Mapping[type[Said], Line]
    rules: Mapping[type[Said], Rule]
    folds: Mapping[type[Happened], Callable[[Any, Any, int], Any]]
    said: tuple[type[Happened], ...]
    preparation: str
    begins: Callable[[Any, str, Moment], tuple[Happened, ...]]
    table_folds: Mapping[type[Happened], Callable[[Any, Any], Any]]
    goes_out: Callable[[Any, str, Out], tuple[Happened, ...]]
    takes_effect: Callable[[Any, Any], tuple[Happened, ...]]
    may_hold: Callable[[Any, Any, str], bool]
    leaves_hand: Callable[[Any, str, str], None]
    keeps: Callable[[Any, Any], Any]
    choices: Mapping[type[Said], Callable[[Any, tuple[str, ...]], Iterable[Said]]]
    facts: Callable[[Any], dict[str, Any]] = lambda _game: {}
    late: tuple[type[Happened], ...] = ()


class Section(Struct, frozen=True):
    """Members of the public view that change together.

    ``show`` gives them, of the table at a time in ms; what ``rests_on`` gives is all that it asks
    for.
    """

    show: Callable[[Any, int], dict[str, Any]]
    rests_on: Callable[[Any, int], Any]


class Shown(Struct, frozen=True, kw_only=True):
    """How a family is shown and told of.

    ``sections``: the public view without its seats. ``seat``: one seat as everybody sees it;
    ``you``: a viewer's own part, of the table and a seat. What ``rests_on`` and
    ``you_rests_on`` give is all that these two ask for; ``seats_rest_on``: what no seat's view
    changes without, if there is less to look at than at each of them. ``private``: the events that
    only their own seat may see. ``stays_known``: what is known of cards by an event that is taken
    back, as facts; ``known`` picks the sentence of it. ``place``: where the cards lay that an
    event's facts are about. ``case``: which face of an event it was, where its sentence has
    several; ``word``: a fact that is this family's own, as it is spoken (``None``: it is any
    table's); ``more_words``: what its sentences may say beside their facts.
    """

    sections: tuple[Section, ...]
    seat: Callable[[Any, Any], dict[str, Any]]
    rests_on: Callable[[Any, Any], tuple[Any, ...]]
    seats_rest_on: Callable[[Any], Any] = lambda _table: object()
    you: Callable[[Any, str], dict[str, Any]]
    you_rests_on: Callable[[Any, str], tuple[Any, ...]]
    private: tuple[Any, ...]
    stays_known: Callable[[Any], dict[str, Any]]
    place: Callable[[Mapping[str, Any], Any], Any]
    case: Callable[[str, Mapping[str, Any]], str | None]
    word: Callable[[str, Any, Mapping[str, Any], Any], str | None]
    more_words: Callable[[Mapping[str, Any], Any], dict[str, str]]


class Family(Struct, frozen=True, kw_only=True):
    """One family: its types, how it is played, how it is shown, what its files hold.

    ``command`` and ``event``: the unions of what can be said and stored; ``set_options``: the
    command that changes ``options``. ``effects``: what its cards can do. ``rulings``: all that
    its referee knows; ``sentences``: section → key → facts, which every language must have.
    ``fields``: its own keys of ``variant.toml`` and their types; ``card``: a card's record, ``box``
    an edition's, if it has any; ``beyond``: place and reason for all of such fields that is out of
    bounds; ``unplayable``: for all that keeps them from making a game. ``devices``: whether a
    player's device may keep the deck.
    """

    id: str
    command: Any
    event: Any
    table: Any
    options: Any
    set_options: Any
    variant: Any
    card: Any
    box: Any
    devices: bool = False
    effects: frozenset[str]
    rulings: frozenset[str]
    sentences: Mapping[str, Mapping[str, frozenset[str]]]
    fields: Mapping[str, Any]
    beyond: Callable[[Mapping[str, Any]], Iterator[tuple[str, str]]]
    unplayable: Callable[[Mapping[str, Any]], Iterator[tuple[str, str]]]
    play: Play
    shown: Shown
