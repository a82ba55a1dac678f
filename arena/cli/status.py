"""`arena status`: how far a tournament is, told by the database while another process plays it, or later."""

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from arena.cli.common import console, db_option, json_option, print_json, tournament_argument
from arena.cli.display import tally_table, tell_playing, tell_rate
from arena.text import printable
from engine import Json

if TYPE_CHECKING:
    from arena.store import Store, StoredTournament

_FAULTS_SHOWN: Final = 5


@click.command()
@tournament_argument
@db_option
@json_option
def status(tournament: str | None, db: Path, as_json: bool) -> None:
    """How far a tournament is: matches, rate, what is being played, the table so far, the last faults."""
    from arena.store import Store

    with Store.open_for_reading(db) as store:
        entry = store.tournament(tournament)
        if as_json:
            print_json(_as_json(store, entry))
            return
        recorded = store.count(entry.id)
        of_all = "" if entry.planned is None else f" of {entry.planned}"
        out = console()
        out.print(
            f"{printable(entry.name)} (no. {entry.id}): {recorded}{of_all} matches recorded", soft_wrap=True
        )
        out.print(_state(entry, recorded), soft_wrap=True)
        for numbers, entrants in store.playing(entry.id) if _is_played(entry) else []:
            out.print(f"  {tell_playing(numbers, [entry.entrants[entrant] for entrant in entrants])}")
        out.print(tally_table(entry.entrants, store.tallies(entry)))
        faults = store.last_faults(entry.id, _FAULTS_SHOWN)
        if faults:
            out.print("The last faults:")
        for number, entrant, fault in faults:
            name = printable(entry.entrants[entrant])
            out.print(f"  match {number}: {fault.kind} of {name}: {printable(fault.text)}", soft_wrap=True)


def _is_played(entry: "StoredTournament") -> bool:
    return entry.runner is not None and entry.runner.is_alive()


def _state(entry: "StoredTournament", recorded: int) -> str:
    if entry.finished is not None:
        return f"finished at {entry.finished}"
    if entry.runner is None or not _is_played(entry):
        if recorded == entry.planned:
            return "all of it is recorded, and nobody has said so; arena run does, and prints the table"
        return "unfinished, and nobody plays it; arena run goes on with it"
    left = None if entry.planned is None else entry.planned - recorded
    speed = tell_rate(recorded - entry.runner.recorded, _seconds_since(entry.runner.since), left)
    by = f"being played by process {entry.runner.pid} since {entry.runner.since}"
    return f"{by}, {speed}" if speed else by


def _seconds_since(moment: str) -> float:
    return (datetime.now(UTC) - datetime.fromisoformat(moment)).total_seconds()


def _as_json(store: "Store", entry: "StoredTournament") -> dict[str, Json]:
    recorded = store.count(entry.id)
    played = _is_played(entry)
    return {
        "tournament": entry.name,
        "id": entry.id,
        "planned": entry.planned,
        "recorded": recorded,
        "finished": entry.finished,
        "runner": entry.runner if played else None,
        "playing": [
            {
                "first": numbers[0],
                "last": numbers[-1],
                "bots": [entry.entrants[entrant] for entrant in entrants],
            }
            for numbers, entrants in (store.playing(entry.id) if played else [])
        ],
        "table": [
            {
                "bot": name,
                "matches": tally.matches,
                "wins": tally.wins,
                "mean_rank": tally.mean_rank,
                "mean_score": tally.mean_score,
                "faults": tally.faults,
                "idle_ms": tally.idle_us // 1000,
                "ponders": tally.ponders,
            }
            for name, tally in zip(entry.entrants, store.tallies(entry), strict=True)
        ],
        "last_faults": [
            {"match": number, "bot": entry.entrants[entrant], "kind": fault.kind, "text": fault.text}
            for number, entrant, fault in store.last_faults(entry.id, _FAULTS_SHOWN)
        ],
    }
