"""A bot is a folder with a bot.toml or a single program; what is wrong with one is told in one line."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from arena.errors import BotError
from arena.manifest import Bot, find_bot
from engine import load_game

GAME = load_game("dragon_stripes")

FIELDS = {
    "name": '"bold"',
    "version": '"1.0"',
    "games": '["dragon_stripes"]',
    "command": '["{python}", "main.py"]',
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a sound bot in it."""
    folder = tmp_path / "bold bot"
    folder.mkdir()
    (folder / "main.py").write_text("print('hello')\n")
    describe(folder)
    return folder


def describe(folder: Path, **fields: str | None) -> None:
    """Write a bot.toml; ``fields`` add or replace lines, None leaves one out."""
    lines = FIELDS | fields
    (folder / "bot.toml").write_text(
        "".join(f"{name} = {value}\n" for name, value in lines.items() if value is not None)
    )


def error_of(path: Path) -> str:
    """What is said of a bot that can't be used: one printable line that begins with its path."""
    with pytest.raises(BotError) as raised:
        find_bot(path, GAME)
    message = str(raised.value)
    assert message.isprintable()
    assert message.startswith(str(path)[:100])
    return message


def line_of(folder: Path, field: str) -> int:
    """The line of a field of its bot.toml, from 1."""
    lines = (folder / "bot.toml").read_text().splitlines()
    return next(number for number, line in enumerate(lines, start=1) if line.startswith(f"{field} = "))


def content(path: Path) -> str:
    return find_bot(path, GAME).content


# A folder with a bot.toml.


def test_a_bot_in_a_folder_is_what_its_bot_toml_says(folder: Path) -> None:
    describe(folder, language='"python"', author='"Ada"', build='[["true"]]')
    assert find_bot(folder, GAME) == Bot(
        name="bold",
        version="1.0",
        command=["{python}", "main.py"],
        folder=folder,
        content=content(folder),
        files=find_bot(folder, GAME).files,
        own_name="bold",
        language="python",
        author="Ada",
    )


def test_language_author_and_build_may_be_left_out(folder: Path) -> None:
    bot = find_bot(folder, GAME)
    assert (bot.language, bot.author) == ("", "")


def test_a_tournament_may_call_a_bot_otherwise(folder: Path) -> None:
    bot = find_bot(folder, GAME, "bold-2")
    assert (bot.name, bot.own_name) == ("bold-2", "bold")


def test_the_folder_is_told_from_the_root_wherever_the_runner_stands(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder.parent)
    assert find_bot(Path("bold bot"), GAME).folder == folder


@pytest.mark.parametrize(
    "game", ["dragon_stripes", "dragon-stripes", "Dragon Stripes", "drago_rosso", "Drago-Rosso"]
)
def test_a_game_may_be_written_as_people_write_it(folder: Path, game: str) -> None:
    describe(folder, games=f'["chess", "{game}"]')
    assert find_bot(folder, GAME).name == "bold"


@pytest.mark.parametrize(("games", "played"), [('["chess", "go"]', "chess, go"), ("[]", "nothing")])
def test_a_bot_for_other_games_is_refused_with_what_it_plays(folder: Path, games: str, played: str) -> None:
    describe(folder, games=games)
    assert error_of(folder).endswith(f"bot.toml: games: this bot plays {played}, not dragon_stripes")


def test_a_program_of_the_folder_that_is_there_needs_no_building(folder: Path) -> None:
    (folder / "bot").touch()
    describe(folder, command='["./bot"]')
    assert find_bot(folder, GAME).command == ["./bot"]


def test_a_bot_that_was_not_built_is_told_with_how_to_build_it(folder: Path) -> None:
    describe(folder, command='["./bot", "-v"]', build='[["cc", "-o", "bot", "my bot.c"], ["strip", "bot"]]')
    assert error_of(folder).endswith(
        "bot.toml: command: there is no ./bot; "
        f"build it first: cd '{folder}' && cc -o bot 'my bot.c' && strip bot"
    )


def test_a_program_that_is_missing_and_can_t_be_built_is_told(folder: Path) -> None:
    describe(folder, command='["./bot"]')
    assert error_of(folder).endswith("command: there is no ./bot; name a program that is there")


def test_a_program_whose_name_no_file_can_have_is_missing_too(folder: Path) -> None:
    describe(folder, command=f'["./{"x" * 300}"]')
    assert "bot.toml: command: " in error_of(folder)


def test_a_program_named_without_a_slash_must_be_on_the_path(folder: Path) -> None:
    describe(folder, command='["sh", "main.sh"]')
    assert find_bot(folder, GAME).command == ["sh", "main.sh"]
    describe(folder, command='["no-such-program-anywhere"]')
    assert error_of(folder).endswith("there is no program 'no-such-program-anywhere' on PATH; install it")


def test_a_program_may_stand_anywhere(folder: Path) -> None:
    describe(folder, command=f'["{sys.executable}", "main.py"]')
    assert find_bot(folder, GAME).command == [sys.executable, "main.py"]


@pytest.mark.parametrize("field", list(FIELDS))
def test_name_version_games_and_command_must_be_given(folder: Path, field: str) -> None:
    describe(folder, **{field: None})
    assert f"bot.toml: {field}: this field is missing" in error_of(folder)


@pytest.mark.parametrize(
    ("field", "value", "told"),
    [
        ("name", "7", "name: "),
        ("name", '""', "name: "),
        ("name", f'"{"n" * 65}"', "name: "),
        ("version", "1.0", "version: "),
        ("version", '""', "version: "),
        ("version", '"1 0"', "version: "),
        ("version", '"1.0\\n"', "version: "),
        ("version", f'"{"1" * 65}"', "version: "),
        ("games", '"dragon_stripes"', "games: "),
        ("games", "[1]", "games[0]: "),
        ("command", '"{python} main.py"', "command: "),
        ("command", "[]", "command: "),
        ("command", '["{python}", 3]', "command[1]: "),
        ("build", '["make"]', "build[0]: "),
        ("build", "[[]]", "build[0]: "),
        ("comand", "[]", "comand: unknown field; did you mean 'command'?"),
    ],
)
def test_a_wrong_field_is_named(folder: Path, field: str, value: str, told: str) -> None:
    describe(folder, **{field: value})
    assert f"bot.toml:{line_of(folder, field)}: {told}" in error_of(folder)


@pytest.mark.parametrize("name", ["b", "bold", "Größe 2", "a.b-c_d+e", "n" * 64, "7"])
def test_an_entrant_may_be_called_anything_printable(folder: Path, name: str) -> None:
    describe(folder, name=f'"{name}"')
    assert find_bot(folder, GAME).name == name


@pytest.mark.parametrize(
    "name",
    [" bold", "bold ", "bold\\n", "\\nbold", "bo\\tld", "bo\\u0000ld", "bold@1", "bots/bold", "\\u007f"],
)
def test_a_name_holds_no_at_no_slash_no_control_and_no_space_at_its_ends(folder: Path, name: str) -> None:
    describe(folder, name=f'"{name}"')
    assert f"bot.toml:{line_of(folder, 'name')}: name: " in error_of(folder)


@pytest.mark.parametrize(("field", "told"), [("name", "without @ and /"), ("version", "letters, digits")])
def test_what_a_name_or_version_may_be_is_told_in_words(folder: Path, field: str, told: str) -> None:
    describe(folder, **{field: '"a @/ b"'})
    line = line_of(folder, field)
    assert error_of(folder).startswith(f"{folder}/bot.toml:{line}: {field}: must ")
    assert told in error_of(folder)
    assert "regex" not in error_of(folder)


def test_a_broken_bot_toml_is_told_with_its_line(folder: Path) -> None:
    (folder / "bot.toml").write_text('name = "bold"\nversion =\n')
    assert "bot.toml:2: is not TOML: " in error_of(folder)


def test_a_folder_without_a_bot_toml_is_told_where_to_read_about_it(tmp_path: Path) -> None:
    assert error_of(tmp_path) == f"{tmp_path}: holds no bot.toml; docs/write-a-bot.md shows one"


# A single file.


@pytest.mark.parametrize(
    ("file", "starter"), [("bold.py", "{python}"), ("bold.js", "node"), ("bold.mjs", "node")]
)
def test_a_script_is_started_by_what_its_name_ends_in(tmp_path: Path, file: str, starter: str) -> None:
    (tmp_path / file).write_text("whatever")
    program, script = find_bot(tmp_path / file, GAME).command
    assert (program, Path(script)) == (starter, Path(file))


def test_a_single_file_is_called_by_its_name_and_runs_in_its_folder(tmp_path: Path) -> None:
    (tmp_path / "bold.v2.py").touch()
    bot = find_bot(tmp_path / "bold.v2.py", GAME)
    assert (bot.name, bot.folder) == ("bold.v2", tmp_path)


@pytest.mark.parametrize("file", ["bold", "bold.exe", "bold.PY"])
def test_an_executable_file_starts_itself(tmp_path: Path, file: str) -> None:
    path = tmp_path / file
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    assert find_bot(path, GAME).command == [f"./{file}"]


def test_a_file_that_can_t_be_started_is_told_how_to_mend_it(tmp_path: Path) -> None:
    path = tmp_path / "bold"
    path.write_text("#!/bin/sh\n")
    message = error_of(path)
    assert "chmod +x" in message
    assert ".py, .js, .mjs" in message


def test_a_single_file_may_be_called_otherwise(tmp_path: Path) -> None:
    path = tmp_path / "bold.py"
    path.touch()
    assert find_bot(path, GAME, "bold-2").name == "bold-2"


@pytest.mark.parametrize(
    "stem", [" bold", "bold@1", "n" * 65, "bo\nld"], ids=["space", "at", "long", "two-lines"]
)
def test_a_file_whose_name_is_no_name_for_an_entrant_must_be_called_otherwise(
    tmp_path: Path, stem: str
) -> None:
    path = tmp_path / f"{stem}.py"
    path.touch()
    with pytest.raises(BotError, match="name"):
        find_bot(path, GAME)
    assert find_bot(path, GAME, "bold").name == "bold"


def test_a_file_whose_name_begins_with_a_dash_is_no_option_of_its_interpreter(tmp_path: Path) -> None:
    path = tmp_path / "-V.py"
    path.touch()
    assert not find_bot(path, GAME).command[1].startswith("-")


# No bot at all.


@pytest.mark.parametrize(
    "path",
    ["missing", "x" * 300, "x/" * 3_000, "nul\0byte", "new\nline"],
    ids=["missing", "long", "deep", "nul", "two-lines"],
)
def test_a_path_that_leads_nowhere_is_told(tmp_path: Path, path: str) -> None:
    with pytest.raises(BotError, match=r"there is no such bot|File name too long"):
        find_bot(tmp_path / path, GAME)


def test_what_is_neither_folder_nor_file_is_told(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    assert error_of(tmp_path / "fifo").endswith("neither a folder with a bot.toml nor a file")


# The fingerprint of the content.


def test_the_same_files_have_the_same_fingerprint_wherever_they_lie(folder: Path, tmp_path: Path) -> None:
    before = content(folder)
    folder.rename(tmp_path / "elsewhere")
    assert content(tmp_path / "elsewhere") == before


def test_the_fingerprint_is_64_hex_digits(folder: Path) -> None:
    assert len(content(folder)) == 64
    assert int(content(folder), 16) >= 0


@pytest.mark.parametrize(
    "change",
    [
        lambda folder: (folder / "main.py").write_text("print('hellO')\n"),
        lambda folder: (folder / "main.py").rename(folder / "main2.py"),
        lambda folder: (folder / "empty").touch(),
        lambda folder: (folder / "weights").mkdir() or (folder / "weights" / "1.bin").write_bytes(b"\xff"),
        lambda folder: describe(folder, version='"1.1"'),
        lambda folder: (folder / "main.py").unlink(),
        lambda folder: (folder / b"\xff.txt".decode("utf-8", "surrogateescape")).touch(),
    ],
    ids=["content", "name", "new", "deeper", "bot.toml", "gone", "name-not-utf-8"],
)
def test_the_fingerprint_changes_with_any_file(folder: Path, change: object) -> None:
    before = content(folder)
    assert callable(change)
    change(folder)
    assert content(folder) != before


@pytest.mark.parametrize(
    "path", ["__pycache__/main.cpython-311.pyc", ".git/HEAD", ".cache", "deep/.hidden", "deep/__pycache__/x"]
)
def test_the_fingerprint_knows_no_hidden_files_and_no_caches_of_python(folder: Path, path: str) -> None:
    (folder / "deep").mkdir()
    before = content(folder)
    file = folder / path
    file.parent.mkdir(exist_ok=True)
    file.write_text("anything")
    assert content(folder) == before


def test_moving_bytes_from_one_file_to_the_next_changes_the_fingerprint(folder: Path) -> None:
    (folder / "a").write_text("xy")
    (folder / "b").write_text("z")
    before = content(folder)
    (folder / "a").write_text("x")
    (folder / "b").write_text("yz")
    assert content(folder) != before


def test_one_file_that_holds_what_two_would_has_another_fingerprint(folder: Path) -> None:
    (folder / "a").write_bytes(b"1b\x002")
    before = content(folder)
    (folder / "a").write_bytes(b"1")
    (folder / "b").write_bytes(b"2")
    assert content(folder) != before


def test_the_fingerprint_does_not_depend_on_the_order_in_which_files_were_written(
    folder: Path, tmp_path: Path
) -> None:
    names = ["a", "B", "b", "a.b", "a-b", "1", "10", "2", "ä", "z"]
    other = tmp_path / "other"
    other.mkdir()
    for file in ("main.py", "bot.toml"):
        (other / file).write_bytes((folder / file).read_bytes())
    for name in names:
        (folder / name).write_text(name)
    for name in reversed(names):
        (other / name).write_text(name)
    assert content(folder) == content(other)


def test_links_that_lead_nowhere_or_round_in_circles_and_pipes_are_passed_over(folder: Path) -> None:
    before = content(folder)
    (folder / "nowhere").symlink_to("no such file")
    (folder / "round").symlink_to("round")
    (folder / "up").symlink_to("..")
    os.mkfifo(folder / "pipe")
    assert content(folder) == before


def test_a_folder_that_is_too_large_to_be_a_bots_own_is_refused_before_it_is_read(folder: Path) -> None:
    with (folder / "disk.img").open("wb") as image:
        image.truncate(8 * 1024**3)  # a sparse file, which takes no room on the disk
    code = (
        "import resource, sys\n"
        "from pathlib import Path\n"
        "from arena.errors import BotError\n"
        "from arena.manifest import find_bot\n"
        "from engine import load_game\n"
        "resource.setrlimit(resource.RLIMIT_AS, (4 * 1024**3,) * 2)\n"
        "try:\n"
        "    find_bot(Path(sys.argv[1]), load_game('dragon_stripes'))\n"
        "except BotError as error:\n"
        "    print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code, folder], capture_output=True, text=True, check=False)
    assert done.stdout.startswith(f"{folder}: is larger than 256 MiB")


@pytest.mark.parametrize("change", ["x", ""])
def test_the_fingerprint_of_a_single_file_changes_with_its_content_alone(tmp_path: Path, change: str) -> None:
    first, second = tmp_path / "first.py", tmp_path / "second.py"
    first.write_text("print()")
    second.write_text(f"print({change})")
    assert (content(first) == content(second)) is (change == "")
