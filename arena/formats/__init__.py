"""The tournament formats by name, each in its own file behind ``arena.plan.Plan``."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, Final

from arena.formats.gauntlet import Gauntlet
from arena.formats.knockout import Knockout
from arena.formats.ladder import Ladder
from arena.formats.round_robin import RoundRobin
from arena.formats.swiss import Swiss
from arena.plan import Plan

FORMATS: Final[Mapping[str, type[Any]]] = {
    "round-robin": RoundRobin,
    "gauntlet": Gauntlet,
    "swiss": Swiss,
    "knockout": Knockout,
    "ladder": Ladder,
}
"""The class of each; all of its fields are given by name."""


def fields_of(name: str) -> list[str]:
    """What a tournament file may say about a format of this name, beside ``players``."""
    return [field.name for field in fields(FORMATS[name]) if field.name not in {"entrants", "players"}]


def make_plan(name: str, settings: Mapping[str, Any]) -> Plan:
    """The plan of a format from the settings of its fields, as they are or as they were stored."""
    plan: Plan = FORMATS[name](
        entrants=len(settings["bots"]),
        players=tuple(settings["players"]),
        **{
            field: tuple(value) if isinstance(value, list) else value
            for field in fields_of(name)
            if (value := settings.get(field)) is not None
        },
    )
    return plan


__all__ = ["FORMATS", "fields_of", "make_plan"]
