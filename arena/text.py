"""Strangers' text on its way to a terminal."""


def printable(text: str) -> str:
    r"""Text with control characters, which a terminal would obey, written as ``\x1b``; white space stays."""
    return "".join(
        character if character.isprintable() or character in "\n\t\u00a0" else ascii(character)[1:-1]
        for character in text
    )
