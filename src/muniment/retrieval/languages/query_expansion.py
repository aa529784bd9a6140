"""Query expansion: the words in which a state or a topic is told that a question asks for."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache

from muniment.model.languages.synonyms import SYNONYMS
from muniment.model.languages.tables import LATIN, OTHERS
from muniment.model.languages.topics import life_topics
from muniment.model.languages.topics.topic_words import TOPIC_WORDS
from muniment.retrieval.languages import compounds
from muniment.retrieval.languages.detect_language import detect_languages
from muniment.retrieval.text import tokenizer


@lru_cache(maxsize=1 << 10)  # a word that is asked for leads to a hundred others
def state_synonyms(word: str) -> tuple[str, ...]:
    """Query expansion: stems in which a change of the state is told that a word asks for.

    "Where do I live?" is seldom answered in these words: "We moved to Bremen", "our new address is
    Hafenweg 12". A short question may not show its language: those of all are looked for.
    """
    stem = tokenizer.stem(word)
    initials = _initials(word, stem)
    rows = (*_state_rows(initials, stem), *_topic_rows(initials, stem))
    return tuple(dict.fromkeys(_stem(each) for row in rows for each in row.split()))


@lru_cache(maxsize=64)  # every type of memory is asked the same question
def topic_keys(text: str, words: tuple[str, ...]) -> tuple[tuple[int, ...], ...]:
    """Of each word of a question, the numbers of all words for the same topic."""
    read = detect_languages(text)
    return tuple(
        tuple(
            tokenizer.key(stem)
            for each in (word, *compounds.parts_of([word], read))
            for stem in dict.fromkeys((tokenizer.stem(each), *state_synonyms(each)))
        )
        for word in words
    )


def _initials(word: str, stem: str) -> set[str]:
    """How a word may begin that has this stem."""
    return {life_topics.initial(each) for each in (word, stem, *_synonyms().get(stem, ()))}


def _state_rows(initials: Iterable[str], stem: str) -> list[str]:
    """What tells of the states that a stem asks for; only what may have its stem is stemmed."""
    asking = (each for letter in initials for each in _state_words().get(letter, ()))
    rows = {(place, told) for place, word, told in asking if _table_stem(word) == stem}
    return [told for _, told in sorted(rows)]


def _topic_rows(initials: Iterable[str], stem: str) -> Iterator[str]:
    """The same of topics."""
    asking = (each for letter in initials for each in life_topics.askings().get(letter, ()))
    rows = {(each.topic, each.language) for each in asking if _table_stem(each.word) == stem}
    yield from (life_topics.told(topic, language) for topic, language in sorted(rows))


@cache
def _synonyms() -> Mapping[str, Sequence[str]]:
    """By the stem that stands for all of them, words that may begin otherwise."""
    rows = (row.split() for row in SYNONYMS)
    return {tokenizer.stem(row[0]): row for row in rows}


@cache
def _state_words() -> Mapping[str, Sequence[tuple[int, str, str]]]:
    """By first letters, the words that ask for a state, with the row that tells, in their order."""
    found: dict[str, list[tuple[int, str, str]]] = {}
    languages = (*LATIN, *OTHERS)
    of_one_thing = [(each, each) for language in languages for each in language.subjects]
    told_so = [each for language in languages for each in language.state_synonyms]
    for place, (asked, told) in enumerate((*told_so, *of_one_thing, *TOPIC_WORDS)):
        for word in asked.split():
            found.setdefault(life_topics.initial(word), []).append((place, word, told))
    return found


@cache  # of the words of tables, which a service is asked about again and again
def _table_stem(word: str) -> str:
    return _stem(word)


def _stem(word: str) -> str:
    """As the index has it; of a word that is cut into letters too, the whole."""
    return tokenizer.stem(tokenizer.spelled(word)[0])
