"""Plays matches with the same bot processes: starts them, moves the lines, replaces the fallen."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import monotonic_ns
from typing import Final

from arena.bot_process import BotProcess, dismiss
from arena.faults import BAD_JSON, BAD_REPLY, CRASH, UNASKED, BotFault
from arena.limits import Limits
from arena.manifest import Bot
from arena.match import Match, MatchRecord, MatchSetup, MatchTerms
from arena.watch import Watch
from arena.wire import BYE, check_ready, hello_line

_NO_ANSWERS: Final = frozenset({BAD_JSON, BAD_REPLY})
"""What may be a line that was printed while nothing was due, and only read after a request."""
_SECOND_LINE: Final = "it printed a second line after an answer; use stderr"


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What bot processes need of the runner, apart from the match."""

    watch: Watch
    homes: Path | None = None
    """Where their private HOMEs are made; None: the system's place for temporary files."""
    on_start: Callable[[int], None] | None = None
    """Told the pid of every process started, so that somebody else can kill it should we die."""
    on_end: Callable[[int], None] | None = None
    """Told the pid of every process that is dead, and all of its group with it."""


class Chair:
    """One bot in a sitting: its process, and what must be known to judge and replace it."""

    def __init__(self, bot: Bot, limits: Limits, surroundings: Surroundings) -> None:
        self.process: BotProcess | None = None
        self.played = False
        """Whether this process has seen the end of a match."""
        self.startup_ns = 0
        """How long the last start took, or has taken when it failed."""
        self._bot = bot
        self._limits = limits
        self._surroundings = surroundings
        self._started_ns = 0
        self._ready = False

    def start(self) -> None:
        """Start a process if there is none; raises BotFault(startup)."""
        if self.process is not None:
            return
        self._started_ns = monotonic_ns()
        self.startup_ns = 0
        self.played = self._ready = False
        self.process = BotProcess(
            self._bot.command,
            self._bot.folder,
            self._limits,
            hello_line(self._limits),
            self._surroundings.watch,
            self._surroundings.homes,
        )
        if self._surroundings.on_start:
            self._surroundings.on_start(self.process.pid)

    def await_ready(self) -> BotProcess:
        """The process, started and ready; raises BotFault(startup)."""
        self.start()
        assert self.process is not None
        if not self._ready:
            try:
                check_ready(self.process.await_ready())
            finally:
                self.startup_ns = monotonic_ns() - self._started_ns
            self._ready = True
        return self.process

    def kill(self) -> str:
        """Kill the process, if there is one; what it wrote to stderr."""
        process, self.process = self.process, None
        if process is None:
            return ""
        process.kill()
        if self._surroundings.on_end:
            self._surroundings.on_end(process.pid)
        return process.stderr.text()


@contextmanager
def seated(bots: Sequence[Bot], limits: Limits, surroundings: Surroundings) -> Iterator[list[Chair]]:
    """Chairs for these bots; afterwards `bye` is said to the living, and nothing of them is left."""
    chairs = [Chair(bot, limits, surroundings) for bot in bots]
    try:
        yield chairs
        dismiss([chair.process for chair in chairs if chair.process], BYE)
    finally:
        for chair in chairs:
            chair.kill()


def play_sitting(
    terms: MatchTerms, setups: Iterable[MatchSetup], bots: Sequence[Bot], surroundings: Surroundings
) -> Iterator[MatchRecord]:
    """Play matches of one lineup, in any seating, with the same processes; yields each record.

    ``bots`` holds every entrant of the tournament, as the lineups count them. Raises RunnerError if a
    process can't be had through no fault of its bot.
    """
    setups = list(setups)
    if any(len(set(setup.lineup)) < len(setup.lineup) for setup in setups):
        raise ValueError("no process holds two seats of a match: an entrant sits there twice")
    entrants = sorted({entrant for setup in setups for entrant in setup.lineup})
    with seated([bots[entrant] for entrant in entrants], terms.limits, surroundings) as seats:
        chairs = dict(zip(entrants, seats, strict=True))
        for setup in setups:
            match = Match(terms, setup)
            play_match(match, [chairs[entrant] for entrant in setup.lineup])
            yield match.record()


def play_match(match: Match, chairs: Sequence[Chair]) -> None:
    """Play a match to its end; ``chairs`` go by seat."""
    _begin(match, chairs)
    replaced: set[int] = set()
    while (seat := match.seat) is not None:
        process = chairs[seat].process
        assert process is not None  # a seat without one has forfeited, and is not asked
        try:
            try:
                line = process.ask(match.request(seat), match.budget_ns(seat))
            finally:
                match.charge(seat, process.used_ns)
            action, note = match.judge(seat, line)
        except BotFault as fault:
            left_ns = max(match.move_ns - process.used_ns, 0)
            if seat not in replaced and _fell_between_matches(match, chairs[seat], seat, fault, left_ns):
                replaced.add(seat)
                _replace(match, chairs[seat], seat, fault)
                continue
            if match.decisions[seat] and fault.kind in _NO_ANSWERS and process.goes_on(left_ns):
                # A second line after the last answer, that came too late to be seen before this request.
                fault = BotFault(UNASKED, _SECOND_LINE, fault.line)
            if not match.tolerates(seat, fault):
                match.forfeit(seat, fault, "decide", process.used_ns, chairs[seat].kill())
                continue
            # stderr once: it is the same text, a little longer, every time.
            stderr = process.stderr.text() if match.tolerated[seat] == 1 else ""
            match.log_fault(seat, fault, "decide", process.used_ns, stderr, forfeit=False)
            action, note = match.state.neutral_action(), None
        match.play(seat, action, note)
    _end(match, chairs)


def _begin(match: Match, chairs: Sequence[Chair]) -> None:
    """Have a ready process in every chair, all starting at once; who has none forfeits."""
    faults: dict[int, BotFault] = {}
    for seat, chair in enumerate(chairs):
        try:
            chair.start()
        except BotFault as fault:
            faults[seat] = fault
    for seat, chair in enumerate(chairs):
        if seat not in faults:
            try:
                chair.await_ready().queue(match.start_line(seat))
            except BotFault as fault:
                faults[seat] = fault
    for seat, failure in sorted(faults.items()):
        match.forfeit(seat, failure, "startup", chairs[seat].startup_ns, chairs[seat].kill())


def _fell_between_matches(match: Match, chair: Chair, seat: int, fault: BotFault, left_ns: int) -> bool:
    """Whether the fault of a first answer is of the time before: the process was gone, or printed at `end`.

    What it printed at `end` may be read only after the request. Then it is taken for the answer, and the
    answer (or its exit) comes after it, which is awaited for what is left of ``move_ms``.
    """
    if match.decisions[seat] > 0:
        return False
    if fault.kind == CRASH:
        return fault.silent
    if not chair.played or chair.process is None:
        return False
    if fault.kind == UNASKED:
        return fault.silent
    return fault.kind in _NO_ANSWERS and chair.process.goes_on(left_ns)


def _replace(match: Match, chair: Chair, seat: int, fault: BotFault) -> None:
    """Seat a new process for one that fell between two matches; no result is touched."""
    stderr = chair.kill()
    if fault.kind != CRASH:
        printed = BotFault(UNASKED, "it printed between two matches; use stderr", fault.line)
        match.log_fault(seat, printed, "between", 0, stderr, forfeit=False)
    try:
        chair.await_ready().queue(match.start_line(seat))
    except BotFault as startup:
        match.forfeit(seat, startup, "startup", chair.startup_ns, chair.kill())


def _end(match: Match, chairs: Sequence[Chair]) -> None:
    """Tell every living process how it ended, and let it read that before anything else is asked."""
    for seat, chair in enumerate(chairs):
        if chair.process:
            match.count_idle(seat, chair.process.idling.take_ns())
            chair.process.tell(match.end_line(seat))
            chair.played = True
