"""Entering a tournament: a new one, one that goes on, one that must not, and one that is over."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from conftest import Arena

from arena.entry import enter, recorded_before
from arena.errors import StoreError, TournamentError
from arena.match import MatchRecord
from arena.replay import rules_hash
from arena.store import Store, StoredMatch
from arena.tournament import read_tournament
from engine.dragon_stripes import DragonStripes


class NewerDragonStripes(DragonStripes):
    version = DragonStripes.version + 1


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open_for_writing(tmp_path / "arena.db") as store:
        yield store


@pytest.fixture
def bots(arena: Arena) -> list[Path]:
    return [arena.bot(name) for name in ("ada", "bob", "cyd")]


def refusal(store: Store, file: Path) -> str:
    """Why a tournament may not go on: one line, and nothing has changed in the store."""
    before = store.tournaments()
    with pytest.raises(TournamentError) as raised:
        enter(store, read_tournament(file))
    assert store.tournaments() == before
    message = str(raised.value)
    assert message.isprintable()
    return message


# New.


def test_a_tournament_is_entered_with_all_that_decides_it(
    arena: Arena, bots: list[Path], store: Store
) -> None:
    read = read_tournament(arena.tournament(*bots, players="[2, 3]", deals="4"))
    entry, entered = enter(store, read)
    assert store.tournaments() == [entry]
    decisive = entered.settings() | {"game_version": DragonStripes.version}
    assert entry.settings == json.loads(json.dumps(decisive))
    assert (entry.name, entry.seed, entry.planned) == ("league", "2026", (3 * 2 + 3) * 4)
    assert entry.rules_hash == rules_hash(read.game, read.rules)
    assert entry.engine.endswith(f"/dragon_stripes/{DragonStripes.version}")
    assert (entry.entrants, entry.finished) == (("ada", "bob", "cyd"), None)


def test_a_bot_that_is_called_otherwise_here_is_kept_under_its_own_name(
    arena: Arena, bots: list[Path], store: Store
) -> None:
    file = arena.tournament(bots[0])
    file.write_text(file.read_text() + f'[[bots]]\npath = "{bots[0]}"\nname = "ada again"\n')
    entry, _ = enter(store, read_tournament(file))
    assert entry.entrants == ("ada", "ada again")
    with closing(sqlite3.connect(store.path)) as db:
        assert db.execute("SELECT name FROM bots").fetchall() == [("ada",)]


def test_a_tournament_without_a_seed_draws_one_and_keeps_it(
    arena: Arena, bots: list[Path], store: Store
) -> None:
    entry, entered = enter(store, read_tournament(arena.tournament(*bots, seed="")))
    assert entered.seed == entry.seed == store.tournament().seed
    assert entry.seed


def test_two_tournaments_without_a_seed_draw_two(arena: Arena, bots: list[Path], store: Store) -> None:
    one, _ = enter(store, read_tournament(arena.tournament(*bots, seed="", name='"one"')))
    two, _ = enter(store, read_tournament(arena.tournament(*bots, seed="", name='"two"')))
    assert one.seed != two.seed


def test_another_name_is_another_tournament(arena: Arena, bots: list[Path], store: Store) -> None:
    one, _ = enter(store, read_tournament(arena.tournament(*bots)))
    two, _ = enter(store, read_tournament(arena.tournament(*bots, name='"other"')))
    assert store.tournaments() == [two, one]


def test_a_tournament_named_like_the_number_of_another_is_entered_as_itself(
    arena: Arena, bots: list[Path], store: Store
) -> None:
    enter(store, read_tournament(arena.tournament(*bots, name='"2"')))
    entry, _ = enter(store, read_tournament(arena.tournament(*bots)))
    assert entry.name == "league"


# Going on.


def test_an_unfinished_tournament_goes_on_if_nothing_differs(
    arena: Arena, bots: list[Path], store: Store
) -> None:
    file = arena.tournament(*bots, limits="move_ms = 7", rules="{ bounty = [1, 3] }")
    first, _ = enter(store, read_tournament(file))
    assert enter(store, read_tournament(file)) == (first, read_tournament(file))
    assert len(store.tournaments()) == 1


def test_a_tournament_whose_seed_was_drawn_goes_on_with_it(
    arena: Arena, bots: list[Path], store: Store
) -> None:
    file = arena.tournament(*bots, seed="")
    first, _ = enter(store, read_tournament(file))
    again, entered = enter(store, read_tournament(file))
    assert again == first
    assert entered.seed == first.seed


def test_a_tournament_goes_on_when_its_files_lie_elsewhere(
    arena: Arena, bots: list[Path], store: Store
) -> None:
    first, _ = enter(store, read_tournament(arena.tournament(*bots)))
    (arena.folder / "moved").mkdir()
    moved = [bot.rename(arena.folder / "moved" / bot.name) for bot in bots]
    again, entered = enter(store, read_tournament(arena.tournament(*moved, file="moved/league.toml")))
    assert again == first
    assert [bot.folder for bot in entered.bots] == moved


def test_a_tournament_goes_on_beside_others(arena: Arena, bots: list[Path], store: Store) -> None:
    file = arena.tournament(*bots)
    first, _ = enter(store, read_tournament(file))
    enter(store, read_tournament(arena.tournament(*bots, name='"other"', file="other.toml")))
    assert enter(store, read_tournament(file))[0] == first


# Refused.


@pytest.mark.parametrize(
    ("field", "value", "told"),
    [
        ("ruleset", '"kali-1993"', 'ruleset was "stripes" when it began and is "kali-1993" now'),
        ("rules", "{ stripes = 9 }", "rules.stripes was 17 when it began and is 9 now"),
        ("rules", "{ bounty = [1, 3] }", "rules.bounty[1] was 2 when it began and is 3 now"),
        ("players", "3", "players[0] was 2 when it began and is 3 now"),
        ("players", "[2, 3]", "players was [2] when it began and is [2,3] now"),
        ("deals", "4", "deals was 3 when it began and is 4 now"),
        ("block", "2", "block was 1 when it began and is 2 now"),
        ("seed", '"2027"', 'seed was "2026" when it began and is "2027" now'),
        ("seed", "", 'seed was "2026" when it began and is null now'),
        ("faults_allowed", "1", "faults_allowed was 0 when it began and is 1 now"),
        ("limits", "bank_ms = 0", "limits.bank_ms was 10000 when it began and is 0 now"),
        ("limits", "memory_mb = 64", "limits.memory_mb was null when it began and is 64 now"),
    ],
)
def test_an_unfinished_tournament_may_not_go_on_with_a_field_changed(
    arena: Arena, bots: list[Path], store: Store, field: str, value: str, told: str
) -> None:
    enter(store, read_tournament(arena.tournament(*bots)))
    assert refusal(store, arena.tournament(*bots, **{field: value})) == (
        f"league is unfinished, and {told}; undo that to go on with it, or give the tournament another name"
    )


def test_a_seed_that_was_drawn_may_be_written_into_the_file(
    arena: Arena, bots: list[Path], store: Store
) -> None:
    entry, _ = enter(store, read_tournament(arena.tournament(*bots, seed="")))
    again, _ = enter(store, read_tournament(arena.tournament(*bots, seed=f'"{entry.seed}"')))
    assert again == entry
    told = refusal(store, arena.tournament(*bots, seed='"another"'))
    assert 'seed was null when it began and is "another" now' in told


def test_bots_whose_files_have_changed_are_refused(arena: Arena, bots: list[Path], store: Store) -> None:
    file = arena.tournament(*bots)
    enter(store, read_tournament(file))
    (bots[1] / "main.py").write_text("print('mended')\n")
    assert "bots[1] (bob) is not the bot that it was: its file main.py has changed since it began" in refusal(
        store, file
    )


def test_a_bot_of_another_version_is_refused(arena: Arena, bots: list[Path], store: Store) -> None:
    file = arena.tournament(*bots)
    enter(store, read_tournament(file))
    manifest = bots[2] / "bot.toml"
    manifest.write_text(manifest.read_text().replace("1.0", "1.1"))
    assert 'bots[2] (cyd).version was "1.0" when it began and is "1.1" now' in refusal(store, file)


def test_bots_in_another_order_are_refused(arena: Arena, bots: list[Path], store: Store) -> None:
    enter(store, read_tournament(arena.tournament(*bots)))
    told = refusal(store, arena.tournament(*bots[::-1]))
    assert 'bots[0] (ada).name was "ada" when it began and is "cyd" now' in told


@pytest.mark.parametrize("now", [2, 4])
def test_a_bot_more_or_less_is_refused_in_few_words(
    arena: Arena, bots: list[Path], store: Store, now: int
) -> None:
    enter(store, read_tournament(arena.tournament(*bots)))
    told = refusal(store, arena.tournament(*[*bots, arena.bot("dan")][:now]))
    assert told.startswith("league is unfinished, and bots ")
    assert len(told) < 250


def test_another_version_of_the_game_is_refused(arena: Arena, bots: list[Path], store: Store) -> None:
    read = read_tournament(arena.tournament(*bots))
    enter(store, read)
    newer = NewerDragonStripes()
    with pytest.raises(TournamentError, match=f"game_version was 1 when it began and is {newer.version} now"):
        enter(store, replace(read, game=newer))


# Over.


def test_a_finished_tournament_of_equal_settings_is_returned_as_it_is(
    arena: Arena, bots: list[Path], store: Store
) -> None:
    file = arena.tournament(*bots, seed="")
    first, _ = enter(store, read_tournament(file))
    store.finish(first.id)
    again, entered = enter(store, read_tournament(file))
    assert again == store.tournament()
    assert (again.id, again.finished is not None, entered.seed) == (first.id, True, first.seed)


def test_after_a_finished_tournament_other_settings_begin_a_new_one_of_the_same_name(
    arena: Arena, bots: list[Path], store: Store
) -> None:
    first, _ = enter(store, read_tournament(arena.tournament(*bots)))
    store.finish(first.id)
    second, _ = enter(store, read_tournament(arena.tournament(*bots, deals="4")))
    assert [entry.id for entry in store.tournaments("league")] == [second.id, first.id]
    assert second.finished is None


def test_the_latest_of_a_name_is_the_one_that_goes_on(arena: Arena, bots: list[Path], store: Store) -> None:
    first, _ = enter(store, read_tournament(arena.tournament(*bots)))
    store.finish(first.id)
    file = arena.tournament(*bots, deals="4")
    second, _ = enter(store, read_tournament(file))
    assert enter(store, read_tournament(file))[0] == second
    assert "deals was 4 when it began and is 3 now" in refusal(store, arena.tournament(*bots))


# How many are recorded.


def record(store: Store, tournament: int, matches: int) -> None:
    """Record so many matches of a tournament."""
    records = [
        MatchRecord(
            number=number,
            seed="s",
            lineup=(0, 1),
            actions=[],
            scores=[1, 0],
            ranks=[1, 2],
            faults=[None, None],
            decisions=[0, 0],
            think_us=[0, 0],
            idle_us=[0, 0],
            notes={},
            log=[],
        )
        for number in range(matches)
    ]
    store.record(tournament, [StoredMatch(0, 0, record) for record in records])


def test_of_a_new_tournament_nothing_is_recorded_and_to_ask_does_not_enter_it(
    arena: Arena, bots: list[Path], store: Store
) -> None:
    assert recorded_before(store, read_tournament(arena.tournament(*bots))) == 0
    assert store.tournaments() == []


def test_of_an_unfinished_tournament_the_recorded_matches_are_counted(
    arena: Arena, bots: list[Path], store: Store
) -> None:
    file = arena.tournament(*bots, seed="")
    entry, _ = enter(store, read_tournament(file))
    other, _ = enter(store, read_tournament(arena.tournament(*bots, name='"other"', file="other.toml")))
    assert recorded_before(store, read_tournament(file)) == 0
    record(store, other.id, 5)
    record(store, entry.id, 2)
    before = store.tournaments()
    assert recorded_before(store, read_tournament(file)) == 2
    assert store.tournaments() == before


def test_to_ask_how_many_are_recorded_it_is_enough_to_read_the_database(
    arena: Arena, bots: list[Path], store: Store
) -> None:
    file = arena.tournament(*bots)
    entry, _ = enter(store, read_tournament(file))
    record(store, entry.id, 3)
    with Store.open_for_reading(store.path) as reader:
        assert recorded_before(reader, read_tournament(file)) == 3
        assert recorded_before(reader, read_tournament(arena.tournament(*bots, name='"new"'))) == 0


def test_of_an_unfinished_tournament_that_has_changed_the_difference_is_told_as_on_entry(
    arena: Arena, bots: list[Path], store: Store
) -> None:
    entry, _ = enter(store, read_tournament(arena.tournament(*bots)))
    record(store, entry.id, 2)
    changed = arena.tournament(*bots, deals="4")
    with pytest.raises(TournamentError) as raised:
        recorded_before(store, read_tournament(changed))
    assert str(raised.value) == refusal(store, changed)
    assert "deals was 3 when it began and is 4 now" in str(raised.value)


def test_of_a_tournament_that_is_being_played_it_is_told_that_it_is(
    arena: Arena, bots: list[Path], store: Store
) -> None:
    read = read_tournament(arena.tournament(*bots))
    entry, _ = enter(store, read)
    with store.held(entry), pytest.raises(StoreError, match="league is being played by process"):
        recorded_before(store, read)


def test_of_a_finished_tournament_all_are_recorded_unless_other_settings_make_it_a_new_one(
    arena: Arena, bots: list[Path], store: Store
) -> None:
    file = arena.tournament(*bots)
    entry, _ = enter(store, read_tournament(file))
    record(store, entry.id, 18)
    store.finish(entry.id)
    before = store.tournaments()
    assert recorded_before(store, read_tournament(file)) == 18
    assert recorded_before(store, read_tournament(arena.tournament(*bots, deals="4"))) == 0
    assert store.tournaments() == before


def test_a_bracket_by_ratings_that_there_are_not_is_told_with_the_line_of_its_field(
    arena: Arena, bots: list[Path], store: Store
) -> None:
    file = arena.tournament(*bots, format='"knockout"', seeding='"rating"', rated_by='"nothing"')
    line = file.read_text().splitlines().index('rated_by = "nothing"') + 1
    told = refusal(store, file)
    assert told.startswith(f"{file}:{line}: rated_by: {store.path}: ")
    with pytest.raises(TournamentError) as raised:
        recorded_before(store, read_tournament(file))
    assert str(raised.value) == told
    assert store.tournaments() == []
