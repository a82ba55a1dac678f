"""The line of a field in a TOML file is found however the file is written, or that of what is around it."""

import tomllib
from pathlib import Path

import pytest

from arena.toml_lines import at

LEAGUE = '''
name = "league"  # not deals = 3
"quoted" = 1
'also quoted' = 2
spaced   =   3
  indented = 4
rules.stripes = 5
rules . "dragon"   . 'scales' = 6

[limits]
move_ms = 1
# bank_ms = 2
bank_ms = 3
inline = { deep = { deeper = 1 }, other = 2 }

[ spaced_out ]   # with a comment
x = 1

["in quotes"]
x = 1

[a.b]
c = 1

[[bots]]
path = "ada"

[[ bots ]]
path = "bob"
name = """
deals = 3
[nowhere]
path = "no line of this string is a field"
"""
after = 1

[[bots]] # the third
path = [
  "a = b",
  "c",  # d = 1
]
name = \'\'\'x
after = 2
\'\'\'
after = """one line"""
last = 1
'''.lstrip()
LINES = {
    "name": 1,
    "quoted": 2,
    "also quoted": 3,
    "spaced": 4,
    "indented": 5,
    "rules.stripes": 6,
    "rules.dragon.scales": 7,
    "limits": 9,
    "limits.move_ms": 10,
    "limits.bank_ms": 12,
    "limits.inline": 13,
    "spaced_out": 15,
    "spaced_out.x": 16,
    "in quotes.x": 19,
    "a.b": 21,
    "a.b.c": 22,
    "bots[0]": 24,
    "bots[0].path": 25,
    "bots[1]": 27,
    "bots[1].path": 28,
    "bots[1].name": 29,
    "bots[1].after": 34,
    "bots[2]": 36,
    "bots[2].path": 37,
    "bots[2].name": 41,
    "bots[2].after": 44,
    "bots[2].last": 45,
}
AROUND = {
    "limits.inline.deep": 13,
    "limits.inline.deep.deeper": 13,
    "limits.missing": 9,
    "limits.missing.deeper[3].still": 9,
    "a.b.missing": 21,
    "bots[1].missing": 27,
    "bots[2].path[1]": 37,
    "rules.stripes[0]": 6,
    "rules": 6,
    "a": 21,
    "bots": 24,
    "bots[3]": 24,
    "bots[3].path": 24,
}
NOWHERE = ["missing", "deals", "nowhere", "nowhere.path"]
ODD_FIELDS = [
    *["", ".", "..", "[", "]", "[0]", "[[", "a[", "a[0", "a`b", "a.b", "a\nb", "\n", '"', "'", "$", "\\"],
    *["\0", "a" * 100_000, "." * 100_000, "[" * 100_000, "größe 🐉", "a\u2028b"],
]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "league.toml"


def line_of(file: Path, content: str, field: str) -> int | None:
    """The line that is told for a field; the content must be sound TOML."""
    tomllib.loads(content)
    file.write_text(content, encoding="utf-8")
    told = at(file, field)
    assert told.startswith(str(file))
    line = told.removeprefix(str(file))
    return int(line.removeprefix(":")) if line else None


@pytest.mark.parametrize(
    ("content", "field", "line"),
    [
        ('build = [\n ["make"],\n ["make", "install"]\n]\nversion = 1', "version", 5),
        ('build = [\n ["name"]\n]\nname = 1', "name", 4),
        ('# a """ in a comment\nname = 1', "name", 2),
        ("x = \"'''\"\nname = 1", "name", 2),
        ('x = """\na = 1\n\\"""\nb = 2"""\nname = 1', "name", 5),
        ("# \u2028 \u0085\nname = 1", "name", 2),
        ('["x#y"]\nname = 1', "x#y.name", 2),
        ('["x]y"]\nname = 1', "x]y.name", 2),
        ("[[a]]\n[a.b]\nname = 1", "a[0].b.name", 3),
        ("[[a]]\n[[a.b]]\n[[a.b]]\nname = 1", "a[0].b[1].name", 4),
    ],
)
def test_nothing_that_only_looks_like_a_field_leads_astray(
    file: Path, content: str, field: str, line: int
) -> None:
    assert line_of(file, content, field) == line


# However it is written.


@pytest.mark.parametrize(("field", "line"), LINES.items(), ids=LINES)
def test_a_field_or_table_is_told_with_its_line(file: Path, field: str, line: int) -> None:
    assert line_of(file, LEAGUE, field) == line


@pytest.mark.parametrize(("field", "line"), AROUND.items(), ids=AROUND)
def test_what_has_no_line_of_its_own_is_told_with_that_of_what_is_around_it(
    file: Path, field: str, line: int
) -> None:
    assert line_of(file, LEAGUE, field) == line


@pytest.mark.parametrize("field", NOWHERE)
def test_what_is_nowhere_is_told_with_the_file_alone(file: Path, field: str) -> None:
    assert line_of(file, LEAGUE, field) is None


def test_what_stands_before_a_field_counts_whatever_it_is(file: Path) -> None:
    assert line_of(file, "\n\n# comment\n\n\t\n  deals = 1\n", "deals") == 6


def test_a_file_may_end_without_a_newline(file: Path) -> None:
    assert line_of(file, "a = 1\nb = 2", "b") == 2


def test_a_file_of_nothing_has_no_line(file: Path) -> None:
    assert line_of(file, "", "a") is None


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_lines_are_those_that_an_editor_counts(file: Path, newline: str) -> None:
    file.write_bytes(newline.join(["a = 1", "", "[t]", "b = 2", ""]).encode())
    assert [at(file, field) for field in ("a", "t.b")] == [f"{file}:1", f"{file}:4"]


def test_a_mark_of_the_byte_order_is_no_part_of_the_first_field(file: Path) -> None:
    file.write_text("name = 1\n", encoding="utf-8-sig")
    assert at(file, "name") == f"{file}:1"


def test_letters_of_any_language_may_stand_in_quotes(file: Path) -> None:
    assert line_of(file, '\n"größe 🐉" = 1\n', "größe 🐉") == 2


# Multi-line values.


@pytest.mark.parametrize("quotes", ['"""', "'''"])
def test_no_line_of_a_long_string_is_a_field(file: Path, quotes: str) -> None:
    content = f"text = {quotes}\ndeals = 1\n[limits]\n{quotes}\ndeals = 2\n"
    assert line_of(file, content, "deals") == 5
    assert line_of(file, content, "limits") is None


@pytest.mark.parametrize(("quotes", "others"), [('"""', "'''"), ("'''", '"""')])
def test_a_long_string_ends_with_the_quotes_with_which_it_began(file: Path, quotes: str, others: str) -> None:
    content = f"text = {quotes}\n{others}\ndeals = 1\n{others}\n{quotes}\ndeals = 2\n"
    assert line_of(file, content, "deals") == 6


@pytest.mark.parametrize("text", ['""""""', '"""a"""', "''''''", '"""a""""', '""""a"""', '""', '"\'"'])
def test_after_a_string_on_one_line_fields_are_found_again(file: Path, text: str) -> None:
    assert line_of(file, f"text = {text}\ndeals = 1\n", "deals") == 2


def test_a_list_over_many_lines_is_told_with_its_first(file: Path) -> None:
    content = "players = [\n  2,\n  # and\n  3,\n]\ndeals = 1\n"
    assert [line_of(file, content, field) for field in ("players", "players[1]", "deals")] == [1, 1, 6]


def test_tables_in_a_list_over_many_lines_are_told_with_its_first(file: Path) -> None:
    content = 'name = "x"\nbots = [\n  { path = "a" },\n  { path = "b", name = "c" },\n]\ndeals = 1\n'
    assert [line_of(file, content, field) for field in ("bots[1].name", "bots[0]", "deals")] == [2, 2, 6]


# Names out of the ordinary.


@pytest.mark.parametrize("key", ['"a`b"', '"a.b"', "'a.b'", '"a[0]"', '"a]b"', '"#"', '"a=b"'])
def test_a_key_in_quotes_is_found_whatever_it_holds(file: Path, key: str) -> None:
    assert line_of(file, f"x = 1\n{key} = 2\ny = 3\n", key.strip("\"'")) == 2


def test_a_key_of_no_letters_has_no_line_at_the_top_and_one_in_a_table(file: Path) -> None:
    content = '"" = 1\n[t]\n"" = 2\n'
    assert line_of(file, content, "") is None
    assert line_of(file, content, "t.") == 3


def test_a_key_with_escapes_is_told_with_its_table(file: Path) -> None:
    content = 'x = 1\n[t]\ny = 2\n"a\\nb" = 3\n'
    assert line_of(file, content, "t.a\nb") == 2


@pytest.mark.parametrize("field", ODD_FIELDS, ids=lambda field: ascii(field[:9]))
def test_whatever_a_field_is_called_the_search_ends(file: Path, field: str) -> None:
    file.write_text(LEAGUE)
    assert at(file, field) in {str(file), *(f"{file}:{line}" for line in range(1, 46))}


@pytest.mark.parametrize("field", ODD_FIELDS, ids=lambda field: ascii(field[:9]))
def test_in_a_table_of_its_own_it_ends_at_the_latest_there(file: Path, field: str) -> None:
    file.write_text(LEAGUE)
    assert at(file, f"limits.{field}") == f"{file}:9"
