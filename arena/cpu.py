"""Reads how much CPU time a bot and all that it started have used, and how long it waited for a processor."""

import os
from pathlib import Path
from time import clock_gettime_ns, monotonic_ns
from typing import Final

from arena.limits import NS_PER_MS

_NS_PER_TICK: Final = 1_000_000_000 // os.sysconf("SC_CLK_TCK")
_SCHEDULER_CLOCK: Final = 2
"""Of the clocks of a process, the one that counts nanoseconds of all its threads."""


def process_cpu_ns(pid: int) -> int | None:
    """CPU time of a process and its threads; None if it is gone. A reading took 0.3 µs here."""
    try:
        return clock_gettime_ns(~pid << 3 | _SCHEDULER_CLOCK)
    except OSError:
        return None


def family_cpu_ns(pid: int) -> int:
    """CPU time of a process and of all its descendants, living or waited for.

    Those who were waited for are counted in ticks of the kernel, mostly 10 ms. A descendant that made
    itself an orphan is not found any more.
    """
    total = 0
    found = [pid]
    while found:
        member = found.pop()
        own = process_cpu_ns(member)
        if own is None:
            continue
        try:
            stat = Path(f"/proc/{member}/stat").read_text().rpartition(")")[2].split()
            for children in Path(f"/proc/{member}/task").glob("*/children"):
                found += map(int, children.read_text().split())
        except OSError:  # it has ended meanwhile
            continue
        total += own + (int(stat[13]) + int(stat[14])) * _NS_PER_TICK
    return total


class Waiting:
    """How long a process has waited for a processor that others had, since this was made.

    What the bot's own family used meanwhile is not waiting, or a second thread would buy it time.
    """

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._since_ns = monotonic_ns()
        self._queued_ns = _queued_ns(pid)
        self._cpu_ns = family_cpu_ns(pid)
        self._told_ns = 0

    def more_ns(self) -> int:
        """How much of it has not been told before; less than a millisecond is none."""
        queued_ns = _queued_ns(self._pid) - self._queued_ns
        others_ns = monotonic_ns() - self._since_ns - (family_cpu_ns(self._pid) - self._cpu_ns)
        more_ns = min(queued_ns, others_ns) - self._told_ns
        if more_ns < NS_PER_MS:
            return 0
        self._told_ns += more_ns
        return more_ns


def _queued_ns(pid: int) -> int:
    """How long the first thread of a process could have run and did not get to; 0 if that can't be told."""
    try:
        return int(Path(f"/proc/{pid}/schedstat").read_text().split()[1])
    except (OSError, IndexError):
        return 0
