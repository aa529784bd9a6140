"""Query expansion: the words in which a state or a topic is told that a question asks for."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache

from muniment.model.languages.synonyms import SYNONYMS
from muniment.model.languages.tables import LATIN, OTHERS
from muniment.model.languages.topics import life_topics
from muniment.model.languages.topics.topic_words import TOPIC_WORDS
from muniment.retrieval.text import tokenizer


@lru_cache(maxsize=1 << 10)  # a word that is asked for leads to a hundred others
def state_synonyms(word: str) -> tuple[str, ...]:
    """Query expansion: stems in which a change of the state is told that a word asks for.

    "Where do I live?" is seldom answered in these words: "We moved to Bremen", "our new address is
    Hafenweg 12". A short question may not show its language: those of all are looked for.
    """
    stem = tokenizer.stem(word)
    rows = (*_state_synonyms(of_ascii=stem.isascii()).get(stem, ()), *_topic_rows(word, stem))
    return tuple(dict.fromkeys(_stem(each) for row in rows for each in row.split()))


def _topic_rows(word: str, stem: str) -> Iterator[str]:
    """What tells of the topics that a word asks for; only what may have its stem is stemmed."""
    initials = {life_topics.initial(each) for each in (word, stem, *_synonyms().get(stem, ()))}
    asking = (each for letter in initials for each in life_topics.askings().get(letter, ()))
    rows = {(each.topic, each.language) for each in asking if _stem(each.word) == stem}
    yield from (life_topics.told(topic, language) for topic, language in sorted(rows))


@cache
def _synonyms() -> Mapping[str, Sequence[str]]:
    """By the stem that stands for all of them, words that may begin otherwise."""
    rows = (row.split() for row in SYNONYMS)
    return {tokenizer.stem(row[0]): row for row in rows}


@cache
def _state_synonyms(*, of_ascii: bool) -> Mapping[str, Mapping[str, None]]:
    """By the stem of each word that asks, the rows that tell: few of them are ever looked for."""
    rows: dict[str, dict[str, None]] = {}
    languages = (*LATIN, *OTHERS)
    of_one_thing = [(each, each) for language in languages for each in language.subjects]
    told_so = [each for language in languages for each in language.state_synonyms]
    for asked, told in (*told_so, *of_one_thing, *TOPIC_WORDS):
        for word in asked.split():
            if not (of_ascii and tokenizer.is_far(word)):
                rows.setdefault(_stem(word), {})[told] = None
    return rows


def _stem(word: str) -> str:
    """As the index has it; of a word that is cut into letters too, the whole."""
    return tokenizer.stem(tokenizer.spelled(word)[0])
