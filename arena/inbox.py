"""What a bot has printed and nobody has taken yet, cut into lines of bounded length."""

from typing import Final

from arena.faults import TOO_LONG, BotFault

_BLANK: Final = b" \t\r"
_BLANK_OR_LF: Final = b" \t\r\n"


class Inbox:
    """The bytes of a bot's stdout; blank lines in it count for nothing."""

    def __init__(self, line_bytes: int) -> None:
        self.held = bytearray()
        self._line_bytes = line_bytes

    def take_line(self) -> bytes | None:
        """The first complete line that is not blank, or None; raises BotFault(too_long)."""
        held = self.held
        while (end := held.find(b"\n")) >= 0:
            line = bytes(held[:end])
            if end > self._line_bytes:
                raise BotFault(TOO_LONG, f"a line of over {self._line_bytes} bytes", line)
            del held[: end + 1]
            if line.strip(_BLANK):
                return line
        if self.is_overlong():
            raise BotFault(TOO_LONG, f"a line of over {self._line_bytes} bytes", bytes(held))
        return None

    def has_line(self) -> bool:
        """Whether a complete line is there that is not blank, of whatever length."""
        return self.held.lstrip(_BLANK_OR_LF).find(b"\n") >= 0

    def is_overlong(self) -> bool:
        """Whether its first line is too long, complete or not."""
        return self.is_full() and self.held.find(b"\n", 0, self._line_bytes + 1) < 0

    def is_full(self) -> bool:
        """Whether it holds more than a line may."""
        return len(self.held) > self._line_bytes

    def is_blank(self) -> bool:
        """Whether there is nothing in it but white space."""
        return not self.held.strip(_BLANK_OR_LF)
