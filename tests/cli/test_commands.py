"""The command line as people and programs use it: what it prints, and how it refuses."""

import json
import os
import pty
import re
import sqlite3
import subprocess
from pathlib import Path

import pytest
from conftest import ANSWER_FIRST, HOSTILE, ROOT, Arena, tool_or_skip


def league(arena: Arena, **fields: str) -> Path:
    return arena.tournament(arena.bot("ann"), arena.bot("bob"), arena.bot("cat"), **fields)


def refused(arena: Arena, *words: object) -> str:
    """The one line that a command refuses with."""
    done = arena(*words, expect=2)
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    assert line.startswith("arena: ")
    return line.removeprefix("arena: ")


def test_without_a_command_it_shows_what_there_is(arena: Arena) -> None:
    shown = arena().stdout
    assert all(
        command in shown for command in ("games", "play", "run", "ratings", "matches", "replay", "digest")
    )


def test_games_lists_rulesets_and_fields(arena: Arena) -> None:
    shown = arena("games").stdout
    assert "dragon_stripes, also drago_rosso: Dragon Stripes" in shown
    assert all(name in shown for name in ("kali-1993", "drago-rosso-1989", "starting_gems", "drago-rosso is"))
    game, other = json.loads(arena("games", "--json").stdout)
    assert other["rulesets"]["printed"]["dragon_value"] == 0
    assert game["rulesets"]["stripes"]["footprints"] == [16, 12, 6, 4]
    assert game["rulesets"]["kali-1993"]["stripes"] == 18


def test_play_shows_a_match_and_how_it_ended(arena: Arena) -> None:
    shown = arena("play", "dragon_stripes", arena.bot("ann"), arena.bot("bob"), "--seed", 7).stdout
    assert shown.startswith("Dragon Stripes (stripes), seed 7\n")
    assert "ann has the turn" in shown
    assert " rank seat bot" in shown


def test_play_is_the_same_for_the_same_seed(arena: Arena) -> None:
    words = ("play", "dragon_stripes", arena.bot("ann"), arena.bot("bob"), "--json", "--seed")
    first, again, other = (json.loads(arena(*words, seed).stdout) for seed in ("7", "7", "8"))
    for record in (first, again, other):
        del record["think_us"]
    assert first == again
    assert first["actions"] != other["actions"]
    assert first["bots"] == ["ann", "bob"]


def test_play_takes_a_single_program_and_the_same_bot_twice(arena: Arena) -> None:
    program = arena.folder / "solo.py"
    program.write_text(ANSWER_FIRST)
    shown = arena("play", "Dragon-Stripes", program, program, "--ruleset", "drago-rosso-1989").stdout
    assert "solo#0" in shown
    assert "solo#1" in shown


def test_play_shows_a_fault_with_all_that_its_author_needs(arena: Arena) -> None:
    shown = arena("play", "dragon_stripes", arena.bot("ann"), HOSTILE / "not_json.py", "--seed", 3).stdout
    assert "not_json: bad_json (forfeits the match): not JSON" in shown
    assert "print anything else to stderr" in shown
    assert "  its line: " in shown


def test_run_plays_a_league_and_prints_its_table(arena: Arena) -> None:
    done = arena("run", league(arena))
    assert (
        "league (no. 1): Dragon Stripes (stripes), round-robin, 3 bots at tables of 2, 18 matches, seed 2026"
        in done.stderr
    )
    assert "mu-3s" in done.stdout
    assert all(name in done.stdout for name in ("ann", "bob", "cat", "Next: arena matches league"))
    assert (arena.folder / "results" / "arena.db").exists()


def test_run_again_prints_the_table_and_plays_nothing(arena: Arena) -> None:
    file = league(arena)
    table = arena("run", file).stdout
    again = arena("run", file)
    assert again.stdout == table
    assert "All of them are recorded" in again.stderr
    assert json.loads(arena("digest", "--json").stdout)["id"] == 1


def test_run_json_is_json_alone(arena: Arena) -> None:
    told = json.loads(arena("run", league(arena), "--json").stdout)
    assert told["recorded"] == told["planned"] == 18
    assert [row["rank"] for row in told["ratings"]] == [1, 2, 3]
    assert told["digest"] == arena("digest").stdout.strip()


def test_a_seed_that_was_drawn_is_told_and_kept(arena: Arena) -> None:
    file = league(arena, seed="")
    said = arena("run", file).stderr
    connection = sqlite3.connect(arena.folder / "results" / "arena.db")
    ((seed,),) = connection.execute("SELECT seed FROM tournaments").fetchall()
    connection.close()
    assert f"seed {seed}," in said
    assert "All of them are recorded" in arena("run", file).stderr


def test_the_database_can_be_named_by_the_environment(arena: Arena) -> None:
    done = subprocess.run(
        arena.command("run", league(arena)),
        cwd=arena.folder,
        env=os.environ | {"ARENA_DB": "elsewhere/my.db"},
        check=True,
        capture_output=True,
    )
    assert done.returncode == 0
    assert (arena.folder / "elsewhere" / "my.db").exists()


def test_ratings_names_the_columns_and_counts_every_match(arena: Arena) -> None:
    arena("run", league(arena))
    told = json.loads(arena("ratings", "league", "--json").stdout)
    assert told["system"] == "trueskill"
    for row in told["ratings"]:
        assert row["matches"] == 12
        assert row["conservative"] == pytest.approx(row["mu"] - 3 * row["sigma"])


def test_an_unfinished_tournament_says_so(arena: Arena) -> None:
    arena("run", league(arena))
    connection = sqlite3.connect(arena.folder / "results" / "arena.db")
    with connection:
        connection.execute("DELETE FROM matches WHERE number = 17")
        connection.execute("DELETE FROM seats WHERE number = 17")
        connection.execute("UPDATE tournaments SET finished = NULL")
    connection.close()
    assert arena("ratings").stderr == "league is unfinished: 17 of 18 matches are recorded.\n"
    assert arena("digest").stderr == "league is unfinished: 17 of 18 matches are recorded.\n"


def test_matches_are_listed_and_filtered(arena: Arena) -> None:
    arena("run", league(arena, players="[2, 3]"))
    everything = json.loads(arena("matches", "--json", "--limit", 100).stdout)
    assert [match["number"] for match in everything] == list(range(27))
    of_ann = json.loads(arena("matches", "--bot", "ann", "--players", 2, "--json").stdout)
    assert len(of_ann) == 12
    assert all("ann" in match["bots"] and len(match["bots"]) == 2 for match in of_ann)
    assert json.loads(arena("matches", "--faults", "--json").stdout) == []
    shown = arena("matches", "--limit", 2).stdout
    assert "There are more; --limit 4 shows more" in shown
    assert "'dan'" in refused(arena, "matches", "--bot", "dan")


def test_replay_steps_through_what_was_recorded(arena: Arena) -> None:
    arena("run", league(arena))
    shown = arena("replay", 3).stdout
    assert shown.startswith("match 3 of league: Dragon Stripes (stripes), deal ")
    assert "   0  " in shown
    told = json.loads(arena("replay", 3, "--tournament", "league", "--json").stdout)
    assert [step["action"] for step in told["steps"]] == [None, *told["actions"]]


def test_replay_marks_what_was_played_for_a_forfeited_seat(arena: Arena) -> None:
    bots = [arena.bot("ann"), arena.bot("bob"), HOSTILE / "not_json.py"]
    arena("run", arena.tournament(*bots, players="3", deals="5"))
    shown = "".join(arena("replay", number).stdout for number in range(15))
    assert "(it has forfeited)" in shown
    assert "not_json: bad_json (forfeits the match)" in shown


def test_replay_refuses_a_record_that_the_rules_contradict(arena: Arena) -> None:
    arena("run", league(arena))
    connection = sqlite3.connect(arena.folder / "results" / "arena.db")
    with connection:
        connection.execute("UPDATE seats SET score = score + 1 WHERE number = 3 AND seat = 0")
    connection.close()
    done = arena("replay", 3, expect=2)
    assert "arena: match 3: scores are " in done.stderr


def test_strangers_text_reaches_the_terminal_unarmed(arena: Arena) -> None:
    source = ANSWER_FIRST.replace('["legal"][0]}', '["legal"][0], "note": "\\x1b[2J[red]boo"}')
    bot = arena.bot("ann", source)
    shown = arena("play", "dragon_stripes", bot, arena.bot("bob")).stdout
    assert "\x1b" not in shown
    assert "note: \\x1b[2J[red]boo" in shown


def test_a_different_file_under_the_name_of_a_finished_tournament_is_a_new_one(arena: Arena) -> None:
    file = league(arena)
    arena("run", file)
    file.write_text(file.read_text().replace("deals = 3", "deals = 2"))
    arena("run", file)
    assert json.loads(arena("digest", "league", "--json").stdout)["id"] == 2
    assert json.loads(arena("digest", "1", "--json").stdout)["planned"] == 18


def test_a_changed_file_of_an_unfinished_tournament_is_refused_with_the_field(arena: Arena) -> None:
    file = league(arena)
    arena("run", file)
    connection = sqlite3.connect(arena.folder / "results" / "arena.db")
    with connection:
        connection.execute("UPDATE tournaments SET finished = NULL")
    connection.close()
    text = file.read_text()
    file.write_text(text.replace("deals = 3", "deals = 2"))
    assert "deals was 3 when it began and is 2 now" in refused(arena, "run", file)
    file.write_text(text)
    (arena.folder / "bob" / "main.py").write_text(ANSWER_FIRST + "\n")
    assert "bots[1] (bob) is not the bot that it was: its file main.py has changed since it began" in refused(
        arena, "run", file
    )


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["rn"], "No such command 'rn'"),
        (["play"], "Missing argument 'GAME'"),
        (["play", "chess", "x", "y"], "there is no game 'chess'; known are dragon_stripes, dragonkeepers"),
        (["play", "dragon_strips", "x", "y"], "did you mean 'dragon_stripes'?"),
        (["play", "dragon_stripes", "nowhere", "x"], "nowhere: there is no such bot"),
        (["play", "dragon_stripes", "x"], "players: dragon_stripes is for 2 to 6, not 1"),
        (["play", "dragon_stripes", "x", "y", "--ruleset", "kali"], "did you mean 'kali-1993'?"),
        (["play", "dragon_stripes", "x", "y", "--sed", "1"], "No such option"),
        (["run", "nowhere.toml"], "nowhere.toml: can't be read: No such file or directory"),
        (["run", "."], ".: can't be read: Is a directory"),
        (["run", "x.toml", "--workers", "0"], "0 is not in the range"),
        (["ratings"], "results/arena.db: there is no database yet"),
        (["matches", "--db", "text.db"], "text.db: is no database; name another with --db"),
        (["digest", "--db", "foreign.db"], "foreign.db: is a database of something else"),
        (["replay", "x"], "'x' is not a valid integer"),
        (["replay", "-1"], "No such option"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_bad_words_get_one_line_that_says_what_to_do(arena: Arena, words: list[str], said: str) -> None:
    (arena.folder / "text.db").write_text("no database, but a text of some length\n" * 10)
    foreign = sqlite3.connect(arena.folder / "foreign.db")
    foreign.execute("CREATE TABLE theirs (x)")
    foreign.close()
    before = sorted(arena.folder.rglob("*"))
    assert said in refused(arena, *words)
    assert sorted(arena.folder.rglob("*")) == before


def test_a_broken_tournament_leaves_no_database_behind(arena: Arena) -> None:
    said = refused(arena, "run", league(arena, players="9"))
    assert said.endswith("league.toml:3: players: dragon_stripes is for 2 to 6, not 9")
    assert not (arena.folder / "results").exists()


def test_a_database_where_none_can_be_made_is_refused(arena: Arena) -> None:
    (arena.folder / "file").write_text("")
    assert "file/a.db: " in refused(arena, "run", league(arena), "--db", "file/a.db")


def test_it_works_from_a_path_with_spaces(tmp_path: Path) -> None:
    folder = tmp_path / "a path with spaces"
    folder.mkdir()
    arena = Arena(folder)
    arena("run", league(arena))


def test_on_a_terminal_it_shows_a_live_display(arena: Arena) -> None:
    ours, theirs = pty.openpty()
    running = subprocess.Popen(
        arena.command("run", league(arena, deals="20")),
        cwd=arena.folder,
        stdout=subprocess.PIPE,
        stderr=theirs,
        env=os.environ | {"TERM": "xterm", "COLUMNS": "100"},
    )
    os.close(theirs)
    shown = b""
    try:
        while chunk := os.read(ours, 4096):
            shown += chunk
    except OSError:  # how a terminal says that everybody has hung up
        pass
    os.close(ours)
    running.communicate()
    assert running.returncode == 0
    assert re.search(rb"\d+ of 120 matches", shown)
    assert re.search(rb"match(es)? \d+( to \d+)?: (ann|bob|cat), (ann|bob|cat)", shown)
    assert all(word in shown for word in (b"mean rank", b"ann", b"bob", b"cat"))


def test_output_into_a_closed_pipe_is_no_error(arena: Arena) -> None:
    arena("run", league(arena, deals="100"))
    listing = subprocess.Popen(
        arena.command("matches", "--limit", "100000", "--json"),
        cwd=arena.folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert listing.stdout is not None
    assert listing.stderr is not None
    listing.stdout.read(10)
    listing.stdout.close()
    assert listing.stderr.read() == b""
    listing.stderr.close()
    assert listing.wait() == 0


@pytest.mark.parametrize("name", ["random", "cautious", "bold", "greedy"])
def test_a_python_bot_that_comes_with_it_plays_every_table_without_fault(arena: Arena, name: str) -> None:
    bot = ROOT / "bots" / name
    for players in range(2, 7):
        told = json.loads(arena("play", "dragon_stripes", *[bot] * players, "--json", "--seed", 1).stdout)
        assert told["faults"] == [None] * players


def test_the_javascript_bot_plays_without_fault(arena: Arena) -> None:
    tool_or_skip("node", "Debian's package nodejs")
    bots = [ROOT / "bots" / "random-js"] * 3
    told = json.loads(arena("play", "dragon_stripes", *bots, "--json", "--seed", 1).stdout)
    assert told["faults"] == [None] * 3


def test_the_c_bot_is_built_by_its_manifest_and_plays_without_fault(arena: Arena, tmp_path: Path) -> None:
    tool_or_skip("cc", "Debian's package gcc")
    folder = tmp_path / "first"
    folder.mkdir()
    for name in ("bot.toml", "bot.c"):
        (folder / name).write_text((ROOT / "bots" / "first" / name).read_text())
    said = refused(arena, "play", "dragon_stripes", folder, folder)
    assert "build it first: " in said
    subprocess.run(said.partition("build it first: ")[2], shell=True, check=True)
    told = json.loads(arena("play", "dragon_stripes", folder, folder, "--json", "--seed", 1).stdout)
    assert told["faults"] == [None, None]


def test_greedy_leads_the_quickstart_table(arena: Arena) -> None:
    told = json.loads(arena("run", ROOT / "tournaments" / "quickstart.toml", "--json").stdout)
    assert told["recorded"] == told["planned"] == 560
    assert told["ratings"][0]["bot"] == "greedy"
    assert sum(row["faults"] for row in told["ratings"]) == 0


def test_a_file_that_a_bot_has_written_itself_does_not_keep_a_run_from_going_on(arena: Arena) -> None:
    logs = "open('debug.log', 'a').write('started\\n')\n" + ANSWER_FIRST
    file = arena.tournament(arena.bot("ann", logs), arena.bot("bob"))
    arena("run", file)
    connection = sqlite3.connect(arena.folder / "results" / "arena.db")
    with connection:
        for table in ("matches", "seats"):
            connection.execute(f"DELETE FROM {table} WHERE number > 2")
        connection.execute("UPDATE tournaments SET finished = NULL")
    connection.close()
    assert (arena.folder / "ann" / "debug.log").exists()
    assert "3 of them are recorded; going on." in arena("run", file).stderr
    assert "All of them are recorded" in arena("run", file).stderr
