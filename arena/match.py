"""One match without its processes: whose turn it is, what to send, what an answer does, and its record.

Nothing here waits or reads; ``arena.sitting`` moves the lines between a match and the bots.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Final

import msgspec

from arena.faults import TOLERABLE, BotFault, Fault, shorten
from arena.limits import NS_PER_MS, Limits
from arena.wire import encode, read_answer
from engine import AnyGame, Rules, State

NS_PER_US: Final = 1_000


@dataclass(frozen=True)
class MatchTerms:
    """What all matches of a tournament (or one `arena play`) have in common."""

    game: AnyGame
    ruleset: str
    rules: Rules
    limits: Limits
    faults_allowed: int = 0

    @cached_property
    def start_fields(self) -> bytes:
        """The fields of `start` that are the same in every match."""
        told = {"game": self.game.name, "ruleset": self.ruleset, "rules": asdict(self.rules)}
        return encode(told)[1:-1]


@dataclass(frozen=True, slots=True)
class MatchSetup:
    """What sets one match apart from others; ``id`` is what the bots are told, and means nothing to them."""

    number: int
    id: str
    seed: str
    lineup: tuple[int, ...]
    """Which entrant, by position in the tournament, sits in each seat."""
    bot_seeds: tuple[int, ...]


class MatchRecord(msgspec.Struct, frozen=True, kw_only=True):
    """What is kept of a match; lists go by seat, actions and notes by decision, times are microseconds."""

    number: int
    seed: str
    lineup: tuple[int, ...]
    actions: list[str]
    scores: list[int]
    ranks: list[int]
    faults: list[str | None]
    decisions: list[int]
    think_us: list[int]
    idle_us: list[int]
    """CPU time that the seat's process used while others were to move."""
    notes: dict[int, str]
    log: list[Fault]


class Match:
    """A match in progress."""

    def __init__(self, terms: MatchTerms, setup: MatchSetup) -> None:
        players = len(setup.lineup)
        self.terms = terms
        self.setup = setup
        self.state: State = terms.game.new_initial_state(players, setup.seed, terms.rules)
        self.actions: list[str] = []
        self.notes: dict[int, str] = {}
        self.log: list[Fault] = []
        self.forfeited: list[int] = []
        """Seats that have forfeited, in the order in which they did."""
        self.faults: list[str | None] = [None] * players
        self.decisions = [0] * players
        self._think_ns = [0] * players
        self._idle_ns = [0] * players
        self._bank_ns = [terms.limits.bank_ms * NS_PER_MS] * players
        self.move_ns = terms.limits.move_ms * NS_PER_MS
        self.tolerated = [0] * players
        """By seat: how many faults were covered."""
        self._legal: list[str] = []
        self._allowed_ns = self.budget_ns(0)
        self._events: list[bytes] = []
        self._events_sent = [0] * players
        self._id = encode(setup.id)

    @property
    def seat(self) -> int | None:
        """The seat that must be asked next, or None when the match is over."""
        return None if self._decided_by_forfeits() else self.state.current_player

    def start_line(self, seat: int) -> bytes:
        """`start` for a seat."""
        return b'{"type":"start","match":%b,%b,"players":%d,"seat":%d,"seed":%d}\n' % (
            self._id,
            self.terms.start_fields,
            len(self.setup.lineup),
            seat,
            self.setup.bot_seeds[seat],
        )

    def request(self, seat: int) -> bytes:
        """`decide` for the seat whose turn it is."""
        self._legal = self.state.legal_actions()
        self._allowed_ns = self.budget_ns(seat)
        return (
            b'{"type":"decide","match":%b,"turn":%d,"observation":%b,"legal":%b,"events":[%b],'
            b'"clock":{"move_ms":%d,"bank_ms":%d}}\n'
            % (
                self._id,
                self.decisions[seat],
                encode(self.state.observation(seat)),
                encode(self._legal),
                self._new_events(seat),
                self.terms.limits.move_ms,
                self._bank_ns[seat] // NS_PER_MS,
            )
        )

    def budget_ns(self, seat: int) -> int:
        """How long the seat's next decision may take."""
        return self.move_ns + self._bank_ns[seat]

    def charge(self, seat: int, used_ns: int) -> None:
        """Count the time of a decision; what it used beyond ``move_ms`` comes out of the bank."""
        self._think_ns[seat] += used_ns
        if used_ns > self.move_ns:
            self._bank_ns[seat] = max(self._bank_ns[seat] - (used_ns - self.move_ns), 0)

    def count_idle(self, seat: int, idle_ns: int) -> None:
        """Count CPU time that the seat's process used while others were to move."""
        self._idle_ns[seat] += idle_ns

    def judge(self, seat: int, line: bytes) -> tuple[str, str | None]:
        """The action and the note of the line that a seat answered; raises BotFault."""
        return read_answer(line, self._legal, self.setup.id, self.decisions[seat])

    def tolerates(self, seat: int, fault: BotFault) -> bool:
        """Whether ``faults_allowed`` covers the fault; it covers one less from then on."""
        if fault.kind not in TOLERABLE or self.tolerated[seat] >= self.terms.faults_allowed:
            return False
        self.tolerated[seat] += 1
        return True

    def play(self, seat: int, action: str, note: str | None) -> None:
        """Play the seat's action, and those of the forfeited that follow."""
        if note:
            self.notes[len(self.actions)] = note
        self.decisions[seat] += 1
        self._events_sent[seat] = len(self._events)
        self._apply(action)
        if self.forfeited:
            self._play_for_the_forfeited()

    def forfeit(self, seat: int, fault: BotFault, phase: str, used_ns: int, stderr: str) -> None:
        """The seat has lost the match; its decisions are the neutral action from now on."""
        self.log_fault(seat, fault, phase, used_ns, stderr, forfeit=True)
        self.faults[seat] = fault.kind
        self.forfeited.append(seat)
        self._play_for_the_forfeited()

    def log_fault(
        self, seat: int, fault: BotFault, phase: str, used_ns: int, stderr: str, *, forfeit: bool
    ) -> None:
        """Keep what an author needs to mend the bot; ``phase`` as in :class:`Fault`."""
        limits = self.terms.limits
        limit_ms = {
            "startup": limits.startup_ms,
            "decide": self._allowed_ns // NS_PER_MS,
            "between": 0,
        }[phase]
        self.log.append(
            Fault(
                seat=seat,
                kind=fault.kind,
                phase=phase,
                turn=self.decisions[seat],
                text=fault.text,
                forfeit=forfeit,
                limit_ms=limit_ms,
                used_ms=used_ns // NS_PER_MS,
                line=shorten(fault.line),
                stderr=stderr,
            )
        )

    def end_line(self, seat: int) -> bytes:
        """`end` for a seat."""
        return b'{"type":"end","match":%b,"scores":%b,"ranks":%b,"faults":%b,"events":[%b]}\n' % (
            self._id,
            encode(self.state.returns()),
            encode(self.ranks()),
            encode(self.faults),
            self._new_events(seat),
        )

    def ranks(self) -> list[int]:
        """Ranks from 1: by the rules among those who did not forfeit, then the later forfeit first."""
        return ranks_with_forfeits(self.state.ranks(), self.forfeited)

    def record(self) -> MatchRecord:
        """What is kept of the match, once it is over."""
        return MatchRecord(
            number=self.setup.number,
            seed=self.setup.seed,
            lineup=self.setup.lineup,
            actions=self.actions,
            scores=self.state.returns(),
            ranks=self.ranks(),
            faults=self.faults,
            decisions=self.decisions,
            think_us=[ns // NS_PER_US for ns in self._think_ns],
            idle_us=[ns // NS_PER_US for ns in self._idle_ns],
            notes=self.notes,
            log=self.log,
        )

    def _apply(self, action: str) -> None:
        self.actions.append(action)
        self.state.apply_action(action)

    def _play_for_the_forfeited(self) -> None:
        state = self.state
        while state.current_player in self.forfeited and not self._decided_by_forfeits():
            self._apply(state.neutral_action())

    def _decided_by_forfeits(self) -> bool:
        return decided_by_forfeits(len(self.forfeited), len(self.setup.lineup))

    def _new_events(self, seat: int) -> bytes:
        """The events since the seat's last answer, each encoded once for all seats."""
        for event in self.state.events[len(self._events) :]:
            self._events.append(encode(event))
        return b",".join(self._events[self._events_sent[seat] :])


def decided_by_forfeits(forfeits: int, players: int) -> bool:
    """Whether a match is over because one seat is left, or none."""
    return forfeits > 0 and forfeits >= players - 1


def ranks_with_forfeits(ranks: Sequence[int], forfeited: Sequence[int]) -> list[int]:
    """Ranks by the rules, those who forfeited (in this order) put below all others, the later one higher.

    >>> ranks_with_forfeits([1, 2, 2, 4], [0])
    [4, 1, 1, 3]
    """
    if not forfeited:
        return list(ranks)
    playing = [rank for seat, rank in enumerate(ranks) if seat not in forfeited]
    last = len(ranks)
    return [
        last - forfeited.index(seat) if seat in forfeited else 1 + sum(other < rank for other in playing)
        for seat, rank in enumerate(ranks)
    ]
