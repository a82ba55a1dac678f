"""Every error of the project on one page; the ones that the rules raise are defined in ``engine.errors``.

``ArenaError`` is the base. Its message is one line that says what is wrong, where, and what to do. Errors
of the user end a command with exit code 2, ``RunnerError`` with 1.
"""

from engine import ArenaError, DealError, IllegalActionError, RulesError, UnknownGameError


class BotError(ArenaError):
    """A bot can't be used: no such folder, a broken bot.toml, not built, or not for this game."""


class TournamentError(ArenaError):
    """A tournament file is broken, contradicts itself, or differs from the unfinished run of its name."""


class StoreError(ArenaError):
    """The database can't be opened, is no database of ours, or does not hold what was asked for."""


class ReplayError(ArenaError):
    """A record does not agree with the rules of this engine."""


class RunnerError(ArenaError):
    """The runner itself failed: what it was playing is void, and nothing that it recorded is lost."""


__all__ = [
    "ArenaError",
    "BotError",
    "DealError",
    "IllegalActionError",
    "ReplayError",
    "RulesError",
    "RunnerError",
    "StoreError",
    "TournamentError",
    "UnknownGameError",
]
