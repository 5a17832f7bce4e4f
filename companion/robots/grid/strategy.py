"""The decisions of a draw-grid robot, such as which card to play.

A decision uses only what a player would know: the view, the hand, and the hidden cards that the
robot has looked at.
"""

from collections.abc import Iterable, Iterator, Sequence

from companion.device_decks.dealing import Cards, Cell, Json, cell_of
from companion.robots import player
from companion.robots.view import Command, View, seat_of

ESCAPES = ("skip", "attack", "shuffle")
"""Effects that save the player from drawing the chosen card."""

FAMILIAR = (*ESCAPES, "look", "favor")
"""Effects that a robot plays for a reason. It plays cards with any other effect for fun."""

# Rows of cells as on the wire: None (empty), "down", or the id of a face-up card.
Grid = Iterable[Iterable[str | None]]


def occupied_cells(grid: Grid) -> Iterator[tuple[Cell, str]]:
    """Yield each cell that holds a card, row by row, with the card's id or "down"."""
    for row, cards in enumerate(grid):
        yield from (((row, column), card) for column, card in enumerate(cards) if card)


def find_face_down(grid: Grid) -> list[Cell]:
    """Return the cells with a face-down card."""
    return [cell for cell, card in occupied_cells(grid) if card == "down"]


def find_face_up(grid: Grid) -> dict[Cell, str]:
    """Return the face-up cards by cell."""
    return {cell: card for cell, card in occupied_cells(grid) if card != "down"}


class Strategy(player.Strategy):
    """The decisions of one draw-grid robot."""

    def choose_told_cell(self, view: View, choices: Sequence[Command]) -> Command:
        """Choose the cell that the next player must draw.

        Prefer a face-up Kitten, then a face-down card.
        """
        up = find_face_up(seat_of(view, view["turn"]["seat"])["grid"])
        worst = [entry for entry in choices if up.get(cell_of(entry["cell"])) == self.titles.kitten]
        hidden = [entry for entry in choices if cell_of(entry["cell"]) not in up]
        return self.chance.choice(worst or hidden or choices)

    def choose_reaction_to_instruction(self, view: View, cards: Cards) -> str:
        """Choose a reaction to an instruction that can be Noped (ruling noped-instruction), for a
        robot that holds a Nope. Return "nope" or "pass".

        The drawer Nopes an instruction to draw a card that is certainly the Kitten, if another card
        can be chosen. The instructor Nopes a Nope on the instruction. All others Nope for fun.
        """
        played = view["played"]
        turn = view["turn"]
        if played["by"] == self.seat:
            if played["nopes"]:
                self.grudge = played["nopes"][-1]
            eager = 0.0 if played["counts"] else self.temper.pride
        elif turn["seat"] == self.seat:
            fatal = len(cards.grid) > 1 and self.estimate_danger(view, cards) == 1
            eager = 0.95 if played["counts"] and fatal else 0.0
        else:
            eager = self.temper.contrary / 4
        return "nope" if self.is_inclined(eager) else "pass"

    def _remember(self, played: Json) -> None:
        if played["card"] in self.titles:  # an instruction is no reason for a grudge
            super()._remember(played)

    def estimate_threat(self, view: View) -> float | None:
        played = view["played"]
        turn = view["turn"]
        if self.titles[played["card"]] not in ESCAPES or turn["instructor"] != self.seat:
            return None
        up = find_face_up(seat_of(view, turn["seat"])["grid"])
        draws_kitten = turn["told"] and up.get(cell_of(turn["told"])) == self.titles.kitten
        return 0.95 if draws_kitten else 0.35 + self.temper.contrary / 2

    def choose_cell_to_look_at(
        self, view: View, choices: Sequence[Command], cards: Cards
    ) -> Command:
        """Choose the card to look at.

        Prefer the card that the robot must draw, then any card that the robot hasn't seen yet.
        """
        told = view["turn"]["told"]
        known = cards.seen | set(find_face_up(seat_of(view, self.seat)["grid"]))
        unseen = [entry for entry in choices if cell_of(entry["cell"]) not in known]
        wanted = [entry for entry in unseen if told is not None and [*entry["cell"]] == [*told]]
        return self.chance.choice(wanted or unseen or choices)

    def estimate_danger(self, view: View, cards: Cards) -> float:
        """Return the probability that the robot must draw the Kitten, judging by what the robot
        knows."""
        told = cell_of(view["turn"]["told"])
        known = cards.seen | set(find_face_up(seat_of(view, self.seat)["grid"]))
        if any(cards.grid[cell] == self.titles.kitten for cell in known) or told in known:
            return float(cards.grid[told] == self.titles.kitten)
        return 1 / max(1, len(cards.grid) - len(known))

    def choose_action(self, view: View, choices: Sequence[Command], cards: Cards) -> Command:
        """Choose between drawing and playing a card. ``choices`` are the draw and the possible
        plays."""
        danger = self.estimate_danger(view, cards)
        mischief = self.temper.mischief
        uneasy = danger > self.temper.courage
        unknown = danger < 1 and cell_of(view["turn"]["told"]) not in cards.seen
        looks = self.list_plays(choices, "look")
        escapes = self.list_plays(choices, *ESCAPES)
        chosen = self.choose_play_or_draw(
            choices,
            (looks, uneasy and unknown),
            (escapes, uneasy and danger + 0.3),
            (self.list_plays(choices, "favor"), 0.15 + mischief),
            (self.list_other_plays(choices, *FAMILIAR), 0.15 + mischief),
            (looks, danger > 0 and mischief / 2),
            (escapes, danger > 0 and mischief / 4),
        )
        return chosen if "target" not in chosen else self._add_target(view, chosen, choices)

    def _add_target(self, view: View, chosen: Command, choices: Sequence[Command]) -> Command:
        """Add a target to a command.

        The target is the player against whom the robot has a grudge, or the player with the fewest
        hidden cards.
        """
        same = [entry for entry in choices if entry.get("card") == chosen["card"]]
        grids = {entry["target"]: seat_of(view, entry["target"])["grid"] for entry in same}
        target = self.choose_victim(
            {seat: -len(find_face_down(grid)) for seat, grid in grids.items()}
        )
        return self.chance.choice([entry for entry in same if entry["target"] == target])
