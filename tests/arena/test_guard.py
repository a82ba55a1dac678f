"""Whoever kills the guard of the bots gets a new one to see, which knows all that the old one knew."""

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

from processes import lives

from arena.guard import Guard


@contextmanager
def stopped_group() -> Iterator[subprocess.Popen[bytes]]:
    """A stopped process that leads a group of its own: it would not see that its stdin has ended."""
    with subprocess.Popen(["sleep", "600"], start_new_session=True) as process:
        os.kill(process.pid, signal.SIGSTOP)
        os.waitid(os.P_PID, process.pid, os.WSTOPPED | os.WNOWAIT)
        try:
            yield process
        finally:
            process.kill()


def kill(guard: Guard) -> None:
    """Kill a guard as somebody else would, who does not wait for it either."""
    os.kill(guard.pid, signal.SIGKILL)
    os.waitid(os.P_PID, guard.pid, os.WEXITED | os.WNOWAIT)


def test_at_its_end_a_guard_kills_the_groups_that_were_added_and_not_removed() -> None:
    with stopped_group() as added, stopped_group() as removed:
        with Guard() as guard:
            guard.add(added.pid)
            guard.add(removed.pid)
            guard.remove(removed.pid)
        assert added.wait(timeout=60) == -signal.SIGKILL
        assert removed.poll() is None


def test_a_guard_that_was_killed_is_replaced_when_the_next_group_is_added() -> None:
    with stopped_group() as before, stopped_group() as gone, stopped_group() as after:
        with Guard() as guard:
            guard.add(before.pid)
            guard.add(gone.pid)
            guard.remove(gone.pid)
            first = guard.pid
            kill(guard)
            guard.add(after.pid)
            assert guard.pid != first
            assert lives(guard.pid)
        assert before.wait(timeout=60) == -signal.SIGKILL
        assert after.wait(timeout=60) == -signal.SIGKILL
        assert gone.poll() is None


def test_a_guard_that_was_killed_is_replaced_when_the_next_group_is_removed() -> None:
    with stopped_group() as stays, stopped_group() as goes:
        with Guard() as guard:
            guard.add(stays.pid)
            guard.add(goes.pid)
            first = guard.pid
            kill(guard)
            guard.remove(goes.pid)
            assert guard.pid != first
            assert lives(guard.pid)
        assert stays.wait(timeout=60) == -signal.SIGKILL
        assert goes.poll() is None


def test_a_guard_is_replaced_as_often_as_it_is_killed() -> None:
    with stopped_group() as one, stopped_group() as other:
        with Guard() as guard:
            guard.add(one.pid)
            for _ in range(3):
                kill(guard)
                guard.add(other.pid)
                kill(guard)
                guard.remove(other.pid)
            assert lives(guard.pid)
        assert one.wait(timeout=60) == -signal.SIGKILL
        assert other.poll() is None


def test_a_guard_that_was_killed_is_buried_when_it_is_replaced_and_at_the_end() -> None:
    with Guard() as guard:
        first = guard.pid
        kill(guard)
        guard.remove(first)
        assert is_buried(first)
        second = guard.pid
        kill(guard)
    assert is_buried(second)


def is_buried(pid: int) -> bool:
    """Whether this process has no such child, not even as a zombie."""
    try:
        os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return True
    return False
