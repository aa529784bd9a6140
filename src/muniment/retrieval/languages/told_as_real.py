"""Told as real: which parts of a sentence say what is so, and which what nearly was or was dreamt.

"I almost moved to Rome", "I dreamt that I live in Rome", "In the novel I live in Rome", "I wish I
lived in Rome": nobody lives there. "I live in Rome, said the guide" is of the guide. What relates
people, what tells a state, what ends something and what is newer than other words ask here first.
"""

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Final

import msgspec

from muniment.model.languages.phrases.unreal_rows import UnrealWords
from muniment.model.languages.phrases.unreal_words import UNREAL_WORDS
from muniment.model.languages.tables import LATIN, OTHERS
from muniment.model.languages.word_pattern import WordPattern, possible
from muniment.model.text.sentences import sentences
from muniment.retrieval.text import tokenizer

LETTERS_MAX: Final = 400  # of a text: who says more tells a story, and all of it counts
LEFT_MAX: Final = 2  # telling words beside what is unreal, which say nothing by themselves
RECENT: Final = 64
QUOTED: Final = "quoted"
GAP: Final = "|"  # no letter, and no mark of a sentence
_LINES: Final = r"[,;:\uff0c\u3001\uff1b\uff1a\u060c.!?\n\u3002\uff01\uff1f]|\s[\u2013\u2014-]\s"

Span = tuple[int, int]


class _Unreal(msgspec.Struct, frozen=True):
    """What of a sentence is not told as real, and whether somebody else says it."""

    spans: tuple[Span, ...]
    is_quoted: bool


class _Joints(msgspec.Struct, frozen=True):
    """Where a sentence of one language turns, and where another clause begins in it."""

    turns: str
    clauses: str


class _UnrealRow(msgspec.Struct, frozen=True):
    """One row of a language, and what it says of the words around it."""

    kind: str
    pattern: WordPattern
    joints: _Joints


def real_part(sentence: str) -> str:
    """A sentence with marks in the place of what it does not tell as real."""
    for start, end in unreal_spans(sentence):
        sentence = f"{sentence[:start]}{GAP * (end - start)}{sentence[end:]}"
    return sentence


def is_real(sentence: str, start: int, end: int) -> bool:
    """Whether what stands there is told as real."""
    return not any(first < end and start < last for first, last in unreal_spans(sentence))


def is_unreal(text: str) -> bool:
    """Whether a text says nothing beside what it does not tell as real."""
    if len(text) > LETTERS_MAX:
        return False
    told = sentences(text)
    if not any(map(unreal_spans, told)):
        return False
    words = (word for each in told for word in tokenizer.spelled(real_part(each)))
    return len([word for word in words if not tokenizer.is_stop(word)]) <= LEFT_MAX


def is_quoted(sentence: str) -> bool:
    """Whether somebody else says it: their "I" is not the speaker's."""
    read = _read(sentence)
    return read is not None and read.is_quoted


def unreal_spans(sentence: str) -> tuple[Span, ...]:
    """Where a sentence tells what was not so, in its order."""
    read = _read(sentence)
    return read.spans if read else ()


@lru_cache(maxsize=RECENT)
def _read(sentence: str) -> "_Unreal | None":
    """What is not real in a sentence; nothing, where all of it is."""
    found: set[Span] = set()
    is_quoted = False
    for row in _rows_for(sentence):
        if row.kind == QUOTED:
            is_quoted = is_quoted or row.pattern.search(sentence) is not None
        else:
            found.update(_spans(row, sentence))
    return _Unreal(tuple(sorted(found)), is_quoted) if found or is_quoted else None


def _rows_for(sentence: str) -> Iterator[_UnrealRow]:
    """The rows of every language that a sentence may be in; most have none of their words."""
    latin, others = _every()
    rows = [*latin]
    if not sentence.isascii():
        rows += [row for letters, its in others if _joint(letters).search(sentence) for row in its]
    found = set(map(id, possible([row.pattern for row in rows], sentence)))
    return (row for row in rows if id(row.pattern) in found)


def _spans(row: _UnrealRow, sentence: str) -> Iterator[Span]:
    joints = row.joints
    for match in row.pattern.finditer(sentence):
        start, end = match.span()
        if row.kind == "undone":
            yield start, end
        elif row.kind == "behind":
            yield _after_turn(joints, sentence, start), end
        elif row.kind == "forward" or (
            row.kind == "around" and _begins(joints, sentence, start, end)
        ):
            yield start, _turn(joints, sentence, end)
        else:
            yield _clause(joints, sentence, start, end)


def _begins(joints: _Joints, sentence: str, start: int, end: int) -> bool:
    """Whether it stands first in its clause, and something is told behind it."""
    first = _clause(joints, sentence, start, end)[0]
    rest = sentence[end : _turn(joints, sentence, end)]
    return not _has_words(sentence[first:start]) and _has_words(rest)


def _has_words(text: str) -> bool:
    return any(word for word in tokenizer.spelled(text) if not tokenizer.is_stop(word))


def _turn(joints: _Joints, sentence: str, start: int) -> int:
    found = _joint(joints.turns).search(sentence, start)
    return found.start() if found else len(sentence)


def _after_turn(joints: _Joints, sentence: str, end: int) -> int:
    return max((each.end() for each in _joint(joints.turns).finditer(sentence, 0, end)), default=0)


def _clause(joints: _Joints, sentence: str, start: int, end: int) -> Span:
    """The clause around a place."""
    joint = _joint(joints.clauses)
    first = max((each.end() for each in joint.finditer(sentence, 0, start)), default=0)
    last = joint.search(sentence, end)
    return first, last.start() if last else len(sentence)


@cache
def _joint(row: str) -> re.Pattern[str]:
    return re.compile(row or "(?!)", re.IGNORECASE)


@cache
def _every() -> tuple[tuple[_UnrealRow, ...], tuple[tuple[str, tuple[_UnrealRow, ...]], ...]]:
    """The rows of Latin letters, and those of each other script with its letters."""
    latin = tuple(row for each in LATIN for row in _rows(UNREAL_WORDS[each.name]))
    others = ((each.letters, tuple(_rows(UNREAL_WORDS[each.name]))) for each in OTHERS)
    return latin, tuple(others)


def _rows(its: UnrealWords) -> Iterator[_UnrealRow]:
    joints = _Joints(its.turns, "|".join(filter(None, (_LINES, its.turns, its.breaks))))
    for kind in ("near", "forward", "around", "behind", "undone", QUOTED):
        if row := getattr(its, kind):
            yield _UnrealRow(kind, WordPattern(row), joints)
