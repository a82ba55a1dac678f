"""The engine is the rules and nothing else; and every rule of the document has a test."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MODULES = sorted((ROOT / "engine").glob("**/*.py"))
TESTS = sorted(path for path in Path(__file__).parent.glob("test_*.py") if path != Path(__file__))

FORBIDDEN_MODULES = {
    "arena": "imports point from arena to engine only",
    **dict.fromkeys(
        ["fcntl", "fileinput", "glob", "io", "logging", "mmap", "os", "pathlib", "pickle", "posix", "shelve"],
        "the engine does no I/O",
    ),
    **dict.fromkeys(
        ["shutil", "socket", "sqlite3", "ssl", "sys", "tempfile", "urllib", "http"], "the engine does no I/O"
    ),
    **dict.fromkeys(
        [
            "asyncio",
            "concurrent",
            "ctypes",
            "multiprocess",
            "multiprocessing",
            "signal",
            "subprocess",
            "threading",
        ],
        "the engine starts nothing",
    ),
    **dict.fromkeys(
        ["calendar", "datetime", "sched", "time", "timeit", "zoneinfo"], "the engine has no clock"
    ),
    **dict.fromkeys(["numpy", "random", "secrets", "uuid"], "chance comes from seeds: see engine/chance.py"),
}
FORBIDDEN_CALLS = {
    "__import__",
    "breakpoint",
    "compile",
    "eval",
    "exec",
    "hash",
    "id",
    "input",
    "open",
    "print",
}


def imported(tree: ast.AST) -> set[str]:
    """The top-level names of all modules that are imported, wherever in the file."""
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            names.add(node.module.split(".")[0])
    return names


def called(tree: ast.AST) -> set[str]:
    """The plain names that are called."""
    return {
        node.func.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }


GAMES = {
    "DS": (25, ROOT / "docs" / "dragon-stripes.md", [ROOT / "engine" / "dragon_stripes.py"]),
    "DK": (28, ROOT / "docs" / "dragonkeepers.md", sorted((ROOT / "engine" / "dragonkeepers").glob("*.py"))),
}
"""By the letters of its ids: how many rules a game has, its document, its code."""


def rule_ids(letters: str, *files: Path) -> set[int]:
    """The numbers of all rules named as DS-7, or in the name of a test as ds7."""
    named = rf"(?:\b{letters}-|(?:\btest|_to)_{letters.lower()})(\d+)(?!\d)"
    return {int(number) for file in files for number in re.findall(named, file.read_text(encoding="utf-8"))}


def test_the_engine_was_found() -> None:
    assert ROOT / "engine" / "dragon_stripes.py" in MODULES


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.name)
def test_the_engine_imports_neither_arena_nor_anything_that_does_io(path: Path) -> None:
    names = imported(ast.parse(path.read_text(encoding="utf-8")))
    assert {name: FORBIDDEN_MODULES[name] for name in names if name in FORBIDDEN_MODULES} == {}


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.name)
def test_the_engine_opens_prints_and_evaluates_nothing(path: Path) -> None:
    assert called(ast.parse(path.read_text(encoding="utf-8"))) & FORBIDDEN_CALLS == set()


def test_a_hidden_import_or_call_would_be_seen() -> None:
    tree = ast.parse(
        "def f():\n    from os.path import join\n    import arena.cli as c\n    return open('x')"
    )
    assert imported(tree) == {"os", "arena"}
    assert called(tree) == {"open"}


@pytest.mark.parametrize("letters", GAMES)
def test_the_document_names_all_rules(letters: str) -> None:
    count, document, _ = GAMES[letters]
    assert rule_ids(letters, document) == set(range(1, count + 1))


@pytest.mark.parametrize("letters", GAMES)
def test_every_rule_of_the_document_is_named_by_a_test(letters: str) -> None:
    assert rule_ids(letters, GAMES[letters][1]) - rule_ids(letters, *TESTS) == set()


@pytest.mark.parametrize("letters", GAMES)
def test_every_rule_that_the_engine_cites_is_in_the_document(letters: str) -> None:
    _, document, code = GAMES[letters]
    assert rule_ids(letters, *code)
    assert rule_ids(letters, *code) - rule_ids(letters, document) == set()
