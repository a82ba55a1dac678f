"""Every rule of Dragon Stripes, DS-1 … DS-25, on decks made by hand with values worked out by hand."""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, fields

import pytest

from engine import (
    DealError,
    IllegalActionError,
    Json,
    RulesError,
    Stream,
    UnknownGameError,
    load_game,
    register_game,
    registered_games,
)
from engine.dragon_stripes import DragonStripes, DragonStripesRules, DragonStripesState

GAME = DragonStripes()

RULESETS: dict[str, dict[str, Json]] = {
    "stripes": {
        "min_players": 2,
        "max_players": 6,
        "starting_gems": 40,
        "footprints": (16, 12, 6, 4),
        "stop_cards": 10,
        "danger_cards": 3,
        "total_gems": 480,
        "stripes": 17,
        "bounty": (1, 2),
        "bounty_minimum": 1,
        "next_turn": "regular",
        "penalty": (1, 4),
        "later_penalty": (1, 2),
        "escalation_danger": 2,
        "later_multiplier": 2,
        "final_danger": 3,
        "final_danger_takes_all": True,
    },
    "kali-1993": {
        "min_players": 2,
        "max_players": 6,
        "starting_gems": 40,
        "footprints": (16, 12, 6, 4),
        "stop_cards": 12,
        "danger_cards": 2,
        "total_gems": 480,
        "stripes": 18,
        "bounty": (1, 2),
        "bounty_minimum": 1,
        "next_turn": "regular",
        "penalty": (1, 4),
        "later_penalty": (1, 2),
        "escalation_danger": 1,
        "later_multiplier": 2,
        "final_danger": 2,
        "final_danger_takes_all": False,
    },
    "drago-rosso-1989": {
        "min_players": 2,
        "max_players": 6,
        "starting_gems": 20,
        "footprints": (19, 12, 6, 4),
        "stop_cards": 11,
        "danger_cards": 2,
        "total_gems": 480,
        "stripes": 16,
        "bounty": (1, 2),
        "bounty_minimum": 1,
        "next_turn": "regular",
        "penalty": (0, 1),
        "later_penalty": (0, 1),
        "escalation_danger": 0,
        "later_multiplier": 2,
        "final_danger": 2,
        "final_danger_takes_all": False,
    },
}

# For each field a value that every ruleset accepts and none has (the last one has only two).
OVERRIDES: dict[str, Json] = {
    "min_players": 3,
    "max_players": 4,
    "starting_gems": 30,
    "footprints": [10, 8, 6, 4, 2],
    "stop_cards": 5,
    "danger_cards": 4,
    "total_gems": 500,
    "stripes": 20,
    "bounty": [1, 3],
    "bounty_minimum": 2,
    "next_turn": "last-active",
    "penalty": [1, 3],
    "later_penalty": [3, 4],
    "escalation_danger": 3,
    "later_multiplier": 3,
    "final_danger": 1,
    "final_danger_takes_all": False,
}


def cards_of(rules: DragonStripesRules) -> list[str]:
    """All cards of a ruleset, sorted."""
    footprints = [str(step) for step, count in enumerate(rules.footprints, start=1) for _ in range(count)]
    return footprints + ["stop"] * rules.stop_cards + ["danger"] * rules.danger_cards


def begin(top: str, players: int = 2, ruleset: str = "stripes", **overrides: Json) -> DragonStripesState:
    """A new game whose deck begins with these cards; the rest of the ruleset's cards lie below them.

    The rest is sorted, so a test that reveals a card not named in ``top`` meets a footprint 1.
    """
    rules = GAME.rules(ruleset, overrides)
    below = Counter(cards_of(rules))
    below.subtract(top.split())
    assert min(below.values()) >= 0, "the ruleset has fewer of these cards"
    return GAME.new_initial_state(players, {"deck": [*top.split(), *below.elements()]}, rules)


def play(state: DragonStripesState, actions: str) -> DragonStripesState:
    for action in actions.split():
        state.apply_action(action)
    return state


def types(state: DragonStripesState) -> list[str]:
    return [event["type"] for event in state.events]


# Set-up.


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_ds1_two_to_six_play_and_seat_0_has_the_first_turn(players: int) -> None:
    state = begin("1", players)
    assert state.observation(0)["players"] == players
    assert (state.regular, state.active, state.current_player) == (0, 0, 0)


def test_ds1_turns_go_clockwise_and_come_round() -> None:
    state = begin("stop stop stop 1", players=3)
    assert [event["seat"] for event in state.events if event["type"] == "turn"] == [0, 1, 2, 0]


@pytest.mark.parametrize("players", [-1, 0, 1, 7])
def test_ds1_no_other_size_of_table_is_played(players: int) -> None:
    with pytest.raises(RulesError, match=rf"^players: .* 2 to 6, .*(?<![\d-]){players}$"):
        GAME.new_initial_state(players, "seed")
    with pytest.raises(RulesError, match=rf"^players: .* 2 to 6, .*(?<![\d-]){players}$"):
        GAME.deal(players, "seed")


def test_ds1_a_tournament_may_change_the_sizes_of_tables() -> None:
    assert begin("1", players=8, max_players=8).gems == [40] * 8
    with pytest.raises(RulesError, match=r"^players: .* 3 to 6, .*\b2$"):
        begin("1", players=2, min_players=3)


@pytest.mark.parametrize(("ruleset", "gems"), [("stripes", 40), ("kali-1993", 40), ("drago-rosso-1989", 20)])
def test_ds2_every_player_starts_with_the_gems_of_the_ruleset(ruleset: str, gems: int) -> None:
    assert begin("1", players=3, ruleset=ruleset).gems == [gems, gems, gems]


@pytest.mark.parametrize(
    ("ruleset", "footprints", "stops", "dangers"),
    [("stripes", 38, 10, 3), ("kali-1993", 38, 12, 2), ("drago-rosso-1989", 41, 11, 2)],
)
def test_ds3_the_deck_holds_footprints_stops_and_dangers(
    ruleset: str, footprints: int, stops: int, dangers: int
) -> None:
    deck = GAME.deal(2, "any seed", GAME.rules(ruleset))["deck"]
    assert deck.count("stop") == stops
    assert deck.count("danger") == dangers
    assert len(deck) == footprints + stops + dangers == GAME.rules(ruleset).deck_size


def test_ds3_the_deck_is_shuffled() -> None:
    decks = [GAME.deal(2, str(seed))["deck"] for seed in range(20)]
    assert len({tuple(deck) for deck in decks}) == 20
    assert cards_of(GAME.rules()) not in decks


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_ds3_the_deck_does_not_depend_on_the_size_of_the_table(players: int) -> None:
    assert GAME.deal(players, "2026") == GAME.deal(2, "2026")


def test_ds3_a_seed_and_its_deal_make_the_same_game() -> None:
    from_seed = GAME.new_initial_state(4, "2026")
    from_deal = GAME.new_initial_state(4, GAME.deal(4, "2026"))
    assert from_seed.deck == from_deal.deck
    assert from_seed.events == from_deal.events


@pytest.mark.parametrize(
    ("ruleset", "split"),
    [("stripes", [16, 12, 6, 4]), ("kali-1993", [16, 12, 6, 4]), ("drago-rosso-1989", [19, 12, 6, 4])],
)
def test_ds4_the_split_of_the_footprints(ruleset: str, split: list[int]) -> None:
    deck = GAME.deal(2, "any seed", GAME.rules(ruleset))["deck"]
    assert [deck.count(step) for step in ("1", "2", "3", "4")] == split


def test_ds4_footprints_may_show_more_than_4() -> None:
    state = begin("6", footprints=[0, 0, 0, 0, 3, 1])
    assert (state.position, state.beside) == (6, 6)
    assert state.observation(0)["unseen"]["footprints"] == [0, 0, 0, 0, 3, 0]


@pytest.mark.parametrize(("players", "treasure"), [(2, 400), (3, 360), (4, 320), (5, 280), (6, 240)])
def test_ds5_the_treasure_is_what_the_players_do_not_start_with(players: int, treasure: int) -> None:
    assert begin("1", players).events[0] == {
        "type": "setup",
        "players": players,
        "gems": [40] * players,
        "treasure": treasure,
    }


def test_ds5_in_1989_the_treasure_is_larger_since_players_start_with_less() -> None:
    assert begin("1", 2, "drago-rosso-1989").events[0]["treasure"] == 440
    assert begin("1", 6, "drago-rosso-1989").events[0]["treasure"] == 360


def test_ds6_the_knight_starts_in_front_of_stripe_1_which_is_worth_1() -> None:
    state = begin("1")
    assert (state.position, state.beside, state.treasure) == (1, 1, 399)


@pytest.mark.parametrize(
    ("ruleset", "stripes"), [("stripes", 17), ("kali-1993", 18), ("drago-rosso-1989", 16)]
)
def test_ds6_the_last_stripe_pays_its_number_and_one_step_more_ends_the_game(
    ruleset: str, stripes: int
) -> None:
    steps = {16: "4 4 4 4 1", 17: "4 4 4 4 1 1", 18: "4 4 4 4 2 1"}[stripes]
    state = begin(steps, ruleset=ruleset)
    play(state, "reveal " * (len(steps.split()) - 2))
    assert state.position == stripes
    assert state.events[-1]["laid"] == stripes
    assert not state.is_terminal
    assert play(state, "reveal").is_terminal


def test_ds7_every_seat_sees_the_same_but_for_its_own_number() -> None:
    state = play(begin("3 danger 2", players=3), "reveal")
    seen = [state.observation(seat) for seat in range(3)]
    assert [view.pop("seat") for view in seen] == [0, 1, 2]
    assert seen[0] == seen[1] == seen[2]


def test_ds7_an_observation_tells_all_gems_and_which_cards_are_to_come() -> None:
    # Seat 0: 3 gems lie, then the first danger costs 10 of 40. Seat 1: stripe 2.
    state = play(begin("3 danger 2"), "reveal")
    assert state.observation(1) == {
        "players": 2,
        "seat": 1,
        "regular": 1,
        "active": 1,
        "position": 2,
        "beside": 2,
        "bounty": 1,
        "gems": [30, 40],
        "treasure": 408,
        "dangers": 1,
        "unseen": {"footprints": [16, 11, 5, 4], "stop": 10, "danger": 2},
    }


def test_ds7_a_resampled_state_keeps_what_is_revealed_and_shuffles_the_rest() -> None:
    state = play(begin("3 danger 2"), "reveal")
    others = [state.resample(0, Stream(str(number), "resample")) for number in range(20)]
    assert all(other.deck[:3] == state.deck[:3] for other in others)
    assert all(sorted(other.deck) == sorted(state.deck) for other in others)
    assert len({tuple(other.deck) for other in others}) == 20


# A turn.


def test_ds8_a_new_game_begins_with_its_first_card_revealed() -> None:
    assert begin("3").events == [
        {"type": "setup", "players": 2, "gems": [40, 40], "treasure": 400},
        {"type": "turn", "seat": 0},
        {"type": "reveal", "seat": 0, "card": "3", "position": 3, "laid": 3},
    ]


def test_ds8_the_next_turn_starts_from_position_0_with_a_card_revealed() -> None:
    state = play(begin("4 2"), "stop decline")
    assert (state.current_player, state.position, state.beside) == (1, 2, 2)


def test_ds8_a_first_card_that_stops_ends_the_turn_before_anybody_was_asked() -> None:
    state = begin("stop 2")
    assert types(state) == ["setup", "turn", "reveal", "turn", "reveal"]
    assert state.current_player == 1


def test_ds9_a_footprint_pays_the_stripe_reached_and_none_passed_over() -> None:
    # Stripes 3, 5 and 9: 3 + 5 + 9 = 17 gems.
    state = play(begin("3 2 4"), "reveal reveal")
    assert (state.position, state.beside, state.treasure) == (9, 17, 383)
    assert [event["laid"] for event in state.events[2:]] == [3, 5, 9]
    assert state.gems == [40, 40]


def test_ds10_after_a_footprint_the_active_player_may_reveal_or_stop() -> None:
    state = begin("3 2")
    assert (state.current_player, state.legal_actions()) == (0, ["reveal", "stop"])
    play(state, "reveal")
    assert (state.current_player, state.legal_actions()) == (0, ["reveal", "stop"])


def test_ds11_the_others_are_asked_once_each_clockwise_from_the_left_of_who_stopped() -> None:
    state = play(begin("stop 3", players=4), "stop")  # seat 1 holds the turn
    asked = []
    for _ in range(3):
        assert state.legal_actions() == ["take", "decline"]
        asked.append(state.current_player)
        play(state, "decline")
    assert asked == [2, 3, 0]
    assert state.events[-3]["type"] == "collect"


def test_ds11_the_first_who_accepts_takes_over_and_nobody_else_is_asked() -> None:
    state = play(begin("3 2", players=4), "stop decline take")
    assert (state.active, state.current_player) == (2, 2)
    assert state.events[-3:] == [
        {"type": "decline", "seat": 1},
        {"type": "take", "seat": 2, "paid": 2, "to": 0},
        {"type": "reveal", "seat": 2, "card": "2", "position": 5, "laid": 5},
    ]


def test_ds11_after_a_take_over_the_round_of_asking_starts_left_of_the_new_holder() -> None:
    state = play(begin("3 2", players=4), "stop decline take stop")
    asked = []
    for _ in range(3):
        asked.append(state.current_player)
        play(state, "decline")
    assert asked == [3, 0, 1]


def test_ds11_who_declined_is_asked_again_at_the_next_stop() -> None:
    # Seat 1 declines, seat 2 takes over and stops, seat 0 declines: seat 1 again.
    state = play(begin("3 2", players=3), "stop decline take stop decline")
    assert state.current_player == 1


@pytest.mark.parametrize(
    ("cards", "beside", "bounty"),
    [("1", 1, 1), ("2", 2, 1), ("3", 3, 2), ("4", 4, 2), ("1 1", 3, 2), ("3 2", 8, 4), ("3 2 4", 17, 9)],
)
def test_ds12_the_bounty_is_half_of_what_lies_there_rounded_up(cards: str, beside: int, bounty: int) -> None:
    state = play(begin(cards), "reveal " * (len(cards.split()) - 1) + "stop")
    assert state.beside == beside
    assert state.observation(0)["bounty"] == bounty
    assert state.events[-1] == {"type": "stop", "seat": 0, "bounty": bounty}


def test_ds12_the_bounty_goes_from_the_taker_to_who_stopped_and_the_gems_stay() -> None:
    # 8 lie; seat 1 pays 4 to seat 0, then reaches stripe 9.
    state = play(begin("3 2 4"), "reveal stop take")
    assert state.gems == [44, 36]
    assert state.beside == 17


def test_ds12_taking_over_costs_1_even_if_nothing_lies_there() -> None:
    state = play(begin("3 2", total_gems=80), "stop")
    assert (state.beside, state.events[-1]["bounty"]) == (0, 1)
    assert play(state, "take").gems == [41, 39]


def test_ds12_share_and_minimum_of_the_bounty_are_fields() -> None:
    assert play(begin("3 2", bounty=[1, 3]), "reveal stop").events[-1]["bounty"] == 3  # 8/3 rounded up
    assert play(begin("3 2", bounty_minimum=6), "reveal stop").events[-1]["bounty"] == 6
    assert play(begin("3 2", bounty=[0, 1], bounty_minimum=0), "reveal stop").events[-1]["bounty"] == 0


def test_ds13_a_player_who_can_not_pay_is_not_asked() -> None:
    # A stop costs seat 0 all; seat 1 stops on stripe 3; seat 2 has 40 gems and seat 0 none.
    state = play(begin("stop 3 1", players=3, penalty=[1, 1]), "stop")
    assert state.current_player == 2
    play(state, "decline")
    assert types(state)[-4:] == ["decline", "collect", "turn", "reveal"]
    assert state.gems == [0, 43, 40]


def test_ds13_who_can_pay_just_the_bounty_is_asked() -> None:
    # Stripe 4: the bounty is 2, all that seat 1 has.
    state = play(begin("4 2", starting_gems=2), "stop")
    assert state.current_player == 1
    assert play(state, "take").gems == [4, 0]


def test_ds13_if_nobody_can_pay_the_gems_are_collected_without_a_question() -> None:
    # Stripe 3: the bounty is 2; everybody has 1.
    state = play(begin("3 1", players=3, starting_gems=1), "stop")
    assert state.events[-4:] == [
        {"type": "stop", "seat": 0, "bounty": 2},
        {"type": "collect", "seat": 0, "gems": 3},
        {"type": "turn", "seat": 1},
        {"type": "reveal", "seat": 1, "card": "1", "position": 1, "laid": 1},
    ]
    assert state.gems == [4, 1, 1]


def test_ds14_the_new_active_player_reveals_at_once_from_where_the_knight_stands() -> None:
    state = play(begin("3 2"), "stop take")
    assert (state.position, state.beside) == (5, 8)
    assert (state.current_player, state.legal_actions()) == (1, ["reveal", "stop"])


def test_ds14_an_earlier_holder_may_take_the_turn_back_any_number_of_times() -> None:
    # Stripes 1, 2, 3, 4: 1, 3, 6, 10 gems lie; bounties 1, 2, 3 go to and fro.
    state = play(begin("1 1 1 1"), "stop take stop take stop take")
    assert [event["paid"] for event in state.events if event["type"] == "take"] == [1, 2, 3]
    assert state.gems == [40 + 1 - 2 + 3, 40 - 1 + 2 - 3]
    assert (state.regular, state.active, state.beside) == (0, 1, 10)


def test_ds14_the_new_active_player_bears_the_stop_card() -> None:
    # 3 lie; seat 1 pays 2, then loses 9 of 38 (38/4 = 9.5); the 3 go back.
    state = play(begin("3 stop 1"), "stop take")
    assert state.gems == [42, 29]
    assert state.events[-3] == {
        "type": "reveal",
        "seat": 1,
        "card": "stop",
        "dangers": 0,
        "lost": 9,
        "returned": 3,
    }


def test_ds15_if_nobody_takes_over_the_active_player_collects() -> None:
    state = play(begin("3 2 1", players=3), "reveal stop decline decline")
    assert {"type": "collect", "seat": 0, "gems": 8} in state.events
    assert state.gems == [48, 40, 40]


def test_ds15_who_took_over_and_stopped_collects() -> None:
    # 3 lie, seat 1 pays 2, stripe 5 makes 8.
    state = play(begin("3 2 1"), "stop take stop decline")
    assert state.gems == [42, 46]


def test_ds16_after_a_collected_turn_the_left_neighbour_of_the_regular_player_is_next() -> None:
    # Seat 2 took over the turn of seat 0; still seat 1 is next.
    state = play(begin("3 2 1", players=3), "stop decline take stop decline decline")
    assert (state.regular, state.active, state.current_player) == (1, 1, 1)


def test_ds16_after_a_stopped_turn_the_left_neighbour_of_the_regular_player_is_next() -> None:
    state = play(begin("3 stop 1", players=3), "stop decline take")
    assert (state.regular, state.current_player) == (1, 1)


def test_ds16_last_active_gives_the_turn_to_the_left_of_who_held_it_last() -> None:
    # Seat 1 took over the turn of seat 0, so seat 2 is next, after a collected turn and after a stopped one.
    collected = begin("3 2 1", players=3, next_turn="last-active")
    assert play(collected, "stop take stop decline decline").current_player == 2
    stopped = begin("3 stop 1", players=3, next_turn="last-active")
    assert play(stopped, "stop take").current_player == 2


def test_ds16_last_active_and_regular_agree_if_nobody_took_over() -> None:
    for next_turn in ("regular", "last-active"):
        state = begin("3 1", players=3, next_turn=next_turn)
        assert play(state, "stop decline decline").current_player == 1


# Stop and danger.


def test_ds17_a_stop_card_costs_a_quarter_and_the_gems_beside_the_knight() -> None:
    # 3 lie; 40/4 = 10; all 13 go to the treasure.
    state = play(begin("3 stop 1"), "reveal")
    assert state.gems == [30, 40]
    assert state.events[3] == {
        "type": "reveal",
        "seat": 0,
        "card": "stop",
        "dangers": 0,
        "lost": 10,
        "returned": 3,
    }
    assert (state.current_player, state.treasure, state.beside) == (1, 409, 1)


def test_ds17_the_quarter_is_rounded_down() -> None:
    # Seat 0 collects 3 and then loses 43/4 = 10.75, so 10.
    state = play(begin("3 1 stop 1"), "stop decline stop decline")
    assert state.events[-3]["lost"] == 10
    assert state.gems[0] == 33


def test_ds17_a_player_with_less_than_4_gems_loses_none() -> None:
    assert begin("stop 1", starting_gems=3).gems == [3, 3]


def test_ds17_in_1989_a_stop_costs_nothing_but_the_gems_beside_the_knight() -> None:
    state = play(begin("3 stop 1", ruleset="drago-rosso-1989"), "reveal")
    assert state.gems == [20, 20]
    assert (state.events[3]["lost"], state.events[3]["returned"]) == (0, 3)


def test_ds18_the_first_danger_is_a_stop() -> None:
    state = play(begin("3 danger 1"), "reveal")
    assert state.events[3] == {
        "type": "reveal",
        "seat": 0,
        "card": "danger",
        "dangers": 1,
        "lost": 10,
        "returned": 3,
    }
    assert (state.gems, state.current_player) == ([30, 40], 1)


def test_ds18_after_the_first_danger_a_stop_still_costs_a_quarter_and_nothing_is_doubled() -> None:
    state = begin("danger stop 3")
    assert state.gems == [30, 30]
    assert state.beside == 3


def test_ds18_dangers_count_over_the_whole_table() -> None:
    state = begin("danger stop danger 1", players=3)
    assert [event["dangers"] for event in state.events if event.get("card") in ("stop", "danger")] == [
        1,
        1,
        2,
    ]


def test_ds19_second_danger_already_costs_half() -> None:
    assert begin("danger danger 1").gems == [30, 20]


def test_ds19_every_stop_after_the_second_danger_costs_half() -> None:
    # Seat 0: 30 - 15 = 15, seat 1: 20 - 10 = 10, seat 0: 15 - 7 = 8 (7.5 rounded down).
    state = begin("danger danger stop stop stop 1")
    assert [event["lost"] for event in state.events if event.get("card") == "stop"] == [15, 10, 7]
    assert state.gems == [8, 10]


def test_ds19_in_1993_the_first_danger_already_costs_half() -> None:
    assert begin("stop danger stop 1", players=3, ruleset="kali-1993").gems == [30, 20, 20]


def test_ds19_without_escalation_every_stop_costs_the_same() -> None:
    assert begin("danger danger stop 1", players=3, escalation_danger=0).gems == [30, 30, 30]


def test_ds19_both_penalties_are_fields() -> None:
    state = begin("stop danger danger 1", players=3, penalty=[1, 8], later_penalty=[3, 8])
    assert state.gems == [35, 35, 25]


def test_ds20_from_the_second_danger_on_a_footprint_lays_down_twice_the_stripe() -> None:
    # Stripes 3 and 5 pay 6 and 10.
    state = play(begin("danger danger 3 2"), "reveal")
    assert [event["laid"] for event in state.events if "laid" in event] == [6, 10]
    assert (state.position, state.beside) == (5, 16)


def test_ds20_in_1993_the_first_danger_doubles_and_in_1989_none() -> None:
    assert begin("danger 3", ruleset="kali-1993").beside == 6
    assert begin("danger 3", ruleset="drago-rosso-1989").beside == 3


def test_ds20_the_multiplier_is_a_field() -> None:
    assert begin("danger danger 3", later_multiplier=5).beside == 15


def test_ds21_what_is_left_of_a_small_treasure_is_laid_down_and_play_goes_on() -> None:
    # 4 gems of treasure: stripe 3 takes 3, stripe 5 the last 1, stripe 6 nothing.
    state = play(begin("3 2 1", total_gems=84), "reveal reveal")
    assert [event["laid"] for event in state.events if "laid" in event] == [3, 1, 0]
    assert (state.position, state.beside, state.treasure) == (6, 4, 0)
    assert state.legal_actions() == ["reveal", "stop"]


def test_ds21_holds_for_a_doubled_stripe() -> None:
    # The dangers add 10 and 20 to 4 gems of treasure: 8 for stripe 4, 16 for stripe 8, the last 10 for 9.
    state = play(begin("danger danger 4 4 1", total_gems=84), "reveal reveal")
    assert [event["laid"] for event in state.events if "laid" in event] == [8, 16, 10]


# The end.


def test_ds22_the_third_danger_takes_all_and_ends_the_game() -> None:
    # Seat 0 loses 10, seat 1 loses 20, seat 0 loses the 30 left and the 6 beside the knight.
    state = play(begin("danger danger 3 danger"), "reveal")
    assert state.is_terminal
    assert state.gems == [0, 20]
    assert state.events[-1] == {
        "type": "reveal",
        "seat": 0,
        "card": "danger",
        "dangers": 3,
        "lost": 30,
        "returned": 6,
    }
    assert (state.beside, state.treasure) == (0, 460)


def test_ds22_who_took_over_bears_the_final_danger() -> None:
    # 6 lie, doubled: seat 1 with 20 pays 3 to seat 0, then loses the 17 left.
    state = play(begin("danger danger 3 danger"), "stop take")
    assert state.gems == [33, 0]


def test_ds22_a_match_may_end_before_anybody_was_asked() -> None:
    state = begin("danger danger danger")
    assert state.is_terminal
    assert state.gems == [0, 20]
    assert state.revealed == 3


@pytest.mark.parametrize(
    ("ruleset", "gems"),
    [
        # The first danger costs half: seat 0 has 20; the second costs nothing.
        ("kali-1993", [20, 40]),
        ("drago-rosso-1989", [20, 20]),
    ],
)
def test_ds22_in_earlier_editions_the_second_danger_just_ends_the_game(ruleset: str, gems: list[int]) -> None:
    state = play(begin("danger 2 danger", ruleset=ruleset), "reveal")
    assert state.is_terminal
    assert state.gems == gems
    assert (state.events[-1]["lost"], state.beside) == (0, 0)
    assert state.treasure == 480 - sum(gems)


def test_ds22_the_number_of_the_final_danger_is_a_field() -> None:
    state = begin("danger", final_danger=1)
    assert state.is_terminal
    assert state.gems == [0, 40]


def test_ds23_reaching_exactly_17_is_an_ordinary_stripe() -> None:
    # Stripes 4, 8, 12, 16, 17: 57 gems.
    state = play(begin("4 4 4 4 1"), "reveal reveal reveal reveal")
    assert (state.position, state.beside, state.treasure) == (17, 57, 343)
    assert (state.current_player, state.legal_actions()) == (0, ["reveal", "stop"])


def test_ds23_a_move_past_17_takes_everything_and_ends_the_game() -> None:
    state = play(begin("4 4 4 4 1 1"), "reveal reveal reveal reveal reveal")
    assert state.is_terminal
    assert state.gems == [440, 40]
    assert (state.beside, state.treasure) == (0, 0)
    assert state.events[-2:] == [
        {"type": "reveal", "seat": 0, "card": "1", "position": 18, "laid": 0},
        {"type": "finish", "seat": 0, "gems": 400},
    ]


def test_ds23_the_knight_stands_at_18_however_far_the_card_would_go() -> None:
    state = play(begin("4 4 4 3 3"), "reveal reveal reveal reveal")  # 15 + 3
    assert (state.is_terminal, state.position) == (True, 18)
    state = play(begin("4 4 4 2 3 4"), "reveal reveal reveal reveal reveal")  # 17 + 4
    assert (state.is_terminal, state.position) == (True, 18)


def test_ds23_who_took_over_and_moves_past_17_takes_everything() -> None:
    # 57 lie; seat 1 pays 29 of its 40 to seat 0, then takes all 400.
    state = play(begin("4 4 4 4 1 1"), "reveal reveal reveal reveal stop take")
    assert state.gems == [69, 411]


def test_ds24_most_gems_rank_first() -> None:
    state = begin("danger danger danger", players=4)  # 30, 20, 0 and 40 untouched
    assert state.returns() == [30, 20, 0, 40]
    assert state.ranks() == [2, 3, 4, 1]


def test_ds24_equal_gems_share_the_rank() -> None:
    # 40 - 10 - 15 = 15, 40 - 10 - 15 = 15, and seat 2 loses all.
    state = begin("stop stop danger danger stop danger", players=3)
    assert state.returns() == [15, 15, 0]
    assert state.ranks() == [1, 1, 3]


def test_ds24_a_tie_below_the_winner_leaves_a_gap_below_it() -> None:
    # Seat 0 collects 3, then seat 1 loses all.
    state = play(begin("3 1 danger", players=4, final_danger=1), "stop decline decline decline reveal")
    assert state.returns() == [43, 0, 40, 40]
    assert state.ranks() == [1, 4, 2, 2]


def test_ds24_all_may_tie() -> None:
    state = begin("danger", players=3, final_danger=1, final_danger_takes_all=False)
    assert state.ranks() == [1, 1, 1]


def test_ds25_the_longest_game_ends_with_the_last_card_of_the_deck() -> None:
    """All other cards lie above the three dangers, and every turn ends with its first card."""
    top = " ".join(card for card in cards_of(GAME.rules()) if card != "danger")
    state = begin(top)
    while not state.is_terminal:
        state.apply_action(state.neutral_action())
    cards = [event["card"] for event in state.events if event["type"] == "reveal"]
    assert len(cards) == 51
    assert cards == [*top.split(), "danger", "danger", "danger"]


def test_ds25_a_deck_that_could_run_out_is_refused() -> None:
    with pytest.raises(RulesError, match=r"^danger_cards: .*at least final_danger \(3\), .*2$"):
        GAME.rules("stripes", {"danger_cards": 2})
    with pytest.raises(RulesError, match=r"^danger_cards: .*at least final_danger \(4\), .*3$"):
        GAME.rules("stripes", {"final_danger": 4})


def test_ds25_more_dangers_than_end_the_game_are_no_harm() -> None:
    assert begin("danger danger danger", danger_cards=5).is_terminal


# Actions and states.


@pytest.mark.parametrize(
    "action", ["take", "decline", "Reveal", " stop", "", "reveal stop", None, 0, True, ["stop"]]
)
def test_who_holds_the_turn_may_only_reveal_or_stop(action: Json) -> None:
    state = begin("3")
    with pytest.raises(IllegalActionError, match=rf"^seat 0 .*{re.escape(repr(action))}.* reveal, stop$"):
        state.apply_action(action)
    assert (state.current_player, state.revealed, len(state.events)) == (0, 1, 3)


@pytest.mark.parametrize("action", ["reveal", "stop", "TAKE", "", None, 1, {"action": "take"}])
def test_who_is_asked_may_only_take_or_decline(action: Json) -> None:
    state = play(begin("3"), "stop")
    with pytest.raises(IllegalActionError, match=rf"^seat 1 .*{re.escape(repr(action))}.* take, decline$"):
        state.apply_action(action)
    assert (state.current_player, state.gems, len(state.events)) == (1, [40, 40], 4)


@pytest.mark.parametrize("action", ["reveal", "stop", "take", "decline", "", None])
def test_nothing_is_legal_when_the_game_is_over(action: Json) -> None:
    state = begin("danger danger danger")
    assert (state.current_player, state.legal_actions()) == (None, [])
    with pytest.raises(IllegalActionError, match=r"\bgame is over\b"):
        state.apply_action(action)


def test_a_finished_game_can_still_be_observed() -> None:
    state = begin("danger danger danger")
    assert state.observation(1)["gems"] == [0, 20]
    assert state.observation(1)["dangers"] == 3


def test_the_neutral_actions_are_stop_and_decline() -> None:
    state = begin("3")
    assert state.neutral_action() == "stop"
    assert play(state, "stop").neutral_action() == "decline"


def test_a_game_of_one_player_asks_nobody_else() -> None:
    state = play(begin("3 2", players=1, min_players=1), "stop")
    assert (state.gems, state.current_player, state.position) == ([43], 0, 2)


def test_a_deck_without_footprints_is_over_at_once() -> None:
    state = begin("stop danger", footprints=[], stop_cards=1, danger_cards=1, final_danger=1)
    assert state.is_terminal
    assert state.gems == [30, 0]


def test_a_tail_without_stripes_ends_with_the_first_footprint() -> None:
    state = begin("1", stripes=0)
    assert (state.is_terminal, state.position, state.gems) == (True, 1, [440, 40])


def test_a_position_is_written_for_people_with_the_cards_to_come() -> None:
    text = str(play(begin("3 2 stop"), "reveal"))
    assert "stripe 5, 8 gems beside the knight, treasure 392, dangers 0" in text
    assert "seat 0: 40, seat 1: 40" in text
    assert "deck stop 1 1" in text
    assert "seat 0 chooses: reveal, stop" in text
    assert "chooses" not in str(begin("danger danger danger"))


def test_events_read_as_sentences() -> None:
    state = play(begin("3 2 4 stop 1", players=3), "reveal stop decline take stop decline decline")
    assert [GAME.describe(event) for event in state.events] == [
        "3 players with 40 gems each; treasure 360",
        "seat 0 has the turn",
        "seat 0 reveals 3: stripe 3, 3 laid down",
        "seat 0 reveals 2: stripe 5, 5 laid down",
        "seat 0 stops; taking over costs 4",
        "seat 1 declines",
        "seat 2 takes over and pays 4 to seat 0",
        "seat 2 reveals 4: stripe 9, 9 laid down",
        "seat 2 stops; taking over costs 9",
        "seat 0 declines",
        "seat 1 declines",
        "seat 2 collects 17",
        "seat 1 has the turn",
        "seat 1 reveals stop: loses 10, 0 go back to the treasure",
        "seat 2 has the turn",
        "seat 2 reveals 1: stripe 1, 1 laid down",
    ]


def test_the_ends_of_a_game_read_as_sentences() -> None:
    last = begin("danger danger danger").events[-1]
    assert GAME.describe(last) == "seat 0 reveals danger no. 3: loses 30, 0 go back to the treasure"
    last = begin("1", stripes=0).events[-1]
    assert GAME.describe(last) == "seat 0 passes the last stripe and takes 400: the game ends"


# Rulesets and their fields.


@pytest.mark.parametrize(
    ("ruleset", "field", "value"),
    [(name, field, value) for name, table in RULESETS.items() for field, value in table.items()],
)
def test_every_field_of_every_ruleset(ruleset: str, field: str, value: Json) -> None:
    assert getattr(GAME.rules(ruleset), field) == value


def test_the_table_above_names_every_ruleset_and_every_field() -> None:
    assert list(GAME.rulesets) == list(RULESETS)
    names = {field.name for field in fields(DragonStripesRules)}
    assert all(set(table) == names for table in RULESETS.values())
    assert set(OVERRIDES) == names


def test_every_ruleset_passes_its_own_check() -> None:
    for rules in GAME.rulesets.values():
        rules.check()


@pytest.mark.parametrize("ruleset", [None, "stripes", "drago-rosso"])
def test_stripes_is_the_default_and_also_named_drago_rosso(ruleset: str | None) -> None:
    assert GAME.rules(ruleset) == GAME.rulesets["stripes"]
    assert GAME.ruleset_name(ruleset) == "stripes"


@pytest.mark.parametrize("ruleset", list(RULESETS))
@pytest.mark.parametrize("field", list(OVERRIDES))
def test_every_field_can_be_overridden_and_the_others_stay(ruleset: str, field: str) -> None:
    table = RULESETS[ruleset]
    value = not table[field] if isinstance(table[field], bool) else OVERRIDES[field]
    expected = tuple(value) if isinstance(value, list) else value
    rules = asdict(GAME.rules(ruleset, {field: value}))
    assert expected != table[field]
    assert rules == {**table, field: expected}


def test_overriding_does_not_change_the_ruleset_itself() -> None:
    GAME.rules("stripes", {"starting_gems": 7})
    assert GAME.rules("stripes").starting_gems == 40


@pytest.mark.parametrize(
    ("overrides", "message"),
    [
        # An unknown field.
        ({"stopcards": 5}, r"stopcards: .*no such field; did you mean 'stop_cards'\?"),
        ({"total_gem": 5}, r"total_gem: .*no such field; did you mean 'total_gems'\?"),
        ({"zzz": 5}, r"zzz: .*no such field; known are min_players, .*, final_danger_takes_all"),
        # A wrong type.
        ({"stop_cards": "3"}, r"stop_cards: .*int.*str"),
        ({"stop_cards": 3.0}, r"stop_cards: .*int.*float"),
        ({"stop_cards": None}, r"stop_cards: .*int.*null"),
        ({"stop_cards": True}, r"stop_cards: .*int.*bool"),
        ({"final_danger_takes_all": 1}, r"final_danger_takes_all: .*bool.*int"),
        ({"final_danger_takes_all": "yes"}, r"final_danger_takes_all: .*bool.*str"),
        ({"footprints": 5}, r"footprints: .*array.*int"),
        ({"footprints": [16, True]}, r"footprints\[1\]: .*int.*bool"),
        ({"penalty": 0.25}, r"penalty: .*array.*float"),
        ({"penalty": [1]}, r"penalty: expected array .*2.*1"),
        ({"penalty": [1, 2, 3]}, r"penalty: expected array .*2.*3"),
        ({"bounty": ["1", 2]}, r"bounty\[0\]: .*int.*str"),
        ({"next_turn": "left"}, r"next_turn: .*'left'"),
        ({"next_turn": 1}, r"next_turn: .*str.*int"),
        # A negative number, or one too large.
        ({"footprints": [16, -12, 6, 4]}, r"footprints\[1\]: .* from 0 to 1000000, .*-12"),
        ({"stripes": 1_000_001}, r"stripes: .* from 0 to 1000000, .*1000001"),
        ({"footprints": [10_000]}, r"footprints: .*10000 cards, .*10013"),
        # A share outside 0 … 1.
        ({"bounty": [3, 2]}, r"bounty: \[3, 2\] is no share .*0 to 1"),
        ({"penalty": [-1, 2]}, r"penalty: \[-1, 2\] is no share .*0 to 1"),
        ({"penalty": [1, -2]}, r"penalty: \[1, -2\] is no share .*0 to 1"),
        ({"penalty": [-2, -2]}, r"penalty: \[-2, -2\] is no share .*0 to 1"),
        ({"later_penalty": [0, 0]}, r"later_penalty: \[0, 0\] is no share .*0 to 1"),
        # Numbers that don't go together.
        ({"total_gems": 79}, r"total_gems: 2 players .*40 gems .* at least 80, .*79"),
        ({"starting_gems": 241}, r"total_gems: 2 players .*241 gems .* at least 482, .*480"),
        ({"final_danger": 0}, r"final_danger: .*at least 1\b"),
        ({"danger_cards": 2}, r"danger_cards: .*at least final_danger \(3\)"),
        ({"min_players": 0}, r"min_players: .* from 1 to max_players \(6\), .*0"),
        ({"min_players": 7}, r"min_players: .* from 1 to max_players \(6\), .*7"),
        ({"max_players": 1}, r"min_players: .* from 1 to max_players \(1\), .*2"),
    ],
)
def test_a_refused_value_is_refused_with_the_field_named(overrides: Mapping[str, Json], message: str) -> None:
    with pytest.raises(RulesError, match=f"^{message}"):
        GAME.rules("stripes", overrides)


@pytest.mark.parametrize("field", [name for name, value in OVERRIDES.items() if type(value) is int])
def test_no_number_may_be_negative_nor_a_boolean(field: str) -> None:
    with pytest.raises(RulesError, match=field):
        GAME.rules("stripes", {field: -1})
    with pytest.raises(RulesError, match=f"^{field}: .*int.*bool`?$"):
        GAME.rules("stripes", {field: True})


def test_shares_of_nothing_and_of_all_are_accepted() -> None:
    rules = GAME.rules("stripes", {"bounty": [0, 1], "penalty": [1, 1]})
    assert (rules.bounty, rules.penalty) == ((0, 1), (1, 1))


def test_fewer_gems_than_a_larger_table_starts_with_are_refused_when_the_table_is_known() -> None:
    rules = GAME.rules("stripes", {"total_gems": 120})  # enough for 3
    GAME.check_players(3, rules)
    with pytest.raises(RulesError, match=r"^total_gems: 4 players .*40 gems .* 160, .*120$"):
        GAME.check_players(4, rules)
    with pytest.raises(RulesError, match=r"^total_gems: "):
        GAME.new_initial_state(4, "seed", rules)


@pytest.mark.parametrize("players", [1, 7])
def test_a_table_of_1_or_7_is_refused_by_every_ruleset(players: int) -> None:
    for rules in GAME.rulesets.values():
        with pytest.raises(RulesError, match=rf"^players: .* 2 to 6, .*(?<![\d-]){players}$"):
            GAME.check_players(players, rules)


def test_an_unknown_ruleset_is_refused_with_the_nearest_or_all_names() -> None:
    with pytest.raises(UnknownGameError, match=r"no ruleset 'strips'; did you mean 'stripes'\?$"):
        GAME.rules("strips")
    with pytest.raises(
        UnknownGameError, match=r"known are stripes, kali-1993, drago-rosso-1989, drago-rosso$"
    ):
        GAME.rules("zz")


# Names.


@pytest.mark.parametrize(
    "name",
    ["dragon_stripes", "dragon-stripes", "Dragon-Stripes", "Dragon Stripes", "DRAGON_STRIPES", "Drago-Rosso"],
)
def test_the_game_is_found_whatever_the_case_and_the_hyphens(name: str) -> None:
    assert load_game(name) is load_game("dragon_stripes")
    assert isinstance(load_game(name), DragonStripes)


def test_an_unknown_game_is_refused_with_the_nearest_or_all_names() -> None:
    with pytest.raises(UnknownGameError, match=r"no game 'dragonstripe'; did you mean 'dragon_stripes'\?$"):
        load_game("dragonstripe")
    with pytest.raises(UnknownGameError, match=r"no game 'chess'; known are dragon_stripes"):
        load_game("chess")


def test_a_name_or_alias_belongs_to_one_game() -> None:
    class Impostor(DragonStripes):
        name = "impostor"
        aliases = ("Drago-Rosso",)

    with pytest.raises(ValueError, match="'Drago-Rosso' belongs to Dragon Stripes"):
        register_game(Impostor())
    with pytest.raises(ValueError, match="'dragon_stripes' belongs to Dragon Stripes"):
        register_game(DragonStripes())
    assert load_game("drago_rosso") is load_game("dragon_stripes")


def test_a_registered_game_is_listed_once_however_often_it_is_registered() -> None:
    game = load_game("dragon_stripes")
    register_game(game)
    assert registered_games().count(game) == 1


# Deals.


def test_a_deal_may_come_as_any_mapping_with_any_sequence_of_names() -> None:
    deck = cards_of(GAME.rules())
    assert GAME.new_initial_state(2, {"deck": tuple(deck)}).position == 1


@pytest.mark.parametrize("deal", [{}, {"cards": []}, {"deck": None}, {"deck": "1 2 3"}, {"deck": {"1": 16}}])
def test_a_deal_without_a_list_of_cards_is_refused(deal: Mapping[str, Json]) -> None:
    with pytest.raises(DealError, match=r"^deck: .*list of card names"):
        GAME.new_initial_state(2, deal)


@pytest.mark.parametrize("card", ["5", "0", "-1", "Stop", "", 1, None])
def test_a_deal_with_an_unknown_card_is_refused(card: Json) -> None:
    deck = [card, *cards_of(GAME.rules())[1:]]
    wanted = rf"^deck: .*{re.escape(repr(card))}.* 1, 2, 3, 4, stop, danger$"
    with pytest.raises(DealError, match=wanted):
        GAME.new_initial_state(2, {"deck": deck})


@pytest.mark.parametrize("card", [["1"], {"card": "1"}])
def test_a_deal_with_a_list_or_an_object_for_a_card_is_refused(card: Json) -> None:
    deck = [card, *cards_of(GAME.rules())[1:]]
    with pytest.raises(DealError, match=r"^deck: "):
        GAME.new_initial_state(2, {"deck": deck})


def test_a_deal_with_other_cards_than_the_ruleset_has_is_refused() -> None:
    cards = cards_of(GAME.rules())
    for deck in ([], cards[1:], [*cards, "1"], ["2", *cards[1:]], cards_of(GAME.rules("kali-1993"))):
        with pytest.raises(DealError, match=r"^deck: .*51 cards"):
            GAME.new_initial_state(2, {"deck": deck})


def test_a_deal_is_not_changed_and_not_kept() -> None:
    deal = {"deck": cards_of(GAME.rules())}
    state = GAME.new_initial_state(2, deal)
    deal["deck"].reverse()
    assert play(state, "reveal").position == 2
