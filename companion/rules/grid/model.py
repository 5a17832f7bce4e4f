"""The state of a game on the draw grid: frozen values, nothing derived."""

from functools import cached_property

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from companion.rules.core import game, model, moves, names
from companion.rules.core.commands import Command
from companion.rules.core.family import Json
from companion.rules.core.model import Seat
from companion.rules.core.moves import CommandT, Phase
from companion.rules.grid import deduction
from companion.rules.grid.places import Cell, Grid, face_down, with_cards_in, with_cell
from companion.rules.grid.variant import Variant

Notes = tuple[tuple[Cell, str], ...]  # which cards a player noted under which cells of their grid
MANY = 6  # so many players have a roll call where the host didn't say otherwise (ruling roll-call)


class Options(model.Options, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the host chose for the table; ``roll_call`` may be left to how many play."""

    roll_call: bool | UnsetType = UNSET

    def held_by(self, players: int) -> "Options":
        """What holds among so many players (ruling roll-call)."""
        if self.roll_call is not UNSET:
            return self
        return replace(self, roll_call=players >= MANY)


class Stayed(Struct, frozen=True):
    """What everybody knows by something that was undone: which ``card`` lies under the ``cell``, or
    with None that no Kitten does; without a cell, that the hand holds the card. ``at``: how much
    had been seen of the player then; ``arranged``: how often their grid had been."""

    card: str | None
    cell: Cell | None
    at: int
    arranged: int


class Player(game.Player, frozen=True, kw_only=True, dict=True):
    """One seat in the game, with a grid. ``arranged`` counts how often the grid was shuffled or
    rearranged: notes made under another arrangement mean nothing. ``seen`` is what the call saw of
    this player's cards since the ``deal``, the ground of every deduction; ``touched`` has, for each
    draw, how much was seen before it and what lay in the cell."""

    grid: Grid
    deal: deduction.Deck
    discard: tuple[str, ...] = ()
    notes: Notes = ()
    arranged: int = 0
    seen: tuple[deduction.Observation, ...] = ()
    touched: tuple[tuple[int, str], ...] = ()
    stayed: tuple[Stayed, ...] = ()

    @cached_property
    def knowledge(self) -> deduction.Knowledge:
        return deduction.knowledge(self.deal, self.seen)

    def notes_but(self, cell: Cell) -> Notes:
        return tuple(note for note in self.notes if note[0] != cell)

    @cached_property
    def stays(self) -> tuple[Stayed, ...]:
        """What of ``stayed`` still holds: the card lies where it lay, or has not left the hand."""
        down = set(face_down(self.grid))
        return tuple(one for one in self.stayed if self._holds(one, down))

    def _holds(self, one: Stayed, down: set[Cell]) -> bool:
        if one.cell is not None:
            return one.arranged == self.arranged and one.cell in down
        return not any(
            isinstance(seen, deduction.Left) and seen.card == one.card
            for seen in self.seen[one.at :]
        )

    def keeping(self, now: "Player") -> "Player":
        drew = deduction.DrewHidden | deduction.DrewFaceUp
        seen = len(self.seen)
        # A card that came to the hand meanwhile is there no more.
        hand = not any(isinstance(one, drew) for one in now.seen[seen:])
        stayed = tuple(
            replace(one, at=min(one.at, seen)) for one in now.stayed if hand or one.cell is not None
        )
        kept = replace(self, stayed=stayed)
        if now.arranged != self.arranged:
            return kept
        down = set(face_down(now.grid))
        notes = tuple(note for note in self.notes if note[0] not in down)
        return replace(kept, notes=(*notes, *now.notes))

    def remembering(self, undone: object) -> "Player":
        stays = getattr(undone, "stays", None)
        if stays is None or getattr(undone, "seat", None) != self.seat:
            return self
        cell, card = stays
        known = Stayed(card=card, cell=cell, at=len(self.seen), arranged=self.arranged)
        return self if known in self.stays else replace(self, stayed=(*self.stayed, known))


class Played(game.Played, frozen=True, kw_only=True):
    """A card that waits; a Favor's names a ``cell`` of its target's grid."""

    cell: Cell | None = None


class Turn(game.Turn, frozen=True, kw_only=True):
    """One player's turn."""

    step: str = "tell"
    told: Cell | None = None  # the cell which they must draw, once instructed
    again: bool = False  # they were up before


class Game(game.GameOf[Player, Turn, Played], frozen=True, kw_only=True):
    """One game; ``caller`` is who calls next while the roll call goes on."""

    first: str
    caller: str | None = None

    @property
    def phase(self) -> Phase:
        if self.winner is not None:
            return "over"
        return "play" if self.turn is not None else "roll_call"

    @property
    def facts(self) -> Json:
        if self.turn is None:
            return {**super().facts, "turn": self.caller}
        told = {} if self.turn.told is None else {"told": self.turn.told}
        return {**super().facts, "instructor": self.before(self.turn.seat), **told}

    @property
    def told_cell(self) -> Cell:
        """The cell that the turn player was told; to be asked only once they were."""
        assert self.turn is not None and self.turn.told is not None
        return self.turn.told

    def holders(self, card: str) -> tuple[str, ...]:
        return tuple([p.seat for p in self.players if p.hand and card in p.knowledge.in_hand])

    def discard_from_hand(self, seat: str, card: str, forced: bool = False) -> "Game":
        """As in any game; ``forced``: a Defuse."""
        player = self.player(seat)
        return self.with_player(
            seat,
            hand=player.hand - 1,
            discard=(*player.discard, card),
            seen=(*player.seen, deduction.Left(card=card, forced=forced)),
        )

    def carried_out(self, step: str = "act") -> "Game":
        """After the card's effect has been carried out: the turn goes on."""
        return replace(self.with_turn(step=step), played=None)

    def with_card_face_up(self, seat: str, cell: Cell, card: str) -> "Game":
        player = self.player(seat)
        return self.with_player(
            seat,
            grid=with_cell(player.grid, cell, card),
            notes=player.notes_but(cell),
            seen=(*player.seen, deduction.TurnedUp(card=card)),
        )

    def with_grid_arranged(self, seat: str, cells: tuple[Cell, ...], *, placed: bool) -> "Game":
        """With the grid's cards face down in these cells; what was noted there means nothing."""
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


class Table(model.TableOf[Game], frozen=True, kw_only=True):
    """A table that plays on the draw grid."""

    variant: Variant
    options: Options

    @property
    def in_order(self) -> tuple[Seat, ...]:
        """From the setup on in alphabetical order (ruling alphabetical-order)."""
        if self.setup and self.game is None:
            return tuple(sorted(self.seats, key=lambda seat: names.alphabetical(seat.name)))
        return super().in_order


GameContext = moves.CommandContext[
    Table, Game, CommandT
]  # a command in a game on the draw grid, whose speaker is known
TableContext = moves.CommandContext[Table, Game | None, CommandT]  # a command of its table


def host_for(context: GameContext[Command]) -> str | None:
    """Who spoke for a seat whose device keeps the deck; of cards on the table it isn't told."""
    return context.host if context.table.deck(context.seat) else None


def salt(context: GameContext[Command]) -> str:
    """What the speaker's device shuffles from; cards on the table need none."""
    return context.inputs.salt if context.table.deck(context.seat) else ""
