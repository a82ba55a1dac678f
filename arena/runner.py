"""Runs a tournament: hands its sittings to workers, replaces those that die, records what they play."""

import contextlib
import os
import signal
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from time import monotonic
from types import FrameType
from typing import Any, Final

import msgspec
import multiprocess
from multiprocess.connection import wait

from arena.errors import RunnerError
from arena.homes import homes_of_bots
from arena.match import MatchRecord
from arena.orphans import kill_children
from arena.plan import Outcomes, Result
from arena.schedule import Schedule, Sitting
from arena.store import Store, StoredMatch, StoredTournament
from arena.tally import Tally
from arena.tournament import Tournament
from arena.worker import Played, Progress, decode_report, encode_sitting, work

_SITTINGS_AHEAD: Final = 2
"""Handed to a worker at once, so that it need not wait for the runner between two."""
_MOST_TRIES: Final = 5
_MOST_GIVEN_UP: Final = 5
"""Sittings one after another, with not a match recorded between them: then there is no point in going on."""
_FIRST_PAUSE_S: Final = 0.05
"""After a failure of the runner's own, doubled with each that follows: what is short may be given back."""
_WAKE_S: Final = 0.2
_LEAVE_S: Final = 1.5
_FAULTS_KEPT: Final = 5
_FAULTS_WITH_STDERR: Final = 200
"""Of an entrant in a run: 16 KB of each of a million would fill the disk."""
_STDERR_LEFT_OUT: Final = f"left out: that of {_FAULTS_WITH_STDERR} faults of this bot is kept already"


@dataclass(frozen=True, slots=True)
class Playing:
    """A sitting that a worker is at."""

    numbers: range
    over: int
    """So many of its matches are over, but none is recorded before all are."""
    entrants: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SeenFault:
    """A forfeit of this run."""

    number: int
    entrant: int
    kind: str


@dataclass(frozen=True, slots=True)
class RunProgress:
    """How far a run is."""

    recorded: int
    planned: int | None
    """None: there is no end."""
    playing: Sequence[Playing]
    tallies: Sequence[Tally]
    """The recorded matches of each entrant, in the order of the file."""
    forfeits: int
    """Seen by this run."""
    last_faults: Sequence[SeenFault]
    """The latest of them, the last first."""
    replaced: int
    """Workers that died, or could not go on, and were replaced."""

    @property
    def over(self) -> int:
        """Matches that are recorded, or over and soon to be."""
        return self.recorded + sum(sitting.over for sitting in self.playing)


@dataclass(slots=True)
class _Worker:
    process: Any
    connection: Connection
    core: int
    sittings: deque[Sitting] = field(default_factory=deque)
    over: int = 0


class Interrupted(Exception):  # noqa: N818 - no error: the user wished it
    """Ctrl-C or SIGTERM; what was recorded is kept."""


def run(
    store: Store,
    entry: StoredTournament,
    tournament: Tournament,
    workers: int,
    on_progress: Callable[[RunProgress], None],
) -> None:
    """Play and record every match that is not recorded yet.

    Raises Interrupted when told to stop, RunnerError if matches can't be played through no fault of the
    bots; in both cases all that was recorded is kept, and the same call goes on from there. After a worker
    has died, every child of this process that has a session of its own is killed: it is what bots have left.
    """
    if entry.finished is not None:
        return
    with store.held(entry), _stoppable() as stopped, homes_of_bots() as homes:
        _Run(store, entry, tournament, homes, on_progress).play(workers, stopped)


class _Run:
    """The parent's side of a run."""

    def __init__(
        self,
        store: Store,
        entry: StoredTournament,
        tournament: Tournament,
        homes: Path,
        on_progress: Callable[[RunProgress], None],
    ) -> None:
        self._store = store
        self._entry = entry
        self._tournament = tournament
        self._homes = homes
        self._on_progress = on_progress
        self._workers: list[_Worker] = []
        cores = sorted(os.sched_getaffinity(0))
        # Two runs of one worker each should not meet on the first core.
        self._cores = [cores[(os.getpid() + index) % len(cores)] for index in range(len(cores))]
        self._again: deque[Sitting] = deque()
        self._schedule = Schedule(tournament.plan, self._outcomes)
        self._sittings = iter(self._schedule)
        self._over = False
        """Whether the plan is at its end."""
        self._tries: dict[int, int] = {}
        self._hires_failed = 0
        """One after another."""
        self._given_up_in_a_row = 0
        self._hire_after = 0.0
        self._given_up: list[str] = []
        """The sittings that nobody could play, and why."""
        self._tallies = store.tallies(entry)
        self._recorded = store.count(entry.id)
        self._faults_logged: Counter[int] = Counter()
        """By entrant, in this run."""
        self._forfeits = 0
        self._last_faults: deque[SeenFault] = deque(maxlen=_FAULTS_KEPT)
        self._replaced = 0
        self._told = 0.0
        self._leave_if_told: Callable[[], None] = lambda: None

    def play(self, workers: int, stopped: Callable[[], bool]) -> None:
        """Keep workers busy until nothing is left; afterwards none of them, nor of their bots, is left.

        Raises Interrupted when told to stop, RunnerError if some matches can't be played.
        """

        def leave_if_told() -> None:
            if stopped():
                raise Interrupted

        self._store.while_locked = self._leave_if_told = leave_if_told
        try:
            if self._feed(workers):
                self._store.note_playing(self._entry.id, self._at_work())
            while self._feed(workers):
                leave_if_told()
                self._listen()
                self._tell_progress()
            if self._over:
                self._store.finish(self._entry.id)
        finally:
            self._dismiss_all()
        self._tell_progress(now=True)
        if self._given_up:
            raise RunnerError(
                f"{self._tournament.name}: some matches could not be played in {_MOST_TRIES} tries, all "
                "others are recorded but those that wait for them; run it again to try once more "
                f"({'; '.join(self._given_up)})"
            )

    def _feed(self, workers: int) -> bool:
        """Hand out what can be played now, to those who have least; whether anything is still to come."""
        while True:
            idlest = min(self._workers, key=lambda worker: len(worker.sittings), default=None)
            may_hire = len(self._workers) < workers and monotonic() >= self._hire_after
            if idlest and len(idlest.sittings) >= _SITTINGS_AHEAD and not may_hire:
                break
            sitting = self._next_sitting()
            if sitting is None:
                break
            if may_hire and (idlest is None or idlest.sittings):
                idlest = self._hire() or idlest
            if idlest is None:
                self._again.appendleft(sitting)
                break
            self._hand(idlest, sitting)
        return bool(self._again) or any(worker.sittings for worker in self._workers)

    def _next_sitting(self) -> Sitting | None:
        """What comes next of the plan and is not recorded; None if there is nothing, or nothing yet."""
        if self._again:
            return self._again.popleft()
        if self._over:
            return None
        for sitting in self._sittings:
            self._leave_if_told()
            if sitting is None:
                return None
            if len(self._store.recorded(self._entry.id, sitting.numbers)) < sitting.deals:
                return sitting
        self._over = True
        return None

    def _outcomes(self, numbers: range) -> Outcomes | None:
        """The results of a round, once all of it is recorded."""
        if self._given_up or self._again or any(worker.sittings for worker in self._workers):
            return None
        return self._store.results(self._entry.id, numbers)

    def _hire(self) -> _Worker | None:
        """Start a worker; None if the machine has no process for one just now."""
        context = multiprocess.get_context("spawn")
        core = min(self._cores, key=lambda core: sum(worker.core == core for worker in self._workers))
        ours = theirs = None
        try:
            ours, theirs = context.Pipe()
            process = context.Process(
                target=work,
                args=(theirs, self._tournament, self._homes, core),
                daemon=True,
                name="arena-worker",
            )
            # A Ctrl-C at this moment must find the worker deaf already; the runner hears it a little later.
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
            process.start()
        except OSError as error:
            if ours:
                ours.close()
            self._hires_failed += 1
            self._pause(self._hires_failed)
            if self._hires_failed >= _MOST_TRIES and not self._workers:
                raise RunnerError(
                    f"could not start a worker process: {error}; all that was recorded is kept, "
                    "try again later"
                ) from None
            return None
        finally:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
            if theirs:
                theirs.close()
        self._hires_failed = 0
        worker = _Worker(process, ours, core)
        self._workers.append(worker)
        return worker

    def _pause(self, failures: int) -> None:
        """Hire nobody for a while: what the machine lacks may be given back."""
        self._hire_after = monotonic() + _FIRST_PAUSE_S * 2 ** min(failures, _MOST_TRIES)

    def _hand(self, worker: _Worker, sitting: Sitting) -> None:
        worker.sittings.append(sitting)
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # its death is seen when listening
            worker.connection.send_bytes(encode_sitting(sitting))

    def _listen(self) -> None:
        """Take one report of every worker that has one."""
        by_connection = {worker.connection: worker for worker in self._workers}
        for connection in wait(list(by_connection), _WAKE_S):
            worker = by_connection[connection]
            try:
                report = decode_report(worker.connection.recv_bytes())
            except (EOFError, ConnectionResetError):
                self._bury(worker, "a worker process died")
                continue
            if isinstance(report, Played):
                self._record(worker, report.records)
            elif isinstance(report, Progress):
                worker.over = report.matches
            else:
                self._bury(worker, report.text.strip().splitlines()[-1])

    def _record(self, worker: _Worker, records: list[MatchRecord]) -> None:
        sitting = worker.sittings.popleft()
        worker.over = 0
        self._given_up_in_a_row = 0
        known = self._store.recorded(self._entry.id, sitting.numbers)
        matches = [
            StoredMatch(planned.deal, planned.rotation, self._without_much_stderr(record))
            for planned, record in zip(sitting.matches(), records, strict=True)
            if record.number not in known
        ]
        self._store.record(self._entry.id, matches, self._at_work())
        self._recorded += len(matches)
        for match in matches:
            self._count(match.record)

    def _without_much_stderr(self, record: MatchRecord) -> MatchRecord:
        """The record without what its bots said of their faults, once they have said it often enough."""
        log = []
        for fault in record.log:
            entrant = record.lineup[fault.seat]
            self._faults_logged[entrant] += 1
            if self._faults_logged[entrant] > _FAULTS_WITH_STDERR and fault.stderr:
                fault = msgspec.structs.replace(fault, stderr=_STDERR_LEFT_OUT)
            log.append(fault)
        return msgspec.structs.replace(record, log=log) if log else record

    def _at_work(self) -> list[Sitting]:
        return [worker.sittings[0] for worker in self._workers if worker.sittings]

    def _count(self, record: MatchRecord) -> None:
        for seat, entrant in enumerate(record.lineup):
            fault = record.faults[seat]
            result = Result(entrant, record.scores[seat], record.ranks[seat], fault)
            self._tallies[entrant].add(result, record.idle_us[seat])
            if fault is not None:
                self._forfeits += 1
                self._last_faults.appendleft(SeenFault(record.number, entrant, fault))

    def _bury(self, worker: _Worker, why: str) -> None:
        """Have what a dead worker held played again by a new one; nothing of its bots is left."""
        self._workers.remove(worker)
        self._replaced += 1
        _dismiss(worker)
        kill_children()  # what its bots have left, and its guard has no more to do then
        if not worker.sittings:
            return
        first = worker.sittings[0]
        tries = self._tries[first.number] = self._tries.get(first.number, 0) + 1
        if tries < _MOST_TRIES:
            self._pause(tries)
        else:
            self._give_up(worker.sittings.popleft(), why)
        self._again.extend(worker.sittings)

    def _give_up(self, sitting: Sitting, why: str) -> None:
        """Leave a sitting to a later run; raises RunnerError if it is one of many in a row."""
        self._given_up.append(f"matches {sitting.number} to {sitting.numbers[-1]}: {why}")
        self._given_up_in_a_row += 1
        if self._given_up_in_a_row >= _MOST_GIVEN_UP:
            raise RunnerError(
                f"{self._tournament.name}: nothing can be played any more, {_MOST_GIVEN_UP} sittings in a "
                f"row failed in {_MOST_TRIES} tries each ({why}); what was recorded is kept, run it again "
                "when that is mended"
            )

    def _dismiss_all(self) -> None:
        for worker in self._workers:
            worker.connection.close()
        deadline = monotonic() + _LEAVE_S
        for worker in self._workers:
            worker.process.join(max(0.0, deadline - monotonic()))
            _dismiss(worker)

    def _tell_progress(self, *, now: bool = False) -> None:
        if not now and monotonic() - self._told < _WAKE_S:
            return
        self._told = monotonic()
        playing = [
            Playing(worker.sittings[0].numbers, worker.over, worker.sittings[0].members)
            for worker in self._workers
            if worker.sittings
        ]
        self._on_progress(
            RunProgress(
                self._recorded,
                self._entry.planned,
                playing,
                self._tallies,
                self._forfeits,
                list(self._last_faults),
                self._replaced,
            )
        )


def _dismiss(worker: _Worker) -> None:
    """Kill what is left of a worker; its guard sees to its bots."""
    worker.process.kill()
    worker.process.join()
    worker.process.close()
    worker.connection.close()


@contextmanager
def _stoppable() -> Iterator[Callable[[], bool]]:
    """Whether Ctrl-C or SIGTERM came, asked instead of thrown, so that no transaction is cut in two."""
    came: list[int] = []

    def note(number: int, frame: FrameType | None) -> None:  # noqa: ARG001 - what a signal handler takes
        came.append(number)

    before = {number: signal.signal(number, note) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield lambda: bool(came)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
