"""Basic types: the phases of a table, and the base class of events."""

from collections.abc import Mapping
from typing import Any, ClassVar, Literal, get_args

from msgspec import Struct

Json = dict[str, Any]  # an object that is sent as JSON
Phase = Literal["lobby", "setup", "roll_call", "play", "over"]  # some games have no roll call
ALWAYS: tuple[Phase, ...] = ("lobby", "setup", "roll_call", "play", "over")  # every phase
OutReason = Literal["kitten", "left"]  # how a player went out


class Event(Struct, frozen=True, kw_only=True, tag_field="type"):
    """The base class of all events."""

    sentence_facts: ClassVar[str | Mapping[str, str]] = ""
    """The names of the placeholders that the event's log message may use, separated by spaces. A
    type of event can have several messages, each with a name: its *case*. Then this is a mapping
    from each case to the placeholders of its message."""
    case_field: ClassVar[tuple[str, ...]] = ()
    """Defines the case of an event, if the type has several messages. With one item, such as
    ``("out",)``, the case is the value of this field. With three items, such as
    ``("counts", "yes", "no")``, the second item is the case if the field is true, and the third
    item is the case if the field is false."""
    private: ClassVar[bool] = False
    """True if the log shows the event only to its own seat."""
    after_game: ClassVar[bool] = False
    """True if the event still belongs to its game after the game has ended, such as the publication
    of a deck's secret."""

    @property
    def sentence_case(self) -> str:
        """The case that selects the event's log message, or ``""`` if the event has only one
        message."""
        if not self.case_field:
            return ""
        value = getattr(self, self.case_field[0])
        return str(value) if len(self.case_field) == 1 else self.case_field[1 if value else 2]

    def table_after(self, table: Any) -> Any:
        """Return the table after this event."""
        raise NotImplementedError


Events = tuple[Event, ...]

INSTRUCTION = "instruction"
"""On the draw grid, replaces the id of the played card while an instruction can be Noped."""

Emblem = Literal[
    "paw", "fish", "moon", "star", "heart", "bell", "bolt", "leaf", "drop", "cloud", "cat", "tomcat"
]
"""The emblems that a seat can have. The panel draws them."""
EMBLEMS: tuple[Emblem, ...] = get_args(Emblem)
