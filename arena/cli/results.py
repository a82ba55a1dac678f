"""`arena ratings`, `matches`, `replay` and `digest`: what was recorded, read and shown."""

from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click
import msgspec

from arena.cli.common import (
    console,
    db_option,
    json_option,
    print_json,
    print_result,
    seat_labels,
    table,
    tell_match,
    tournament_argument,
)
from arena.errors import StoreError
from arena.text import printable
from engine import Json

if TYPE_CHECKING:
    from arena.store import Store, StoredMatch, StoredTournament

_RATING_COLUMNS: Final = (
    "rank",
    "bot",
    "mu",
    "sigma",
    "mu-3s",
    "matches",
    "wins",
    "mean rank",
    "mean score",
    "faults",
)


@click.command()
@tournament_argument
@db_option
@json_option
def ratings(tournament: str | None, db: Path, as_json: bool) -> None:
    """The ratings table of a tournament (a name or a number; the latest if none is named).

    TrueSkill over the recorded matches in schedule order, sorted by mu - 3 sigma: the skill that a bot
    has almost surely. A forfeit ranks below everybody who did not forfeit.
    """
    from arena.store import Store

    with Store.open_for_reading(db) as store:
        entry = store.tournament(tournament)
        if as_json:
            print_json(ratings_as_json(store, entry))
        else:
            print_ratings(store, entry)


def ratings_as_json(store: "Store", entry: "StoredTournament") -> dict[str, Json]:
    """The table as plain data."""
    from arena.places import places
    from arena.ratings import standings

    return {
        "tournament": entry.name,
        "id": entry.id,
        "planned": entry.planned,
        "recorded": store.count(entry.id),
        "system": "trueskill",
        "ratings": standings(entry.entrants, lambda: store.results(entry.id)),
        "places": places(store, entry),
        "ponders": _ponderers(store, entry),
    }


def print_ratings(store: "Store", entry: "StoredTournament") -> None:
    """The table for people, and what the format and the clocks have to say."""
    from arena.places import places
    from arena.ratings import standings

    rows = [
        (
            row.rank,
            row.bot,
            f"{row.mu:.2f}",
            f"{row.sigma:.2f}",
            f"{row.conservative:.2f}",
            row.matches,
            row.wins,
            f"{row.mean_rank:.2f}",
            f"{row.mean_score:.1f}",
            row.faults,
        )
        for row in standings(entry.entrants, lambda: store.results(entry.id))
    ]
    _warn_if_unfinished(store, entry)
    click.echo(f"{printable(entry.name)} (no. {entry.id})")
    out = console()
    out.print(table(_RATING_COLUMNS, rows, left=["bot"]))
    for number, place in enumerate(places(store, entry), start=1):
        out.print(f"{number:>3}. {printable(place.bot)}: {place.text}", soft_wrap=True)
    for name, idle_ms in _ponderers(store, entry).items():
        out.print(
            f"Note: {printable(name)} ponders: it used {idle_ms} ms of CPU time while others were to move.",
            soft_wrap=True,
        )


def _ponderers(store: "Store", entry: "StoredTournament") -> dict[str, int]:
    """Who used CPU time while others were to move, and how much, in ms."""
    return {
        name: tally.idle_us // 1000
        for name, tally in zip(entry.entrants, store.tallies(entry), strict=True)
        if tally.ponders
    }


def _warn_if_unfinished(store: "Store", entry: "StoredTournament") -> None:
    if entry.finished is None and entry.planned is not None:
        recorded = store.count(entry.id)
        click.echo(
            f"{printable(entry.name)} is unfinished: {recorded} of {entry.planned} matches are recorded.",
            err=True,
        )


@click.command()
@tournament_argument
@click.option("--bot", help="Only matches in which this entrant sat.")
@click.option("--players", type=click.IntRange(1), help="Only tables of this size.")
@click.option("--faults", is_flag=True, help="Only matches with a fault in them.")
@click.option("--limit", type=click.IntRange(1), default=50, show_default=True, help="At most so many.")
@db_option
@json_option
def matches(
    tournament: str | None,
    bot: str | None,
    players: int | None,
    faults: bool,
    limit: int,
    db: Path,
    as_json: bool,
) -> None:
    """List the recorded matches of a tournament in schedule order."""
    from arena.store import Store

    with Store.open_for_reading(db) as store:
        entry = store.tournament(tournament)
        if bot is not None and bot not in entry.entrants:
            raise StoreError(f"{entry.name} has no entrant {bot!r}; it has {', '.join(entry.entrants)}")
        position = entry.entrants.index(bot) if bot is not None else None
        wanted = (
            match
            for match in store.matches(entry.id)
            if (position is None or position in match.record.lineup)
            and (players is None or len(match.record.lineup) == players)
            and (not faults or match.record.log)
        )
        shown = list(islice(wanted, limit + 1))
        more = len(shown) > limit
        if as_json:
            print_json([_match_as_json(entry, match) for match in shown[:limit]])
            return
        rows = [
            (
                match.record.number,
                match.deal,
                match.rotation,
                "  ".join(
                    f"{match.record.ranks[seat]}.\u00a0{entry.entrants[entrant]}\u00a0{match.record.scores[seat]}"
                    for seat, entrant in enumerate(match.record.lineup)
                ),
                len(match.record.actions),
                " ".join(sorted({fault.kind for fault in match.record.log})),
            )
            for match in shown[:limit]
        ]
        if not rows:
            click.echo(f"{printable(entry.name)} (no. {entry.id}): no match fits")
            return
        columns = ["match", "deal", "rotation", "by seat: rank, bot, score", "actions", "faults"]
        console().print(table(columns, rows, left=["by seat: rank, bot, score", "faults"]))
        if more:
            click.echo(f"There are more; --limit {2 * limit} shows more of them, --bot and --faults fewer.")


def _match_as_json(entry: "StoredTournament", match: "StoredMatch") -> dict[str, Json]:
    record = msgspec.structs.asdict(match.record)
    names = [entry.entrants[entrant] for entrant in match.record.lineup]
    return {"deal": match.deal, "rotation": match.rotation, "bots": names} | record


@click.command()
@click.argument("match", type=int)
@click.option("--tournament", help="A name or a number.  [default: the latest]")
@db_option
@json_option
def replay(match: int, tournament: str | None, db: Path, as_json: bool) -> None:
    """Step through the record of a match by its number (arena matches lists them)."""
    from arena.replay import replay as replay_record, rules_of
    from arena.store import Store

    with Store.open_for_reading(db) as store:
        entry = store.tournament(tournament)
        found = store.match(entry, match)
    game, rules = rules_of(entry)
    steps = replay_record(game, rules, found.record)
    if as_json:
        print_json(_match_as_json(entry, found) | {"steps": list(steps)})
        return
    labels = seat_labels([entry.entrants[entrant] for entrant in found.record.lineup])
    click.echo(
        f"match {match} of {printable(entry.name)}: {game.title} ({entry.settings['ruleset']}), "
        f"deal {found.deal}, rotation {found.rotation}, seed {found.record.seed}"
    )
    for line in tell_match(game, labels, steps):
        click.echo(line)
    print_result(labels, found.record)


@click.command()
@tournament_argument
@db_option
@json_option
def digest(tournament: str | None, db: Path, as_json: bool) -> None:
    """The fingerprint of what a tournament played: equal whatever the workers, kills and machine."""
    from arena.digest import digest as digest_of
    from arena.store import Store

    with Store.open_for_reading(db) as store:
        entry = store.tournament(tournament)
        fingerprint = digest_of(entry.entrants, store.matches(entry.id))
        if as_json:
            told = {"tournament": entry.name, "id": entry.id, "planned": entry.planned}
            print_json(told | {"recorded": store.count(entry.id), "digest": fingerprint})
            return
        _warn_if_unfinished(store, entry)
        click.echo(fingerprint)
