"""The rules of the games, and nothing else: no I/O, no clock, no knowledge of the runner."""

from typing import Final

from engine.chance import Stream, derive_seed
from engine.errors import ArenaError, DealError, IllegalActionError, RulesError, UnknownGameError
from engine.game import Event, Game, Json, Rules, State, rank_by, suggest
from engine.registry import AnyGame, load_game, register_game, registered_games

__version__: Final = "0.1.0"

__all__ = [
    "AnyGame",
    "ArenaError",
    "DealError",
    "Event",
    "Game",
    "IllegalActionError",
    "Json",
    "Rules",
    "RulesError",
    "State",
    "Stream",
    "UnknownGameError",
    "__version__",
    "derive_seed",
    "load_game",
    "rank_by",
    "register_game",
    "registered_games",
    "suggest",
]
