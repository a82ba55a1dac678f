"""Reads how much CPU time a bot and all that it started have used, and how long it waited for a processor."""

import contextlib
import os
from pathlib import Path
from time import clock_gettime_ns, monotonic_ns
from typing import Final

from arena.limits import NS_PER_MS

_NS_PER_TICK: Final = 1_000_000_000 // os.sysconf("SC_CLK_TCK")
_TIDYING_NS: Final = NS_PER_MS // 2
"""What a bot may use between two of its turns without being called a ponderer."""
_UNSEEN_NS: Final = 64 * NS_PER_MS
"""The longest wait for a processor that was seen here, with 16 others in the queue."""
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

    Those who were waited for are counted in ticks of the kernel, mostly 10 ms; those whose end nobody wished
    to hear of (SIGCHLD ignored) are not counted, nor is a descendant that made itself an orphan.
    """
    total = 0
    found = [pid]
    while found:
        member = found.pop()
        own = process_cpu_ns(member)
        if own is None:
            continue
        total += own
        with contextlib.suppress(OSError):  # it has ended meanwhile, or its thread has
            stat = _stat(member)
            total += (int(stat[13]) + int(stat[14])) * _NS_PER_TICK
        with contextlib.suppress(OSError):
            for children in Path(f"/proc/{member}/task").glob("*/children"):
                with contextlib.suppress(OSError):
                    found += map(int, children.read_text().split())
    return total


def _stat(pid: int) -> list[str]:
    """The fields of a process's stat behind its name, which may hold anything; raises OSError."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()


class Idling:
    """The CPU time that a process uses between its turns, while others are to move."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
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

    def cpu_ns(self) -> int:
        """Its CPU time at its last answer, or now if that is its own affair."""
        return self._before_ns or process_cpu_ns(self._pid) or 0

    def take_ns(self) -> int:
        """The sum since this was last asked. Until its next turn it may now read `end` in peace."""
        self.end(monotonic_ns())
        self._before_ns = None
        total_ns, self._total_ns = self._total_ns, 0
        return total_ns


class Waiting:
    """How long a process has waited for a processor that others had, since this was made, up to a bound.

    What the whole family of this process used meanwhile is not waiting, the bot's strays included: a second
    thread or a helper would buy it time. The other bots are stopped by then.
    """

    def __init__(self, pid: int, most_ns: int, asked_ns: int, cpu_ns: int) -> None:
        """``asked_ns`` is when its turn began, ``cpu_ns`` its CPU time by then, or a little before."""
        self._pid = pid
        self._most_ns = most_ns
        self._since_ns = monotonic_ns()
        ran_ns = (process_cpu_ns(pid) or 0) - cpu_ns
        self._missed_ns = max(self._since_ns - asked_ns - ran_ns, 0) if _could_run(pid) else 0
        self._queued_ns = _queued_ns(pid)
        self._used_ns = _used_by_descendants_ns()
        self._told_ns = 0

    def more_ns(self) -> int:
        """How much of it has not been told before; less than a millisecond is none.

        The kernel counts a wait when it is over, so one that may be going on is taken for a long one.
        """
        queued_ns = _queued_ns(self._pid) - self._queued_ns + _UNSEEN_NS * _could_run(self._pid)
        others_ns = monotonic_ns() - self._since_ns - (_used_by_descendants_ns() - self._used_ns)
        more_ns = min(min(queued_ns, others_ns) + self._missed_ns, self._most_ns) - self._told_ns
        if more_ns < NS_PER_MS:
            return 0
        self._told_ns += more_ns
        return more_ns


def _used_by_descendants_ns() -> int:
    own = os.getpid()
    return family_cpu_ns(own) - (process_cpu_ns(own) or 0)


def _queued_ns(pid: int) -> int:
    """How long the first thread of a process could have run and did not get to; 0 if that can't be told."""
    try:
        return int(Path(f"/proc/{pid}/schedstat").read_text().split()[1])
    except (OSError, IndexError):
        return 0


def _could_run(pid: int) -> bool:
    """Whether the first thread of a process is running or waits for nothing but a processor."""
    try:
        return _stat(pid)[0] == "R"
    except OSError:
        return False
