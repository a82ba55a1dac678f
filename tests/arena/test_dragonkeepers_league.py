"""The league of Dragonkeepers that comes with the arena: no faults, equal digests, and plan beats chance."""

import json

import pytest
from conftest import ROOT, Arena

LEAGUE = ROOT / "tournaments" / "dragonkeepers.toml"


def test_one_and_two_workers_play_the_same_and_nobody_faults(arena: Arena) -> None:
    one, two = (
        json.loads(arena("run", LEAGUE, "--db", f"{n}.db", "--workers", n, "--json").stdout) for n in (1, 2)
    )
    assert one["digest"] == two["digest"]
    assert one["recorded"] == 140
    assert [row["faults"] for row in one["ratings"]] == [0] * 4


def test_collector_beats_random_at_every_table_size(arena: Arena) -> None:
    arena("run", LEAGUE)
    for players in (2, 3, 4):
        listed = arena("matches", "--players", players, "--limit", 1000, "--json").stdout
        ranks: dict[str, list[int]] = {"collector": [], "random": []}
        for match in json.loads(listed):
            for bot, rank in zip(match["bots"], match["ranks"], strict=True):
                ranks[bot.removesuffix("-2")].append(rank)
        means = {bot: sum(their) / len(their) for bot, their in ranks.items()}
        assert means["collector"] + 0.5 < means["random"], players


@pytest.mark.parametrize("ruleset", ["standard", "printed"])
def test_a_match_can_be_followed_in_words(arena: Arena, ruleset: str) -> None:
    bots = [ROOT / "bots" / name for name in ("collector", "random", "collector")]
    shown = arena("play", "gardienii-dragonilor", *bots, "--seed", 1, "--ruleset", ruleset).stdout
    for said in (
        "collector#0 has the turn; book ",
        ", display L1:",
        "collector#0 takes ",
        "lays ?",
        "a new column on the ",
        "earns a piece worth ",
        "earns a pearl",
        "random plays no set",
        "the game is over: amulets",
    ):
        assert said in shown
