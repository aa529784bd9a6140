"""Small talk: greetings, thanks and acknowledgements, in every language with a table.

Beside a telling neighbour an "ok" resembles every question, and it answers none. A yes or a no is
no courtesy: it may be the answer.
"""

import re
from functools import cache, lru_cache
from typing import Final

from muniment.model.languages.language_table import flat
from muniment.model.languages.tables import LATIN, OTHERS
from muniment.model.lazy_pattern import lazy_pattern
from muniment.retrieval.text import tokenizer

CHARACTERS_MAX: Final = 60  # whoever says more says something
_WORDS = lazy_pattern(r"[^\W_]+[\w\u0900-\u0963]*")


def is_all(text: str) -> bool:
    """Whether a text says nothing else."""
    return len(text) <= CHARACTERS_MAX and _is_all(text)


@lru_cache(maxsize=1 << 11)  # every context asks it of nearly the same texts
def _is_all(text: str) -> bool:
    said = " ".join(_WORDS.findall(flat(text)))
    if said.isascii() and said.partition(" ")[0] not in _begin():
        return False
    return _courteous().fullmatch(said) is not None


def is_none_of(words: frozenset[str]) -> bool:
    """Whether a text in ASCII of these words is none, which most texts are: every hit is asked."""
    return _begin().isdisjoint(words)


@cache
def _phrases(*, of_ascii: bool) -> frozenset[str]:
    return frozenset(
        " ".join(_WORDS.findall(flat(phrase)))
        for language in (*LATIN, *OTHERS)
        for phrase in language.courtesies.split("|")
        if phrase and not (of_ascii and tokenizer.is_far(phrase.split(" ", 1)[0]))
    )


@cache
def _begin() -> frozenset[str]:
    """With which words in ASCII they begin."""
    return frozenset(phrase.split(" ", 1)[0] for phrase in _phrases(of_ascii=True))


@cache
def _courteous() -> re.Pattern[str]:
    # The longest first; a word that only begins like one is none, but where words are not parted.
    longest = sorted(_phrases(of_ascii=False), key=lambda each: (-len(each), each))
    return re.compile(rf"(?:(?:{'|'.join(map(re.escape, longest))})(?: |$|(?<=[^\x00-\u0600])))+")
