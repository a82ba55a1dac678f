"""What a bot may use, as a tournament sets it and `hello` tells it."""

from typing import Annotated, Final, Literal

import msgspec

NS_PER_MS: Final = 1_000_000

Milliseconds = Annotated[int, msgspec.Meta(ge=0, le=86_400_000)]


class Limits(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The clock and the sizes; times in milliseconds."""

    startup_ms: Annotated[int, msgspec.Meta(ge=1, le=86_400_000)] = 5_000
    """From the start of the process until its `ready`."""
    move_ms: Milliseconds = 1_000
    """For each decision."""
    bank_ms: Milliseconds = 10_000
    """For what decisions use beyond ``move_ms``, over a whole match."""
    clock: Literal["wall", "cpu"] = "wall"
    """What a decision is charged: the time that passes, or the CPU time of the bot and all it started."""
    line_bytes: Annotated[int, msgspec.Meta(ge=256, le=16_777_216)] = 65_536
    """The longest line a bot may write, its LF not counted."""
