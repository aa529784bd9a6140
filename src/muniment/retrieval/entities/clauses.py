"""Clauses: the statements that one sentence joins, each with whether it can stand by itself.

"I'm Ruth, I live in Ghent and work as a baker" joins three. The first two name who speaks; the
third has its subject from the clause before it, and says nothing without it. What only lists or
adds ("two kids, Ada and Ben") belongs to the clause that it follows.
"""

import re
from collections.abc import Callable, Sequence
from functools import cache
from typing import Final, NamedTuple

from muniment.model.languages.language_table import Language, flat
from muniment.model.text.tokens import tokens
from muniment.retrieval.languages.detect_language import detect_languages, possible_languages

WORDS_MIN: Final = 2  # of what a clause says beside "and", that is more than one more of a list
BEGINS_MAX: Final = 2  # letters before whoever speaks, in a clause that begins with them
# Of the words that join, those behind which a statement goes on.
AND: Final = frozenset(
    word for row in ("and but und aber et y e ed", "pero en и και") for word in row.split()
)
_COMMA: Final = "[,;\uff0c\u3001\uff1b\u060c]"


class Clause(NamedTuple):
    """A part of a sentence, and whether it names whoever speaks."""

    text: str
    stands: bool


def clauses(sentence: str) -> list[Clause]:
    """The clauses of a sentence, in order; signs and joining words between them are of none."""
    languages = [*possible_languages(sentence, detect_languages(sentence))]
    found = [Clause(sentence, stands=True)]
    for language in languages:
        parted = _parted(language, sentence)
        found = max(found, parted, key=len)
    return found


def without(sentence: str, is_over: Callable[[str], bool]) -> list[str]:
    """What stays of a sentence without the clauses that are over, word for word.

    Nothing, if all of it is over; the whole, if what stays would lack its subject.
    """
    parts = clauses(sentence)
    over = [is_over(each.text) for each in parts]
    if all(over) or not any(over):
        return []
    after_gap = [
        place for place in range(len(parts)) if not over[place] and over[place - 1] and place
    ]
    if not all(parts[place].stands for place in after_gap):
        return [sentence]
    return _runs(sentence, parts, over)


def _runs(sentence: str, parts: list[Clause], over: list[bool]) -> list[str]:
    """What stands between the parts that are over, with all that is between its own."""
    runs: list[str] = []
    start, end, open_run = 0, 0, False
    for part, is_over in zip(parts, over, strict=True):
        begins = sentence.index(part.text, end)
        end = begins + len(part.text)
        if is_over:
            open_run = False
            continue
        if open_run:
            runs[-1] = sentence[start:end]
        else:
            start, open_run = begins, True
            runs.append(part.text)
    return runs


def _parted(language: Language, sentence: str) -> list[Clause]:
    found: list[Clause] = []
    start = 0
    for gap in _gaps(language.name, language.joins).finditer(sentence):
        behind = sentence[gap.end() :]
        names_speaker = _names_speaker(language, behind)
        if not (names_speaker or (gap["and"] and _says_more(gap, sentence))):
            continue
        found.append(Clause(part := sentence[start : gap.start()], _stands(language, part, found)))
        start = gap.end()
    part = sentence[start:]
    return [*found, Clause(part, _stands(language, part, found))]


def _stands(language: Language, clause: str, before: Sequence[Clause]) -> bool:
    return not before or _names_speaker(language, clause)


def _names_speaker(language: Language, clause: str) -> bool:
    """Whether a clause begins with whoever speaks; "u menja" has them behind one letter."""
    found = language.first_person.search(flat(clause))
    return found is not None and found.start() <= BEGINS_MAX


def _says_more(gap: re.Match[str], sentence: str) -> bool:
    """Whether what is joined has words enough for a statement, up to the next comma."""
    rest = re.split(_COMMA, sentence[gap.end() :], maxsplit=1)[0]
    return rest[:1].islower() and len(tokens(rest)) >= WORDS_MIN


@cache
def _gaps(name: str, joins: str) -> re.Pattern[str]:
    words = "|".join(word for word in joins.split("|") if word in AND)
    joined = rf"(?:{_COMMA}\s*|\s+)(?P<and>{words})\s+" if words else r"(?P<and>(?!))"
    return re.compile(rf"{joined}|{_COMMA}\s*", re.IGNORECASE)
