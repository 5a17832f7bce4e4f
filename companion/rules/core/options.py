"""The options that a host can choose for a table."""

from typing import Literal

from msgspec import Struct

from companion.rules.core.commands import TakeBack


class Options(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The options that the host can choose. Each family adds its own options."""

    nope_seconds: int  # full length of a Nope window
    spectators: bool = True  # True if people without a seat may watch
    locked: bool = False
    """True if newcomers can't join; the host can still add players without a panel."""
    odds: bool = True  # True if panels show the odds
    remind_seconds: Literal[30, 60] | None = None
    """The time after which a panel reminds its player that the game waits for them. None turns
    reminders off."""
    take_back: TakeBack = "host"
    """Defines who can undo a command. With ``host`` only the host can undo a command. With
    ``agreement`` players can also undo their own commands if the others agree. With ``nobody``
    there is no undo."""
    signs: bool = True  # True if players and spectators may send reactions (``sign`` on the wire)

    def resolve_for(self, players: int) -> "Options":
        """Fill in the options that depend on the number of players, and return the result."""
        return self
