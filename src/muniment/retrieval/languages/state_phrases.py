"""Query expansion for states: index terms for whose home, work or death a text tells.

"We moved to Bremen" answers "Where do I live?", and "My brother lives in Munich" does not, though
it has the word. Which of two such texts is about whom no sum of terms can tell. So a text that
tells a state by a fixed phrase has a word for it, "home of i" or "home of brother", which nobody
can spell; a question for that state looks for the same word, and the latest that has it is first.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Final

from muniment.model.languages.english_states import ASKS_WHETHER
from muniment.model.languages.language_table import Language, Phrases, flat
from muniment.model.languages.phrases import introduction_words
from muniment.model.languages.tables import LATIN, OTHERS
from muniment.model.languages.tables.english import ENGLISH
from muniment.model.languages.vocabulary import english_words, vocabulary
from muniment.model.languages.word_marks import WORD_MARKS, needs_of_rows
from muniment.model.languages.word_pattern import possible
from muniment.model.lazy_pattern import lazy_pattern
from muniment.model.text import self_statements
from muniment.model.text.near_duplicates import QUESTION_MARKS
from muniment.retrieval.languages import told_as_real
from muniment.retrieval.languages.detect_language import (
    LanguageReading,
    detect_languages,
    possible_languages,
)
from muniment.retrieval.languages.ended_values import is_calendar_word
from muniment.retrieval.text import tokenizer

ME: Final = "i"
OWN_NAME: Final = f"name of {ME}"
PLACES: Final = ("home", "work")  # states that a place answers
OF_SELF: Final = tuple(f"{state} of {ME}" for state in PLACES)
USER: Final = "user"
LETTERS_MAX: Final = 1000  # longer texts are documents, and whoever speaks in them is not known
_QUOTES: Final = ('"', "\u201c", "\u201e", "\u00ab")
_PHRASED: Final = tuple(each for each in LATIN if each.states_have)
_LETTERED: Final = tuple(each for each in OTHERS if each.states_have)
_SENTENCE_ENDS: Final = ".!?\n\u3002\uff01\uff1f"
_THE_USER = lazy_pattern(r"\b(?:[Tt]he user|User|(?<=does )user|(?<=is )user)\b")
_BEHIND_GREETING: Final = "[\\s,.!\uff0c\u3002\uff01\u060c\u3001-]*"
_REST = lazy_pattern(rf"[^{_SENTENCE_ENDS}]*")


def stated_terms(read: Sequence[LanguageReading], *, noted: bool = False) -> list[str]:
    """The words for what a text tells of somebody's state.

    An agent that has noted it calls whom it serves "the user"; a person who says so means another.
    """
    found = (word for language, text in _readings(read) for word in _told(language, text))
    terms = dict.fromkeys(found)
    return list(dict.fromkeys(map(_of_me, terms)) if noted else terms)


def asked_terms(read: Sequence[LanguageReading]) -> tuple[str, ...]:
    """The words for the state that a question asks for, of whoever it names.

    Whoever asks where the user lives may be the agent that noted it, or mean another.
    """
    asked = [
        word
        for language, text in _readings(read)
        for state, phrases in language.asks_states.items()
        for word in _asked(language, state, phrases, text)
    ]
    asked += [OWN_NAME] * asks_own_name(read[-1].text)
    return tuple(dict.fromkeys(term for word in asked for term in (word, _of_me(word))))


def _of_me(term: str) -> str:
    return f"{term.removesuffix(USER)}{ME}" if term.endswith(f" of {USER}") else term


def _readings(read: Sequence[LanguageReading]) -> Iterator[LanguageReading]:
    """In every language that has such a phrase: a short text may not show its own.

    "Ich wohne in Ulm" has one small word that is not English too; as a phrase it is German enough.
    """
    language, text = read[-1]
    if len(text) > LETTERS_MAX:
        return
    needs = _needs()  # known before a text is read for them: also the first
    small, mark = text.lower(), _mark(text)
    if USER in small:
        text = _THE_USER.sub(USER.title(), text)
    shown = {each.language.name for each in read}
    for each in (*_PHRASED, *(other for other in _LETTERED if other.name in shown)):
        # Most texts have none, and are looked through by nothing else.
        if each.reads_case and each is not language:
            continue
        if mark & needs[each.name] and any(map(small.__contains__, each.state_pieces)):
            yield LanguageReading(each, text if each.reads_case else flat(text))


def _mark(text: str) -> int:
    """Which needs its words fulfil; all, where a small letter may be another one."""
    return WORD_MARKS.read(text).mark if text.isascii() else -1


@cache
def _needs() -> Mapping[str, int]:
    """By the name of a language, what the words of a text fulfil that has one of its pieces."""
    languages = (*_PHRASED, *_LETTERED)
    needs = needs_of_rows([each.state_pieces for each in languages])
    return {each.name: need for each, need in zip(languages, needs, strict=True)}


def _told(language: Language, text: str) -> Iterator[str]:
    for state, phrases in language.states.items():
        for pattern in possible(language.patterns(phrases), text):
            for match in pattern.finditer(text):
                if _is_so(language, match):
                    words = _words(state, match.groupdict())
                    is_quoted = told_as_real.is_quoted(_sentence(match)[0])
                    yield from (each for each in words if not (is_quoted and _is_of_me(each)))


def _is_so(language: Language, match: re.Match[str]) -> bool:
    """What is quoted, asked, supposed, dreamt or told of long ago is nobody's state."""
    text, start = match.string, match.start()
    if text[start - 1 : start] in _QUOTES or not self_statements.is_told(match):
        return False
    sentence, begins = _sentence(match)
    if not told_as_real.is_real(sentence, start - begins, match.end() - begins):
        return False
    return not any(each.search(sentence) for each in language.patterns(language.long_ago))


def _sentence(match: re.Match[str]) -> tuple[str, int]:
    """The sentence that something was found in, and where it begins."""
    text = match.string
    begins = max(text.rfind(end, 0, match.start()) for end in _SENTENCE_ENDS) + 1
    ends = _REST.match(text, match.end())
    return text[begins : ends.end() if ends else len(text)], begins


def _is_of_me(term: str) -> bool:
    return term.endswith(f" of {ME}")


def _asked(language: Language, state: str, phrases: Phrases, text: str) -> Iterator[str]:
    for pattern in language.patterns(phrases):
        if match := pattern.search(text):
            whose = match.groupdict()
            if whose.get("name"):  # "my sister Greta" is none of the other sisters
                whose = {"name": whose["name"]}
            yield from _words(state, whose)


def _words(state: str, whose: Mapping[str, str | None]) -> list[str]:
    """Of everybody who is named, by name or as a brother; of nobody named, of whoever says it."""
    named = [_named(flat(each)) for each in whose.values() if each]
    return [f"{state} of {each}" for each in named or [ME]]


def _named(word: str) -> str:
    """One word for whom people have several: who lives with dad lives with father."""
    stem = tokenizer.stem(word)
    return stem if len(tokenizer.forms(stem)) > 1 else word


def asks_whether(question: str) -> bool:
    """Whether a yes or a no is asked for: it asks how things stand, and gathers nothing."""
    return _WHETHER.match(question) is not None


_WHETHER = lazy_pattern(ASKS_WHETHER)


# ── Of names ────────────────────────────────────────────────────────────────────────────────────


# Before a name in ASCII, in whatever language, stands a word without a capital, or it is "here".
_GIVEN = lazy_pattern(r"[a-z'-] [A-Z][a-z]|^\W*[A-Z]\w+ (?:here|hier|speaking)\b")


def introduces(text: str) -> bool:
    """Whether whoever speaks says what they are called: "I'm Mireille", "call me Bea"."""
    if len(text) > LETTERS_MAX or (text.isascii() and not _GIVEN.search(text)):
        return False
    languages = [*possible_languages(text, detect_languages(text))]
    return any(
        _is_called(language, match, greeted=greeted)
        for language in languages
        for pattern, greeted in _introductions(language.name)
        for match in pattern.finditer(text)
    )


def asks_own_name(text: str) -> bool:
    """Whether a question is for what whoever asks is called."""
    folded = flat(text)
    return any(
        _asks_name(language.name).search(folded)
        for language in possible_languages(text, detect_languages(text))
    )


def _is_called(language: Language, match: re.Match[str], *, greeted: bool) -> bool:
    """Whether it is a name: no word of every day, no people, no day; and told, not asked.

    Behind a greeting alone there may be what people are, in scripts that have no capitals.
    """
    said = next(filter(None, match.groupdict().values()))
    text, name = match.string, flat(said)
    rest = _REST.match(text, match.end())
    asked = rest is not None and text[rest.end() : rest.end() + 1] in QUESTION_MARKS
    quoted = text[: match.start()].endswith(_QUOTES)
    ends = introduction_words.NO_NAME_ENDS.get(language.name)
    people = greeted and ends is not None and re.search(ends, said) is not None
    everyday = name in _no_names(language.name) or is_calendar_word(name)
    return not (asked or quoted or people or everyday)


@cache
def _no_names(language: str) -> frozenset[str]:
    script = language if language in introduction_words.NO_NAMES else "Latin"
    known = frozenset(flat(introduction_words.NO_NAMES[script]).split())
    if language == ENGLISH.name:
        return known | english_words()
    return known | vocabulary(language)


@cache
def _introductions(language: str) -> tuple[tuple[re.Pattern[str], bool], ...]:
    """The phrases of a language, each with whether it needs a greeting."""
    name = introduction_words.NAMES.get(language, introduction_words.LATIN_NAME)
    greeting = rf"^\W*(?:{introduction_words.GREETINGS[language]}){_BEHIND_GREETING}"
    phrases = introduction_words.GIVES[language]
    made = (_with_names(phrase.replace("<hi>", greeting), name) for phrase in phrases)
    greeted = (phrase.startswith("<hi>") for phrase in phrases)
    return tuple(zip((re.compile(each, re.IGNORECASE) for each in made), greeted, strict=True))


def _with_names(phrase: str, name: str) -> str:
    """With a group for each place of a name."""
    first, *rest = phrase.split("<name>")
    named = (name.replace("<name>", f"<name{place}>") for place in range(len(rest)))
    return first + "".join(group + part for group, part in zip(named, rest, strict=True))


@cache
def _asks_name(language: str) -> re.Pattern[str]:
    return re.compile(flat(introduction_words.ASKS[language]))
