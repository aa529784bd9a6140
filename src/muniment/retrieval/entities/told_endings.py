"""Told endings: what the verbs of ending in a sentence are done with.

"Marta left Nordwind", "we sold the dog", "Rex died". The tables of the languages know the verbs,
as the index terms for ended values do; which relation is over is for whoever knows the relations.
"""

from collections.abc import Iterator

import msgspec

from muniment.model.languages.language_table import Language, flat
from muniment.model.languages.relation_words import DENIED
from muniment.model.languages.word_pattern import possible
from muniment.model.lazy_pattern import lazy_pattern
from muniment.retrieval.entities import relation_rules
from muniment.retrieval.languages import ended_values, told_as_real
from muniment.retrieval.languages.detect_language import detect_languages, possible_languages
from muniment.retrieval.text import tokenizer

_ONLY_DENIED = lazy_pattern(rf"(?i)\s*(?:{DENIED})[\s\w]*")


class ToldEnding(msgspec.Struct, frozen=True, kw_only=True):
    """A verb of ending, and the words that it is done with, those beside it first."""

    verb: str  # folded
    behind: bool  # they stand behind it: somebody has ended them
    sentence: str
    clause: str  # folded, where these words stand
    runs: tuple[tuple[str, ...], ...]  # stems of telling words that nothing parts
    spaced: bool  # whether its words are parted; else the clause is looked through


def told_endings(text: str) -> Iterator[ToldEnding]:
    """The endings that a text tells; what is asked, denied, planned or not real is none."""
    if len(text) > ended_values.LETTERS_MAX:
        return
    languages = {each.name: each for each in possible_languages(text, detect_languages(text))}
    for sentence in relation_rules.told_sentences(text):
        real, is_quoted = told_as_real.real_part(sentence), told_as_real.is_quoted(sentence)
        for language in languages.values():
            view = real if language.reads_case else flat(real)
            if is_quoted and language.first_person.search(flat(real)):
                continue  # another's "I"
            if not any(each.search(view) for each in language.patterns(language.plans)):
                yield from _in(language, view, sentence.strip())


def _in(language: Language, view: str, sentence: str) -> Iterator[ToldEnding]:
    for pattern in possible(language.patterns(language.ends), view):
        for match in pattern.finditer(view):
            behind = view[match.end() : match.end() + ended_values.REACH]
            is_denied = relation_rules.is_denied(view[: match.start()])
            if not is_denied and not _ONLY_DENIED.fullmatch(match[0]):
                clause = ended_values.clause_of(language, behind)
                yield _ending(language, match[0], sentence, clause, behind=True)
    for pattern in possible(language.patterns(language.is_over), view):
        for match in pattern.finditer(view):
            before = view[max(0, match.start() - ended_values.REACH) : match.start()]
            clause = ended_values.clause_of(language, before, last=True)
            if not relation_rules.is_denied(clause):
                yield _ending(language, match[0], sentence, clause, behind=False)


def _ending(
    language: Language, verb: str, sentence: str, clause: str, *, behind: bool
) -> ToldEnding:
    spaced = language.gap == " "
    runs = _runs(language, clause) if spaced else ()
    return ToldEnding(
        verb=flat(verb),
        behind=behind,
        sentence=sentence,
        clause=flat(clause),
        runs=runs if behind else runs[::-1],
        spaced=spaced,
    )


def _runs(language: Language, clause: str) -> tuple[tuple[str, ...], ...]:
    """The telling words of a clause, as small words and times part them."""
    runs: list[list[str]] = [[]]
    for word in tokenizer.spelled(clause):
        if ended_values.is_telling(language, word):
            runs[-1].append(tokenizer.stem(word))
        elif runs[-1]:
            runs.append([])
    return tuple(tuple(each) for each in runs if each)
