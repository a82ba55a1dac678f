"""`arena run`: plays a tournament file with a live display, and prints the table."""

import os
import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Final

import click

from arena.cli.common import (
    DEFAULT_DB,
    INTERRUPTED,
    console as make_console,
    db_option,
    json_option,
    print_json,
)
from arena.cli.results import print_ratings, ratings_as_json
from arena.orphans import adopt_orphans, kill_children
from arena.text import printable
from arena.tournament import Tournament, read_tournament

if TYPE_CHECKING:
    from arena.runner import RunProgress

_LINE_EVERY_S: Final = 5.0


@click.command()
@click.argument("tournament", metavar="TOURNAMENT.toml", type=click.Path(path_type=Path))
@click.option(
    "--workers",
    type=click.IntRange(1, 256),
    help="How many matches are played at once.  [default: one per core]",
)
@db_option
@json_option
def run(tournament: Path, workers: int | None, db: Path, as_json: bool) -> None:
    """Run a tournament, or go on with it.

    Interrupted or killed, the same command goes on where it stopped; every match is recorded once. When
    all is played, the same command prints the table again.
    """
    from arena.digest import digest
    from arena.runner import Interrupted, enter, run as run_tournament
    from arena.store import Store

    read = read_tournament(tournament)
    workers = workers or len(os.sched_getaffinity(0))
    with Store.open_for_writing(db) as store:
        entry, read = enter(store, read)
        _announce(read, entry.id, entry.planned, store.count(entry.id), workers)
        adopt_orphans()
        try:
            with _display() as show:
                run_tournament(store, entry, read, workers, show)
        except Interrupted:
            click.echo(
                f"Stopped with {store.count(entry.id)} of {entry.planned} matches recorded; "
                "the same command goes on from there.",
                err=True,
            )
            raise click.exceptions.Exit(INTERRUPTED) from None
        finally:
            kill_children()  # those of a worker that was killed
        if as_json:
            told = {"digest": digest(entry.entrants, store.matches(entry.id))}
            print_json(ratings_as_json(store, entry) | told)
            return
        print_ratings(store, entry)
        _say_what_next(entry.name, entry.entrants[0], db)


def _say_what_next(name: str, entrant: str, db: Path) -> None:
    words = shlex.quote(name)
    elsewhere = "" if db == DEFAULT_DB else f" --db {shlex.quote(str(db))}"
    click.echo(
        f"Next: arena matches {words} --bot {shlex.quote(entrant)}{elsewhere}   what was played\n"
        f"      arena replay 0 --tournament {words}{elsewhere}   step through a match\n"
        f"      arena digest {words}{elsewhere}   the fingerprint of it all"
    )


def _announce(tournament: Tournament, number: int, planned: int, recorded: int, workers: int) -> None:
    sizes = ", ".join(map(str, tournament.players))
    click.echo(
        f"{printable(tournament.name)} (no. {number}): {tournament.game.title} ({tournament.ruleset}), "
        f"{len(tournament.bots)} bots at tables of {sizes}, {planned} matches, "
        f"seed {printable(tournament.seed or '')}, {workers} worker{'s' * (workers > 1)}",
        err=True,
    )
    if recorded == planned:
        click.echo("All of them are recorded; another seed or another name makes it a new one.", err=True)
    elif recorded:
        click.echo(f"{recorded} of them are recorded; going on.", err=True)
    if tournament.limits.memory_mb is not None and recorded < planned:
        click.echo("Note: limits.memory_mb is not enforced by this version.", err=True)


@contextmanager
def _display() -> Iterator[Callable[["RunProgress"], None]]:
    """A progress bar on a terminal, a plain line now and then elsewhere; both on stderr."""
    if not sys.stderr.isatty():
        yield _plain_lines()
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("matches"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
        TextColumn("{task.fields[faults]}", markup=False),
    )
    with Progress(*columns, console=make_console(stderr=True), refresh_per_second=5) as bar:
        task = bar.add_task("matches", total=None, rate="", faults="")
        began = monotonic()
        before: list[int] = []

        def show(progress: "RunProgress") -> None:
            over = progress.recorded + progress.playing
            before.append(over) if not before else None
            rate = (over - before[0]) / max(monotonic() - began, 0.001)
            bar.update(
                task,
                completed=over,
                total=progress.planned,
                rate=f"{rate:,.0f}/s",
                faults=_faults(progress),
            )

        yield show


def _plain_lines() -> Callable[["RunProgress"], None]:
    said = monotonic()

    def show(progress: "RunProgress") -> None:
        nonlocal said
        if monotonic() - said >= _LINE_EVERY_S:
            said = monotonic()
            over = progress.recorded + progress.playing
            faults = _faults(progress)
            click.echo(f"{over} of {progress.planned} matches{', ' * bool(faults)}{faults}", err=True)

    return show


def _faults(progress: "RunProgress") -> str:
    if not progress.faults:
        return ""
    return (
        f"{progress.faults} forfeit{'s' * (progress.faults > 1)}, the last: {printable(progress.last_fault)}"
    )
