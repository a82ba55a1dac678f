"""Finds a game by its name."""

from typing import Any

from engine.dragon_stripes import DragonStripes
from engine.dragonkeepers import Dragonkeepers
from engine.errors import UnknownGameError
from engine.game import Game, suggest

AnyGame = Game[Any, Any]

_games: dict[str, AnyGame] = {}


def register_game(game: AnyGame) -> None:
    """Make a game known under its name; raises ValueError if another game holds the name or an alias."""
    for name in (game.name, *game.aliases):
        for other in _games.values():
            if other is not game and other.answers_to(name):
                raise ValueError(f"the name {name!r} belongs to {other.title} already")
    _games[game.name] = game


def registered_games() -> list[AnyGame]:
    """Every game, in the order of registration."""
    return list(_games.values())


def load_game(name: str) -> AnyGame:
    """The game of this name or alias; case, ``-`` and ``_`` make no difference.

    Raises UnknownGameError if there is none.

    >>> load_game("dragon-stripes").title
    'Dragon Stripes'
    """
    for game in _games.values():
        if game.answers_to(name):
            return game
    raise UnknownGameError(f"there is no game {name!r}; {suggest(name, list(_games))}")


register_game(DragonStripes())
register_game(Dragonkeepers())
