"""Framing: one item, one line of data, said by whom and on whose authority."""

from typing import Final

from muniment.model.characters import is_unseen

# Joiners belong to the spelling of living scripts; every other invisible character is spelled out.
JOINERS: Final = frozenset({"\u200c", "\u200d"})
HEADER: Final = "## "
ITEM: Final = "- "


def plain(text: str) -> str:
    """A text as one line of visible characters: it cannot pretend that it is several."""
    if text.isascii() and text.isprintable():
        return " ".join(text.split())
    return " ".join("".join(map(_shown, text)).split())


def _shown(letter: str) -> str:
    if letter.isspace():
        return " "
    hidden = is_unseen(letter) and letter not in JOINERS
    return letter.encode("unicode_escape").decode() if hidden else letter


def line(text: str, *, authority: str, origin: str) -> str:
    """`- [authority/origin] text`: the first bracket of a line is the engine's, always."""
    return f"{ITEM}[{authority}/{origin}] {plain(text)}"


def header(name: str) -> str:
    """The only kind of line that begins with a hash: no item can."""
    return HEADER + plain(name)
