"""Whoever writes waits for others, gives up when told to, and says in one line what file or disk refuses."""

import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event, Thread

import pytest
from conftest import apart
from sqlite_utils import Database
from test_store import enter, match, rows

from arena import database
from arena.database import explained, open_for_reading, open_for_writing, transaction
from arena.errors import StoreError
from arena.store import Store, StoredTournament

FULL = "the disk is full; make room and give this command again, what was recorded is kept"
READ_ONLY = "may not be written; mend its rights or its folder's, or name another with --db"
CLOSED = "can't be opened; mend its rights or its folder's, or name another with --db"
HOLDS = """
import sqlite3, sys
db = sqlite3.connect(sys.argv[1], isolation_level=None)
db.execute(sys.argv[2])
print("locked", flush=True)
sys.stdin.read()
db.execute("ROLLBACK")
"""
"""Locks a database until its stdin ends."""

how_to_lock = pytest.mark.parametrize("lock", ["BEGIN IMMEDIATE", "BEGIN EXCLUSIVE"])


class EnoughError(Exception):
    """What ends a wait."""


def give_up() -> None:
    raise EnoughError


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "arena.db"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    with Store.open_for_writing(path) as store:
        yield store


@pytest.fixture
def entered(store: Store) -> StoredTournament:
    """A tournament with a recorded match."""
    entered = enter(store)
    store.record(entered.id, [match(0)])
    return entered


@pytest.fixture
def plain(path: Path) -> Iterator[Database]:
    """A connection to a file that keeps a rollback journal, as none of ours does."""
    db = Database(sqlite3.connect(path, timeout=0))
    db.conn.execute("CREATE TABLE numbers (number INTEGER)")
    yield db
    db.close()


@contextmanager
def locked(path: Path, lock: str = "BEGIN IMMEDIATE") -> Iterator[Callable[[], None]]:
    """Another connection has locked the file; yields what lets go of it."""
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute(lock)
        yield lambda: other.execute("ROLLBACK") and None


# Locked by somebody else.


@how_to_lock
def test_when_the_lock_is_released_the_write_goes_through(
    store: Store, entered: StoredTournament, path: Path, lock: str
) -> None:
    calls = []
    with locked(path, lock) as release:

        def while_locked() -> None:
            calls.append(store.count(entered.id))
            if len(calls) == 3:
                release()

        store.while_locked = while_locked
        store.record(entered.id, [match(1)])
    assert calls == [1, 1, 1]
    assert store.recorded(entered.id, range(9)) == {0, 1}


@how_to_lock
def test_what_is_raised_while_it_is_locked_ends_the_wait_and_nothing_is_written(
    store: Store, entered: StoredTournament, path: Path, lock: str
) -> None:
    store.while_locked = give_up
    with locked(path, lock) as release:
        with pytest.raises(EnoughError):
            store.record(entered.id, [match(1)])
        with pytest.raises(EnoughError):
            store.finish(entered.id)
        assert store.count(entered.id) == 1
        release()
        store.record(entered.id, [match(1)])
    assert store.count(entered.id) == 2


def test_an_interrupt_while_it_is_locked_ends_the_wait(
    store: Store, entered: StoredTournament, path: Path
) -> None:
    store.while_locked = lambda: os.kill(os.getpid(), signal.SIGINT)
    with locked(path), pytest.raises(KeyboardInterrupt):
        store.record(entered.id, [match(1)])
    store.record(entered.id, [match(1)])


@pytest.mark.usefixtures("entered")
def test_without_a_lock_nobody_is_told_of_one(store: Store) -> None:
    store.while_locked = give_up
    store.record(store.tournament().id, [match(1)])


def test_a_lock_of_another_process_is_waited_for(store: Store, entered: StoredTournament, path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLDS, path, "BEGIN EXCLUSIVE"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdin is not None
        assert other.stdout is not None
        assert other.stdout.readline() == b"locked\n"
        store.while_locked = other.stdin.close
        store.record(entered.id, [match(1)])
        assert other.wait(60) == 0
    assert store.count(entered.id) == 2


def test_a_lock_of_another_process_ends_when_it_is_killed(
    store: Store, entered: StoredTournament, path: Path
) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLDS, path, "BEGIN IMMEDIATE"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"locked\n"
        store.while_locked = other.kill
        store.record(entered.id, [match(1)])
    assert store.count(entered.id) == 2


def test_a_lock_of_another_thread_is_waited_for(store: Store, entered: StoredTournament, path: Path) -> None:
    has_locked, is_waited_for = Event(), Event()

    def hold() -> None:
        with locked(path) as release:
            has_locked.set()
            is_waited_for.wait(60)
            release()

    other = Thread(target=hold)
    other.start()
    assert has_locked.wait(60)
    store.while_locked = is_waited_for.set
    store.record(entered.id, [match(1)])
    other.join()
    assert is_waited_for.is_set()
    assert store.count(entered.id) == 2


@how_to_lock
def test_a_file_with_a_rollback_journal_is_waited_for_too(plain: Database, path: Path, lock: str) -> None:
    calls = []
    with locked(path, lock) as release:

        def while_locked() -> None:
            calls.append(lock)
            if len(calls) == 3:
                release()

        with transaction(plain, path, while_locked):
            plain.conn.execute("INSERT INTO numbers VALUES (7)")
    assert calls == [lock] * 3
    assert plain.execute("SELECT number FROM numbers").fetchall() == [(7,)]


def test_the_wait_for_a_file_with_a_rollback_journal_can_be_ended(plain: Database, path: Path) -> None:
    with (
        locked(path, "BEGIN EXCLUSIVE"),
        pytest.raises(EnoughError),
        transaction(plain, path, give_up),
    ):
        plain.conn.execute("INSERT INTO numbers VALUES (7)")
    assert plain.execute("SELECT number FROM numbers").fetchall() == []
    with transaction(plain, path, give_up):
        plain.conn.execute("INSERT INTO numbers VALUES (8)")


def test_a_lock_that_is_never_released_is_told_with_the_mend(
    store: Store, entered: StoredTournament, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "_BUSY_S", 0)
    calls = []
    store.while_locked = lambda: calls.append(1)
    with locked(path), pytest.raises(StoreError) as raised:
        store.record(entered.id, [match(1)])
    assert str(raised.value) == (
        f"{path}: another program has locked it for over 0 seconds; close that program, "
        "and give this command again"
    )
    assert calls == [1]
    store.record(entered.id, [match(1)])


@pytest.mark.usefixtures("entered")
def test_a_file_that_is_locked_can_be_read(path: Path) -> None:
    with locked(path, "BEGIN EXCLUSIVE"), Store.open_for_reading(path) as reader:
        assert reader.count(reader.tournament().id) == 1


def test_a_signal_ends_the_wait_for_a_file_that_is_locked_while_it_is_opened(path: Path) -> None:
    Store.open_for_writing(path).close()
    before = signal.signal(signal.SIGALRM, lambda *_: give_up())
    try:
        signal.setitimer(signal.ITIMER_REAL, 1)
        with locked(path), pytest.raises(EnoughError):
            open_for_writing(path)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    open_for_writing(path).close()


# Whole, or not at all.


def test_what_is_raised_inside_a_transaction_undoes_it_and_is_raised(plain: Database, path: Path) -> None:
    def insert_and_give_up() -> None:
        with transaction(plain, path, lambda: None):
            plain.conn.execute("INSERT INTO numbers VALUES (7)")
            give_up()

    with pytest.raises(EnoughError):
        insert_and_give_up()
    assert not plain.conn.in_transaction
    assert plain.execute("SELECT number FROM numbers").fetchall() == []


def test_a_transaction_is_there_for_others_when_it_is_over_and_not_before(
    plain: Database, path: Path
) -> None:
    with closing(sqlite3.connect(path)) as other:
        with transaction(plain, path, give_up):
            plain.conn.execute("INSERT INTO numbers VALUES (7)")
            assert other.execute("SELECT number FROM numbers").fetchall() == []
        assert other.execute("SELECT number FROM numbers").fetchall() == [(7,)]


# A full disk.


def allow(store: Store, pages: int) -> None:
    """Let the file grow by so many pages, as if the disk had no room for more."""
    (used,) = store._db.execute("PRAGMA page_count").fetchone()
    store._db.execute(f"PRAGMA max_page_count = {used + pages}")


def test_a_full_disk_is_told_in_one_line_and_nothing_of_the_batch_is_recorded(
    store: Store, entered: StoredTournament, path: Path
) -> None:
    before = rows(path)
    batch = [match(number, actions=["x" * 200] * 50, notes={0: "n"}) for number in range(1, 200)]
    allow(store, 5)
    for _ in range(2):
        with pytest.raises(StoreError) as raised:
            store.record(entered.id, batch)
        assert str(raised.value) == f"{path}: {FULL}"
        assert rows(path) == before
        assert not store._db.conn.in_transaction
    assert list(store.matches(entered.id)) == [match(0)]


def test_after_a_full_disk_the_store_goes_on_with_what_fits_and_with_all_when_there_is_room(
    store: Store, entered: StoredTournament, path: Path
) -> None:
    batch = [match(number, actions=["x" * 200] * 50) for number in range(1, 200)]
    allow(store, 5)
    with pytest.raises(StoreError):
        store.record(entered.id, batch)
    store.record(entered.id, [match(1_000)])
    assert store.recorded(entered.id, range(2_000)) == {0, 1_000}
    allow(store, 10_000)
    store.record(entered.id, batch)
    assert list(store.matches(entered.id)) == [match(0), *batch, match(1_000)]
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def test_on_a_full_disk_no_tournament_is_entered_by_half(store: Store, path: Path) -> None:
    allow(store, 0)
    with pytest.raises(StoreError) as raised:
        enter(store, "league", *(f"{number} {'x' * 1_000}" for number in range(100)))
    assert str(raised.value) == f"{path}: {FULL}"
    assert store.tournaments() == []


# A file that may not be written.


@pytest.fixture
def shared() -> Iterator[Path]:
    """A folder that everybody may read, unlike those of pytest."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder
        folder.chmod(0o755)
        for path in folder.iterdir():
            path.chmod(0o755)


def become_nobody() -> None:
    """Give up the rights of root, to whom everything is permitted."""
    Database(memory=True).close()  # loads what it would load later, while it may still read it
    if os.getuid() == 0:
        os.setgroups([])
        os.setgid(65_534)
        os.setuid(65_534)


def try_as_nobody() -> None:
    """Prints what a user without rights is told when it enters a tournament in the file that argv names."""
    become_nobody()
    try:
        with Store.open_for_writing(Path(sys.argv[1])) as store:
            enter(store, "nobody's")
    except StoreError as error:
        print(error)


def read_as_nobody() -> None:
    """Prints the tournaments that a user without rights can read, or what it is told."""
    become_nobody()
    try:
        with Store.open_for_reading(Path(sys.argv[1])) as store:
            print([entry.name for entry in store.tournaments()])
    except StoreError as error:
        print(error)


@pytest.mark.parametrize(
    ("rights", "rights_of_folder", "told"),
    [(0o444, 0o777, READ_ONLY), (0o444, 0o555, READ_ONLY), (0o666, 0o555, READ_ONLY), (0, 0o777, CLOSED)],
    ids=["file", "both", "folder", "unreadable"],
)
def test_a_file_without_the_rights_is_told_in_one_line_and_left_alone(
    shared: Path, rights: int, rights_of_folder: int, told: str
) -> None:
    path = shared / "arena.db"
    with Store.open_for_writing(path) as store:
        entered = enter(store)
    path.chmod(rights)
    shared.chmod(rights_of_folder)
    assert apart(try_as_nobody, path) == f"{path}: {told}\n"
    shared.chmod(0o755)
    path.chmod(0o644)
    with Store.open_for_writing(path) as store:
        assert store.tournaments() == [entered]


def test_a_folder_in_which_nothing_may_be_made_is_told_in_one_line(shared: Path) -> None:
    shared.chmod(0o555)
    assert apart(try_as_nobody, shared / "arena.db") == f"{shared}/arena.db: {CLOSED}\n"
    assert apart(try_as_nobody, shared / "a" / "arena.db") == (
        f"{shared}/a/arena.db: its folder can't be made (Permission denied); name another file with --db\n"
    )


def test_with_the_rights_nobody_can_write_too(shared: Path) -> None:
    path = shared / "arena.db"
    Store.open_for_writing(path).close()
    path.chmod(0o666)
    shared.chmod(0o777)
    assert apart(try_as_nobody, path) == ""
    assert apart(read_as_nobody, path) == '["nobody\'s"]\n'


def test_a_file_that_may_not_be_written_can_be_read_where_its_folder_may(shared: Path) -> None:
    path = shared / "arena.db"
    with Store.open_for_writing(path) as store:
        enter(store)
    path.chmod(0o444)
    shared.chmod(0o777)
    assert apart(read_as_nobody, path) == "['league']\n"


def test_what_is_open_for_reading_is_told_to_be_read_only_and_nobody_waits(path: Path) -> None:
    Store.open_for_writing(path).close()
    reader = open_for_reading(path)
    with (
        closing(reader),
        pytest.raises(StoreError) as raised,
        transaction(reader, path, give_up),
    ):
        reader.conn.execute("DELETE FROM matches")
    assert str(raised.value) == f"{path}: {READ_ONLY}"


# Whatever else is said.


def test_an_error_that_has_no_words_of_ours_is_told_in_those_of_sqlite(plain: Database, path: Path) -> None:
    with pytest.raises(StoreError) as raised, explained(path):
        plain.conn.execute("SELECT * FROM nowhere")
    assert str(raised.value) == f"{path}: no such table: nowhere; mend that, or name another file with --db"


def test_an_error_of_the_file_system_is_told_in_its_words(path: Path) -> None:
    with pytest.raises(StoreError) as raised, explained(path):
        (path / "x").stat()
    assert str(raised.value) == f"{path}: No such file or directory; name another file with --db"


def test_what_is_no_error_of_the_file_is_raised_as_it_is(path: Path) -> None:
    with pytest.raises(EnoughError), explained(path):
        give_up()
