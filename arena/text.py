"""Strangers' text on its way to a terminal."""


def printable(text: str) -> str:
    r"""Text with control characters, which a terminal would obey, written as ``\x1b``; line ends stay."""
    return "".join(
        character if character.isprintable() or character in "\n\t" else ascii(character)[1:-1]
        for character in text
    )
