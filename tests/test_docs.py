"""What the documentation says is what the program does: help texts, fields, columns, examples, links."""

import json
import re
import sqlite3
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest
from conftest import HOSTILE, ROOT, Arena

from arena.cli.main import cli
from arena.database import APPLICATION_ID, SCHEMA_VERSION
from arena.errors import TournamentError
from arena.formats import FORMATS, fields_of
from arena.schedule import Schedule
from arena.store import Store
from arena.toml import decode_toml
from arena.tournament import BotEntry, LimitsTable, TournamentFile

DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", *sorted(DOCS.glob("*.md"))]
COMMANDS = ["arena", *(f"arena {name}" for name in sorted(cli.commands))]
FIELDS_OF_SOME_FORMATS = {"matches_per_bot", "challengers", "rounds", "seeding", "rated_by", "matches"}
BOUNDS = {"minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems"}


def text_of(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def section(page: str, title: str) -> str:
    """The text under a heading, up to the next heading of its own level or above; sharps in code are none."""
    text, level = text_of(DOCS / page), title.split(" ")[0]
    start = text.index(f"\n{title}\n") + len(title) + 2
    for heading in re.finditer(rf"^#{{1,{len(level)}}} ", text, re.MULTILINE):
        if heading.start() > start and text.count("```", start, heading.start()) % 2 == 0:
            return text[start : heading.start()]
    return text[start:]


def blocks(text: str, language: str) -> list[str]:
    """The fenced blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


def tables(text: str) -> list[list[list[str]]]:
    """The cells of every table, without their heads."""
    found: list[list[list[str]]] = []
    rows_of: list[list[str]] = []
    for line in [*text.splitlines(), ""]:
        if line.startswith("|"):
            cells = re.split(r"(?<!\\)\|", line.strip("|"))
            rows_of.append([cell.strip() for cell in cells])
        elif rows_of:
            found.append(rows_of[2:])
            rows_of = []
    return found


def without_blocks(page: Path) -> str:
    """A page without its fenced blocks."""
    return re.sub(r"^```.*?^```$", "", text_of(page), flags=re.DOTALL | re.MULTILINE)


def anchors(page: Path) -> set[str]:
    """What the headings of a page are called in links, as GitHub makes it."""
    headings = re.findall(r"^#+ (.*)$", without_blocks(page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Arena:
    """A database with two tournaments: one with faults, one in which hardly anybody is asked."""
    arena = Arena(tmp_path_factory.mktemp("docs"))
    bots = [arena.bot("ann"), arena.bot("Zoë 😀"), HOSTILE / "illegal_action.py"]
    arena("run", arena.tournament(*bots, players="[2, 3]"))
    rules = "move_ms = 200\nbank_ms = 0\n[rules]\nfootprints = [2]\nstop_cards = 0"
    arena("run", arena.tournament(*bots, name='"short"', deals="9", limits=rules))
    return arena


# Commands.


@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_texts_are_what_the_commands_print(
    command: str, arena: Arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    printed = arena(*command.split()[1:], "--help").stdout
    assert blocks(section("commands.md", f"## {command}"), "text")[0] == printed


def test_every_command_has_its_section_and_its_row() -> None:
    headings = re.findall(r"^## (.*)$", text_of(DOCS / "commands.md"), re.MULTILINE)
    assert sorted(headings) == sorted(COMMANDS)
    named = re.findall(r"^\| \[`(.*?)`\]", text_of(DOCS / "commands.md"), re.MULTILINE)
    assert sorted(named) == sorted(COMMANDS[1:])


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_an_example_of_itself(command: str) -> None:
    (examples,) = blocks(section("commands.md", f"## {command}"), "sh")
    assert all(line.split("#")[0].strip().startswith(command) for line in examples.splitlines())


# Links and blocks.


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_relative_link_leads_to_a_file_and_a_heading(page: Path) -> None:
    for link in re.findall(r"\]\(([^)\s]+)\)", without_blocks(page)):
        if re.match(r"[a-z]+:", link):
            continue
        name, _, anchor = link.partition("#")
        target = page.parent / name if name else page
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_block_of_toml_and_json_parses(page: Path) -> None:
    for block in blocks(text_of(page), "toml"):
        tomllib.loads(block)
    for block in blocks(text_of(page), "json"):
        json.loads(block)


# Tournament files.


def bounds_in(schema: Any) -> Iterator[int]:
    """Every bound that a JSON schema sets, at whatever depth."""
    if isinstance(schema, dict):
        for key, value in schema.items():
            if key in BOUNDS:
                yield value
            else:
                yield from bounds_in(value)
    elif isinstance(schema, list):
        for part in schema:
            yield from bounds_in(part)


@pytest.mark.parametrize(
    ("which", "kind"), [(0, TournamentFile), (1, LimitsTable), (2, BotEntry)], ids=["file", "limits", "bots"]
)
def test_the_tables_of_fields_have_every_field_with_its_default(
    which: int, kind: type[msgspec.Struct]
) -> None:
    documented = {row[0].strip("`"): row for row in tables(section("tournaments.md", "## The fields"))[which]}
    fields = {field.name: field for field in msgspec.structs.fields(kind)}
    assert sorted(documented) == sorted(fields)
    for name, (_, _, default, _, _) in documented.items():
        if default.startswith("`"):
            assert json.loads(default.strip("`")) == fields[name].default
        else:
            assert not isinstance(fields[name].default, int | str)
            assert (default == "required") >= fields[name].required


@pytest.mark.parametrize(("which", "kind"), [(0, TournamentFile), (1, LimitsTable)], ids=["file", "limits"])
def test_the_tables_of_fields_have_every_bound(which: int, kind: type[msgspec.Struct]) -> None:
    schema = msgspec.json.schema(kind)["$defs"][kind.__name__]["properties"]
    for name, _, _, bounds, _ in tables(section("tournaments.md", "## The fields"))[which]:
        documented = {int(number.replace(",", "")) for number in re.findall(r"\d[\d,]*", bounds)}
        assert set(bounds_in(schema[name.strip("`")])) - documented == set()


def test_the_annotated_file_is_accepted_and_has_every_field(tmp_path: Path) -> None:
    (block,) = blocks(section("tournaments.md", "## An annotated file"), "toml")
    file = tmp_path / "annotated.toml"
    file.write_text(block, encoding="utf-8")
    decode_toml(file, TournamentFile, TournamentError)
    table = tomllib.loads(block)
    assert set(table) == set(TournamentFile.__struct_fields__) - FIELDS_OF_SOME_FORMATS
    assert set(table["limits"]) == set(LimitsTable.__struct_fields__)
    assert set().union(*table["bots"]) == set(BotEntry.__struct_fields__)


def test_every_field_of_a_format_stands_in_an_example_of_that_format() -> None:
    shown: set[str] = set()
    for block in blocks(section("tournaments.md", "## Formats"), "toml"):
        table = tomllib.loads(block)
        own = set(table) & FIELDS_OF_SOME_FORMATS
        assert own <= set(fields_of(table.get("format", "round-robin")))
        shown |= own
    assert shown == FIELDS_OF_SOME_FORMATS


def test_the_example_of_a_schedule_is_the_plan() -> None:
    plan = FORMATS["round-robin"](entrants=3, players=(2, 3), deals=3, block=2)
    expected = []
    for sitting in Schedule(plan, lambda _: ()):
        assert sitting is not None
        matches = list(sitting.matches())
        columns = (
            [match.number for match in matches],
            [match.deal for match in matches],
            sorted({match.rotation for match in matches}),
            ["".join("ABC"[entrant] for entrant in match.lineup) for match in matches],
        )
        expected.append([", ".join(map(str, column)) for column in columns])
    assert tables(section("tournaments.md", "## Sittings, blocks and the order of matches")) == [expected]


# The database and the digest.


def test_the_tables_of_columns_are_those_of_the_schema(tmp_path: Path) -> None:
    Store.open_for_writing(tmp_path / "new.db").close()
    with closing(sqlite3.connect(tmp_path / "new.db")) as db:
        names = [name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        schema = {name: db.execute(f"PRAGMA table_info({name})").fetchall() for name in names}
    headings = re.findall(r"^### `(.*)`$", section("database.md", "## Tables"), re.MULTILINE)
    assert sorted(headings) == sorted(names)
    for name in names:
        (documented,) = tables(section("database.md", f"### `{name}`"))
        columns = [[f"`{column[1]}`", column[2]] for column in schema[name]]
        assert [[row[0], row[1].replace("JSON", "TEXT")] for row in documented] == columns
        nullable = [f"`{column[1]}`" for column in schema[name] if not column[3] and not column[5]]
        assert [row[0] for row in documented if re.search(r"; null (until|if) ", row[2])] == nullable


def test_the_marks_of_the_file_are_named() -> None:
    text = section("database.md", "## What is whole when")
    assert f"is {APPLICATION_ID} (`{APPLICATION_ID:#x}`".replace("0X", "0x").lower() in text.lower()
    assert f"the version of the schema, {SCHEMA_VERSION}." in text


def test_every_query_runs_as_it_stands(played: Arena) -> None:
    queries = blocks(text_of(DOCS / "database.md"), "sql")
    assert len(queries) > 5
    with closing(sqlite3.connect(played.folder / "results" / "arena.db")) as db:
        for query in queries:
            assert db.execute(query).fetchall() != [], query


def test_the_example_in_python_reads_the_database(played: Arena) -> None:
    (program,) = blocks(text_of(DOCS / "database.md"), "python")
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", program], cwd=played.folder, capture_output=True, text=True
    )
    assert (run.stdout, run.stderr) == ("league 27\nshort 54\n", "")


@pytest.mark.parametrize("tournament", ["1", "2"])
def test_the_example_of_the_digest_prints_what_arena_digest_prints(played: Arena, tournament: str) -> None:
    (program,) = blocks(section("reproducibility.md", "## The digest"), "python")
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", program, "results/arena.db", tournament],
        cwd=played.folder,
        capture_output=True,
        text=True,
    )
    assert run.stderr == ""
    assert run.stdout == played("digest", tournament).stdout


def test_the_tournaments_of_these_tests_hold_what_is_hard_about_a_digest(played: Arena) -> None:
    with closing(sqlite3.connect(played.folder / "results" / "arena.db")) as db:
        assert db.execute("SELECT count(*) FROM seats WHERE fault IS NOT NULL").fetchone() > (0,)
        assert db.execute("SELECT count(*) FROM matches WHERE actions = ''").fetchone() > (0,)
        assert db.execute("SELECT count(*) FROM entrants WHERE name = 'Zoë 😀'").fetchone() == (2,)
