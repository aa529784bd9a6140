"""Echo detection: lines of a text that memory itself returned before.

A line in the format of a context, and every line of a `<memory>` block, is an echo whoever sends
it. Any other line is an echo if a receipt contains exactly these words and the line is quoted,
stands in a list, or comes from somebody other than the person. A person who repeats a known
sentence is not an echo.
"""

import re
from collections.abc import Callable
from typing import Final

import msgspec

from muniment.model.kinds.conversation_item import Kind
from muniment.model.kinds.episode import Authority, Origin
from muniment.model.lazy_pattern import lazy_pattern
from muniment.model.text.fingerprints import fingerprint
from muniment.model.text.tokens import tokens

Known = Callable[[bytes], str | None]  # by the fingerprint of a line, the receipt that gave it out
WORDS_MIN: Final = 3  # "yes" is nobody's line; of a script without spaces count the letters
LETTERS_MIN: Final = 6
BLOCK: Final = lazy_pattern(r"<memory(?:\s[^<>]*)?>(.*?)</memory\s*>", re.IGNORECASE | re.DOTALL)
_MARKS: Final = lazy_pattern(r"\s*(?:(?:[-*•+>|]|\d{1,3}[.)])\s+|>)+")
_OPENING: Final = "\"'\u201c\u2018\u201e\u00ab\u300c"
_CLOSING: Final = "\"'\u201d\u201c\u2019\u00bb\u300d"
_QUOTED: Final = lazy_pattern(rf"\s*[{_OPENING}](.+)[{_CLOSING}][.,;]?\s*")
_AUTHORITIES: Final = "|".join(Authority)
_ORIGINS: Final = "|".join((*Origin, "ai", "engine", r"[a-z_]+"))
_KINDS: Final = "|".join(Kind)
_FRAME: Final = lazy_pattern(
    rf"\s*\[(?:(?P<told>(?:{_AUTHORITIES})/(?:{_ORIGINS})(?: [^\]\[]*|,[^\]\[]*)?)|{_KINDS})\]\s+"
)
# A frame begins a line wherever it stands: "Yes: - [user_asserted/user …] I live in Porto".
_FOLDED: Final = lazy_pattern(
    r"(?<=[^\s*•+>|-])(?<!\d[.)])[ \t]+"
    rf"(?=(?:[-*•] )?\[(?:{_AUTHORITIES})/(?:{_ORIGINS})[^\]\[]*\] )"
)
_HEADER: Final = lazy_pattern(r"\s*##? \w[\w -]*\s*")
_PREFIX: Final = lazy_pattern(r"\s*[\w -]{1,40}:\s+")


class Heard(msgspec.Struct, frozen=True, kw_only=True):
    """A text without what memory gave out: what is left, how many lines went, of which receipt."""

    text: str
    lines: int = 0
    receipt: str = ""  # empty where it is nobody's that is known by now

    @property
    def is_echo(self) -> bool:
        """Whether nothing is left."""
        return bool(self.lines) and not self.text.strip()


def heard(text: str, known: Known, *, own: bool) -> Heard:
    """What a speaker says of their own; `own`: a person speaks, who may say a thing twice."""
    if own and _is_plain(text):
        return Heard(text=text)
    bare, blocks = _without_blocks(text, known)
    lines = _FOLDED.sub("\n", bare).splitlines()
    found = [_receipt(line, known, own=own) for line in lines]
    if own and sum(bool(line.strip()) for line in lines) > 1:
        pasted = [_receipt(line, known, own=False) for line in lines]
        missing = (line for line, its in zip(lines, pasted, strict=True) if its is None)
        found = found if any(line.strip() for line in missing) else pasted
    taken = [each for each in found if each is not None]
    if not taken and not blocks:
        whole = None if own else _known(text, known)
        return Heard(text=text) if whole is None else Heard(text="", lines=1, receipt=whole)
    kept = [
        line
        for line, receipt in zip(lines, found, strict=True)
        if receipt is None and not (taken and _HEADER.fullmatch(line))
    ]
    receipts = [each for each in (*taken, *blocks) if each]
    return Heard(
        text="\n".join(kept).strip(),
        lines=len(taken) + len(blocks),
        receipt=receipts[0] if receipts else "",
    )


def _is_plain(text: str) -> bool:
    """Whether a text is one line without a frame, a block, a mark before it or a quote around it.

    Most of what a person says is. That is theirs, whoever may have said it before.
    """
    return text[:1].isalpha() and text.isprintable() and "[" not in text and "<" not in text


def _without_blocks(text: str, known: Known) -> tuple[str, list[str]]:
    """A text without its `<memory>` blocks, and the receipt of each of their lines."""
    if "<" not in text:
        return text, []
    inside = [line for block in BLOCK.findall(text) for line in block.splitlines() if line.strip()]
    return BLOCK.sub("", text), [_receipt(line, known, own=False) or "" for line in inside]


def _receipt(line: str, known: Known, *, own: bool) -> str | None:
    """The receipt that gave out a line; empty where that is not known, None for anybody's words."""
    said = _behind(_MARKS, line)
    framed = _FRAME.match(said)
    if framed:
        words = said[framed.end() :]
        found = _known(words, known) or _known(_behind(_PREFIX, words), known)
        return found or ("" if framed["told"] else None)
    quoted = _QUOTED.fullmatch(said)
    words = quoted[1] if quoted else said
    if own and words == line:
        return None
    found = _known(words, known)
    return found if found is not None else _known(_behind(_PREFIX, words), known)


def _behind(opening: re.Pattern[str], text: str) -> str:
    """What follows an opening, where a text has it."""
    found = opening.match(text)
    return text[found.end() :] if found else text


def _known(text: str, known: Known) -> str | None:
    """The receipt of these very words, if there are enough of them to be somebody's."""
    enough = len(tokens(text)) >= WORDS_MIN or (not text.isascii() and len(text) >= LETTERS_MIN)
    return known(fingerprint(text)) if enough else None
