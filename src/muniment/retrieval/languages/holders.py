"""Holders: of whom a statement tells, or a question asks, as the set of people whom it names.

"My neighbour's son is called Emil" is of `neighbour+son`, "Who is my wife?" asks of `spouse`, and
"My ex-wife is Petra" is of `former+spouse`. A statement says it by its subject, a question
anywhere. Two sets that differ are two holders, in whatever languages they are said: what is told of
one is no newer word about the other.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache, cached_property, lru_cache
from typing import Final, NamedTuple

from muniment.model.languages.language_table import Language, flat
from muniment.model.languages.phrases import holder_words, others_words
from muniment.model.languages.phrases.holder_words import AND, FORMER, NEVER_ONE, POSTS, SEVERAL
from muniment.model.languages.relation_words import NO_NAME, RelationWords
from muniment.model.languages.tables import LATIN, OTHERS
from muniment.model.languages.tables.arabic import ARABIC
from muniment.model.languages.tables.german import GERMAN
from muniment.model.languages.vocabulary import english_words, vocabulary
from muniment.model.lazy_pattern import lazy_pattern
from muniment.model.text.sentences import sentences
from muniment.retrieval.languages.detect_language import detect_languages, possible_languages
from muniment.retrieval.languages.ended_values import is_calendar_word
from muniment.retrieval.text import tokenizer

SUBJECT_WORDS: Final = 10  # of a text, in which its subject is over
FOLDED_LETTERS: Final = 120  # in which they are
HEAD_LETTERS: Final = 32  # of its first two words
SUBJECT_LETTERS: Final = 16  # the same where words are not parted
HEAD_WORDS: Final = 3  # of a thing, before it is said whose it is
LETTERS_MAX: Final = 400  # who says more tells a story
GENITIVE: Final = "s"  # what is left of "neighbour's" once it is folded
_WORD = lazy_pattern(r"[\w\u0900-\u0963]+")
_POSSESSED = lazy_pattern(rf"(?<![^\W_])({others_words.NAME})['\u2019]s?(?=\s)")
# "Annas Auto", where every noun has a capital.
_GERMAN_NAME = lazy_pattern(
    r"([A-ZÄÖÜ][a-zäöüß]{2,})s (?=[A-ZÄÖÜ][\w-]+ (?:ist|war|hat|heißt|beginnt)\b)"
)


class Holder(NamedTuple):
    """Of whom something is: kin and other people by their class, others by their names."""

    people: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()
    owns: bool = False  # it is told of what is theirs, or of one of theirs, and not of themselves

    def __bool__(self) -> bool:
        return bool(self.people or self.names)

    @property
    def term(self) -> str:
        """One word for all of them, which nobody can spell."""
        return _term(self.people, self.names)

    @property
    def kin_term(self) -> str:
        """The same for these people of somebody who is named."""
        return f"named {_term(self.people)}"


NOBODY: Final = Holder()


def _term(people: frozenset[str], names: frozenset[str] = frozenset()) -> str:
    return "of " + "+".join((*sorted(people), *(f"@{each}" for each in sorted(names))))


@lru_cache(maxsize=256)
def told_of(text: str) -> Holder:
    """Of whom a statement tells, by its subject; of nobody, where it names none of these.

    Of several sentences those that name anybody must name the same.
    """
    if len(text) > LETTERS_MAX:
        return NOBODY
    languages = [*possible_languages(text, detect_languages(text))]
    told = [_told_of(each, languages, text) for each in sentences(text)]
    whose = {(each.people, each.names) for each in told if each}
    return told[0] if len(whose) == 1 else NOBODY


def _told_of(sentence: str, languages: Sequence[Language], text: str) -> Holder:
    subjects = ((each, *_subject(each, sentence.strip())) for each in languages)
    for language, holder, rest in subjects:
        if holder:
            behind = text[text.index(sentence) + len(sentence) :]
            return _checked(language, holder, f"{rest} {behind}")
    return NOBODY


@lru_cache(maxsize=64)
def asked_of(text: str) -> Holder:
    """Of whom a question asks: of all whom it names as kin, or by what is theirs."""
    people, names = set[str](), set[str]()
    for language in possible_languages(text, detect_languages(text)):
        if language.name in holder_words.LETTERED:
            people |= _lettered(language, text)
            names |= _named_letters(language, text)
            continue
        people.update(_people(language, _WORD.findall(_folded(language, text))))
        names |= {_name(each[1]) for each in _POSSESSED.finditer(text) if _is_name(language, each)}
    if not people.isdisjoint(SEVERAL):
        return NOBODY
    return Holder(frozenset(people), frozenset(names))


# ── The subject of a statement ──────────────────────────────────────────────────────────────────


def _subject(language: Language, text: str) -> tuple[Holder, str]:
    """Of whom a sentence tells, and what it says of them."""
    if language.name in holder_words.LETTERED:
        ends = _pattern(holder_words.SUBJECT_ENDS[language.name]).search(text, 0, SUBJECT_LETTERS)
        subject = text[: ends.start()] if ends else ""
        named = frozenset(_named_letters(language, subject))
        found = Holder(frozenset(_lettered(language, subject)), named)
        return found, text[len(subject) :]
    possessed = _POSSESSED.match(text)
    if possessed is None and language.name == GERMAN.name:
        possessed = _GERMAN_NAME.match(text)
    if possessed and _is_name(language, possessed):
        behind = text[possessed.end() :]
        if _is_short(behind):
            return NOBODY, ""
        theirs, rest = _walked(language, behind)
        return Holder(
            theirs.people, theirs.names | {_name(possessed[1])}, owns=True
        ), rest or behind
    return _walked(language, text)


def _is_short(behind: str) -> bool:
    """Whether "'s" is short for "is" or "has": "Ana's asking", "Mum's gone"."""
    words = _WORD.findall(flat(behind))[:1]
    return any(each.endswith("ing") or each in holder_words.SHORTENED for each in words)


def _checked(language: Language, found: Holder, rest: str) -> Holder:
    """Nobody, where whoever speaks may be meant too, or which of several nobody knows."""
    people = found.people
    changes = language.patterns(language.tells_change)
    if FORMER in people <= POSTS | {FORMER} and any(each.search(rest) for each in changes):
        return NOBODY
    if _is_of_both(language, rest):
        return NOBODY
    if found.owns or len(people) + len(found.names) > 1 or people & NEVER_ONE:
        return found._replace(owns=True)
    return found if people.isdisjoint(SEVERAL) else NOBODY


def _is_of_both(language: Language, rest: str) -> bool:
    """Whether the rest tells of whoever speaks: "My wife sold our car"."""
    return language.name != ARABIC.name and language.first_person.search(flat(rest)) is not None


def _walked(language: Language, text: str) -> tuple[Holder, str]:
    """The people of a subject, from word to word, until something else is said; and what is."""
    if not _may_name(language.name, text):
        return NOBODY, ""
    walk = _Subject(language, text)
    while walk.place < len(walk.words) and walk.goes_on():
        walk.place += 1
    return walk.holder, walk.rest


def _may_name(language: str, text: str) -> bool:
    """Whether a subject may name anybody, by how it begins: most begin with "I"."""
    first = _WORD.findall(flat(text[:HEAD_LETTERS]))[:2]
    begins = first[:1]
    known = not _small(language).isdisjoint(begins) or not _asides(language).isdisjoint(begins)
    return known or any(_who(language, each) for each in first)


class _Subject:
    """A subject that is read word by word."""

    def __init__(self, language: Language, text: str) -> None:
        self._language, self._name = language, language.name
        self._text, self._behind = text[:FOLDED_LETTERS], text[FOLDED_LETTERS:]
        self._folded = _folded(language, self._text)
        self._found = [*_WORD.finditer(self._folded)][:SUBJECT_WORDS]
        self.words = [each[0] for each in self._found]
        self.place = 0
        self._people, self._names = list[str](), set[str]()
        self._owns = self._is_of_several = False

    @property
    def holder(self) -> Holder:
        if self._is_of_several or not (self._people or self._names):
            return NOBODY
        return Holder(frozenset(self._people), frozenset(self._names), owns=self._owns)

    @property
    def rest(self) -> str:
        """What is said of them."""
        behind = self._found[self.place : self.place + 1]
        return self._folded[behind[0].start() :] + self._behind if behind else ""

    @cached_property
    def _capitals(self) -> frozenset[str]:
        words = _WORD.findall(self._text)[1:]
        return frozenset(flat(each) for each in words if each[:1].isupper())

    def goes_on(self) -> bool:
        """Whether the next word is of the subject too."""
        word, behind = self.words[self.place], self.words[self.place + 1 :]
        if who := _who(self._name, word):
            self._people.append(who)
            self._is_of_several = not AND.isdisjoint(behind[:1])
            return not self._is_of_several
        if self._people and word in _things(self._name):
            self._people.pop()
            return False
        if self.place > 1 and self._before in _of_names(self._name) and self._is_name(word):
            self._names.add(_name(word))
            self._owns = self._owns or bool(self._people)
            return False
        return self._is_small(word, behind) or self._leads_on(behind)

    @property
    def _before(self) -> str:
        return self.words[self.place - 1] if self.place else ""

    def _is_name(self, word: str) -> bool:
        return word in self._capitals and _is_named(self._language, word)

    def _is_small(self, word: str, behind: Sequence[str]) -> bool:
        """Whether it only stands between those who are named: "my friend Ana's dog"."""
        if word in _small(self._name) or (not self.place and word in _asides(self._name)):
            return True
        return bool(self._people) and word in self._capitals and behind[:1] == [GENITIVE]

    def _leads_on(self, behind: Sequence[str]) -> bool:
        """Whether it says what somebody is like, or is a thing of theirs."""
        stands_free = not self.place or self._before in _small(self._name)
        if stands_free and behind and _who(self._name, behind[0]):
            return True
        if self.place and stands_free and not self._is_mine() and (past := self._thing(behind)):
            self._owns, self.place = True, self.place + past - 1
            return True
        if self._before == GENITIVE and self._people:
            self._owns = self._owns or not _is_short(self.words[self.place])
        return False

    def _thing(self, behind: Sequence[str]) -> int:
        """How many words a thing has, before it is said whose: "number plate of my boss"."""
        of, small = _of(self._name), _small(self._name)
        for place, word in enumerate(behind[:HEAD_WORDS]):
            if word in of:
                whose = next((each for each in behind[place + 1 :] if each not in small), "")
                is_name = not place and word in _of_names(self._name) and self._is_name(whose)
                if is_name or _who(self._name, whose):
                    return place + 1
        return 0

    def _is_mine(self) -> bool:
        known = self._language.relations
        return isinstance(known, RelationWords) and self._before in flat(known.my).split("|")


# ── Whom words name ─────────────────────────────────────────────────────────────────────────────


def _people(language: Language, words: Sequence[str]) -> Iterator[str]:
    things = _things(language.name)
    for place, word in enumerate(words):
        behind = [each for each in words[place + 1 : place + 3] if each != GENITIVE][:1]
        if (who := _who(language.name, word)) and things.isdisjoint(behind):
            yield who


def _is_name(language: Language, found: re.Match[str]) -> bool:
    return found[1] not in NO_NAME and _is_named(language, flat(found[1]))


def _is_named(language: Language, word: str) -> bool:
    """Whether a word with a capital may be a name: no day, nobody's kin, no everyday word."""
    everyday = english_words() if language.name == "English" else vocabulary(language.name)
    known = word in everyday or is_calendar_word(word) or tokenizer.is_stop(word)
    return not (known or _who(language.name, word) or word in _asides(language.name))


def _name(word: str) -> str:
    return tokenizer.stem(flat(word))


def _lettered(language: Language, text: str) -> set[str]:
    return {who for who, forms in _forms(language.name) if forms.search(text)}


def _named_letters(language: Language, text: str) -> set[str]:
    named = _pattern(holder_words.NAMED[language.name])
    found = (each[1] for each in named.finditer(text))
    return {each for each in found if not _lettered(language, each)}


@lru_cache(maxsize=1 << 11)
def _who(language: str, word: str) -> str:
    return next((who for who, forms in _forms(language) if forms.fullmatch(word)), "")


@cache
def _forms(language: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """By class, the words of one language: its own rows first, then those of its kin."""
    rows: dict[str, list[str]] = {}
    lettered = holder_words.LETTERED.get(language)
    for line in (lettered or holder_words.PEOPLE.get(language, "")).splitlines():
        who, *forms = line.split() or [""]
        plain = forms if lettered else [flat(each).replace("*", r"\w*") for each in forms]
        rows.setdefault(who, []).extend(plain)
    relations = _table(language).relations
    for who, row in (relations.kin if relations else {}).items():
        kin = row if lettered else f"(?:{flat(row)}){holder_words.ENDINGS.get(language, '')}"
        rows.setdefault(holder_words.ALIKE.get(who, who), []).append(kin)
    return tuple((who, re.compile("|".join(forms))) for who, forms in rows.items() if forms)


@cache
def _small(language: str) -> frozenset[str]:
    return frozenset(flat(holder_words.SMALL.get(language, "")).split())


@cache
def _of(language: str) -> frozenset[str]:
    return frozenset(flat(holder_words.OF.get(language, "")).split())


@cache
def _of_names(language: str) -> frozenset[str]:
    """The same before names: of a noun with a capital nobody knows whether it is one."""
    return frozenset(("von",)) if language == GERMAN.name else _of(language)


@cache
def _things(language: str) -> frozenset[str]:
    return frozenset(flat(holder_words.OWN_THINGS.get(language, "")).split())


@cache
def _asides(language: str) -> frozenset[str]:
    return frozenset(flat(_table(language).asides).split())


@cache
def _table(language: str) -> Language:
    return next(each for each in (*LATIN, *OTHERS) if each.name == language)


def _folded(language: Language, text: str) -> str:
    folded = flat(text)
    for phrase, word in holder_words.JOINED.get(language.name, ()):
        folded = _pattern(phrase).sub(word, folded)
    return folded


@cache
def _pattern(source: str) -> re.Pattern[str]:
    return re.compile(source)
