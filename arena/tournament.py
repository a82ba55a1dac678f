"""A tournament file: read, checked as a whole, and resolved to everything that decides its matches."""

import secrets
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Annotated, Any, Final

import msgspec

from arena.errors import BotError, RulesError, TournamentError, UnknownGameError
from arena.formats import FORMATS, fields_of, make_plan
from arena.limits import Limits
from arena.manifest import Bot, find_bot
from arena.match import MatchSetup, MatchTerms
from arena.plan import FieldError, Plan, bot_seed, match_id, match_seed
from arena.schedule import Sitting
from arena.toml import Name, decode_toml
from arena.toml_lines import at
from engine import AnyGame, Json, Rules, load_game, suggest

TableSize = Annotated[int, msgspec.Meta(ge=1, le=64)]
Count = Annotated[int, msgspec.Meta(ge=1, le=10**12)]

_LARGEST_DEFAULT_BLOCK: Final = 25
"""Of deals: by then the start of the bots costs little."""
_DEFAULT_BLOCKS: Final = 5
"""So many make up the deals of a lineup: a league that is stopped should have asked about the same of all."""
_DEALS_OF_A_LADDER: Final = 10
_MOST_ENTRANTS: Final = 10_000
_MOST_MATCHES: Final = 2**53
_MOST_FILES_NAMED: Final = 200
"""Of a bot with more files, only the fingerprint of all is kept."""


class LimitsTable(Limits, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The table ``[limits]``: what ``hello`` tells, and what this runner reads but can't enforce yet."""

    memory_mb: Annotated[int, msgspec.Meta(ge=1)] | None = None


class BotEntry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An entry of ``[[bots]]``: where the bot is, and what it is called here."""

    path: str | None = None
    name: Name | None = None


class TournamentFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The fields of a tournament file; docs/tournaments.md explains each."""

    name: Name
    game: str
    ruleset: str | None = None
    rules: dict[str, Any] = {}
    format: str = "round-robin"
    players: TableSize | Annotated[list[TableSize], msgspec.Meta(min_length=1)]
    deals: Count | None = None
    block: Annotated[int, msgspec.Meta(ge=1, le=10_000)] | None = None
    matches_per_bot: Count | None = None
    challengers: Count | None = None
    rounds: Count | None = None
    seeding: str | None = None
    rated_by: Name | None = None
    matches: Count | None = None
    seed: str | None = None
    faults_allowed: Annotated[int, msgspec.Meta(ge=0, le=1_000)] = 0
    limits: LimitsTable = LimitsTable()
    bots: Annotated[list[BotEntry], msgspec.Meta(min_length=1, max_length=_MOST_ENTRANTS)]


@dataclass(frozen=True, kw_only=True)
class Tournament:
    """A tournament that can be played."""

    file: Path
    name: str
    game: AnyGame
    ruleset: str
    rules: Rules
    format: str
    plan: Plan
    """Its matches."""
    seed: str | None
    """None until one is drawn, where the file gives none."""
    faults_allowed: int
    limits: LimitsTable
    bots: Sequence[Bot]

    @property
    def terms(self) -> MatchTerms:
        """What its matches have in common."""
        told = {name: getattr(self.limits, name) for name in Limits.__struct_fields__}
        return MatchTerms(self.game, self.ruleset, self.rules, Limits(**told), self.faults_allowed)

    def setups(self, sitting: Sitting) -> list[MatchSetup]:
        """What sets each match of a sitting apart; the tournament must have its seed."""
        assert self.seed is not None
        return [
            MatchSetup(
                number=planned.number,
                id=match_id(self.seed, planned.number),
                seed=match_seed(self.seed, planned.deal),
                lineup=planned.lineup,
                bot_seeds=tuple(
                    bot_seed(self.seed, planned.number, seat) for seat in range(len(planned.lineup))
                ),
            )
            for planned in sitting.matches()
        ]

    def with_seed(self, seed: str) -> "Tournament":
        """The same tournament with its seed drawn."""
        return replace(self, seed=seed)

    def settings(self) -> dict[str, Json]:
        """All that decides its matches, as plain data: two tournaments of equal settings are the same."""
        return {
            "name": self.name,
            "game": self.game.name,
            "ruleset": self.ruleset,
            "rules": asdict(self.rules),
            "format": self.format,
            "format_version": self.plan.version,
            **_fields_of_plan(self.plan),
            "seed": self.seed,
            "faults_allowed": self.faults_allowed,
            "limits": msgspec.structs.asdict(self.limits),
            "bots": [
                {
                    "name": bot.name,
                    "version": bot.version,
                    "command": bot.command,
                    "files": bot.files if len(bot.files) <= _MOST_FILES_NAMED else {"*": bot.content},
                }
                for bot in self.bots
            ],
        }


def read_tournament(file: Path) -> Tournament:
    """The tournament that a file describes; paths of bots count from the file's folder.

    Raises TournamentError, naming file, line and field, for everything that is wrong in it, BotError for a
    bot that can't be used.
    """
    read = decode_toml(file, TournamentFile, TournamentError)
    try:
        return _resolve(file, read)
    except FieldError as error:
        raise TournamentError(f"{at(file, error.field)}: {error.field}: {error.text}") from None


def _resolve(file: Path, read: TournamentFile) -> Tournament:
    """The tournament of a file; raises FieldError for what is wrong between fields."""
    try:
        game = load_game(read.game)
    except UnknownGameError as error:
        raise FieldError("game", str(error)) from None
    try:
        ruleset = game.ruleset_name(read.ruleset)
    except UnknownGameError as error:
        raise FieldError("ruleset", str(error)) from None
    try:
        rules = game.rules(ruleset, read.rules)
    except RulesError as error:
        field, _, text = str(error).partition(": ")
        raise FieldError(f"rules.{field}", text) from None
    _check_fields_of_format(read)
    players = tuple(read.players) if isinstance(read.players, list) else (read.players,)
    bots = [_find_entrant(file, index, entry, game) for index, entry in enumerate(read.bots)]
    _check_names(bots)
    _check_players(players, game, rules, len(bots))
    # Where results decide who plays, a table plays all its deals before the next, however they are cut.
    blocks = 1 if FORMATS[read.format].decided_by_results else _DEFAULT_BLOCKS
    deals = read.deals or (_DEALS_OF_A_LADDER if read.format == "ladder" else 1)
    settings = msgspec.structs.asdict(read) | {
        "players": players,
        "deals": deals,
        "block": read.block or min(_LARGEST_DEFAULT_BLOCK, -(-deals // blocks)),
    }
    tournament = Tournament(
        file=file,
        name=read.name,
        game=game,
        ruleset=ruleset,
        rules=rules,
        format=read.format,
        plan=make_plan(read.format, settings),
        seed=read.seed,
        faults_allowed=read.faults_allowed,
        limits=read.limits,
        bots=bots,
    )
    tournament.plan.check()
    matches = tournament.plan.numbers().matches
    if matches is not None and matches > _MOST_MATCHES:
        raise FieldError("deals", f"{matches} matches are too many to count")
    if read.limits.move_ms + read.limits.bank_ms == 0:
        raise FieldError("limits.move_ms", "with no bank_ms it must be at least 1, or all are late")
    return tournament


def draw_seed() -> str:
    """A seed for a tournament whose file gives none."""
    return secrets.token_hex(16)


def _fields_of_plan(plan: Plan) -> dict[str, Json]:
    fields: dict[str, Json] = asdict(plan)  # type: ignore[call-overload]  # every plan is a dataclass
    del fields["entrants"]
    return fields


def _check_fields_of_format(read: TournamentFile) -> None:
    """Raise FieldError for a format that there is not, a field that it has not, or one that it lacks."""
    if read.format not in FORMATS:
        raise FieldError("format", f"unknown {read.format!r}; {suggest(read.format, list(FORMATS))}")
    own = fields_of(read.format)
    for field in {field: None for name in FORMATS for field in fields_of(name)}:
        if field not in own and getattr(read, field, None) is not None:
            others = " or ".join(f'"{name}"' for name in FORMATS if field in fields_of(name))
            raise FieldError(field, f'format = "{read.format}" has no such field; it belongs to {others}')
    if read.deals is None and read.matches_per_bot is None and read.format != "ladder":
        raise FieldError("deals", "this field is missing; it says how many deals each table plays")


def _find_entrant(file: Path, index: int, entry: BotEntry, game: AnyGame) -> Bot:
    if entry.path is None:
        raise FieldError(f"bots[{index}].path", "this field is missing; it says where the bot is")
    try:
        return find_bot(file.parent / entry.path, game, entry.name)
    except BotError as error:
        relative = "" if Path(entry.path).is_absolute() else " (paths count from the folder of this file)"
        raise FieldError(f"bots[{index}].path", f"{error}{relative}") from None


def _check_names(bots: Sequence[Bot]) -> None:
    """Raise FieldError if two entrants have the same name."""
    seen: dict[str, int] = {}
    for index, bot in enumerate(bots):
        if bot.name in seen:
            raise FieldError(
                f"bots[{index}].name",
                f'{bot.name!r} is what bots[{seen[bot.name]}] is called; give it a name = "…" of its own',
            )
        seen[bot.name] = index


def _check_players(players: Sequence[int], game: AnyGame, rules: Rules, entrants: int) -> None:
    """Raise FieldError for a size of table that can't be."""
    for size in players:
        if players.count(size) > 1:
            raise FieldError("players", f"{size} stands there twice")
        try:
            game.check_players(size, rules)
        except RulesError as error:
            field, _, text = str(error).partition(": ")
            raise FieldError(field if field == "players" else f"rules.{field}", text) from None
        if size > entrants:
            raise FieldError(
                "players",
                f"a table of {size} needs {size} bots, and there are {entrants}; add bots or take smaller "
                "tables",
            )
