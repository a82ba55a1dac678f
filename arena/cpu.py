"""Reads how much CPU time a bot and all that it started have used, and how long it waited for a processor."""

import os
from pathlib import Path
from time import clock_gettime_ns, monotonic_ns
from typing import Final

from arena.limits import NS_PER_MS

_NS_PER_TICK: Final = 1_000_000_000 // os.sysconf("SC_CLK_TCK")
_TIDYING_NS: Final = NS_PER_MS // 2
"""What a bot may use between two of its turns without being called a ponderer."""
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


class Idling:
    """The CPU time that a process uses between its turns, while others are to move."""

    def __init__(self, pid: int) -> None:
        self._clock = ~pid << 3 | _SCHEDULER_CLOCK
        self._total_ns = 0
        self._before_ns: int | None = None
        """Its CPU time at its last answer; None if what it uses until its next turn is its own affair."""
        self._began_ns = 0

    def begin(self, now_ns: int) -> None:
        """Its turn is over; ``now_ns`` is monotonic time. That it has ended is none of our business."""
        self._began_ns = now_ns
        try:
            self._before_ns = clock_gettime_ns(self._clock)
        except OSError:
            self._before_ns = None

    def end(self, now_ns: int) -> None:
        """Its turn begins. A pause as short as it takes to tidy up is not even looked at: that costs time."""
        if now_ns - self._began_ns > _TIDYING_NS and self._before_ns is not None:
            try:
                used_ns = clock_gettime_ns(self._clock) - self._before_ns
            except OSError:
                return
            if used_ns > _TIDYING_NS:
                self._total_ns += used_ns

    def take_ns(self) -> int:
        """The sum since this was last asked. Until its next turn it may now read `end` in peace."""
        self.end(monotonic_ns())
        self._before_ns = None
        total_ns, self._total_ns = self._total_ns, 0
        return total_ns


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
