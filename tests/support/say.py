"""All commands and events of the draw grid, by class name."""

from types import SimpleNamespace

from companion.rules.core import commands as table_commands
from companion.rules.core import events as game_events
from companion.rules.core import table_events
from companion.rules.grid import commands as grid_commands
from companion.rules.grid import events as grid_events

say = SimpleNamespace(**{**vars(table_commands), **vars(grid_commands)})
events = SimpleNamespace(**vars(table_events) | vars(game_events) | vars(grid_events))
