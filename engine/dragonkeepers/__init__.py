"""Dragonkeepers (Gardienii Dragonilor): draft dragons, bend the book, play sets; 2 to 4 players.

The files read in the order of ``docs/dragonkeepers.md``, whose ids DK-1 … DK-28 they cite: ``cards``,
``rules``, ``deal``, ``state`` (a turn from step to step, and the score), ``unseen`` (what a seat can't know).
"""

from engine.dragonkeepers.cards import CARDS
from engine.dragonkeepers.game import Dragonkeepers
from engine.dragonkeepers.rules import DragonkeepersRules
from engine.dragonkeepers.state import DragonkeepersState

__all__ = ["CARDS", "Dragonkeepers", "DragonkeepersRules", "DragonkeepersState"]
