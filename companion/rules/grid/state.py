"""The immutable state of a game on the draw grid. Events return changed copies of it."""

from functools import cached_property

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from companion.rules.core import moves, state
from companion.rules.core import options as core_options
from companion.rules.core import state as moved_state
from companion.rules.core.commands import Command
from companion.rules.core.moves import CommandT
from companion.rules.core.state import Seat
from companion.rules.core.types import INSTRUCTION, Json, Phase
from companion.rules.grid import deduction
from companion.rules.grid.places import (
    Cell,
    Grid,
    face_down,
    occupied_cells,
    with_cards_in,
    with_cell,
)
from companion.rules.grid.variant import Variant
from companion.rules.text import names

# a player's private notes, as pairs of a cell in the player's grid and a title
Notes = tuple[tuple[Cell, str], ...]
# if there are at least this many players, the roll call is on by default (ruling roll-call)
ROLL_CALL_FROM = 6


class Options(core_options.Options, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The options that the host can choose for a draw-grid table."""

    roll_call: bool | UnsetType = UNSET  # if this is unset, the number of players decides
    device_decks: bool | UnsetType = UNSET
    """True if nobody has cards, so that each panel proposes a device deck to its player (ruling
    own-deck). An unset option counts as False, and views don't contain it."""

    def resolve_for(self, players: int) -> "Options":
        """Return the options with ``roll_call`` set to True or False for this number of players."""
        if self.roll_call is not UNSET:
            return self
        return replace(self, roll_call=players >= ROLL_CALL_FROM)


class Remembered(Struct, frozen=True):
    """Something about a player's card that everybody still knows after an undo (ruling undo)."""

    card: str | None  # None for any card except a Kitten
    cell: Cell | None  # the cell in which the card lies, or None for the hand
    at: int  # the number of observations (``Player.seen``) when everybody learned this
    arranged: int  # the player's ``arranged`` when everybody learned this


class Player(state.Player, frozen=True, kw_only=True, dict=True):
    """A player in a game, with a grid of their own."""

    grid: Grid
    deal: deduction.Deck  # the player's deck, and how it was dealt
    discard: tuple[str, ...] = ()  # the player's discard pile
    notes: Notes = ()
    arranged: int = 0
    """The number of times that the grid was shuffled or rearranged. Each time, all earlier notes
    become invalid."""
    seen: tuple[deduction.Observation, ...] = ()
    """All observations of this player's cards since the deal. All deductions are based on them."""
    touched: tuple[tuple[int, str], ...] = ()
    """For each draw, a pair: the number of earlier observations, and the content of the touched
    cell."""
    remembered: tuple[Remembered, ...] = ()
    """Knowledge about single cards that everybody got from plays that were undone. Some of it may
    be outdated; see ``still_known``."""

    @cached_property
    def knowledge(self) -> deduction.Knowledge:
        return deduction.knowledge(self.deal, self.seen)

    def notes_except(self, cell: Cell) -> Notes:
        return tuple(note for note in self.notes if note[0] != cell)

    @cached_property
    def still_known(self) -> tuple[Remembered, ...]:
        """The items of ``remembered`` that are still true.

        An item is true as long as the card lies face down in its cell, or stays in the hand.
        """
        down = set(face_down(self.grid))
        return tuple(fact for fact in self.remembered if self._still_holds(fact, down))

    def _still_holds(self, fact: Remembered, down: set[Cell]) -> bool:
        if fact.cell is not None:
            return fact.arranged == self.arranged and fact.cell in down
        return not any(
            isinstance(observation, deduction.Left) and observation.card == fact.card
            for observation in self.seen[fact.at :]
        )

    def with_notes_of(self, now: "Player") -> "Player":
        """Return this earlier state of the player, with knowledge from the newer state ``now``.

        An undo restores an earlier state of the player, but the player keeps what they know. So the
        result has the notes and the ``remembered`` items of ``now``, as far as they are true in the
        earlier state.
        """
        drew = deduction.DrewHidden | deduction.DrewFaceUp
        seen = len(self.seen)
        # If the undo takes a drawn card back, items about the hand may be wrong.
        no_draw = not any(isinstance(observation, drew) for observation in now.seen[seen:])
        remembered = tuple(
            replace(fact, at=min(fact.at, seen))
            for fact in now.remembered
            if no_draw or fact.cell is not None
        )
        kept = replace(self, remembered=remembered)
        if now.arranged != self.arranged:
            return kept
        down = set(face_down(now.grid))
        notes = tuple(note for note in self.notes if note[0] not in down)
        return replace(kept, notes=(*notes, *now.notes))

    def with_facts_of(self, undone: object) -> "Player":
        """Return this player with the knowledge about a card that the undone event made public."""
        fact_or_none = getattr(undone, "lasting_fact", None)
        if fact_or_none is None or getattr(undone, "seat", None) != self.seat:
            return self
        cell, card = fact_or_none
        fact = Remembered(card=card, cell=cell, at=len(self.seen), arranged=self.arranged)
        if fact in self.still_known:
            return self
        return replace(self, remembered=(*self.remembered, fact))


class Played(state.Played, frozen=True, kw_only=True):
    """A card that was played and hasn't taken effect yet."""

    cell: Cell | None = None  # the cell in the target's grid that a Favor names


class Turn(state.Turn, frozen=True, kw_only=True):
    """One player's turn."""

    step: str = "tell"
    told: Cell | None = None
    """The cell that the player must draw, or None before the instructor has chosen it."""
    again: bool = False  # True if the player also took the previous turn and still owed this one
    noped: tuple[Cell, ...] = ()
    """The cells that the instructor chose in this turn, but whose instruction was Noped."""


class Game(state.GameOf[Player, Turn, Played], frozen=True, kw_only=True):
    """One game on the draw grid."""

    first: str  # the player who has the first turn
    caller: str | None = None
    """The seat that must name the next player in the roll call; None after the roll call."""

    @property
    def phase(self) -> Phase:
        if self.winner is not None:
            return "over"
        return "play" if self.turn is not None else "roll_call"

    @property
    def refusal_facts(self) -> Json:
        if self.turn is None:
            return {**super().refusal_facts, "turn": self.caller}
        facts = {**super().refusal_facts, "instructor": self.previous_living(self.turn.seat)}
        return facts if self.turn.told is None else {**facts, "told": self.turn.told}

    @property
    def told_cell(self) -> Cell:
        """The cell that the turn player must draw. Use this only after the instructor has chosen
        it."""
        assert self.turn is not None and self.turn.told is not None
        return self.turn.told

    @property
    def tellable_cells(self) -> tuple[Cell, ...]:
        """The cells that the instructor can choose now: those with a card.

        After a Nope, another card must be chosen, if there is one (ruling noped-instruction).
        """
        turn = self.current_turn
        cells = occupied_cells(self.player(turn.seat).grid)
        return tuple([cell for cell in cells if cell not in turn.noped]) or cells

    @property
    def waits_for_instruction(self) -> bool:
        """True while a window is open for an instruction, which is not a card."""
        played = self.played
        return (
            played is not None
            and played.card == INSTRUCTION
            and self.turn is not None
            and played.by != self.turn.seat
        )

    def refusal_case(self, step: str) -> str:
        return INSTRUCTION if step == "window" and self.waits_for_instruction else step

    def with_window_closed(self, counts: bool) -> "Game":
        """Return the game after its window has closed. An instruction that counts lets the drawer
        act; one that was Noped is void."""
        if not self.waits_for_instruction:
            return super().with_window_closed(counts)
        closed = replace(self, window=None, played=None)
        if counts:
            return closed.with_turn(step="act")
        cell = self.told_cell
        all_noped = {*self.tellable_cells} <= {cell}
        noped = (cell,) if all_noped else (*self.current_turn.noped, cell)
        return closed.with_turn(step="tell", told=None, noped=noped)

    def holders(self, card: str) -> tuple[str, ...]:
        return tuple([p.seat for p in self.players if p.hand and card in p.knowledge.in_hand])

    def discard_from_hand(self, seat: str, card: str, forced: bool = False) -> "Game":
        """Return the game after a card was discarded from the hand, face up.

        ``forced`` is True for a Defuse.
        """
        player = self.player(seat)
        return self.with_player(
            seat,
            hand=player.hand - 1,
            discard=(*player.discard, card),
            seen=(*player.seen, deduction.Left(card=card, forced=forced)),
        )

    def with_effect_over(self, step: str = "act") -> "Game":
        """Return the game after the effect of the played card was carried out. The turn goes on."""
        return replace(self.with_turn(step=step), played=None)

    def with_card_face_up(self, seat: str, cell: Cell, card: str) -> "Game":
        player = self.player(seat)
        return self.with_player(
            seat,
            grid=with_cell(player.grid, cell, card),
            notes=player.notes_except(cell),
            seen=(*player.seen, deduction.TurnedUp(card=card)),
        )

    def with_grid_arranged(self, seat: str, cells: tuple[Cell, ...], *, placed: bool) -> "Game":
        """Return the game with the grid's cards face down in these cells, and without notes.

        ``placed`` is True after a Defuse, for which the player chose the Kitten's cell.
        """
        player = self.player(seat)
        return self.with_player(
            seat,
            grid=with_cards_in(player.grid, cells),
            notes=(),
            arranged=player.arranged + 1,
            seen=(*player.seen, deduction.Hidden(placed=placed)),
        )

    def with_winner(self, seat: str) -> "Game":
        return replace(super().with_winner(seat), caller=None)


class Table(moved_state.TableOf[Game], frozen=True, kw_only=True):
    """A table that plays on the draw grid."""

    variant: Variant
    options: Options

    @property
    def in_order(self) -> tuple[Seat, ...]:
        """The seats in order of play. During the setup they are in alphabetical order."""
        if self.setup and self.game is None:
            return tuple(sorted(self.seats, key=lambda seat: names.alphabetical_key(seat.name)))
        return super().in_order


GameContext = moves.CommandContext[Table, Game, CommandT]
"""The context of a command in a game on the draw grid."""

TableContext = moves.CommandContext[Table, Game | None, CommandT]
"""The context of a command at a draw-grid table, with or without a game."""


def acting_host(context: GameContext[Command]) -> str | None:
    """Return the host's seat if the host acted for a seat whose device keeps its deck. Otherwise
    return None."""
    return context.host if context.table.deck(context.seat) else None


def shuffle_salt(context: GameContext[Command]) -> str:
    """Return the salt for a shuffle on the seat's device, or "" if the seat has real cards."""
    return context.inputs.salt if context.table.deck(context.seat) else ""
