"""How far the entrants came by a format's own count: the bracket of a knockout, the points of a Swiss."""

from dataclasses import dataclass

from arena.formats import make_plan
from arena.schedule import Schedule
from arena.store import Store, StoredTournament


@dataclass(frozen=True, slots=True)
class PlaceOfBot:
    """A line of the final order, the first line the best."""

    bot: str
    text: str


def places(store: Store, entry: StoredTournament) -> list[PlaceOfBot]:
    """The final order of a finished tournament.

    Empty if it is not finished, or its format knows none, or pairs otherwise by now.
    """
    plan = make_plan(str(entry.settings["format"]), entry.settings)
    as_it_was = entry.settings["format_version"] == plan.version
    if entry.finished is None or not plan.gives_places or not as_it_was:
        return []
    schedule = Schedule(plan, lambda numbers: store.results(entry.id, numbers))
    for _ in schedule:
        pass
    return [PlaceOfBot(entry.entrants[place.entrant], place.text) for place in schedule.places]
