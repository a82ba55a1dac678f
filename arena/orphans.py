"""Catches what a bot leaves behind outside its process group: daemons that forked twice and began a session.

Such a process becomes the child of its nearest living ancestor that has offered to adopt; a worker does.
"""

import ctypes
import os
import signal
from pathlib import Path
from typing import Final

_PR_SET_CHILD_SUBREAPER: Final = 36
_MOST_GENERATIONS: Final = 1_000


def adopt_orphans() -> None:
    """Have orphaned descendants of this process become its children, and keep the status of the dead.

    Where SIGCHLD is ignored, as by a parent's wish, the kernel throws it away.
    """
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def kill_children(spare: int | None = None) -> None:
    """Kill every child that is in a session of its own, as bots are; and theirs as they turn up.

    For a time when no bot plays; ``spare`` is the pid of one to be left alone.
    """
    for _ in range(_MOST_GENERATIONS):
        children = [pid for pid in _children() if pid != spare]
        if not children:
            return
        for pid in children:
            os.kill(pid, signal.SIGKILL)
        for pid in children:
            os.waitpid(pid, 0)


def _children() -> list[int]:
    lists = Path("/proc/self/task").glob("*/children")  # not in every kernel
    children = [int(pid) for children in lists for pid in children.read_text().split()]
    return [pid for pid in children if os.getsid(pid) != os.getsid(0)]
