"""A broken TOML file is told in one line: which file, which field or line, and what to do."""

import re
from datetime import date
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
import pytest

from arena.errors import ArenaError
from arena.toml import decode_toml


class Oven(msgspec.Struct, forbid_unknown_fields=True):
    heat: Annotated[int, msgspec.Meta(ge=1, le=300)] = 180
    fuel: Literal["wood", "gas"] = "wood"


class Topping(msgspec.Struct, forbid_unknown_fields=True):
    name: str
    grams: int = 10


class Pizza(msgspec.Struct, forbid_unknown_fields=True):
    """A structure with every kind of nesting that our files have."""

    name: str
    slices: int | list[int] = 8
    oven: Oven = msgspec.field(default_factory=Oven)
    toppings: Annotated[list[Topping], msgspec.Meta(min_length=1)] = msgspec.field(default_factory=list)
    extra: dict[str, Any] = msgspec.field(default_factory=dict)


class BakeError(ArenaError):
    """The error that the caller wants to see."""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "pizza.toml"


def error_of(file: Path, content: str | bytes) -> str:
    """What is said of a file, without its name, which must stand first; in one printable line."""
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(BakeError) as raised:
        decode_toml(file, Pizza, BakeError)
    message = str(raised.value)
    assert message.isprintable()
    return without_place(file, message)


def without_place(file: Path, message: str) -> str:
    """A message without the file and the line that must stand first, the line if it can be told."""
    place = re.match(re.escape(str(file)) + r"(:\d+)?: ", message)
    assert place
    return message[place.end() :]


def line_of(file: Path, content: str) -> tuple[int | None, str]:
    """The line that is told, and the field."""
    error_of(file, content)
    with pytest.raises(BakeError) as raised:
        decode_toml(file, Pizza, BakeError)
    place = re.match(r"(?::(\d+))?: ([^ ]*): ", str(raised.value).removeprefix(str(file)))
    assert place
    return int(place[1]) if place[1] else None, place[2]


def test_a_sound_file_becomes_the_structure(file: Path) -> None:
    file.write_text('name = "Größe"\nslices = [4, 4]\noven.heat = 250\n[[toppings]]\nname = "basil"\n')
    assert decode_toml(file, Pizza, BakeError) == Pizza("Größe", [4, 4], Oven(250), [Topping("basil")])


def test_fields_that_may_hold_anything_are_left_as_toml_reads_them(file: Path) -> None:
    file.write_text('name = "x"\n[extra]\na = 1.5\nb = 2026-01-31\nc.d = [true]\n')
    assert decode_toml(file, Pizza, BakeError).extra == {
        "a": 1.5,
        "b": date(2026, 1, 31),
        "c": {"d": [True]},
    }


@pytest.mark.parametrize(
    ("content", "field", "nearest"),
    [
        ('name = "x"\nslice = 4\n', "slice", "slices"),
        ('name = "x"\n[oven]\nheet = 4\n', "oven.heet", "heat"),
        ('name = "x"\n[[toppings]]\nname = "a"\ngram = 4\n', "toppings[0].gram", "grams"),
        ('name = "x"\n[[toppings]]\nname = "a"\n[[toppings]]\nnam = "b"\n', "toppings[1].nam", "name"),
    ],
)
def test_an_unknown_field_is_named_with_the_nearest_known_one(
    file: Path, content: str, field: str, nearest: str
) -> None:
    assert error_of(file, content) == f"{field}: unknown field; did you mean {nearest!r}?"


@pytest.mark.parametrize(
    ("content", "known"),
    [
        ('name = "x"\nzzz = 1\n', "name, slices, oven, toppings, extra"),
        ('name = "x"\noven.zzz = 1\n', "heat, fuel"),
        ('name = "x"\n[[toppings]]\nzzz = 1\nname = "a"\n', "name, grams"),
    ],
)
def test_an_unknown_field_like_no_other_is_told_with_all_known_ones_of_its_table(
    file: Path, content: str, known: str
) -> None:
    assert error_of(file, content).endswith(f"zzz: unknown field; known are {known}")


@pytest.mark.parametrize("key", ['"a\\nb"', '"a`b"', '"a\\u001b[2J"', '""'])
def test_an_unknown_field_of_whatever_name_is_told_in_one_line(file: Path, key: str) -> None:
    assert "unknown field; known are name, slices, oven, toppings, extra" in error_of(
        file, f'name = "x"\n{key} = 1\n'
    )


@pytest.mark.parametrize(
    ("content", "field"),
    [("slices = 4\n", "name"), ("", "name"), ('name = "x"\n[[toppings]]\ngrams = 1\n', "toppings[0].name")],
)
def test_a_missing_field_is_named(file: Path, content: str, field: str) -> None:
    assert error_of(file, content).startswith(f"{field}: this field is missing")


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("name = 7\n", "name: expected str, got int"),
        ('name = "x"\nslices = "8"\n', "slices: expected int | a list, got str"),
        ('name = "x"\nslices = true\n', "slices: expected int | a list, got bool"),
        ('name = "x"\nslices = [4, 4.0]\n', "slices[1]: expected int, got float"),
        ('name = "x"\noven = 3\n', "oven: expected a table, got int"),
        ('name = "x"\n[oven]\nheat = 0\n', "oven.heat: expected int >= 1"),
        ('name = "x"\n[oven]\nheat = 301\n', "oven.heat: expected int <= 300"),
        ('name = "x"\ntoppings = []\n', "toppings: expected a list of length >= 1"),
        ('name = "x"\n[[toppings]]\nname = false\n', "toppings[0].name: expected str, got bool"),
    ],
)
def test_a_wrong_type_or_number_is_told_with_field_and_what_is_expected(
    file: Path, content: str, told: str
) -> None:
    assert error_of(file, content).startswith(told)


@pytest.mark.parametrize(
    "content",
    [
        'oven.fuel = "{}"\nname = "x"\n',
        'name = "x"\n[oven]\nfuel = "{}"\n',
        'name = "x"\noven = {{ fuel = "{}" }}\n',
    ],
    ids=["dotted", "table", "inline"],
)
def test_a_choice_that_there_is_not_is_told_with_those_that_there_are(file: Path, content: str) -> None:
    assert error_of(file, content.format("coal")) == "oven.fuel: unknown 'coal'; known are wood, gas"
    assert error_of(file, content.format("woods")) == "oven.fuel: unknown 'woods'; did you mean 'wood'?"
    assert error_of(file, content.format("")) == "oven.fuel: unknown ''; known are wood, gas"


@pytest.mark.parametrize("choice", ["`z`", '\\"', "a\\nb", "\\u001b[2J", "x" * 10_000])
def test_a_choice_of_whatever_text_is_told_in_one_line(file: Path, choice: str) -> None:
    told = error_of(file, f'name = "x"\n[oven]\nfuel = "{choice}"\n')
    assert told.startswith("oven.fuel: unknown ")
    assert told.endswith("known are wood, gas")


@pytest.mark.parametrize("value", ["2026", "1.0", "true", "2026-01-31"])
def test_text_without_its_quotes_is_told_to_be_put_in_quotes(file: Path, value: str) -> None:
    assert error_of(file, f"name = {value}\n").endswith("put it in quotes")


@pytest.mark.parametrize(
    ("content", "field"),
    [
        ('name = "x"\n[oven]\nheat = "7"\n', "oven.heat: expected int, got str"),
        ('name = "x"\n[[toppings]]\nname = "a"\ngrams = ""\n', "toppings[0].grams: expected int, got str"),
        ('name = "x"\nslices = [4, "4"]\n', "slices[1]: expected int, got str"),
    ],
)
def test_a_number_in_quotes_is_told_to_leave_them_out(file: Path, content: str, field: str) -> None:
    assert error_of(file, content) == f"{field}; leave out the quotes"


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ('name = ["x"]\n', "name: expected str, got a list"),
        ('name = { first = "x" }\n', "name: expected str, got a table"),
        ('[name]\nfirst = "x"\n', "name: expected str, got a table"),
        ('name = "x"\n[oven]\nheat = 4.0\n', "oven.heat: expected int, got float"),
        ('name = "x"\n[oven]\nheat = []\n', "oven.heat: expected int, got a list"),
    ],
)
def test_what_quotes_can_t_mend_is_told_without_a_word_of_them(file: Path, content: str, told: str) -> None:
    assert error_of(file, content) == told


@pytest.mark.parametrize("content", ["[toppings]\nname = 'a'\n", "toppings.name = 'a'\n", "toppings = {}\n"])
def test_a_table_for_a_list_of_them_is_told_to_be_written_with_two_brackets(file: Path, content: str) -> None:
    assert error_of(file, f'name = "x"\n{content}') == (
        "toppings: expected a list, got a table; write [[toppings]], with two brackets"
    )


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (
            'toppings = ["a"]',
            "toppings[0]: expected a table, got str; write [[toppings]] and its fields below",
        ),
        (
            'toppings = [{ name = "a" }, 7]',
            "toppings[1]: expected a table, got int; write [[toppings]] and its fields below",
        ),
        ("oven = 3", "oven: expected a table, got int; write [oven]"),
        ("[[oven]]\nheat = 3", "oven: expected a table, got a list; write [oven]"),
        ("extra = []", "extra: expected a table, got a list; write [extra]"),
    ],
)
def test_what_should_be_a_table_is_told_with_its_header(file: Path, content: str, told: str) -> None:
    assert error_of(file, f'name = "x"\n{content}\n') == told


@pytest.mark.parametrize(
    ("content", "line", "field"),
    [
        ("# a pizza\n\nname = 7\n", 3, "name"),
        ('name = "x"\nslice = 4\n', 2, "slice"),
        ('name = "x"\n\n[oven]\nheat = 1\nheet = 4\n', 5, "oven.heet"),
        ('name = "x"\n[oven]\n\nheat = 0\n', 4, "oven.heat"),
        ('oven.heat = 1\noven.fuel = "x"\nname = "x"\n', 2, "oven.fuel"),
        ('oven.heat = 1\nname = "x"\noven.zzz = 1\n', 3, "oven.zzz"),
        ('name = "x"\noven = { fuel = "gas", heat = 0 }\n', 2, "oven.heat"),
        ('name = "x"\noven = 3\n', 2, "oven"),
        ('name = "x"\n[[toppings]]\nname = "a"\n[[toppings]]\ngrams = 1\nnam = "b"\n', 6, "toppings[1].nam"),
        ('name = "x"\n[[toppings]]\nname = "a"\ngrams = "b"\n[[toppings]]\n', 4, "toppings[0].grams"),
        ('toppings = [\n  { name = "a" },\n  { name = 1 },\n]\nname = "x"\n', 1, "toppings[1].name"),
        ('name = """\nslices = "x"\n"""\nslices = "x"\n', 4, "slices"),
        ("name = '''\n[oven]\n'''\n[oven]\nheat = 0\n", 5, "oven.heat"),
        ('name = "x"\nslices = [\n  4,\n  4.0,\n]\n', 2, "slices[1]"),
        ('name = "x"\nslices = [\n  4,\n]\n[oven]\nheat = 0\n', 6, "oven.heat"),
        ('name = "x"\n"slices" = 4.0\n', 2, "slices"),
        ("'name' = 7\n", 1, "name"),
        ('name = "x"\n["oven"]\n"heat" = 0\n', 3, "oven.heat"),
        ('name = "x"\n"a`b" = 1\n', 2, "a`b"),
        ('name = "x"\n"a.b" = 1\n', 2, "a.b"),
        ('name = "x"\n"größe" = 1\n', 2, "größe"),
    ],
)
def test_what_is_wrong_is_told_with_the_line_of_its_field(
    file: Path, content: str, line: int, field: str
) -> None:
    assert line_of(file, content) == (line, field)


@pytest.mark.parametrize(
    ("content", "line", "field"),
    [
        ('name = "x"\n[[toppings]]\nname = "a"\n\n[[toppings]]\ngrams = 1\n', 5, "toppings[1].name"),
        ('name = "x"\n[[toppings]]\n', 2, "toppings[0].name"),
        ('name = "x"\ntoppings = [{ grams = 1 }]\n', 2, "toppings[0].name"),
        ('name = "x"\n[oven]\nheat = 1\n"a\\nb" = 1\n', 2, "oven.a\\nb"),
    ],
)
def test_a_field_that_has_no_line_is_told_with_that_of_its_table(
    file: Path, content: str, line: int, field: str
) -> None:
    assert line_of(file, content) == (line, field)


@pytest.mark.parametrize(
    ("content", "field"),
    [
        ("slices = 4\n", "name"),
        ("[oven]\nheat = 1\n", "name"),
        ('name = "x"\n"" = 1\n', ""),
        ('name = "x"\n"a\\nb" = 1\n', "a\\nb"),
    ],
)
def test_a_field_of_the_file_that_has_no_line_is_told_with_the_file_alone(
    file: Path, content: str, field: str
) -> None:
    assert line_of(file, content) == (None, field)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ('name = "x"\n[oven]\nslices = 4\n', ":3: oven.slices: this field belongs to the top of the file"),
        ('name = "x"\nfuel = "gas"\n', ":2: fuel: this field belongs in [oven]"),
    ],
)
def test_a_field_in_the_wrong_table_is_told_with_its_line_and_where_it_belongs(
    file: Path, content: str, told: str
) -> None:
    file.write_text(content)
    with pytest.raises(BakeError) as raised:
        decode_toml(file, Pizza, BakeError)
    assert str(raised.value).startswith(f"{file}{told}")


@pytest.mark.parametrize(
    ("content", "line"),
    [
        ('name = "x\n', 1),
        ('name = "x"\nslices =\n', 2),
        ('name = "x"\nname = "y"\n', 2),
        ('name = "x"\n[oven\n', 2),
        ('name = "x"\n\nslices = 08\n', 3),
        ('name = "x"\nslices: 4\n', 2),
        ("x = 2026-02-30\n", 1),
    ],
)
def test_broken_toml_is_told_with_its_line(file: Path, content: str, line: int) -> None:
    assert error_of(file, content).startswith("is not TOML: ")
    with pytest.raises(BakeError, match=f"{file.name}:{line}: "):
        decode_toml(file, Pizza, BakeError)


@pytest.mark.parametrize(("content", "line"), [("name = x\n", 1), ('name = "x"\n\nslices =\n', 3)])
def test_what_may_be_a_text_without_its_quotes_is_told_with_the_mend(
    file: Path, content: str, line: int
) -> None:
    assert error_of(file, content) == "is not TOML: Invalid value; a text goes in quotes"
    with pytest.raises(BakeError, match=rf"pizza\.toml:{line}: is not TOML: "):
        decode_toml(file, Pizza, BakeError)


@pytest.mark.parametrize("content", ['name = "x\n', 'name = "x"\nname = "y"\n', "x = 2026-02-30\n"])
def test_what_else_is_broken_is_told_without_a_word_of_quotes_and_with_its_line_once(
    file: Path, content: str
) -> None:
    said = error_of(file, content)
    assert "quotes" not in said
    assert "line" not in said


@pytest.mark.parametrize("content", ['name = "x', "name = 'x'\nslices = ["], ids=["string", "list"])
def test_toml_that_breaks_off_is_told_as_broken(file: Path, content: str) -> None:
    assert error_of(file, content).startswith("is not TOML: ")


@pytest.mark.parametrize(
    "content",
    [f"slices = {'9' * 5_000}\n", f"slices = {'[' * 50_000}\n", "\0"],
    ids=["many-digits", "deep", "nul"],
)
def test_whatever_toml_can_t_be_read_is_told_in_one_line(file: Path, content: str) -> None:
    assert error_of(file, content).startswith("is not TOML")


def test_text_that_is_not_utf_8_is_told_with_its_place(file: Path) -> None:
    assert error_of(file, b'name = "\xff"\n') == "is not UTF-8 at byte 8"


def test_a_number_too_large_for_a_field_is_told_like_any_other(file: Path) -> None:
    assert error_of(file, f'name = "x"\n[oven]\nheat = {2**64}\n') == "oven.heat: expected int <= 300"


def test_a_file_of_unreasonable_size_is_not_read(file: Path) -> None:
    with file.open("wb") as long:
        long.truncate(4 * 1024 * 1024 + 1)
    with pytest.raises(BakeError, match="is larger than 4 MiB"):
        decode_toml(file, Pizza, BakeError)


def test_a_file_that_is_not_there_is_told(file: Path) -> None:
    with pytest.raises(BakeError, match=r"pizza\.toml: can't be read: No such file or directory"):
        decode_toml(file, Pizza, BakeError)


def test_a_folder_in_place_of_a_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(BakeError, match="can't be read: Is a directory"):
        decode_toml(tmp_path, Pizza, BakeError)
