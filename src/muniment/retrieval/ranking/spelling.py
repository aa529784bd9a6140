"""Spelling correction: an unknown word of a question, one edit from a word that is indexed.

An index holds numbers and no words, so what could have been meant is spelled out and looked up:
every word that is one letter away. A word that an embedder or a table knows was not misspelled.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

import msgspec

from muniment.retrieval.index.collection import Collection
from muniment.retrieval.languages.query_expansion import state_synonyms
from muniment.retrieval.ranking.query import Kin, Query
from muniment.retrieval.text import tokenizer

LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"
LETTERS_MIN: Final = 5  # of fewer letters too many words are one slip apart
LETTERS_MAX: Final = 20
MEANT_MAX: Final = 2  # words for one: those that most documents hold


def corrected(asked: Query, collection: Collection, kin: Kin) -> Query:
    """The question with other words for those that are unknown; mostly there is none."""
    spelled = {
        tokenizer.stem(word): word for word in tokenizer.spelled(asked.text) if _may_be_wrong(word)
    }
    stems = [stem for stem in asked.words if stem in spelled]
    unknown = [
        stem
        for stem, often in zip(stems, _held(stems, collection), strict=True)
        if not (often or kin(spelled[stem]) or state_synonyms(spelled[stem]))
    ]
    if not unknown:
        return asked
    meant = {stem: _meant(spelled[stem], collection) or (stem,) for stem in unknown}
    words = [other for stem in asked.words for other in meant.get(stem, (stem,))]
    return msgspec.structs.replace(asked, words=tuple(dict.fromkeys(words)))


def _may_be_wrong(word: str) -> bool:
    return LETTERS_MIN <= len(word) <= LETTERS_MAX and word.isascii() and word.isalpha()


def _meant(word: str, collection: Collection) -> tuple[str, ...]:
    """The stems one slip away that most documents hold."""
    near = _near(word)
    stems = [near[key] for key in collection.postings.known([*near])]
    often = dict(zip(stems, _held(stems, collection), strict=True))
    held = [stem for stem in stems if often[stem] and not tokenizer.is_stop(stem)]
    return tuple(sorted(held, key=lambda stem: (-often[stem], stem))[:MEANT_MAX])


@lru_cache(maxsize=64)  # one question is asked of several collections
def _near(word: str) -> dict[int, str]:
    """By its key in an index, every stem one slip away."""
    return {tokenizer.key(stem): stem for stem in set(map(tokenizer.stem, _one_slip_away(word)))}


def _one_slip_away(word: str) -> Iterator[str]:
    """A letter less, two in another order, another one, one more; few get the first wrong."""
    for place in range(1, len(word)):
        before, here, behind = word[:place], word[place], word[place + 1 :]
        yield before + behind
        if behind:
            yield before + behind[0] + here + behind[1:]
        for letter in LETTERS:
            yield before + letter + behind
            yield before + letter + here + behind
    yield from (word + letter for letter in LETTERS)


def _held(stems: Sequence[str], collection: Collection) -> list[int]:
    """How many documents hold each."""
    found = collection.postings.find([tokenizer.key(stem) for stem in stems], collection.count)
    return [len(documents) for documents, _ in found]
