"""Relation extraction: family, work and home relations that a sentence states, by rules.

The words are in the tables of the languages, and no model is asked. What is asked or supposed
relates nobody, nor does what nearly was or was dreamt (`told_as_real`). A sentence that no rule
knows says nothing here: it is found by its words all the same. What is denied, and what was, is
told with its tense: it ends what was told before.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Final

import msgspec

from muniment.model.languages import relation_heads
from muniment.model.languages.language_table import Language
from muniment.model.languages.relation_words import (
    BESIDE_DENIED,
    CAPITAL_SELF,
    DENIED,
    DOTTED,
    IS,
    MAY_DENY,
    NAME_JOINTS,
    NAME_WORD,
    NO_NAME,
    NOT_TOLD,
    OFFICE_OF,
    PLAIN_MINE,
    PLAIN_SELF,
    POSSESSIVE,
    Marriage,
    RelationEnds,
    RelationPhrases,
    RelationWords,
)
from muniment.model.languages.row_pattern import RowPattern
from muniment.model.languages.tables import LATIN, OTHERS
from muniment.model.languages.word_pattern import heads_of
from muniment.model.lazy_pattern import lazy_pattern
from muniment.model.text.sentences import sentences
from muniment.model.unicode14 import known
from muniment.retrieval.languages import told_as_real

USER: Final = "user"
WORKS_AT, LIVES_IN, LOCATED_IN = "works_at", "lives_in", "located_in"
PERSON, ORGANISATION, PLACE, ANIMAL = "person", "organisation", "place", "animal"
PARTNER, SPOUSE = "partner", "spouse"
NOW, WAS, IS_OVER = "now", "was", "is_over"  # how it is told; what is denied is over if it was so
KIND_OF: Final = {WORKS_AT: ORGANISATION, LIVES_IN: PLACE, LOCATED_IN: PLACE, "pet": ANIMAL}
LETTERS_MAX: Final = 4_000  # of a text; what comes after that relates nobody

_WORD: Final = rf"(?:{DOTTED})*(?:{NAME_WORD})"
_NAME: Final = rf"{_WORD}(?:{NAME_JOINTS}\s{_WORD}){{0,3}}"
# "Il mio capo è il Sig. Rossi"
_ARTICLE: Final = rf"(?:(?:el|la|il|lo|le|o|a|de|der|die)\s+(?={DOTTED}))?"
_CONTRACTED = lazy_pattern(r"['\u2019](?:ve|d|m|ll|re|s)\Z")
_PLAIN_MINE = lazy_pattern(rf"\A(?:{PLAIN_MINE})")
_NOT_TOLD = lazy_pattern(NOT_TOLD, re.IGNORECASE)
_DENIED = lazy_pattern(DENIED, re.IGNORECASE)
_MAY_DENY = lazy_pattern(MAY_DENY)
TAIL: Final = 6  # letters behind what is told that may deny it, where the verb stands last


class Relation(msgspec.Struct, frozen=True, kw_only=True):
    """Two names, how they are related, and the sentence that says so.

    Without an object, whatever the relation holds for is over.
    """

    subject: str
    relation: str
    object: str
    sentence: str
    tense: str = NOW

    @property
    def kind(self) -> str:
        """What the object is."""
        return KIND_OF.get(self.relation, PERSON)


def may_relate(text: str) -> bool:
    """Whether a rule of any language may find something; a quick look, which leaves out nothing."""
    return _may_relate(_read_of(text))


def _read_of(text: str) -> str:
    return known(text)[:LETTERS_MAX]


def _may_relate(text: str) -> bool:
    return relation_heads.may_be_of_any(text) or (
        not text.isascii()
        and any(relation_heads.may_be_in(language, text) for language in _related_languages())
    )


def relations(text: str, speaker: str = "") -> Iterator[Relation]:
    """What a text says; "I" and "my" are its speaker's, or the user's where nobody is named."""
    for sentence in told_sentences(text) if may_relate(text) else ():
        real, is_quoted = told_as_real.real_part(sentence), told_as_real.is_quoted(sentence)
        found = {(each.subject, each.relation, each.object): each for each in _in(real)}
        for each in found.values():
            if is_quoted and is_of_user(each):
                continue  # another's "I"
            whose, kin, relation = each.subject.partition("/")
            mine = f"{speaker}{kin}{relation}" if whose == USER and speaker else each.subject
            yield msgspec.structs.replace(each, subject=mine, sentence=sentence.strip())


def is_of_user(found: Relation) -> bool:
    """Whether it is of whoever this memory is of, or of their kin."""
    return found.subject.partition("/")[0] == USER


def told_sentences(text: str) -> Iterator[str]:
    """The sentences of a text that are neither asked nor supposed."""
    for sentence in sentences(_read_of(text)):
        if not _NOT_TOLD.search(sentence):
            yield sentence


def is_denied(text: str) -> bool:
    """Whether something in a text is denied."""
    return bool(_DENIED.search(text))


def kin_words() -> Mapping[str, RowPattern]:
    """Each relation of kin, in every language, as a question may say it."""
    return _kin_words()


@cache
def _kin_words() -> Mapping[str, RowPattern]:
    forms: dict[str, list[str]] = {}
    for language in (*LATIN, *OTHERS):
        for relation, row in language.relations.kin.items() if language.relations else ():
            forms.setdefault(relation, []).append(row)
    return {relation: RowPattern("|".join(rows)) for relation, rows in forms.items()}


def _in(sentence: str) -> Iterator[Relation]:
    for language in _related_languages():
        if relation_heads.may_be_in(language, sentence):
            rules = _rules(language.name)
            if rules.hint.search(sentence):
                yield from _found(rules, sentence)


def _found(rules: "_LanguageRules", sentence: str) -> Iterator[Relation]:
    plain = _plain(sentence, rules.over)
    has_signs = not rules.signs or relation_heads.may_have(rules.signs, sentence)
    for relation, tense, pattern in (*rules.patterns, *(rules.ended if has_signs else ())):
        for match in pattern.finditer(plain.text):
            if told := plain.tense(match, tense, rules.tail):
                yield from _related(relation, told, match, sentence)


class _PlainSentence(msgspec.Struct, frozen=True):
    """A sentence without the words that say of a relation that it is not so, or was."""

    text: str
    denied: tuple[int, ...]  # where such words stood
    former: tuple[int, ...]

    def tense(self, match: re.Match[str], tense: str, tail: int) -> str:
        """How what is found is told; nothing, where something else is denied."""

        def stood(places: tuple[int, ...]) -> bool:
            return any(match.start() - 1 <= place <= match.end() + tail for place in places)

        if self.denied:
            return IS_OVER if tense != WAS and stood(self.denied) else ""
        return WAS if tense == NOW and stood(self.former) else tense


def _plain(sentence: str, over: re.Pattern[str]) -> _PlainSentence:
    if sentence.isascii() and not _MAY_DENY.search(sentence.lower()):  # nearly always
        return _PlainSentence(sentence, (), ())
    is_denied = _DENIED.search(sentence) is not None
    if not is_denied and not over.search(sentence):
        return _PlainSentence(sentence, (), ())
    left: list[str] = []
    stood: dict[str, list[int]] = {"denied": [], "former": [], "beside": []}
    end = length = 0
    for match in over.finditer(sentence):
        kind = str(match.lastgroup)
        if kind == "beside" and not is_denied:
            continue
        left.append(sentence[end : match.start()])
        length += match.start() - end
        end = match.end()
        stood[kind].append(length)
    return _PlainSentence(
        "".join([*left, sentence[end:]]), tuple(stood["denied"]), tuple(stood["former"])
    )


def _related(relation: str, tense: str, match: re.Match[str], sentence: str) -> Iterator[Relation]:
    found = match.groupdict()
    whose, told = _whose(found), sentence.strip()
    if "name" not in found:
        if whose:
            yield Relation(subject=whose, relation=relation, object="", sentence=told, tense=tense)
        return
    name = _plain_name(found["name"])
    named = relation or _kin_of(found["kin"])
    if name and whose and whose != name:
        yield Relation(subject=whose, relation=named, object=name, sentence=told, tense=tense)


def _whose(found: Mapping[str, str | None]) -> str:
    """Of whom it is told: somebody by name, somebody's kin, or whoever speaks."""
    if found.get("who"):
        who = str(found["who"]).strip()
        if kin := _kin_of(_PLAIN_MINE.sub("", who)):
            return f"{USER}/{kin}"
        spoken = who.replace("\u2019", "'").rpartition(" ")[2].partition("'")[0]  # "I've"
        is_self = who in PLAIN_SELF or spoken in CAPITAL_SELF
        return USER if is_self else _plain_name(who)
    if found.get("of_kin"):
        return f"{USER}/{_kin_of(found['of_kin'])}"
    return USER


def _plain_name(told: str | None) -> str:
    """A name without an article or a kin word before it; nothing, where no name is left."""
    words = (told or "").strip(" .,'\u2019-").split(" ")
    while words and (
        _CONTRACTED.sub("", words[0]) in NO_NAME or (len(words) > 1 and _kin_of(words[0]))
    ):
        words = words[1:]
    return " ".join(words)


def _kin_of(told: str | None) -> str:
    return next((name for name, row in _kin_words().items() if row.fullmatch(told or "")), "")


_TensePatterns = tuple[tuple[str, str, re.Pattern[str]], ...]


class _LanguageRules(msgspec.Struct, frozen=True):
    hint: re.Pattern[str]  # found in every sentence that one of the patterns may find something in
    over: re.Pattern[str]  # what says of a relation that it is not so, or was
    tail: int  # letters behind a relation that may say so
    # A relation each, none: as the kin word says; and the tense that it is told in.
    patterns: _TensePatterns
    ended: _TensePatterns  # those of what is over
    signs: frozenset[str]  # how a word begins that each of these has; none: any word may


@cache
def _related_languages() -> tuple[Language, ...]:
    return tuple(each for each in (*LATIN, *OTHERS) if each.relations)


@cache
def _rules(name: str) -> _LanguageRules:
    """The rules of a language, compiled for the first sentence that they may find something in."""
    language = next(each for each in _related_languages() if each.name == name)
    its = language.relations
    if isinstance(its, RelationPhrases):
        return _of_phrases(its, language.letters)
    assert its is not None
    return _of_capitals(its)


def _of_phrases(its: RelationPhrases, letters: str) -> _LanguageRules:
    kin = "|".join(its.kin.values())
    parts = ((name.partition("/")[0], row) for name, row in its.phrases.items())
    rows = [("" if name == "kin" else name, NOW, row) for name, row in parts]
    rows = [(name, tense, row.replace("<kin>", f"(?P<kin>{kin})")) for name, tense, row in rows]
    ended = [(PARTNER, IS_OVER, its.over.parted), (WORKS_AT, IS_OVER, its.over.jobless)]
    return _LanguageRules(
        hint=re.compile(letters),
        over=_over(its.over, kin),
        tail=TAIL,
        patterns=_made(rows),
        ended=_made(ended),
        signs=frozenset(),
    )


def _made(rows: Iterable[tuple[str, str, str]]) -> _TensePatterns:
    return tuple((each, tense, lazy_pattern(row)) for each, tense, row in rows if row)


def _of_capitals(words: RelationWords) -> _LanguageRules:
    kin = "|".join(words.kin.values())
    article = rf"(?:(?:{words.articles})\s+)?" if words.articles else _ARTICLE
    name = rf"{article}(?P<name>{_NAME})"
    over = words.over
    so = (
        (WORKS_AT, NOW, words.works_at, words.own_work),
        (LIVES_IN, NOW, words.lives_in, words.own_home),
    )
    was = (
        (WORKS_AT, WAS, over.worked_at, over.own_worked),
        (LIVES_IN, WAS, over.lived_in, over.own_lived),
    )
    whose = rf"(?:{_mine(words, 'of_kin')}|\b(?:{words.i})|(?P<who>{_NAME}))\s+(?:\w+\s+)?"
    rows = [
        ("", NOW, rf"{_mine(words, 'kin')}{words.is_called}\s+{name}"),
        ("", NOW, rf"(?P<name>{_NAME})\s+(?:{IS})\s+{_mine(words, 'kin')}(?!\w)"),
        ("", NOW, rf"(?P<who>{_NAME}){POSSESSIVE}\s+(?P<kin>(?i:{kin})){words.is_called}\s+{name}"),
        *_phrased(so, whose, name),
        *_married(words.married, whose, name),
        *((LOCATED_IN, NOW, row) for row in _located(words)),
    ]
    return _LanguageRules(
        hint=re.compile(hint_of(words), re.IGNORECASE),
        over=_over(over, kin),
        tail=0,
        patterns=_made(rows),
        ended=_made([*_phrased(was, whose, name), *_ended(over, whose)]),
        signs=heads_of(rf"(?<!\w)(?:{over.signs})(?!\w)"),
    )


def _phrased(
    phrases: Iterable[tuple[str, str, str, str]], whose: str, name: str
) -> Iterator[tuple[str, str, str]]:
    """Of somebody who is named, or of whoever speaks where no word for them is needed."""
    for each, tense, row, own in phrases:
        if row:
            yield each, tense, rf"{whose}{row}\s+{name}"
        if own:
            yield each, tense, rf"\b(?:{own})\s+{name}"


def _married(its: Marriage, whose: str, name: str) -> Iterator[tuple[str, str, str]]:
    yield from _phrased(((SPOUSE, NOW, its.between, its.own),), whose, name)
    if its.are:
        both = rf"(?P<who>{_NAME})\s+(?:{its.and_})\s+{name}"
        yield SPOUSE, NOW, rf"{both}\s+(?:\w+\s+)?(?:{its.are})(?!\w)"


def _ended(over: RelationEnds, whose: str) -> Iterator[tuple[str, str, str]]:
    if over.jobless:
        yield WORKS_AT, IS_OVER, rf"{whose}(?:{over.jobless})(?!\w)"
    if over.own_jobless:
        yield WORKS_AT, IS_OVER, rf"\b(?:{over.own_jobless})(?!\w)"
    if over.parted:
        yield PARTNER, IS_OVER, rf"\b(?:{over.parted})(?!\w)"


def _over(over: RelationEnds, kin: str) -> re.Pattern[str]:
    former = over.former.replace("<kin>", kin) or "(?!)"
    row = rf"(?P<denied>{DENIED})|(?P<former>{former})|(?P<beside>{BESIDE_DENIED})"
    return lazy_pattern(rf"(?:{row})\s?", re.IGNORECASE)


def hint_of(words: RelationWords) -> str:
    """One of the words that every relation of a language is told with."""
    signs = (words.over.signs, words.married.signs)
    rows = (*words.kin.values(), words.works_at, words.lives_in, *signs)
    told = "|".join(filter(None, (*rows, words.own_work, words.own_home, words.located_in)))
    return rf"(?<!\w)(?:{told})(?!\w)"


def _mine(words: RelationWords, group: str) -> str:
    """Somebody's kin; where a name stands behind the kin word, the name says who it is."""
    kin = rf"(?P<{group}>(?i:{'|'.join(words.kin.values())}))"
    if words.my_behind:
        return rf"{kin}\s+(?:{words.my_behind})"
    mine = rf"\b(?i:{words.my})\s+(?:\w+\s+)?{kin}"
    return rf"(?:{mine}(?!\s+{_NAME}))" if group == "of_kin" else mine


def _located(words: RelationWords) -> Iterator[str]:
    if words.located_in:
        yield rf"(?P<who>{_NAME})\s+{words.located_in}\s+(?P<name>{_NAME})"
        office, of, stands, at = OFFICE_OF
        yield rf"{office}\s+{of}\s+(?P<who>{_NAME})\s+{stands}\s+{at}\s+(?P<name>{_NAME})"
