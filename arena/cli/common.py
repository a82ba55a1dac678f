"""What commands share: the options `--db` and `--json`, the tables, and how a match is shown as text."""

import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click
import msgspec

from arena.faults import Fault
from arena.match import MatchRecord
from arena.replay import Step
from arena.text import printable
from engine import AnyGame, Json

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

INTERRUPTED: Final = 130
"""The exit code after Ctrl-C."""

_WIDTH_WITHOUT_TERMINAL: Final = 200
_OTHERS_SHOWN: Final = 8

DEFAULT_DB: Final = Path("results/arena.db")

db_option: Final = click.option(
    "--db",
    type=click.Path(dir_okay=False, path_type=Path),
    envvar="ARENA_DB",
    default=DEFAULT_DB,
    show_default=True,
    help="The database; ARENA_DB names it, too.",
)
json_option: Final = click.option("--json", "as_json", is_flag=True, help="JSON for programs.")
tournament_argument: Final = click.argument("tournament", required=False)


def print_json(value: Json) -> None:
    """Plain data, typed structures included, on stdout."""
    click.echo(msgspec.json.format(msgspec.json.encode(value), indent=2).decode())


def console(*, stderr: bool = False) -> "Console":
    """A console that does not cut tables short when there is no terminal."""
    from rich.console import Console

    terminal = (sys.stderr if stderr else sys.stdout).isatty()
    return Console(
        stderr=stderr, width=None if terminal else _WIDTH_WITHOUT_TERMINAL, highlight=False, markup=False
    )


def table(columns: Sequence[str], rows: Iterable[Sequence[object]], left: Sequence[str]) -> "Table":
    """A table of plain text; columns named in ``left`` are aligned left, numbers right."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    shown = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=0)
    for column in columns:
        shown.add_column(column, justify="left" if column in left else "right", overflow="fold")
    for row in rows:
        # Names are strangers' text: never read as markup, never sent to the terminal raw.
        shown.add_row(*(Text(printable(str(cell))) for cell in row))
    return shown


def seat_labels(names: Sequence[str]) -> list[str]:
    """A name per seat; bots that sit there twice are told apart."""
    return [
        name if names.count(name) == 1 else f"{name}#{seat}"
        for seat, name in enumerate(map(printable, names))
    ]


def tell_match(game: AnyGame, labels: Sequence[str], steps: Iterable[Step]) -> Iterator[str]:
    """A match as lines for people: each decision, and what everybody saw of it."""

    def named(text: str) -> str:
        return re.sub(r"\bseat (\d+)\b", lambda seat: labels[int(seat[1])], text)

    for step in steps:
        if step.decision is not None and step.seat is not None:
            others = [action for action in step.legal if action != step.action]
            more = f" and {len(others) - _OTHERS_SHOWN} more" if len(others) > _OTHERS_SHOWN else ""
            why = "it has forfeited" if step.forfeited else f"not {', '.join(others[:_OTHERS_SHOWN])}{more}"
            yield f"{step.decision:>4}  {labels[step.seat]}: {step.action}   ({why})"
            if step.note:
                yield f"      note: {printable(step.note)}"
        for event in step.events:
            yield f"      {named(game.describe(event))}"


def print_result(labels: Sequence[str], record: MatchRecord) -> None:
    """How a match ended, seat by seat, and every fault in it."""
    columns = ["rank", "seat", "bot", "score", "decisions", "think ms", "fault"]
    rows = [
        (
            record.ranks[seat],
            seat,
            label,
            record.scores[seat],
            record.decisions[seat],
            f"{record.think_us[seat] / 1000:.1f}",
            record.faults[seat] or "",
        )
        for seat, label in enumerate(labels)
    ]
    out = console()
    out.print(table(columns, sorted(rows), left=["bot", "fault"]))
    for fault in record.log:
        for line in tell_fault(labels, fault):
            out.print(line, soft_wrap=True)


def tell_fault(labels: Sequence[str], fault: Fault) -> Iterator[str]:
    """A fault as lines for the bot's author."""
    cost = "forfeits the match" if fault.forfeit else "does not cost the match"
    yield f"{labels[fault.seat]}: {fault.kind} ({cost}): {printable(fault.text)}"
    yield f"  phase {fault.phase}, turn {fault.turn}, {fault.used_ms} ms used of {fault.limit_ms}"
    if fault.line:
        yield f"  its line: {printable(fault.line)}"
    if fault.stderr:
        yield "  its stderr:"
        yield from (f"    {printable(line)}" for line in fault.stderr.splitlines())
