"""Seeds and names of matches follow from the tournament's seed as docs/chance.md says."""

from hashlib import sha256

import pytest

from arena.plan import bot_seed, match_id, match_seed

SEEDS = ["2026", "", "Größe 🐉", "a/b"]


def first_word(label: str, seed: str) -> int:
    """The first uint64 of a stream, from SHA-256 alone."""
    return int.from_bytes(sha256(f"{label}/0/{seed}".encode()).digest()[:8])


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("deal", [0, 1, 2**53 - 1])
def test_the_seed_of_a_match_follows_from_the_deal_alone(seed: str, deal: int) -> None:
    assert match_seed(seed, deal) == f"{first_word(f'deal.{deal}', seed):016x}"


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("number", "seat"), [(0, 0), (0, 5), (12, 1), (2**53 - 1, 3)])
def test_a_bots_seed_is_31_bits_that_follow_from_match_and_seat(seed: str, number: int, seat: int) -> None:
    assert bot_seed(seed, number, seat) == first_word(f"bot.{number}.{seat}", seed) // 2**33


@pytest.mark.parametrize("seed", SEEDS)
def test_the_name_of_a_match_follows_from_its_number_under_a_label_of_its_own(seed: str) -> None:
    assert match_id(seed, 7) == f"{first_word('match.7', seed):016x}"


def test_a_bots_seed_lies_from_0_to_below_two_to_the_31() -> None:
    seeds = [bot_seed("2026", number, 0) for number in range(2_000)]
    assert min(seeds) >= 0
    assert 2**30 < max(seeds) < 2**31


def test_a_bots_seed_differs_for_every_seat_of_every_match() -> None:
    # 3,000 draws of 31 bits collide with a chance of 0.2 %; these seeds are fixed, and don't.
    seeds = {bot_seed("2026", number, seat) for number in range(500) for seat in range(6)}
    assert len(seeds) == 3_000


def test_seeds_and_names_of_matches_don_t_repeat() -> None:
    words = {match_seed("2026", number) for number in range(2_000)}
    words |= {match_id("2026", number) for number in range(2_000)}
    assert len(words) == 4_000


def test_another_tournament_seed_deals_other_cards() -> None:
    assert match_seed("2026", 0) != match_seed("2027", 0)


@pytest.mark.parametrize("word", [match_seed("2026", 3), match_id("2026", 3)])
def test_seeds_and_names_of_matches_are_16_hex_digits(word: str) -> None:
    assert len(word) == 16
    assert set(word) <= set("0123456789abcdef")
