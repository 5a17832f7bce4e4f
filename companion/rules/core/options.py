"""The host's choices for a table."""

from typing import Literal

from msgspec import Struct

from companion.rules.core.commands import TakeBack


class Options(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The host's choices for the table. Each family adds its own."""

    nope_seconds: int  # full length of a Nope window
    spectators: bool = True  # whether people without a seat may watch
    locked: bool = False  # True: newcomers can't join, but the host can add players without a panel
    odds: bool = True  # whether panels show the odds
    remind_seconds: Literal[30, 60] | None = None
    """Panels remind a player once the game has waited for them this long. None: no reminders."""
    take_back: TakeBack = "host"
    """Permission to undo: ``host`` (the host alone), ``agreement`` (a player, too, if the others
    agree) or ``nobody``."""
    signs: bool = True  # whether people who only watch may send reactions (``sign`` on the wire)

    def resolve_for(self, players: int) -> "Options":
        """Return the options with those filled in that depend on the number of players."""
        return self
