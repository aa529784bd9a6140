"""Revisions: a later statement that ends or changes the value of an older answer.

A question leads to "I bank with Santander"; what leads from there to "Closed my Santander account
and went to Monzo" is the value, which only the older answer names. So the words of the best
answers are looked for once more, among what says that they are over.
Who is meant by "my brother" is told on by name: "Tomas closed the bakery and drives a tram now".
A machine tells much at once: of two of its results the lines that answer are held side by side.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import permutations
from typing import Final, TypeAlias

import msgspec

from muniment.model.languages.common_words import PARTICLES
from muniment.retrieval import arrays as np
from muniment.retrieval.index import columns, document_features
from muniment.retrieval.index.collection import Collection
from muniment.retrieval.index.document_features import ASKS, BY_PERSON, TELLS_CHANGE, Mask
from muniment.retrieval.languages import ended_values, name_mentions, state_phrases, value_mentions
from muniment.retrieval.languages.detect_language import detect_languages, is_foreign
from muniment.retrieval.languages.ended_values import is_calendar_word
from muniment.retrieval.ranking.query import Query
from muniment.retrieval.ranking.statement_pair import (
    Embeds,
    StatementPair,
    is_of_one_thing,
    told_beyond,
)
from muniment.retrieval.text import code_tokens, tokenizer

READ: Final = 4  # best answers whose words are looked for
LINE_WORDS_MIN: Final = 2  # of the question, that a line of a machine's result answers by
FORM_WORDS_MIN: Final = 3  # beside one of them, that two lines of one form have in common
JOINED_MIN: Final = 3  # letters of a word that another is made of
GATHERED: Final = 32  # the same where somebody asks for all that is known of them
STEPS: Final = 4  # times as many texts as that, from which on nobody follows changes of changes
OFTEN: Final = 20  # a word that one text in so many has is nobody's value
NAMED_MAX: Final = 16  # of the newest texts about somebody that are read


Numbers: TypeAlias = "np.NDArray[np.int64]"
Revised = Sequence[tuple[int, int]]  # a newer document, and an older one that it revises
Texts = Callable[[Numbers], Sequence[str | None]]  # what documents say; None: erased meanwhile


class Reading(msgspec.Struct, frozen=True):
    """How documents and words are read."""

    texts: Texts
    embeds: Embeds | None = None  # none: what it says would have to be kept
    # What tools gave back in the loops of these, each with the task or call that it answers.
    results: Callable[[Numbers], Revised] = lambda _: ()
    # What names in these lead a question on to, each with the text that names it.
    leads: Callable[[Query, Numbers, Texts], Revised] = lambda *_: ()
    # What says that a relation is over that one of these says.
    over: Callable[[Query, Numbers], Revised] = lambda *_: ()


def find_revisions(
    collection: Collection,
    asked: Query,
    best: Numbers,
    reading: Reading,
) -> Revised:
    """What revises the best answers, each with the one that it revises."""
    if (asked.of_then and not asked.of_before) or asked.codes or not len(best):
        return ()
    said = dict(zip(best.tolist(), reading.texts(best), strict=True))
    revised = _followed(collection, asked, said, reading)
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
    newer = [each for each in revised if _is_newer(collection, *each)]
    return newer + _answered(collection, asked, reading.results(best))


def between_shown(pairs: Revised, among: Mask, heard: Mask | None) -> list[tuple[int, int]]:
    """Pairs of what may be shown; through what is only heard a newer one reaches what is older."""
    behind = {newer: [older for each, older in pairs if each == newer] for newer, _ in pairs}
    found = []
    for newer in filter(among.__getitem__, behind):
        ahead, met = [*behind[newer]], {newer}
        while ahead:
            older = ahead.pop()
            if among[older]:
                found.append((newer, older))
            elif older not in met and (heard is None or heard[older]):
                ahead += behind.get(older, ())
            met.add(older)
    return found


def _answered(collection: Collection, asked: Query, results: Revised) -> list[tuple[int, int]]:
    """Of the results of tools those that have a word of the question: the task only asks for it."""
    if not results:
        return []
    found = collection.postings.find(list(map(tokenizer.key, asked.words)), collection.count)
    having = {number for documents, _ in found for number in documents.tolist()}
    return [(result, request) for result, request in results if result in having]


def _followed(
    collection: Collection,
    asked: Query,
    said: Mapping[int, str | None],
    reading: Reading,
) -> list[tuple[int, int]]:
    """What revises these, and what revises that: a car is sold more than once."""
    revised: dict[tuple[int, int], None] = {}
    looked_at = dict(said)
    most = max(READ, len(said)) * STEPS
    while said and len(looked_at) <= most:
        numbers = np.array(list(said), np.int64)
        own = numbers[stated(collection, asked, numbers)].tolist()
        # Where a number is asked for and given, only another one is news.
        number = document_features.numbers(of_time=asked.wants_time)
        counted = {each: asked.wants_amount and _has(collection, each, number) for each in own}
        found = [
            (newer, older)
            for older in own
            for newer in (
                *_taking_back(collection, asked, (older, said[older] or ""), reading.texts),
                *_told_on(collection, asked, (older, said[older] or ""), reading),
                *_taking_up(collection, asked, (older, said[older] or ""), reading.texts),
            )
            if _is_newer(collection, newer, older)
            and (not counted[older] or _has(collection, newer, number))
        ]
        revised |= dict.fromkeys(found)
        new = sorted({newer for newer, _ in found} - set(looked_at))
        said = dict(zip(new, reading.texts(np.array(new, np.int64)), strict=True)) if new else {}
        looked_at |= said
    return list(revised)


def _taking_back(
    collection: Collection, asked: Query, told: tuple[int, str], texts: Texts
) -> Iterator[int]:
    """What revises an answer by a value of it, and not only by somebody whom it tells of."""
    older, text = told
    found = [*dict.fromkeys(_revising(collection, asked, older, text))]
    for newer, later in zip(found, texts(np.array(found, np.int64)), strict=True):
        if asked.of_all or not name_mentions.tell_apart_of_one(text, later or ""):
            yield newer


def _told_on(
    collection: Collection,
    asked: Query,
    told: tuple[int, str],
    reading: Reading,
) -> Iterator[int]:
    """What was told later, by name, of whom the question means: "my brother", "my landlord"."""
    older, text = told
    called = dict.fromkeys(asked.called, asked.relatives)
    called |= {
        name: frozenset({word})
        for word, name in name_mentions.apposed(text)
        if asked.of_all or word in asked.words
    }
    held = {*tokenizer.stems(text)} if called else set()
    for name, relatives in called.items():
        about = told_beyond(text, for_them := relatives | {name})
        # Who only gives a name says nothing else of them: more must be asked for, of nobody else.
        if name in held and (about or (not asked.bridges and told_beyond(asked.text, for_them))):
            for newer, later in _naming(collection, asked, name, reading.texts):
                if newer != older and _is_newer(collection, newer, older):
                    said = StatementPair(older=text, newer=later, about=about, for_them=for_them)
                    if is_of_one_thing(asked, said, reading.embeds):
                        yield newer


def _taking_up(
    collection: Collection, asked: Query, told: tuple[int, str], texts: Texts
) -> Iterator[int]:
    """What names the value of an answer again later, and says more of it than that."""
    older, text = told
    if asked.who or asked.of_all or asked.of_advice or code_tokens.spelled(asked.text):
        return
    named = {*asked.words, *asked.called, *asked.relatives}
    named.update(name for word, name in name_mentions.apposed(text) if word in asked.words)
    by_name = value_mentions.names_of(asked.text, asked.naming, of_self=asked.of_self)
    subject = value_mentions.stems(text).intersection(by_name)
    # Who asks of somebody by name is told nothing new of others.
    if (by_name and not subject) or value_mentions.is_of_the_world(asked):
        return
    values = sorted(value_mentions.values(text) - named)
    found: dict[int, set[str]] = {}
    holders = collection.postings.find(list(map(tokenizer.key, values)), collection.count)
    for value, (held, _) in zip(values, holders, strict=True):
        for number in held.tolist() if len(held) <= NAMED_MAX else ():
            if collection.are_later(number, older):
                found.setdefault(number, set()).add(value)
    newer = np.array([n for n in sorted(found) if value_mentions.make_a_value(found[n])], np.int64)
    newer = newer[stated(collection, asked, newer)]
    for number, later in zip(newer.tolist(), texts(newer), strict=True):
        new = value_mentions.beyond(later or "", text)
        shared = found[number].intersection(value_mentions.stems(new))
        if subject <= value_mentions.stems(new) and value_mentions.takes_up(new, shared, named):
            yield number


def _naming(
    collection: Collection, asked: Query, name: str, texts: Texts
) -> Iterator[tuple[int, str]]:
    """The newest statements about somebody by name, with what they say."""
    ((held, _),) = collection.postings.find([tokenizer.key(name)], collection.count)
    found: Numbers = held.astype(np.int64)
    found = found[stated(collection, asked, found)]
    newest = found[np.argsort(collection.moments[found], kind="stable")][-NAMED_MAX:]
    for number, text in zip(newest.tolist(), texts(newest), strict=True):
        if text and name_mentions.is_about(text, name):
            yield number, text


def _revising(collection: Collection, asked: Query, older: int, text: str) -> Iterator[int]:
    """What says that a value of an answer is over, and what gives another number of the same."""
    beyond = _values(asked, text, only_names=not asked.of_all and is_foreign(text, asked.languages))
    yield from _ending(collection, asked, older, beyond)
    if asked.of_all:  # who lives or works elsewhere now says so in words of their own
        states = state_phrases.stated_terms(detect_languages(text))
        yield from _having(collection, asked, states).tolist()
    wants_amount = asked.wants_amount or value_mentions.is_measure(text, beyond)
    of_amount = (wants_amount or asked.wants_time) and not (asked.own_letters or any(asked.names))
    number = document_features.numbers(of_time=asked.wants_time)
    if (asked.of_all or of_amount) and _has(collection, older, number):
        subjects = _parted(beyond)[1] if asked.wants_time else beyond  # a day alone is no subject
        for newer in _having(collection, asked, map(tokenizer.stem, subjects)).tolist():
            if _has(collection, newer, number) and _has(collection, newer, TELLS_CHANGE):
                yield newer


def _values(asked: Query, text: str, *, only_names: bool) -> list[str]:
    """What an answer says beyond the question; in another language only its names.

    There "office", which answers "Büro", looks like a value.
    """
    read = detect_languages(text)
    # Particles: "gave me the rope back" ends nothing of "back on the wall".
    small = PARTICLES.union(*(each.language.small_words for each in read))
    words = {w for w in tokenizer.spelled(text) if not (tokenizer.is_stop(w) or w in small)}
    if only_names:
        capital = " ".join(each for each in text.split() if not each[:1].islower())
        words.intersection_update(tokenizer.spelled(capital))
    # One letter of a script without spaces is in too many words to be a value.
    whole = (each for each in words if len(each) > 1 or each < tokenizer.SPACELESS_FIRST)
    no_value = value_mentions.changes(text, read).union(asked.words)  # "I'm at 87 right now"
    return sorted(each for each in whole if tokenizer.stem(each) not in no_value)


def _ending(
    collection: Collection, asked: Query, older: int, values: Iterable[str]
) -> Iterator[int]:
    """What ends one of these words, as far as the older text does not end it itself.

    Days end for whatever was planned, and "I don't want to shout" ends nothing that was wanted:
    beside what may be said of anything, the subject must be named as well.
    """
    of_days, others = _parted(values)
    of_anything = value_mentions.common(frozenset(map(tokenizer.stem, others)))
    of_days += [each for each in others if tokenizer.stem(each) in of_anything]
    others = [each for each in others if tokenizer.stem(each) not in of_anything]
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
        parts[not (word[:1].isdigit() or is_calendar_word(word))].append(word)
    return parts


def _answering_line(asked: Query, text: str) -> frozenset[str]:
    """Of the lines of a text the stems of the one that has most words of the question."""
    lines = [frozenset(map(tokenizer.stem, tokenizer.spelled(line))) for line in text.splitlines()]
    return max(lines, key=lambda line: len(line.intersection(asked.words)), default=frozenset())


def _tells_anew(asked: Query, newer: frozenset[str], older: frozenset[str]) -> bool:
    """Whether one line has what another has of the question, and something else of it.

    A compound asks by one word for what others ask by two: then both lines are of one form. Of
    three words one may be spelled otherwise: "pickup" is what "pick up" asks for. Another name or
    number is not.
    """
    about = older.intersection(asked.words)
    if len(about) >= FORM_WORDS_MIN and len(lacking := about - newer) == 1:
        about -= {each for each in lacking if _is_joined(each, newer)}
    beside = {each for each in older & newer if not tokenizer.is_stop(each)}
    least = 1 if len(about) >= LINE_WORDS_MIN else FORM_WORDS_MIN
    if len(about) >= LINE_WORDS_MIN and 2 * len(about) >= len(asked.words):
        least = 0  # it has most of what is asked for, in whatever form
    return bool(about) and about <= newer and len(beside - about) >= least


def _is_joined(word: str, line: frozenset[str]) -> bool:
    """Whether a word is part of one of a line, or one of the line part of it."""
    parts = ((each, word) if len(each) < len(word) else (word, each) for each in line)
    long = ((part, whole) for part, whole in parts if len(part) >= JOINED_MIN)
    return any(part in whole and not part.isdecimal() for part, whole in long)


def _has(collection: Collection, number: int, flag: int) -> bool:
    return bool(collection.column("flags")[number] & flag)


def stated(collection: Collection, asked: Query, numbers: Numbers) -> Mask:
    """Which of these a person states, in few words: who says more does not state one value."""
    short: Mask = collection.column("lengths")[numbers] <= asked.statement_words
    return short & document_features.are_stated(collection.column("flags")[numbers])


def stated_beside(collection: Collection, asked: Query, numbers: Numbers) -> tuple[Mask, Mask]:
    """Which of these whoever asks has stated of themselves, and in few words of whatever else.

    They say what a question in other words may ask for: "Goodbye Padua, hello Dundee!".
    """
    flags = collection.column("flags")[numbers]
    own: Mask = collection.column("speakers")[numbers] == 0
    own &= not asked.of_then
    discloses: Mask = own & (flags & document_features.DISCLOSES > 0) & asked.of_self
    return discloses, own & stated(collection, asked, numbers) & (asked.asks and not asked.of_all)


def tell_of_it(collection: Collection, asked: Query, numbers: Numbers, kin: Numbers) -> Mask:
    """Which say more of what is asked than whom it is asked of: "Anneke resigned" does not.

    A state has words of its own for a change; where a time or number is asked for, to give one is
    enough: "Dr Lang moved it to Monday".
    """
    of_them = [word for word, names in zip(asked.words, asked.names, strict=True) if not names]
    all_tell = not of_them or len(of_them) == len(asked.words)
    if all_tell or asked.states:
        return np.ones(len(numbers), bool)
    telling: Mask = kin > 0
    if asked.wants_time or asked.wants_amount:
        counting = document_features.numbers(of_time=asked.wants_time)
        telling |= collection.column("flags")[numbers] & counting > 0
    keys = list(map(tokenizer.key, of_them))
    for documents, _ in collection.postings.find(keys, collection.count):
        telling |= np.isin(numbers, documents)
    return telling


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
    of_one_voice = _voice(collection, newer) == _voice(collection, older)
    return of_one_voice and bool(collection.are_later(newer, older))


def _voice(collection: Collection, number: int) -> int:
    """Who speaks, where a talk has two names; one name alone is as likely a label: "News: …"."""
    speakers, sessions = collection.column("speakers"), collection.column("sessions")
    speaker = int(speakers[number])
    if not speaker:
        return 0
    named = np.unique(speakers[sessions == sessions[number]])
    return speaker if np.count_nonzero(named) > 1 else 0
