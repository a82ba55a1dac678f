"""One bot as a process: started, asked line by line against a deadline, killed with all that it started.

Knows bytes, lines and time; what the lines mean is for ``arena.wire`` and ``arena.match``.
"""

import contextlib
import os
import select
import signal
from collections.abc import Sequence
from pathlib import Path
from time import monotonic_ns
from typing import Final

from arena.cpu import Idling, Waiting, family_cpu_ns
from arena.faults import CRASH, STARTUP, TIMEOUT, UNASKED, BotFault, shorten
from arena.inbox import Inbox
from arena.launch import how_it_ended, kill_group, remove_home, signal_group, start
from arena.limits import NS_PER_MS, Limits
from arena.watch import HeadAndTail, Watch

_DUE: Final = "while an answer was due"
_CHUNK: Final = 65_536
_DRAINED_AFTER_DEATH: Final = 1_048_576
_BYE_NS: Final = 1_000 * NS_PER_MS
_PATIENCE_NS: Final = 5 * NS_PER_MS
"""How long a decision takes before the others of the table are stopped, so as not to think on its time."""
_STALL_NS: Final = 200 * NS_PER_MS
"""So much later than it should, poll returns only when the runner, or the machine, was stopped itself."""
_GRACE_NS: Final = 100 * NS_PER_MS
"""How long to wait for a late answer, only to tell the author how late it was."""
_MOST_GIVEN_BACK: Final = 4
"""Budgets that a bot gets at most for the time in which others had the processor."""
_WALL_PER_CPU: Final = 10
"""By a clock of CPU time, a decision may take so many times as long in all."""


class BotProcess:
    """A started bot. Who starts one kills it: ``kill`` is safe at any time, and more than once."""

    def __init__(
        self,
        command: Sequence[str],
        folder: Path,
        limits: Limits,
        hello: bytes,
        watch: Watch,
        homes: Path | None = None,
    ) -> None:
        """Start the command in its folder and send it ``hello``.

        ``homes`` is where its private HOME is made. Raises BotFault(startup) if the command can't be
        started, RunnerError if the runner lacks the means.
        """
        self.stderr = HeadAndTail()
        self.used_ns = 0
        """Time of the last decision, from when its request was written until its answer was read."""
        self._by_cpu = limits.clock == "cpu"
        self._watch = watch
        self._inbox = Inbox(limits.line_bytes)
        self._outbox = b""
        self._stdin_broken = False
        self._stdout_ended = False
        self._startup_deadline_ns = monotonic_ns() + limits.startup_ms * NS_PER_MS
        self._popen, self._home, self._exit = start(command, folder, homes)
        assert self._popen.stdin is not None
        assert self._popen.stdout is not None
        assert self._popen.stderr is not None
        self.idling = Idling(self.pid)
        self._stdin = self._popen.stdin.fileno()
        self._stdout = self._popen.stdout.fileno()
        self._stderr = self._popen.stderr.fileno()
        for fd in (self._stdin, self._stdout, self._stderr):
            os.set_blocking(fd, False)
        self._alive = True
        self._stopped = False
        self._stalled_ns = 0
        self._stale_at = -1
        self._watch.bots.append(self)
        self._watch.add(self._stderr, select.POLLIN, self._drain_stderr)
        self._build_poll_sets()
        self._write(hello)

    @property
    def pid(self) -> int:
        """Its process id, which is its process group's too."""
        return self._popen.pid

    def await_ready(self) -> bytes:
        """Its first line; raises BotFault(startup) if none comes in time."""
        try:
            now_ns = monotonic_ns()
            return self._await_line(now_ns, self._startup_deadline_ns - now_ns, "before its ready")
        except BotFault as fault:
            raise BotFault(STARTUP, fault.text, fault.line) from None

    def queue(self, line: bytes) -> None:
        """Have a line go out together with the next request."""
        self._outbox += line

    def ask(self, request: bytes, budget_ns: int) -> bytes:
        """Write a request and return the line that answers it, without its LF.

        The time used is in ``used_ns`` afterwards, whatever happened. Raises BotFault: ``unasked`` for
        output that came before the request, ``crash``, ``timeout``, ``too_long``.
        """
        self.used_ns = self._stalled_ns = 0
        if self._inbox.held or self._poll_quietly(0):
            self._refuse_unasked()
        cpu_ns = family_cpu_ns(self.pid) if self._by_cpu else None
        asked_ns = monotonic_ns()
        self.idling.end(asked_ns)
        try:
            self._write(request)
            if cpu_ns is not None:
                return self._await_line_by_cpu(asked_ns, budget_ns, cpu_ns)
            return self._await_line(asked_ns, budget_ns, _DUE, alone=True)
        finally:
            answered_ns = monotonic_ns()
            # What the runner overslept is not the bot's time.
            self.used_ns = (
                answered_ns - asked_ns - self._stalled_ns if cpu_ns is None else self._cpu_since(cpu_ns)
            )
            self.idling.begin(answered_ns)

    def _await_line_by_cpu(self, asked_ns: int, budget_ns: int, before_ns: int) -> bytes:
        """As _await_line, but the budget is CPU time since the reading ``before_ns``."""
        wall_ns = _WALL_PER_CPU * budget_ns
        while True:
            now_ns = monotonic_ns()
            left_ns = max(budget_ns - self._cpu_since(before_ns), NS_PER_MS)
            wall_left_ns = wall_ns - (now_ns - asked_ns - self._stalled_ns)
            try:
                # On its one core it can't use more CPU time than passes.
                line = self._await_line(now_ns, min(left_ns, wall_left_ns), _DUE, alone=True, by_wall=False)
            except BotFault as fault:
                self.used_ns = self._cpu_since(before_ns)
                if fault.kind != TIMEOUT:
                    raise
                if self.used_ns >= budget_ns:
                    text = f"no line, and it has used {_ms(self.used_ns)} of CPU time"
                    raise BotFault(TIMEOUT, text, fault.line) from None
                if left_ns < wall_left_ns:
                    continue
                text = f"no line in {_ms(wall_ns)}, {_WALL_PER_CPU} times the CPU time that it may use"
                raise BotFault(TIMEOUT, text, fault.line) from None
            self.used_ns = self._cpu_since(before_ns)
            over_ns = self.used_ns - budget_ns
            if over_ns > 0:
                raise BotFault(TIMEOUT, f"it used {_ms(over_ns)} of CPU time more than it may", line)
            return line

    def _cpu_since(self, before_ns: int) -> int:
        """CPU time of the bot and all it started since a reading; what it was last if it is gone."""
        return max(family_cpu_ns(self.pid) - before_ns, self.used_ns)

    def unasked_output(self) -> bytes:
        """What was read beyond the last answer, blank lines left out; empty for a sound bot."""
        if self._inbox.is_blank():
            self._inbox.held.clear()
        return bytes(self._inbox.held)

    def tell(self, line: bytes) -> None:
        """Write a line that nothing answers, now, so that what it provokes comes before the next request."""
        self._write(line)

    def goes_on(self, budget_ns: int) -> bool:
        """Whether another line comes in time, though only one was due, or the process exits."""
        try:
            if self._inbox.take_line() is None:
                self._await_line(monotonic_ns(), budget_ns, "", alone=True)
        except BotFault as fault:
            return fault.kind == CRASH
        return True

    def kill(self) -> None:
        """Kill the process and all that it started, and let go of everything that we held for it."""
        if not self._alive:
            return
        self._alive = False
        self._watch.bots.remove(self)
        # Before it is reaped: until then nobody else can have this process group's number.
        kill_group(self.pid)
        self._popen.wait()
        self._drain_stderr(_DRAINED_AFTER_DEATH)
        if self._stderr >= 0:
            self._watch.remove(self._stderr)
        os.close(self._exit)
        for pipe in (self._popen.stdin, self._popen.stdout, self._popen.stderr):
            if pipe:
                with contextlib.suppress(OSError):
                    pipe.close()
        remove_home(self._home)

    def wait_for_exit(self, deadline_ns: int) -> None:
        """Wait until it has exited, throwing away what it still prints."""
        self._outbox = b""
        if self._popen.stdin:
            with contextlib.suppress(OSError):
                self._popen.stdin.close()
        while (left_ns := deadline_ns - monotonic_ns()) > 0:
            for fd, _ in self._poll_all(left_ns):
                if fd == self._exit:
                    return
                if fd == self._stdout:
                    self._read_stdout()
                    self._inbox.held.clear()
                else:
                    self._watch.serve(fd)

    def stop(self) -> None:
        """Stop the process and all of its group, until the next line is written to it."""
        if not self._stopped:
            self._stopped = True
            signal_group(self.pid, signal.SIGSTOP)

    def _write(self, lines: bytes) -> None:
        """Write what is queued and these lines as far as the pipe takes them; the rest goes out later."""
        if self._stopped:
            self._stopped = False
            signal_group(self.pid, signal.SIGCONT)
        self._outbox += lines
        try:
            written = os.write(self._stdin, self._outbox)
        except BlockingIOError:
            written = 0
        except OSError:
            self._stdin_broken = True
            written = len(self._outbox)
        self._outbox = self._outbox[written:]

    def _await_line(
        self,
        since_ns: int,
        budget_ns: int,
        when: str,
        *,
        alone: bool = False,
        by_wall: bool = True,
    ) -> bytes:
        """The next line that is not blank; deadlines are looked at anew at every wake-up.

        The time runs from ``since_ns``, which is just now. ``alone``: if it takes a while, the others of
        the table are stopped meanwhile. ``by_wall``: the budget is the bot's, which gets back what others
        took from it, and is told how late it was.
        """
        # Not the clock's time: the runner may have been stopped since then, before it ever waited.
        woken_ns = since_ns
        deadline_ns = since_ns + budget_ns
        alone_from_ns = woken_ns + _PATIENCE_NS
        waiting: Waiting | None = None
        while True:
            asleep_ns = woken_ns
            left_ns = deadline_ns - asleep_ns
            wait_ns = max(min(left_ns, alone_from_ns - asleep_ns) if alone else left_ns, 0)
            ready = self._poll_all(wait_ns)
            woken_ns = monotonic_ns()
            overslept_ns = woken_ns - asleep_ns - wait_ns
            if overslept_ns > _STALL_NS:
                self._stalled_ns += overslept_ns
                deadline_ns = woken_ns + left_ns
                if not ready:
                    continue
            if alone and woken_ns >= alone_from_ns:
                alone = False
                self._stop_others()
                if by_wall:
                    most_ns = _MOST_GIVEN_BACK * budget_ns
                    waiting = Waiting(self.pid, most_ns, since_ns, self.idling.cpu_ns())
            exited = False
            for fd, _ in ready:
                if fd == self._stdout:
                    self._read_stdout()
                elif fd == self._exit:
                    exited = True
                elif fd == self._stdin:
                    self._write(b"")
                else:
                    self._watch.serve(fd)
            if not self._stdin_broken or exited:
                line = self._inbox.take_line() or (self._take_last_line() if exited else None)
                if line is not None:
                    return line
            if exited:
                partial = bytes(self._inbox.held)
                silent = self._inbox.is_blank()
                self.kill()
                raise BotFault(
                    CRASH, f"{how_it_ended(self._popen.returncode)} {when}", partial, silent=silent
                )
            if left_ns <= 0:
                if waiting and (more_ns := waiting.more_ns()):
                    self._stalled_ns += more_ns
                    deadline_ns += more_ns
                    continue
                late = self._late_line(deadline_ns) if by_wall else None
                if late is None:
                    self._stalled_ns += monotonic_ns() - woken_ns
                raise BotFault(TIMEOUT, late or self._why_late(when), bytes(self._inbox.held))

    def _late_line(self, deadline_ns: int) -> str | None:
        """How late its line comes, if it comes within the grace."""
        while (left_ns := deadline_ns + _GRACE_NS - monotonic_ns()) > 0:
            for fd, _ in self._poll_all(left_ns):
                if fd == self._stdout:
                    self._read_stdout()
                elif fd == self._stdin:
                    self._write(b"")
                elif fd == self._exit:
                    return None
                else:
                    self._watch.serve(fd)
            if self._stdin_broken or self._stdout_ended or self._inbox.is_overlong():
                return None
            if self._inbox.has_line():
                return f"its line came {_ms(monotonic_ns() - deadline_ns)} too late"
        return None

    def _stop_others(self) -> None:
        for bot in self._watch.bots:
            if bot is not self:
                bot.stop()

    def _take_last_line(self) -> bytes | None:
        """The first line that is in the pipe of a process that has exited.

        What it left behind could go on printing for ever, and is killed first.
        """
        kill_group(self.pid)
        line, most = None, _DRAINED_AFTER_DEATH
        while line is None and most > 0 and (size := self._read_stdout()):
            most -= size
            line = self._inbox.take_line()
        return line

    def _read_stdout(self) -> int:
        """Read a chunk, if there is one; the number of bytes read."""
        if self._stdout_ended:
            return 0
        try:
            chunk = os.read(self._stdout, _CHUNK)
        except BlockingIOError:
            return 0
        if not chunk:
            self._stdout_ended = True
            self._build_poll_sets()
        # Nothing is taken from a bot that has closed its stdin until it exits; it may print for ever.
        if not (self._stdin_broken and self._inbox.is_full()):
            self._inbox.held += chunk
        return len(chunk)

    def _refuse_unasked(self) -> None:
        """Raise BotFault if it printed, or exited, while nothing was due; blank lines are skipped."""
        exited = any(fd == self._exit for fd, _ in self._poll_quietly(0))
        self._read_stdout()
        if output := self.unasked_output():
            raise BotFault(
                UNASKED,
                f"it printed while no answer was due ({shorten(output[:80])!r}); one line per request, "
                "print anything else to stderr",
                output,
                silent=True,
            )
        if exited:
            self.kill()
            raise BotFault(CRASH, f"{how_it_ended(self._popen.returncode)} between two requests", silent=True)

    def _drain_stderr(self, most: int = _CHUNK) -> None:
        """Read what stderr holds, but no more than ``most`` bytes at a time: others wait."""
        while most > 0 and self._stderr >= 0:
            try:
                chunk = os.read(self._stderr, _CHUNK)
            except BlockingIOError:
                return
            if not chunk:
                self._watch.remove(self._stderr)
                self._stderr = -1
                return
            self.stderr.write(chunk)
            most -= len(chunk)

    def _poll_all(self, timeout_ns: int) -> list[tuple[int, int]]:
        """What can be read or written of this bot, and what the watch has to serve."""
        if self._stale_at != self._watch.changes:
            self._build_poll_sets()
        if self._outbox and not self._stdin_broken:
            self._poll.register(self._stdin, select.POLLOUT)
            self._stale_at = -1
        return self._poll.poll(-(-timeout_ns // NS_PER_MS))

    def _build_poll_sets(self) -> None:
        self._poll = select.poll()
        self._poll.register(self._exit, select.POLLIN)
        quiet = select.poll()
        quiet.register(self._exit, select.POLLIN)
        if not self._stdout_ended:
            self._poll.register(self._stdout, select.POLLIN)
            quiet.register(self._stdout, select.POLLIN)
        self._poll_quietly = quiet.poll
        self._watch.register(self._poll)
        self._stale_at = self._watch.changes

    def _why_late(self, when: str) -> str:
        if self._stdin_broken:
            return f"it has closed its stdin and lives on {when}"
        if self._stdout_ended:
            return f"it has closed its stdout and lives on {when}"
        if self._inbox.held:
            return f"a line without its newline {when}: end each with one, and flush"
        return f"no line {when}: it thought too long, or does not flush its output"


def _ms(ns: int) -> str:
    return f"{ns / NS_PER_MS:.1f} ms"


def dismiss(processes: Sequence[BotProcess], bye: bytes) -> None:
    """Say `bye` to all, give them a second together, and kill what is left of them."""
    deadline_ns = monotonic_ns() + _BYE_NS
    for process in processes:
        process.tell(bye)
    for process in processes:
        process.wait_for_exit(deadline_ns)
        process.kill()
