"""The definition of chance in docs/chance.md, followed word by word with hashlib, and its test vectors."""

from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from itertools import islice, permutations
from pathlib import Path

import pytest

from engine import Stream, derive_seed, load_game

DOC = (Path(__file__).parents[2] / "docs" / "chance.md").read_text(encoding="utf-8")

WORDS = [
    (
        "2026",
        "deck",
        "8a6c756a1c9bbf60 a812ae85bc90b673 8b4715945b4562ad f5a9015d1366dc59 41049886f6c243e9",
    ),
    (
        "0000000000000001",
        "deck",
        "5a1ee344fbbd231f fdaa0882db754d35 509d45f485510fdc 3d4649e80cf4ca03 5eaecc78d7cc3ca0",
    ),
    (
        "0000000000000001",
        "dice",
        "995c8a801b34df12 d6dc86301f469423 b2c63a3e9010ba35 2ebde25ece2cfa1f c621c48f28efa8ff",
    ),
    (
        "",
        "deck",
        "6541205c33b39cd8 c04f7725ab23bca1 3340bab1803486cf f4de1855d0a658f7 ade2f60a997fd5e4",
    ),
    (
        "Zürich/1",
        "a.b",
        "17846c32d36def28 883edb9eeb995851 0d0a51a59e3250a9 9d562eeb65c76765 6b3dd5b6aafba32a",
    ),
]

BELOW = [
    ("2026", "deck", 6, [0, 3, 3, 5, 3, 4, 2, 3, 4, 3]),
    ("0000000000000001", "dice", 6, [0, 3, 1, 3, 3, 4, 4, 5, 0, 3]),
    ("0000000000000001", "dice", 51, [15, 33, 28, 15, 48, 31, 1, 47, 0, 30]),
    ("0000000000000001", "dice", 1, [0, 0, 0]),
    ("0000000000000001", "dice", 2**64, [11050859868477251346, 15482397160234193955]),
    (
        "0000000000000001",
        "dice",
        2**63 + 1,
        [3368096993156856351, 6439748381543945153, 722189743999467309],
    ),
]

SHUFFLES = [
    ("2026", "deck", [1, 2, 7, 0, 9, 3, 8, 5, 6, 4]),
    ("0000000000000001", "deck", [2, 3, 9, 0, 5, 6, 8, 4, 7, 1]),
    ("Zürich/1", "a.b", [6, 9, 7, 3, 5, 4, 0, 8, 1, 2]),
]

DERIVED_SEEDS = [
    ("2026", "deal", (), "718ada20329ac66a"),
    ("2026", "deal", (0,), "43546a2a8650913b"),
    ("2026", "deal", (1,), "0da884abc6847f34"),
    ("2026", "deal", (10,), "7693d19c11aa5bda"),
    ("2026", "bot", (0, 0), "97e52c94ed2807ce"),
    ("2026", "bot", (0, 1), "0e69b447f5ab0216"),
    ("2026", "bot", (12, 3), "673af4ccc961ea9e"),
    ("Zürich/1", "deal", (0,), "63a6c9da8cff5872"),
]

# Of the tournament seed 2026: match number, seat, bot seed.
BOT_SEEDS = [(0, 0, 1274189386), (0, 1, 120904227), (12, 3, 865958502)]

TOP_CARDS = [
    ("0000000000000001", "stripes", "stop 1 1 stop 1 2 3 1 1 stop"),
    ("43546a2a8650913b", "stripes", "2 2 stop 1 4 1 2 2 3 danger"),
    ("0000000000000001", "kali-1993", "stop 3 danger 1 2 stop 2 3 1 1"),
    ("0000000000000001", "drago-rosso-1989", "1 stop 2 2 2 stop stop 3 3 2"),
]

SORTED_DECKS = {
    "stripes": ["1"] * 16 + ["2"] * 12 + ["3"] * 6 + ["4"] * 4 + ["stop"] * 10 + ["danger"] * 3,
    "kali-1993": ["1"] * 16 + ["2"] * 12 + ["3"] * 6 + ["4"] * 4 + ["stop"] * 12 + ["danger"] * 2,
    "drago-rosso-1989": ["1"] * 19 + ["2"] * 12 + ["3"] * 6 + ["4"] * 4 + ["stop"] * 11 + ["danger"] * 2,
}


# The document, followed word by word.


def documented_words(seed: str, label: str) -> Iterator[int]:
    block = 0
    while True:
        digest = sha256(f"{label}/{block}/{seed}".encode()).hexdigest()
        for start in (0, 16, 32, 48):
            yield int(digest[start : start + 16], 16)
        block += 1


def documented_below(words: Iterator[int], bound: int) -> int:
    limit = 2**64 // bound * bound
    return next(word for word in words if word < limit) % bound


def documented_shuffle(words: Iterator[int], items: list[str]) -> list[str]:
    """Every step picks an item for the last free place, and what lay there fills the gap."""
    shuffled: list[str] = []
    rest = list(items)
    while len(rest) > 1:
        other = documented_below(words, len(rest))
        last = rest.pop()
        if other < len(rest):
            last, rest[other] = rest[other], last
        shuffled.insert(0, last)
    return rest + shuffled


def documented_derive_seed(seed: str, label: str, *numbers: int) -> str:
    joined = ".".join([label, *[str(number) for number in numbers]])
    return sha256(f"{joined}/0/{seed}".encode()).hexdigest()[:16]


class Scripted(Stream):
    """A stream of given words."""

    def __init__(self, *words: int) -> None:
        super().__init__("", "scripted")
        self.script = list(words)

    def uint64(self) -> int:
        return self.script.pop(0)


def shown(seed: str) -> str:
    return f"`{seed}`" if seed else "(empty)"


# Words.


@pytest.mark.parametrize(("seed", "label", "words"), WORDS)
def test_first_words_of_a_stream(seed: str, label: str, words: str) -> None:
    stream = Stream(seed, label)
    assert " ".join(f"{stream.uint64():016x}" for _ in range(5)) == words
    assert " ".join(f"{word:016x}" for word in islice(documented_words(seed, label), 5)) == words
    assert f"| {shown(seed)} | `{label}` | `{words}` |" in DOC


def test_the_documented_block_is_the_one_of_the_first_row() -> None:
    block = sha256(b"deck/0/2026").hexdigest()
    assert f"`{block}`" in DOC
    assert WORDS[0][2].replace(" ", "").startswith(block)


def test_a_long_stream_follows_the_document() -> None:
    stream = Stream("a seed", "a label")
    assert [stream.uint64() for _ in range(1001)] == list(islice(documented_words("a seed", "a label"), 1001))


def test_two_streams_of_one_seed_and_label_do_not_disturb_each_other() -> None:
    one, other = Stream("2026", "deck"), Stream("2026", "deck")
    one_words = [one.uint64() for _ in range(6)]
    assert [other.uint64() for _ in range(6)] == one_words


def test_streams_of_different_seeds_or_labels_share_no_word() -> None:
    pairs = [
        *((str(seed), "deck") for seed in range(20)),
        *(("2026", f"label{number}") for number in range(20)),
        ("", "deck"),
        ("2026 ", "deck"),
        ("2026/0", "deck"),
        ("0/2026", "deck"),
        ("deck", "2026"),
        ("2026", ""),
    ]
    words = [Stream(seed, label).uint64() for seed, label in pairs]
    words += [word for seed, label in pairs for word in islice(documented_words(seed, label), 1, 40)]
    assert len(set(words)) == len(pairs) * 40


def test_a_label_with_a_slash_is_refused() -> None:
    with pytest.raises(ValueError, match="'deck/1'"):
        Stream("2026", "deck/1")
    with pytest.raises(ValueError, match="'deck/1"):
        derive_seed("2026", "deck/1", 2)


# Below.


@pytest.mark.parametrize(("seed", "label", "bound", "numbers"), BELOW)
def test_numbers_below_a_bound(seed: str, label: str, bound: int, numbers: list[int]) -> None:
    stream, words = Stream(seed, label), documented_words(seed, label)
    assert [stream.below(bound) for _ in numbers] == numbers
    assert [documented_below(words, bound) for _ in numbers] == numbers
    assert f"| {shown(seed)} | `{label}` | {bound} | {', '.join(map(str, numbers))} |" in DOC


@pytest.mark.parametrize("bound", [1, 2, 3, 51, 2**32, 2**63 + 1, 2**64 - 1, 2**64])
def test_a_number_is_never_negative_and_stays_below_its_bound(bound: int) -> None:
    stream = Stream("bounds", "below")
    assert all(0 <= stream.below(bound) < bound for _ in range(200))


@pytest.mark.parametrize("bound", [0, -1, 2**64 + 1])
def test_a_bound_out_of_range_is_refused(bound: int) -> None:
    with pytest.raises(ValueError, match=f"not {bound}"):
        Stream("2026", "deck").below(bound)


@pytest.mark.parametrize(
    ("bound", "limit"),
    [
        (3, 2**64 - 1),  # 2^64 = 3 * 6148914691236517205 + 1
        (10, 2**64 - 6),  # 2^64 ends in 6
        (2**63 + 1, 2**63 + 1),
        (2**64 - 1, 2**64 - 1),
    ],
)
def test_words_past_the_last_whole_multiple_are_rejected(bound: int, limit: int) -> None:
    stream = Scripted(limit, 2**64 - 1, limit - 1, 77)
    assert stream.below(bound) == bound - 1
    assert stream.script == [77]


@pytest.mark.parametrize("bound", [1, 2, 2**32, 2**64])
def test_no_word_is_rejected_if_the_bound_divides_all_words(bound: int) -> None:
    stream = Scripted(2**64 - 1, 77)
    assert stream.below(bound) == bound - 1
    assert stream.script == [77]


def test_nearly_half_of_all_words_are_rejected_for_a_bound_just_above_the_half() -> None:
    bound = 2**63 + 1
    stream, words = Stream("2026", "rejection"), documented_words("2026", "rejection")
    accepted = [word for word in islice(words, 1000) if word < bound]
    assert 400 < len(accepted) < 600
    assert [stream.below(bound) for _ in accepted] == accepted


def test_all_sides_of_a_die_are_equally_likely() -> None:
    stream = Stream("chi-square", "die")
    counts = Counter(stream.below(6) for _ in range(30_000))
    chi_square = sum((counts[side] - 5000) ** 2 / 5000 for side in range(6))
    assert chi_square < 20.5  # 5 degrees of freedom: one seed in a thousand is above


# Shuffle.


@pytest.mark.parametrize(("seed", "label", "order"), SHUFFLES)
def test_ten_items_shuffled(seed: str, label: str, order: list[int]) -> None:
    items = list(range(10))
    Stream(seed, label).shuffle(items)
    assert items == order
    assert documented_shuffle(documented_words(seed, label), list("0123456789")) == list(map(str, order))
    assert f"| {shown(seed)} | `{label}` | {', '.join(map(str, order))} |" in DOC


@pytest.mark.parametrize("length", [0, 1, 2, 3, 10, 51, 500])
def test_a_shuffled_list_is_a_permutation(length: int) -> None:
    items = list(range(length))
    Stream("2026", "permutation").shuffle(items)
    assert sorted(items) == list(range(length))


@pytest.mark.parametrize("items", [[], ["only"]])
def test_no_word_is_used_up_for_a_list_that_has_one_order(items: list[str]) -> None:
    Scripted().shuffle(items)


def test_one_word_is_used_up_for_each_place_but_the_first() -> None:
    stream = Scripted(0, 0, 0, 77)
    items = list("abcd")
    stream.shuffle(items)
    # a goes to the end, and each time what lay at the last free place comes to the front.
    assert items == ["b", "c", "d", "a"]
    assert stream.script == [77]


def test_all_orders_of_four_items_are_equally_likely() -> None:
    stream = Stream("chi-square", "orders")
    counts: Counter[str] = Counter()
    for _ in range(12_000):
        items = list("abcd")
        stream.shuffle(items)
        counts["".join(items)] += 1
    orders = ["".join(order) for order in permutations("abcd")]
    chi_square = sum((counts[order] - 500) ** 2 / 500 for order in orders)
    assert chi_square < 49.7  # 23 degrees of freedom: one seed in a thousand is above


# Derived seeds.


@pytest.mark.parametrize(("seed", "label", "numbers", "derived"), DERIVED_SEEDS)
def test_a_derived_seed(seed: str, label: str, numbers: tuple[int, ...], derived: str) -> None:
    assert derive_seed(seed, label, *numbers) == derived
    assert documented_derive_seed(seed, label, *numbers) == derived
    row = f"| {shown(seed)} | `{label}` | {', '.join(map(str, numbers)) or '–'} | `{derived}` |"
    assert row in DOC


def test_a_derived_seed_keeps_its_leading_zeros() -> None:
    assert all(len(derive_seed("2026", "deal", number)) == 16 for number in range(1000))
    assert any(derive_seed("2026", "deal", number).startswith("00") for number in range(1000))


def test_derived_seeds_differ_by_seed_label_number_and_place() -> None:
    seeds = [derive_seed("2026", "bot", match, seat) for match in range(100) for seat in range(6)]
    seeds += [derive_seed("2026", "deal", deal) for deal in range(600)]
    seeds += [derive_seed("2027", "deal", deal) for deal in range(600)]
    assert len(set(seeds)) == 1800


@pytest.mark.parametrize("deal", [0, 1, 10])
def test_the_match_seed_of_a_deal(deal: int) -> None:
    assert f"| match seed of deal {deal} | `{derive_seed('2026', 'deal', deal)}` |" in DOC


@pytest.mark.parametrize(("match", "seat", "bot_seed"), BOT_SEEDS)
def test_the_bot_seed_of_a_seat(match: int, seat: int, bot_seed: int) -> None:
    assert int(derive_seed("2026", "bot", match, seat), 16) >> 33 == bot_seed
    assert f"| bot seed of match {match}, seat {seat} | {bot_seed} |" in DOC


# The deck of Dragon Stripes.


@pytest.mark.parametrize(("seed", "ruleset", "cards"), TOP_CARDS)
def test_the_top_cards_of_a_deck(seed: str, ruleset: str, cards: str) -> None:
    game = load_game("dragon_stripes")
    assert " ".join(game.deal(2, seed, game.rules(ruleset))["deck"][:10]) == cards
    assert f"| `{seed}` | `{ruleset}` | `{cards}` |" in DOC


@pytest.mark.parametrize("ruleset", list(SORTED_DECKS))
@pytest.mark.parametrize("seed", ["", "0000000000000001", "43546a2a8650913b", "Zürich/1"])
def test_a_deck_is_the_sorted_cards_shuffled_by_the_stream_labelled_deck(seed: str, ruleset: str) -> None:
    game = load_game("dragon_stripes")
    expected = documented_shuffle(documented_words(seed, "deck"), SORTED_DECKS[ruleset])
    assert game.deal(3, seed, game.rules(ruleset)) == {"deck": expected}


def test_the_whole_deck_in_the_document() -> None:
    deck = " ".join(load_game("dragon_stripes").deal(2, "0000000000000001")["deck"])
    assert f"`{deck}`" in DOC.replace("\n", " ")


def test_the_first_card_of_a_deck_is_revealed_first() -> None:
    game = load_game("dragon_stripes")
    state = game.new_initial_state(2, "0000000000000001")
    assert [event["card"] for event in state.events if event["type"] == "reveal"] == ["stop", "1"]
