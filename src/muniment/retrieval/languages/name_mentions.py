"""Name mentions: whom a text gives a name, and whether a text is about somebody by name."""

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

from muniment.model.languages.relation_words import NAMING, PLAIN_MINE, RelationWords
from muniment.model.languages.tables import LATIN
from muniment.model.lazy_pattern import lazy_pattern
from muniment.retrieval.text import tokenizer

SUBJECT_WORDS: Final = 4  # of a clause, among which it says whom it is about

_CLAUSE = lazy_pattern(r"[.,;:!?\n]")
# A name behind a word for somebody, and behind their title.
_APPOSED = lazy_pattern(
    r"([^\W\d_]+),? (?:(?:Mr|Mrs|Ms|Dr|Prof|Herr|Frau|Señor|Señora|Mme|M)\.? )?([^\W\d_a-z][\w-]+)"
)

_NAME: Final = r"[A-ZÀ-ÖØ-ÞĀ-ŽА-ЯΑ-Ω][^\W\d_]+"
# The names that a text begins with: "Uncle Barnaby died".
_NAMED_FIRST = lazy_pattern(rf"{_NAME}(?: {_NAME})*")


def apposed(text: str) -> Iterator[tuple[str, str]]:
    """Whom a text gives a name behind a word for them: "my landlord Keller"."""
    for word, name in _APPOSED.findall(text):
        giving = word.casefold() in NAMING or tokenizer.is_stop(word.casefold())
        if not giving and not name[0].islower():  # of whatever script: "Олег по профессии"
            yield tokenizer.stem(word.casefold()), tokenizer.stem(name.casefold())


def is_about(text: str, name: str) -> bool:
    """Whether a clause begins with a name, or nearly: "Ruth moved to be near Karl" is Ruth's."""
    clauses = (clause.split()[:SUBJECT_WORDS] for clause in _CLAUSE.split(text))
    return any(name in tokenizer.stems(" ".join(words)) for words in clauses)


def tell_apart_of_one(older: str, newer: str) -> bool:
    """Whether two texts begin with one name, share nothing else, and it is nobody's of the asker.

    "Barnaby died in spring" takes nothing back of "Barnaby taught me to sail", and all of "Barnaby
    is my landlord".
    """
    names = [_NAMED_FIRST.match(text) for text in (older, newer)]
    if not all(names) or is_of_asker(older):
        return False
    said, later = (
        {tokenizer.stem(word) for word in tokenizer.spelled(text) if not tokenizer.is_stop(word)}
        for text in (older, newer)
    )
    first, second = ({*tokenizer.stems(name[0])} for name in names if name)
    return not first.isdisjoint(second) and first | second >= said & later


def is_of_asker(text: str) -> bool:
    """Whether a text speaks of something or somebody as the asker's: "my wife", "our books"."""
    return _mine().search(text) is not None


@cache
def _mine() -> re.Pattern[str]:
    told = [each.relations for each in LATIN if isinstance(each.relations, RelationWords)]
    mine = "|".join(row for each in told for row in (each.my, each.my_behind) if row)
    return re.compile(rf"(?<!\w)(?i:{mine})(?!\w)|{PLAIN_MINE}")
