"""Word groups: of each word of a question all in which its topic may be told.

"Wie hoch ist die Miete?" is answered by "640 Euro kalt" and by "die Vermieterin will 710": the two
share no word, and both have one of the topic.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TypeAlias

from muniment.retrieval import arrays as np
from muniment.retrieval.index.collection import Collection
from muniment.retrieval.languages import compounds
from muniment.retrieval.languages.detect_language import detect_languages
from muniment.retrieval.ranking.query import Query, state_synonyms
from muniment.retrieval.text import tokenizer

Numbers: TypeAlias = "np.NDArray[np.int64]"
Pairs: TypeAlias = "np.NDArray[np.bool_]"


def said_in(collection: Collection, asked: Query, numbers: Numbers) -> tuple[Pairs, Pairs]:
    """A row for each word of the question: which of these documents has one of its group.

    And a row for each of all those words that two of them have.
    """
    groups = np.zeros((len(asked.words), len(numbers)), bool)
    words = [np.zeros((0, len(numbers)), bool)]
    for place, group in enumerate(_groups(asked.text, asked.words)):
        for documents, _ in collection.postings.find(list(group), collection.count):
            if len(documents):
                has = np.isin(numbers, documents)
                groups[place] |= has
                if np.count_nonzero(has) > 1:
                    words.append(has[None])
    return groups, np.concatenate(words)


@lru_cache(maxsize=64)  # every type of memory is asked the same question
def _groups(text: str, words: tuple[str, ...]) -> tuple[tuple[int, ...], ...]:
    read = detect_languages(text)
    return tuple(
        tuple(
            tokenizer.key(stem)
            for each in (word, *compounds.parts_of([word], read))
            for stem in dict.fromkeys((tokenizer.stem(each), *state_synonyms(each)))
        )
        for word in words
    )
