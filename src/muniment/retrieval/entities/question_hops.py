"""Query expansion by relations: the names that a chain of relations in a question leads to.

"In which city is the office of my wife's employer?" has no word of "Marta works at Siemens". The
question names a kin word and a relation to go on by; the graph knows whom and what they mean.
"""

from collections.abc import Sequence
from functools import cache
from typing import Final

import msgspec

from muniment.model.languages.language_table import flat
from muniment.model.languages.relation_words import HOP_NOUNS
from muniment.model.languages.row_pattern import RowPattern
from muniment.model.lazy_pattern import lazy_pattern
from muniment.retrieval.entities.entity_graph import EntityGraph
from muniment.retrieval.entities.relation_rules import USER, kin_words
from muniment.retrieval.ranking import query
from muniment.retrieval.ranking.query import Query
from muniment.retrieval.text import tokenizer

HOPS_MAX: Final = 3
NAMES_MAX: Final = 6
_POSSESSIVE = lazy_pattern(r"(?<!\w)([^\W\d_a-z][\w-]*)(?:'s|\u2019s)(?!\w)")
_NAME = lazy_pattern(r",?\s+([^\W\d_a-z][\w-]*)")
CLOSENESS_PPM: Final = 1_000_000  # a name that is meant counts like a word of the question


def is_related(question: str) -> bool:
    """Whether a question names somebody as kin, or by name with a relation to go on by."""
    return bool(_kin(question) or (_hops(question) and _POSSESSIVE.search(question)))


def led(question: str, graph: EntityGraph) -> tuple[tuple[str, str], ...]:
    """Who is meant by kin, with nothing behind it; and what a chain of relations leads to.

    What has ended leads on only a question for what was before.
    """
    then = query.asks_of_then(question)
    chained = bridges(question, graph, of_then=then) if _hops(question) else ()
    return (*kin_names(question, graph, of_then=then), *chained)


def kin_names(
    question: str, graph: EntityGraph, *, of_then: bool = False
) -> tuple[tuple[str, str], ...]:
    """What those are called whom a question names as kin.

    A dog and a cat are both pets: where one is told in the word of the question, it is meant.
    """
    if _called(question) or _POSSESSIVE.search(question):
        return ()  # "Ann's brother" is another's
    words = _kin_said(question)
    steps = graph.followed(USER, _kin(question), of_then=of_then)
    so_called = [each for each in steps if any(w in each.sentence.casefold() for w in words)]
    return tuple(dict.fromkeys((each.object, "") for each in (so_called or steps)[:NAMES_MAX]))


def bridges(
    question: str, graph: EntityGraph, *, of_then: bool = False
) -> tuple[tuple[str, str], ...]:
    """The names that a question leads to, from the user or whoever it names, and what says so."""
    kin, hops = _kin(question), _hops(question)
    called = _called(question)
    steps = graph.followed(USER, kin, of_then=of_then) if kin else []
    if called:  # "my friend Noor" is none of the other friends
        steps = [each for each in steps if called & set(each.object.casefold().split())]
    names = dict.fromkeys([*_POSSESSIVE.findall(question), *sorted(called)])
    named = (graph.about(name) for name in names)
    known = len(steps)
    reached = [*(each.object for each in steps), *(each.name for each in named if each)]
    for _ in range(HOPS_MAX):
        on = (*kin, *hops)
        found = [e for name in reached for e in graph.followed(name, on, of_then=of_then)]
        found = [each for each in found if each not in steps]
        steps += found
        reached = [each.object for each in found]
    if len(steps) == known:
        return ()  # to be somebody's sister leads to nothing by itself
    return tuple(dict.fromkeys((step.object, step.evidence) for step in steps[:NAMES_MAX]))


def with_names(asked: Query, led: Sequence[tuple[str, str]]) -> Query:
    """A question that is answered by texts about these names too, and by what led to them."""
    if not led:
        return asked
    spelled = [tokenizer.spelled(name) for name, _ in led]
    stems = (tokenizer.stem(word) for words in spelled for word in words)
    known = {*asked.words, *(stem for stem, _ in asked.kin)}
    more = tuple((stem, CLOSENESS_PPM) for stem in dict.fromkeys(stems) if stem not in known)
    kin = _kin_said(asked.text)
    names = [words for (_, said), words in zip(led, spelled, strict=True) if words and not said]
    meant = [words[0] for words in names]
    for_them = (*(tokenizer.spelled(each) for each in kin), *(words[1:] for words in names))
    return msgspec.structs.replace(
        asked,
        kin=(*asked.kin, *more),
        bridges=tuple(evidence for _, evidence in led if evidence),
        called=tuple(dict.fromkeys(map(tokenizer.stem, meant))),
        relatives=frozenset(tokenizer.stem(word) for words in for_them for word in words),
        states=(*asked.states, *(by_name := _by_name(asked.states, kin, meant))),
        told_by=(*asked.told_by, *by_name),
    )


def _by_name(states: Sequence[str], kin: Sequence[str], names: Sequence[str]) -> list[str]:
    """States that are asked for by kin, "work of brother", by the names that these have."""
    parted = [each.partition(" of ") for each in states]
    wanted = [state for state, _, whose in parted if whose in set(map(flat, kin))]
    return [f"{state} of {flat(name)}" for state in wanted for name in names]


def _kin_said(question: str) -> list[str]:
    """The words for kin, as a question has them."""
    found = (row.search(question) for row in kin_words().values())
    return [each[0].casefold() for each in found if each]


def _kin(question: str) -> list[str]:
    return [name for name, row in kin_words().items() if row.search(question)]


def _called(question: str) -> set[str]:
    """The names that stand behind a word for kin: "my friend Noor"."""
    found = (
        _NAME.match(question, kin.end())
        for row in kin_words().values()
        for kin in row.finditer(question)
    )
    return {name[1].casefold() for name in found if name}


def _hops(question: str) -> list[str]:
    return [name for name, row in _nouns().items() if row.search(question)]


@cache
def _nouns() -> dict[str, RowPattern]:
    return {name: RowPattern(row) for name, row in HOP_NOUNS.items()}
