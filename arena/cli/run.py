"""`arena run`: plays a tournament file and prints the table, or tells what would be played."""

import os
import shlex
from pathlib import Path

import click

from arena.cli.common import DEFAULT_DB, INTERRUPTED, db_option, json_option, print_json
from arena.cli.display import display, tell_time
from arena.cli.results import print_ratings, ratings_as_json
from arena.orphans import adopt_orphans, kill_children
from arena.text import printable
from arena.tournament import Tournament, read_tournament


@click.command()
@click.argument("tournament", metavar="TOURNAMENT.toml", type=click.Path(path_type=Path))
@click.option(
    "--workers",
    type=click.IntRange(1, 256),
    help="How many matches are played at once.  [default: one per core]",
)
@click.option("--dry-run", is_flag=True, help="Tell what would be played, after a sample match of each size.")
@click.option("--quiet", is_flag=True, help="Say nothing while it runs; print the table alone.")
@db_option
@json_option
def run(tournament: Path, workers: int | None, dry_run: bool, quiet: bool, db: Path, as_json: bool) -> None:
    """Run a tournament, or go on with it.

    Interrupted or killed, the same command goes on where it stopped; every match is recorded once. When
    all is played, the same command prints the table again.
    """
    from arena.digest import digest
    from arena.entry import enter, recorded_before
    from arena.runner import Interrupted, run as run_tournament
    from arena.store import Store

    read = read_tournament(tournament)
    workers = workers or len(os.sched_getaffinity(0))
    if dry_run:
        recorded = 0
        if db.is_file() and db.stat().st_size:
            with Store.open_for_reading(db) as store:
                recorded = recorded_before(store, read)
        _tell_plan(read, workers, recorded, as_json)
        return
    with Store.open_for_writing(db) as store:
        entry, read = enter(store, read)
        if not quiet:
            _announce(read, entry.id, entry.planned, store.count(entry.id), workers)
        adopt_orphans()
        try:
            with display(entry.entrants, quiet=quiet) as show:
                run_tournament(store, entry, read, workers, show)
        except Interrupted:
            of_all = "" if entry.planned is None else f" of {entry.planned}"
            click.echo(
                f"Stopped with {store.count(entry.id)}{of_all} matches recorded; "
                "the same command goes on from there.",
                err=True,
            )
            raise click.exceptions.Exit(INTERRUPTED) from None
        finally:
            kill_children()  # those of a worker that was killed
        entry = store.again(entry)
        if as_json:
            told = {"digest": digest(entry.entrants, store.matches(entry.id))}
            print_json(ratings_as_json(store, entry) | told)
            return
        print_ratings(store, entry)
        if not quiet:
            _say_what_next(entry.name, entry.entrants[0], db)


def _tell_plan(tournament: Tournament, workers: int, recorded: int, as_json: bool) -> None:
    """The plan in numbers, and the time that the rest of it takes by sample matches."""
    from arena.sample import expected_seconds

    numbers = tournament.plan.numbers()
    adopt_orphans()
    try:
        seconds = expected_seconds(tournament, workers)
    finally:
        kill_children()
    if seconds is not None and numbers.matches:
        seconds *= 1 - recorded / numbers.matches
    if as_json:
        per_bot = numbers.matches_per_bot
        print_json(
            {
                "tournament": tournament.name,
                "format": tournament.format,
                "entrants": [bot.name for bot in tournament.bots],
                "players": list(tournament.plan.players),
                "lineups": numbers.lineups,
                "deals": tournament.plan.deals,
                "matches": numbers.matches,
                "matches_per_bot": list(per_bot) if per_bot else None,
                "recorded": recorded,
                "workers": workers,
                "expected_seconds": seconds,
            }
        )
        return
    rows = [
        ("format", tournament.format),
        ("game", f"{tournament.game.title} ({tournament.ruleset})"),
        ("entrants", f"{len(tournament.bots)} at tables of {_sizes(tournament)}"),
        ("lineups", _or_no_end(numbers.lineups)),
        ("deals", f"{tournament.plan.deals} per lineup, each in every rotation"),
        ("matches", _or_no_end(numbers.matches)),
        ("matches per bot", _span(numbers.matches_per_bot)),
        *([("recorded", f"{recorded} of them")] if recorded else []),
        ("block", f"the same processes play {_deals(tournament.plan.block)}"),
        ("expected time", "no end" if seconds is None else f"{tell_time(seconds)} with {_workers(workers)}"),
    ]
    for name, value in rows:
        click.echo(f"{name:<16} {value}")
    click.echo("Nothing was recorded.", err=True)


def _say_what_next(name: str, entrant: str, db: Path) -> None:
    words = printable(shlex.quote(name))
    elsewhere = "" if db == DEFAULT_DB else f" --db {shlex.quote(str(db))}"
    click.echo(
        f"Next: arena matches {words} --bot {printable(shlex.quote(entrant))}{elsewhere}   what was played\n"
        f"      arena replay 0 --tournament {words}{elsewhere}   step through a match\n"
        f"      arena digest {words}{elsewhere}   the fingerprint of it all"
    )


def _announce(tournament: Tournament, number: int, planned: int | None, recorded: int, workers: int) -> None:
    matches = "matches without end, Ctrl-C stops them" if planned is None else f"{planned} matches"
    click.echo(
        f"{printable(tournament.name)} (no. {number}): {tournament.game.title} ({tournament.ruleset}), "
        f"{tournament.format}, {len(tournament.bots)} bots at tables of {_sizes(tournament)}, {matches}, "
        f"seed {printable(tournament.seed or '')}, {_workers(workers)}",
        err=True,
    )
    if recorded == planned:
        click.echo("All of them are recorded; another seed or another name makes it a new one.", err=True)
    elif recorded:
        click.echo(f"{recorded} of them are recorded; going on.", err=True)
    if tournament.limits.memory_mb is not None and recorded != planned:
        click.echo("Note: limits.memory_mb is not enforced by this version.", err=True)


def _sizes(tournament: Tournament) -> str:
    return ", ".join(map(str, tournament.plan.players))


def _deals(deals: int) -> str:
    return f"{deals} deal{'s' * (deals > 1)}"


def _workers(workers: int) -> str:
    return f"{workers} worker{'s' * (workers > 1)}"


def _or_no_end(number: int | None) -> str:
    return "no end" if number is None else str(number)


def _span(numbers: tuple[int, int] | None) -> str:
    if numbers is None:
        return "no end"
    fewest, most = numbers
    return str(fewest) if fewest == most else f"{fewest} to {most}"
