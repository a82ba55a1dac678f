"""Who is playing a tournament, told so that anybody can see whether it still lives."""

from datetime import UTC, datetime
from os import getpid
from pathlib import Path

import msgspec


class Holder(msgspec.Struct, frozen=True, kw_only=True):
    """A process that plays a tournament. Its number alone would not do: numbers are given again."""

    pid: int
    started: str
    """When the process was started, in ticks since the machine was."""
    boot: str
    """The identity of the machine's present run."""
    since: str
    """When it began to play, UTC."""
    recorded: int
    """How many matches were recorded then."""

    def is_alive(self) -> bool:
        """Whether the process still runs on this machine."""
        return self.boot == _boot() and self.started == _started(self.pid) != ""


def this_process(recorded: int) -> Holder:
    """The holder that this process is, from now on; ``recorded`` is the number of matches recorded so far."""
    pid = getpid()
    now = datetime.now(UTC).isoformat(timespec="seconds")
    return Holder(pid=pid, started=_started(pid), boot=_boot(), since=now, recorded=recorded)


def _started(pid: int) -> str:
    """The 22nd field of stat, counted behind the name, which may hold anything; empty for the dead.

    Somebody who was killed stays there as a zombie until its parent has heard of it.
    """
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return ""
    return "" if fields[0] in "ZX" else fields[19]


def _boot() -> str:
    return Path("/proc/sys/kernel/random/boot_id").read_text().strip()
