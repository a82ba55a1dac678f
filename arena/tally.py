"""An entrant's matches in sums: what a table shows that is no rating."""

from dataclasses import dataclass

from arena.plan import Result

_IDLE_US_PER_MATCH = 1_000
"""Above it an entrant is said to ponder; less is a garbage collection now and then."""


@dataclass(slots=True)
class Tally:
    """Sums over the matches of one entrant."""

    matches: int = 0
    wins: int = 0
    """Matches in which nobody ranked higher; a shared first place counts."""
    ranks: int = 0
    scores: int = 0
    faults: int = 0
    """Matches forfeited."""
    idle_us: int = 0
    """CPU time that it used while others were to move."""

    def add(self, result: Result, idle_us: int = 0) -> None:
        """Count a match."""
        self.matches += 1
        self.wins += result.rank == 1
        self.ranks += result.rank
        self.scores += result.score
        self.faults += result.fault is not None
        self.idle_us += idle_us

    @property
    def mean_rank(self) -> float:
        """Rank by match; 0 if there was none."""
        return self.ranks / max(self.matches, 1)

    @property
    def mean_score(self) -> float:
        """Score by match; 0 if there was none."""
        return self.scores / max(self.matches, 1)

    @property
    def ponders(self) -> bool:
        """Whether it used more than a little CPU time while others were to move."""
        return self.idle_us > _IDLE_US_PER_MATCH * self.matches
