"""Revisions: what the same person said later of the value that an older answer gives.

A question leads to "I bank with Santander"; what leads from there to "Closed my Santander account
and went to Monzo" is the value, which only the older answer names. So the words of the best
answers are looked for once more, among what says that they are over.
A machine tells much at once: of two of its results the lines that answer are held side by side.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import permutations
from typing import Final, TypeAlias

from muniment.retrieval import arrays as np
from muniment.retrieval.index import columns, document_features
from muniment.retrieval.index.collection import Collection
from muniment.retrieval.index.document_features import (
    ASKS,
    BY_PERSON,
    COUNTS,
    TELLS_CHANGE,
    Mask,
)
from muniment.retrieval.languages import ended_values
from muniment.retrieval.languages.detect_language import detect_languages
from muniment.retrieval.languages.ended_values import calendar_words
from muniment.retrieval.ranking.query import Query
from muniment.retrieval.text import tokenizer

READ: Final = 4  # best answers whose words are looked for
LINE_WORDS_MIN: Final = 2  # of the question, that a line of a machine's result answers by
FORM_WORDS_MIN: Final = 3  # beside one of them, that two lines of one form have in common
STEPS: Final = 4  # times as many texts as that, from which on nobody follows changes of changes
OFTEN: Final = 20  # a word that one text in so many has is nobody's value

Numbers: TypeAlias = "np.NDArray[np.int64]"
Texts = Callable[[Numbers], Sequence[str | None]]  # what documents say; None: erased meanwhile
Revised = Sequence[tuple[int, int]]  # a newer document, and an older one that it revises


def find_revisions(collection: Collection, asked: Query, best: Numbers, texts: Texts) -> Revised:
    """What revises the best answers, each with the one that it revises."""
    if asked.of_then or asked.codes or not len(best):
        return ()
    said = dict(zip(best.tolist(), texts(best), strict=True))
    revised = _followed(collection, asked, said, texts)
    machines = {
        number: _answering_line(asked, text or "")
        for number, text in said.items()
        if not _has(collection, number, BY_PERSON | ASKS)
    }
    revised += [
        (newer, older)
        for newer, older in permutations(machines, 2)
        if _tells_anew(asked, machines[newer], machines[older])
    ]
    return [each for each in revised if _is_newer(collection, *each)]


def _followed(
    collection: Collection, asked: Query, said: Mapping[int, str | None], texts: Texts
) -> list[tuple[int, int]]:
    """What revises these, and what revises that: a car is sold more than once."""
    revised: dict[tuple[int, int], None] = {}
    looked_at = dict(said)
    while said and len(looked_at) <= READ * STEPS:
        numbers = np.array(list(said), np.int64)
        own = numbers[stated(collection, asked, numbers)].tolist()
        found = [
            (newer, older)
            for older in own
            for newer in _revising(collection, asked, older, said[older] or "")
            if _is_newer(collection, newer, older)
        ]
        revised |= dict.fromkeys(found)
        new = sorted({newer for newer, _ in found} - set(looked_at))
        said = dict(zip(new, texts(np.array(new, np.int64)), strict=True)) if new else {}
        looked_at |= said
    return list(revised)


def _revising(collection: Collection, asked: Query, older: int, text: str) -> Iterator[int]:
    """What says that a value of an answer is over, and what gives another number of the same."""
    beyond = _values(asked, text)
    yield from _ending(collection, asked, older, beyond)
    plain = not (asked.own_letters or any(asked.names))
    if asked.wants_amount and plain and _has(collection, older, COUNTS):
        for newer in _having(collection, asked, map(tokenizer.stem, beyond)).tolist():
            if _has(collection, newer, COUNTS) and _has(collection, newer, TELLS_CHANGE):
                yield newer


def _values(asked: Query, text: str) -> list[str]:
    """What an answer says beyond the question; of one in another language only its names.

    There a word for the thing itself looks like a value: "Büro" is asked for, "office" answers.
    """
    words = {each for each in tokenizer.spelled(text) if not tokenizer.is_stop(each)}
    if asked.languages.isdisjoint(each.language.name for each in detect_languages(text)):
        capital = " ".join(each for each in text.split() if not each[:1].islower())
        words.intersection_update(tokenizer.spelled(capital))
    return sorted(each for each in words if tokenizer.stem(each) not in asked.words)


def _ending(
    collection: Collection, asked: Query, older: int, values: Iterable[str]
) -> Iterator[int]:
    """What ends one of these words, as far as the older text does not end it itself.

    Days and months end for whatever was planned: there the subject must be named as well.
    """
    of_days, others = _parted(values)
    ended = _having(collection, asked, map(ended_values.term, others), but=older)
    yield from ended.tolist()
    if of_days and len(planned := _having(collection, asked, map(ended_values.term, of_days))):
        about = collection.postings.find(list(map(tokenizer.key, asked.words)), collection.count)
        named = np.concatenate([np.zeros(0, np.int64), *(documents for documents, _ in about)])
        yield from planned[np.isin(planned, named)].tolist()


def _parted(words: Iterable[str]) -> tuple[list[str], list[str]]:
    """Words for days and numbers, and the others."""
    parts: tuple[list[str], list[str]] = ([], [])
    for word in words:
        parts[not (word[:1].isdigit() or word in calendar_words())].append(word)
    return parts


def _answering_line(asked: Query, text: str) -> frozenset[str]:
    """Of the lines of a text the stems of the one that has most words of the question."""
    lines = [frozenset(map(tokenizer.stem, tokenizer.spelled(line))) for line in text.splitlines()]
    return max(lines, key=lambda line: len(line.intersection(asked.words)), default=frozenset())


def _tells_anew(asked: Query, newer: frozenset[str], older: frozenset[str]) -> bool:
    """Whether one line has what another has of the question, and something else of it.

    A compound asks by one word for what others ask by two: then both lines are of one form.
    """
    about = older.intersection(asked.words)
    beside = {each for each in older & newer if not tokenizer.is_stop(each)}
    least = 1 if len(about) >= LINE_WORDS_MIN else FORM_WORDS_MIN
    return bool(about) and about <= newer and len(beside - about) >= least


def _has(collection: Collection, number: int, flag: int) -> bool:
    return bool(collection.column("flags")[number] & flag)


def stated(collection: Collection, asked: Query, numbers: Numbers) -> Mask:
    """Which of these a person states, in few words: who says more does not state one value."""
    short: Mask = collection.column("lengths")[numbers] <= asked.statement_words
    return short & document_features.are_stated(collection.column("flags")[numbers])


def _having(
    collection: Collection, asked: Query, terms: Iterable[str], *, but: int = -1
) -> Numbers:
    """The statements that have one of these terms, as far as few have it, and not that one."""
    keys = list(map(tokenizer.key, terms))
    held = [documents for documents, _ in collection.postings.find(keys, collection.count)]
    rare = [each for each in held if len(each) * OFTEN <= max(collection.count, OFTEN * OFTEN)]
    rare = [each for each in rare if but not in each]
    several = np.concatenate([np.zeros(0, np.int64), *rare])
    found: Numbers = columns.distinct(several).astype(np.int64)
    return found[stated(collection, asked, found)]


def _is_newer(collection: Collection, newer: int, older: int) -> bool:
    """Of the same voice, and said later."""
    moments = collection.moments
    return bool(
        moments[newer] > moments[older] and _voice(collection, newer) == _voice(collection, older)
    )


def _voice(collection: Collection, number: int) -> int:
    """Who speaks, where a talk has two names; one name alone is as likely a label: "News: …"."""
    speakers, sessions = collection.column("speakers"), collection.column("sessions")
    speaker = int(speakers[number])
    if not speaker:
        return 0
    named = np.unique(speakers[sessions == sessions[number]])
    return speaker if np.count_nonzero(named) > 1 else 0
