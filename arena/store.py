"""The SQLite database of bots, tournaments, matches, seats and logs; docs/database.md describes its tables.

One process writes, in transactions of whole sittings; any number read, and see only whole matches.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path
from typing import Any, Final, Self

import msgspec
from sqlite_utils import Database

from arena import database
from arena.database import explained
from arena.errors import StoreError
from arena.faults import Fault
from arena.holder import Holder, this_process
from arena.match import MatchRecord
from arena.plan import Result
from arena.schedule import Sitting
from arena.tally import Tally
from engine import Json

_PAGE: Final = 500
_LARGEST_NUMBER: Final = 2**63 - 1


@dataclass(frozen=True, slots=True)
class StoredTournament:
    """A tournament as the database knows it."""

    id: int
    name: str
    seed: str
    settings: dict[str, Json]
    planned: int | None
    """None: there is no end."""
    engine: str
    rules_hash: str
    created: str
    finished: str | None
    runner: Holder | None
    """Who plays it, or played it when it was killed."""
    entrants: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StoredMatch:
    """A recorded match: where the plan had it, and what was kept of it."""

    deal: int
    rotation: int
    record: MatchRecord


class Store:
    """An open database. Every method raises StoreError if the file fails it."""

    def __init__(self, path: Path, db: Database) -> None:
        self.path = path
        self.while_locked: Callable[[], None] = lambda: None
        """Called now and then while another program has locked the file; what it raises ends the wait."""
        self._db = db
        self._file = path.stat().st_ino

    @classmethod
    def open_for_writing(cls, path: Path) -> Self:
        """Open the database, made anew if there is none; raises StoreError if the file is something else."""
        return cls(path, database.open_for_writing(path))

    @classmethod
    def open_for_reading(cls, path: Path) -> Self:
        """Open a database that exists; nothing in it will be changed."""
        return cls(path, database.open_for_reading(path))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with explained(self.path):
            if not self.path.exists() or self.path.stat().st_ino != self._file:
                raise StoreError(
                    f"{self.path}: was removed or replaced while it was in use; put it back and give this "
                    "command again, or begin anew with another file"
                )
        with database.transaction(self._db, self.path, self.while_locked):
            yield

    # Tournaments.

    def add_tournament(
        self,
        settings: dict[str, Json],
        seed: str,
        planned: int | None,
        engine: str,
        rules_hash: str,
        bots: Sequence[dict[str, Json]],
    ) -> StoredTournament:
        """Enter a tournament and its bots (name, version, content, command, language, author), in order."""
        with self._transaction():
            key: Any = (
                self._db.table("tournaments")
                .insert(
                    {
                        "name": settings["name"],
                        "seed": seed,
                        "settings": json.dumps(settings),
                        "planned": planned,
                        "engine": engine,
                        "rules_hash": rules_hash,
                        "created": _now(),
                        "finished": None,
                        "runner": None,
                    }
                )
                .last_pk
            )
            for position, bot in enumerate(bots):
                self._db.table("entrants").insert(
                    {
                        "tournament": key,
                        "position": position,
                        "name": bot["entrant"],
                        "bot": self._bot_id(bot),
                    }
                )
            return self._tournament(key)

    def _bot_id(self, bot: dict[str, Json]) -> int:
        columns = {name: bot[name] for name in ("name", "version", "content", "language", "author")}
        columns["command"] = json.dumps(bot["command"])
        self._db.table("bots").insert(columns, ignore=True)
        found: int = self._db.execute(
            "SELECT id FROM bots WHERE name = :name AND version = :version AND content = :content "
            "AND command = :command",
            columns,
        ).fetchone()[0]
        return found

    def tournaments(self, name: str | None = None) -> list[StoredTournament]:
        """All tournaments (of a name), the latest first."""
        with explained(self.path):
            where, values = ("name = ?", [name]) if name is not None else ("1", [])
            rows = list(self._db.table("tournaments").rows_where(where, values, order_by="id desc"))
            return [self._tournament_of(row) for row in rows]

    def tournament(self, name: str | None = None) -> StoredTournament:
        """The latest tournament, the latest of this name, or the one of this number.

        Raises StoreError if there is none.
        """
        known = self.tournaments()
        if not known:
            raise StoreError(f"{self.path}: holds no tournament yet; play one with arena run")
        for tournament in known:
            if name is None or tournament.name == name:
                return tournament
        for tournament in known:
            if str(tournament.id) == name:
                return tournament
        names = ", ".join(f"{tournament.name} (no. {tournament.id})" for tournament in reversed(known))
        raise StoreError(f"{self.path}: holds no tournament {name!r}; it holds {names}")

    def _tournament_of(self, row: dict[str, Any]) -> StoredTournament:
        entrants = self._db.execute(
            "SELECT name FROM entrants WHERE tournament = ? ORDER BY position", [row["id"]]
        ).fetchall()
        return StoredTournament(
            **row
            | {
                "settings": json.loads(row["settings"]),
                "runner": msgspec.json.decode(row["runner"], type=Holder) if row["runner"] else None,
                "entrants": tuple(name for (name,) in entrants),
            }
        )

    @contextmanager
    def held(self, tournament: StoredTournament) -> Iterator[None]:
        """Hold a tournament so that no other process plays it; raises StoreError if one does."""
        with self._transaction():
            self.refuse_if_played(self._tournament(tournament.id))
            holder = this_process(self.count(tournament.id))
            self._set_runner(tournament, msgspec.json.encode(holder).decode())
            self._set_playing(tournament.id, [])
        try:
            yield
        finally:
            # If it can't be noted that we are gone, it will be seen.
            with suppress(StoreError), self._transaction():
                self._set_runner(tournament, None)
                self._set_playing(tournament.id, [])

    def refuse_if_played(self, tournament: StoredTournament) -> None:
        """Raise StoreError if a living process plays the tournament."""
        other = tournament.runner
        if other is not None and other.is_alive():
            raise StoreError(
                f"{self.path}: {tournament.name} is being played by process {other.pid} since {other.since}; "
                "wait for it, or stop it and give this command again"
            )

    def _set_runner(self, tournament: StoredTournament, runner: str | None) -> None:
        self._db.execute("UPDATE tournaments SET runner = ? WHERE id = ?", [runner, tournament.id])

    def _set_playing(self, tournament: int, playing: Iterable[Sitting]) -> None:
        self._db.conn.execute("DELETE FROM playing WHERE tournament = ?", [tournament])
        self._db.conn.executemany(
            "INSERT INTO playing VALUES (?, ?, ?, ?)",
            [(tournament, sitting.number, sitting.deals, json.dumps(sitting.members)) for sitting in playing],
        )

    def note_playing(self, tournament: int, playing: Iterable[Sitting]) -> None:
        """Note what is being played, for those who watch."""
        with self._transaction():
            self._set_playing(tournament, playing)

    def playing(self, tournament: int) -> list[tuple[range, list[int]]]:
        """The sittings that were being played when it was last noted: numbers of matches, and who plays."""
        with explained(self.path):
            rows = self._db.execute(
                "SELECT number, matches, entrants FROM playing WHERE tournament = ? ORDER BY number",
                [tournament],
            )
            return [(range(number, number + size), json.loads(entrants)) for number, size, entrants in rows]

    def again(self, tournament: StoredTournament) -> StoredTournament:
        """The tournament as the database knows it now."""
        with explained(self.path):
            return self._tournament(tournament.id)

    def _tournament(self, number: int) -> StoredTournament:
        return self._tournament_of(self._db.table("tournaments").get(number))

    def finish(self, tournament: int) -> None:
        """Note that every planned match is recorded."""
        with self._transaction():
            self._db.table("tournaments").update(tournament, {"finished": _now()})

    # Matches.

    def record(
        self, tournament: int, matches: Iterable[StoredMatch], playing: Iterable[Sitting] = ()
    ) -> None:
        """Record whole matches in one transaction, and what is being played next."""
        match_rows: list[tuple[Any, ...]] = []
        seat_rows: list[tuple[Any, ...]] = []
        note_rows: list[tuple[Any, ...]] = []
        log_rows: list[tuple[Any, ...]] = []
        for match in matches:
            record = match.record
            key = (tournament, record.number)
            match_rows.append((*key, match.deal, match.rotation, record.seed, "\n".join(record.actions)))
            seat_rows.extend(
                (*key, seat, *columns)
                for seat, columns in enumerate(
                    zip(
                        record.lineup,
                        record.scores,
                        record.ranks,
                        record.faults,
                        record.decisions,
                        record.think_us,
                        record.idle_us,
                        strict=True,
                    )
                )
            )
            note_rows.extend((*key, decision, note) for decision, note in record.notes.items())
            log_rows.extend((None, *key, *msgspec.structs.astuple(fault)) for fault in record.log)
        with self._transaction():
            insert = self._db.conn.executemany
            insert("INSERT INTO matches VALUES (?, ?, ?, ?, ?, ?)", match_rows)
            insert("INSERT INTO seats VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", seat_rows)
            insert("INSERT INTO notes VALUES (?, ?, ?, ?)", note_rows)
            insert("INSERT INTO logs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", log_rows)
            self._set_playing(tournament, playing)

    def recorded(self, tournament: int, numbers: range) -> set[int]:
        """Which of these matches are recorded."""
        with explained(self.path):
            rows = self._db.execute(
                "SELECT number FROM matches WHERE tournament = ? AND number >= ? AND number < ?",
                [tournament, numbers.start, numbers.stop],
            )
            return {number for (number,) in rows}

    def count(self, tournament: int) -> int:
        """How many matches are recorded."""
        with explained(self.path):
            found: int = self._db.execute(
                "SELECT count(*) FROM matches WHERE tournament = ?", [tournament]
            ).fetchone()[0]
            return found

    def matches(self, tournament: int) -> Iterator[StoredMatch]:
        """The recorded matches in schedule order, a page of them in memory at a time."""
        first = 0
        while page := self._page(tournament, first, _PAGE):
            yield from page
            first = page[-1].record.number + 1

    def match(self, tournament: StoredTournament, number: int) -> StoredMatch:
        """The recorded match of this number; raises StoreError if there is none."""
        page = self._page(tournament.id, max(min(number, _LARGEST_NUMBER), 0), 1)
        if not page or page[0].record.number != number:
            raise StoreError(
                f"{self.path}: {tournament.name} has no recorded match {number}; arena matches lists them"
            )
        return page[0]

    def _page(self, tournament: int, first: int, most: int) -> list[StoredMatch]:
        with explained(self.path):
            rows = self._db.execute(
                "SELECT number, deal, rotation, seed, actions FROM matches "
                "WHERE tournament = ? AND number >= ? ORDER BY number LIMIT ?",
                [tournament, first, most],
            ).fetchall()
            if not rows:
                return []
            within = (tournament, first, rows[-1][0])
            seats = self._by_number(
                "SELECT number, entrant, score, rank, fault, decisions, think_us, idle_us FROM seats",
                "seat",
                within,
            )
            notes = self._by_number("SELECT number, decision, note FROM notes", "decision", within)
            logs = self._by_number(
                f"SELECT number, {', '.join(Fault.__struct_fields__)} FROM logs", "id", within
            )
        return [
            StoredMatch(
                deal,
                rotation,
                _record_of(number, seed, actions, seats[number], notes.get(number, []), logs.get(number, [])),
            )
            for number, deal, rotation, seed, actions in rows
        ]

    def _by_number(
        self, select: str, order: str, within: tuple[int, int, int]
    ) -> dict[int, list[tuple[Any, ...]]]:
        """Rows of a table by match number, which is cut off them."""
        rows = self._db.execute(
            f"{select} WHERE tournament = ? AND number BETWEEN ? AND ? ORDER BY number, {order}", list(within)
        )
        return {number: [row[1:] for row in group] for number, group in groupby(rows, key=lambda row: row[0])}

    def results(self, tournament: int, numbers: range | None = None) -> Iterator[list[Result]]:
        """The results of every match (of these numbers) in schedule order, by seat."""
        first, last = (numbers.start, numbers.stop - 1) if numbers is not None else (0, _LARGEST_NUMBER)
        with explained(self.path):
            rows = self._db.execute(
                "SELECT number, entrant, score, rank, fault FROM seats WHERE tournament = ? "
                "AND number BETWEEN ? AND ? ORDER BY number, seat",
                [tournament, first, last],
            )
            for _, group in groupby(rows, key=lambda row: row[0]):
                yield [Result(*row[1:]) for row in group]

    def tallies(self, tournament: StoredTournament) -> list[Tally]:
        """Each entrant's matches in sums, in the order of the file."""
        tallies = [Tally() for _ in tournament.entrants]
        with explained(self.path):
            rows = self._db.execute(
                "SELECT entrant, count(*), sum(rank = 1), sum(rank), sum(score), count(fault), sum(idle_us) "
                "FROM seats WHERE tournament = ? GROUP BY entrant",
                [tournament.id],
            )
            for entrant, *sums in rows:
                tallies[entrant] = Tally(*sums)
        return tallies

    def last_faults(self, tournament: int, most: int) -> list[tuple[int, int, Fault]]:
        """The latest faults, the last first: match, entrant, and what it did."""
        with explained(self.path):
            rows = self._db.execute(
                f"SELECT number, entrant, {', '.join(f'logs.{name}' for name in Fault.__struct_fields__)} "
                "FROM logs JOIN seats USING (tournament, number, seat) WHERE tournament = ? "
                "ORDER BY logs.id DESC LIMIT ?",
                [tournament, most],
            )
            return [(number, entrant, _fault_of(columns)) for number, entrant, *columns in rows]


def _record_of(
    number: int,
    seed: str,
    actions: str,
    seats: list[tuple[Any, ...]],
    notes: list[tuple[Any, ...]],
    logs: list[tuple[Any, ...]],
) -> MatchRecord:
    lineup, scores, ranks, faults, decisions, think_us, idle_us = zip(*seats, strict=True)
    return MatchRecord(
        number=number,
        seed=seed,
        lineup=lineup,
        actions=actions.split("\n") if actions else [],
        scores=list(scores),
        ranks=list(ranks),
        faults=list(faults),
        decisions=list(decisions),
        think_us=list(think_us),
        idle_us=list(idle_us),
        notes=dict(notes),
        log=[_fault_of(log) for log in logs],
    )


def _fault_of(columns: Sequence[Any]) -> Fault:
    return msgspec.convert(dict(zip(Fault.__struct_fields__, columns, strict=True)), Fault, strict=False)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
