"""The SQLite database of bots, tournaments, matches, seats and logs; docs/database.md describes its tables.

One process writes, in transactions of whole sittings; any number read, and see only whole matches.
"""

import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path
from typing import Any, Final, NamedTuple, Self
from urllib.parse import quote

import msgspec
from sqlite_utils import Database

from arena.errors import StoreError
from arena.faults import Fault
from arena.holder import Holder, this_process
from arena.match import MatchRecord
from engine import Json

APPLICATION_ID: Final = 0x41524E41
"""Marks the file as ours: "ARNA"."""
SCHEMA_VERSION: Final = 1

_BUSY_S: Final = 60
_PAGE: Final = 500
_LARGEST_NUMBER: Final = 2**63 - 1
_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS bots (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, version TEXT NOT NULL, content TEXT NOT NULL,
    command TEXT NOT NULL, language TEXT NOT NULL, author TEXT NOT NULL,
    UNIQUE (name, version, content, command));
CREATE TABLE IF NOT EXISTS tournaments (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, seed TEXT NOT NULL, settings TEXT NOT NULL,
    planned INTEGER NOT NULL, engine TEXT NOT NULL, rules_hash TEXT NOT NULL,
    created TEXT NOT NULL, finished TEXT, runner TEXT);
CREATE TABLE IF NOT EXISTS entrants (
    tournament INTEGER NOT NULL REFERENCES tournaments, position INTEGER NOT NULL, name TEXT NOT NULL,
    bot INTEGER NOT NULL REFERENCES bots, PRIMARY KEY (tournament, position)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS matches (
    tournament INTEGER NOT NULL, number INTEGER NOT NULL, deal INTEGER NOT NULL, rotation INTEGER NOT NULL,
    seed TEXT NOT NULL, actions TEXT NOT NULL, PRIMARY KEY (tournament, number)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS seats (
    tournament INTEGER NOT NULL, number INTEGER NOT NULL, seat INTEGER NOT NULL, entrant INTEGER NOT NULL,
    score INTEGER NOT NULL, rank INTEGER NOT NULL, fault TEXT, decisions INTEGER NOT NULL,
    think_us INTEGER NOT NULL, PRIMARY KEY (tournament, number, seat)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS notes (
    tournament INTEGER NOT NULL, number INTEGER NOT NULL, decision INTEGER NOT NULL, note TEXT NOT NULL,
    PRIMARY KEY (tournament, number, decision)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS logs (
    id INTEGER PRIMARY KEY, tournament INTEGER NOT NULL, number INTEGER NOT NULL, seat INTEGER NOT NULL,
    kind TEXT NOT NULL, phase TEXT NOT NULL, turn INTEGER NOT NULL, text TEXT NOT NULL,
    forfeit INTEGER NOT NULL, limit_ms INTEGER NOT NULL, used_ms INTEGER NOT NULL,
    line TEXT NOT NULL, stderr TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS logs_by_match ON logs (tournament, number);
"""


@dataclass(frozen=True, slots=True)
class StoredTournament:
    """A tournament as the database knows it."""

    id: int
    name: str
    seed: str
    settings: dict[str, Json]
    planned: int
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


class Result(NamedTuple):
    """What a match was for one entrant: by position in the tournament, score, rank, and kind of fault."""

    entrant: int
    score: int
    rank: int
    fault: str | None


class Store:
    """An open database. Every method raises StoreError if the file fails it."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self._db = Database(connection)

    @classmethod
    def open_for_writing(cls, path: Path) -> Self:
        """Open the database, made anew if there is none; raises StoreError if the file is something else."""
        with _explained(path):
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise StoreError(
                    f"{path}: its folder can't be made ({error.strerror}); name another file with --db"
                ) from None
            store = cls(path, sqlite3.connect(path, timeout=_BUSY_S))
            try:
                store._prepare()
            except BaseException:
                store.close()
                raise
            return store

    @classmethod
    def open_for_reading(cls, path: Path) -> Self:
        """Open a database that exists; nothing in it will be changed."""
        with _explained(path):
            if path.exists() and not path.is_file():
                raise StoreError(f"{path}: is no ordinary file; name another with --db")
            if not path.exists():
                raise StoreError(f"{path}: there is no database yet; arena run makes one, --db names another")
            connection = sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True, timeout=_BUSY_S)
            store = cls(path, connection)
            try:
                if store._is_empty():
                    raise StoreError(f"{path}: is empty; arena run fills it, --db names another")
                store._check_identity()
            except BaseException:
                store.close()
                raise
            return store

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def _is_empty(self) -> bool:
        return not self._db.table_names() and self._pragma("user_version") == 0

    def _prepare(self) -> None:
        if self._is_empty():
            self._db.conn.executescript(
                f"BEGIN IMMEDIATE;{_SCHEMA}"
                f"PRAGMA application_id = {APPLICATION_ID};PRAGMA user_version = {SCHEMA_VERSION};COMMIT;"
            )
        self._check_identity()
        self._db.enable_wal()
        self._db.conn.execute("PRAGMA synchronous = NORMAL")

    def _check_identity(self) -> None:
        if self._pragma("application_id") != APPLICATION_ID:
            raise StoreError(f"{self.path}: is a database of something else; name another with --db")
        version = self._pragma("user_version")
        if version != SCHEMA_VERSION:
            raise StoreError(
                f"{self.path}: has schema version {version}, this arena reads {SCHEMA_VERSION}; "
                "use the arena that wrote it, or another file with --db"
            )

    def _pragma(self, name: str) -> int:
        value: int = self._db.execute(f"PRAGMA {name}").fetchone()[0]
        return value

    # Tournaments.

    def add_tournament(
        self,
        settings: dict[str, Json],
        seed: str,
        planned: int,
        engine: str,
        rules_hash: str,
        bots: Sequence[dict[str, Json]],
    ) -> StoredTournament:
        """Enter a tournament and its bots (name, version, content, command, language, author), in order."""
        with _explained(self.path), self._db.atomic():
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
        with _explained(self.path):
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
        holder = this_process()
        with _explained(self.path):
            self._db.conn.execute("BEGIN IMMEDIATE")
            try:
                other = self._tournament(tournament.id).runner
                if other is not None and other.is_alive():
                    raise StoreError(
                        f"{self.path}: {tournament.name} is being played by process {other.pid} since "
                        f"{other.since}; wait for it, or stop it and give this command again"
                    )
                self._set_runner(tournament, msgspec.json.encode(holder).decode())
            finally:
                self._db.commit()
        try:
            yield
        finally:
            with _explained(self.path), self._db.atomic():
                self._set_runner(tournament, None)

    def _set_runner(self, tournament: StoredTournament, runner: str | None) -> None:
        self._db.execute("UPDATE tournaments SET runner = ? WHERE id = ?", [runner, tournament.id])

    def _tournament(self, number: int) -> StoredTournament:
        return self._tournament_of(self._db.table("tournaments").get(number))

    def finish(self, tournament: int) -> None:
        """Note that every planned match is recorded."""
        with _explained(self.path), self._db.atomic():
            self._db.table("tournaments").update(tournament, {"finished": _now()})

    # Matches.

    def record(self, tournament: int, matches: Iterable[StoredMatch]) -> None:
        """Record whole matches in one transaction."""
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
                        strict=True,
                    )
                )
            )
            note_rows.extend((*key, decision, note) for decision, note in record.notes.items())
            log_rows.extend((None, *key, *msgspec.structs.astuple(fault)) for fault in record.log)
        with _explained(self.path), self._db.atomic():
            insert = self._db.conn.executemany
            insert("INSERT INTO matches VALUES (?, ?, ?, ?, ?, ?)", match_rows)
            insert("INSERT INTO seats VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", seat_rows)
            insert("INSERT INTO notes VALUES (?, ?, ?, ?)", note_rows)
            insert("INSERT INTO logs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", log_rows)

    def recorded(self, tournament: int, numbers: range) -> set[int]:
        """Which of these matches are recorded."""
        with _explained(self.path):
            rows = self._db.execute(
                "SELECT number FROM matches WHERE tournament = ? AND number >= ? AND number < ?",
                [tournament, numbers.start, numbers.stop],
            )
            return {number for (number,) in rows}

    def count(self, tournament: int) -> int:
        """How many matches are recorded."""
        with _explained(self.path):
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
        with _explained(self.path):
            rows = self._db.execute(
                "SELECT number, deal, rotation, seed, actions FROM matches "
                "WHERE tournament = ? AND number >= ? ORDER BY number LIMIT ?",
                [tournament, first, most],
            ).fetchall()
            if not rows:
                return []
            within = (tournament, first, rows[-1][0])
            seats = self._by_number(
                "SELECT number, entrant, score, rank, fault, decisions, think_us FROM seats", "seat", within
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

    def results(self, tournament: int) -> Iterator[list[Result]]:
        """The results of every match in schedule order, by seat: all that ratings are made of."""
        with _explained(self.path):
            rows = self._db.execute(
                "SELECT number, entrant, score, rank, fault FROM seats WHERE tournament = ? "
                "ORDER BY number, seat",
                [tournament],
            )
            for _, group in groupby(rows, key=lambda row: row[0]):
                yield [Result(*row[1:]) for row in group]


def _record_of(
    number: int,
    seed: str,
    actions: str,
    seats: list[tuple[Any, ...]],
    notes: list[tuple[Any, ...]],
    logs: list[tuple[Any, ...]],
) -> MatchRecord:
    lineup, scores, ranks, faults, decisions, think_us = zip(*seats, strict=True)
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
        notes=dict(notes),
        log=[
            msgspec.convert(dict(zip(Fault.__struct_fields__, log, strict=True)), Fault, strict=False)
            for log in logs
        ],
    )


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    """Turn what SQLite and the file system say into one line with the file and the mend."""
    try:
        yield
    except sqlite3.IntegrityError as error:
        raise StoreError(
            f"{path}: a match is recorded already ({error}); is another arena run playing this tournament?"
        ) from None
    except sqlite3.Error as error:
        raise StoreError(f"{path}: {error}; mend that, or name another file with --db") from None
    except OSError as error:
        raise StoreError(f"{path}: {error.strerror}; name another file with --db") from None
