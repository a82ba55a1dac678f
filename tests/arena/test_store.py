"""The database keeps what was played, whole or not at all, and knows itself from every other file."""

import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from random import Random

import msgspec
import pytest

from arena.database import APPLICATION_ID, SCHEMA_VERSION
from arena.errors import StoreError
from arena.faults import Fault
from arena.match import MatchRecord
from arena.plan import Result
from arena.schedule import Sitting
from arena.store import Store, StoredMatch, StoredTournament
from arena.tally import Tally
from engine import Json


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "arena.db"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    with Store.open_for_writing(path) as store:
        yield store


def enter(store: Store, name: str = "league", *bots: str, **settings: Json) -> StoredTournament:
    """Enter a tournament of bots, all of version 1."""
    return store.add_tournament(
        {"name": name, **settings},
        "2026",
        100,
        "engine 1",
        "hash of rules",
        [
            {
                "entrant": bot,
                "name": bot,
                "version": "1",
                "content": f"content of {bot}",
                "command": ["{python}", "main.py"],
                "language": "python",
                "author": "",
            }
            for bot in bots or ("ada", "bob")
        ],
    )


FAULT = Fault(
    seat=1,
    kind="bad_json",
    phase="decide",
    turn=3,
    text="not JSON: „hm“",
    forfeit=True,
    limit_ms=3_000,
    used_ms=12,
    line="\\xff\0\x1b[2J",
    stderr="Traceback …\n  line 1\n",
)


ALONE: dict[str, Json] = {
    "lineup": (0,),
    "scores": [1],
    "ranks": [1],
    "faults": [None],
    "decisions": [9],
    "think_us": [7],
    "idle_us": [0],
}
"""What a match of a single player says."""


REMOVED = (
    "was removed or replaced while it was in use; put it back and give this command again, or begin anew "
    "with another file"
)


def fault(**fields: Json) -> Fault:
    """The fault of this file; ``fields`` replace what it says."""
    return msgspec.structs.replace(FAULT, **fields)


def match(number: int, **fields: Json) -> StoredMatch:
    """A match of two; ``fields`` replace what its record says."""
    record: dict[str, Json] = {
        "number": number,
        "seed": f"seed {number}",
        "lineup": (0, 1),
        "actions": ["reveal", "stop", "decline"],
        "scores": [41, 39],
        "ranks": [1, 2],
        "faults": [None, None],
        "decisions": [2, 1],
        "think_us": [1_500, 0],
        "idle_us": [0, 7],
        "notes": {},
        "log": [],
    }
    return StoredMatch(deal=number // 2, rotation=number % 2, record=MatchRecord(**(record | fields)))


def error_of(path: Path, *, writing: bool = False) -> str:
    """Why a file can't be opened, without its name, which must stand first; one printable line."""
    with pytest.raises(StoreError) as raised:
        (Store.open_for_writing if writing else Store.open_for_reading)(path)
    message = str(raised.value)
    assert message.isprintable()
    assert message.startswith(f"{path}: ")
    return message.removeprefix(f"{path}: ")


both_ways = pytest.mark.parametrize("writing", [False, True], ids=["reading", "writing"])


# What is a database of ours.


def test_a_new_database_is_made_with_the_folders_it_needs(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "arena.db"
    Store.open_for_writing(path).close()
    Store.open_for_reading(path).close()


@pytest.mark.usefixtures("store")
def test_a_database_says_whose_it_is_and_by_which_schema(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db:
        marks = [db.execute(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version")]
    assert marks == [APPLICATION_ID, SCHEMA_VERSION]
    assert APPLICATION_ID.to_bytes(4) == b"ARNA"


def test_a_database_is_opened_again_with_all_that_it_held(path: Path) -> None:
    with Store.open_for_writing(path) as store:
        entered = enter(store)
    with Store.open_for_writing(path) as store:
        assert store.tournaments() == [entered]


@pytest.mark.parametrize("name", ["a b.db", "what?.db", "no#1.db", "100%25.db", "größe.db", "-v.db", "'.db"])
def test_a_database_may_be_called_anything(tmp_path: Path, name: str) -> None:
    with Store.open_for_writing(tmp_path / name) as store:
        enter(store)
    with Store.open_for_reading(tmp_path / name) as store:
        assert store.tournament().name == "league"
    assert (tmp_path / name).is_file()


def test_reading_needs_a_database_that_is_there_and_makes_none(path: Path) -> None:
    assert error_of(path) == "there is no database yet; arena run makes one, --db names another"
    assert not path.exists()


def test_an_empty_file_can_t_be_read_and_may_become_a_database(path: Path) -> None:
    path.touch()
    assert error_of(path) == "is empty; arena run fills it, --db names another"
    Store.open_for_writing(path).close()
    Store.open_for_reading(path).close()


@both_ways
def test_a_file_that_is_no_database_is_refused_and_left_alone(path: Path, writing: bool) -> None:
    path.write_text("Dear diary, " * 100)
    assert error_of(path, writing=writing) == "is no database; name another with --db"
    assert path.read_text() == "Dear diary, " * 100


@both_ways
def test_a_database_of_something_else_is_refused_and_left_alone(path: Path, writing: bool) -> None:
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE bots (name TEXT)")
    before = path.read_bytes()
    told = error_of(path, writing=writing)
    assert told == "is a database of something else; name another with --db"
    assert path.read_bytes() == before


@both_ways
@pytest.mark.parametrize("version", [SCHEMA_VERSION + 1, 0])
def test_a_database_of_another_schema_is_refused_and_left_alone(
    path: Path, writing: bool, version: int
) -> None:
    Store.open_for_writing(path).close()
    with closing(sqlite3.connect(path)) as db:
        db.execute(f"PRAGMA user_version = {version}")
    told = error_of(path, writing=writing)
    assert told.startswith(f"has schema version {version}, this arena reads {SCHEMA_VERSION}; ")
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (version,)


@both_ways
def test_a_folder_in_place_of_a_database_is_refused(tmp_path: Path, writing: bool) -> None:
    assert "--db" in error_of(tmp_path, writing=writing)


@both_ways
def test_a_path_that_is_too_long_is_refused(tmp_path: Path, writing: bool) -> None:
    assert "--db" in error_of(tmp_path / ("x" * 5_000), writing=writing)


def test_a_database_can_t_lie_inside_a_file(path: Path) -> None:
    path.touch()
    assert "--db" in error_of(path / "arena.db", writing=True)


def test_what_is_open_for_reading_can_t_be_written(path: Path, store: Store) -> None:
    entered = enter(store)
    with Store.open_for_reading(path) as reader, pytest.raises(StoreError) as raised:
        reader.record(entered.id, [match(0)])
    assert str(raised.value) == (
        f"{path}: may not be written; mend its rights or its folder's, or name another with --db"
    )
    assert store.count(entered.id) == 0


# Tournaments.


def test_a_tournament_is_read_back_as_it_was_entered(store: Store) -> None:
    settings = {"deals": 3, "rules": {"bounty": [1, 2], "takes_all": True}, "seed": None, "bots": ["größe"]}
    entered = enter(store, "Liga der Größe", "bob", "ada", **settings)
    assert store.tournament() == entered
    assert entered.settings == {"name": "Liga der Größe", **settings}
    assert (entered.name, entered.seed, entered.planned) == ("Liga der Größe", "2026", 100)
    assert (entered.engine, entered.rules_hash) == ("engine 1", "hash of rules")
    assert (entered.entrants, entered.finished) == (("bob", "ada"), None)


def test_a_new_tournament_is_no_other_whatever_it_is_called(store: Store) -> None:
    first, second = enter(store, "2"), enter(store, "league")
    assert (first.name, second.name) == ("2", "league")
    assert first.id != second.id


def test_a_bot_that_enters_two_tournaments_is_kept_once(store: Store, path: Path) -> None:
    enter(store, "one", "ada", "bob")
    enter(store, "two", "bob", "cyd")
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("SELECT name FROM bots ORDER BY name").fetchall() == [("ada",), ("bob",), ("cyd",)]


def test_a_bot_that_is_started_otherwise_is_another_bot(store: Store, path: Path) -> None:
    bot = {"entrant": "ada", "name": "ada", "version": "1", "content": "", "language": "", "author": ""}
    for name, command in [("one", ["./bot"]), ("two", ["./bot", "-v"]), ("three", ["./bot"])]:
        store.add_tournament({"name": name}, "2026", 1, "e", "h", [{**bot, "command": command}])
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("SELECT command FROM bots ORDER BY id").fetchall() == [
            ('["./bot"]',),
            ('["./bot", "-v"]',),
        ]


def test_an_entrant_is_bound_to_its_bot(store: Store, path: Path) -> None:
    enter(store, "one", "ada", "bob")
    enter(store, "two", "bob", "ada")
    with closing(sqlite3.connect(path)) as db:
        bound = db.execute("SELECT e.name = b.name FROM entrants e JOIN bots b ON e.bot = b.id").fetchall()
    assert bound == [(1,)] * 4


def test_without_a_name_the_latest_tournament_is_meant(store: Store) -> None:
    enter(store, "one")
    latest = enter(store, "two")
    assert store.tournament() == latest


def test_by_name_the_latest_of_that_name_is_meant(store: Store) -> None:
    enter(store, "one")
    second = enter(store, "one", "ada", "cyd")
    enter(store, "two")
    assert store.tournament("one") == second


def test_a_tournament_goes_by_its_number_too(store: Store) -> None:
    first = enter(store, "one")
    enter(store, "one")
    assert store.tournament(str(first.id)) == first


def test_a_name_counts_before_a_number(store: Store) -> None:
    first = enter(store, "one")
    named = enter(store, str(first.id))
    assert store.tournament(str(first.id)) == named


def test_a_tournament_that_is_not_there_is_told_with_those_that_are(store: Store, path: Path) -> None:
    enter(store, "one")
    enter(store, "two")
    enter(store, "one")
    with pytest.raises(StoreError) as raised:
        store.tournament("three")
    assert (
        str(raised.value)
        == f"{path}: holds no tournament 'three'; it holds one (no. 1), two (no. 2), one (no. 3)"
    )


def test_a_database_without_a_tournament_says_so(store: Store, path: Path) -> None:
    with pytest.raises(StoreError) as raised:
        store.tournament()
    assert str(raised.value) == f"{path}: holds no tournament yet; play one with arena run"


def test_tournaments_are_listed_from_the_latest_on_and_by_name(store: Store) -> None:
    first, second, third = enter(store, "one"), enter(store, "two"), enter(store, "one")
    assert store.tournaments() == [third, second, first]
    assert store.tournaments("one") == [third, first]
    assert store.tournaments("three") == []


def test_a_tournament_without_end_has_no_number_of_matches(store: Store) -> None:
    entered = store.add_tournament({"name": "ladder"}, "2026", None, "e", "h", [])
    assert entered.planned is None
    assert store.tournament() == entered


def test_a_finished_tournament_is_marked_and_no_other(store: Store) -> None:
    first, second = enter(store, "one"), enter(store, "two")
    store.finish(first.id)
    assert store.tournament("one").finished is not None
    assert store.tournament("two") == second


# Who plays it.


def test_a_tournament_is_held_by_this_process_while_it_is_played_and_by_nobody_afterwards(
    store: Store,
) -> None:
    entered = enter(store)
    store.record(entered.id, [match(0), match(1)])
    with store.held(entered):
        runner = store.tournament().runner
        assert runner is not None
        assert (runner.pid, runner.recorded, runner.is_alive()) == (os.getpid(), 2, True)
    assert store.tournament() == entered
    assert entered.runner is None


def test_a_tournament_that_is_played_is_refused_to_everybody_else(store: Store, path: Path) -> None:
    entered, other = enter(store, "one"), enter(store, "two")
    with store.held(entered), Store.open_for_writing(path) as second:
        held = second.tournament("one")
        assert held.runner is not None
        with pytest.raises(StoreError) as refused:
            second.refuse_if_played(held)
        assert str(refused.value) == (
            f"{path}: one is being played by process {os.getpid()} since {held.runner.since}; "
            "wait for it, or stop it and give this command again"
        )
        # Whether it is played is asked of the file: what was read before may be old.
        with pytest.raises(StoreError) as again, second.held(entered):
            pass
        assert str(again.value) == str(refused.value)
        assert store.tournament("one") == held
        second.refuse_if_played(second.tournament("two"))
        with second.held(other):
            pass
    store.refuse_if_played(store.tournament("one"))


def test_a_tournament_whose_process_has_died_may_be_played(store: Store) -> None:
    entered = enter(store)
    code = (
        "import os, pathlib, sys\n"
        "from arena.store import Store\n"
        "store = Store.open_for_writing(pathlib.Path(sys.argv[1]))\n"
        "with store.held(store.tournament()):\n"
        "    os._exit(0)\n"
    )
    subprocess.run([sys.executable, "-c", code, store.path], check=True, timeout=60)
    left = store.tournament()
    assert left.runner is not None
    store.refuse_if_played(left)
    with store.held(left):
        runner = store.tournament().runner
        assert runner is not None
        assert runner.pid == os.getpid()
    assert store.tournament() == entered


# What is being played.


def sitting(number: int, deals: int, *members: int) -> Sitting:
    return Sitting(number, number // 2, deals, 0, members, 0)


def test_what_is_played_next_is_noted_with_a_record_in_the_order_of_its_matches(store: Store) -> None:
    entered = enter(store)
    assert store.playing(entered.id) == []
    store.record(entered.id, [match(0)], [sitting(9, 1, 0), sitting(1, 4, 1, 0)])
    assert store.playing(entered.id) == [(range(1, 5), [1, 0]), (range(9, 10), [0])]


def test_what_is_played_replaces_what_was(store: Store) -> None:
    entered = enter(store)
    store.record(entered.id, [match(0)], [sitting(1, 4, 0, 1), sitting(9, 1, 0)])
    store.record(entered.id, [match(1)], iter([sitting(9, 1, 0)]))
    assert store.playing(entered.id) == [(range(9, 10), [0])]
    store.record(entered.id, [], [sitting(5, 2, 0, 1)])
    assert store.playing(entered.id) == [(range(5, 7), [0, 1])]
    store.record(entered.id, [match(9)])
    assert store.playing(entered.id) == []


def test_what_is_played_can_be_noted_without_a_match(store: Store) -> None:
    entered = enter(store)
    store.note_playing(entered.id, [sitting(1, 4, 0, 1)])
    assert store.playing(entered.id) == [(range(1, 5), [0, 1])]
    assert store.count(entered.id) == 0
    store.note_playing(entered.id, [])
    assert store.playing(entered.id) == []


def test_what_is_played_of_two_tournaments_does_not_mix(store: Store) -> None:
    first, second = enter(store, "one"), enter(store, "two")
    store.record(first.id, [match(0)], [sitting(1, 1, 0, 1)])
    store.record(second.id, [match(0)], [sitting(2, 1, 1, 0)])
    assert store.playing(first.id) == [(range(1, 2), [0, 1])]
    store.record(second.id, [match(2)])
    assert store.playing(first.id) == [(range(1, 2), [0, 1])]


def test_with_matches_that_are_not_recorded_what_is_played_is_not_noted(store: Store) -> None:
    entered = enter(store)
    store.record(entered.id, [match(0)], [sitting(1, 1, 0, 1)])
    with pytest.raises(StoreError):
        store.record(entered.id, [match(0)], [sitting(2, 1, 0, 1)])
    assert store.playing(entered.id) == [(range(1, 2), [0, 1])]


def test_nothing_is_played_when_nobody_holds_the_tournament_or_somebody_begins(store: Store) -> None:
    entered = enter(store)
    store.record(entered.id, [match(0)], [sitting(1, 1, 0, 1)])  # as if killed
    with store.held(entered):
        assert store.playing(entered.id) == []
        store.record(entered.id, [match(1)], [sitting(2, 1, 0, 1)])
        assert store.playing(entered.id) == [(range(2, 3), [0, 1])]
    assert store.playing(entered.id) == []


# Matches.


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"actions": [], "decisions": [0, 0]},
        {"actions": ["a b"]},
        {"actions": ["x" * 200] * 500},
        {"notes": {0: "bold", 2: "Größe 🐉\0\n"}},
        {"faults": [None, "bad_json"], "log": [FAULT]},
        {"log": [FAULT, FAULT, fault()]},
        {"scores": [-5, 2**53]},
        {"lineup": (1, 0), "ranks": [1, 1], "seed": ""},
        ALONE,
        {"idle_us": [0, 2**40], "think_us": [2**40, 0]},
    ],
    ids=[
        "plain",
        "no-actions",
        "space",
        "long",
        "notes",
        "fault",
        "faults",
        "scores",
        "seats",
        "alone",
        "times",
    ],
)
def test_a_match_is_read_back_as_it_was_recorded(store: Store, fields: dict[str, Json]) -> None:
    entered = enter(store)
    recorded = match(7, **fields)
    store.record(entered.id, [recorded])
    assert store.match(entered, 7) == recorded
    assert list(store.matches(entered.id)) == [recorded]


def test_a_tolerated_fault_is_read_back_as_one(store: Store) -> None:
    entered = enter(store)
    store.record(entered.id, [match(0, log=[fault(forfeit=False)])])
    assert store.match(entered, 0).record.log[0].forfeit is False


def test_matches_are_read_in_schedule_order_however_they_came(store: Store) -> None:
    entered = enter(store)
    for number in (5, 0, 3):
        store.record(entered.id, [match(number)])
    assert list(store.matches(entered.id)) == [match(0), match(3), match(5)]


def test_more_matches_than_fit_a_page_are_read_without_a_seam(store: Store) -> None:
    entered = enter(store)
    numbers = [number for number in range(1_700) if number % 3]
    logs = {number: [FAULT] * (number % 4) for number in numbers}
    store.record(entered.id, [match(number, log=logs[number], notes={0: str(number)}) for number in numbers])
    read = list(store.matches(entered.id))
    assert [found.record.number for found in read] == numbers
    assert [found.record.notes[0] for found in read] == [str(number) for number in numbers]
    assert [found.record.log for found in read] == list(logs.values())


def test_the_matches_of_two_tournaments_don_t_mix(store: Store) -> None:
    first, second = enter(store, "one"), enter(store, "two")
    store.record(first.id, [match(0), match(1, notes={0: "first"})])
    store.record(second.id, [match(1, notes={0: "second"}, log=[FAULT])])
    assert list(store.matches(second.id)) == [match(1, notes={0: "second"}, log=[FAULT])]
    assert store.match(first, 1) == match(1, notes={0: "first"})
    assert (store.count(first.id), store.count(second.id)) == (2, 1)


def test_a_match_that_is_not_recorded_is_told(store: Store, path: Path) -> None:
    entered = enter(store)
    store.record(entered.id, [match(0), match(2)])
    with pytest.raises(StoreError) as raised:
        store.match(entered, 1)
    assert str(raised.value) == f"{path}: league has no recorded match 1; arena matches lists them"


@pytest.mark.parametrize("number", [-1, 2**53, 2**63, 10**30, -(10**30)])
def test_a_number_that_no_match_can_have_is_told_like_any_other(store: Store, number: int) -> None:
    with pytest.raises(StoreError, match=f"has no recorded match {number};"):
        store.match(enter(store), number)


def test_which_of_a_range_are_recorded(store: Store) -> None:
    entered = enter(store)
    store.record(entered.id, [match(number) for number in (0, 4, 5, 9)])
    assert store.recorded(entered.id, range(4, 9)) == {4, 5}
    assert store.recorded(entered.id, range(2**53, 2**53 + 25)) == set()


def test_results_are_all_seats_of_a_match_at_a_time_in_schedule_order(store: Store) -> None:
    entered = enter(store)
    store.record(entered.id, [match(2, lineup=(1, 0), faults=["crash", None]), match(0)])
    assert list(store.results(entered.id)) == [
        [Result(0, 41, 1, None), Result(1, 39, 2, None)],
        [Result(1, 41, 1, "crash"), Result(0, 39, 2, None)],
    ]


def test_results_of_a_range_are_those_of_its_matches_as_far_as_they_are_recorded(store: Store) -> None:
    entered, other = enter(store), enter(store, "other")
    store.record(entered.id, [match(number, scores=[number, 0]) for number in (0, 3, 4, 7, 8)])
    store.record(other.id, [match(5)])

    def numbers(of: range) -> list[int]:
        return [seats[0].score for seats in store.results(entered.id, of)]

    assert numbers(range(3, 8)) == [3, 4, 7]
    assert numbers(range(4)) == [0, 3]
    assert numbers(range(1, 3)) == numbers(range(3, 3)) == numbers(range(0)) == []
    assert numbers(range(2**53)) == [0, 3, 4, 7, 8]
    assert list(store.results(entered.id, range(3, 4))) == [[Result(0, 3, 1, None), Result(1, 0, 2, None)]]


def test_tallies_are_the_matches_of_every_entrant_in_sums(store: Store) -> None:
    entered, other = enter(store, "league", "ada", "bob", "cyd", "dan"), enter(store, "other")
    store.record(
        entered.id,
        [
            match(0, idle_us=[5, 6]),  # 41 to 39
            match(1, lineup=(1, 0), scores=[-3, 8], ranks=[2, 1], faults=["crash", None], idle_us=[1, 2]),
            match(2, lineup=(3, 0), scores=[4, 4], ranks=[1, 1], idle_us=[0, 10_000]),
            match(3, **ALONE | {"lineup": (3,), "scores": [9], "faults": ["timeout"]}),
        ],
    )
    store.record(other.id, [match(0)])
    assert store.tallies(entered) == [
        Tally(matches=3, wins=3, ranks=3, scores=41 + 8 + 4, faults=0, idle_us=5 + 2 + 10_000),
        Tally(matches=2, wins=0, ranks=4, scores=39 - 3, faults=1, idle_us=6 + 1),
        Tally(),
        Tally(matches=2, wins=2, ranks=2, scores=13, faults=1, idle_us=0),
    ]


def test_tallies_agree_with_the_results_one_by_one(store: Store) -> None:
    entered = enter(store, "league", "ada", "bob", "cyd")
    chance = Random(1)
    store.record(
        entered.id,
        [
            match(
                number,
                lineup=tuple(chance.sample(range(3), 2)),
                scores=[chance.randint(-9, 9), chance.randint(-9, 9)],
                ranks=[chance.randint(1, 2), chance.randint(1, 2)],
                faults=[chance.choice([None, "crash"]), chance.choice([None, "timeout"])],
                idle_us=[0, 0],
            )
            for number in range(50)
        ],
    )
    tallies = [Tally() for _ in entered.entrants]
    for seats in store.results(entered.id):
        for result in seats:
            tallies[result.entrant].add(result)
    assert store.tallies(entered) == tallies


def test_before_a_match_tallies_are_of_nothing(store: Store) -> None:
    assert store.tallies(enter(store)) == [Tally(), Tally()]


def test_the_last_faults_are_told_the_last_first_with_match_and_entrant(store: Store) -> None:
    entered, other = enter(store), enter(store, "other")
    first, second, third = fault(turn=1), fault(seat=0, kind="crash", turn=2), fault(turn=3, forfeit=False)
    assert store.last_faults(entered.id, 10) == []
    store.record(entered.id, [match(8, log=[first, second])])
    store.record(other.id, [match(9, log=[FAULT])])
    store.record(entered.id, [match(3, lineup=(1, 0), log=[third]), match(4)])
    assert store.last_faults(entered.id, 10) == [(3, 0, third), (8, 0, second), (8, 1, first)]
    assert store.last_faults(entered.id, 2) == [(3, 0, third), (8, 0, second)]
    assert store.last_faults(entered.id, 0) == []


def test_a_tournament_without_matches_has_no_results(store: Store) -> None:
    entered = enter(store)
    assert list(store.results(entered.id)) == list(store.matches(entered.id)) == []
    assert store.count(entered.id) == 0


# Whole, or not at all.


def rows(path: Path) -> dict[str, int]:
    """How many rows the tables of matches hold."""
    with closing(sqlite3.connect(path)) as db:
        tables = ("matches", "seats", "notes", "logs")
        return {table: db.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in tables}


def test_a_match_is_recorded_once(store: Store, path: Path) -> None:
    entered = enter(store)
    store.record(entered.id, [match(0)])
    with pytest.raises(StoreError, match="recorded already"):
        store.record(entered.id, [match(0)])
    assert rows(path) == {"matches": 1, "seats": 2, "notes": 0, "logs": 0}


def test_of_a_batch_that_fails_nothing_is_recorded(store: Store, path: Path) -> None:
    entered = enter(store)
    store.record(entered.id, [match(1)])
    with pytest.raises(StoreError):
        store.record(entered.id, [match(0, notes={0: "n"}, log=[FAULT]), match(1), match(2)])
    assert rows(path) == {"matches": 1, "seats": 2, "notes": 0, "logs": 0}


def test_of_a_match_that_fails_in_its_last_table_nothing_is_recorded(store: Store, path: Path) -> None:
    entered = enter(store)
    broken = fault(kind=None)
    with pytest.raises(StoreError):
        store.record(entered.id, [match(0, notes={0: "n"}, log=[FAULT, broken])])
    assert rows(path) == {"matches": 0, "seats": 0, "notes": 0, "logs": 0}


def test_of_a_tournament_that_fails_nothing_is_entered(store: Store, path: Path) -> None:
    bot = {"name": "ada", "version": "1", "content": "", "command": [], "language": "", "author": ""}
    with pytest.raises(StoreError):
        store.add_tournament({"name": "league"}, "s", 1, "e", "h", [{"entrant": None, **bot}])
    with closing(sqlite3.connect(path)) as db:
        counts = [db.execute(f"SELECT count(*) FROM {t}").fetchone()[0] for t in ("tournaments", "bots")]
    assert counts == [0, 0]


def test_after_a_failure_the_store_goes_on(store: Store) -> None:
    entered = enter(store)
    store.record(entered.id, [match(0)])
    with pytest.raises(StoreError):
        store.record(entered.id, [match(0)])
    store.record(entered.id, [match(1)])
    assert store.recorded(entered.id, range(10)) == {0, 1}


def test_a_reader_sees_nothing_of_a_transaction_that_is_not_over(store: Store, path: Path) -> None:
    entered = enter(store)
    store.record(entered.id, [match(0)])
    with closing(sqlite3.connect(path, isolation_level=None)) as writer:
        writer.execute("BEGIN IMMEDIATE")
        writer.execute("INSERT INTO matches VALUES (?, 1, 0, 1, 's', 'stop')", [entered.id])
        with Store.open_for_reading(path) as reader:
            assert list(reader.matches(entered.id)) == [match(0)]
            assert reader.count(entered.id) == 1
        writer.execute("ROLLBACK")


def test_a_writer_is_not_kept_waiting_by_a_reader(store: Store, path: Path) -> None:
    entered = enter(store)
    store.record(entered.id, [match(0), match(1)])
    with Store.open_for_reading(path) as reader:
        results = reader.results(entered.id)
        next(results)
        store.record(entered.id, [match(2)])
        assert len(list(results)) == 1  # what there was when it began to read
        assert reader.count(entered.id) == 3


def test_a_reader_is_not_disturbed_by_a_writer_in_its_midst(store: Store, path: Path) -> None:
    entered = enter(store)
    store.record(entered.id, [match(number) for number in range(1_200)])
    with Store.open_for_reading(path) as reader:
        matches, results = reader.matches(entered.id), reader.results(entered.id)
        begun = [next(matches).record.number, len(next(results))]
        with closing(sqlite3.connect(path, isolation_level=None)) as writer:
            writer.execute("BEGIN EXCLUSIVE")
            writer.execute("INSERT INTO matches VALUES (?, 9999, 0, 1, 's', 'stop')", [entered.id])
            assert reader.count(entered.id) == 1_200
            assert reader.tournament().name == "league"
            assert reader.recorded(entered.id, range(1_195, 10_000)) == set(range(1_195, 1_200))
            assert begun == [0, 2]
            assert [found.record.number for found in matches] == list(range(1, 1_200))
            assert len(list(results)) == 1_199
            writer.execute("ROLLBACK")


def test_what_was_recorded_is_there_for_whoever_opens_the_file_next(path: Path) -> None:
    # A second connection while the first is open, as after a kill: nothing waits for a close.
    with Store.open_for_writing(path) as store:
        entered = enter(store)
        store.record(entered.id, [match(0)])
        with Store.open_for_reading(path) as reader:
            assert reader.match(entered, 0) == match(0)


def test_after_its_file_was_removed_nothing_is_recorded_and_the_store_says_so(
    store: Store, path: Path
) -> None:
    entered = enter(store)
    path.unlink()
    with pytest.raises(StoreError) as raised:
        store.record(entered.id, [match(0)])
    assert str(raised.value) == f"{path}: {REMOVED}"
    assert not path.exists()


def test_after_its_file_was_replaced_nothing_is_recorded_and_the_other_one_is_left_alone(
    store: Store, path: Path, tmp_path: Path
) -> None:
    entered = enter(store)
    with Store.open_for_writing(tmp_path / "other.db") as other:
        enter(other)
    (tmp_path / "other.db").rename(path)
    before = path.read_bytes()
    with pytest.raises(StoreError) as raised:
        store.record(entered.id, [match(0)])
    assert str(raised.value) == f"{path}: {REMOVED}"
    assert path.read_bytes() == before


def test_a_file_that_was_moved_away_and_put_back_is_written_again(
    store: Store, path: Path, tmp_path: Path
) -> None:
    entered = enter(store)
    path.rename(tmp_path / "away.db")
    with pytest.raises(StoreError, match="was removed or replaced"):
        store.record(entered.id, [match(0)])
    (tmp_path / "away.db").rename(path)
    store.record(entered.id, [match(0)])
    assert store.count(entered.id) == rows(path)["matches"] == 1


def test_after_its_file_was_removed_nothing_else_is_written_either(store: Store, path: Path) -> None:
    entered = enter(store)
    path.unlink()
    deeds: list[Callable[[], object]] = [
        lambda: store.finish(entered.id),
        lambda: store.note_playing(entered.id, [sitting(1, 4, 0, 1)]),
        lambda: enter(store, "two"),
    ]
    for deed in deeds:
        with pytest.raises(StoreError, match="was removed or replaced"):
            deed()


def test_a_tournament_whose_file_is_removed_while_it_is_held_is_let_go_of_in_silence(
    store: Store, path: Path
) -> None:
    with store.held(enter(store)):
        path.unlink()


def test_a_closed_store_says_so(store: Store) -> None:
    store.close()
    with pytest.raises(StoreError, match=r"arena\.db: "):
        store.tournaments()


def test_a_damaged_database_is_told_in_one_line(path: Path) -> None:
    with Store.open_for_writing(path) as store:
        entered = enter(store)
        store.record(entered.id, [match(number) for number in range(300)])
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.seek(size // 4)
        file.write(b"\xa5" * (size // 2))
    with pytest.raises(StoreError) as raised, Store.open_for_reading(path) as reader:
        list(reader.matches(reader.tournament().id))
    assert str(raised.value) == f"{path}: is damaged; go on from a copy of it, or name another with --db"
