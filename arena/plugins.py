"""Finds games that other packages bring along, by the entry point group `arena.games`."""

from importlib.metadata import entry_points
from typing import Final

from arena.errors import ArenaError
from engine import register_game

GROUP: Final = "arena.games"


def register_plugins() -> None:
    """Register every game of the group; raises ArenaError, naming the entry point, if one can't be had."""
    for entry in entry_points(group=GROUP):
        try:
            register_game(entry.load()())
        except Exception as error:
            raise ArenaError(
                f"the game {entry.name} ({entry.value}) can't be loaded: {error!r}; "
                "mend or uninstall its package"
            ) from error
