"""Framing: one item, one line of data, said by whom and on whose authority."""

from typing import Final

from muniment.model.characters import is_unseen

# Joiners belong to the spelling of living scripts; every other invisible character is spelled out.
JOINERS: Final = frozenset({"\u200c", "\u200d"})
LINE_END: Final = " \u23ce "
HEADER: Final = "## "
ITEM: Final = "- "


def plain(text: str) -> str:
    """A text as one line of visible characters: it cannot pretend that it is several.

    Where a line ended stands a sign, for lists, code and summaries mean something by their lines.
    """
    if text.isascii() and text.isprintable():
        return " ".join(text.split())
    lines = (" ".join("".join(map(_shown, line)).split()) for line in text.splitlines())
    return LINE_END.join(line for line in lines if line)


def _shown(letter: str) -> str:
    if letter.isspace():
        return " "
    hidden = is_unseen(letter) and letter not in JOINERS
    return letter.encode("unicode_escape").decode() if hidden else letter


def line(text: str, *, authority: str, origin: str, day: str = "") -> str:
    """`- [authority/origin day] text`: the first bracket of a line is the engine's, always.

    The day is the one it was told on: "last week" means nothing without it, and of two texts that
    disagree it says which is the newer.
    """
    told = f"{authority}/{origin} {day}" if day else f"{authority}/{origin}"
    return f"{ITEM}[{plain(told)}] {plain(text)}"


def header(name: str) -> str:
    """The only kind of line that begins with a hash: no item can."""
    return HEADER + plain(name)
