"""Statement pairs: whether what two texts say of somebody is of one thing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import msgspec

from muniment.model.languages.relation_words import NAMING
from muniment.retrieval.index import document_features, int8_vectors
from muniment.retrieval.languages.detect_language import detect_languages
from muniment.retrieval.ranking.query import Query
from muniment.retrieval.text import tokenizer

# What two texts say of somebody is of one thing if, without the name, they are as like as this.
OF_ONE_THING_PPM: Final = 260_000
OF_ONE_THING_IN_CHANGE_PPM: Final = 200_000  # where the newer says that something has changed
BEGINNING: Final = 5  # letters that "baker" and "bakery" have in common

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
