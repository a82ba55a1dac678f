"""Chance from seeds: uint64s of SHA-256, the same in every language; ``docs/chance.md`` defines it.

Block ``i`` of the stream (seed, label) is SHA-256 of the UTF-8 text ``label/i/seed``; it gives four
uint64s, most significant byte first. Labels hold no ``/``, so that no two streams share a block.
"""

from collections.abc import MutableSequence
from hashlib import sha256
from struct import Struct
from typing import Any, Final

_FOUR_UINT64: Final = Struct(">4Q")
_RANGE: Final = 1 << 64


class Stream:
    """An endless sequence of uint64s that depends on nothing but its seed and its label.

    >>> Stream("2026", "deck").below(6)
    0
    """

    __slots__ = ("_block", "_prefix", "_seed", "_words")

    def __init__(self, seed: str, label: str) -> None:
        if "/" in label:
            raise ValueError(f"the label of a stream holds no '/': {label!r}")
        self._prefix = f"{label}/".encode()
        self._seed = f"/{seed}".encode()
        self._block = 0
        self._words: list[int] = []

    def uint64(self) -> int:
        """The next word, 0 … 2^64 − 1."""
        if not self._words:
            digest = sha256(self._prefix + str(self._block).encode() + self._seed).digest()
            self._words.extend(reversed(_FOUR_UINT64.unpack(digest)))
            self._block += 1
        return self._words.pop()

    def below(self, bound: int) -> int:
        """A number 0 … bound − 1, all equally likely; words past the last whole multiple are rejected."""
        if not 1 <= bound <= _RANGE:
            raise ValueError(f"a bound is from 1 to 2^64, not {bound}")
        limit = _RANGE - _RANGE % bound
        while (word := self.uint64()) >= limit:
            pass
        return word % bound

    def shuffle(self, items: MutableSequence[Any]) -> None:
        """Fisher–Yates in place, from the last item down to the second."""
        for last in range(len(items) - 1, 0, -1):
            other = self.below(last + 1)
            items[last], items[other] = items[other], items[last]


def derive_seed(seed: str, label: str, *numbers: int) -> str:
    """Sixteen hex digits that follow from a seed, a label and numbers, and reveal none of them.

    >>> derive_seed("2026", "deal", 0)
    '43546a2a8650913b'
    """
    return f"{Stream(seed, '.'.join((label, *map(str, numbers)))).uint64():016x}"
