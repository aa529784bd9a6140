"""Line rendering: one item as one line of a context, with its authority and origin."""

from typing import Final

from muniment.model.unicode14 import is_unseen

# Joiners belong to the spelling of living scripts; every other invisible character is spelled out.
JOINERS: Final = frozenset({"\u200c", "\u200d"})
LINE_END: Final = " \u23ce "
HEADER: Final = "## "
ITEM: Final = "- "
INDENT_MAX: Final = 40  # columns: whatever stands further in is no code
TAB: Final = "    "


def plain(text: str) -> str:
    """A text as one line of visible characters: it cannot pretend that it is several.

    Where a line ended stands a sign, for lists, code and summaries mean something by their lines,
    and by how far each of these stands in.
    """
    if text.isascii() and text.isprintable():
        return " ".join(text.split())
    lines = [line for line in text.splitlines() if line and not line.isspace()]
    return LINE_END.join(map(_line, lines)).strip()


def _line(line: str) -> str:
    words = line.lstrip()
    indent = line[: len(line) - len(words)].replace("\t", TAB)
    return " " * min(len(indent), INDENT_MAX) + " ".join(words.translate(_SHOWN).split())


class _ShownAs(dict[int, str]):
    """How each character is shown: it is asked of every one of every line, and made once."""

    def __missing__(self, code: int) -> str:
        letter = chr(code)
        hidden = is_unseen(letter) and letter not in JOINERS
        shown = letter.encode("unicode_escape").decode() if hidden else letter
        self[code] = " " if letter.isspace() else shown
        return self[code]


_SHOWN: Final = _ShownAs()


def line(text: str, *, authority: str, origin: str, day: str = "", mark: str = "") -> str:
    """`- [authority/origin day, mark] text`: the first bracket of a line is the engine's, always.

    The day is the one it was told on: "last week" means nothing without it, and of two texts that
    disagree it says which is the newer.
    """
    told = f"{authority}/{origin} {day}" if day else f"{authority}/{origin}"
    told = f"{told}, {mark}" if mark else told
    return f"{ITEM}[{plain(told)}] {plain(text)}"


def words(line: str) -> str:
    """What an item's line says, without its frame, in lines as it was told."""
    return line.partition("] ")[2].replace(LINE_END, "\n")


def header(name: str) -> str:
    """The only kind of line that begins with a hash: no item can."""
    return HEADER + plain(name)
