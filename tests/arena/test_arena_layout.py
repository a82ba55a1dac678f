"""Imports of the runner point one way, and what is slow to import is imported where it is used."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MODULES = sorted((ROOT / "arena").glob("**/*.py"))

WHO_MAY_IMPORT = {
    "click": ["arena.cli"],
    "sqlite_utils": ["arena.database", "arena.store"],
    "trueskill": ["arena.ratings"],
    "rich": [],
}
"""Packages that cost tens of milliseconds, and the modules that may import them when they are imported."""


def name_of(path: Path) -> str:
    """A module's name, from its file."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def is_for_types_only(node: ast.AST) -> bool:
    """Whether it is ``if TYPE_CHECKING:``."""
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def imported(node: ast.AST, *, when_used: bool) -> Iterator[str]:
    """The modules that are imported under a node; ``when_used``: inside functions and for types, too."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        base = node.module or ""
        yield base
        yield from (f"{base}.{alias.name}" for alias in node.names)
    for child in ast.iter_child_nodes(node):
        later = isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef) or is_for_types_only(child)
        if when_used or not later:
            yield from imported(child, when_used=when_used)


def imports(path: Path, *, when_used: bool) -> set[str]:
    return set(imported(ast.parse(path.read_text(encoding="utf-8")), when_used=when_used))


def belongs_to(module: str, package: str) -> bool:
    return module == package or module.startswith(f"{package}.")


def loaded_by(module: str) -> set[str]:
    """The top-level names of all that is loaded when a module is imported in a fresh interpreter."""
    code = f"import {module}, sys; print(*{{name.partition('.')[0] for name in sys.modules}})"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True, timeout=60
    )
    return set(done.stdout.split())


every_module = pytest.mark.parametrize("path", MODULES, ids=name_of)


def test_the_runner_was_found() -> None:
    assert {"arena", "arena.cli.main", "arena.formats", "arena.worker"} <= set(map(name_of, MODULES))


@every_module
def test_no_module_outside_the_command_line_imports_it(path: Path) -> None:
    if belongs_to(name_of(path), "arena.cli") or name_of(path) == "arena.__main__":
        return
    assert {name for name in imports(path, when_used=True) if belongs_to(name, "arena.cli")} == set()


@every_module
def test_no_import_is_relative(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    levels = {node.level for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert levels <= {0}


@every_module
@pytest.mark.parametrize("package", list(WHO_MAY_IMPORT))
def test_a_slow_package_is_imported_by_those_alone_who_always_use_it(path: Path, package: str) -> None:
    if any(belongs_to(name_of(path), user) for user in WHO_MAY_IMPORT[package]):
        return
    assert {name for name in imports(path, when_used=False) if belongs_to(name, package)} == set()


@every_module
def test_click_is_the_command_line_s_business_alone(path: Path) -> None:
    if belongs_to(name_of(path), "arena.cli"):
        return
    assert {name for name in imports(path, when_used=True) if belongs_to(name, "click")} == set()


@pytest.mark.parametrize("module", ["arena.worker", "arena.__main__", "engine"])
def test_a_worker_loads_none_of_the_slow_packages(module: str) -> None:
    assert loaded_by(module) & WHO_MAY_IMPORT.keys() == set()


def test_the_engine_loads_nothing_of_the_runner() -> None:
    assert "arena" not in loaded_by("engine")


def test_the_command_line_loads_neither_tables_nor_ratings_nor_the_database_before_it_needs_them() -> None:
    assert loaded_by("arena.cli.main") & WHO_MAY_IMPORT.keys() == {"click"}


def test_an_import_would_be_seen_wherever_it_hides() -> None:
    source = (
        "import a.b as c\n"
        "from d import e\n"
        "if TYPE_CHECKING:\n    import f\n"
        "try:\n    import g\nexcept ImportError:\n    pass\n"
        "class C:\n    import h\n"
        "def f():\n    from i import j\n"
    )
    assert set(imported(ast.parse(source), when_used=False)) == {"a.b", "d", "d.e", "g", "h"}
    assert set(imported(ast.parse(source), when_used=True)) >= {"f", "i", "i.j"}
