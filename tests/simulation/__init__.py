"""Simulated fleets: several server processes with their clients, in one thread, on one seed.

A *world* runs the real program (``companion.web.live`` and everything below) on simulated parts:
database, bus, connections, clocks and timers. One seed decides everything random: what the players
do, how long each message takes, and which faults happen when (a process is killed or frozen, the
bus loses messages, the database loses its newest events, a clock jumps …). The same seed always
gives the same world, so a failure can be repeated, traced and reduced:

    python -m tests.simulation --seeds 300              play the worlds of seeds 0 to 299
    python -m tests.simulation --seed 4711 --trace      play one world and print its events
    python -m tests.simulation --seed 4711 --shrink     drop the faults that don't matter
    python -m tests.simulation --mutants                find the seeds that detect planted faults

While a world runs, ``record`` keeps everything that was committed, sent and acknowledged; at its
end (``end``) all faults stop, and the record must agree with the log. docs/simulation.md
describes how the parts fit together.
"""
