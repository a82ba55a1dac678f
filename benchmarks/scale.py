"""Records a million matches without bots, straight through plan, store and ratings; prints the curve.

    make bench-scale                             or
    python benchmarks/scale.py --matches 100000

The player plays 1,000 matches by random actions, and then gives them out again and again under the seeds
and lineups of the plan: what is measured is everything but the matches. A flat column is the point.
"""

import argparse
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

from arena.entry import enter
from arena.limits import Limits
from arena.match import Match, MatchRecord, MatchSetup, MatchTerms
from arena.plan import Result
from arena.ratings import standings
from arena.schedule import Schedule
from arena.store import Store, StoredMatch
from arena.tournament import Tournament, read_tournament
from engine import Stream, load_game

BOT = Path(__file__).parent.parent / "bots" / "random"
ENTRANTS = 20
LINEUPS = ENTRANTS * (ENTRANTS - 1) // 2
PLAYED = 1_000
STEPS = 10


def tournament(folder: Path, game: str, matches: int) -> Tournament:
    """A round robin of so many matches at tables of 2, or a few more."""
    deals = -(-matches // (2 * LINEUPS))
    head = f'name = "scale"\ngame = "{game}"\nplayers = 2\ndeals = {deals}\nseed = "scale"\n'
    bots = [f'[[bots]]\npath = "{BOT}"\nname = "bot-{number}"\n' for number in range(ENTRANTS)]
    file = folder / "scale.toml"
    file.write_text(head + "".join(bots))
    return read_tournament(file)


def player(terms: MatchTerms) -> list[MatchRecord]:
    """Matches played by random actions."""
    stream = Stream("scale", "actions")
    records = []
    for number in range(PLAYED):
        match = Match(terms, MatchSetup(number, "", str(number), (0, 1), (0, 0)))
        while (seat := match.seat) is not None:
            legal = match.state.legal_actions()
            match.play(seat, legal[stream.below(len(legal))], None)
            match.charge(seat, 20_000)
        records.append(match.record())
    return records


def recorded(played: list[MatchRecord], setup: MatchSetup) -> MatchRecord:
    """The record of a match of the plan, as if it had gone like one of those that were played."""
    was = played[setup.number % PLAYED]
    return MatchRecord(
        number=setup.number,
        seed=setup.seed,
        lineup=setup.lineup,
        actions=was.actions,
        scores=was.scores,
        ranks=was.ranks,
        faults=was.faults,
        decisions=was.decisions,
        think_us=was.think_us,
        idle_us=was.idle_us,
        notes=was.notes,
        log=was.log,
    )


def memory_mb() -> float:
    """Resident memory of this process."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


class Curve:
    """Prints a row after every tenth of the matches."""

    def __init__(self, what: str, matches: int) -> None:
        self._step = max(matches // STEPS, 1)
        self._done = 0
        self._since = perf_counter()
        print(f"\n{what}\n{'matches':>12} {'us a match':>11} {'memory MB':>10}")

    def add(self, matches: int) -> None:
        """Count matches."""
        before = self._done // self._step
        self._done += matches
        if self._done // self._step > before:
            now = perf_counter()
            print(
                f"{self._done:>12,} {(now - self._since) / self._step * 1e6:>11.1f} {memory_mb():>10.1f}",
                flush=True,
            )
            self._since = now


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--matches", type=int, default=1_000_000)
    parser.add_argument("--game", default="dragon_stripes")
    arguments = parser.parse_args()
    began = perf_counter()
    with tempfile.TemporaryDirectory() as name:
        read = tournament(Path(name), arguments.game, arguments.matches)
        database = Path(name) / "scale.db"
        with Store.open_for_writing(database) as store:
            entry, read = enter(store, read)
            sittings = iter(Schedule(read.plan, lambda _: ()))
            first = next(sittings)
            print(f"the first sitting of {entry.planned:,} matches after {perf_counter() - began:.2f} s")
            game = load_game(arguments.game)
            played = player(MatchTerms(game, read.ruleset, read.rules, Limits()))
            curve = Curve("plan and store", arguments.matches)
            sitting = first
            while sitting is not None:
                records = [recorded(played, setup) for setup in read.setups(sitting)]
                matches = [
                    StoredMatch(planned.deal, planned.rotation, record)
                    for planned, record in zip(sitting.matches(), records, strict=True)
                ]
                store.record(entry.id, matches, [sitting])
                curve.add(len(matches))
                sitting = next(sittings, None)
            count = store.count(entry.id)
        size = sum(file.stat().st_size for file in Path(name).glob("scale.db*"))
        print(f"{count:,} matches in {size / 2**20:,.0f} MB: {size / count:.0f} bytes a match")
        with Store.open_for_reading(database) as store:
            curve = Curve("ratings", arguments.matches)

            def results() -> Iterator[list[Result]]:
                for match in store.results(entry.id):
                    yield match
                    curve.add(1)

            rounds = iter((lambda: store.results(entry.id), results))
            standings(entry.entrants, lambda: next(rounds)())


if __name__ == "__main__":
    main()
