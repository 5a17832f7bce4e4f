"""Types that all modules of this package build on: phases of a table, and the base of events."""

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from msgspec import Struct

Json = dict[str, Any]  # an object to be sent as JSON
Phase = Literal["lobby", "setup", "roll_call", "play", "over"]  # some games skip the roll call
ALWAYS: tuple[Phase, ...] = ("lobby", "setup", "roll_call", "play", "over")  # every phase
OutReason = Literal["kitten", "left"]  # how a player went out


class Event(Struct, frozen=True, kw_only=True, tag_field="type"):
    """The base of all events."""

    sentence_facts: ClassVar[str | Mapping[str, str]] = ""
    """Names of the facts that the log's sentence may use, separated by spaces. An event with
    several sentences maps each case to its facts."""
    case_field: ClassVar[tuple[str, ...]] = ()
    """The field whose value is the sentence's case; or three strings: a field, the case if it is
    true, and the case if it isn't."""
    private: ClassVar[bool] = False
    """True if only the event's own seat sees it in the log."""
    after_game: ClassVar[bool] = False
    """True if the event still belongs to its game after that has ended."""

    @property
    def sentence_case(self) -> str:
        """The case of the log's sentence; ``""`` for the sentence without a case."""
        if not self.case_field:
            return ""
        value = getattr(self, self.case_field[0])
        return str(value) if len(self.case_field) == 1 else self.case_field[1 if value else 2]

    def after(self, table: Any) -> Any:
        """Return the table after this event."""
        raise NotImplementedError


Events = tuple[Event, ...]
