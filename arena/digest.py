"""The fingerprint of what a tournament played: equal for equal files and bots, whatever the machine did."""

from collections.abc import Iterable, Sequence
from hashlib import sha256

from arena.store import StoredMatch
from arena.wire import encode


def digest(entrants: Sequence[str], matches: Iterable[StoredMatch]) -> str:
    """SHA-256, in hex, over a line of JSON for every match in schedule order.

    The line is ``[lineup, seed, actions, scores, ranks, faults]``, the lineup as names by seat, without
    white space, ended by LF.
    """
    total = sha256()
    for match in matches:
        record = match.record
        lineup = [entrants[entrant] for entrant in record.lineup]
        total.update(
            encode([lineup, record.seed, record.actions, record.scores, record.ranks, record.faults]) + b"\n"
        )
    return total.hexdigest()
