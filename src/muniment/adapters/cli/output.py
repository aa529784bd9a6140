"""What a person, a script or a pipe gets to see: one answer, three renderings."""

import os
import sys
import unicodedata
from collections.abc import Sequence
from typing import Final, Protocol

import click
import msgspec

from muniment.adapters.rendering.plain_text import plain, visible

ROOM_MIN: Final = 20  # columns: narrower text is worse than a line that is too long
WIDE: Final = frozenset({"W", "F"})
MILLIONTHS: Final = 1_000_000
GAP: Final = "  "  # between two columns
# Our few words for how something looks, in the vocabulary of the terminal library.
STYLES: Final = {
    "": "",
    "quiet": "dim",
    "name": "bold",
    "asked": "bold cyan",
    "good": "green",
    "bad": "red",
    "warn": "yellow",
    "number": "cyan",
}


class StyledText(msgspec.Struct, frozen=True):
    text: str
    style: str = ""


class Say(msgspec.Struct, frozen=True):
    """One line of text, in pieces that may look different."""

    spans: tuple[StyledText, ...]


class TextTable(msgspec.Struct, frozen=True):
    """Rows in aligned columns; the last column takes what is left of the screen."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    styles: tuple[str, ...] = ()
    indent: int = 0
    one_line: bool = False  # on a screen, cut the last column rather than fold it


Block = Say | TextTable


class Screen(Protocol):
    def show(self, blocks: Sequence[Block]) -> None: ...


def say(*pieces: str | tuple[str, str]) -> Say:
    """A line from texts and (text, style) pairs."""
    spans = [StyledText(each) if isinstance(each, str) else StyledText(*each) for each in pieces]
    return Say(tuple(spans))


def pairs(rows: Sequence[tuple[str, object]], *, indent: int = 0) -> TextTable:
    """Names and values, one pair a line."""
    told = tuple((name, str(value)) for name, value in rows)
    return TextTable(head=(), rows=told, styles=("quiet", ""), indent=indent)


def thousandths(ppm: int) -> str:
    """A score or a share, as people read it."""
    return f"{ppm / MILLIONTHS:.3f}"


def moved(before_ppm: int, after_ppm: int) -> str:
    return f"{thousandths(before_ppm)} → {thousandths(after_ppm)}"


def as_json(document: object) -> str:
    """One document, keys in the order we promise; characters as they are."""
    return msgspec.json.format(msgspec.json.encode(document), indent=2).decode()


def as_plain(document: object) -> str:
    return plain(msgspec.to_builtins(document))


def is_terminal(stream: object) -> bool:
    isatty = getattr(stream, "isatty", None)
    return bool(isatty and isatty())


def screen() -> Screen:
    """Colours where somebody looks; aligned text in a pipe, whole and without escapes."""
    if is_terminal(sys.stdout) and os.environ.get("TERM") != "dumb":
        return Coloured()
    return Aligned()


class Aligned:
    """Text for pipes and files: nothing is cut, nothing is coloured."""

    def show(self, blocks: Sequence[Block]) -> None:
        for block in blocks:
            match block:
                case Say():
                    click.echo("".join(visible(span.text) for span in block.spans).rstrip())
                case TextTable():
                    for line in aligned(block):
                        click.echo(line)


class Coloured:
    """A terminal: the library for it is imported here and only here."""

    def __init__(self) -> None:
        from rich.console import Console

        self._console = Console(highlight=False, soft_wrap=False, emoji=False, markup=False)

    def show(self, blocks: Sequence[Block]) -> None:
        for block in blocks:
            match block:
                case Say():
                    self._say(block)
                case TextTable():
                    self._table(block)

    def _say(self, block: Say) -> None:
        from rich.text import Text

        line = Text()
        for span in block.spans:
            line.append(visible(span.text), STYLES[span.style])
        self._console.print(line)

    def _table(self, table: TextTable) -> None:
        rows, widths = laid_out(table)
        styles = [STYLES[style] for style in table.styles] + [""] * len(widths)
        for place, row in enumerate(rows):
            looks = ["dim"] * len(row) if table.head and not place else styles
            self._row(table, list(map(_padded, row, widths)), looks)

    def _row(self, table: TextTable, cells: Sequence[str], styles: Sequence[str]) -> None:
        """Columns keep their places; the last one is cut, or goes on below itself."""
        from rich.text import Text

        line = Text(" " * table.indent)
        for cell, style in zip(cells[:-1], styles, strict=False):
            line.append(cell + GAP, style)
        last = Text(cells[-1].rstrip(), styles[len(cells) - 1])
        if table.one_line:
            self._console.print(line + last, no_wrap=True, overflow="ellipsis")
            return
        room = max(self._console.width - line.cell_len, ROOM_MIN)
        for piece in last.wrap(self._console, room, overflow="fold") or [last]:
            piece.rstrip()
            self._console.print(line + piece, soft_wrap=True)
            line = Text(" " * line.cell_len)


def aligned(table: TextTable) -> list[str]:
    """The table as lines: every column as wide as its widest cell, the last one free."""
    rows, widths = laid_out(table)
    lines = (GAP.join(map(_padded, row, widths)) for row in rows)
    return [f"{' ' * table.indent}{line}".rstrip() for line in lines]


def laid_out(table: TextTable) -> tuple[list[list[str]], list[int]]:
    """The cells as they may be shown, the head first, and how wide each column is."""
    rows = [*([table.head] if table.head else []), *table.rows]
    shown = [[visible(cell) for cell in row] for row in rows]
    columns = max((len(row) for row in shown), default=0)
    return shown, [max(width(row[n]) for row in shown if n < len(row)) for n in range(columns)]


def width(text: str) -> int:
    """How many columns a text takes: wide letters take two, combining marks none."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(letter) else 1 + (unicodedata.east_asian_width(letter) in WIDE)
        for letter in text
    )


def _padded(cell: str, size: int) -> str:
    return cell + " " * (size - width(cell))
