"""Topics of a life: words that ask for a topic in one language, and words that tell of it.

"Where do I live?" may be answered by "Ich bin nach Kassel gezogen": who speaks two languages asks
in one for what they told in the other, and vectors know English alone. Every language leads to
itself and to English, and English to all: further ones would find what is only spelled alike
("müde", "mudé"). What tells of a topic in English to who asks in English is in `topic_words`.
"""

from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from typing import Final, NamedTuple

from muniment.model.languages.language_table import flat
from muniment.model.languages.letter_folding import unmarked
from muniment.model.languages.topics import (
    life_topics_germanic,
    life_topics_lettered,
    life_topics_romance,
)
from muniment.model.languages.vocabulary import english_words, vocabulary

ENGLISH: Final = "English"
INTERNATIONAL: Final = "International"
TABLES: Final = {
    **life_topics_germanic.TABLES,
    **life_topics_romance.TABLES,
    **life_topics_lettered.TABLES,
}
# Words of other languages that are others in English, which `english_words` has not.
_LIKE_ENGLISH: Final = """
age box bras chat club code color couple fume grand lust minus moro natural op pan parents part plus
rural sport studio tank the training violin vis zit zone
"""


class TopicWord(NamedTuple):
    """A word that asks for a topic, in a language."""

    word: str
    topic: str
    language: str


@cache
def askings() -> Mapping[str, tuple[TopicWord, ...]]:
    """All words that ask, by their first letters without case and marks: few are looked at."""
    found: dict[str, list[TopicWord]] = {}
    for language, lines in _read().items():
        for topic, (asked, _) in lines.items():
            for word in asked.split():
                found.setdefault(initial(word), []).append(TopicWord(word, topic, language))
    return {letter: tuple(each) for letter, each in found.items()}


def initial(word: str) -> str:
    return _plain(word[0])


@lru_cache(maxsize=1 << 9)
def _plain(letter: str) -> str:
    return unmarked(letter.casefold())[0]


@cache
def told(topic: str, asking: str) -> str:
    """What tells of a topic to those who ask in a language."""
    of_topic = {name: lines[topic] for name, lines in _read().items() if topic in lines}
    return " ".join(_told(asking, of_topic))


@cache
def words_of(language: str) -> frozenset[str]:
    """All words of a language, folded."""
    lines = _read().get(language, {}).values()
    return frozenset(flat(word) for each in lines for row in each for word in row.split())


@cache
def known(language: str) -> frozenset[str]:
    """These and its everyday words, folded: none of them is a name."""
    return words_of(language) | vocabulary(language)


def _told(asking: str, of_topic: Mapping[str, tuple[str, str]]) -> Iterator[str]:
    for name, words in of_topic.items():
        several = (word for row in words for word in row.split())
        if asking == ENGLISH and name != ENGLISH:
            yield from (word for word in several if not _clashes(word))
        elif asking != ENGLISH and name in {asking, ENGLISH, INTERNATIONAL}:
            yield from several


def _clashes(word: str) -> bool:
    """Whether a word of another language is one of English that means something else."""
    plain = flat(word)
    return plain in english_words() or plain in _LIKE_ENGLISH.split()


@cache
def _read() -> Mapping[str, Mapping[str, tuple[str, str]]]:
    return {name: dict(map(_line, _lines(table))) for name, table in TABLES.items()}


def _lines(table: str) -> list[str]:
    """A line that begins with a space goes on with the one before it."""
    return table.strip().replace("\n ", " ").splitlines()


def _line(line: str) -> tuple[str, tuple[str, str]]:
    topic, _, words = line.partition(":")
    asked, _, told = words.partition("|")
    return topic, (asked.strip(), told.strip())
