"""Plain text: any JSON-like value as lines of `key: value`."""

import unicodedata
from collections.abc import Iterator
from typing import Final

SEPARATOR: Final = ": "
ROOT: Final = "value"  # the key of a value that has none
COUNT: Final = "count"
NAMED: Final = {"\r": r"\r", "\n": r"\n", "\t": r"\t"}
# Control, format (zero-width and bidi), surrogate and line-separator characters: they would break
# a line in two, steer a terminal or hide. Letters joined by a format character stay readable.
UNSEEN: Final = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
JOINERS: Final = frozenset({"\u200c", "\u200d"})  # part of Persian and Indic words, and of emoji
TWO_DIGITS: Final = 0xFF
FOUR_DIGITS: Final = 0xFFFF


def plain(value: object) -> str:
    """The whole view, each line ended; an empty object prints nothing."""
    return "".join(f"{line}\n" for line in lines(value))


def lines(value: object) -> list[str]:
    """One line for each scalar: nested keys joined by dots, keys sorted, lists counted from 1."""
    return [f"{key or ROOT}{SEPARATOR}{text}" for key, text in _leaves(value, "")]


def visible(text: str) -> str:
    """The text on one line: what cannot be seen, or would steer a terminal, is spelled out."""
    if text.isprintable():
        return text
    return "".join(_spelled(letter) for letter in text)


def scalar(value: object) -> str:
    """The spelling of one scalar; text is text, without quotes."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case str():
            return visible(value)
        case int() | float():
            return repr(value)
        case _:
            raise TypeError(f"{type(value).__name__} has no Plain form")


def _leaves(value: object, prefix: str) -> Iterator[tuple[str, str]]:
    match value:
        case dict():
            for key in sorted(value, key=str):
                yield from _leaves(value[key], _joined(prefix, _key(str(key))))
        case list() | tuple():
            yield _joined(prefix, COUNT), str(len(value))
            for place, inner in enumerate(value, start=1):
                yield from _leaves(inner, _joined(prefix, str(place)))
        case _:
            yield prefix, scalar(value)


def _joined(prefix: str, key: str) -> str:
    return f"{prefix}.{key}" if prefix else key


def _key(text: str) -> str:
    """A key must not be able to look like a key and its value; an empty one must be seen."""
    return visible(text).replace(SEPARATOR, r":\x20") or '""'


def _spelled(letter: str) -> str:
    if letter in NAMED:
        return NAMED[letter]
    if unicodedata.category(letter) not in UNSEEN or letter in JOINERS:
        return letter
    code = ord(letter)
    if code <= TWO_DIGITS:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= FOUR_DIGITS else f"\\U{code:08x}"
