"""Reads a TOML file into a typed structure, or says in one line what is wrong in it and where."""

import re
import tomllib
from pathlib import Path
from typing import Annotated, Any, Final, TypeVar, get_args

import msgspec

from arena.errors import ArenaError
from arena.text import printable
from arena.toml_lines import at
from engine import suggest

_LONGEST_NAME: Final = 64
_NAME: Final = r"^[^\s@/\x00-\x1f\x7f](?:[^@/\x00-\x1f\x7f]*[^\s@/\x00-\x1f\x7f])?\Z"
_VERSION: Final = r"^[\w.+-]+\Z"
_IN_WORDS: Final = {
    _NAME: "must be printable, without @ and /, and without white space at its ends",
    _VERSION: "must consist of letters, digits and . + - _",
}

Name = Annotated[str, msgspec.Meta(min_length=1, max_length=_LONGEST_NAME, pattern=_NAME)]
"""What a bot or a tournament may be called."""
Version = Annotated[str, msgspec.Meta(min_length=1, max_length=64, pattern=_VERSION)]
"""What a version may be called."""

StructT = TypeVar("StructT", bound=msgspec.Struct)

_UNKNOWN: Final = re.compile(r"Object contains unknown field `(.*)`", re.DOTALL)
_MISSING: Final = re.compile(r"Object missing required field `(.*)`")
_NO_CHOICE: Final = re.compile(r"Invalid enum value (['\"])(.*)\1", re.DOTALL)
_LARGEST_FILE: Final = 4 * 1024 * 1024


def decode_toml(file: Path, kind: type[StructT], error: type[ArenaError]) -> StructT:
    """The file's content as ``kind``; raises ``error`` with file, line, field and what to do."""
    try:
        if file.exists() and not (file.is_file() or file.is_dir()):
            raise error(f"{file}: is no ordinary file")
        if file.stat().st_size > _LARGEST_FILE:
            raise error(f"{file}: is larger than {_LARGEST_FILE // 1024 // 1024} MiB")
        table = tomllib.loads(file.read_text(encoding="utf-8-sig"))
    except OSError as failure:
        raise error(f"{file}: can't be read: {failure.strerror}") from None
    except UnicodeDecodeError as failure:
        raise error(f"{file}: is not UTF-8 at byte {failure.start}") from None
    except (ValueError, RecursionError) as failure:  # broken TOML, or a number of thousands of digits
        what, _, place = str(failure).partition(" (at ")
        line = re.match(r"line (\d+)", place)
        where = f"{file}:{line[1]}" if line else str(file)
        ends = " at the end of the file" if place.startswith("end of document") else ""
        text = "; a text goes in quotes" if what == "Invalid value" else ""
        raise error(f"{where}: is not TOML: {what}{ends}{text}") from None
    try:
        return msgspec.convert(table, kind)
    except msgspec.ValidationError as failure:
        field, what = explain(str(failure), kind)
        raise error(printable(f"{at(file, field)}: {field}: {what}").replace("\n", "\\n")) from None


def is_name(text: str) -> bool:
    """Whether a bot or a tournament may be called so."""
    return len(text) <= _LONGEST_NAME and re.search(_NAME, text) is not None


def explain(failure: str, kind: type[msgspec.Struct]) -> tuple[str, str]:
    """What msgspec says, as a field and what is wrong with it, with the nearest name for an unknown one."""
    what, found, path = failure.rpartition(" - at `$")
    what, path = (what, path.rstrip("`").lstrip(".")) if found else (failure, "")
    if unknown := _UNKNOWN.fullmatch(what):
        where = f"{path}.{unknown[1]}" if path else unknown[1]
        if unknown[1] in _fields_at(kind, "") and path:
            return where, "this field belongs to the top of the file, above the first [table]"
        for table in _fields_at(kind, ""):
            if table != path and unknown[1] in _fields_at(kind, table):
                return where, f"this field belongs in [{table}]"
        return where, f"unknown field; {suggest(unknown[1], _fields_at(kind, path))}"
    if missing := _MISSING.fullmatch(what):
        where = f"{path}.{missing[1]}" if path else missing[1]
        return where, "this field is missing"
    if no_choice := _NO_CHOICE.fullmatch(what):
        return path, f"unknown {no_choice[2]!r}; {suggest(no_choice[2], get_args(_type_at(kind, path)))}"
    for pattern, words in _IN_WORDS.items():
        if repr(pattern) in what:
            return path, words
    what = (
        what.replace("`", "").replace(" | null", "").replace("array", "a list").replace("object", "a table")
    )
    return path, f"{what[0].lower()}{what[1:]}{_how_to_mend(what, path, kind)}"


def _how_to_mend(what: str, path: str, kind: type[msgspec.Struct]) -> str:
    """What to do about a wrong type, where that is plain."""
    expected, _, got = what.removeprefix("Expected ").partition(", got ")
    if expected == "str" and got not in {"a list", "a table"}:
        return "; put it in quotes" if got else ""
    if expected.startswith("int") and got == "str":
        return "; leave out the quotes"
    if expected == "a table" and got and not path.endswith("]"):
        return f"; write [{path}]"
    if not _fields_at(kind, path):  # a list of something else than tables
        return ""
    if expected == "a list" and got == "a table":
        return f"; write [[{path}]], with two brackets"
    if expected == "a table" and got:
        return f"; write [[{path[: path.rfind('[')]}]] and its fields below"
    return ""


def _fields_at(kind: Any, path: str) -> list[str]:
    """The field names of the structure that a path such as ``bots[0]`` or ``limits`` leads to."""
    kind = _type_at(kind, path)
    while get_args(kind):
        kind = get_args(kind)[0]
    is_table = isinstance(kind, type) and issubclass(kind, msgspec.Struct)
    return [field.name for field in msgspec.structs.fields(kind)] if is_table else []


def _type_at(kind: Any, path: str) -> Any:
    """The type of the field that a path leads to."""
    for name in re.findall(r"[a-z_]+", path):
        while get_args(kind):
            kind = get_args(kind)[0]
        is_table = isinstance(kind, type) and issubclass(kind, msgspec.Struct)
        fields = msgspec.structs.fields(kind) if is_table else ()
        kind = next((field.type for field in fields if field.name == name), None)
    return kind
