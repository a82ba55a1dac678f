"""An SQLite file of ours: opened, known by its marks, written in transactions, its errors explained."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import Final
from urllib.parse import quote

from sqlite_utils import Database

from arena.errors import StoreError

APPLICATION_ID: Final = 0x41524E41
"""Marks the file as ours: "ARNA"."""
SCHEMA_VERSION: Final = 2

_BUSY_S: Final = 60
"""How long to wait for another program that has locked the file."""
_LOOK_UP_S: Final = 0.25
"""How long SQLite waits for it by itself, deaf to signals."""
_KIND: Final = 0xFF
"""The part of SQLite's error codes that names the kind."""
_PAGE_BYTES: Final = 16_384
"""A row of over a quarter of a page spills into pages of its own; matches of Dragonkeepers did, at 4,096."""
_MENDS: Final = {
    sqlite3.SQLITE_FULL: "the disk is full; make room and give this command again, what was recorded is kept",
    sqlite3.SQLITE_IOERR: "the disk takes no more, or fails; mend that and give this command again, "
    "what was recorded is kept",
    sqlite3.SQLITE_READONLY: "may not be written; mend its rights or its folder's, or name another with --db",
    sqlite3.SQLITE_CANTOPEN: "can't be opened; mend its rights or its folder's, or name another with --db",
    sqlite3.SQLITE_CORRUPT: "is damaged; go on from a copy of it, or name another with --db",
    sqlite3.SQLITE_NOTADB: "is no database; name another with --db",
}
_SCHEMA: Final = """
CREATE TABLE bots (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, version TEXT NOT NULL, content TEXT NOT NULL,
    command TEXT NOT NULL, language TEXT NOT NULL, author TEXT NOT NULL,
    UNIQUE (name, version, content, command));
CREATE TABLE tournaments (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, seed TEXT NOT NULL, settings TEXT NOT NULL,
    planned INTEGER, engine TEXT NOT NULL, rules_hash TEXT NOT NULL,
    created TEXT NOT NULL, finished TEXT, runner TEXT);
CREATE TABLE entrants (
    tournament INTEGER NOT NULL REFERENCES tournaments, position INTEGER NOT NULL, name TEXT NOT NULL,
    bot INTEGER NOT NULL REFERENCES bots, PRIMARY KEY (tournament, position)) WITHOUT ROWID;
CREATE TABLE matches (
    tournament INTEGER NOT NULL, number INTEGER NOT NULL, deal INTEGER NOT NULL, rotation INTEGER NOT NULL,
    seed TEXT NOT NULL, actions TEXT NOT NULL, PRIMARY KEY (tournament, number)) WITHOUT ROWID;
CREATE TABLE seats (
    tournament INTEGER NOT NULL, number INTEGER NOT NULL, seat INTEGER NOT NULL, entrant INTEGER NOT NULL,
    score INTEGER NOT NULL, rank INTEGER NOT NULL, fault TEXT, decisions INTEGER NOT NULL,
    think_us INTEGER NOT NULL, idle_us INTEGER NOT NULL,
    PRIMARY KEY (tournament, number, seat)) WITHOUT ROWID;
CREATE TABLE notes (
    tournament INTEGER NOT NULL, number INTEGER NOT NULL, decision INTEGER NOT NULL, note TEXT NOT NULL,
    PRIMARY KEY (tournament, number, decision)) WITHOUT ROWID;
CREATE TABLE logs (
    id INTEGER PRIMARY KEY, tournament INTEGER NOT NULL, number INTEGER NOT NULL, seat INTEGER NOT NULL,
    kind TEXT NOT NULL, phase TEXT NOT NULL, turn INTEGER NOT NULL, text TEXT NOT NULL,
    forfeit INTEGER NOT NULL, limit_ms INTEGER NOT NULL, used_ms INTEGER NOT NULL,
    line TEXT NOT NULL, stderr TEXT NOT NULL);
CREATE TABLE playing (
    tournament INTEGER NOT NULL, number INTEGER NOT NULL, matches INTEGER NOT NULL, entrants TEXT NOT NULL,
    PRIMARY KEY (tournament, number)) WITHOUT ROWID;
CREATE INDEX logs_by_match ON logs (tournament, number)
"""


def open_for_writing(path: Path) -> Database:
    """Open the database, made anew if there is none; raises StoreError if the file is something else."""
    with explained(path):
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreError(
                f"{path}: its folder can't be made ({error.strerror}); name another file with --db"
            ) from None
        db = Database(sqlite3.connect(path, timeout=_LOOK_UP_S))
        try:
            _prepare(db, path)
        except BaseException:
            db.close()
            raise
        return db


def open_for_reading(path: Path) -> Database:
    """Open a database that exists; nothing in it will be changed."""
    with explained(path):
        if path.exists() and not path.is_file():
            raise StoreError(f"{path}: is no ordinary file; name another with --db")
        if not path.exists():
            raise StoreError(f"{path}: there is no database yet; arena run makes one, --db names another")
        db = Database(sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True, timeout=_BUSY_S))
        try:
            if _is_empty(db):
                raise StoreError(f"{path}: is empty; arena run fills it, --db names another")
            _check_identity(db, path)
        except BaseException:
            db.close()
            raise
        return db


@contextmanager
def transaction(db: Database, path: Path, while_locked: Callable[[], None]) -> Iterator[None]:
    """A transaction that writes, whole or not at all; it waits for another program to let go of the file.

    ``while_locked`` is called now and then meanwhile; what it raises ends the wait.
    """
    with explained(path):
        deadline = monotonic() + _BUSY_S
        while not _begins(db):
            while_locked()
            if monotonic() > deadline:
                raise StoreError(
                    f"{path}: another program has locked it for over {_BUSY_S} seconds; close that program, "
                    "and give this command again"
                )
        try:
            yield
            db.conn.commit()
        except BaseException:
            db.conn.rollback()
            raise


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Turn what SQLite and the file system say into one line with the file and the mend."""
    try:
        yield
    except sqlite3.IntegrityError as error:
        raise StoreError(
            f"{path}: a match is recorded already ({error}); is another arena run playing this tournament?"
        ) from None
    except sqlite3.Error as error:
        mend = _MENDS.get(getattr(error, "sqlite_errorcode", 0) & _KIND)
        raise StoreError(f"{path}: {mend or f'{error}; mend that, or name another file with --db'}") from None
    except OSError as error:
        raise StoreError(f"{path}: {error.strerror}; name another file with --db") from None


def _begins(db: Database) -> bool:
    try:
        db.conn.execute("BEGIN IMMEDIATE")
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode & _KIND != sqlite3.SQLITE_BUSY:
            raise
        return False
    return True


def _prepare(db: Database, path: Path) -> None:
    db.conn.execute(f"PRAGMA page_size = {_PAGE_BYTES}")
    with transaction(db, path, lambda: None):
        if _is_empty(db):
            for statement in _SCHEMA.split(";"):
                db.conn.execute(statement)
            db.conn.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            db.conn.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
    _check_identity(db, path)
    db.enable_wal()
    db.conn.execute("PRAGMA synchronous = NORMAL")


def _is_empty(db: Database) -> bool:
    return not db.table_names() and _pragma(db, "user_version") == 0


def _check_identity(db: Database, path: Path) -> None:
    if _pragma(db, "application_id") != APPLICATION_ID:
        raise StoreError(f"{path}: is a database of something else; name another with --db")
    version = _pragma(db, "user_version")
    if version != SCHEMA_VERSION:
        raise StoreError(
            f"{path}: has schema version {version}, this arena reads {SCHEMA_VERSION}; "
            "use the arena that wrote it, or another file with --db"
        )


def _pragma(db: Database, name: str) -> int:
    value: int = db.execute(f"PRAGMA {name}").fetchone()[0]
    return value
