"""Runs a tournament: enters it in the store, hands its sittings to workers, records what they play."""

import contextlib
import os
import signal
import tempfile
from collections import deque
from collections.abc import Callable, Iterator
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

from arena.errors import RunnerError, TournamentError
from arena.launch import remove_home
from arena.match import MatchRecord
from arena.replay import rules_hash
from arena.store import Store, StoredMatch, StoredTournament
from arena.tournament import Tournament, draw_seed
from arena.wire import encode
from arena.worker import Played, Progress, decode_report, work
from engine import Json, __version__

_SITTINGS_AHEAD: Final = 2
"""Handed to a worker at once, so that it need not wait for the runner between two."""
_MOST_TRIES: Final = 5
_WAKE_S: Final = 0.2
_LEAVE_S: Final = 1.5
_HOMES_PREFIX: Final = "arena-run-"


@dataclass(frozen=True, slots=True)
class RunProgress:
    """How far a run is; ``faults`` are the latest that cost a match."""

    recorded: int
    playing: int
    """Matches that are over but not recorded yet, since their sitting is not."""
    planned: int
    faults: int
    """Forfeits seen by this run."""
    last_fault: str
    """The kind of the latest, and whose it was; empty if there was none."""


@dataclass(slots=True)
class _Worker:
    process: Any
    connection: Connection
    core: int
    sittings: deque[range] = field(default_factory=deque)
    over: int = 0


class Interrupted(Exception):  # noqa: N818 - no error: the user wished it
    """Ctrl-C or SIGTERM; what was recorded is kept."""


def enter(store: Store, tournament: Tournament) -> tuple[StoredTournament, Tournament]:
    """The store's entry for a tournament, and the tournament with its seed.

    The unfinished tournament of this name goes on if nothing differs; TournamentError names what does.
    A finished one of equal settings is returned as it is; of other settings, a new one is entered.
    """
    settings = _plain(tournament.settings() | {"game_version": tournament.game.version})
    for known in store.tournaments(tournament.name)[:1]:
        if tournament.seed == known.seed:
            settings["seed"] = known.settings["seed"]  # a drawn seed may be written into the file
        difference = _first_difference(known.settings, settings)
        if difference is None:
            return known, tournament.with_seed(known.seed)
        if known.finished is None:
            raise TournamentError(
                f"{tournament.name} is unfinished, and {difference}; undo that to go on with it, "
                "or give the tournament another name"
            )
    seed = tournament.seed if tournament.seed is not None else draw_seed()
    tournament = tournament.with_seed(seed)
    return store.add_tournament(
        settings,
        seed,
        tournament.plan.total,
        f"{__version__}/{tournament.game.name}/{tournament.game.version}",
        rules_hash(tournament.game, tournament.rules),
        [
            {
                "entrant": bot.name,
                "name": bot.own_name or bot.name,
                "version": bot.version,
                "content": bot.content,
                "command": bot.command,
                "language": bot.language,
                "author": bot.author,
            }
            for bot in tournament.bots
        ],
    ), tournament


def run(
    store: Store,
    entry: StoredTournament,
    tournament: Tournament,
    workers: int,
    on_progress: Callable[[RunProgress], None],
) -> None:
    """Play and record every match that is not recorded yet.

    Raises Interrupted when told to stop, RunnerError if matches can't be played through no fault of the
    bots; in both cases all that was recorded is kept, and the same call goes on from there.
    """
    if entry.finished is not None:
        return
    with store.held(entry):
        with _stoppable() as stopped, _homes() as homes:
            _Run(store, entry, tournament, homes, on_progress).play(workers, stopped)
        recorded = store.count(entry.id)
        if recorded != entry.planned:
            raise RunnerError(
                f"{tournament.name}: {entry.planned} matches were planned and {recorded} are recorded; "
                "run it again to play the rest"
            )
        store.finish(entry.id)


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
        self._plan = tournament.plan
        self._workers: list[_Worker] = []
        self._again: deque[range] = deque()
        self._sittings = self._open_sittings()
        self._tries: dict[int, int] = {}
        self._given_up: list[str] = []
        """The sittings that nobody could play, and why."""
        self._recorded = store.count(entry.id)
        self._faults = 0
        self._last_fault = ""
        self._told = 0.0

    def play(self, workers: int, stopped: Callable[[], bool]) -> None:
        """Keep workers busy until nothing is left; afterwards none of them, nor of their bots, is left."""
        cores = sorted(os.sched_getaffinity(0))
        try:
            for index in range(workers):
                # Two runs of one worker each should not meet on the first core.
                self._hire(cores[(os.getpid() + index) % len(cores)])
            while any(worker.sittings for worker in self._workers):
                if stopped():
                    raise Interrupted
                self._listen()
                self._tell_progress()
        finally:
            self._dismiss_all()
        self._tell_progress(now=True)
        if self._given_up:
            raise RunnerError(
                f"{self._tournament.name}: some matches could not be played in {_MOST_TRIES} tries, all "
                f"others are recorded; run it again to try them once more ({'; '.join(self._given_up)})"
            )

    def _open_sittings(self) -> Iterator[range]:
        """What of the plan is not recorded, in schedule order."""
        for sitting in self._plan.sittings():
            if len(self._store.recorded(self._entry.id, sitting)) < len(sitting):
                yield sitting

    def _hire(self, core: int) -> None:
        """Start a worker, unless there is nothing for it to do."""
        sitting = self._next_sitting()
        if sitting is None:
            return
        context = multiprocess.get_context("spawn")
        ours, theirs = context.Pipe()
        process = context.Process(
            target=work, args=(theirs, self._tournament, self._homes, core), daemon=True, name="arena-worker"
        )
        # A Ctrl-C at this moment must find the worker deaf already; the runner hears it a little later.
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            process.start()
        except OSError as error:
            raise RunnerError(f"could not start a worker process: {error}") from None
        finally:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
            theirs.close()
        worker = _Worker(process, ours, core)
        self._workers.append(worker)
        self._hand(worker, sitting)
        self._refill(worker)

    def _next_sitting(self) -> range | None:
        return self._again.popleft() if self._again else next(self._sittings, None)

    def _hand(self, worker: _Worker, sitting: range) -> None:
        worker.sittings.append(sitting)
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # its death is seen when listening
            worker.connection.send_bytes(msgspec.msgpack.encode((sitting.start, sitting.stop)))

    def _refill(self, worker: _Worker) -> None:
        while len(worker.sittings) < _SITTINGS_AHEAD:
            sitting = self._next_sitting()
            if sitting is None:
                return
            self._hand(worker, sitting)

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
                self._bury(worker, report.text)

    def _record(self, worker: _Worker, records: list[MatchRecord]) -> None:
        sitting = worker.sittings.popleft()
        worker.over = 0
        self._refill(worker)
        known = self._store.recorded(self._entry.id, sitting)
        planned = [self._plan.match(record.number) for record in records]
        self._store.record(
            self._entry.id,
            [
                StoredMatch(match.deal, match.rotation, record)
                for match, record in zip(planned, records, strict=True)
                if record.number not in known
            ],
        )
        self._recorded += len(records) - len(known)
        for record in records:
            for fault in record.log:
                if fault.forfeit:
                    self._faults += 1
                    loser = self._entry.entrants[record.lineup[fault.seat]]
                    self._last_fault = f"{fault.kind} of {loser}"

    def _bury(self, worker: _Worker, why: str) -> None:
        """Have what a dead worker held played again by a new one; nothing of its bots is left."""
        self._workers.remove(worker)
        _dismiss(worker)
        if not worker.sittings:
            return
        first = worker.sittings[0]
        self._tries[first.start] = self._tries.get(first.start, 0) + 1
        if self._tries[first.start] >= _MOST_TRIES:
            worker.sittings.popleft()
            self._given_up.append(f"matches {first.start} to {first.stop - 1}: {why.strip()}")
        self._again.extend(worker.sittings)
        self._hire(worker.core)

    def _dismiss_all(self) -> None:
        for worker in self._workers:
            worker.connection.close()
        deadline = monotonic() + _LEAVE_S
        for worker in self._workers:
            worker.process.join(max(0.0, deadline - monotonic()))
            _dismiss(worker)

    def _tell_progress(self, *, now: bool = False) -> None:
        if now or monotonic() - self._told > _WAKE_S:
            self._told = monotonic()
            playing = sum(worker.over for worker in self._workers)
            self._on_progress(
                RunProgress(self._recorded, playing, self._entry.planned, self._faults, self._last_fault)
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


@contextmanager
def _homes() -> Iterator[Path]:
    """A folder for the bots' HOMEs; those of runs that were killed are swept away."""
    place = _place_for_homes()
    for left in place.glob(f"{_HOMES_PREFIX}*-*"):
        pid = left.name.removeprefix(_HOMES_PREFIX).split("-")[0]
        if pid.isdigit() and not Path(f"/proc/{pid}").exists():
            remove_home(left)
    homes = Path(tempfile.mkdtemp(prefix=f"{_HOMES_PREFIX}{os.getpid()}-", dir=place))
    try:
        yield homes
    finally:
        remove_home(homes)


def _place_for_homes() -> Path:
    """Where TMPDIR says, else in memory: to remove a folder from a disk took 3 ms here, 200 decisions."""
    memory = Path("/dev/shm")
    in_memory = "TMPDIR" not in os.environ and os.access(memory, os.W_OK | os.X_OK)
    return memory if in_memory else Path(tempfile.gettempdir())


def _plain(settings: dict[str, Json]) -> dict[str, Json]:
    """As it will be read back from the database."""
    plain: dict[str, Json] = msgspec.json.decode(msgspec.json.encode(settings))
    return plain


def _first_difference(before: Json, now: Json, where: str = "") -> str | None:
    """The first field that differs between two settings, in words; None if they are equal."""
    if where.endswith(".files"):
        return _first_changed_file(before, now, where.removesuffix(".files"))
    if isinstance(before, dict) and isinstance(now, dict):
        pairs: list[tuple[str, Json, Json]] = [
            (f"{where}.{key}" if where else key, before.get(key), now.get(key)) for key in {**before, **now}
        ]
    elif isinstance(before, list) and isinstance(now, list) and len(before) == len(now):
        pairs = [
            (f"{where}[{i}]{_name_of(old)}", old, new)
            for i, (old, new) in enumerate(zip(before, now, strict=True))
        ]
    elif before == now:
        return None
    elif isinstance(before, list) and isinstance(now, list) and any(map(_name_of, before)):
        return f"{where} had {len(before)} entries when it began and has {len(now)} now"
    else:
        return f"{where} was {encode(before).decode()} when it began and is {encode(now).decode()} now"
    differences = (_first_difference(old, new, place) for place, old, new in pairs)
    return next((difference for difference in differences if difference), None)


def _first_changed_file(before: dict[str, str], now: dict[str, str], bot: str) -> str | None:
    """The first file of a bot that is not what it was; one that is new may be what the bot wrote itself."""
    for path, fingerprint in before.items():
        if now.get(path) != fingerprint:
            what = "one of its files" if path == "*" else f"its file {path}"
            return f"{bot} is not the bot that it was: {what} has changed since it began"
    return None


def _name_of(setting: Json) -> str:
    """How an entry of a list is told from its fellows: by its name, if it has one."""
    return f" ({setting['name']})" if isinstance(setting, dict) and "name" in setting else ""
