"""Statement pairs: whether what two texts say is of one thing, and of one holder.

Of one thing they are by words, topics and likeness. A holder is whom the subject of a text names
(`retrieval/languages/holders`): "My ex-wife is Petra" is no newer word about my wife.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

import msgspec

from muniment.model.languages.relation_words import NAMING
from muniment.retrieval import arrays as np
from muniment.retrieval.index import document_features, int8_vectors
from muniment.retrieval.index.collection import Collection
from muniment.retrieval.index.document_features import (
    ABOUT_OTHERS,
    BY_NAME,
    DISCLOSES,
    HAS_HOLDER,
    OWNED,
    PLANS,
    TELLS_CHANGE,
    Mask,
    are_stated,
)
from muniment.retrieval.languages.detect_language import detect_languages
from muniment.retrieval.languages.holders import Holder
from muniment.retrieval.languages.query_expansion import topic_keys
from muniment.retrieval.ranking.query import Query
from muniment.retrieval.text import tokenizer

# What two texts say of somebody is of one thing if, without the name, they are as like as this.
OF_ONE_THING_PPM: Final = 260_000
OF_ONE_THING_IN_CHANGE_PPM: Final = 200_000  # where the newer says that something has changed
BEGINNING: Final = 5  # letters that "baker" and "bakery" have in common

Numbers: TypeAlias = "np.NDArray[np.int64]"
Pairs: TypeAlias = "np.NDArray[np.bool_]"  # row by row, of which of the others something is true
Embeds = Callable[[str], bytes]  # int8 codes of some words


class StatementPair(msgspec.Struct, frozen=True, kw_only=True):
    """What two texts say of somebody."""

    older: str
    newer: str
    about: frozenset[str]  # stems of what the older says of them
    for_them: frozenset[str]  # stems of what is said for them


def is_of_one_thing(asked: Query, said: StatementPair, embeds: Embeds | None) -> bool:
    """Whether what a newer text says of somebody is in place of what an older one says of them.

    It changes a thing that the older has or the question asks for, or it is like one of them.
    """
    changes = not said.about or document_features.tells_change(said.newer)
    newer = told_beyond(said.newer, said.for_them)
    if changes and newer & {*said.about, *asked.words}:
        return True
    begun = {each[:BEGINNING] for each in said.about if len(each) >= BEGINNING}
    if changes and any(each[:BEGINNING] in begun for each in newer):
        return True
    of_a_state = asked.states or not changes  # which has phrases of its own
    least = OF_ONE_THING_PPM if of_a_state else OF_ONE_THING_IN_CHANGE_PPM
    likeness = _likeness(asked, said, embeds) if embeds is not None else None
    if likeness is None:  # then the words for a change of what is asked for tell
        return not newer.isdisjoint(asked.told_by)
    return likeness >= least


def told_beyond(text: str, for_them: frozenset[str]) -> frozenset[str]:
    """The stems of what a text says of somebody, without what it says for them, or their name."""
    small = {word for each in detect_languages(text) for word in each.language.small_words}
    small |= NAMING
    telling = (w for w in tokenizer.spelled(text) if not tokenizer.is_stop(w) and w not in small)
    return frozenset(map(tokenizer.stem, telling)) - for_them


def _likeness(asked: Query, said: StatementPair, embeds: Embeds) -> int | None:
    """Of two texts without the words for somebody, or of the newer and the question, if known."""

    def bare(text: str) -> bytes:
        words = (w for w in text.split() if said.for_them.isdisjoint(tokenizer.stems(w)))
        return embeds(" ".join(words))

    newer = bare(said.newer)
    others = [code for code in (bare(said.older), bare(asked.text)) if any(code)]
    if not (any(newer) and others):
        return None
    codes = int8_vectors.as_codes(b"".join(others)).reshape(len(others), -1)
    asked_of = int8_vectors.QueryVector(newer)
    return int(int8_vectors.cosines(codes, int8_vectors.norms(codes), asked_of).max())


def with_all_of_its(has: Pairs) -> Pairs:
    """Of which others each has every word that they have."""
    lacks: Pairs = ~has.T @ has
    return ~lacks


def topics_said(collection: Collection, asked: Query, numbers: Numbers) -> tuple[Pairs, Pairs]:
    """A row for each word of the question: which of these documents has one of its group.

    And a row for each of all those words that two of them have.
    """
    groups = np.zeros((len(asked.words), len(numbers)), bool)
    words = [np.zeros((0, len(numbers)), bool)]
    for place, group in enumerate(topic_keys(asked.text, asked.words)):
        for documents, _ in collection.postings.find(list(group), collection.count):
            if len(documents):
                has = np.isin(numbers, documents)
                groups[place] |= has
                if np.count_nonzero(has) > 1:
                    words.append(has[None])
    return groups, np.concatenate(words)


def of_another(collection: Collection, asked: Query, numbers: Numbers) -> Mask:
    """Which of these tell of somebody else than the question, as far as both say of whom.

    Who tells of a change may tell it of what two have in common: "My wife moved the dinner to
    Friday". And whoever is called by name may be the one who is asked for as kin.
    """
    flags = collection.column("flags")[numbers]
    known: Mask = flags & HAS_HOLDER > 0
    if asked.of_then or asked.of_all or not known.any():
        return np.zeros(len(numbers), bool)
    owned, by_name = flags & OWNED > 0, flags & BY_NAME > 0
    unchanged = flags & TELLS_CHANGE == 0
    holder = asked.holder
    if not holder:
        of_self = asked.of_self and not asked.of_others
        theirs: Mask = known & (owned | (by_name & unchanged)) & of_self
        return theirs
    others: Mask = known & ~by_name & ~_told(collection, numbers, holder.term) & (owned | unchanged)
    if holder.names:
        others = known & by_name & ~_told(collection, numbers, holder.term)
        return others | _told(collection, numbers, Holder(holder.people).term)
    return others | (by_name & _told(collection, numbers, holder.kin_term))


def of_whom_asked(collection: Collection, asked: Query, numbers: Numbers) -> Mask:
    """Which of these a person stated of the one whom the question is about."""
    flags = collection.column("flags")[numbers]
    stated = are_stated(flags)
    if asked.holder:
        return stated & _told(collection, numbers, asked.holder.term)
    own: Mask = flags & (DISCLOSES | ABOUT_OTHERS | HAS_HOLDER) == DISCLOSES
    return stated & own & asked.of_self


def news(
    collection: Collection, asked: Query, pairs: Sequence[tuple[int, int]]
) -> list[tuple[int, int]]:
    """Of pairs of a newer and an older text, those whose newer is of the same holder, and no wish.

    "I don't want to live in Suzhou" ends nothing of where somebody lives.
    """
    if not (pairs and (asked.holder or asked.states)):
        return [*pairs]
    newer, older = (np.array(some, np.int64) for some in zip(*pairs, strict=True))
    none = wishes(collection, asked, newer)
    if asked.holder:
        none |= of_another(collection, asked, newer) & ~of_another(collection, asked, older)
    return [pair for pair, is_none in zip(pairs, none.tolist(), strict=True) if not is_none]


def wishes(collection: Collection, asked: Query, numbers: Numbers) -> Mask:
    """Which say only what is wanted, where somebody asks how a state of theirs is."""
    flags = collection.column("flags")[numbers]
    wanted: Mask = flags & (PLANS | TELLS_CHANGE) == PLANS
    return wanted & bool(asked.states and not asked.of_plans)


def _told(collection: Collection, numbers: Numbers, term: str) -> Mask:
    ((documents, _),) = collection.postings.find([tokenizer.key(term)], collection.count)
    return np.isin(numbers, documents)
