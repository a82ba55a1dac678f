"""A tournament file is checked as a whole, told about in one line if it is wrong, and decides every match."""

import re
from dataclasses import asdict
from pathlib import Path

import pytest
from conftest import Arena

from arena.errors import ArenaError, TournamentError
from arena.formats import FORMATS
from arena.formats.gauntlet import Gauntlet
from arena.formats.knockout import Knockout
from arena.formats.ladder import Ladder
from arena.formats.round_robin import RoundRobin
from arena.formats.swiss import Swiss
from arena.limits import Limits
from arena.match import MatchSetup
from arena.plan import Plan, bot_seed, match_id, match_seed
from arena.schedule import PlannedMatch, Schedule
from arena.tournament import Tournament, draw_seed, read_tournament


@pytest.fixture
def bots(arena: Arena) -> list[Path]:
    """Three sound bots: ada, bob and cyd."""
    return [arena.bot(name) for name in ("ada", "bob", "cyd")]


def error_of(file: Path) -> str:
    """What is said of a file, without its name, which must stand first; one printable line."""
    with pytest.raises(TournamentError) as raised:
        read_tournament(file)
    message = str(raised.value)
    assert message.isprintable()
    place = re.match(re.escape(str(file)) + r"(:\d+)?: ", message)
    assert place
    return message[place.end() :]


def line_of(file: Path) -> str | None:
    """The line of the file that is told; None if none is."""
    with pytest.raises(TournamentError) as raised:
        read_tournament(file)
    place = re.match(re.escape(str(file)) + r"(?::(\d+))?: ", str(raised.value))
    assert place
    return file.read_text().splitlines()[int(place[1]) - 1] if place[1] else None


# A sound file.


def test_a_short_file_takes_everything_else_by_default(arena: Arena, bots: list[Path]) -> None:
    read = read_tournament(arena.tournament(*bots, seed=""))
    assert (read.name, read.game.name, read.ruleset) == ("league", "dragon_stripes", "stripes")
    assert (read.format, read.plan) == ("round-robin", RoundRobin(entrants=3, players=(2,), deals=3, block=1))
    assert (read.seed, read.faults_allowed) == (None, 0)
    assert read.limits.memory_mb is None


def test_every_field_of_a_file_is_kept(arena: Arena, bots: list[Path]) -> None:
    file = arena.tournament(
        *bots,
        name='"Liga der Größe"',
        game='"Drago-Rosso"',
        ruleset='"kali-1993"',
        players="[3, 2]",
        deals="7",
        block="4",
        seed='"any text"',
        faults_allowed="2",
        rules="{ stripes = 12, bounty = [1, 3] }",
        limits='startup_ms = 1\nmove_ms = 2\nbank_ms = 3\nclock = "cpu"\nline_bytes = 256\nmemory_mb = 64',
    )
    read = read_tournament(file)
    assert (read.name, read.game.name, read.ruleset) == ("Liga der Größe", "dragon_stripes", "kali-1993")
    assert read.plan == RoundRobin(entrants=3, players=(3, 2), deals=7, block=4)
    assert (read.seed, read.faults_allowed) == ("any text", 2)
    assert read.rules == read.game.rules("kali-1993", {"stripes": 12, "bounty": [1, 3]})
    assert asdict(read.rules)["stripes"] == 12
    assert read.terms.limits == Limits(startup_ms=1, move_ms=2, bank_ms=3, clock="cpu", line_bytes=256)
    assert read.limits.memory_mb == 64


def test_a_ruleset_goes_by_its_alias_too(arena: Arena, bots: list[Path]) -> None:
    assert read_tournament(arena.tournament(*bots, ruleset='"drago-rosso"')).ruleset == "stripes"


def test_bots_stand_in_the_order_of_the_file_under_their_own_names(arena: Arena, bots: list[Path]) -> None:
    read = read_tournament(arena.tournament(bots[2], bots[0], bots[1]))
    assert [bot.name for bot in read.bots] == ["cyd", "ada", "bob"]


def test_paths_of_bots_count_from_the_folder_of_the_file(
    arena: Arena, bots: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir("/")
    (arena.folder / "leagues").mkdir()
    read = read_tournament(arena.tournament("../ada", "../bob", file="leagues/one.toml"))
    assert [bot.folder for bot in read.bots] == bots[:2]


def test_one_bot_may_enter_twice_under_two_names(arena: Arena, bots: list[Path]) -> None:
    file = arena.tournament(bots[0])
    file.write_text(file.read_text() + f'[[bots]]\npath = "{bots[0]}"\nname = "ada again"\n')
    first, second = read_tournament(file).bots
    assert (first.name, second.name, first.content == second.content) == ("ada", "ada again", True)


# What is wrong in one field.


@pytest.mark.parametrize(
    ("field", "value", "told"),
    [
        ("deal", "3", "deal: unknown field; did you mean 'deals'?"),
        ("Name", '"x"', "Name: unknown field; did you mean 'name'?"),
        ("limits", "move_m = 3", "limits.move_m: unknown field; did you mean 'move_ms'?"),
        ("limits", "memory_bm = 3", "limits.memory_bm: unknown field; did you mean 'memory_mb'?"),
        (
            "rules",
            "{ stripe = 3 }",
            "rules.stripe: dragon_stripes has no such field; did you mean 'stripes'?",
        ),
        ("game", '"dragon_strips"', "game: there is no game 'dragon_strips'; did you mean 'dragon_stripes'?"),
        ("ruleset", '"strips"', "ruleset: dragon_stripes has no ruleset 'strips'; did you mean 'stripes'?"),
        ("format", '"round_robin"', "format: unknown 'round_robin'; did you mean 'round-robin'?"),
        (
            "format",
            '"zzz"',
            "format: unknown 'zzz'; known are round-robin, gauntlet, swiss, knockout, ladder",
        ),
    ],
)
def test_an_unknown_name_is_told_with_the_nearest_known_one(
    arena: Arena, bots: list[Path], field: str, value: str, told: str
) -> None:
    assert error_of(arena.tournament(*bots, **{field: value})).startswith(told)


def test_an_unknown_field_of_a_bot_is_told_with_its_place(arena: Arena, bots: list[Path]) -> None:
    file = arena.tournament(*bots)
    file.write_text(file.read_text() + f'[[bots]]\npath = "{bots[0]}"\nnaem = "x"\n')
    assert error_of(file) == "bots[3].naem: unknown field; did you mean 'name'?"


@pytest.mark.parametrize(
    ("field", "value", "told"),
    [
        ("name", "7", "name: "),
        ("name", '""', "name: "),
        ("name", '"a/b"', "name: "),
        ("name", '"a\\n"', "name: "),
        ("game", "1", "game: "),
        ("ruleset", "1", "ruleset: "),
        ("rules", "1", "rules: "),
        ("rules", "{ stripes = '17' }", "rules.stripes: "),
        ("rules", "{ stripes = 17.0 }", "rules.stripes: "),
        ("rules", "{ footprints = [1, 'x'] }", "rules.footprints[1]: "),
        ("rules", "{ bounty = [1] }", "rules.bounty: "),
        ("rules", "{ next_turn = 'mine' }", "rules.next_turn: "),
        ("format", "1", "format: "),
        ("players", '"2"', "players: "),
        ("players", "true", "players: "),
        ("players", "0", "players: "),
        ("players", "[]", "players: "),
        ("players", "[2, 2.0]", "players[1]: "),
        ("deals", '"3"', "deals: "),
        ("deals", "3.0", "deals: "),
        ("deals", "0", "deals: "),
        ("deals", "-1", "deals: "),
        ("block", "0", "block: "),
        ("seed", "2026", "seed: "),
        ("faults_allowed", "-1", "faults_allowed: "),
        ("limits", "startup_ms = 0", "limits.startup_ms: "),
        ("limits", "move_ms = -1", "limits.move_ms: "),
        ("limits", 'bank_ms = "1"', "limits.bank_ms: "),
        ("limits", "line_bytes = 255", "limits.line_bytes: "),
        ("limits", "memory_mb = 0", "limits.memory_mb: "),
        ("limits", 'clock = "sun"', "limits.clock: unknown 'sun'; known are wall, cpu"),
        ("limits", 'clock = "gpu"', "limits.clock: unknown 'gpu'; did you mean 'cpu'?"),
        ("limits", "clock = 1", "limits.clock: "),
        ("matches_per_bot", "0", "matches_per_bot: "),
        ("challengers", "0", "challengers: "),
        ("rounds", "0", "rounds: "),
        ("matches", "0", "matches: "),
        ("seeding", "1", "seeding: "),
        ("rated_by", '"a/b"', "rated_by: "),
    ],
)
def test_a_wrong_type_or_number_is_told_with_its_field(
    arena: Arena, bots: list[Path], field: str, value: str, told: str
) -> None:
    assert error_of(arena.tournament(*bots, **{field: value})).startswith(told)


@pytest.mark.parametrize("field", ["name", "game", "players", "deals"])
def test_name_game_players_and_deals_must_be_given(arena: Arena, bots: list[Path], field: str) -> None:
    told = error_of(arena.tournament(*bots, **{field: ""}))
    assert told.startswith(f"{field}: this field is missing")


def test_bots_must_be_given(arena: Arena) -> None:
    assert error_of(arena.tournament()).startswith("bots: this field is missing")


def test_a_bot_must_have_a_path(arena: Arena) -> None:
    file = arena.tournament()
    file.write_text(file.read_text() + '[[bots]]\nname = "ada"\n')
    assert error_of(file).startswith("bots[0].path: this field is missing")


def test_rules_by_which_no_game_can_be_played_are_told_with_their_field(
    arena: Arena, bots: list[Path]
) -> None:
    file = arena.tournament(*bots, rules="{ danger_cards = 1 }")
    assert error_of(file).startswith("rules.danger_cards: must be at least final_danger (3)")


def test_a_broken_file_is_told_with_its_line(arena: Arena, bots: list[Path]) -> None:
    file = arena.tournament(*bots)
    file.write_text('name = "league"\ngame =\n')
    with pytest.raises(
        TournamentError, match=r"league\.toml:2: is not TOML: Invalid value; a text goes in quotes"
    ):
        read_tournament(file)


def test_a_file_that_can_t_be_read_is_told(arena: Arena) -> None:
    assert error_of(arena.folder / "no.toml") == "can't be read: No such file or directory"


# What is wrong between fields.


def test_two_entrants_of_one_name_are_told_with_the_mend(arena: Arena, bots: list[Path]) -> None:
    told = error_of(arena.tournament(*bots, bots[1]))
    assert told == "bots[3].name: 'bob' is what bots[1] is called; give it a name = \"…\" of its own"


def test_a_second_entrant_of_one_name_is_told_with_the_line_of_its_name_or_of_its_table(
    arena: Arena, bots: list[Path]
) -> None:
    file = arena.tournament(bots[0])
    alone = file.read_text()
    file.write_text(f'{alone}[[bots]]\npath = "{bots[1]}"\nname = "ada" # again\n')
    assert error_of(file).startswith("bots[1].name: 'ada' is what bots[0] is called; ")
    assert line_of(file) == 'name = "ada" # again'
    file.write_text(f'{alone}[[bots]] # again\npath = "{bots[0]}"\n')
    assert error_of(file).startswith("bots[1].name: 'ada' is what bots[0] is called; ")
    assert line_of(file) == "[[bots]] # again"


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ('[bots]\npath = "ada"\n', "bots: expected a list, got a table; write [[bots]], with two brackets"),
        (
            'bots = ["ada", "bob"]\n',
            "bots[0]: expected a table, got str; write [[bots]] and its fields below",
        ),
    ],
    ids=["table", "texts"],
)
def test_bots_that_are_no_list_of_tables_are_told_how_to_be_written(
    arena: Arena, content: str, told: str
) -> None:
    file = arena.tournament()
    file.write_text(file.read_text() + content)
    assert error_of(file) == told


def test_a_table_larger_than_the_entrants_is_told_with_the_mend(arena: Arena, bots: list[Path]) -> None:
    told = error_of(arena.tournament(*bots, players="[2, 4]"))
    assert told == ("players: a table of 4 needs 4 bots, and there are 3; add bots or take smaller tables")


@pytest.mark.parametrize("size", [1, 7])
def test_a_table_that_the_game_does_not_have_is_told(arena: Arena, bots: list[Path], size: int) -> None:
    told = error_of(arena.tournament(*bots, players=f"[2, {size}]"))
    assert told == f"players: dragon_stripes is for 2 to 6, not {size}"


def test_a_table_that_the_ruleset_has_too_few_gems_for_is_told_with_the_field(
    arena: Arena, bots: list[Path]
) -> None:
    told = error_of(arena.tournament(*bots, players="3", rules="{ total_gems = 100 }"))
    assert told.startswith("rules.total_gems: 3 players start with 40 gems each")


def test_a_size_of_table_that_stands_there_twice_is_told(arena: Arena, bots: list[Path]) -> None:
    assert error_of(arena.tournament(*bots, players="[3, 2, 3]")) == "players: 3 stands there twice"


def test_more_matches_than_can_be_counted_are_told(arena: Arena) -> None:
    # At tables of 6: 5,005 lineups of 15 bots, 6 rotations and 10^12 deals make 3 × 10^16 > 2^53.
    bots = [arena.bot(f"bot-{number}") for number in range(15)]
    told = error_of(arena.tournament(*bots, players="6", deals="1000000000000"))
    assert told.startswith("deals: 30030000000000000 matches are too many")


@pytest.mark.parametrize(
    ("bot", "told"),
    [
        ({"games": '["chess"]'}, "this bot plays chess, not dragon_stripes"),
        ({"command": '["./bot"]', "build": '[["make"]]'}, "build it first: cd "),
        ({"version": "1"}, "version: expected str, got int"),
    ],
)
def test_a_bot_that_can_t_be_used_is_told_with_both_files(
    arena: Arena, bots: list[Path], bot: dict[str, str], told: str
) -> None:
    broken = arena.bot("broken", **bot)
    file = arena.tournament(*bots, broken)
    line = file.read_text().splitlines().index(f'path = "{broken}"') + 1
    told_of = f"{arena.folder}/league.toml:{line}: bots[{len(bots)}].path: {broken}/bot.toml:"
    with pytest.raises(TournamentError) as raised:
        read_tournament(file)
    assert str(raised.value).startswith(told_of)
    assert told in str(raised.value)


@pytest.mark.parametrize("path", ["nobody", "x" * 300], ids=["missing", "long"])
def test_a_bot_that_is_not_there_is_told_with_its_path(arena: Arena, bots: list[Path], path: str) -> None:
    file = arena.tournament(*bots, path)
    line = file.read_text().splitlines().index(f'path = "{path}"') + 1
    with pytest.raises(ArenaError) as raised:
        read_tournament(file)
    told_of = f"{arena.folder}/league.toml:{line}: bots[{len(bots)}].path: {arena.folder / path}: "
    assert str(raised.value).startswith(told_of)
    assert str(raised.value).endswith("(paths count from the folder of this file)")


# Where it is wrong.


@pytest.mark.parametrize(
    ("fields", "line"),
    [
        ({"deal": "3"}, "deal = 3"),
        ({"format": '"zzz"'}, 'format = "zzz"'),
        ({"game": '"chess"'}, 'game = "chess"'),
        ({"rounds": "3"}, "rounds = 3"),
        ({"players": "[2, 4]"}, "players = [2, 4]"),
        ({"rules": "{ stripe = 3 }"}, "rules = { stripe = 3 }"),
        ({"rules.stripes": "17", "rules.danger_cards": "1"}, "rules.danger_cards = 1"),
        ({"players": "3", "rules.total_gems": "100"}, "rules.total_gems = 100"),
        ({"limits": 'bank_ms = 1\nclock = "gpu"'}, 'clock = "gpu"'),
        ({"limits": "bank_ms = 0\nmove_ms = 0"}, "move_ms = 0"),
        ({"format": '"knockout"', "seeding": '"foo"'}, 'seeding = "foo"'),
        ({"format": '"gauntlet"', "challengers": "5"}, "challengers = 5"),
        ({"format": '"ladder"', "matches": "1"}, "matches = 1"),
        ({"deals": "1000000000000000"}, "deals = 1000000000000000"),
    ],
    ids=lambda value: None if isinstance(value, dict) else value,
)
def test_what_is_wrong_is_told_with_its_line(
    arena: Arena, bots: list[Path], fields: dict[str, str], line: str
) -> None:
    assert line_of(arena.tournament(*bots, **fields)) == line


@pytest.mark.parametrize(
    "fields",
    [
        {"name": ""},
        {"deals": ""},
        {"format": '"knockout"', "seeding": '"rating"'},
    ],
    ids=["name", "deals", "rated_by"],
)
def test_what_is_missing_at_the_top_is_told_with_the_file_alone(
    arena: Arena, bots: list[Path], fields: dict[str, str]
) -> None:
    assert line_of(arena.tournament(*bots, **fields)) is None


# What each format plays.


FORMAT_FIELDS = {
    "round-robin": ("matches_per_bot", "12"),
    "gauntlet": ("challengers", "2"),
    "swiss": ("rounds", "4"),
    "knockout": ("seeding", '"order"'),
    "ladder": ("matches", "60"),
}


@pytest.mark.parametrize(
    ("name", "plan"),
    [
        ("round-robin", RoundRobin(entrants=3, players=(2,), deals=3, block=1, matches_per_bot=12)),
        ("gauntlet", Gauntlet(entrants=3, players=(2,), deals=3, block=1, challengers=2)),
        ("swiss", Swiss(entrants=3, players=(2,), deals=3, block=3, rounds=4)),
        ("knockout", Knockout(entrants=3, players=(2,), deals=3, block=3, seeding="order")),
        ("ladder", Ladder(entrants=3, players=(2,), deals=3, block=3, matches=60)),
    ],
    ids=FORMAT_FIELDS,
)
def test_a_format_gets_the_fields_of_the_file(arena: Arena, bots: list[Path], name: str, plan: Plan) -> None:
    field, value = FORMAT_FIELDS[name]
    read = read_tournament(arena.tournament(*bots, format=f'"{name}"', **{field: value}))
    assert (read.format, read.plan) == (name, plan)


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("owner", FORMAT_FIELDS)
def test_a_field_of_another_format_is_told_with_the_format_to_which_it_belongs(
    arena: Arena, bots: list[Path], name: str, owner: str
) -> None:
    field, value = FORMAT_FIELDS[owner]
    file = arena.tournament(*bots, format=f'"{name}"', **{field: value})
    if name == owner:
        read_tournament(file)
        return
    told = error_of(file)
    assert told == f'{field}: format = "{name}" has no such field; it belongs to "{owner}"'


@pytest.mark.parametrize(("deals", "block"), [(1, 1), (4, 1), (6, 2), (100, 20), (125, 25), (10_000, 25)])
def test_a_block_is_a_fifth_of_the_deals_and_at_most_25(
    arena: Arena, bots: list[Path], deals: int, block: int
) -> None:
    assert read_tournament(arena.tournament(*bots, deals=str(deals))).plan.block == block


@pytest.mark.parametrize(("deals", "block"), [(1, 1), (4, 4), (25, 25), (26, 25), (10_000, 25)])
@pytest.mark.parametrize("name", ["swiss", "knockout", "ladder"])
def test_where_results_decide_who_plays_a_block_is_all_the_deals_and_at_most_25(
    arena: Arena, bots: list[Path], name: str, deals: int, block: int
) -> None:
    file = arena.tournament(*bots, format=f'"{name}"', deals=str(deals))
    assert read_tournament(file).plan.block == block


def test_a_block_that_is_given_is_kept(arena: Arena, bots: list[Path]) -> None:
    file = arena.tournament(*bots, format='"swiss"', deals="100", block="40")
    assert read_tournament(file).plan.block == 40


def test_a_ladder_plays_ten_deals_a_table_without_a_word(arena: Arena, bots: list[Path]) -> None:
    read = read_tournament(arena.tournament(*bots, format='"ladder"', deals=""))
    assert (read.plan.deals, read.plan.block) == (10, 10)


def test_with_matches_per_bot_a_table_plays_one_deal_without_a_word(arena: Arena, bots: list[Path]) -> None:
    read = read_tournament(arena.tournament(*bots, matches_per_bot="8", deals=""))
    assert read.plan.deals == 1


# What it decides.


@pytest.fixture
def league(arena: Arena, bots: list[Path]) -> Tournament:
    """A league of three at tables of two and three."""
    return read_tournament(arena.tournament(*bots, players="[2, 3]", deals="4", block="3"))


def planned_and_set_up(tournament: Tournament) -> list[tuple[PlannedMatch, MatchSetup]]:
    """All matches of a tournament in which nothing depends on results."""
    sittings = [sitting for sitting in Schedule(tournament.plan, lambda _: []) if sitting]
    return [
        pair
        for sitting in sittings
        for pair in zip(sitting.matches(), tournament.setups(sitting), strict=True)
    ]


def test_its_plan_holds_every_lineup_deal_and_rotation(league: Tournament) -> None:
    planned = [planned for planned, _ in planned_and_set_up(league)]
    assert len(planned) == league.plan.numbers().matches == (3 * 2 + 1 * 3) * 4
    assert {(frozenset(match.lineup), match.lineup[0]) for match in planned} == {
        (frozenset(lineup), first) for lineup in [(0, 1), (0, 2), (1, 2), (0, 1, 2)] for first in lineup
    }
    assert len({(match.deal, match.rotation) for match in planned}) == len(planned)


def test_a_match_is_set_up_from_plan_and_seed_alone(league: Tournament) -> None:
    for number, (planned, setup) in enumerate(planned_and_set_up(league)):
        assert (setup.number, setup.lineup) == (planned.number, planned.lineup)
        assert setup.number == number
        assert setup.seed == match_seed("2026", planned.deal)
        assert setup.id == match_id("2026", number)
        assert setup.bot_seeds == tuple(bot_seed("2026", number, seat) for seat in range(len(setup.lineup)))


def test_the_rotations_of_a_deal_have_its_cards_and_nothing_else_in_common(league: Tournament) -> None:
    matches = planned_and_set_up(league)
    (first, one), (moved, other) = matches[0], matches[3]
    assert (first.deal, first.rotation, moved.rotation) == (moved.deal, 0, 1)
    assert one.seed == other.seed
    assert one.id != other.id
    assert not set(one.bot_seeds) & set(other.bot_seeds)


def test_two_deals_have_different_cards(league: Tournament) -> None:
    seeds = {setup.seed for _, setup in planned_and_set_up(league)}
    assert len(seeds) == 16  # 4 lineups of 4 deals


def test_the_settings_hold_all_that_decides_its_matches(league: Tournament) -> None:
    settings = league.settings()
    assert list(settings) == [
        *["name", "game", "ruleset", "rules", "format", "format_version", "players", "deals", "block"],
        *["matches_per_bot", "seed", "faults_allowed", "limits", "bots"],
    ]
    assert settings["rules"] == asdict(league.rules)
    assert settings["limits"] == {
        "startup_ms": 5_000,
        "move_ms": 1_000,
        "bank_ms": 10_000,
        "clock": "wall",
        "line_bytes": 65_536,
        "memory_mb": None,
    }
    assert [bot["name"] for bot in settings["bots"]] == ["ada", "bob", "cyd"]


def test_the_settings_change_with_the_files_of_a_bot(arena: Arena, bots: list[Path]) -> None:
    file = arena.tournament(*bots)
    before = read_tournament(file).settings()
    (bots[1] / "main.py").write_text("pass\n")
    after = read_tournament(file).settings()
    changed = [old["name"] for old, new in zip(before["bots"], after["bots"], strict=True) if old != new]
    assert changed == ["bob"]


def test_the_settings_don_t_depend_on_where_the_files_lie(arena: Arena, bots: list[Path]) -> None:
    before = read_tournament(arena.tournament(*bots)).settings()
    (arena.folder / "moved").mkdir()
    moved = [bot.rename(arena.folder / "moved" / bot.name) for bot in bots]
    assert read_tournament(arena.tournament(*moved, file="moved/other.toml")).settings() == before


def test_with_a_seed_it_is_the_same_tournament_otherwise(league: Tournament) -> None:
    assert league.with_seed("x").settings() == league.settings() | {"seed": "x"}


def test_a_drawn_seed_is_a_new_one_each_time() -> None:
    assert draw_seed() != draw_seed()
