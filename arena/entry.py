"""Enters a tournament in the store: a new one, or the unfinished one of its name that it must agree with."""

from dataclasses import replace

import msgspec

from arena.errors import StoreError, TournamentError
from arena.formats.knockout import Knockout
from arena.ratings import standings
from arena.replay import rules_hash
from arena.store import Store, StoredTournament
from arena.toml_lines import at
from arena.tournament import Tournament, draw_seed
from arena.wire import encode
from engine import Json, __version__


def enter(store: Store, tournament: Tournament) -> tuple[StoredTournament, Tournament]:
    """The store's entry for a tournament, and the tournament with its seed.

    The unfinished tournament of this name goes on if nothing differs; TournamentError names what does.
    A finished one of equal settings is returned as it is; of other settings, a new one is entered.
    """
    known, as_known, difference = _compared(store, tournament)
    if known is not None and difference is None:
        store.refuse_if_played(known)
        return known, as_known.with_seed(known.seed)
    if known is not None and known.finished is None:
        raise TournamentError(
            f"{tournament.name} is unfinished, and {difference}; undo that to go on with it, "
            "or give the tournament another name"
        )
    tournament = _seeded(store, tournament)
    settings = _settings(tournament)
    seed = tournament.seed if tournament.seed is not None else draw_seed()
    tournament = tournament.with_seed(seed)
    return store.add_tournament(
        settings,
        seed,
        tournament.plan.numbers().matches,
        f"{__version__}/{tournament.game.name}/{tournament.game.version}",
        rules_hash(tournament.game, tournament.rules),
        [
            {
                "entrant": bot.name,
                "name": bot.own_name or bot.name,
                "version": bot.version,
                "content": bot.content,
                "command": bot.command,
                "language": bot.language,
                "author": bot.author,
            }
            for bot in tournament.bots
        ],
    ), tournament


def recorded_before(store: Store, tournament: Tournament) -> int:
    """How many matches of it are recorded, if it goes on; raises as ``enter`` does, and enters nothing."""
    known, _, difference = _compared(store, tournament)
    if known is not None and (difference is None or known.finished is None):
        enter(store, tournament)  # which refuses it, or changes nothing
        return store.count(known.id)
    _seeded(store, tournament)
    return 0


def _compared(store: Store, tournament: Tournament) -> tuple[StoredTournament | None, Tournament, str | None]:
    """The latest of its name, the tournament with that one's bracket, and the first difference in words."""
    latest = store.tournaments(tournament.name)[:1]
    if not latest:
        return None, tournament, None
    known = latest[0]
    as_known = _with_known_seeds(tournament, known)
    settings = _settings(as_known)
    for bot, was, now in zip(tournament.bots, known.settings["bots"], settings["bots"], strict=False):
        if "*" not in was["files"]:
            now["files"] = bot.files  # however many it has made by now
    if tournament.seed == known.seed:
        settings["seed"] = known.settings["seed"]  # a drawn seed may be written into the file
    return known, as_known, _first_difference(known.settings, settings)


def _settings(tournament: Tournament) -> dict[str, Json]:
    """All that decides its matches, as it will be read back from the database."""
    settings = tournament.settings() | {"game_version": tournament.game.version}
    plain: dict[str, Json] = msgspec.json.decode(msgspec.json.encode(settings))
    return plain


def _with_known_seeds(tournament: Tournament, known: StoredTournament) -> Tournament:
    """The tournament with the bracket that was drawn when it began: ratings may have changed since."""
    seeds, plan = known.settings.get("seeds"), tournament.plan
    if not seeds or not isinstance(plan, Knockout) or plan.rated_by is None:
        return tournament
    return replace(tournament, plan=replace(plan, seeds=tuple(seeds)))


def _seeded(store: Store, tournament: Tournament) -> Tournament:
    """The tournament with the seeds of its bracket, where ratings decide them.

    Whoever has no rating comes last. Raises TournamentError if there is no such tournament.
    """
    plan = tournament.plan
    if not isinstance(plan, Knockout) or plan.rated_by is None:
        return tournament
    try:
        rated = store.tournament(plan.rated_by)
    except StoreError as error:
        raise TournamentError(f"{at(tournament.file, 'rated_by')}: rated_by: {error}") from None
    places = {row.bot: row.rank for row in standings(rated.entrants, lambda: store.results(rated.id))}
    seeds = sorted(
        range(plan.entrants), key=lambda entrant: places.get(tournament.bots[entrant].name, len(places) + 1)
    )
    return replace(tournament, plan=replace(plan, seeds=tuple(seeds)))


def _first_difference(before: Json, now: Json, where: str = "") -> str | None:
    """The first field that differs between two settings, in words; None if they are equal."""
    if where.endswith(".files"):
        return _first_changed_file(before, now, where.removesuffix(".files"))
    if isinstance(before, dict) and isinstance(now, dict):
        pairs: list[tuple[str, Json, Json]] = [
            (f"{where}.{key}" if where else key, before.get(key), now.get(key)) for key in {**before, **now}
        ]
    elif isinstance(before, list) and isinstance(now, list) and len(before) == len(now):
        pairs = [
            (f"{where}[{i}]{_name_of(old)}", old, new)
            for i, (old, new) in enumerate(zip(before, now, strict=True))
        ]
    elif before == now:
        return None
    elif isinstance(before, list) and isinstance(now, list) and any(map(_name_of, before)):
        return f"{where} had {len(before)} entries when it began and has {len(now)} now"
    else:
        return f"{where} was {encode(before).decode()} when it began and is {encode(now).decode()} now"
    differences = (_first_difference(old, new, place) for place, old, new in pairs)
    return next((difference for difference in differences if difference), None)


def _first_changed_file(before: dict[str, str], now: dict[str, str], bot: str) -> str | None:
    """The first file of a bot that is not what it was; one that is new may be what the bot wrote itself."""
    for path, fingerprint in before.items():
        if now.get(path) != fingerprint:
            what = "one of its files" if path == "*" else f"its file {path}"
            return f"{bot} is not the bot that it was: {what} has changed since it began"
    return None


def _name_of(setting: Json) -> str:
    """How an entry of a list is told from its fellows: by its name, if it has one."""
    return f" ({setting['name']})" if isinstance(setting, dict) and "name" in setting else ""
