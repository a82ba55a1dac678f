"""A tournament file: read, checked as a whole, and resolved to everything that decides its matches."""

import secrets
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Annotated, Any, Final

import msgspec

from arena.errors import BotError, RulesError, TournamentError, UnknownGameError
from arena.formats import FORMATS
from arena.limits import Limits
from arena.manifest import Bot, find_bot
from arena.match import MatchSetup, MatchTerms
from arena.plan import Plan, bot_seed, match_id, match_seed
from arena.toml import Name, decode_toml
from engine import AnyGame, Json, Rules, load_game, suggest

TableSize = Annotated[int, msgspec.Meta(ge=1, le=64)]

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
    deals: Annotated[int, msgspec.Meta(ge=1, le=10**12)]
    block: Annotated[int, msgspec.Meta(ge=1, le=10_000)] = 25
    seed: str | None = None
    faults_allowed: Annotated[int, msgspec.Meta(ge=0, le=1_000)] = 0
    limits: LimitsTable = LimitsTable()
    bots: Annotated[list[BotEntry], msgspec.Meta(min_length=1, max_length=_MOST_ENTRANTS)]


@dataclass(frozen=True, kw_only=True)
class Tournament:
    """A tournament that can be played."""

    name: str
    game: AnyGame
    ruleset: str
    rules: Rules
    format: str
    players: tuple[int, ...]
    deals: int
    block: int
    seed: str | None
    """None until one is drawn, where the file gives none."""
    faults_allowed: int
    limits: LimitsTable
    bots: Sequence[Bot]

    @property
    def plan(self) -> Plan:
        """Its matches."""
        return FORMATS[self.format](len(self.bots), self.players, self.deals, self.block)

    @property
    def terms(self) -> MatchTerms:
        """What its matches have in common."""
        told = {name: getattr(self.limits, name) for name in Limits.__struct_fields__}
        return MatchTerms(self.game, self.ruleset, self.rules, Limits(**told), self.faults_allowed)

    def setup(self, plan: Plan, number: int) -> MatchSetup:
        """What sets the match of this number apart; the tournament must have its seed."""
        assert self.seed is not None
        planned = plan.match(number)
        return MatchSetup(
            number=number,
            id=match_id(self.seed, number),
            seed=match_seed(self.seed, planned.deal),
            lineup=planned.lineup,
            bot_seeds=tuple(bot_seed(self.seed, number, seat) for seat in range(len(planned.lineup))),
        )

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
            "players": list(self.players),
            "deals": self.deals,
            "block": self.block,
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

    Raises TournamentError, naming file and field, for everything that is wrong in it, BotError for a bot
    that can't be used.
    """
    read = decode_toml(file, TournamentFile, TournamentError)
    try:
        game = load_game(read.game)
    except UnknownGameError as error:
        raise TournamentError(f"{file}: game: {error}") from None
    try:
        ruleset = game.ruleset_name(read.ruleset)
    except UnknownGameError as error:
        raise TournamentError(f"{file}: ruleset: {error}") from None
    try:
        rules = game.rules(ruleset, read.rules)
    except RulesError as error:
        raise TournamentError(f"{file}: rules.{error}") from None
    if read.format not in FORMATS:
        raise TournamentError(
            f"{file}: format: unknown {read.format!r}; {suggest(read.format, list(FORMATS))}"
        )
    tournament = Tournament(
        name=read.name,
        game=game,
        ruleset=ruleset,
        rules=rules,
        format=read.format,
        players=tuple(read.players) if isinstance(read.players, list) else (read.players,),
        deals=read.deals,
        block=read.block,
        seed=read.seed,
        faults_allowed=read.faults_allowed,
        limits=read.limits,
        bots=[_find_entrant(file, index, entry, game) for index, entry in enumerate(read.bots)],
    )
    _check(file, tournament)
    return tournament


def draw_seed() -> str:
    """A seed for a tournament whose file gives none."""
    return secrets.token_hex(16)


def _find_entrant(file: Path, index: int, entry: BotEntry, game: AnyGame) -> Bot:
    if entry.path is None:
        raise TournamentError(f"{file}: bots[{index}].path: this field is missing; it says where the bot is")
    try:
        return find_bot(file.parent / entry.path, game, entry.name)
    except BotError as error:
        relative = "" if Path(entry.path).is_absolute() else " (paths count from the folder of this file)"
        raise TournamentError(f"{file}: bots[{index}]: {error}{relative}") from None


def _check(file: Path, tournament: Tournament) -> None:
    """Raise TournamentError for what is wrong between fields."""
    seen: set[str] = set()
    for index, bot in enumerate(tournament.bots):
        if bot.name in seen:
            raise TournamentError(
                f'{file}: bots[{index}]: a second entrant named {bot.name!r}; give it a name = "…" of its own'
            )
        seen.add(bot.name)
    if tournament.limits.move_ms + tournament.limits.bank_ms == 0:
        raise TournamentError(
            f"{file}: limits.move_ms: with no bank_ms it must be at least 1, or all are late"
        )
    entrants = len(tournament.bots)
    for size in tournament.players:
        if tournament.players.count(size) > 1:
            raise TournamentError(f"{file}: players: {size} stands there twice")
        try:
            tournament.game.check_players(size, tournament.rules)
        except RulesError as error:
            where = "" if str(error).startswith("players:") else "rules."
            raise TournamentError(f"{file}: {where}{error}") from None
        if size > entrants:
            raise TournamentError(
                f"{file}: players: a table of {size} needs {size} bots, and there are {entrants}; "
                "add bots or take smaller tables"
            )
    if tournament.plan.total > _MOST_MATCHES:
        raise TournamentError(f"{file}: deals: {tournament.plan.total} matches are too many to count")
