"""The end of a world: all faults stop, the games continue, all clients must agree, and then they
leave."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from companion.rules.core.state import Table
from tests.simulation import memory
from tests.simulation.panel import Panel
from tests.simulation.record import require

if TYPE_CHECKING:
    from tests.simulation.process import Process
    from tests.simulation.world import World

AGREE_MS = 5_000
SETTLE_MS = 20_000
GONE_MS = 12_000
"""Time limits in ms.

After the last fault, all views must agree within ``AGREE_MS`` and show the right presence within
``SETTLE_MS``. A client that vanishes must be shown as away within ``GONE_MS``.
"""

HEAD_MS = 5_000
"""Time in ms within which a device learns that the database has lost events that the device
shows."""

Versions = dict[str, tuple[str, int]]
"""For each table, the epoch (the id of its log) and the newest version in that log."""


class End:
    """The last checks of one world. A method raises ``Broken`` if a property doesn't hold."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._hub = world.hub
        self._known: dict[str, Table] = {}

    def run_to_end(self) -> None:
        """Run the world from the end of the last fault until every client has left."""
        world = self._world
        hub = self._hub
        world.trace_line("calm")
        self._reopen_panels()
        over = hub.now
        before = self._get_versions()
        agree = AGREE_MS + HEAD_MS * bool(world.database.loss_count)
        self._run_until(over + agree, lambda: self._find_stalled_tables(before), "stands still:")
        for panel in world.panels:
            panel.quiet = True
        self._run_until(hub.now + AGREE_MS, self._find_outdated_panels, "sees something else:")
        self._run_until(over + SETTLE_MS, self._find_wrong_presence, "takes somebody for away:")
        self._run_until(over + SETTLE_MS, self._find_watchers_apart, "watches another moment:")
        self._run_until(
            over + SETTLE_MS, self._find_misplaced_robots, "robots are not where they have to be:"
        )
        self._cut_off_one_panel()
        self._run_until(hub.now + GONE_MS, self._find_wrong_presence, "takes somebody for here:")
        self._end_all_devices()
        world.trace_line("end", *self._get_versions().values())

    def _run_until(self, end: int, find_errors: Callable[[], list[Any]], why: str) -> None:
        """Run until ``find_errors`` returns an empty list. Raises ``Broken`` if it still returns
        errors at the time ``end``."""
        while (errors := find_errors()) and self._hub.now < end:
            self._hub.run(self._hub.now + 100)
        require(not errors, why, *errors)

    # --- the state of the world ---------------------------------------------------------

    def _get_versions(self) -> Versions:
        rows = self._world.database.query_sql(
            "SELECT e.code, coalesce(m.value, '') AS epoch, max(version) AS newest FROM events e"
            " LEFT JOIN meta m ON m.key = 'epoch ' || e.code GROUP BY e.code ORDER BY e.code"
        )
        return {code: ("world" + epoch, newest) for code, epoch, newest in rows}

    @property
    def _running_processes(self) -> list[Process]:
        return [process for process in self._world.processes if process.open]

    def _get_table(self, code: str) -> Table:
        """Return the newest version of a table that any process has in memory. If no process has
        the table in memory, return the version returned last, or replay the log."""
        lives = [process.tables.live.get(code) for process in self._running_processes]
        tables = [live.log.table for live in lives if live and live.log.loaded]
        if tables:
            self._known[code] = max(tables, key=lambda table: table.version)
        elif code not in self._known:
            self._known[code] = self._world.record.replay_log(code).table
        return self._known[code]

    def _list_people(self, code: str) -> list[str]:
        """Return the seats for which a person, not a robot, has a device.

        Some people never learn of their seat: one process refused the request, and a frozen one
        carried it out later.
        """
        seats = [one.seat for one in self._get_table(code).seats if not one.robot and not one.gone]
        return [seat for seat in seats if (code, seat) in self._world.seated]

    @property
    def _connected_panels(self) -> list[Panel]:
        return [panel for panel in self._world.panels if not panel.sent_away]

    # --- checks -------------------------------------------------------------------------

    def _reopen_panels(self, whom: Callable[[Panel], bool] = lambda panel: panel.sent_away) -> None:
        """Reopen the panels that ``whom`` accepts and whose seat has no other device now. By
        default, these are the panels that were sent away."""
        taken = {panel.key for panel in self._connected_panels}
        for panel in self._world.panels:
            if whom(panel) and panel.key not in taken:
                panel.open()

    def _reopen_superseded_panels(self) -> None:
        """Reopen panels that were superseded by mistake.

        After a change of the database's clock, a process may mistake an older connection for the
        newer one. And if a player who lent the seat to a robot returns before the robot has
        started, the robot may supersede the player.
        """
        set_back = self._world.clock_set
        handed_on = self._world.record.handed_on
        self._reopen_panels(lambda panel: panel.superseded and (set_back or panel.key in handed_on))

    @property
    def _seats_without_owner(self) -> set[tuple[str, str]]:
        """Return the seats that may have no device now.

        These are the seats that were moved to another device or lent to a robot, if the database
        has lost events: the lost events may include the moves. Otherwise the set is empty.
        """
        return self._world.record.handed_on if self._world.database.loss_count else set()

    def _find_stalled_tables(self, before: Versions) -> list[str]:
        self._reopen_superseded_panels()
        now = self._get_versions()
        still = [code for code in now if now[code] == before[code]]
        still = [
            code for code in still if code not in {code for code, _ in self._seats_without_owner}
        ]
        return [code for code in still if len(self._list_people(code)) > 1]

    def _find_outdated_panels(self) -> list[object]:
        """Return the panels with an outdated view, and the seats without a panel or with
        several."""
        self._reopen_superseded_panels()
        now = self._get_versions()
        wrong = list[object]()
        for panel in self._connected_panels:
            view = panel.view or {"epoch": "", "version": 0}
            seen = view["epoch"], view["version"]
            if not panel.connected or seen != now[panel.seated.table]:
                wrong.append((panel.machine.name, panel.connected, seen, now[panel.seated.table]))
        devices = [panel.key for panel in self._connected_panels]
        seats = [(code, seat) for code in now for seat in self._list_people(code)]
        return wrong + [
            key
            for key in seats
            if devices.count(key) not in (1, 1 - (key in self._seats_without_owner))
        ]

    def _find_wrong_presence(self) -> list[object]:
        """Return the panels that show a connected player as away, or an absent player as
        connected."""
        here = {panel.key for panel in self._connected_panels}
        people = {code: self._list_people(code) for code in self._get_versions()}
        wrong = list[object]()
        for panel in self._connected_panels:
            code = panel.seated.table
            shown = panel.presence and panel.presence["seats"]
            if shown is None or any(
                ((code, seat) in here) != (shown.get(seat) == "here") for seat in people[code]
            ):
                wrong.append((panel.machine.name, panel.presence))
        return wrong

    def _find_watchers_apart(self) -> list[object]:
        """For each replay, return its watchers if they see different moments."""
        wrong = list[object]()
        for code in self._get_versions():
            watchers = [watcher for watcher in self._world.watchers if watcher.seated.table == code]
            watchers = [
                watcher for watcher in watchers if not watcher.sent_away and watcher.connected
            ]
            shown = [
                (watcher.machine.name, watcher.moment, watcher.watcher_count)
                for watcher in watchers
                if watcher.watcher_count
            ]
            if len({(at, here) for _, at, here in shown}) > 1:
                wrong.append(shown)
        return wrong

    def _find_misplaced_robots(self) -> list[object]:
        """Return the tables with a robot at two processes, or without a robot that they need.

        A table needs its robots while a person is connected. A removed robot stays until its deck
        is opened, which happens when the next game is prepared.
        """
        wrong = list[object]()
        for code in self._get_versions():
            table = self._get_table(code)
            wanted = sorted(one.seat for one in table.seats if one.robot)
            at_work = sorted(
                seat
                for process in self._running_processes
                for seat in process.tables.robots.posts.seats_with_robots(code)
                if seat in wanted or seat not in table.seats_with_closed_decks
            )
            if wanted != at_work and any(
                panel.seated.table == code for panel in self._connected_panels
            ):
                wrong.append((code, "wanted", wanted, "at work", at_work))
        return wrong

    # --- leaving ------------------------------------------------------------------------

    def _cut_off_one_panel(self) -> None:
        """Cut off one panel of each table without a notification, sometimes together with its
        process."""
        world = self._world
        chance = self._hub.chance
        for code in self._get_versions():
            panel = chance.choice(
                [panel for panel in self._connected_panels if panel.key[0] == code]
            )
            world.panels.remove(panel)
            self._hub.kill(panel.machine)
            if panel.link is not None:
                panel.link.sound = False
            world.trace_line(panel.machine.name, "gone")
            if panel.process in world.processes[1:] and panel.process.alive:
                panel.process.kill(told=True)

    def _end_all_devices(self) -> None:
        """End every device, and check that the processes keep nothing about them in memory."""
        world = self._world
        for device in (*world.panels, *world.watchers):
            self._hub.kill(device.machine)
            if device.link is not None:
                device.link.close()
        self._hub.run(self._hub.now + GONE_MS)
        for process in self._running_processes:
            left = memory.find_leftovers(process)
            require(not left, "keeps what nobody needs any more:", process.machine.name, *left)
