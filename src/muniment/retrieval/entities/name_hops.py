"""Name hops: from the best answers on to what else is told of those whom they name.

"What does the boss of my brother collect?" shares no word with "Ottoline Marsh collects clocks".
What shares them gives the name: "My brother Henrik's boss is Ottoline Marsh". No relation needs to
be known for that, and no model.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Final

from muniment.model.languages import vocabulary
from muniment.model.languages.relation_words import NAMING, NO_NAME, RelationWords
from muniment.model.languages.tables import LATIN
from muniment.model.lazy_pattern import lazy_pattern
from muniment.model.text.near_duplicates import DATE_WORDS
from muniment.retrieval import arrays as np
from muniment.retrieval.index.collection import Collection
from muniment.retrieval.languages import name_mentions
from muniment.retrieval.ranking.query import Query
from muniment.retrieval.text import tokenizer

SOURCES: Final = 4  # best answers whose names are followed
STEPS: Final = 2
NAMES_MAX: Final = 16  # the rarest of those that are named at one step
LED_MAX: Final = 4  # texts that one name leads to
HELD_MAX: Final = 64  # texts with a name, beyond which it says too little
_WORD = lazy_pattern(r"[^\W\d_][\w'\u2019-]*")

Texts = Callable[["np.NDArray[np.int64]"], Sequence[str | None]]


def led_by_names(
    collection: Collection, asked: Query, best: np.NDArray[np.int64], texts: Texts
) -> list[tuple[int, int]]:
    """What names of the best answers lead to, each behind the text that it is led to by."""
    if not chains(asked) or not len(best):
        return []
    led: list[tuple[int, int]] = []
    sources = np.sort(best[:SOURCES])
    reached = set(sources.tolist())
    followed = set(asked.words)
    for _ in range(STEPS):
        said = zip(sources.tolist(), texts(sources), strict=True)
        names = {source: names_in(text or "") - followed for source, text in said}
        found = _holding(collection, names)
        led += [(number, source) for number, source in found.items() if number not in reached]
        followed.update(*names.values())
        sources = np.array(sorted(found.keys() - reached), np.int64)
        reached |= found.keys()
        if not len(sources):
            break
    return led


def chains(asked: Query) -> bool:
    """Whether a question goes through somebody or something of the asker's: "my wife's employer".

    What a question gathers is told by whoever it is of, what speakers are asked about by them, and
    what the asker did ("Where did I buy my bike?") by the text that shares its words.
    """
    if asked.who or asked.of_all or asked.gathers or asked.of_advice:
        return False
    return name_mentions.is_of_asker(asked.text) and not _myself().search(asked.text)


def names_in(text: str) -> set[str]:
    """Stems of what a text names: words with a capital inside it, and what it says is called so."""
    found: set[str] = set()
    before = ""
    for match in _WORD.finditer(text):
        word = match[0].removesuffix("'s").removesuffix("\u2019s")
        is_capital = not (word[0].islower() or _begins(text, match.start()))
        named = is_capital or before.casefold() in NAMING
        if named and word not in NO_NAME and word.casefold() not in _everyday():
            found.update(map(tokenizer.stem, tokenizer.spelled(word)))
        before = word
    return found


def _begins(text: str, place: int) -> bool:
    """Whether a sentence begins there: then a capital says nothing."""
    before = text[:place].rstrip(" \t\"'(\u201c\u201e")
    return not before or before[-1] in ".!?\u2026\n:"


def _holding(collection: Collection, names: Mapping[int, set[str]]) -> dict[int, int]:
    """The texts that hold a name, the newest of each, with the text that it was read in."""
    read_in = {name: source for source, each in reversed([*names.items()]) for name in sorted(each)}
    held = collection.postings.find(list(map(tokenizer.key, read_in)), collection.count)
    rarest = sorted(zip(read_in.items(), held, strict=True), key=lambda each: len(each[1][0]))
    found: dict[int, int] = {}
    for (_, source), (documents, _) in rarest[:NAMES_MAX]:
        if len(documents) <= HELD_MAX:
            numbers = documents.astype(np.int64)
            newest = np.argsort(-collection.moments[numbers], kind="stable")[:LED_MAX]
            for number in numbers[newest].tolist():
                found.setdefault(number, source)
    return found


@cache
def _myself() -> re.Pattern[str]:
    """What the asker is called as one who acts."""
    told = [each.relations for each in LATIN if isinstance(each.relations, RelationWords)]
    myself = "|".join(row for each in told if (row := each.i))
    return re.compile(rf"(?<!\w)(?:{myself})(?!\w)")


@cache
def _everyday() -> frozenset[str]:
    """Words of daily life, which German writes with a capital: they name nobody."""
    tables = (vocabulary.vocabulary(language.name) for language in LATIN)
    return frozenset().union(vocabulary.english_words(), DATE_WORDS, *tables)
