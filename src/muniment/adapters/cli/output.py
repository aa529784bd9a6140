"""Output: one answer in three formats, for people, scripts and pipes."""

import os
import sys
from collections.abc import Sequence
from typing import Final, Protocol

import click
import msgspec

from muniment.adapters.cli.word_wrap import cut, width, wrapped
from muniment.adapters.rendering.plain_text import plain, visible

ROOM_MIN: Final = 20  # columns: narrower text is worse than a line that is too long
MILLIONTHS: Final = 1_000_000
GAP: Final = "  "  # between two columns
# Our few words for how something looks, as numbers of ANSI escape sequences.
STYLES: Final = {
    "": "",
    "quiet": "2",
    "name": "1",
    "asked": "1;36",
    "good": "32",
    "bad": "31",
    "warn": "33",
    "number": "36",
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
    """A terminal: colours, and lines that break between words."""

    def __init__(self) -> None:
        self._columns = columns()
        self._plain = bool(os.environ.get("NO_COLOR"))

    def show(self, blocks: Sequence[Block]) -> None:
        for block in blocks:
            match block:
                case Say():
                    self._say([StyledText(visible(each.text), each.style) for each in block.spans])
                case TextTable():
                    self._table(block)

    def _say(self, spans: Sequence[StyledText]) -> None:
        for start, end in wrapped("".join(span.text for span in spans), self._columns):
            click.echo(self._painted(_between(spans, start, end)))

    def _table(self, table: TextTable) -> None:
        rows, widths = laid_out(table)
        styles = [*table.styles, *[""] * len(widths)]
        taken = table.indent + sum(each + len(GAP) for each in widths[:-1])
        if len(widths) > 1 and taken + min(widths[-1], ROOM_MIN) > self._columns:
            for row in rows[1 if table.head else 0 :]:
                self._stacked(table, row, styles)
            return
        for place, row in enumerate(rows):
            looks = ["quiet"] * len(row) if table.head and not place else styles
            self._row(table, list(map(_padded, row, widths)), looks)

    def _row(self, table: TextTable, cells: Sequence[str], styles: Sequence[str]) -> None:
        """Columns keep their places; the last one is cut, or goes on below itself."""
        before = [StyledText(" " * table.indent)]
        before += map(StyledText, [cell + GAP for cell in cells[:-1]], styles)
        taken = sum(width(span.text) for span in before)
        room = max(self._columns - taken, ROOM_MIN)
        last, style = cells[-1].rstrip(), styles[len(cells) - 1]
        if table.one_line:
            click.echo(self._painted([*before, StyledText(cut(last, room), style)]))
            return
        for start, end in wrapped(last, room):
            click.echo(self._painted([*before, StyledText(last[start:end], style)]))
            before = [StyledText(" " * taken)]

    def _stacked(self, table: TextTable, cells: Sequence[str], styles: Sequence[str]) -> None:
        """On a narrow screen: cells side by side as they fit, the last one below them.

        A cell is never cut, nor broken within a word: an id can be copied whole.
        """
        line: list[StyledText] = []
        for cell, style in zip(cells[:-1], styles, strict=False):
            taken = sum(width(span.text) for span in line)
            if line and taken + len(GAP) + width(cell) > self._columns:
                click.echo(self._painted(line))
                line = []
            line.append(StyledText(GAP + cell if line else cell, style))
        click.echo(self._painted(line))
        indent = " " * (table.indent + len(GAP))
        last, style = cells[-1], styles[len(cells) - 1]
        for start, end in wrapped(last, max(self._columns - len(indent), 1)):
            click.echo(self._painted([StyledText(indent), StyledText(last[start:end], style)]))

    def _painted(self, spans: Sequence[StyledText]) -> str:
        line = "".join(span.text for span in spans)
        if self._plain or not line.strip():
            return line.rstrip()
        return "".join(painted(span.text, span.style) for span in spans)


def columns() -> int:
    """How wide the screen is."""
    import shutil  # late, for it loads every way to compress

    return shutil.get_terminal_size().columns


def painted(text: str, style: str) -> str:
    """A text between the signs that begin and end its look."""
    return f"\x1b[{STYLES[style]}m{text}\x1b[0m" if STYLES[style] and text else text


def _between(spans: Sequence[StyledText], start: int, end: int) -> list[StyledText]:
    """The pieces of a line, each as it looks."""
    found, at = [], 0
    for span in spans:
        piece = span.text[max(start - at, 0) : max(end - at, 0)]
        found.append(StyledText(piece, span.style))
        at += len(span.text)
    return found


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


def _padded(cell: str, size: int) -> str:
    return cell + " " * (size - width(cell))
