"""The tournament formats by name, each in its own file behind ``arena.plan.Plan``."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from arena.formats.round_robin import RoundRobin
from arena.plan import Plan

MakePlan = Callable[[int, Sequence[int], int, int], Plan]
"""From the number of entrants, the sizes of tables, the deals per lineup and the deals per sitting."""

FORMATS: Final[Mapping[str, MakePlan]] = {"round-robin": RoundRobin}

__all__ = ["FORMATS", "MakePlan"]
