"""How a robot of the draw grid chooses: which card, whose cell. It reads the view as a player reads
the table, of its own hidden cards those which it has seen, and picks from what is allowed."""

from collections.abc import Iterable, Iterator, Sequence

from companion.fair.cards import Cards, Cell, cell_of
from companion.robots import player
from companion.robots.view import Command, View, seat_of

ESCAPES = ("skip", "attack", "shuffle")  # the effects that save a card's player from the told card
Grid = Iterable[Iterable[str | None]]  # as on the wire: null, down, or the face-up card


def lying(grid: Grid) -> Iterator[tuple[Cell, str]]:
    """What lies in which cell, row by row."""
    for row, cards in enumerate(grid):
        yield from (((row, column), card) for column, card in enumerate(cards) if card)


def face_down(grid: Grid) -> list[Cell]:
    return [cell for cell, card in lying(grid) if card == "down"]


def face_up(grid: Grid) -> dict[Cell, str]:
    return {cell: card for cell, card in lying(grid) if card != "down"}


class Strategy(player.Strategy):
    """One robot's choices."""

    def tell(self, view: View, choices: Sequence[Command]) -> Command:
        """Which card the next player must draw: an open Kitten, else a hidden one."""
        up = face_up(seat_of(view, view["turn"]["seat"])["grid"])
        worst = [entry for entry in choices if up.get(cell_of(entry["cell"])) == self.titles.kitten]
        hidden = [entry for entry in choices if cell_of(entry["cell"]) not in up]
        return self.chance.choice(worst or hidden or choices)

    def threat(self, view: View) -> float | None:
        played = view["played"]
        turn = view["turn"]
        if self.titles[played["card"]] not in ESCAPES or turn["instructor"] != self.seat:
            return None
        up = face_up(seat_of(view, turn["seat"])["grid"])
        doomed = turn["told"] and up.get(cell_of(turn["told"])) == self.titles.kitten
        return 0.95 if doomed else 0.35 + self.temper.contrary / 2

    def look(self, view: View, choices: Sequence[Command], cards: Cards) -> Command:
        """The told card, or one that it hasn't seen yet."""
        told = view["turn"]["told"]
        known = cards.seen | set(face_up(seat_of(view, self.seat)["grid"]))
        unseen = [entry for entry in choices if cell_of(entry["cell"]) not in known]
        wanted = [entry for entry in unseen if told is not None and [*entry["cell"]] == [*told]]
        return self.chance.choice(wanted or unseen or choices)

    def danger(self, view: View, cards: Cards) -> float:
        told = cell_of(view["turn"]["told"])
        known = cards.seen | set(face_up(seat_of(view, self.seat)["grid"]))
        if any(cards.grid[cell] == self.titles.kitten for cell in known) or told in known:
            return float(cards.grid[told] == self.titles.kitten)
        return 1 / max(1, len(cards.grid) - len(known))

    def act(self, view: View, choices: Sequence[Command], cards: Cards) -> Command:
        """Play or draw; ``choices`` are cards that it really holds, and the draw."""
        danger = self.danger(view, cards)
        mischief = self.temper.mischief
        uneasy = danger > self.temper.courage
        unknown = danger < 1 and cell_of(view["turn"]["told"]) not in cards.seen
        looks = self.plays(choices, "look")
        escapes = self.plays(choices, *ESCAPES)
        chosen = self.prefer(
            choices,
            (looks, uneasy and unknown),
            (escapes, uneasy and danger + 0.3),
            (self.plays(choices, "favor"), 0.15 + mischief),
            (looks, danger > 0 and mischief / 2),
            (escapes, danger > 0 and mischief / 4),
        )
        return chosen if "target" not in chosen else self._with_target(view, chosen, choices)

    def _with_target(self, view: View, chosen: Command, choices: Sequence[Command]) -> Command:
        """At whom it has a grudge against, else at the player most in danger: who has the
        fewest hidden cards and no open Kitten yet."""
        same = [entry for entry in choices if entry.get("card") == chosen["card"]]
        grids = {entry["target"]: seat_of(view, entry["target"])["grid"] for entry in same}
        target = self.victim({who: -len(face_down(grid)) for who, grid in grids.items()})
        return self.chance.choice([entry for entry in same if entry["target"] == target])
